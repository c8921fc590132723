"""A map of heads carries the numbers it was given."""

import numpy as np

from pages.heads import head_map


def test_by_head_frames_the_chosen_head():
    values = np.array([[0.1, 0.2], [0.3, 0.4]])
    figure = head_map.by_head(values, "change", chosen=(1, 0))
    np.testing.assert_array_equal(figure.data[0].z, values)
    assert figure.data[0].zmax == 0.8, "twice the largest: the numbers are in ink"
    assert figure.layout.yaxis.autorange is None, "layer 0 is the lowest, as everywhere"
    frame = figure.layout.shapes[0]
    assert (frame.x0, frame.x1, frame.y0, frame.y1) == (-0.5, 0.5, 0.5, 1.5)


def test_by_head_of_nothing_has_a_range():
    assert head_map.by_head(np.zeros((1, 2)), "change").data[0].zmax == 2.0
