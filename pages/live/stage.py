"""The upper half of the page: choose what is to be learned, train, and watch."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import ParamSpec
from urllib.parse import parse_qsl, urlencode

import streamlit as st

from lab.kit import catalogue, settings
from lab.kit.figures import display
from lab.kit.models.references import HAND_OVER
from lab.server.jobs import Job, Refused
from pages.live import data, film, own_input, own_text, panel, pins, trainings, wording
from pages.live.pairs import PAIRS, pair, pairs_of
from pages.live.register import Trainings
from pages.live.values import BY_LABEL, Values, plan_of, usual, values_of
from transformer.core.checks import InputError
from transformer.training import shipped
from transformer.training.plan import Plan
from transformer.training.settings import knobs_of
from transformer.training.tasks import TASKS
from transformer.training.tasks.task import Task

ALONE, PINNED = "Compare: off", "Keep A, change B"
_NOTICE = "_live_notice"  # in st.session_state: why a training could not begin
OFFERED = {task.name for task in BY_LABEL.values()}
_HANDED = "_live_handed"  # in st.session_state: which training was handed over to the other pages last

P = ParamSpec("P")


def stage() -> str:
    """The controls, the buttons, the notices, and the film -> what is to be seen in that film, in a sentence or two."""
    mine = trainings.trainings()
    if "live_task" not in st.session_state and "live_task" not in st.query_params:
        _bring_task(st.query_params.get("live_film", ""))
        if task_of_link := st.session_state.get("live_task"):
            st.query_params["live_task"] = task_of_link  # the address has it from now on
    states = mine.states  # as the rest of this run shows them; any change in the meantime brings another run
    with settings.collecting() as answers:
        # Everything keeps its place on the page, whatever else is there: the film would begin anew if it were moved.
        with st.container(horizontal=True, vertical_alignment="center", gap="small", key="controls-live"):
            buttons = st.container(horizontal=True, vertical_alignment="center", gap="small", width="content")
            with st.container(width="content", key="live-task"):
                task = panel.ask_task(*_trained()[:1])
            values, pairs, text = *panel.ask_settings(task, any(job.is_alive for job in mine.jobs)), ""
            st.space("stretch")
            inputs = st.container(width="content")
        with st.container():
            if task.needs_text:
                values, text = own_text.ask(values)
        with inputs:
            probe = own_input.ask(values, text)
        with pairs:
            plans = _ask_plans(values, text, probe)
        question, notices_place, film_place = st.container(), st.container(), st.container()
        # Not among the settings: while those are closed, a choice that the page itself makes would be lost.
        with st.container(horizontal=True, horizontal_alignment="right", key="live-films"):
            name = _ask_film(values, bool(plans))
        knob = panel.turned_knob()
        if name == film.YOURS:
            _turn(knob, plans)
        with buttons:
            _buttons(plans, _differences(values, name, plans), name)
        if st.session_state.get("live_compare") in PAIRS:
            question.caption(PAIRS[st.session_state["live_compare"]].question)
        with film_place:
            film.show(name, plans, states)
    with notices_place:
        others = [st.session_state.get(_NOTICE, ""), *mine.notices]
        display.notice(*answers.notices, *(sentence for sentence in others if sentence))
    return film.what_to_watch(film.task_of(name, plans))


def _ask_plans(values: Values, text: str, probe: str) -> dict[str, Plan]:
    """What the button Train will train, by its place; empty, with a notice, while something is missing."""
    task = values.declaration
    name = settings.choose(
        st.selectbox,
        "Compare",
        "live_compare",
        (ALONE, *pairs_of(task), PINNED),
        ALONE,
        on_change=partial(_pin, values),
        help="Two trainings side by side, which differ in one thing; or keep these settings as A, and change B.",
    )
    sides = {"": (values, "")}
    if name in PAIRS:
        sides = pair(name, values)
    elif name == PINNED:
        a = pins.unpinned(_pinned(), values)
        sides = {"A": (a, "as kept"), "B": (values, wording.differences(a, values) or "the same")}
    if task.needs_text and not text:
        return {}
    try:
        return {place or "A": plan_of(side, text, label, probe) for place, (side, label) in sides.items()}
    except InputError as error:
        settings.notify(data.sentence(error))
        return {}


def _pin(values: Values) -> None:
    """Keep the present settings in the link, as A."""
    if st.session_state.get("live_compare") == PINNED:
        st.query_params["live_a"] = urlencode(pins.pinned(values)) or settings.ALL_DEFAULTS
    else:
        st.query_params.pop("live_a", None)


def _pinned() -> dict[str, str]:
    """What the link has pinned as A."""
    return dict(parse_qsl(st.query_params.get("live_a", "")[: settings.MAX_PINNED]))


def _turn(knob: str, plans: dict[str, Plan]) -> None:
    """Turn this knob of the trainings under way to what their plans would have now."""
    for place, training in trainings.trainings().by_place.items():
        plan = plans.get(place)
        if knob and plan and training.plan.task == plan.task:
            try:
                training.turn(**{knob: getattr(knobs_of(plan.settings, plan.config), knob)})
            except (Refused, InputError) as error:
                settings.notify(data.sentence(error))


def _trained() -> list[str]:
    """The tasks of this visitor's trainings, as they are here in every tab; of those that are offered."""
    tasks = [training.plan.task for training in trainings.trainings().by_place.values()]
    return [task for task in tasks if task in OFFERED]


def _ask_film(values: Values, has_plan: bool) -> str:
    """Which film is on screen. A chosen task brings its own: the visitor's training of it, or a recorded one; but what
    is recorded is the usual training, and settings that differ from it show their own model before any training."""
    mine, task = trainings.trainings().by_place.values(), values.declaration.name
    is_mine = any(training.plan.task == task for training in mine)
    names = [*([film.YOURS] if mine else []), *film.recorded_films(), *([film.BEFORE] if has_plan else [])]
    default = film.YOURS if is_mine else film.film_of_task(task)
    if not is_mine and has_plan and wording.changes(usual(values.declaration), values):
        default = film.BEFORE
    if default not in names:
        default = film.film_of_task("tales")
    return settings.choose(
        st.selectbox,
        "Film",
        "live_film",
        names,
        default,
        why="you have not trained anything here yet",
        follows=True,
        on_change=_bring_task,
        width=230,
        label_visibility="collapsed",
    )


def _bring_task(name: str = "") -> None:
    """A recorded film brings its task, where that is offered: what one then trains oneself is what is on screen."""
    model = film.recorded_films().get(name or st.session_state.get("live_film", ""))
    task = shipped.SHIPPED[model].task if model else ""
    if task in OFFERED:
        st.session_state["live_task"] = TASKS[task].label


def _differences(values: Values, name: str, plans: dict[str, Plan]) -> list[str]:
    """In a few words each: how the next training differs from what is on screen, or from the usual one."""
    mine = trainings.trainings().by_place
    if len(plans) > 1 or len(mine) > 1:
        return []
    before, asked = usual(values.declaration), ""
    if name == film.YOURS and mine:
        (training,) = mine.values()
        if training.plan.task != values.declaration.name:
            return []
        before, asked = values_of(training.plan), training.plan.probe
    found = wording.changes(before, values)
    probe = next(iter(plans.values())).probe if plans else ""
    return [*found, *(["your own input"] if probe and probe != asked else [])]


# ---- the buttons ---------------------------------------------------------------------------------------------------


def _buttons(plans: dict[str, Plan], differences: list[str], name: str) -> None:
    """What can be done now. name: of the film on screen; a recorded one has the dark button, until settings differ."""
    mine = trainings.trainings()
    is_quiet = name in film.recorded_films() and len(plans) < 2 and not differences
    st.button(
        _label(plans, differences),
        type="secondary" if is_quiet else "primary",
        icon=":material/play_arrow:",
        key="train",
        on_click=begin,
        args=(trainings.train, plans),
        disabled=not plans,
    )
    if mine.is_busy:
        st.button("Pause", icon=":material/pause:", key="pause", on_click=_pause, args=(mine.jobs,))
    elif "paused" in mine.states:
        st.button("Continue", icon=":material/resume:", key="continue", on_click=_resume, args=(mine.jobs,))
    if any(job.is_alive for job in mine.jobs):
        st.button("Stop", icon=":material/stop:", key="stop", on_click=_stop, args=(mine.jobs,))
    _door(mine, is_shown=name == film.YOURS)


def _label(plans: dict[str, Plan], differences: list[str]) -> str:
    """What the button says: which training it begins."""
    mine = trainings.trainings()
    again = "Train again" if mine.by_place and st.session_state.get("live_film") == film.YOURS else "Train"
    if len(plans) > 1:
        return "Train A and B"
    if not differences:
        return again
    return f"{again} with: {differences[0]}" if len(differences) == 1 else f"{again} with {len(differences)} changes"


# Which page shows what a model of this kind does, and what is done there.
DOORS = {"encoder-decoder": ("translation", "Translate with it"), "decoder": ("generation", "Write with it")}
LOOK = ("heads", "Look at its heads")
EYES = ("vision", "Show it other pictures")


def door_of(task: Task) -> tuple[str, str]:
    """The page that shows what a model of this task does, and what is done there."""
    return EYES if task.sight else DOORS.get(task.kind, LOOK)


def _door(mine: Trainings, *, is_shown: bool) -> None:
    """Give a model that has learned to the page that uses it, and show the way there if that model is on screen."""
    resting = [training for training in mine.by_place.values() if training.rests]
    if not resting or len(resting) < len(mine.by_place) or "paused" in mine.states:
        return
    try:
        checkpoint = resting[-1].checkpoint()
    except InputError:
        return
    if not checkpoint.config.has_usual_parts:
        return
    url, label = door_of(checkpoint.task)
    if st.session_state.get(_HANDED) != (name := f"{resting[-1].id} {checkpoint.step}"):
        st.session_state[_HANDED], st.session_state[HAND_OVER] = name, checkpoint  # the other pages open on it
    if is_shown:
        st.page_link(catalogue.page(url).script, label=label, icon=":material/arrow_forward:")


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
