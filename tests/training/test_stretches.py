"""A training in stretches: the same film as in one go, wherever and in however many pieces it is made."""

import pickle
from itertools import count

import numpy as np
import pytest
import torch

from tests.training.toys import config
from transformer.core.checks import InputError
from transformer.training import stretches
from transformer.training.checkpoints import load
from transformer.training.film import Film
from transformer.training.plan import Plan, make_trainer
from transformer.training.settings import Knobs, Settings, Turn
from transformer.training.stretches import NO_MEMORY, Stretch, run_stretch
from transformer.training.trainer import Diverged, Trainer

SETTINGS = Settings(steps=12, every=2, batch_size=4, n_examples=40, n_tests=10, augment=0.0, seed=3)
PLAN = Plan("copy", {"longest": 5}, config(dropout=0.1), SETTINGS)


@pytest.fixture(autouse=True)
def _nothing_is_remembered():
    stretches._remembered.clear()
    yield
    stretches._remembered.clear()


def film(results: list[Stretch]) -> Film:
    legend = next(result.legend for result in results if result.legend)
    return legend.film([snapshot for result in results for snapshot in result.snapshots])


def whole() -> tuple[Film, dict[str, torch.Tensor]]:
    """The film and the weights of the same training in one go."""
    trainer = make_trainer(PLAN)
    snapshots = list(trainer.run())
    made = Stretch(step=0, snapshots=tuple(snapshots), legend=stretches.legend_of(trainer.task, list(trainer.parts)))
    return film([made]), trainer.model.state_dict()


def steps_of(n: int):
    """A clock that lets a stretch of half a second take n steps: it is read once before and once per step after one."""
    ticks = count()
    return lambda: next(ticks) * 0.5 / n


def in_pieces(n: int, *, remembers: bool) -> list[Stretch]:
    results = [run_stretch("run", -1, PLAN, clock=steps_of(n))]
    while not results[-1].is_done:
        if not remembers:
            stretches._remembered.clear()
        last = results[-1]
        assert last.state
        results.append(run_stretch("run", last.step, b"?" if remembers else last.state, clock=steps_of(n)))
    return results


def assert_same(a: Film, b: Film) -> None:
    assert a.steps.tolist() == b.steps.tolist()
    for name in set(a.curves) - {"seconds"}:
        np.testing.assert_array_equal(a.curves[name], b.curves[name])
    for one, other in zip(a.frames, b.frames, strict=True):
        for kind in one:
            np.testing.assert_array_equal(one[kind], other[kind])


@pytest.mark.slow
@pytest.mark.parametrize("remembers", [True, False])
def test_pieces_make_the_same_film_and_the_same_model(remembers: bool) -> None:
    results = in_pieces(5, remembers=remembers)
    assert [result.step for result in results] == [5, 10, 12]
    truth, weights = whole()
    assert_same(film(results), truth)
    last = load(results[-1].state or b"")
    assert last.step == 12
    for name, weight in last.weights.items():
        torch.testing.assert_close(weight, weights[name], rtol=0, atol=0)


@pytest.mark.few(1)
@pytest.mark.slow
@pytest.mark.parametrize("remembers", [True, False])
def test_turned_on_the_way_it_is_the_same_in_any_process(remembers: bool) -> None:
    turns = (Turn(5, Knobs(0.02, 3, 0.3)),)
    first = run_stretch("run", -1, PLAN, clock=steps_of(5))
    if not remembers:
        stretches._remembered.clear()
    last = run_stretch("run", 5, b"?" if remembers else first.state or b"", turns=turns, clock=steps_of(99))
    trainer = make_trainer(PLAN)
    trainer.turns = turns
    truth = list(trainer.run())
    assert [s.loss for s in (*first.snapshots, *last.snapshots)][1:] == [s.loss for s in truth][1:]
    assert load(last.state or b"").turns == turns


def test_a_stretch_takes_at_least_one_step() -> None:
    late = iter([0.0, *([99.0] * 20)])
    assert run_stretch("run", -1, PLAN, clock=lambda: next(late)).step == 1


@pytest.mark.slow
def test_a_process_that_is_at_another_step_goes_by_the_state() -> None:
    state = run_stretch("run", -1, PLAN, clock=steps_of(5)).state or b""
    assert run_stretch("run", 5, b"?", clock=steps_of(2)).step == 7
    assert run_stretch("run", 5, state, clock=steps_of(3)).step == 8  # 7 is what it remembers
    assert "not a checkpoint" in run_stretch("run", 4, b"?").error
    assert not stretches._remembered
    assert run_stretch("run", 5, state, clock=steps_of(99)).is_done
    assert not stretches._remembered  # nobody will ask for it


def test_only_the_last_runs_are_remembered() -> None:
    for name in "abc":
        run_stretch(name, -1, PLAN, clock=steps_of(1))
    assert list(stretches._remembered) == ["b", "c"]


def test_attention_travels_in_single_bytes() -> None:
    (first, *_) = run_stretch("run", -1, PLAN, clock=steps_of(1)).snapshots
    assert {maps.dtype for probe in first.attention for maps in probe.values()} == {np.dtype(np.uint8)}


def test_orders_and_results_can_be_sent() -> None:
    plan = pickle.loads(pickle.dumps(PLAN))
    result = pickle.loads(pickle.dumps(run_stretch("run", -1, plan, clock=steps_of(3))))
    assert result.legend.film(result.snapshots).steps.tolist() == [0, 2]


@pytest.mark.slow
@pytest.mark.few(4)
@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (InputError("Too few letters."), "Too few letters."),
        (Diverged("The loss is no longer a number."), "The loss is no longer a number."),
        (MemoryError(), NO_MEMORY),
        (RuntimeError("DefaultCPUAllocator: can't allocate memory: you tried to allocate 8 bytes"), NO_MEMORY),
        (RuntimeError("mat1 and mat2 shapes cannot be multiplied"), ""),
        (ValueError("secret"), ""),
        (KeyError("secret"), ""),
        (SystemExit(1), ""),
    ],
)
def test_only_our_own_sentences_are_for_visitors(monkeypatch, error: BaseException, sentence: str) -> None:
    learn = Trainer._learn

    def until_the_fourth(trainer):
        if trainer.step == 4:
            raise error
        return learn(trainer)

    monkeypatch.setattr(Trainer, "_learn", until_the_fourth)
    result = run_stretch("run", -1, PLAN, clock=steps_of(99))
    assert result.error == sentence
    assert (type(error).__name__ in result.fault) == (not sentence)
    assert [snapshot.step for snapshot in result.snapshots] == [0, 2, 4]  # what came before is not lost
    assert load(result.state or b"").step == 4
    assert "run" not in stretches._remembered


def test_a_plan_that_cannot_be_carried_out_says_why() -> None:
    too_large = PLAN._replace(settings=Settings(batch_size=1024), config=config(n_heads=16, n_encoder_layers=8))
    result = run_stretch("run", -1, too_large._replace(task_settings={"longest": 64}))
    assert "too much memory" in result.error
    assert "no such task" in run_stretch("run", -1, PLAN._replace(task="x")).error
    assert "not a checkpoint" in run_stretch("run", -1, b"x").error


def test_weights_that_are_no_numbers_are_not_handed_back(monkeypatch) -> None:
    learn = Trainer._learn

    def spoilt(trainer):
        result = learn(trainer)
        with torch.no_grad():
            next(trainer.model.parameters()).fill_(float("nan"))
        return result

    monkeypatch.setattr(Trainer, "_learn", spoilt)
    assert run_stretch("run", -1, PLAN, clock=steps_of(1)).state is None
