"""Where each place of a scene goes on, by the length of its path.

A door is a page, the parameters that name the model and what it reads, and in `names` those that stand for a step of
the path: the number of the step. `back` names steps that the page has in its address, but takes from no door.
"""

from typing import Any

Door = dict[str, Any]
_INTO = {"att_at": 0, "att_head": 2, "att_from": 3, "att_to": 4}
_CELLS = (_INTO, _INTO | {"att_part": 5})
_HEADS: tuple[dict[str, int], ...] = ({}, {"layer": 0, "head": 2}, {"layer": 0, "head": 2, "query": 3})


def of_story(weights: str, **params: str) -> list[Door | None]:
    """The doors of a model that the pages of the story can read with, by its name on screen."""
    model = {"weights": weights, **params}
    layer = {"blocks_step": "attention"}
    heads = [_door("heads", "All heads here", model, names) for names in _HEADS]
    heads[-1]["back"] = _HEADS[-1] | {"key": 4}
    cells = [_door("attention", "Every step here", model | {"att_step": "scores"}, names) for names in _CELLS]
    return [None, _door("blocks", "This layer, step by step", model | layer, {"blocks_at": 0}), *heads, *cells]


def of_page(page: str, label: str, *, has_heads: bool = False, **params: str) -> list[Door | None]:
    """The doors of a model that one page shows; has_heads: whether that page opens a head and a row by its link."""
    deeper = (*_HEADS, _HEADS[-1], _HEADS[-1]) if has_heads else ({},) * 5
    return [_door(page, label, params, names) for names in ({}, {}, *deeper)]


def _door(page: str, label: str, params: dict[str, str], names: dict[str, int]) -> Door:
    return {"page": page, "label": label, "params": params, "names": names}
