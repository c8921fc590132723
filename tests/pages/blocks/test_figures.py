"""The figures of the blocks page: the data in them is what they were given, and the axes say what it is."""

import numpy as np
import pytest

from pages.blocks import figures
from pages.blocks.formatting import amount
from pages.shared.palette import DIVERGING, QUIET, SEQUENTIAL, VALUE, WEIGHT

TOKENS = ("The", "cat", "sat")
PRE = ("in", "norm1", "attention", "add1", "norm2", "feed_forward", "add2")
POST = ("in", "attention", "add1", "norm1", "feed_forward", "add2", "norm2")
SIZES = {"T": 11, "d_model": 64, "n_heads": 4, "d_ff": 256}


def rand(*shape: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=shape)


@pytest.mark.parametrize("order", [PRE, POST])
@pytest.mark.parametrize("selected", PRE)
def test_the_layers_map(order: tuple[str, ...], selected: str) -> None:
    drawn = figures.layer_map(order, selected, **SIZES)
    assert tuple(block.page for block in drawn.blocks) == order
    left = [block.x for block in drawn.blocks]
    assert left == sorted(left)
    at = {block.page: block for block in drawn.blocks}
    (frame,) = drawn.frames
    assert frame.x < at[selected].x
    assert frame.x + frame.width > at[selected].x + at[selected].width
    assert at["attention"].shape == "(4, 11, 11)"
    assert [b.page for b in drawn.blocks if b.colour == "weight"] == ["attention"]
    assert drawn.blocks[-1].x + drawn.blocks[-1].width <= drawn.width
    # six arrows along, and a detour that starts right behind the stream and ends in the middle of each addition
    detours = [arrow for arrow in drawn.arrows if "q0" in arrow]
    assert len(drawn.arrows) - len(detours) == 6
    for detour, (source, add) in zip(
        detours,
        [("in", "add1"), ("add1" if order == PRE else "norm1", "add2")],
        strict=True,
    ):
        start = float(detour[1:].split()[0])
        after = order[order.index(source) + 1]
        assert at[source].x + at[source].width < start < at[after].x
        end = float(detour.split(" H")[1].split()[0]) + 8
        assert end == pytest.approx(at[add].x + at[add].width / 2)
    assert "residual connections" in drawn.alt
    assert figures.STAGES[selected] in drawn.alt


def test_a_stage_and_its_statistics() -> None:
    values = rand(3, 5)
    heat, stats = figures.stage(values, TOKENS).data
    np.testing.assert_array_equal(heat.z, values)
    assert heat.zmax == -heat.zmin == np.abs(values).max()
    assert [tuple(pair) for pair in heat.colorscale] == [tuple(pair) for pair in DIVERGING]
    np.testing.assert_allclose(stats.x, values.mean(1))
    np.testing.assert_allclose(stats.error_x.array, values.std(1))


def test_layer_norm_before_and_after() -> None:
    before, after = (rand(3), abs(rand(3, seed=1))), (np.zeros(3), np.ones(3))
    grey, green = figures.layer_norm(before, after, TOKENS).data
    np.testing.assert_array_equal(grey.x, before[0])
    np.testing.assert_array_equal(green.error_x.array, 1)
    assert (grey.marker.color, green.marker.color) == (QUIET, VALUE)


def test_silent_units_are_empty_and_the_most_active_first() -> None:
    hidden = np.array([[0.0, 2.0, 1.0], [0.0, 0.0, 3.0], [0.5, 0.0, 1.0]])
    heat, bars = figures.firing(hidden, hidden > 0, TOKENS).data
    np.testing.assert_array_equal(heat.customdata[0], [2, 0, 1])
    np.testing.assert_array_equal(heat.z, [[1, np.nan, 2], [3, np.nan, np.nan], [1, 0.5, np.nan]])
    assert heat.zmin == 0
    assert heat.colorscale[0][1] == SEQUENTIAL[0][1]
    np.testing.assert_allclose(bars.x, [200 / 3, 100 / 3, 200 / 3])
    signed = figures.firing(hidden - 0.1, hidden > 0, TOKENS).data[0]
    assert signed.zmin == -signed.zmax


def test_firing_counts_all_units_though_it_draws_some() -> None:
    hidden = np.ones((2, 300))
    fires = np.arange(300)[None].repeat(2, 0) < 150
    heat, bars = figures.firing(hidden, fires, TOKENS[:2]).data
    assert heat.z.shape == (2, figures.MAX_UNITS)
    np.testing.assert_array_equal(bars.x, 50)


def test_the_bend_shows_where_the_numbers_fall() -> None:
    x = np.linspace(-4, 4, 9)
    figure = figures.activation(x, {"ReLU": x * (x > 0), "GELU": x}, "GELU", np.array([-3.0, 0.01, 0.02, 0.03]))
    histogram, relu, gelu = figure.data
    assert sum(histogram.y) == 100
    assert max(histogram.y) == 75
    assert (relu.line.color, gelu.line.color) == (QUIET, VALUE)
    low, high = figure.layout.yaxis.range
    low2, high2 = figure.layout.yaxis2.range
    assert low / high == pytest.approx(low2 / high2), "the two zeros stand at one height"


def test_the_way_is_in_order_and_coloured_by_sublayer() -> None:
    points = rand(5, 2)
    names = ("embedding", "attention 1", "feed-forward 1", "attention 2", "feed-forward 2")
    attention, fed, ends = figures.path(points, names, 0.8, "cat").data
    np.testing.assert_array_equal([x for x in attention.x if x is not None], points[[0, 1, 2, 3], 0])
    np.testing.assert_array_equal([y for y in fed.y if y is not None], points[[1, 2, 3, 4], 1])
    assert (attention.line.color, fed.line.color) == (WEIGHT, QUIET)
    np.testing.assert_array_equal(ends.x, points[[0, -1], 0])
    figure = figures.path(points, names, 0.8, "cat")
    assert figure.layout.yaxis.scaleanchor == "x"
    assert "80%" in figure.layout.xaxis.title.text


def test_pushes_as_shares_of_what_they_meet() -> None:
    states = np.array([[3.0, 4.0], [3.0, 5.0], [0.0, 0.0]])
    given = np.array([[0.0, 1.0], [-3.0, -5.0]])
    attention, fed = figures.pushes(states, given, ("embedding", "attention 1", "feed-forward 1")).data
    np.testing.assert_allclose(attention.y, [20])
    np.testing.assert_allclose(fed.y, [100])
    assert list(attention.x) == ["1"]


def test_the_lens() -> None:
    logits, ranks = rand(4, 3), np.arange(12).reshape(4, 3)
    figure = figures.lens(logits, ranks, TOKENS, ("embedding", "a", "b", "c"))
    np.testing.assert_array_equal(figure.data[0].z, logits)
    np.testing.assert_array_equal(figure.data[0].text, ranks)
    assert list(figure.layout.yaxis.ticktext) == ["embedding", "a", "b", "c"]
    assert list(figure.layout.xaxis.ticktext) == list(TOKENS)


def test_lines_by_height_and_by_depth() -> None:
    clean, broken = np.array([1.0, 2, 3]), np.array([1.0, 20, 300])
    figure = figures.by_height(clean, broken, "norm out", "size", log=True)
    np.testing.assert_array_equal(figure.data[1].y, broken)
    assert figure.layout.yaxis.type == "log"
    names = ("both", "no residual", "no norm", "neither")
    lines = {name: np.array([n, 0.0]) for n, name in enumerate(names, 1)}
    figure = figures.depths([1, 32], lines, "gradient", "depth", log=True)
    looks = {trace.name: (trace.line.color, trace.line.dash) for trace in figure.data}
    assert looks == {
        "both": (VALUE, "solid"),
        "no residual": (QUIET, "solid"),
        "no norm": (VALUE, "dot"),
        "neither": (QUIET, "dot"),
    }
    assert figure.data[2].y[0] == 3
    assert np.isnan(figure.data[2].y[1]), "a logarithm has no place for 0"


def test_linear_figures() -> None:
    live, frozen = (rand(2, 3), rand(2, 3, seed=1)), (rand(2, 3, seed=2), rand(2, 3, seed=2))
    _, violet, green = figures.superposition(live, frozen).data
    np.testing.assert_array_equal(violet.y, live[0].ravel())
    np.testing.assert_array_equal(violet.x, live[1].ravel())
    assert (violet.marker.color, green.marker.color) == (WEIGHT, VALUE)
    off, none = figures.scaling([-1.0, 2.0], np.array([0.1, 0.2]), np.zeros(2)).data
    np.testing.assert_allclose(off.y, [10, 20])
    np.testing.assert_array_equal(none.y, 0)


@pytest.mark.parametrize("what", ["weights", "embedding"])
def test_dropped_cells_are_grey_and_kept_zeros_are_not(what: str) -> None:
    before = np.array([[0.5, 0.0], [0.2, 0.3]])
    after = np.array([[1.0, 0.0], [0.0, 0.6]])
    left, right, gone = figures.dropped(before, after, what, TOKENS[:2], averaged=False).data
    np.testing.assert_array_equal(left.z, before)
    np.testing.assert_array_equal(right.z, [[1, 0], [np.nan, 0.6]])
    np.testing.assert_array_equal(gone.z, [[np.nan, np.nan], [1, np.nan]])
    assert gone.colorscale[0][1] == QUIET
    assert (left.zmin, left.zmax) == (right.zmin, right.zmax) == ((0 if what == "weights" else -1), 1)
    assert len(figures.dropped(before, after, what, TOKENS[:2], averaged=True).data) == 2


def test_two_maps_share_their_colours() -> None:
    left, right = figures.two_maps(np.full((3, 3), 0.2), np.eye(3), ("a", "b"), TOKENS).data
    assert left.zmax == right.zmax == 1
    assert left.zmin == right.zmin == 0


@pytest.mark.parametrize("n", [1, 40, 512])
def test_long_texts_are_cut_and_their_labels_thinned(n: int) -> None:
    tokens = tuple("w" * (i % 20 + 1) for i in range(n))
    for figure in (
        figures.stage(rand(n, 4), tokens),
        figures.firing(abs(rand(n, 4)), rand(n, 4) > 0, tokens),
        figures.two_maps(rand(n, n), rand(n, n), ("a", "b"), tokens),
    ):
        assert len(figure.data[0].z) == min(n, figures.MAX_ROWS)
        assert len(figure.layout.yaxis.ticktext) <= 32
        assert all(len(label) <= 14 for label in figure.layout.yaxis.ticktext)
        assert figure.layout.height <= 700


def test_amounts() -> None:
    shown = {0: "0", 0.28: "0.28", 5.21: "5.2", 128.4: "128", 2.7e8: "3 × 10⁸", 1.7e-9: "2 × 10⁻⁹", -4e-5: "-4 × 10⁻⁵"}
    assert {x: amount(x) for x in shown} == shown
