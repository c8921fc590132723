"""Guess how one query shares its attention among three keys."""

import math
from collections.abc import Sequence
from typing import NamedTuple

import streamlit as st

from lab.kit import settings, teaching
from lab.kit.components import sent
from lab.kit.figures import display
from lab.kit.texts import passages
from lab.kit.view import View
from lab.kit.words import counted
from pages.attention import data
from pages.attention.components import share_bars
from transformer import inspection

PUZZLES = range(1, 31)
KEY = "att_guess"
CLOSE = 0.95  # a star
MOST = 0.6  # of what is in the wrong place: one sees that it is more than half
SLIGHT = 0.005  # too much of a share, that nobody sees
SLIPS = passages.of_page("attention")["slips"]


class Settings(NamedTuple):
    """The puzzle; the guess, None as long as nothing was revealed; whether the rule was told after an earlier one."""

    number: int
    guess: tuple[float, ...] | None
    is_told: bool


class Scores(NamedTuple):
    """What was revealed in this visit, by puzzle: the share of the attention that the guess gave to the right keys."""

    by_puzzle: dict[int, float]

    @property
    def points(self) -> int:
        return sum(round(100 * share) for share in self.by_puzzle.values())

    @property
    def line(self) -> str:
        """The score in Markdown; before the first guess, how it is counted."""
        n = len(self.by_puzzle)
        if not n:
            return "up to 100 points each"
        stars = " ".join("★" if share >= CLOSE else "☆" for share in self.by_puzzle.values())
        return f"**{self.points} of {100 * n}** in {counted(n, 'puzzle')} {stars}"


class Result(NamedTuple):
    puzzle: "inspection.guess_row.Puzzle"
    verdict: "inspection.guess_row.Verdict | None"


def ask() -> Settings:
    with settings.place_named("row"):
        with settings.line():
            number = settings.choose(
                st.select_slider,
                "Puzzle",
                "att_puzzle",
                PUZZLES,
                1,
                help=f"{len(PUZZLES)} puzzles, the same for everyone.",
                chip=f"puzzle {{}} of {len(PUZZLES)}",
            )
        if not settings.replaying():
            st.markdown(_scores().line, width="content")
    st.session_state["_attention_puzzle"] = number
    guessed, guess = st.session_state.get("_attention_guess") or (None, None)
    is_told = any(revealed != number for revealed in _scores().by_puzzle)
    return Settings(number, guess if guessed == number else None, is_told)


def compute(s: Settings) -> Result:
    return Result(data.puzzle(s.number), data.verdict(s.number, s.guess) if s.guess else None)


def draw(s: Settings, result: Result) -> None:
    puzzle, verdict = result
    share_bars.guess_row(
        puzzle.dots,
        round(len(puzzle.query) ** 0.5),
        key=KEY,
        number=s.number,
        finding=_asks(puzzle, s.is_told),
        guess=s.guess,
        is_revealed=verdict is not None,
        on_reveal=_take_guess,
        on_next=_next_puzzle,
    )
    if verdict and s.guess:
        with st.container(key="result-guess"):
            st.markdown(_score(puzzle, verdict, s.guess))
    with display.prose():
        st.markdown(
            """
One :blue[**query**], three :orange[**keys**]. How is the attention shared?

1. Multiply number by number and add up: q·k, the match.
2. Divide by √4 = 2, the root of the width. That is the score.
3. **e to the power of the score:** one that is 1 higher gets 2.7 times as much.
4. Divide by the sum: together the shares make 1.
"""
        )
        teaching.formula(r"\w{w_j} = \frac{e^{\,\q{q}\cdot\k{k_j} / \sqrt{d_k}}}{\text{sum of all}}")
        st.markdown(_vectors(puzzle))


def _vectors(puzzle: "inspection.guess_row.Puzzle") -> str:
    """Where the matches come from, in Markdown."""
    rows = zip(puzzle.keys, puzzle.dots, strict=True)
    keys = "; ".join(f"key {n} is :orange[{_row(key)}], match {dot}" for n, (key, dot) in enumerate(rows, 1))
    return f"In this puzzle the query is :blue[{_row(puzzle.query)}]; {keys}."


def _row(numbers: Sequence[int]) -> str:
    return f"({', '.join(map(str, numbers))})"


def _asks(puzzle: "inspection.guess_row.Puzzle", is_told: bool) -> str:
    """What one guesses, and from the second puzzle on the rule."""
    asked = "How much of its attention does the query give to each key? Drag the two cuts."
    return f"{_rule(puzzle)} Drag the two cuts." if is_told else asked


def _rule(puzzle: "inspection.guess_row.Puzzle") -> str:
    step = round(len(puzzle.query) ** 0.5)
    return f"A match that is {step} higher gets {math.e:.1f} times the share."


def _score(
    puzzle: "inspection.guess_row.Puzzle", verdict: "inspection.guess_row.Verdict", guess: Sequence[float]
) -> str:
    """How good a guess is, and which step it leaves out, in Markdown."""
    points = round(100 * (1 - verdict.distance))
    wrong = f"you put {100 - points} in the wrong place, {_too_high(puzzle, guess)}"
    told = wrong if points < 100 else "nothing is in the wrong place"
    return f"**{points} of 100: {told}.** {SLIPS[verdict.slip or 'right']}"


def _too_high(puzzle: "inspection.guess_row.Puzzle", guess: Sequence[float]) -> str:
    """Which key was given too much, or which two."""
    much = [share - weight for share, weight in zip(guess, puzzle.truth, strict=True)]
    most = max(much)
    keys = [n for n, by in enumerate(much, 1) if by > SLIGHT]
    if len(keys) > 1 and most < MOST * sum(by for by in much if by > 0):
        return f"on keys {keys[0]} and {keys[1]}"
    return f"{'most of it ' if len(keys) > 1 else ''}on key {much.index(most) + 1}"


def _take_guess() -> None:
    guess, number = share_bars.revealed(KEY), st.session_state.get("_attention_puzzle")
    if guess and number:
        st.session_state["_attention_guess"] = (number, guess)
        verdict = data.verdict(number, guess)
        # Only the first guess of a puzzle counts: after it, the truth is on screen.
        _scores().by_puzzle.setdefault(number, float(1 - verdict.distance))


def _scores() -> Scores:
    return st.session_state.setdefault("_attention_scores", Scores({}))


def _next_puzzle() -> None:
    number = sent(KEY, "next", int)
    if number is not None and number == st.session_state.get("_attention_puzzle"):  # once, however often it is pressed
        st.session_state["att_puzzle"] = number % len(PUZZLES) + 1


VIEW = View(ask, compute, draw)
