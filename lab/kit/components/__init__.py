"""Components that run in the browser: a folder each, with a script and a style sheet that bear the component's name."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar

import streamlit as st

from attention_view.bundle import script, style

T = TypeVar("T")


def sent(key: str, name: str, kind: type[T]) -> T | None:
    """What the component of this key has last sent under a name, if it is of this type: a browser may send anything."""
    message = st.session_state.get(key)
    value = message.get(name) if isinstance(message, Mapping) else None
    return value if type(value) is kind else None


def component(name: str, here: Path, file: str | None = None) -> Any:
    """What puts a component on the page, called with data=, key= and callbacks; it is registered with Streamlit here.

    name  its name, and that of its files in `here`: name.js, and name.css if it has a look of its own; its root element
          has the classes "lab" and the name, with hyphens for underscores
    file  what the files are called, if otherwise
    """
    sheet, code = here / f"{file or name}.css", here / f"{file or name}.js"
    return st.components.v2.component(
        f"attention_lab.{name}",
        html=f'<div class="lab {name.replace("_", "-")}">\n</div>',
        css=style(sheet) if sheet.exists() else None,
        js=script(code),
    )
