"""Guess the row: what is asked, and how a guess is judged."""

from types import SimpleNamespace
from typing import get_args

import pytest

from lab.kit import components
from pages.attention import guess_row
from pages.attention.guess_row import KEY, SLIPS, Scores, _next_puzzle
from tests.pages.driver import checked, choose, payload, visit, words
from transformer.inspection.guess_row import Slip, puzzle


def test_a_guess_is_judged_and_the_next_puzzle_is_fresh() -> None:
    at = visit("attention", att_way="Guess the row")
    assert payload(at)["revealed"] is False
    at.session_state["_attention_guess"] = (1, puzzle(1).truth)
    at = checked(at.run())
    assert "**100 of 100: nothing is in the wrong place.**" in words(at)
    assert payload(at)["revealed"] is True
    at = choose(at, att_puzzle=2)
    assert payload(at)["number"] == 2
    assert payload(at)["revealed"] is False


def test_the_next_puzzle_is_one_further_however_often_it_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    def after(number: int, sent: object) -> object:
        session = {"_attention_puzzle": number, KEY: {"next": sent}}
        for module in (guess_row, components):
            monkeypatch.setattr(module, "st", SimpleNamespace(session_state=session))
        _next_puzzle()
        return session.get("att_puzzle", number)

    assert after(1, 1) == 2
    assert after(2, 1) == 2, "a second press on the same button"
    assert after(30, 30) == 1
    assert [after(3, sent) for sent in ("3", None, 99)] == [3, 3, 3]


@pytest.mark.parametrize(
    ("guess", "told"),
    [
        ((0.34, 0.33, 0.33), "66 of 100: you put 34 in the wrong place, most of it on key 2"),
        ((0.4, 0.26, 0.34), "67 of 100: you put 33 in the wrong place, on keys 1 and 2"),
        ((0.24, 0.35, 0.41), "74 of 100: you put 26 in the wrong place, on key 2"),
    ],
)
def test_what_is_in_the_wrong_place_is_told_by_its_keys(guess: tuple[float, ...], told: str) -> None:
    at = visit("attention", att_way="Guess the row")
    at.session_state["_attention_guess"] = (1, guess)
    assert f"**{told}.**" in words(checked(at.run()))


def test_every_slip_has_its_words() -> None:
    assert set(SLIPS) == {"right", "other", *get_args(Slip)}


def test_the_score_counts_the_first_guess_of_each_puzzle() -> None:
    scores = Scores({})
    assert "up to 100 points" in scores.line
    scores.by_puzzle.update({1: 0.975, 4: 0.5})
    assert scores.line == "**148 of 200** in 2 puzzles ★ ☆"


def test_a_later_guess_of_the_same_puzzle_does_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    session = {"_attention_puzzle": 1}
    monkeypatch.setattr(guess_row, "st", SimpleNamespace(session_state=session))
    first, *_ = truth = puzzle(1).truth
    for guess in ((first, 1 - first, 0.0), truth):
        monkeypatch.setattr(guess_row.share_bars, "revealed", lambda _, guess=guess: guess)
        guess_row._take_guess()
    assert session["_attention_scores"].by_puzzle == {1: pytest.approx(1 - truth[2])}


def test_the_first_puzzle_asks_without_the_rule_and_tells_it_afterwards() -> None:
    at = visit("attention", att_way="Guess the row")
    rule = "A match that is 2 higher gets 2.7 times the share."
    assert payload(at)["matches"] == [4, 2, 6]
    assert rule not in payload(at)["finding"]
    at.session_state["_attention_scores"] = Scores({1: 0.5})
    at.session_state["_attention_guess"] = (1, (0.5, 0.5, 0.0))
    assert rule not in words(checked(at.run())), "what the finding says of the numbers is enough"
    at = choose(at, att_puzzle=2)
    assert payload(at)["finding"] == f"{rule} Drag the two cuts."
