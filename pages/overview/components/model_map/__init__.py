"""The map of the model, in the browser: every part says what it does, and those with a page open it."""

from pathlib import Path

from lab.kit.components import component
from pages.overview.parts import Layout, Map

_mount = component("model_map", Path(__file__).parent)


def model_map(figure: Map, *, key: str) -> str | None:
    """Put the map on the page; returns which of its blocks' pages was just asked for, or None."""
    data = figure._asdict()
    data["blocks"] = [
        block._asdict() | {"picture": block.picture._asdict() if block.picture else None} for block in figure.blocks
    ]
    data["frames"] = [frame._asdict() for frame in figure.frames]
    data["numbers"] = dict(figure.numbers)
    data["narrow"] = _layout(figure.narrow) if figure.narrow else None
    asked = _mount(data=data, key=key, on_open_change=lambda: None).open
    pages = [block.page for block in figure.blocks if block.page]
    return asked if asked in pages else None  # whatever a browser sent: it may be no text at all


def _layout(layout: Layout) -> dict:
    return layout._asdict() | {"frames": [frame._asdict() for frame in layout.frames]}
