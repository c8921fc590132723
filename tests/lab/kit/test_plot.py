"""What all figures share: labels that fit and that plotly leaves alone, and maps in tiles."""

import numpy as np
import pytest

from lab.kit.figures import plot


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
