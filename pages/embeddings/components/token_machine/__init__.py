"""A text as chips with their ids, and between them joints as thick as they are frequent: byte pairs merge by hand.

It runs in the browser: neither a merge nor another token costs a message to the server.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import streamlit as st

from lab.kit.components import component

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
    *,
    signs: Signs = Signs(),
    merges: Sequence[tuple[int, int, int, int]] = (),
    joins: Sequence[tuple[int, int, int, int]] = (),
    counts: Sequence[Sequence[tuple[int, int, int]]] = (),
    words: Sequence[int] = (),
    finding: str = "",
    vocabulary: Sequence[tuple[int, str]] = (),
    n_entries: int = 0,
    on_pairs: Callable[[], None] = lambda: None,
    key: str,
    step_url: str = "",
) -> None:
    """Put it on the page.

    ids        of the tokens before any merge
    labels     the text on a chip, by id
    merges     (left id, right id, new id, count), in the order of learning
    joins      (start, middle, end, new id): where the merges apply in this text, counted in tokens before any merge
    counts     for each merge (left id, right id, count), where a pair of this text has another count before it
    words      where the words begin that no merge goes beyond, counted in the same way
    finding    what a cut without merges comes to, in a sentence
    vocabulary (id, text) of tokens that this cut knows, n_entries in all: of all, or of the first and those of the text
    on_pairs   called where byte pairs are asked for instead
    step_url   the parameter that keeps how many merges are applied, if any
    """
    data = {
        "ids": list(ids),
        "labels": {str(id): label for id, label in labels.items()},
        **asdict(signs),
        "merges": merges,
        "joins": joins,
        "counts": counts,
        "words": list(words),
        "at": min(number_in(step_url), len(merges)),
        "step_url": step_url,
        "finding": finding,
        "vocabulary": list(vocabulary),
        "n_entries": n_entries,
    }
    _mount(data=data, key=key, on_pairs_change=on_pairs)


def number_in(url: str) -> int:
    """The whole number under this parameter of the address; 0 where there is none."""
    text = st.query_params.get(url, "") if url else ""
    return int(text) if re.fullmatch("[0-9]{1,6}", text, re.ASCII) else 0
