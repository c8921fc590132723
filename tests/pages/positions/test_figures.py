"""The data in the figures of the page on positions is the data that was handed in, at the places that it belongs to."""

import json

import numpy as np
import plotly.graph_objects as go
import plotly.io
import pytest

from pages.positions import figures
from pages.shared import palette, plot
from tests.pages.driver import decoded
from transformer.inspection import positions


def drawn(figure: go.Figure) -> tuple[list[dict], dict]:
    """Traces and layout as the browser gets them, with numpy arrays."""
    message = decoded(json.loads(plotly.io.to_json(figure, validate=True)))
    return message["data"], message["layout"]


WAVES = positions.waves(20, 10, 100.0)


def test_the_heatmap_holds_the_table_and_frames_the_pair() -> None:
    (trace,), layout = drawn(figures.heatmap(WAVES.table, 2))
    assert np.array_equal(trace["z"], WAVES.table.astype("f4"))
    assert (trace["zmin"], trace["zmax"]) == (-1, 1)
    assert np.array_equal(trace["customdata"][3], [0, 0, 1, 1, 2, 2, 3, 3, 4, 4])
    frame = layout["shapes"][0]
    assert (frame["x0"], frame["x1"]) == (3.5, 5.5)
    odd = drawn(figures.heatmap(positions.waves(4, 5, 10.0).table, 2))[1]["shapes"][0]
    assert (odd["x0"], odd["x1"]) == (3.5, 4.5), "a lone sine"


def test_a_large_table_travels_once() -> None:
    (trace,), _ = drawn(figures.heatmap(np.zeros((512, 256)), 0))
    assert "customdata" not in trace


@pytest.mark.parametrize(("pair", "columns"), [(0, [0, 1]), (3, [6, 7])])
def test_curves_are_the_columns_of_the_pair(pair: int, columns: list[int]) -> None:
    traces, _ = drawn(figures.curves(WAVES.table, pair))
    assert [np.array_equal(t["y"], WAVES.table[:, c]) for t, c in zip(traces, columns, strict=True)] == [True, True]
    assert len(drawn(figures.curves(positions.waves(4, 5, 10.0).table, 2))[0]) == 1


def test_wavelengths_and_the_length_as_a_line() -> None:
    (trace,), layout = drawn(figures.wavelengths(WAVES.wavelengths, 20, 1))
    assert np.array_equal(trace["y"], WAVES.wavelengths)
    assert layout["yaxis"]["type"] == "log"
    assert layout["shapes"][0]["y0"] == layout["shapes"][0]["y1"] == 20
    assert [n for n, c in enumerate(trace["marker"]["color"]) if c == palette.WEIGHT] == [1]


@pytest.mark.parametrize("anchor", [0, 40, 99])
def test_what_rises_is_marked_and_nothing_else(anchor: int) -> None:
    result = positions.similarity(100, 64, 10_000)
    (row, rising), _ = drawn(figures.distance_curve(result.matrix, anchor))
    assert np.array_equal(row["y"], result.matrix[anchor])
    assert np.array_equal(row["customdata"], np.abs(np.arange(100) - anchor))
    marked = {(a, b) for a, b in zip(rising["x"][0::3], rising["x"][1::3], strict=True)}
    ups = set(result.rises_at.tolist())
    assert marked == {
        (p, p + 1) for p in range(99) if max(abs(p - anchor), abs(p + 1 - anchor)) in ups
    }  # the further end of a step is the offset at which likeness rose
    assert rising["line"]["color"] == palette.NEGATIVE


def test_the_matrix_frames_the_anchor() -> None:
    result = positions.similarity(30, 8, 100.0)
    (trace,), layout = drawn(figures.distance_matrix(result.matrix, 7))
    assert np.array_equal(trace["z"], result.matrix.astype("f4"))
    assert trace["zmax"] == -trace["zmin"] == pytest.approx(np.abs(result.matrix).max())
    assert (layout["shapes"][0]["y0"], layout["shapes"][0]["y1"]) == (6.5, 7.5)


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
    (trace,), layout = drawn(figures.look_back(weights, 3))
    assert np.array_equal(trace["z"], weights.astype("f4"))
    line = layout["shapes"][0]
    assert line["y0"] - line["x0"] == line["y1"] - line["x1"] == 3


def test_beyond_leaves_a_gap_where_there_is_nothing() -> None:
    rows = np.array([1.0, 2.0, np.nan, np.nan])
    traces, layout = drawn(figures.extrapolation(2, [("a", "position", rows), ("b", "distance", np.arange(4.0))]))
    assert [n for n, v in enumerate(traces[0]["y"]) if v is None or np.isnan(v)] == [2, 3]
    assert traces[0]["connectgaps"] is False
    assert np.array_equal(traces[1]["y"], np.arange(4.0))
    assert (layout["shapes"][0]["x0"], layout["shapes"][0]["x1"]) == (2, 3)
    assert [n["text"] for n in layout["annotations"]] == ["a", "no row: an error", "b"]


def test_learned_table_and_gradient() -> None:
    result = positions.learned_table(8, 4, 3, 0)
    assert np.array_equal(drawn(figures.learned_table(result.table))[0][0]["z"], result.table)
    bar = drawn(figures.gradient(result.gradient))[0][0]
    assert np.array_equal(bar["x"], result.gradient)
    assert np.array_equal(bar["y"], np.arange(8))


def test_figures_are_the_same_every_time() -> None:
    one, two = (plotly.io.to_json(figures.heatmap(WAVES.table, 1)) for _ in range(2))
    assert one == two
