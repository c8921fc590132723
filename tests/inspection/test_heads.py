"""Head scores against patterns whose scores are known in closed form."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from transformer.inspection.heads import SCORES, chance, head_scores

N = 7


def looking_at(keys, S=N):
    """A head whose query i looks at keys[i] alone."""
    return np.eye(S)[list(keys)]


# pattern: weights, entropy, distance, previous, first
PATTERNS = {
    "itself": (looking_at(range(N)), 0, 0, 0, 1 / N),
    "the previous": (looking_at([0, *range(N - 1)]), 0, (N - 1) / N, 1, 2 / N),
    "the first": (looking_at([0] * N), 0, (N - 1) / 2, 1 / (N - 1), 1),
    "all alike": (np.full((N, N), 1 / N), math.log2(N), (N * N - 1) / (3 * N), 1 / N, 1 / N),
}


@pytest.mark.parametrize("name", PATTERNS)
@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_patterns_in_closed_form(name, dtype):
    weights, *expected = PATTERNS[name]
    scores = head_scores(weights.astype(dtype))
    assert tuple(scores) == SCORES
    assert [float(score) for score in scores.values()] == pytest.approx(expected, abs=1e-6)


def test_every_head_has_its_own_score():
    stack = np.stack([weights for weights, *_ in PATTERNS.values()]).reshape(2, 2, N, N)
    scores = head_scores(stack)
    for n, (_, *expected) in enumerate(PATTERNS.values()):
        assert [score.reshape(-1)[n] for score in scores.values()] == pytest.approx(expected)


@pytest.mark.parametrize("name", SCORES)
def test_a_row_that_sees_nothing_is_left_out(name):
    weights = np.random.default_rng(1).dirichlet(np.ones(N), N)
    weights[3] = 0
    kept = {
        "entropy": [-(row * np.log2(row)).sum() for row in weights if row.any()],
        "distance": [(row * abs(np.arange(N) - i)).sum() for i, row in enumerate(weights) if row.any()],
        "previous": [weights[i, i - 1] for i in range(1, N) if weights[i].any()],
        "first": [row[0] for row in weights if row.any()],
    }[name]
    assert head_scores(weights)[name] == pytest.approx(np.mean(kept))


def test_where_nothing_is_seen_at_all_scores_are_zero():
    assert set(head_scores(np.zeros((2, 3, 4, 4)))) == set(SCORES)
    assert not any(score.any() for score in head_scores(np.zeros((2, 3, 4, 4))).values())
    assert set(chance(4, 4, np.zeros((4, 4), bool)).values()) == {0.0}


def test_one_token():
    assert {name: float(s) for name, s in head_scores(np.ones((1, 1))).items()} == {
        "entropy": 0, "distance": 0, "previous": 0, "first": 1,
    }  # fmt: skip


def test_queries_are_the_last_of_more_keys():
    """T = 2 of S = 5: they stand at 3 and 4, as in a decoder that keeps what it has read."""
    scores = head_scores(looking_at([2, 3], S=5))
    assert (scores["distance"], scores["previous"], scores["first"]) == (1, 1, 0)
    assert head_scores(looking_at([3, 4], S=5))["distance"] == 0


def test_more_queries_than_keys():
    """T = 4 of S = 2, as in cross-attention: counted from the first, and only where there is a previous key."""
    scores = head_scores(looking_at([0, 0, 1, 1], S=2))
    assert scores["distance"] == pytest.approx((0 + 1 + 1 + 2) / 4)
    assert scores["previous"] == 1  # queries 1 and 2; query 3 has no key 2
    assert scores["first"] == 0.5


def test_chance_without_a_mask_is_looking_at_all_alike():
    expected = dict(zip(SCORES, PATTERNS["all alike"][1:], strict=True))
    assert chance(N, N) == pytest.approx(expected)


def test_chance_under_a_causal_mask():
    """Query i looks at i + 1 keys alike: log2(i + 1) bits, i / 2 tokens away, 1 / (i + 1) on each."""
    each = 1 / np.arange(1, N + 1)
    assert chance(N, N, np.tri(N, dtype=bool)) == pytest.approx(
        {
            "entropy": np.log2(1 / each).mean(),
            "distance": (N - 1) / 4,
            "previous": each[1:].mean(),
            "first": each.mean(),
        }
    )


@given(hnp.arrays("f8", st.tuples(*[st.integers(1, 6)] * 4), elements=st.floats(0, 1)))
def test_scores_keep_to_their_range(weights):
    total = weights.sum(-1, keepdims=True)
    weights = np.divide(weights, total, out=np.zeros_like(weights), where=total > 1e-9)
    S = weights.shape[-1]
    scores = head_scores(weights)
    assert all(score.shape == weights.shape[:2] for score in scores.values())
    assert np.all((scores["entropy"] >= 0) & (scores["entropy"] <= math.log2(S) + 1e-9))
    assert np.all((scores["distance"] >= 0) & (scores["distance"] <= max(weights.shape[-2:])))
    for name in ("previous", "first"):
        assert np.all((scores[name] >= 0) & (scores[name] <= 1 + 1e-9))
