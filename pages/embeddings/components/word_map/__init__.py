"""Words as a map: hover over one to see what is nearest to it. It all runs in the browser."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import streamlit as st

from lab.kit.components import component

_mount = component("word_map", Path(__file__).parent)


class Near(NamedTuple):
    """A row near that of a word, the number of its kind, -1 for none, and where it would stand on the map if it is not
    among the words of the map."""

    label: str
    id: int
    cosine: float
    kind: int = -1
    place: Sequence[float] | None = None


class Word(NamedTuple):
    """A word of the map.

    kind     number of its kind, -1 for none
    nearest  the nearest rows of the whole table
    """

    label: str
    id: int
    kind: int
    nearest: Sequence[Near]


def word_map(
    words: Sequence[Word],
    kinds: Sequence[str],
    nouns: Sequence[str],
    cosines: np.ndarray,
    places: np.ndarray,
    bounds: Sequence[float],
    *,
    before: np.ndarray | None = None,
    caption: str,
    width: int,
    opens: int = 0,
    key: str,
    url: str,
) -> None:
    """Put it on the page.

    kinds    their names, in the order of the words
    nouns    what the words of each kind are called in a sentence, in the plural
    cosines  (n, n) of every two words
    places   (n, 2) on the map
    bounds   what the map shows: least first, least second, largest first, largest second direction
    before   (n, 2) where they stood before training, if that is known: there they wait to be parted
    caption  what the two directions of the map are
    width    the dimensions of a row of it
    opens    the number of the word that is chosen at first
    url      the query parameter that keeps which word is chosen, by its label, if not that one
    """
    labels = [word.label for word in words]
    asked = st.query_params.get(url, "")
    data: dict[str, Any] = {
        "words": [word._asdict() for word in words],
        "kinds": list(kinds),
        "nouns": list(nouns),
        "cosines": np.round(cosines, 4).tolist(),
        "places": np.round(places, 4).tolist(),
        "bounds": list(bounds),
        "before": None if before is None else np.round(before, 4).tolist(),
        "caption": caption,
        "width": width,
        "at": labels.index(asked) if asked in labels else opens,
        "opens": opens,
        "url": url,
    }
    _mount(data=data, key=key)
