"""A | B of a picture of heads, in one row: B − A of every head, and A and B − A of the chosen one."""

from collections.abc import Callable
from typing import NamedTuple

import plotly.graph_objects as go
import streamlit as st

from lab.kit.compare import alt_text
from lab.kit.figures import display
from lab.kit.figures.compare_figures import Sheet, head_maps, largest
from lab.kit.models import readings
from lab.kit.models.readings import Differences, Reading
from lab.kit.words import at_most

MAX_CELLS = 20_000_000  # of all maps of one side, which are held in memory at once
MAX_CELLS_DRAWN = 120_000
HEIGHT = 300  # pixels: three figures in one row above the picture
TICKS = 10  # words along a side of them


class Side(NamedTuple):
    """The heads of A or of B.

    size  (layers, heads); shape: (queries, keys)
    head  a layer and a head of it -> its weights
    """

    size: tuple[int, int]
    shape: tuple[int, int]
    head: Callable[[int, int], Sheet]


def can_subtract(a: Reading, b: Reading) -> bool:
    """Whether each head of B has one of A's to be compared with, on as many tokens."""
    sizes = [(source.n_layers, source.config.n_heads) for source in (a.ref.resolve(), b.ref.resolve())]
    return sizes[0] == sizes[1] and len(a.tokens) == len(b.tokens)


def draw(a: Reading, b: Reading, chosen: tuple[int, ...]) -> None:
    """Draw B − A of every head that both have, and A and B − A of the chosen one; B itself is the picture below.

    chosen  begins with a layer and a head
    """
    for letter, reading in (("A", a), ("B", b)):
        if not reading.tokens:
            st.markdown(f"{letter} has no words to compare.")
            return
    draw_sides(_side(a), _side(b), chosen, lambda: readings.head_differences(a, b, MAX_CELLS_DRAWN))


def draw_sides(
    a: Side, b: Side, chosen: tuple[int, ...], differences: Callable[[], Differences], kind: str = ""
) -> None:
    """The same of any two sides; `differences` is asked for where their shapes are equal, and not too large.

    kind  what stands before the name of a head, such as "cross, "
    """
    layer, head, *_ = chosen
    sheets = [side.head(layer, head) if layer < side.size[0] and head < side.size[1] else None for side in (a, b)]
    sentence = _only_on_one_side(a.size, b.size)
    if sentence:
        st.markdown(sentence)
    every, left, right = st.columns([3, 2, 2], gap="medium")
    with every:
        limit = _differences(a, b, layer, head, differences)
    title = f"{kind}layer {layer}, head {head}"
    match sheets:
        case [Sheet() as one, Sheet() as other]:
            with left:
                st.markdown(f"**A: {title}**")
                display.figure(_short(one.pair(other)[0]), key="bench-A", alt=alt_text("A", one, other))
            with right:
                st.markdown(f"**B − A: {title}**")
                reason = one.mismatch(other)
                if reason:
                    st.markdown(reason)
                    return
                change = largest(one.change(other))
                display.figure(
                    _short(one.difference(other, limit)),
                    key="bench-difference",
                    alt=f"B minus A. They differ by {at_most(change)}.",
                )
        case [Sheet() as only, None]:
            with left:
                st.markdown(f"**A: {title}**")
                display.figure(_short(only.pair(only)[0]), key="bench-A", alt=alt_text("A", only, only))
                st.markdown(f"B has no {title}, so there is nothing to subtract. Choose a head that both have.")
        case [None, Sheet()]:
            with left:
                st.markdown(f"A has no {title}, so there is nothing to subtract. Choose a head that both have.")


def _short(figure: go.Figure) -> go.Figure:
    """The same in the height of a row, with as many words along its sides as have room there."""
    return figure.update_layout(height=HEIGHT, margin={"b": 90}).update_xaxes(nticks=TICKS).update_yaxes(nticks=TICKS)


def _side(reading: Reading) -> Side:
    source, T = reading.ref.resolve(), len(reading.tokens)

    def head(layer: int, number: int) -> Sheet:
        weights, mask = readings.one_head(reading, layer, number)
        return Sheet(weights, "weight", ("query", "key"), reading.tokens, reading.tokens, mask)

    return Side((source.n_layers, source.config.n_heads), (T, T), head)


def _differences(a: Side, b: Side, layer: int, head: int, differences: Callable[[], Differences]) -> float | None:
    """Draw the small maps of all heads -> where their colours end; None if there are no such maps."""
    if a.shape != b.shape:
        return None
    L, H = (max(sizes) for sizes in zip(a.size, b.size, strict=True))
    T, S = a.shape
    if L * H * T * S > MAX_CELLS:
        st.markdown("All heads at once would be too many numbers to compare here. You see the chosen one.")
        return None
    values, k, most = differences()
    st.markdown("**B − A of every head**")
    L, H = values.shape[:2]
    display.figure(
        head_maps(values, layer, head, most or 1.0),
        key="bench-heads",
        alt=f"B minus A of {L * H} heads in small maps on one scale. They differ by {at_most(most)}.",
    )
    st.caption(
        f"The heads of A and B differ by {at_most(most)}."
        + (f" Each small cell is the largest change among {k} × {k}." if k > 1 else "")
    )
    return most or 1.0


def _only_on_one_side(a: tuple[int, int], b: tuple[int, int]) -> str:
    """Which layers and heads only one side has, in a sentence; a and b are (layers, heads)."""
    sentences = []
    for letter, size, other in (("A", a, b), ("B", b, a)):
        names = [_range(name, m, n) for name, n, m in zip(("layer", "head"), size, other, strict=True) if n > m]
        if names:
            sentences.append(f"Only {letter} has {' and '.join(names)}.")
    return " ".join(sentences)


def _range(name: str, start: int, end: int) -> str:
    return f"{name} {start}" if end - start == 1 else f"{name}s {start} to {end - 1}"
