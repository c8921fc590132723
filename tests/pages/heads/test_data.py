"""The results of the page on heads that are made smaller before they are drawn."""

import numpy as np
import pytest

from pages.heads import data


@pytest.mark.parametrize(("shape", "max_cells"), [((2, 3, 7, 7), 60), ((1, 1, 5, 4), 100), ((12, 16, 40, 40), 20_000)])
def test_small_maps_lose_no_peak(shape: tuple[int, ...], max_cells: int) -> None:
    values = np.random.default_rng(0).normal(size=shape)
    small, k = data._pooled(values, max_cells)
    assert small.size <= max_cells
    assert small.shape[:2] == shape[:2]
    np.testing.assert_array_equal(np.abs(small).max((2, 3)), np.abs(values).max((2, 3)))
    for i in range(0, shape[2], k):
        block = values[0, 0, i : i + k, :k].ravel()
        assert small[0, 0, i // k, 0] == block[np.abs(block).argmax()]
