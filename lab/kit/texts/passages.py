"""Passages: prose of a page that has no numbers in it, in groups and by keys, as pages/<page>/passages.md has them."""

from functools import cache
from pathlib import Path

from lab.kit.texts.files import of_file
from lab.kit.texts.markdown import Faults, Prose, Section, lines_of, sections

_PAGES_FOLDER = Path(__file__).parents[3] / "pages"
_MAX_BYTES = 100_000

Passages = dict[str, dict[str, str]]  # group -> key -> Markdown


@cache
def of_page(url: str) -> Passages:
    """The passages of the page at this path. Raises TextError with its faults."""
    return of_file(_PAGES_FOLDER / url / "passages.md", read)


def read(text: str | bytes) -> Passages:
    """The passages of a file: below “## ” and a group's name, “### ” and a key, then paragraphs.

    What stands above the first group is for whoever opens the file. Raises TextError with its faults.
    """
    faults, found = Faults(), Passages()
    group: dict[str, str] = {}
    for section in sections(lines_of(text, "file", _MAX_BYTES), faults):
        if section.level == 2:
            group = found.setdefault(section.heading, {})
            if section.blocks:
                faults.add(section.blocks[0].number, "A passage begins with “### ” and its key.")
        elif section.level == 3 and found:
            if section.heading in group:
                faults.add(section.number, f"“{section.heading}” is there twice in its group. Change one of them.")
            group[section.heading] = _passage(section, faults)
        elif found or section.level > 1:
            faults.add(section.number, "A group begins with “## ” and its name, a passage with “### ” and its key.")
    faults.settle()
    return found


def _passage(section: Section, faults: Faults) -> str:
    if not section.blocks:
        faults.add(section.number, f"“{section.heading}” has no text.")
    for block in section.blocks:
        if not isinstance(block, Prose):
            faults.add(block.number, "A passage is made of paragraphs.")
    return "\n\n".join(section.prose)
