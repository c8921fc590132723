"""How one number of a query, key or value is made: a vector beside a matrix, and one column's products added up."""

import base64
from pathlib import Path
from typing import Literal

import numpy as np

from lab.kit.components import component

_mount = component("column_sum", Path(__file__).parent)


def column_sum(
    x: np.ndarray,
    w: np.ndarray,
    b: np.ndarray,
    *,
    word: str,
    made: Literal["query", "key", "value"],
    feature: int,
    key: str,
    alt: str,
) -> None:
    """Show x W + b = y; the column that one picks in the browser is multiplied with x, number by number, and added up.

    x        (D,) the vector of a word
    w, b     (D, d_k), (d_k,) what makes its query, key or value of it
    word     whose vector it is
    feature  the column that is picked at first
    """
    data = {name: _packed(numbers) for name, numbers in (("x", x), ("w", w), ("b", b))}
    _mount(data={**data, "word": word, "made": made, "feature": feature, "alt": alt}, key=key)


def _packed(numbers: np.ndarray) -> str:
    return base64.b64encode(np.ascontiguousarray(numbers, "<f4").tobytes()).decode()
