"""What a map of a model is made of: plain data, drawn by components/model_map."""

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

BOX = 58  # height of a box without a picture


class Picture(NamedTuple):
    """A miniature of numbers in a box.

    words    labels: tokens, one after the other
    heads    rows: a map of attention weights per head, row by row, None where masked; `columns` of them side by side
    cells    rows: numbers of any sign, row by row, zero the ground; labels: the colour's name per row, "" for signed
    curves   rows: a line each
    bars     rows[0]: a bar each, from zero; labels: the name of the tallest, and its value
    steps    rows[0]: how many steps two networks take from word to word, drawn as arcs over rows[1][0] words
    """

    kind: Literal["words", "heads", "cells", "curves", "bars", "steps"]
    rows: list
    labels: Sequence[str] = ()
    columns: int = 1


class Block(NamedTuple):
    """One part of the model on the map; colour is a name of the palette.

    shape is that of the tensor that leaves it, (batch, tokens, features), and for attention that of its weights,
    (batch, heads, queries, keys). A box that is `wide` has its picture beside its words, not between them.
    """

    x: float
    y: float
    width: float
    label: str
    shape: str
    help: str
    colour: str = "quiet"
    page: str = ""
    picture: Picture | None = None
    height: float = BOX
    wide: bool = False


class Frame(NamedTuple):
    """The rounded frame around the layers that are repeated."""

    x: float
    y: float
    width: float
    height: float
    label: str


class Layout(NamedTuple):
    """Where everything stands where there is little room: boxes are (x, y, width, height), in the order of the map."""

    width: float
    height: float
    boxes: list[tuple[float, float, float, float]]
    frames: list[Frame]
    arrows: list[str]


class Map(NamedTuple):
    """Everything the drawing needs, in its own units.

    narrow  where everything stands on a phone, which would have to scroll the wide map
    corner  whether the words on a part have room in the upper right corner; else they stand below
    numbers the number of every page that a part opens
    """

    width: float
    height: float
    blocks: list[Block]
    frames: list[Frame]
    arrows: list[str]  # SVG paths
    alt: str
    hint: str = (
        "Hover over a part to see what it does; click to open its page."
        " Sizes are (batch, tokens, features), and for attention (batch, heads, queries, keys)."
    )
    narrow: Layout | None = None
    corner: bool = False
    numbers: Mapping[str, int] = {}
