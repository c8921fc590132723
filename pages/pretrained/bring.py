"""Bring a model: from a list or a folder of one's own; or nothing but the attention weights of any model, in a file."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import streamlit as st

from attention_view import Kinds
from lab.kit.view import View, places
from pages.pretrained import door, tensors


class Settings(NamedTuple):
    """names: of the models that can be chosen now; file: what is shown in the fold, None while it is closed."""

    names: tuple[str, ...]
    file: tensors.Settings | None


def layout() -> Mapping[str, Any]:
    """A file that is open comes first; else the models do."""
    is_open = st.session_state.get(tensors.OPEN, st.query_params.get(tensors.OPEN) == "true")
    upload = st.container(key="own-upload")
    above, picture, below = st.container(), st.container(), st.container()
    with above if is_open else below:
        fold = st.expander(
            "Upload attention weights alone, of any model, and see them in the same picture",
            key=tensors.OPEN,
            icon=":material/upload_file:",
            bind="query-params",
        )
    return {"upload": upload, "file": fold, "picture": picture}


def ask() -> Settings:
    file = tensors.ask()
    return Settings(door.ask(), file if st.session_state.get(tensors.OPEN) else None)


def draw(s: Settings, kinds: Kinds | None) -> None:
    if s.file:
        with places()["file"]:
            tensors.draw(s.file, kinds)
    with places()["picture"]:
        door.draw(s.names)


VIEW = View(ask, lambda s: tensors.compute(s.file) if s.file else None, draw, layout=layout)
