"""What the museum says of its bugs and of its instruments, as exhibits.md and instruments.md have it, read once."""

from pathlib import Path
from typing import NamedTuple

from lab.kit.texts.files import of_file
from lab.kit.texts.markdown import Bullets, Faults, Prose, Section, keyed, lines_of, sections
from lab.kit.texts.questions import Option, options_of

MAX_BYTES = 100_000


class Case(NamedTuple):
    """One exhibit in words.

    exhibit  its name in transformer.inspection.bugs.collection
    title    what one notices, which must not give the cause away; it is in the address
    story    what happened, in a sentence or two of Markdown
    answers  to "What is wrong?": exactly one is right
    lesson   what to remember, shown with the cure
    """

    exhibit: str
    title: str
    story: str
    answers: tuple[Option, ...]
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
        case (Prose() as title, Prose() as story, Bullets() as answers, Prose() as lesson):
            return Case(
                section.heading,
                _labelled("Title", title, faults),
                _labelled("Story", story, faults),
                options_of(answers, section.number, faults),
                _labelled("Lesson", lesson, faults),
            )
    faults.add(section.number, "An exhibit has “Title: …”, “Story: …”, a list of answers, and “Lesson: …”.")
    return None


def _labelled(label: str, prose: Prose, faults: Faults) -> str:
    """What stands behind “Label: ”, with which this paragraph has to begin."""
    number, text = prose.joined
    if not text.startswith(f"{label}: "):
        faults.add(number, f"Here stands “{label}: …”.")
    return text.removeprefix(f"{label}: ")


def read_instruments(text: str | bytes) -> dict[str, Instrument]:
    """The instruments of a file by their names. Raises TextError with its faults."""
    faults, found = Faults(), dict[str, Instrument]()
    for section in sections(lines_of(text, "file", MAX_BYTES), faults):
        match section.level, section.blocks:
            case 2, (Prose() as does, Prose() as healthy):
                found[section.heading] = Instrument(does.joined.text, _labelled("Healthy", healthy, faults))
            case 0 | 1, _ if not found:
                pass
            case _:
                faults.add(section.number, "An instrument is “## ” and its name, a paragraph, and “Healthy: …”.")
    faults.settle()
    return found


CASES = of_file(Path(__file__).with_name("exhibits.md"), read_cases)
INSTRUMENTS = of_file(Path(__file__).with_name("instruments.md"), read_instruments)
