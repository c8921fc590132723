"""Checks of what a caller hands in, and the error that all of them raise: one sentence that says what to try instead.

Nothing here needs torch, so that settings can be checked before it is loaded.
"""

import sys
from collections.abc import Callable, Sequence
from typing import Any, TypeGuard


class InputError(ValueError):
    """A value that cannot be used, explained in a sentence that the person who gave it can act on.

    Everything in `transformer` that refuses a setting, a text, a mask or a file raises this. Any other ValueError
    comes from Python or torch, and its text was not written for readers.
    """


def is_whole(value: Any) -> TypeGuard[int]:
    """Whether the value is an int; True and False are not."""
    return isinstance(value, int) and not isinstance(value, bool)


def is_number(value: Any) -> TypeGuard[int | float]:
    """Whether the value is a finite int or float. An int beyond the floats is as useless as infinity."""
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= sys.float_info.max


def check_whole(name: str, value: Any, least: int = 1) -> None:
    """Raise InputError unless the value is an int of at least `least`."""
    if not is_whole(value) or value < least:
        raise InputError(f"{name}={value!r} must be a whole number of at least {least}")


def check_number(name: str, value: Any, fits: Callable[[Any], bool], rule: str) -> None:
    """Raise InputError unless the value is a finite number that fits; `rule` completes "it must be ..."."""
    if not is_number(value) or not fits(value):
        raise InputError(f"{name}={value!r} must be {rule}")


def check_flag(name: str, value: Any) -> None:
    """Raise InputError unless the value is True or False."""
    if not isinstance(value, bool):
        raise InputError(f"{name} is switched on with True or off with False")


def check_choice(name: str, value: Any, choices: Sequence[str]) -> None:
    """Raise InputError unless the value is one of the choices."""
    if value not in choices:
        raise InputError(f"{name}={value!r} is not known; try {either(choices)}")


def check_penalty(penalty: Any) -> None:
    """Raise InputError unless a repetition penalty is within its limits."""
    # Beyond them a logit could become infinite, and the distribution would be lost.
    check_number("repetition_penalty", penalty, lambda p: 0.01 <= p <= 100, "from 0.01 to 100; 1 changes nothing")


def check_heads(d_model: int, n_heads: int, n_kv_heads: int, head_width: int | None = None) -> None:
    """Raise InputError unless d_model can be split into the heads, and the heads into groups of one key/value head.

    With a head_width of their own the heads are as wide as that, whatever d_model is.
    """
    check_whole("n_heads", n_heads)
    check_whole("n_kv_heads", n_kv_heads)
    if head_width is not None:
        check_whole("head_width", head_width)
    elif d_model % n_heads:
        below = d_model // n_heads * n_heads
        near = [str(d) for d in (below, below + n_heads) if d > 0]
        raise InputError(f"d_model={d_model} cannot be split into {n_heads} equal heads; try {' or '.join(near)}")
    if n_heads % n_kv_heads:
        divisors = [str(n) for n in range(1, n_heads + 1) if n_heads % n == 0]
        raise InputError(f"{n_heads} heads cannot share {n_kv_heads} key/value heads equally; try {either(divisors)}")


def either(words: Sequence[str]) -> str:
    """A list in prose: "a, b or c"."""
    *first, last = words
    return f"{', '.join(first)} or {last}" if first else last
