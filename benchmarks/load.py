"""Many visitors at once, each a client of Streamlit's own websocket (visitor.py), and one real browser among them."""

import asyncio
from collections.abc import Callable
from random import Random
from statistics import median
from typing import NamedTuple

from playwright.sync_api import Browser

from benchmarks.parts import heads_page
from benchmarks.server import Server
from benchmarks.size import Size
from benchmarks.tab import Tab
from benchmarks.table import Goal, p95
from benchmarks.visitor import Answer, NoAnswer, Visitor, run, start

THINKING = 5.0  # seconds between an answer and the next change, on average
MEDIAN, P95 = 150, 600  # ms for an answer to one of a hundred
AT_ONCE = {30: 1000, 100: 2500}  # ms until half of so many who open a page at the same moment see it


class Habit(NamedTuple):
    """What visitors of a page do: they type sentences of these words, or set a slider where there are no words."""

    page: str
    query: str
    label: str
    words: tuple[str, ...] = ()

    def value(self, rng: Random) -> str:
        """What a visitor sets next. A sentence is new; of twenty seeds most are soon known."""
        return " ".join(rng.choices(self.words, k=10)) if self.words else str(rng.randrange(20))


TIRED = ("the", "tired", "animal", "crossed", "a", "street", "because", "it", "was", "old", "and", "nobody", "saw")
ENGLISH = ("the", "little", "black", "white", "is", "not", "cat", "dog", "house", "street", "school", "garden", "book")
HABITS = (
    Habit("heads", "", "Sentence", TIRED),
    Habit("attention", "att_on=a+sentence", "Sentence", TIRED),
    Habit("translation", "", "Sentence", ENGLISH),
    Habit("live", "", "Seed"),
)


class Crowd(NamedTuple):
    """What many visitors of one page met with: the times of first runs and of answers in seconds, and errors."""

    opened: list[float]
    answers: list[float]
    errors: list[str]


def nobody(_: int) -> str:
    """No cookies, for any visitor."""
    return ""


async def crowd(
    url: str,
    habit: Habit,
    visitors: int,
    changes: int,
    thinking: float,
    seed: int = 0,
    cookies: Callable[[int], str] = nobody,
) -> Crowd:
    """So many visitors open a page within one time of thinking; each makes changes, and thinks before each.

    cookies  of a visitor, by number
    """
    met = Crowd([], [], [])

    async def visit(number: int) -> None:
        rng = Random(f"{seed} {habit.page} {number}")
        await asyncio.sleep(rng.uniform(0, thinking))
        try:
            async with Visitor(url, habit.page, habit.query, cookies(number)) as visitor:
                met.opened.append((await visitor.open()).seconds)
                for _ in range(changes):
                    await asyncio.sleep(rng.uniform(0.5, 1.5) * thinking)
                    met.answers.append((await visitor.change(habit.label, habit.value(rng))).seconds)
        except (NoAnswer, KeyError) as error:
            met.errors.append(f"/{habit.page}: {error}")

    await asyncio.gather(*map(visit, range(visitors)))
    return met


def load(browser: Browser, app: Server, size: Size) -> tuple[list[Goal], list[str]]:
    """1, 10, 30 and 100 visitors of each page; a slider in a real browser while 30 are on its page."""
    crowds, thinking = size.of(((1, 10, 30, 100), THINKING), ((1, 10), 1.0), ((1, 2), 0.1))
    changes = size.of(4, 2, 1)
    goals, errors = [], []
    for habit in HABITS:
        run(crowd(app.url, habit, 1, size.of(3, 3, 1), 0.1, seed=1))  # what is loaded once is loaded
        alone: Crowd | None = None
        for visitors in crowds:
            if visitors == 1:
                met = alone = run(crowd(app.url, habit, 1, 5 * changes, min(thinking, 0.5)))
            else:
                met = run(crowd(app.url, habit, visitors, changes, thinking))
            goals += _goals(habit, visitors, met, alone)
            errors += met.errors
    goals += _in_a_browser(browser, app, size.of(12, 4, 3), size.of(30, 10, 2), thinking)
    return goals, [f"an error under load: {error}" for error in sorted(set(errors))]


def _goals(habit: Habit, visitors: int, met: Crowd, alone: Crowd | None) -> list[Goal]:
    """The figures of one crowd beside their goals; `alone` is what one visitor met with."""
    who = f"/{habit.page}, {visitors} visitor{'s' if visitors > 1 else ''}"
    if not met.answers:
        return [Goal(f"{who}: errors", len(met.errors), "", 0)]
    times = f"n {len(met.answers)}, opening: median {_ms(median(met.opened)):.0f}, p95 {_ms(p95(met.opened)):.0f} ms"
    goals = [
        Goal(f"{who}: median", _ms(median(met.answers)), "ms", MEDIAN if visitors == 100 else None, times),
        Goal(
            f"{who}: p95",
            _ms(p95(met.answers)),
            "ms",
            P95 if visitors == 100 else 3 * _ms(p95(alone.answers)) if visitors == 30 and alone else None,
        ),
    ]
    if met.errors or visitors == 100:
        goals.append(Goal(f"{who}: errors", len(met.errors), "", 0))
    return goals


def _ms(seconds: float) -> float:
    return 1000 * seconds


def _in_a_browser(browser: Browser, app: Server, n: int, visitors: int, thinking: float) -> list[Goal]:
    """The seed's slider of /heads to other numbers painted: alone, and among visitors who change their sentences."""
    with Tab(browser, app, heads_page(3, 4, 24)) as tab:
        seed = tab.seed_slider()

        def presses() -> list[float]:
            seed.focus()
            taken = [tab.time(lambda: tab.page.keyboard.press("ArrowRight"), "keydown", "numbers") for _ in range(n)]
            return [timing.total for timing in taken]

        idle = presses()[2:]
        others = start(crowd(app.url, HABITS[0], visitors, round(n / thinking) + 2, thinking, seed=2))
        tab.settle(1000 * thinking)
        busy = presses()
        others.result()
    what = f"a browser's slider on /heads among {visitors} visitors"
    return [
        Goal("a browser's slider on /heads, alone", median(idle), "ms"),
        Goal(f"{what}: median", median(busy) / median(idle), "x alone", None, f"{median(busy):.0f} ms"),
        Goal(f"{what}: p95", p95(busy) / median(idle), "x alone", 3, f"{p95(busy):.0f} ms"),
    ]


def opening(browser: Browser, app: Server, size: Size) -> list[Goal]:
    """A page opened by many at once: in a real browser among them, from navigation to its finished example."""
    n, others = size.of(5, 2, 1), size.of(30, 10, 2)
    alone, among = [], []

    def first_look() -> float:
        with Tab(browser, app, "/heads") as tab:
            tab.page.wait_for_function("() => bench.first.view !== null", timeout=120_000)
            return tab.page.evaluate("bench.first.view")

    first_look()
    for _ in range(n):
        alone.append(first_look())
        answers = start(_open_at_once(app.url, "heads", others))
        among.append(first_look())
        answers.result()
    single = [run(_open_at_once(app.url, "heads", 1))[0].seconds for _ in range(n)]
    note = f"{median(among):.0f} ms, alone {median(alone):.0f} ms"
    return [
        Goal(
            f"a browser opens /heads, {others} others at the same moment",
            median(among) / median(alone),
            "x alone",
            3,
            note,
        ),
        *(_at_once(app, visitors, n, median(single)) for visitors in size.of((30, 100), (30,), (2,))),
    ]


def _at_once(app: Server, visitors: int, n: int, alone: float) -> Goal:
    """So many clients open /heads at the same moment, n times: half of them have it after so long."""
    opened = [answer.seconds for _ in range(n) for answer in run(_open_at_once(app.url, "heads", visitors))]
    note = f"one alone {_ms(alone):.0f} ms; the slowest of all {_ms(max(opened)):.0f} ms"
    most = AT_ONCE.get(visitors)
    return Goal(f"{visitors} visitors open /heads at once: median", _ms(median(opened)), "ms", most, note)


async def _open_at_once(url: str, page: str, visitors: int) -> list[Answer]:
    async def visit() -> Answer:
        async with Visitor(url, page) as visitor:
            return await visitor.open()

    return await asyncio.gather(*(visit() for _ in range(visitors)))
