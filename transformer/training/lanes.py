"""Processes that train: a lane for each, so that one that dies takes nothing with it but its own work.

    with Lanes(2) as lanes:
        stretch = lanes.submit(run_stretch, "my run", 0, plan).result()

A lane is a pool of one process, out of a server of forks that has loaded torch and the trainer: a process then costs
half of the memory that it would take by itself, and begins at once. It starts when it is first needed, ends when it has
been idle for a while, works at a low priority and in one thread, and ends when the process that made it does.
"""

import multiprocessing
import os
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import connection, spawn
from pathlib import Path
from threading import Condition, Lock, Thread
from time import monotonic
from typing import Any, ParamSpec, TypeVar

PRELOADED = "transformer.training.preloaded"
IDLE = 60.0  # seconds after which a process that has nothing to do ends
NICENESS = 10  # of 19: whoever looks at a page goes first
_ROOT = str(Path(__file__).parents[2])
_starting = Lock()  # the environment is changed for a moment

P = ParamSpec("P")
R = TypeVar("R")


class _Lane:
    """A place for one process. `pool` is None while there is none."""

    def __init__(self) -> None:
        self.pool: ProcessPoolExecutor | None = None
        self.last: object = None  # first argument of the last call
        self.busy = 0  # calls that are not answered yet
        self.idle_since = 0.0


class Lanes(Executor):
    """An executor of n processes. The next call with the same first argument goes to the same process, if it is free.

    A process that dies answers its call with BrokenExecutor; the next call finds a new one in its place.
    """

    def __init__(self, n: int, *, idle: float = IDLE, clock: Callable[[], float] = monotonic):
        self._lanes = [_Lane() for _ in range(n)]
        self._idle, self._clock = idle, clock
        self._changed = Condition()
        self._keeper: Thread | None = None
        self._is_shut = False

    def submit(self, fn: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> "Future[R]":
        key = args[0] if args else None
        with self._changed:
            if self._is_shut:
                raise RuntimeError("these lanes are shut")
            lane = min(self._lanes, key=lambda lane: (lane.busy, lane.last != key, lane.pool is None))
            try:
                future = self._open(lane).submit(fn, *args, **kwargs)
            except BrokenExecutor:  # it died while it had nothing to do
                self._close(lane)
                future = self._open(lane).submit(fn, *args, **kwargs)
            lane.last, lane.busy = key, lane.busy + 1
            pool = lane.pool
        future.add_done_callback(lambda future: self._answered(lane, pool, future))
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        with self._changed:
            self._is_shut = True
            pools = [lane.pool for lane in self._lanes if lane.pool]
            self._changed.notify_all()
        for pool in pools:
            pool.shutdown(wait, cancel_futures=cancel_futures)
        with self._changed:
            for lane in self._lanes:
                lane.pool = None
        _end_fork_server()

    def processes(self) -> list[int]:
        """The ids of the processes that there are."""
        with self._changed:
            pools = [lane.pool for lane in self._lanes if lane.pool]
        return [pid for pool in pools for pid in list(getattr(pool, "_processes", None) or {})]

    def _open(self, lane: _Lane) -> ProcessPoolExecutor:
        if lane.pool is None:
            context = multiprocessing.get_context(_method())
            with _starting, _environment():
                if _method() == "forkserver":
                    _start_fork_server()
                lane.pool = ProcessPoolExecutor(1, context, initializer=_begin)
        return lane.pool

    def _close(self, lane: _Lane) -> None:
        if lane.pool:
            lane.pool.shutdown(wait=False)
        lane.pool = None

    def _answered(self, lane: _Lane, pool: ProcessPoolExecutor | None, future: Future) -> None:
        with self._changed:
            lane.busy -= 1
            lane.idle_since = self._clock()
            is_broken = not future.cancelled() and isinstance(future.exception(), BrokenExecutor)
            if is_broken and lane.pool is pool:
                self._close(lane)
            if self._keeper is None and not self._is_shut:
                self._keeper = Thread(target=self._keep, daemon=True, name="lanes")
                self._keeper.start()

    def _keep(self) -> None:
        """End the processes that have been idle for long enough, until there are none."""
        with self._changed:
            while not self._is_shut and any(lane.pool for lane in self._lanes):
                now = self._clock()
                for lane in self._lanes:
                    if not lane.busy and now >= lane.idle_since + self._idle:
                        self._close(lane)
                self._changed.wait(self._idle / 4)
            self._keeper = None
            if not self._is_shut:
                _end_fork_server()


def _method() -> str:
    return "forkserver" if "forkserver" in multiprocessing.get_all_start_methods() else "spawn"


@contextmanager
def _environment() -> Iterator[None]:
    """What a new process reads when it starts: one thread for torch, and where this library is."""
    paths = [_ROOT, *filter(None, [os.environ.get("PYTHONPATH")])]
    wanted = {"OMP_NUM_THREADS": "1", "PYTHONPATH": os.pathsep.join(paths)}
    before = {name: os.environ.get(name) for name in wanted}
    os.environ.update(wanted)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def _start_fork_server() -> None:
    from multiprocessing import forkserver

    forkserver.set_forkserver_preload([PRELOADED])
    forkserver.ensure_running()


def _end_fork_server() -> None:
    """Let the server of forks go, and the memory that torch takes there; the next process starts another."""
    if "multiprocessing.forkserver" in sys.modules:
        from multiprocessing import forkserver

        stop = getattr(forkserver._forkserver, "_stop", None)
        if stop:
            stop()


def _begin() -> None:
    """Run first in a new process."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        Thread(target=_end_with, args=(parent.sentinel,), daemon=True, name="parent").start()
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    import torch

    torch.set_num_threads(1)


def _end_with(parent: Any) -> None:
    """End this process when its parent is gone, however that went."""
    connection.wait([parent])
    os._exit(1)


def _without_main(preparation: Callable[..., dict[str, Any]]) -> Callable[..., dict[str, Any]]:
    """What a new process is told of its parent, without the parent's main script.

    multiprocessing runs that script again in every new process, for what may be pickled from it. In a Streamlit server
    it is the page that somebody happens to look at: it would be drawn there, for nobody. Nothing of ours comes from it.
    """

    def prepared(name: str) -> dict[str, Any]:
        facts = preparation(name)
        return {key: value for key, value in facts.items() if not key.startswith("init_main_from_")}

    return prepared


spawn.get_preparation_data = _without_main(spawn.get_preparation_data)
