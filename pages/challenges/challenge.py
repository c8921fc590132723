"""A challenge: a goal that a link can prove. The link names a state of a page; the server computes that state again.

A check is a function from a link to a verdict, with no other input: the same link always gets the same verdict.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from pages.challenges.links import Link
from transformer.training.text import BOS, NAMES

MAX_BEGINNING = 80  # letters


class Bars(NamedTuple):
    """Numbers from 0 to 1 or more, by name, and the line that some of them have to cross.

    axis       what they are
    goal       where the line is, None where there is none
    is_weight  whether they are attention weights, which have a colour of their own
    marked     the names of those that count
    about      the text that they belong to
    """

    values: tuple[tuple[str, float], ...]
    axis: str
    goal: float | None = None
    is_weight: bool = False
    marked: tuple[str, ...] = ()
    about: str = ""


def beginning(tokens: Sequence[str]) -> str:
    """The text that a model goes on with, as a title of its bars: its end, if it is long."""
    text = " ".join(token for token in tokens if token != NAMES[BOS]).replace(" .", ".")
    return f"{text if len(text) <= MAX_BEGINNING else f'… {text[-MAX_BEGINNING:]}'} …"


class Curve(NamedTuple):
    """A curve over whole numbers, and the line that it has to cross.

    axes    what the two axes are
    is_log  whether each tick upwards is ten times as much
    """

    x: tuple[int, ...]
    y: tuple[float, ...]
    axes: tuple[str, str]
    goal: float
    is_log: bool = False


class Texts(NamedTuple):
    """Two texts, word by word, the second the one that is right."""

    names: tuple[str, str]
    words: tuple[tuple[str, ...], tuple[str, ...]]


class Verdict(NamedTuple):
    """Whether a state reaches the goal, a sentence in Markdown with the numbers, and the numbers as a picture."""

    is_reached: bool
    sentence: str
    picture: Bars | Curve | Texts


@dataclass(frozen=True)
class Challenge:
    """One challenge.

    key     its name in links
    name    on the switch
    goal    as a heading, in Markdown
    words   what it is about, and what counts
    hint    for those who ask for it
    start   the state to begin with: it does not reach the goal
    check   link -> verdict. Raises InputError with a sentence for a link that cannot be judged
    code    the file and the name of the function that judges
    example  what is shown before a link is given, where that is not the verdict on the start
    is_slow  whether a check takes seconds
    """

    key: str
    name: str
    goal: str
    words: str
    hint: str
    start: Link
    check: Callable[[Link], Verdict]
    code: tuple[str, str]
    example: Callable[[], Verdict] | None = None
    is_slow: bool = False
