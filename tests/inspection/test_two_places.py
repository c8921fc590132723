"""One head averages two places; two heads keep them apart."""

import numpy as np
import pytest

from transformer.inspection.two_places import SENTENCES, WORDS, apart_with_positions, two_places

ANN, BOB = WORDS.index("Ann"), WORDS.index("Bob")


def test_one_head_cannot_tell_who_thanked():
    seen = two_places(1)
    np.testing.assert_array_equal(seen.weights, [[[0.5, 0, 0.5, 0]]] * 2)
    np.testing.assert_array_equal(seen.output[0], seen.output[1])
    np.testing.assert_array_equal(seen.output[0, 0, [ANN, BOB]], [0.5, 0.5])
    assert seen.apart == 0


def test_two_heads_bring_both_words_in_full():
    seen = two_places(2)
    np.testing.assert_array_equal(seen.weights, [[[1, 0, 0, 0], [0, 0, 1, 0]]] * 2)
    for sentence, heads in zip(SENTENCES, seen.output, strict=True):
        for place, features in zip((0, 2), heads, strict=True):
            np.testing.assert_array_equal(features, [word == sentence[place] for word in WORDS])
    assert seen.apart == 1


@pytest.mark.parametrize("share", [0.1, 0.3, 0.5, 0.7, 0.9])
def test_one_head_gains_of_one_place_what_it_loses_of_the_other(share):
    """The two sentences are |2 share - 1| apart, in closed form."""
    seen = two_places(1, share)
    np.testing.assert_allclose(seen.weights[0, 0], [share, 0, 1 - share, 0], atol=1e-7)
    assert seen.apart == pytest.approx(abs(2 * share - 1), abs=1e-6)
    np.testing.assert_allclose(seen.output.sum((1, 2)), 1, atol=1e-6)


def test_impossible_settings_are_refused_in_a_sentence():
    for bad in ((3, 0.5), (1, 0.0), (1, 1.0)):
        with pytest.raises(ValueError, match="must be"):
            two_places(*bad)


def test_an_average_knows_the_order_only_where_positions_were_mixed_into_the_words():
    """Adding a position is averaged away; a layer norm after it is not; and a layer norm alone brings no order."""
    assert apart_with_positions(is_normed=False) < 1e-5
    assert apart_with_positions(is_normed=True) > 0.01
    assert apart_with_positions(is_normed=True, amount=0.0) < 1e-5
