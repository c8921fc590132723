"""The one parser of texts: what it makes of sections, and what it says of everything that it does not read."""

import pytest

from lab.kit.texts.markdown import (
    Bullets,
    Code,
    Faults,
    Line,
    Prose,
    Section,
    TextError,
    joined,
    keyed,
    labelled,
    lines_of,
    sections,
)


def read(text: str) -> list[Section]:
    faults = Faults()
    found = sections(lines_of(text, "file", 10_000), faults)
    faults.settle()
    return found


def test_sections_hold_prose_lists_and_code():
    above, words = read(
        "Above it all.\n\n## a-key\nOne\ntwo.\n\n- an item\n  goes on\n* another\n\n```python\nx = 1\n```\n"
    )
    assert above == Section(1, 0, "", (Prose((Line(1, "Above it all."),)),))
    assert (words.number, words.level, words.heading, words.prose) == (3, 2, "a-key", ["One two."])
    items = (Line(7, "an item"), Line(8, "goes on")), (Line(9, "another"),)
    assert words.blocks[1:] == (Bullets(7, items), Code(11, "python", "x = 1\n"))


def test_a_line_at_the_margin_ends_a_list():
    (section,) = read("- an item\nSay: so\n")
    assert section.blocks == (Bullets(1, ((Line(1, "an item"),),)), Prose((Line(2, "Say: so"),)))


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("a\n\n1. one\n2. two", 3, "Lists have “- ”"),
        ("- a\n\n  b", 3, "An item is one paragraph"),
        ("- a\n  - b", 2, "An item is one paragraph"),
        ("- a\nb\n- c", 2, "two spaces in"),
        ("- # a", 1, "An item is one paragraph"),
        ("a\n##b", 2, "a space after the #"),
        ("a\n\n```\nx", 3, "never closed"),
        ("a\nb\x07", 2, "cannot be shown"),
    ],
)
def test_what_is_not_read_is_a_fault_with_its_line(text: str, line: int, words: str):
    with pytest.raises(TextError) as error:
        read(text)
    (fault,) = error.value.faults
    assert fault.line == line
    assert words in fault.sentence


def test_labels_cut_a_paragraph():
    (section,) = read("first\nSay: a\nb\nDo:\n[c]\nd")
    (prose,) = section.blocks
    assert isinstance(prose, Prose)
    parts = [(label, joined(lines)) for label, lines in labelled(prose, ("Say", "Do"), ends="[")]
    assert parts == [("", Line(1, "first")), ("Say", Line(2, "a b")), ("Do", Line(4, "")), ("", Line(5, "[c] d"))]


def test_keys_are_headings_of_one_level_and_unique():
    faults = Faults()
    found = keyed(sections(["# Title", "x", "## a", "## b-1", "## a", "## B", "### c", "# Late"], faults), faults)
    assert list(found) == ["a", "b-1"]
    assert [fault.line for fault in faults.found] == [5, 6, 7, 8]


def test_a_text_leads_nowhere_and_has_an_end():
    for text in ("https://a", "[a](b)", "![a]", "<b>", "www.a"):
        faults = Faults()
        faults.text("reply", Line(7, text), 20)
        assert [fault.line for fault in faults.found] == [7], text
    faults = Faults()
    assert faults.text("reply", Line(1, "a < b, `x[0]` and {c}"), 30)
    faults.text("reply", Line(1, "too long"), 5)
    with pytest.raises(TextError, match="8 characters; 5 is the most"):
        faults.settle()
