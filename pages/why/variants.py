"""Cheaper attention: a window that a hand narrows, and seven ways more, with what each saves and what it gives up."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import streamlit as st

from lab.kit import questions, settings, teaching
from lab.kit.components import sent
from lab.kit.figures import display
from lab.kit.view import View, places
from lab.kit.words import in_bytes
from pages.why import data, figures, ways
from pages.why.components.cheaper_maps import Way, Window, cheaper_maps, pack
from transformer import inspection

TRAINED, RANDOM = "a trained encoder", "random numbers"
SIZE = 4  # as a link has it that names none
KEPT = (0, 1, 2, 3)


def _either_side(size: str) -> str:
    return ways.either_side(int(size))


# What size and kept mean to each: of some, nothing.
SIZED = {
    "window": _either_side,
    "dilated": "fewer than {} keys per side",
    "global + local": _either_side,
    "block-sparse": "blocks of {}",
    "low rank": "{} averages",
    "in blocks": "blocks of {}",
}
KEEPS = {"dilated": "gap{s} of {}", "global + local": "{} hub{s}"}
LAYERS, HEADS = (0, 1), (0, 1, 2, 3)
LONG_OPEN = "why_variants_long"  # the key of the fold on long texts: its charts would take as long as all the rest
BUTTON = "why_variants_measure"
MAPS = "why_variant_maps"
UNREAD = (None, 0)  # what no model says, of a review and of how many
# Of the session and of links: the sizes of the window and of all other ways, once a hand has dragged the window.
WINDOW_SIZE, OTHERS_SIZE = "why_variants_window", "why_variants_others"


class Settings(NamedTuple):
    """Where q, k and v come from, the layer and head that are drawn, and the knobs of the variants.

    size  of the chosen way;  window, others: of the window, and of the other ways
    """

    source: str
    layer: int
    head: int
    size: int
    n_kept: int
    chosen: str
    is_long: bool
    n_measured: int
    window: int
    others: int


class Result(NamedTuple):
    """The variants of this layer, what each takes, windows by their size, and how the model reads with each.

    held   what they hold at once by length; None while the fold is closed
    times  those of the visitor, once they are asked for
    """

    compared: dict[str, "inspection.variants.Variant"]
    costs: dict[str, "inspection.variants.Cost"]
    windows: dict[int, data.Windowed]
    readings: dict[str, data.Reading | None]
    windows_read: dict[int, data.Reading | None]
    held: data.Lines | None
    times: dict[str, list[float]] | None


def layout() -> Mapping[str, Any]:
    return {
        "picture": st.container(),
        "words": display.prose(),
        "long": st.expander("What does each hold and take on a long text?", key=LONG_OPEN, bind="query-params"),
    }


def ask() -> Settings:
    with settings.place_named("row"), settings.line():
        chosen = settings.choose(st.selectbox, "Way", "why_variant", tuple(ways.CODE), ways.WINDOW, chip="")
        source = settings.choose(
            st.segmented_control, "q, k and v from", "why_variants_of", (TRAINED, RANDOM), TRAINED, chip="{}"
        )
        layer = settings.choose(st.segmented_control, "Layer", "why_variants_at", LAYERS, 1, chip="layer {}")
        head = settings.choose(st.segmented_control, "Head", "why_variants_of_head", HEADS, 1, chip="head {}")
        size = settings.choose(
            st.select_slider,
            "Size",
            "why_variants_size",
            data.SIZES,
            SIZE,
            chip=SIZED.get(chosen, ""),
            on_change=_one_size,
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
    is_long = bool(st.session_state.get(LONG_OPEN))
    pressed = st.session_state.get(f"_{BUTTON}", 0)
    return Settings(source, layer, head, size, n_kept, chosen, is_long, pressed, *_sizes(chosen, size))


def _sizes(chosen: str, size: int) -> tuple[int, int]:
    """The sizes of the window and of all other ways, which keep theirs while a hand drags the window."""
    if chosen in (ways.FULL, ways.WINDOW):
        return size, _kept(OTHERS_SIZE, size)
    return _kept(WINDOW_SIZE, size), size


def _kept(name: str, size: int) -> int:
    """The size that the session or the link has under this name, or else `size`."""
    linked = st.query_params.get(name)
    return st.session_state.get(name) or next((one for one in data.SIZES if str(one) == linked), size)


def _one_size() -> None:
    """The Size was set: it is that of all ways, until the window is dragged again."""
    for name in (WINDOW_SIZE, OTHERS_SIZE):
        st.session_state.pop(name, None)
        st.query_params.pop(name, None)


def compute(s: Settings) -> Result:
    sizes, is_trained = (s.others, s.n_kept), s.source == TRAINED

    def reading(name: str, size: int) -> data.Reading | None:
        knobs = size if name in SIZED else 0, s.n_kept if name in KEEPS else 0  # only those that mean something to it
        return data.reading(name, *knobs) if is_trained else None

    return Result(
        data.variants(is_trained, s.layer, *sizes),
        data.costs_compared(len(HEADS), *sizes),
        data.windows(is_trained, s.layer),
        {name: reading(name, s.others) for name in ways.CODE},
        {size: reading(ways.WINDOW, size) for size in data.SIZES},
        data.held_by_variants(s.size, s.n_kept) if s.is_long else None,
        data.time_variants(s.size, s.n_kept, s.n_measured) if s.is_long and s.n_measured else None,
    )


def draw(s: Settings, result: Result) -> None:
    with places()["picture"]:
        cheaper_maps(_packed(s, result), on_choose=_choose, key=MAPS)
    with places()["words"]:
        cost = result.windows[s.window] if s.chosen == ways.WINDOW else result.costs.get(s.chosen)
        is_cheaper = cost is not None and cost.share < 1 and s.chosen not in (ways.GROUPED, ways.IN_BLOCKS)
        if s.source == TRAINED and is_cheaper:  # and read with, as it never was in training
            st.markdown(
                "Nothing was retrained: this model had full attention when it learned. One that grows up with this way"
                " learns to live with it, and may do better."
            )
        file = "attention" if s.chosen == ways.FULL else "variants"
        teaching.code_expander(f"transformer/core/{file}.py", ways.CODE[s.chosen])
        questions.ask("why-variants", try_it={"why_variant": "in blocks", "why_variants_size": 2})
    if result.held:
        with places()["long"]:
            _memory(s, result.held)
            _times(s, result)


def _packed(s: Settings, result: Result) -> bytes:
    costs = {ways.FULL: ("work", 1.0), **result.costs}
    shown = {
        name: Way(*told, *costs[name], name in ways.CARDS, *(result.readings[name] or UNREAD))
        for name, told in ways.told(s.others, s.n_kept, data.N_DRAWN).items()
    }
    windows = [
        Window(size, told.subject, told.sentence, *result.windows[size], *(result.windows_read[size] or UNREAD))
        for size, told in ((size, ways.window(size)) for size in data.SIZES)
    ]
    words = data.words_compared() if s.source == TRAINED else ()
    return pack(result.compared, shown, windows, words, data.N_REVIEWS, s.head, s.chosen, s.window, s.others)


def _memory(s: Settings, held: data.Lines) -> None:
    st.markdown("**Memory: what one head holds at once**")
    at = len(held.lengths) - 1
    display.figure(
        figures.held_by_length(held.lengths, held.values, s.chosen),
        key="why_variants_memory",
        alt=f"At {held.lengths[at]:,} words: "
        + ", ".join(f"{name} {in_bytes(line[at])}" for name, line in held.values.items()),
    )


def _choose() -> None:
    """A way was pressed or the window, so wide, dragged: the settings follow. The other ways keep their size."""
    state = st.session_state
    match sent(MAPS, "variant", list):
        case [str(name), int(size)] if name in ways.CODE and size in data.SIZES:
            others = _sizes(state.get("why_variant", ways.WINDOW), state.get("why_variants_size", SIZE))[1]
            state[WINDOW_SIZE], state[OTHERS_SIZE] = size, others
            state["why_variant"] = name
            state["why_variants_size"] = size if name in (ways.FULL, ways.WINDOW) else others


def _times(s: Settings, result: Result) -> None:
    st.markdown("**Time: what it takes here**")
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


VIEW = View(ask, compute, draw, layout=layout, height=470)
