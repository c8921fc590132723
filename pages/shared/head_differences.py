"""A | B of a picture of heads, in one row: B − A of every head, and A and B − A of the chosen one."""

import plotly.graph_objects as go
import streamlit as st

from pages.shared import display, readings
from pages.shared.compare import alt_text
from pages.shared.compare_figures import Sheet, head_maps, largest
from pages.shared.readings import Reading

MAX_CELLS = 20_000_000  # of all maps of one side, which are held in memory at once
MAX_CELLS_DRAWN = 120_000
HEIGHT = 300  # pixels: three figures in one row above the picture


def draw(a: Reading, b: Reading, chosen: tuple[int, ...]) -> None:
    """Draw B − A of every head that both have, and A and B − A of the chosen one; B itself is the picture below.

    chosen  begins with a layer and a head
    """
    layer, head, *_ = chosen
    sizes, sides = [], []
    for letter, reading in (("A", a), ("B", b)):
        if not reading.tokens:
            st.markdown(f"{letter} has no words to compare.")
            return
        L, H = _size(reading)
        sizes.append((L, H))
        sides.append(_head(reading, layer, head) if layer < L and head < H else None)
    sentence = _only_on_one_side(*sizes)
    if sentence:
        st.markdown(sentence)
    every, left, right = st.columns([3, 2, 2], gap="medium")
    with every:
        limit = _differences(a, b, layer, head)
    title = f"layer {layer}, head {head}"
    match sides:
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
                    _short(one.difference(other, limit)), key="bench-difference",
                    alt=f"B minus A: at most {change:.3g} either way.",
                )  # fmt: skip
        case [Sheet() as only, None]:
            with left:
                st.markdown(f"**A: {title}**")
                display.figure(_short(only.pair(only)[0]), key="bench-A", alt=alt_text("A", only, only))
                st.markdown(f"B has no {title}, so there is nothing to subtract. Choose a head that both have.")
        case [None, Sheet()]:
            with left:
                st.markdown(f"A has no {title}, so there is nothing to subtract. Choose a head that both have.")


def _short(figure: go.Figure) -> go.Figure:
    return figure.update_layout(height=HEIGHT, margin={"b": 90})


def _size(reading: Reading) -> tuple[int, int]:
    """(layers, heads) of a model."""
    source = reading.ref.resolve()
    return source.n_layers, source.config.n_heads


def _head(reading: Reading, layer: int, head: int) -> Sheet:
    weights, mask = readings.one_head(reading, layer, head)
    return Sheet(weights, "weight", ("query", "key"), reading.tokens, reading.tokens, mask)


def _differences(a: Reading, b: Reading, layer: int, head: int) -> float | None:
    """Draw the small maps of all heads -> where their colours end; None if there are no such maps."""
    T = len(a.tokens)
    if len(b.tokens) != T:
        return None
    L, H = (max(sizes) for sizes in zip(_size(a), _size(b), strict=True))
    if L * H * T * T > MAX_CELLS:
        st.markdown("All heads at once would be too many numbers to compare here. You see the chosen one.")
        return None
    values, k, most = readings.head_differences(a, b, MAX_CELLS_DRAWN)
    st.markdown("**B − A of every head**")
    L, H = values.shape[:2]
    display.figure(
        head_maps(values, layer, head, most or 1.0), key="bench-heads",
        alt=f"B minus A of {L * H} heads in small maps on one scale: at most {most:.3g} either way.",
    )  # fmt: skip
    caption = "No head differs: every difference is exactly 0." if most == 0 else f"The largest change: {most:.3g}."
    st.caption(caption + (f" Each small cell is the largest change among {k} × {k}." if k > 1 else ""))
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
