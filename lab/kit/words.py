"""Numbers, lists and plurals in sentences: whatever is computed is written alike on every page.

What is only rounding is said in one way, too. float32 keeps some seven digits, and how the last ones round depends on
the processor. So no sentence prints them, and none depends on whether a difference is exactly 0.
"""

import math
from collections.abc import Iterable, Sequence
from decimal import ROUND_HALF_UP, Decimal

BOUND = 1e-5  # what is smaller than this, in numbers of about 1, is rounding
NOTHING = f"nothing but rounding (below {BOUND:.5f})"
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_LARGE = ((10**12, "trillion"), (10**9, "billion"), (10**6, "million"))


# ---- numbers


def fixed(x: float, digits: int = 2, *, signed: bool = False) -> str:
    """A number with so many digits after the point: 0.31, −0.46, and signed +9.5. A zero has no sign."""
    text = f"{x:{'+' if signed else ''}.{digits}f}"
    return text.lstrip("+-") if not float(text) else text.replace("-", "−")


def significant(x: float, least: float = 0.0) -> str:
    """A number in three digits: 0.312, 64, −1e+09, NaN; 0 where it is smaller than `least`."""
    if math.isnan(x):
        return "NaN"
    return "0" if abs(x) < least else f"{x:.3g}".replace("-", "−")


def amount(x: float) -> str:
    """A number as a person writes it: 0, 0.31, 5.2, 28, 3 × 10⁷."""
    if x == 0:
        return "0"
    if 0.001 <= abs(x) < 1000:
        return fixed(x, 0) if abs(x) >= 100 else f"{x:.2g}".replace("-", "−")
    mantissa, power = f"{x:.0e}".replace("-", "−", x < 0).split("e")
    return f"{mantissa} × 10{str(int(power)).translate(_RAISED)}"


def in_words(x: int) -> str:
    """A large number with its power of ten as a word: 16,384, 1.57 million, 537 billion."""
    for size, name in _LARGE:
        if x >= size:
            return f"{x / size:.3g} {name}" if x < 1000 * size else f"{x / size:,.0f} {name}"
    return f"{x:,}"


def in_bytes(value: float) -> str:
    """A size with its unit: 512 B, 1.02 kB, 33.6 MB; a kB is 1000 B."""
    units = ["B", "kB", "MB", "GB", "TB"]
    while value >= 1000 and len(units) > 1:
        value /= 1000
        del units[0]
    return f"{value:.3g} {units[0]}" if value < 1000 else f"{value:,.0f} {units[0]}"


def ordinal(n: int) -> str:
    """A rank: 1st, 2nd, 63rd, 111th."""
    ending = "th" if n % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(n % 10, "th")
    return f"{n:,}{ending}"


def percent(share: float) -> str:
    """A share in three digits: 41.3%, 0.0012%; 0% where it is only rounding."""
    return "0%" if share < 5e-6 else f"{100 * share:.3g}%"


def as_chance(share: float) -> str:
    """A share in whole per cent, and in as many digits as tell it from none and from all: 0%, <0.1%, 0.3%, 12%, 99.7%,
    >99.9%, 100%. A half is rounded up. asShare of attention_view/lab.js is its twin, so that a number is one wherever
    it stands."""
    if share <= -BOUND:
        size = as_chance(-share)
        turned = {"<": ">", ">": "<"}.get(size[0])
        return f"{turned}−{size[1:]}" if turned else f"−{size}"
    if abs(share) < BOUND or abs(share - 1) < BOUND or not math.isfinite(share):
        return f"{share:.0%}".replace("-0%", "0%")
    if 0 < share < 0.0005:
        return "<0.1%"
    if 0.9995 <= share < 1:
        return ">99.9%"
    digits = "0.1" if 0 < share <= 0.005 or 0.995 <= share < 1 else "1"
    return f"{Decimal(100 * float(share)).quantize(Decimal(digits), ROUND_HALF_UP)}%"


def part(share: float) -> str:
    """A share that may be tiny: 85%, 0.40%, one part in 123,457."""
    if 0 < share < 0.0005:
        return f"one part in {1 / share:,.0f}"
    return f"{share:.2%}" if 0 < share < 0.1 else f"{share:.0%}"


def growth(new: float, old: float) -> str:
    """By what share a number above 0 has changed: 0, +50%, −0.4%."""
    if new == old:
        return "0"
    change = 100 * (new / old - 1)
    return f"{change:{'+.0f' if abs(change) >= 1 else '+.1g'}}%".replace("-", "−")


# ---- differences


def is_rounding(difference: float) -> bool:
    """Whether a difference is no more than rounding. NaN is not."""
    return abs(difference) < BOUND


def at_most(difference: float) -> str:
    """By how much two things differ, as "They differ by" goes on: "at most 0.31", or "nothing but rounding (…)".

    Two digits, without a power of ten. Raises nothing: NaN is written as it is.
    """
    if is_rounding(difference):
        return NOTHING
    if math.isnan(difference):
        return "NaN"
    size = abs(difference)
    decimals = max(0, 1 - math.floor(math.log10(size))) if math.isfinite(size) else 0
    return f"at most {size:,.{decimals}f}"


# ---- lists and plurals


def counted(n: int, noun: str) -> str:
    """ "0 heads", "1 head", "12 heads"."""
    return f"{n} {noun}{'' if n == 1 else 's'}"


def listed(items: Iterable[object]) -> str:
    """ "", "0", "0 and 2", "0, 2 and 4"."""
    *first, last = [str(item) for item in items] or [""]
    return f"{', '.join(first)} and {last}" if first else last


def numbered(noun: str, numbers: Iterable[int]) -> str:
    """ "layer 0", "layers 0 and 2"."""
    numbers = tuple(numbers)
    return f"{noun}{'s' if len(numbers) > 1 else ''} {listed(numbers)}"


# ---- what is too long


def shorten(label: str, limit: int = 12) -> str:
    """The label in at most `limit` characters; "…" stands for what is left out."""
    return label if len(label) <= limit else label[: limit - 1] + "…"


PIECE = "…"  # in front of a token that goes on within a word


def as_said(label: str) -> str:
    """A token as a reader sees it: "##ill", a piece inside a word, becomes "…ill". Sources show their tokens so."""
    return f"{PIECE}{label[2:]}" if label.startswith("##") and len(label) > 2 else label


def is_piece(token: str) -> bool:
    """Whether a token, as it is shown, goes on within a word."""
    return token.startswith(PIECE) and token != PIECE


def spelled(token: str) -> str:
    """The letters of a token, as it is shown."""
    return token.removeprefix(PIECE) if is_piece(token) else token


def signs(found: Iterable[str]) -> str:
    """Signs in a sentence, each in quotation marks and once: “é”, then “м” and “и”, then “м”, “и”, “а” and 2 other
    signs."""
    different = list(dict.fromkeys(found))
    named = [f"“{sign}”" for sign in different[:3]]
    rest = len(different) - 3
    return listed([*named, f"{counted(rest, 'other sign')}"] if rest > 0 else named)


def never_met(found: Sequence[str]) -> str:
    """What a model makes of signs that are in none of the stories it learned from, in a sentence; "" for no signs."""
    if not found:
        return ""
    its = "its" if len(found) == 1 else "their"
    return (
        f"This model was trained on English stories and never met {signs(found)}. It reads {its} bytes, which mean"
        " nothing to it."
    )


def brief(value: object) -> str:
    """What a visitor typed or chose, in a sentence: on one line, in at most 24 characters."""
    return shorten("".join(letter if letter.isprintable() else " " for letter in str(value)), 24)
