"""A text as chips with their ids; for byte pairs also the merges that made them, to be scrubbed through.

It runs in the browser: how many merges are applied costs no message to the server.
"""

import re
from collections.abc import Sequence
from pathlib import Path

import streamlit as st

from pages.shared.components import component

_mount = component("token_strip", Path(__file__).parent)


def token_strip(
    ids: Sequence[int],
    labels: dict[int, str],
    *,
    unknown: int | None = None,
    raw: Sequence[int] = (),
    glue: str = "",
    merges: Sequence[tuple[int, int, int, int]] = (),
    joins: Sequence[tuple[int, int, int, int]] = (),
    key: str,
    url: str,
) -> None:
    """Put the chips on the page.

    ids      of the tokens before any merge
    labels   the text on a chip, by id
    unknown  the id of a token that is not in the vocabulary, or None
    raw      ids of bytes that are no character alone; their labels are hexadecimal
    glue     the first signs of a label where no space stands before the token ("" for none)
    merges   (left id, right id, new id, count), in the order of learning
    joins    (start, middle, end, new id): where the merges apply in this text, counted in tokens before any merge
    url      the query parameter that keeps how many merges are applied, if not all
    """
    step = st.query_params.get(url, "")
    n = len(merges)
    data = {
        "ids": ids,
        "labels": {str(id): label for id, label in labels.items()},
        "unknown": unknown,
        "raw": raw,
        "glue": glue,
        "merges": merges,
        "joins": joins,
        "at": min(int(step), n) if re.fullmatch("[0-9]{1,6}", step, re.ASCII) else n,
        "url": url,
    }
    _mount(data=data, key=key)
