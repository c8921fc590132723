"""What the instruments of the museum read, once for everybody."""

from typing import Any, NamedTuple

import numpy as np

from lab.kit.models.references import Shipped
from lab.server.caching import cached
from transformer import inspection
from transformer.core.workload import MULTIPLICATIONS_PER_SECOND, Workload
from transformer.inspection.bugs.collection import EXHIBITS, LOSS

# A training takes a second at most; its matrices are so small that the calls take the time, not the products.
_TRAINING = Workload(8_000_000, multiplications=int(MULTIPLICATIONS_PER_SECOND))
_PASSES = Workload(4_000_000)


class Reading(NamedTuple):
    """What an instrument reads.

    values  its numbers, see transformer.inspection.bugs.instruments
    causal  whether no token may feel a later one
    labels  of the tokens that they are about; others: a second list, of the source's tokens or of what is read
    """

    values: np.ndarray
    causal: bool
    labels: tuple[str, ...] = ()
    others: tuple[str, ...] = ()


def is_training(exhibit: str) -> bool:
    """Whether this exhibit is trained when it is looked at."""
    return LOSS in EXHIBITS[exhibit].instruments


def _work(exhibit: str, instrument: str, cured: bool) -> Workload:
    return _TRAINING if is_training(exhibit) else _PASSES


@cached()
def _specimen(exhibit: str, cured: bool) -> Any:
    return inspection.bugs.museum.specimen(exhibit, _shipped, cured=cured)


def _shipped(name: str) -> tuple[Any, Any]:
    source = Shipped(name).resolve()
    return source.model, source.task


@cached(work=_work)
def reading(exhibit: str, instrument: str, cured: bool) -> Reading:
    """What this instrument reads on this exhibit, with the fault or with the cure."""
    specimen, tool = _specimen(exhibit, cured), inspection.bugs.instruments.INSTRUMENTS[instrument]
    values = tool.reading(specimen)
    causal = getattr(specimen, "is_causal", False)
    return Reading(values, causal, *_labels(specimen, values))


class Symptom(NamedTuple):
    """What both models are asked, one entry per question, and what each of them answers."""

    asked: tuple[str, ...]
    healthy: tuple[str, ...]
    broken: tuple[str, ...]


@cached(work=lambda exhibit: _work(exhibit, "", False))
def symptom(exhibit: str) -> Symptom:
    """What one notices of an exhibit before anything is measured."""
    sign = inspection.bugs.symptoms.SIGNS[exhibit]
    _, task = _shipped(sign.model)
    healthy, broken = (sign.answers(_specimen(exhibit, cured), task) for cured in (True, False))
    return Symptom(sign.asked, healthy, broken)


def _labels(specimen: Any, values: np.ndarray) -> tuple[tuple[str, ...], tuple[str, ...]]:
    match specimen:
        case inspection.bugs.specimens.Specimen():
            return specimen.tokens, ()
        case inspection.bugs.specimens.Pair():
            pair = specimen.target, specimen.source
            return pair if values.shape == tuple(map(len, pair)) else pair[::-1]
        case inspection.bugs.specimens.Numbered():
            picked = (specimen.rows[specimen.number[word]] for word in specimen.words)
            return specimen.words, tuple(picked)
    return (), ()
