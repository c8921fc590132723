"""Edit one token: which outputs move, and which does the mask predict?"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import streamlit as st

from pages.masks import data
from pages.masks.components.leak_ripple import leak_ripple
from pages.masks.components.mask_brush import Panel, mask_brush
from pages.masks.controls import (
    BRUSH,
    MaskChoice,
    Reading,
    ask_mask,
    ask_mask_name,
    ask_new_word,
    ask_reading,
    take_painted,
)
from pages.shared import display, plot, settings, teaching
from pages.shared.compare_figures import Sheet
from pages.shared.hyperparameters import LAYERS
from pages.shared.teaching import Answer, check
from pages.shared.view import Comparison, View, places

if TYPE_CHECKING:
    from transformer.inspection.masks import Leak

MAX_LETTERS = 24  # of a token in a sentence


class Settings(NamedTuple):
    reading: Reading
    mask: MaskChoice
    position: int  # of the token that is edited
    word: str  # that takes its place
    n_layers: int

    @property
    def tokens(self) -> tuple[str, ...]:
        return self.reading.tokens


class Result(NamedTuple):
    """What moved, and after how many layers query i can have heard of key j, (T, T)."""

    leak: "Leak"
    needed: np.ndarray


def layout() -> Mapping[str, Any]:
    model, mask = st.columns([6, 7], gap="large")
    return {"model": model.container(), "edit": model.container(), "says": model.container(), "mask": mask}


def ask() -> Settings | None:
    with settings.place_named("row"):
        name = ask_mask_name()
    reading = ask_reading()
    if reading is None:
        return None
    tokens = reading.tokens
    new_word, place = _usual_edit(reading)
    with (
        settings.place_named("edit"),
        settings.place(st.container, horizontal=True, vertical_alignment="bottom", gap="small"),
    ):
        number = settings.choose(
            st.select_slider, "Edit token", "masks_edit", range(1, len(tokens) + 1), place + 1,
            why=f"the text has {len(tokens)} tokens, so there is no token {{}}", follows=True, width=170,
            help="Its number in the sentence.",
        )  # fmt: skip
        word = ask_new_word(tokens[number - 1], new_word)
        if reading.ref is not None:
            word = reading.ref.resolve().as_token(word)
    with settings.place_named("row"), settings.line():
        mask = ask_mask(name, len(tokens))
        if reading.ref is None:
            n_layers = LAYERS.ask(
                "layers", help="In every layer a token hears of what the tokens that it sees had heard of before."
            )
        else:
            n_layers = reading.ref.resolve().n_layers
    return Settings(reading, mask, number - 1, word, n_layers)


def _usual_edit(reading: Reading) -> tuple[str, int]:
    """A word for the edit that this model knows, and the position of a token that it can stand for."""
    for kind in reading.ref.resolve().vocabulary.values() if reading.ref else ():
        for word in ("green", "lovely"):
            places = [n for n, token in enumerate(reading.tokens) if token in kind and token != word]
            if word in kind and places:
                return word, places[0]
    return "dragon", len(reading.tokens) // 2


def compute(s: Settings) -> Result:
    leak = data.leak(s.tokens, s.mask.code, s.position, s.word, s.n_layers, s.reading.ref)
    return Result(leak, data.layers_needed(s.mask.code))


def draw(s: Settings, result: Result) -> None:
    with places()["model"]:
        _draw_model(s, result.leak)
    with places()["mask"]:
        _draw_mask(s, result.needed)
        st.markdown(_reach(result.needed))
    words, question = st.columns(2, gap="large")
    with words:
        _explain()
    with question:
        _ask_back()
        teaching.code_expander("transformer/inspection/masks.py", "reach", "leak")


def _draw_model(s: Settings, leak: "Leak") -> None:
    """What the edit moved in the model, beside what the mask predicts."""
    old = s.tokens[s.position]
    moved = ", ".join(token for token, moves in zip(s.tokens, leak.output, strict=True) if moves)
    leak_ripple(
        leak.moved, leak.change, leak.predicted, s.mask.cells, s.tokens, s.position, s.word,
        key="mask_ripple",
        alt=f"Which tokens moved after each of {s.n_layers} layers after an edit of {old}. Outputs that moved:"
        f" {moved or 'none'}. {'As predicted.' if leak.agrees else 'Not as predicted.'}",
    )  # fmt: skip
    with places()["says"]:
        st.markdown(_verdict(s, leak))


def _verdict(s: Settings, leak: "Leak") -> str:
    """What moved, and what the mask had predicted, in Markdown."""
    old = s.tokens[s.position]
    verdict = "They agree." if leak.agrees else "They do **not** agree: look for a dot without a dashed ring."
    return (
        f":orange[**{_shortened(old)}**] becomes :orange[**{_shortened(s.word)}**]. The mask predicts (dashed rings)"
        f" that **{leak.predicted[-1].sum()}** of {len(s.tokens)} outputs move; in the model **{leak.output.sum()}**"
        f" did. {verdict}"
    )


def _draw_mask(s: Settings, needed: np.ndarray) -> None:
    """The mask to paint holes into, and after how many layers each token can have heard of each."""
    tokens = s.tokens
    panels = [
        Panel("Mask", "mask", tokens, tokens, mask=s.mask.cells),
        Panel("Layers until it is heard", "steps", tokens, tokens, needed, needed >= 0, "never"),
    ]
    alt = f"The mask, and after how many layers each of {len(tokens)} tokens can have heard of each other."
    mask_brush(panels, key=BRUSH, paint=True, marked=s.position, alt=alt, on_paint=take_painted)


def _reach(needed: np.ndarray) -> str:
    """How much of the text can hear of how much if there are enough layers, in a sentence."""
    n_connected, n_layers = int((needed >= 0).sum()), int(needed.max())
    layers = "1 layer" if n_layers <= 1 else f"{n_layers} layers"
    if n_connected < needed.size:
        return (
            f"With this mask {n_connected} of the {needed.size} pairs are ever connected, in {layers} at most; the"
            " others never are, however deep the model."
        )
    if n_layers <= 1:
        return "With this mask every output is connected to every input, in one layer."
    return f"With this mask every output is connected to every input, but it takes {n_layers} layers."


def _explain() -> None:
    st.markdown(
        "The model runs twice, with one token edited, and every number is compared bit for bit. Whoever sees the new "
        "word hears the news in layer 1; whoever sees *them*, in layer 2. What a token has once heard it keeps, for "
        "every layer adds to what was there (the residual connection). So who can hear of whom after $L$ layers is a "
        "power of the mask: $M$, with the diagonal $I$, multiplied by itself $L$ times."
    )
    teaching.formula(r"R_L = (M \lor I)^L \qquad \text{moved} = \{\, \q{i} : R_L[\q{i}, \k{j}] \,\}")


def _ask_back() -> None:
    check(
        "Take a causal window of 2 (itself and one back) and 3 layers. How many tokens can have heard of the first "
        "one, itself included? Look at the numbers in its column.",
        Answer("2", ""),
        Answer("3", ""),
        Answer(
            "4",
            (
                "Each layer hands it on by one position: the first token itself, and the next three. “Every output is "
                "connected to every input” is true of one layer without a mask; with a mask it takes layers, or "
                "never is."
            ),
            right=True,
        ),
        Answer("All of them", ""),
        key="masks-reach",
    )


def _shortened(token: str) -> str:
    """A token for a sentence in Markdown."""
    return display.plain(plot.shorten(token, MAX_LETTERS))


def _change(s: Settings, result: Result) -> Sheet:
    return Sheet(result.leak.change, "change", ("height", "token"), None, s.tokens)


VIEW = View(
    "Leaks", ask, compute, draw,
    comparison=Comparison("how far each token moved", _change), layout=layout, height=400,
)  # fmt: skip
