"""Equal words that are read at other positions: who notices, by the counterfactual; and what a scheme did to them."""

import math

import numpy as np
import pytest
import torch

from transformer.core.config import POSITION_SCHEMES
from transformer.core.taps import Recorder
from transformer.inspection import moving

N, STARTS = 9, 24
SIZE = {"d_model": 64, "n_heads": 4, "seed": 0}
ADDED = ("sinusoidal", "learned")


def change(scheme: str, start: int) -> float:
    """The largest change of an attention weight of any head when the words begin there and not at position 0."""
    weights = moving.moved(scheme, N, STARTS, **SIZE).weights
    return np.abs(weights[:, start] - weights[:, 0]).max()


@pytest.mark.parametrize("start", [1, 10, STARTS - 1])
@pytest.mark.parametrize("scheme", POSITION_SCHEMES)
def test_a_move_changes_what_was_added_and_nothing_else(scheme: str, start: int) -> None:
    assert change(scheme, 0) == 0
    if scheme in ADDED:
        assert change(scheme, start) > 0.01
    else:
        assert change(scheme, start) < 1e-6, "rounding"


@pytest.mark.parametrize("scheme", [scheme for scheme in POSITION_SCHEMES if scheme not in ("none", *ADDED)])
def test_who_does_not_notice_a_move_does_notice_a_distance(scheme: str) -> None:
    """The words stay where they are, and another one looks: its weights are others at the same words."""
    weights = moving.moved(scheme, N, STARTS, **SIZE).weights[:, 0]
    assert np.abs(weights[:, 1:] - weights[:, :-1]).max() > 0.01


def test_without_positions_all_words_get_the_same() -> None:
    assert moving.moved("none", N, STARTS, **SIZE).weights == pytest.approx(1 / N)


@pytest.mark.parametrize("scheme", POSITION_SCHEMES)
def test_what_comes_before_and_after_is_not_looked_at(scheme: str) -> None:
    """The weights are those of the long text under a mask that leaves only the words."""
    weights = moving.moved(scheme, N, STARTS, **SIZE).weights
    length = STARTS + N - 1
    model = moving.one_word_model(scheme, length, **SIZE)
    for start in (0, 5, STARTS - 1):
        mask = torch.zeros(1, 1, 1, length, dtype=torch.bool)
        mask[..., start : start + N] = True
        with torch.inference_mode():
            masked = model(torch.zeros(1, length, dtype=torch.long), mask).attention.encoder[0][0].numpy()
        assert np.abs(masked[:, start : start + N, start : start + N] - weights[:, start]).max() < 1e-6


def test_the_codes_are_what_the_model_adds() -> None:
    length = STARTS + N - 1
    for scheme in POSITION_SCHEMES:
        recorder, plain = Recorder("positioned"), Recorder("positioned")
        ids = torch.zeros(1, length, dtype=torch.long)
        moving.one_word_model(scheme, length, **SIZE)(ids, tap=recorder)
        moving.one_word_model("none", length, **SIZE)(ids, tap=plain)
        added = (recorder["encoder.positioned"] - plain["encoder.positioned"])[0].numpy()
        assert np.abs(moving.moved(scheme, N, STARTS, **SIZE).codes - added).max() < 1e-5
        assert (np.abs(added).max() > 0.5) == (scheme in ADDED)


def test_each_step_turns_a_pair_of_the_query_by_its_angle() -> None:
    length, recorder = STARTS + N - 1, Recorder("q", "k")
    moving.one_word_model("rotary", length, **SIZE)(torch.zeros(1, length, dtype=torch.long), tap=recorder)
    turns = moving.moved("rotary", N, STARTS, **SIZE).turns
    assert turns == pytest.approx([10_000 ** (-i / 8) for i in range(8)])
    for name in ("q", "k"):
        rows = recorder.stack(f"self_attn.{name}")[0, 0, 0].double().reshape(length, 8, 2)
        angles = torch.atan2(rows[..., 1], rows[..., 0]).numpy()
        off = angles - angles[0] - np.arange(length)[:, None] * turns
        assert np.abs((off + math.pi) % (2 * math.pi) - math.pi).max() < 1e-4


@pytest.mark.parametrize("scheme", POSITION_SCHEMES)
def test_the_bias_is_that_of_each_distance_anywhere(scheme: str) -> None:
    result = moving.moved(scheme, N, STARTS, **SIZE)
    whole = moving.one_word_model(scheme, STARTS + N - 1, **SIZE).stack.positions.bias(STARTS, STARTS)
    if whole is None:
        assert not result.bias.any()
        return
    for query, key in ((0, 0), (0, N - 1), (N - 1, 0), (17, 14), (14, 17), (20, 12)):
        assert result.bias[:, key - query + N - 1] == pytest.approx(whole[:, query, key].detach().numpy())
    assert not result.turns.any()
