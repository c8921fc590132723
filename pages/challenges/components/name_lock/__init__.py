"""The puzzle of two minds, where it stands: a lock of letters that spells a name, and what the story goes on with."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from lab.kit.components import component, sent

_mount = component("name_lock", Path(__file__).parent)
NAME = "name"  # what the browser tells: the name that the letters spell


def name_lock(
    wheels: Sequence[str],
    after: str,
    words: tuple[str, str],
    shares: np.ndarray,
    mark: float,
    known: tuple[Sequence[str], Sequence[str]],
    *,
    key: str,
) -> str | None:
    """Put the figure on the page; returns the name that is spelled there, which the address has as well.

    wheels  the letters of each wheel, the first of which spell the name that it opens with
    after   how the story goes on after the name;  words: the two that may come next, both of which have to reach `mark`
    shares  (n, 2) probability of each word after each name, the last wheel turning fastest
    known   the names in the stories, of boys and of girls
    """
    data = {"wheels": list(wheels), "after": after, "words": list(words), "shares": shares.tolist(), "mark": mark}
    _mount(data=data | {"known": known}, key=key, on_name_change=lambda: None)
    return sent(key, NAME, str)
