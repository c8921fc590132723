"""The upper half of the page: choose what is to be learned, train, and watch."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import ParamSpec
from urllib.parse import parse_qsl, urlencode

import streamlit as st

from pages.live import film, trainings
from pages.live import settings as training_settings
from pages.live.settings import PAIRS, Values
from pages.shared import display, settings
from pages.shared.training_queue import Job, Refused
from transformer.checks import InputError
from transformer.training.plan import Plan

ALONE, PINNED = "one training", "A pinned, B is what you choose now"
_NOTICE = "_live_notice"  # in st.session_state: why a training could not begin

P = ParamSpec("P")


def stage() -> None:
    """The controls, the buttons, the notices, and the film."""
    mine = trainings.trainings()
    states = mine.states  # as the rest of this run shows them; any change in the meantime brings another run
    with settings.collecting() as answers:
        values = training_settings.ask_settings()
        task = training_settings.task_of(values)
        # Everything keeps its place on the page, whatever else is there: the film would begin anew if it were moved.
        with st.container():
            text = training_settings.ask_text(values) if task.needs_text else ""
        with st.container(horizontal=True, vertical_alignment="center", gap="small", key="live-bar"):
            buttons = st.container(horizontal=True, gap="small", width="content")
            plans = _ask_plans(values, text)
            with buttons:
                _buttons(plans)
            with st.container(width="content"):
                if st.session_state.get("live_compare") in PAIRS:
                    st.caption(PAIRS[st.session_state["live_compare"]].question, width="content")
            st.space("stretch")
            recorded = _ask_film(task.name)
    with st.container():
        others = [st.session_state.get(_NOTICE, ""), *mine.notices]
        display.notice(*answers.notices, *(sentence for sentence in others if sentence))
    film.show(recorded, states)


def _ask_plans(values: Values, text: str) -> dict[str, Plan]:
    """What the button Train will train, by its place; empty, with a notice, while something is missing."""
    name = settings.choose(
        st.selectbox, "Compare", "live_compare", (ALONE, *PAIRS, PINNED), ALONE,
        on_change=partial(_pin, values), width=270, label_visibility="collapsed",
    )  # fmt: skip
    sides = {"": (values, "")}
    if name in PAIRS:
        sides = training_settings.pair(name, values)
    elif name == PINNED:
        a = training_settings.unpinned(_pinned(), values)
        sides = {"A": (a, "as pinned"), "B": (values, training_settings.differences(a, values) or "the same")}
    if training_settings.task_of(values).needs_text and not text:
        return {}
    try:
        return {place or "A": training_settings.plan(side, text, label) for place, (side, label) in sides.items()}
    except InputError as error:
        settings.notify(f"{error}.")
        return {}


def _pin(values: Values) -> None:
    """Keep the present settings in the link, as A."""
    if st.session_state.get("live_compare") == PINNED:
        st.query_params["live_a"] = urlencode(values)
    else:
        st.query_params.pop("live_a", None)


def _pinned() -> dict[str, str]:
    """What the link has pinned as A."""
    return dict(parse_qsl(st.query_params.get("live_a", "")[: settings.MAX_LETTERS]))


def _ask_film(task: str) -> str | None:
    """Which film is on screen: the name of a shipped model, or None for this visitor's trainings."""
    films = film.recorded_films()
    mine = (film.YOURS,) if trainings.trainings().by_place else ()
    name = settings.choose(
        st.selectbox, "Film", "live_film", (*mine, *films), film.YOURS if mine else film.film_of_task(task),
        why="there is no training of yours here yet", follows=True, width=260, label_visibility="collapsed",
    )  # fmt: skip
    return films.get(name)


# ---- the buttons ---------------------------------------------------------------------------------------------------


def _buttons(plans: dict[str, Plan]) -> None:
    mine = trainings.trainings()
    st.button(
        "Train A and B" if len(plans) > 1 else "Train", type="primary", icon=":material/play_arrow:", key="train",
        on_click=begin, args=(trainings.train, plans), disabled=not plans,
    )  # fmt: skip
    if mine.is_busy:
        st.button("Pause", icon=":material/pause:", key="pause", on_click=_pause, args=(mine.jobs,))
    elif "paused" in mine.states:
        st.button("Continue", icon=":material/resume:", key="continue", on_click=_resume, args=(mine.jobs,))
    if any(job.is_alive for job in mine.jobs):
        st.button("Stop", icon=":material/stop:", key="stop", on_click=_stop, args=(mine.jobs,))


def begin(start: Callable[P, None], *args: P.args, **kwargs: P.kwargs) -> None:
    """Begin a training and look at it; if it cannot begin, the next run of the page says why."""
    st.session_state.pop(_NOTICE, None)
    try:
        start(*args, **kwargs)
        st.session_state["live_film"] = film.YOURS
    except (Refused, InputError) as error:
        st.session_state[_NOTICE] = str(error)


def _pause(jobs: Sequence[Job]) -> None:
    for job in jobs:
        job.pause()
    for job in jobs:
        job.wait(1.0)  # a step takes less: the page then shows it paused


def _stop(jobs: Sequence[Job]) -> None:
    trainings.trainings().stop(jobs)
    for job in jobs:
        job.wait(1.0)


def _resume(jobs: Sequence[Job]) -> None:
    trainings.trainings().resume(jobs)
