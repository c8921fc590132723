"""Results that are made smaller before they are drawn, or worked out layer by layer."""

import numpy as np
import pytest

from lab.kit.models import readings
from lab.kit.models.references import Mask, Untrained
from transformer.core.config import TransformerConfig
from transformer.inspection.run import run_with_maps


@pytest.mark.parametrize(("H", "T", "max_cells"), [(6, 7, 60), (1, 5, 100), (192, 40, 20_000)])
def test_small_maps_lose_no_peak(H: int, T: int, max_cells: int) -> None:
    values = np.random.default_rng(0).normal(size=(H, T, T))
    k = readings._side(H, T, max_cells)
    small = readings._pooled(values, k)
    assert small.size <= max_cells
    assert k == 1 or H * (-(-T // (k - 1))) ** 2 > max_cells, "no smaller than they have to be"
    np.testing.assert_array_equal(np.abs(small).max((1, 2)), np.abs(values).max((1, 2)))
    for i in range(0, T, k):
        block = values[0, i : i + k, :k].ravel()
        assert small[0, i // k, 0] == block[np.abs(block).argmax()]


def _weights(reading: readings.Reading) -> np.ndarray:
    model, ids, mask = readings.inputs(reading)
    return run_with_maps(model, ids, reading.tokens, **mask).attention[model.kind].weights


def test_differences_are_those_of_whole_runs_of_both_models() -> None:
    tokens = tuple("abcdefgh")
    sides = [
        readings.Reading(
            Untrained("encoder", TransformerConfig(n_heads=H, n_encoder_layers=L), 0), Mask("window", 3), tokens
        )
        for H, L in ((4, 3), (2, 2))
    ]
    first, second = (_weights(side) for side in sides)
    differences = readings.head_differences(*sides, max_cells=10**6)
    np.testing.assert_array_equal(differences.values, second - first[:2, :2])
    assert differences.largest == np.abs(second - first[:2, :2]).max()
    for (layer, head), weights in np.ndenumerate(np.zeros((2, 2))):
        weights, mask = readings.one_head(sides[1], layer, head)
        np.testing.assert_array_equal(weights, second[layer, head])
        assert mask is not None
