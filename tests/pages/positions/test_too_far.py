"""Past the training length, on the page: the lines are what was stored, and the words count them."""

import json

import numpy as np

from tests.pages import driver
from tests.pages.driver import words
from transformer.training.studies import far

FILE = json.loads(far.FILE.read_text())


def test_the_lines_are_the_means_of_the_stored_trainings() -> None:
    at = driver.visit("positions", pos_view="Other ways", pos_scheme="too far")
    assert not driver.notices(at)
    sent = driver.payload(at)
    assert [line["name"] for line in sent["lines"]] == [
        "none",
        "sinusoidal",
        "learned",
        "rotary",
        "T5 relative",
        "ALiBi",
    ]
    for scheme, line in zip(far.SCHEMES, sent["lines"], strict=True):
        runs = [run["accuracy"] for run in FILE["runs"] if run["scheme"] == scheme]
        assert len(runs) == len(far.SEEDS)
        np.testing.assert_allclose(line["shares"], np.mean(runs, axis=0))
    assert (sent["trained"], sent["step"]) == (FILE["setting"]["trained"], FILE["setting"]["step"])
    assert len(sent["lines"][2]["shares"]) * sent["step"] == sent["trained"], "a table ends with its rows"


def test_the_words_are_those_of_the_file() -> None:
    said = words(driver.visit("positions", pos_view="Other ways", pos_scheme="too far"))
    ends = {s: np.mean([r["accuracy"][-1] for r in FILE["runs"] if r["scheme"] == s]) for s in far.SCHEMES}
    assert f"**ALiBi** is right {ends['alibi']:.0%} of the time" in said
    assert f"**sinusoidal** {ends['sinusoidal']:.0%}" in said
    assert f"the learned table has {FILE['setting']['trained']} positions" in said
    assert far.COMMAND in said
    assert FILE["made"] in said
