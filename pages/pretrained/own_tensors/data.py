"""Pictures of files of tensors. What was read of a visitor's file is in their session alone, and there once."""

import hashlib
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import numpy as np

from attention_view import Kinds, Marks, Picture
from attention_view.tensor_file import TensorFile
from lab.kit.models.recordings import scored
from lab.server import gate
from lab.server.caching import cached
from pages.pretrained.components.from_file import Shown, plain_maps
from pages.pretrained.flows import flow_picture
from transformer import pretrained
from transformer.core.workload import Workload

_HERE = Path(__file__).parent
ADVICE = "Fewer layers or a shorter text need less."
MAX_DRAWN = 48  # tokens of a text that are drawn as small maps,
MAX_CELLS = 1_200_000  # and cells of all of these together
OURS = "example.npz"  # what the lines of "ours" write: three kinds of attention, with q and k
CHAT = 2  # the query there whose word has moved: “noir” comes after it, and “black” before
# What the view opens with, one text and the 72 heads of a larger model, and what follows: a translation with few heads.
_RECORDED = {one.file.name: one for one in pretrained.recording.RECORDINGS if one.name == "tired"}
EXAMPLES = {**{name: one.file for name, one in _RECORDED.items()}, OURS: _HERE / OURS}


@cache
def example(name: str) -> bytes:
    """One of EXAMPLES."""
    return EXAMPLES[name].read_bytes()


@cache
def script(name: str) -> str:
    """The lines of Python that write such a file, by the name of the script: a text, which nobody imports."""
    return (_HERE / f"{name}.txt").read_text(encoding="utf-8")


@dataclass(frozen=True)
class Read:
    """A file that has been read; digest tells files apart.

    pictures  of every kind of attention in it
    kinds     the same with scores, ready to be sent; it holds the same arrays
    """

    digest: str
    pictures: Mapping[str, Picture] = field(compare=False, repr=False)
    kinds: Kinds = field(compare=False, repr=False)


def read(data: bytes) -> Read:
    """Every kind of attention in the bytes of a file. Raises BadTensors and TooMuch."""
    file = TensorFile(data)
    # The arrays, their scores layer by layer, and what is sent; q and k are multiplied to see whether they belong.
    work = Workload(3 * file.n_bytes + len(data), 32 * file.n_bytes, file.n_bytes, ADVICE)
    with gate.turn(work):
        pictures = file.pictures()
        kinds = Kinds({kind: scored(picture) for kind, picture in pictures.items()})
    return Read(hashlib.sha256(data).hexdigest(), pictures, kinds)


@cache
def example_read(name: str) -> Read:
    """One of EXAMPLES, read as a visitor's file is."""
    return read(example(name))


@cache
def example_shown(name: str) -> Shown:
    """One of EXAMPLES, as small maps."""
    query = _RECORDED[name].edge.query if name in _RECORDED else CHAT
    return shown(name, len(example(name)), example_read(name), query)


def shown(name: str, n_bytes: int, file: Read, query: int | None = None) -> Shown:
    """A file as small maps: its cross-attention where it has one, else its first kind, and with it the others.

    Each asks about the word from which heads look at the most different keys; the first one about this query, if there
    is one.
    """
    opened = "cross" if "cross" in file.pictures else next(iter(file.pictures))
    others = tuple(_shown(name, n_bytes, file, kind) for kind in file.pictures if kind != opened)
    return _shown(name, n_bytes, file, opened, query)._replace(also=others)


def _shown(name: str, n_bytes: int, file: Read, kind: str, query: int | None = None) -> Shown:
    """One kind of attention in a file."""
    picture = file.pictures[kind]
    weights = np.asarray(picture.weights)
    L, H, T, S = weights.shape
    n = min(MAX_DRAWN, max(1, math.isqrt(MAX_CELLS // (L * H * len(file.pictures)))))
    drawn = weights[:, :, :n, :n].reshape(L * H, min(T, n), min(S, n))
    queries, keys = tuple(picture.queries[:n]), tuple(picture.keys[:n])
    is_one_text = _is_of_one_text(kind, picture)
    no_queries, no_keys = _special(picture.query_marks, len(queries)), _special(picture.key_marks, len(keys))
    key, largest = (of(weights[:, :, :n], -1).reshape(L * H, -1) for of in (np.argmax, np.max))
    different = np.array([len({*looks}) for looks in key.T.tolist()]) * ~no_queries
    cut = np.flatnonzero(key >= n)
    cells = zip(cut.tolist(), key.flat[cut].tolist(), largest.flat[cut].astype(float).tolist(), strict=True)
    return Shown(
        name=name,
        n_bytes=n_bytes,
        digest=file.digest,
        kind=kind,
        layers=L,
        heads=H,
        tokens=T,
        n_keys=S,
        queries=queries,
        keys=keys,
        is_one_text=is_one_text,
        asks=int(different.argmax()) if query is None else query,
        named=picture.opens[0] * H + picture.opens[1],
        marks=tuple(np.flatnonzero(no_keys).tolist()),
        maps=plain_maps(drawn),
        beyond=tuple((row, j, weight, picture.keys[j]) for row, j, weight in cells),
    )


def _special(marks: Marks, n: int) -> np.ndarray:
    """Whether each of the first n tokens is a special one."""
    return np.array([*marks.special[:n]], dtype=bool) if len(marks.special) else np.zeros(n, dtype=bool)


def _rolling(digest: str, _pictures: Mapping[str, Picture]) -> Workload:
    n_bytes = sum(picture.weights.nbytes for picture in _pictures.values() if isinstance(picture.weights, np.ndarray))
    return Workload(2 * n_bytes, 8 * n_bytes, n_bytes, ADVICE)


@cached(work=_rolling)
def rollouts(digest: str, _pictures: Mapping[str, Picture]) -> Kinds | None:
    """The rollout of every kind of attention that leads from a text to itself; None where there is none in the file."""
    flows = {kind: _rollout(picture) for kind, picture in _pictures.items() if _is_of_one_text(kind, picture)}
    return Kinds(flows) if flows else None


def _is_of_one_text(kind: str, picture: Picture) -> bool:
    T, S = picture.weights.shape[2:]
    return T == S and picture.queries == picture.keys and kind != "cross"


def _rollout(picture: Picture) -> Picture:
    assert isinstance(picture.weights, np.ndarray)
    return flow_picture(picture.weights, picture.queries, picture.query_marks, picture.mask)
