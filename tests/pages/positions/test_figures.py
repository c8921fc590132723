"""The data in the figures of the page on positions is the data that was handed in, at the places that it belongs to."""

import json

import numpy as np
import plotly.graph_objects as go
import plotly.io
import pytest

from lab.kit.figures import palette, plot
from pages.positions import figures
from tests.pages.driver import decoded
from transformer.inspection import positions


def drawn(figure: go.Figure) -> tuple[list[dict], dict]:
    """Traces and layout as the browser gets them, with numpy arrays."""
    message = decoded(json.loads(plotly.io.to_json(figure, validate=True)))
    return message["data"], message["layout"]


@pytest.mark.parametrize(
    ("d_model", "base", "length"), [(64, 10_000.0, 200), (8, 100.0, 30), (2, 10.0, 64), (16, 10_000.0, 128)]
)
def test_the_colours_of_likeness_end_near_its_numbers_and_zero_is_the_panel(
    d_model: int, base: float, length: int
) -> None:
    matrix = positions.similarity(length, d_model, base).matrix
    (trace,), _ = drawn(figures.distance_matrix(matrix))
    assert np.array_equal(trace["z"], matrix.astype("f4"))
    low, high = trace["zmin"], trace["zmax"]
    assert high == matrix.max()
    assert low <= min(0, matrix.min())
    assert low == 0 if matrix.min() >= 0 else matrix.min() - low < 0.2 * high + 1e-9, "no part that never occurs"
    (zero,) = [share for share, colour in trace["colorscale"] if colour == palette.PANEL]
    assert low + zero * (high - low) == pytest.approx(0, abs=1e-9)
    assert [trace["colorscale"][0][0], trace["colorscale"][-1][0]] == [0, 1]


def test_a_sum_has_one_scale_and_its_signs() -> None:
    a, b = np.arange(6.0).reshape(2, 3), -np.ones((2, 3))
    traces, layout = drawn(figures.summands(("the", "a" * 30), [("token", a), ("position", b), ("sum", a + b)]))
    assert [np.array_equal(t["z"], part.astype("f4")) for t, part in zip(traces, (a, b, a + b), strict=True)] == [
        True
    ] * 3
    assert {t["coloraxis"] for t in traces} == {"coloraxis"}
    assert layout["coloraxis"]["cmax"] == -layout["coloraxis"]["cmin"] == 5
    assert [n["text"] for n in layout["annotations"]] == ["token", "position", "+", "sum", "="]
    assert layout["yaxis"]["ticktext"] == ["the", "a" * 12 + "…"]


@pytest.mark.parametrize(("n", "columns", "T"), [(6, 3, 8), (8, 4, 5), (3, 4, 24), (1, 1, 2)])
def test_tiles_hold_every_plane(n: int, columns: int, T: int) -> None:
    planes = np.random.default_rng(0).normal(size=(n, T, T))
    (trace,), layout = drawn(
        plot.tiles(planes, [f"p{i}" for i in range(n)], columns=columns, value="bias", diverging=True)
    )
    z, where = trace["z"], trace["customdata"]
    assert np.isfinite(z).sum() == planes.size, "gaps are empty, not zero"
    gap, head = max(1, round(T * 0.14)), max(2, round(T * 0.26))
    for i in range(n):
        top, left = (i // columns) * (T + head), (i % columns) * (T + gap)
        assert np.array_equal(z[top : top + T, left : left + T], planes[i].astype("f4"))
        assert where[top + T - 1, left].tolist() == [T - 1, 0]
        assert (layout["annotations"][i]["text"], layout["annotations"][i]["x"]) == (f"p{i}", left + (T - 1) / 2)
    assert trace["zmax"] == -trace["zmin"] == pytest.approx(np.abs(planes).max(), rel=1e-6)
    sequential = drawn(plot.tiles(abs(planes), ["p"] * n, columns=columns, value="weight", diverging=False))[0][0]
    assert sequential["zmin"] == 0


def test_bias_curves_by_distance() -> None:
    result = positions.score_bias("alibi", 4, 6, n_heads=4)
    traces, _ = drawn(figures.bias_curves(result.by_offset, 6))
    for h, trace in enumerate(traces):
        assert np.array_equal(trace["x"], np.arange(-6, 7))
        assert np.array_equal(trace["y"], result.by_offset[h])


def test_strips_of_the_bias_by_distance() -> None:
    result = positions.score_bias("relative", 4, 30, n_heads=3)
    (trace,), _ = drawn(figures.bias_strips(result.by_offset, 30))
    assert np.array_equal(trace["z"], result.by_offset)
    assert np.array_equal(trace["x"], np.arange(-30, 31))


def test_looking_back_and_its_diagonal() -> None:
    weights = positions.look_back("sinusoidal", 3, 10, 16)
    (trace,), layout = drawn(figures.look_back(weights, 3, 6))
    assert np.array_equal(trace["z"], weights.astype("f4"))
    line = layout["shapes"][0]
    assert line["y0"] - line["x0"] == line["y1"] - line["x1"] == 3
    assert (layout["shapes"][1]["x0"], layout["shapes"][2]["y0"]) == (5.5, 5.5), "where training ends"
    assert "no rows: an error" not in [note["text"] for note in layout["annotations"]]


def test_where_a_head_has_no_rows_is_said() -> None:
    weights = np.full((4, 4), np.nan)
    weights[:2, :2] = 0.5
    (trace,), layout = drawn(figures.look_back(weights, 1, 2))
    assert trace["zmax"] == 0.5
    assert "no rows: an error" in [note["text"] for note in layout["annotations"]]


def test_learned_table_and_gradient() -> None:
    result = positions.learned_table(8, 4, 3, 0)
    assert np.array_equal(drawn(figures.learned_table(result.table))[0][0]["z"], result.table)
    bar = drawn(figures.gradient(result.gradient))[0][0]
    assert np.array_equal(bar["x"], result.gradient)
    assert np.array_equal(bar["y"], np.arange(8))
