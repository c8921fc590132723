"""A text as chips with their ids, and the row of the table that has that id: one machine, seen at two zooms.

Zoomed on the cut it shows one word as a tree, and the merges of byte pairs to be scrubbed through; zoomed on the table,
one row at a time comes out of it as a vector. It runs in the browser: neither a merge nor another token costs a message
to the server.
"""

import base64
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
import streamlit as st

from lab.kit.components import component

Unit = Literal["word", "token"]
_mount = component("token_machine", Path(__file__).parent)


@dataclass(frozen=True)
class Signs:
    """How labels are drawn.

    unknown  the id of a token that is not in the vocabulary, or None
    raw      ids of bytes that are no character alone; their labels are hexadecimal
    glue     the first signs of a label where no space comes before the token ("" for none)
    """

    unknown: int | None = None
    raw: Sequence[int] = ()
    glue: str = ""


def token_machine(
    ids: Sequence[int],
    labels: dict[int, str],
    table: np.ndarray | None = None,
    about: str = "",
    *,
    zoom: Literal["cut", "look up"],
    signs: Signs = Signs(),
    unit: Unit = "token",
    was: Mapping[int, int] | None = None,
    merges: Sequence[tuple[int, int, int, int]] = (),
    n_merges: int = 0,
    joins: Sequence[tuple[int, int, int, int]] = (),
    words: Sequence[int] = (),
    finding: str = "",
    vocabulary: Sequence[tuple[int, str]] = (),
    n_entries: int = 0,
    on_pairs: Callable[[], None] = lambda: None,
    key: str,
    step_url: str = "",
    token_url: str = "",
) -> None:
    """Put it on the page.

    ids        of the tokens before any merge
    labels     the text on a chip, by id; zoomed on the table, of every id
    table      W_e (V, d_model); not needed for the cut
    about      what table that is
    unit       what one of the tokens is called
    was        which id each token of the text had before all ids were shuffled; None where they were not
    merges     (left id, right id, new id, count), in the order of learning
    n_merges   how many may be learned: learning ends before that where no pair occurs twice any more
    joins      (start, middle, end, new id): where the merges apply in this text, counted in tokens before any merge
    words      where the words begin that no merge goes beyond, counted in the same way
    finding    what a cut without merges comes to, in a sentence
    vocabulary (id, text) of tokens that this cut knows, n_entries in all: of all, or of the first and those of the text
    on_pairs   called where byte pairs are asked for instead
    step_url, token_url  parameters that keep how many merges are applied, if not all, and the token, if not the first
    """
    data = {
        "zoom": zoom,
        "ids": list(ids),
        "labels": {str(id): label for id, label in labels.items()},
        **asdict(signs),
        "merges": merges,
        "n_merges": n_merges,
        "joins": joins,
        "words": list(words),
        **_packed(table),
        "about": about,
        "at": min(number_in(step_url, len(merges)), len(merges)),
        "token": min(number_in(token_url, 0), len(ids) - 1),
        "step_url": step_url,
        "token_url": token_url,
    }
    data |= {"was": {str(id): old for id, old in (was or {}).items()}, "finding": finding, "unit": unit}
    _mount(data=data | {"vocabulary": list(vocabulary), "n_entries": n_entries}, key=key, on_pairs_change=on_pairs)


def _packed(table: np.ndarray | None) -> dict[str, Any]:
    """A table of vectors (V, d) as JSON can carry it."""
    table = np.empty((0, 0)) if table is None else table
    text = base64.b64encode(np.ascontiguousarray(table, "<f4").tobytes()).decode()
    return {"V": len(table), "d": table.shape[1], "table": text}


def number_in(url: str, usual: int) -> int:
    """The whole number under this parameter of the address."""
    text = st.query_params.get(url, "") if url else ""
    return int(text) if re.fullmatch("[0-9]{1,6}", text, re.ASCII) else usual
