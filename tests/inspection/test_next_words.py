"""Words of several tokens, against the model asked token by token."""

import numpy as np
import pytest

from tests.inspection.decoders import decoder
from transformer.generation import begin
from transformer.inspection.next_words import MOST_PIECES, likely_words, word_probabilities

TEXT = (1, 7, 5, 9, 3)


def by_hand(model, before, word) -> float:
    """P(word | before), one token after the other."""
    product, text = 1.0, list(before)
    for token in word:
        product *= float(begin(model, text, cached=False).logits.double().softmax(-1)[token])
        text.append(token)
    return product


@pytest.mark.parametrize("make", [{}, {"positions": "rotary"}, {"positions": "learned", "max_len": 32}])
def test_a_word_is_as_likely_as_its_tokens_one_after_the_other(make):
    model, words = decoder(**make), [(4,), (6, 2), (8, 8, 3)]
    result = word_probabilities(model, TEXT, [1, 3, 5], words, least=0)
    expected = [[by_hand(model, TEXT[:place], word) for word in words] for place in (1, 3, 5)]
    np.testing.assert_allclose(result, expected, rtol=1e-9)


def test_only_the_likeliest_words_of_several_tokens_are_worked_out():
    model = decoder()
    words = [(4,), *((first, 2) for first in range(4, 12))]
    result = word_probabilities(model, TEXT, [2, 5], words, followed=3, least=0)
    for row, place in enumerate((2, 5)):
        firsts = [by_hand(model, TEXT[:place], word[:1]) for word in words[1:]]
        known = set(np.flatnonzero(~np.isnan(result[row, 1:])))
        assert known == set(np.argsort(firsts)[-3:])
    assert not np.isnan(result[:, 0]).any()
    assert np.isnan(word_probabilities(model, TEXT, [5], [(6, 2)], least=1.0)).all()


def test_a_learned_table_of_positions_has_an_end():
    model = decoder(positions="learned", max_len=len(TEXT) + 1)
    result = word_probabilities(model, TEXT, [len(TEXT)], [(4,), (6, 2), (6, 2, 1)], least=0)
    assert list(np.isnan(result[0])) == [False, False, True]


def test_likely_words_are_grown_as_long_as_their_next_piece_is_the_likeliest():
    model, ids = decoder(seed=3), np.arange(12)
    begins, goes_on = (ids > 3) & (ids % 2 == 0), ids % 2 == 1
    found = likely_words(model, TEXT, begins, goes_on, 3)
    assert [p for _, p in found] == sorted((p for _, p in found), reverse=True)
    firsts = begin(model, TEXT, cached=False).logits.numpy() + np.where(begins, 0, -np.inf)
    assert {word[0] for word, _ in found} == set(firsts.argsort()[-3:].tolist())
    for word, p in found:
        assert p == pytest.approx(by_hand(model, TEXT, word), rel=1e-9)
        for n in range(1, len(word)):
            assert goes_on[word[n]]
            assert word[n] == int(begin(model, (*TEXT, *word[:n]), cached=False).logits.argmax())
        if len(word) < MOST_PIECES:
            assert not goes_on[int(begin(model, (*TEXT, *word), cached=False).logits.argmax())]


def test_where_no_token_goes_on_a_word_is_one_token():
    found = likely_words(decoder(), TEXT, np.ones(12, bool), np.zeros(12, bool), 5)
    assert [len(word) for word, _ in found] == [1] * 5
    assert found[0][1] == pytest.approx(by_hand(decoder(), TEXT, found[0][0]))
