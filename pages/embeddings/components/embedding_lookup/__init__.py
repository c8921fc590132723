"""A one-hot row times the embedding table picks a row of it: to be tried token by token, in the browser."""

import base64
import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import streamlit as st

from pages.shared.components import component

_mount = component("lookup", Path(__file__).parent)


def lookup(ids: Sequence[int], labels: Sequence[str], table: np.ndarray, *, key: str, url: str) -> None:
    """Put it on the page.

    ids     of the tokens of a text
    labels  of every id (V,)
    table   W_e (V, d_model)
    url     the query parameter that keeps which token is chosen, if not the first
    """
    position = st.query_params.get(url, "")
    at = int(position) if re.fullmatch("[0-9]{1,6}", position, re.ASCII) else 0
    data = {
        "ids": list(ids),
        "labels": list(labels),
        "d": table.shape[1],
        "table": base64.b64encode(np.ascontiguousarray(table, "<f4").tobytes()).decode(),
        "at": min(at, len(ids) - 1),
        "url": url,
    }
    _mount(data=data, key=key)
