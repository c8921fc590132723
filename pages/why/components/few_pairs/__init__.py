"""How few pairs of words are enough for the model to read a review right: a window that is dragged, and a hub."""

from collections.abc import Sequence
from pathlib import Path

from lab.kit.components import component
from pages.why.data import Reading

_mount = component("few_pairs", Path(__file__).parent)


def few_pairs(
    words: Sequence[str],
    to: int,
    windows: Sequence[Reading],
    hubs: Sequence[str],
    n_right: int,
    n_reviews: int,
    key: str,
) -> None:
    """Put it on the page.

    to       the word that the first must look at for the verdict to be right
    windows  how the model reads with one of every size, from 1 on: every word sees itself alone; the last is full
             attention
    hubs     what it says with a hub on each word, where the others see only that and themselves
    n_right  of n_reviews others, with the hub on their first word
    """
    read = [reading._asdict() for reading in windows]
    told = {"words": list(words), "to": to, "windows": read, "hubs": list(hubs), "truth": windows[-1].says}
    _mount(data={**told, "n_right": n_right, "n_reviews": n_reviews}, key=key)
