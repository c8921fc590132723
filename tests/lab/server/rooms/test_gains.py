"""What a class has gained: shares, crosswise forms, and an interval that keeps its promise."""

import codecs
import csv
from collections.abc import Sequence
from math import sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lab.server.rooms.gains import Gain, Pair, as_csv, gain, gains

PAIRS = st.lists(st.builds(Pair, st.integers(0, 1), st.booleans(), st.booleans()), min_size=1, max_size=40)


def of_class(*halves: Sequence[tuple[bool, bool, int]]) -> list[Pair]:
    """Pairs from (right before, right after, how many) per half of a class."""
    return [
        Pair(form, before, after) for form, half in enumerate(halves) for before, after, n in half for _ in range(n)
    ]


def test_one_half_alone_is_the_interval_of_agresti_and_min():
    """Worked out by hand from its formula: 3 lost and 12 gained of 30, with 0.5 added to each kind of pair."""
    found = gain("an idea", of_class([(True, False, 3), (False, True, 12), (True, True, 9), (False, False, 6)]))
    d, n = (12.5 - 3.5) / 32, 32
    error = 1.959964 * sqrt(12.5 + 3.5 - (12.5 - 3.5) ** 2 / n) / n
    assert found[:5] == ("an idea", 30, pytest.approx(12 / 30), pytest.approx(21 / 30), pytest.approx(9 / 30))
    assert found[5:] == (pytest.approx(d - error), pytest.approx(d + error))


def test_a_form_that_is_easier_cancels_out_however_many_have_it():
    """Nobody learns anything, and everybody is right in form b only: no gain, whatever the halves' sizes."""
    for n in (1, 5, 30):
        assert gain("", of_class([(False, True, n)], [(True, False, 7)])).gain == 0


@given(PAIRS)
def test_a_gain_lies_in_its_bounds_and_turns_round_with_time(pairs: list[Pair]):
    found = gain("", pairs)
    assert -1 <= found.low <= found.high <= 1
    assert found.after - found.before == pytest.approx(found.gain)
    back = gain("", [Pair(form, after, before) for form, before, after in pairs])
    assert (back.gain, back.low, back.high) == pytest.approx((-found.gain, -found.high, -found.low))


@given(PAIRS)
def test_who_they_are_does_not_matter(pairs: list[Pair]):
    assert gain("", pairs) == gain("", sorted(pairs, reverse=True))


@pytest.mark.parametrize("n", [12, 30, 100])
@pytest.mark.parametrize("chances", [(0.4, 0.1, 0.3, 0.2), (0.05, 0.6, 0.05, 0.3), (0.1, 0.1, 0.7, 0.1)])
def test_the_interval_holds_the_true_gain_in_95_of_100_classes(n: int, chances: tuple[float, ...]):
    """chances: of (right, right), (wrong, right), (right, wrong), (wrong, wrong)."""
    rng, kinds = np.random.default_rng(n), [(True, True), (False, True), (True, False), (False, False)]
    truth, held = chances[1] - chances[2], 0
    for _ in range(1000):
        drawn = [rng.multinomial(n // 2, chances) for _ in range(2)]
        halves = [[(*kind, int(m)) for kind, m in zip(kinds, one, strict=True)] for one in drawn]
        found = gain("", of_class(*halves))
        held += found.low <= truth <= found.high
    assert 0.92 <= held / 1000 <= 0.99


def test_an_idea_that_nobody_has_answered_twice_has_no_row():
    assert gains({"a": [], "b": [Pair(0, False, True)]}) == [gain("b", [Pair(0, False, True)])]
    with pytest.raises(ValueError, match="nobody"):
        gain("a", [])


def sheet(rows: list[Gain], about: dict[str, str] | None = None) -> list[list[str]]:
    """The lines of the file, as a spreadsheet reads them that knows UTF-8 by its mark alone."""
    data = as_csv(rows, about).encode()
    return list(csv.reader(data.decode("utf-8-sig" if data.startswith(codecs.BOM_UTF8) else "cp1252").splitlines()))


def test_the_sheet_is_read_by_any_spreadsheet():
    rows = [Gain("Query, key and value", 12, 0.25, 0.75, 0.5, 0.1, 0.9)]
    head, row = sheet(rows)
    assert row == ["Query, key and value", "12", "0.250", "0.750", "0.500", "0.100", "0.900"]
    assert len(head) == len(row)
    head, row = sheet(rows, {"lesson": "Où, b", "room": "KRTM"})
    assert (head[:3], row[:3]) == (["lesson", "room", "idea"], ["Où, b", "KRTM", "Query, key and value"])
