"""One published model, large, a cell per head and a row per layer; beside it all of them as outlines in
one scale. It runs in the browser."""

from base64 import b64encode
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from lab.kit.components import component, sent

_mount = component("model_skyline", Path(__file__).parent)


class Model(NamedTuple):
    """A model as it is drawn, and what is said of it once it is chosen.

    stacks   (layers, heads per layer, whether they only look back) of each: one, or those of an encoder, of its decoder
             and, between them, of cross-attention; () for one that nobody knows yet, an empty lot
    facts    one line of figures; why: what one sees in it
    does     what its button asks for; says: what is written on the button; "" for one that cannot be pressed
    is_here  whether it is on this server; arrived: the share of it that is, while it is on its way
    note     what became of the last press, or what one is good for; "" for nothing
    text     a short text that it has read;  maps: a byte for each attention weight in it, head by head, in base64;
             n: how many tokens it has. "", "" and 0 where that was not recorded
    tokens   of that text;  asks: the number of the one that is looked from;  rows: its attention weights in each head,
             (heads, n);  opens: the number of the head that is lit at first
    """

    title: str
    stacks: tuple[tuple[int, int, bool], ...]
    facts: str
    why: str
    does: str
    says: str
    is_here: bool = False
    arrived: float | None = None
    note: str = ""
    text: str = ""
    maps: str = ""
    n: int = 0
    tokens: tuple[str, ...] = ()
    asks: int = 0
    rows: tuple[tuple[float, ...], ...] = ()
    opens: int = 0

    def having_read(self, text: str, tokens: Sequence[str], weights: np.ndarray, edge: tuple[int, int]) -> "Model":
        """The same with what its heads look at: (layers, heads, n, n) weights. Lit is the head in which the first token
        of `edge` looks most at the second, above what all other tokens give to it: not one where everybody looks there.
        """
        n, (query, key) = weights.shape[-1], edge
        whole = np.round(255 * weights.astype("f4")).astype("u1")
        heads = weights.astype("f4").reshape(-1, n, n)
        rows, others = heads[:, query], np.delete(heads[:, :, key], query, axis=1).mean(-1)
        return self._replace(
            text=text,
            maps=b64encode(whole.tobytes()).decode(),
            n=n,
            tokens=tuple(tokens),
            asks=query,
            rows=tuple(tuple(row) for row in rows.round(4).tolist()),
            opens=int((rows[:, key] - others).argmax()),
        )


def model_skyline(models: Sequence[Model], *, key: str, on_press: Callable[[int], None]) -> None:
    """Put the models on the page; on_press is called with the number of the one whose button is pressed."""

    def pressed() -> None:
        n = sent(key, "press", int)
        if n is not None and 0 <= n < len(models) and models[n].does:
            on_press(n)

    _mount(data={"models": [model._asdict() for model in models]}, key=key, on_press_change=pressed)
