"""Brackets in code: where a decoder looks as it closes one, and which bracket it would write.

The row that writes a token is that of the token before it. A decoder with the task `code` is asked for closing brackets
alone, so each row says what would close here, whatever comes next in the text.
"""

from collections.abc import Sequence
from random import Random
from typing import NamedTuple

import numpy as np
import torch

from transformer.core.model import DecoderModel
from transformer.core.taps import Recorder
from transformer.inspection.agreement import Agreement, agreement, found
from transformer.training import tasks
from transformer.training.tasks.code import PAIRS, partners
from transformer.training.tasks.task import Task
from transformer.training.text import BOS, EOS

END = "⟨end⟩"  # what the model writes where nothing is open


class Closing(NamedTuple):
    """A closing bracket of a text, all places counted without <bos>.

    at        its place;  partner: that of the bracket that it closes, None where there is none
    depth     how many brackets are open before it
    expected  the token that the model finds likeliest there, END for none
    p         the probability that the model gives to the bracket that is there
    """

    at: int
    partner: int | None
    depth: int
    expected: str
    p: float


class Read(NamedTuple):
    """A text of T tokens as the model read it.

    closings  its closing brackets
    weights   (L, H, T + 1, T + 1), <bos> in front: row `at` wrote the token `at`, and column `at + 1` is that token
    """

    closings: tuple[Closing, ...]
    weights: np.ndarray

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """(row, column) of each closing bracket that has a partner."""
        return [(one.at, one.partner + 1) for one in self.closings if one.partner is not None]


def read(model: DecoderModel, task: Task, tokens: Sequence[str]) -> Read:
    """Read a text once, with all of its brackets."""
    return readings(model, task, [tokens])[0]


def without(model: DecoderModel, task: Task, tokens: Sequence[str], places: Sequence[int]) -> list[Read]:
    """Read a text once for each of these places, without the token there: what stands behind it moves up by one."""
    return readings(model, task, [[*tokens[:at], *tokens[at + 1 :]] for at in places]) if places else []


@torch.inference_mode()
def readings(model: DecoderModel, task: Task, texts: Sequence[Sequence[str]]) -> list[Read]:
    """Read several texts of one length, each by itself."""
    vocabulary = {task.source.label(id): id for id in range(len(task.source))}
    seen = Recorder("weights")
    ids = [[BOS, *(vocabulary[token] for token in tokens)] for tokens in texts]
    probs = model(torch.tensor(ids), tap=seen).logits.softmax(-1).numpy()
    weights = seen.stack("self_attn.weights").numpy()
    return [_read(task, tokens, probs[n], weights[:, n]) for n, tokens in enumerate(texts)]


def _read(task: Task, tokens: Sequence[str], probs: np.ndarray, weights: np.ndarray) -> Read:
    vocabulary = {task.source.label(id): id for id in range(len(task.source))}
    partner_of, depths = dict(partners(tokens)[0]), _depths(tokens)
    closings = []
    for at, token in enumerate(tokens):
        if token in PAIRS.values():
            favourite = int(probs[at].argmax())
            expected = END if favourite == EOS else task.source.label(favourite)
            closings.append(Closing(at, partner_of.get(at), depths[at], expected, float(probs[at, vocabulary[token]])))
    return Read(tuple(closings), weights)


def _depths(tokens: Sequence[str]) -> list[int]:
    """How many brackets are open before each token; one that closes nothing changes nothing."""
    closes = {at for at, _ in partners(tokens)[0]}
    depths, depth = [], 0
    for place, token in enumerate(tokens):
        depths.append(depth)
        depth += (token in PAIRS) - (place in closes)
    return depths


class Measured(NamedTuple):
    """Closing brackets of many texts, one number each.

    heads     the agreement of all heads with the partners, and which of them is measured below
    distance  (n,) tokens from the closing bracket back to its partner;  depth: as in Closing;  length: of its text
    looked    (n,) bool: whether the head looks most at the partner;  right: whether the model writes this bracket
    offset    (n,) bool: whether the best fixed offset leads to the partner
    """

    heads: Agreement
    distance: np.ndarray
    depth: np.ndarray
    length: np.ndarray
    looked: np.ndarray
    right: np.ndarray
    offset: np.ndarray


def texts(n: int, shortest: int, longest: int) -> list[tuple[str, ...]]:
    """Held-out pieces of code of the grammar, all of whose brackets are closed."""
    task = tasks.make("code", shortest=shortest, longest=longest)
    examples = task.examples(n, Random(12345), held_out=True)
    return [tuple(task.source.label(id) for id in (*e.source, *e.target)) for e in examples]


def measure(model: DecoderModel, task: Task, codes: Sequence[Sequence[str]], trained: int) -> Measured:
    """How often heads look at the partner of the bracket that is closed, and how often the model closes the right one.

    trained  the length up to which texts choose and measure the best head; all texts are measured with it
    Raises ValueError for too few brackets.
    """
    results = [read(model, task, tokens) for tokens in codes]
    short = [n for n, tokens in enumerate(codes) if len(tokens) <= trained]
    allowed = [np.arange(1, len(tokens) + 2) for tokens in codes]
    heads = agreement(
        [results[n].weights for n in short], [results[n].pairs for n in short], [allowed[n] for n in short]
    )
    if heads is None:
        raise ValueError("there are too few brackets to measure on")
    layer, head = heads.best
    known = [(n, one) for n, result in enumerate(results) for one in result.closings if one.partner is not None]
    pairs = [pair for result in results for pair in result.pairs]
    return Measured(
        heads=heads,
        distance=np.array([one.at - (one.partner or 0) for _, one in known]),
        depth=np.array([one.depth for _, one in known]),
        length=np.array([len(codes[n]) for n, _ in known]),
        looked=np.concatenate([found(result.weights[layer, head], result.pairs) for result in results if result.pairs]),
        right=np.array([one.expected == codes[n][one.at] for n, one in known]),
        offset=np.array([column - row == heads.offset for row, column in pairs]),
    )
