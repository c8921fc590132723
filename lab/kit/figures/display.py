"""Putting figures on screen."""

import gc
import re
import sys
from contextlib import contextmanager, suppress
from hashlib import sha256
from typing import TYPE_CHECKING

import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.errors import StreamlitDuplicateElementKey

from lab.kit import presenting
from lab.kit.texts import inline

if TYPE_CHECKING:
    import plotly.graph_objects as go
    from markdown_it.token import Token

PROSE_WIDTH = 680  # pixels
STANDOFF = 12  # pixels from the numbers of a y axis to the line on which its title stands: below it, letters hang


def notice(*sentences: str) -> None:
    """Say what was not as expected, in plain words; nothing if there is nothing to say.

    The text is shown letter by letter: nothing in it is read as Markdown or HTML. What has been said in this run is not
    said again.
    """
    if sentences:
        text = "\n".join(sentences)
        with suppress(StreamlitDuplicateElementKey):
            st.container(key=f"notice-{sha256(text.encode('utf-8', 'replace')).hexdigest()[:12]}").text(text)


@contextmanager
def loading(height: int):
    """Keeps the place of the first figure of a process, which waits for torch to be loaded; nothing later on."""
    place = st.empty()  # there in every run: what follows keeps its place on the page, and so its state
    is_first = "torch" not in sys.modules
    if is_first:
        place.skeleton(height=height)
        gc.disable()  # of 250,000 objects that come to stay, there is nothing to collect: a fifth of the time
    try:
        yield
    finally:
        if is_first:
            gc.enable()
        place.empty()


def prose() -> DeltaGenerator:
    """The column of words below a figure, as wide as one reads well."""
    return st.container(width=PROSE_WIDTH)


def plain(text: str) -> str:
    """A visitor's text for a place that reads Markdown: every sign is escaped, so that none has a meaning."""
    return re.sub(r"([!-/:-@\[-`{-~])", r"\\\1", text)


def marked(line: str) -> str:
    """A line of a lesson for a place that reads Markdown: the marks of lab.kit.texts.inline, and no sign besides, have
    a meaning."""
    return "".join(_as_markdown(token) for token in inline.tokens(line))


def _as_markdown(token: "Token") -> str:
    if token.type == "code_inline":
        fence = "`" * (1 + max(map(len, re.findall("`+", token.content)), default=0))
        pad = " " if token.content.strip() else ""  # is taken off again, but from what is nothing but spaces
        return f"{fence}{pad}{token.content}{pad}{fence}"
    if token.type == "colour_open":
        return f":{token.info}["
    if token.type == "colour_close":
        return "]"
    return token.markup if token.nesting else plain(token.content)


def figure(drawing: "go.Figure", *, key: str, alt: str) -> None:
    """A plotly figure in the house's style. `alt` says in words what is to be seen, with its numbers.

    A hand that drags over it zooms only where the figure says so by its dragmode: nothing leads back from that.
    """
    if presenting.is_on() and (drawing.layout.height or 450) > presenting.TALLEST:
        drawing = type(drawing)(drawing).update_layout(height=presenting.TALLEST)  # a copy: others see the same figure
    _set_style(drawing)
    with st.container(key=f"figure-{key}"):
        st.plotly_chart(drawing, key=key, alt=alt, config={"displaylogo": False, "displayModeBar": False})


def _set_style(drawing: "go.Figure") -> None:
    """No zoom by dragging; and the house's sizes for whatever text the figure gives none: plotly must know them to
    leave room, and Streamlit's are smaller. A figure that others see too is set once, for all.
    """
    from lab.kit.figures import plot

    layout = drawing.layout
    if layout.dragmode is None:
        layout.dragmode = False
    fonts = [(layout.font, plot.TICK_SIZE), (layout.legend.font, plot.TICK_SIZE)]
    bars = [trace.colorbar for trace in drawing.data if "colorbar" in trace]
    bars += [layout.coloraxis.colorbar] if layout.coloraxis.colorscale else []
    for part in (*drawing.select_xaxes(), *drawing.select_yaxes(), *bars):
        fonts += [(part.tickfont, plot.TICK_SIZE), (part.title.font, plot.FONT_SIZE)]
    for font, size in fonts:
        if font.size is None:
            font.size = size
    for axis in drawing.select_yaxes():
        axis.title.standoff = max(axis.title.standoff or 0, STANDOFF)
