"""Questions to a model that reads pictures: where it looks, what a patch becomes, what the order of patches changes."""

from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from transformer.core.checks import InputError
from transformer.core.embeddings import PatchEmbedding
from transformer.core.images import patchify
from transformer.core.model import EncoderModel
from transformer.core.positions import LearnedPositions
from transformer.inspection.geometry import cosines
from transformer.inspection.head_effects import rollout


class Looked(NamedTuple):
    """One pass over one picture. T counts the tokens before the patches, such as the class token, and the patches.

    weights  (L, H, T, T) float32
    rollout  (L, T, T) float32: where the information of each token comes from after each layer
    logits   (T, V) float32: what would be answered if it were read at each token
    """

    weights: np.ndarray
    rollout: np.ndarray
    logits: np.ndarray


class Cut(NamedTuple):
    """The patches of a picture, on their way in.

    rows        (n, C p p) each patch as a row of numbers, all of one colour first
    vectors     (n, D) what the model's convolution makes of each
    difference  the largest between that and the linear map of the rows
    """

    rows: np.ndarray
    vectors: np.ndarray
    difference: float


def patch_embedding(model: EncoderModel) -> PatchEmbedding:
    """The part that reads pictures. Raises InputError for a model that reads texts."""
    embedding = model.encoder.embedding
    if not isinstance(embedding, PatchEmbedding):
        raise InputError("This model reads texts, not pictures.")
    return embedding


def n_first(model: EncoderModel) -> int:
    """How many tokens stand before the patches: the class token, and in a distilled model a second one."""
    return 2 if patch_embedding(model).distilled_token is not None else 1


@torch.inference_mode()
def look(model: EncoderModel, image: Tensor) -> Looked:
    """Run one picture (C, side, side) through the model."""
    output = model(image[None])
    weights = torch.stack([layer[0] for layer in output.attention.encoder]).float().numpy()
    return Looked(weights, rollout(weights).astype(np.float32), output.logits[0].float().numpy())


@torch.inference_mode()
def cut(model: EncoderModel, image: Tensor) -> Cut:
    """Cut one picture (C, side, side), and make its patches vectors in two ways: x W + b, and a convolution."""
    embedding = patch_embedding(model)
    rows = patchify(image[None], embedding.patch_size)[0]  # (n, C p p)
    by_map = rows.to(embedding.weight.dtype) @ embedding.weight.flatten(1).T + embedding.bias  # (n, D)
    by_convolution = embedding(image[None].to(embedding.weight.dtype))[0, n_first(model) :]
    difference = (by_map - by_convolution).abs().max().item()
    return Cut(rows.numpy(), by_convolution.float().numpy(), difference)


def position_similarity(model: EncoderModel) -> np.ndarray:
    """The cosine of every two patches' rows in the learned table, (n, n). Raises InputError where there is no table."""
    positions = model.encoder.positions
    if not isinstance(positions, LearnedPositions):
        raise InputError("This model has no table of positions.")
    return cosines(positions.weight[positions.offset + n_first(model) :].detach().float().numpy())


@torch.inference_mode()
def weight_on(model: EncoderModel, images: Tensor, chosen: np.ndarray) -> np.ndarray:
    """How much of its attention weight the class token gives to the chosen patches, by layer and head: (L, H).

    images (B, C, side, side), chosen (B, n) boolean; the mean over the pictures
    """
    weights = torch.stack(model(images).attention.encoder, 1)[:, :, :, 0, n_first(model) :]  # (B, L, H, n)
    return (weights * torch.from_numpy(chosen)[:, None, None]).sum(-1).mean(0).numpy()


def shuffled_order(n: int, n_moved: int, seed: int) -> tuple[int, ...]:
    """An order of n patches in which n_moved of them, drawn with this seed, stand elsewhere; a single one cannot."""
    if not 0 <= n_moved <= n or n_moved == 1:
        raise InputError(f"{n_moved} of {n} patches cannot change places; try 0, or 2 to {n}")
    moved = np.random.default_rng(seed).permutation(n)[:n_moved]
    order = np.arange(n)
    order[moved] = np.roll(moved, 1)
    return tuple(order.tolist())
