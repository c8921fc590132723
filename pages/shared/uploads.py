"""Large files that visitors bring: the server asks the browser for one slice after another, and keeps them on disk.

Streamlit's own uploader holds all of a file in memory for as long as its page is open. Here no more than a slice is in
memory: a slice is one request, and the next is sent when the server asks for it. A plan says which parts of the file
are asked for, so that a wrong file is refused after a few of them, and what is not needed never leaves the browser.

    upload = UPLOADS.add(plan)      its ticket goes to the browser, which hands over a file to whoever knows it
    upload.is_here                  all that the plan asked for is in upload.arriving.file
    upload.drop()                   forget it

A plan is a generator: it is given an Arriving, yields ranges of bytes, each of which is at hand when it goes on, and
raises InputError to refuse the file. The files on disk have no name. They are gone when the session that holds the
Upload ends, when nothing has come for a while, and when the server ends. ATTENTION_LAB_UPLOADS_MB bounds all of them
together.
"""

import asyncio
import json
import logging
import os
import secrets
import shutil
import tempfile
import threading
from collections.abc import Awaitable, Callable, Iterator, MutableMapping
from time import monotonic
from typing import TYPE_CHECKING, Any
from weakref import WeakValueDictionary

from starlette.middleware import Middleware

from transformer.checks import InputError, is_whole

if TYPE_CHECKING:
    from transformer.pretrained.archive import Excerpt

MEGABYTES = "ATTENTION_LAB_UPLOADS_MB"  # environment variable: of all visitors' files together
MAX_BYTES = 3_000_000_000
MAX_AT_ONCE = 16
SLICE = 4 * 2**20  # bytes of one request
FIRST = 64 * 2**20  # bytes that may be asked for before it is known how large all will be
PATIENCE = 300.0  # seconds without a slice after which a file is forgotten
MAX_SECONDS = 120.0  # of one request
SPARE = 50_000_000  # bytes of the disk that stay free
PATH = "/_lab/upload"  # below the path that the app is served under
MAX_NAME = 200
_TICKET = b"x-lab-ticket"
_log = logging.getLogger(__name__)

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Message, Receive, Send], Awaitable[None]]
Answer = dict[str, Any]


class Arriving:
    """A file of which more and more is here.

    file      what is here of it
    reserved  bytes of the disk that it may take
    total     bytes that will have been asked for in the end; 0 as long as that is not known
    """

    def __init__(self, name: str, file: "Excerpt", make_room: Callable[[int], None]) -> None:
        self.name, self.file = name, file
        self.reserved, self.total = FIRST, 0
        self._make_room = make_room

    def reserve(self, n_bytes: int) -> None:
        """So much of the disk is needed for all that is made of the file. Raises InputError if there is less."""
        self._make_room(n_bytes)
        self.reserved = n_bytes


Plan = Callable[[Arriving], Iterator[tuple[int, int]]]


class Upload:
    """A file that one visitor hands over, or may. Whoever knows the ticket is that visitor."""

    def __init__(self, plan: Plan) -> None:
        self.ticket = secrets.token_urlsafe(32)
        self.arriving: Arriving | None = None
        self.is_here = False
        self.last_sign = 0.0
        self._plan = plan
        self._steps: Iterator[tuple[int, int]] = iter(())
        self._asked: list[tuple[int, int]] = []
        self.lock = threading.Lock()  # of what a request does

    def begin(self, arriving: Arriving) -> Answer:
        """Ask for the first slice."""
        self.drop()
        self.arriving, self._steps = arriving, self._plan(arriving)
        return self._go_on()

    def take(self, at: int, data: bytes) -> Answer:
        """Take a slice if it is the one that was asked for, and ask for the next; otherwise ask for the same again."""
        if self.arriving is None:
            return {"gone": True}
        if self._asked and (at, at + len(data)) == self._ask():
            arriving = self.arriving
            if arriving.file.n_kept + len(data) > arriving.reserved:
                self.drop()
                return {"refused": "Too much of this file would have to be read before anything is known of it."}
            arriving.file.add(at, data)
            end = self._asked[0][1]
            self._asked[:1] = [(at + len(data), end)] if at + len(data) < end else []
        return self._go_on()

    def drop(self) -> None:
        """Forget the file, and give back its room."""
        arriving, self.arriving = self.arriving, None
        self.is_here, self._steps, self._asked = False, iter(()), []
        if arriving is not None:
            arriving.file.close()

    def _ask(self) -> tuple[int, int]:
        start, stop = self._asked[0]
        return start, min(stop, start + SLICE)

    def _go_on(self) -> Answer:
        assert self.arriving is not None
        try:
            while not self._asked:
                self._asked = self.arriving.file.gaps(*next(self._steps))
        except StopIteration:
            self.is_here = True
            return {"done": True}
        except InputError as refusal:
            self.drop()
            return {"refused": f"{str(refusal).rstrip('.')}."}
        except Exception:
            self.drop()
            _log.exception("A file that was handed over could not be read")
            return {"refused": "The file could not be read, because of a fault in this program."}
        return {"ask": self._ask(), "here": self.arriving.file.n_kept, "total": self.arriving.total}


class Uploads:
    """The uploads of all visitors of this process. An upload is here as long as somebody else holds it.

    max_bytes  of the disk, for all of them
    patience   seconds without a slice after which a file is forgotten
    """

    def __init__(
        self, max_bytes: int = MAX_BYTES, patience: float = PATIENCE, clock: Callable[[], float] = monotonic
    ) -> None:
        self.max_bytes, self.patience, self.clock = max_bytes, patience, clock
        self._all: WeakValueDictionary[str, Upload] = WeakValueDictionary()
        self._lock = threading.Lock()
        self._watch = Watch(patience / 4, self.sweep)

    def add(self, plan: Plan) -> Upload:
        """A new upload, for as long as the caller holds it."""
        upload = Upload(plan)
        self._all[upload.ticket] = upload
        return upload

    def knows(self, ticket: str) -> bool:
        return ticket in self._all

    def begin(self, ticket: str, name: str, size: int) -> Answer:
        """A visitor has chosen a file of this size: what is asked of it first, or why it is not taken."""
        from transformer.pretrained.archive import Excerpt

        def begun(upload: Upload) -> Answer:
            upload.drop()
            others = [one for one in self._open() if one is not upload]
            if len(others) >= MAX_AT_ONCE:
                return {"refused": "Many files are arriving just now. Try again in a minute."}
            try:
                self._check_room(upload, FIRST)
                file = Excerpt(size, tempfile.TemporaryFile())  # noqa: SIM115 - it stays open until drop()
            except InputError as refusal:
                return {"refused": str(refusal)}
            except OSError:
                return {"refused": "This server has no disk to keep a file on."}
            make_room = _Room(self, upload)
            return upload.begin(Arriving(name, file, make_room))

        self._watch.begin()
        return self._with(ticket, begun)

    def take(self, ticket: str, at: int, data: bytes) -> Answer:
        """A slice has come: what is asked next, or that all is here."""
        return self._with(ticket, lambda upload: upload.take(at, data))

    def stop(self, ticket: str) -> Answer:
        """The visitor does not want it any more."""

        def stopped(upload: Upload) -> Answer:
            upload.drop()
            return {"gone": True}

        return self._with(ticket, stopped)

    def sweep(self) -> bool:
        """Forget the files of which nothing has come for too long -> whether others are left."""
        for upload in self._open():
            if self.clock() - upload.last_sign > self.patience and upload.lock.acquire(blocking=False):
                try:
                    upload.drop()
                finally:
                    upload.lock.release()
        return bool(self._open())

    @property
    def n_bytes(self) -> int:
        """What is set aside of the disk."""
        return sum(arriving.reserved for upload in self._open() if (arriving := upload.arriving))

    def _open(self) -> list[Upload]:
        return [upload for upload in list(self._all.values()) if upload.arriving is not None]

    def _with(self, ticket: str, do: Callable[[Upload], Answer]) -> Answer:
        upload = self._all.get(ticket)
        if upload is None:
            return {"gone": True}
        if not upload.lock.acquire(blocking=False):
            return {"busy": True}
        try:
            upload.last_sign = self.clock()
            return do(upload)
        finally:
            upload.last_sign = self.clock()
            upload.lock.release()

    def _check_room(self, upload: Upload, n_bytes: int) -> None:
        if n_bytes > self.max_bytes:
            raise InputError(
                f"Reading this file would take {n_bytes / 1e6:,.0f} MB of this server's disk; "
                f"{self.max_bytes / 1e6:,.0f} MB is the most."
            )
        with self._lock:
            others = sum(one.arriving.reserved for one in self._open() if one is not upload and one.arriving)
        if others + n_bytes > self.max_bytes or shutil.disk_usage(tempfile.gettempdir()).free < n_bytes + SPARE:
            raise InputError("Other visitors' files fill the disk that is set aside for them. Try again later.")


class Watch:
    """Looks after something again and again, as long as there is something left: look() says whether there is."""

    def __init__(self, seconds: float, look: Callable[[], bool]) -> None:
        self._seconds, self._look = seconds, look
        self._lock = threading.Lock()
        self._timer: threading.Timer | None = None

    def begin(self) -> None:
        """Look from now on."""
        with self._lock:
            if self._timer is None:
                self._timer = threading.Timer(self._seconds, self._wake)
                self._timer.daemon = True
                self._timer.start()

    def end(self) -> None:
        """Look no more."""
        with self._lock:
            if self._timer is not None:
                self._timer.cancel()
            self._timer = None

    def _wake(self) -> None:
        is_left = self._look()
        self.end()
        if is_left:
            self.begin()


class _Room:
    """Sets room aside for one upload, which it does not keep alive."""

    def __init__(self, uploads: Uploads, upload: Upload) -> None:
        self._uploads, self._ticket = uploads, upload.ticket

    def __call__(self, n_bytes: int) -> None:
        upload = self._uploads._all.get(self._ticket)
        if upload is not None:
            self._uploads._check_room(upload, n_bytes)


def _most() -> int:
    megabytes = os.environ.get(MEGABYTES, "")
    return int(megabytes) * 1_000_000 if megabytes.isdecimal() else MAX_BYTES


UPLOADS = Uploads(_most())


# ---- requests ------------------------------------------------------------------------------------------------------


class TakeSlices:
    """Middleware: POST begins a file ({"name", "size"} as JSON), PUT brings the slice from ?at=, DELETE stops it.

    Each names its ticket in a header, which no other site can send, and is answered with JSON: {"ask": [start, stop],
    "here", "total"}, {"done"}, {"refused": a sentence}, {"gone"} or {"busy"}.
    """

    def __init__(self, app: Application) -> None:
        self.app = app

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not scope["path"].endswith(PATH):
            await self.app(scope, receive, send)
            return
        ticket = dict(scope["headers"]).get(_TICKET, b"").decode("latin-1")
        if not UPLOADS.knows(ticket):  # before anything is read of what comes
            await _answer(send, 404, {"gone": True})
            return
        try:
            body = await asyncio.wait_for(_body(receive), MAX_SECONDS)
        except TimeoutError:
            body = None
        do = _asked(scope["method"], ticket, scope["query_string"], body)
        if do is None:
            await _answer(send, 400, {"gone": True})
            return
        await _answer(send, 200, await asyncio.to_thread(do))


MIDDLEWARE = (Middleware(TakeSlices),)


def _asked(method: str, ticket: str, query: bytes, body: bytes | None) -> Callable[[], Answer] | None:
    """What a request asks for; None where it cannot be understood."""
    if body is None:
        return None
    if method == "DELETE":
        return lambda: UPLOADS.stop(ticket)
    if method == "PUT" and query.startswith(b"at=") and query[3:].isdigit() and len(query) < 20:
        return lambda: UPLOADS.take(ticket, int(query[3:]), body)
    if method != "POST" or len(body) > 4096:
        return None
    try:
        said = json.loads(body)
        name, size = said["name"], said["size"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    if not isinstance(name, str) or not is_whole(size) or not 0 <= size < 2**50:
        return None
    return lambda: UPLOADS.begin(ticket, name[:MAX_NAME], size)


async def _body(receive: Receive) -> bytes | None:
    """What comes with a request; None for more than a slice, and for one that breaks off."""
    data = bytearray()
    while True:
        message = await receive()
        if message["type"] != "http.request":
            return None
        data += message.get("body", b"")
        if len(data) > SLICE:
            return None
        if not message.get("more_body"):
            return bytes(data)


async def _answer(send: Send, status: int, answer: Answer) -> None:
    headers = [(b"content-type", b"application/json"), (b"cache-control", b"no-store")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": json.dumps(answer).encode()})
