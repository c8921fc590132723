"""From token ids to vectors."""

import math

import torch
import torch.nn.functional as F
from torch import Generator, Tensor, nn

from transformer.core.checks import InputError
from transformer.core.random import normal


class TokenEmbedding(nn.Module):
    """E = X W_e: the one-hot row of a token picks its row of W_e, times sqrt(d_model) (Vaswani et al. 2017, 3.4).

    The rows are drawn from N(0, 1 / d_model), so that after the factor sqrt(d_model) every feature has variance 1 and
    the positions added next (rms 0.71) still count. Rows drawn from N(0, 1) would drown them, at d_model
    512 by 32 to 1.
    """

    def __init__(
        self, vocab_size: int, d_model: int, *, scaled: bool = True, generator: Generator | None = None
    ) -> None:
        super().__init__()
        self.weight = normal(vocab_size, d_model, std=d_model**-0.5, generator=generator)  # W_e, (V, D)
        self.scale = math.sqrt(d_model) if scaled else 1.0

    def forward(self, ids: Tensor) -> Tensor:
        """ids (B, T), whole numbers below V -> vectors (B, T, D). Raises InputError for an id out of that range."""
        try:
            return F.embedding(ids, self.weight) * self.scale
        except IndexError:  # torch looks at every id anyway, but does not say which one it could not find
            V = len(self.weight)
            unknown = ids[(ids < 0) | (ids >= V)]
            raise InputError(
                f"token {unknown[0].item()} is not in the vocabulary, whose ids go from 0 to {V - 1}"
            ) from None

    def length(self, ids: Tensor) -> int:
        """How many vectors forward() makes of each text: T."""
        return ids.shape[1]

    def one_hot(self, ids: Tensor) -> Tensor:
        """X of E = X W_e: one row per token, 1 in the token's column and 0 elsewhere. (B, T) -> (B, T, V)"""
        return F.one_hot(ids, len(self.weight)).to(self.weight.dtype)

    def logits(self, x: Tensor) -> Tensor:
        """The way back, x W_e^T: how well each token of the vocabulary fits. (B, T, D) -> (B, T, V)"""
        return torch.matmul(x, self.weight.T)


class SegmentEmbedding(nn.Module):
    """Adds one learned vector per segment: which of two texts a token belongs to (BERT, Devlin et al. 2019)."""

    def __init__(self, n_segments: int, d_model: int, generator: Generator | None = None) -> None:
        super().__init__()
        # As loud as positions, for the same reason.
        self.weight = normal(n_segments, d_model, std=0.5**0.5, generator=generator)  # (segments, D)

    def forward(self, x: Tensor, segments: Tensor | None = None) -> Tensor:
        """x (B, T, D), segments (B, T) or None: all tokens are of segment 0. -> (B, T, D)"""
        if segments is None:
            return x + self.weight[0]
        n = len(self.weight)
        if ((segments < 0) | (segments >= n)).any():
            raise InputError(f"this model tells {n} segments apart, numbered from 0 to {n - 1}")
        return x + F.embedding(segments, self.weight)


class PatchEmbedding(nn.Module):
    """An image as a text: cut into square patches, each of them one token, x W + b (ViT, Dosovitskiy et al. 2021).

    Before the patches stands a class token, which has no patch, and in a distilled model a second one (DeiT, Touvron
    et al. 2021). The patches follow row by row.
    """

    def __init__(
        self,
        image_size: int,
        patch_size: int,
        d_model: int,
        n_channels: int = 3,
        *,
        distilled: bool = False,
        generator: Generator | None = None,
    ) -> None:
        super().__init__()
        self.image_size, self.patch_size = image_size, patch_size
        n_in = n_channels * patch_size**2
        self.weight = normal(d_model, n_channels, patch_size, patch_size, std=n_in**-0.5, generator=generator)
        self.bias = nn.Parameter(torch.zeros(d_model))
        self.class_token = normal(d_model, std=d_model**-0.5, generator=generator)
        self.distilled_token = normal(d_model, std=d_model**-0.5, generator=generator) if distilled else None

    def forward(self, images: Tensor) -> Tensor:
        """images (B, channels, side, side) -> vectors (B, T, D). Raises InputError for images of another size."""
        channels, side = self.weight.shape[1], self.image_size
        if images.shape[1:] != (channels, side, side):
            given = " x ".join(str(n) for n in images.shape[1:])
            raise InputError(f"this model reads images of {channels} x {side} x {side} numbers, not of {given}")
        # One step per patch: a convolution that is the same linear map of every patch.
        patches = F.conv2d(images, self.weight, self.bias, stride=self.patch_size).flatten(2).transpose(1, 2)
        first = [token.expand(len(images), 1, -1) for token in self._first()]
        return torch.cat([*first, patches], dim=1)  # (B, T, D)

    def length(self, images: Tensor) -> int:
        """How many vectors forward() makes of each image: T."""
        return (self.image_size // self.patch_size) ** 2 + len(self._first())

    def _first(self) -> list[Tensor]:
        return [self.class_token] if self.distilled_token is None else [self.class_token, self.distilled_token]
