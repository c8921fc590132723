"""The short string of a mask: every mask has one, and nothing else is accepted."""

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pages.masks.components.mask_brush import MAX_SIDE, fitted, pack, unpack

HOLE = np.tri(6, dtype=bool)
HOLE[1, 4] = True


@given(st.integers(1, MAX_SIDE), st.randoms(use_true_random=False))
def test_a_mask_and_its_string(T: int, dice: random.Random) -> None:
    mask = np.array([dice.random() < 0.5 for _ in range(T * T)]).reshape(T, T)
    unpacked = unpack(pack(mask))
    assert unpacked is not None
    assert np.array_equal(unpacked, mask)
    assert len(pack(mask)) < 100


@given(st.one_of(st.text(), st.from_regex(r"[0-9]{1,3}\.[A-Za-z0-9_=-]{0,99}", fullmatch=True), st.none(), st.binary()))
def test_what_is_no_mask_is_none(code: object) -> None:
    mask = unpack(code)
    assert mask is None or pack(mask) == code


@pytest.mark.parametrize(
    "code",
    [
        "",
        "2",
        "2.",
        "2.8A\n",
        "2.8",
        "2.8AA",
        "2.8B",
        "0.",
        "02.8A",
        "25." + "A" * 105,
        "-2.8A",
        "2.8A=",
        "²․8A",
        "2.8é",
    ],
)
def test_near_masks_are_none(code: object) -> None:
    assert unpack("2.8A") is not None
    assert unpack(code) is None


def test_a_mask_too_large_to_paint_is_none() -> None:
    assert unpack(pack(np.ones((MAX_SIDE, MAX_SIDE), bool))) is not None
    assert unpack(pack(np.ones((MAX_SIDE + 1, MAX_SIDE + 1), bool))) is None


@pytest.mark.parametrize("T", [1, 4, 6, 9])
def test_a_painted_mask_fits_another_text(T: int) -> None:
    mask, n = fitted(HOLE, T), min(T, 6)
    assert np.array_equal(mask[:n, :n], HOLE[:n, :n])
    assert np.array_equal(mask[n:], np.tri(T, dtype=bool)[n:])
