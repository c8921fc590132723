"""Ablation: the model as a tower of blocks, of which any can be taken out, and what it still says. Below it, what the
parts that are out do to the stream. Residual connections and norms are taken out by a link.

Or untrained stacks of ever more layers, with and without residuals and norms: see depth.py.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple, cast

import streamlit as st

from lab.kit import questions, settings, teaching
from lab.kit.components import sent
from lab.kit.figures import display
from lab.kit.figures.compare_figures import Curves, Sheet
from lab.kit.texts import passages
from lab.kit.view import Comparison, View, places
from lab.kit.words import brief
from pages.blocks import cuts, data, depth, figures, stack, stream_figures
from pages.blocks.components.block_tower import Verdict, block_tower, pack
from pages.blocks.losses import data as losses
from pages.blocks.stack import Stack
from transformer import inspection

STREAM, COSINE, SIZE, MAP = FIGURES = ("The stream itself", "How alike words are", "Size of the stream", "Last map")
PART, TOWER = "blocks_plug", "blocks_tower"  # in links and st.session_state: what is out; the picture of it
HERE, DEEPER = WHERE = ("This model", "Ever deeper stacks")
OVER = "blocks_over"  # in links: one of WHERE
TEXT = "once upon a time there was a boy called tom. he was very sad."  # the model gets most of its words right
MOST_DRAWN = 6  # layers: of more, both blocks of a layer stand side by side and have no room for a drawing
EFFECTS = passages.of_page("blocks")["without"]


class Settings(NamedTuple):
    """out: which parts are out, as cuts.written() has them"""

    stack: Stack
    out: str
    figure: str


class Result(NamedTuple):
    """parts: what is out; costs: what each sublayer alone is worth, None where that takes too long to find out"""

    parts: tuple[str, ...]
    whole: "inspection.ablations.StreamStatistics"
    ablated: "inspection.ablations.StreamStatistics"
    costs: losses.Costs | None


def layout() -> Mapping[str, Any]:
    return {
        "waiting": st.empty(),
        "picture": st.container(),
        "effect": display.prose(),
        "look": st.container(),
        "figure": st.container(),
        "words": display.prose(),
        "where": display.prose(),
    }


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
    chosen = stack.ask_stack(at, first=TEXT)
    if chosen is None:
        return None
    out = _ask_out(chosen.source.n_layers)
    with settings.place_named("look"):
        figure = settings.choose(
            st.segmented_control, "What that does to the stream", "blocks_look", FIGURES, STREAM, common=True
        )
    return Settings(chosen, out, figure)


def _ask_out(n_layers: int) -> str:
    """What is pressed out of the picture, or named by the link."""

    def known(text: str) -> str | None:
        parts = cuts.read(text, n_layers)
        return None if parts is None else cuts.written(parts)

    pinned = settings.replaying()
    if pinned:
        return pinned.take_text(PART, "Taken out", cuts.NOTHING, known)
    asked = st.session_state.get(PART) or st.query_params.get(PART) or cuts.NOTHING
    out = known(str(asked))
    if out is None:
        settings.notify(f"This model has no part {brief(asked)}, so you see it whole.")
        out = cuts.NOTHING
    settings.note(PART, "Taken out", out, cuts.NOTHING, options=(cuts.NOTHING, *cuts.KINDS))
    return out


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
    ref, tokens = s.stack.ref, s.stack.tokens
    costs = losses.sublayer_costs(ref, tokens) if losses.can_be_weighed(ref, tokens) else None
    parts = cuts.read(s.out, s.stack.source.n_layers) or ()
    return Result(parts, losses.ablated(ref, tokens, ()), losses.ablated(ref, tokens, parts), costs)


def draw(s: Settings | depth.Settings, result: Result | depth.Result) -> None:
    containers = places()
    containers["waiting"].empty()
    if isinstance(s, depth.Settings):
        depth.draw(s, cast(depth.Result, result), containers)
    else:
        _draw(s, cast(Result, result), containers)


def _draw(s: Settings, result: Result, containers: Mapping[str, Any]) -> None:
    name = f"without {cuts.said(result.parts)}" if result.parts else "nothing out yet"
    with containers["picture"]:
        _draw_tower(s, result)
    with containers["effect"]:
        if len(result.parts) == 1 and result.parts[0] in EFFECTS:  # a whole kind
            st.markdown(EFFECTS[result.parts[0]])
        if result.parts:
            st.markdown(_change(s, result))
    with containers["figure"]:
        _draw_figure(s, result, name)
    with containers["words"]:
        questions.ask("blocks-ablation", try_it={"blocks_part": "Ablation", PART: "Attention"})
        teaching.code_expander("transformer/inspection/ablations.py", "ablate")


def _draw_tower(s: Settings, result: Result) -> None:
    """The model, and what it says without the parts that are out."""
    ref, tokens, source = s.stack.ref, s.stack.tokens, s.stack.source
    moved, _ = losses.prediction_change(ref, tokens, result.parts)
    whole = verdict = words = heard = maps = ()
    more = "It makes vectors, not answers." if s.stack.is_trained else "Untrained: what it says means nothing yet."
    if s.stack.answers:
        whole, verdict = (losses.leaders(ref, tokens, parts) for parts in ((), result.parts))
        words, heard = (losses.next_words(ref, tokens, parts) for parts in ((), result.parts))
        more = ""
    if words and source.n_layers <= MOST_DRAWN:
        maps = [data.attention_weights(ref, tokens, layer).mean(0) for layer in range(source.n_layers)]
    packed = pack(
        tokens if s.stack.answers else (),
        source.n_layers,
        cuts.written(result.parts),
        whole,
        Verdict(cuts.said(result.parts), moved, verdict, heard, more),
        result.costs,
        follows=source.kind == "decoder",
        words=words,
        maps=maps,
    )
    block_tower(packed, key=TOWER, on_press=_press)


def _press() -> None:
    out = sent(TOWER, "out", str)
    if out is not None:
        st.session_state[PART] = out


def _draw_figure(s: Settings, result: Result, name: str) -> None:
    whole, ablated = result.whole, result.ablated
    if s.figure == STREAM:
        drawing = stream_figures.two_streams(whole.streams, ablated.streams, ("whole model", name), s.stack.tokens)
        alt = f"The vectors of all tokens after every layer, of the whole model, and {name}."
    elif s.figure == COSINE:
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
    distance, n = losses.prediction_change(s.stack.ref, s.stack.tokens, result.parts)
    untrained = " This model is untrained, so neither answer is any good; choose a trained one and see what it loses."
    T = len(s.stack.tokens)
    known = (
        f" Of {T - 1} of them the next word is known; the last one is the guess."
        if s.stack.answers and s.stack.source.kind == "decoder" and T > 1
        else ""
    )
    return (
        f"On average over all {T} positions, **{100 * distance:.0f}%** of the probability moves to other words; at "
        f"**{n}** of them the first choice changes.{known}{'' if s.stack.is_trained else untrained}"
    )


def _title(s: Settings | depth.Settings) -> str:
    if isinstance(s, depth.Settings):
        return "by depth"
    return f"{s.figure[0].lower()}{s.figure[1:]}, parts taken out"


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
