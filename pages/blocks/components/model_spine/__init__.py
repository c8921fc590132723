"""A whole model on its stream, layer above layer, of which any part can be pressed out, and what it then says."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from lab.kit.components import component
from pages.blocks.losses.data import Costs

LAST = 4  # tokens of the text that stand before the answer

_mount = component("model_spine", Path(__file__).parent)


class Verdict(NamedTuple):
    """What a model says.

    name  which model it is; word: its answer, "" where it was not trained to give one
    odds  the share that stands beside the answer, or in its place; more: a line below
    """

    name: str
    word: str
    odds: str
    more: str


def pack(
    tokens: Sequence[str],
    n_layers: int,
    out: str,
    asked: str,
    verdicts: Sequence[Verdict],
    costs: Costs | None,
    *,
    finding: str = "",
    is_pre_norm: bool,
    is_parallel: bool,
) -> dict[str, Any]:
    """What the browser draws.

    tokens       which the answer goes on from; () where it does not
    out          what is out, as links have it; asked: the same, "" where nobody asked and a link need not say it
    verdicts     of the whole model, and of the one without what is out
    costs        what each sublayer alone is worth
    finding      which of them the model cannot do without, in a sentence
    is_pre_norm  whether each norm stands before its sublayer; is_parallel: whether both sublayers read the same stream
    """
    return {
        "before": list(tokens[-LAST:]),
        "n_layers": n_layers,
        "out": out,
        "asked": asked,
        "verdicts": [verdict._asdict() for verdict in verdicts],
        "costs": costs
        and [
            [
                {"moved": round(float(moved), 4), "word": word, "odds": f"{odds:.0%}" if word else ""}
                for moved, word, odds in zip(*layer, strict=True)
            ]
            for layer in zip(costs.moved, costs.words, costs.odds, strict=True)
        ],
        "finding": finding,
        "is_pre_norm": is_pre_norm,
        "is_parallel": is_parallel,
    }


def model_spine(packed: dict[str, Any], *, key: str, on_press: Callable[[], None]) -> None:
    """Put the model on the page; `on_press` is called once st.session_state[key]["out"] names other parts."""
    _mount(data=packed, key=key, on_out_change=on_press)
