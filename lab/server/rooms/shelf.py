"""Where rooms are kept: what any keeper of rooms does, and the one that keeps them in the memory of this process."""

import threading
from collections.abc import Callable, Mapping
from time import monotonic
from typing import NamedTuple, Protocol

from lab.server.rooms.guesses import Guesses

AGE = 24 * 3600.0  # seconds after which a room is over
IDLE = 3600.0  # seconds without an answer or a step after which a room makes way for a new one
MAX_ROOMS = 40
MAX_SEATS = 200


class AwayError(Exception):
    """The shelf cannot be reached at the moment. The message is for whoever asked."""


class Entry(NamedTuple):
    """A room as it is kept: whose it is, its plan, and where it stands; both as texts of rooms.py's."""

    owner: str
    plan: str
    state: str


class Pulse(NamedTuple):
    """Two numbers that grow: with what the teacher does, and with what the phones do."""

    turn: int
    count: int


class Shelf(Protocol):
    """Keeps rooms for AGE at most. A room that is not there, or not any more, is None, 0 or False everywhere.

    A shelf on another machine raises AwayError where that does not answer.
    """

    def create(self, code: str, entry: Entry) -> bool:
        """Keep a room under a code that is free, in place of the one that its owner had; False if it is taken."""
        ...

    def is_full(self) -> bool:
        """Whether no further room can be kept now."""
        ...

    def owned(self, owner: str) -> str | None:
        """The code of this owner's room."""
        ...

    def look(self, code: str) -> Entry | None:
        """A room by its code."""
        ...

    def pulse(self, code: str) -> Pulse | None:
        """Whether anything has changed: cheap, and asked often."""
        ...

    def step(self, code: str, owner: str, state: str, *, instead_of: str) -> bool:
        """Keep where this owner's room now stands; False where it stands elsewhere than it did, is another owner's by
        now, or is gone."""
        ...

    def hand_over(self, code: str, owner: str, state: str, *, instead_of: str) -> bool:
        """Make a room this new owner's, whose own room is then over; False where it stands elsewhere than it did."""
        ...

    def sit(self, code: str, seat: str, *, may_come: bool) -> bool:
        """Whether this seat is taken by now: it was, or there is room, and newcomers may come."""
        ...

    def is_seated(self, code: str, seat: str) -> bool: ...

    def n_seats(self, code: str) -> int: ...

    def answer(self, code: str, slot: str, seat: str, value: str) -> None:
        """Keep the answer of a seat to a slot, in place of the one before."""
        ...

    def answers(self, code: str, slot: str) -> Mapping[str, str]:
        """All answers to a slot, by seat."""
        ...

    def end(self, code: str, owner: str) -> bool:
        """Forget this owner's room and all that was answered in it, but for whose it was: see `ended`. False where it
        is another owner's by now, or is gone."""
        ...

    def ended(self, code: str) -> str | None:
        """Whose room was ended under this code, where that is still known: IDLE seconds, or the last few rooms."""
        ...

    def may_try(self, visitor: str, *, is_wrong: bool) -> bool:
        """Whether a visitor may try a code now, as guesses.py has it; a wrong one is counted in the same go."""
        ...


class _Room:
    def __init__(self, entry: Entry, now: float):
        self.entry = entry
        self.since = self.last = now
        self.turn = self.count = 0
        self.seats: set[str] = set()
        self.answers: dict[str, dict[str, str]] = {}


class Memory:
    """A shelf in the memory of this process, for any number of threads; `age` and `idle` in seconds."""

    def __init__(
        self,
        clock: Callable[[], float] = monotonic,
        max_rooms: int = MAX_ROOMS,
        max_seats: int = MAX_SEATS,
        age: float = AGE,
        idle: float = IDLE,
    ):
        self._clock, self.max_rooms, self.max_seats = clock, max_rooms, max_seats
        self._age, self._idle = age, idle
        self._lock = threading.Lock()
        self._rooms: dict[str, _Room] = {}
        self._ended: dict[str, str] = {}  # owners by code, the last max_rooms of them
        self.may_try = Guesses(clock).may_try

    def create(self, code: str, entry: Entry) -> bool:
        with self._lock:
            now = self._clock()
            self._forget_old()
            if code in self._rooms:
                return False
            self._forget_of(entry.owner)
            if len(self._rooms) >= self.max_rooms:
                idlest = min(self._rooms, key=lambda other: self._rooms[other].last)
                if now - self._rooms[idlest].last < self._idle:
                    return False
                del self._rooms[idlest]
            self._rooms[code] = _Room(entry, now)
            self._ended.pop(code, None)
            return True

    def is_full(self) -> bool:
        with self._lock:
            self._forget_old()
            now = self._clock()
            return sum(now - room.last < self._idle for room in self._rooms.values()) >= self.max_rooms

    def owned(self, owner: str) -> str | None:
        with self._lock:
            self._forget_old()
            return next((code for code, room in self._rooms.items() if room.entry.owner == owner), None)

    def look(self, code: str) -> Entry | None:
        with self._lock:
            room = self._room(code)
            return room.entry if room else None

    def pulse(self, code: str) -> Pulse | None:
        with self._lock:
            room = self._room(code)
            return Pulse(room.turn, room.count) if room else None

    def step(self, code: str, owner: str, state: str, *, instead_of: str) -> bool:
        with self._lock:
            room = self._room(code)
            if room is None or room.entry.owner != owner or room.entry.state != instead_of:
                return False
            room.entry = room.entry._replace(state=state)
            room.turn += 1
            room.last = self._clock()
            return True

    def hand_over(self, code: str, owner: str, state: str, *, instead_of: str) -> bool:
        with self._lock:
            room = self._room(code)
            if room is None or room.entry.state != instead_of:
                return False
            if room.entry.owner != owner:
                self._forget_of(owner)
            room.entry = room.entry._replace(owner=owner, state=state)
            room.turn += 1
            room.last = self._clock()
            return True

    def sit(self, code: str, seat: str, *, may_come: bool) -> bool:
        with self._lock:
            room = self._room(code)
            if room is None:
                return False
            if seat not in room.seats:
                if not may_come or len(room.seats) >= self.max_seats:
                    return False
                room.seats.add(seat)
                room.count += 1
            return True

    def is_seated(self, code: str, seat: str) -> bool:
        with self._lock:
            room = self._room(code)
            return room is not None and seat in room.seats

    def n_seats(self, code: str) -> int:
        with self._lock:
            room = self._room(code)
            return len(room.seats) if room else 0

    def answer(self, code: str, slot: str, seat: str, value: str) -> None:
        with self._lock:
            room = self._room(code)
            if room is not None and seat in room.seats:
                room.answers.setdefault(slot, {})[seat] = value
                room.count += 1
                room.last = self._clock()

    def answers(self, code: str, slot: str) -> Mapping[str, str]:
        with self._lock:
            room = self._room(code)
            return dict(room.answers.get(slot, {})) if room else {}

    def end(self, code: str, owner: str) -> bool:
        with self._lock:
            room = self._room(code)
            if room is None or room.entry.owner != owner:
                return False
            del self._rooms[code]
            self._ended[code] = owner
            if len(self._ended) > self.max_rooms:
                del self._ended[next(iter(self._ended))]
            return True

    def ended(self, code: str) -> str | None:
        with self._lock:
            return self._ended.get(code)

    def _room(self, code: str) -> _Room | None:
        room = self._rooms.get(code)
        return room if room and self._clock() - room.since < self._age else None

    def _forget_of(self, owner: str) -> None:
        for code in [code for code, room in self._rooms.items() if room.entry.owner == owner]:
            del self._rooms[code]

    def _forget_old(self) -> None:
        for code in [code for code in self._rooms if self._room(code) is None]:
            del self._rooms[code]
