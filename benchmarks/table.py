"""What was measured, as the lines of one table."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import median

HEADS = ("what", "median", "p95", "n", "x bare", "budget", "", "of which (medians)")
NUMBERS = range(1, 6)  # the columns that are set flush right


@dataclass(frozen=True)
class Line:
    """Several times of one thing, in ms.

    The budget is in ms, or a multiple of the bare round trip; a line that is not comparable to one has no ratio.
    """

    what: str
    times: list[float]
    note: str = ""
    budget: float | None = None
    budget_in_bare: float | None = None
    comparable: bool = True

    def cells(self, bare: float) -> tuple[str, ...]:
        taken = median(self.times)
        most, budget = self.budget, f"{self.budget:.4g} ms" if self.budget else ""
        if self.budget_in_bare:
            most, budget = self.budget_in_bare * bare, f"{self.budget_in_bare:g} x bare"
        return (
            self.what,
            f"{taken:.1f} ms",
            f"{p95(self.times):.1f} ms",
            str(len(self.times)),
            f"{taken / bare:.2f}" if self.comparable else "",
            budget,
            "" if most is None else "ok" if taken <= most else "MISSES",
            self.note,
        )


GOAL_HEADS = ("what", "figure", "goal", "", "of which")


@dataclass(frozen=True)
class Goal:
    """One figure and the most that it may be; without a goal, a figure to compare with.

    instead  what there is in place of a figure, such as "died"; a goal is then missed
    """

    what: str
    figure: float
    unit: str
    most: float | None = None
    note: str = ""
    instead: str = ""

    @property
    def verdict(self) -> str:
        return "" if self.most is None else "met" if self.figure <= self.most and not self.instead else "missed"

    def cells(self) -> tuple[str, ...]:
        goal = "" if self.most is None else f"<= {_short(self.most)} {self.unit}"
        return self.what, self.instead or f"{_short(self.figure)} {self.unit}", goal, self.verdict, self.note

    def line(self) -> str:
        """All of it in one line, for who waits for the table."""
        return "  ".join(filter(None, self.cells()))


def _short(figure: float) -> str:
    return f"{figure:.4g}" if figure < 10_000 else f"{figure:,.0f}"


def goals_table(goals: Sequence[Goal]) -> str:
    return _set([GOAL_HEADS, *(goal.cells() for goal in goals)], range(1, 3))


def table(lines: Sequence[Line], bare: float) -> str:
    return _set([HEADS, *(line.cells(bare) for line in lines)], NUMBERS)


def _set(rows: list[tuple[str, ...]], numbers: range) -> str:
    """Rows in columns; those of `numbers` are set flush right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(
            cell.rjust(width) if n in numbers else cell.ljust(width)
            for n, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    )


def p95(times: Sequence[float]) -> float:
    """The smallest time that at least 95% do not exceed: of less than 20, the largest."""
    at_least = -(-95 * len(times) // 100)  # rounded up
    return sorted(times)[at_least - 1]


def middle(numbers: Iterable[float | None], unit: str = "ms") -> str:
    """The median of the numbers that are known, for a note."""
    known = [number for number in numbers if number is not None]
    return f"{median(known):.4g} {unit}" if known else "unknown"
