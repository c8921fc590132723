"""Settings that cannot be meant raise ValueError with a sentence that says what could be."""

import sys


def is_number(value) -> bool:
    """A finite number; an int beyond the floats is as useless as infinity."""
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= sys.float_info.max


def is_whole(value) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def check_whole(name: str, value: int) -> None:
    if not is_whole(value) or value < 1:
        raise ValueError(f"{name}={value!r} must be a whole number of at least 1")


def check_penalty(penalty: float) -> None:
    # Beyond these bounds a logit could become infinite, and the distribution would be lost.
    if not is_number(penalty) or not 0.01 <= penalty <= 100:
        raise ValueError(f"repetition_penalty={penalty!r} must be from 0.01 to 100; 1 changes nothing")
