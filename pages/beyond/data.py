"""What the page beyond language computes, once for all visitors."""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import transformer
from lab.kit.models.references import Shipped
from lab.server.caching import cached
from transformer import inspection, training
from transformer.core import workload
from transformer.core.workload import Workload

MODEL = Shipped("code")
MAX_LETTERS, MAX_TOKENS = 1500, 160  # of a visitor's code
MAX_OUT = 24  # opening brackets that can be taken out, the first ones: each takes one pass
N_SHORT, N_LONG = 150, 50  # held-out texts up to the length of training, and longer ones
LONGEST = 96


class Read(NamedTuple):
    """A piece of code as the model read it.

    payload       for the component code_brackets
    closings      its closing brackets; pieces: its tokens
    n_pairs       closing brackets that have a partner
    n_fixed       so many the best fixed distance finds, of all that there are in this code; distance: this one, in
                  tokens from a closing bracket back to its partner
    """

    payload: dict
    closings: "tuple[inspection.closing.Closing, ...]"
    pieces: "tuple[training.tasks.code.Piece, ...]"
    n_pairs: int
    n_fixed: int
    distance: int


def trained_length() -> int:
    """Tokens of the longest beginning that the model was trained on."""
    return MODEL.resolve().task.longest


def heads() -> tuple[tuple[int, int], ...]:
    """Layer and number of every head."""
    config = MODEL.resolve().config
    return tuple((layer, head) for layer in range(config.n_decoder_layers) for head in range(config.n_heads))


def pieces(code: str) -> "tuple[training.tasks.code.Piece, ...]":
    """The tokens of a piece of code, all of them."""
    return tuple(training.tasks.code.pieces(code))


def _model() -> "transformer.DecoderModel":
    model = MODEL.resolve().model
    assert isinstance(model, transformer.DecoderModel)
    return model


def _reading(code: str, head: tuple[int, int]) -> Workload:
    config = MODEL.resolve().config
    one = workload.one_pass(config, min(len(code), MAX_TOKENS) + 1, config.n_decoder_layers, keeps_maps=True)
    return one * (1 + min(MAX_OUT, sum(code.count(bracket) for bracket in training.tasks.code.PAIRS)))


@cached(work=_reading)
def read(code: str, head: tuple[int, int]) -> Read:
    """Reads the first MAX_TOKENS tokens of a piece of code that has one or more."""
    from pages.beyond.components.code_brackets import payload

    shown = pieces(code)[:MAX_TOKENS]
    model, task, tokens = _model(), MODEL.resolve().task, [piece.token for piece in shown]
    result = inspection.closing.read(model, task, tokens)
    opening = [at for at, token in enumerate(tokens) if token in training.tasks.code.PAIRS][:MAX_OUT]
    without = dict(zip(opening, inspection.closing.without(model, task, tokens, opening), strict=True))
    distance, n_fixed = best_distance(result.closings)
    return Read(
        {**payload(code, shown, result, head, without), "distance": distance},
        result.closings,
        shown,
        n_pairs=len(result.pairs),
        n_fixed=n_fixed,
        distance=distance,
    )


def best_distance(closings: "Sequence[inspection.closing.Closing]") -> tuple[int, int]:
    """The distance at which most partners stand, the shortest of several, and at how many brackets; (0, 0) for none."""
    counts = Counter(one.at - one.partner for one in closings if one.partner is not None)
    return max(counts.items(), key=lambda item: (item[1], -item[0]), default=(0, 0))


def _measuring() -> Workload:
    config = MODEL.resolve().config
    one = workload.one_pass(config, LONGEST + 16, config.n_decoder_layers, keeps_maps=True)
    return (one * (N_SHORT + N_LONG)).keeping(4 * (N_SHORT + N_LONG) * 8 * LONGEST**2)


@cached(work=_measuring)
def measured() -> "inspection.closing.Measured":
    """Heads and answers on held-out code, as long as in training and longer."""
    longest = trained_length()
    codes = inspection.closing.texts(N_SHORT, 4, longest) + inspection.closing.texts(N_LONG, longest + 1, LONGEST)
    return inspection.closing.measure(_model(), MODEL.resolve().task, codes, longest)
