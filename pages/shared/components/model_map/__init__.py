"""The map of the model, in the browser: every part says what it does, and those with a page open it."""

from pathlib import Path

import streamlit as st

from pages.shared.components import script, style
from pages.shared.model_map import Map

_HERE = Path(__file__).parent
_mount = st.components.v2.component(
    "attention_lab.model_map",
    html='<div class="lab model-map">\n</div>',
    css=style(_HERE / "map.css"),
    js=script(_HERE / "map.js"),
)


def model_map(figure: Map, *, key: str) -> str | None:
    """Put the map on the page; returns the url_path of the page that was just asked for, or None."""
    data = figure._asdict()
    data["blocks"] = [block._asdict() for block in figure.blocks]
    data["frames"] = [frame._asdict() for frame in figure.frames]
    return _mount(data=data, key=key, on_open_change=lambda: None).open
