"""How far back a network remembers, on the page: what is drawn and said is what was stored, or computed here."""

import json

import numpy as np
import pytest

from lab.kit.words import part
from pages.why import data, lights, path_length, recall
from tests.pages import driver
from tests.pages.driver import chart, words
from tests.pages.why.test_page import visit as visit_page
from transformer.training.studies import recall as stored

FILE = json.loads(stored.FILE.read_text())


def visit(**link):
    """The page with the fold open."""
    return visit_page(**{path_length.RECALL_OPEN: "true"}, **link)


def line(at, n: int, name: str) -> np.ndarray:
    (trace,) = [trace for trace in chart(at, n)["data"] if trace["name"] == name]
    return np.asarray(trace["y"], float)


def test_the_lines_are_the_means_of_the_stored_file_and_the_words_count_the_trainings() -> None:
    at = visit(why_kept="four names")
    assert not driver.notices(at)
    for name in stored.NETWORKS:
        runs = [run["accuracy"] for run in FILE["runs"] if run["network"] == name and run["n_kept"] == 4]
        assert len(runs) == len(stored.SEEDS)
        np.testing.assert_allclose(line(at, 1, name), np.mean(runs, axis=0))
        assert f"{stored.n_parameters(name, stored.stored().setting):,}" in words(at)
    assert FILE["made"] in words(at)
    assert stored.COMMAND in words(at)
    assert "4 names" in words(at)
    first, last = (
        FILE["speeds"]["attention"][i] / max(FILE["speeds"][name][i] for name in stored.NETWORKS[1:]) for i in (0, -1)
    )
    assert stored.NETWORKS[0] == "attention"
    assert f"**{first:.2g} times** as many tokens" in words(at)
    assert f"**{last:.2g} times** as many if" in words(at)


def test_a_light_is_as_large_as_the_name_is_known_from_there() -> None:
    (lamps,) = chart(visit(), 0)["data"]
    sizes = np.reshape(lamps["marker"]["size"], (len(stored.NETWORKS), -1))
    rings = np.reshape(lamps["marker"]["line"]["width"], sizes.shape) > 0
    chance = 1 / stored.stored().setting.n_colours
    for row, name in enumerate(stored.NETWORKS):
        runs = [run["accuracy"] for run in FILE["runs"] if run["network"] == name and run["n_kept"] == 1]
        known = np.clip((np.mean(runs, axis=0) - chance) / (1 - chance), 0, 1)
        np.testing.assert_allclose(sizes[row], lights.SMALLEST + (lights.LARGEST - lights.SMALLEST) * known)
        assert np.array_equal(rings[row], np.mean(runs, axis=0) >= (1 + chance) / 2)
    assert (lamps["x"][0], lamps["text"][0].split(",")[0]) == (-1, "attention"), "one token before the question"


@pytest.mark.wide
def test_before_training_the_effect_is_that_of_first_weights() -> None:
    after, before = visit(), visit(why_heard=recall.BEFORE)
    for at, is_trained in ((after, True), (before, False)):
        for name, norms in data.heard(1, is_trained).items():
            np.testing.assert_allclose(line(at, 2, name), norms / norms[0])
            assert part(norms[-1] / norms[0]) in words(at)
    assert recall.BEFORE in words(before)


def test_a_decision_tree_was_grown_on_these_texts() -> None:
    """It does little better than guessing: the name may stand anywhere."""
    share = data.decision_tree(1)
    assert 0.2 < share < 0.5
    assert f"answers {share:.0%} of new ones right" in words(visit())


def test_nothing_is_computed_while_the_fold_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recall, "compute", None)
    assert "decision tree" not in words(visit_page())
