"""The codes of positions as one figure: the table, its clocks, one wave, and likeness. It runs in the browser."""

from pathlib import Path

import numpy as np

from attention_view.payload import as_bytes
from lab.kit.components import component

_mount = component("position_code", Path(__file__).parent)
MAX_STEP = 32


def pack(table: np.ndarray, wavelengths: list[float], length: int, at: int) -> bytes:
    """The bytes that the browser draws.

    table        (length + MAX_STEP, d) codes: a step leads past the last position shown
    wavelengths  of every pair of columns, in positions
    length       how many positions are shown
    at           the position that is chosen at first
    """
    if table.shape[0] != length + MAX_STEP or len(wavelengths) != -(-table.shape[1] // 2):
        raise ValueError(f"{table.shape} is no table of {length} positions and {len(wavelengths)} pairs")
    header = {"length": length, "d": table.shape[1], "turns": wavelengths, "most": MAX_STEP, "at": at}
    return as_bytes(header, {"table": table.astype("<f4")})


def position_code(packed: bytes, *, key: str) -> None:
    """Put the figure on the page; position, step and pair are in the address as pos_at, pos_offset and pos_pair."""
    _mount(data=packed, key=key)
