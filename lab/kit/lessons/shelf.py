"""Which lessons there are: those that ship in lessons/, and one that comes whole within a link.

In an address `lesson` is the name of a shipped one, "." and the code of one that is kept here for a day, or "~" and a
lesson's text: deflated, in base64url. A link of that kind may come from a stranger: its letters are bounded before it
is decoded, and what it unfolds to while it unfolds.
"""

import binascii
import re
import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

from lab.kit.lessons.lesson import Lesson, Stop
from lab.kit.lessons.reader import MAX_BYTES, read
from lab.kit.texts.markdown import Fault, TextError
from lab.server.rooms.lessons import is_code, lessons
from lab.server.rooms.shelf import AwayError

FOLDER = Path(__file__).parents[3] / "lessons"
ORDER = ("attention", "positions", "training", "pictures", "heads", "translator")
MAX_CODE = 7800  # letters: an address of up to 8 kB passes through every server on its way
GUESS = "guess"  # in the link to a stop: the option that was chosen before
TOLD = "told"  # in the address of a lesson that was loaded anew: all that were chosen
_WITHIN = "~"


@cache
def shipped() -> dict[str, Lesson]:
    """The lessons of this project by name, in the order in which to take them."""
    return {name: read(source(name)) for name in ORDER}


def source(name: str) -> bytes:
    """The file of a shipped lesson. Raises LookupError for a name that is none."""
    if name not in ORDER:
        raise LookupError(f"there is no lesson {name}")
    return (FOLDER / f"{name}.md").read_bytes()


def lesson(code: str) -> Lesson:
    """The lesson that an address names or holds. Raises TextError if there is none."""
    if is_code(code):
        return _read(_kept(code))
    if not code.startswith(_WITHIN):
        if code in ORDER:
            return shipped()[code]
        raise TextError([Fault(1, "There is no lesson of this name here.")])
    return _read(unpacked(code))


@lru_cache(64)
def _read(text: bytes) -> Lesson:
    return read(text)


def _kept(code: str) -> bytes:
    """The text that is kept under a short code. Raises TextError where there is none."""
    try:
        text = lessons().look(code)
    except AwayError as away:
        raise TextError([Fault(1, str(away))]) from None
    if text is None:
        raise TextError([Fault(1, "This lesson is not kept here any more. Ask who shared it for a new address.")])
    return text


def packed(text: str | bytes) -> str:
    """A lesson's text for an address. Raises TextError if it is too long for one."""
    raw = text.encode() if isinstance(text, str) else text
    code = _WITHIN + urlsafe_b64encode(zlib.compress(raw, 9)).decode().rstrip("=")
    if len(code) > MAX_CODE:
        few = f"As a link this lesson has {len(code):,} letters, and {MAX_CODE:,} is the most. Share the file instead."
        raise TextError([Fault(1, few)])
    return code


def unpacked(code: str) -> bytes:
    """The text within an address, at most MAX_BYTES. Raises TextError for anything else."""
    broken = TextError([Fault(1, "The lesson within this link cannot be read. The link may have been cut short.")])
    letters = code.removeprefix(_WITHIN)
    if len(code) > MAX_CODE or not re.fullmatch(r"[A-Za-z0-9_-]+", letters, re.ASCII):
        raise broken
    try:
        inflater = zlib.decompressobj()
        text = inflater.decompress(urlsafe_b64decode(letters + "=" * (-len(letters) % 4)), MAX_BYTES + 1)
    except (zlib.error, binascii.Error):
        raise broken from None
    if len(text) > MAX_BYTES or not inflater.eof or inflater.unused_data:
        raise broken
    return text


class Place(NamedTuple):
    """A stop of a lesson. `code` is what the address calls the lesson; stops count from 1."""

    code: str
    number: int

    @property
    def lesson(self) -> Lesson:
        return lesson(self.code)

    @property
    def stop(self) -> Stop:
        return self.lesson.stops[self.number - 1]

    @property
    def address(self) -> str:
        """The link to this stop."""
        return self.stop.link.address(lesson=self.code, stop=self.number)

    def guessed(self, number: int, *, at: "Place | None" = None) -> str:
        """The link to this stop with its question answered, or that of the stop `at`: by the option of this number,
        from 1, or by 0, no idea."""
        guess = f"{at.number}-{number}" if at else number
        return self.stop.link.address(lesson=self.code, stop=self.number, **{GUESS: guess})

    def beside(self, step: int) -> "Place | None":
        """The stop this many further on, if there is one."""
        number = self.number + step
        return Place(self.code, number) if 1 <= number <= len(self.lesson.stops) else None
