"""The figures of the blocks page: the data in them is what they were given, and the axes say what it is."""

from typing import Any

import numpy as np
import pytest

from lab.kit.figures.palette import DIVERGING, INK, MAGNITUDE, QUIET, SEQUENTIAL
from pages.blocks import figures, station_figures
from pages.blocks.components import block_tower, stream_way
from pages.blocks.components.layer_river import MAX_HEADS, MAX_LANES, MAX_UNITS, Station, Units, half, pack
from pages.blocks.data import Leaders
from pages.blocks.station_figures import STATIONS

TOKENS = ("The", "cat", "sat")
PRE = ("in", "norm1", "attention", "add1", "norm2", "feed_forward", "add2")


def rand(*shape: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=shape)


def river(
    T: int = 3,
    D: int = 5,
    weights: np.ndarray | None = None,
    values: dict | None = None,
    units: Units | None = None,
    **more: Any,
) -> dict:
    stations = [
        Station(step, STATIONS[step], step, f"({T}, {D})", "help", True, (values or {}).get(step, rand(T, D, seed=n)))
        for n, step in enumerate(PRE)
    ]
    weights = np.full((1, T, T), 1 / T) if weights is None else weights
    shares = rand(T, 4 * D)
    return pack(tuple("abc" * T)[:T], stations, weights, "attention", units or Units(shares > 0, shares), **more)


def test_the_river_carries_what_it_was_given() -> None:
    first, one = rand(3, 5), np.array([[1.0, 0, 0], [0.25, 0.75, 0], [0.1, 0.2, 0.7]])
    other = np.array([[1.0, 0, 0], [0.75, 0.25, 0], [0.3, 0.4, 0.3]])
    packed = river(weights=np.stack([one, other]), values={"in": first})
    assert [station["step"] for station in packed["stations"]] == list(PRE)
    np.testing.assert_allclose(packed["weights"], (one + other) / 2)
    assert packed["heads"] == [one.tolist(), other.tolist()], "each for itself"
    np.testing.assert_allclose(packed["stations"][0]["lengths"], np.linalg.norm(first, axis=1), atol=6e-4)
    assert (packed["width"], packed["left_out"], packed["n_heads"]) == (5, 0, 2)


def test_the_token_that_is_told_to_get_most_attention_is_sought_in_the_whole_text_and_over_all_heads() -> None:
    T, heads = MAX_LANES + 16, MAX_HEADS + 2
    weights = np.zeros((heads, T, T))
    weights[:, np.arange(T), np.arange(T)] = 1
    weights[:-1, 3, [3, 1, 30]] = [0.6, 0.1, 0.3]
    weights[-1, 3, [3, 1, 30]] = [0, 0, 1]
    weights[:, 5] = 0.006 / (T - 1)
    weights[:, 5, 5] = 1 - 0.006
    seen = river(T=T, D=100, weights=weights)["seen"]
    share = round((0.3 * (heads - 1) + 1) / heads, 4)
    assert seen[3] == {"source": 30, "word": ("abc" * T)[30], "share": share, "head": heads - 1, "given": 1.0}
    assert seen[0] is seen[5] is None, "next to nothing goes to others"
    assert len(seen) == MAX_LANES
    even = river(T=200, D=100, weights=np.full((1, 200, 200), 1 / 200))["seen"]
    assert even[0] is not None, "who gives many tokens little each looks at others all the same"


def test_hidden_units_are_those_that_fire_with_their_shares_and_how_few_do_half_of_the_work() -> None:
    fires = np.array([[True, False, True, True], [False, False, False, True]])
    shares = np.array([[0.3, 0.0, -0.1, 0.6], [0.0, 0.0, 0.0, 0.2]])
    assert river(T=2, units=Units(fires, shares))["units"] == {
        "n": 4,
        "drawn": 4,
        "awake": [3, 1],
        "half": [1, None],
        "at": [[0, 2, 3], [3]],
        "does": [[3000, -1000, 6000], [2000]],
    }
    assert half(np.array([0.2, 0.3, 0.1, 0.15, 0.25])) == 2, "the largest ones first"
    many = Units(np.ones((3, MAX_UNITS + 9), bool), np.full((3, MAX_UNITS + 9), 1 / MAX_UNITS))
    sent = river(units=many)["units"]
    assert (sent["n"], sent["drawn"], sent["awake"][0]) == (MAX_UNITS + 9, MAX_UNITS, MAX_UNITS + 9)
    assert len(sent["at"][0]) == len(sent["does"][0]) == MAX_UNITS


def test_the_river_is_cut_and_says_so() -> None:
    packed = river(T=40, D=100)
    assert (len(packed["words"]), packed["left_out"]) == (MAX_LANES, 40 - MAX_LANES)
    assert packed["usual"] == MAX_LANES - 1, "the last that is drawn"
    assert river(T=40, usual=30)["usual"] == MAX_LANES - 1
    assert river(T=40, usual=0, speaks_at=0)["usual"] == 0
    assert np.shape(packed["weights"]) == (MAX_LANES, MAX_LANES)
    assert len(packed["stations"][0]["lengths"]) == len(packed["units"]["at"]) == MAX_LANES
    heads = river(weights=np.full((MAX_HEADS + 4, 3, 3), 1 / 3))
    assert (len(heads["heads"]), heads["n_heads"]) == (MAX_HEADS, MAX_HEADS + 4)


def test_vectors_and_their_addition() -> None:
    met, push = rand(3, 5), rand(3, 5, seed=1)
    (heat,) = station_figures.vectors(met, TOKENS).data
    np.testing.assert_array_equal(heat.z, met)
    assert heat.zmax == -heat.zmin == np.abs(met).max()
    assert [tuple(pair) for pair in heat.colorscale] == [tuple(pair) for pair in DIVERGING]
    maps = station_figures.addition(met, push, TOKENS, "attention").data
    np.testing.assert_array_equal(maps[2].z, met + push)
    assert len({heat.zmax for heat in maps}) == 1


def test_layer_norm_before_and_after() -> None:
    before, after = rand(3, 64), rand(3, 64, seed=1)
    ticks, mean, _, normed = station_figures.normalised(before, after, TOKENS, ("before", "after")).data
    np.testing.assert_array_equal(ticks.x, before.ravel())
    np.testing.assert_allclose(mean.x, before.mean(1))
    np.testing.assert_allclose(normed.error_x.array, after.std(1))
    many = station_figures.normalised(rand(60, 256), rand(60, 256), TOKENS * 20, ("before", "after")).data
    assert len(many[0].x) <= station_figures.MAX_TICKS + 60
    np.testing.assert_allclose(many[1].x, rand(60, 256).mean(1))


def test_a_map_for_each_head() -> None:
    weights = abs(rand(6, 3, 3))
    figure = station_figures.head_maps(weights, TOKENS)
    for heat, of_head in zip(figure.data, weights, strict=True):
        np.testing.assert_array_equal(heat.z, of_head)
        assert (heat.zmin, heat.zmax) == (0, weights.max())
        assert heat.colorscale[0][1] == SEQUENTIAL[0][1]
    masked = station_figures.head_maps(np.tril(weights), TOKENS).data[0]
    np.testing.assert_array_equal(np.isnan(masked.z), np.triu(np.ones((3, 3), bool), 1))


def test_silent_units_are_empty_and_the_most_active_first() -> None:
    hidden = np.array([[0.0, 2.0, 1.0], [0.0, 0.0, 3.0], [0.5, 0.0, 1.0]])
    heat, bars = station_figures.firing(hidden, hidden > 0, TOKENS).data
    np.testing.assert_array_equal(heat.customdata[0], [2, 0, 1])
    np.testing.assert_array_equal(heat.z, [[1, np.nan, 2], [3, np.nan, np.nan], [1, 0.5, np.nan]])
    assert heat.zmin == 0
    assert [tuple(pair) for pair in heat.colorscale] == [tuple(pair) for pair in MAGNITUDE]
    np.testing.assert_allclose(bars.x, [200 / 3, 100 / 3, 200 / 3])
    signed = station_figures.firing(hidden - 0.1, hidden > 0, TOKENS).data[0]
    assert signed.zmin == -signed.zmax


def test_firing_counts_all_units_though_it_draws_some() -> None:
    hidden = np.ones((2, 300))
    fires = np.arange(300)[None].repeat(2, 0) < 150
    heat, bars = station_figures.firing(hidden, fires, TOKENS[:2]).data
    assert heat.z.shape == (2, figures.MAX_UNITS)
    np.testing.assert_array_equal(bars.x, 50)


def test_the_bend_shows_where_the_numbers_fall() -> None:
    x = np.linspace(-4, 4, 9)
    figure = station_figures.activation(x, {"ReLU": x * (x > 0), "GELU": x}, "GELU", np.array([-3.0, 0.01, 0.02, 0.03]))
    histogram, relu, gelu = figure.data
    assert sum(histogram.y) == 100
    assert max(histogram.y) == 75
    assert (relu.line.color, gelu.line.color) == (QUIET, INK)
    assert [note.text for note in figure.layout.annotations] == ["ReLU", "GELU, in use here"]
    assert figure.layout.yaxis2.domain[1] < figure.layout.yaxis.domain[0], "one below the other, on one x axis"


def test_the_lens() -> None:
    logits, ranks = rand(4, 3), np.arange(12).reshape(4, 3)
    ranks[0, 0] = 99
    figure = figures.lens(logits, ranks, TOKENS, ("embedding", "a", "b", "c"))
    np.testing.assert_array_equal(figure.data[0].z, logits)
    assert list(figure.data[0].text[0]) == ["99", "<b>1</b>", "2"]
    (first,) = figure.layout.shapes
    assert (first.x0, first.x1, first.y0) == (0.51, 1.49, -0.48), "what the model would say there"
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
        "both": (INK, "solid"),
        "no residual": (QUIET, "solid"),
        "no norm": (INK, "dot"),
        "neither": (QUIET, "dot"),
    }
    assert {note.text for note in figure.layout.annotations} == set(names), "names at the lines, no legend"
    assert not figure.layout.showlegend
    assert figure.data[2].y[0] == 3
    assert np.isnan(figure.data[2].y[1]), "a logarithm has no place for 0"


def test_dropped_cells_are_grey_and_kept_zeros_are_not() -> None:
    before = np.array([[0.5, 0.0], [0.2, 0.3]])
    after = np.array([[1.0, 0.0], [0.0, 0.6]])
    left, right, gone = figures.dropped(before, after, TOKENS[:2]).data
    np.testing.assert_array_equal(left.z, before)
    np.testing.assert_array_equal(right.z, [[1, 0], [np.nan, 0.6]])
    np.testing.assert_array_equal(gone.z, [[np.nan, np.nan], [1, np.nan]])
    assert gone.colorscale[0][1] == QUIET
    assert (left.zmin, left.zmax) == (right.zmin, right.zmax) == (0, 1)
    assert len(figures.dropped(before, before, TOKENS[:2]).data) == 2


def test_two_maps_share_their_colours() -> None:
    left, right = figures.two_maps(np.full((3, 3), 0.2), np.eye(3), ("a", "b"), TOKENS).data
    assert left.zmax == right.zmax == 1
    assert left.zmin == right.zmin == 0


@pytest.mark.parametrize("n", [1, 40, 512])
def test_long_texts_are_cut_and_their_labels_thinned(n: int) -> None:
    tokens = tuple("w" * (i % 20 + 1) for i in range(n))
    for figure in (
        station_figures.vectors(rand(n, 4), tokens),
        station_figures.firing(abs(rand(n, 4)), rand(n, 4) > 0, tokens),
        figures.two_maps(rand(n, n), rand(n, n), ("a", "b"), tokens),
    ):
        assert len(figure.data[0].z) == min(n, figures.MAX_ROWS)
        assert len(figure.layout.yaxis.ticktext) <= 32
        assert all(len(label) <= 14 for label in figure.layout.yaxis.ticktext)
        assert figure.layout.height <= 700


def test_a_chance_that_is_not_all_is_not_sent_as_all() -> None:
    chance = 0.99997
    up = Leaders((("hat",), ("hat",)), np.full((2, 1), chance), np.ones(2, int), np.full(2, chance))
    sent = stream_way.payload("ab", "ab", 0, 0, up, ("embedding", "layer 0"), 9)
    assert sent["odds"][1][0] == sent["answer_odds"][1] == chance
    said = (("hat", chance),)
    verdict = block_tower.Verdict("attention in layer 2", chance, said)
    sent = block_tower.pack("ab", 1, "attention.0", said, verdict, None, follows=True)
    assert sent["whole"][0][1] == sent["verdict"]["moved"] == sent["verdict"]["leaders"][0][1] == chance


def test_of_each_two_tokens_only_what_is_drawn_is_sent() -> None:
    weights = np.array([[1, 0, 0], [0.5, 0.5, 0], [0.126, 0.1, 0.774]])
    verdict = block_tower.Verdict("nothing", 0, ())
    sent = block_tower.pack("abc", 1, "nothing", (), verdict, None, follows=True, maps=[weights])
    assert sent["threads"] == [[(1, 0, 0.5), (2, 0, 0.13)]], "neither itself, nor what is next to nothing"


def test_what_is_said_of_the_sizes_names_no_colour_that_a_theme_changes() -> None:
    figure = figures.sizes([("small", (1, 2, 3, 1)), ("large", (10, 20, 30, 10))])
    said = " ".join(note.text for note in figure.layout.annotations).lower()
    assert "strip at the left of a bar is the whole model above it" in said
    assert not [colour for colour in ("black", "dark", "white", "light") if colour in said]
