"""The figures of the attention page show the numbers they are given."""

import json
from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest

from pages.attention import figures
from tests.pages.driver import decoded


def data(figure: go.Figure) -> dict[str, Any]:
    """The figure as the browser gets it, with arrays decoded."""
    return decoded(json.loads(figure.to_json()))


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
