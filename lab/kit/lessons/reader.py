"""Reads a lesson: Markdown in, a Lesson out, or every fault with its line and what to do about it.

The file may come from a stranger. Its size is bounded before anything is read, every length after that, and its links
name a page of the app and settings, whatever host they were copied from. lessons/README.md shows the format.
"""

import re
from typing import NamedTuple
from urllib.parse import parse_qsl, urlsplit

from lab.kit.catalogue import PAGES
from lab.kit.lessons.lesson import Lesson, Link, Option, Question, Stop

MAX_BYTES = 40_000
MAX_STOPS = 30
MAX_FAULTS = 12  # that are listed
MAX_LETTERS = {"title": 80, "for": 120, "heading": 70, "Say": 340, "Do": 340, "question": 300, "option": 120,
               "reply": 360, "about": 600, "link": 2000}  # fmt: skip
MAX_MINUTES = 240
MAX_OPTIONS, MAX_SETTINGS, MAX_CONTROLS = 6, 40, 12
FRONT = ("title", "minutes", "for")
LEADING = {"lesson", "stop"}  # settings of an address that the lesson itself puts there
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,60}")
_LINK = re.compile(r"\[([^\[\]]{1,200})\]\(([^()\s]+)\)")
_OPTION = re.compile(r"[-*] \[([ xX])\] *(.*)")
_LABEL = re.compile(r"(Say|Do|Controls|Without|Words): *(.*)")
_FOREIGN = re.compile(r"https?:|www\.|\]\(|\]\[|!\[|<[A-Za-z/!]", re.IGNORECASE)


class Fault(NamedTuple):
    """What is wrong with a line of a lesson, and what to do, in one sentence."""

    line: int
    sentence: str


class LessonError(ValueError):
    """A text that is not well formed as a lesson; `faults` in the order of its lines."""

    def __init__(self, faults: list[Fault]):
        super().__init__("\n".join(f"Line {fault.line}: {fault.sentence}" for fault in faults))
        self.faults = faults


def read(text: str | bytes) -> Lesson:
    """The lesson that a file holds. Raises LessonError with its faults, at most MAX_FAULTS of them."""
    return _Reader(_decoded(text)).lesson()


def _decoded(text: str | bytes) -> list[str]:
    """The lines of a text, once it is small enough and can be shown."""
    if len(text) > MAX_BYTES or (isinstance(text, str) and len(text.encode(errors="replace")) > MAX_BYTES):
        raise LessonError([Fault(1, f"A lesson may have {MAX_BYTES:,} bytes, and this one has more. Split it.")])
    if isinstance(text, bytes):
        for number, line in enumerate(text.split(b"\n"), 1):
            if line.decode(errors="ignore").encode() != line:
                raise LessonError([Fault(number, "This is not UTF-8 text. Save the file as plain text, UTF-8.")])
        text = text.decode("utf-8-sig")
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    for number, line in enumerate(lines, 1):
        if not line.replace("\t", " ").isprintable():
            raise LessonError([Fault(number, "This line holds a character that cannot be shown. Type it anew.")])
    return [line.replace("\t", "  ").rstrip() for line in lines]


class _Reader:
    """One pass over the lines; `at` is the next one, and faults are gathered on the way."""

    def __init__(self, lines: list[str]):
        self.lines = lines
        self.at = 0
        self.faults: list[Fault] = []

    def lesson(self) -> Lesson:
        front = self._front()
        about = self._text("about", self._paragraph(until="#"))
        stops = []
        while self._skip_blank():
            if self._is_stop():
                stops.append(self._stop())
                continue
            line = _short(self.lines[self.at])
            self._fault(f"“{line}” stands outside of a stop. A stop begins with “## ” and its heading.")
            while self.at < len(self.lines) and not self._is_stop():  # said once
                self.at += 1
        if not stops:
            self._fault("The lesson has no stop. Begin one with a line such as “## Guess the next word”.")
        elif len(stops) > MAX_STOPS:
            self._fault(f"A lesson may have {MAX_STOPS} stops, and this one has {len(stops)}. Split it.")
        if self.faults:
            raise LessonError(sorted(self.faults)[:MAX_FAULTS])
        return Lesson(front["title"], int(front["minutes"]), front["for"], about, tuple(stop for stop in stops if stop))

    # ---- lines

    def _fault(self, sentence: str, line: int | None = None) -> None:
        self.faults.append(Fault(min(self.at + 1, len(self.lines)) if line is None else line, sentence))

    def _is_stop(self) -> bool:
        line = self.lines[self.at]
        return line.startswith("## ") or line == "##"

    def _skip_blank(self) -> bool:
        """Go on to the next line that is not empty; whether there is one."""
        while self.at < len(self.lines) and not self.lines[self.at].strip():
            self.at += 1
        return self.at < len(self.lines)

    def _paragraph(self, until: str, *, first: str = "") -> tuple[int, str]:
        """(line, text) of the lines from here to an empty one or one that begins with a sign of `until`."""
        if not first:
            self._skip_blank()
        begin, parts = self.at, [first] if first else []
        while self.at < len(self.lines):
            line = self.lines[self.at]
            ends = line.startswith(tuple(until)) or _LABEL.match(line) or _OPTION.match(line)
            if not line.strip() or (ends and not (first and self.at == begin)):
                break
            if not (first and self.at == begin):
                parts.append(line.strip())
            self.at += 1
        return begin + 1, " ".join(parts)

    def _text(self, kind: str, found: tuple[int, str]) -> str:
        """A text of the lesson that is not too long and leads nowhere."""
        line, text = found
        if len(text) > MAX_LETTERS[kind]:
            self._fault(
                f"This {kind} has {len(text)} characters; {MAX_LETTERS[kind]} is the most. Say it shorter.", line
            )
        if _FOREIGN.search(text):
            self._fault("There may be no links, pictures or HTML inside of a text. Leave them out.", line)
        return text

    # ---- parts

    def _front(self) -> dict[str, str]:
        front = dict.fromkeys(FRONT, "")
        front["minutes"] = "1"
        if self.lines[0] != "---":
            self._fault("A lesson begins with a line “---”, then title:, minutes: and for:, then “---” again.", 1)
            return front
        given: dict[str, int] = {}
        self.at = 1
        while self.at < len(self.lines) and self.lines[self.at] != "---":
            line = self.lines[self.at]
            name, colon, value = (part.strip() for part in line.partition(":"))
            if name in FRONT and colon and value and name not in given:
                given[name] = self.at + 1
                front[name] = value if name == "minutes" else self._text(name, (self.at + 1, value))
            elif line.strip():
                self._fault(f"“{_short(line)}” is not read here. Write title:, minutes: and for:, once each.")
            elif line.startswith("##"):
                break
            self.at += 1
        if self.at == len(self.lines):
            self._fault("The lines at the top are never closed. Write “---” below “for:”.", 1)
            return front
        for name in FRONT:
            if name not in given:
                self._fault(f"“{name}:” is missing above this line. Add it.")
        if not re.fullmatch("[0-9]{1,3}", front["minutes"]) or not 1 <= int(front["minutes"]) <= MAX_MINUTES:
            self._fault(f"Minutes are a whole number from 1 to {MAX_MINUTES}.", given["minutes"])
            front["minutes"] = "1"
        self.at += 1
        return front

    def _stop(self) -> Stop | None:
        begin = self.at + 1
        heading = self._text("heading", (begin, self.lines[self.at][3:].strip()))
        if not heading:
            self._fault("This stop has no heading. Write it behind “## ”.")
        self.at += 1
        link: Link | None = None
        has_link = False
        texts: dict[str, str] = {}
        names: dict[str, tuple[str, ...]] = {}
        questions: dict[str, Question | None] = {}
        while self._skip_blank() and not self._is_stop():
            line, number = self.lines[self.at], self.at + 1
            label, linked = _LABEL.match(line), _LINK.fullmatch(line.strip())
            name = label[1] if label else line[4:].strip() if line.startswith("### ") else "link" if linked else ""
            if name in {*texts, *questions} or (name == "link" and has_link):
                self._fault(f"This stop has two of “{name}”. Keep one.", number)
            if linked:
                has_link, link = True, self._link(linked[2], number)
                self.at += 1
            elif label:
                found = self._paragraph(until="#[", first=label[2] or " ")
                is_text = name in ("Say", "Do")
                texts[name] = self._text(name, found).strip() if is_text else found[1].strip()
                if name in ("Controls", "Without"):
                    names[name] = self._names(name, texts[name], number)
                elif name == "Words" and texts[name] != "shown":
                    self._fault("Behind “Words:” stands “shown”, or the line is left out.", number)
                elif not texts[name]:
                    self._fault(f"There is nothing behind “{name}:”. Write a sentence, or leave the line out.", number)
            elif name in ("Predict", "Question"):
                questions[name] = self._question(name)
            else:
                self._odd_line(line)
        if not has_link:
            self._fault("This stop has no link. Write one on a line of its own: [Open the view](/heads).", begin)
        if "Say" not in texts:
            self._fault("This stop says nothing. Add a line “Say: ” with one sentence.", begin)
        if link is None:
            return None
        return Stop(
            heading, link, texts.get("Say", ""), texts.get("Do", ""), names.get("Controls", ()), "Words" in texts,
            names.get("Without", ()), questions.get("Predict"), questions.get("Question"),
        )  # fmt: skip

    def _odd_line(self, line: str) -> None:
        if line.startswith("###"):
            sentence = "Below a stop there can be “### Predict” and “### Question”, and nothing else."
        elif line.startswith("#"):
            sentence = "A heading begins with “## ” for a stop, or is “### Predict” or “### Question”."
        elif _OPTION.match(line):
            sentence = "This option belongs to no question. Put “### Predict” or “### Question” above it."
        elif "](" in line:
            sentence = "A link stands on a line of its own, with nothing around it: [Open the view](/heads)."
        else:
            sentence = f"“{_short(line)}” is not read here. Begin the line with “Say: ” or “Do: ”."
        self._fault(sentence)
        self.at += 1

    def _names(self, label: str, text: str, line: int) -> tuple[str, ...]:
        names = tuple(name.strip() for name in text.split(",") if name.strip())
        odd = [name for name in names if not _NAME.fullmatch(name)]
        if odd or not names or len(names) > MAX_CONTROLS:
            self._fault(
                f"Behind “{label}:” stand up to {MAX_CONTROLS} names with commas between them, as they stand in the"
                " address: gen_text, layer.",
                line,
            )
            return ()
        return names

    def _link(self, target: str, line: int) -> Link | None:
        """A page of the app with settings; the host that it was copied from does not count."""
        try:
            if len(target) > MAX_LETTERS["link"]:
                raise ValueError
            parts = urlsplit(target)
            settings = parse_qsl(parts.query, keep_blank_values=True, strict_parsing=bool(parts.query),
                                 max_num_fields=MAX_SETTINGS)  # fmt: skip
        except ValueError:
            self._fault("This link cannot be read. Copy it anew with Share.", line)
            return None
        page = parts.path.rstrip("/").rpartition("/")[2]
        if parts.scheme not in ("", "http", "https") or (not parts.scheme and not target.startswith("/")):
            self._fault("A link begins with “/” and the name of a page: /heads, /generation.", line)
            return None
        if page not in {entry.url for entry in PAGES}:
            names = ", ".join(f"/{entry.url}" for entry in PAGES)
            self._fault(f"There is no page “/{_short(page)}”. The pages are {names}.", line)
            return None
        odd = [name for name, value in settings if not _NAME.fullmatch(name) or not value.isprintable()]
        if odd:
            self._fault(f"The setting “{_short(odd[0])}” of this link cannot be read. Copy it anew with Share.", line)
            return None
        kept = [(name, value) for name, value in settings if name not in LEADING and not name.startswith("embed")]
        return Link(page, tuple(kept))

    def _question(self, name: str) -> Question | None:
        begin = self.at + 1
        self.at += 1
        found = self._paragraph(until="#")
        text = self._text("question", found)
        if not text:
            self._fault(f"“### {name}” has no question below it. Write one, then its options.", begin)
        options: list[tuple[int, Option]] = []
        while self._skip_blank() and (match := _OPTION.fullmatch(self.lines[self.at])):
            options.append((self.at + 1, self._option(match)))
        if not options and name == "Predict":
            return Question(text)
        for line, option in options:
            if not option.text:
                self._fault("This option is empty. Write it behind the brackets.", line)
            if not option.reply:
                self._fault("This option has no reply. Write one on the next line, two spaces in.", line)
        right = [line for line, option in options if option.right]
        if not 2 <= len(options) <= MAX_OPTIONS:
            self._fault(f"A question has 2 to {MAX_OPTIONS} options, “- [ ] …” each; here are {len(options)}.", begin)
        elif not right:
            self._fault("No option is right. Mark one with “- [x]”.", begin)
        elif len(right) > 1:
            self._fault("Two options are marked as right. Keep one “- [x]”.", right[1])
        elif len({option.text for _, option in options}) < len(options):
            self._fault("Two options are the same. Change one.", begin)
        return Question(text, tuple(option for _, option in options))

    def _option(self, match: re.Match[str]) -> Option:
        text = self._text("option", (self.at + 1, match[2].strip()))
        self.at += 1
        begin, parts = self.at + 1, []
        while self.at < len(self.lines) and self.lines[self.at].startswith("  ") and self.lines[self.at].strip():
            parts.append(self.lines[self.at].strip())
            self.at += 1
        return Option(text, self._text("reply", (begin, " ".join(parts))), match[1] in "xX")


def _short(text: str) -> str:
    return text if len(text) <= 40 else f"{text[:39]}…"
