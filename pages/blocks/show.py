"""The components of this page, each under its key."""

from pages.shared.components.model_map import model_map as _model_map
from pages.shared.model_map import Map


def diagram(drawing: Map, *, key: str) -> str | None:
    """A drawing of parts in the manner of the model map; returns what was just opened, or None."""
    return _model_map(drawing, key=key)
