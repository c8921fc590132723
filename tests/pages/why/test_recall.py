"""How far back a network remembers, on the page: what is drawn and said is what was stored, or computed here."""

import json

import numpy as np
import pytest

from pages.why import data, recall
from tests.pages import driver
from tests.pages.driver import chart, press, words
from tests.pages.why.test_page import visit
from transformer.training.studies import recall as stored

VIEW = recall.VIEW.name
FILE = json.loads(stored.FILE.read_text())


def line(at, n: int, name: str) -> np.ndarray:
    (trace,) = [trace for trace in chart(at, n)["data"] if trace["name"] == name]
    return np.asarray(trace["y"], float)


def test_the_lines_are_the_means_of_the_stored_file_and_the_words_count_the_trainings(monkeypatch) -> None:
    monkeypatch.setattr(data, "time_training", None)  # nothing is measured or trained without being asked for
    monkeypatch.setattr(data, "trained_here", None)
    at = visit(VIEW, why_kept="four names")
    assert not driver.notices(at)
    for name in stored.NETWORKS:
        runs = [run["accuracy"] for run in FILE["runs"] if run["network"] == name and run["n_kept"] == 4]
        assert len(runs) == len(stored.SEEDS)
        np.testing.assert_allclose(line(at, 0, name), np.mean(runs, axis=0))
        np.testing.assert_allclose(line(at, 2, name), FILE["speeds"][name])
        assert f"{stored.n_parameters(name, stored.stored().setting):,}" in words(at)
    assert FILE["made"] in words(at)
    assert stored.COMMAND in words(at)
    assert "4 names" in words(at)
    assert "this machine" not in chart(at, 2)["layout"]["yaxis"]["title"]["text"]


@pytest.mark.wide
def test_before_training_the_effect_is_that_of_first_weights() -> None:
    after, before = visit(VIEW), visit(VIEW, why_heard=recall.BEFORE)
    for at, is_trained in ((after, True), (before, False)):
        for name, norms in data.heard(1, is_trained).items():
            np.testing.assert_allclose(line(at, 1, name), norms / norms[0])
            assert recall._share(norms[-1] / norms[0]) in words(at)
    assert recall.BEFORE in words(before)


def test_training_and_measuring_wait_to_be_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def trained_here(n_kept: int, n_trained: int) -> data.Recalled:
        asked.append((n_kept, n_trained))
        return data.recalled(4)

    def time_training(n_measured: int) -> dict[str, tuple[float, ...]]:
        return dict.fromkeys(stored.NETWORKS, (1000.0 * n_measured,) * 5)

    monkeypatch.setattr(data, "trained_here", trained_here)
    monkeypatch.setattr(data, "time_training", time_training)
    at = press(visit(VIEW, why_kept="four names"), recall.TRAIN)
    assert asked == [(2, 1)]
    at = press(at, recall.MEASURE)
    assert line(at, 3, "attention").tolist() == [1000.0] * 5
    assert "on this machine" in chart(at, 3)["layout"]["yaxis"]["title"]["text"]


@pytest.mark.parametrize(("x", "shown"), [(0.853, "85%"), (0.004, "0.40%"), (2e-6, "one part in 500,000")])
def test_small_shares_are_written_as_a_person_writes_them(x: float, shown: str) -> None:
    assert recall._share(x) == shown


def test_a_decision_tree_was_grown_on_these_texts() -> None:
    """It does little better than guessing: the name may stand anywhere."""
    share = data.decision_tree(1)
    assert 0.2 < share < 0.5
    assert f"answers {share:.0%} of new ones right" in words(visit(VIEW))
