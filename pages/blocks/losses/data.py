"""What a model loses without some of its parts, computed once and shared by all visitors.

Parts are named as inspection.ablations.ablate takes them. torch is imported inside the functions it needs.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from lab.kit.models.source import ModelRef, Source
from lab.kit.words import PIECE, is_piece
from lab.server.caching import cached
from pages.blocks.data import model_of, one_pass
from transformer import inspection
from transformer.core.workload import Workload

MOST_SECONDS = 40.0  # of work, as the server reckons it: more is not done unasked
QUICK = 3.0  # and so many, where it is ten times the work


@cached(work=one_pass)
def ablated(ref: ModelRef, tokens: tuple[str, ...], parts: tuple[str, ...]) -> "inspection.ablations.StreamStatistics":
    """The stream of a sentence in the model without these parts."""
    model = inspection.ablations.ablate(model_of(ref), *parts)
    return inspection.ablations.stream_statistics(model, ref.resolve().ids(tokens))


Words = tuple[tuple[str, bool], ...]  # what is said after each token but the last, and whether the text says the same


@cached(work=one_pass)
def next_words(ref: ModelRef, tokens: tuple[str, ...], parts: tuple[str, ...]) -> Words:
    """What a trained decoder says next all along its text without these parts; () of any other model."""
    return _next_words(ref.resolve(), tokens, ablated(ref, tokens, parts).logits)


def _next_words(source: Source, tokens: Sequence[str], logits: np.ndarray) -> Words:
    if not (source.answers and source.kind == "decoder"):
        return ()
    pairs = zip(logits.argmax(1).tolist(), source.ids(tokens)[1 : len(tokens)], strict=False)  # the last has no next
    return tuple((_shown(source, source.label(first)), first == int(true)) for first, true in pairs)


def _shown(source: Source, word: str) -> str:
    """The word; of a letter with which a model that knows its words begins to spell one, that it goes on: "z…"."""
    begins = len(word) == 1 and word.isalpha() and word not in "ai"
    return f"{word}{PIECE}" if begins and source.kinds and any(map(is_piece, source.labels)) else word


@cached(work=lambda ref, tokens, parts: one_pass(ref, tokens) * 2)
def prediction_change(ref: ModelRef, tokens: tuple[str, ...], parts: tuple[str, ...]) -> tuple[float, int]:
    """What an ablation does to the logits: (share of the probability that moves, tokens with another first entry)."""
    before, after = ablated(ref, tokens, ()), ablated(ref, tokens, parts)
    return inspection.ablations.prediction_change(before.logits, after.logits)


Leaders = tuple[tuple[str, float], ...]  # words with their probabilities
N_LEADERS = 5
LEAST = 0.0005  # of a word that is worth a bar


@cached(work=one_pass)
def leaders(ref: ModelRef, tokens: tuple[str, ...], parts: tuple[str, ...]) -> Leaders:
    """How probable the answer of a trained model is without these parts, and the words that then come nearest to it or
    have taken its place, the most probable one first."""
    source = ref.resolve()
    at = source.answer_position(tokens)
    whole, without = (ablated(ref, tokens, out).logits[at] for out in ((), parts))
    return _leaders(source, without, int(whole.argmax()))


def _leaders(source: Source, logits: np.ndarray, answer: int) -> Leaders:
    odds = np.exp(logits.astype("f8") - logits.max())
    odds /= odds.sum()
    first = (-odds).argsort(kind="stable")[:N_LEADERS]
    others = [int(id) for id in first if id != answer and odds[id] >= LEAST]
    return tuple((source.label(id), float(odds[id])) for id in (answer, *others[: N_LEADERS - 1]))


def said(leaders: Leaders) -> str:
    """The word that is said: the most probable one."""
    return max(leaders, key=lambda leader: leader[1])[0]


class Costs(NamedTuple):
    """What each sublayer alone is worth to a model on a text, (L, 2) each: attention, feed-forward.

    moved    the share of the probability that moves to other words without it: of the answer, or, where the model was
             not trained to answer, on average over all positions
    leaders  what the model then comes near to saying, as leaders() has it; () where it does not answer
    words    what it then says all along the text, as next_words() has it; then, where that is quick, what it says
             with a tenth of what the sublayer adds, with two tenths, and so on
    """

    moved: np.ndarray
    leaders: tuple[tuple[Leaders, ...], ...]
    words: tuple[tuple[tuple[Words, ...], ...], ...]


def _without_each(ref: ModelRef, tokens: tuple[str, ...]) -> Workload:
    """A pass without each sublayer."""
    return one_pass(ref, tokens) * (2 * ref.resolve().n_layers)


def _shares(ref: ModelRef, tokens: tuple[str, ...]) -> tuple[float, ...]:
    """How much of a sublayer is left in: nothing, and, where it takes no time, each tenth of it."""
    source = ref.resolve()
    has_words = source.answers and source.kind == "decoder"
    is_quick = has_words and 10 * _without_each(ref, tokens).seconds <= QUICK
    return tuple(tenth / 10 for tenth in range(10 if is_quick else 1))


def _all_of_them(ref: ModelRef, tokens: tuple[str, ...]) -> Workload:
    return _without_each(ref, tokens) * len(_shares(ref, tokens))


def can_be_weighed(ref: ModelRef, tokens: tuple[str, ...]) -> bool:
    """Whether a pass without each sublayer takes no longer than a visitor waits for a picture."""
    return _without_each(ref, tokens).seconds <= MOST_SECONDS


@cached(work=_all_of_them)
def sublayer_costs(ref: ModelRef, tokens: tuple[str, ...]) -> Costs:
    """What the model loses without each of its sublayers alone."""
    source = ref.resolve()
    at = source.answer_position(tokens) if source.answers else None
    whole = ablated(ref, tokens, ()).logits
    place = slice(None) if at is None else slice(at, at + 1)
    moved, said, words = [], [], []
    for ways in inspection.ablations.one_by_one(model_of(ref), source.ids(tokens), _shares(ref, tokens)):
        logits = ways[0]
        moved.append(inspection.ablations.prediction_change(whole[place], logits[place])[0])
        said.append(() if at is None else _leaders(source, logits[at], int(whole[at].argmax())))
        words.append(tuple(_next_words(source, tokens, way) for way in ways))
    return Costs(np.reshape(moved, (-1, 2)), _in_pairs(said), _in_pairs(words))


def _in_pairs(of_sublayers: list[Any]) -> tuple[tuple[Any, ...], ...]:
    """Those of each layer."""
    return tuple(zip(of_sublayers[::2], of_sublayers[1::2], strict=True))
