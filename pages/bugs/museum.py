"""One exhibit: what it does, the lines of its code, an instrument, a guess at the cause, and the cure."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import streamlit as st

from lab.kit import catalogue, questions, settings, teaching, view
from lab.kit.figures import display
from lab.kit.page import Page
from lab.kit.view import View, places
from pages.bugs import data, figures
from pages.bugs.cases import CASES, INSTRUMENTS, Case
from pages.bugs.components.code_lines import code_lines, payload
from pages.bugs.components.symptom import symptom
from pages.bugs.listing import PARTS, listing
from pages.bugs.panels import PANELS
from transformer.inspection.bugs.collection import EXHIBITS

EXHIBIT, INSTRUMENT, LINE = "bugs_exhibit", "bugs_instrument", "bugs_line"  # in the address
FAULTY, CURED = "faulty", "cured"
CLOSED = "Hide"  # the choice of a clue while none is open; it hides the one that is
HEALTHY = "_bugs_healthy"  # in the session: the exhibit whose healthy model is looked at
OPEN = "_bugs_open"  # in the session: the exhibits whose cure may be switched on and off
TRIED = "_bugs_tried"  # in the session: (exhibit, number of a line) that was pressed with nothing wrong in it


class Settings(NamedTuple):
    case: Case
    instrument: str  # or CLOSED
    line: str  # FAULTY or CURED
    is_open: bool  # whether the cure has been seen
    is_healthy: bool  # whether the instrument is on the cured model, which is any healthy one before the cure is known


def layout() -> Mapping[str, Any]:
    line = st.container(key="museum-line", horizontal=True, vertical_alignment="center", gap="small")
    tools = line.container(key="museum-tools", horizontal=True, vertical_alignment="center", gap="small")
    on = line.container(key="museum-next", horizontal=True, vertical_alignment="center", gap="small", width="content")
    symptom = st.container(key="museum-symptom")
    bench = st.container(key="museum-bench", horizontal=True, gap="small")
    code = bench.container(key="museum-code")
    side = bench.container(key="museum-side", gap="small")
    clues = side.container(key="museum-clues", horizontal=True, vertical_alignment="center", gap="small")
    clue = side.container(key="museum-picture")
    return {
        "tools": tools,
        "symptom": symptom,
        "code": code,
        "clues": clues,
        "picture": clue,
        "next": on,
        "words": display.prose(),
        "lines": st.container(),
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
        st.markdown(case.story)
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
    with settings.place_named("clues"):
        st.markdown("Clues:" if is_open else "Need a clue?", width="content")
        instrument = settings.choose(
            st.segmented_control,
            "Clues",
            INSTRUMENT,
            (*EXHIBITS[case.exhibit].instruments, CLOSED),
            CLOSED,
            label_visibility="collapsed",
            wrap=True,
            why="this exhibit has no instrument “{}”",
        )
    is_healthy = line == CURED if is_open else st.session_state.get(HEALTHY) == case.exhibit
    return Settings(case, instrument, line, is_open, is_healthy)


def _is_open(case: Case) -> bool:
    """Whether the cure may be switched on and off: once there was a guess, or the cure was seen by a link."""
    if st.session_state.get(LINE, st.query_params.get(LINE)) == CURED:
        _open(case)
    return case.exhibit in st.session_state.get(OPEN, ())


def _open(case: Case) -> None:
    st.session_state.setdefault(OPEN, set()).add(case.exhibit)


def _begin() -> None:
    """Another exhibit begins without a clue, and with the fault."""
    if st.session_state[EXHIBIT] in CASES:
        st.session_state[INSTRUMENT] = CLOSED
        st.session_state[LINE] = FAULTY
        st.session_state[HEALTHY] = ""


class Result(NamedTuple):
    """What one notices; what the instrument reads now, and on whose scale it is drawn: that of the fault. None where no
    clue is open."""

    symptom: data.Symptom
    reading: data.Reading | None = None
    scale: data.Reading | None = None


def compute(s: Settings) -> Result:
    if s.instrument == CLOSED:
        return Result(data.symptom(s.case.exhibit))
    faulty = data.reading(s.case.exhibit, s.instrument, False)
    shown = data.reading(s.case.exhibit, s.instrument, True) if s.is_healthy else faulty
    return Result(data.symptom(s.case.exhibit), shown, faulty)


def draw(s: Settings, result: Result) -> None:
    with places()["symptom"]:
        symptom(result.symptom, is_cured=s.line == CURED, key="bugs-symptom")
    with places()["code"]:
        _show_listing(s)
    if result.reading and result.scale:
        _show_clue(s, result.reading, result.scale)
    with places()["words"]:
        questions.ask(f"bugs-{s.case.exhibit}", try_it={LINE: CURED}, then=lambda: _open(s.case))
    if s.is_open:
        with places()["lines"]:
            _show_lines(s.case)
    with places()["next"]:
        _show_next(s.case, is_open=s.is_open)


def _show_clue(s: Settings, reading: data.Reading, scale: data.Reading) -> None:
    """The picture of what an instrument reads, and what it does in words."""
    panel, said = PANELS[s.instrument], INSTRUMENTS[s.instrument]
    with places()["picture"]:
        _show_test(s, panel.reads(reading))
        if panel.figure:
            alt = f"{said.does} {panel.reads(reading).replace('*', '')}"
            drawn = figures.on_scale_of(panel.figure(reading), panel.figure(scale))
            display.figure(drawn, key="bugs", alt=alt)
        elif panel.table:
            with st.container(key="figure-bugs-table"):
                st.markdown(panel.table(reading))
    with places()["words"]:
        healthy = f"{said.healthy[:1].lower()}{said.healthy[1:]}"
        st.markdown(f"**{s.instrument}.** {said.does}\n\nHealthy: {healthy}")


def _show_test(s: Settings, finding: str) -> None:
    """What the test has found, and on which model: this one, and beside it a healthy one until the cure is known."""
    of = "this code" if not s.is_healthy else "the cured code" if s.is_open else "a healthy model"
    with st.container(key="museum-finding"):
        st.markdown(finding)
    with st.container(horizontal=True, vertical_alignment="center", key="museum-test"):
        st.markdown(f"Measured on {of}", width="content")
        if not s.is_open:
            label = "Back to this code" if s.is_healthy else "Compare with a healthy model"
            st.button(label, key="bugs-compare", on_click=_compare, args=(s.case, not s.is_healthy))


def _compare(case: Case, is_healthy: bool) -> None:
    st.session_state[HEALTHY] = case.exhibit if is_healthy else ""


def _show_listing(s: Settings) -> None:
    """The lines among which the wrong one is; whoever presses it has found it, and switches it on and off."""
    exhibit, lines = s.case.exhibit, listing(s.case.exhibit)
    tried = st.session_state.setdefault(TRIED, set())

    def press(n: int) -> None:
        if lines[n].cure is None:
            tried.add((exhibit, n))
            return
        _open(s.case)
        st.session_state[LINE] = FAULTY if s.line == CURED else CURED

    numbers = {n for name, n in tried if name == exhibit}
    data = payload(lines, tried=numbers, is_open=s.is_open, is_cured=s.line == CURED)
    code_lines(data, key="bugs-lines", on_press=press)


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


def _show_lines(case: Case) -> None:
    """What to remember, and the two versions one above the other: so lines stay whole, and their difference is seen."""
    exhibit = EXHIBITS[case.exhibit]
    display.prose().markdown(case.lesson)
    for heading, name in (("With the fault", exhibit.wrong), ("Cured", exhibit.right)):
        st.markdown(f"**{heading}**")
        teaching.code(PARTS, name)


VIEW = View(ask, compute, draw, layout=layout, height=420)


def show(page: Page) -> None:
    """The whole page: the exhibit that is chosen from the list."""
    view.heading(page)
    view.show(VIEW)
