"""Guess the row: the weights are those of the model's own attention."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from transformer.inspection.guess_row import judge, puzzle, slips
from transformer.inspection.steps import steps

guesses = st.lists(st.integers(0, 100), min_size=3, max_size=3).filter(any).map(lambda g: tuple(x / sum(g) for x in g))


@pytest.mark.parametrize("number", range(1, 31))
def test_the_truth_is_what_the_model_s_own_attention_gives(number: int) -> None:
    p = puzzle(number)
    assert p == puzzle(number)
    for key, dot, score in zip(p.keys, p.dots, p.scores, strict=True):
        assert sum(a * b for a, b in zip(p.query, key, strict=True)) == dot == 2 * score
    keys = np.array(p.keys, dtype=float)
    np.testing.assert_allclose(steps([p.query], keys, keys).stages["weights"][0], p.truth, rtol=1e-14)


def test_a_perfect_guess_scores_nothing() -> None:
    p = puzzle(1)
    verdict = judge(p, p.truth)
    assert verdict.distance < 1e-15
    assert verdict.slip == ""


@pytest.mark.parametrize("number", [1, 2, 3, 7, 20])
def test_every_slip_is_known_again(number: int) -> None:
    p = puzzle(number)
    for name, row in slips(p).items():
        assert sum(row) == pytest.approx(1)
        assert judge(p, tuple(row)).slip in (name, ""), name


@given(guesses, st.integers(1, 30))
def test_the_distance_is_the_share_on_the_wrong_key(guess: tuple[float, ...], number: int) -> None:
    p = puzzle(number)
    verdict = judge(p, guess)
    surplus = sum(max(0.0, g - t) for g, t in zip(guess, p.truth, strict=True))
    assert verdict.distance == pytest.approx(surplus, abs=1e-9)
    assert 0 <= verdict.distance <= 1


@pytest.mark.parametrize("guess", [(1.0, 1.0, 0.0), (0.5, 0.5), (1.5, -0.5, 0.0), (float("nan"), 0.5, 0.5)])
def test_what_is_no_guess_is_refused(guess: tuple[float, ...]) -> None:
    with pytest.raises(ValueError, match="shares that add up to 1"):
        judge(puzzle(1), guess)


def test_a_guess_like_no_slip_is_called_none() -> None:
    """Half on the best key and the rest shared alike is no softmax without e: the keys keep no order."""
    assert judge(puzzle(1), (0.25, 0.25, 0.5)).slip == "other"
