"""What one head cannot do and two can: look at two places and keep apart what stands there. Built by hand."""

import math
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import layer_norm

from transformer.core.attention import MultiHeadAttention
from transformer.core.checks import InputError
from transformer.core.positions import sinusoids
from transformer.core.taps import Recorder

WORDS = ("Ann", "thanked", "Bob", "?")
SENTENCES = (("Ann", "thanked", "Bob", "?"), ("Bob", "thanked", "Ann", "?"))
FIRST, SECOND, ASKS = 0, 2, 3  # the places of the one who thanks, of the one who is thanked, and of the question
WIDTH = 64  # of the word vectors that positions are added to
SURE = 200.0  # beside a score that is this much higher, the others round to a weight of exactly 0


@dataclass(frozen=True, eq=False)
class TwoPlaces:
    """What the question mark sees and gets, in both sentences (2).

    weights  (2, H, 4) where it looks
    output   (2, H, 4) what each head brings, feature by feature: how much of each of WORDS
    """

    weights: np.ndarray
    output: np.ndarray

    @property
    def apart(self) -> float:
        """The largest difference between the outputs of the two sentences; 0: they cannot be told apart."""
        return float(np.abs(self.output[0] - self.output[1]).max())


@torch.inference_mode()
def two_places(n_heads: int, share: float = 0.5) -> TwoPlaces:
    """The question asks who thanked and who was thanked; its head or heads look at those two places.

    A token is its word and its place, one-hot each, side by side (8 features). One head gives `share` of its attention
    to the first place and the rest to the second; of two heads each takes one place. W_v reads the word, W_o changes
    nothing.
    """
    if n_heads not in (1, 2):
        raise InputError(f"n_heads={n_heads} must be 1 or 2")
    if not 0 < share < 1:
        raise InputError(f"share={share} must be above 0 and below 1")
    n = len(WORDS)
    attention = MultiHeadAttention(2 * n, n_heads, bias=False, generator=torch.Generator().manual_seed(0))
    d_k = attention.d_k
    for parameter in attention.parameters():
        parameter.zero_()
    for h in range(n_heads):
        at = h * d_k
        # A feature for each place: the key says which it is, the question how much it wants it.
        attention.w_k.weight[at : at + n, n:] = torch.eye(n)
        wanted = torch.full((n,), -SURE)
        if n_heads == 1:
            wanted[FIRST], wanted[SECOND] = math.log(share), math.log(1 - share)
        else:
            wanted[(FIRST, SECOND)[h]] = 0.0
        attention.w_q.weight[at : at + n, n + ASKS] = math.sqrt(d_k) * wanted
        attention.w_v.weight[at : at + n, :n] = torch.eye(n)
    attention.w_o.weight.copy_(torch.eye(2 * n))
    x = torch.stack([_tokens(sentence) for sentence in SENTENCES])  # (2, 4, 8)
    recorder = Recorder("heads")
    output, weights = attention(x, tap=recorder)
    heads = output[:, ASKS].reshape(2, n_heads, d_k)[..., :n]  # W_o is the identity: the concat as it comes out
    return TwoPlaces(weights[:, :, ASKS].numpy().astype(float), heads.numpy().astype(float))


@torch.inference_mode()
def apart_with_positions(*, is_normed: bool, amount: float = 1.0) -> float:
    """The largest difference between even mixes of the two names in both sentences, where values hold positions, too.

    Values are made from random word vectors to which `amount` times the sinusoidal code of their position is added. As
    that is added, it is averaged as well, and the mixes are the same. is_normed=True: a layer norm comes in between,
    as in a layer that normalises first. It bends the sum, and the mixes differ.
    """
    generator = torch.Generator().manual_seed(0)
    words = dict(zip(WORDS, torch.randn(len(WORDS), WIDTH, generator=generator), strict=True))
    w_v = torch.randn(WIDTH, WIDTH, generator=generator) / math.sqrt(WIDTH)
    code = sinusoids(len(WORDS), WIDTH).float()
    mixes = []
    for sentence in SENTENCES:
        x = torch.stack([words[word] for word in sentence]) + amount * code  # (4, WIDTH)
        if is_normed:
            x = layer_norm(x, (WIDTH,))
        values = x @ w_v
        mixes.append(0.5 * values[FIRST] + 0.5 * values[SECOND])
    return float((mixes[0] - mixes[1]).abs().max())


def _tokens(sentence: tuple[str, ...]) -> Tensor:
    """(4, 8): the word of every token, then its place, one-hot."""
    n = len(WORDS)
    x = torch.zeros(n, 2 * n)
    for place, word in enumerate(sentence):
        x[place, WORDS.index(word)] = 1.0
        x[place, n + place] = 1.0
    return x
