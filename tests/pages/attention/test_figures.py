"""The figures of the attention page show the numbers they are given, and mark what is wrong."""

import json
from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest

from pages.attention import figures
from pages.shared.palette import NEGATIVE, WEIGHT
from tests.pages.driver import decoded

RIGHT = np.array([[0.5, 0.25, 0.25], [0.0, 1.0, 0.0], [0.2, 0.3, 0.5]])
WORDS = ("a", "b", "c")


def data(figure: go.Figure) -> dict[str, Any]:
    """The figure as the browser gets it, with arrays decoded."""
    return decoded(json.loads(figure.to_json()))


def sums(picture: dict[str, Any]) -> list[tuple[str, str]]:
    """The sums beside the rows: (text, colour) from top to bottom."""
    beside = [a for a in picture["layout"]["annotations"] if a["xanchor"] == "left"]
    return [(a["text"], a["font"]["color"]) for a in sorted(beside, key=lambda a: a["y"])]


def test_the_map_shows_weights_and_their_sums() -> None:
    picture = data(figures.softmax_map(RIGHT, WORDS, WORDS, 1, np.ones((3, 3), bool)))
    np.testing.assert_array_equal(np.array(picture["data"][0]["z"], float), RIGHT)
    assert sums(picture) == [("1.00", WEIGHT)] * 3
    assert (picture["data"][0]["zmin"], picture["data"][0]["zmax"]) == (0, 1)
    (frame,) = picture["layout"]["shapes"]
    assert (frame["y0"], frame["y1"]) == (0.5, 1.5)


def test_rows_that_do_not_add_up_to_one_are_flagged() -> None:
    picture = data(figures.softmax_map(RIGHT.T, WORDS, WORDS, 0, np.ones((3, 3), bool)))
    assert sums(picture) == [("0.70", NEGATIVE), ("1.55", NEGATIVE), ("0.75", NEGATIVE)]


def test_blocked_is_a_gap_and_not_a_zero() -> None:
    allowed = np.tril(np.ones((3, 3), bool))
    z = data(figures.softmax_map(np.tril(RIGHT), WORDS, WORDS, 0, allowed))["data"][0]["z"]
    z = np.array(z, dtype=float)
    hatching = data(figures.softmax_map(np.tril(RIGHT), WORDS, WORDS, 0, allowed))["data"][1]
    assert {(int(y), int(x)) for x, y in zip(hatching["x"], hatching["y"], strict=True)} == {(0, 1), (0, 2), (1, 2)}
    assert np.isnan(z[~allowed]).all()
    assert not np.isnan(z[allowed]).any()
    assert z[1, 0] == 0


def test_the_bars_are_a_row_and_the_marks_plain_softmax() -> None:
    bars, marks, undivided = data(figures.row_bars(RIGHT[0], RIGHT[2], RIGHT[1], WORDS, "a", 8))["data"]
    np.testing.assert_array_equal(bars["y"], RIGHT[0])
    np.testing.assert_array_equal(marks["y"], RIGHT[2])
    np.testing.assert_array_equal(undivided["y"], RIGHT[1])
    assert undivided["name"] == "without ÷ √8"


@pytest.mark.parametrize("scaled", [True, False])
def test_the_histogram_counts_every_score(scaled: bool) -> None:
    scores = np.random.default_rng(0).normal(0, 3, 5000)
    bars, bell = data(figures.score_histogram(scores, 3.0, scaled))["data"]
    width = bars["width"]
    assert np.sum(bars["y"]) * width == pytest.approx(1)
    assert np.max(bell["y"]) == pytest.approx(1 / (3 * np.sqrt(2 * np.pi)))
    inside = (scores >= 0) & (scores < width * 4)
    first = [y for x, y in zip(bars["x"], bars["y"], strict=True) if 0 < x < 4 * width]
    assert np.sum(first) * width == pytest.approx(inside.mean(), abs=1e-9)


def test_ranked_weights_are_the_bars() -> None:
    (bars,) = data(figures.ranked_weights(np.array([0.7, 0.2, 0.1])))["data"]
    np.testing.assert_array_equal(bars["y"], [0.7, 0.2, 0.1])


def test_the_curves_and_the_ring() -> None:
    widths = (1, 4, 16)
    measures = {"entropy": ([0.9, 0.8, 0.8], [0.9, 0.5, 0.1]), "largest": ([0.1, 0.2, 0.2], [0.1, 0.5, 0.9])}
    traces = data(figures.saturation_curves(widths, measures, 4, False))["data"]
    rings = [trace for trace in traces if trace["name"] == "chosen"]
    assert [(list(ring["x"]), list(ring["y"])) for ring in rings] == [([4], [0.5]), ([4], [0.5])]
    curves = [trace for trace in traces if trace["name"] != "chosen"]
    assert [list(curve["y"]) for curve in curves] == [list(s) for series in measures.values() for s in series]
    assert [curve["name"] for curve in curves] == ["divided by √d_k", "not divided"] * 2


def test_both_axes_are_labelled_and_builders_are_deterministic() -> None:
    build = [
        lambda: figures.softmax_map(RIGHT, WORDS, WORDS, 0, np.ones((3, 3), bool)),
        lambda: figures.row_bars(RIGHT[0], RIGHT[0], RIGHT[0], WORDS, "a", 4),
        lambda: figures.score_histogram(np.arange(9.0), 1.0, True),
        lambda: figures.ranked_weights(np.array([0.6, 0.4])),
    ]
    for builder in build:
        assert builder().to_json() == builder().to_json()
        layout = builder().layout
        assert layout.xaxis.title.text
        assert layout.yaxis.title.text
