"""Masks by their names on screen, against numpy."""

import numpy as np
import pytest

from lab.kit.controls.hyperparameters import MASKS
from pages.masks import controls, data


@pytest.mark.parametrize("T", [1, 2, 7, 24])
@pytest.mark.parametrize("span", [1, 2, 5, 32])
def test_masks_by_name(T: int, span: int) -> None:
    i, j = np.indices((T, T))
    expected = {
        "none": np.ones((T, T), bool),
        "causal": np.tril(np.ones((T, T), bool)),
        "window": abs(i - j) < span,
        "causal window": (j <= i) & (i - j < span),
        "causal prefix": (j <= i) | (j < span),
        "padding": j < max(T - span, 0),
    }
    for name, mask in expected.items():
        assert np.array_equal(data.cells(data.named_mask(name, T, span)), mask), name


def test_an_unknown_mask_is_refused() -> None:
    with pytest.raises(KeyError, match="banana"):
        data.named_mask("banana", 3, 0)


def test_a_string_that_is_no_mask_is_refused() -> None:
    with pytest.raises(ValueError, match="is no mask"):
        data.cells("2.8")


def test_every_mask_of_other_pages_is_here_and_the_order_is_that_on_screen() -> None:
    assert {mask.name for mask in MASKS} <= set(controls.NAMES)
    assert controls.NAMES == ("none", "causal", "window", "causal window", "causal prefix", "padding", "painted")
