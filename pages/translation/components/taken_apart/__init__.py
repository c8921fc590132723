"""A model as a machine of four parts, which a hand pulls out and pushes in, and what it writes without each."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from lab.kit.components import component

FULL = 127  # what the largest number of the memory is sent as
NOTHING = "nothing"  # is taken out
ONE_HEAD = "one head"

_mount = component("taken_apart", Path(__file__).parent)


class Written(NamedTuple):
    """What is written without a part: its words, without the end; whether it ends; and how many of N are right."""

    words: Sequence[str]
    ended: bool
    right: int


def payload(
    source: Sequence[str],
    texts: Mapping[str, Written],
    out: str,
    *,
    n: int,
    ordered: bool,
    memory: np.ndarray,
    weights: np.ndarray,
    even: np.ndarray,
    heads: Sequence[tuple[str, int, int]],
    head: tuple[str, int, int] | None,
    without: Mapping[tuple[str, int, int] | None, Sequence[str]],
    fault: str = "",
) -> dict[str, Any]:
    """What the browser is sent. Raises ValueError where a text of what is out, or of the whole model, is missing.

    texts    by what is out; NOTHING: of the whole model
    n        how many sentences were tried
    ordered  whether the model learned with positions
    memory   (S, D), the encoder's output
    weights  (T, S), where the whole model looks; even: without the choice of where to look
    heads    of each kind of attention (its key, its layers, the heads of each)
    head     the one that is out, or None
    without  what is written, token by token, without each head that the sentence needs; None: without all others
    fault    what has to be said first of the whole model's translation; "" where it is right
    """
    if not {NOTHING, out} <= texts.keys():
        raise ValueError(f"there is no text of the whole model and of one without {out}")
    largest = float(np.abs(memory).max()) or 1.0
    return {
        "source": list(source),
        "texts": {name: {**text._asdict(), "words": list(text.words)} for name, text in texts.items()},
        "out": out,
        "n": n,
        "ordered": ordered,
        "memory": np.round(FULL * memory / largest).astype(int).tolist(),
        "weights": np.round(weights, 3).tolist(),
        "even": np.round(even, 3).tolist(),
        "heads": [list(kind) for kind in heads],
        "head": list(head) if head else None,
        "without": {",".join(map(str, one or ())): list(text) for one, text in without.items()},
        "fault": fault,
    }


def taken_apart(data: dict[str, Any], *, key: str, on_press: Callable[[], None]) -> None:
    """Puts a payload on the page; `on_press` is called once st.session_state[key]["press"] says what is to be out:
    the name of a part, with ":kind:layer:head" behind it where that is one head."""
    _mount(data=data, key=key, on_press_change=on_press)
