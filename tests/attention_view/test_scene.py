"""What a scene is sent: steps of colour are the numbers themselves, rounded, and the strongest are never lost."""

import numpy as np

from attention_view.scene import signed_steps, steps, strongest


def test_steps_are_numbers_rounded_and_nought_is_always_the_same():
    x = np.random.default_rng(0).normal(size=(3, 4, 5))
    signed = signed_steps(x).astype(int) - 128
    largest = np.abs(x).max((1, 2), keepdims=True)
    np.testing.assert_allclose(signed / 127, x / largest, atol=0.51 / 127)
    assert (signed_steps(np.zeros((2, 3))) == 128).all()
    assert (steps(np.zeros((2, 3))) == 0).all()
    np.testing.assert_allclose(steps(np.abs(x)) / 255, np.abs(x) / largest, atol=0.51 / 255)
    assert steps(-np.abs(x)).max() == 0


def test_of_a_group_of_neighbours_the_strongest_is_seen_with_its_sign():
    assert strongest(np.array([[1.0, -3.0, 2.0, 0.0, -1.0]]), 3).tolist() == [[-3.0, 2.0, -1.0]]
    assert strongest(np.array([1.0, -3.0]), 64).tolist() == [1.0, -3.0]
    x = np.random.default_rng(1).normal(size=(2, 130))
    shown = strongest(x, 64)
    assert shown.shape[-1] <= 64
    np.testing.assert_array_equal(np.abs(shown).max(-1), np.abs(x).max(-1))
