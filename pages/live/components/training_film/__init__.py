"""The film of a training: every head as a thumbnail, one head large, the curves, and a track to scrub along.

A packet has the layout of attention_view/payload.py. It is whole or holds new frames only: the browser keeps what it
has of a run, and asks once for all of it (`missing`) if a packet does not join on. Playing, scrubbing, hovering and
choosing a head cost no message.

New frames come through a second component, the feed, which shows nothing: every message to a component carries the
text of its script, and the script of the film is a hundred times as long as a few frames.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from attention_view.payload import as_bytes
from lab.kit.components import component
from lab.kit.words import as_said
from transformer import training

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
    status    the state as a sentence
    planned   steps in all
    film      None before the first frame
    first     the number of the film's first frame in the run
    guess     the loss of a model that holds all tokens for equally likely: ln(vocabulary)
    causal    whether the decoder is kept from looking ahead
    values    what does not change during a training, by the names that `code` refers to
    about     the model in a few words
    tiles     the curves whose values are shown large, each with its name
    turns     the steps after which knobs were turned, each with what was set to what
    score     what the weight on the true alignment is called, for a task where it has a name of its own
    """

    id: str
    state: str
    planned: int
    film: "training.film.Film | None" = None
    first: int = 0
    name: str = ""
    label: str = ""
    status: str = ""
    guess: float = 0.0
    causal: bool = True
    values: dict[str, str] | None = None
    about: str = ""
    tiles: dict[str, str] | None = None
    turns: Sequence[tuple[int, str]] = ()
    score: str = ""


def pack(
    sides: Sequence[Side],
    code: Sequence[tuple[str, str]] = (),
    place: str = "",
    *,
    alive: bool = False,
    to_train: int = 0,
    trains: bool = False,
) -> bytes:
    """A packet for the browser.

    code      the lines of the loop, each with the name of a curve or a value that it makes, or ""
    place     where these lines are
    alive     whether more packets will follow
    to_train  steps of the training that a visitor would begin now, 0 where that has not changed; trains: whether it is
              the one that is recorded on screen
    """
    header: dict[str, Any] = {"alive": alive, "sides": [], "code": [list(line) for line in code], "place": place}
    arrays: dict[str, np.ndarray] = {}
    for at, side in enumerate(sides):
        facts: dict[str, Any] = {
            "id": side.id,
            "name": side.name,
            "label": side.label,
            "state": side.state,
            "said": side.status,
            "planned": side.planned,
            "first": side.first,
            "frames": 0,
            "about": side.about,
            "turns": [list(turn) for turn in side.turns],
            **({"values": side.values} if side.values else {}),
        }
        if (film := side.film) is not None and len(film.steps):
            facts["frames"] = len(film.steps)
            arrays[f"{at}.steps"] = film.steps.astype("<f4")
            arrays[f"{at}.curves"] = np.stack([film.curves[name] for name in CURVES], 1).astype("<f4")
            if film.script and film.script.curves:
                facts["more"] = list(film.script.curves)
                arrays[f"{at}.more"] = np.stack([film.curves[name] for name in film.script.curves], 1).astype("<f4")
            arrays[f"{at}.grads"] = film.grad_norms.astype("<f4")
            for p, probe in enumerate(film.frames):
                for kind, maps in probe.items():
                    arrays[f"{at}.{p}.{kind}"] = maps
            for p, written in enumerate(film.written):
                arrays[f"{at}.{p}.ids"] = written.ids.astype("<f4")
                arrays[f"{at}.{p}.chances"] = written.chances
            if side.first == 0:
                arrays |= {f"{at}.{p}.pixels": pixels for p, pixels in enumerate(_pictures(film))}
                facts |= {
                    "parts": list(film.parts),
                    "guess": side.guess,
                    "tiles": side.tiles or {},
                    **({"score": side.score} if side.score else {}),
                    "script": _script(film),
                    "probes": [_probe(film, p, side.causal) for p in range(len(film.axes))],
                }
        header["sides"].append(facts)
    begun = {"to_train": to_train} | ({"trains": trains} if to_train else {})
    return as_bytes(header | {"curves": list(CURVES)} | begun, arrays)


def _script(film: "training.film.Film") -> dict[str, Any] | None:
    """What the model is asked, and the words of its answers; None for a film that does not know the answers."""
    script = film.script
    if script is None or not film.written:
        return None
    asked = [
        {"reads": _labels(film, reads), "right": list(question.right), "remark": question.remark}
        for question, reads in zip(script.questions, script.reads, strict=True)
    ]
    facts: dict[str, Any] = {"asked": asked, "words": _labels(film, script.words), "separator": script.separator}
    if script.sight:
        side, across, rows = script.sight.side, script.sight.across, list(script.sight.rows)
        facts["sight"] = {"side": side, "across": across, "rows": rows, "reads": script.sight.reads}
    return facts


def _pictures(film: "training.film.Film") -> list[np.ndarray]:
    """The pictures that the model is asked about, (side, side, 3) uint8 each; [] for a film of texts."""
    script = film.script
    if script is None or script.sight is None:
        return []
    side = script.sight.side
    return [np.frombuffer(bytes(q.reads), np.uint8).reshape(side, side, 3) for q in script.questions]


def _labels(film: "training.film.Film", tokens: Sequence[str]) -> list[str]:
    """Tokens as a reader sees them; where nothing stands between two, ## is a text's own."""
    is_glued = film.script is not None and film.script.separator == ""
    return list(tokens) if is_glued else list(map(as_said, tokens))


def _probe(film: "training.film.Film", p: int, causal: bool) -> dict[str, dict]:
    """The labels of every kind of attention, its true alignment, and the weight on that by chance."""
    result = {}
    for kind, (queries, keys, alignment) in film.axes[p].items():
        masked = kind == "decoder" and causal
        result[kind] = {
            "queries": _labels(film, queries),
            "keys": _labels(film, keys),
            "ghost": [list(cell) for cell in alignment],
            "chance": chance(alignment, len(keys), masked),
            "masked": masked,
            "heads": list(film.frames[p][kind].shape[1:3]),
        }
    return result


def chance(alignment: Sequence[tuple[int, int]], n_keys: int, masked: bool) -> float | None:
    """The weight on the alignment of a head that looks at all unmasked keys equally; None without an alignment."""
    rows: dict[int, int] = {}
    for row, _ in alignment:
        rows[row] = rows.get(row, 0) + 1
    if not rows:
        return None
    return math.fsum(n / (row + 1 if masked else n_keys) for row, n in rows.items()) / len(rows)


def film_view(packed: bytes, *, key: str, on_missing: Callable[[], None]) -> None:
    """Put the film on the page. on_missing is called when the browser lacks frames that were sent before."""
    _mount(data=packed, key=key, on_missing_change=on_missing)


def film_feed(packed: bytes | None, *, key: str) -> None:
    """Hand new frames to the film on this page; None hands it nothing."""
    _feed(data=packed, key=key)
