"""Saturation: the numbers in words are those of the choice."""

from tests.pages.driver import choose, visit, words


def test_the_numbers_are_in_words() -> None:
    at = choose(visit("attention", att_widths="true"), att_dk=1024)
    assert "At d_k = 1024, not divided" in words(at)
    assert "(expected: 1024)" in words(at)
    at = choose(at, att_scaling="divided by √d_k")
    assert "the entropy is **0.85** of 1" in words(at)
