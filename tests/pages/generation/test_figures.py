"""Figures of writing, against the numbers that they were given."""

import numpy as np

from lab.kit.figures.palette import KEY, NEGATIVE, POSITIVE, VALUE
from pages.generation import figures

RNG = np.random.default_rng(0)


def test_the_cache_shows_keys_and_values_of_every_layer() -> None:
    keys, values = RNG.normal(size=(2, 5, 6)), RNG.normal(size=(2, 5, 6))
    figure = figures.cache_blocks(("a", "b", "c", "d", "e"), keys, values)
    assert len(figure.data) == 4
    for n, trace in enumerate(figure.data):  # all keys first, then all values
        contents, colour = ((keys, KEY), (values, VALUE))[n // 2]
        np.testing.assert_allclose(trace.z, np.abs(contents[n % 2]).T)
        assert trace.colorscale[-1][1] == colour
        assert trace.zmin == 0
        assert trace.zmax == np.abs(contents).max()
    assert figures.cache_blocks(("a",), keys[:1, :1], values[:1, :1]).data[0].z.shape == (6, 1)


def test_two_lines_are_named_and_not_exchanged() -> None:
    figure = figures.two_lines([1, 2], [3, 4], [5, 9], "tokens", "ms")
    assert {trace.name: list(trace.y) for trace in figure.data} == {"without": [5, 9], "with a cache": [3, 4]}


def test_the_sum_of_products_ends_at_the_logit() -> None:
    x, row = RNG.normal(size=8), RNG.normal(size=8)
    figure = figures.logit_sum(x, row, 0.25)
    for bars, numbers in zip(figure.data, (x, row, x * row), strict=False):
        assert bars.marker.color == tuple(POSITIVE if number >= 0 else NEGATIVE for number in numbers)
    np.testing.assert_allclose(figure.data[2].y, x * row)
    np.testing.assert_allclose(figure.data[3].y[-1], x @ row + 0.25)


def test_curves_of_learning_may_be_of_different_lengths() -> None:
    figure = figures.learned({"with": [(0, 0.1), (10, 0.5)], "without": [(0, 0.2), (10, 0.6), (20, 1.0)]}, 40)
    assert list(figure.data[0].x) == [0, 10]
    assert list(figure.data[1].y) == [0.2, 0.6, 1.0]
    assert tuple(figure.layout.xaxis.range) == (0, 40)
    assert figures.learned({"with": [], "without": []}, 40).data[0].x == ()
