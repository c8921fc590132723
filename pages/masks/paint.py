"""Paint a mask, and see the scores and weights that it leaves."""

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import streamlit as st

from pages.masks import data
from pages.masks.components.mask_brush import Panel, mask_brush
from pages.masks.controls import BRUSH, MaskChoice, ask_mask, ask_tokens, row, take_painted
from pages.shared import settings, teaching
from pages.shared.compare_figures import Sheet
from pages.shared.view import Comparison, View

if TYPE_CHECKING:
    from transformer.inspection.masks import Stages

READINGS = {"may look": False, "may not": True}


class Settings(NamedTuple):
    tokens: tuple[str, ...]
    mask: MaskChoice
    is_inverted: bool  # True of the mask is read as blocked


def ask() -> Settings | None:
    tokens = ask_tokens()
    if not tokens:
        return None
    with row():
        mask = ask_mask(len(tokens))
        reading = settings.choose(
            st.segmented_control, "True means", "masks_true", READINGS, "may look",
            help="Here True is “may look”. In torch's nn.MultiheadAttention it is “may not”: the classic mix-up.",
        )  # fmt: skip
    return Settings(tokens, mask, READINGS[reading])


def compute(s: Settings) -> "Stages":
    return data.stages(s.tokens, s.mask.code, s.is_inverted)


def draw(s: Settings, stages: "Stages") -> None:
    if s.is_inverted:
        st.markdown(
            "The same mask, read the wrong way round: what was open is blocked. Before a mask of ours goes to "
            "`nn.MultiheadAttention`, it has to become `~mask`."
        )
    tokens, cells, allowed = s.tokens, s.mask.cells, _allowed(s)
    panels = [
        Panel("Mask", "mask", tokens, tokens, mask=cells),
        Panel("Scores", "scores", tokens, tokens, stages.scores),
        Panel("Masked scores", "scores", tokens, tokens, stages.masked, allowed, "−∞"),
        Panel("Weights", "weights", tokens, tokens, stages.weights, allowed, "exactly 0"),
    ]
    alt = (
        f"A mask for {len(tokens)} tokens, {int(cells.sum())} of {cells.size} cells open, and the scores and weights"
        " under it."
    )
    mask_brush(panels, key=BRUSH, paint=True, alt=alt, on_paint=take_painted)
    words, code = st.columns([1, 1], gap="large")
    with words:
        _explain()
    with code:
        if s.mask.made_by:
            teaching.code("transformer/masks.py", s.mask.made_by)
        teaching.code("transformer/attention.py", "masked_softmax")


def _explain() -> None:
    st.markdown(
        "A mask is a table of yes and no: a row for each :blue[**query**], a column for each :orange[**key**]. The "
        "**causal** mask lets a word see itself and what came before. Where a mask says no ($m = 0$), the score "
        "(how well the two fit) becomes −∞. Softmax, which turns scores into shares of 1, makes of that a "
        ":violet[**weight**] of exactly 0. The rest of the row shares 1 among itself. The scores are those of one "
        "head with random weights."
    )
    teaching.formula(
        r"\w{w_{ij}} = \frac{m_{ij}\, e^{s_{ij}}}{\sum_k m_{ik}\, e^{s_{ik}}} \qquad "
        r"s_{ij} = \frac{\q{q_i} \cdot \k{k_j}}{\sqrt{d_k}}"
    )
    teaching.check(
        "In a causal mask, what is the weight that the first word gives itself?",
        ["It depends on its score", "Exactly 1", "0: a word does not look at itself"],
        1,
        "It may look at itself and at nothing else, so it gets the whole of its attention, whatever the score.",
        key="masks_first_row",
    )


def _allowed(s: Settings) -> np.ndarray:
    """The cells that are open to the model, (T, T) boolean."""
    return ~s.mask.cells if s.is_inverted else s.mask.cells


def _weights(s: Settings, stages: "Stages") -> Sheet:
    return Sheet(stages.weights, "weight", ("query", "key"), s.tokens, s.tokens, _allowed(s))


VIEW = View("Paint a mask", ask, compute, draw, comparison=Comparison("the weights", _weights), height=400)
