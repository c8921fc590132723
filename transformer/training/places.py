"""Where one training at a time is carried out: in a process of this machine, or on a Dask cluster; see cluster.

    place = Process()
    stretch = place.call(run_stretch, "my run", 0, plan)
    place.close()

The process is a pool of one, so that one that dies takes nothing with it but its own work. It comes out of Python's
server of forks, which has loaded torch and the trainer: it then costs a third of the memory that it would take by
itself, and begins at once. It starts with the first call, works at a low priority and in one thread, and ends when the
process that made it does. What Python runs again in a new process, the script of this one, must do nothing by itself
there: it needs the usual `if __name__ == "__main__"`.
"""

import multiprocessing
import os
import signal
import sys
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor
from contextlib import suppress
from multiprocessing import connection
from threading import Lock, Thread
from typing import ParamSpec, Protocol, TypeVar

from transformer.core.checks import InputError
from transformer.environment import findable

TOO_BUSY = "This machine is too busy to start a training now. Try again later."
NICENESS = 10  # of 19: whoever looks at a page goes first
_METHOD = "forkserver" if "forkserver" in multiprocessing.get_all_start_methods() else "spawn"
_open: set["Process"] = set()  # those that have a process; without any, there is no server of forks either
_opening = Lock()

P = ParamSpec("P")
R = TypeVar("R")


class Place(Protocol):
    """What a training is carried out in, one call at a time."""

    def call(self, fn: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> R:
        """What this function returns there.

        Raises BrokenExecutor if the process ended, cluster.Away if nobody is there now, and InputError, with a
        sentence, if it cannot be done there.
        """
        ...

    def end(self) -> None:
        """Have the call that is under way raise an error, from another thread."""

    def close(self) -> None:
        """Let go of what it takes. The next call takes it again."""


class Process:
    """A place in a process of this machine."""

    def __init__(self) -> None:
        self._pool: ProcessPoolExecutor | None = None
        self._id: Future[int] | None = None

    def call(self, fn: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> R:
        try:
            future = self._opened().submit(fn, *args, **kwargs)
        except BrokenExecutor:  # it died while it had nothing to do
            self._pool = None
            future = self._opened().submit(fn, *args, **kwargs)
        try:
            return future.result()
        except BrokenExecutor:
            self._pool = None
            raise

    def end(self) -> None:
        if self._id is not None:
            self._id.add_done_callback(_kill)

    def close(self) -> None:
        with _opening:
            if self._pool is not None:
                self._pool.shutdown()
            self._pool = self._id = None
            _open.discard(self)
            if not _open:
                _end_server_of_forks()

    @property
    def id(self) -> int | None:
        """Of the process, as the system counts; None while there is none."""
        return self._id.result() if self._id is not None else None

    def _opened(self) -> ProcessPoolExecutor:
        with _opening:
            if self._pool is None:
                context = multiprocessing.get_context(_METHOD)
                if _METHOD == "forkserver":
                    context.set_forkserver_preload([f"{__package__}.preloaded"])
                self._pool = ProcessPoolExecutor(1, context, initializer=_begin)
                _open.add(self)
                try:
                    with findable():
                        self._id = self._pool.submit(os.getpid)
                except (OSError, RuntimeError) as error:  # the machine has no room for a process or a thread
                    raise InputError(TOO_BUSY) from error
            return self._pool


def _end_server_of_forks() -> None:
    """What torch takes there is a lot for nobody. Python has no public name for this; without it, the server stays."""
    module = sys.modules.get("multiprocessing.forkserver")
    stop = getattr(getattr(module, "_forkserver", None), "_stop", None)
    if stop is not None:
        stop()


def _begin() -> None:
    """Run first in a new process."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    Thread(target=_end_with, args=(parent.sentinel,), daemon=True, name="parent").start()
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    import torch

    torch.set_num_threads(1)


def _end_with(parent: int) -> None:
    """End this process when its parent is gone, however that went."""
    connection.wait([parent])
    os._exit(1)


def _kill(id: Future[int]) -> None:
    if not id.cancelled() and id.exception() is None:
        with suppress(OSError):  # it has ended by itself
            os.kill(id.result(), getattr(signal, "SIGKILL", signal.SIGTERM))
