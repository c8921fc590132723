"""What the page on attention computes once and shares, keyed on plain values and read-only once made.

torch is imported inside the functions: a page is on screen before it is loaded.
"""

from dataclasses import replace
from typing import NamedTuple

import streamlit as st

from pages.shared.readers import (
    VOCABULARY,
    model,
)
from transformer.config import TransformerConfig
from transformer.training.text import hashed_ids


@st.cache_resource(max_entries=32, show_spinner=False)
def drawn_matrices(seed: int):
    """Q, K and V of random numbers: inspection.steps.drawn."""
    from transformer.inspection.steps import drawn

    return drawn(seed)


@st.cache_resource(max_entries=64, show_spinner=False)
def steps_by_hand(q: tuple, k: tuple, v: tuple, is_causal: bool):
    """Attention on matrices given by hand, stage by stage: inspection.steps.steps."""
    from transformer.inspection.steps import steps
    from transformer.masks import causal

    return steps(q, k, v, causal(len(q)).numpy() if is_causal else None)


@st.cache_resource(max_entries=32, show_spinner=False)
def steps_of_head(config: TransformerConfig, seed: int, tokens: tuple[str, ...], head: int, is_causal: bool):
    """The first layer's attention of an encoder on these tokens, stage by stage: inspection.steps.head_steps."""
    from transformer.inspection.steps import head_steps
    from transformer.masks import causal

    subject = model("encoder", replace(config, vocab_size=VOCABULARY, tgt_vocab_size=VOCABULARY), seed)
    mask = causal(len(tokens)) if is_causal else None
    return head_steps(subject, hashed_ids(list(tokens), VOCABULARY), head, 0, mask)


@st.cache_resource(max_entries=8, show_spinner=False)
def saturation_sweep(seed: int):
    """What the scaling does for every width, with and without it: inspection.saturation.sweep."""
    import torch

    from transformer.inspection.saturation import sweep

    torch.set_num_threads(1)
    return sweep(seed)


class Softmax(NamedTuple):
    """Softmax of one head's scores: weights, what plain softmax gives, the sums of the rows, and which cells may."""

    weights: object
    plain: object
    row_sums: list[float]
    allowed: object


def softmax_of(steps, temperature: float, add: float, along: str) -> Softmax:
    """The softmax of these steps' scores, as asked for: inspection.steps.softmax_of. Not kept: it takes no time."""
    from transformer.inspection import steps as inspection

    scores = steps.stages.get("masked", steps.stages["scaled"])
    weights = inspection.softmax_of(scores, temperature=temperature, add=add, along=along)
    plain = inspection.softmax_of(scores)
    return Softmax(weights, plain, weights.sum(1).tolist(), scores > float("-inf"))


@st.cache_resource(max_entries=64, show_spinner=False)
def guess_puzzle(number: int):
    """A row to guess: inspection.puzzle.puzzle."""
    from transformer.inspection.puzzle import puzzle

    return puzzle(number)


def guess_verdict(number: int, guess: tuple[float, ...]):
    """How far a guess is from the truth, and which step it leaves out: inspection.puzzle.judge."""
    from transformer.inspection.puzzle import judge

    return judge(guess_puzzle(number), guess)
