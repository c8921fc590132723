"""The film's packets, decoded by the documented format: whole ones, and new frames that join on to them."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from pages.live.components.training_film import CURVES, Side, chance, pack
from tests.payloads import unpack
from tests.training.toys import config, toy
from transformer.training.film import CURVES as RECORDED
from transformer.training.film import Film, film_of
from transformer.training.settings import Settings
from transformer.training.trainer import Trainer


@pytest.fixture(scope="module")
def film():
    trainer = Trainer(toy(), config(n_decoder_layers=2), Settings(steps=12, batch_size=4, n_examples=50, every=2))
    return film_of(trainer.task, list(trainer.parts), list(trainer.run()))


def side(film: Film | None, first: int = 0, **more: Any) -> Side:
    defaults: dict[str, Any] = {
        "id": "a1",
        "state": "running",
        "planned": 12,
        "film": film,
        "first": first,
        "guess": 2.5,
    }
    return Side(**defaults | more)


def test_every_recorded_curve_is_sent():
    assert set(CURVES) == set(RECORDED)


def test_a_whole_packet_holds_the_film(film):
    packet = pack([side(film, values={"batch": "4"})], [("step", "step"), ("x", "")], "here", to_train=70)
    header, arrays = unpack(packet)
    assert header["to_train"] == 70
    (facts,) = header["sides"]
    names = ("id", "state", "frames", "first", "guess")
    assert [facts[name] for name in names] == ["a1", "running", 7, 0, 2.5]
    assert facts["parts"] == list(film.parts)
    assert header["code"] == [["step", "step"], ["x", ""]]
    assert arrays["0.steps"].tolist() == [0, 2, 4, 6, 8, 10, 12]
    for c, name in enumerate(header["curves"]):
        np.testing.assert_array_equal(arrays["0.curves"][:, c], film.curves[name].astype("f4"))
    np.testing.assert_array_equal(arrays["0.grads"], film.grad_norms.astype("f4"))
    for kind, maps in film.frames[0].items():
        np.testing.assert_array_equal(arrays[f"0.0.{kind}"], maps)
        told = facts["probes"][0][kind]
        assert told["queries"] == list(film.axes[0][kind].queries)
        assert told["keys"] == list(film.axes[0][kind].keys)
        assert told["heads"] == list(maps.shape[1:3])
        assert told["masked"] == (kind == "decoder")
    assert facts["probes"][0]["cross"]["ghost"] == [[i, i] for i in range(4)]
    assert facts["probes"][0]["cross"]["chance"] == pytest.approx(1 / 4)
    assert facts["probes"][0]["encoder"]["chance"] is None


@pytest.mark.parametrize("first", range(1, 7))
def test_a_film_in_pieces_is_the_whole_film(film, first):
    _, whole = unpack(pack([side(film)]))
    start = film_of_frames(film, slice(0, first))
    pieces = [unpack(pack([side(start)])), unpack(pack([side(film.after(first), first)], alive=True))]
    assert [p.header["sides"][0]["first"] for p in pieces] == [0, first]
    assert "probes" not in pieces[1].header["sides"][0]
    for name, array in whole.items():
        np.testing.assert_array_equal(np.concatenate([p.arrays[name] for p in pieces]), array)


def film_of_frames(film, kept):
    return film._only(kept)


def test_what_is_new_is_small(film):
    """A packet of one frame is its cells and curves, and less than 1.5 kB of words."""
    one = film.after(6)
    cells = sum(maps.nbytes for probe in one.frames for maps in probe.values())
    assert len(pack([side(one, 6)], alive=True)) < cells + 1500


def test_before_the_first_frame_there_is_only_the_state():
    header, arrays = unpack(pack([side(None, state="waiting", status="You are third in line")]))
    assert header["sides"][0]["said"] == "You are third in line"
    assert header["sides"][0]["frames"] == 0
    assert arrays == {}


def test_two_trainings_keep_apart(film):
    other = replace(film, steps=film.steps + 1)
    header, arrays = unpack(pack([side(film, name="A"), side(other, name="B", id="b2")]))
    assert [facts["name"] for facts in header["sides"]] == ["A", "B"]
    assert (arrays["1.steps"] - arrays["0.steps"]).tolist() == [1] * 7


def test_chance_by_hand():
    assert chance([], 5, False) is None
    assert chance([(0, 1), (1, 2)], 4, False) == pytest.approx(1 / 4)
    assert chance([(0, 1), (0, 2)], 4, False) == pytest.approx(2 / 4)  # both cells of a row
    assert chance([(2, 0), (3, 1)], 9, True) == pytest.approx((1 / 3 + 1 / 4) / 2)  # a causal row sees fewer keys


def test_chance_is_the_weight_of_looking_at_all_keys_equally(film):
    for kind, masked in (("cross", False), ("decoder", True)):
        T, S = film.frames[0][kind].shape[-2:]
        allowed = np.tri(T, S, dtype=bool) if masked else np.ones((T, S), bool)
        ghost = [(i, 0) for i in range(T)]
        even = allowed / allowed.sum(1, keepdims=True)
        assert chance(ghost, S, masked) == pytest.approx(even[:, 0].mean())
