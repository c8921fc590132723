"""Passages are read by group and key, and what is wrong with a file is named with its line."""

import pytest

from lab.kit.texts.markdown import TextError
from lab.kit.texts.passages import of_page, read

FILE = "# For readers\n\nHow to.\n\n## Masks\n\n### causal window\n\nLook **back**,\na little.\n\nNo more.\n"


def test_a_passage_is_its_paragraphs() -> None:
    assert read(FILE) == {"Masks": {"causal window": "Look **back**, a little.\n\nNo more."}}
    assert read(f"{FILE}\n### none\n\nAll.\n## Other\n### a\nB.\n") == {
        "Masks": {"causal window": "Look **back**, a little.\n\nNo more.", "none": "All."},
        "Other": {"a": "B."},
    }


@pytest.mark.parametrize(
    ("more", "line", "fault"),
    [
        ("### causal window\n\nAgain.\n", 14, "“causal window” is there twice"),
        ("### empty\n", 14, "“empty” has no text"),
        ("### listed\n\n- One.\n", 16, "A passage is made of paragraphs"),
        ("## Others\n\nText.\n", 16, "A passage begins with “### ”"),
        ("#### too deep\n\nText.\n", 14, "A group begins with “## ”"),
    ],
)
def test_a_fault_is_named_with_its_line(more: str, line: int, fault: str) -> None:
    with pytest.raises(TextError) as found:
        read(f"{FILE}\n{more}")
    assert [(one.line, fault in one.sentence) for one in found.value.faults] == [(line, True)]


@pytest.mark.parametrize("url", ["attention", "blocks", "live", "masks"])
def test_the_passages_of_a_page_can_be_read(url: str) -> None:
    assert all(of_page(url).values())
