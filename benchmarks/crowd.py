"""Many at once: a visitor's slider while others train, against the same slider while nobody does."""

from statistics import median

from playwright.sync_api import Browser, expect

from benchmarks.parts import heads_page
from benchmarks.server import Server
from benchmarks.tab import Tab, Timing
from benchmarks.table import Line, middle

MOST = 1.5  # times the idle time
TRAINING = "/live?live_task=English+to+French&live_steps=3000"


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
        trainers: list[Tab] = []
        try:
            for key in ("ArrowLeft", "ArrowRight"):
                trainers.append(_training(browser, app))
                busy[len(trainers)] = presses(key)
                for trainer in trainers:
                    expect(trainer.page.locator(".film")).to_have_attribute("data-state", "running")
        finally:
            for trainer in trainers:
                trainer.__exit__()
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


def _training(browser: Browser, app: Server) -> Tab:
    """A tab of its own that trains the translator, past its first steps."""
    tab = Tab(browser, app, TRAINING)
    tab.page.get_by_role("button", name="Train", exact=True).click()
    expect(tab.page.locator(".film")).to_have_attribute("data-state", "running", timeout=60_000)
    tab.settle(3000)
    return tab


def _line(what: str, timings: list[Timing], budget: float | None) -> Line:
    return Line(
        what,
        [timing.total for timing in timings],
        f"server {middle(t.server for t in timings)}, browser {middle(t.browser for t in timings)}",
        budget=budget,
    )
