"""A small canvas to draw a picture on, with a pointer, a finger or the keyboard.

The drawing comes back as a short code, which pages/vision/pictures.py checks; the address holds it as well.
"""

from pathlib import Path

import streamlit as st

from pages.shared.components import component
from pages.vision import pictures
from transformer.training.tasks.shapes import COLOURS, SIDE

_mount = component("sketch", Path(__file__).parent)
IN_LINKS = "vision_drawing"


def sketched(key: str) -> str:
    """The code of what was drawn, in the browser or in the link; that of the first drawing for anything else."""
    for code in ((st.session_state.get(key) or {}).get("drawing"), st.query_params.get(IN_LINKS)):
        if isinstance(code, str) and pictures.drawing(code) is not None:
            return code
    return pictures.first_drawing()


def sketch(code: str, *, key: str) -> None:
    """Put the canvas on the page, with this drawing on it."""
    data = {
        "code": code,
        "usual": pictures.first_drawing(),
        "side": SIDE,
        "letters": pictures.LETTERS,
        "paints": [list(map(int, paint)) for paint in pictures.PAINTS],
        "names": ["paper", *COLOURS],
        "link": IN_LINKS,
    }
    _mount(data=data, key=key, on_drawing_change=lambda: None)
