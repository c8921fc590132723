"""What the page on why computes once and shares, keyed on plain values and read-only once made.

torch is imported inside the functions: a page is on screen before it is loaded.
"""

from threading import Lock
from typing import NamedTuple

import streamlit as st


@st.cache_resource(max_entries=64, show_spinner=False)
def way(network: str, n: int, k: int):
    """The shortest way from the first word to the last output: inspection.paths.Way."""
    from transformer.inspection.paths import way

    return way(network, n, k)


@st.cache_resource(max_entries=32, show_spinner=False)
def steps_by_length(lengths: tuple[int, ...], k: int, attention: str):
    """The length of that way by its formula, as (lengths, a line a network); attention sees what its name says."""
    from transformer.inspection.paths import n_steps

    lines = {"recurrent": "recurrent", f"convolution, {k} wide": "convolution", "dilated": "dilated"}
    lines["attention"] = attention
    return lengths, {name: [n_steps(network, n, k) for n in lengths] for name, network in lines.items()}


class Costs(NamedTuple):
    """Costs by the number of words: one layer of attention as multiples of a recurrent one, bytes of weights and of
    states, the lines of the paper's table, and the multiplications with the linear maps."""

    compared: dict[str, list[float]]
    weights: list[int]
    states: list[int]
    lines: list[dict]
    real: dict[str, list[int]]


@st.cache_resource(max_entries=32, show_spinner=False)
def costs(lengths: tuple[int, ...], d: int, n_heads: int, k: int) -> Costs:
    """What layers of this width cost by their formulas: inspection.costs."""
    from transformer.inspection import costs

    lines = [{network: costs.cost(network, n, d, k) for network in costs.KINDS} for n in lengths]
    weights = [costs.weights_bytes(n_heads, n) for n in lengths]
    states = [costs.states_bytes(n, d) for n in lengths]
    compared = {
        "steps that wait": [line["attention"].waiting / line["recurrent"].waiting for line in lines],
        "operations": [line["attention"].operations / line["recurrent"].operations for line in lines],
        "memory": [a / b for a, b in zip(weights, states, strict=True)],
    }
    real = {name: [costs.multiplications(name, n, d, k) for n in lengths] for name in ("attention", "recurrent")}
    return Costs(compared, weights, states, lines, real)


@st.cache_resource(max_entries=16, show_spinner=False)
def operations(d: int):
    """Multiplications at the lengths that are measured: (lengths, a line a way of counting)."""
    from transformer.inspection import costs
    from transformer.inspection.timing import LENGTHS

    lines = {}
    for network in ("attention", "recurrent"):
        lines[f"{network}, really"] = [costs.multiplications(network, n, d, 2) for n in LENGTHS]
        lines[f"{network}, Table 1"] = [costs.cost(network, n, d, 2).operations for n in LENGTHS]
    return LENGTHS, lines


_measuring = Lock()  # two measurements at once would slow each other down


@st.cache_resource(max_entries=16, show_spinner=False)
def time_lengths(d: int, n_heads: int, asked: int):
    """Attention against a recurrent network, in milliseconds: inspection.timing.time_lengths. `asked` measures anew."""
    import torch

    from transformer.inspection.timing import time_lengths

    torch.set_num_threads(1)
    with _measuring:
        return time_lengths(d, n_heads)


@st.cache_resource(max_entries=16, show_spinner=False)
def time_heads(d: int, heads: tuple[int, ...], asked: int):
    """All heads at once against head by head, in milliseconds: inspection.timing.time_heads. `asked` measures anew."""
    import torch

    from transformer.inspection.timing import time_heads

    torch.set_num_threads(1)
    with _measuring:
        return time_heads(d, heads)


@st.cache_resource(max_entries=32, show_spinner=False)
def heads_apart(d: int, n_heads: int):
    """How far all heads at once and head by head differ, and on how many words: inspection.timing.apart."""
    from transformer.inspection import timing

    return timing.apart(d, n_heads), timing.WORDS
