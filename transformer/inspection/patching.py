"""Activation patching: which part of a model carries the difference between two prompts?

Run the corrupted prompt, but give one part of the model what it had computed on the clean prompt. If the answer becomes
that of the clean prompt, the part carries what differs (Vig et al. 2020, Meng et al. 2022).

    question = Question(clean=ids_of("mia found ..."), corrupted=ids_of("tom found ..."), answer=she, other=he)
    patch_heads(model, question).shares     # (L, H): 0 as the corrupted prompt, 1 as the clean one
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from transformer.core import workload
from transformer.core.checks import InputError
from transformer.core.config import TransformerConfig
from transformer.core.interruption import check_interruption
from transformer.core.model import SingleStack
from transformer.core.taps import Recorder, Tap, no_tap, patch
from transformer.core.workload import Workload
from transformer.inspection.run import Text, at_token, check_head, ids_of, last_layer

MAX_BYTES = 200_000_000  # of a batch of patched copies
MIN_DIFFERENCE = 1e-4  # of the two prompts' scores: below that, shares of it would be rounding


class Question(NamedTuple):
    """Two prompts of equal length, and what is asked of the model after them.

    clean, corrupted  ids (T,); a batch of one is taken out of its batch
    answer            the id whose logit is read
    other             the id whose logit is taken from it; None: the log-probability of the answer is read instead
    position          where it is read, counted from 0, or from -1 backwards: the last token of a decoder, the first of
                      an encoder
    """

    clean: Text
    corrupted: Text
    answer: int
    other: int | None = None
    position: int = -1

    @property
    def differs(self) -> tuple[int, ...]:
        """The positions at which the two prompts have different tokens."""
        pairs = zip(ids_of(self.clean), ids_of(self.corrupted), strict=True)
        return tuple(i for i, (a, b) in enumerate(pairs) if a != b)


@dataclass(frozen=True, eq=False)
class Patching:
    """What patching each part of a model does.

    clean, corrupted  the score of the two prompts: the difference of two logits, or a log-probability, in nats
    scores            the score of the corrupted prompt, with one part patched: (L, H), or (L + 1, T)
    """

    clean: float
    corrupted: float
    scores: np.ndarray

    @property
    def shares(self) -> np.ndarray:
        """How much of the way from the corrupted to the clean score each part goes: 0 none, 1 all of it."""
        return (self.scores - self.corrupted) / (self.clean - self.corrupted)


def score(logits: Tensor, question: Question) -> Tensor:
    """What is asked, of logits (..., V) at its position: the difference of two logits, or a log-probability -> (...)"""
    if question.other is None:
        return logits.log_softmax(-1)[..., question.answer]
    return logits[..., question.answer] - logits[..., question.other]


def patch_heads(model: SingleStack, question: Question, *, last_only: bool = False) -> Patching:
    """Patch every head by itself: its output before W_o, of all tokens or of the one at the question's position alone.

    Raises InputError for prompts of different lengths, for equal ones, for a position that they do not have, and where
    both score the same: there is then nothing that a part could carry.
    """
    run = _Runs(model, question)
    H = model.config.n_heads
    rows = question.position if last_only else slice(None)
    scores = []
    for layer in range(len(model.stack.layers)):
        path = f"{model.kind}.{layer}.self_attn.heads"
        clean, corrupted = run.activations(path)  # (H, T, d_k)
        scores.append(run.each(path, [_replaced(corrupted, clean, head, rows) for head in range(H)]))
    return Patching(run.clean, run.corrupted, np.array(scores).reshape(-1, H))


def each_patched(model: SingleStack, question: Question, *, last_only: bool = False) -> Iterator[np.ndarray]:
    """The probabilities (H, V) of the next token of the corrupted prompt with each head of a layer patched, layer by
    layer.

    Raises InputError as `patch_heads` does.
    """
    run = _Runs(model, question)
    rows = question.position if last_only else slice(None)
    for layer in range(len(model.stack.layers)):
        path = f"{model.kind}.{layer}.self_attn.heads"
        clean, corrupted = run.activations(path)  # (H, T, d_k)
        yield run.chances(path, [_replaced(corrupted, clean, head, rows) for head in range(model.config.n_heads)])


def patch_stream(model: SingleStack, question: Question) -> Patching:
    """Patch the stream at one token and one height: as it enters each layer, and as it leaves the last, (L + 1, T).

    Before the first token that differs, the two runs of a decoder are the same, and nothing is run again.
    Raises InputError as `patch_heads` does.
    """
    run = _Runs(model, question)
    L, T = len(model.stack.layers), run.T
    first = min(question.differs) if model.kind == "decoder" else 0
    scores = np.full((L + 1, T), run.corrupted)
    for height in range(L + 1):
        path = f"{model.kind}.{height}.residual_in" if height < L else f"{model.kind}.{L - 1}.residual_out"
        clean, corrupted = run.activations(path)  # (T, D)
        scores[height, first:] = run.each(path, [_replaced(corrupted, clean, token) for token in range(first, T)])
    return Patching(run.clean, run.corrupted, scores)


class Predictions(NamedTuple):
    """The probabilities (V,) of the next token: of both prompts, and of the corrupted one with a head patched."""

    clean: np.ndarray
    corrupted: np.ndarray
    patched: np.ndarray


def predictions(
    model: SingleStack, question: Question, layer: int, head: int, *, last_only: bool = False
) -> Predictions:
    """What the model predicts at the question's position, before and after one head is patched.

    Raises InputError as `patch_heads` does, and IndexError if there is no such layer or head.
    """
    check_head(model, layer, head)
    run = _Runs(model, question)
    path = f"{model.kind}.{layer}.self_attn.heads"
    clean, corrupted = run.activations(path)
    value = _replaced(corrupted, clean, head, question.position if last_only else slice(None))
    with torch.inference_mode():
        logits = [
            _logits(model, question.clean, question),
            _logits(model, question.corrupted, question),
            _logits(model, question.corrupted, question, patch(path, value[None])),
        ]
        return Predictions(*(x[0].float().softmax(-1).numpy() for x in logits))


def patching_work(config: TransformerConfig, T: int, n_layers: int, n_patches: int) -> Workload:
    """What n_patches patched passes of a text of T tokens take, with the two passes that they are compared with."""
    B = copies_at_once(config, T)
    kept = 2 * workload.FLOAT * n_layers * 3 * T * config.d_model  # what both prompts left at every path
    one = workload.one_pass(config, T, n_layers, has_logits=False)
    batch = workload.one_pass(config, T, n_layers, B=B, has_logits=False)
    output = Workload(0, (n_patches + 2) * config.d_model * config.vocab_size)
    advice = "A shorter text or a smaller model needs less."
    return (one * (n_patches + 2) + Workload(batch.n_bytes) + output).keeping(kept).advised(advice)


def copies_at_once(config: TransformerConfig, T: int) -> int:
    """How many patched copies of a text of T tokens run as one batch, within MAX_BYTES."""
    one, two = (workload.one_pass(config, T, 1, B=B, has_logits=False).n_bytes for B in (1, 2))
    return max(1, int(MAX_BYTES // (two - one + 2 * workload.FLOAT * config.vocab_size)))


class _Runs:
    """The two prompts, run once each, and copies of the corrupted one with patches."""

    def __init__(self, model: SingleStack, question: Question) -> None:
        self.T, other = len(ids_of(question.clean)), len(ids_of(question.corrupted))
        if other != self.T:
            raise InputError(
                f"patching compares token by token, so both prompts need the same number of tokens; these have "
                f"{self.T} and {other}"
            )
        if not question.differs:
            raise InputError("the two prompts are the same; change a word in one of them")
        self.model, self.question = model, question
        recorders = [Recorder("heads", "residual_in", "residual_out") for _ in range(2)]
        with torch.inference_mode():
            self.clean, self.corrupted = (
                float(score(_logits(model, ids, question, recorder), question)[0])
                for ids, recorder in zip((question.clean, question.corrupted), recorders, strict=True)
            )
        self._clean, self._corrupted = recorders
        if abs(self.clean - self.corrupted) < MIN_DIFFERENCE:
            raise InputError("the model answers both prompts alike, so no part of it carries a difference")

    def activations(self, path: str) -> tuple[Tensor, Tensor]:
        """What the clean and the corrupted prompt left at this path, without the axis of the batch."""
        return self._clean[path][0], self._corrupted[path][0]

    def each(self, path: str, values: list[Tensor]) -> list[float]:
        """The score of the corrupted prompt with each of these values at a path, in batches."""
        return [x for batch in self._batches(values) for x in score(self._patched(path, batch), self.question).tolist()]

    def chances(self, path: str, values: list[Tensor]) -> np.ndarray:
        """The probabilities (n, V) of its next token with each of these values at a path."""
        return np.concatenate(
            [self._patched(path, batch).float().softmax(-1).numpy() for batch in self._batches(values)]
        )

    def _batches(self, values: list[Tensor]) -> Iterator[list[Tensor]]:
        B = copies_at_once(self.model.config, self.T)
        for first in range(0, len(values), B):
            check_interruption()
            yield values[first : first + B]

    def _patched(self, path: str, values: list[Tensor]) -> Tensor:
        with torch.inference_mode():
            tap = patch(path, torch.stack(values))  # (B, ...)
            return _logits(self.model, self.question.corrupted, self.question, tap, B=len(values))  # (B, V)


def _replaced(corrupted: Tensor, clean: Tensor, *at: int | slice) -> Tensor:
    """The one with a part of the other."""
    tensor = corrupted.clone()
    tensor[at] = clean[at]
    return tensor


def _logits(model: SingleStack, ids: Text, question: Question, tap: Tap = no_tap, B: int = 1) -> Tensor:
    """The logits (B, V) of B copies of a text, worked out at the question's position alone."""
    x, _ = last_layer(model, ids, tap=tap, B=B)  # (B, T, D)
    return model.output(at_token(x, question.position)[:, None], model.stack.embedding)[:, 0]
