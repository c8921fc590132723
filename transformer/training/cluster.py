"""Trainings on the workers of a Dask cluster, which says what is wrong with it before work is sent there.

A cluster comes and goes: its scheduler may end and be started again, its workers as well. What was under way is then
answered with `Away`, and the next call connects anew.
"""

import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Executor, Future, InvalidStateError
from contextlib import suppress
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from transformer.core.checks import InputError

if TYPE_CHECKING:
    from distributed import Client

P = ParamSpec("P")
R = TypeVar("R")

PATIENCE = 5.0  # seconds in which the scheduler has to answer, and a worker to be there
WATCH = 1.0  # seconds between two looks at whether the cluster is still there
NO_ANSWER = "The cluster that trains does not answer now."
NO_WORKER = "The cluster that trains has no worker now."
_CURE = "Whoever runs it has to install the same versions on all of its machines."


class Away(InputError):
    """The cluster is not there now, and may come back; the message is a sentence."""


class Cluster(Executor):
    """The workers of the Dask scheduler at this address; at the end they are left as they are.

    Every call raises Away if nobody is there, and InputError, with a sentence, if the scheduler or a worker has other
    versions than this process. Raises InputError if the package of the cluster is not installed here.
    """

    def __init__(
        self,
        address: str,
        *,
        connect: "Callable[[str], Client] | None" = None,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], object] = time.sleep,
    ):
        self._address, self._connect, self._clock, self._sleep = address, connect or _connected, clock, sleep
        self._client: Client | None = None
        self._executor: Executor | None = None  # the client's own
        self._compared: set[str] = set()  # who has the same versions, by address
        self._pending: dict[Future[Any], None] = {}
        self._lock = threading.RLock()
        self._connecting = threading.Lock()
        self._watcher: threading.Thread | None = None
        if connect is None:
            _require()

    def submit(self, fn: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> "Future[R]":
        with self._connecting:
            executor = self._ready()
        future: Future[R] = Future()
        with self._lock:
            self._pending[future] = None
            if self._watcher is None:
                self._watcher = threading.Thread(target=self._watch, daemon=True, name="cluster")
                self._watcher.start()
        executor.submit(fn, *args, **kwargs).add_done_callback(lambda answer: self._answer(future, answer))
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        with self._lock:
            client = self._client
        if wait and not cancel_futures and self._executor is not None:
            self._executor.shutdown(wait=True)
        if client is not None:
            self._leave(client, NO_ANSWER)

    def _ready(self) -> Executor:
        """The executor of a client that is connected to workers with the same versions as ours."""
        client, end = self._client, self._clock() + PATIENCE
        if client is not None and client.status != "running":
            self._leave(client, NO_ANSWER)
            client = None
        if client is None:
            try:
                client = self._connect(self._address)
            except (OSError, ValueError, TypeError) as error:
                raise Away(NO_ANSWER) from error
            with self._lock:
                # Two calls are two stretches, even if they look alike.
                self._client, self._executor, self._compared = client, client.get_executor(pure=False), set()
        try:
            self._compare(client, self._workers(client, end))
        except InputError:
            raise
        except Exception as error:  # a connection that breaks off has many names
            self._leave(client, NO_ANSWER)
            raise Away(NO_ANSWER) from error
        assert self._executor is not None
        return self._executor

    def _workers(self, client: "Client", end: float) -> set[str]:
        """The addresses of all workers. Raises Away if none comes until then."""
        while not (found := set(_within(PATIENCE, client.nthreads))):
            if self._clock() >= end:
                raise Away(NO_WORKER)
            self._sleep(0.2)
        return found

    def _compare(self, client: "Client", workers: set[str]) -> None:
        """Raise InputError if one of the workers, or the scheduler, has other versions than this process."""
        new = workers - self._compared
        if not new:
            return
        # What Dask itself can say comes first: code can only be sent to where the same Python is.
        found: Any = _within(PATIENCE, lambda: client.get_versions(packages=["torch", "dask", "distributed"]))
        ours = _named(found["client"]["packages"])
        everybody = [("The scheduler", found["scheduler"]), *(("A worker", found["workers"].get(one)) for one in new)]
        for who, theirs in everybody:
            if theirs:
                _check(who, _named(theirs["packages"]), ours)
        library = {"this library": library_version()()}
        for theirs in _within(PATIENCE, lambda: client.run(library_version(), workers=sorted(new))).values():
            _check("A worker", {"this library": theirs}, library)
        _check("The scheduler", {"this library": _within(PATIENCE, lambda: _of_scheduler(client))}, library)
        self._compared |= new

    def _answer(self, future: Future[Any], answer: Future[Any]) -> None:
        with self._lock:
            self._pending.pop(future, None)
        with suppress(InvalidStateError):  # nobody waits for it any more
            if answer.cancelled():  # so does a client that gave up
                future.set_exception(Away(NO_ANSWER))
            elif error := answer.exception():
                future.set_exception(error)
            else:
                future.set_result(answer.result())

    def _watch(self) -> None:
        """While something is under way, look whether somebody is there to do it; Dask itself would wait for ever."""
        alone_since: float | None = None
        while True:
            self._sleep(WATCH)
            with self._lock:
                client = self._client
                if not self._pending or client is None:
                    self._watcher = None
                    return
            try:
                workers = _within(PATIENCE, client.nthreads) if client.status == "running" else None
            except Exception:
                workers = None
            if workers:
                alone_since = None
            elif workers is None:
                self._leave(client, NO_ANSWER)
            else:
                alone_since = self._clock() if alone_since is None else alone_since
                if self._clock() >= alone_since + PATIENCE:
                    self._leave(client, NO_WORKER)

    def _leave(self, client: "Client", why: str) -> None:
        """Let a connection go, and answer what was under way there."""
        with self._lock:
            if self._client is not client:
                return
            self._client = self._executor = None
            pending, self._pending = list(self._pending), {}
        for future in pending:
            with suppress(InvalidStateError):
                future.set_exception(Away(why))
        threading.Thread(target=lambda: _close(client), daemon=True, name="cluster").start()


def library_version() -> Callable[[], str]:
    """A function that says which source of this library its process has: a digest; "" for none.

    It is a local one, so that it is sent as it stands, to processes that may not have this module.
    """

    def digest() -> str:
        import hashlib
        import importlib.util
        from pathlib import Path

        found = importlib.util.find_spec("transformer")
        if found is None or found.submodule_search_locations is None:
            return ""
        folder, whole = Path(next(iter(found.submodule_search_locations))), hashlib.sha256()
        for file in sorted(folder.rglob("*.py"), key=lambda file: file.relative_to(folder).as_posix()):
            whole.update(file.relative_to(folder).as_posix().encode() + file.read_bytes())
        return whole.hexdigest()[:12]

    return digest


def _of_scheduler(client: "Client") -> str | None:
    """The scheduler's library; None if it runs no code of clients, and so none of ours either."""
    try:
        return client.run_on_scheduler(library_version())
    except ValueError:
        return None


def _named(packages: Mapping[str, str | None]) -> dict[str, str | None]:
    """Versions as they have to agree: of Python the first two numbers, of torch all but what it was built for."""
    python = ".".join((packages.get("python") or "").split(".")[:2])
    torch = packages.get("torch")
    dask = {name: packages.get(name) for name in ("dask", "distributed")}
    return {"Python": python or None, "torch": torch and torch.partition("+")[0], **dask}


def _check(who: str, theirs: Mapping[str, str | None], ours: Mapping[str, str | None]) -> None:
    for name, version in theirs.items():
        if version == ours[name] or (name == "this library" and version is None):
            continue
        if not version:
            raise InputError(f"{who} of the cluster that trains lacks {_article(name)}. {_CURE}")
        if name == "this library":
            raise InputError(f"{who} of the cluster that trains has another version of this library. {_CURE}")
        raise InputError(
            f"{who} of the cluster that trains has {name} {version}, and this server has {ours[name]}. {_CURE}"
        )


def _article(name: str) -> str:
    return name if name == "this library" else f"the package “{name}”"


def _require() -> None:
    try:
        import distributed  # noqa: F401
    except ImportError as error:
        raise InputError(
            "Trainings are to run on a Dask cluster here, and the package “distributed” is not installed."
        ) from error


def _connected(address: str) -> "Client":
    from distributed import Client

    return Client(address, timeout=PATIENCE, set_as_default=False)


def _close(client: "Client") -> None:
    with suppress(Exception):  # there may be nobody to take leave of
        client.close(timeout=PATIENCE)


def _within(seconds: float, call: Callable[[], R]) -> R:
    """What a call answers. Raises TimeoutError if it does not answer in time, and whatever it raises."""
    answer: Future[R] = Future()

    def run() -> None:
        try:
            answer.set_result(call())
        except BaseException as error:
            answer.set_exception(error)

    threading.Thread(target=run, daemon=True, name="cluster").start()
    return answer.result(seconds)
