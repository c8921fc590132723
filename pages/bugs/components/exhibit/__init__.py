"""A healthy model beside the one with the wrong line, and the lines: the right press heals it, in the browser."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from lab.kit.components import component, sent
from pages.bugs.data import Symptom
from pages.bugs.listing import Line

_mount = component("exhibit", Path(__file__).parent)


def exhibit(
    shown: Symptom,
    pictures: Sequence[dict[str, Any]],
    lines: Sequence[Line],
    *,
    is_cured: bool,
    key: str,
    on_turn: Callable[[bool], None],
) -> None:
    """Put it on the page.

    pictures  what an instrument reads of a healthy model and of this one, as panels.picture() has it
    on_turn   called with whether the line is cured, each time that somebody presses it
    """

    def turned() -> None:
        is_now_cured = sent(key, "cured", bool)
        if is_now_cured is not None:
            on_turn(is_now_cured)

    code = [{**line._asdict(), "gloss": line.gloss[:1].upper() + line.gloss[1:]} for line in lines]
    data = {"answers": shown._asdict(), "pictures": pictures, "code": code, "cured": is_cured}
    _mount(data=data, key=key, on_cured_change=turned)
