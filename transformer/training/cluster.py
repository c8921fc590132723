"""A place for trainings on the workers of a Dask cluster, which says what is wrong with it before work is sent there.

A cluster comes and goes: its scheduler may end and be started again, its workers as well. A call that was under way
then raises `Away`, and the next connects anew.
"""

import os
import sys
import threading
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, CancelledError, Future, wait
from contextlib import suppress
from hashlib import sha256
from importlib.metadata import version
from importlib.util import find_spec
from multiprocessing.reduction import ForkingPickler
from pathlib import Path
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from transformer.core.checks import InputError

if TYPE_CHECKING:
    from distributed import Client

P = ParamSpec("P")
R = TypeVar("R")

PATIENCE = 4.0  # seconds in which the scheduler has to answer, and a worker to be there; the page says so within 5
WATCH = 1.0  # seconds between two looks at whether the cluster is still there
NO_ANSWER = "The cluster that trains does not answer now."
NO_WORKER = "The cluster that trains has no worker now."
_NO_DASK = "Trainings are to run on a Dask cluster here, and the package “distributed” is not installed."
_OTHER = "{} of the cluster that trains {}. Whoever runs it has to install the same versions on all of its machines."
_LIBRARY = "this library"
_NO_CERTIFICATE = "Trainings are to run on a Dask cluster here, and {} of its certificates cannot be read."
CERTIFICATES = ("ca.pem", "cert.pem", "key.pem")  # whom to trust; who this is; and its key


class Away(InputError):
    """The cluster is not there now, and may come back; the message is a sentence."""


class Cluster:
    """A place on the workers of the Dask scheduler at this address; at the end they are left as they are.

    certificates  a folder with CERTIFICATES, for an address that begins with tls://: nothing is sent in the clear then,
                  and only to a scheduler that shows a certificate of the same authority

    A call raises InputError, with a sentence, if the scheduler or a worker has other versions than this process; so
    does the making of a Cluster if Dask is not installed here, or a certificate is missing.
    """

    def __init__(
        self, address: str, connect: "Callable[[str], Client] | None" = None, *, certificates: Path | None = None
    ):
        self._address, self._connect = address, connect or _connection(certificates)
        self._client: Client | None = None
        self._compared: set[str] = set()  # who has the same versions, by address
        self._is_ended = False

    def call(self, fn: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> R:
        """What this function returns on one of the workers."""
        self._is_ended = False
        try:
            client = self._client = self._client or self._connect(self._address)
            self._compare(client, _workers(client))
            # Two calls are two stretches, even if they look alike.
            future = client.get_executor(pure=False).submit(_call_there(), _packed(fn, args, kwargs))
            while not wait([future], WATCH).done:  # Dask itself would wait for ever
                if self._is_ended:
                    raise BrokenExecutor
                _workers(client)
        except (InputError, BrokenExecutor):
            self.close()
            raise
        except Exception as error:  # a connection that breaks off has many names
            self.close()
            raise Away(NO_ANSWER) from error
        try:
            return future.result()
        except CancelledError as error:  # so does a client that gave up
            self.close()
            raise Away(NO_ANSWER) from error
        except Exception as error:
            if type(error).__name__ == "KilledWorker":
                raise BrokenExecutor from error
            raise

    def end(self) -> None:
        """Wait for the call that is under way no longer; the worker may go on with it for a while."""
        self._is_ended = True

    def close(self) -> None:
        """Let the connection go."""
        client, self._client, self._compared = self._client, None, set()
        if client is not None:
            _let_go(client)

    def _compare(self, client: "Client", workers: set[str]) -> None:
        """Raise InputError if one of the workers, or the scheduler, has other versions than this process."""
        if new := workers - self._compared:
            versions = versions_there()
            ours, found = versions(), _in_time(lambda: client.run(versions, workers=sorted(new), on_error="return"))
            for theirs in found.values():
                _check("A worker", theirs, ours)
            _check("The scheduler", _in_time(lambda: _of_scheduler(client)), ours)
            self._compared |= new


def _connection(certificates: Path | None) -> "Callable[[str], Client]":
    """How to connect to a scheduler. Raises InputError for what is missing here."""
    try:
        from distributed import Client, Security
    except ImportError as error:
        raise InputError(_NO_DASK) from error
    shown: dict[str, Any] = {}
    if certificates is not None:
        for name in CERTIFICATES:
            if not os.access(certificates / name, os.R_OK):
                raise InputError(_NO_CERTIFICATE.format(name))
        authority, own, key = (str(certificates / name) for name in CERTIFICATES)
        shown["security"] = Security(
            require_encryption=True, tls_ca_file=authority, tls_client_cert=own, tls_client_key=key
        )

    def connection(address: str) -> Client:
        client = Client.__new__(Client)
        try:
            client.__init__(address, timeout=PATIENCE, set_as_default=False, **shown)
        except BaseException:
            _let_go(client)
            raise
        return client

    return connection


def versions_there() -> Callable[[], dict[str, str]]:
    """A function that says what has to be the same everywhere: of Python two numbers, of torch all but what it was
    built for, and a digest of our source. It raises ImportError for what is not installed.

    It is a local one, so that it is sent as it stands: to take it out of this module would load torch first.
    """

    def versions() -> dict[str, str]:
        found = find_spec("transformer")
        if found is None or found.submodule_search_locations is None:
            raise ImportError(name="transformer")
        folder, source = Path(next(iter(found.submodule_search_locations))), sha256()
        for file in sorted(folder.rglob("*.py"), key=lambda file: file.relative_to(folder).as_posix()):
            source.update(file.relative_to(folder).as_posix().encode() + file.read_bytes())
        packages = {name: version(name).partition("+")[0] for name in ("torch", "dask", "distributed")}
        return {"Python": "{}.{}".format(*sys.version_info), **packages, _LIBRARY: source.hexdigest()[:12]}

    return versions


def _packed(fn: Callable[..., R], args: tuple[Any, ...], kwargs: dict[str, Any]) -> bytes:
    """A call, as bytes that only a worker reads.

    Dask's scheduler reads whatever it is sent as it stands. For a call of ours it would load torch first, and answer
    nobody for seconds.
    """
    return ForkingPickler.dumps((fn, args, kwargs)).tobytes()


def _call_there() -> "Callable[[bytes], Any]":
    """A function that carries out a packed call: a local one, as in `versions_there`."""

    def call(packed: bytes) -> Any:
        fn, args, kwargs = ForkingPickler.loads(packed)
        return fn(*args, **kwargs)

    return call


def _of_scheduler(client: "Client") -> object:
    """Its versions, or what keeps it from telling; ours, if it runs no code of clients, and so no training either."""
    try:
        return client.run_on_scheduler(versions_there())
    except ImportError as error:
        return error
    except ValueError:
        return versions_there()()


def _check(who: str, theirs: Any, ours: dict[str, str]) -> None:
    if isinstance(theirs, ImportError):
        what = f"lacks the package “{theirs.name}”" if theirs.name in ours else f"lacks {_LIBRARY}"
        raise InputError(_OTHER.format(who, what))
    if isinstance(theirs, Exception):
        raise theirs
    for name in ours:
        if theirs.get(name) != ours[name]:
            is_source = name == _LIBRARY
            what = (
                f"another version of {name}"
                if is_source
                else f"{name} {theirs[name]}, and this server has {ours[name]}"
            )
            raise InputError(_OTHER.format(who, f"has {what}"))


def _workers(client: "Client") -> set[str]:
    """The addresses of all workers. Raises Away if none comes in time."""
    end = monotonic() + PATIENCE
    while client.status == "running":
        if found := set(_in_time(client.nthreads)):
            return found
        if monotonic() >= end:
            raise Away(NO_WORKER)
        sleep(0.2)
    raise Away(NO_ANSWER)


def _let_go(client: "Client") -> None:
    """Close a client that nobody asks any more, without waiting for it.

    One that could not connect has to be closed as well: left to Python's collector, it is closed in whatever thread
    that runs. Where that is a thread in which the next client is just starting, both wait for each other for ever.
    """
    threading.Thread(target=_close, args=(client,), daemon=True, name="cluster").start()


def _close(client: "Client") -> None:
    with suppress(Exception):  # there may be nobody to take leave of
        client.close(timeout=PATIENCE)


def _in_time(call: Callable[[], R]) -> R:
    """What a call answers. Raises TimeoutError if it does not answer in time, and whatever it raises."""
    answer: Future[R] = Future()

    def run() -> None:
        try:
            answer.set_result(call())
        except BaseException as error:
            answer.set_exception(error)

    threading.Thread(target=run, daemon=True, name="cluster").start()
    return answer.result(PATIENCE)
