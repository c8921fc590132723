"""One exhibit: what it does beside a healthy model, the lines of its code, a guess at the cause, and the cure."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import streamlit as st

from lab.kit import catalogue, questions, settings, view
from lab.kit.figures import display
from lab.kit.page import Page
from lab.kit.view import View, places
from pages.bugs import data
from pages.bugs.cases import CASES, INSTRUMENTS, Case
from pages.bugs.components.exhibit import exhibit
from pages.bugs.listing import listing
from pages.bugs.panels import PANELS, pictures
from transformer.inspection.bugs.collection import EXHIBITS

EXHIBIT, INSTRUMENT, LINE = "bugs_exhibit", "bugs_instrument", "bugs_line"  # in the address
FAULTY, CURED = "faulty", "cured"
OPEN = "_bugs_open"  # in the session: the exhibits whose cure has been seen


class Settings(NamedTuple):
    case: Case
    instrument: str
    line: str  # FAULTY or CURED
    is_open: bool  # whether the cure has been seen


def layout() -> Mapping[str, Any]:
    line = st.container(key="museum-line", horizontal=True, vertical_alignment="center", gap="small")
    return {
        "tools": line.container(horizontal=True, vertical_alignment="center", gap="small"),
        "next": line.container(horizontal=True, vertical_alignment="center", gap="small", width="content"),
        "exhibit": st.container(key="museum-exhibit"),
        "words": display.prose(),
    }


def ask() -> Settings:
    with settings.place_named("tools"):
        title = settings.choose(
            st.selectbox,
            "Exhibit",
            EXHIBIT,
            CASES,
            next(iter(CASES)),
            why="there is no exhibit “{}”",
            label_visibility="collapsed",
            width=230,
            on_change=_begin,
        )
        case = CASES[title]
        instrument = settings.choose(
            st.selectbox,
            "What is measured",
            INSTRUMENT,
            tuple(name for name in EXHIBITS[case.exhibit].instruments if name in PANELS),
            EXHIBITS[case.exhibit].clue,
            label_visibility="collapsed",
            width=230,
            format_func="Measured: {}".format,
            why="this exhibit has no instrument “{}”",
        )
        is_open = _is_open(case)
        # In the address; by hand, whoever presses the line switches it.
        line = settings.choose(
            st.segmented_control,
            "The line is",
            LINE,
            (FAULTY, CURED),
            FAULTY,
            label_visibility="collapsed",
            disabled=not is_open,
        )
    return Settings(case, instrument, line, is_open)


def _is_open(case: Case) -> bool:
    """Whether the cure may be switched on and off: once there was a guess, or the cure was seen by a link."""
    if st.session_state.get(LINE, st.query_params.get(LINE)) == CURED:
        _open(case)
    return case.exhibit in st.session_state.get(OPEN, ())


def _open(case: Case) -> None:
    st.session_state.setdefault(OPEN, set()).add(case.exhibit)


def _begin() -> None:
    """Another exhibit begins with the fault, and with what shows it."""
    if case := CASES.get(st.session_state[EXHIBIT]):
        st.session_state[INSTRUMENT] = EXHIBITS[case.exhibit].clue
        st.session_state[LINE] = FAULTY


class Result(NamedTuple):
    """What one notices, and what the instrument reads of a healthy model and of this one."""

    symptom: data.Symptom
    readings: tuple[data.Reading, data.Reading]


def compute(s: Settings) -> Result:
    healthy, faulty = (data.reading(s.case.exhibit, s.instrument, cured) for cured in (True, False))
    return Result(data.symptom(s.case.exhibit), (healthy, faulty))


def draw(s: Settings, result: Result) -> None:
    def turn(is_cured: bool) -> None:
        _open(s.case)
        st.session_state[LINE] = CURED if is_cured else FAULTY

    with places()["exhibit"]:
        exhibit(
            result.symptom,
            pictures(s.instrument, result.readings),
            listing(s.case.exhibit),
            is_cured=s.line == CURED,
            key="bugs-figure",
            on_turn=turn,
        )
    with places()["words"]:
        st.markdown(s.case.lesson if s.is_open else s.case.story)
        questions.ask(f"bugs-{s.case.exhibit}", try_it={LINE: CURED}, then=lambda: _open(s.case))
        said = INSTRUMENTS[s.instrument]
        healthy = f"{said.healthy[:1].lower()}{said.healthy[1:]}"
        st.markdown(f"**{s.instrument}.** {said.does}\n\nHealthy: {healthy}")
    with places()["next"]:
        _show_next(s.case, is_open=s.is_open)


def _show_next(case: Case, *, is_open: bool) -> None:
    """The way to the next exhibit, or out of the museum; once this one is solved, the one thing to do."""
    titles = tuple(CASES)
    number = titles.index(case.title) + 1
    if number < len(titles):
        st.button(
            "Next exhibit",
            icon=":material/arrow_forward:",
            key="bugs-next",
            type="primary" if is_open else "tertiary",
            on_click=_go_to,
            args=(titles[number],),
        )
    else:
        st.page_link(
            catalogue.page("challenges").script,
            label="That was the last one. Now build something that works",
            icon=":material/arrow_forward:",
        )
    st.caption(f"{number} of {len(titles)}", width="content")


def _go_to(title: str) -> None:
    st.session_state[EXHIBIT] = title
    _begin()


VIEW = View(ask, compute, draw, layout=layout, height=420)


def show(page: Page) -> None:
    """The whole page: the exhibit that is chosen from the list."""
    view.heading(page)
    view.show(VIEW)
