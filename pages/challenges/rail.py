"""The list of the puzzles: the switch between them, drawn as a rail with the goal of each, and what is solved."""

from pathlib import Path

import streamlit as st

from pages.challenges.challenges import CHALLENGES
from pages.shared.foot import DOTS

STYLE = Path(__file__).with_name("rail.css").read_text()


def head() -> None:
    """How many are solved, which the reader's browser fills in, and what makes the switch below it a list of goals."""
    st.html(f"<style>{STYLE}{goals()}</style>")
    n = len(CHALLENGES)
    with st.container(key="puzzles-solved"):
        st.html(DOTS.format(page="challenges", noun="puzzle", dots="<i></i>" * n, text=f"{n} puzzles"))


def goals() -> str:
    """Style sheet: the goal below each name on the switch, and a tick at those that the browser knows as solved."""
    rules = []
    for number, challenge in enumerate(CHALLENGES, 1):
        button = f'.st-key-challenge button[role="radio"]:nth-of-type({number})'
        rules.append(f"{button}::after {{ content: {quoted(plain(challenge.goal))} / ''; }}")
        rules.append(f'[data-solved~="challenges-{challenge.key}"] {button}::before {{ content: "✓" / "solved"; }}')
    return "\n".join(rules)


def plain(goal: str) -> str:
    """A goal without its marks of Markdown."""
    return goal.replace("*", "").replace("$", "")


def quoted(text: str) -> str:
    """The text as a string of a style sheet."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("<", "\\3c ").replace("\n", " ") + '"'
