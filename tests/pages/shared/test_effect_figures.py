"""The figures of what changes if heads are silenced carry the numbers they were given."""

import numpy as np

from pages.shared import effect_figures

TOKENS = ("the", "cat", "the")


def test_moved_tokens_keep_repeated_words_apart():
    bar = effect_figures.moved_tokens(TOKENS, np.array([0.1, 0.2, 0.3])).data[0]
    assert list(bar.customdata) == ["the 0", "cat 1", "the 2"]
    np.testing.assert_array_equal(bar.x, [0.1, 0.2, 0.3])


def test_by_head_frames_the_chosen_head():
    values = np.array([[0.1, 0.2], [0.3, 0.4]])
    figure = effect_figures.by_head(values, "change", chosen=(1, 0))
    np.testing.assert_array_equal(figure.data[0].z, values)
    assert figure.data[0].zmax == 0.8, "twice the largest: the numbers are in ink"
    frame = figure.layout.shapes[0]
    assert (frame.x0, frame.x1, frame.y0, frame.y1) == (-0.5, 0.5, 0.5, 1.5)


def test_by_head_of_nothing_has_a_range():
    assert effect_figures.by_head(np.zeros((1, 2)), "change").data[0].zmax == 2.0
