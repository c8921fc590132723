"""What browsers send, files and messages: how much of it the server takes, and holds, for one visitor and for all.

    file = ask_file("A picture", ("png", "jpg"), 8, key="vision_file")     as st.file_uploader; of 8 MB at most
    release(file)                                                          its bytes are not needed any more
    is_released("vision_file")                                             whether its uploader still names it

A file is let in while its page shows an uploader for one as large, one at a time. It stays for as long as the uploader
has it. A file that no uploader takes up goes soon, and so does all that a session holds whose visitor has left.
"""

import asyncio
import gc
import secrets
import threading
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Mapping, MutableMapping
from dataclasses import dataclass
from time import monotonic
from typing import Any

import streamlit as st
from google.protobuf.message import DecodeError
from starlette.middleware import Middleware
from streamlit import config

from lab.hooks import runtime
from lab.hooks.runtime import STREAM, UPLOAD, BackMsg, DeletedFile, UploadedFile
from lab.server import log, memory, visitor

MB = 2**20
FRAME = 64 * 1024  # bytes that a request may have more than the file in it
MAX_FILES_OF_ONE = (
    132 * MB
)  # that one visitor's uploaders hold: two of the largest files, of which one replaces another
MAX_FILES_OF_ALL = max(MAX_FILES_OF_ONE, memory.total() // 5)
MIN_PACE = 200_000  # bytes per second of a file on its way
PATIENCE = 20.0  # seconds that a file may take beyond that
UNCLAIMED = 60.0  # seconds that a file is kept which no uploader takes up
MAX_SOCKETS_OF_ONE = 16  # websockets; each may hold a message of up to 1 MB that has not come to its end
MAX_SOCKETS_OF_ALL = max(200, memory.total() // 4_000_000)
MAX_TEXTS_OF_ONE = 5_000_000  # bytes of messages, which Streamlit keeps three times
MAX_TEXTS_OF_ALL = max(20_000_000, memory.total() // 50)
_MAX_SENT = 64_000_000  # bytes of a message to a browser

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Message, Receive, Send], Awaitable[None]]


# ---- files ---------------------------------------------------------------------------------------------------------


@dataclass
class _Door:
    """An uploader on a visitor's page: the most that it takes, and the id of the file that it has.

    is_shown  in the run that is under way, or since the last one
    """

    max_bytes: int
    file: str | None
    is_shown: bool = True


class Files:
    """Which sessions may bring a file now, and what all of them hold.

    held    session -> the bytes of its files, by their ids
    remove  forgets a file of a session
    """

    def __init__(
        self,
        held: Callable[[], Mapping[str, Mapping[str, int]]],
        remove: Callable[[str, str], None],
        max_of_one: int = MAX_FILES_OF_ONE,
        max_of_all: int = MAX_FILES_OF_ALL,
        clock: Callable[[], float] = monotonic,
    ):
        self._held, self._remove, self._clock = held, remove, clock
        self.max_of_one, self.max_of_all = max_of_one, max_of_all
        self._lock = threading.Lock()
        self._doors: dict[str, dict[str, _Door]] = {}  # session -> key of an uploader -> the door
        self._visitors: dict[str, str] = {}  # session -> visitor
        self._arriving: dict[str, int] = {}  # session -> bytes on their way
        self._last: dict[str, float] = {}  # session -> when its last file came

    def show(self, session: str, visitor: str, key: str, max_bytes: int, file: str | None) -> None:
        """The page of this session shows an uploader, which has this file."""
        with self._lock:
            self._visitors[session] = visitor
            self._doors.setdefault(session, {})[key] = _Door(max_bytes, file)

    def end_run(self, session: str) -> None:
        """A run of the whole page is over: what it did not show is closed."""
        with self._lock:
            doors = self._doors.get(session, {})
            for key, door in list(doors.items()):
                if not door.is_shown:
                    del doors[key]
                door.is_shown = False

    def admit(self, session: str, n_bytes: int) -> int:
        """Whether a file may come now: 0, and room is set aside for it until `done`; or the status of a refusal."""
        with self._lock:
            doors = self._doors.get(session, {})
            if not doors:
                return 403
            if n_bytes > max(door.max_bytes for door in doors.values()) + FRAME:
                return 413
            if session in self._arriving:
                return 429
            self._drop_unclaimed(session)
            held = {one: sum(files.values()) for one, files in self._held().items()}
            for one, count in self._arriving.items():
                held[one] = held.get(one, 0) + count
            visitor = self._visitors[session]
            of_one = sum(count for one, count in held.items() if self._visitors.get(one) == visitor)
            if of_one + n_bytes > self.max_of_one:
                return 429
            if sum(held.values()) + n_bytes > self.max_of_all:
                return 503
            self._arriving[session] = n_bytes
            return 0

    def done(self, session: str) -> None:
        """The file has come, or will not."""
        with self._lock:
            self._arriving.pop(session, None)
            self._last[session] = self._clock()

    def sweep(self, sessions: Iterable[str]) -> None:
        """Forget files that no uploader has taken up in time, and all about other sessions than these."""
        known = set(sessions)
        with self._lock:
            for session in list(self._held()):
                if self._clock() - self._last.get(session, 0.0) > UNCLAIMED and session not in self._arriving:
                    self._drop_unclaimed(session)
            for kept in (self._doors, self._visitors, self._last):
                for session in kept.keys() - known - self._arriving.keys():
                    del kept[session]

    @property
    def n_bytes(self) -> int:
        """Of all files that are held."""
        return sum(sum(files.values()) for files in self._held().values())

    def _drop_unclaimed(self, session: str) -> None:
        claimed = {door.file for door in self._doors.get(session, {}).values()}
        for file in list(self._held().get(session, ())):
            if file not in claimed:
                self._remove(session, file)


FILES = Files(runtime.files_held, runtime.forget_file)


def ask_file(label: str, types: Iterable[str], megabytes: int, *, key: str, **more: Any) -> UploadedFile | None:
    """An uploader for one file of this size at most; what it has. More is as of st.file_uploader."""
    file = st.file_uploader(label, type=list(types), max_upload_size=megabytes, key=key, **more)
    session = runtime.session()
    if session is not None:
        FILES.show(session, visitor.key(), key, megabytes * MB, file.file_id if file else None)
    if file is not None and file.size > megabytes * MB:  # it came by the door of another uploader
        release(file)
    return None if _has_no_bytes(file) else file


def release(file: UploadedFile) -> None:
    """Let go of the bytes of a file that has been read. Its uploader goes on naming it."""
    session = runtime.session()
    if session is not None:
        runtime.forget_file(session, file.file_id)
    file.truncate(0)  # the session holds it until the next run


def is_released(key: str) -> bool:
    """Whether the uploader of this key names a file that was released."""
    return _has_no_bytes(st.session_state.get(key))


def _has_no_bytes(file: object) -> bool:
    if isinstance(file, UploadedFile):
        return file.size > 0 and not file.getvalue()
    return isinstance(file, DeletedFile)


def end_run() -> None:
    """A run of the whole page is over."""
    session = runtime.session()
    if session is not None:
        FILES.end_run(session)


class BoundFiles:
    """Middleware: a file comes only where it may, and not endlessly."""

    def __init__(self, app: Application, files: Files = FILES, patience: float = PATIENCE):
        self.app, self.files, self.patience = app, files, patience

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "PUT" or UPLOAD not in scope["path"]:
            await self.app(scope, receive, send)
            return
        session = scope["path"].rpartition(UPLOAD)[2].partition("/")[0]
        length = dict(scope["headers"]).get(b"content-length", b"")
        status = self.files.admit(session, int(length)) if length.isdigit() and len(length) < 16 else 411
        if status:
            log.tell("refused", what="file", status=status)
            await _refuse(send, status)
            return
        has_begun = False

        async def noting(message: Message) -> None:
            nonlocal has_begun
            has_begun = True
            await send(message)

        try:
            await asyncio.wait_for(self.app(scope, receive, noting), self.patience + int(length) / MIN_PACE)
        except TimeoutError:
            log.tell("refused", what="file", status=408)
            if not has_begun:
                await _refuse(send, 408)
        finally:
            self.files.done(session)


async def _refuse(send: Send, status: int) -> None:
    headers = [(b"content-type", b"text/plain"), (b"connection", b"close")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": b""})


# ---- messages ------------------------------------------------------------------------------------------------------


class Sockets:
    """The websockets of all visitors, and how large the largest message of each was.

    remembered  seconds that a session outlives its websocket, with what it holds
    """

    def __init__(self, remembered: Callable[[], float], clock: Callable[[], float] = monotonic):
        self._remembered, self._clock = remembered, clock
        self._lock = threading.Lock()
        self._open: dict[str, str] = {}  # socket -> visitor
        self._sizes: dict[str, tuple[str, int]] = {}  # socket -> visitor, and bytes
        self._left: dict[str, float] = {}  # socket -> when it was closed

    @property
    def n_open(self) -> int:
        with self._lock:
            return len(self._open)

    def arrive(self, visitor: str) -> str | None:
        """A new websocket; None where this visitor, or all of them, have too many."""
        with self._lock:
            n_mine = Counter(self._open.values())[visitor]
            if n_mine >= MAX_SOCKETS_OF_ONE or len(self._open) >= MAX_SOCKETS_OF_ALL:
                return None
            socket = secrets.token_hex(8)
            self._open[socket] = visitor
            return socket

    def leave(self, socket: str) -> None:
        with self._lock:
            del self._open[socket]
            self._left[socket] = self._clock()

    def weigh(self, socket: str, n_bytes: int) -> bool:
        """Whether a message may come: all that are held then stay within their bounds."""
        with self._lock:
            for old, since in list(self._left.items()):
                if self._clock() - since > self._remembered():
                    del self._left[old]
                    self._sizes.pop(old, None)
            visitor = self._open[socket]
            _, before = self._sizes.get(socket, (visitor, 0))
            more = max(0, n_bytes - before)
            of_one = sum(size for whose, size in self._sizes.values() if whose == visitor)
            of_all = sum(size for _, size in self._sizes.values())
            # Ordinary messages have some thousands of bytes: they are never refused for what others have sent.
            if n_bytes > FRAME and (of_one + more > MAX_TEXTS_OF_ONE or of_all + more > MAX_TEXTS_OF_ALL):
                return False
            self._sizes[socket] = visitor, before + more
            return True


SOCKETS = Sockets(lambda: config.get_option("server.disconnectedSessionTTL"))


class BoundMessages:
    """Middleware: a visitor has so many websockets, their messages are so large, and name widgets as Streamlit does."""

    def __init__(self, app: Application, sockets: Sockets = SOCKETS):
        self.app, self.sockets = app, sockets

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] != "websocket" or not scope["path"].endswith(STREAM):
            await self.app(scope, receive, send)
            return
        socket = self.sockets.arrive(visitor.key_in(scope["headers"]))
        if socket is None:
            log.tell("refused", what="websocket")
            await receive()
            await send({"type": "websocket.close", "code": 1013})
            return

        async def bounded() -> Message:
            message = await receive()
            data = message.get("bytes")
            if message["type"] != "websocket.receive" or data is None:
                return message
            if self.sockets.weigh(socket, len(data)):
                return {**message, "bytes": without_strangers(data)}
            log.tell("refused", what="message", bytes=len(data))
            await send({"type": "websocket.close", "code": 1009})
            return {"type": "websocket.disconnect", "code": 1009}

        try:
            await self.app(scope, bounded, send)
        finally:
            self.sockets.leave(socket)


def without_strangers(data: bytes) -> bytes:
    """A message without widgets whose ids Streamlit cannot have made: it would break on them."""
    message = BackMsg()
    try:
        message.ParseFromString(data)
    except DecodeError:
        return data  # Streamlit closes the websocket
    if message.WhichOneof("type") != "rerun_script":
        return data
    widgets = message.rerun_script.widget_states.widgets
    strangers = [n for n, widget in enumerate(widgets) if not widget.id.startswith(runtime.WIDGET_IDS)]
    for n in reversed(strangers):
        del widgets[n]
    return message.SerializeToString() if strangers else data


# Within visitor.MIDDLEWARE, which sees to it that every websocket has a key.
MIDDLEWARE = (Middleware(BoundFiles), Middleware(BoundMessages))


# ---- the clock -----------------------------------------------------------------------------------------------------


async def keep_in_bounds(seconds: float = 10.0) -> None:
    """Look after files and sessions, for as long as the server runs."""
    runtime.let_out(_MAX_SENT)
    while True:
        await asyncio.sleep(seconds)
        _sweep()


def _sweep() -> None:
    """Let go of sessions whose time is over, and of files that nobody took up."""
    n_ended = runtime.end_expired()
    FILES.sweep(runtime.sessions())
    if n_ended:
        gc.collect()  # a session is part of circles
        memory.give_back()
