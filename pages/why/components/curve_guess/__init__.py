"""A curve that is drawn before it is shown: the reader draws it, sees the true one, and is told the difference.

It is drawn with the pointer, a finger, the arrow keys, or as numbers. All of that happens in the browser; nothing that
is drawn is sent.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from lab.kit.components import component

MIN_PLACES, MAX_PLACES = 3, 16
_mount = component("curve_guess", Path(__file__).parent)


class Curve(NamedTuple):
    """A curve to be drawn.

    names   of the places along the x axis at which it is drawn, from left to right
    truth   its value at each place; the first `n_given` of them are shown at once
    ends    the lowest and the highest value that can be drawn
    axes    what the two axes are
    path    (place, value), from left to right: what is drawn as the true curve, where it is known between the places
    others  further curves by name, a value per place, that are shown together with the true one
    digits  behind the point, of a value
    unit    that stands behind a value
    after   what is said of the true curve once it is shown, as plain text
    """

    names: Sequence[str]
    truth: Sequence[float]
    ends: tuple[float, float]
    axes: tuple[str, str]
    path: Sequence[tuple[float, float]] = ()
    others: Mapping[str, Sequence[float]] = {}
    digits: int = 0
    unit: str = ""
    after: str = ""
    n_given: int = 1


def curve_guess(curve: Curve, *, key: str) -> None:
    """Put it on the page. Another curve under the same key begins anew. Raises ValueError for a curve that cannot be
    drawn: too few or too many places, or values beyond its ends."""
    n = len(curve.names)
    if not (MIN_PLACES <= n <= MAX_PLACES and len(curve.truth) == n and 1 <= curve.n_given < n):
        raise ValueError(f"a curve is drawn at {MIN_PLACES} to {MAX_PLACES} places, some of them not given")
    low, high = curve.ends
    values = [*curve.truth, *(value for _, value in curve.path), *(v for line in curve.others.values() for v in line)]
    if not all(low <= value <= high for value in values):
        raise ValueError(f"the values of a curve lie between its ends, {low:g} and {high:g}")
    data = {
        "names": list(curve.names),
        "truth": [float(value) for value in curve.truth],
        "ends": [float(low), float(high)],
        "axes": list(curve.axes),
        "path": [[float(x), float(y)] for x, y in curve.path or enumerate(curve.truth)],
        "others": [[name, [float(value) for value in line]] for name, line in curve.others.items()],
        "digits": curve.digits,
        "unit": curve.unit,
        "after": curve.after,
        "given": curve.n_given,
    }
    _mount(data=data, key=key)
