"""The tree of a beam search: at every step the words that were tried, and which of them were kept."""

from collections.abc import Sequence
from pathlib import Path

from pages.shared.components import component

_mount = component("beam_tree", Path(__file__).parent)


def beam_tree(steps: Sequence[Sequence[dict]], best: Sequence[int], *, key: str, alt: str) -> None:
    """Put the tree on the page.

    steps  nodes of every step, best first: {"parent": place in the step before or -1, "word", "p": its probability,
           "score": summed log-probability, "fate": kept, finished, cut or dropped, "text": the whole text so far}
    best   the place in every step of the text that won
    """
    _mount(data={"steps": [list(step) for step in steps], "best": list(best), "alt": alt}, key=key)
