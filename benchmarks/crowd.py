"""Many at once: a visitor's slider while others train, against the same slider while nobody does."""

from concurrent.futures import Future
from statistics import median
from threading import Event
from time import sleep

from playwright.sync_api import Browser

from benchmarks.parts import heads_page
from benchmarks.server import Server
from benchmarks.tab import Tab, Timing
from benchmarks.table import Line, middle
from benchmarks.visitor import Visitor, start

MOST = 1.5  # times the idle time
TRAINING = "live_task=English+to+French&live_steps=3000"


def crowd(browser: Browser, app: Server, quick: bool) -> tuple[list[Line], list[str]]:
    """The seed's slider of /heads to other numbers painted, with no, one and two trainings of other visitors."""
    n = 6 if quick else 20
    with Tab(browser, app, heads_page(3, 4, 24)) as tab:
        seed = tab.seed_slider()

        def presses(key: str) -> list[Timing]:
            seed.focus()
            taken = [tab.time(lambda: tab.page.keyboard.press(key), "keydown", "numbers") for _ in range(n + 2)]
            return taken[2:]

        idle = presses("ArrowRight")
        busy: dict[int, list[Timing]] = {}
        done = Event()
        trainers: list[Future[None]] = []
        try:
            for key in ("ArrowLeft", "ArrowRight"):
                trainers.append(_training(app, done))
                busy[len(trainers)] = presses(key)
                for trainer in trainers:
                    if trainer.done():
                        raise RuntimeError("a training ended too early") from trainer.exception()
        finally:
            done.set()
            for trainer in trainers:
                trainer.exception()  # has left the page
        tab.settle(2000)  # trainings end with their tabs
        idle += presses("ArrowLeft")
    floor = median(timing.total for timing in idle)
    lines = [_line("a seed on /heads, nobody trains", idle, None)]
    lines += [
        _line(f"a seed on /heads, {k} {'train' if k > 1 else 'trains'}", times, MOST * floor)
        for k, times in busy.items()
    ]
    ratios = ", ".join(f"{median(t.total for t in times) / floor:.2f}x with {k}" for k, times in busy.items())
    return lines, [f"a slider while others train, against idle (budget {MOST}x): {ratios}"]


def _training(app: Server, done: Event) -> Future[None]:
    """A visitor who trains the translator until `done`; he has no browser, whose drawing would take a core as well.

    Returns when the training is past its first steps.
    """
    trains = Event()

    async def visit() -> None:
        async with Visitor(app.url, "live", TRAINING) as visitor:
            await visitor.open()
            await visitor.press("Train")
            await visitor.watch(lambda: visitor.screen.has("Pause"))
            trains.set()
            await visitor.watch(done.is_set)

    future = start(visit())
    while not trains.wait(1):
        if future.done():
            raise RuntimeError("no training began") from future.exception()
    sleep(3)
    return future


def _line(what: str, timings: list[Timing], budget: float | None) -> Line:
    return Line(
        what,
        [timing.total for timing in timings],
        f"server {middle(t.server for t in timings)}, browser {middle(t.browser for t in timings)}",
        budget=budget,
    )
