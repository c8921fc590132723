"""A puzzle: a goal that the settings of a page can reach. The server computes from them whether it is reached.

A check is a function from a link to a verdict, with no other input: the same link always gets the same verdict.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from pages.challenges.links import Link


class Verdict(NamedTuple):
    """Whether a state reaches the goal, and a sentence in Markdown with the numbers."""

    is_reached: bool
    sentence: str


@dataclass(frozen=True)
class Challenge:
    """One puzzle.

    key     its name in links
    name    on the list
    goal    what is to be done, in Markdown
    words   what it is about, and what counts
    hint    for those who ask for it
    start   the state to begin with: it does not reach the goal
    check   link -> verdict. Raises InputError with a sentence for a link that cannot be judged
    is_slow  whether a check takes seconds
    in_view  -> settings that the page's figure has told the server, which the address has in the browser only
    """

    key: str
    name: str
    goal: str
    words: str
    hint: str
    start: Link
    check: Callable[[Link], Verdict]
    is_slow: bool = False
    in_view: Callable[[], Mapping[str, str]] = dict
