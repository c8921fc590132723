"""Guess the row: the truth stays on the server until the guess is revealed."""

import re
from typing import get_args

import pytest

from pages.attention.guess_row import PUZZLES, SLIPS, SUPERSCRIPTS, Scores, _outcome
from tests.pages.driver import checked, control, payload, press, visit, words
from transformer.inspection.guess_row import MAX_POINTS, Slip, puzzle


def test_a_guess_is_judged_and_the_next_puzzle_is_fresh() -> None:
    at = visit("attention", att_way="Guess the row")
    assert payload(at)["truth"] is None, "the truth is not sent before it is asked for"
    assert payload(at)["columns"] is None
    at.session_state["_attention_guess"] = (1, (2 / 7, 1 / 7, 4 / 7))
    at = checked(at.run())
    assert "**100 of 100: 0% of your attention is on the wrong key.**" in words(at)
    assert payload(at)["truth"] == pytest.approx([2 / 7, 1 / 7, 4 / 7])
    at = press(at, "att_next")
    assert control(at, "att_puzzle").value == 2
    assert payload(at)["truth"] is None


@pytest.mark.parametrize(("guess", "keys"), [((1 / 3, 1 / 3, 1 / 3), "keys"), ((2 / 7, 3 / 7, 2 / 7), "key")])
def test_two_keys_with_too_much_are_called_two(guess: tuple[float, ...], keys: str) -> None:
    at = visit("attention", att_way="Guess the row")
    at.session_state["_attention_guess"] = (1, guess)
    assert f"of your attention is on the wrong {keys}.**" in words(checked(at.run()))


def test_every_slip_has_its_words_and_all_points_an_exponent() -> None:
    assert set(SLIPS) == {"right", "other", *get_args(Slip)}
    assert len(SUPERSCRIPTS) == MAX_POINTS + 1


@pytest.mark.parametrize("number", PUZZLES)
def test_the_sentence_after_a_guess_compares_the_two_best_keys(number: int) -> None:
    one = puzzle(number)
    said = re.fullmatch(r"Key (\d) gets ([\d.]+), (.+) as much as key (\d): its match is (\d) higher\.", _outcome(one))
    assert said
    first, second = int(said[1]) - 1, int(said[4]) - 1
    assert sorted(one.truth, reverse=True)[:2] == [one.truth[first], one.truth[second]]
    assert said[2] == f"{float(one.truth[first]):.2f}"
    times = {"twice": 2, "four times": 4}.get(said[3]) or int(said[3].split()[0])
    assert one.truth[first] == times * one.truth[second]
    assert one.dots[first] - one.dots[second] == int(said[5])


def test_the_score_counts_the_first_guess_of_each_puzzle() -> None:
    scores = Scores({})
    assert "up to 100 points" in scores.line
    scores.by_puzzle.update({1: 0.975, 4: 0.5})
    assert scores.line == "**148 of 200** in 2 puzzles ★ ☆"
