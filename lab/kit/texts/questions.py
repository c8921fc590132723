"""Questions with their options: how the questions of a page and those of a lesson are written.

What does the first word look at?

- [x] Itself
  Nothing else is there yet.
- [ ] The second word
  That one is masked.
"""

import re
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from lab.kit.texts.files import of_file
from lab.kit.texts.markdown import Bullets, Faults, Line, Prose, Section, joined, keyed, lines_of, sections

_ROOT = Path(__file__).parents[3]
_MAX_BYTES = 200_000
MAX_OPTIONS = 6
OPTION = re.compile(r"\[([ xX])\] *(.*)")
# What is filled in by name; \frac{a} of a formula is none.
_PLACE = re.compile(r"(?<![A-Za-z}])\{([a-z_]+)\}")


class Option(NamedTuple):
    """One answer to a question, and the reply to whoever chooses it; both in Markdown."""

    text: str
    reply: str
    right: bool = False


class Question(NamedTuple):
    """A question with its options; without options, the reader writes an answer down."""

    text: str
    options: tuple[Option, ...] = ()

    @property
    def shuffled(self) -> tuple[Option, ...]:
        """The options in an order that is the same for everybody and has nothing to do with that of the file."""
        return tuple(sorted(self.options, key=lambda o: sha256(f"{self.text}|{o.text}".encode()).digest()))

    def key(self, lesson: str) -> str:
        """Under which a reader's browser keeps that it was solved, in the lesson of this name: it goes with the words
        of the question, wherever that stands."""
        return f"lessons-{lesson}-{sha256(self.text.encode()).hexdigest()[:10]}"

    @property
    def answer(self) -> Option | None:
        """The option that is right; None for a question without options."""
        return next((option for option in self.options if option.right), None)

    @property
    def places(self) -> set[str]:
        """The names in braces, for which something is to be filled in."""
        texts = [self.text, *(text for option in self.options for text in (option.text, option.reply))]
        return {name for text in texts for name in _PLACE.findall(text)}

    def filled(self, **words: str) -> "Question":
        """With each {name} replaced. Raises ValueError if the names are not those of the question."""
        if set(words) != self.places:
            raise ValueError(f"“{self.text}” has places for {sorted(self.places)}, not for {sorted(words)}")

        def fill(text: str) -> str:
            return _PLACE.sub(lambda match: words[match[1]], text)

        options = (Option(fill(option.text), fill(option.reply), option.right) for option in self.options)
        return Question(fill(self.text), tuple(options))


# ---- reading -------------------------------------------------------------------------------------------------------


def options_of(
    listed: Bullets, where: int, faults: Faults, max_option: int | None = None, max_reply: int | None = None
) -> tuple[Option, ...]:
    """The options of a list, exactly one of them right.

    where                  the line that is named if they are wrong together: that of the heading
    max_option, max_reply  how many characters each option and each reply may have
    """
    options: list[tuple[int, Option]] = []
    for first, *reply in listed.items:
        match = OPTION.fullmatch(first.text)
        if not match:
            faults.add(first.number, "An option begins with “- [ ] ”, or with “- [x] ” if it is right.")
            continue
        text = faults.text("option", Line(first.number, match[2].strip()), max_option)
        said = joined(reply)
        options.append((first.number, Option(text, faults.text("reply", said, max_reply), match[1] in "xX")))
        if not text:
            faults.add(first.number, "This option is empty. Write it after the brackets.")
        if not said.text:
            faults.add(first.number, "This option has no reply. Write one on the next line, two spaces in.")
    _judge(options, where, faults)
    return tuple(option for _, option in options)


def _judge(options: list[tuple[int, Option]], where: int, faults: Faults) -> None:
    """Note what is wrong with options together."""
    right = [number for number, option in options if option.right]
    if not 2 <= len(options) <= MAX_OPTIONS:
        faults.add(where, f"A question has 2 to {MAX_OPTIONS} options, “- [ ] …” each; here are {len(options)}.")
    elif not right:
        faults.add(where, "No option is right. Mark one with “- [x]”.")
    elif len(right) > 1:
        faults.add(right[1], "Two options are marked as right. Keep one “- [x]”.")
    elif len({option.text for _, option in options}) < len(options):
        faults.add(where, "Two options are the same. Change one.")


def question_of(section: Section, faults: Faults) -> Question:
    """The question of a section: one paragraph and the list of its options."""
    match section.blocks:
        case (Prose() as asked, Bullets() as listed):
            return Question(faults.text("question", asked.joined), options_of(listed, section.number, faults))
    faults.add(section.number, "Below its key stand a question, as one paragraph, and the list of its options.")
    return Question("")


def read(text: str | bytes) -> dict[str, Question]:
    """The questions of a file by their keys, in its order. Raises TextError with its faults."""
    faults = Faults()
    found = keyed(sections(lines_of(text, "file", _MAX_BYTES), faults), faults)
    asked = {key: question_of(section, faults) for key, section in found.items()}
    faults.settle()
    return asked


@cache  # once for each process: what a page asks does not change while it runs
def of_page(url: str) -> dict[str, Question]:
    """What the page at this path asks, by key, as pages/<url>/questions.md has it. Raises TextError with its name."""
    path = _ROOT / "pages" / url / "questions.md"
    return of_file(path, read) if url.isalpha() and path.exists() else {}


@cache
def n_asked(files: str) -> int:
    """How many questions with a right answer stand in files of the project: a pattern such as "lessons/*.md"."""
    texts = (lines_of(path.read_bytes(), "file", _MAX_BYTES) for path in _ROOT.glob(files))
    blocks = (block for lines in texts for section in sections(lines, Faults()) for block in section.blocks)
    return sum(isinstance(block, Bullets) and any(map(_is_right, block.items)) for block in blocks)


def _is_right(item: tuple[Line, ...]) -> bool:
    match = OPTION.fullmatch(item[0].text)
    return match is not None and match[1] in "xX"
