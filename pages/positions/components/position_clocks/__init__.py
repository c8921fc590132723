"""Clocks: every pair of a query and a key is two arrows, which their positions turn. It runs in the browser.

The message: 4 bytes with the length of a JSON header (little-endian), the header, padded with spaces so that the rest
starts on a multiple of 8, then two float32 tables (places, pairs, 2), one after the other.
"""

import json
import struct
from pathlib import Path

import numpy as np

from lab.kit.components import component

_mount = component("clocks", Path(__file__).parent)


def pack(first: np.ndarray, second: np.ndarray, wavelengths: list[float], max_offset: int) -> bytes:
    """The bytes that the browser draws.

    first        (places, pairs, 2): the query at each position, (x, y) of every pair; read at position + offset
    second       (places, pairs, 2): the key, likewise; read at position
    wavelengths  of every pair, in positions
    max_offset   how far the sliders go; positions end this much before the tables do
    """
    if not first.shape == second.shape == (len(first), len(wavelengths), 2):
        raise ValueError(f"{first.shape} and {second.shape} are not tables of {len(wavelengths)} pairs")
    if not 0 <= max_offset < len(first):
        raise ValueError(f"an offset of {max_offset} does not fit {len(first)} places")
    header = {"places": len(first), "pairs": len(wavelengths), "turns": wavelengths, "most": max_offset}
    head = json.dumps(header).encode()
    head += b" " * (-(len(head) + 4) % 8)
    tables = [np.ascontiguousarray(table, "<f4").tobytes() for table in (first, second)]
    return struct.pack("<I", len(head)) + head + b"".join(tables)


def position_clocks(packed: bytes, *, key: str) -> None:
    """Put the clocks on the page; position and offset are kept in the address bar as pos_at and pos_offset."""
    _mount(data=packed, key=key)
