"""How much work a function does, counted in lines of Python: the same on every machine, however busy it is."""

import gc
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any


def lines_run(function: Callable[[], Any]) -> int:
    """How many lines of Python run until `function()` returns. What runs inside C counts as the line that calls it.

    No garbage is collected meanwhile: whoever listens to that runs lines of their own.
    """
    count, before = 0, sys.gettrace()

    def trace(frame: FrameType, event: str, arg: object) -> Callable:
        nonlocal count
        count += event == "line"
        return trace

    gc.disable()
    sys.settrace(trace)
    try:
        function()
    finally:
        sys.settrace(before)
        gc.enable()
    return count
