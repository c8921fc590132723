"""Numbers in sentences."""


def tiny(x: float) -> str:
    """One digit of a small number, written out: "0.000002"."""
    return f"{float(f'{x:.1g}'):.12f}".rstrip("0").rstrip(".")
