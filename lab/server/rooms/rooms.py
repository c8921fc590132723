"""Rooms: a teacher opens one, steps through its questions and shows the model's answers; phones take seats and answer.

Whose room it is, and which seat is whose, is said by the key of a browser (lab/server/visitor.py), of which only a hash
is kept, another one in every room. What the projector gets are counts: never who answered what.
"""

import json
import secrets
from collections import Counter
from collections.abc import Callable, Mapping
from hashlib import sha256
from typing import Any, NamedTuple

from lab.server.rooms.gains import Pair
from lab.server.rooms.plan import AFTER, BEFORE, CHOSEN, FORMS, Plan, Step, histogram, unpacked
from lab.server.rooms.shelf import Entry, Shelf

LETTERS = "BCDFGHJKLMNPQRSTVWXZ"  # none that is taken for another, or for a digit; without vowels, no words
N_LETTERS = 4
_TEST = "The test {part} the lesson: answer on your phone, without talking. Half of you have another question."
N_BINS = 20  # of numbers
HAS_ONE = "This browser has a class of its own open. End that one first, then open the link again."
MOVES_NOTHING = (
    "This link moves no class: it was used or withdrawn, or the class is over. Ask for a new one where it is."
)
MOVED = "This class has moved: it goes on in another browser."
MAX_BEFORE = 8  # browsers that are told so: the last ones that had the class
FIRST, AGAIN = 0, 1  # rounds of a question


class NoRoomError(ValueError):
    """No further room can be opened now."""


class State(NamedTuple):
    """Where a room stands: at which step; per step which round it is in, and whether the model's answer is shown;
    whether students go through it by themselves, and whether newcomers may come; per step whether the answers of this
    round, of which there was one at least, have been counted before the class, which ends its voting; whether the class
    is at the end; a hash of the key that moves it to another browser; once it was moved, who opened it, by which its
    seats are known, and who had it before."""

    at: int
    rounds: tuple[int, ...]
    shown: tuple[bool, ...]
    free: bool = False
    open: bool = True
    counted: tuple[bool, ...] = ()
    done: bool = False
    moves: str = ""
    opened_by: str = ""
    before: tuple[str, ...] = ()

    @classmethod
    def read(cls, text: str) -> "State":
        """The state that a shelf holds: one from before votes were counted counts those that are shown."""
        at, rounds, shown, free, is_open, *later = json.loads(text)
        counted, *more = later or [shown]
        state = cls(at, tuple(rounds), tuple(shown), free, is_open, tuple(counted), *more)
        return state._replace(before=tuple(state.before))


class Room(NamedTuple):
    """A room as it is now; `kept`: its state as the shelf has it, which may be of an earlier version."""

    code: str
    owner: str
    plan: Plan
    state: State
    kept: str  # the state as the shelf has it

    def slot(self, at: int, of_round: int) -> str:
        return f"{at}.{of_round}"


class Rooms:
    """All rooms, on a shelf."""

    def __init__(self, shelf: Shelf):
        self.shelf = shelf

    def open(self, key: str, plan: Plan) -> str:
        """The code of a new room for the browser of this key; the one that it had is over.

        Raises PlanError for a plan that no room takes, NoRoomError when there are too many rooms.
        """
        n = len(plan.steps)
        state = State(0, (FIRST,) * n, (False,) * n, counted=(False,) * n)
        entry = Entry(_owner(key), plan.packed(), json.dumps(state))
        for _ in range(20):
            code = "".join(secrets.choice(LETTERS) for _ in range(N_LETTERS))
            if self.shelf.create(code, entry):
                return code
            if self.shelf.is_full():
                break
        raise NoRoomError("All rooms of this server are taken. Try again in a while.")

    def owned(self, key: str) -> Room | None:
        """The room of the browser of this key."""
        code = self.shelf.owned(_owner(key))
        return self.look(code) if code else None

    def look(self, code: str) -> Room | None:
        """The room of this code, if there is one."""
        entry = self.shelf.look(code)
        if entry is None:
            return None
        return Room(code, entry.owner, unpacked(entry.plan), State.read(entry.state), entry.state)

    # ---- the teacher -------------------------------------------------------------------------------------------------

    def is_of(self, room: Room, key: str) -> bool:
        """Whether the room is that of the browser of this key."""
        return secrets.compare_digest(room.owner, _owner(key))

    def has_let_go(self, room: Room, key: str) -> bool:
        """Whether the room was that of the browser of this key, and has moved to another one."""
        return not self.is_of(room, key) and _owner(key) in room.state.before

    def has_ended(self, code: str, key: str | None = None) -> bool:
        """Whether the room of this code was ended by its teacher, where that is still known; by the browser of this
        key, if one is given."""
        owner = self.shelf.ended(code)
        return owner is not None and (key is None or secrets.compare_digest(owner, _owner(key)))

    def turn(self, room: Room, wish: Mapping[str, Any]) -> State:
        """What the teacher wishes, done: at (a step), shown, free, open, done (yes or no), counted, again. Anything
        else is passed over. Whoever has seen how the class voted, or what the model says after a vote, votes no more:
        only a second vote opens the question again. Where the answer was shown before anybody had voted, by a slip,
        hiding it opens the vote again; not where a vote came in at the moment in which it was shown.

        Of two wishes at once neither is lost: the second is done to the room as the first has left it. Where the room
        has moved on to another browser since it was looked at, nothing is done.
        """
        return self._changed(room, lambda room: self._wished(room, wish)) or room.state

    def end(self, room: Room) -> bool:
        """End the room, if it still is that of the browser that it was when it was looked at."""
        return self.shelf.end(room.code, room.owner)

    def _changed(self, room: Room, change: Callable[[Room], State]) -> State | None:
        """Where the room stands after a change; None where it is over, or another browser's by now."""
        while (now := change(room)) != room.state:
            if self.shelf.step(room.code, room.owner, json.dumps(now), instead_of=room.kept):
                return now
            later = self.look(room.code)
            if later is None or later.owner != room.owner:
                return None
            room = later
        return now

    def _wished(self, room: Room, wish: Mapping[str, Any]) -> State:
        now = room.state
        at = wish.get("at")
        if type(at) is int:
            now = now._replace(at=min(max(at, 0), len(room.plan.steps) - 1), done=False)
        is_test = room.plan.steps[now.at].kind == "test"  # of which nothing is shown, and nobody talks about it
        if isinstance(shown := wish.get("shown"), bool) and not is_test:
            now = now._replace(shown=_with(now.shown, now.at, shown))
        # An answer that came in just as the model's was shown is found only when that is hidden again.
        is_seen = wish.get("counted") is True or now.shown[now.at] or room.state.shown[now.at]
        if is_seen and not is_test and self._answers(room, now.at, now.rounds[now.at]):
            now = now._replace(counted=_with(now.counted, now.at, True))
        if wish.get("again") is True and now.rounds[now.at] == FIRST and not now.shown[now.at] and not is_test:
            now = now._replace(rounds=_with(now.rounds, now.at, AGAIN), counted=_with(now.counted, now.at, False))
        if isinstance(free := wish.get("free"), bool):
            now = now._replace(free=free)
        if isinstance(is_open := wish.get("open"), bool):
            now = now._replace(open=is_open)
        if isinstance(is_done := wish.get("done"), bool) and now.at == len(room.plan.steps) - 1:
            now = now._replace(done=is_done)
        return now

    def projected(self, room: Room) -> dict[str, Any]:
        """What the projector shows: the question and how many have answered; once they are counted, what; once it is
        shown, the truth; and at the end of the class, what the class has answered in all."""
        at, step = room.state.at, room.plan.steps[room.state.at]
        kept = [self._answers(room, at, n) for n in range(room.state.rounds[at] + 1)]
        seen: dict[str, Any] = {
            "title": room.plan.title,
            "at": at,
            "of": len(room.plan.steps),
            "free": room.state.free,
            "open": room.state.open,
            "seats": self.shelf.n_seats(room.code),
            "answered": [len(answers) for answers in kept],
            "done": room.state.done,
            "step": _asked(step) | _now(room.state, at) | {"view": step.view},
        }
        if room.state.done:
            seen["outcome"] = self.outcome(room)
        if step.kind == "test":  # nobody is to learn from the test itself
            seen["step"] |= {"shown": False, "say": "", "ask": _TEST.format(part=step.part), "labels": (), "view": ""}
        elif seen["step"]["counted"]:
            seen["votes"] = [counted(step, answers) for answers in kept]
        if step.kind != "test" and room.state.shown[at]:
            seen["step"] |= {"truth": step.truth, "replies": step.replies}
        return seen

    # ---- another browser of the teacher's ---------------------------------------------------------------------------

    def movable(self, room: Room) -> str:
        """A new key that moves this room to the browser that brings it, once; any key before is void. Only its hash is
        kept. "" where the room has moved on to another browser since it was looked at, or is over."""
        key = secrets.token_urlsafe(32)  # 256 bits: nobody guesses it
        now = self._changed(room, lambda room: room.state._replace(moves=_moves(room.code, key)))
        return key if now else ""

    def immovable(self, room: Room) -> None:
        """The key that moves this room is void."""
        self._changed(room, lambda room: room.state._replace(moves=""))

    def is_moved_by(self, room: Room, moving: str) -> bool:
        """Whether this is the key that moves the room now."""
        return secrets.compare_digest(room.state.moves, _moves(room.code, moving))

    def move(self, code: str, moving: str, key: str) -> str:
        """Make the room of this code that of the browser of this key, if `moving` is what moves it; otherwise a
        sentence, the same whether there is such a room or not. Seats and answers stay."""
        owner = _owner(key)
        while (room := self.look(code)) and self.is_moved_by(room, moving):
            if room.owner != owner and self.shelf.owned(owner):
                return HAS_ONE
            before = (*(one for one in room.state.before if one != room.owner), room.owner)[-MAX_BEFORE:]
            now = room.state._replace(moves="", opened_by=room.state.opened_by or room.owner, before=before)
            if self.shelf.hand_over(code, owner, json.dumps(now), instead_of=room.kept):
                return ""
        return MOVES_NOTHING

    # ---- a phone -----------------------------------------------------------------------------------------------------

    def sit(self, room: Room, key: str) -> bool:
        """Whether the browser of this key has a seat: the one that it had, or a new one."""
        return self.shelf.sit(room.code, _seat(room, key), may_come=room.state.open)

    def is_seated(self, room: Room, key: str) -> bool:
        return self.shelf.is_seated(room.code, _seat(room, key))

    def answer(self, room: Room, key: str, at: object, of_round: object, value: object) -> str:
        """Keep an answer, in place of the one that this browser gave before; a sentence if it cannot be kept."""
        if type(at) is not int or not 0 <= at < len(room.plan.steps):
            return "This room has no such question."
        # What was known before the lesson is not to be changed after it.
        if at != room.state.at and (not room.state.free or room.plan.steps[at].kind == "test"):
            return "The class has gone on to another question."
        if room.state.shown[at]:
            return "The answer is shown already."
        if room.state.counted[at]:
            return "The answers of the class are counted already."
        if of_round != room.state.rounds[at]:
            return "The class votes again: look at the question once more."
        kept = room.plan.steps[at].checked(value)
        if kept is None:
            return "This is no answer to the question."
        self.shelf.answer(room.code, room.slot(at, room.state.rounds[at]), _seat(room, key), kept)
        return ""

    def handed(self, room: Room, key: str, wanted: int | None = None) -> dict[str, Any]:
        """What a phone shows: the question of the moment, or the wanted one while students go by themselves."""
        now, n = room.state, len(room.plan.steps)
        at = min(max(wanted, 0), n - 1) if wanted is not None and now.free else now.at
        step, seat = room.plan.steps[at], _seat(room, key)
        is_shown = now.shown[at] and step.kind != "test"
        if step.kind == "test":
            step = step.of_form(form_of(seat))
        mine = self.shelf.answers(room.code, room.slot(at, now.rounds[at])).get(seat)
        seen: dict[str, Any] = {
            "at": at,
            "of": n,
            "free": now.free,
            "done": now.done and not now.free,
            "step": _asked(step) | _now(now, at) | {"shown": is_shown},
            "mine": None if mine is None else step.read(mine),
        }
        if now.free:
            seen["step"]["view"] = step.view
        if is_shown:
            seen["step"] |= {"truth": step.truth, "replies": step.replies}
        return seen

    # ---- before and after --------------------------------------------------------------------------------------------

    def tested(self, room: Room) -> dict[str, list[Pair]]:
        """Per idea of the room's test, what each seat that has answered both of its questions knew before and after."""
        right: dict[str, dict[str, dict[str, bool]]] = {}  # by idea, part and seat
        for at, step in enumerate(room.plan.steps):
            if step.kind == "test":
                kept: dict[str, str] = {}
                for of_round in range(room.state.rounds[at] + 1):
                    kept |= self.shelf.answers(room.code, room.slot(at, of_round))
                right.setdefault(step.heading, {})[step.part] = {
                    seat: step.is_right(form_of(seat), answer) for seat, answer in kept.items()
                }
        return {idea: _pairs(parts.get(BEFORE, {}), parts.get(AFTER, {})) for idea, parts in right.items()}

    def outcome(self, room: Room) -> dict[str, Any]:
        """What a class sees at its end. ideas: of each idea of the test that somebody has answered twice, how many
        have, and how many were right before and after; asked: of each other question, how many said what is right, or
        what the model says most, of how many; given: how many answers these and all others but the test's have. Of two
        votes the last one counts that anybody took part in."""
        ideas = [
            [idea, len(pairs), sum(pair.before for pair in pairs), sum(pair.after for pair in pairs)]
            for idea, pairs in self.tested(room).items()
            if pairs
        ]
        asked, given = [], 0
        for at, step in enumerate(room.plan.steps):
            if step.kind == "test":
                continue
            votes = [self._answers(room, at, n).values() for n in range(room.state.rounds[at] + 1)]
            kept = next(filter(None, reversed(votes)), ())
            given += len(kept)
            if kept and step.truth and step.kind in (*CHOSEN, "map"):
                n_right = sum(step.says_most(step.read(value)) for value in kept)
                asked.append([step.heading, step.ask, n_right, len(kept)])
        return {"ideas": ideas, "asked": asked, "given": given}

    def _answers(self, room: Room, at: int, of_round: int) -> Mapping[str, str]:
        """What each seat has answered to a question in one of its rounds."""
        return self.shelf.answers(room.code, room.slot(at, of_round))


def _pairs(before: Mapping[str, bool], after: Mapping[str, bool]) -> list[Pair]:
    return [Pair(form_of(seat), before[seat], after[seat]) for seat in sorted(before.keys() & after.keys())]


def counted(step: Step, answers: Mapping[str, str]) -> list[Any]:
    """Answers without those who gave them: how many chose each label, how many numbers lie in each of N_BINS parts of
    the range, or the curves, in an order that has nothing to do with seats; of words, [number, how many], the most
    frequent first; of a map, [row, column, how many]."""
    values = [step.read(value) for value in answers.values()]
    if step.kind == "curve":
        return sorted(values)  # type: ignore[type-var]
    if step.kind == "map":
        cells = Counter(tuple(cell) for cell in values)  # type: ignore[arg-type]
        return [[*cell, n] for cell, n in sorted(cells.items())]
    if step.kind == "number":
        return histogram([float(value) for value in values], step.low, step.high, N_BINS)  # type: ignore[arg-type]
    counts = Counter(values)  # type: ignore[arg-type]
    if step.kind == "word":
        return [list(pair) for pair in sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))]
    return [counts[n] for n in range(len(step.labels))] if step.kind in CHOSEN else []


def _asked(step: Step) -> dict[str, Any]:
    """A question without its answer."""
    names = ("kind", "heading", "ask", "labels", "low", "high", "unit", "say")
    own = {"map": {"masked": step.is_masked}, "cells": {"asks": step.asks}}.get(step.kind, {})
    part = {"part": step.part} if step.part else {}
    return {name: getattr(step, name) for name in names} | own | part


def _now(state: State, at: int) -> dict[str, Any]:
    """Where a question stands: while the model's answer is shown, nobody votes, also where nobody has."""
    return {"round": state.rounds[at], "counted": state.counted[at] or state.shown[at], "shown": state.shown[at]}


def _with(values: tuple, at: int, value: Any) -> tuple:
    return (*values[:at], value, *values[at + 1 :])


def _owner(key: str) -> str:
    return sha256(f"owner {key}".encode()).hexdigest()[:32]


def _moves(code: str, key: str) -> str:
    return sha256(f"move {code} {key}".encode()).hexdigest()


def form_of(seat: str) -> int:
    """Which form of a test a seat gets before the lesson: by chance, and the same whenever it is asked."""
    return int(seat, 16) % FORMS


def _seat(room: Room, key: str) -> str:
    return sha256(f"seat {room.code} {room.state.opened_by or room.owner} {key}".encode()).hexdigest()[:16]
