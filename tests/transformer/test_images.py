"""Pictures in patches: written out for a small one, there and back, and in another order."""

import numpy as np
import pytest
import torch

from transformer.core.checks import InputError
from transformer.core.images import patchify, reordered, scaled, unpatchify


def test_the_patches_of_a_small_picture_written_out():
    image = torch.arange(32).reshape(1, 2, 4, 4)  # two colours of 4 x 4
    assert patchify(image, 2)[0].tolist() == [
        [0, 1, 4, 5, 16, 17, 20, 21],  # all of the first colour, then all of the second
        [2, 3, 6, 7, 18, 19, 22, 23],
        [8, 9, 12, 13, 24, 25, 28, 29],
        [10, 11, 14, 15, 26, 27, 30, 31],
    ]


@pytest.mark.parametrize(("side", "patch", "channels"), [(4, 1, 3), (6, 2, 1), (24, 4, 3), (24, 8, 3), (5, 5, 2)])
def test_unpatchify_is_the_inverse(side: int, patch: int, channels: int):
    images = torch.randn(2, channels, side, side, generator=torch.Generator().manual_seed(0))
    rows = patchify(images, patch)
    assert rows.shape == (2, (side // patch) ** 2, channels * patch**2)
    assert torch.equal(unpatchify(rows, patch), images)


def test_patches_in_another_order_are_the_same_patches():
    images = torch.randn(1, 3, 6, 6, generator=torch.Generator().manual_seed(0))
    order = [8, 1, 2, 3, 4, 5, 6, 7, 0]
    moved = reordered(images, 2, order)
    assert torch.equal(moved[..., :2, :2], images[..., 4:, 4:])
    assert torch.equal(moved[..., 4:, 4:], images[..., :2, :2])
    assert torch.equal(moved[..., 2:4, :], images[..., 2:4, :])
    assert torch.equal(reordered(moved, 2, order), images)


def test_what_cannot_be_cut_is_refused():
    with pytest.raises(InputError, match="7 pixels wide cannot be cut into patches of 2"):
        patchify(torch.zeros(1, 3, 7, 7), 2)


def test_pixels_on_their_scale():
    pixels = np.array([0, 255, 51], np.uint8).reshape(1, 1, 1, 3)
    torch.testing.assert_close(scaled(pixels).flatten(), torch.tensor([-1.0, 1.0, -0.6]))
    own = scaled(pixels, (0.0, 0.5, 0.2), (1.0, 0.25, 2.0)).flatten()
    torch.testing.assert_close(own, torch.tensor([0.0, 2.0, 0.0]))
