"""The river: the vectors of all tokens on their way through one layer, station by station. A station can be chosen."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from lab.kit.components import component

MAX_LANES = 24
MAX_FEATURES = 64  # stripes; more cannot be told apart
MAX_HEADS = 8  # side by side, where attention is seen closely
MAX_UNITS = 128  # hidden ones, as many as can be told apart where feed-forward is seen closely

_mount = component("layer_river", Path(__file__).parent)


class Station(NamedTuple):
    """One step of the layer, and the vectors (T, D) that leave it.

    step     its name for the model
    name     its name in links
    label    its name on screen; `shape` is said with it to who points at it
    help     what happens there
    is_main  whether what leaves it is the stream itself, and not what a sublayer adds to it
    """

    step: str
    name: str
    label: str
    shape: str
    help: str
    is_main: bool
    values: np.ndarray


def strongest(hidden: np.ndarray) -> np.ndarray:
    """Of every row those MAX_UNITS numbers that are furthest from 0, in their own order; most are silent."""
    at = np.sort(np.argsort(-np.abs(hidden), axis=1, kind="stable")[:, :MAX_UNITS], axis=1)
    return np.take_along_axis(hidden, at, 1)


def pack(
    tokens: Sequence[str], stations: Sequence[Station], weights: np.ndarray, chosen: str, hidden: np.ndarray
) -> dict[str, Any]:
    """What the browser draws.

    weights  (H, T, T) attention weights: rows look at columns
    chosen   the step that is lit; "" where none is
    hidden   (T, d_ff) what the hidden units of feed-forward have
    """
    T = min(len(tokens), MAX_LANES)
    values = [station.values[:T, :MAX_FEATURES] for station in stations]
    # One scale for all stations, or nobody could see the additions; a station far larger than most is cut off.
    largest = float(np.median([np.quantile(np.abs(v), 0.98) for v in values])) if T else 0.0
    return {
        "words": list(tokens[:T]),
        "left_out": len(tokens) - T,
        "features": [min(MAX_FEATURES, stations[0].values.shape[1]), stations[0].values.shape[1]],
        "largest": largest or 1.0,
        "chosen": chosen,
        "weights": np.round(weights[:, :T, :T].astype(float).mean(0), 4).tolist(),
        "heads": np.round(weights[:MAX_HEADS, :T, :T].astype(float), 3).tolist(),
        "hidden": np.round(strongest(hidden[:T].astype(float)), 2).tolist(),
        "n_hidden": hidden.shape[1],
        "stations": [
            {
                "step": s.step,
                "name": s.name,
                "label": s.label,
                "shape": s.shape,
                "help": s.help,
                "main": s.is_main,
                "values": np.round(shown.astype(float), 3).tolist(),
                "lengths": np.round(np.linalg.norm(s.values[:T].astype(float), axis=1), 3).tolist(),
            }
            for s, shown in zip(stations, values, strict=True)
        ],
    }


def layer_river(packed: dict[str, Any], *, key: str, on_choose: Callable[[], None]) -> None:
    """Put the river on the page; `on_choose` is called once st.session_state[key]["step"] is another station."""
    _mount(data=packed, key=key, on_step_change=on_choose)
