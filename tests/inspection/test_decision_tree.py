"""A decision tree over tokens: the best question is found by trying all, and what it can learn and what it cannot."""

import numpy as np
import pytest

from transformer.inspection.decision_tree import answers, best_question, grow


def impurity(wanted: np.ndarray) -> float:
    """N times Gini: the expected number of mistakes of whoever answers at random in proportion."""
    shares = np.bincount(wanted, minlength=3) / max(1, len(wanted))
    return len(wanted) * (1 - float((shares**2).sum()))


def test_the_best_question_is_the_best_of_all() -> None:
    rng = np.random.default_rng(0)
    ids, wanted = rng.integers(0, 4, (40, 3)), rng.integers(0, 3, 40)
    gains = {
        (place, token): impurity(wanted)
        - impurity(wanted[ids[:, place] == token])
        - impurity(wanted[ids[:, place] != token])
        for place in range(3)
        for token in range(4)
    }
    gain, place, token = best_question(ids, wanted, 3, 4)
    assert gain == pytest.approx(max(gains.values()))
    assert gains[place, token] == pytest.approx(gain)


def test_a_rule_about_a_fixed_place_is_learned_and_one_about_any_place_is_not() -> None:
    rng = np.random.default_rng(1)
    ids = rng.integers(3, 8, (2000, 12))
    wanted = rng.integers(0, 3, 2000)
    fixed, anywhere = ids.copy(), ids.copy()
    fixed[:, 5] = wanted
    anywhere[np.arange(2000), rng.integers(0, 12, 2000)] = wanted
    shares = []
    for texts in (fixed, anywhere):
        tree = grow(texts[:1000], wanted[:1000], 3, 8, 4)
        shares.append(float((answers(tree, texts[1000:]) == wanted[1000:]).mean()))
    assert shares[0] == 1
    assert 0.3 < shares[1] < 0.7


def test_no_questions_leave_the_commonest_answer() -> None:
    tree = grow(np.zeros((5, 2), int), np.array([0, 2, 2, 1, 2]), 3, 1, 9)
    assert answers(tree, np.zeros((3, 2), int)).tolist() == [2, 2, 2]
