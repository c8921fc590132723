"""Cheaper attention: a window that a hand widens, then a hub that it moves; and in a fold, seven ways more."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import streamlit as st

from lab.kit import questions, settings, teaching
from lab.kit.figures import display
from lab.kit.view import View, places
from lab.kit.words import in_bytes
from pages.why import data, figures, ways
from pages.why.components.few_pairs import few_pairs
from pages.why.controls import measure_button, n_measured
from transformer import inspection

KEPT = (0, 1, 2, 3)
LONG_OPEN = "why_variants_long"  # the key of the fold: its charts would take as long as all the rest
BUTTON = "why_variants_measure"


class Others(NamedTuple):
    """What the fold on other ways is set to."""

    chosen: str
    size: int
    n_kept: int
    n_measured: int


class Settings(NamedTuple):
    """others: None while their fold is closed."""

    others: Others | None


class Compared(NamedTuple):
    """What each way takes of full attention's, how the model reads with it, and what it holds by length; times: those
    of the visitor, once they are asked for."""

    costs: "dict[str, inspection.variants.Cost]"
    readings: dict[str, data.Reading | None]
    held: data.Lines
    times: dict[str, list[float]] | None


class Result(NamedTuple):
    """How the model reads with a window of every size, and with a hub on each word."""

    windows: list[data.Reading]
    hubs: tuple[str, ...]
    with_hub: data.Reading
    look: data.Look
    others: Compared | None


def layout() -> Mapping[str, Any]:
    return {
        "picture": st.container(),
        "words": display.prose(),
        "long": st.expander("Seven more ways, on a long text, too", key=LONG_OPEN, bind="query-params"),
    }


def ask() -> Settings:
    if not st.session_state.get(LONG_OPEN):
        return Settings(None)
    with settings.place_named("long"), settings.place(st.container, horizontal=True, vertical_alignment="bottom"):
        chosen = settings.choose(st.selectbox, "Way", "why_variant", tuple(ways.CODE), ways.WINDOW)
        size = settings.choose(
            st.select_slider,
            "Size",
            "why_variants_size",
            data.SIZES[1:],
            4,
            help="Of a block, and the rows that low rank keeps; a window ends before the word that is so far away.",
        )
        n_kept = settings.choose(
            st.select_slider,
            "Kept",
            "why_variants_kept",
            KEPT,
            1,
            help="Hubs, words that see and are seen by all; and the gaps of the dilated window.",
        )
    return Settings(Others(chosen, size, n_kept, n_measured(BUTTON)))


def compute(s: Settings) -> Result:
    def reading(name: str, size: int, n_kept: int) -> data.Reading:
        found = data.reading(name, size, n_kept)
        assert found is not None
        return found

    return Result(
        [reading(ways.WINDOW, size, 0) for size in data.SIZES],
        data.verdicts_by_hub(),
        reading(ways.GLOBAL, 1, 1),
        data.strongest_look(),
        _compared(s.others) if s.others else None,
    )


def _compared(s: Others) -> Compared:
    knobs = {
        name: (s.size if name in ways.SIZED else 0, s.n_kept if name in ways.KEEPS else 0)  # that mean something to it
        for name in ways.CODE
    }
    return Compared(
        data.costs_compared(s.size, s.n_kept),
        {name: data.reading(name, *sizes) for name, sizes in knobs.items()},
        data.held_by_variants(s.size, s.n_kept),
        data.time_variants(s.size, s.n_kept, s.n_measured) if s.n_measured else None,
    )


def draw(s: Settings, result: Result) -> None:
    words, look = data.words_compared(), result.look
    with places()["picture"]:
        few_pairs(
            words, look.to, result.windows, result.hubs, result.with_hub.n_right, data.N_REVIEWS, key="why_few_pairs"
        )
    with places()["words"]:
        st.markdown(
            f"Each line is a pair of words that look at each other. The thick one is the look that decides: head"
            f" {look.head} of layer {look.layer} gives “{words[look.to]}” an :violet[**attention weight**] of"
            f" {look.weight:.2f}, and without this one look the verdict is wrong. From {-(-look.to // 2)} words to"
            " either side on, news of it would get through in two steps, by way of another word, but this model was"
            " never trained to pass it on."
        )
        st.markdown(
            "Nothing was retrained: this model had full attention when it learned. One that grows up with a window or a"
            " hub learns to live with it, and may do better."
        )
        teaching.code_expander("transformer/core/variants.py", ways.CODE[ways.WINDOW], ways.CODE[ways.GLOBAL])
        questions.ask("why-variants", try_it={LONG_OPEN: True, "why_variant": "in blocks", "why_variants_size": 2})
    if s.others and result.others:
        with places()["long"]:
            _draw_others(s.others, result.others)


def _draw_others(s: Others, found: Compared) -> None:
    with display.prose():
        st.markdown(_table(s, found))
        st.caption(f"Of {data.N_REVIEWS} reviews; guessing would get {data.N_REVIEWS // 2}.")
        file = "attention" if s.chosen == ways.FULL else "variants"
        teaching.code(f"transformer/core/{file}.py", ways.CODE[s.chosen])
    held, at = found.held, -1
    st.markdown("**Memory: what one head holds at once**")
    display.figure(
        figures.held_by_length(held.lengths, held.values, s.chosen),
        key="why_variants_memory",
        alt=f"At {held.lengths[at]:,} words: "
        + ", ".join(f"{name} {in_bytes(line[at])}" for name, line in held.values.items()),
    )
    st.markdown("**Time: what it takes here**")
    if found.times is None:
        st.markdown("Measured on the machine that runs this page, at lengths of 64 to 2,048 words.")
    else:
        display.figure(
            figures.times_by_length(data.variant_lengths(), found.times, s.chosen),
            key="why_variants_times",
            alt="Milliseconds at 2,048 words: "
            + ", ".join(f"{name} {line[-1]:.2f}" for name, line in found.times.items()),
        )
    measure_button(BUTTON)


def _table(s: Others, found: Compared) -> str:
    """What each way does, takes and gets right, in Markdown."""
    lines = ["| way | | takes | right |", "|:--|:--|:--|--:|"]
    for name, sentence in ways.told(s.size, s.n_kept, data.N_DRAWN).items():
        cost, reading = found.costs.get(name), found.readings[name]
        takes = f"{cost.share:.0%} of the {cost.of}" if cost else "all"
        bold = "**" if name == s.chosen else ""
        lines.append(f"| {bold}{name}{bold} | {sentence} | {takes} | {reading.n_right if reading else '–'} |")
    return "\n".join(lines)


VIEW = View(ask, compute, draw, layout=layout, height=470)
