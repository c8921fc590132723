"""Paint a mask, and see the scores and weights that it leaves."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import streamlit as st

from lab.kit import questions, settings, teaching
from lab.kit.controls.reader import sentence_row
from lab.kit.figures import display
from lab.kit.figures.compare_figures import Sheet
from lab.kit.models.references import Shipped
from lab.kit.texts import passages
from lab.kit.view import Comparison, View, places
from pages.masks import batches, blocked_rows, data
from pages.masks.blocked_rows import EMPTY_ROW_OPEN
from pages.masks.components.mask_brush import Answer, Live, Panel, mask_brush
from pages.masks.controls import (
    BRUSH,
    MaskChoice,
    Reading,
    ask_head,
    ask_mask,
    ask_mask_name,
    ask_reading,
    take_painted,
    take_up_painted,
)
from transformer import inspection

READINGS = {"may look": False, "may not": True}
EXPLAINED = passages.of_page("masks")["explained"]


class Settings(NamedTuple):
    reading: Reading
    layer: int
    head: int
    mask: MaskChoice
    is_inverted: bool  # True of the mask is read as blocked
    empty_row: blocked_rows.Settings | None  # None while its fold is closed
    batch: batches.Settings | None  # the same

    @property
    def tokens(self) -> tuple[str, ...]:
        return self.reading.tokens


class Result(NamedTuple):
    stages: "inspection.masks.Stages"
    fills: "list[inspection.masks.Fill] | None"
    batch: "inspection.masks.Batch | None"


def layout() -> Mapping[str, Any]:
    picture, words = st.container(key="masks-picture"), st.container()
    empty = st.expander("What if a whole row is blocked?", key=EMPTY_ROW_OPEN, bind="query-params")
    batch = st.expander(batches.TITLE, key=batches.OPEN, bind="query-params")
    return {"picture": picture, "words": words, "empty": empty, "batch": batch}


def ask() -> Settings | None:
    with settings.place_named("row"):
        box = sentence_row()
        with settings.line():
            reading = ask_reading(box)
            if reading is None:
                return None
            take_up_painted()
            mask = ask_mask(ask_mask_name(), len(reading.tokens))
            layer, head = ask_head(reading)
            meaning = settings.choose(
                st.segmented_control,
                "True means",
                "masks_true",
                READINGS,
                "may look",
                help="Here True is “may look”. In torch's nn.MultiheadAttention it is “may not”: the classic mix-up.",
            )
    empty_row = None
    if st.session_state.get(EMPTY_ROW_OPEN):
        with settings.place_named("empty"):
            empty_row = blocked_rows.ask(reading)
    batch = None
    if st.session_state.get(batches.OPEN):
        with settings.place_named("batch"):
            batch = batches.ask(reading)
    return Settings(reading, layer, head, mask, READINGS[meaning], empty_row, batch)


def compute(s: Settings) -> Result:
    stages = data.stages(s.tokens, s.mask.code, s.is_inverted, s.reading.ref, s.layer, s.head)
    fills = blocked_rows.compute(s.empty_row) if s.empty_row else None
    return Result(stages, fills, batches.compute(s.batch) if s.batch else None)


def draw(s: Settings, result: Result) -> None:
    with places()["picture"]:
        _draw_brush(s, result.stages)
    with places()["words"]:
        _explain(s)
    if s.empty_row and result.fills:
        with places()["empty"]:
            blocked_rows.draw(s.empty_row, result.fills)
    if s.batch and result.batch:
        with places()["batch"]:
            batches.draw(s.batch, result.batch)


def _draw_brush(s: Settings, stages: "inspection.masks.Stages") -> None:
    tokens, cells, allowed = s.tokens, s.mask.cells, _allowed(s)
    panels = [
        Panel("Mask", "mask", tokens, tokens, mask=cells),
        Panel("Masked scores", "scores", tokens, tokens, stages.scores, allowed, "−∞"),
        Panel("Attention weights", "weights", tokens, tokens, stages.weights, allowed, "exactly 0"),
    ]
    alt = (
        f"A mask for {len(tokens)} tokens with {int(cells.sum())} of {cells.size} cells open, and the scores and "
        "attention weights that it leaves."
    )
    live = Live(1, 2, s.is_inverted, deep=s.layer > 0)
    mask_brush(panels, key=BRUSH, paint=True, alt=alt, live=live, answer=_answer(s, stages), on_paint=take_painted)


def _answer(s: Settings, stages: "inspection.masks.Stages") -> Answer | None:
    """What a decoder says next under this mask, and under its own; None of what writes nothing."""
    ref = s.reading.ref
    if ref is None or s.reading.kind != "decoder":
        return None
    source, own = ref.resolve(), data.named_mask("causal", len(s.tokens), 0)
    was = data.stages(s.tokens, own, False, ref, s.layer, s.head).logits
    turning = data.turning_cells(ref, s.tokens) if isinstance(ref, Shipped) else ()
    now, before = (source.label(int(logits.argmax())) for logits in (stages.logits, was))
    shares = np.exp(stages.logits - stages.logits.max())
    return Answer(now, float(1 / shares.sum()), before, turning)


def _explain(s: Settings) -> None:
    with display.prose():
        if s.is_inverted:
            st.markdown(
                "The same mask, **read the wrong way round**: what was open is blocked. For `nn.MultiheadAttention`, a "
                "mask of ours has to become `~mask`."
            )
        st.markdown(
            f"{EXPLAINED[s.mask.name]} Where the mask says no ($m = 0$), the score becomes −∞, and softmax turns that "
            f"into an :violet[attention weight] of exactly 0; the rest of the row divides the whole 1. {_whose(s)}"
        )
        teaching.formula(
            r"\w{w_{ij}} = \frac{m_{ij}\, e^{s_{ij}}}{\sum_k m_{ik}\, e^{s_{ik}}} \qquad "
            r"s_{ij} = \frac{\q{q_i} \cdot \k{k_j}}{\sqrt{d_k}}"
        )
        _ask_back()
        with st.expander("The code that ran", icon=":material/code:"):
            if s.mask.made_by:
                teaching.code("transformer/core/masks.py", s.mask.made_by)
            teaching.code("transformer/core/attention.py", "masked_softmax")
            if s.empty_row:
                teaching.code("transformer/inspection/masks.py", "fill_with_minus_infinity")
                teaching.code("transformer/inspection/masks.py", "fill_with_minus_billion")


def _ask_back() -> None:
    questions.ask("masks-first-row", try_it={"masks_view": "Paint", "mask": "causal"})
    questions.ask("masks-saving")


def _whose(s: Settings) -> str:
    if s.reading.ref is None:
        return "The scores are those of one head of an untrained model."
    state = "a trained" if s.reading.ref.resolve().is_trained else "an untrained"
    said = f"The scores are those of head {s.head} in layer {s.layer} of {state} {s.reading.kind}"
    return f"{said}, with this mask in every layer."


def _allowed(s: Settings) -> np.ndarray:
    """The cells that are open to the model, (T, T) boolean."""
    return ~s.mask.cells if s.is_inverted else s.mask.cells


def _weights(s: Settings, result: Result) -> Sheet:
    return Sheet(result.stages.weights, "attention weight", ("query", "key"), s.tokens, s.tokens, _allowed(s))


VIEW = View(ask, compute, draw, layout=layout, height=400, comparison=Comparison("the attention weights", _weights))
