"""Stored trainings: the task is what it says, counts are true, and a rerun gives what is stored."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from torch import Generator

from transformer.core.checks import InputError
from transformer.inspection import look_ahead
from transformer.training.studies import mask, mask_runs, recall, recall_runs, scaling, scaling_runs
from transformer.training.studies.recall import NETWORKS, Setting
from transformer.training.studies.scaling import Run, Stored, Sweep

SHORT = Setting(n_tokens=6, n_kept=2, n_names=3, n_colours=2, n_fillers=4, d_model=8, n_heads=2, d_ff=8, steps=2)


# ---- how far back --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("distance", [None, 1, 4, 6])
def test_every_question_has_its_answer_where_it_is_said_to_stand(distance: int | None) -> None:
    texts = recall_runs.draw(SHORT, 50, Generator().manual_seed(0), distance)
    n_pairs = SHORT.n_names * SHORT.n_colours
    for ids, wanted, distances in zip(*(part.tolist() for part in texts), strict=True):
        assert [sum(id < n_pairs for id in ids[:6]), len(ids)] == [2, 8]
        for i, (colour, back) in enumerate(zip(wanted, distances, strict=True)):
            question, needed = ids[6 + i], ids[6 + i - back]
            assert question - n_pairs == needed // SHORT.n_colours  # the same name
            assert colour - n_pairs - SHORT.n_names == needed % SHORT.n_colours
        assert distance in (None, distances[0])
        assert max(ids) < SHORT.vocab_size


def test_four_networks_have_as_many_parameters_as_is_counted() -> None:
    setting = recall.stored().setting
    counts = {name: recall.n_parameters(name, setting) for name in NETWORKS}
    for name, n in counts.items():
        assert n == sum(p.numel() for p in recall_runs.build(name, setting, 0).parameters())
        assert abs(n / counts["attention"] - 1) <= recall.TOLERANCE


@pytest.mark.parametrize("change", [{"n_kept": 9}, {"n_tokens": 1, "n_kept": 2}, {"steps": 0}, {"d_model": "wide"}])
def test_a_setting_that_cannot_be_is_refused(change: dict) -> None:
    with pytest.raises(InputError):
        replace(SHORT, **change)


@pytest.mark.slow
def test_a_short_rerun_has_the_shape_of_what_is_stored(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_clock(models: dict, V: int, lengths: tuple[int, ...], *_: object) -> dict[str, tuple[float, ...]]:
        return {name: (12_345.6,) * len(lengths) for name in models}

    monkeypatch.setattr(recall_runs, "time_training", no_clock)
    monkeypatch.setattr(recall_runs, "N_TESTS", 5)
    lines: list[str] = []
    short, models = recall_runs.run(SHORT, (1, 2), (0,), lines.append)
    assert recall.read(recall.written(short)) == short
    assert len(lines) == len(short.runs) == len(models) == 2 * len(NETWORKS)
    assert short.speeds["GRU"][0] == 12_300
    stored = recall.stored()
    expected = {(name, n_kept, seed) for name in NETWORKS for n_kept in recall.KEPT for seed in recall.SEEDS}
    assert {(run.network, run.n_kept, run.seed) for run in stored.runs} == expected
    for file, n_tokens in ((short, 6), (stored, stored.setting.n_tokens)):
        assert {len(run.accuracy) for run in file.runs} == {n_tokens}
        assert all(0 <= share <= 1 for run in file.runs for share in run.accuracy)
        assert all(len(file.speeds[name]) == len(file.lengths) for name in NETWORKS)


def test_stored_networks_still_answer_as_was_stored() -> None:
    """Weights of the first seed, with 16 bits, on other texts than then: next to the question and farthest from it."""
    stored = recall.stored()
    for run in stored.runs:
        if run.seed == recall.SEEDS[0]:
            model, setting = recall_runs.trained(run.network, run.n_kept), replace(stored.setting, n_kept=run.n_kept)
            for distance in (1, setting.n_tokens):
                texts = recall_runs.draw(setting, 200, Generator().manual_seed(1), distance)
                with torch.inference_mode():
                    answers = model(texts.ids[:, : setting.n_tokens + 1]).logits[:, -1].argmax(-1)
                share = float((answers == texts.wanted[:, 0]).float().mean())
                assert share == pytest.approx(run.accuracy[distance - 1], abs=0.12), (run[:3], distance)


def test_what_the_page_says_of_distance_and_of_many_names_is_stored() -> None:
    """Attention does not mind; a plain network forgets with distance; a GRU does not, but four names are harder."""
    mean = {
        (name, n_kept): np.mean(
            [run.accuracy for run in recall.stored().runs if (run.network, run.n_kept) == (name, n_kept)], axis=0
        )
        for name in NETWORKS
        for n_kept in recall.KEPT
    }
    assert min(mean["attention", n].min() for n in recall.KEPT) > 0.99
    assert mean["tanh", 1][0] > 0.85
    assert mean["tanh", 1][0] - mean["tanh", 1][-1] > 0.3
    assert mean["GRU", 1].min() > 0.99
    assert mean["GRU", 4].mean() < 0.99
    assert np.ptp(mean["GRU", 4]) < 0.15


@pytest.mark.wide
def test_a_stored_training_is_reproduced() -> None:
    torch.set_num_threads(1)
    stored = recall.stored()
    (then,) = [run for run in stored.runs if run[:3] == ("tanh", 1, 0)]
    _, now = recall_runs.train("tanh", stored.setting, 0)
    assert np.mean(now.accuracy) == pytest.approx(np.mean(then.accuracy), abs=0.05)
    assert now.losses[0] == pytest.approx(then.losses[0], abs=0.02)


# ---- does bigger help ----------------------------------------------------------------------------------------------


def run(parameters: int, tales: int, seed: int, losses: tuple[float, ...]) -> Run:
    return Run(8, parameters, tales, seed, (100, 200), losses, 1.0)


TOY = Stored(
    Sweep(),
    0.1,
    tuple(
        run(parameters, tales, seed, losses)
        for parameters, tales, losses in (
            (10, 5, (3.0, 2.0)),
            (10, 50, (3.0, 1.5)),
            (1000, 5, (2.0, 2.5)),
            (1000, 50, (2.0, 0.5)),
        )
        for seed in (0, 1)
    ),
    "today",
)


def test_lines_are_drawn_by_every_kind_of_size() -> None:
    by = scaling.lines(TOY, "parameters")
    assert list(by) == ["5 tales", "50 tales"]
    assert by["50 tales"] == [(10, (1.5, 1.5)), (1000, (0.5, 0.5))]
    by = scaling.lines(TOY, "tales")
    assert by["1,000 parameters"] == [(5, (2.5, 2.5)), (50, (0.5, 0.5))]
    by = scaling.lines(TOY, "computation")
    assert by["10 parameters"] == [(6 * 10 * 100, (3.0, 3.0)), (6 * 10 * 200, (1.5, 1.5))]
    with pytest.raises(ValueError, match="luck"):
        scaling.lines(TOY, "luck")


def test_the_frontier_is_what_nothing_cheaper_beats() -> None:
    lines = scaling.lines(TOY, "computation")
    assert [point.x for point in scaling.frontier(lines)] == [6000, 12000, 1_200_000]


@pytest.mark.slow
def test_a_short_sweep_has_the_shape_of_what_is_stored() -> None:
    sweep = Sweep(widths=(4,), tales=(20,), seeds=(1,), steps=3, every=2, n_tests=5, batch_size=4)
    short = scaling_runs.run(sweep, lambda line: None)
    assert scaling.read(scaling.written(short)) == short
    (one,) = short.runs
    assert len(one.losses) == len(one.tokens) == 2
    assert one.tokens[1] == pytest.approx(1.5 * one.tokens[0], abs=1)
    stored = scaling.stored()
    sizes = {(run.width, run.tales, run.seed) for run in stored.runs}
    s = stored.sweep
    assert sizes == {(width, n, seed) for width in s.widths for n in s.tales for seed in s.seeds}
    for each in stored.runs:
        assert len(each.losses) == len(each.tokens) == s.steps // s.every
        assert min(each.losses) > stored.floor > 0


@pytest.mark.wide
def test_a_stored_sweep_is_reproduced() -> None:
    torch.set_num_threads(1)
    stored = scaling.stored()
    then = stored.runs[0]
    now = scaling_runs.train(stored.sweep, then.width, then.tales, then.seed)
    assert now.parameters == then.parameters
    np.testing.assert_allclose(now.losses, then.losses, rtol=0.03)


# ---- with and without the mask -------------------------------------------------------------------------------------


def test_both_trainings_that_are_stored_went_to_the_end_and_only_one_learned_to_write():
    runs = mask.stored()
    assert list(runs) == list(mask.NAMES.values())
    with_mask, without = runs.values()
    for run in (with_mask, without):
        assert [step for step, _ in run.curve] == sorted({step for step, _ in run.curve})
        assert run.curve[-1][0] == look_ahead.STEPS
    assert 0.7 < with_mask.curve[-1][1] < 0.95  # no model knows which colour comes
    assert without.curve[-1][1] > 0.99
    assert with_mask.right > 0.6
    assert without.right < 0.1
    # What is said of the two: one copies whichever colour it is shown, the other cannot see it.
    assert without.copied > 0.95
    assert with_mask.copied == pytest.approx(1 / 6)
    for sample in with_mask.samples:
        assert set(sample.says.values()) == {sample.written[0]}
    assert [sample.words for sample in with_mask.samples] == [sample.words for sample in without.samples]


@pytest.mark.wide
@pytest.mark.slow
@pytest.mark.parametrize("ahead", mask.NAMES)
def test_the_same_plan_trains_what_is_stored(ahead):
    stored, again = mask.stored()[mask.NAMES[ahead]], mask_runs.run(may_look_ahead=ahead)
    assert [step for step, _ in again.curve] == [step for step, _ in stored.curve]
    np.testing.assert_allclose([share for _, share in again.curve], [share for _, share in stored.curve], atol=0.1)
    assert again.right == pytest.approx(stored.right, abs=0.15)
    assert again.copied == pytest.approx(stored.copied, abs=0.05)
    assert again.n == stored.n
