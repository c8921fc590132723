"""The figure of what changes if heads are silenced carries the numbers it was given."""

import numpy as np

from lab.kit.figures import effect_figures

TOKENS = ("the", "cat", "the")


def test_moved_tokens_keep_repeated_words_apart():
    bar = effect_figures.moved_tokens(TOKENS, np.array([0.1, 0.2, 0.3])).data[0]
    assert list(bar.customdata) == ["the 0", "cat 1", "the 2"]
    np.testing.assert_array_equal(bar.x, [0.1, 0.2, 0.3])
