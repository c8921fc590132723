"""How much memory the server holds: with a class over all pages, after every view, with the heaviest links, beside
trainings, and after a long day."""

import asyncio
from concurrent.futures import Future
from random import Random
from statistics import median
from time import sleep
from urllib.parse import urlencode

from benchmarks.crowd import learners
from benchmarks.load import HABITS, Habit, crowd
from benchmarks.parts import APP
from benchmarks.server import Peak, Server, serve
from benchmarks.size import Size
from benchmarks.table import Goal
from benchmarks.visitor import NoAnswer, Visitor, run, start
from lab.kit.catalogue import PAGES, views

GUARANTEED = 690  # MB: what Streamlit Community Cloud leaves no app without
EVERY_VIEW, HEAVY, LEARNING = 600, 900, 1000  # MB


def memory(size: Size) -> list[Goal]:
    """Fresh servers: the most that one held with thirty visitors over all pages, and another beside two trainings."""
    visitors = size.of(30, 11, 2)
    with serve(APP) as app, Peak(app) as peak:
        empty = app.memory_mb()
        run(_all_pages(app.url, visitors, size.of(5, 2, 1)))
        held = app.memory_mb()
    note = f"before the first visit {empty:.0f}, after the last {held:.0f} MB"
    return [
        Goal(f"memory with {visitors} visitors over all pages", peak.mb, "MB", GUARANTEED, note),
        _beside_trainings(size),
    ]


def _beside_trainings(size: Size) -> Goal:
    n = size.of(2, 2, 1)
    most = 0.0
    with serve(APP) as app:
        alone = app.shared_mb()
        with learners(app) as more:
            for _ in range(n):
                more()
            for _ in range(size.of(40, 20, 1)):
                most = max(most, app.shared_mb())
                sleep(0.25)
    note = f"PSS of all processes, before the first visit {alone:.0f} MB"
    return Goal(f"memory of the server and {n} trainings", most, "MB", LEARNING, note)


async def _all_pages(url: str, visitors: int, pages: int) -> None:
    """So many visitors at once, each of whom opens so many pages, one after another, and stays."""

    async def visit(number: int) -> None:
        async with Visitor(url, PAGES[number % len(PAGES)].url) as visitor:
            await visitor.open()
            for at in range(1, pages):
                await visitor.turn_to(PAGES[(number + at) % len(PAGES)].url)
            await everybody.wait()

    everybody = asyncio.Barrier(visitors)
    await asyncio.gather(*map(visit, range(visitors)))


def heavy(size: Size) -> list[Goal]:
    """A fresh server: every view opened once, then eight tabs of the largest legal model, and a neighbour's slider."""
    with serve(APP) as app:
        return [*_every_view(app, size), *_heavy(app, size.of(8, 2, 1))]


def _every_view(app: Server, size: Size) -> list[Goal]:
    """One visit to each view, one after the other, each with what it opens on: the most memory, and what stays.

    The views are those of the index that the search in the top bar reads.
    """
    links = [(entry.page, entry.key, entry.value) for entry in views()]
    links = size.of(links, links[::10], links[:1])
    held = {"before the first": app.memory_mb()}
    most = {}
    for page, key, name in links:
        with Peak(app) as peak:
            run(_look(app.url, page, urlencode({key: name})))
            held[f"/{page} {name}"] = app.memory_mb()
        most[f"/{page} {name}"] = peak.mb - list(held.values())[-2]
    above = sorted(most, key=most.__getitem__, reverse=True)[:3]
    steps = "; ".join(f"{name} +{most[name]:.0f}" for name in above)
    start, *_, end = held.values()
    peak_mb = max(now + more for now, more in zip(held.values(), most.values(), strict=False))
    what = f"memory with all {len(links)} views opened once"
    return [
        Goal(what, end, "MB", EVERY_VIEW, f"before the first {start:.0f} MB"),
        Goal(f"{what}: the most on the way", peak_mb, "MB", GUARANTEED, f"most for a moment: {steps} MB"),
    ]


async def _look(url: str, page: str, query: str) -> None:
    async with Visitor(url, page, query) as visitor:
        await visitor.open()


def _heavy(app: Server, tabs: int) -> list[Goal]:
    neighbour = start(_neighbour(app.url, 10, 0.2))
    idle = median(neighbour.result())
    with Peak(app) as peak:
        before = app.memory_mb()
        answers = start(_open_largest(app.url, tabs))
        busy = run(_neighbour(app.url, None, 0.2, until=answers))
        took = answers.result()
    after = app.memory_mb()
    what = f"{tabs} tabs of the largest model"
    return [
        Goal(f"{what}: memory", peak.mb, "MB", HEAVY, f"before {before:.0f}, after {after:.0f} MB"),
        Goal(
            f"{what}: a neighbour's slider, median",
            median(busy) / idle,
            "x idle",
            3,
            f"{1000 * median(busy):.0f} ms, idle {1000 * idle:.0f} ms; n {len(busy)}",
        ),
        Goal(f"{what}: a neighbour's slider, slowest", max(busy) / idle, "x idle", None, f"{1000 * max(busy):.0f} ms"),
        Goal(f"{what}: the slowest answer", max(took), "s"),
    ]


async def _open_largest(url: str, tabs: int) -> list[float]:
    async def visit(seed: int) -> float:
        asked = {"d_model": 256, "heads": 16, "layers": 12, "text": " ".join(f"w{n}" for n in range(600)), "seed": seed}
        async with Visitor(url, "heads", urlencode(asked)) as visitor:
            return (await visitor.open()).seconds

    return await asyncio.gather(*map(visit, range(tabs)))


async def _neighbour(url: str, changes: int | None, thinking: float, until: Future | None = None) -> list[float]:
    """What a visitor of /why waits for each place of a slider: so many, or until something else is over."""
    times = []
    async with Visitor(url, "why") as visitor:
        await visitor.open()
        slider = next(widget for widget in visitor.screen.widgets() if widget.options)
        while len(times) != changes if until is None else not until.done():
            await asyncio.sleep(thinking)
            value = slider.options[len(times) % len(slider.options)]
            times.append((await visitor.change(slider.label, value)).seconds)
    return times


def soak(size: Size) -> list[Goal]:
    """2,000 reruns, and 200 visits that end, on a fresh server: how much more memory it then has than warmed up.

    Warmed up it is when its caches are full, and as many visits have ended as Streamlit keeps for two minutes, in case
    they come back (128). The budget of the caches is small here: what they may take is `memory`'s to measure.
    """
    reruns, visits = size.of((2000, 200), (60, 10), (20, 2))
    with serve(APP, environment={"ATTENTION_LAB_CACHE_MB": "30"}) as app:  # full before the count begins
        run(_soak(app.url, reruns // 4, size.of(130, 10, 1), seed=1))
        before = app.memory_mb()
        errors = run(_soak(app.url, reruns, visits, seed=2))
        after = app.memory_mb()
    note = f"from {before:.0f} to {after:.0f} MB"
    return [
        Goal(f"growth by {reruns} reruns and {visits} visits", 100 * (after - before) / before, "%", 5, note),
        Goal("  errors among them", len(errors), "", 0, "; ".join(sorted(set(errors)))[:200]),
    ]


async def _soak(url: str, reruns: int, visits: int, seed: int) -> list[str]:
    """So many reruns by five visitors of each page, and beside them so many visits of one run; the errors."""
    rng = Random(seed)
    errors: list[str] = []

    async def stay(habit: Habit) -> None:
        met = await crowd(url, habit, 5, reruns // (5 * len(HABITS)), 0.0, seed)
        errors.extend(met.errors)

    async def come_and_go() -> None:
        for _ in range(visits):
            try:
                async with Visitor(url, rng.choice(PAGES).url) as visitor:
                    await visitor.open()
            except NoAnswer as error:
                errors.append(str(error))

    await asyncio.gather(come_and_go(), *map(stay, HABITS))
    return errors
