"""What all views of this page ask for: a picture, made, drawn or dropped, and the model that reads it."""

import hashlib
from collections.abc import Mapping
from typing import NamedTuple

import streamlit as st

from lab.kit import settings
from lab.kit.components.sketch import sketch, sketched
from lab.kit.models.published import there
from lab.kit.models.references import own
from lab.server import gate
from lab.server.incoming import ask_file
from pages.vision import data, pictures
from pages.vision.data import Picture, Reader
from transformer.training.tasks import shapes
from transformer.training.tasks.drawings import drawing

MADE, DRAWN, DROPPED = "made for you", "draw one", "bring one"
YOURS = "the one you trained"
SEEDS = range(1, 21)
DEFAULTS = {"shape": "triangle", "colour": "red", "count": "two", "place": "upper left"}
_FILE = "vision_file"
_DRAWING = "vision_drawing"  # in links


class Subject(NamedTuple):
    reader: Reader
    picture: Picture


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
        picture = ask_picture()
    return Subject(offered[title], picture) if picture else None


def ask_picture() -> Picture | None:
    """The picture, asked for in the row that is open."""
    source = settings.choose(
        st.segmented_control, "Picture", "vision_picture", (MADE, DRAWN, DROPPED), MADE, label_visibility="collapsed"
    )
    if source == MADE:
        return _made()
    return _drawn() if source == DRAWN else _dropped()


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


def _drawn() -> Picture:
    with st.popover("Draw", icon=":material/brush:"):
        code = sketched("vision_sketch", _DRAWING)
        sketch(code, key="vision_sketch", link=_DRAWING)
    pixels = drawing(code)
    assert pixels is not None  # sketched() has checked the code
    return data.picture(pixels)


def _dropped() -> Picture | None:
    with st.popover("Choose a file", icon=":material/image:"):
        file = ask_file("A PNG or JPEG picture", ("png", "jpg", "jpeg"), pictures.MAX_BYTES >> 20, key=_FILE)
        st.caption("It is cut to a square and made as small as the model needs. It is kept for this visit only.")
    if file is None:
        settings.notify("There is no picture yet. Choose a file, or drop one on it.")
        return None
    with gate.refusals_to(settings.notify):
        content = file.getvalue()
        return data.dropped(hashlib.sha256(content).hexdigest(), content)
    return None
