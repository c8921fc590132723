"""What a map of a model is made of: plain data, drawn by components/model_map."""

from typing import NamedTuple

BOX = 58  # height of a box


class Block(NamedTuple):
    """One part of the model on the map; colour is a name of the palette.

    shape is that of the tensor that leaves it, (batch, tokens, features), and for attention that of its weights,
    (batch, heads, queries, keys).
    """

    x: float
    y: float
    width: float
    label: str
    shape: str
    help: str
    colour: str = "quiet"
    page: str = ""


class Frame(NamedTuple):
    """The rounded frame around the layers that are repeated."""

    x: float
    y: float
    width: float
    height: float
    label: str


class Map(NamedTuple):
    """Everything the drawing needs, in its own units."""

    width: float
    height: float
    blocks: list[Block]
    frames: list[Frame]
    arrows: list[str]  # SVG paths
    alt: str
    hint: str = (
        "Point at a part to read what it does, choose it to open its page."
        " Sizes are (batch, tokens, features), and for attention (batch, heads, queries, keys)."
    )
