"""The film of a training: every head as a thumbnail, one head large, the curves, and a track to scrub along.

What is sent is laid out as in attention_view/payload.py. A packet is whole or holds new frames only: the browser keeps
what it has of a run, and asks once for all of it (`missing`) if a packet does not join on. Playing, scrubbing, hovering
and choosing a head cost no message.

New frames come through a second component, the feed, which shows nothing: every message to a component carries the
text of its script, and that of the film is a hundred times as long as a few frames.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from attention_view.payload import as_bytes
from pages.shared.components import component

__all__ = ["Side", "chance", "film_feed", "film_view", "pack"]

_mount = component("film", Path(__file__).parent)
_feed = component("film_feed", Path(__file__).parent)
CURVES = ("loss", "val_loss", "accuracy", "exact", "lr", "grad_norm", "weight_norm", "seconds")


@dataclass(frozen=True, eq=False, kw_only=True)
class Side:
    """One training, or what is new of it.

    id        of the run: frames of the same id join on to each other
    name      "A", "B", or "" where it stands alone;  label: what was trained, in a few words
    state     "recorded", "waiting", "running", "paused", "done", "stopped", "failed"
    said      the state as a sentence
    planned   steps in all
    film      with steps, curves, parts, grad_norms, frames and axes as transformer.training.film.Film; None before the
              first frame
    first     which frame of the run the film begins with
    guess     the loss of a model that holds all tokens for equally likely: ln(vocabulary)
    causal    whether the decoder may not look ahead
    values    what stands still in a training, by the names that `code` asks for
    """

    id: str
    state: str
    planned: int
    film: Any = None
    first: int = 0
    name: str = ""
    label: str = ""
    said: str = ""
    guess: float = 0.0
    causal: bool = True
    values: dict[str, str] | None = None


def pack(sides: Sequence[Side], code: Sequence[tuple[str, str]] = (), place: str = "", alive: bool = False) -> bytes:
    """What the browser is sent.

    code   the lines of the loop, each with the name of a curve or a value that it makes, or ""; place: where they are
    alive  more is to come
    """
    header: dict = {"alive": alive, "sides": [], "code": [list(line) for line in code], "place": place}
    arrays: dict[str, np.ndarray] = {}
    for at, side in enumerate(sides):
        said = {
            "id": side.id, "name": side.name, "label": side.label, "state": side.state, "said": side.said,
            "planned": side.planned, "first": side.first, "frames": 0,
        }  # fmt: skip
        film = side.film
        if film is not None and len(film.steps):
            said["frames"] = len(film.steps)
            arrays[f"{at}.steps"] = film.steps.astype("<f4")
            arrays[f"{at}.curves"] = np.stack([film.curves[name] for name in CURVES], 1).astype("<f4")
            arrays[f"{at}.grads"] = film.grad_norms.astype("<f4")
            for p, probe in enumerate(film.frames):
                for kind, maps in probe.items():
                    arrays[f"{at}.{p}.{kind}"] = maps
            if side.first == 0:
                said |= {
                    "parts": list(film.parts),
                    "guess": side.guess,
                    "values": side.values or {},
                    "probes": [_probe(probe, film.frames[p], side.causal) for p, probe in enumerate(film.axes)],
                }
        header["sides"].append(said)
    header["curves"] = list(CURVES)
    return as_bytes(header, arrays)


def _probe(axes: dict, frames: dict, causal: bool) -> dict:
    """The labels of every kind of attention, its true alignment, and what looking at all alike would lay on it."""
    out = {}
    for kind, (queries, keys, ghost) in axes.items():
        masked = kind == "decoder" and causal
        out[kind] = {
            "queries": list(queries),
            "keys": list(keys),
            "ghost": [list(cell) for cell in ghost],
            "chance": chance(ghost, len(keys), masked),
            "masked": masked,
            "heads": list(frames[kind].shape[1:3]),
        }
    return out


def chance(ghost: Sequence[tuple[int, int]], n_keys: int, masked: bool) -> float | None:
    """The mass on the ghost of a head that looks at all that it may see alike; None without a ghost."""
    rows: dict[int, int] = {}
    for row, _ in ghost:
        rows[row] = rows.get(row, 0) + 1
    if not rows:
        return None
    return math.fsum(n / (row + 1 if masked else n_keys) for row, n in rows.items()) / len(rows)


def film_view(packed: bytes, *, key: str, on_missing: Callable[[], None]) -> None:
    """Put the film on the page. on_missing is called when the browser lacks frames that were sent before."""
    _mount(data=packed, key=key, on_missing_change=on_missing)


def film_feed(packed: bytes | None, *, key: str) -> None:
    """Hand new frames to the film on this page; None has none."""
    _feed(data=packed, key=key)
