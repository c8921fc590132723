"""Blocked rows: three ways of blocking differ where no key is open, and agree everywhere else."""

import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.driver import chart, words
from tests.pages.masks.brush import visit


def fills(**link: str) -> tuple[AppTest, list]:
    at = visit(masks_view="Blocked rows", weights="untrained", **link)
    return at, chart(at)["data"][0]["text"]


def test_a_blocked_row_three_ways() -> None:
    at, text = fills()
    assert text == [[""] * 6, ["0.17"] * 6, ["0"] * 6]
    notes = [note["text"] for note in chart(at)["layout"]["annotations"]]
    assert notes == ["not a number (NaN), in every cell"]
    table = words(at)
    assert "| **−∞** | NaN | NaN | NaN |" in table
    assert "| **−1e9** | 1 | 3.5 | finite |" in table
    assert "| **ours** | 0 | 0 | finite |" in table


def test_half_precision_has_no_minus_billion() -> None:
    at, text = fills(masks_precision="float16")
    assert text == [[""] * 6, [""] * 6, ["0"] * 6]
    assert "without overflow" in words(at)
    assert fills(masks_precision="bfloat16")[1][1] == ["0.17"] * 6


@pytest.mark.parametrize("n", [1, 3, 6])
def test_one_open_key_and_all_agree(n: int) -> None:
    _, text = fills(masks_allowed=str(n))
    assert text[0] == text[1] == text[2]
    assert text[0][n:] == ["0"] * (6 - n)
    assert "0" not in text[0][:n]
