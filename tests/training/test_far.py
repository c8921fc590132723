"""Six models past their training length: what is stored is what they do, and it is the positions that fail."""

from dataclasses import replace

import pytest
import torch

from transformer.core.checks import InputError
from transformer.core.model import DecoderModel
from transformer.training.studies import far, far_runs
from transformer.training.studies.far import SCHEMES, Setting
from transformer.training.tasks.code import CodeTokeniser, partners

SHORT = Setting(trained=8, length=16, step=4, d_model=8, n_heads=2, layers=1, steps=2, n_texts=20, n_tests=20)


def mean_of(scheme: str, seed: int | None = None) -> torch.Tensor:
    runs = [run for run in far.stored().runs if run.scheme == scheme and seed in (None, run.seed)]
    return torch.tensor([run.accuracy for run in runs]).mean(0)


def test_an_answer_is_a_bracket_that_is_closed() -> None:
    ids = far_runs.draw(5, 60, seed=3)
    labels = CodeTokeniser().vocabulary
    for text, is_closing in zip(ids.tolist(), far_runs.closing(ids).tolist(), strict=True):
        tokens = [labels[id] for id in text]
        assert [n for n, closes in enumerate(is_closing) if closes] == sorted(n for n, _ in partners(tokens)[0])


def test_an_answer_has_the_position_of_the_token_before_it() -> None:
    ids = far_runs.draw(4, 20, seed=0)
    model = DecoderModel(SHORT.config("none"), torch.Generator().manual_seed(0))
    found = far_runs.answers(model, ids)
    assert found.place.tolist() == (far_runs.closing(ids)[:, 1:].nonzero()[:, 1]).tolist()


@pytest.mark.parametrize("change", [{"trained": 6}, {"length": 8}, {"step": 0}, {"steps": 0}])
def test_a_setting_that_cannot_be_is_refused(change: dict) -> None:
    with pytest.raises(InputError):
        replace(SHORT, **change)


@pytest.mark.slow
def test_a_short_rerun_has_the_shape_of_what_is_stored() -> None:
    short, models = far_runs.run(SHORT, (0,), lambda line: None)
    assert far.read(far.written(short)) == short
    stored = far.stored()
    assert {(run.scheme, run.seed) for run in stored.runs} == {(s, seed) for s in SCHEMES for seed in far.SEEDS}
    assert list(models) == list(SCHEMES)
    for file in (short, stored):
        points = {"learned": file.setting.trained // file.setting.step}
        for run in file.runs:
            assert len(run.accuracy) == points.get(run.scheme, file.setting.length // file.setting.step)
            assert ("larger max_len" in run.refusal) is (run.scheme == "learned")


@pytest.mark.few(2)
@pytest.mark.parametrize("scheme", SCHEMES)
def test_a_stored_model_still_answers_as_was_stored(scheme: str) -> None:
    """Weights of the first seed, with 16 bits, on other texts than then."""
    setting, texts = far.stored().setting, far_runs.draw(150, far.stored().setting.length + 1, seed=7)
    shares, _ = far_runs.accuracy(far_runs.trained(scheme), setting, texts)
    assert torch.tensor(shares).sub(mean_of(scheme, 0)).abs().mean() < 0.05


def test_it_is_the_positions_that_fail() -> None:
    """Texts as short as in training, at positions past them: sines that no training met are lost on the model."""
    setting, model = far.stored().setting, far_runs.trained("sinusoidal")
    texts = far_runs.draw(200, setting.trained + 1, seed=7)
    before = far_runs.answers(model, texts).is_right.double().mean()
    add, past = model.decoder.positions.add, setting.length - setting.trained
    model.decoder.positions.add = lambda x, start=0: add(x, start + past)
    after = far_runs.answers(model, texts).is_right.double().mean()
    assert before > 0.95
    assert after < before - 0.2


def test_alibi_carries_furthest_and_sines_least() -> None:
    ends = {scheme: float(mean_of(scheme)[-1]) for scheme in SCHEMES if scheme != "learned"}
    assert max(ends, key=ends.__getitem__) == "alibi"
    assert min(ends, key=ends.__getitem__) == "sinusoidal"
