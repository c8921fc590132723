"""The puzzle that a visitor is on, above the page on which it is played: its goal, and the verdict on what it shows.

A link names it (?puzzle=head). What is judged is the address itself, in which every page keeps its settings; so a
solution is a link as well, and whoever opens it sees it judged again. It is judged with every change on the page, so
the number is there all the time and a puzzle is solved the moment it turns; a check that takes seconds is asked for.
"""

import math
from contextlib import nullcontext
from pathlib import Path
from typing import NamedTuple

import streamlit as st

from lab.hooks.dom import style
from lab.kit import catalogue, view
from lab.kit.figures.display import plain
from lab.kit.view import View
from lab.server import gate
from pages.challenges.challenge import Challenge, Verdict, beside
from pages.challenges.challenges import BY_KEY
from pages.challenges.links import Link, cleaned

PARAMETER = "puzzle"
STYLE = style(Path(__file__).with_name("bar.css"))
_JUDGED = "_challenges_judged"  # in st.session_state


class Judged(NamedTuple):
    """The verdict on the state that a link names, or, where it cannot be judged, None and a sentence why."""

    link: Link
    verdict: Verdict | None
    refusal: str = ""


def open_on(url: str) -> Challenge | None:
    """The puzzle that the address names, if it is played on the page at this path."""
    challenge = BY_KEY.get(st.query_params.get(PARAMETER, ""))
    return challenge if challenge and challenge.start.page == url else None


class Asked(NamedTuple):
    """A puzzle, the state that is on screen, and whether a verdict is wanted now."""

    challenge: Challenge
    here: Link
    now: bool


def show(challenge: Challenge) -> None:
    """The goal in one line, what counts behind it, and the verdict on what is on screen."""
    with st.container(key="puzzle"):
        st.html(STYLE)
        view.show(VIEW, subject=challenge)


def ask(challenge: Challenge) -> Asked:
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        with st.container(key="puzzle-goal", width="content"):
            st.markdown(f"Puzzle: {challenge.goal}", width="content")
        now = not challenge.is_slow or st.button("Check", key="puzzle-check")  # the page has the dark one
        with st.popover("What counts, and a hint", key="puzzle-words", type="tertiary"):
            st.markdown(challenge.words)
            st.markdown(f"**A hint.** {challenge.hint}")
        st.page_link(catalogue.page("challenges").script, label="All puzzles", width="content")
    return Asked(challenge, Link(challenge.start.page, cleaned(st.query_params.to_dict())), now)


def compute(s: Asked) -> Judged | None:
    """The verdict on what is on screen; None where it takes seconds and was not asked for."""
    if s.now:
        st.session_state[_JUDGED] = judged(s.challenge, s.here)
    found = st.session_state.get(_JUDGED)
    return found if found is not None and found.link == s.here else None


def draw(s: Asked, found: Judged | None) -> None:
    state = "open"
    with st.container(key="puzzle-scale"):
        st.html(_scale(s.challenge, found.verdict if found else None))
    if found is not None:
        if found.verdict and found.verdict.is_reached:
            state = "right"
        elif found.verdict and s.challenge.is_slow:
            state = "wrong"  # what is judged all the time is open until it is right
        with st.container(key="puzzle-said"):
            st.markdown(_said(found))
    st.html(marker(s.challenge, state))


def _scale(challenge: Challenge, verdict: Verdict | None) -> str:
    """The number that counts, as it is now, and the mark that it has to meet, on one scale."""
    name, mark, most = challenge.gauge
    value = verdict.value if verdict else None
    now = "" if value is None else f" {value}" if isinstance(value, int) else f" {beside(value, mark)}"
    shown = 0 if value is None or math.isnan(value) else value
    width, at = 100 * min(1.0, shown / most), 100 * mark / most
    return (
        f'<div class="puzzle-scale"><span>{name}<b>{now}</b></span>'
        f'<div><i style="width: {width:.1f}%"></i><u style="left: {at:.1f}%"><small>{mark:g}</small></u></div></div>'
    )


def marker(challenge: Challenge, state: str) -> str:
    """What the page's script reads, to keep in the reader's own browser what is solved. state: as a question has it."""
    return f'<span data-check="challenges-{challenge.key}" data-state="{state}" hidden></span>'


def judged(challenge: Challenge, link: Link) -> Judged:
    """What the check says of this state; it may take its turn with other large work."""
    refusals: list[str] = []
    waiting = st.spinner("Training it with your settings …") if challenge.is_slow else nullcontext()
    with gate.refusals_to(refusals.append), waiting:
        return Judged(link, challenge.check(link))
    return Judged(link, None, " ".join(refusals))


def _said(found: Judged) -> str:
    if found.verdict is None:
        return f"**This cannot be judged.** {plain(found.refusal[:1].upper() + found.refusal[1:])}"
    if found.verdict.is_reached:
        return f":material/check_circle: **Solved.** {found.verdict.sentence}"
    return f"**Not yet.** {found.verdict.sentence}"


VIEW = View(ask, compute, draw)
