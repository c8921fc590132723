"""How a payload lies in bytes, as payload.py describes it: put together, and taken apart again."""

import json
import math
from collections.abc import Mapping

import numpy as np


def as_bytes(header: Mapping[str, object], arrays: Mapping[str, np.ndarray]) -> bytes:
    """Header and arrays as one run of bytes."""
    parts, entries, offset = [], {}, 0
    for name, array in arrays.items():
        raw = np.ascontiguousarray(array).tobytes()
        entries[name] = {"at": offset, "shape": list(array.shape), "type": array.dtype.str.lstrip("<|")}
        parts += [raw, b"\0" * (-len(raw) % 8)]
        offset += len(raw) + -len(raw) % 8
    head = json.dumps({**header, "arrays": entries}).encode()
    head += b" " * (-(len(head) + 4) % 8)
    return b"".join([len(head).to_bytes(4, "little"), head, *parts])


def parts(payload: bytes) -> tuple[dict, dict[str, np.ndarray]]:
    """Header and arrays of what as_bytes has put together."""
    begin = 4 + int.from_bytes(payload[:4], "little")
    header = json.loads(payload[4:begin])
    arrays = {}
    for name, entry in header.pop("arrays").items():
        array = np.frombuffer(payload, f"<{entry['type']}", math.prod(entry["shape"]), begin + entry["at"])
        arrays[name] = array.reshape(entry["shape"])
    return header, arrays
