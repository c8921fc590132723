"""What all figures share: labels that fit and that plotly leaves alone, and maps in tiles."""

import numpy as np
import pytest

from lab.kit.figures import plot


@pytest.mark.parametrize(
    ("label", "limit", "expected"),
    [
        ("", 12, ""),
        ("twelve signs", 12, "twelve signs"),
        ("thirteen sign", 12, "thirteen si…"),
        ("internationalisation", 5, "inte…"),
        ("ééééé", 4, "ééé…"),
    ],
)
def test_a_label_is_shortened_to_its_limit(label, limit, expected):
    assert plot.shorten(label, limit) == expected
    assert len(expected) <= limit


def test_a_label_has_twelve_characters_by_default():
    assert plot.shorten("x" * 20) == "x" * 11 + "…"


@pytest.mark.parametrize(
    ("label", "expected"),
    [
        ("plain", "plain"),
        ("<unk>", "&lt;unk&gt;"),
        ("a&b", "a&amp;b"),
        ("&lt;", "&amp;lt;"),
        ("<b>x</b>", "&lt;b&gt;x&lt;/b&gt;"),
    ],
)
def test_what_plotly_reads_as_markup_is_escaped(label, expected):
    assert plot.escaped(label) == expected


def test_a_layout_overrides_the_frame():
    figure = plot.figure([], 200, margin=plot.THIN_MARGIN)
    assert figure.layout.height == 200
    assert figure.layout.margin.to_plotly_json() == plot.THIN_MARGIN
    assert figure.layout.font.size == plot.FONT_SIZE


def test_every_tile_is_in_its_place_and_gaps_are_empty():
    planes = np.arange(1.0, 1 + 3 * 4).reshape(3, 2, 2)
    (heat,) = plot.tiles(planes, ["a", "b", "c"], columns=2, value="bias", diverging=False).data
    z = np.asarray(heat.z)
    np.testing.assert_array_equal(z[:2, :2], planes[0])
    np.testing.assert_array_equal(z[:2, -2:], planes[1])
    np.testing.assert_array_equal(z[-2:, :2], planes[2])
    assert np.isfinite(z).sum() == planes.size
    assert (heat.zmin, heat.zmax) == (0, 12)
    assert plot.tiles(planes, ["a", "b", "c"], columns=2, value="bias", diverging=True).data[0].zmin == -12


def test_a_number_has_the_minus_of_the_axes_and_no_sign_at_zero():
    assert plot.number(-0.456) == "−0.46"
    assert plot.number(9.53, 1, signed=True) == "+9.5"
    assert plot.number(-0.001) == plot.number(0.001, signed=True) == "0.00"
