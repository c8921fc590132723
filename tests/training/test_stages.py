"""Stages of a training: the weights of a step, few of them, there and back."""

from itertools import pairwise

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import nn

from tests.training.toys import config
from transformer.training import shipped, stages, tasks
from transformer.training.checkpoints import load
from transformer.training.plan import Plan, make_trainer
from transformer.training.settings import Settings
from transformer.training.stages import Stage, most_stages, packed, set_weights, stage_of, thinned, unpacked
from transformer.training.stretches import run_stretch
from transformer.training.trainer import Trainer, evaluate

SETTINGS = Settings(steps=8, every=2, batch_size=4, n_examples=40, n_tests=10, seed=3)
PLAN = Plan("copy", {"longest": 5}, config(), SETTINGS)


def stage(step: int, loss: float, weights: object = (0.0,)) -> Stage:
    return Stage(step, loss, np.array(weights, dtype=np.float16))


def test_a_stage_is_the_model_in_16_bits():
    model, other = nn.Linear(3, 2), nn.Linear(3, 2)
    found = stage_of(model, 7, 0.5)
    assert found is not None
    assert (found.step, found.loss, found.weights.dtype, found.weights.shape) == (7, 0.5, np.float16, (8,))
    set_weights(other, found)
    for a, b in zip(model.parameters(), other.parameters(), strict=True):
        assert torch.equal(a.half().float(), b)
    assert all(p.requires_grad for p in other.parameters())


def test_what_16_bits_cannot_say_is_no_stage():
    model = nn.Linear(1, 1)
    nn.init.constant_(model.weight, 1e6)
    assert stage_of(model, 1, 0.5) is None
    assert stage_of(nn.Linear(1, 1), 1, float("nan")) is None


def test_all_stages_together_have_a_limit(monkeypatch):
    assert most_stages(150_000) == 14
    for n in (1, 10_000, 250_000, 700_000, 5_000_000):
        assert most_stages(n) * n * 2 <= stages.MAX_BYTES
    assert most_stages(5_000_000) == 0
    monkeypatch.setattr(stages, "MAX_BYTES", 8)
    assert stage_of(nn.Linear(3, 2), 1, 0.5) is None


@given(st.lists(st.tuples(st.integers(1, 50), st.floats(0, 9)), min_size=1, max_size=30), st.integers(2, 14))
def test_thinned_keeps_order_both_ends_and_never_too_many(found, most):
    steps = np.cumsum([step for step, _ in found]).tolist()
    all_of_them = [stage(step, loss) for step, (_, loss) in zip(steps, found, strict=True)]
    kept = thinned(all_of_them, most)
    assert len(kept) == min(most, len(all_of_them))
    assert kept[0] is all_of_them[0]
    assert kept[-1] is all_of_them[-1]
    assert all(a.step < b.step for a, b in pairwise(kept))


def test_there_are_more_stages_where_the_loss_moved():
    """It falls between the steps 20 and 30 only: a tenth of the way has half of the stages."""
    all_of_them = [stage(n, float(np.clip(30 - n, 0, 10))) for n in range(101)]
    at_once = [s.step for s in thinned(all_of_them, 14)]
    assert sum(20 <= step <= 30 for step in at_once) >= 5
    assert sum(step < 20 or step > 30 for step in at_once) >= 5
    as_they_come: tuple[Stage, ...] = ()
    for new in all_of_them:
        as_they_come = thinned([*as_they_come, new], 14)
    assert sum(20 <= s.step <= 30 for s in as_they_come) >= 4
    assert [as_they_come[0].step, as_they_come[-1].step] == [0, 100]


@given(st.lists(st.floats(-8, 8, width=16), min_size=1, max_size=200))
def test_in_8_bits_no_weight_is_off_by_more_than_half_a_scale(weights):
    before = [stage(3, 1.5, weights), stage(9, 0.25, weights[::-1])]
    after = unpacked(packed(before))
    assert [(s.step, s.loss) for s in after] == [(3, 1.5), (9, 0.25)]
    for a, b in zip(before, after, strict=True):
        blocks = [a.weights[n : n + stages.BLOCK].astype(float) for n in range(0, len(weights), stages.BLOCK)]
        room = np.concatenate([np.full(len(block), np.abs(block).max() / 254) for block in blocks])
        assert (np.abs(a.weights.astype(float) - b.weights) <= room + np.abs(a.weights) * 2**-10 + 1e-6).all()


@pytest.mark.slow
def test_a_stretch_brings_the_model_at_each_snapshot():
    result = run_stretch("stages", -1, PLAN, seconds=1e9)
    trainer = make_trainer(PLAN)
    for found in result.stages:
        list(trainer.run(lambda last=found.step: trainer.step < last))
        expected = stage_of(trainer.model, trainer.step, found.loss)
        assert expected is not None
        np.testing.assert_array_equal(found.weights, expected.weights)
    assert [s.step for s in result.stages] == [2, 4, 6, 8]
    assert [s.loss for s in result.stages] == [s.val_loss for s in result.snapshots[1:]]
    assert result.state is not None
    assert load(result.state).stages == ()  # they travel once


@pytest.mark.wide
@pytest.mark.parametrize("name", ["tales", pytest.param("translator", marks=pytest.mark.wide)])
def test_shipped_stages_are_of_the_training_in_the_film(name):
    """Weights of 8 bits, from a training that was repeated: on the same examples they lose what the film says."""
    checkpoint = shipped.load(name)
    plan, film = shipped.SHIPPED[name], checkpoint.film
    assert film is not None
    n, until = plan.stages
    assert len(checkpoint.stages) == n
    assert checkpoint.stages[-1].step <= until
    assert checkpoint.stops == (0, *(s.step for s in checkpoint.stages), checkpoint.step)
    tests = Trainer(tasks.make(plan.task), plan.config, plan.settings).tests
    for found in (checkpoint.stages[0], checkpoint.stages[n // 2], checkpoint.stages[-1]):
        loss = evaluate(checkpoint.model_at(found.step), tests)["val_loss"]
        assert loss == pytest.approx(found.loss, rel=0.05, abs=0.01)
        assert np.interp(found.step, film.steps, film.curves["val_loss"]) == pytest.approx(
            found.loss, rel=0.35, abs=0.1
        )


def test_the_files_with_stages_are_small():
    assert sum(shipped.stages_of(name).stat().st_size for name in ("translator", "tales")) < 2e6
