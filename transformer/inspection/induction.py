"""Induction: random tokens, read twice. What came next the first time comes next again, and a head can look there.

In the first half nothing can be predicted; in the second half everything can, by a head that finds the same token
earlier and looks at what followed it (Elhage et al. 2021; Olsson et al. 2022).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

import numpy as np
import torch
import torch.nn.functional as F

from transformer.core.checks import InputError
from transformer.core.model import DecoderModel
from transformer.inspection.run import each_layer
from transformer.inspection.scores import INDUCTION


@dataclass(frozen=True, eq=False)
class Induction:
    """Texts of n random tokens, read twice by a decoder: means over the texts.

    texts    the ids of each, begin + 2 n tokens
    n        tokens of a half
    scores   (L, H) share of attention weight on the token that came next the first time
    chance   the score of a head that spreads evenly over all it may see
    losses   (2 n - 1,) nats: the loss of every token but the first, which nothing comes before
    weights  (L, H, T, T) of the first text
    """

    texts: tuple[tuple[int, ...], ...]
    n: int
    scores: np.ndarray
    chance: float
    losses: np.ndarray
    weights: np.ndarray

    @property
    def first(self) -> float:
        """The mean loss in the first half, where nothing can be known."""
        return float(self.losses[: self.n - 1].mean())

    @property
    def second(self) -> float:
        """The mean loss in the second half, but for its first token: nothing says that the text begins again."""
        return float(self.losses[self.n :].mean())

    @property
    def best(self) -> tuple[int, int]:
        """(layer, head) with the highest score."""
        layer, head = np.unravel_index(int(self.scores.argmax()), self.scores.shape)
        return int(layer), int(head)


def repeated(choices: Sequence[int], n: int, seed: int, begin: Sequence[int] = ()) -> tuple[int, ...]:
    """`begin`, then n random ids out of `choices`, then the same n again. The n are different where there are enough.

    Raises InputError where there is nothing to choose from, or for less than 2 tokens.
    """
    if n < 2 or not choices:
        raise InputError("a text to repeat has two tokens at least, out of a vocabulary")
    rng = Random(seed)
    block = rng.sample(choices, n) if n <= len(choices) else rng.choices(choices, k=n)
    return (*begin, *block, *block)


def induction(
    model: DecoderModel, choices: Sequence[int], n: int, *, begin: Sequence[int] = (), n_texts: int = 4, seed: int = 0
) -> Induction:
    """Let a decoder read n_texts texts of n random tokens twice, one after the other and layer by layer.

    choices  the ids to draw from: a vocabulary without its special tokens
    begin    ids that stand before each text, such as that of <bos>

    Raises InputError for a model that may look ahead, and as `repeated` does.
    """
    if not isinstance(model, DecoderModel):
        raise InputError("induction is measured on a decoder alone, which predicts the next token")
    texts = tuple(repeated(choices, n, seed + at, begin) for at in range(n_texts))
    T, start = len(texts[0]), len(begin)
    mask = np.tri(T, dtype=bool)
    scores, losses, chance, kept = [], [], [], []
    for text in texts:
        by_layer, x = [], None
        with torch.inference_mode():
            for x, weights in each_layer(model, list(text)):  # noqa: B007 the last x goes on
                maps = weights[0].float().numpy()
                by_layer.append(INDUCTION(maps, text))
                if text is texts[0]:
                    kept.append(maps)
            assert x is not None
            out = model.stack.final_norm(x)[:, start:-1]  # what predicts the second token of the text, and those after
            logits = model.output(out, model.stack.embedding)[0].float()
            losses.append(F.cross_entropy(logits, torch.tensor(text[start + 1 :]), reduction="none").numpy())
        scores.append(np.stack(by_layer))
        chance.append(INDUCTION.chance(T, T, mask, text))
    return Induction(
        texts=texts,
        n=n,
        scores=np.mean(scores, 0),
        chance=float(np.mean(chance)),
        losses=np.mean(losses, 0),
        weights=np.stack(kept),
    )
