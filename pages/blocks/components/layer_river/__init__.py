"""What one layer makes of a token: what its sublayers add, and the word at which the stream arrives; and the walk
through the layer, a picture per station. A station can be chosen."""

from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np

from lab.kit.components import component

MAX_LANES = 24
MAX_HEADS = 12  # one above the other, at the station of attention
ITSELF = 0.01  # of the attention: where all others together get less, a token looks at itself alone
MAX_UNITS = 1024  # hidden ones, as many dots as can be told apart

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


class Units(NamedTuple):
    """The hidden units of feed-forward: whether each fires for a token, and its share of what feed-forward adds to that
    token, (T, F) each."""

    fires: np.ndarray
    shares: np.ndarray


def half(shares: np.ndarray) -> int | None:
    """How few of these shares add up to one half; None where not even all of them do."""
    sums = np.cumsum(np.sort(shares)[::-1])
    return int(np.argmax(sums >= 0.5)) + 1 if (sums >= 0.5).any() else None


def _units(units: Units, T: int) -> dict[str, Any]:
    """Of each of the first T tokens: how many units fire, how few do half of the work, and which fire, with their
    shares in hundredths of a per cent."""
    fires, shares = units.fires[:T], units.shares[:T].astype(float)
    drawn = [np.flatnonzero(row[:MAX_UNITS]) for row in fires]
    return {
        "n": fires.shape[1],
        "drawn": min(MAX_UNITS, fires.shape[1]),
        "awake": fires.sum(1).tolist(),
        "half": [half(row) for row in shares],
        "at": [places.tolist() for places in drawn],
        "does": [np.round(1e4 * row[at]).astype(int).tolist() for row, at in zip(shares, drawn, strict=True)],
    }


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


def _seen(tokens: Sequence[str], weights: np.ndarray, T: int) -> list[dict[str, Any] | None]:
    """For each of the first T tokens: which other token of the whole text gets most of its attention, its share over
    all heads, and the head that gives it most; None where next to nothing goes to others."""
    mean = weights.astype(float).mean(0)
    seen: list[dict[str, Any] | None] = []
    for lane in range(T):
        others = mean[lane].copy()
        others[lane] = 0
        source = int(others.argmax())
        if others.sum() < ITSELF or others[source] <= 0:
            seen.append(None)
            continue
        head = int(weights[:, lane, source].argmax())
        given = round(float(weights[head, lane, source]), 4)
        share = round(float(others[source]), 4)
        seen.append({"source": source, "word": tokens[source], "share": share, "head": head, "given": given})
    return seen


def _lengths(vectors: np.ndarray) -> list[float]:
    return np.round(np.linalg.norm(vectors.astype(float), axis=1), 3).tolist()


def pack(
    tokens: Sequence[str],
    stations: Sequence[Station],
    weights: np.ndarray,
    chosen: str,
    units: Units,
    said: Said | None = None,
    *,
    usual: int | None = None,
    speaks_at: int | None = None,
    parallel: bool = False,
    opened: dict[str, Any] | None = None,
) -> dict[str, Any]:
    """What the browser draws.

    weights  (H, T, T) attention weights: rows look at columns
    chosen   the step that is lit; "" where none is
    units    the hidden units of feed-forward
    said     what the model would say if it stopped as the layer begins, and after each of its additions
    usual    the token that is followed until another one is chosen; None: the last one
    speaks_at  the only token at which the model was trained to say anything; None: all of them
    parallel   whether both sublayers read the stream as it comes in
    opened     what it would say if they added less: see Openings.packed()
    """
    T = min(len(tokens), MAX_LANES)
    return {
        "words": list(tokens[:T]),
        "usual": max(0, T - 1 if usual is None else min(usual, T - 1)),
        "speaks_at": speaks_at,
        "left_out": len(tokens) - T,
        "width": stations[0].values.shape[1],
        "parallel": parallel,
        "chosen": chosen,
        "weights": np.round(weights[:, :T, :T].astype(float).mean(0), 4).tolist(),
        "heads": np.round(weights[:MAX_HEADS, :T, :T].astype(float), 3).tolist(),
        "n_heads": len(weights),
        "seen": _seen(tokens, weights, T),
        "units": _units(units, T),
        "shares": shares(stations, T),
        "said": said
        and [
            {"words": list(words[:T]), "chances": np.round(odds[:T].astype(float), 6).tolist()}
            for words, odds in zip(said.words, said.chances, strict=True)
        ],
        "opened": opened,
        "stations": [
            {
                "step": s.step,
                "name": s.name,
                "label": s.label,
                "shape": s.shape,
                "help": s.help,
                "main": s.is_main,
                "lengths": _lengths(s.values[:T]),
            }
            for s in stations
        ],
    }


def layer_river(packed: dict[str, Any], *, key: str, on_choose: Callable[[], None]) -> None:
    """Put it on the page; `on_choose` is called once st.session_state[key]["step"] is another station."""
    _mount(data=packed, key=key, on_step_change=on_choose)
