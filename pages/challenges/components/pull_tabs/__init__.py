"""The puzzle of one head less, where it stands: twelve tabs to pull out, and what the story goes on with."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from lab.kit.components import component, sent

_mount = component("pull_tabs", Path(__file__).parent)
PULLED = "pulled"  # what the browser tells: the name in the text, and the number of the head that is out


class Text(NamedTuple):
    """One text that the machine reads.

    name    whom it is about
    tokens  T of them, of which the first is the start
    looks   (L, H, T) attention weights of the last token
    shares  (L, H, steps, 2) probability of either word while a head is pulled out, from all in to out
    """

    name: str
    tokens: Sequence[str]
    looks: np.ndarray
    shares: np.ndarray


def pull_tabs(texts: Sequence[Text], words: tuple[str, str], *, key: str) -> str | None:
    """Put the figure on the page; returns what is out there, as "tim:11", which the address has as well.

    words  the two that may come next
    """
    L, H, *_ = texts[0].looks.shape
    sent_texts = [
        {
            "name": text.name,
            "tokens": list(text.tokens),
            "looks": np.round(text.looks.reshape(L * H, -1), 4).tolist(),
            "shares": np.round(text.shares.reshape(L * H, -1, 2), 5).tolist(),
        }
        for text in texts
    ]
    _mount(data={"shape": [L, H], "words": list(words), "texts": sent_texts}, key=key, on_pulled_change=lambda: None)
    return sent(key, PULLED, str)
