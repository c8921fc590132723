"""Numbers in sentences."""

import math

_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def number(value: float) -> str:
    """A number in three digits; a tiny one in two, and a power of ten: "1.4 × 10⁻⁶"."""
    if math.isnan(value):
        return "NaN"
    if value == 0 or abs(value) >= 1e-3:
        return f"{value:.3g}".replace("-", "−")
    digits, _, exponent = f"{value:.1e}".partition("e")
    return f"{digits.replace('-', '−')} × 10{str(int(exponent)).translate(_RAISED)}"
