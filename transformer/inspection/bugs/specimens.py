"""What the instruments examine: a model, a pair of its layers, a table of tokens, or a training."""

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from transformer.core.layers import DecoderLayer
from transformer.core.model import DecoderModel, Output, SingleStack
from transformer.core.taps import Tap, no_tap
from transformer.training.text import PAD


@dataclass(frozen=True, eq=False)
class Specimen:
    """A model and the text that it reads.

    ids, tokens  (T,)
    edits        (T,) the id that takes the place of each token in an experiment
    others       texts of the same length that can stand in a batch with it
    """

    model: SingleStack
    ids: tuple[int, ...]
    tokens: tuple[str, ...]
    edits: tuple[int, ...] = ()
    others: tuple[tuple[int, ...], ...] = ()

    def run(self, *texts: tuple[int, ...], tap: Tap = no_tap) -> Output:
        """The output for these texts of one length, or for its own."""
        with torch.inference_mode():
            return self.model(torch.tensor(texts or [self.ids]), tap=tap)

    def logits(self, *texts: tuple[int, ...]) -> np.ndarray:
        """(T, V) of the first of these texts, or of its own."""
        return self.run(*texts).logits[0].numpy()

    @property
    def is_causal(self) -> bool:
        return isinstance(self.model, DecoderModel)

    @property
    def is_word(self) -> np.ndarray:
        """Which tokens are no padding, (T,)."""
        return np.array(self.ids) != PAD


@dataclass(frozen=True, eq=False)
class Pair:
    """The cross-attention of a decoder layer: x (1, T, D) from the target, memory (1, S, D) from the source."""

    layer: DecoderLayer
    x: Tensor
    memory: Tensor
    target: tuple[str, ...]
    source: tuple[str, ...]

    def look(self, tap: Tap) -> None:
        """Call it once."""
        self.layer.look(self.x, self.memory, tap)  # type: ignore[operator]


@dataclass(frozen=True, eq=False)
class Numbered:
    """Words, and the id that somebody gave to each of them; rows: the words whose rows of the table come in order."""

    words: tuple[str, ...]
    number: dict[str, int]
    rows: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Trained:
    """A training at its end.

    reported  (steps,) the loss that was minimised
    honest    (steps,) that of the next token, over words only, on the same batch
    start     the first tokens of a text, and `written` what the model goes on with
    """

    reported: np.ndarray
    honest: np.ndarray
    start: tuple[str, ...]
    written: tuple[str, ...]
    expected: tuple[str, ...]
