"""The controls of a training: the task, and one quiet line that opens to every other setting."""

from collections.abc import Iterator
from contextlib import contextmanager
from html import escape
from typing import Any

import streamlit as st

from lab.kit import settings
from lab.kit.controls.hyperparameters import ask_heads
from pages.live import data
from pages.live.controls import CONTROLS, KNOBS, OF_PICTURES, OF_TEXTS
from pages.live.values import BY_LABEL, Values, kv_options, usual
from transformer.training.tasks import TASKS
from transformer.training.tasks.task import Declaration

MAX_HEADS = 8
_TURNED = "_live_turned"  # in st.session_state: the control of a knob that was just moved
MODEL, TRAINING, DETAIL, MODERN = "Model", "Training", "In detail", "Modern parts"
# In the order in which they are asked, for some depend on others: the column, and the names of its settings.
ASKED = (
    (MODEL, ("d_model", "heads", "layers", "positions", "dropout", "patch", "reads", "d_ff")),
    (DETAIL, ("norm", "scores", "embedding", "output", "longest", "mask")),
    (MODERN, ("attention", "norm_kind", "activation", "kv_heads", "experts")),
    (TRAINING, ("steps", "batch", "schedule", "lr", "warmup")),
    (MODEL, ("examples", "augment", "seed")),
    (TRAINING, ("decay", "smoothing", "clip")),
)


def ask_task(trained: str = "reverse") -> Declaration:
    """The choice of a task; at first the one that this visitor has `trained`."""
    return BY_LABEL[
        settings.choose(
            st.selectbox, "Task", "live_task", BY_LABEL, TASKS[trained].label, width=168, label_visibility="collapsed"
        )
    ]


def ask_settings(task: Declaration, is_training: bool = False) -> tuple[Values, Any]:
    """One quiet line, which opens: the value of every setting but those of a visitor's own text; and the place, first
    in what opens, where it is asked what is compared.

    is_training  whether there is a training on screen that its knobs act on
    """
    values, missing = usual(task), lacking(task)
    with _line():
        pairs = st.container(width=330)
        columns, places = _columns(is_training)
        for title, column in columns.items():
            column.markdown(f"**{title}**")
        for title, names in ASKED:
            for name in names:
                if name not in missing:
                    with places.get(name, columns[title]):
                        values = ask(name, values)
                if name == "steps" and not is_training:  # the rate stands here, and depends on the schedule
                    places["lr"] = columns[title].container()
    return values, pairs


def lacking(task: Declaration) -> set[str]:
    """The settings that say nothing of this task: it has no control for them."""
    missing = {*(OF_TEXTS if task.reads_pictures else OF_PICTURES)}
    if not task.max_length:
        missing.add("longest")
    if not data.can_augment(task.name):
        missing.add("augment")
    return missing


def _columns(is_training: bool) -> tuple[dict[str, Any], dict[str, Any]]:
    """The container of each column by its title; and that of each setting that stands elsewhere, by its name."""
    titles = (MODEL, TRAINING, DETAIL, MODERN)
    if not is_training:
        return dict(zip(titles, st.columns(4, gap="medium", width=880), strict=True)), {}
    with st.container(key="live-narrow"):  # and what can be turned now first: the film beside it is seen to answer
        st.markdown("**While it learns**")
        st.caption("Changes of learning rate, batch size and dropout reach your training at its next step.")
        knobs = {name: st.container() for name in KNOBS}
        return {title: st.container() for title in titles}, knobs


def ask(name: str, values: Values) -> Values:
    """These values with the answer of one control; a default that is not among its options joins them."""
    default = values.following.get(name, getattr(usual(values.declaration), name))
    if name == "heads":
        heads = ask_heads(values.d_model, "live_heads", limit=MAX_HEADS, default=default, follows=True)
        return values._replace(heads=heads)
    control = CONTROLS[name]
    options = kv_options(values.heads) if name == "kv_heads" else tuple(control.options)
    if default not in options:
        options = tuple(sorted({*options, default}))
    more: dict[str, Any] = {"wrap": True} if control.widget is st.segmented_control else {}
    if name in KNOBS:
        more |= {"on_change": _moved, "args": (name,)}
    answer = control.ask(f"live_{name}", options=options, default=default, follows=True, **more)
    return values._replace(**{name: answer})


@contextmanager
def _line() -> Iterator[None]:
    """As settings.line, but its controls are in the browser while they are closed: a task changes them, and what the
    page sets would not arrive at a control that was opened once and is not there now.
    """
    answers = settings.current()
    assert answers is not None  # the page collects them
    before = set(answers.settings)
    with st.container(key="live-line", width="content"):
        said = st.container()
        st.checkbox("Change the settings", key="live_open")
    with st.container(key="live-panel"):
        yield
    asked = [setting.as_chip for name, setting in answers.settings.items() if name not in before]
    chips = "".join(f"<span>{escape(chip)}</span>" for chip in asked if chip)
    said.html(f'<div class="chips" aria-hidden="true">{chips}</div>')


def _moved(name: str) -> None:
    st.session_state[_TURNED] = name


def turned_knob() -> str:
    """The knob, as a training calls it, whose control the visitor has just moved, told once; "" if there is none."""
    return KNOBS.get(st.session_state.pop(_TURNED, ""), "")
