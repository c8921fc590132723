"""A one-hot row times the embedding table picks a row of it: to be tried token by token, in the browser."""

import base64
import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import streamlit as st

from pages.shared.components import component

_mount = component("lookup", Path(__file__).parent)


class Picked(NamedTuple):
    """What is drawn: the ids of a text, the label of every id (V,), and W_e (V, d_model)."""

    ids: Sequence[int]
    labels: Sequence[str]
    table: np.ndarray


def lookup(picked: Picked, *, key: str, url: str) -> None:
    """Put it on the page. url: the query parameter that keeps which token is chosen, if not the first."""
    asked = st.query_params.get(url, "")
    at = int(asked) if re.fullmatch("[0-9]{1,6}", asked, re.ASCII) else 0
    data = {
        "ids": list(picked.ids),
        "labels": list(picked.labels),
        "d": picked.table.shape[1],
        "table": base64.b64encode(np.ascontiguousarray(picked.table, "<f4").tobytes()).decode(),
        "at": min(at, len(picked.ids) - 1),
        "url": url,
    }
    _mount(data=data, key=key)
