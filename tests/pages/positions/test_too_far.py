"""Past the training length, on the page: the lines are what was stored, and the words are true of any such lines."""

import json

import numpy as np
import pytest
import streamlit

from pages.positions import data, too_far
from pages.positions.controls import open_way
from tests.pages import driver
from tests.pages.driver import words
from transformer.training.studies import far

FILE = json.loads(far.FILE.read_text())


def test_the_lines_are_the_means_of_the_stored_trainings() -> None:
    at = driver.visit("positions", pos_view="Too far")
    assert not driver.notices(at)
    sent = driver.payload(at)
    assert [line["name"] for line in sent["lines"]] == [
        "no positions",
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
    at = driver.visit("positions", pos_view="Too far")
    sent, said = driver.payload(at), words(at)
    ends = {s: np.mean([r["accuracy"][-1] for r in FILE["runs"] if r["scheme"] == s]) for s in far.SCHEMES}
    trained, length = FILE["setting"]["trained"], FILE["setting"]["length"]
    assert sent["finding"] == (
        f"At {length} tokens ALiBi is right {ends['alibi']:.0%} of the time, sinusoidal {ends['sinusoidal']:.0%};"
        f" learned stops at {trained}."
    )
    assert f"texts of {trained} tokens" in said
    assert f"the learned table has {trained} positions" in said
    assert far.COMMAND in said
    assert FILE["made"] in said


def test_a_model_that_is_told_nothing_beats_those_that_are_worse_in_each_training() -> None:
    result = data.read_on()
    sent = driver.payload(driver.visit("positions", pos_view="Too far"))
    assert sent["aside"] == "A model told no positions at all beats sinusoidal and rotary."
    ends = {scheme: [run["accuracy"][-1] for run in FILE["runs"] if run["scheme"] == scheme] for scheme in far.SCHEMES}
    assert max(ends["sinusoidal"] + ends["rotary"]) < min(ends["none"]) < max(ends["relative"])
    closer = result.shares | {"rotary": result.shares["alibi"], "sinusoidal": result.shares["relative"]}
    assert too_far.aside(result._replace(shares=closer)) == ""


def test_each_line_says_what_it_does_and_only_what_was_tried_is_said_to_be_so() -> None:
    lines = {line["name"]: line for line in driver.payload(driver.visit("positions", pos_view="Too far"))["lines"]}
    step = FILE["setting"]["step"]
    for name, line in lines.items():
        held = too_far.held(np.array(line["shares"]))
        until = held * step
        assert min(line["shares"][:held]) > 0.9
        if held < len(line["shares"]):
            assert line["shares"][held] <= 0.9
            assert f"up to {until} tokens, then falls to {line['shares'][-1]:.0%}." in line["finding"]
        assert ("not tested here" in line["why"]) == (name not in ("sinusoidal", "learned"))
        assert line["opens"] == (name != "no positions")
    assert lines["learned"]["finding"].endswith("and there it stops.")
    assert "all the way" in lines["ALiBi"]["finding"]


@pytest.mark.parametrize(
    ("curve", "stops", "said"),
    [
        ([0.99, 0.95, 0.92, 0.91], False, "Rotary is right over 90% of the time all the way: 91% at 32 tokens."),
        ([0.99, 0.95, 0.6, 0.5], False, "Rotary is right over 90% of the time up to 16 tokens, then falls to 50%."),
        ([0.99, 0.8, 0.85, 0.95], False, "Rotary is right over 90% of the time up to 8 tokens, then drops, and"),
        ([0.9, 0.8], False, "Rotary is never sure: it falls below 90% at once, and is right 80% at 16 tokens."),
        ([0.99, 0.95], True, "Rotary is right over 90% of the time up to 16 tokens, and there it stops."),
        ([0.99, 0.85], True, "Rotary is right over 90% of the time up to 8 tokens, then stops at 16."),
        ([0.7, 0.6], True, "Rotary is never sure: it falls below 90% at once, and stops at 16."),
    ],
)
def test_what_a_line_does_is_said_of_its_own_numbers(curve: list[float], stops: bool, said: str) -> None:
    setting = far.Setting(trained=16, length=32, step=8)
    assert too_far.found("rotary", np.array(curve), setting, stops).startswith(said)


def test_a_name_leads_to_its_own_figure() -> None:
    for name, there in (("sinusoidal", {"pos_view": "Sines and cosines"}), ("no positions", {})):
        streamlit.session_state.clear()
        open_way(name)
        assert dict(streamlit.session_state) == there
    streamlit.session_state.clear()
