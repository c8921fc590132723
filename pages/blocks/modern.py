"""Modern blocks: the parts of 2017 and of today, to be exchanged; whole models; in a fold, a model with experts."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import streamlit as st

from lab.kit import questions, settings, teaching
from lab.kit.components import sent
from lab.kit.figures import display
from lab.kit.texts import passages
from lab.kit.view import View, places
from lab.kit.words import growth
from pages.blocks import data, experts, figures, modern_figures, sizes
from pages.blocks.components.two_blocks import ALL_OF_2017, ALL_OF_TODAY, payload, two_blocks
from pages.blocks.modern_figures import Row
from pages.blocks.modern_parts import cards, change, effects
from transformer import training
from transformer.training.block_sweep import (
    N_HEADS,
    N_LAYERS,
    OF_2017,
    OF_TODAY,
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
    """The block that is built, its width, the tokens in sight, how often it was timed, and what the fold on experts
    asks; None while it is closed."""

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
    with settings.place_named("row"), settings.line():
        width = settings.choose(
            st.select_slider,
            "Width",
            "blocks_wide",
            WIDTHS,
            384,
            chip="costs at {} wide",
            help=f"Of the block that is counted and timed. The one that was trained is {WIDTH} wide.",
        )
        length = settings.choose(st.select_slider, "Tokens in sight", "blocks_sight", LENGTHS, 128, chip="{} tokens")
        chosen = {}
        for name, switch in SWITCHES.items():  # the picture says them, so that they have no chips
            chosen[name] = settings.choose(
                st.segmented_control,
                switch.name,
                f"blocks_with_{name}",
                tuple(switch.options),
                switch.today,
                help=HELP[name],
            )
    block = _possible(tuple(chosen.values()))
    asked = None
    if st.session_state.get(experts.OPEN):
        with settings.place_named(experts.OPEN):
            asked = experts.ask()
    return Settings(block, width, length, st.session_state.get(f"_{BUTTON}", 0), asked)


def _set(block: Block) -> None:
    for name, way in zip(SWITCHES, block, strict=True):
        st.session_state[f"blocks_with_{name}"] = way


def _possible(block: Block) -> Block:
    """The same, if its parts go together."""
    chosen = dict(zip(SWITCHES, block, strict=True))
    if chosen["feed_forward"] == "none" and chosen["experts"] != "one":
        settings.notify(NOT_BOTH)
        chosen["experts"] = "one"
    return tuple(chosen.values())


def compute(s: Settings) -> Result:
    alone = {block: data.block_costs(block, s.width, s.length) for block in _alone()}
    times = data.time_blocks(s.block, s.width, s.length, s.n_measured) if s.n_measured else None
    routed = experts.compute(s.routed) if s.routed else None
    return Result(
        data.block_costs(s.block, s.width, s.length), alone, data.trained_blocks(), times, sizes.models(), routed
    )


def _alone() -> list[Block]:
    return [one_switch(name, way) for name, switch in SWITCHES.items() for way in [*switch.options][1:]]


def draw(s: Settings, result: Result) -> None:
    old, new = result.costs
    with places()["picture"]:
        by_block = {one.block: one.losses for one in result.trained}
        switches = cards(s.block, result.alone, result.trained)
        losses = (by_block[OF_2017], by_block.get(s.block), by_block[OF_TODAY])
        two_blocks(
            payload(_title(s.block), switches, effects(old, new), *losses, trained_width=WIDTH, counted_width=s.width),
            key=PICTURE,
            on_flip=_flip,
        )
    with places()["words"]:
        st.markdown(_verdict(s.block, result.trained))
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
    return {OF_TODAY: "today", OF_2017: "2017 again"}.get(block, "your block")


def _flip() -> None:
    """A part was exchanged in the picture: from 2017's way to today's, or back; or all of them at once."""
    name = sent(PICTURE, "flip", str)
    if name in (ALL_OF_2017, ALL_OF_TODAY):
        _set(OF_2017 if name == ALL_OF_2017 else OF_TODAY)
    if name in SWITCHES:
        switch, key = SWITCHES[name], f"blocks_with_{name}"
        now = st.session_state.get(key, switch.today)
        st.session_state[key] = switch.today if now == switch.first else switch.first


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
    st.markdown(f"**From 2017 to {_title(s.block)}**, one block")
    for name, before, after, unit in rows:
        st.markdown(f"{name} **{_times(after / before)}**  \n{unit.format(before)} → {unit.format(after)}")
    if not settings.replaying():
        st.button(
            "Time again" if s.n_measured else "Time both here",
            icon=":material/timer:",
            key=BUTTON,
            on_click=_press,
            help=f"A forward pass over {s.length} tokens, on the machine that runs this page. Takes about a second.",
        )


def _times(ratio: float) -> str:
    return "same" if ratio == 1 else f"× {ratio:.2f}"


def _press() -> None:
    st.session_state[f"_{BUTTON}"] = st.session_state.get(f"_{BUTTON}", 0) + 1


# ---- what was trained ----------------------------------------------------------------------------------------------


def _way(block: Block) -> str:
    """A trained block in a few words: what sets it apart from 2017's."""
    if block == OF_2017:
        return "2017"
    if block == OF_TODAY:
        return "today, all six"
    (name,) = (n for n, way, first in zip(SWITCHES, block, OF_2017, strict=True) if way != first)
    way = dict(zip(SWITCHES, block, strict=True))[name]
    words = {
        "norm": f"{way if way != 'none' else 'no'} norm" if way == "none" else way,
        "place": f"norm {way}",
        "feed_forward": "no feed-forward" if way == "none" else way,
        "positions": way,
        "kv_heads": f"k, v: {way}",
        "experts": f"experts: {way}",
        "embeddings": f"embeddings {way}",
        "output": f"{way} before the logits",
    }
    return words[name]


def _is_chosen(trained: Block, block: Block) -> bool:
    """Whether a trained block is the one on screen, or one of its switches alone."""
    if trained in (OF_2017, OF_TODAY):
        return trained == block
    return all(way in (first, mine) for way, first, mine in zip(trained, OF_2017, block, strict=True))


def _losses(s: Settings, trained: "tuple[training.block_sweep.Trained, ...]") -> None:
    rows = [Row(_way(one.block), one.losses, _is_chosen(one.block, s.block)) for one in trained]
    display.figure(
        modern_figures.losses(rows),
        key="blocks_losses",
        alt="Loss by seed. "
        + "; ".join(f"{row.name}: {', '.join(map(str, row.losses)) or 'diverged'}" for row in rows),
    )
    st.caption(
        f"Measured when the project was made: {N_LAYERS} blocks {WIDTH} wide with {N_HEADS} heads, short tales,"
        f" {SETTINGS.steps} steps, one learning rate for all (found for 2017’s block), {len(SEEDS)} seeds: a dot each,"
        " the bar is their mean; bold is what you have switched. The grey band is how far 2017’s own seeds lie apart."
        " `python -m pages.blocks.store` trains all of it again."
    )


def _verdict(block: Block, trained: "tuple[training.block_sweep.Trained, ...]") -> str:
    """What the trainings say of this block."""
    base = trained[0]
    mine = next((one for one in trained if one.block == block), None)
    if block == OF_2017:
        return (
            f"This is the block of 2017: a loss of **{base.loss:.3f}** on average, and {base.spread:.3f} between seeds"
            " (standard deviation). Flip one switch."
        )
    if mine is None:
        return (
            "This combination was not trained. The bold rows show each of its switches **alone**: effects do not simply"
            " add up, so they do not predict the whole."
        )
    name = "All six together" if block == OF_TODAY else f"**{_way(block)}** alone"
    if not mine.losses:
        return f"{name}: the training **diverged**; its loss was no number any more. A lower learning rate might do."
    said = f"{name}: the loss goes from {base.loss:.3f} to **{mine.loss:.3f}** ({change(mine, base)})"
    if is_clear(mine, base):
        return f"{said}, more than seeds differ by chance ({max(mine.spread, base.spread):.3f})."
    return (
        f"{said}. That is **no more than seeds differ** ({max(mine.spread, base.spread):.3f}): with three seeds, nobody"
        " can say whether it helps here."
    )


def _summary(trained: "tuple[training.block_sweep.Trained, ...]") -> str:
    """Which switches alone change the loss by more than seeds do."""
    base, *alone = trained[:-1]
    clear = [f"{_way(one.block)} ({change(one, base)})" for one in alone if one.losses and is_clear(one, base)]
    return (
        f"Of {len(alone)} switches, {len(clear)} change the loss by more than seeds do: {', '.join(clear) or 'none'}."
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
        lines.append(f"| {_way(block)} | {' | '.join(cells)} | {loss} |")
    note = (
        "Each against 2017, counted in the block alone. A loss in bold differs by more than seeds do; the others are"
        " within their spread."
    )
    return "\n".join(lines) + f"\n\n{note}"


def _ask_back() -> None:
    questions.ask("blocks-modern", try_it=lambda: _set(one_switch("experts", "1 of 4")))


VIEW = View(ask, compute, draw, layout=layout, height=470)
