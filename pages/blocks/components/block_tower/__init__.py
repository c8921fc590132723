"""The blocks of a model as a tower, of which any can be taken out, and what the model then says."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from lab.kit.components import component
from pages.blocks.losses.data import Costs, Leaders, Words

_mount = component("block_tower", Path(__file__).parent)

LEAST = 0.12  # of the attention


class Verdict(NamedTuple):
    """What the model says without some of its parts.

    name     which ones, in words
    moved    the share of the probability that goes to other words
    leaders  the whole model's answer, then what comes nearest to being said; () where the model does not answer
    words    what it says next all along the text, as losses.data.next_words() has it
    more     a line on what that is worth
    """

    name: str
    moved: float
    leaders: Leaders
    words: Words = ()
    more: str = ""


def pack(
    tokens: Sequence[str],
    n_layers: int,
    out: str,
    whole: Leaders,
    verdict: Verdict,
    costs: Costs | None,
    *,
    follows: bool,
    words: Words = (),
    maps: Sequence[np.ndarray] = (),
) -> dict[str, Any]:
    """What the browser draws.

    tokens   of the text that the model reads; () where it does not answer
    out      what is out, as links have it
    whole    what the whole model says, as Verdict has it; verdict: what it says without what is out
    costs    what each block alone is worth
    follows  whether the answer is the word that follows the text
    words    what the whole model says next all along the text
    maps     where its tokens look in each layer, (T, T) attention weights; what is less than LEAST is not drawn
    """
    return {
        "tokens": list(tokens),
        "follows": follows,
        "n_layers": n_layers,
        "out": out,
        "whole": _rounded(whole),
        "verdict": {
            "name": verdict.name,
            "moved": round(verdict.moved, 6),
            "leaders": _rounded(verdict.leaders),
            "words": verdict.words,
            "more": verdict.more,
        },
        "costs": costs
        and [
            [
                {"moved": round(float(moved), 6), "leaders": _rounded(leaders), "words": words[0], "ways": words[1:]}
                for moved, leaders, words in zip(*layer, strict=True)
            ]
            for layer in zip(costs.moved, costs.leaders, costs.words, strict=True)
        ],
        "words": words,
        "threads": [_threads(weights) for weights in maps],
    }


def _threads(weights: np.ndarray) -> list[tuple[int, int, float]]:
    """(query, key, attention weight) of each two tokens that are drawn as tied; all of them would be megabytes."""
    tied = np.argwhere((weights >= LEAST) & ~np.eye(len(weights), dtype=bool))
    return [(int(query), int(key), round(float(weights[query, key]), 2)) for query, key in tied]


def _rounded(leaders: Leaders) -> list[tuple[str, float]]:
    return [(word, round(probability, 6)) for word, probability in leaders]


def block_tower(packed: dict[str, Any], *, key: str, on_press: Callable[[], None]) -> None:
    """Put the blocks on the page; `on_press` is called once st.session_state[key]["out"] names other parts."""
    _mount(data=packed, key=key, on_out_change=on_press)
