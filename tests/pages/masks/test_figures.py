"""The figure of blocked rows shows the numbers it is given, and none of its own."""

import numpy as np
import plotly.graph_objects as go
import pytest

from pages.masks import figures

TOKENS = ("a", "b", "<i>c</i>", "d")


def rows(weights: list[np.ndarray | None], allowed: list[bool]) -> go.Figure:
    return figures.blocked_rows(["x", "y", "z"], weights, allowed, TOKENS[: len(allowed)])


def test_rows_show_their_weights_and_nan_its_name() -> None:
    figure = rows([np.array([np.nan] * 3), np.array([0.25, 0.0, 0.75]), None], [False] * 3)
    heat = figure.data[0]
    assert [list(row) for row in heat.z] == [[None] * 3, [0.25, 0, 0.75], [None] * 3]
    assert [list(row) for row in heat.text] == [[""] * 3, ["0.25", "0", "0.75"], [""] * 3]
    assert (heat.zmin, heat.zmax) == (0, 1)
    notes = [note.text for note in figure.layout.annotations]
    assert notes == ["not a number (NaN), in every cell", "no result, but an error"]
    assert list(figure.layout.xaxis.ticktext) == ["a", "b", "&lt;i&gt;c&lt;/i&gt;"]


def hatched(figure: go.Figure) -> set[tuple[int, int]]:
    trace = figure.data[1]
    return {(round(x), y) for x, y in zip(trace.x, trace.y, strict=True)}


def test_blocked_keys_are_hatched_whatever_they_weigh() -> None:
    figure = rows([np.array([0.5, 0.5, 0.0])] * 3, [True, False, False])
    assert hatched(figure) == {(key, row) for key in (1, 2) for row in range(3)}


def test_a_row_without_numbers_is_not_hatched() -> None:
    assert {row for _, row in hatched(rows([None, np.zeros(2), np.full(2, np.nan)], [False] * 2))} == {1}


@pytest.mark.parametrize("weights", [[np.zeros(1)] * 3, [None] * 3])
def test_nothing_at_all_has_a_range(weights: list[np.ndarray | None]) -> None:
    assert rows(weights, [False]).data[0].zmax == 1
