"""What the figures of the studies are drawn from."""

import numpy as np

from lab.kit.figures.palette import DIVERGING, INK, PANEL
from pages.pretrained.study import figures


def name(row, column):
    return f"part {row} <{column}>"


def parts(values, rows=None, columns=None, **more):
    R, C = values.shape
    rows, columns = rows or [str(n) for n in range(R)], columns or [str(n) for n in range(C)]
    return figures.parts(values, "share", rows=rows, columns=columns, axes=("layer", "head"), name=name, **more)


def test_every_part_has_a_cell_and_something_to_click():
    values = np.array([[0.5, -1.0, 0.0], [0.25, 0.0, 2.0]])
    heat, targets, numbers = parts(values, chosen=(1, 2)).data
    np.testing.assert_array_equal(heat.z, values)
    assert (heat.zmin, heat.zmax) == (-2, 2)
    assert numbers.text[1] == "−1.00"
    assert list(numbers.textfont.color) == [INK] * 5 + [PANEL], "on the strongest colour a number is not in ink"
    assert list(map(list, heat.colorscale)) == [list(stop) for stop in DIVERGING]
    assert [(x, y) for x, y in zip(targets.x, targets.y, strict=True)] == [(c, r) for r in range(2) for c in range(3)]
    assert [row[1:] for row in targets.customdata] == [[values[r, c], r, c] for r in range(2) for c in range(3)]
    assert targets.customdata[0][0] == "part 0 &lt;0&gt;", "a name is never read as markup"


def test_the_chosen_part_is_framed():
    (frame,) = parts(np.zeros((2, 3)), chosen=(1, 2)).layout.shapes
    assert (frame.x0, frame.x1, frame.y0, frame.y1) == (1.5, 2.5, 0.5, 1.5)
    assert not parts(np.zeros((2, 3))).layout.shapes


def test_numbers_stand_in_cells_that_have_room():
    assert len(parts(np.zeros((2, 12))).data[2].text) == 24
    assert len(parts(np.zeros((2, 40))).data) == 2
    assert parts(np.zeros((40, 40))).layout.height < 700


def test_names_of_columns_are_upright_where_they_are_short():
    assert parts(np.zeros((1, 5)), columns=["0", "1", "2", "3", "FFN"]).layout.xaxis.tickangle == 0
    assert parts(np.zeros((1, 5)), columns=["found", "a", "red", "ball", "in"]).layout.xaxis.tickangle == -60


def test_two_prompts_side_by_side():
    figure = figures.two_rows(["<bos>", "mia"], ["<bos>", "tom"], np.array([0.1, 0.9]), np.array([0.6, 0.4]))
    clean, corrupted = figure.data
    assert list(clean.x) == [0.1, 0.9]
    assert list(corrupted.x) == [0.6, 0.4]
    assert list(figure.layout.yaxis.ticktext) == ["&lt;bos&gt;", "mia / tom"]


def test_losses_begin_at_the_second_token_and_the_middle_is_marked():
    figure = figures.losses(np.arange(7.0), 4, 3.0)
    line, even = figure.data
    assert list(line.x) == [2, 3, 4, 5, 6, 7, 8]
    assert list(line.y) == [0, 1, 2, 3, 4, 5, 6]
    assert set(even.y) == {3.0}
    assert figure.layout.shapes[0].x0 == 4.5


def test_shares_are_whole_percents_from_zero():
    figure = parts(np.array([[0.31, 0.5, 0.81]]), is_share=True)
    assert list(figure.data[2].text) == ["31%", "50%", "81%"]
    assert figure.data[0].zmin == 0
    assert figure.layout.annotations[0].text == "<b>Share</b>"
    assert not parts(np.zeros((2, 40))).layout.annotations, "a colour bar names the numbers that are not written"
