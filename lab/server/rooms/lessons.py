"""Lessons under a short address: kept where rooms are, for a day or as long as the host allows.

code = lessons().keep(visitor.key(), text)      ".KRTMBCDF", for an address and a QR code that a phone can read
lessons().look(code)                            the text again, on any of the servers that share rooms
"""

import re
import secrets
from functools import cache
from hashlib import sha256

from lab.server.environment import LESSON_DAYS, ROOMS
from lab.server.rooms.rooms import LETTERS, NoRoomError
from lab.server.rooms.shelf import Entry, Memory, Shelf

MARK, N_LETTERS = ".", 8  # of a code: what no other name of a lesson begins with
MOST, PER_VISITOR = 200, 8  # lessons in memory, 120 kB each; and of one browser
DAY = 24 * 3600.0
_CODE = re.compile(rf"{re.escape(MARK)}[{LETTERS}]{{{N_LETTERS}}}")


def is_code(name: str) -> bool:
    """Whether this is the code of a lesson that may be kept here."""
    return _CODE.fullmatch(name) is not None


class Lessons:
    """Texts on a shelf, each under a code of its own."""

    def __init__(self, shelf: Shelf):
        self.shelf = shelf

    def keep(self, key: str, text: bytes) -> str:
        """The code of a text; the same again for the same text of one browser. Of several of a browser an older one
        may make way. Raises NoRoomError, and AwayError."""
        digest = sha256(text).digest()
        owner = sha256(f"lesson {key} {digest[0] % PER_VISITOR}".encode()).hexdigest()
        there = self.shelf.owned(owner)
        if there and (entry := self.shelf.look(there)) and entry.plan == text.decode():
            return there
        for _ in range(20):
            code = MARK + "".join(secrets.choice(LETTERS) for _ in range(N_LETTERS))
            if self.shelf.create(code, Entry(owner, text.decode(), "-")):
                return code
            if self.shelf.is_full():
                break
        raise NoRoomError("There is no room for one more lesson today. The long link works all the same.")

    def look(self, code: str) -> bytes | None:
        """The text under a code; None where there is none, or none any more. Raises AwayError."""
        entry = self.shelf.look(code)
        return entry.plan.encode() if entry else None


@cache
def lessons() -> Lessons:
    """The lessons of this server. Raises RuntimeError where a Redis is named and redis-py is not installed."""
    age, address = LESSON_DAYS.read() * DAY, ROOMS.read()
    if not address:
        return Lessons(Memory(max_rooms=MOST, age=age, idle=age))
    from lab.server.rooms.redis_shelf import PREFIX, RedisShelf

    return Lessons(RedisShelf(address, f"{PREFIX}lessons:", max_rooms=5 * MOST, age=age, idle=age))
