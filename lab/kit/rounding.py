"""How large a difference is, in words: what is only rounding is said in one way on every screen.

float32 keeps some seven digits, and how the last ones round depends on the processor. So no sentence prints them, and
none depends on whether a difference is exactly 0.
"""

import math

BOUND = 1e-5  # what is smaller than this, in numbers of about 1, is rounding
NOTHING = f"nothing but rounding (below {BOUND:.5f})"


def is_rounding(difference: float) -> bool:
    """Whether a difference is no more than rounding. NaN is not."""
    return abs(difference) < BOUND


def by(difference: float) -> str:
    """By how much two things differ: how "They differ by" goes on: "at most 0.31", or "nothing but rounding (…)".

    Two digits, without a power of ten. Raises nothing: NaN is written as it is.
    """
    if is_rounding(difference):
        return NOTHING
    if math.isnan(difference):
        return "NaN"
    size = abs(difference)
    decimals = max(0, 1 - math.floor(math.log10(size))) if math.isfinite(size) else 0
    return f"at most {size:,.{decimals}f}"
