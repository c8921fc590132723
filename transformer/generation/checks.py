"""Settings that cannot be meant raise ValueError with a sentence that says what could be."""

import sys


def is_number(value) -> bool:
    """A finite number; an int beyond the floats is as useless as infinity."""
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= sys.float_info.max


def is_whole(value) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def check_number(name: str, value: float) -> None:
    if not is_number(value):
        raise ValueError(f"{name}={value!r} must be a finite number")


def check_whole(name: str, value: int) -> None:
    if not is_whole(value) or value < 1:
        raise ValueError(f"{name}={value!r} must be a whole number of at least 1")


def check_penalty(penalty: float) -> None:
    if not is_number(penalty) or penalty <= 0:
        raise ValueError(f"repetition_penalty={penalty!r} must be a number above 0; 1 changes nothing")
