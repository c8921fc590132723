"""A text of one word, over and over, read at any position: what does a scheme of positions notice of the move?"""

from dataclasses import dataclass

import numpy as np
import torch

from transformer.core.config import TransformerConfig
from transformer.core.model import EncoderModel
from transformer.core.positions import RotaryPositions


@dataclass(frozen=True, eq=False)
class Moved:
    """What one layer makes of n equal words that begin at any of several positions.

    weights  (H, starts, n, n)  attention weights among the n words alone; float64
    codes    (positions, D)  what is added to the word at each position; zeros where nothing is
    turns    (d_k / 2,)  radians by which each step turns a pair of features; zeros where nothing turns
    bias     (H, 2 n - 1)  what is added to the score at key - query = 1 - n .. n - 1; zeros where nothing is
    """

    weights: np.ndarray
    codes: np.ndarray
    turns: np.ndarray
    bias: np.ndarray


def one_word_model(scheme: str, length: int, *, d_model: int, n_heads: int, seed: int) -> EncoderModel:
    """The untrained one-layer encoder that reads one word; its learned table, if any, has `length` rows."""
    config = TransformerConfig(
        vocab_size=2,
        d_model=d_model,
        n_heads=n_heads,
        n_encoder_layers=1,
        n_decoder_layers=0,
        positions=scheme,
        max_len=length,
    )
    # Token vectors and layers are drawn before the scheme's own parameters, so they are the same for every scheme.
    return EncoderModel(config, torch.Generator().manual_seed(seed)).eval()


def moved(scheme: str, n: int, starts: int, *, d_model: int, n_heads: int, seed: int) -> Moved:
    """n equal words that begin at position 0, 1, ... starts - 1, as one model reads them.

    What comes before and after them is not looked at, as under a mask: softmax then shares the whole 1 among the n
    words, in the proportions that they have in the long text.
    """
    length = starts + n - 1
    model = one_word_model(scheme, length, d_model=d_model, n_heads=n_heads, seed=seed)
    positions, d_k = model.stack.positions, d_model // n_heads
    with torch.inference_mode():
        whole = model(torch.zeros(1, length, dtype=torch.long)).attention.encoder[0][0].double().numpy()
        codes = positions.add(torch.zeros(1, length, d_model))[0].numpy()
        bias = positions.bias(n, n)
    blocks = np.stack([whole[:, start : start + n, start : start + n] for start in range(starts)], axis=1)
    offsets = np.zeros((n_heads, 2 * n - 1)) if bias is None else by_offset(bias.double().numpy())
    return Moved(blocks / blocks.sum(-1, keepdims=True), codes, step_turns(positions, d_k), offsets)


def by_offset(bias: np.ndarray) -> np.ndarray:
    """A bias (H, n, n) that knows only key - query, as (H, 2 n - 1): its first column upwards, then its first row."""
    return np.concatenate([bias[:, :0:-1, 0], bias[:, 0]], axis=1)


def step_turns(positions: torch.nn.Module, d_k: int) -> np.ndarray:
    """By how many radians a step turns each pair of features of a query or key, as the scheme itself turns them."""
    if not isinstance(positions, RotaryPositions):
        return np.zeros(d_k // 2)
    cos, sin = positions.rows(0, 2)[1].double().chunk(2)
    return torch.atan2(sin, cos).numpy()
