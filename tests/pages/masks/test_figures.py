"""The figures of the masks page show the numbers they are given, and none of their own."""

import numpy as np
import plotly.graph_objects as go
import pytest

from pages.masks import figures
from pages.shared import palette

TOKENS = ("a", "b", "<i>c</i>", "d")
MASK = np.tril(np.ones((4, 4), bool))


def ladder(moved: np.ndarray | None = None, predicted: np.ndarray | None = None, mask: np.ndarray = MASK) -> go.Figure:
    expected = np.array([[0, 1, 0, 0], [0, 1, 1, 1], [0, 1, 1, 1]], bool)
    moved = expected if moved is None else moved
    change = np.where(moved, 0.25, 0.0)
    return figures.ladder(moved, change, expected if predicted is None else predicted, mask, TOKENS, 1)


def dots(figure: go.Figure, name: str) -> set[tuple[int, int]]:
    (trace,) = [t for t in figure.data if t.name == name]
    return set(zip(map(int, trace.y), map(int, trace.x), strict=True))


def test_every_dot_says_what_it_did() -> None:
    figure = ladder()
    assert dots(figure, "edited") == {(0, 1)}
    assert dots(figure, "moved") == {(1, 1), (1, 2), (1, 3), (2, 1), (2, 2), (2, 3)}
    assert dots(figure, "predicted") == dots(figure, "moved")
    assert dots(figure, "unmoved") == {(0, 0), (0, 2), (0, 3), (1, 0), (2, 0)}


def test_a_dot_that_moved_against_the_prediction_has_no_ring() -> None:
    moved = np.array([[0, 1, 0, 0], [1, 1, 1, 1], [1, 1, 1, 1]], bool)
    figure = ladder(moved)
    assert dots(figure, "moved") - dots(figure, "predicted") == {(1, 0), (2, 0)}


def test_lines_lead_from_what_moved_to_who_may_look() -> None:
    line = ladder().data[0]
    points = list(zip(line.x, line.y, strict=True))
    edges = {(points[n], points[n + 1]) for n in range(0, len(points), 3)}
    # The first layer carries the edit from b to b, c, d; the second what those heard to those who see them.
    first = {((1, 0), (query, 1)) for query in (1, 2, 3)}
    second = {((key, 1), (query, 2)) for key in (1, 2, 3) for query in range(key, 4)}
    assert edges == first | second


def test_the_residual_connection_carries_it_where_the_mask_closes_everything() -> None:
    moved = np.array([[0, 1, 0, 0], [0, 1, 0, 0]], bool)
    line = ladder(moved, moved, np.zeros((4, 4), bool)).data[0]
    assert (list(line.x), list(line.y)) == ([1, 1, None], [0, 1, None])


def test_both_axes_are_named_and_tokens_are_no_markup() -> None:
    figure = ladder()
    assert figure.layout.xaxis.title.text == "token"
    assert figure.layout.yaxis.title.text == "height in the model"
    assert list(figure.layout.xaxis.ticktext) == ["a", "b", "&lt;i&gt;c&lt;/i&gt;", "d"]
    assert list(figure.layout.yaxis.ticktext) == ["input", "layer 1", "layer 2, output"]
    hover = [text for trace in figure.data if trace.text for text in trace.text]
    assert not any("<i>" in text for text in hover)
    assert "moved by up to 0.25" in " ".join(hover)


def rows(weights: list[np.ndarray | None], allowed: list[bool]) -> go.Figure:
    return figures.blocked_rows(["x", "y", "z"], weights, allowed, TOKENS[: len(allowed)])


def test_rows_show_their_weights_and_nan_its_name() -> None:
    figure = rows([np.array([np.nan] * 3), np.array([0.25, 0.0, 0.75]), None], [False] * 3)
    heat = figure.data[0]
    assert [list(row) for row in heat.z] == [[None] * 3, [0.25, 0, 0.75], [None] * 3]
    assert [list(row) for row in heat.text] == [["NaN"] * 3, [".250", "0", ".750"], [""] * 3]
    assert (heat.zmin, heat.zmax) == (0, 0.75)
    assert [note.text for note in figure.layout.annotations] == ["z: no result, an error"]


def hatched(figure: go.Figure) -> list[set[tuple[int, int]]]:
    return [{(round(x), y) for x, y in zip(trace.x, trace.y, strict=True)} for trace in figure.data[1:3]]


def test_blocked_keys_are_hatched_whatever_they_weigh() -> None:
    figure = rows([np.array([0.5, 0.5, 0.0])] * 3, [True, False, False])
    on_light, on_dark = hatched(figure)
    assert on_light == {(2, row) for row in range(3)}
    assert on_dark == {(1, row) for row in range(3)}


def test_a_row_that_failed_is_not_hatched() -> None:
    assert {row for _, row in hatched(rows([None, np.zeros(2), None], [False] * 2))[0]} == {1}


@pytest.mark.parametrize("weights", [[np.zeros(1)] * 3, [None] * 3])
def test_nothing_at_all_has_a_range(weights: list[np.ndarray | None]) -> None:
    assert rows(weights, [False]).data[0].zmax == 1


def test_colours_are_the_palettes() -> None:
    figure = ladder()
    colours = {trace.marker.color for trace in figure.data[1:]}
    assert colours == {palette.QUIET, palette.QUERY, palette.KEY}
    assert figure.to_json() == ladder().to_json()
