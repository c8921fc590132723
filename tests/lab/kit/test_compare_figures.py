"""A | B: one range of colours, and an exact difference."""

import numpy as np
import pytest

from lab.kit.figures import head_differences, plot
from lab.kit.figures.compare_figures import Curves, Sheet, Tiles, head_maps, largest

TOKENS = ("the", "cat")
A = np.array([[1.0, 0.0], [0.25, 0.75]], dtype=np.float32)
B = np.array([[1.0, 0.0], [0.5, 0.5]], dtype=np.float32)
CAUSAL = np.tril(np.ones((2, 2), bool))


def sheet(values: np.ndarray, mask: np.ndarray | None = None) -> Sheet:
    return Sheet(values, "weight", ("query", "key"), TOKENS, TOKENS, mask)


def test_both_sides_share_one_range():
    pair = sheet(A / 2).pair(sheet(B))
    for matrix, figure in zip((A / 2, B), pair, strict=True):
        heat = figure.data[0]
        assert (heat.zmin, heat.zmax) == (0.0, 1.0)
        np.testing.assert_array_equal(heat.z, matrix)


def test_a_range_with_signs_is_around_zero():
    for figure in sheet(A).pair(sheet(-3 * B)):
        assert (figure.data[0].zmin, figure.data[0].zmax) == (-3.0, 3.0)


def test_the_difference_is_b_minus_a_around_zero():
    heat = sheet(A).difference(sheet(B)).data[0]
    np.testing.assert_allclose(heat.z, [[0, 0], [0.25, -0.25]])
    assert heat.zmin == -heat.zmax == -0.25


def test_a_against_a_is_exactly_zero():
    heat = sheet(A).difference(sheet(A)).data[0]
    assert not np.asarray(heat.z).any()
    assert (heat.zmin, heat.zmax) == (-1.0, 1.0)


def test_blocked_cells_are_gaps_and_hatched():
    heat, hatch = sheet(A, CAUSAL).pair(sheet(B))[0].data
    assert len(hatch.x) == len(hatch.y) == (~CAUSAL).sum()
    columns, rows = list(heat.x if heat.x is not None else range(2)), list(heat.y if heat.y is not None else range(2))
    assert not any(CAUSAL[rows.index(y), columns.index(x)] for x, y in zip(hatch.x, hatch.y, strict=True))
    assert np.isnan(heat.z[0][1])
    assert not np.isnan(heat.z[1][0])
    assert not np.isnan(sheet(A, CAUSAL).difference(sheet(B)).data[0].z).any()
    assert np.isnan(sheet(A, CAUSAL).difference(sheet(B, CAUSAL)).data[0].z[0][1])
    assert not np.isnan(sheet(A, CAUSAL).difference(sheet(B, CAUSAL.T)).data[0].z).any()


def test_words_along_x_are_turned_as_everywhere():
    words = tuple(f"word{n}" for n in range(9))
    long = Sheet(np.eye(9), "weight", ("query", "key"), words, words)
    assert {figure.layout.xaxis.tickangle for figure in (*long.pair(long), long.difference(long))} == {plot.WORD_ANGLE}
    assert sheet(A).difference(sheet(B)).layout.xaxis.tickangle == 0, "few stand upright"


def test_lines_are_dashed_and_solid_and_subtract():
    a, b = (Curves((1, 2), {"y": np.array(y)}, ("x", "y")) for y in ([1.0, 2.0], [1.0, 5.0]))
    (both,) = a.pair(b)
    assert [line.line.dash for line in both.data] == ["dash", "solid"]
    np.testing.assert_array_equal(a.difference(b).data[0].y, [0, 3])
    assert a.mismatch(b) == ""
    assert "different axes" in a.mismatch(b._replace(x=(1, 3)))


def test_on_logarithmic_axes_powers_of_ten_are_subtracted():
    a, b = (Curves((1, 2, 3), {"y": np.array(y)}, ("x", "y"), log=True) for y in ([1.0, 10.0, 0.0], [100.0, 1.0, 1.0]))
    figure = a.difference(b)
    np.testing.assert_allclose(figure.data[0].y, [2, -1, np.nan])
    assert figure.layout.yaxis.title.text == "B ÷ A, in powers of ten"
    np.testing.assert_array_equal(a.difference(a).data[0].y, [0, 0, np.nan])


def test_different_sizes_have_no_difference():
    assert "2 × 2 numbers, B 1 × 2" in sheet(A).mismatch(sheet(B[:1]))
    assert sheet(A).mismatch(sheet(B)) == ""


@pytest.mark.parametrize("method", ["pair", "mismatch", "change", "difference"])
def test_numbers_of_different_kinds_are_not_compared(method):
    curves = Curves((1, 2), {"y": np.zeros(2)}, ("x", "y"))
    tiles = Tiles(A[None], "bias", ["0"], 1, True)
    for a, b in ((sheet(A), curves), (curves, tiles), (tiles, sheet(A))):
        with pytest.raises(TypeError, match=f"{type(a).__name__} and B of the kind {type(b).__name__}"):
            getattr(a, method)(b)


def test_the_largest_change_counts_finite_numbers_only():
    assert largest(np.array([1.0, -3.0, np.nan, np.inf])) == 3
    assert largest({"a": np.array([0.5]), "b": np.array([-2.0])}) == 2
    assert largest(np.array([np.nan])) == largest({}) == 0


def test_a_limit_of_the_colours_can_be_given():
    heat = sheet(A).difference(sheet(B), limit=2.0).data[0]
    assert (heat.zmin, heat.zmax) == (-2.0, 2.0)


def test_tiles_share_one_range():
    a, b = (Tiles(np.stack([m, m]), "bias", ["0", "1"], 2, True) for m in (A, -2 * B))
    for figure in a.pair(b):
        assert (figure.data[0].zmin, figure.data[0].zmax) == (-2.0, 2.0)
    assert np.nanmax(np.abs(np.asarray(a.difference(a).data[0].z))) == 0


def test_labels_are_no_markup():
    sheet = Sheet(np.eye(2), "weight", ("query", "key"), ("<unk>", "a & b"), ("<unk>", "a & b"))
    (trace,) = sheet.pair(sheet)[0].data
    assert list(trace.x) == list(trace.y) == ["&lt;unk&gt; 0", "a &amp; b 1"]


def test_rows_without_a_name_have_whole_numbers():
    for n in (3, 6, 12):
        side = Sheet(np.eye(n), "weight", ("row", "column"))
        for axis in (side.pair(side)[0].layout.yaxis, side.pair(side)[0].layout.xaxis):
            assert axis.dtick == int(axis.dtick) >= 1


def test_beside_a_picture_of_heads_a_map_has_as_many_words_as_have_room():
    words = tuple("abcdefghijklmnopq")
    side = Sheet(np.eye(17), "weight", ("query", "key"), words, words)
    low = head_differences._short(side.pair(side)[0]).layout
    assert low.height < 17 * 20, "17 words below one another need more"
    assert (low.xaxis.nticks, low.yaxis.nticks) == (head_differences.TICKS,) * 2


def test_every_head_has_its_place():
    values = np.arange(2 * 3 * 2 * 2, dtype=float).reshape(2, 3, 2, 2)
    figure = head_maps(values, 1, 2, 23.0)
    z, whose = np.asarray(figure.data[0].z), np.asarray(figure.data[0].customdata)
    for layer in range(2):
        for head in range(3):
            mine = (whose == (layer, head)).all(-1)
            np.testing.assert_array_equal(z[mine], values[layer, head].ravel())
    assert (whose[0, 0] == (1, 0)).all(), "the last layer is on top, as in every picture of all heads"
    assert figure.layout.yaxis.ticktext[0] == "1"
    assert len(figure.layout.shapes) == 1
    (frame,) = figure.layout.shapes
    assert frame.y0 == -0.5
