"""What all views of this page ask for: a picture, made, drawn or dropped, and the model that reads it."""

import hashlib
from collections.abc import Callable, Mapping
from functools import partial
from typing import NamedTuple

import numpy as np
import streamlit as st

from lab.kit import pictures, settings
from lab.kit.components import sent
from lab.kit.models.published import there
from lab.kit.models.references import own
from lab.server import gate
from lab.server.incoming import ask_file
from pages.vision import data
from pages.vision.data import Picture, Reader
from transformer.training.tasks import drawings, shapes

MADE, DRAWN, DROPPED = "made for you", "draw one", "bring one"
YOURS = "the one you trained"
SEEDS = range(1, 21)
DEFAULTS = {"shape": "triangle", "colour": "red", "count": "two", "place": "upper left"}
_FILE = "vision_file"
CANVAS = "vision_look"  # the component on which one paints
_DRAWING, _PAINT = "vision_drawing", "vision_paint"  # in links: on blank paper, and on any other picture


class Paint(NamedTuple):
    """What a visitor has painted: a code of transformer/training/tasks/drawings.py.

    link    what it is called in the address
    usual   the code of what lies there before anybody paints
    """

    code: str
    link: str
    usual: str

    @property
    def is_drawing(self) -> bool:
        """Whether it is a drawing on blank paper rather than a layer on a picture."""
        return self.link == _DRAWING


class Subject(NamedTuple):
    """picture is what the model reads: what lies under the paint, with the paint on it."""

    reader: Reader
    picture: Picture
    under: Picture
    paint: Paint


def readers() -> Mapping[str, Reader]:
    """Who can read a picture, by name on screen: this visitor's own model first, then our models, and published ones
    that are on this machine."""
    mine = own("encoder", images=True)
    ours = {YOURS: Reader(YOURS, mine)} if mine else {}
    ours |= {title: Reader(name) for title, name in data.OURS.items() if data.exists(name)}
    return ours | published()


def published() -> dict[str, Reader]:
    """The published ones alone."""
    return {name: Reader(name, ref) for name, ref in there("encoder", images=True).items()}


def ask() -> Subject | None:
    """The model and the picture; None, with a notice, where there is no picture yet."""
    with settings.place_named("row"):
        offered = readers()
        title = settings.choose(
            st.selectbox,
            "Model",
            "vision_model",
            tuple(offered),
            next(iter(offered)),
            label_visibility="collapsed",
            width=180,
            why="there is no model “{}” here",
        )
        source = settings.choose(
            st.segmented_control,
            "Picture",
            "vision_picture",
            (MADE, DRAWN, DROPPED),
            MADE,
            label_visibility="collapsed",
        )
        under = None if source == DRAWN else _made() if source == MADE else _dropped()
    if source == DRAWN:
        paint = _painted(_DRAWING, drawings.first_drawing(), drawings.drawing)
        blank = data.picture(np.full((shapes.SIDE, shapes.SIDE, 3), drawings.PAPER, np.uint8))
        return Subject(offered[title], _drawn(paint.code), blank, paint)
    if under is None:
        return None
    paint = _painted(_PAINT, drawings.BARE, partial(drawings.painted_over, under.array))
    return Subject(offered[title], data.painted(under, paint.code), under, paint)


def _made() -> Picture:
    with settings.line():
        given = tuple(
            (
                question,
                settings.choose(
                    st.segmented_control,
                    question.capitalize(),
                    f"vision_{question}",
                    options,
                    DEFAULTS[question],
                    chip="{}",
                ),
            )
            for question, options in shapes.QUESTIONS.items()
        )
        size = settings.choose(st.segmented_control, "Size", "vision_size", shapes.SIZES, shapes.SIZES[2], chip="{}")
        seed = settings.choose(
            st.select_slider,
            "Arrangement",
            "vision_seed",
            SEEDS,
            SEEDS[0],
            help="The same things, put down elsewhere in the same quarter.",
        )
    return data.drawn(given, size, seed)


def _drawn(code: str) -> Picture:
    pixels = drawings.drawing(code)
    assert pixels is not None  # _painted() has checked the code
    return data.picture(pixels)


def _painted(link: str, usual: str, read: Callable[[str], object]) -> Paint:
    """What was painted, in the browser or in the link; read gives None for what is no code of it."""

    def checked(code: str) -> str | None:
        return None if read(code) is None else code

    if pinned := settings.replaying():
        return Paint(pinned.take_text(link, "what is painted", usual, checked), link, usual)
    where, _, code = (sent(CANVAS, "painted", str) or "").partition(":")
    in_link = st.query_params.get(link)
    from_hand = checked(code) if where == link else None
    if from_hand is None and in_link is not None and checked(in_link) is None:
        settings.notify("What is painted in this link cannot be read, so it is left out.")
    code = from_hand or (checked(in_link) if in_link else None) or usual
    settings.note(link, "what is painted", code, usual, long=True)
    return Paint(code, link, usual)


def _dropped() -> Picture | None:
    with st.popover("Choose a file", icon=":material/image:"):
        file = ask_file("A PNG or JPEG picture", ("png", "jpg", "jpeg"), pictures.MAX_BYTES >> 20, key=_FILE)
        st.caption("It is cut to a square and made as small as the model needs. It is kept for this visit only.")
    if file is None:
        settings.notify(
            "There is no picture yet. Press “Choose a file”: a field opens that takes a file, or one dropped on it."
        )
        return None
    with gate.refusals_to(settings.notify):
        content = file.getvalue()
        return data.dropped(hashlib.sha256(content).hexdigest(), content)
    return None
