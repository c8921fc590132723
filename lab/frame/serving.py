"""What the server does once, for all visitors: what it loads and when, and who looks after what is held."""

import asyncio
import gc
import os
import sys
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

import streamlit as st
from starlette.middleware import Middleware

from lab.frame import foot, search
from lab.hooks import runtime
from lab.server import incoming, log, memory, metrics, packed, trainings, visitor
from lab.server.environment import START, THREADS, faults
from lab.server.headers import Headers

LAB = Path(__file__).parents[1]
IDLE = 3.0  # seconds after the start
HEAVY = ("transformer.inspection.run",)  # torch
MIDDLEWARE = (Middleware(Headers), *visitor.MIDDLEWARE, *incoming.MIDDLEWARE, *packed.MIDDLEWARE)
_visited = threading.Event()
_settling = threading.Lock()
_modules = 0  # how many were loaded when last settled


def prepare() -> None:
    """Before anything is loaded: how this process uses its processors and its memory."""
    THREADS.settle()
    memory.settle_allocator()


def begin_run() -> None:
    """Somebody is here."""
    _visited.set()
    visitor.key()


def end_run() -> None:
    """A run of the whole page is over: what it did not ask for is not taken, and what it loaded stays."""
    incoming.end_run()
    settle()


def settle() -> None:
    """Take what was loaded for good out of the garbage collector's rounds.

    torch leaves some 250,000 objects to walk through: over 100 ms per round, with the interpreter locked for everybody.
    So whenever many modules have come in, what is alive is set aside.
    """
    global _modules
    with _settling:
        if len(sys.modules) > _modules + 50:
            _modules = len(sys.modules)
            gc.collect()
            gc.freeze()


@asynccontextmanager
async def lifespan(_app: st.App) -> AsyncIterator[None]:
    """Before the first visit, import what all pages share, and read the texts that every page counts or finds: that is
    light, and the frame need not wait for it. What is heavy comes later, unless an operator says warm."""
    for module in walk_packages([str(LAB)], "lab."):
        if module.name != "lab.frame.entry":  # the script of a visit, which draws when it is imported
            import_module(module.name)
    search.index()
    foot.checks()
    over = threading.Event()
    if START.read() == "warm":  # the visitors of a server that is ended come to this one all at once
        _load()
    else:
        threading.Thread(target=_load_ahead, args=[over], name="load-ahead", daemon=True).start()
    bounds = asyncio.create_task(incoming.keep_in_bounds())
    metrics.begin()
    runtime.look_at_no_files()
    runtime.tick_once_a_second()
    for note in faults():
        log.tell("setting", note=note)
    log.tell("start", memory_mb=memory.total() // 10**6, cores=os.cpu_count() or 1)
    try:
        yield
    finally:
        queue = trainings.present()
        log.tell("stop", trainings=len(queue.states()) if queue else 0)
        bounds.cancel()
        over.set()
        trainings.close()


def _load_ahead(over: threading.Event) -> None:
    """If nobody comes for a while, import what is heavy, so that the first visitor need not wait for it either.

    A visitor who comes earlier has the frame first: an import in the background would hold it up.
    """
    if not over.wait(IDLE) and not _visited.is_set():
        _load()


def _load() -> None:
    """Import what is heavy."""
    for name in HEAVY:
        import_module(name)
    settle()
