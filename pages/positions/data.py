"""What the page on positions computes once and shares, keyed on plain values and read-only once made.

torch is imported inside the functions: a page is on screen before it is loaded.
"""

from typing import Literal

import streamlit as st

from pages.shared.readers import VOCABULARY, Kind, model
from transformer.config import TransformerConfig
from transformer.training.text import hashed_ids


@st.cache_resource(max_entries=24, show_spinner=False)
def waves(length: int, d_model: int, base: int):
    """The sinusoidal table and its wavelengths, and how far two ways of writing its turns differ in float32."""
    from transformer.inspection import positions

    return positions.waves(length, d_model, float(base)), positions.forms_differ(d_model, float(base))


@st.cache_resource(max_entries=24, show_spinner=False)
def similarity(length: int, d_model: int, base: int):
    """How alike the codes of two positions are: inspection.positions.Similarity."""
    from transformer.inspection import positions

    return positions.similarity(length, d_model, float(base))


@st.cache_resource(max_entries=24, show_spinner=False)
def hands(kind: Literal["code", "rotary"], n_pairs: int, base: int, seed: int, places: int, most: int):
    """The clocks of codes, or of one rotated query and key, as bytes for the browser."""
    from pages.positions.components.position_clocks import pack
    from transformer.inspection import positions

    width = 2 * n_pairs
    if kind == "code":
        made = positions.sinusoid_hands(places, width, float(base))
    else:
        made = positions.rotary_hands(places, width, float(base), seed)
    turns = positions.waves(1, width, float(base)).wavelengths.tolist()
    return pack(kind, made.first, made.second, turns, most)


@st.cache_resource(max_entries=32, show_spinner=False)
def shuffled(kind: Kind, positions: str, seed: int, tokens: tuple[str, ...], order: tuple[int, ...]):
    """One text in two orders, through a small untrained model: inspection.positions.Shuffled."""
    from transformer.inspection.positions import shuffle

    config = TransformerConfig(
        vocab_size=VOCABULARY, d_model=32, n_encoder_layers=2, n_decoder_layers=2, positions=positions
    )
    return shuffle(model(kind, config, seed), hashed_ids(list(tokens), VOCABULARY), order)


@st.cache_resource(max_entries=32, show_spinner=False)
def summands(positions: str, d_model: int, seed: int, amount: float, batch: int, tokens: tuple[str, ...]):
    """Token vectors, position codes and their sum: inspection.positions.Summands."""
    from transformer.inspection.positions import summands

    config = TransformerConfig(
        vocab_size=VOCABULARY, d_model=d_model, n_heads=1, positions=positions, max_len=max(len(tokens), 1)
    )
    return summands(hashed_ids(list(tokens), VOCABULARY), config, amount=amount, batch=batch, seed=seed)


@st.cache_resource(max_entries=16, show_spinner=False)
def same_word(T: int, head: int, seed: int):
    """(schemes, T, T): where one head of an untrained model looks when every word is the same, under every scheme."""
    import numpy as np

    from transformer.inspection import positions

    return np.stack([positions.same_word(s, T, d_model=64, n_heads=4, seed=seed)[head] for s in positions.MAKES])


@st.cache_resource(max_entries=16, show_spinner=False)
def planes(positions: str, T: int, reach: int, n_heads: int, max_distance: int, seed: int):
    """The bias of T5 or ALiBi on every head: inspection.positions.Planes."""
    from transformer.inspection.positions import planes

    return planes(positions, T, reach, n_heads=n_heads, max_distance=max_distance, seed=seed)


@st.cache_resource(max_entries=16, show_spinner=False)
def learned_table(max_len: int, used: int, seed: int):
    """A learned table before training, and which rows one text trains: inspection.positions.Learned."""
    from transformer.inspection.positions import learned

    return learned(max_len, 32, used, seed)


@st.cache_resource(max_entries=24, show_spinner=False)
def look_back(positions: str, k: int, T: int, d: int, base: int, sharpness: int):
    """A head built by hand to look k places back: (its weights (T, T), (weight on the diagonal, chance))."""
    from transformer.inspection.positions import look_back, on_diagonal

    weights = look_back(positions, k, T, d, base=float(base), sharpness=float(sharpness))
    return weights, on_diagonal(weights, k)


@st.cache_resource(max_entries=24, show_spinner=False)
def beyond(trained: int, length: int, max_distance: int, seed: int):
    """What each scheme gives past the training length: inspection.positions.Beyond."""
    from transformer.inspection.positions import beyond

    return beyond(trained, length, max_distance=max_distance, seed=seed)
