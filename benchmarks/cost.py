"""What one rerun costs the server in processor time, against a bare script's: reruns of all visitors take turns."""

from contextlib import AsyncExitStack
from random import Random
from statistics import median

from benchmarks.load import HABITS
from benchmarks.parts import BARE
from benchmarks.server import Server, serve
from benchmarks.size import Size
from benchmarks.table import Goal
from benchmarks.visitor import Visitor, run


def cost(app: Server, bare: Server, size: Size) -> list[Goal]:
    """Processor time of the server for one rerun, against that of a bare script's in the same run.

    "known": the same two values in turn, so that all numbers are cached. "new": values that nobody has set before.
    """
    rounds, n = size.of((8, 10), (2, 6), (1, 2))
    if app.cpu_seconds() is None:
        return []
    with serve(BARE) as lean:
        return run(_cost(app, bare, lean, rounds, n))


async def _cost(app: Server, bare: Server, lean: Server, rounds: int, n: int) -> list[Goal]:
    rng = Random(0)
    spent: dict[str, list[float]] = {}

    async def measure(name: str, server: Server, visitor: Visitor, label: str, values: list[str]) -> None:
        before = server.cpu_seconds() or 0.0
        for value in values:
            await visitor.change(label, value)
        spent.setdefault(name, []).append(1000 * ((server.cpu_seconds() or 0.0) - before) / len(values))

    async with AsyncExitStack() as visits:
        plain, leaner = [await visits.enter_async_context(Visitor(server.url, "")) for server in (bare, lean)]
        await plain.open()
        await leaner.open()
        visitors = [await visits.enter_async_context(Visitor(app.url, h.page, h.query)) for h in HABITS]
        known = [["1", "2"] if not h.words else [h.value(rng), h.value(rng)] for h in HABITS]
        for habit, visitor, values in zip(HABITS, visitors, known, strict=True):
            await visitor.open()
            for value in 2 * values:
                await visitor.change(habit.label, value)
        for _ in range(rounds):
            await measure("bare", bare, plain, "Value", ["1", "2"] * (n // 2))
            await measure("lean", lean, leaner, "Value", ["1", "2"] * (n // 2))
            for habit, visitor, values in zip(HABITS, visitors, known, strict=True):
                await measure(f"/{habit.page}, known", app, visitor, habit.label, values * (n // 2))
                if habit.words:
                    new = [habit.value(rng) for _ in range(n // 2)]
                    await measure(f"/{habit.page}, new", app, visitor, habit.label, new)
    unit, least = median(spent.pop("bare")), median(spent.pop("lean"))
    return [
        Goal("CPU of a bare script's rerun", unit, "ms"),
        Goal("CPU of a bare script's rerun under the app's settings: no collection of garbage", least, "ms"),
    ] + [
        Goal(
            f"CPU of a rerun of {name}",
            median(times) / unit,
            "x bare",
            1.5 if name.endswith("known") else 2,
            f"{median(times):.1f} ms",
        )
        for name, times in spent.items()
    ]
