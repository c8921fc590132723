"""The figures of the page on why carry the numbers they were given."""

import numpy as np
import pytest

from pages.shared.palette import VALUE, WEIGHT
from pages.why import figures

EDGES = [((0, 0), (1, 1)), ((0, 1), (1, 1))]


def test_a_network_is_its_edges_and_its_path() -> None:
    figure = figures.network(2, EDGES, [(0, 0), (1, 1)], 1, max_layers=4)
    lines, nodes, path = figure.data
    assert list(lines.x) == [1, 2, None, 2, 2, None]
    assert list(lines.y) == [0, 1, None, 0, 1, None]
    assert sorted(zip(nodes.x, nodes.y, strict=True)) == [(1, 0), (2, 0), (2, 1)]
    assert list(zip(path.x, path.y, strict=True)) == [(1, 0), (2, 1)]
    assert path.line.color == VALUE
    assert figure.layout.yaxis.range[1] > 4


def test_attention_is_violet_and_the_chosen_length_is_marked() -> None:
    figure = figures.steps_by_length([2, 4], {"recurrent": [2, 4], "attention": [1, 1]}, 4)
    assert [trace.line.color == WEIGHT for trace in figure.data] == [False, True]
    assert figure.layout.shapes[0].x0 == 4


def test_comparisons_hold_every_line_in_their_range() -> None:
    figure = figures.ratios([2, 1000], {"steps": [0.5, 0.001], "operations": [0.1, 50], "memory": [0.2, 100]}, 2, 20)
    low, high = figure.layout.yaxis.range
    assert low < np.log10(0.001)
    assert high > np.log10(100)
    assert (figure.data[-1].x[0], figure.data[-1].y[0]) == (20, 1)


def test_measured_ticks_are_where_was_measured() -> None:
    figure = figures.measured([16, 1024], {"a": [0.1, 3.0], "b": [0.2, 2.0]}, "words n", chosen=16)
    assert list(figure.layout.xaxis.ticktext) == ["16", "1,024"]
    assert [list(trace.y) for trace in figure.data] == [[0.1, 3.0], [0.2, 2.0]]
    assert "on this machine" in figure.layout.yaxis.title.text


def test_operations_mark_where_n_is_d() -> None:
    lines = {name: [1, 2] for name in "abcd"}
    figure = figures.operations([16, 32], lines, 32)
    assert figure.layout.shapes[0].x0 == 32
    assert figure.layout.annotations[0].x == pytest.approx(np.log10(32))


@pytest.mark.parametrize(
    ("value", "shown"),
    [(0, "0 B"), (999, "999 B"), (1024, "1.02 kB"), (33_554_432, "33.6 MB"), (10**12, "1 TB"), (2.5e15, "2,500 TB")],
)
def test_bytes_as_a_person_writes_them(value: float, shown: str) -> None:
    assert figures.in_bytes(value) == shown
