"""What the browser is sent, read in Python by the format that payload.py documents, and by nothing else of it."""

import json
import sys
from typing import NamedTuple

import numpy as np


class Payload(NamedTuple):
    header: dict
    arrays: dict[str, np.ndarray]


def unpack(data: bytes) -> Payload:
    """Header and arrays; fails where the bytes are not laid out as documented."""
    length = int.from_bytes(data[:4], "little")
    header = json.loads(data[4 : 4 + length])
    body = 4 + length
    assert body % 8 == 0, "the arrays start on a multiple of 8"
    assert sys.byteorder == "little", "as every machine that runs a browser"
    arrays, end = {}, 0
    for name, entry in header["arrays"].items():
        assert entry["at"] % 8 == 0, f"{name} starts on a multiple of 8"
        assert entry["at"] >= end, f"{name} lies behind the array before it"
        assert entry["type"] in ("f4", "u1"), f"{name} is of a type that the browser knows"
        array = np.frombuffer(data, entry["type"], int(np.prod(entry["shape"], dtype=int)), body + entry["at"])
        arrays[name] = array.reshape(entry["shape"])
        end = entry["at"] + array.nbytes
    assert body + end <= len(data) < body + end + 8, "nothing but padding follows the last array"
    return Payload(header, arrays)


def explained(q, k, scale=1.0, bias=None, mask=None) -> np.ndarray:
    """softmax(q k^T / scale + bias) over the keys that the mask allows, in float64; a row without any is zeros.

    q (..., H, T, d_k), k (..., Hkv, S, d_k), bias (H, T, S), mask (T, S) -> (..., H, T, S)
    """
    q, k = np.asarray(q, "f8"), np.asarray(k, "f8")
    k = np.repeat(k, q.shape[-3] // k.shape[-3], axis=-3)
    scores = np.einsum("...td,...sd->...ts", q, k) / scale
    if bias is not None:
        scores = scores + np.asarray(bias, "f8")
    allowed = np.broadcast_to(True if mask is None else np.asarray(mask, bool), scores.shape)
    scores = np.where(allowed, scores, -np.inf)
    highest = scores.max(-1, keepdims=True)
    exp = np.where(allowed, np.exp(scores - np.where(np.isfinite(highest), highest, 0)), 0)
    total = exp.sum(-1, keepdims=True)
    return np.divide(exp, total, out=np.zeros_like(exp), where=total > 0)


def bias_of(payload: Payload) -> np.ndarray | None:
    """The bias (H, T, S), put together again from its entries by distance."""
    line = payload.arrays.get("bias")
    if line is None:
        return None
    T, S = len(payload.header["queries"]), len(payload.header["keys"])
    return line[:, T - 1 + np.arange(S)[None, :] - np.arange(T)[:, None]]


def recomputed(payload: Payload) -> np.ndarray:
    """The weights that the payload's own q, k, scale, bias and mask give."""
    a = payload.arrays
    return explained(a["q"], a["k"], payload.header["scale"], bias_of(payload), a.get("mask"))
