"""Two benches on the page of heads: A is pinned, B is what the controls say now."""

import numpy as np
import streamlit as st

from pages.kit import controls, session, show
from pages.kit.components.attention_view import Selection
from pages.kit.controls import ModelChoice, Sentence
from pages.kit.figures import benches as figures


def compare(a: tuple[Sentence, ModelChoice], b: tuple[Sentence, ModelChoice], chosen: Selection | None) -> None:
    """The chosen head in A and in B, in one range of colours, their difference, and a sentence on what differs."""
    layer, head = (chosen.layer, chosen.head) if chosen else (0, 0)
    changed = controls.differences(a, b)
    show.notice("A and B are the same." if not changed else f"From A to B: {'; '.join(changed)}.")
    sides = []
    for name, (sentence, choice) in (("A", a), ("B", b)):
        if not sentence.tokens:
            show.notice(f"{name} has no words to compare.")
            return
        if layer >= choice.config.n_encoder_layers or head >= choice.config.n_heads:
            show.notice(f"{name} has no layer {layer}, head {head}. Choose a head that both have.")
            return
        sides.append(
            session.one_head(choice.kind, choice.config, choice.seed, choice.mask, sentence.tokens, layer, head)
        )
    (first, first_mask), (second, second_mask) = sides
    largest = float(max(first.max(), second.max()))
    left, middle, right = st.columns(3)
    for place, title, tokens, matrix, mask in (
        (left, "A", a[0].tokens, first, first_mask),
        (middle, "B", b[0].tokens, second, second_mask),
    ):
        with place:
            st.markdown(f"##### {title}, layer {layer}, head {head}")
            show.figure(
                figures.weights(tokens, matrix, mask, largest), key=f"bench-{title}",
                alt=f"{title}: weights up to {matrix.max():.3f}, colours up to {largest:.3f}.",
            )  # fmt: skip
    with right:
        st.markdown("##### B − A")
        if first.shape != second.shape:
            st.markdown("The sentences have different lengths, so there is no cell to subtract from which.")
            return
        # What is open in either is shown; a side without a mask is open everywhere.
        both = None if first_mask is None or second_mask is None else first_mask | second_mask
        most = np.abs(second.astype(float) - first.astype(float)).max()
        show.figure(
            figures.difference(b[0].tokens, first, second, both), key="bench-difference",
            alt=f"Cell by cell, B minus A: at most {most:.3f}.",
        )  # fmt: skip
        st.caption("No cell differs: the difference is exactly 0." if most == 0 else f"The largest change: {most:.3f}.")
