"""A draw that can be told: the slices of the line from 0 to 1."""

import numpy as np
import pytest
import torch

from transformer.generation.slices import drawn, number

FINAL = np.array([0.1, 0.0, 0.4, 0.1, 0.4])


@pytest.mark.parametrize(
    ("u", "id", "low", "high"),
    [
        (0.0, 2, 0.0, 0.4),
        (0.399, 2, 0.0, 0.4),
        (0.4, 4, 0.4, 0.8),
        (0.79, 4, 0.4, 0.8),
        (0.85, 0, 0.8, 0.9),
        (0.99, 3, 0.9, 1.0),
    ],
)
def test_slices_lie_by_size_and_then_by_id(u, id, low, high):
    found = drawn(FINAL, u)
    assert found.id == id
    assert (found.low, found.high) == pytest.approx((low, high))


@pytest.mark.slow
def test_what_was_taken_out_is_never_drawn_and_every_slice_is_as_long_as_its_probability():
    us = (np.arange(10_000) + 0.5) / 10_000
    counts = np.bincount([drawn(FINAL, u).id for u in us], minlength=5)
    np.testing.assert_allclose(counts / 10_000, FINAL, atol=1e-4)


def test_rounding_leaves_no_gap_at_the_end():
    final = np.full(10, 0.1) * (1 - 1e-12)
    assert drawn(final, np.nextafter(1.0, 0)).id == 9


@pytest.mark.parametrize("u", [1.0, -0.1, float("nan")])
def test_a_number_beyond_the_line_is_refused(u):
    with pytest.raises(ValueError, match="at least 0 and below 1"):
        drawn(FINAL, u)


def test_numbers_are_even_and_belong_to_seed_and_place():
    numbers = [number(seed, place) for seed in range(20) for place in range(50)]
    gap = np.abs(np.sort(numbers) - (np.arange(1000) + 0.5) / 1000).max()
    assert gap < 1.63 / 1000**0.5  # Kolmogorov and Smirnov, 1%
    assert len(set(numbers)) == 1000
    before = torch.random.get_rng_state()
    assert number(3, 7) == number(3, 7)
    assert torch.equal(before, torch.random.get_rng_state())
