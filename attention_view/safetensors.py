"""The header of a safetensors file: 8 bytes with its length, then JSON with type, shape and place of every tensor.

It is read by hand, and by nobody else here: the library safetensors wants all of a file before it says what is in it,
and a stranger's header is to be judged before a byte of the tensors is fetched or memory taken for them.
"""

import math
import struct
from collections.abc import Callable
from typing import Any, NamedTuple

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
    quoted,
    sized,
    wrong_type,
)

# Bytes of a number, by what safetensors calls its type.
WIDTHS = {"F64": 8, "F32": 4, "F16": 2, "BF16": 2, "F8_E4M3": 1, "F8_E5M2": 1, "BOOL": 1, "C64": 8}
WIDTHS |= {f"{sign}{8 * width}": width for sign in "IU" for width in (1, 2, 4, 8)}
_TYPES = {"F16": "<f2", "F32": "<f4", "F64": "<f8", "BF16": "<u2", "BOOL": "|u1", "U8": "|u1"}


class Place(NamedTuple):
    """Where a tensor lies: its type as safetensors call it, its shape, its first byte in the file and that after it."""

    dtype: str
    shape: tuple[int, ...]
    start: int
    stop: int


def header(
    read: Callable[[int, int], bytes | bytearray], size: int, max_bytes: int, max_names: int
) -> tuple[dict[str, Place], dict[str, Any]]:
    """(name -> where each tensor lies, the file's texts), once the tensors fill what follows the header exactly.

    read       the bytes from one place of the file up to another
    size       bytes of the file
    max_bytes  of the header
    max_names  of tensors

    Raises BadTensors.
    """
    (length,) = struct.unpack("<Q", read(0, 8)) if size >= 10 else (size,)
    if length > size - 8:
        raise BadTensors("its header is longer than the file, which was probably cut off on the way; bring it again")
    if length > max_bytes:
        raise BadTensors(f"its header has {length:,} bytes, and {max_bytes:,} is the most; leave out what is not used")
    facts = parsed(read(8, 8 + length), "its header")
    texts = facts.pop("__metadata__", {}) if isinstance(facts, dict) else None
    if not isinstance(texts, dict) or len(facts) > max_names:
        raise BadTensors("its header is not that of a safetensors file; write it again with safetensors")
    places = {name: _place(name, fact, 8 + length) for name, fact in facts.items()}
    end = 8 + length
    for name, place in sorted(places.items(), key=lambda item: item[1][2:]):
        if place.start != end:
            raise BadTensors(f"the numbers of {quoted(name)} do not begin where those before it end; write it again")
        end = place.stop
    if end != size:
        needed, there = end - 8 - length, size - 8 - length
        raise BadTensors(f"its arrays need {needed:,} bytes and {there:,} are there; bring the whole file again")
    return places, texts


def _place(name: str, fact: Any, offset: int) -> Place:
    """What the header says of one tensor, if all of it is as the format has it; the tensors begin at byte `offset`."""
    fault = BadTensors(f"its header does not describe {quoted(name)} as safetensors does; write it again")
    if not isinstance(fact, dict) or fact.keys() != {"dtype", "shape", "data_offsets"}:
        raise fault
    dtype, shape, offsets = fact["dtype"], fact["shape"], fact["data_offsets"]
    if not all(isinstance(part, list) and all(map(_is_size, part)) for part in (shape, offsets)):
        raise fault
    if not isinstance(dtype, str) or len(shape) > MAX_AXES or len(offsets) != 2 or offsets[0] > offsets[1]:
        raise fault
    if dtype not in WIDTHS:
        raise wrong_type(name, dtype)
    there = offsets[1] - offsets[0]
    if math.prod(shape) * WIDTHS[dtype] != there:
        raise BadTensors(
            f"{quoted(name)} is said to be {sized(tuple(shape))}, which cannot be in {there:,} bytes; write it again"
        )
    return Place(dtype, tuple(shape), offset + offsets[0], offset + offsets[1])


def _is_size(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**53


def contents(data: bytes, is_wanted: Callable[[str], bool]) -> Contents:
    """The arrays and texts under the names that are wanted. Raises BadTensors."""
    if data[8:9] != b"{":
        raise BadTensors(
            "it is neither .npz nor .npy nor .safetensors; the lines of Python on this page write such a file"
        )
    places, texts = header(lambda start, stop: data[start:stop], len(data), MAX_TEXT, MAX_NAMES)
    arrays = {name: _stored(name, place, data) for name, place in places.items() if is_wanted(name)}
    wanted = {name: text for name, text in texts.items() if is_wanted(name) and isinstance(text, str)}
    return Contents(arrays, wanted, (*places, *texts))


def _stored(name: str, place: Place, data: bytes) -> Stored:
    """The array at a place of a file."""
    if place.dtype not in _TYPES:
        raise wrong_type(name, place.dtype)
    dtype = np.dtype(_TYPES[place.dtype])

    def read() -> np.ndarray:
        array = np.frombuffer(data, dtype, math.prod(place.shape), place.start)
        if place.dtype == "BF16":  # the upper half of a float32
            array = (array.astype("<u4") << 16).view("<f4")
        return kept(array).reshape(place.shape)

    return Stored(place.shape, np.dtype("<f4") if place.dtype == "BF16" else kept_as(dtype), read)
