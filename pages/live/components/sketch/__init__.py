"""A small canvas to draw a picture on, with a pointer, a finger or the keyboard.

The drawing comes back as a short code, which transformer/training/tasks/drawings.py checks; the address holds it too.
"""

from pathlib import Path

import streamlit as st

from lab.kit.components import component, sent
from transformer.training.tasks import drawings
from transformer.training.tasks.shapes import COLOURS, SIDE

_mount = component("sketch", Path(__file__).parent)


def sketched(key: str, link: str) -> str:
    """The code of what was drawn, in the browser or in the link; that of the first drawing for anything else."""
    for code in (sent(key, "drawing", str), st.query_params.get(link)):
        if code is not None and drawings.drawing(code) is not None:
            return code
    return drawings.first_drawing()


def sketch(code: str, *, key: str, link: str) -> None:
    """Put the canvas on the page, with this drawing on it; `link` is what the drawing is called in the address."""
    data = {
        "code": code,
        "usual": drawings.first_drawing(),
        "side": SIDE,
        "letters": drawings.LETTERS,
        "paints": [list(map(int, paint)) for paint in drawings.PAINTS],
        "names": ["paper", *COLOURS],
        "link": link,
    }
    _mount(data=data, key=key, on_drawing_change=lambda: None)
