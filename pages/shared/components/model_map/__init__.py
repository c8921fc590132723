"""The map of the model, in the browser: every part says what it does, and those with a page open it."""

from pathlib import Path

from pages.shared.components import component
from pages.shared.model_map import Map

_mount = component("model_map", Path(__file__).parent)


def model_map(figure: Map, *, key: str) -> str | None:
    """Put the map on the page; returns the url_path of the page that was just asked for, or None."""
    data = figure._asdict()
    data["blocks"] = [block._asdict() for block in figure.blocks]
    data["frames"] = [frame._asdict() for frame in figure.frames]
    return _mount(data=data, key=key, on_open_change=lambda: None).open
