"""The output of attention as a sum over heads: each head owns a stripe of W_q and adds its part."""

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.heads import data, figures
from pages.heads.study import Study, Subject
from pages.shared import display, plot, teaching
from pages.shared.teaching import Answer, check

if TYPE_CHECKING:
    from transformer.inspection.head_effects import HeadParts

MAX_WIDTH, MAX_WORDS = 16, 12  # up to which every number is shown on its way through the split
MAX_LETTERS = 24  # of a token in a sentence


class Result(NamedTuple):
    """The heads' parts of the output, W_q (D, H d_k), the steps of the split into heads, and what attention costs."""

    parts: "HeadParts"
    w_q: np.ndarray
    steps: list[tuple[str, np.ndarray]]
    n_parameters: int
    n_products: int


def compute(s: Subject, _: None) -> Result:
    config = s.reading.ref.resolve().config
    parts, w_q = data.head_parts(s.reading, s.layer)
    steps, cost = data.split_into_heads(config.d_model, config.n_heads, len(s.tokens))
    return Result(parts, w_q, steps, *cost)


def draw(s: Subject, _: None, result: Result, picture: DeltaGenerator, words: DeltaGenerator) -> None:
    parts, H, d_model = result.parts, len(result.parts.heads), len(result.w_q)
    with picture:
        st.markdown(f"**What each head of layer {s.layer} adds to each token**")
        display.figure(
            figures.part_sizes(s.tokens, parts.parts, s.head), key="closer-parts",
            alt=f"Heads by tokens: lengths of what a head adds, of layer {s.layer}.",
        )  # fmt: skip
    with words:
        st.markdown(
            "The outputs of the heads are put side by side and multiplied by one matrix. That is the same as a sum:"
        )
        teaching.formula(
            r"\begin{aligned}\text{out} &= \text{Concat}(h_1, \dots, h_H)\,W_O + b_O \\ "
            r"&= \sum_i h_i W_O^{(i)} + b_O\end{aligned}"
        )
        gap = abs(parts.parts.sum(0) + parts.bias - parts.output).max()
        st.markdown(f"Here the sum and the layer's own output differ by at most {_in_powers(gap)}.")
        with st.expander(f"W_O itself: what layer {s.layer} makes of its heads", key="closer-w-o"):
            H, d_k, width = parts.w_o.shape
            added = np.linalg.norm(parts.parts[s.head, s.query])
            word = display.plain(plot.shorten(s.tokens[s.query], MAX_LETTERS))
            st.markdown(
                f"Each head owns a band of {d_k} rows; that of this head is framed. For “{word}” its"
                f" {d_k} numbers times this band are {width} numbers, a vector of length **{added:.3f}**: the cell in"
                " the figure above."
            )
            display.figure(
                figures.bands(parts.w_o, s.head), key="closer-bands",
                alt=f"W_O as a heatmap of {H * d_k} by {width}, cut into {H} bands.",
            )  # fmt: skip
        config = s.reading.ref.resolve().config
        if config.d_k * H == d_model and config.n_kv_heads == H:
            st.markdown(
                f"More heads cost nothing extra: {H} heads of width {d_model // H} have {result.n_parameters:,} "
                f"parameters (numbers that are learned), and a pass over {len(s.tokens)} tokens takes "
                f"{result.n_products:,} multiplications. Change the number of heads: neither changes."
            )
        check(
            "You take 8 heads instead of 4, at the same d_model. What happens to the number of parameters?",
            Answer(
                "It doubles",
                "It would if every head were as wide as before. But each is half as wide: the stripes of W_q get "
                "narrower, and the matrix stays as large.",
            ),
            Answer(
                "It stays the same",
                "Twice as many heads, each half as wide. More heads cost nothing extra.",
                right=True,
            ),
            Answer(
                "It halves",
                "Each *head* has half as many as before, and there are twice as many of them.",
            ),
            Answer(
                "It grows a little: each head has a softmax",
                "Softmax has nothing to learn. There are more maps to compute, but no more parameters.",
            ),
            key="heads-closer-output",
        )
        with st.expander(f"The stripes of W_q: where the :blue[queries] of layer {s.layer} come from"):
            st.markdown("Each head owns a stripe of the matrix; that of this head is framed.")
            display.figure(
                figures.stripes(result.w_q, H, s.head), key="closer-stripes",
                alt=f"W_q as a heatmap of {d_model} by {d_model}, cut into {H} stripes.",
            )  # fmt: skip
        if d_model <= MAX_WIDTH and len(s.tokens) <= MAX_WORDS:
            st.markdown("**Cutting into heads moves numbers, and mixes nothing**: token.feature")
            for name, marks in result.steps:
                st.caption(name)
                display.figure(
                    figures.layout_step(marks, d_model), key=f"closer-{name[:5]}", alt=f"{name}: every number's place"
                )
        else:
            st.caption(f"With d_model up to {MAX_WIDTH} and {MAX_WORDS} tokens you also see every number on its way.")
        teaching.code_expander("transformer/attention.py", "split_heads")


def _in_powers(x: float) -> str:
    """ "2.4 × 10⁻⁷", "0"."""
    if x == 0:
        return "0"
    digits, power = f"{x:.1e}".split("e")
    return f"{digits} × 10" + str(int(power)).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))


STUDY = Study("Output", compute, draw)
