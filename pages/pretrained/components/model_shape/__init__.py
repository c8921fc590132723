"""The shape of a model: a mark per head."""

from pathlib import Path

from lab.kit.components import component

_mount = component("model_shape", Path(__file__).parent)


def model_shape(path: str, size: tuple[int, int], label: str, *, key: str) -> None:
    """Put a drawing on the page: its path, its width and height in pixels, and what it is in words."""
    _mount(data={"d": path, "size": list(size), "label": label}, key=key)
