"""The words themselves, as pages/words/words.md has them, read once. That file says how to write one."""

import re
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from lab.kit import catalogue
from lab.kit.glossary import (
    attention_pictures,
    inside_pictures,
    mask_pictures,
    model_pictures,
    position_pictures,
    text_pictures,
    training_pictures,
    writing_pictures,
)
from lab.kit.glossary.shapes import Picture
from lab.kit.texts.files import of_file
from lab.kit.texts.markdown import Bullets, Faults, Line, Prose, Section, joined, lines_of, sections, short
from lab.kit.words import listed

FILE = Path(__file__).parents[3] / "pages/words/words.md"
MAX_BYTES = 100_000
LABELS = ("Picture", "Met", "Also", "Written", "Asked", "On")
NEEDED = LABELS[:3]
LINK = re.compile(r"\[\[([^]|]+)(?:\|([^]]+))?\]\]")
_MODULES = (
    attention_pictures,
    inside_pictures,
    mask_pictures,
    model_pictures,
    position_pictures,
    text_pictures,
    training_pictures,
    writing_pictures,
)


class Place(NamedTuple):
    """Where a word is met: a page, a view of it by its name ("" for the page as it opens), and further settings."""

    page: str
    view: str = ""
    settings: Mapping[str, str] = {}


class Word(NamedTuple):
    """One word.

    name      as it is written in the middle of a sentence
    sentence  what it is, exact and plain; [[token]] is a link to another word, and [[token|tokens]] one that reads so
    picture   a small drawing, 220 x 96
    place     where one meets it
    also      what other sources, papers and libraries call it
    forms     how it is written in prose, beside its name and its plural in -s
    pages     the pages on which it has this meaning in prose; () for all
    asked     what somebody types who does not know the word
    """

    name: str
    sentence: str
    picture: Picture
    place: Place
    also: tuple[str, ...]
    forms: tuple[str, ...] = ()
    pages: tuple[str, ...] = ()
    asked: str = ""

    @property
    def written(self) -> tuple[str, ...]:
        """Every form that prose has of it."""
        plural = () if self.name.endswith("s") else (f"{self.name}s",)
        return tuple(dict.fromkeys((self.name, *plural, *self.forms)))


Groups = dict[str, tuple[Word, ...]]


@cache
def groups() -> Groups:
    """All words, by the titles of their groups."""
    return of_file(FILE, read)


# ---- reading -------------------------------------------------------------------------------------------------------


def read(text: str | bytes) -> Groups:
    """The words of a file, by the titles of their groups. Raises TextError with its faults."""
    faults = Faults()
    title, found = "", dict[str, tuple[Word, ...]]()
    lines: dict[str, int] = {}  # by name, where a word's sentence begins
    for section in sections(lines_of(text, "file", MAX_BYTES), faults):
        if section.level == 2:
            title = section.heading
            found[title] = ()
        elif section.level == 3 and title:
            if section.heading in lines:
                faults.add(section.number, f"“{section.heading}” is there twice. Keep one of them.")
            lines[section.heading] = section.blocks[0].number if section.blocks else section.number
            if word := _word(section, faults):
                found[title] += (word,)
        elif title or section.level > 1:
            faults.add(section.number, "A group begins with “## ” and its title, a word with “### ” and its name.")
    for word in (word for group in found.values() for word in group):
        for name in (match[1] for match in LINK.finditer(word.sentence) if match[1] not in lines):
            faults.add(lines[word.name], f"“{name}” is no word of this file, so there is nothing to link to.")
    faults.settle()
    return found


def _word(section: Section, faults: Faults) -> Word | None:
    match section.blocks:
        case (Prose() as prose, Bullets() as facts) if said := _facts(section, facts, faults):
            return Word(
                section.heading,
                prose.joined.text,
                _picture(said["Picture"], faults),
                _place(said["Met"], faults),
                _split(said["Also"]),
                _split(said.get("Written")),
                tuple(_page(said["On"].number, path, faults) for path in _split(said.get("On"))),
                said["Asked"].text if "Asked" in said else "",
            )
        case (Prose(), Bullets()):
            return None
    faults.add(section.number, f"“{section.heading}” needs one sentence, and below it a list: {listed(NEEDED)}.")
    return None


def _facts(section: Section, facts: Bullets, faults: Faults) -> dict[str, Line]:
    """What stands behind each label of a word's list; {} if something is missing."""
    found: dict[str, Line] = {}
    for number, text in map(joined, facts.items):
        label, _, said = text.partition(": ")
        if label not in LABELS or label in found or not said:
            faults.add(number, f"“{short(text)}” is not read here. Write {listed(LABELS)}, once each.")
        found[label] = Line(number, said)
    missing = [label for label in NEEDED if label not in found]
    if missing:
        faults.add(section.number, f"The list of “{section.heading}” lacks {listed(missing)}.")
    return {} if missing else found


def _split(line: Line | None) -> tuple[str, ...]:
    return tuple(line.text.split(", ")) if line else ()


def _picture(line: Line, faults: Faults) -> Picture:
    draw = _pictures().get(line.text)
    if draw is None:
        faults.add(line.number, f"There is no picture “{line.text}”: no function of a file …_pictures.py is called so.")
        return ()
    return draw()


@cache
def _pictures() -> dict[str, Callable[[], Picture]]:
    """Every function that draws a word, by its name."""
    return {
        name: function
        for module in _MODULES
        for name, function in vars(module).items()
        if getattr(function, "__module__", "") == module.__name__ and not name.startswith("_")
    }


def _place(line: Line, faults: Faults) -> Place:
    """“/masks, Paint, masks_batch=true” as a place: the view and the settings may be missing."""
    path, *rest = line.text.split(", ")
    view = rest.pop(0) if rest and "=" not in rest[0] else ""
    settings = {name: value for name, _, value in (pair.partition("=") for pair in rest)}
    place = Place(_page(line.number, path, faults), view, settings)
    if not all(settings.values()):
        faults.add(line.number, "A setting is written as “name=value”.")
    if view and (place.page, view) not in {(page.url, tab.name) for page in catalogue.PAGES for tab in page.views}:
        faults.add(line.number, f"The page “{path}” has no view “{view}”.")
    return place


def _page(number: int, path: str, faults: Faults) -> str:
    """The page of a path, "/masks"."""
    page = path.removeprefix("/")
    if not path.startswith("/") or page not in {page.url for page in catalogue.PAGES}:
        faults.add(number, f"There is no page “{path}”. Write its path, such as “/masks”.")
    return page
