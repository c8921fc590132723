"""Modern blocks: a layer whose parts are swapped for those of today, and what trainings came to with each; whole
models; in a fold, a model with experts."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import streamlit as st

from lab.kit import questions, settings, teaching
from lab.kit.figures import display
from lab.kit.texts import passages
from lab.kit.view import View, places
from lab.kit.words import growth
from pages.blocks import data, experts, figures, modern_figures, sizes
from pages.blocks.components.two_blocks import payload, two_blocks
from pages.blocks.modern_figures import Row
from pages.blocks.modern_parts import change, compared, differing, named, stop_of, stops
from transformer import training
from transformer.training.block_sweep import (
    DEEP,
    N_HEADS,
    N_LAYERS,
    OF_2017,
    OF_TODAY,
    OPENING,
    SEEDS,
    SETTINGS,
    SWITCHES,
    WIDTH,
    Block,
    is_clear,
    one_switch,
)

if TYPE_CHECKING:
    from pages.blocks.data import Costs

WIDTHS, LENGTHS = (48, 96, 192, 384), (32, 128, 512)
BUTTON = "blocks_modern_measure"
HELP = passages.of_page("blocks")["switches"]
PICTURE = "blocks_two"
NOT_BOTH = (
    "Experts are feed-forward layers: where there are none, there is nothing to choose from, so you see no experts."
)


class Settings(NamedTuple):
    """The visitor's block, its width, the tokens in sight, how often it was timed, and what the fold on experts asks;
    None while it is closed."""

    block: Block
    width: int
    length: int
    n_measured: int
    routed: experts.Settings | None = None


class Result(NamedTuple):
    costs: "Costs"
    alone: "dict[Block, Costs]"
    trained: "tuple[training.block_sweep.Trained, ...]"
    times: tuple[float, float] | None
    models: list[sizes.Model]
    routed: experts.Result | None


def layout() -> Mapping[str, Any]:
    return {
        "picture": st.container(),
        "words": display.prose(),
        experts.OPEN: st.expander(experts.TITLE, key=experts.OPEN, bind="query-params"),
        "after": display.prose(),
    }


def ask() -> Settings:
    with settings.place_named("row"), settings.line("build your own layer"):
        width = settings.choose(
            st.select_slider,
            "Width",
            "blocks_wide",
            WIDTHS,
            384,
            help=f"Of the block that is counted and timed. The one that was trained is {WIDTH} wide.",
        )
        length = settings.choose(st.select_slider, "Tokens in sight", "blocks_sight", LENGTHS, 128)
        chosen = {}
        for name, switch in SWITCHES.items():
            key, options = f"blocks_with_{name}", tuple(switch.options)
            way = settings.choose(st.segmented_control, switch.name, key, options, switch.first, help=HELP[name])
            settings.note(key, switch.name, way, switch.first, long=True)  # the picture says it: it has no chip
            chosen[name] = way
    block = _possible(tuple(chosen.values()))
    if block != tuple(chosen.values()):
        settings.notify(NOT_BOTH)
    asked = None
    if st.session_state.get(experts.OPEN):
        with settings.place_named(experts.OPEN):
            asked = experts.ask()
    n_measured = st.session_state.get(f"_{BUTTON}", {}).get((compared(block), width, length), 0)
    return Settings(block, width, length, n_measured, asked)


def _set(block: Block) -> None:
    for name, way in zip(SWITCHES, block, strict=True):
        st.session_state[f"blocks_with_{name}"] = way


def _possible(block: Block) -> Block:
    """The same, but for parts that do not go together: without feed-forward layers there are no experts."""
    chosen = dict(zip(SWITCHES, block, strict=True))
    if chosen["feed_forward"] == "none":
        chosen["experts"] = "one"
    return tuple(chosen.values())


def compute(s: Settings) -> Result:
    alone = {block: data.block_costs(block, s.width, s.length) for block in _alone()}
    block = compared(s.block)
    times = data.time_blocks(block, s.width, s.length, s.n_measured) if s.n_measured else None
    routed = experts.compute(s.routed) if s.routed else None
    return Result(
        data.block_costs(block, s.width, s.length), alone, data.trained_blocks(), times, sizes.models(), routed
    )


def _alone() -> list[Block]:
    return [one_switch(name, way) for name, switch in SWITCHES.items() for way in [*switch.options][1:]]


def draw(s: Settings, result: Result) -> None:
    with places()["picture"]:
        trained = (*data.trained_blocks("towers"), *result.trained)
        sent = payload(stops(s.block, trained), stop_of(s.block), OPENING.replace(" .", "."), N_LAYERS)
        two_blocks(sent, key=PICTURE)
    with places()["words"]:
        _numbers(s, result)
        _ask_back()
        st.markdown("**What each switch alone does to the loss**")
        _losses(s, result.trained)
        st.markdown(_summary(result.trained))
        st.markdown(_table(result))
    if s.routed and result.routed:
        with places()[experts.OPEN]:
            experts.draw(s.routed, result.routed)
    with places()["after"]:
        _whole_models(result.models)
        teaching.code_expander("transformer/core/layers.py", "EncoderLayer", "rms_norm", "FeedForward")


def _whole_models(models: list[sizes.Model]) -> None:
    """From the story model to GPT-3: the same parts, more often and wider."""
    st.markdown(sizes.words(models))
    alt = "; ".join(f"{model.name}: {model.size.total:,} parameters" for model in models)
    display.figure(
        figures.sizes([(model.name, model.size) for model in models]),
        key="blocks-sizes",
        alt=f"{alt}. Each bar is drawn in a scale of its own.",
    )
    st.markdown(sizes.table(models))


def _title(block: Block) -> str:
    return "today" if block == OF_TODAY else "your block" if len(differing(block)) > 1 else named(block)


# ---- the numbers ---------------------------------------------------------------------------------------------------


def _numbers(s: Settings, result: Result) -> None:
    old, new = result.costs
    rows: list[tuple[str, float, float, str]] = [
        ("parameters", old.parameters, new.parameters, "{:,}"),
        ("multiplications per token", old.multiplications, new.multiplications, "{:,}"),
        ("cache per token", old.cache, new.cache, "{:,} bytes"),
    ]
    if new.outside:
        st.markdown(f"Around the blocks, once in a model: **{new.outside:,}** parameters more")
    if result.times:
        rows.append((f"time of a pass, {s.length} tokens", *result.times, "{:.2f} ms"))
    st.markdown(f"**From 2017 to {_title(compared(s.block))}**, one block")
    for name, before, after, unit in rows:
        st.markdown(f"{name} **{_times(after / before)}**  \n{unit.format(before)} → {unit.format(after)}")
    if not settings.replaying():
        st.button(
            "Time again" if s.n_measured else "Time both here",
            icon=":material/timer:",
            key=BUTTON,
            on_click=_time,
            args=((compared(s.block), s.width, s.length),),
            help=f"A forward pass over {s.length} tokens, on the machine that runs this page. Takes about a second.",
        )


def _times(ratio: float) -> str:
    return "same" if ratio == 1 else f"× {ratio:.2f}"


def _time(asked: tuple[Block, int, int]) -> None:
    """Time this block, at this width and for so many tokens, once more; no other is timed."""
    times = st.session_state.setdefault(f"_{BUTTON}", {})
    times[asked] = times.get(asked, 0) + 1


# ---- what was trained ----------------------------------------------------------------------------------------------


def _is_chosen(trained: Block, block: Block) -> bool:
    """Whether a trained block is the one on screen, or one of its switches alone."""
    if trained in (OF_2017, OF_TODAY):
        return trained == block
    return all(way in (first, mine) for way, first, mine in zip(trained, OF_2017, block, strict=True))


def _losses(s: Settings, trained: "tuple[training.block_sweep.Trained, ...]") -> None:
    block = compared(s.block)
    rows = [Row(named(one.block), one.losses, _is_chosen(one.block, block)) for one in trained]
    display.figure(
        modern_figures.losses(rows),
        key="blocks_losses",
        alt="Loss by seed. "
        + "; ".join(f"{row.name}: {', '.join(map(str, row.losses)) or 'diverged'}" for row in rows),
    )
    st.caption(
        f"Measured when the project was made: {N_LAYERS} blocks {WIDTH} wide with {N_HEADS} heads, short tales,"
        f" {SETTINGS.steps} steps, one learning rate for all (found for 2017’s block; in {DEEP} layers it is too large"
        f" for that one), {len(SEEDS)} seeds: a dot each,"
        " the bar is their mean; bold is what you look at. The grey band is how far 2017’s own seeds lie apart."
        " `python -m pages.blocks.store` trains all of it again."
    )


def _summary(trained: "tuple[training.block_sweep.Trained, ...]") -> str:
    """Which changes alone move the loss by more than seeds do."""
    base, *alone = trained[:-1]
    clear = [f"{named(one.block)} ({change(one, base)})" for one in alone if one.losses and is_clear(one, base)]
    return (
        f"Of {len(alone)} changes, {len(clear)} move the loss by more than seeds do: {', '.join(clear) or 'none'}."
        " That holds for a model so small, trained so briefly: today’s parts were chosen for models a million"
        " times as large, and for what lets these train at all."
    )


def _table(result: Result) -> str:
    base = result.trained[0]
    by_block = {one.block: one for one in result.trained}
    lines = ["| alone | param. | mult. | cache | loss |", "|:--|--:|--:|--:|--:|"]
    for block, (old, new) in result.alone.items():
        one = by_block[block]
        loss = "diverged"
        if one.losses:
            by = change(one, base)
            loss = f"**{by}**" if is_clear(one, base) else by
        cells = (
            growth(new.parameters, old.parameters),
            growth(new.multiplications, old.multiplications),
            growth(new.cache, old.cache),
        )
        lines.append(f"| {named(block)} | {' | '.join(cells)} | {loss} |")
    note = (
        "Each against 2017, counted in the block alone. A loss in bold differs by more than seeds do; the others are"
        " within their spread."
    )
    return "\n".join(lines) + f"\n\n{note}"


def _ask_back() -> None:
    questions.ask("blocks-modern", try_it=_try_experts)


def _try_experts() -> None:
    _set(one_switch("experts", "1 of 4"))


VIEW = View(ask, compute, draw, layout=layout, height=470)
