"""The scene of any model, without a question: its whole as one picture, each number a zoom away."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from attention_view.layout import as_bytes
from lab.kit.components import component

_mount = component("model_scene", Path(__file__).parent)


def model_scene(header: Mapping[str, Any], arrays: Mapping[str, np.ndarray], *, key: str) -> None:
    """Put the scene on the page.

    header  of attention_view.scenes, with `opens`, (layer, head); `finding`: what it comes to, as parts of a sentence,
            each with the class of its colour or ""; `doors`: pages for its places, by the length of their
            paths; `marks`: pages about its parts; `units`, [F, D], where units can be entered, and `layer`, the one
            whose units are here, or -1
    arrays  of attention_view.scenes; units, out, bias, mid of that layer
    """
    _mount(data=as_bytes(dict(header), dict(arrays)), key=key)
