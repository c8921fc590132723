"""The tree of a beam search: the words that were tried at every step, and which of them were kept."""

from collections.abc import Sequence
from pathlib import Path

from lab.kit.components import component

_mount = component("beam_tree", Path(__file__).parent)


def beam_tree(steps: Sequence[Sequence[dict]], best: Sequence[int], *, key: str, alt: str) -> None:
    """Puts the tree on the page.

    steps  the nodes of every step, best first: {"parent": place in the step before or -1, "word", "p": probability,
           "score": summed log-probability, "fate": kept, finished, cut or dropped, "text": the whole text so far}
    best   the winner's place in every step
    alt    the tree in words
    """
    _mount(data={"steps": [list(step) for step in steps], "best": list(best), "alt": alt}, key=key)
