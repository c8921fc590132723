"""The scores that a notebook shows are those of the app."""

import numpy as np
import pytest

from attention_view.measures import chance, measures
from transformer.inspection import heads


@pytest.mark.parametrize(("T", "S"), [(6, 6), (1, 1), (3, 7), (7, 3), (1, 5)])
def test_they_are_those_of_inspection(T, S):
    weights = np.random.default_rng(T).dirichlet(np.full(S, 0.4), (3, T)).astype("f4")
    weights[0, T // 2] = 0
    for name, score in heads.head_scores(weights).items():
        np.testing.assert_allclose(measures(weights)[name], score, atol=1e-6, err_msg=name)
    mask = np.tril(np.ones((T, S), bool))
    assert chance(mask) == pytest.approx(heads.chance(T, S, mask))
