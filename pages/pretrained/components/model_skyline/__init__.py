"""Published models as outlines in one scale, as wide as they have heads and as high as they have layers; whoever
presses one reads what it is for, and has one button."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from lab.kit.components import component, sent

_mount = component("model_skyline", Path(__file__).parent)


class Model(NamedTuple):
    """A model as it is drawn, and what is said of it once it is chosen.

    stacks   (layers, heads per layer, whether they only look back) of each: one, or those of an encoder, of its decoder
             and, between them, of cross-attention
    facts    one line of figures; why: what one sees in it
    does     what its button asks for; says: what is written on the button; "" for one that cannot be pressed
    is_here  whether it is on this server; arrived: the share of it that is, while it is on its way
    note     what became of the last press; "" for nothing
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


def model_skyline(models: Sequence[Model], refused: str, *, key: str, on_press: Callable[[int], None]) -> None:
    """Put the models on the page; on_press is called with the number of the one whose button is pressed.

    refused  why none can be downloaded; "" where they can
    """

    def pressed() -> None:
        n = sent(key, "press", int)
        if n is not None and 0 <= n < len(models) and models[n].does:
            on_press(n)

    _mount(data={"models": [model._asdict() for model in models], "refused": refused}, key=key, on_press_change=pressed)
