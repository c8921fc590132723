"""Many at once: a visitor's slider while others train, against the same slider while nobody does."""

from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from statistics import median
from threading import Event
from time import sleep

from playwright.sync_api import Browser

from benchmarks.parts import heads_page
from benchmarks.server import Server
from benchmarks.size import Size
from benchmarks.tab import Tab, Timing
from benchmarks.table import Goal, Line, middle
from benchmarks.visitor import Visitor, start

MOST = 1.15  # times the idle time
TRAINING = "live_task=English+to+French&live_steps=3000"


def crowd(browser: Browser, app: Server, size: Size) -> tuple[list[Line], list[Goal]]:
    """The seed's slider of /heads to other numbers painted, with no, one and two trainings of other visitors.

    Presses without any training come before and after, so that what the machine does besides hits both alike.
    """
    n, warm_up = size.of(20, 6, 1), size.of(2, 2, 0)
    with Tab(browser, app, heads_page(3, 4, 24)) as tab:
        seed = tab.seed_slider()

        def presses(key: str) -> list[Timing]:
            seed.focus()
            taken = [tab.time(lambda: tab.page.keyboard.press(key), "keydown", "numbers") for _ in range(n + warm_up)]
            return taken[warm_up:]

        presses("ArrowRight")  # now all of these seeds are known
        idle = presses("ArrowLeft")
        busy: dict[int, list[Timing]] = {}
        with learners(app) as more:
            for key in size.of(("ArrowRight", "ArrowLeft"), ("ArrowRight", "ArrowLeft"), ("ArrowRight",)):
                more()
                sleep(size.of(3, 3, 0))
                busy[len(busy) + 1] = presses(key)
        tab.settle(size.of(2000, 2000, 0))  # trainings end with their tabs
        idle += presses("ArrowRight" if len(busy) == 2 else "ArrowLeft")
    floor = median(timing.total for timing in idle)
    lines = [_line("a seed on /heads, nobody trains", idle)]
    lines += [_line(f"a seed on /heads, {_train(k)}", times) for k, times in busy.items()]
    return lines, [
        Goal(f"a slider on /heads while {_train(k)}", median(t.total for t in times) / floor, "x idle", MOST)
        for k, times in busy.items()
    ]


@contextmanager
def learners(app: Server) -> Iterator:
    """A function that lets one visitor more train the translator, to the end of the block.

    It returns when the training is past its first steps. These visitors have no browser, whose drawing would take a
    core as well. Raises RuntimeError if a training did not last.
    """
    over = Event()
    visits: list[Future[None]] = []

    def more() -> None:
        visits.append(_training(app, over))

    try:
        yield more
        for visit in visits:
            if visit.done():
                raise RuntimeError("a training ended too early") from visit.exception()
    finally:
        over.set()
        for visit in visits:
            visit.exception()  # has left the page


def _training(app: Server, over: Event) -> Future[None]:
    trains = Event()

    async def visit() -> None:
        async with Visitor(app.url, "live", TRAINING) as visitor:
            await visitor.open()
            await visitor.press("train")
            await visitor.watch(lambda: visitor.screen.has("Pause"))
            trains.set()
            await visitor.watch(over.is_set)

    future = start(visit())
    while not trains.wait(0.1):
        if future.done():
            raise RuntimeError("no training began") from future.exception()
    return future


def _train(k: int) -> str:
    return f"{k} {'train' if k > 1 else 'trains'}"


def _line(what: str, timings: list[Timing]) -> Line:
    return Line(
        what,
        [timing.total for timing in timings],
        f"server {middle(t.server for t in timings)}, browser {middle(t.browser for t in timings)}",
    )
