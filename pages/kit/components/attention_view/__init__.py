"""The attention view: every head as a thumbnail, one head large, one query's ribbons, one cell's arithmetic.

    packed = Packed(Picture(queries=..., keys=..., weights=...))   # once per picture, costs the most
    attention_view(packed, key="heads")                            # on every run

It runs in the browser on one canvas component: hover, head, layer, stage, threshold and keyboard cost no message to
the server. Several views on one page need different keys and different `url` prefixes.
"""

from pathlib import Path

import streamlit as st

from pages.kit.components.attention_view.payload import Packed, Picture

__all__ = ["Packed", "Picture", "attention_view"]

_HERE = Path(__file__).parent
# One module to the browser, three files to the reader: numbers, drawing, and the view that joins them.
_JS = "\n".join((_HERE / name).read_text() for name in ("picture.js", "paint.js", "view.js"))
_CSS = (_HERE / "view.css").read_text()
_mount = st.components.v2.component(
    "attention_lab.attention_view", html='<div class="attention-view">\n</div>', css=_CSS, js=_JS
)


def attention_view(packed: Packed, *, key: str, url: str | None = "", compact: bool = False) -> None:
    """Put the view on the page.

    key      its name in the session
    url      what its query parameters start with ("" for none), or None to keep it out of the address bar
    compact  one head and its ribbons only: a picture among words
    """
    asked = (st.session_state.get(key) or {}).get("view")
    if asked is None and url is not None:
        asked = [st.query_params.get(f"{url}layer"), st.query_params.get(f"{url}head")]
    layer, head = _whole(asked)
    _mount(data=packed(layer, head, url=url, compact=compact), key=key, on_view_change=lambda: None)


def _whole(asked: object) -> tuple[int, int]:
    """The layer and head asked for, whatever came from the browser; (0, 0) for anything else than two whole numbers."""
    match asked:
        case [layer, head] if all(str(n).isdecimal() and len(str(n)) < 6 for n in (layer, head)):
            return int(layer), int(head)
        case _:
            return 0, 0
