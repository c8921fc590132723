"""The feed-forward units of a layer as a message of their own: neither the picture nor the page is sent again."""

from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
import streamlit as st

from attention_view.layout import as_bytes
from lab.kit.components import component, sent

_mount = component("units_feed", Path(__file__).parent)
NO_LAYER = -1


@st.fragment
def units_feed(
    reading: str, n_layers: int, units: Callable[[int], Mapping[str, np.ndarray] | None], *, key: str
) -> None:
    """Put on the page what answers the scene's questions; it cannot be seen.

    reading  the tokens of what is read: whoever asks names them, so that no answer is one to another sentence
    units    layer -> its feed-forward network, as passes.units_of has it; None where it has none
    """
    asked = sent(key, "asked", dict) or {}
    layer = asked.get("layer")
    is_there = asked.get("reading") == reading and type(layer) is int and 0 <= layer < n_layers
    arrays = (units(layer) if is_there else None) or {}
    header = {"reading": reading, "layer": layer if arrays else NO_LAYER}
    _mount(data=as_bytes(header, dict(arrays)), key=key, on_asked_change=lambda: None)
