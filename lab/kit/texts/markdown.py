"""The one parser of the project's texts: CommonMark in, sections with headings, prose, lists and code out.

markdown-it reads the blocks; what of CommonMark is not listed here (quotes, tables, HTML, ordered or nested lists) has
no meaning in our files, and stays text or is a fault. A fault names its line, what is wrong and what to do: teachers
and translators write these files, and some of them come from strangers.
"""

import re
from collections.abc import Collection, Iterator
from typing import NamedTuple

from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode

from lab.kit.words import shorten

_FOREIGN = re.compile(r"https?:|www\.|\]\(|\]\[|!\[|<[A-Za-z/!]", re.IGNORECASE)
# Blocks only: what is within a line is read where it is shown, by inline.py or by Streamlit.
_BLOCKS = MarkdownIt("zero").enable(["heading", "list", "fence"]).disable("inline")
# It lists its rules when it first parses, and a second thread could come upon half of the list.
_BLOCKS.parse("a")
_SECTION_KEY = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


# ---- faults --------------------------------------------------------------------------------------------------------


class Fault(NamedTuple):
    """What is wrong with a line of a text, and what to do, in one or two sentences."""

    line: int
    sentence: str


class TextError(ValueError):
    """A text that is not well formed; `faults` in the order of its lines."""

    def __init__(self, faults: list[Fault]):
        super().__init__("\n".join(f"Line {fault.line}: {fault.sentence}" for fault in faults))
        self.faults = faults


class Faults:
    """What is wrong with one text, gathered while it is read, so that its author hears everything at once."""

    def __init__(self) -> None:
        self.found: list[Fault] = []

    def add(self, line: int, sentence: str) -> None:
        """Note what is wrong with this line, and what to do."""
        self.found.append(Fault(line, sentence))

    def text(self, kind: str, line: "Line", most: int | None = None) -> str:
        """A text that leads nowhere and, if `most` is given, has at most so many characters."""
        if most is not None and len(line.text) > most:
            self.add(line.number, f"This {kind} has {len(line.text)} characters; {most} is the most. Say it shorter.")
        if _FOREIGN.search(line.text):
            self.add(line.number, "There may be no links, pictures or HTML inside of a text. Leave them out.")
        return line.text

    def settle(self, most: int | None = None) -> None:
        """Raise what was found, the first `most` of it by line; nothing happens if all is well."""
        if self.found:
            raise TextError(sorted(self.found)[:most])


# ---- what a text is made of ----------------------------------------------------------------------------------------


class Line(NamedTuple):
    """Some text and the number of the line where it begins, counted from 1."""

    number: int
    text: str


class Prose(NamedTuple):
    """A paragraph, line by line."""

    lines: tuple[Line, ...]

    @property
    def number(self) -> int:
        return self.lines[0].number

    @property
    def joined(self) -> Line:
        """The whole of it, its lines joined by spaces."""
        return joined(self.lines)


class Bullets(NamedTuple):
    """A list; each item is one paragraph, line by line."""

    number: int
    items: tuple[tuple[Line, ...], ...]


class Code(NamedTuple):
    """A block between ``` and ```; `language` is what stands behind the first."""

    number: int
    language: str
    text: str


Block = Prose | Bullets | Code


class Section(NamedTuple):
    """A heading and what stands below it, up to the next heading.

    level    how many # the heading has; 0 for what stands above the first one
    heading  its words, "" if there are none
    """

    number: int
    level: int
    heading: str
    blocks: tuple[Block, ...]

    @property
    def line(self) -> Line:
        """The heading as its file has it."""
        return Line(self.number, f"{'#' * self.level} {self.heading}")

    @property
    def prose(self) -> list[str]:
        """Its paragraphs."""
        return [block.joined.text for block in self.blocks if isinstance(block, Prose)]


def joined(lines: Collection[Line]) -> Line:
    """Several lines as one, which begins where the first does."""
    return Line(min((line.number for line in lines), default=1), " ".join(line.text for line in lines).strip())


# ---- reading -------------------------------------------------------------------------------------------------------


def lines_of(text: str | bytes, kind: str, max_bytes: int) -> list[str]:
    """The lines of a text, once it is small enough and can be shown. Raises TextError; kind names it: "lesson"."""
    if len(text) > max_bytes or (isinstance(text, str) and len(text.encode(errors="replace")) > max_bytes):
        raise TextError([Fault(1, f"A {kind} may have {max_bytes:,} bytes, and this one has more. Split it.")])
    if isinstance(text, bytes):
        for number, line in enumerate(text.split(b"\n"), 1):
            if line.decode(errors="ignore").encode() != line:
                raise TextError([Fault(number, "This is not UTF-8 text. Save the file as plain text, UTF-8.")])
        text = text.decode("utf-8-sig")
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    for number, line in enumerate(lines, 1):
        if not line.replace("\t", " ").isprintable():
            raise TextError([Fault(number, "This line holds a character that cannot be shown. Type it anew.")])
    return [line.replace("\t", "  ").rstrip() for line in lines]


def sections(lines: list[str], faults: Faults, *, after: int = 0) -> list[Section]:
    """The sections of a text, the first of them what stands above all headings.

    after  so many lines at the top are skipped (they hold something else); lines are counted from the very first
    """
    tokens = _BLOCKS.parse("\n".join(["" for _ in lines[:after]] + lines[after:]))
    found = [Section(after + 1, 0, "", ())]
    for node in SyntaxTreeNode(tokens).children:
        number = (node.map[0] if node.map else 0) + 1
        if node.type == "heading":
            found.append(Section(number, int(node.tag[1:]), node.children[0].content, ()))
        else:
            blocks = _joined_lists([*found[-1].blocks, *_blocks(node, number, lines, faults)])
            found[-1] = found[-1]._replace(blocks=tuple(blocks))
    return found


def _joined_lists(blocks: list[Block]) -> list[Block]:
    """To CommonMark a list ends where “-” gives way to “*”; to those who write, it goes on."""
    match blocks:
        case [*before, Bullets() as first, Bullets() as second]:
            return [*before, Bullets(first.number, first.items + second.items)]
    return blocks


def _blocks(node: SyntaxTreeNode, number: int, lines: list[str], faults: Faults) -> list[Block]:
    if node.type == "paragraph":
        prose = Prose(_numbered(node.children[0].content, number))
        for line in prose.lines:
            if line.text.startswith("#"):
                faults.add(line.number, f"“{short(line.text)}” is not a heading: put a space after the #.")
        return [prose]
    if node.type == "bullet_list":
        return _list(node, number, lines, faults)
    if node.type == "fence":
        if not lines[(node.map or (0, 1))[1] - 1].strip().startswith(node.markup):
            faults.add(number, f"This block of code is never closed. Write “{node.markup}” below it.")
        return [Code(number, node.info.strip(), node.content)]
    faults.add(number, f"“{short(lines[number - 1].strip())}” is not read here. Lists have “- ” before each item.")
    return []


def _list(node: SyntaxTreeNode, number: int, lines: list[str], faults: Faults) -> list[Block]:
    """A list. CommonMark takes lines at the margin for part of the item above; here they end the list."""
    items = [_item(item, lines, faults) for item in node.children]
    at_margin: tuple[Line, ...] = ()
    for n, item in enumerate(items):
        n_own = next((k for k, line in enumerate(item) if k and not lines[line.number - 1].startswith("  ")), len(item))
        items[n], at_margin = item[:n_own], item[n_own:]
        if at_margin and n < len(items) - 1:
            odd = at_margin[0]
            faults.add(odd.number, f"“{short(odd.text)}” stands between two items. Begin it two spaces in.")
    listed = Bullets(number, tuple(items))
    return [listed, Prose(at_margin)] if at_margin else [listed]


def _item(node: SyntaxTreeNode, lines: list[str], faults: Faults) -> tuple[Line, ...]:
    """The lines of one item of a list."""
    begin = (node.map[0] if node.map else 0) + 1
    first = node.children[0] if node.children and node.children[0].type == "paragraph" else None
    for child in node.children[1 if first else 0 :]:
        number = (child.map[0] if child.map else 0) + 1
        faults.add(number, f"“{short(lines[number - 1].strip())}” is not read here. An item is one paragraph.")
    return _numbered(first.children[0].content, begin) if first else (Line(begin, ""),)


def _numbered(content: str, number: int) -> tuple[Line, ...]:
    return tuple(Line(number + n, line.strip()) for n, line in enumerate(content.split("\n")))


def short(text: str) -> str:
    """The beginning of a line, to name it in a fault."""
    return shorten(text, 40)


def labelled(prose: Prose, labels: Collection[str], ends: str = "") -> Iterator[tuple[str, tuple[Line, ...]]]:
    """A paragraph cut at its labels: (label, lines) for every “Label: text”, ("", lines) for what has none.

    ends  a line that begins with one of these characters ends what is behind a label, too
    """
    label, found = "", list[Line]()
    pattern = re.compile(rf"({'|'.join(map(re.escape, labels))}): *(.*)")
    for line in prose.lines:
        match = pattern.match(line.text)
        if found and (match or (label and ends and line.text.startswith(tuple(ends)))):
            yield label, tuple(found)
            label, found = "", []
        if match:
            label, line = match[1], Line(line.number, match[2])
        found.append(line)
    yield label, tuple(found)


def keyed(found: Collection[Section], faults: Faults) -> dict[str, Section]:
    """Sections by their headings, which are keys: small letters, digits and hyphens, each of them once.

    Only headings of level 2 may be there; what stands above the first of them is for whoever opens the file.
    """
    by_key: dict[str, Section] = {}
    for section in found:
        if section.level == 2 and not _SECTION_KEY.fullmatch(section.heading):
            faults.add(section.number, "Here stands a key: small letters and digits, with hyphens between them.")
        elif section.level == 2 and section.heading in by_key:
            faults.add(section.number, f"“{section.heading}” is there twice. Change one of them.")
        elif section.level == 2:
            by_key[section.heading] = section
        elif by_key or section.level > 1:
            faults.add(section.number, f"“{short(section.heading)}” is not read. A section begins with “## ”.")
    return by_key
