"""Settings in a few words: a model's, what sets two apart, and where knobs were turned."""

from collections.abc import Sequence
from typing import Any

from pages.live.controls import CONTROLS, KNOBS
from pages.live.values import Values
from transformer.training.settings import Knobs, Turn

_SHAPES = {"heads": "{} head{s}", "layers": "{} layer{s}", "d_model": "{} wide"}


def named(values: Values) -> str:
    """A model in a few words: its task and its shape."""
    shape = " · ".join(_named(name, getattr(values, name)) for name in ("d_model", "heads", "layers"))
    positions = "no positions" if values.positions == "none" else values.positions
    return f"{values.task} · {shape} · {positions}"


def _named(name: str, value: Any) -> str:
    if name in _SHAPES:
        return _SHAPES[name].format(value, s="" if value == 1 else "s")
    return f"{CONTROLS[name].label.lower()} {value}" if name in CONTROLS else str(value)


def changes(before: Values, after: Values) -> list[str]:
    """The settings that have changed, in a few words each; what follows from another is left out."""
    follows = {
        name for name in ("d_ff", "warmup") if all(getattr(v, name) == v.following[name] for v in (before, after))
    }
    return [_named(name, b) for name, a, b in _apart(before, after) if name not in follows]


def differences(a: Values, b: Values) -> str:
    """The settings in which B differs from A, in a few words."""
    return ", ".join(f"{name} {before} → {after}" for name, before, after in _apart(a, b))


def _apart(a: Values, b: Values) -> list[tuple[str, Any, Any]]:
    """Where two are not the same: the name of the setting, and its two values."""
    return [(name, before, after) for name, before, after in zip(a._fields, a, b, strict=True) if before != after]


def turns_in_words(turns: Sequence[Turn], first: Knobs, near: int = 1) -> list[tuple[int, str]]:
    """Where knobs were turned, and which to what; turns that follow each other in less than `near` steps are one."""
    names = {field: CONTROLS[name].label.lower() for name, field in KNOBS.items()}
    found: list[tuple[int, str]] = []
    for n, (step, knobs) in enumerate(turns):
        if n + 1 < len(turns) and turns[n + 1].step - step < near:
            continue
        changed = [f"{names[f]} {new:g}" for f, new, old in zip(knobs._fields, knobs, first, strict=True) if new != old]
        found += [(step, ", ".join(changed))] if changed else []
        first = knobs
    return found
