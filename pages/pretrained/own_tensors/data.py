"""Pictures of files of tensors. They are kept by what is in the file, so nobody gets at one who does not have it."""

from functools import cache
from pathlib import Path

import numpy as np

from attention_view import Kinds, Picture
from attention_view.tensor_file import TensorFile
from pages.pretrained.flows import flow_picture
from pages.shared.caching import cached
from pages.shared.recordings import scored
from transformer.workload import Workload

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


def _reading(digest: str, _data: bytes) -> Workload:
    file = TensorFile(_data)
    # The arrays, their scores layer by layer, and what is sent; q and k are multiplied to see whether they belong.
    return Workload(3 * file.n_bytes + len(_data), 32 * file.n_bytes, file.n_bytes, ADVICE)


@cached(work=_reading)
def pictures(digest: str, _data: bytes) -> Kinds:
    """Every kind of attention in the bytes of a file; digest tells files apart. Raises BadTensors and TooMuch."""
    return Kinds({kind: scored(picture) for kind, picture in TensorFile(_data).pictures().items()})


@cached(work=_reading)
def rollouts(digest: str, _data: bytes) -> Kinds | None:
    """The rollout of every kind of attention that leads from a text to itself; None where there is none in the file."""
    pictures = TensorFile(_data).pictures()
    flows = {kind: _rollout(picture) for kind, picture in pictures.items() if _is_of_one_text(kind, picture)}
    return Kinds(flows) if flows else None


def _is_of_one_text(kind: str, picture: Picture) -> bool:
    T, S = picture.weights.shape[2:]
    return T == S and picture.queries == picture.keys and kind != "cross"


def _rollout(picture: Picture) -> Picture:
    assert isinstance(picture.weights, np.ndarray)
    return flow_picture(picture.weights, picture.queries, picture.query_marks, picture.mask)
