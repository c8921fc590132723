"""Ablation: the same model with its residual connections, norms, feed-forward layers or attention torn out.

Or untrained stacks of ever more layers, with and without residuals and norms: see depth.py.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple, cast

import streamlit as st

from lab.kit import answers, questions, settings, teaching
from lab.kit.answers import Answer
from lab.kit.components import sent
from lab.kit.figures import display
from lab.kit.figures.compare_figures import Curves, Sheet
from lab.kit.texts import passages
from lab.kit.view import Comparison, View, places
from lab.kit.words import counted
from pages.blocks import data, depth, figures, stack
from pages.blocks.components.torn_stream import Half, pack, torn_stream
from pages.blocks.stack import Stack
from transformer import inspection

PARTS = {"Residual": "residual", "Norm": "norm", "Feed-forward": "feed_forward", "Attention": "attention"}
STREAM, COSINE, SIZE, MAP = FIGURES = ("The stream itself", "How alike words are", "Size of the stream", "Last map")
PART, TORN = "blocks_plug", "blocks_torn"  # in links: what is out; in st.session_state: the picture of it
HERE, DEEPER = WHERE = ("This model", "Ever deeper stacks")
OVER = "blocks_over"  # in links: one of WHERE
EFFECTS = passages.of_page("blocks")["without"]


class Settings(NamedTuple):
    stack: Stack
    part: str
    figure: str


class Result(NamedTuple):
    whole: "inspection.ablations.StreamStatistics"
    ablated: "inspection.ablations.StreamStatistics"


def layout() -> Mapping[str, Any]:
    return {"waiting": st.empty(), "picture": st.container(), "words": display.prose(), "where": display.prose()}


def ask() -> Settings | depth.Settings | None:
    at = stack.places()
    with settings.place_named("where"):
        where = settings.choose(
            st.segmented_control,
            "Where",
            OVER,
            WHERE,
            HERE,
            help="In the model that reads your sentence, or in untrained stacks of up to 32 layers.",
        )
    if where == DEEPER:
        wanted = depth.ask(at)
        if wanted is not None:
            _wait_for(wanted)
        return wanted
    chosen = stack.ask_stack(at)
    if chosen is None:
        return None
    with at.primary:
        stack.say("without")
        part = settings.choose(
            st.segmented_control,
            "Pull out",
            PART,
            PARTS,
            "Residual",
            label_visibility="collapsed",
            help="Residual: the bypass around a sublayer, which adds what came in to what comes out. Norm: the step "
            "that brings each token's numbers to mean 0 and standard deviation 1.",
        )
        figure = settings.choose(
            st.selectbox,
            "Look at",
            "blocks_look",
            FIGURES,
            STREAM,
            common=True,
            label_visibility="collapsed",
            width=190,
        )
    return Settings(chosen, part, figure)


def _wait_for(wanted: depth.Settings) -> None:
    """Keep the place of what takes seconds to measure, unless this visitor has seen it."""
    seen = (wanted.stack.ref, wanted.tokens)
    if settings.replaying() is None and st.session_state.get("_blocks_measured") != seen:
        st.session_state["_blocks_measured"] = seen
        with settings.place_named("waiting"), st.container():
            st.caption(f"Building and measuring {4 * len(depth.DEPTHS)} stacks of up to {depth.DEPTHS[-1]} layers")
            st.skeleton(height=380)


def compute(s: Settings | depth.Settings) -> Result | depth.Result:
    if isinstance(s, depth.Settings):
        return depth.compute(s)
    return Result(*(data.ablated(s.stack.ref, s.stack.tokens, part) for part in ("", PARTS[s.part])))


def draw(s: Settings | depth.Settings, result: Result | depth.Result) -> None:
    containers = places()
    containers["waiting"].empty()
    if isinstance(s, depth.Settings):
        depth.draw(s, cast(depth.Result, result), containers)
    else:
        _draw(s, cast(Result, result), containers)


def _draw(s: Settings, result: Result, containers: Mapping[str, Any]) -> None:
    name = f"without {s.part.lower()}"
    with containers["picture"]:
        _draw_figure(s, result, name)
    with containers["words"]:
        st.markdown(EFFECTS[PARTS[s.part]])
        st.markdown(_change(s, result))
        if s.stack.answers and s.figure != STREAM:
            answers.table(*_answers(s), name, s.stack.tokens)
        questions.ask("blocks-ablation", try_it={"blocks_part": "Ablation", "blocks_plug": "Attention"})
        teaching.code_expander("transformer/inspection/ablations.py", "ablate")


def _answers(s: Settings) -> tuple[Answer, Answer]:
    """What a trained model answers as it is, and without the part."""
    whole, ablated = (data.ablated_answer(s.stack.ref, s.stack.tokens, part) for part in ("", PARTS[s.part]))
    return whole, ablated


def _draw_stream(s: Settings, result: Result, name: str) -> None:
    """Both streams from the embedding to the last layer, and what is said at their ends."""
    said = _answers(s) if s.stack.answers else (None, None)
    halves = (
        Half(
            label,
            statistics.streams,
            statistics.cosine,
            answer.word if answer else "",
            f"{answer.probability:.0%}" if answer else "",
            f"{answer.right} of {counted(answer.n, 'next word')} right" if answer and answer.n else "",
        )
        for label, statistics, answer in zip(("whole model", name), result, said, strict=True)
    )
    packed = pack(s.stack.tokens, s.part, list(PARTS), *halves, is_pre_norm=s.stack.is_pre_norm)
    torn_stream(packed, key=TORN, on_tear=_tear)


def _tear() -> None:
    part = sent(TORN, "part", str)
    if part in PARTS:
        st.session_state[PART] = part


def _draw_figure(s: Settings, result: Result, name: str) -> None:
    if s.figure == STREAM:
        _draw_stream(s, result, name)
        return
    whole, ablated = result
    if s.figure == COSINE:
        drawing = figures.by_height(whole.cosine, ablated.cosine, name, "mean cosine between two tokens", log=False)
        alt = f"How similar the tokens are after all layers: {whole.cosine[-1]:.2f}; {name}: {ablated.cosine[-1]:.2f}."
    elif s.figure == SIZE:
        drawing = figures.by_height(whole.rms, ablated.rms, name, "root mean square of the stream", log=True)
        alt = f"The size of the stream after all layers: {whole.rms[-1]:.3g}; {name}: {ablated.rms[-1]:.3g}."
    else:
        drawing = figures.two_maps(whole.maps, ablated.maps, ("whole model", name), s.stack.tokens)
        alt = f"Attention weights of the last layer, mean over heads: of the whole model, and {name}."
    display.figure(drawing, key=f"blocks_plug_{FIGURES.index(s.figure)}", alt=alt)


def _change(s: Settings, result: Result) -> str:
    """What the ablation does to the predictions."""
    distance, n = data.prediction_change(s.stack.ref, s.stack.tokens, PARTS[s.part])
    untrained = " This model is untrained, so neither answer is any good; choose a trained one and see what it loses."
    return (
        f"**{100 * distance:.0f}%** of the probability moves to other words; at **{n} of {len(s.stack.tokens)}** "
        f"positions the first choice changes.{'' if s.stack.is_trained else untrained}"
    )


def _title(s: Settings | depth.Settings) -> str:
    if isinstance(s, depth.Settings):
        return "by depth"
    return f"{s.figure[0].lower()}{s.figure[1:]}, one part out"


def _numbers(s: Settings | depth.Settings, result: Result | depth.Result) -> Sheet | Curves:
    if isinstance(s, depth.Settings):
        return depth.curves(s, cast(depth.Result, result))
    ablated, tokens = cast(Result, result).ablated, s.stack.tokens
    if s.figure == STREAM:
        return figures.stream_sheet(ablated.streams[-1], tokens)
    if s.figure == MAP:
        return Sheet(ablated.maps, "attention weight", ("query", "key"), tokens, tokens)
    y, title = (ablated.cosine, "mean cosine") if s.figure == COSINE else (ablated.rms, "root mean square")
    return Curves(tuple(range(len(y))), {title: y}, ("height in the stack", title), log=s.figure == SIZE)


VIEW = View(ask, compute, draw, comparison=Comparison(_title, _numbers), layout=layout)
