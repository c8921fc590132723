"""Bring a model: from a file of attention weights to the picture of its heads; or whole, from a list or a folder."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import streamlit as st

from attention_view import Kinds
from lab.kit.view import View, places
from pages.pretrained import door, tensors


class Settings(NamedTuple):
    """file: the one that is open; is_open: whether the fold with all of it is."""

    file: tensors.Settings
    is_open: bool


def layout() -> Mapping[str, Any]:
    upload = st.container(key="own-upload")
    steps = st.container(key="figure-file")
    models = st.container()
    fold = st.expander(
        "This file at full size, and all that a file can hold",
        key=tensors.OPEN,
        icon=":material/grid_on:",
        bind="query-params",
    )
    return {"upload": upload, "steps": steps, "models": models, "file": fold, "below": st.container()}


def ask() -> Settings:
    return Settings(tensors.ask(), bool(st.session_state.get(tensors.OPEN)))


def compute(s: Settings) -> Kinds | None:
    return tensors.compute(s.file) if s.is_open else None


def draw(s: Settings, kinds: Kinds | None) -> None:
    with places()["steps"]:
        tensors.draw_steps(s.file)
    with places()["models"]:
        door.draw()
    if s.is_open:
        with places()["file"]:
            tensors.draw(s.file, kinds)
    with places()["below"]:
        door.draw_below()


VIEW = View(ask, compute, draw, layout=layout)
