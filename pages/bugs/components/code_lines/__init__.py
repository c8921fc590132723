"""Lines of code, one of which is wrong: whoever suspects one presses it, and the server says whether it is the one."""

from collections.abc import Callable, Collection, Sequence
from pathlib import Path

from lab.kit.components import component, sent
from pages.bugs.listing import Line

_mount = component("code_lines", Path(__file__).parent)


def payload(lines: Sequence[Line], *, tried: Collection[int], is_open: bool, is_cured: bool) -> dict:
    """What the browser is sent; the wrong line and its cure only once it has been found.

    tried  numbers of the lines that were pressed, and that nothing is wrong with
    """
    return {
        "code": [
            {
                "text": line.text,
                "depth": line.depth,
                "head": line.is_head,
                "gloss": line.gloss[:1].upper() + line.gloss[1:],
                "tried": n in tried,
                "cure": line.cure if is_open else None,
            }
            for n, line in enumerate(lines)
        ],
        "open": is_open,
        "cured": is_cured,
    }


def code_lines(data: dict, *, key: str, on_press: Callable[[int], None]) -> None:
    """Put the lines on the page; on_press is called with the number of the one that is pressed."""

    def pressed() -> None:
        n = sent(key, "press", int)
        if n is not None and 0 <= n < len(data["code"]) and not data["code"][n]["head"]:
            on_press(n)

    _mount(data=data, key=key, on_press_change=pressed)
