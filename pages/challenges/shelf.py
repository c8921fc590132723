"""The puzzles: the first is solved where it stands, and each of the others is a line that leads to its page."""

from typing import Literal

import numpy as np
import streamlit as st

from lab.hooks import dom
from lab.kit import catalogue
from lab.kit import view as views
from lab.kit.page import Page
from lab.kit.questions import DOTS
from lab.kit.view import View
from pages.challenges import bar, texts
from pages.challenges.challenge import Challenge
from pages.challenges.challenges import CHALLENGES
from pages.challenges.components.name_lock import name_lock
from pages.challenges.page import PAGE

FIRST, *OTHERS = CHALLENGES
_PICTURES = {"head": "grid_view", "french": "translate", "small": "trending_down"}  # by puzzle
_SOLVED = "_challenges_solved"  # in st.session_state: whether the first was solved, whatever is pressed then


def show(here: Page) -> None:
    """The page of puzzles."""
    views.heading(here)
    views.show(VIEW)
    solved = "\n".join(
        f'[data-solved~="challenges-{challenge.key}"] .st-key-puzzle-{challenge.key} {goal}::before'
        ' { content: "✓ " / "solved: "; }'
        for challenge, goal in ((FIRST, "h2"), *((challenge, ":--door p") for challenge in OTHERS))
    )
    st.html(f"<style>{dom.sheet(solved)}</style>")


def ask() -> tuple[()]:
    return ()


def compute(_: tuple[()]) -> np.ndarray:
    return texts.after_names()


def draw(_: tuple[()], shares: np.ndarray) -> None:
    n = len(CHALLENGES)
    with st.container(key=f"puzzle-{FIRST.key}"):
        with st.container(horizontal=True, vertical_alignment="center", key="puzzle-top"):
            st.markdown(f"## {FIRST.goal}", width="content")
            st.space("stretch")
            further = st.container(horizontal=True, width="content", key="puzzle-further")
            dots = DOTS.format(page=PAGE.url, noun="puzzle", dots="<i></i>" * n, text=f"{n} puzzles")
            st.html(dots, width="content")
        if _play(shares):
            with further, st.container(key="puzzle-next", width="content"):
                _way(OTHERS[0], "Next puzzle", "arrow_forward")
    with st.container(key="puzzles-more"):
        for challenge in OTHERS:
            with st.container(key=f"puzzle-{challenge.key}"):
                _way(challenge, challenge.goal, _PICTURES[challenge.key], width="stretch")


def _play(shares: np.ndarray) -> bool:
    """The puzzle itself. Returns whether a name has solved it: what the reader's browser keeps as solved is judged
    here, as on the page Generation."""
    was_solved, words = st.session_state.get(_SOLVED, False), ("he", "she")
    after, mark = texts.AFTER.strip(), texts.UNDECIDED
    name = name_lock(texts.WHEELS, after, words, shares, mark, texts.known_names(), key="name-lock")
    is_reached = name in texts.names() and FIRST.check(texts.with_name(name)).is_reached
    st.html(bar.marker(FIRST, "right" if is_reached else "open"))
    st.session_state[_SOLVED] = is_reached or was_solved
    return st.session_state[_SOLVED]


def _way(challenge: Challenge, label: str, picture: str, width: Literal["content", "stretch"] = "content") -> None:
    """To the page where it is played."""
    page = catalogue.page(challenge.start.page)
    st.page_link(page.script, label=label, icon=f":material/{picture}:", query_params=challenge.tab.opens, width=width)


VIEW = View(ask, compute, draw)
