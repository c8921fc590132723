"""The attention view: every head as a thumbnail, one head large, one query's ribbons, one cell's arithmetic.

    packed = Packed(Picture(queries=..., keys=..., weights=...))   # once per picture, costs the most
    attention_view(packed, key="heads")                            # on every run

It runs in the browser on one canvas component: hover, head, layer, stage, threshold and keyboard cost no message to
the server. Several views on one page need different keys and different `url` prefixes. `Kinds` of attention are one
view, with a switch between them in the browser.
"""

import re
from typing import Any, NamedTuple

import streamlit as st

from attention_view import Kinds, Packed
from attention_view.bundle import HERE
from lab.kit import settings
from lab.kit.components import component

# What is chosen in the view, in links: attention_view/address.js writes it, after the `url` prefix of the view.
_ADDRESS = (
    "kind",
    "layer",
    "head",
    "query",
    "key",
    "stage",
    "sort",
    "only",
    "threshold",
    "with",
    "solo",
    "grid",
    "draw",
    "special",
    "words",
    "pair",
    "map",
)
settings.share(*_ADDRESS)
_mount = component("attention_view", HERE, file="view")


class Selection(NamedTuple):
    """What is chosen in a view: a head, and in it a cell; of several kinds of attention, the number of the kind."""

    layer: int
    head: int
    query: int
    key: int
    kind: int = 0


def attention_view(
    packed: Packed | Kinds,
    *,
    key: str,
    url: str | None = "",
    compact: bool = False,
    report: bool = False,
    beside: str = "",
    staged: str = "",
    opens: tuple[int, ...] | None = None,
    code: str = "",
) -> Selection | None:
    """Put the view on the page.

    key      its name in the session
    url      what its query parameters start with ("" for none), or None to keep it out of the address bar
    compact  one head and its ribbons only: a picture among words
    report   send a message when another head or cell is chosen, and return the choice; None until there is one, and
             when what is chosen does not exist in this picture
    beside   what the page puts into the right column: "tabs" above the ribbons, "study" in their place, "" nothing
    staged   the name of the model whose heads are a stage, layer over layer, with the text above them, where there is
             the width; of the same model the view compares one text with the next. "": there is no stage
    opens    layer and head, and perhaps the query, that are in view where a link names none; None: those that the
             picture names
    code     lines of Python that make this picture, for the menu of the view; they end with a call of `show`, which is
             given the head in view. "": the menu says how its .npz is opened
    """
    sent = (st.session_state.get(key) or {}).get("view")
    layer, head, *cell, kind = _asked(packed, key, url, opens)
    other: dict[str, Any] = {} if opens is None else {"open": list(opens)}
    if isinstance(packed, Kinds):
        other["kind"] = kind
    if code:
        other["code"] = code
    if staged:
        other["staged"] = staged
    data = packed(layer, head, url=url, compact=compact, report=report, beside=beside, **other)
    _mount(data=data, key=key, on_view_change=lambda: None)
    L, H, T, S = _shape(packed, kind)
    if sent is None or len(cell) != 2 or not (layer < L and head < H and cell[0] < T and cell[1] < S):
        return None
    return Selection(layer, head, cell[0], cell[1], kind)


def head_in_view(
    packed: Packed | Kinds, *, key: str, url: str | None = "", opens: tuple[int, ...] | None = None
) -> tuple[int, int]:
    """The layer and the head that this view shows, as far as it has said: at first, what its link or it opens with."""
    layer, head, *_, kind = _asked(packed, key, url, opens)
    L, H, _, _ = _shape(packed, kind)
    return min(layer, L - 1), min(head, H - 1)


def _shape(packed: Packed | Kinds, kind: int) -> tuple[int, int, int, int]:
    """(L, H, T, S) of the kind in view."""
    return packed.pictures[packed.names[kind]].shape if isinstance(packed, Kinds) else packed.shape


def _asked(packed: Packed | Kinds, key: str, url: str | None, opens: tuple[int, ...] | None = None) -> list[int]:
    """Layer, head, perhaps a cell, and the kind, of the view's last message or else of the link; none need exist."""
    asked = (st.session_state.get(key) or {}).get("view")
    kind = 0
    if isinstance(packed, Kinds):
        named = st.query_params.get(f"{url}kind") if url is not None else None
        kind = packed.names.index(named) if named in packed.names else packed.opens_at
    if asked is None:
        first = packed.pictures[packed.names[kind]].opens if isinstance(packed, Kinds) else packed.opens
        asked = list(opens or first)[:2]
        named = [st.query_params.get(f"{url}{name}") for name in ("layer", "head")] if url is not None else []
        if any(name is not None for name in named):
            asked = [name or "0" for name in named]
    elif isinstance(packed, Kinds) and isinstance(asked, list) and len(asked) in (3, 5):
        *asked, told = asked
        (told,) = _whole([told, 0])[:1]
        kind = min(told, len(packed.names) - 1)
    return [*_whole(asked), kind]


def _whole(asked: object) -> list[int]:
    """Two or four whole numbers from whatever came from the browser; [0, 0] for anything else."""
    if not isinstance(asked, list) or len(asked) not in (2, 4):
        return [0, 0]
    if not all(isinstance(n, str | int) and re.fullmatch("[0-9]{1,5}", str(n)) for n in asked):
        return [0, 0]
    return [int(n) for n in asked]
