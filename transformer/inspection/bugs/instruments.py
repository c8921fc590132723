"""Instruments for a model that may have a bug: each measures something, and knows how far that is from healthy.

An instrument does not know what is broken. It finds a fault if its deviation is above its limit.
"""

import copy
from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from transformer.core.cache import Cache
from transformer.core.model import DecoderModel
from transformer.core.taps import Recorder
from transformer.inspection.bugs import collection as names
from transformer.inspection.bugs.specimens import Numbered, Pair, Specimen, Trained
from transformer.training.text import PAD

_drawing = Lock()  # torch's own source of random numbers, which nn.functional.dropout draws from, is one for all
ROUNDING = 1e-4  # of logits: what is below is float32, not a fault


@dataclass(frozen=True, eq=False)
class Instrument:
    """One way to examine a specimen.

    measure    specimen -> numbers
    deviation  (numbers, specimen) -> how far they are from what a healthy model gives; NaN counts as infinitely far.
               None for an instrument that only the eye can read
    limit      above it, the instrument has found a fault
    """

    measure: Callable[[Any], np.ndarray]
    deviation: Callable[[np.ndarray, Any], float] | None = None
    limit: float = ROUNDING

    def reading(self, specimen: Any) -> np.ndarray:
        """What it measures; the same at every call, also where the model draws random numbers."""
        with _drawing, torch.random.fork_rng(devices=[]):
            torch.manual_seed(0)
            return self.measure(specimen)

    def finds(self, reading: np.ndarray, specimen: Any) -> bool:
        """Whether this reading is not that of a healthy model."""
        if self.deviation is None:
            return False
        return not self.deviation(reading, specimen) <= self.limit


# ---- what they measure ---------------------------------------------------------------------------------------------


def strongest_weights(specimen: Specimen) -> np.ndarray:
    """The largest attention weight that any head of any layer gives, (T, T)."""
    return _weights(specimen).amax(0).numpy()


def row_sums(specimen: Specimen) -> np.ndarray:
    """The sum of each query's weights in the head in which it is farthest from 1, (T,)."""
    sums = _weights(specimen).sum(-1)  # (L H, T)
    off = torch.nan_to_num((sums - 1).abs(), nan=torch.inf)
    return sums.gather(0, off.argmax(0, keepdim=True))[0].numpy()


def changes(specimen: Specimen) -> np.ndarray:
    """(T, T): how far output i moved when token j was replaced, as the largest change of its logits."""
    before = specimen.logits()
    columns = []
    for j, edit in enumerate(specimen.edits):
        after = specimen.logits((*specimen.ids[:j], edit, *specimen.ids[j + 1 :]))
        columns.append(np.abs(after - before).max(-1))
    return np.stack(columns, axis=1)


def repeats(specimen: Specimen) -> np.ndarray:
    """How far each output differs between two runs of the same text, (T,)."""
    return np.abs(specimen.logits() - specimen.logits()).max(-1)


def swaps(specimen: Specimen) -> np.ndarray:
    """How far each word's output moves when the words are put in reverse order and it is looked up again, (T,).

    The first token keeps its position.
    """
    first, *rest = specimen.ids
    before, after = specimen.logits(), specimen.logits((first, *reversed(rest)))
    return np.abs(np.concatenate([after[:1], after[:0:-1]]) - before).max(-1)


def company(specimen: Specimen) -> np.ndarray:
    """How far each output moves when the text is the last of a batch, after others, (T,)."""
    together = specimen.run(*specimen.others, specimen.ids).logits[-1].numpy()
    return np.abs(together - specimen.logits()).max(-1)


PADS = tuple(range(7))  # columns of padding that are tried


def padding(specimen: Specimen) -> np.ndarray:
    """How far the first output, the answer, moves with so many columns of padding, one number per entry of PADS."""
    words = tuple(id for id in specimen.ids if id != PAD)
    answers = [specimen.logits(words + (PAD,) * n)[0] for n in PADS]
    return np.array([np.abs(answer - answers[0]).max() for answer in answers])


def cache(specimen: Specimen) -> np.ndarray:
    """How far each output with a cache, token by token, is from that of the whole text read at once, (T,)."""
    model, held = specimen.model, Cache(len(specimen.model.stack.layers))
    assert isinstance(model, DecoderModel)
    with torch.inference_mode():
        steps = [model(torch.tensor([[id]]), cache=held).logits[0, 0].numpy() for id in specimen.ids]
    return np.abs(np.stack(steps) - specimen.logits()).max(-1)


def missing_numbers(specimen: Specimen) -> np.ndarray:
    """The share of each token's numbers that are NaN, at the input and after every layer, (L + 1, T)."""
    recorder = Recorder("residual_in", "residual_out")
    specimen.run(tap=recorder)
    heights = [recorder[f"{specimen.model.kind}.0.residual_in"], *recorder.stack("residual_out")]
    return np.stack([height[0].isnan().float().mean(-1).numpy() for height in heights])


def spreads(specimen: Specimen) -> np.ndarray:
    """The standard deviation of the scores that enter softmax, one number per head of the first layer."""
    recorder = Recorder("scaled")
    specimen.run(tap=recorder)
    scores = recorder[f"{specimen.model.kind}.0.self_attn.scaled"][0]  # (H, T, T)
    return scores.flatten(1).std(-1).numpy()


def token_spreads(specimen: Specimen) -> np.ndarray:
    """The standard deviation of each token's features as the first norm leaves them, before its gain, (T,)."""
    stack = specimen.model.stack
    with torch.inference_mode():
        x = stack.embed(torch.tensor([specimen.ids]))
        normal: Any = stack.layers[0].norm1
        return normal.normal(x)[0].std(-1, correction=0).numpy()


def likeness(specimen: Specimen) -> np.ndarray:
    """The mean cosine between the streams of two different tokens, at the input and after every layer, (L + 1,)."""
    recorder = Recorder("residual_in", "residual_out")
    specimen.run(tap=recorder)
    heights = torch.stack([recorder[f"{specimen.model.kind}.0.residual_in"][0], *recorder.stack("residual_out")[:, 0]])
    unit = F.normalize(heights, dim=-1)  # (L + 1, T, D)
    T = unit.shape[1]
    cosines = unit @ unit.mT  # (L + 1, T, T)
    return ((cosines.sum((1, 2)) - T) / (T * (T - 1))).numpy()


def gradients(specimen: Specimen) -> np.ndarray:
    """The length of the loss's gradient by the parameters of each layer, (L,); 0 where none arrives."""
    layers = [list(layer.parameters()) for layer in specimen.model.stack.layers]
    found = torch.autograd.grad(_loss(specimen), [p for layer in layers for p in layer], allow_unused=True)
    rest = iter(found)
    lengths = []
    for layer in layers:
        own = [grad.norm() for _, grad in zip(layer, rest, strict=False) if grad is not None]
        lengths.append(torch.stack(own).norm().item() if own else 0.0)
    return np.array(lengths)


def optimised(specimen: Specimen) -> np.ndarray:
    """Of each layer's tensors, the share that the optimiser is given and that no layer before it has given, (L,)."""
    given = {id(p) for p in specimen.model.parameters()}
    shares = []
    for layer in specimen.model.stack.layers:
        own = [id(p) for p in layer.parameters()]
        shares.append(sum(p in given for p in own) / len(own))
        given.difference_update(own)
    return np.array(shares)


def shapes(pair: "Pair") -> np.ndarray:
    """(queries, keys, outputs, tokens of the target): how many of each the cross-attention has."""
    recorder = Recorder("q", "k", "out")
    with torch.inference_mode():
        pair.look(recorder)
    q, k, out = (recorder[name].shape for name in ("q", "k", "out"))
    return np.array([q[-2], k[-2], out[-2], pair.x.shape[1]])


def cross_weights(pair: "Pair") -> np.ndarray:
    """The largest weight of any head, one row per query and one column per key."""
    recorder = Recorder("weights")
    with torch.inference_mode():
        pair.look(recorder)
    return recorder["weights"][0].amax(0).numpy()


def precision(module: nn.Module) -> np.ndarray:
    """Bytes per number of (what goes in, the table, what comes out) once the module is in half precision."""
    half: Any = copy.deepcopy(module).half()
    x = torch.zeros(1, 4, half.table.shape[1], dtype=torch.float16)
    return np.array([x.element_size(), half.table.element_size(), half(x).element_size()])


def next_layer(module: nn.Module) -> np.ndarray:
    """(1 if a linear map of half precision refuses what comes out of the module in half precision, else 0,)."""
    half: Any = copy.deepcopy(module).half()
    d_model = half.table.shape[1]
    try:
        nn.Linear(d_model, d_model).half()(half(torch.zeros(1, 4, d_model, dtype=torch.float16)))
    except RuntimeError:
        return np.ones(1)
    return np.zeros(1)


def looked_up(numbered: Numbered) -> np.ndarray:
    """For each word the number of the row that its id picks, minus that of its own row, (T,)."""
    return np.array([numbered.number[word] - numbered.rows.index(word) for word in numbered.words])


def id_range(numbered: Numbered) -> np.ndarray:
    """(largest id of any word, number of the table's last row)."""
    return np.array([max(numbered.number.values()), len(numbered.rows) - 1])


def losses(trained: Trained) -> np.ndarray:
    """(2, steps): the reported loss and the honest one."""
    return np.stack([trained.reported, trained.honest])


def reported_losses(trained: Trained) -> np.ndarray:
    """(1, steps): the loss that was minimised, which is all that a log shows."""
    return trained.reported[None]


def writing(trained: Trained) -> np.ndarray:
    """1 for each token that it writes and that is right, 0 for another, (n,)."""
    return np.array([float(a == b) for a, b in zip(trained.written, trained.expected, strict=True)])


# ---- how far from healthy ------------------------------------------------------------------------------------------


def _above_the_diagonal(changed: np.ndarray, specimen: Specimen) -> float:
    """The largest change of an output before the edited token, which a decoder must not show."""
    return float(np.triu(changed, 1).max())


def _deaf(changed: np.ndarray, specimen: Specimen) -> float:
    """1 if the answer of an encoder, its first output, hears of no word but its own; 0 otherwise."""
    return float(not changed[0, 1:][specimen.is_word[1:]].max() > ROUNDING)


def _wrong_changes(changed: np.ndarray, specimen: Specimen) -> float:
    return (_above_the_diagonal if specimen.is_causal else _deaf)(changed, specimen)


def _largest(reading: np.ndarray, specimen: object) -> float:
    return float(np.abs(reading).max())


def _from_1(reading: np.ndarray, specimen: object) -> float:
    return float(np.abs(reading - 1).max())


def _nothing_moves(reading: np.ndarray, specimen: object) -> float:
    return float(not reading.max() > ROUNDING)


def _steepness(reading: np.ndarray, specimen: object) -> float:
    """How many times longer the longest gradient is than the shortest."""
    return float(reading.max() / max(reading.min(), 1e-30))


def _not_as_many(reading: np.ndarray, specimen: object) -> float:
    queries, _, outputs, targets = reading
    return float(abs(queries - targets) + abs(outputs - targets))


def _wider(reading: np.ndarray, specimen: object) -> float:
    return float(reading[2] - reading[0])


def _apart(reading: np.ndarray, specimen: object) -> float:
    """How far the reported loss is below the honest one at the end."""
    return float((reading[1] - reading[0])[-10:].mean())


def _left_of_it(reading: np.ndarray, specimen: object) -> float:
    """The share of the first loss that is still there at the end."""
    return float(reading[0][-10:].mean() / reading[0][0])


def _at_the_top(reading: np.ndarray, specimen: object) -> float:
    return float(reading[-1])


def _too_large(reading: np.ndarray, specimen: object) -> float:
    return float(reading[0] - reading[1])


INSTRUMENTS: dict[str, Instrument] = {
    names.WEIGHTS: Instrument(strongest_weights),
    names.ROW_SUMS: Instrument(row_sums, _from_1),
    names.CHANGES: Instrument(changes, _wrong_changes),
    names.REPEATS: Instrument(repeats, _largest),
    names.SWAPS: Instrument(swaps, _nothing_moves, 0),
    names.COMPANY: Instrument(company, _largest),
    names.PADDING: Instrument(padding, _largest),
    names.CACHE: Instrument(cache, _largest),
    names.MISSING: Instrument(missing_numbers, _largest, 0),
    names.SPREADS: Instrument(spreads, _largest, 2),
    names.TOKEN_SPREADS: Instrument(token_spreads, _from_1, 0.05),
    names.LIKENESS: Instrument(likeness, _at_the_top, 0.9),
    names.GRADIENTS: Instrument(gradients, _steepness, 50),
    names.OPTIMISED: Instrument(optimised, _from_1, 0),
    names.CROSS: Instrument(cross_weights),
    names.SHAPES: Instrument(shapes, _not_as_many, 0),
    names.PRECISION: Instrument(precision, _wider, 0),
    names.NEXT_LAYER: Instrument(next_layer, _largest, 0),
    names.LOOKED_UP: Instrument(looked_up, _largest, 0),
    names.ID_RANGE: Instrument(id_range, _too_large, 0),
    names.LOSS: Instrument(reported_losses, _left_of_it, 0.5),
    names.LOSSES: Instrument(losses, _apart, 0.2),
    names.WRITING: Instrument(writing, _from_1, 0),
}  # by name


# ---- helpers -------------------------------------------------------------------------------------------------------


def _weights(specimen: Specimen) -> Tensor:
    """The weights of all heads of all layers, (L H, T, T)."""
    return torch.cat([weights[0] for weights in getattr(specimen.run().attention, specimen.model.kind)])


def _loss(specimen: Specimen) -> Tensor:
    """The mean loss of the next token."""
    ids = torch.tensor([specimen.ids])
    logits = specimen.model(ids).logits
    return F.cross_entropy(logits[0, :-1], ids[0, 1:])
