"""A door of the page: views of one purpose, one of which is open at a time."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import streamlit as st

from pages.shared import settings
from pages.shared.view import View


class Opened(NamedTuple):
    """The name of the view behind the door that is open, and its settings."""

    name: str
    settings: Any


def door(name: str, key: str, views: Sequence[View]) -> View:
    """One view out of several, with a switch between them under this key. A link to one of them by its name opens the
    door with that one behind it."""
    by_name = {view.name: view for view in views}

    def ask() -> Opened | None:
        with settings.place_named("row"):
            chosen = settings.choose(
                st.segmented_control, name, key, tuple(by_name), views[0].name, label_visibility="collapsed", wrap=True
            )
        answers = by_name[chosen].ask()
        return None if answers is None else Opened(chosen, answers)

    return View(
        name,
        ask,
        lambda opened: by_name[opened.name].compute(opened.settings),
        lambda opened, result: by_name[opened.name].draw(opened.settings, result),
        formerly={view.name: {key: view.name} for view in views},
    )
