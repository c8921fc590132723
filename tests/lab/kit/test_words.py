"""Numbers, lists and plurals read alike on every page, down to 0, −0.0 and what lies half-way."""

import json
import math
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lab.kit import words
from lab.kit.words import BOUND, NOTHING, at_most, is_rounding

WRITTEN: dict[Callable[..., str], dict[float, str]] = {
    words.fixed: {0: "0.00", -0.001: "0.00", -0.456: "−0.46", 0.125: "0.12", 1234.5: "1234.50"},
    words.significant: {
        0: "0",
        0.3125: "0.312",
        64: "64",
        -1e9: "−1e+09",
        1e-7: "1e−07",
        math.nan: "NaN",
        -math.inf: "−inf",
    },
    words.amount: {
        0: "0",
        0.28: "0.28",
        5.21: "5.2",
        99.4: "99",
        128.4: "128",
        -0.5: "−0.5",
        2.7e8: "3 × 10⁸",
        1.7e-9: "2 × 10⁻⁹",
        -4e-5: "−4 × 10⁻⁵",
    },
    words.in_words: {
        0: "0",
        1: "1",
        16_384: "16,384",
        999_999: "999,999",
        10**6: "1 million",
        1_572_864: "1.57 million",
        2.15e9: "2.15 billion",
        5 * 10**15: "5,000 trillion",
    },
    words.in_bytes: {
        0: "0 B",
        999: "999 B",
        1024: "1.02 kB",
        33_554_432: "33.6 MB",
        10**12: "1 TB",
        2.5e15: "2,500 TB",
    },
    words.ordinal: {
        1: "1st",
        2: "2nd",
        3: "3rd",
        4: "4th",
        11: "11th",
        12: "12th",
        13: "13th",
        21: "21st",
        63: "63rd",
        111: "111th",
        1002: "1,002nd",
    },
    words.percent: {0: "0%", 4.9e-6: "0%", 1.23456e-5: "0.00123%", 0.0413: "4.13%", 1: "100%"},
    words.part: {
        0: "0%",
        1: "100%",
        0.85: "85%",
        0.1: "10%",
        0.0999: "9.99%",
        0.004: "0.40%",
        0.0005: "0.05%",
        8.1e-6: "one part in 123,457",
    },
    at_most: {
        0: NOTHING,
        1e-5: "at most 0.000010",
        0.0123: "at most 0.012",
        -0.312: "at most 0.31",
        1.49: "at most 1.5",
        27.6: "at most 28",
        1234.5: "at most 1,234",
        math.inf: "at most inf",
        math.nan: "NaN",
    },
}


@pytest.mark.parametrize("write", WRITTEN, ids=lambda write: write.__name__)
def test_numbers(write: Callable[..., str]) -> None:
    assert {x: write(x) for x in WRITTEN[write]} == WRITTEN[write]
    assert words.fixed(-0.0) == "0.00"  # a dictionary holds 0 and −0.0 once
    assert words.amount(-0.0) == "0"


def test_a_sign_is_written_where_it_is_asked_for_and_never_at_zero() -> None:
    assert [words.fixed(x, 1, signed=True) for x in (9.53, -9.53, 0.04, -0.04)] == ["+9.5", "−9.5", "0.0", "0.0"]


def test_what_is_smaller_than_what_counts_is_0() -> None:
    assert [words.significant(x, 1e-4) for x in (9e-5, -9e-5, 1e-4, math.nan)] == ["0", "0", "0.0001", "NaN"]


@pytest.mark.parametrize(
    ("new", "old", "shown"),
    [(2, 2, "0"), (0, 0, "0"), (3, 2, "+50%"), (1, 2, "−50%"), (1004, 1000, "+0.4%"), (996, 1000, "−0.4%")],
)
def test_growth(new: int, old: int, shown: str) -> None:
    assert words.growth(new, old) == shown


@given(st.floats(-BOUND, BOUND, exclude_min=True, exclude_max=True))
def test_all_rounding_reads_alike(difference: float) -> None:
    assert is_rounding(difference)
    assert at_most(difference) == NOTHING


@given(st.floats(BOUND, 1e6))
def test_what_is_more_is_said_to_two_digits(difference: float) -> None:
    assert not is_rounding(difference)
    said = float(at_most(difference).removeprefix("at most ").replace(",", ""))
    assert said == pytest.approx(difference, rel=0.051)


def test_lists_and_plurals() -> None:
    assert [words.counted(n, "head") for n in (0, 1, 2)] == ["0 heads", "1 head", "2 heads"]
    assert [words.listed(range(n)) for n in range(4)] == ["", "0", "0 and 1", "0, 1 and 2"]
    assert words.listed(name for name in ("a", "b")) == "a and b"
    assert [words.numbered("layer", range(n)) for n in (1, 2, 3)] == ["layer 0", "layers 0 and 1", "layers 0, 1 and 2"]


@pytest.mark.parametrize(
    ("label", "limit", "expected"),
    [("", 12, ""), ("twelve signs", 12, "twelve signs"), ("thirteen sign", 12, "thirteen si…"), ("ééééé", 4, "ééé…")],
)
def test_a_label_is_shortened_to_its_limit(label: str, limit: int, expected: str) -> None:
    assert words.shorten(label, limit) == expected
    assert len(words.shorten("x" * 20)) == 12


def test_what_a_visitor_typed_is_short_and_on_one_line() -> None:
    assert words.brief("a\nb\t\x00c") == "a b  c"
    assert words.brief("x" * 25) == "x" * 23 + "…"
    assert words.brief(7) == "7"


@pytest.mark.parametrize(("label", "said"), [("##ill", "…ill"), ("hill", "hill"), ("##", "##"), ("#", "#")])
def test_a_piece_that_goes_on_within_a_word_is_said_with_dots(label: str, said: str) -> None:
    assert words.as_said(label) == said == words.as_said(said)
    assert words.is_piece(said) == (said != label)
    assert words.spelled(said) == (label[2:] if said != label else label)


@pytest.mark.parametrize(
    ("found", "said"),
    [("é", "“é”"), ("aab", "“a” and “b”"), ("abc", "“a”, “b” and “c”"), ("abcd", "“a”, “b”, “c” and 1 other sign")],
)
def test_signs_are_quoted_and_the_rest_is_counted(found: str, said: str) -> None:
    assert words.signs(found) == said


SHARES = json.loads(Path(__file__).with_name("shares.json").read_text())  # tests/js/lab.test.js reads them, too


@pytest.mark.parametrize(("share", "said"), SHARES)
def test_only_none_is_0_percent_and_only_all_is_100(share: float, said: str) -> None:
    assert words.as_chance(share) == said
