"""Every test that COVERAGE.md names exists; and the reading of that table would notice one that does not."""

import pytest

from lab.kit import catalogue
from tests import coverage
from tests.coverage import PARTS, ROWS, TABLE, WISHES, fault, mended, references, uncovered, unfulfilled

URLS = {page.url for page in catalogue.PAGES}
ROW = "| 1 | /heads | Heads | {} |\n"


def test_every_test_that_is_named_exists():
    named = list(references(TABLE.read_text()))
    assert len(named) > 200
    faults = [fault(reference) for reference in named]
    assert not any(faults), "\n".join(filter(None, faults))


def test_every_concept_has_a_page_and_a_test():
    faults = uncovered(TABLE.read_text(), URLS)
    assert not faults, "\n".join(faults)


def test_what_is_not_covered_is_noticed():
    whole = "\n".join(f"| {row} | / | map | tests/test_imports.py |" for row in ROWS)
    assert uncovered(whole, URLS) == []
    without = whole.replace("| 7 | / |", "| seven | / |")
    assert uncovered(without, URLS) == ["Row 7 has no line with a page and a test."]
    assert uncovered(f"Not on screen yet: 7.\n{without}", URLS) == []
    assert uncovered(f"Not on screen yet: 7.\n{whole}", URLS) == ["Row 7 is said to be absent, and has a line."]
    assert uncovered(whole.replace("| 8 | / |", "| 8 | /nowhere |"), URLS) == ["There is no page /nowhere."]
    assert uncovered(whole.replace("| C10 | / |", "| C10, more | /, every page |"), URLS) == []
    assert uncovered(f"{whole}\n| 12, 131 | / | map | as row 1 |", URLS) == ["There is no row 131 on the list."]
    assert uncovered(whole.replace("| 9 | / | map | tests/test_imports.py |", "| 9 | / | map | – |"), URLS) == [
        "Row 9 has no line with a page and a test."
    ]


def test_every_wish_and_every_part_has_a_page_and_a_named_test():
    faults = unfulfilled(TABLE.read_text(), URLS)
    assert not faults, "\n".join(faults)


def test_a_wish_without_a_page_or_a_named_test_is_noticed():
    names = [*(f"wish: {wish}" for wish in WISHES), *(f"part: {part}" for part in PARTS)]
    whole = "\n".join(f"| {name} | / | map | tests/test_imports.py::test_a |" for name in names)
    assert unfulfilled(whole, URLS) == []
    vision = "| wish: vision | / | map | tests/test_imports.py::test_a |"
    assert unfulfilled(whole.replace(vision, ""), URLS) == ["There is no line “wish: vision”."]
    assert unfulfilled(f"{whole}\n{vision}", URLS) == ["“wish: vision” has 2 lines."]
    assert unfulfilled(whole.replace(vision, vision.replace("::test_a", "")), URLS) == [
        "“wish: vision” names no test, only files."
    ]
    assert unfulfilled(whole.replace(vision, vision.replace("| / |", "| /nowhere |")), URLS) == [
        "“wish: vision” names no page."
    ]
    assert unfulfilled(f"{whole}\n{vision.replace('vision', 'coffee')}", URLS) == ["“wish: coffee” is not on the list."]


def test_every_row_names_a_test_or_the_row_that_does():
    rows = [line for line in TABLE.read_text().splitlines() if line.startswith("| ") and not line.startswith("| row ")]
    for row in rows:
        assert list(references(row)) or "as row " in row, row


def test_references_are_read_as_pytest_writes_them():
    text = ROW.format("tests/a/test_b.py::test_c, ::test_d[x] (in words), tests/a/test_e.py, as row 5")
    assert [str(reference) for reference in references(text)] == [
        "tests/a/test_b.py::test_c",
        "tests/a/test_b.py::test_d",
        "tests/a/test_e.py",
    ]


@pytest.mark.parametrize("name", ["test_b", "a/test_b: test_c", "test_b.py::test_c", "::test_c"])
def test_names_in_another_form_are_refused(name: str):
    with pytest.raises(ValueError, match=r"COVERAGE\.md, line 1: .*test_[bc]"):
        list(references(ROW.format(name)))


def test_a_moved_test_is_found_and_its_path_mended(monkeypatch: pytest.MonkeyPatch):
    home = {"test_moved": ["tests/new/test_b.py"], "test_twice": ["tests/new/test_b.py", "tests/test_c.py"]}
    monkeypatch.setattr(coverage, "places", lambda reference: home.get(reference.test, []))
    old = ROW.format("tests/old/test_b.py::test_moved, ::test_twice, ::test_gone (as before)")
    moved, twice, gone = map(fault, references(old))
    assert moved == (
        "COVERAGE.md, line 1: tests/old/test_b.py does not exist. It is in tests/new/test_b.py now: "
        "run python -m tests.coverage."
    )
    assert "in tests/new/test_b.py and in tests/test_c.py" in twice
    assert "It is nowhere." in gone
    left = "tests/old/test_b.py::test_twice, ::test_gone (as before)"
    assert mended(old) == ROW.format(f"tests/new/test_b.py::test_moved, {left}")


def test_mending_leaves_what_is_right():
    assert mended(TABLE.read_text()) == TABLE.read_text()
