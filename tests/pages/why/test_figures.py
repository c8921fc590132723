"""The figures of the page on why carry the numbers they were given."""

import numpy as np
import pytest

from pages.shared.palette import INK, QUIET, WEIGHT
from pages.why import figures


def names(figure) -> dict[str, float]:
    """The names beside the lines, and how high they stand."""
    return {note.text: note.y for note in figure.layout.annotations if note.xanchor == "left" and note.xshift}


def test_attention_is_ink_and_the_chosen_length_is_marked() -> None:
    figure = figures.steps_by_length([2, 4], {"recurrent": [2, 4], "attention": [1, 1]}, 4)
    assert [trace.line.color for trace in figure.data] == [QUIET, INK]
    assert figure.layout.shapes[0].x0 == 4


def test_every_line_bears_its_name_and_no_two_names_touch() -> None:
    lines = {"recurrent": [2, 4], "convolution": [1, 4], "attention": [1, 1]}
    figure = figures.steps_by_length([2, 4], lines, 4)
    low, high = figure.layout.yaxis.range
    heights = names(figure)
    assert heights.keys() == lines.keys()
    assert heights["attention"] == 0
    assert abs(heights["recurrent"] - heights["convolution"]) >= 0.05 * (high - low)
    assert not figure.layout.showlegend


def test_only_what_counts_attention_weights_is_violet() -> None:
    ratios = figures.ratios([2, 8], {"steps": [1, 0.1], "operations": [0.1, 5], "memory": [0.2, 9]}, 2, 4)
    assert [trace.line.color == WEIGHT for trace in ratios.data[:3]] == [False, False, True]
    memory = figures.memory([2, 8], [16, 256], [8, 32], 2)
    assert [trace.line.color == WEIGHT for trace in memory.data] == [True, False]


def test_comparisons_hold_every_line_in_their_range() -> None:
    figure = figures.ratios([2, 1000], {"steps": [0.5, 0.001], "operations": [0.1, 50], "memory": [0.2, 100]}, 2, 20)
    low, high = figure.layout.yaxis.range
    assert low < np.log10(0.001)
    assert high > np.log10(100)
    assert (figure.data[-1].x[0], figure.data[-1].y[0]) == (20, 1)
    assert names(figure).keys() == {"steps", "operations", "memory"}


def test_measured_ticks_are_where_was_measured() -> None:
    figure = figures.measured([16, 1024], {"a": [0.1, 3.0], "b": [0.2, 2.0]}, "words n", chosen=16)
    assert list(figure.layout.xaxis.ticktext) == ["16", "1,024"]
    assert [list(trace.y) for trace in figure.data] == [[0.1, 3.0], [0.2, 2.0]]
    assert "on this machine" in figure.layout.yaxis.title.text


def test_stored_times_are_dotted_and_lie_behind_ones_own() -> None:
    lines = {"a": [0.1, 3.0], "b": [0.2, 2.0]}
    alone = figures.measured([16, 1024], lines, "words n", is_stored=True)
    assert [trace.line.dash for trace in alone.data] == ["dot", "dot"]
    assert "this machine" not in alone.layout.yaxis.title.text
    both = figures.measured([16, 1024], lines, "words n", behind=([0.01, 1.0], [0.3, 9.0]))
    assert [trace.line.dash for trace in both.data] == ["dot", "dot", "solid", "solid"]
    assert both.layout.yaxis.range[0] < -2


def test_operations_mark_where_n_is_d() -> None:
    lines = {name: [1, 2] for name in "abcd"}
    figure = figures.operations([16, 32], lines, 32)
    assert figure.layout.shapes[0].x0 == 32
    assert any(note.x == pytest.approx(np.log10(32)) and "n = d" in note.text for note in figure.layout.annotations)


@pytest.mark.parametrize(
    ("value", "shown"),
    [(0, "0 B"), (999, "999 B"), (1024, "1.02 kB"), (33_554_432, "33.6 MB"), (10**12, "1 TB"), (2.5e15, "2,500 TB")],
)
def test_bytes_as_a_person_writes_them(value: float, shown: str) -> None:
    assert figures.in_bytes(value) == shown
