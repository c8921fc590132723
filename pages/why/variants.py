"""Cheaper attention: eight ways beside full attention, with what each gives up and what it saves."""

from typing import NamedTuple

import streamlit as st

from lab.kit import questions, settings, teaching
from lab.kit.components import sent
from lab.kit.figures import display
from lab.kit.view import View
from lab.kit.words import in_bytes
from pages.why import data, figures, ways
from pages.why.components.cheaper_maps import Way, cheaper_maps, pack
from transformer import inspection

TRAINED, RANDOM = "a trained encoder", "random numbers"
SIZES, KEPT = (2, 3, 4, 6, 8, 12), (0, 1, 2, 3)
# What size and kept mean to each: of some, nothing.
SIZED = {
    "window": "fewer than {} words away",
    "dilated": "fewer than {} keys per side",
    "global + local": "fewer than {} words away",
    "block-sparse": "blocks of {}",
    "low rank": "{} averages",
    "in blocks": "blocks of {}",
}
KEEPS = {"dilated": "gap{s} of {}", "global + local": "{} hub{s}"}
LAYERS, HEADS = (0, 1), (0, 1, 2, 3)
BESIDE = (58.5, 41.5)  # of the width: at 1280 pixels the left one ends where what is written above and below it does
BUTTON = "why_variants_measure"
MAPS = "why_variant_maps"
_PRESS = "_why_variant_press"  # of the session: the number of the last press of a small map


class Settings(NamedTuple):
    """Where q, k and v come from, the layer and head that are drawn, and the knobs of the variants."""

    source: str
    layer: int
    head: int
    size: int
    n_kept: int
    chosen: str
    n_measured: int


class Result(NamedTuple):
    """The variants of this layer, what each takes, what they hold at once by length, and times if asked for."""

    compared: dict[str, "inspection.variants.Variant"]
    costs: dict[str, "inspection.variants.Cost"]
    held: data.Lines
    times: dict[str, list[float]] | None


def ask() -> Settings:
    with settings.place_named("row"), settings.line():
        chosen = settings.choose(st.selectbox, "Way", "why_variant", tuple(ways.CODE), ways.WINDOW, chip="")
        source = settings.choose(
            st.segmented_control, "q, k and v from", "why_variants_of", (TRAINED, RANDOM), TRAINED, chip="{}"
        )
        layer = settings.choose(st.segmented_control, "Layer", "why_variants_at", LAYERS, 1, chip="layer {}")
        head = settings.choose(st.segmented_control, "Head", "why_variants_of_head", HEADS, 0, chip="head {}")
        size = settings.choose(
            st.select_slider,
            "Size",
            "why_variants_size",
            SIZES,
            4,
            chip=SIZED.get(chosen, ""),
            help="Of a block, and the rows that low rank keeps; a window ends before the word that is so far away.",
        )
        n_kept = settings.choose(
            st.select_slider,
            "Kept",
            "why_variants_kept",
            KEPT,
            1,
            chip=KEEPS.get(chosen, ""),
            help="Hubs, words that see and are seen by all; and the gaps of the dilated window.",
        )
    return Settings(source, layer, head, size, n_kept, chosen, st.session_state.get(f"_{BUTTON}", 0))


def compute(s: Settings) -> Result:
    sizes = (s.size, s.n_kept)
    compared = data.variants(s.source == TRAINED, s.layer, *sizes)
    costs = data.costs_compared(len(HEADS), *sizes)
    times = data.time_variants(*sizes, s.n_measured) if s.n_measured else None
    return Result(compared, costs, data.held_by_variants(*sizes), times)


def draw(s: Settings, result: Result) -> None:
    words = data.words_compared() if s.source == TRAINED else ()
    costs = {ways.FULL: ("work", 1.0), **result.costs}
    shown = {name: Way(*told, *costs[name]) for name, told in ways.told(s.size, s.n_kept, data.N_DRAWN).items()}
    press = st.session_state.get(_PRESS, 0)
    cheaper_maps(pack(result.compared, shown, words, s.head, s.chosen, press), on_choose=_choose, key=MAPS)
    with display.prose():
        st.markdown(
            "Nothing was retrained: a model that grows up with one of these learns to live with it, and does better"
            " than this one, which had full attention when it learned."
        )
        file = "attention" if s.chosen == ways.FULL else "variants"
        teaching.code_expander(f"transformer/core/{file}.py", ways.CODE[s.chosen])
    left, right = st.columns(BESIDE, gap="large")
    with left:
        st.markdown("**Memory: what one head holds at once**")
        at = len(result.held.lengths) - 1
        display.figure(
            figures.held_by_length(result.held.lengths, result.held.values, s.chosen),
            key="why_variants_memory",
            alt=f"At {result.held.lengths[at]:,} words: "
            + ", ".join(f"{name} {in_bytes(line[at])}" for name, line in result.held.values.items()),
        )
    with right:
        st.markdown("**Time: what it takes here**")
        _times(s, result)
    with display.prose():
        questions.ask("why-variants", try_it={"why_variant": "in blocks", "why_variants_size": 2})


def _choose() -> None:
    """A small map was pressed: the setting follows, and the answer says of which press it has heard."""
    match sent(MAPS, "variant", list):
        case [str(name), int(press)] if name in ways.CODE:
            st.session_state["why_variant"] = name
            st.session_state[_PRESS] = press


def _times(s: Settings, result: Result) -> None:
    if result.times is None:
        st.markdown("Measured on the machine that runs this page, at lengths of 64 to 2,048 words.")
    else:
        display.figure(
            figures.times_by_length(data.variant_lengths(), result.times, s.chosen),
            key="why_variants_times",
            alt="Milliseconds at 2,048 words: "
            + ", ".join(f"{name} {line[-1]:.2f}" for name, line in result.times.items()),
        )
    if not settings.replaying():
        st.button(
            "Measure again" if s.n_measured else "Measure on this machine",
            icon=":material/timer:",
            key=BUTTON,
            on_click=_press,
            help="Takes about two seconds.",
        )


def _press() -> None:
    st.session_state[f"_{BUTTON}"] = st.session_state.get(f"_{BUTTON}", 0) + 1


VIEW = View(ask, compute, draw, height=470)
