"""What the museum says of its bugs and of its instruments, as exhibits.md and instruments.md have it, read once."""

from pathlib import Path
from typing import NamedTuple

from lab.kit.texts.files import of_file
from lab.kit.texts.markdown import Faults, Prose, Section, joined, keyed, labelled, lines_of, sections
from lab.kit.words import listed

MAX_BYTES = 100_000
LABELS = ("Title", "Story", "Lesson")
HEALTHY = "Healthy: "


class Case(NamedTuple):
    """One exhibit in words.

    exhibit  its name in transformer.inspection.bugs.collection
    title    what one notices, which must not give the cause away; it is in the address
    story    what happened, in a sentence or two of Markdown
    lesson   what to remember, shown with the cure
    """

    exhibit: str
    title: str
    story: str
    lesson: str


class Instrument(NamedTuple):
    """One instrument in words: what it does, in a sentence, and what a healthy model shows."""

    does: str
    healthy: str


def read_cases(text: str | bytes) -> dict[str, Case]:
    """The exhibits of a file by their titles, from easy to hard. Raises TextError with its faults."""
    faults = Faults()
    by_key = keyed(sections(lines_of(text, "file", MAX_BYTES), faults), faults)
    found = [_case(section, faults) for section in by_key.values()]
    faults.settle()
    return {case.title: case for case in found if case}


def _case(section: Section, faults: Faults) -> Case | None:
    match section.blocks:
        case (Prose() as prose,):
            said = {label: joined(lines).text for label, lines in labelled(prose, LABELS)}
            if tuple(said) == LABELS and all(said.values()):
                return Case(section.heading, *said.values())
    faults.add(section.number, f"An exhibit has one paragraph: {listed(f'“{label}: …”' for label in LABELS)}.")
    return None


def read_instruments(text: str | bytes) -> dict[str, Instrument]:
    """The instruments of a file by their names. Raises TextError with its faults."""
    faults, found = Faults(), dict[str, Instrument]()
    for section in sections(lines_of(text, "file", MAX_BYTES), faults):
        match section.level, section.blocks:
            case 2, (Prose(), Prose()) if section.prose[1].startswith(HEALTHY):
                does, healthy = section.prose
                found[section.heading] = Instrument(does, healthy.removeprefix(HEALTHY))
            case 0 | 1, _ if not found:
                pass
            case _:
                faults.add(section.number, "An instrument is “## ” and its name, a paragraph, and “Healthy: …”.")
    faults.settle()
    return found


CASES = of_file(Path(__file__).with_name("exhibits.md"), read_cases)
INSTRUMENTS = of_file(Path(__file__).with_name("instruments.md"), read_instruments)
