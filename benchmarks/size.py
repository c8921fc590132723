"""How much of a measurement is taken."""

from enum import Enum
from typing import TypeVar

T = TypeVar("T")


class Size(Enum):
    """FULL: figures to quote. QUICK: a glance. LEAST: each step once, to see that it still works."""

    FULL, QUICK, LEAST = range(3)

    def of(self, full: T, quick: T, least: T) -> T:
        return (full, quick, least)[self.value]
