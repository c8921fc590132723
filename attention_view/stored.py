"""What a stranger's file of arrays is made of, whatever its format: limits, arrays of which only the header is known,
and the one error for all that is wrong with it."""

import json
import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

MAX_FILE = 64 * 2**20  # bytes, as the server takes uploads
MAX_BYTES = 96 * 2**20  # of all arrays that are read from a file, unpacked
MAX_TEXT = 2**20  # bytes of one text, and of a header
MAX_NAMES = 4096  # in one file
MAX_AXES = 8


class BadTensors(ValueError):
    """A file cannot be shown. The message is one sentence for whoever brought it: the fault, and what to do.

    fault  that sentence without its beginning and its full stop, for others who read such files
    """

    def __init__(self, fault: str):
        self.fault = fault
        super().__init__(f"This file cannot be shown: {fault}.")


class Stored(NamedTuple):
    """An array in a file, of which only the header has been read.

    dtype  of the array that `read` makes, see `kept_as`
    read   makes it; raises BadTensors where the bytes are not what the header says
    """

    shape: tuple[int, ...]
    dtype: np.dtype
    read: Callable[[], np.ndarray]

    @property
    def n_bytes(self) -> int:
        return math.prod(self.shape) * self.dtype.itemsize


class Contents(NamedTuple):
    """What a file holds under the names that were asked for, and all names in it."""

    arrays: dict[str, Stored]
    texts: dict[str, str]
    names: tuple[str, ...]


def kept_as(dtype: np.dtype) -> np.dtype:
    """What numbers of this type are kept as: half precision stays, other fractions become float32."""
    if dtype.kind != "f":
        return dtype
    return np.dtype("<f2" if dtype.itemsize == 2 else "<f4")


def kept(array: np.ndarray) -> np.ndarray:
    """The array in the type of `kept_as`; what float32 cannot hold becomes infinite, and is refused as that."""
    with np.errstate(over="ignore", invalid="ignore"):
        return array.astype(kept_as(array.dtype), copy=False)


def parsed(text: str | bytes | bytearray, what: str) -> Any:
    """Strict JSON: no name twice in one object, which readers would understand differently, and no NaN."""

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        if len(result := dict(pairs)) < len(pairs):
            raise ValueError("a name stands there twice")
        return result

    def refuse(constant: str) -> None:
        raise ValueError(constant)

    try:
        return json.loads(text, object_pairs_hook=once, parse_constant=refuse)
    except (ValueError, RecursionError):
        raise BadTensors(f"{what} cannot be read as JSON; write it with json.dumps") from None


def quoted(value: object) -> str:
    """A stranger's word for a sentence: short, on one line, and nothing in it that cannot be shown."""
    text = "".join(c if c.isprintable() else "\ufffd" for c in str(value)[:61])
    return f"“{text if len(text) <= 60 else text[:59] + '…'}”"


def sized(shape: tuple[int, ...]) -> str:
    """A shape for a sentence: "6 × 12 × 14 × 14"."""
    return " × ".join(f"{n:,}" for n in shape) if shape else "a single number"


def wrong_type(name: str, kind: str) -> BadTensors:
    return BadTensors(f"{quoted(name)} is of type {quoted(kind)}; save it as float16 or float32")
