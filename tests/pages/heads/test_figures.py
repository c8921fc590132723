"""The figures of what a head does carry the numbers they were given."""

import numpy as np

from lab.kit.figures.palette import MAGNITUDE
from pages.heads import figures, head_map

TOKENS = ("the", "cat", "the")


def test_edges_are_shares_of_their_largest_and_keep_their_values():
    figure = figures.edges_three_ways(TOKENS, np.array([0.5, 0.25, 0.25]), np.array([0.1, 0.4, 0.0]), np.zeros(3))
    weight, moved, effect = figure.data
    np.testing.assert_allclose(weight.x, [1, 0.5, 0.5])
    np.testing.assert_allclose(moved.x, [0.25, 1, 0])
    assert [tuple(pair) for pair in moved.customdata] == [(0.1, "the 0"), (0.4, "cat 1"), (0.0, "the 2")]
    np.testing.assert_array_equal(effect.x, 0)


def test_part_sizes_are_lengths():
    parts = np.zeros((2, 3, 4))
    parts[1, 2] = [3, 4, 0, 0]
    figure = figures.part_sizes(TOKENS, parts, head=1)
    z = figure.data[0].z
    assert z[2][1] == 5
    assert np.sum(z) == 5
    assert (figure.layout.shapes[0].x0, figure.layout.shapes[0].x1) == (0.5, 1.5)


def test_stripes_are_as_wide_as_a_head():
    figure = figures.stripes(np.arange(24.0).reshape(4, 6), n_heads=3, head=1)
    assert [(s.x0, s.x1) for s in figure.layout.shapes] == [(-0.5, 1.5), (1.5, 3.5), (3.5, 5.5)]
    widths = [s.line.width for s in figure.layout.shapes]
    assert widths.index(max(widths)) == 1
    assert figure.data[0].zmax == -figure.data[0].zmin == 23


def test_bands_are_as_high_as_a_head():
    figure = figures.bands(np.arange(24.0).reshape(3, 2, 4), head=2)
    assert [(s.y0, s.y1) for s in figure.layout.shapes] == [(-0.5, 1.5), (1.5, 3.5), (3.5, 5.5)]
    widths = [s.line.width for s in figure.layout.shapes]
    assert widths.index(max(widths)) == 2
    np.testing.assert_array_equal(figure.data[0].z, np.arange(24.0).reshape(6, 4))


def test_alike_names_layers_and_heads():
    figure = figures.similarity(np.eye(4), n_heads=2)
    assert list(figure.data[0].x) == ["0·0", "0·1", "1·0", "1·1"]
    assert len(figure.layout.shapes) == 2


def test_sizes_begin_at_zero_in_colours_that_are_not_those_of_weights():
    sizes = [
        figures.similarity(np.full((4, 4), 0.9), n_heads=2),
        figures.sources(TOKENS, np.full((3, 3), 1 / 3)),
        figures.part_sizes(TOKENS, np.ones((2, 3, 4))),
        head_map.by_head(np.array([[0.4, 0.5]]), "change"),
    ]
    for figure in sizes:
        heat = figure.data[0]
        assert heat.zmin == 0
        assert [colour for _, colour in heat.colorscale] == [colour for _, colour in MAGNITUDE]


def test_sources_read_row_from_column():
    matrix = np.array([[1.0, 0, 0], [0.4, 0.6, 0], [0.2, 0.3, 0.5]])
    heat = figures.sources(TOKENS, matrix).data[0]
    np.testing.assert_array_equal(heat.z, matrix)
    assert tuple(heat.customdata[2][1]) == ("the 2", "cat 1")
    assert heat.hovertemplate.startswith("%{z:.3f} of %{customdata[0]} comes from %{customdata[1]}")
