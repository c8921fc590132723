"""The puzzles: one stands here as a machine, the first or the second; each of the others is a line that leads to it."""

from collections.abc import Callable
from contextlib import suppress
from typing import Any, Literal

import numpy as np
import streamlit as st

from lab.hooks import dom
from lab.kit import catalogue
from lab.kit import view as views
from lab.kit.page import Page
from lab.kit.questions import DOTS
from lab.kit.view import View
from pages.challenges import bar, heads, texts
from pages.challenges.challenge import Challenge
from pages.challenges.challenges import BY_KEY, CHALLENGES
from pages.challenges.components.name_lock import name_lock
from pages.challenges.components.pull_tabs import Text, pull_tabs
from pages.challenges.page import PAGE
from transformer.core.checks import InputError

AT = "puzzle_at"  # in links: which puzzle stands on the list
_PICTURES = {"undecided": "balance", "head": "grid_view", "french": "translate", "small": "trending_down"}  # by puzzle
_SHOWN = "_challenges_shown"  # in st.session_state: which one a link has opened
_SOLVED = "_challenges_solved"  # in st.session_state: those that were solved here, whatever is done then


def show(here: Page) -> None:
    """The page of puzzles."""
    views.heading(here)
    views.show(VIEW)
    solved = "\n".join(
        f'[data-solved~="challenges-{challenge.key}"] {place}::before {{ content: "✓ " / "solved: "; }}'
        for challenge in CHALLENGES
        for place in (
            f".st-key-puzzle-{challenge.key} h2",
            f".st-key-puzzles-more .st-key-puzzle-{challenge.key} :--door p",
        )
    )
    st.html(f"<style>{dom.sheet(solved)}</style>")


def ask() -> Challenge:
    """The puzzle that stands here: the first, or the one that the link names."""
    key = st.query_params.get(AT, "")
    if key in MACHINES and st.session_state.get(_SHOWN) != key:
        st.query_params[AT] = st.session_state[_SHOWN] = key  # a link from this very page leaves the address as it was
    return BY_KEY[key] if key in MACHINES else FIRST


def compute(challenge: Challenge) -> "np.ndarray | list[Text]":
    return heads.machine() if challenge is heads.HEAD else texts.after_names()


def draw(challenge: Challenge, computed: "np.ndarray | list[Text]") -> None:
    n, others = len(CHALLENGES), [one for one in CHALLENGES if one is not challenge]
    with st.container(key=f"puzzle-{challenge.key}"):
        with st.container(horizontal=True, vertical_alignment="center", key="puzzle-top"):
            st.markdown(f"## {challenge.goal}", width="content")
            st.space("stretch")
            further = st.container(horizontal=True, width="content", key="puzzle-further")
            dots = DOTS.format(page=PAGE.url, noun="puzzle", dots="<i></i>" * n, text=f"{n} puzzles")
            st.html(dots, width="content")
        if MACHINES[challenge.key](computed):
            with further, st.container(key="puzzle-next", width="content"):
                _way(CHALLENGES[CHALLENGES.index(challenge) + 1], "Next puzzle", "arrow_forward")
    with st.container(key="puzzles-more"):
        for other in others:
            with st.container(key=f"puzzle-{other.key}"):
                _way(other, other.goal, _PICTURES[other.key], width="stretch")


def _names(shares: np.ndarray) -> bool:
    """The lock of letters. Returns whether a name has solved it: what the reader's browser keeps as solved is judged
    here, as on the page Generation."""
    after, mark = texts.AFTER.strip(), texts.UNDECIDED
    name = name_lock(texts.WHEELS, after, WORDS, shares, mark, texts.known_names(), key="name-lock")
    return _kept(FIRST, name in texts.names() and FIRST.check(texts.with_name(name)).is_reached)


def _tabs(machine: "list[Text]") -> bool:
    """Twelve heads to pull out. Returns whether one has solved it and the other name was read without it, too."""
    pulled, is_reached = pull_tabs(machine, WORDS, key="pull-tabs") or "", False
    with suppress(InputError):
        is_reached = heads.HEAD.check(heads.without(pulled)).is_reached
    return _kept(heads.HEAD, is_reached, pulled.partition(":")[0] == heads.NAMES[1])


def _kept(challenge: Challenge, is_reached: bool, is_over: bool = True) -> bool:
    """Tells the browser whether a puzzle is solved. Returns whether it has been, and all of it was seen."""
    st.html(bar.marker(challenge, "right" if is_reached else "open"))
    over = st.session_state.setdefault(_SOLVED, set())
    if is_reached and is_over:
        over.add(challenge.key)
    return challenge.key in over


def _way(challenge: Challenge, label: str, picture: str, width: Literal["content", "stretch"] = "content") -> None:
    """To where it is played: here, or on its page."""
    page, opens = catalogue.page(challenge.start.page), challenge.tab.opens
    if challenge.key in MACHINES:
        page, opens = PAGE, {AT: challenge.key}
    icon = f":material/{picture}:"
    st.page_link(page.script, label=label, icon=icon, help="", query_params=opens, width=width)


FIRST, WORDS = CHALLENGES[0], (heads.HE, heads.SHE)
MACHINES: dict[str, Callable[[Any], bool]] = {FIRST.key: _names, heads.HEAD.key: _tabs}
VIEW = View(ask, compute, draw)
