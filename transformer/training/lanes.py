"""Processes that train: a lane for each, so that one that dies takes nothing with it but its own work.

    with Lanes(2) as lanes:
        stretch = lanes.submit(run_stretch, "my run", 0, plan).result()

A lane is a pool of one process, out of a server of forks that has loaded torch and the trainer: a process then costs
half of the memory that it would take by itself, and begins at once. It starts when it is first needed, ends when it has
been idle for a while, works at a low priority and in one thread, and ends when the process that made it does.
"""

import atexit
import multiprocessing
import os
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import connection, spawn
from pathlib import Path
from threading import Condition, Lock, Thread
from time import monotonic
from typing import Any, ParamSpec, TypeVar
from weakref import WeakSet

PRELOADED = "transformer.training.preloaded"
IDLE = 60.0  # seconds after which a process that has nothing to do ends
PAUSE = 1.0  # seconds after a call in which another one with the same first argument is likely
NICENESS = 10  # of 19: whoever looks at a page goes first
_ROOT = str(Path(__file__).parents[2])
_starting = Lock()  # the environment is changed for a moment
_open_lanes = 0  # in this process; where there is none, there is no server of forks either

P = ParamSpec("P")
R = TypeVar("R")


class _Lane:
    """A place for one process. `pool` is None while there is none; from the first on, the lane is open until closed."""

    def __init__(self) -> None:
        self.pool: ProcessPoolExecutor | None = None
        self.is_open = False
        self.last: object = None  # first argument of the last call
        self.busy = 0  # calls that are not answered yet
        self.idle_since = 0.0
        self.opening = Lock()

    def submit(self, call: Callable[[ProcessPoolExecutor], "Future[R]"]) -> "tuple[Future[R], ProcessPoolExecutor]":
        with self.opening:
            self.pool = self.pool or _new_pool(self)
            try:
                return call(self.pool), self.pool
            except BrokenExecutor:  # it died while it had nothing to do
                self.pool = _new_pool(self)
                return call(self.pool), self.pool

    def close(self) -> None:
        """End its process after what it is doing. The last lane that closes ends the server of forks."""
        with self.opening:
            if self.pool:
                self.pool.shutdown()
            self.pool = None
            if self.is_open:
                self.is_open = False
                _count_open(-1)

    def kill(self) -> None:
        """End its process at once."""
        for process in self.processes:
            process.kill()

    @property
    def processes(self) -> list[multiprocessing.process.BaseProcess]:
        return list((getattr(self.pool, "_processes", None) or {}).values())


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
        _all_lanes.add(self)

    def submit(self, fn: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> "Future[R]":
        key = args[0] if args else None
        with self._changed:
            if self._is_shut:
                raise RuntimeError("these lanes are shut")
            lane = min(self._lanes, key=lambda lane: self._unfit(lane, key))
            lane.last, lane.busy = key, lane.busy + 1
        try:
            future, pool = lane.submit(lambda pool: pool.submit(fn, *args, **kwargs))
        except BaseException:
            with self._changed:
                lane.busy -= 1
            raise
        future.add_done_callback(lambda future: self._answered(lane, pool, future))
        return future

    def _unfit(self, lane: _Lane, key: object) -> tuple[bool, ...]:
        """How little a lane is fit for a call with this first argument; the lowest value is the best."""
        is_others = lane.last is not None and lane.last != key and self._clock() < lane.idle_since + PAUSE
        return (lane.busy > 0, lane.last != key, is_others, lane.pool is None)

    def end(self, key: object) -> None:
        """End the process that works on a call with this first argument: BrokenExecutor answers it."""
        with self._changed:
            for lane in self._lanes:
                if lane.busy and lane.last == key:
                    lane.kill()

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End all processes: after what they are doing, or with cancel_futures at once. It always waits for them."""
        with self._changed:
            self._is_shut = True
            self._changed.notify_all()
        for lane in self._lanes:
            if cancel_futures:
                lane.kill()
            lane.close()

    def processes(self) -> list[int]:
        """The ids of the processes that there are."""
        return [process.pid for lane in self._lanes for process in lane.processes if process.pid]

    def _answered(self, lane: _Lane, pool: ProcessPoolExecutor, future: Future) -> None:
        """After every call. The pool may be in the middle of breaking up, so this asks nothing of it."""
        is_broken = not future.cancelled() and isinstance(future.exception(), BrokenExecutor)
        with self._changed:
            lane.busy -= 1
            lane.idle_since = self._clock()
            if is_broken and lane.pool is pool:
                lane.pool = None
            if self._keeper is None and not self._is_shut:
                self._keeper = Thread(target=self._keep, daemon=True, name="lanes")
                self._keeper.start()

    def _keep(self) -> None:
        """End the processes that have been idle for long enough, until there are none."""
        while True:
            with self._changed:
                self._changed.wait(self._idle / 4)
                now = self._clock()
                for lane in self._lanes:
                    if lane.is_open and not lane.busy and now >= lane.idle_since + self._idle:
                        lane.close()
                if self._is_shut or not any(lane.is_open for lane in self._lanes):
                    self._keeper = None
                    return


def _new_pool(lane: _Lane) -> ProcessPoolExecutor:
    if not lane.is_open:
        lane.is_open = True
        _count_open(1)
    method = "forkserver" if "forkserver" in multiprocessing.get_all_start_methods() else "spawn"
    with _starting, _environment():
        if method == "forkserver":
            from multiprocessing import forkserver

            forkserver.set_forkserver_preload([PRELOADED])
            forkserver.ensure_running()
    return ProcessPoolExecutor(1, multiprocessing.get_context(method), initializer=_begin)


def _count_open(change: int) -> None:
    """Count the open lanes. Without any, the server of forks goes too, and the memory that torch takes there."""
    global _open_lanes
    with _starting:
        _open_lanes += change
        if not _open_lanes and "multiprocessing.forkserver" in sys.modules:
            stop = getattr(sys.modules["multiprocessing.forkserver"]._forkserver, "_stop", None)
            if stop:
                stop()


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

_all_lanes: WeakSet[Lanes] = WeakSet()


def _kill_all() -> None:
    """At the end of this process nobody waits for what the others are doing."""
    for lanes in list(_all_lanes):
        for lane in lanes._lanes:
            lane.kill()


# The pools wait for their processes in a hook of this kind; those that are registered later are called earlier.
getattr(threading, "_register_atexit", atexit.register)(_kill_all)
