"""Edit one token: which outputs move, and which does the mask predict?"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import streamlit as st

from pages.masks import data, figures
from pages.masks.components.mask_brush import Panel, mask_brush
from pages.masks.controls import BRUSH, MaskChoice, ask_mask, ask_new_word, ask_tokens, row, take_painted
from pages.shared import display, plot, settings, teaching
from pages.shared.compare_figures import Sheet
from pages.shared.hyperparameters import LAYERS
from pages.shared.view import Comparison, View, places

if TYPE_CHECKING:
    from transformer.inspection.masks import Leak

MAX_LETTERS = 24  # of a token in a sentence


class Settings(NamedTuple):
    tokens: tuple[str, ...]
    mask: MaskChoice
    position: int  # of the token that is edited
    word: str  # that takes its place
    n_layers: int


class Result(NamedTuple):
    """What moved, and after how many layers query i can have heard of key j, (T, T)."""

    leak: "Leak"
    needed: np.ndarray


def layout() -> Mapping[str, Any]:
    return dict(zip(("mask", "model"), st.columns([1, 1], gap="large"), strict=True))


def ask() -> Settings | None:
    tokens = ask_tokens()
    if not tokens:
        return None
    with row():
        mask = ask_mask(len(tokens))
    with settings.place_named("model"), row():
        number = settings.choose(
            st.select_slider, "Edit token", "masks_edit", range(1, len(tokens) + 1), len(tokens) // 2 + 1,
            why=f"the text has {len(tokens)} tokens, so there is no token {{}}", follows=True, width=160,
            help="Its number in the sentence.",
        )  # fmt: skip
        word = ask_new_word(tokens[number - 1])
        n_layers = LAYERS.ask(
            "layers", width=150,
            help="In every layer a token hears of what the tokens that it sees had heard of before.",
        )  # fmt: skip
    return Settings(tokens, mask, number - 1, word, n_layers)


def compute(s: Settings) -> Result:
    return Result(data.leak(s.tokens, s.mask.code, s.position, s.word, s.n_layers), data.layers_needed(s.mask.code))


def draw(s: Settings, result: Result) -> None:
    with places()["model"]:
        _draw_model(s, result.leak)
    with places()["mask"]:
        _draw_mask(s, result.needed)
        st.markdown(_reach(result.needed))
    words, code = st.columns([1, 1], gap="large")
    with words:
        _explain()
    with code:
        teaching.code("transformer/inspection/masks.py", "reach")
        teaching.code("transformer/inspection/masks.py", "leak")


def _draw_model(s: Settings, leak: "Leak") -> None:
    """What the edit moved in the model, beside what the mask predicts."""
    old = s.tokens[s.position]
    verdict = "They agree." if leak.agrees else "They do **not** agree: look for a dot without a ring."
    st.markdown(
        f":orange[**{_shortened(old)}**] becomes :orange[**{_shortened(s.word)}**]. Of {len(s.tokens)} outputs, the"
        f" mask predicts that **{leak.predicted[-1].sum()}** move. In the model :blue[**{leak.output.sum()}**] did."
        f" {verdict}"
    )
    moved = ", ".join(token for token, moves in zip(s.tokens, leak.output, strict=True) if moves)
    display.figure(
        figures.ladder(leak.moved, leak.change, leak.predicted, s.mask.cells, s.tokens, s.position),
        key="mask_ladder",
        alt=f"Which tokens moved at every height of {s.n_layers} layers after an edit of {old}. Outputs that moved:"
        f" {moved or 'none'}. {'As predicted.' if leak.agrees else 'Not as predicted.'}",
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
        "The model runs twice, with one token edited, and every number is compared bit for bit. Who sees the "
        "edited token hears of it in the first layer; who sees *them*, in the second. A cell of “Layers until it "
        "is heard” says after how many layers the row's token can have heard of the column's. What a token has "
        "once heard it keeps, for every layer adds to what was there (the residual connection). So who can hear of "
        "whom after $L$ layers is a power of the mask: $M$, with the diagonal $I$, multiplied by itself $L$ times."
    )
    teaching.formula(r"R_L = (M \lor I)^L \qquad \text{moved} = \{\, \q{i} : R_L[\q{i}, \k{j}] \,\}")
    teaching.check(
        "Take a causal window of 2 (itself and one back) and 3 layers. How many tokens can have heard of the first "
        "one, itself included? Look at the numbers in its column.",
        ["2", "3", "4", "All of them"],
        2,
        "Each layer hands it on by one place: the first token itself, and the next three. “Every output is "
        "connected to every input” is true of one layer without a mask; with a mask it takes layers, or never is.",
        key="masks_reach",
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
