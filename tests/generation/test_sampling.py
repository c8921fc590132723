"""From logits to a token. That the filters are those of Hugging Face stands in test_hugging_face."""

import math

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from tests.transformer.oracles import quick, rand, rng
from transformer.generation import GREEDY, REMOVED_BY, Sampling, distribution, draw

HALF_QUARTERS = torch.tensor([0.5, 0.25, 0.125, 0.125], dtype=torch.float64).log()  # exact in binary


def kept(logits, **how):
    return np.flatnonzero(distribution(logits, sampling=Sampling(**how)).final).tolist()


@pytest.mark.parametrize(
    ("p", "nucleus"),
    [
        (0.01, [0]),
        (0.499, [0]),
        (0.5, [0]),
        (0.501, [0, 1]),
        (0.75, [0, 1]),
        (0.76, [0, 1, 2]),
        (0.875, [0, 1, 2]),
        (0.9, [0, 1, 2, 3]),
        (1, [0, 1, 2, 3]),
        (1.0, [0, 1, 2, 3]),
    ],
)
def test_the_nucleus_by_hand(p, nucleus):
    assert kept(HALF_QUARTERS, top_p=p) == nucleus


@quick
@given(st.integers(0, 10_000), st.integers(2, 40), st.floats(0.01, 0.999))
def test_the_nucleus_is_the_smallest_set_that_reaches_p(seed, V, p):
    found = distribution(rand(V, seed=seed) * 2, sampling=Sampling(top_p=p))
    inside = found.probs[found.removed == 0]
    assert inside.sum() >= p - 1e-12
    assert inside.sum() - inside.min() < p + 1e-12  # without its least likely token it would not reach
    assert inside.min() >= found.probs[found.removed != 0].max(initial=0)


@quick
@given(
    st.integers(0, 10_000),
    st.floats(0.01, 50),
    st.integers(1, 30),
    st.floats(0.01, 1),
    st.floats(0.1, 10),
    st.lists(st.integers(0, 19), max_size=6),
)
def test_what_is_left_is_a_distribution(seed, temperature, k, p, penalty, read):
    logits = rand(20, seed=seed)
    how = Sampling(temperature=temperature, top_k=k, top_p=p, repetition_penalty=penalty)
    found = distribution(logits, read, how)
    for probs in (found.probs, found.tempered, found.final):
        assert probs.dtype == np.float64
        assert probs.sum() == pytest.approx(1, abs=1e-12)
    np.testing.assert_array_equal(found.logits, logits.numpy())
    assert ((found.final > 0) == (found.removed == 0)).all()
    assert 1 <= (found.removed == 0).sum() <= k
    assert found.removed[found.penalised.argmax()] == 0
    assert {REMOVED_BY[r] for r in found.removed} <= {"", "top_k", "top_p"}
    inside = found.removed == 0  # the filters take out; they do not change how the rest stand to each other
    np.testing.assert_allclose(found.final[inside], found.tempered[inside] / found.tempered[inside].sum(), atol=1e-14)
    changed = np.flatnonzero(found.penalised != found.logits)
    assert set(changed) <= set(read)


def test_each_filter_says_what_it_took():
    # 0.5 0.25 0.125 0.125: the last falls to top_k, then 1/7 of what is left to top_p
    found = distribution(HALF_QUARTERS, sampling=Sampling(top_k=3, top_p=0.8))
    assert [found.removed_by(i) for i in range(4)] == ["", "", "top_p", "top_k"]
    np.testing.assert_allclose(found.final, [2 / 3, 1 / 3, 0, 0])
    assert [distribution(HALF_QUARTERS).removed_by(i) for i in range(4)] == ["", "greedy", "greedy", "greedy"]


def test_of_equals_exactly_k_stay():
    assert kept(torch.zeros(5), top_k=2) == [0, 1]
    assert kept(torch.zeros(5), top_p=0.4) == [0, 1]
    assert kept(torch.zeros(5), temperature=0) == [0]


@pytest.mark.parametrize("how", [{"top_p": 1}, {"top_k": 30}, {"top_k": 31}, {"temperature": 1}, {}])
def test_settings_that_change_nothing(how):
    logits = rand(30) * 30  # the unlikely so unlikely that a running sum does not feel them
    found = distribution(logits, [1, 2], Sampling(**how))
    np.testing.assert_array_equal(found.final, found.probs)
    np.testing.assert_allclose(found.probs, logits.softmax(-1).numpy(), rtol=1e-12)
    assert not found.removed.any()


@pytest.mark.parametrize("temperature", [1e-3, 1e-9, 1e-300, 5e-324])
def test_towards_temperature_0_it_is_greedy(temperature):
    logits = rand(30) * 2
    cold, greedy = (
        distribution(logits, [3], Sampling(temperature=t, repetition_penalty=1.2)) for t in (temperature, 0)
    )
    np.testing.assert_allclose(cold.final, greedy.final, atol=1e-12)
    assert greedy.final.max() == 1
    assert greedy.final.argmax() == logits.argmax()


def test_a_hot_distribution_is_flat():
    np.testing.assert_allclose(distribution(rand(8), sampling=Sampling(temperature=1e12)).final, 1 / 8)


def test_repetition_penalty_by_hand():
    logits = torch.tensor([2.0, -2.0, 1.0, -1.0, 0.0])
    found = distribution(logits, [0, 1, 0, 4], Sampling(repetition_penalty=2.0))
    assert found.penalised.tolist() == [1.0, -4.0, 1.0, -1.0, 0.0]
    assert found.logits.tolist() == logits.tolist()
    # Greedy with it: what was likeliest no longer is.
    assert distribution(logits, [0], Sampling(temperature=0, repetition_penalty=3.0)).final.argmax() == 2


@pytest.mark.slow
def test_draws_follow_the_distribution():
    """Chi-square over 20000 draws; the bound is the 99.9% quantile at 7 degrees of freedom."""
    found = distribution(rand(12, seed=4), [0, 5], Sampling(temperature=1.4, top_k=8, repetition_penalty=1.2))
    generator, n = rng(7), 20_000
    counts = np.bincount([draw(found.final, generator) for _ in range(n)], minlength=12)
    inside = found.final > 0
    assert inside.sum() == 8
    assert counts[~inside].sum() == 0
    expected = n * found.final[inside]
    assert ((counts[inside] - expected) ** 2 / expected).sum() < 24.32


def test_nothing_is_drawn_from_the_process_wide_generator():
    before = torch.get_rng_state()
    final = distribution(rand(9), sampling=Sampling()).final
    drawn = [draw(final, rng(i)) for i in range(5)]
    assert drawn == [draw(final, rng(i)) for i in range(5)]
    assert torch.equal(before, torch.get_rng_state())
    with pytest.raises(ValueError, match=r"hand in a torch\.Generator, or set temperature=0"):
        draw(final, None)
    assert draw(distribution(rand(9)).final, None) == rand(9).argmax()


BAD = [math.nan, math.inf, -math.inf, "1", None, True, 10**400]


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("temperature", [-0.1, *BAD]),
        ("top_k", [0, -3, 2.0, math.nan, "5", True]),
        ("top_p", [0, 0.0, -0.2, 1.0001, *BAD]),
        ("repetition_penalty", [0, -1, 0.009, 101, *BAD]),
    ],
)
def test_settings_that_cannot_be_meant(name, values):
    for value in values:
        with pytest.raises(ValueError, match=f"^{name}="):
            Sampling(**{name: value})
    assert Sampling(temperature=0) == GREEDY


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
def test_a_model_that_has_broken_down(bad):
    with pytest.raises(ValueError, match="not all finite numbers"):
        distribution(torch.tensor([0.0, bad, 1.0]))
