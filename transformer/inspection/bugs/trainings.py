"""A training of a second: which letter comes next in a b c d e f g h a b ...? Its loss or its rate may be wrong."""

from collections.abc import Callable
from random import Random

import numpy as np
import torch
from torch import Generator, Tensor

from transformer.core.config import TransformerConfig
from transformer.core.model import DecoderModel
from transformer.inspection.bugs.parts import loss_of_the_next_token, rate_with_warm_up
from transformer.inspection.bugs.specimens import Trained
from transformer.training.optimiser import AdamW
from transformer.training.text import PAD

LETTERS = "abcdefgh"
FIRST_LETTER = 4  # its id; PAD is 0
LONGEST = 12
BATCH = 16
N_WRITTEN = 6
EASY = TransformerConfig(vocab_size=12, tgt_vocab_size=12, d_model=16, n_heads=2, n_decoder_layers=1, d_ff=32)
# Norms after the sublayers, as in the paper, four layers deep: the kind of model that needs a warm-up.
DEEP = TransformerConfig(
    vocab_size=12, tgt_vocab_size=12, d_model=32, n_heads=2, n_decoder_layers=4, d_ff=64, norm="post"
)


def _letters(first: int, n: int) -> list[int]:
    return [FIRST_LETTER + (first + i) % len(LETTERS) for i in range(n)]


def alphabet(rng: Random) -> list[int]:
    """LONGEST letters in their order, from any of them on: only the first cannot be known."""
    return _letters(rng.randrange(len(LETTERS)), LONGEST)


def walk(rng: Random) -> list[int]:
    """From a to h in steps of one or two letters, by the toss of a coin; then padding."""
    places = [0]
    while places[-1] < len(LETTERS) - 1:
        places.append(min(places[-1] + rng.choice((1, 2)), len(LETTERS) - 1))
    return [FIRST_LETTER + place for place in places] + [PAD] * (LONGEST - len(places))


def train(
    config: TransformerConfig = EASY,
    *,
    loss: Callable[[Tensor, Tensor], Tensor] = loss_of_the_next_token,
    rate: Callable[[int, float, int], float] = rate_with_warm_up,
    highest: float = 0.02,
    warm_up: int = 5,
    steps: int = 60,
    text: Callable[[Random], list[int]] = alphabet,
    seed: int = 0,
) -> Trained:
    """Train on batches of such texts, and let the model write."""
    model = DecoderModel(config, Generator().manual_seed(seed)).train()
    optimiser = AdamW((model.parameters(), 0.0), eps=1e-9)
    rng = Random(seed)
    reported, honest = [], []
    for step in range(1, steps + 1):
        ids = torch.tensor([text(rng) for _ in range(BATCH)])
        logits = model(ids).logits
        minimised = loss(logits, ids)
        optimiser.zero_grad()
        minimised.backward()
        for group in optimiser.param_groups:
            group["lr"] = rate(step, highest, warm_up)
        optimiser.step()
        reported.append(minimised.item())
        honest.append(loss_of_the_next_token(logits.detach(), ids).item())
    start = _letters(2, 3)
    written = _write(model.eval(), start, N_WRITTEN)
    return Trained(np.array(reported), np.array(honest), _names(start), _names(written), _names(_letters(5, N_WRITTEN)))


def _write(model: DecoderModel, start: list[int], n: int) -> list[int]:
    """The n tokens that the model goes on with, each the likeliest."""
    ids = list(start)
    with torch.inference_mode():
        for _ in range(n):
            ids.append(int(model(torch.tensor([ids])).logits[0, -1].argmax()))
    return ids[len(start) :]


def _names(ids: list[int]) -> tuple[str, ...]:
    return tuple(LETTERS[id - FIRST_LETTER] if id >= FIRST_LETTER else "<pad>" for id in ids)
