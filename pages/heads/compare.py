"""A | B of the page on heads: every head at once."""

import streamlit as st

from pages.heads import data
from pages.shared import compare_figures as figures
from pages.shared import display
from pages.shared.compare import MOST_CELLS, MOST_DRAWN, _alt, draw
from pages.shared.compare_figures import Sheet
from pages.shared.components.attention_view import Selection


def heads(a, b, chosen: Selection | None) -> None:
    """The chosen head of A and of B, their difference, and B − A of every head that both have. a, b: (sentence, model
    choice) each."""
    layer, head = (chosen.layer, chosen.head) if chosen else (0, 0)
    sizes, sides = [], []
    for letter, (sentence, choice) in (("A", a), ("B", b)):
        if not sentence.tokens:
            st.markdown(f"{letter} has no words to compare.")
            return
        L, H = choice.config.n_encoder_layers, choice.config.n_heads
        sizes.append((L, H))
        sides.append(_head(sentence.tokens, choice, layer, head) if layer < L and head < H else None)
    alone = _only_one(*sizes)
    if alone:
        st.markdown(alone)
    reach = _every_head(a, b, layer, head)
    what = f"layer {layer}, head {head}"
    if all(sides):
        draw(*sides, what, reach)
        return
    letter, side = ("A", sides[0]) if sides[0] else ("B", sides[1])
    other = "B" if letter == "A" else "A"
    st.markdown(f"##### {letter}: {what}")
    display.figure(figures.pair(side, side)[0], key=f"bench-{letter}", alt=_alt(letter, side, side))
    st.markdown(f"{other} has no {what}, so there is nothing to subtract. Choose a head above that both have.")


def _head(tokens, choice, layer: int, head: int) -> Sheet:
    weights, mask = data.one_head(choice.kind, choice.config, choice.seed, choice.mask, tokens, layer, head)
    return Sheet(weights, "weight", ("query", "key"), tokens, tokens, mask)


def _every_head(a, b, layer: int, head: int) -> float | None:
    """The small maps of all heads; where their colours end, None if there are no such maps."""
    (first, one), (second, other) = a, b
    T = len(first.tokens)
    if len(second.tokens) != T:
        return None
    L = max(c.config.n_encoder_layers for c in (one, other))
    H = max(c.config.n_heads for c in (one, other))
    if L * H * T * T > MOST_CELLS:
        st.markdown("All heads at once would be too many numbers to compare here. You see the chosen one.")
        return None
    sides = tuple((c.kind, c.config, c.seed, c.mask, s.tokens) for s, c in (a, b))
    differences, k, reach = data.heads_difference(*sides, MOST_DRAWN)
    st.markdown("##### B − A, every head that both have")
    L, H = differences.shape[:2]
    display.figure(
        figures.all_heads(differences, layer, head, reach or 1.0), key="bench-heads",
        alt=f"B minus A of {L * H} heads in small maps on one scale: at most {reach:.3g} either way.",
    )  # fmt: skip
    said = "No head differs: every difference is exactly 0." if reach == 0 else f"The largest change: {reach:.3g}."
    st.caption(said + (f" Each small cell is the largest change among {k} × {k}." if k > 1 else ""))
    return reach or 1.0


def _only_one(a: tuple[int, int], b: tuple[int, int]) -> str:
    """Which heads only one side has, in a sentence; sizes are (layers, heads)."""
    said = []
    for letter, mine, other in (("A", a, b), ("B", b, a)):
        more = [_range(name, o, m) for name, o, m in zip(("layer", "head"), other, mine, strict=True) if m > o]
        if more:
            said.append(f"Only {letter} has {' and '.join(more)}.")
    return " ".join(said)


def _range(name: str, start: int, end: int) -> str:
    return f"{name} {start}" if end - start == 1 else f"{name}s {start} to {end - 1}"
