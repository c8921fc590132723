"""Pictures as tensors: pixels on a scale around 0, and a picture cut into patches and put together again."""

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor

from transformer.core.checks import InputError

HALF = (0.5, 0.5, 0.5)  # mean and deviation that ViT is trained with: pixels from -1 to 1


def scaled(pixels: np.ndarray, mean: Sequence[float] = HALF, std: Sequence[float] = HALF) -> Tensor:
    """(pixels / 255 - mean) / std by colour: (B, side, side, C) uint8 -> (B, C, side, side) float32."""
    shares = torch.from_numpy(np.array(pixels)).permute(0, 3, 1, 2).float() / 255
    return (shares - torch.tensor(mean)[:, None, None]) / torch.tensor(std)[:, None, None]


def patchify(images: Tensor, patch_size: int) -> Tensor:
    """Each patch as a row: (B, C, side, side) -> (B, n, C p p), patches row by row, in each all of one colour first.

    Raises InputError where the side is no multiple of the patch.
    """
    B, C, side, _ = images.shape
    p = patch_size
    if side % p:
        raise InputError(f"an image {side} pixels wide cannot be cut into patches of {p}")
    grid = images.reshape(B, C, side // p, p, side // p, p)  # colour, row of patches, row, column of patches, column
    return grid.permute(0, 2, 4, 1, 3, 5).reshape(B, (side // p) ** 2, C * p * p)


def unpatchify(rows: Tensor, patch_size: int) -> Tensor:
    """The pictures that these patches make: the inverse of patchify()."""
    B, n, width = rows.shape
    p, across = patch_size, round(n**0.5)
    grid = rows.reshape(B, across, across, width // p**2, p, p)
    return grid.permute(0, 3, 1, 4, 2, 5).reshape(B, width // p**2, across * p, across * p)


def reordered(images: Tensor, patch_size: int, order: Sequence[int]) -> Tensor:
    """The same pictures with their patches in another order: at position n now stands patch order[n]."""
    return unpatchify(patchify(images, patch_size)[:, list(order)], patch_size)


def answer_logits(logits: Tensor, reads: str) -> Tensor:
    """The logits that count: of the row of the class token, the first, for "class"; for "mean", the mean over all
    patches after it. (B, T, V) -> (B, V)"""
    return logits[:, 0] if reads == "class" else logits[:, 1:].mean(1)
