"""One token's way up through the layers: the words that lead where the model would stop, and the way of the one that
leads in the end. The token is pressed in the sentence below, and the stop is pulled up. It runs in the browser."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from lab.kit.components import component

_mount = component("stream_way", Path(__file__).parent)


class Leaders(Protocol):
    """The words ranked first at each of P + 1 heights, k each, (P + 1, k), and their probabilities; the rank, from 1,
    and the probability at each height of the word that the whole model says, (P + 1,)."""

    @property
    def words(self) -> tuple[tuple[str, ...], ...]: ...

    @property
    def odds(self) -> np.ndarray: ...

    @property
    def answer_ranks(self) -> np.ndarray: ...

    @property
    def answer_odds(self) -> np.ndarray: ...


def payload(
    names: Sequence[str],
    tokens: Sequence[str],
    followed: int,
    usual: int,
    leaders: Leaders | None = None,
    heights: Sequence[str] = (),
    n_words: int = 0,
    *,
    follows: bool = True,
) -> dict[str, Any]:
    """What the browser draws.

    names     what links call the tokens;  followed: which of them is;  usual: which is where nobody chooses
    leaders   None where no words lead: then there is only the sentence
    heights   from the embedding up;  n_words: of the whole vocabulary;  follows: whether a word comes after the token
    """
    data = {"names": list(names), "tokens": list(tokens), "followed": followed, "usual": usual}
    if leaders is None:
        return data | {"heights": []}
    return data | {
        "heights": list(heights),
        "follows": follows,
        "words": [list(words) for words in leaders.words],
        "odds": np.round(leaders.odds, 6).tolist(),
        "ranks": leaders.answer_ranks.tolist(),
        "answer_odds": np.round(leaders.answer_odds, 6).tolist(),
        "n_words": n_words,
    }


def stream_way(data: dict[str, Any], *, key: str, on_follow: Callable[[], None]) -> None:
    """Put it on the page; `on_follow` is called once the session's entry of this key has the name of a token as
    "follow"."""
    _mount(data=data, key=key, on_follow_change=on_follow)
