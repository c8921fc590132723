"""Choose the next word: the story, what may come next, the numbers that decide, where the model looked, the branches.

The four settings of the draw work in the browser, on the logits of the text that stands; only another word costs a
message. A vocabulary of tens of thousands stays on the server: then the browser has the Ladder of its likeliest tokens,
and a setting is a message, too. What comes back is one action, which is checked by `received_action`.
"""

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from math import isfinite
from pathlib import Path
from typing import Any

import numpy as np
import streamlit as st

from lab.kit.components import component
from pages.generation.components.next_word.ladder import Ladder, ladder
from pages.generation.components.next_word.tree import MAX_NODES, ROOT, Tree, pack, unpack

__all__ = [
    "MAX_NODES",
    "ROOT",
    "SEEDS",
    "Action",
    "Knobs",
    "Ladder",
    "Tree",
    "Words",
    "ladder",
    "next_word",
    "pack",
    "parse_knobs",
    "received_action",
    "unpack",
]

_mount = component("next_word", Path(__file__).parent)
SEEDS = 400  # random numbers at each position: four times a hundred draws


@dataclass(frozen=True)
class Knobs:
    """The settings of a draw. top_k=0: all tokens."""

    temperature: float = 1.0
    top_k: int = 0
    top_p: float = 1.0
    penalty: float = 1.0
    seed: int = 0


_BOUNDS = {"temperature": (0, 2), "top_k": (0, 100_000), "top_p": (0.01, 1), "penalty": (1, 2), "seed": (0, SEEDS - 1)}
DEFAULTS = Knobs()
_DEEDS = ("pick", "go", "from", "write", "anew", "turn")


def parse_knobs(given: object) -> Knobs:
    """Settings from a link or from the browser; whatever is no number or out of bounds becomes the default."""
    texts = given if isinstance(given, dict) else {}
    knobs: dict[str, Any] = {}
    for name, (low, high) in _BOUNDS.items():
        default = getattr(DEFAULTS, name)
        asked = texts.get(name, default)
        try:
            value = float(str(asked)[:12] if isinstance(asked, str | int | float) else default)
        except ValueError:
            value = default
        fits = isfinite(value) and low <= value <= high and (isinstance(default, float) or value == int(value))
        knobs[name] = type(default)(value) if fits else default
    return Knobs(**knobs)


@dataclass(frozen=True)
class Action:
    """What the visitor does: "pick" (a token after the present text), "go" (to a node), "from" (as many tokens of the
    beginning), "write" (to the end), "anew" (an empty tree) or "turn" (a knob, where the server works out what it
    does)."""

    do: str
    number: int = 0
    knobs: Knobs = DEFAULTS


def received_action(key: str) -> Action | None:
    """The action just taken in the component of this name; None for anything else that it sent."""
    message = (st.session_state.get(key) or {}).get("act")
    if not isinstance(message, dict) or message.get("do") not in _DEEDS:
        return None
    number = message.get("number", 0)
    if isinstance(number, bool) or not isinstance(number, int) or not ROOT <= number < 2**31:
        return None
    return Action(message["do"], number, parse_knobs(message.get("knobs")))


@dataclass(frozen=True, eq=False)
class Words:
    """What is drawn.

    labels     of every token of the vocabulary; with a ladder, of those that are seen, by id
    given      ids of the beginning;  `tree` and `at` say what came after
    later      ids with which the beginning goes on, which are not read yet
    typed      ids with which it goes on in the box, also where another token was taken
    starts     whether the first of them stands for the start, not for text
    probs      (nodes,) the share of each node in the draw where it stands;  ranks (nodes,) 1 for the likeliest there
    logits     (V,) of what may come next, or the ladder in their place
    draws      (SEEDS,) the number from 0 to 1 that each seed draws here
    attention  (L, H, S) where the last token of the text looks
    whole      ids of the tokens that are whole words; None where no word is written in pieces, or nobody knows
    glue       what stands between two tokens of the beginning
    end        the id after which nothing comes, None if there is none;  full: no more tokens have room
    note       what has to be said of the last action; "" for nothing
    """

    labels: tuple[str, ...] | Mapping[int, str]
    given: tuple[int, ...]
    later: tuple[int, ...]
    typed: tuple[int, ...]
    starts: bool
    tree: Tree
    at: int
    probs: np.ndarray
    ranks: np.ndarray
    logits: np.ndarray | Ladder
    draws: tuple[float, ...]
    attention: np.ndarray
    whole: frozenset[int] | None
    glue: str
    end: int | None
    full: bool
    note: str = ""


def next_word(words: Words, knobs: Knobs, *, key: str, url: str, on_act: Callable[[], None]) -> None:
    """Put it on the page. url: what the names of its query parameters begin with."""
    data = {
        **asdict(knobs),
        "labels": dict(words.labels) if isinstance(words.labels, Mapping) else list(words.labels),
        "given": list(words.given),
        "later": list(words.later),
        "typed": list(words.typed),
        "starts": words.starts,
        "nodes": [
            [parent, id, float(p), int(rank)]
            for (parent, id), p, rank in zip(words.tree.nodes, words.probs, words.ranks, strict=True)
        ],
        "at": words.at,
        "logits": [] if isinstance(words.logits, Ladder) else [float(x) for x in words.logits],
        "ladder": words.logits.json() if isinstance(words.logits, Ladder) else None,
        "draws": list(words.draws),
        "attention": np.round(words.attention.astype(float), 5).tolist(),
        "whole": None if words.whole is None else sorted(words.whole),
        "glue": words.glue,
        "end": words.end,
        "full": words.full,
        "note": words.note,
        "url": url,
        "head": st.query_params.get(f"{url}head", ""),
    }
    _mount(data=data, key=key, on_act_change=on_act)
