"""Curves that are drawn first: what is drawn is what was computed or stored, and nothing gives it away beforehand."""

import numpy as np
import pytest

from pages.why import draw_first
from pages.why.components.curve_guess import Curve, curve_guess
from tests.pages.driver import notices, words
from tests.pages.why.test_page import visit


def test_the_cost_is_four_bytes_for_each_of_the_weights():
    curve = draw_first.cost_curve()
    n = np.array([int(name.replace(",", "")) for name in curve.names])
    np.testing.assert_allclose(curve.truth, draw_first.HEADS * n * n * 4 / 1e6)
    np.testing.assert_allclose(curve.others["recurrent"], n * draw_first.WIDTH * 4 / 1e6)
    assert "8 times the text takes 64 times the memory" in curve.after


def test_nothing_gives_the_curve_away_before_it_is_drawn():
    at = visit("What does it cost?", why_guess="true")
    assert not notices(at)
    assert "Draw it first" in words(at)
    assert draw_first.cost_curve().after not in words(at)
    assert "n²" not in words(at)
    assert "a square" not in words(at)
    assert not at.get("plotly_chart")
    seen = visit("What does it cost?")
    assert "n²" in words(seen)
    assert "Draw it first" not in words(seen)


@pytest.mark.parametrize(
    "curve",
    [
        Curve(("a", "b"), (1, 2), (0, 3), ("x", "y")),
        Curve(("a", "b", "c"), (1, 2), (0, 3), ("x", "y")),
        Curve(("a", "b", "c"), (1, 2, 4), (0, 3), ("x", "y")),
        Curve(("a", "b", "c"), (1, 2, float("nan")), (0, 3), ("x", "y")),
        Curve(("a", "b", "c"), (1, 2, 3), (0, 3), ("x", "y"), others={"z": (0, 0, -1)}),
        Curve(("a", "b", "c"), (1, 2, 3), (0, 3), ("x", "y"), n_given=3),
    ],
)
def test_a_curve_that_cannot_be_drawn_is_refused(curve: Curve):
    with pytest.raises(ValueError, match="curve"):
        curve_guess(curve, key="x")
