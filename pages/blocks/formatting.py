"""Numbers in words, as all views of this page write them."""


def amount(x: float) -> str:
    """A number as a person writes it: 0, 0.31, 5.2, 28, 3 × 10⁷."""
    if x == 0 or 0.001 <= abs(x) < 1000:
        return f"{x:.2g}" if abs(x) < 100 else f"{x:.0f}"
    mantissa, power = f"{x:.0e}".split("e")
    return f"{mantissa} × 10{str(int(power)).translate(str.maketrans('-0123456789', '⁻⁰¹²³⁴⁵⁶⁷⁸⁹'))}"


def ordinal(n: int) -> str:
    """A rank in words: 1st, 2nd, 63rd, 111th."""
    ending = "th" if n % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(n % 10, "th")
    return f"{n:,}{ending}"
