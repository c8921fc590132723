"""A text as chips with their ids; for byte pairs also the merges that made them, to be scrubbed through.

It runs in the browser: how many merges are applied costs no message to the server.
"""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import streamlit as st

from pages.shared.components import component

_mount = component("token_strip", Path(__file__).parent)


class Strip(NamedTuple):
    """What is drawn.

    ids      of the tokens as they are at first: before any merge
    labels   what stands on a chip, by id
    unknown  the id that says "never met", or None
    raw      ids of bytes that are no character alone; their labels are hexadecimal
    glue     what a label begins with where no space stands before the token ("" for none)
    merges   (left id, right id, new id, count), in the order of learning
    joins    (start, middle, end, new id): where the merges apply in this text, counted in first tokens
    """

    ids: Sequence[int]
    labels: dict[int, str]
    unknown: int | None = None
    raw: Sequence[int] = ()
    glue: str = ""
    merges: Sequence[tuple[int, int, int, int]] = ()
    joins: Sequence[tuple[int, int, int, int]] = ()


def token_strip(strip: Strip, *, key: str, url: str) -> None:
    """Put the chips on the page. url: the query parameter that keeps how many merges are applied, if not all."""
    asked = st.query_params.get(url, "")
    n = len(strip.merges)
    at = min(int(asked), n) if re.fullmatch("[0-9]{1,6}", asked, re.ASCII) else n
    data = {**strip._asdict(), "labels": {str(id): label for id, label in strip.labels.items()}, "at": at, "url": url}
    _mount(data=data, key=key)
