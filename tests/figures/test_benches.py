"""Two benches: one range of colours, an exact difference, and words for what differs."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pages.kit import controls
from pages.kit.figures import benches as figures

TOKENS = ("the", "cat")
A = np.array([[1.0, 0.0], [0.25, 0.75]], dtype=np.float32)
B = np.array([[1.0, 0.0], [0.5, 0.5]], dtype=np.float32)
CAUSAL = np.tril(np.ones((2, 2), bool))


def test_both_sides_share_one_range():
    for matrix in (A, B):
        heat = figures.weights(TOKENS, matrix, None, 1.0).data[0]
        assert (heat.zmin, heat.zmax) == (0.0, 1.0)
        np.testing.assert_array_equal(heat.z, matrix)


def test_the_difference_is_b_minus_a_around_zero():
    heat = figures.difference(TOKENS, A, B, None).data[0]
    np.testing.assert_allclose(heat.z, [[0, 0], [0.25, -0.25]])
    assert heat.zmin == -heat.zmax == -0.25


def test_a_against_a_is_exactly_zero():
    heat = figures.difference(TOKENS, A, A, None).data[0]
    assert not np.asarray(heat.z).any()
    assert (heat.zmin, heat.zmax) == (-1.0, 1.0)


def test_blocked_cells_are_gaps():
    heat = figures.weights(TOKENS, A, CAUSAL, 1.0).data[0]
    assert np.isnan(heat.z[0][1])
    assert not np.isnan(heat.z[1][0])


def chosen(**asked):
    values = {}
    for key, (options, usual) in controls._SETTINGS.items():
        values[key] = asked.get(key, usual(values))
        assert values[key] in tuple(options(values))
    return controls._chosen(values)


@pytest.mark.parametrize(
    "asked",
    [
        {},
        {"model": "Decoder", "mask": "causal window", "span": 5, "positions": "ALiBi"},
        {"d_model": 9, "heads": 3, "kv_heads": 1, "seed": 99, "base": 10, "scores": "not divided"},
    ],
)
def test_a_pinned_bench_comes_back_whole(asked):
    sentence, choice = controls.cut("It didn't rain & we = happy 100%"), chosen(**asked)
    back_sentence, back = controls._unpacked(controls._packed(sentence, choice))
    assert back_sentence.tokens == sentence.tokens
    assert back == choice
    assert controls.differences((sentence, choice), (back_sentence, back)) == []


@given(st.text(max_size=80))
def test_any_sentence_survives_being_pinned(text):
    sentence = controls.cut(text)
    assert controls._unpacked(controls._packed(sentence, chosen()))[0].tokens == sentence.tokens


@given(st.text(max_size=60))
def test_nonsense_in_a_link_is_the_usual(text):
    _, choice = controls._unpacked(text)
    assert choice.config.n_heads >= 1


def test_nonsense_by_name_is_the_usual():
    _, choice = controls._unpacked("text=a+b&heads=7&model=Oracle&layers=-1&d_model=1e9")
    assert choice == chosen()


def test_differences_are_named():
    a, b = chosen(), chosen(heads=8, positions="rotary")
    said = controls.differences((controls.cut("a b"), a), (controls.cut("a c"), b))
    assert said == ["another sentence", "heads 4 → 8", "positions sinusoidal → rotary", "kv_heads 4 → 8"]
