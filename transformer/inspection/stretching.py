"""Rotary positions stretched for texts longer than those of training: what becomes of each pair of features, and what a
trained model makes of it without any further training.
"""

import math
from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import NamedTuple

import numpy as np
import torch

from transformer.core.config import TransformerConfig
from transformer.core.model import DecoderModel
from transformer.core.positions import RotaryPositions, make_positions
from transformer.core.stretching import stretch_fields
from transformer.inspection.ablations import twin
from transformer.training.tasks.code import PAIRS, beginning
from transformer.training.tasks.task import Task
from transformer.training.text import BOS

AT_ONCE = 16  # texts of a batch


class Pairs(NamedTuple):
    """Every pair of features that rotary positions turn, as trained and stretched.

    wavelengths  (n,) tokens of a full turn, as trained
    pace         (n,) its angle from one token to the next, as a share of that in training
    new          (n,) share of the distances 1 .. length at which its angle is none that a text of training showed
    new_before   (n,) the same without the stretch
    """

    wavelengths: np.ndarray
    pace: np.ndarray
    new: np.ndarray
    new_before: np.ndarray


def stretched_pairs(config: TransformerConfig, kind: str, factor: float, trained: int, length: int) -> Pairs:
    """What the stretch does to the pairs of a head where training knew distances up to `trained`, and a text has
    distances up to `length`.

    The angles are read off the tables of the model's own positions. A pair that makes a full turn within `trained`
    has met all angles; others have met those from 0 to their angle there.
    """
    before = _angles(config, length)
    after = _angles(replace(config, **stretch_fields(kind, factor, trained)), length)
    pace = before[1]
    reach = pace * trained  # (n,), not reduced to a turn
    is_full = reach >= 2 * math.pi
    new, new_before = ((angles[1:] > reach + 1e-9).mean(0) * ~is_full for angles in (after, before))
    return Pairs(2 * math.pi / pace, after[1] / pace, new, new_before)


def _angles(config: TransformerConfig, length: int) -> np.ndarray:
    """(length + 1, n) how far each pair is turned at the distances 0 .. length, from 0 to 2 pi."""
    positions = make_positions(config)
    assert isinstance(positions, RotaryPositions)
    turns = positions.double().rows(0, length + 1).numpy()
    n = positions.n_pairs
    return np.arctan2(turns[:, n:], turns[:, :n]) % (2 * math.pi)


def stretched_model(model: DecoderModel, kind: str, factor: float, trained: int) -> DecoderModel:
    """A model with the same parameters whose rotary positions are stretched. The given model stays as it is."""
    model = twin(model)
    model.config = replace(model.config, **stretch_fields(kind, factor, trained))
    model.decoder.positions = make_positions(model.config, bidirectional=False).to(model.decoder.embedding.weight)
    return model


def long_codes(n: int, length: int) -> list[tuple[str, ...]]:
    """n pieces of code of `length` tokens each."""
    rng = Random(0)
    return [beginning(rng, length) for _ in range(n)]


class Answers(NamedTuple):
    """Closing brackets of many texts: the place of each, and the probability that the model gave it there."""

    place: np.ndarray
    p: np.ndarray


@torch.inference_mode()
def closing_answers(model: DecoderModel, task: Task, codes: Sequence[Sequence[str]]) -> Answers:
    """What a model of the task `code` gives to the right one wherever a bracket is closed. All codes are equally long.

    A closing bracket at place t is predicted by the row of the token before it.
    """
    vocabulary = {task.source.label(id): id for id in range(len(task.source))}
    ids = torch.tensor([[BOS, *(vocabulary[token] for token in code)] for code in codes])  # (n, T + 1)
    closing = torch.tensor([vocabulary[bracket] for bracket in PAIRS.values()])
    places, ps = [], []
    for some in ids.split(AT_ONCE):
        probs = model(some[:, :-1]).logits.softmax(-1)  # (B, T, V)
        right = probs.gather(-1, some[:, 1:, None])[..., 0]  # (B, T)
        is_closing = torch.isin(some[:, 1:], closing)
        places.append(is_closing.nonzero()[:, 1])
        ps.append(right[is_closing])
    return Answers(torch.cat(places).numpy(), torch.cat(ps).numpy())


def by_place(answers: Answers, edges: Sequence[int]) -> np.ndarray:
    """The mean probability of the brackets from each edge up to the next; NaN where there is none."""
    places = np.digitize(answers.place, edges) - 1
    return np.array([answers.p[places == n].mean() if (places == n).any() else np.nan for n in range(len(edges) - 1)])
