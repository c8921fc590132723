"""A as a link keeps it: the settings that are not as usual, to the link and back."""

from collections.abc import Mapping
from typing import Any

from pages.live.controls import CONTROLS
from pages.live.panel import MAX_HEADS, lacking
from pages.live.values import Values, usual


def unpinned(pinned: Mapping[str, str], values: Values) -> Values:
    """A as a link has pinned it, for the task of B, `values`; a setting that the link lacks, or that cannot be, is as
    usual."""
    task = values.declaration
    if task.needs_text:
        return values
    default = usual(task)
    options: dict[str, tuple[Any, ...]] = {
        name: (*control.options, getattr(default, name))
        for name, control in CONTROLS.items()
        if name not in lacking(task) | {"level", "window"}
    }
    options["heads"] = tuple(range(1, MAX_HEADS + 1))
    options["warmup"] = tuple(range(1, max(CONTROLS["steps"].options) + 1))  # its default follows the steps
    chosen = {name: option for name, some in options.items() for option in some if str(option) == pinned.get(name)}
    result = default._replace(**chosen)
    result = result._replace(**{name: value for name, value in result.following.items() if name not in chosen})
    return result if result.d_model % result.heads == 0 else values


def pinned(values: Values) -> dict[str, Any]:
    """What of these settings a link has to say: those that are not as usual."""
    default = usual(values.declaration)._asdict() | values.following
    return {name: value for name, value in values._asdict().items() if value != default[name]}
