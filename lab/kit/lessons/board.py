"""What a stop shows above its view: tables, formulas and pictures, read from what stands below its “### Board”.

A picture stands in the lesson's own file, small, as a data address: no other site is asked for it, and a lesson stays
one file. The page Lessons makes such a line of any picture.
"""

import binascii
import io
import re
from base64 import b64decode
from html import escape
from typing import NamedTuple

from lab.kit.texts.inline import html, plain
from lab.kit.texts.markdown import Block, Bullets, Faults, Line, Prose, short

MOST, MOST_PICTURES = 6, 3  # things on one board, and pictures of a lesson
MAX_ROWS, MAX_COLUMNS, MAX_CELL, MAX_TEX, MAX_ALT = 12, 6, 80, 300, 160
MAX_PICTURE, MAX_SIDE = 18_000, 640  # bytes, and pixels
_BEGIN = "data:image/webp;base64,"
_PICTURE = re.compile(r"!\[([^\[\]]*)\]\(([^()\s]*)\)")
_RULE = re.compile(r":?-+:?")
_FORMULA = re.compile(r"\$\$ *([^$]+?) *\$\$")


class Table(NamedTuple):
    """A table: its head, and as many cells in each row."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


class Formula(NamedTuple):
    """A formula in the notation of TeX."""

    tex: str


class Picture(NamedTuple):
    """A small picture: what it shows, in words, and its WebP file in base64."""

    says: str
    webp: str

    @property
    def address(self) -> str:
        """What a browser shows it by."""
        return _BEGIN + self.webp

    @property
    def line(self) -> str:
        """The line of a lesson that brings it onto a board."""
        return f"![{self.says}]({self.address})"


Shown = Table | Formula | Picture


# ---- reading -------------------------------------------------------------------------------------------------------


def shown(blocks: tuple[Block, ...], number: int, faults: Faults) -> tuple[Shown, ...]:
    """What stands on the board whose heading is at this line; what is none of the three is a fault."""
    if not blocks:
        faults.add(number, "This board is empty. Write a table, a formula or a picture below it, or leave it out.")
    elif len(blocks) > MOST:
        faults.add(number, f"A board has room for {MOST} things, and this one has {len(blocks)}. Leave some out.")
    found = [_thing(block, faults) for block in blocks]
    return tuple(thing for thing in found if thing is not None)


def _thing(block: Block, faults: Faults) -> Shown | None:
    if isinstance(block, Prose):
        whole = block.joined
        if whole.text.startswith("|"):
            return _table(block.lines, faults)
        if match := _FORMULA.fullmatch(whole.text):
            return _formula(match[1], whole, faults)
        if match := _PICTURE.fullmatch(whole.text):
            return _picture(match[1], match[2], whole, faults)
        begin = whole.text
    else:
        begin = f"- {block.items[0][0].text}" if isinstance(block, Bullets) else f"```{block.language}"
    faults.add(
        block.number,
        f"“{short(begin)}” does not go on a board. It holds tables (| a | b |), formulas ($$ a $$), and pictures,"
        " whose line the page Lessons makes; an empty line between any two.",
    )
    return None


def _table(lines: tuple[Line, ...], faults: Faults) -> Table | None:
    rows = [tuple(cell.strip() for cell in line.text.strip().strip("|").split("|")) for line in lines]
    n = len(rows[0])
    if len(rows) < 2 or not all(map(_RULE.fullmatch, rows[1])):
        faults.add(lines[0].number, "The second line of a table parts its head from its rows: |---|---|.")
        return None
    if odd := [line for line, row in zip(lines, rows, strict=True) if len(row) != n]:
        faults.add(odd[0].number, f"This row has another number of cells than the head, which has {n}.")
        return None
    if n > MAX_COLUMNS or len(rows) - 2 > MAX_ROWS:
        faults.add(lines[0].number, f"A table has {MAX_COLUMNS} columns and {MAX_ROWS} rows at most. Leave some out.")
        return None
    for line, row in zip(lines, rows, strict=True):
        for cell in row:
            faults.text("cell", Line(line.number, cell), MAX_CELL)
    return Table(rows[0], tuple(rows[2:]))


def _formula(tex: str, line: Line, faults: Faults) -> Formula:
    if len(tex) > MAX_TEX:
        faults.add(line.number, f"This formula has {len(tex)} characters; {MAX_TEX} is the most. Part it in two.")
    return Formula(tex)


def _picture(says: str, address: str, line: Line, faults: Faults) -> Picture | None:
    if not address.startswith(_BEGIN):
        sentence = "A picture stands in the file itself. Let the page Lessons make its line: “A picture for a board”."
    elif not _is_small(address.removeprefix(_BEGIN)):
        sentence = "This picture cannot be read. Let the page Lessons make its line anew."
    elif not says.strip():
        sentence = "Say what the picture shows, between ![ and ]: for those who hear the lesson."
    else:
        faults.text("description", Line(line.number, says), MAX_ALT)
        return Picture(says, address.removeprefix(_BEGIN))
    faults.add(line.number, sentence)
    return None


def _is_small(letters: str) -> bool:
    """Whether these letters are a WebP file within the bounds, by its header: nothing of it is decoded."""
    from PIL import Image

    if len(letters) > MAX_PICTURE * 4 / 3 + 4:
        return False
    try:
        data = b64decode(letters, validate=True)
        return max(Image.open(io.BytesIO(data), formats=("WEBP",)).size) <= MAX_SIDE
    except (binascii.Error, ValueError, OSError, SyntaxError):
        return False


# ---- showing -------------------------------------------------------------------------------------------------------


def as_html(thing: Shown) -> str:
    """It as HTML, a formula as it is written. Everything that its author wrote is escaped."""
    if isinstance(thing, Formula):
        return f'<p class="formula"><code>{escape(thing.tex)}</code></p>'
    if isinstance(thing, Picture):
        return f'<img src="{escape(thing.address)}" alt="{escape(plain(thing.says))}">'
    head = "".join(f'<th scope="col">{html(cell)}</th>' for cell in thing.head)
    rows = ("".join(f"<td>{html(cell)}</td>" for cell in row) for row in thing.rows)
    body = "".join(f"<tr>{row}</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
