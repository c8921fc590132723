"""Numbers in sentences."""


def number(value: float) -> str:
    """A number in three digits, in two if it is tiny."""
    return "NaN" if value != value else f"{value:.2g}" if abs(value) < 1e-3 else f"{value:.3g}"
