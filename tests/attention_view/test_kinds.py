"""Several kinds of attention as one payload, in which each is whole."""

from typing import Any

import numpy as np
import pytest

from attention_view import Kinds, Packed, Picture, payload, to_html
from tests.payloads import unpack


def picture(L: int, H: int, T: int, S: int, **more: Any) -> Picture:
    weights = np.random.default_rng(T * S).dirichlet(np.ones(S), (L, H, T)).astype("f4")
    return Picture(
        queries=tuple(f"q{i}" for i in range(T)), keys=tuple(f"k{j}" for j in range(S)), weights=weights, **more
    )


PICTURES = {"encoder": picture(3, 2, 6, 6), "decoder": picture(2, 4, 5, 5), "cross": picture(2, 4, 5, 6, opens=(1, 3))}


def parts(data: bytes) -> dict[str, bytes]:
    header, arrays = unpack(data)
    return {name: arrays[f"kind:{name}"].tobytes() for name in header["kinds"]}


def test_each_kind_is_the_payload_that_it_is_alone():
    kinds = Kinds(PICTURES, opens="cross")
    inner = parts(kinds(1, 2, kind=1, url="a_"))
    assert list(inner) == list(PICTURES)
    for name, seen in PICTURES.items():
        assert inner[name] == Packed(seen)(*((1, 2) if name == "decoder" else seen.opens), url="a_")
        assert np.array_equal(unpack(inner[name]).arrays["weights"], np.asarray(seen.weights))


@pytest.mark.parametrize(("kind", "shown"), [(None, 2), (0, 0), (99, 2), (-1, 0)])
def test_a_kind_that_does_not_exist_becomes_the_nearest(kind, shown):
    assert unpack(Kinds(PICTURES, opens="cross")(kind=kind)).header["kind"] == shown


def test_beyond_exact_the_head_in_view_is_that_of_the_kind_in_view(monkeypatch):
    monkeypatch.setattr(payload, "EXACT_CELLS", 0)
    inner = parts(Kinds(PICTURES)(1, 2, kind=2))
    assert {name: unpack(data).header["view"] for name, data in inner.items()} == {
        "encoder": [0, 0],
        "decoder": [0, 0],
        "cross": [1, 2],
    }
    assert np.array_equal(unpack(inner["cross"]).arrays["view:weights"], PICTURES["cross"].weights[1, 2])


def test_the_head_that_opens_is_that_of_the_first_kind():
    kinds = Kinds(PICTURES, opens="cross")
    assert (kinds.shape, kinds.opens) == ((2, 4, 5, 6), (1, 3))
    assert {n: unpack(data).header["open"] for n, data in parts(kinds(open=[0, 1])).items()} == {
        "encoder": [0, 0],
        "decoder": [0, 0],
        "cross": [0, 1],
    }
    alone = parts(kinds.alone(0, 2))
    assert unpack(alone["cross"]).header["open"] == [0, 2]
    assert unpack(alone["encoder"]).header["alone"]


def test_a_page_of_its_own_and_a_notebook():
    kinds = Kinds(PICTURES, opens="cross")
    assert "<iframe" in kinds._repr_html_()
    assert to_html(kinds, layer=1, head=3).startswith("<!doctype html>")
    with pytest.raises(ValueError, match="layer 2, head 0 is not among 2 layers of 4 heads"):
        to_html(kinds, layer=2)


def test_what_is_not_there_is_refused():
    with pytest.raises(ValueError, match="no kind of attention"):
        Kinds({})
    with pytest.raises(ValueError, match="'crosss' is not among encoder, decoder, cross"):
        Kinds(PICTURES, opens="crosss")
