"""Pull a plug: the same model without its residual connections, norms, feed-forward layers or attention."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import streamlit as st

from pages.blocks import data, figures
from pages.blocks.stack import Stack, ask_stack
from pages.shared import answers, display, settings, teaching
from pages.shared.compare_figures import Curves, Sheet
from pages.shared.view import Comparison, View

if TYPE_CHECKING:
    from transformer.inspection.ablations import StreamStatistics

PARTS = {"Residual": "residual", "Norm": "norm", "Feed-forward": "feed_forward", "Attention": "attention"}
COSINE, SIZE, MAP = FIGURES = ("How alike words are", "Size of the stream", "Last map")
EFFECTS = {
    "residual": "**Without the residual**, only what a sublayer gives goes on. Attention is an average, so with every "
    "layer the words grow more alike, until no one can tell which was which.",
    "norm": "**Without the norms**, every push is as large as the stream that made it. Nothing "
    "holds the size of the stream in bounds: look at it, and compare the scale.",
    "feed_forward": "**Without the feed-forward layers**, words still exchange what they have, but nothing is made of "
    "it: every layer only mixes and maps.",
    "attention": "**Without attention**, every word is alone: no word's vector depends on another word any more. The "
    "map is still computed, but what it finds is thrown away.",
}


class Settings(NamedTuple):
    stack: Stack
    part: str
    figure: str


class Result(NamedTuple):
    whole: "StreamStatistics"
    ablated: "StreamStatistics"


def layout() -> Mapping[str, Any]:
    part, figure = st.columns(2, vertical_alignment="bottom")
    return {"part": part, "figure": figure}


def ask() -> Settings | None:
    stack = ask_stack()
    if stack is None:
        return None
    with settings.place_named("part"):
        part = settings.choose(
            st.segmented_control, "Pull out", "blocks_plug", PARTS, "Residual",
            help="Residual: the way round a sublayer, by which what came in is added to what was found. Norm: each "
            "word's numbers brought to mean 0 and standard deviation 1.",
        )  # fmt: skip
    with settings.place_named("figure"):
        figure = settings.choose(
            st.segmented_control, "Look at", "blocks_look", FIGURES, COSINE, common=True,
            help="Alike is measured by the cosine: 1 means that two words' vectors point the same way.",
        )  # fmt: skip
    return Settings(stack, part, figure)


def compute(s: Settings) -> Result:
    return Result(*(data.ablated(s.stack.ref, s.stack.tokens, part) for part in ("", PARTS[s.part])))


def draw(s: Settings, result: Result) -> None:
    name = f"{s.part.lower()} out"
    picture, words = st.columns([7, 3], gap="large")
    with picture:
        _draw_figure(s, result, name)
    with words:
        st.markdown(EFFECTS[PARTS[s.part]])
        st.markdown(_change(s, result))
        if s.stack.is_trained:
            parts = ("", PARTS[s.part])
            whole, ablated = (data.ablated_answer(s.stack.ref, s.stack.tokens, part) for part in parts)
            answers.table(whole, ablated, name, s.stack.tokens)
        teaching.check(
            "Without the residual connections, what becomes of the words in a deep stack?",
            ["They grow without end", "They stay as they are", "They become the same"],
            2,
            "Attention averages, and nothing brings back what each word was. Pull it, and add layers.",
            key="blocks-plug",
        )
        with st.expander("How a plug is pulled"):
            teaching.code("transformer/inspection/ablations.py", "ablate")


def _draw_figure(s: Settings, result: Result, name: str) -> None:
    whole, ablated = result
    if s.figure == COSINE:
        drawing = figures.by_height(whole.cosine, ablated.cosine, name, "mean cosine between two words", log=False)
        alt = f"How alike the words are after all layers: {whole.cosine[-1]:.2f}; {name}: {ablated.cosine[-1]:.2f}."
    elif s.figure == SIZE:
        drawing = figures.by_height(whole.rms, ablated.rms, name, "root mean square of the stream", log=True)
        alt = f"The size of the stream after all layers: {whole.rms[-1]:.3g}; {name}: {ablated.rms[-1]:.3g}."
    else:
        drawing = figures.two_maps(whole.maps, ablated.maps, ("everything in", name), s.stack.tokens)
        alt = f"Attention weights of the last layer, mean over heads: with everything in, and with the {name}."
    display.figure(drawing, key=f"blocks_plug_{FIGURES.index(s.figure)}", alt=alt)


def _change(s: Settings, result: Result) -> str:
    """What the ablation does to the predictions."""
    distance, n = data.prediction_change(s.stack.ref, s.stack.tokens, PARTS[s.part])
    untrained = " This model is random, so neither answer is good; take a trained one above, and see what it loses."
    return (
        f"What the model would say moves by **{100 * distance:.0f}%** of its probability, and for "
        f"**{n} of {len(s.stack.tokens)}** words another entry of the vocabulary stands first."
        f"{'' if s.stack.is_trained else untrained}"
    )


def _numbers(s: Settings, result: Result) -> Sheet | Curves:
    ablated, tokens = result.ablated, s.stack.tokens
    if s.figure == MAP:
        return Sheet(ablated.maps, "weight", ("query", "key"), tokens, tokens)
    y, title = (ablated.cosine, "mean cosine") if s.figure == COSINE else (ablated.rms, "root mean square")
    return Curves(tuple(range(len(y))), {title: y}, ("height in the stack", title), log=s.figure == SIZE)


VIEW = View(
    "Pull a plug", ask, compute, draw,
    comparison=Comparison(lambda s: f"{s.figure[0].lower()}{s.figure[1:]}, plug out", _numbers),
    layout=layout,
)  # fmt: skip
