"""A puzzle: a goal that the settings of a page can reach. The server computes from them whether it is reached.

A check is a function from a link to a verdict, with no other input: the same link always gets the same verdict.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple
from urllib.parse import urlencode

from lab.kit.page import Tab
from pages.challenges.links import Link, cleaned


class Verdict(NamedTuple):
    """Whether a state reaches the goal, a sentence in Markdown with the numbers, and the one that the goal is about."""

    is_reached: bool
    sentence: str
    value: float | None = None


class Gauge(NamedTuple):
    """A scale from 0 to `most` for the number that a goal is about, and the mark that it has to reach, or to fall
    below."""

    name: str
    mark: float
    most: float = 1


def beside(value: float, mark: float, least: int = 2) -> str:
    """A number in as many digits, `least` at least, as tell on which side of the mark it is."""
    if math.isnan(value):
        return "NaN"
    digits = next((n for n in range(least, 9) if (round(value, n) >= mark) == (value >= mark)), 9)
    return f"{value:.{digits}f}"


@dataclass(frozen=True)
class Challenge:
    """One puzzle.

    tab     its announcement: name, goal, and where it is played
    words   what it is about, and what counts
    hint    for those who ask for it
    gauge   the scale of the number that counts
    check   link -> verdict. Raises InputError with a sentence for a link that cannot be judged
    is_slow  whether a check takes seconds
    """

    tab: Tab
    words: str
    hint: str
    gauge: Gauge
    check: Callable[[Link], Verdict]
    is_slow: bool = False

    @property
    def address(self) -> str:
        """The link to where it is played, as it begins."""
        return f"./{self.tab.page}?{urlencode(self.tab.opens)}"

    @property
    def key(self) -> str:
        """Its name in links."""
        return self.tab.opens["puzzle"]

    @property
    def goal(self) -> str:
        """What is to be done, in Markdown."""
        return self.tab.asks

    @property
    def start(self) -> Link:
        """The state to begin with: it does not reach the goal."""
        return Link(self.tab.page, cleaned(self.tab.opens))
