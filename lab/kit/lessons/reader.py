"""Reads a lesson: Markdown in, a Lesson out, or every fault with its line and what to do about it.

The file may come from a stranger. Its size is bounded before anything is read, every length after that, and its links
name a page of the app and settings, whatever host they were copied from. lessons/README.md shows the format.
"""

import re
from collections.abc import Collection
from difflib import get_close_matches
from typing import NamedTuple
from urllib.parse import parse_qsl, urlsplit

from lab.kit.catalogue import PAGES
from lab.kit.lessons.board import MOST_PICTURES, Picture, Shown, shown
from lab.kit.lessons.lesson import Asked, Lesson, Link, Stop
from lab.kit.texts.markdown import (
    Block,
    Bullets,
    Code,
    Faults,
    Line,
    Prose,
    Section,
    joined,
    labelled,
    lines_of,
    sections,
    short,
)
from lab.kit.texts.questions import Option, Question, options_of

MAX_BYTES = 120_000  # pictures included
MAX_STOPS = 30
MAX_FAULTS = 12  # that are listed
MAX_LETTERS = {
    "title": 80,
    "for": 120,
    "heading": 70,
    "about": 600,
    "Say": 340,
    "Before": 340,
    "Do": 340,
    "Teacher": 600,
    "Class asks": 300,
    "Model": 300,
    "link": 2000,
}
MAX_QUESTION, MAX_OPTION, MAX_REPLY = 300, 120, 360
MAX_MINUTES = 240
ALIKE = 0.8  # of difflib's ratio: one letter in five
MAX_SETTINGS, MAX_CONTROLS = 40, 12
LEADING = {"lesson", "stop", "guess"}  # settings of an address that the lesson itself puts there
_LABELS = ("Say", "Before", "Do", "Controls", "Without", "Words", "Teacher", "Class asks", "Model")
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,60}")
_ASKED = re.compile(r"(attention|map)|(next word)(?: after (.+))?")
_LINK = re.compile(r"\[([^\[\]]{1,200})\]\(([^()\s]+)\)")


class _Piece(NamedTuple):
    """Part of a paragraph: what stands behind a label, or lines without one (label "")."""

    label: str
    lines: tuple[Line, ...]

    @property
    def number(self) -> int:
        return self.lines[0].number


_Part = _Piece | Bullets | Code


def read(text: str | bytes, *, shared: Collection[str] | None = None) -> Lesson:
    """The lesson that a file holds. Raises TextError with its faults, at most MAX_FAULTS of them.

    shared  the settings that several pages have: one that its page does not have is then a fault, too. A lesson that
            was shared is read all the same, though a page may call a setting otherwise today
    """
    lines, faults = lines_of(text, "lesson", MAX_BYTES), Faults()
    front, n_front = _front(lines, faults)
    above, *below = sections(lines, faults, after=n_front)
    n_above = next((n for n, section in enumerate(below) if section.level == 2), len(below))
    about = _about([above, *below[:n_above]], faults)
    stops: list[list[Section]] = []
    for section in below[n_above:]:
        if section.level == 2:
            stops.append([])
        stops[-1].append(section)
    if not stops:
        faults.add(len(lines), "The lesson has no stop. Begin one with a line such as “## Guess the next word”.")
    elif len(stops) > MAX_STOPS:
        faults.add(len(lines), f"A lesson may have {MAX_STOPS} stops, and this one has {len(stops)}. Split it.")
    found = [_Stop(faults, shared).read(*stop) for stop in stops]
    if sum(isinstance(thing, Picture) for stop in found if stop for thing in stop.board) > MOST_PICTURES:
        faults.add(len(lines), f"A lesson may have {MOST_PICTURES} pictures, and this one has more. Leave some out.")
    faults.settle(most=MAX_FAULTS)
    return Lesson(front["title"], int(front["minutes"]), front["for"], about, tuple(stop for stop in found if stop))


# ---- above the stops -----------------------------------------------------------------------------------------------


def _front(lines: list[str], faults: Faults) -> tuple[dict[str, str], int]:
    """What stands between the two lines “---” at the top, and how many lines that takes."""
    front = {"title": "", "minutes": "1", "for": ""}
    if lines[0] != "---":
        faults.add(1, "A lesson begins with a line “---”, then title:, minutes: and for:, then “---” again.")
        return front, 0
    if "---" not in lines[1:]:
        faults.add(1, "The lines at the top are never closed. Write “---” below “for:”.")
        return front, len(lines)
    end = lines.index("---", 1)
    given: dict[str, int] = {}
    for number, line in enumerate(lines[1:end], 2):
        name, colon, value = (part.strip() for part in line.partition(":"))
        if name in front and colon and value and name not in given:
            given[name], front[name] = number, faults.text(name, Line(number, value), MAX_LETTERS.get(name))
        elif line.strip():
            faults.add(number, f"“{short(line)}” is not read here. Write title:, minutes: and for:, once each.")
    for name in front:
        if name not in given:
            faults.add(end + 1, f"“{name}:” is missing above this line. Add it.")
    minutes = front["minutes"]
    if not re.fullmatch("[0-9]{1,3}", minutes) or not 1 <= int(minutes) <= MAX_MINUTES:
        faults.add(given["minutes"], f"Minutes are a whole number from 1 to {MAX_MINUTES}.")
        front["minutes"] = "1"
    return front, end + 1


def _about(above: list[Section], faults: Faults) -> str:
    """The paragraph that says what the lesson is about; that something else stands there is said once."""
    astray = [section.line for section in above[1:]]
    parts = _parts(above[0].blocks)
    about = _next_text(parts) or Line(above[0].number, "")
    astray = [*(_first_line(part) for part in parts), *astray]
    if astray:
        said = f"“{short(astray[0].text)}” stands outside of a stop. A stop begins with “## ” and its heading."
        faults.add(astray[0].number, said)
    return faults.text("about", about, MAX_LETTERS["about"])


# ---- one stop ------------------------------------------------------------------------------------------------------


def _parts(blocks: tuple[Block, ...]) -> list[_Part]:
    """Blocks, their paragraphs cut at labels."""
    parts: list[_Part] = []
    for block in blocks:
        if isinstance(block, Prose):
            parts += [_Piece(label, lines) for label, lines in labelled(block, _LABELS, ends="[")]
        else:
            parts.append(block)
    return parts


def _next_text(parts: list[_Part]) -> Line | None:
    """Take a text without a label from the parts, if the first is one."""
    if parts and isinstance(first := parts[0], _Piece) and not first.label:
        del parts[0]
        return joined(first.lines)
    return None


def _first_line(part: _Part) -> Line:
    """The beginning of a part as its file has it."""
    if isinstance(part, Bullets):
        return Line(part.number, f"- {part.items[0][0].text}")
    if isinstance(part, Code):
        return Line(part.number, f"```{part.language}")
    label = f"{part.label}: " if part.label else ""
    return Line(part.number, label + part.lines[0].text)


class _Stop:
    """Reads one stop; what was found of it so far stands in its fields."""

    def __init__(self, faults: Faults, shared: Collection[str] | None):
        self.faults, self.shared = faults, shared
        self.named: list[tuple[Line, str]] = []  # each control, and each setting of the link, with its line
        self.link: Link | None = None
        self.texts: dict[str, str] = {}
        self.names: dict[str, tuple[str, ...]] = {}
        self.model: tuple[Line, Asked] | None = None
        self.questions: dict[str, Question] = {}
        self.board: tuple[Shown, ...] = ()
        self.found: set[str] = set()

    def read(self, head: Section, *below: Section) -> Stop | None:
        """The stop whose heading and sections these are; None without a link."""
        heading = self.faults.text("heading", Line(head.number, head.heading), MAX_LETTERS["heading"])
        if not heading:
            self.faults.add(head.number, "This stop has no heading. Write it after “## ”.")
        self._read_parts(_parts(head.blocks))
        for section in below:
            if section.level == 3 and section.heading in ("Predict", "Question"):
                self._read_question(section)
            elif section.level == 3 and section.heading == "Board":
                self._find("Board", section.number)
                self.board = shown(section.blocks, section.number, self.faults)
            else:
                self._refuse(section.line)
                self._read_parts(_parts(section.blocks))
        if "link" not in self.found:
            self.faults.add(
                head.number, "This stop has no link. Write one on a line of its own: [Open the view](/heads)."
            )
        if "Say" not in self.found:
            self.faults.add(head.number, "This stop says nothing. Add a line “Say: ” with one sentence.")
        if self.link is None:
            return None
        if "Predict" not in self.found:
            if "Before" in self.found:
                self.faults.add(head.number, "“Before:” stands above a prediction. Write one below “### Predict”.")
            if "Class asks" in self.found:
                takes = "“Class asks:” takes the place of a prediction. Write one below “### Predict”."
                self.faults.add(head.number, takes)
        self._check_model(self.link)
        if self.shared is not None:
            self._check_names(self.link, self.shared)
        return Stop(
            heading,
            self.link,
            say=self.texts.get("Say", ""),
            before=self.texts.get("Before", ""),
            do=self.texts.get("Do", ""),
            note=self.texts.get("Teacher", ""),
            asks=self.texts.get("Class asks", ""),
            controls=self.names.get("Controls", ()),
            has_words="Words" in self.found,
            without=self.names.get("Without", ()),
            model=self.model[1] if self.model else None,
            predict=self.questions.get("Predict"),
            question=self.questions.get("Question"),
            board=self.board,
        )

    def _check_model(self, link: Link) -> None:
        """Whether a model can be asked: a prediction is there, and the link says what is read."""
        if self.model is None:
            return
        line, asked = self.model
        settings = dict(link.settings)
        if "Predict" not in self.found:
            self.faults.add(line.number, "“Model:” answers the prediction. Write one below “### Predict”.")
        elif asked.what in ("attention", "map") and (link.page != "heads" or not {"layer", "head"} <= settings.keys()):
            self.faults.add(line.number, f"“Model: {asked.what}” needs a link to /heads that names layer and head.")
        elif asked.what == "next word" and not (asked.text or settings.get("gen_text")):
            few = "“Model: next word” needs a text: a link to /generation with one, or “Model: next word after …”."
            self.faults.add(line.number, few)

    def _check_names(self, link: Link, shared: Collection[str]) -> None:
        """A setting is one of its page, or one that several pages have. Other names, such as those of buttons, cannot
        be known before the page is drawn; one that is nearly a setting is a slip."""
        prefix = next(page.prefix for page in PAGES if page.url == link.page)
        in_link = {name for name, _ in link.settings}
        for line, name in self.named:
            if name in shared or (prefix and name.startswith(prefix)):
                continue
            like = get_close_matches(name, shared, 1, ALIKE)
            if like or name in in_link:
                perhaps = f" Perhaps “{like[0]}”?" if like else " Copy the link anew with Share."
                self.faults.add(line.number, f"/{link.page} has no setting “{short(name)}”.{perhaps}")

    def _find(self, name: str, number: int) -> None:
        """Note that the stop has this part, and that it had it already."""
        if name in self.found:
            self.faults.add(number, f"This stop has two of “{name}”. Keep one.")
        self.found.add(name)

    def _read_parts(self, parts: list[_Part]) -> None:
        for part in parts:
            if not isinstance(part, _Piece):
                self._refuse(_first_line(part))
            elif part.label:
                self._read_label(part.label, joined(part.lines))
            else:
                for line in part.lines:
                    self._read_line(line)

    def _read_line(self, line: Line) -> None:
        """A line without a label: the link, or nothing that is read."""
        match = _LINK.fullmatch(line.text)
        if match:
            self._find("link", line.number)
            self.link = _link(Line(line.number, match[2]), self.faults)
            self.named += [(line, name) for name, _ in (self.link.settings if self.link else ())]
        else:
            self._refuse(line)

    def _read_label(self, label: str, said: Line) -> None:
        self._find(label, said.number)
        if label in ("Controls", "Without"):
            self.names[label] = _names(label, said, self.faults)
            self.named += [(said, name) for name in self.names[label] if label == "Controls"]
        elif label == "Model":
            self._read_model(said)
        elif label == "Words" and said.text != "shown":
            self.faults.add(said.number, "After “Words:” write “shown”, or leave the line out.")
        elif not said.text:
            sentence = f"There is nothing after “{label}:”. Write a sentence, or leave the line out."
            self.faults.add(said.number, sentence)
        elif label != "Words":
            self.texts[label] = self.faults.text(label, said, MAX_LETTERS[label])

    def _read_model(self, said: Line) -> None:
        match = _ASKED.fullmatch(said.text)
        if match:
            text = self.faults.text("text", Line(said.number, match[3] or ""), MAX_LETTERS["Model"])
            self.model = said, Asked(match[1] or match[2], text)
        else:
            sentence = "After “Model:” write “attention”, “map”, “next word”, or “next word after” and a text."
            self.faults.add(said.number, sentence)

    def _read_question(self, section: Section) -> None:
        name, parts = section.heading, _parts(section.blocks)
        self._find(name, section.number)
        asked = _next_text(parts)
        if not asked:
            self.faults.add(section.number, f"“### {name}” has no question below it. Write one, then its options.")
        text = self.faults.text("question", asked, MAX_QUESTION) if asked else ""
        options: tuple[Option, ...] = ()
        if parts and isinstance(parts[0], Bullets):
            options = options_of(parts[0], section.number, self.faults, MAX_OPTION, MAX_REPLY)
            parts = parts[1:]
        elif name == "Question":
            options = options_of(Bullets(section.number, ()), section.number, self.faults)
        self.questions[name] = Question(text, options)
        self._read_parts(parts)

    def _refuse(self, line: Line) -> None:
        """Say what is wrong with a line that has no meaning in a stop."""
        if line.text.startswith("###"):
            sentence = "Below a stop there can be “### Predict”, “### Question” and “### Board”, and nothing else."
        elif line.text.startswith("#"):
            sentence = "A heading begins with “## ” for a stop, or is “### Predict”, “### Question” or “### Board”."
        elif line.text.startswith("- ["):
            sentence = "This option belongs to no question. Put “### Predict” or “### Question” above it."
        elif "](" in line.text:
            sentence = "A link stands on a line of its own, with nothing around it: [Open the view](/heads)."
        else:
            sentence = f"“{short(line.text)}” is not read here. Begin the line with “Say: ” or “Do: ”."
        self.faults.add(line.number, sentence)


def _names(label: str, said: Line, faults: Faults) -> tuple[str, ...]:
    """Names of controls or pictures, with commas between them."""
    names = tuple(name.strip() for name in said.text.split(",") if name.strip())
    if names and len(names) <= MAX_CONTROLS and all(map(_NAME.fullmatch, names)):
        return names
    faults.add(
        said.number,
        f"After “{label}:” write up to {MAX_CONTROLS} names with commas between them, as they are in the address:"
        " gen_text, layer.",
    )
    return ()


def _link(line: Line, faults: Faults) -> Link | None:
    """A page of the app with settings; the host that it was copied from does not count."""
    try:
        if len(line.text) > MAX_LETTERS["link"]:
            raise ValueError
        parts = urlsplit(line.text)
        settings = parse_qsl(
            parts.query, keep_blank_values=True, strict_parsing=bool(parts.query), max_num_fields=MAX_SETTINGS
        )
    except ValueError:
        faults.add(line.number, "This link cannot be read. Copy it anew with Share.")
        return None
    page = parts.path.rstrip("/").rpartition("/")[2]
    odd = [name for name, value in settings if not _NAME.fullmatch(name) or not value.isprintable()]
    if parts.scheme not in ("", "http", "https") or (not parts.scheme and not line.text.startswith("/")):
        faults.add(line.number, "A link begins with “/” and the name of a page: /heads, /generation.")
    elif page not in {entry.url for entry in PAGES}:
        names = ", ".join(f"/{entry.url}" for entry in PAGES)
        faults.add(line.number, f"There is no page “/{short(page)}”. The pages are {names}.")
    elif odd:
        faults.add(line.number, f"The setting “{short(odd[0])}” of this link cannot be read. Copy it anew with Share.")
    else:
        kept = [(name, value) for name, value in settings if name not in LEADING and not name.startswith("embed")]
        return Link(page, tuple(kept))
    return None
