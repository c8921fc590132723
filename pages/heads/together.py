"""How a layer is put together out of its heads: each reads a subspace of its own and adds its part. A fold of All
heads."""

from typing import NamedTuple

import numpy as np
import streamlit as st

from lab.kit import questions, teaching
from lab.kit.figures import display
from lab.kit.words import at_most
from pages.heads import data, figures
from pages.heads.subject import Subject
from transformer import inspection

OPEN = "closer_together"


class Result(NamedTuple):
    """The heads' parts of the output, W_q (D, H d_k), the share of what this head reads that others read as well, how
    many numbers of the text change their place by the cut into heads and back, and what attention costs."""

    parts: "inspection.head_effects.HeadParts"
    w_q: np.ndarray
    overlap: float
    n_moved: int
    n_parameters: int
    n_products: int


def compute(s: Subject) -> Result:
    config = s.reading.ref.resolve().config
    parts, w_q = data.head_parts(s.reading, s.layer)
    n_moved, cost = data.split_into_heads(config.d_model, config.n_heads, len(s.tokens))
    return Result(parts, w_q, inspection.head_effects.subspace_overlap(w_q, config.n_heads, s.head), n_moved, *cost)


def draw(s: Subject, result: Result) -> None:
    parts, H, (d_model, width) = result.parts, len(result.parts.heads), result.w_q.shape
    st.markdown(f"**Each head reads in its own subspace.** {_subspace(s, result)}")
    display.figure(
        figures.stripes(result.w_q, H, s.head),
        key="closer-stripes",
        alt=f"W_q of layer {s.layer} as a heatmap of {d_model} by {width}, cut into {H} stripes.",
    )
    st.markdown(
        f"**Each head adds its part.** The outputs are put side by side and multiplied by one matrix, W_O; that is the "
        f"same as a sum over heads. Here the sum and the output of layer {s.layer} differ by "
        f"{at_most(abs(parts.parts.sum(0) + parts.bias - parts.output).max())}."
    )
    teaching.formula(
        r"\begin{aligned}\text{out} &= \text{Concat}(h_1, \dots, h_H)\,W_O + b_O \\ "
        r"&= \sum_i h_i W_O^{(i)} + b_O\end{aligned}"
    )
    display.figure(
        figures.bands(parts.w_o, s.head),
        key="closer-bands",
        alt=f"W_O of layer {s.layer} as a heatmap of {width} by {d_model}, cut into {H} bands.",
    )
    added = np.linalg.norm(parts.parts[s.head, s.query])
    st.markdown(
        f"This head’s band is framed. It turns what the head found for “{display.plain(s.tokens[s.query])}” into a "
        f"vector of length **{added:.3f}**: one of these cells."
    )
    display.figure(
        figures.part_sizes(s.tokens, parts.parts, s.head),
        key="closer-parts",
        alt=f"Heads by tokens: lengths of what each head of layer {s.layer} adds.",
    )
    st.markdown(_cut(s, result))
    questions.ask("heads-closer-output")
    teaching.code("transformer/core/attention.py", "split_heads")


def _subspace(s: Subject, result: Result) -> str:
    """What a head makes its queries of, and how much of it other heads read as well."""
    D, d_k = len(result.w_q), result.w_q.shape[1] // len(result.parts.heads)
    text = (
        f"Its framed stripe of W_q turns a vector’s {D} numbers into {d_k}, the query; a stripe of W_k makes as many "
        "for the key."
    )
    if d_k < D and len(result.parts.heads) > 1:
        text += (
            f" Of the directions that head {s.head} reads so, another head of the layer reads **{result.overlap:.0%}** "
            f"on average; drawn at random, it would be {d_k / D:.0%}."
        )
    return text


def _cut(s: Subject, result: Result) -> str:
    """What the cut into heads does to the numbers, and what attention costs."""
    config = s.reading.ref.resolve().config
    H, D, T = config.n_heads, config.d_model, len(s.tokens)
    text = (
        f"**Cutting into heads mixes nothing.** Cut the {D} numbers of each of {T} tokens into {H} heads and join them "
        f"again: {T * D - result.n_moved:,} of {T * D:,} are where they were."
    )
    if config.d_k * H == D and config.n_kv_heads == H:
        text += (
            f" More heads cost nothing extra: {H} heads of width {D // H} have {result.n_parameters:,} parameters "
            f"(numbers that are learned), and a pass over {T} tokens takes {result.n_products:,} multiplications, for "
            "any number of heads."
        )
    return text
