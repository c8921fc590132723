"""What one layer makes of a token: what its sublayers add, and the word at which the stream arrives; and the river,
the vectors of all tokens on their way through the layer, station by station. A station can be chosen."""

from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple, Protocol

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


class Said(Protocol):
    """Words and their probabilities: (additions + 1, T) each."""

    @property
    def words(self) -> Sequence[Sequence[str]]: ...

    @property
    def chances(self) -> np.ndarray: ...


def strongest(hidden: np.ndarray) -> np.ndarray:
    """Of every row those MAX_UNITS numbers that are furthest from 0, in their own order; most are silent."""
    at = np.sort(np.argsort(-np.abs(hidden), axis=1, kind="stable")[:, :MAX_UNITS], axis=1)
    return np.take_along_axis(hidden, at, 1)


def shares(stations: Sequence[Station], T: int) -> list[list[float]] | None:
    """How much of the vector that leaves the layer comes from what came in, and from what each sublayer has added, for
    the first T tokens. It is measured along the vector that leaves, so each row adds up to 1. None where the sum is
    normalised, and so is a sum no more."""
    if not stations[-1].step.startswith("add"):
        return None
    parts = [stations[0], *(b for b, s in pairwise(stations) if s.step.startswith("add"))]
    out = stations[-1].values[:T].astype(float)
    whole = (out * out).sum(1)
    along = [(part.values[:T] * out).sum(1) / np.where(whole, whole, 1) for part in parts]
    return np.round(np.stack(along, 1), 4).tolist()


def _lengths(vectors: np.ndarray) -> list[float]:
    return np.round(np.linalg.norm(vectors.astype(float), axis=1), 3).tolist()


def pack(
    tokens: Sequence[str],
    stations: Sequence[Station],
    weights: np.ndarray,
    chosen: str,
    hidden: np.ndarray,
    said: Said | None = None,
    *,
    usual: int | None = None,
    speaks_at: int | None = None,
) -> dict[str, Any]:
    """What the browser draws.

    weights  (H, T, T) attention weights: rows look at columns
    chosen   the step that is lit; "" where none is
    hidden   (T, d_ff) what the hidden units of feed-forward have
    said     what the model would say if it stopped as the layer begins, and after each of its additions
    usual    the token that is followed until another one is chosen; None: the last one
    speaks_at  the only token at which the model was trained to say anything; None: all of them
    """
    T = min(len(tokens), MAX_LANES)
    values = [station.values[:T, :MAX_FEATURES] for station in stations]
    # One scale for all stations, or nobody could see the additions; a station far larger than most is cut off.
    largest = float(np.median([np.quantile(np.abs(v), 0.98) for v in values])) if T else 0.0
    return {
        "words": list(tokens[:T]),
        "usual": max(0, T - 1 if usual is None else min(usual, T - 1)),
        "speaks_at": speaks_at,
        "left_out": len(tokens) - T,
        "features": [min(MAX_FEATURES, stations[0].values.shape[1]), stations[0].values.shape[1]],
        "largest": largest or 1.0,
        "chosen": chosen,
        "weights": np.round(weights[:, :T, :T].astype(float).mean(0), 4).tolist(),
        "heads": np.round(weights[:MAX_HEADS, :T, :T].astype(float), 3).tolist(),
        "hidden": np.round(strongest(hidden[:T].astype(float)), 2).tolist(),
        "n_hidden": hidden.shape[1],
        "shares": shares(stations, T),
        "said": said
        and [
            {"words": list(words[:T]), "chances": np.round(odds[:T].astype(float), 6).tolist()}
            for words, odds in zip(said.words, said.chances, strict=True)
        ],
        "stations": [
            {
                "step": s.step,
                "name": s.name,
                "label": s.label,
                "shape": s.shape,
                "help": s.help,
                "main": s.is_main,
                "values": np.round(shown.astype(float), 3).tolist(),
                "lengths": _lengths(s.values[:T]),
            }
            for s, shown in zip(stations, values, strict=True)
        ],
    }


def layer_river(packed: dict[str, Any], *, key: str, on_choose: Callable[[], None]) -> None:
    """Put the river on the page; `on_choose` is called once st.session_state[key]["step"] is another station."""
    _mount(data=packed, key=key, on_step_change=on_choose)
