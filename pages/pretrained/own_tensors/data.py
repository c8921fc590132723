"""Pictures of files of tensors. What was read of a visitor's file is in their session alone, and there once."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import numpy as np

from attention_view import Kinds, Picture
from attention_view.tensor_file import TensorFile
from lab.kit.models.recordings import scored
from lab.server import gate
from lab.server.caching import cached
from pages.pretrained.flows import flow_picture
from transformer.core.workload import Workload

_HERE = Path(__file__).parent
ADVICE = "Fewer layers or a shorter text need less."


@cache
def example() -> bytes:
    """The file that the view opens with: what the lines of "ours" write."""
    return (_HERE / "example.npz").read_bytes()


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
def example_read() -> Read:
    """The file that the view opens with."""
    return read(example())


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
