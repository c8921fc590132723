"""A table as a roll of its rows: a word of the text spins it to the row with its id, and that row comes out as bars.

It runs in the browser: pressing a word and rolling by hand wait for no message from the server.

What is sent does not grow with the model: one byte for each number of the lines that are drawn (at most 4,096 rows by
128 numbers, half a megabyte; 256 kB for the storyteller), and in float32 only the rows that the text takes.
"""

import base64
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from lab.kit.components import component
from pages.embeddings.components.token_machine import Signs, number_in
from pages.embeddings.lines import Lines

_mount = component("row_roll", Path(__file__).parent)


def row_roll(
    ids: Sequence[int],
    labels: Mapping[int, str],
    lines: Lines,
    about: str,
    *,
    signs: Signs,
    key: str,
    token_url: str = "",
) -> None:
    """Put it on the page.

    ids         of the tokens of the text, as they were learned
    labels      the text of a token, by id: of each line that is drawn
    about       what table that is
    token_url   the parameter that keeps the token, if not the first
    """
    V, d = lines.size
    data = {
        "ids": list(ids),
        "labels": {str(id): labels[id] for id in lines.ids.tolist()},
        "unknown": signs.unknown,
        "glue": signs.glue,
        "V": V,
        "d": d,
        "lines": None if len(lines.ids) == V else lines.ids.tolist(),
        "across": lines.picture.shape[1],
        "picture": _packed(lines.picture, "i1"),
        "step": lines.step,
        "largest": lines.largest,
        "own": lines.own.tolist(),
        "rows": _packed(lines.rows, "<f4"),
        "about": about,
        "token": min(number_in(token_url), len(ids) - 1),
        "token_url": token_url,
    }
    _mount(data=data, key=key)


def _packed(numbers: np.ndarray, kind: str) -> Any:
    """An array as JSON can carry it."""
    return base64.b64encode(np.ascontiguousarray(numbers, kind).tobytes()).decode()
