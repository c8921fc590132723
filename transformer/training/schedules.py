"""Learning rates over a training, as functions of the step, counted from 1."""

import math
from collections.abc import Callable

from transformer.core.checks import InputError

Schedule = Callable[[int], float]  # step -> learning rate

SCHEDULES = ("one-cycle", "cosine", "Noam", "constant")


def make_schedule(name: str, *, lr: float, steps: int, warmup: int, d_model: int) -> Schedule:
    """The schedule of this name; raises InputError for another. `lr` is the highest rate, but Noam's a factor."""
    match name:
        case "one-cycle":
            return lambda step: one_cycle(step, lr, steps, warmup)
        case "cosine":
            return lambda step: cosine(step, lr, steps, warmup)
        case "Noam":
            return lambda step: lr * noam(step, d_model, warmup)
        case "constant":
            return lambda step: lr * min(1.0, step / max(1, warmup))
    raise InputError(f"there is no schedule {name!r}; try {', '.join(SCHEDULES)}")


def noam(step: int, d_model: int, warmup: int) -> float:
    """d_model^-0.5 min(step^-0.5, step warmup^-1.5): linear up to step = warmup, then down as 1/sqrt(step).

    "Attention Is All You Need" (2017), section 5.3. Steps count from 1; before the first, at step 0, the rate is 0.
    """
    if step == 0:
        return 0.0
    warmup = max(1, warmup)
    return d_model**-0.5 * min(step**-0.5, step * warmup**-1.5)


def cosine(step: int, lr: float, steps: int, warmup: int) -> float:
    """Linear up to lr at step = warmup, then half a cosine down to a hundredth of lr at the last step."""
    if step <= warmup:
        return lr * step / max(1, warmup)
    done = min(1.0, (step - warmup) / max(1, steps - warmup))
    return lr * (0.01 + 0.99 * (1 + math.cos(math.pi * done)) / 2)


def one_cycle(step: int, lr: float, steps: int, warmup: int) -> float:
    """Half a cosine up from lr / 25 to lr at step = warmup, and half a cosine down to lr / 10,000 (Smith 2018)."""
    if step <= warmup:
        return _between(lr / 25, lr, step / max(1, warmup))
    return _between(lr, lr / 1e4, min(1.0, (step - warmup) / max(1, steps - warmup)))


def _between(start: float, end: float, done: float) -> float:
    return end + (start - end) * (1 + math.cos(math.pi * done)) / 2
