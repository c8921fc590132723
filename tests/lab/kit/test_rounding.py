"""What is only rounding is said in one way, whatever the processor makes of the last digits."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lab.kit.rounding import BOUND, NOTHING, by, is_rounding


@given(st.floats(-BOUND, BOUND, exclude_min=True, exclude_max=True))
def test_all_rounding_reads_alike(difference: float) -> None:
    assert is_rounding(difference)
    assert by(difference) == NOTHING


@pytest.mark.parametrize(
    ("difference", "words"),
    [
        (1e-5, "at most 0.000010"), (0.0123, "at most 0.012"), (-0.312, "at most 0.31"), (1.49, "at most 1.5"),
        (27.6, "at most 28"), (1234.5, "at most 1,234"), (math.inf, "at most inf"), (math.nan, "NaN"),
    ],
)  # fmt: skip
def test_what_is_more_is_a_number_of_two_digits(difference: float, words: str) -> None:
    assert not is_rounding(difference)
    assert by(difference) == words


@given(st.floats(BOUND, 1e6))
def test_the_number_is_the_difference_to_two_digits(difference: float) -> None:
    said = float(by(difference).removeprefix("at most ").replace(",", ""))
    assert said == pytest.approx(difference, rel=0.051)
