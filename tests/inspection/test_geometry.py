"""Points on a plane and their directions, in closed form."""

import math

import numpy as np
import pytest
import torch

from transformer.inspection.geometry import mean_cosine, principal_plane


def test_the_plane_keeps_the_distances_of_flat_points():
    flat = np.zeros((5, 9))
    flat[:, 2], flat[:, 6] = [0, 3, 3, 1, 5], [0, 0, 4, 4, 6]
    plane = principal_plane(flat)
    assert plane.shares.sum() == pytest.approx(1)
    distances = np.linalg.norm(plane.places[:, None] - plane.places[None], axis=-1)
    np.testing.assert_allclose(distances, np.linalg.norm(flat[:, None] - flat[None], axis=-1), atol=1e-9)
    np.testing.assert_allclose((flat - flat.mean(0)) @ plane.axes, plane.places, atol=1e-12)
    np.testing.assert_allclose(plane.axes.T @ plane.axes, np.eye(2), atol=1e-12)


def test_the_share_of_the_variance_on_the_plane():
    assert principal_plane(np.eye(4)).shares.sum() == pytest.approx(2 / 3)
    assert principal_plane(np.zeros((1, 3))).shares.sum() == 1
    assert principal_plane(np.arange(3.0)[:, None]).places.shape == (3, 2)


def test_the_mean_cosine_in_closed_form():
    assert mean_cosine(torch.eye(4)) == pytest.approx(0)
    assert mean_cosine(torch.tensor([[1.0, 0.0], [1.0, 1.0]])) == pytest.approx(math.sqrt(0.5))
    assert mean_cosine(torch.tensor([[2.0, 0.0], [-3.0, 0.0]])) == pytest.approx(-1)
    assert mean_cosine(1e-30 * torch.tensor([[1.0, 2.0], [2.0, 4.0]])) == pytest.approx(1)
    assert mean_cosine(torch.zeros(3, 2)) == 0
    assert mean_cosine(torch.ones(1, 5)) == 1
