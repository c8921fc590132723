"""Safetensors, read and written by hand: 8 bytes with the length of a JSON header, the header, then raw numbers.

Each entry of the header has a dtype, a shape, and where its numbers begin and end; `__metadata__` holds texts. All of
it is checked before an array is made, and arrays are made of the file's own bytes.
"""

import json
import struct
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from attention_view.stored import (
    MAX_AXES,
    MAX_NAMES,
    MAX_TEXT,
    BadTensors,
    Contents,
    Stored,
    kept,
    kept_as,
    parsed,
    product,
    quoted,
    sized,
    wrong_type,
)

_TYPES = {"F16": "<f2", "F32": "<f4", "F64": "<f8", "BF16": "<u2", "BOOL": "|u1", "U8": "|u1"}
_CODES = {"<f2": "F16", "<f4": "F32", "|u1": "U8"}


def contents(data: bytes, is_wanted: Callable[[str], bool]) -> Contents:
    """The arrays and texts under the names that are wanted. Raises BadTensors."""
    if len(data) < 10 or data[8:9] != b"{":
        raise BadTensors("it is neither .npz nor .safetensors; the lines of Python on this page write such a file")
    (length,) = struct.unpack("<Q", data[:8])
    if length > len(data) - 8:
        raise BadTensors("its header is longer than the file, which was probably cut off on the way; bring it again")
    if length > MAX_TEXT:
        raise BadTensors(f"its header has {length:,} bytes, and {MAX_TEXT:,} is the most; leave out what is not shown")
    header = parsed(data[8 : 8 + length], "its header")
    texts = header.pop("__metadata__", {}) if isinstance(header, dict) else None
    if not isinstance(texts, dict) or len(header) > MAX_NAMES:
        raise BadTensors("its header is not that of a safetensors file; write it again with safetensors")
    places = sorted((_place(name, entry), name) for name, entry in header.items())
    end = 0
    for (first, last), name in places:
        if first != end:
            raise BadTensors(f"the numbers of {quoted(name)} do not begin where those before it end; write it again")
        end = last
    there = len(data) - 8 - length
    if end != there:
        raise BadTensors(f"its arrays need {end:,} bytes and {there:,} are there; bring the whole file again")
    arrays = {name: _stored(name, header[name], data, 8 + length + at) for (at, _), name in places if is_wanted(name)}
    wanted = {name: text for name, text in texts.items() if is_wanted(name) and isinstance(text, str)}
    return Contents(arrays, wanted, (*header, *texts))


def _place(name: str, entry: Any) -> tuple[int, int]:
    """Where the numbers of an entry begin and end, if all of it is as the format says."""
    if isinstance(entry, dict) and entry.keys() == {"dtype", "shape", "data_offsets"}:
        shape, offsets = entry["shape"], entry["data_offsets"]
        are_sizes = all(isinstance(part, list) and all(map(_is_size, part)) for part in (shape, offsets))
        if are_sizes and isinstance(entry["dtype"], str) and len(shape) <= MAX_AXES and len(offsets) == 2:
            first, last = offsets
            if first <= last:
                return first, last
    raise BadTensors(f"its header does not describe {quoted(name)} as safetensors does; write it again")


def _is_size(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**53


def _stored(name: str, entry: dict, data: bytes, at: int) -> Stored:
    """The array of an entry, whose numbers begin at byte `at` of the file."""
    code, shape = entry["dtype"], tuple(entry["shape"])
    first, last = entry["data_offsets"]
    if code not in _TYPES:
        raise wrong_type(name, code)
    dtype, n = np.dtype(_TYPES[code]), product(shape)
    if n * dtype.itemsize != last - first:
        raise BadTensors(
            f"{quoted(name)} is said to be {sized(shape)}, which cannot be in {last - first:,} bytes; write it again"
        )

    def read() -> np.ndarray:
        array = np.frombuffer(data, dtype, n, at)
        if code == "BF16":  # the upper half of a float32
            array = (array.astype("<u4") << 16).view("<f4")
        return kept(array).reshape(shape)

    return Stored(shape, np.dtype("<f4") if code == "BF16" else kept_as(dtype), read)


def as_bytes(arrays: Mapping[str, np.ndarray], texts: Mapping[str, str]) -> bytes:
    """A file of these arrays (float16, float32 or uint8) and texts."""
    header: dict[str, Any] = {"__metadata__": dict(texts)}
    raw, at = [], 0
    for name, array in arrays.items():
        raw.append(np.ascontiguousarray(array).tobytes())
        place = [at, at + len(raw[-1])]
        header[name] = {"dtype": _CODES[array.dtype.str], "shape": array.shape, "data_offsets": place}
        at = place[1]
    head = json.dumps(header).encode()
    head += b" " * (-len(head) % 8)
    return b"".join([struct.pack("<Q", len(head)), head, *raw])
