"""Large computations take turns, so that no visitor can use up the server's memory or its processors.

    with turn(work, until) as is_ours: ...

What a computation takes is known before it begins: a Workload of transformer.core.workload. Small work passes at
once. Large work waits in one line: as many run at a time as there are processors, fewer if memory is short, and
whoever has had fewer turns goes first. Who waits sees their place in line, and leaves it with the next click: Streamlit
then ends the run of their page. In the same way a computation that is under way ends between two layers.

Nobody who holds a turn ever waits for a turn: what is called inside of large work passes.
"""

import os
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from contextvars import ContextVar
from dataclasses import dataclass
from itertools import count
from typing import Any

from lab.hooks.runtime import is_visit, stay
from lab.server import log, memory, visitor
from transformer.core.checks import InputError
from transformer.core.interruption import interruptible
from transformer.core.workload import Workload

SMALL_BYTES, SMALL_SECONDS = 32_000_000, 0.15
MAX_SECONDS = 120.0  # of one computation
MAX_SHARE = 0.5  # of all the server's memory, for one computation
WAKE = 0.25  # seconds between two looks at whether a visitor still waits


class TooMuch(InputError):
    """Work that this server cannot do; the message says which setting to lower."""


@dataclass(eq=False)
class Turn:
    """One piece of work, in line or under way. is_alone: nothing else may run meanwhile."""

    visitor: str
    n_bytes: int
    is_alone: bool
    number: int  # of arrival


class Gate:
    """A line of visitors and the work under way; knows nothing of pages.

    n_places   how much may run at a time
    available  bytes of memory that can still be taken now
    """

    def __init__(self, n_places: int, available: Callable[[], int]):
        self.n_places, self.available = n_places, available
        self._changed = threading.Condition()
        self._line: list[Turn] = []
        self._running: list[Turn] = []
        self._last: dict[str, int] = {}  # the number of each visitor's last turn, while anybody waits or runs
        self._numbers = count(1)

    def enter(self, visitor: str, n_bytes: int, wait: Callable[[int], bool], *, is_alone: bool = False) -> Turn | None:
        """The turn of this visitor, once it has come; it ends with `leave`.

        While there are others before it, `wait(n)` is called several times a second with their number. It may raise, or
        return False: then the visitor leaves the line, and there is no turn.
        """
        with self._changed:
            turn = Turn(visitor, n_bytes, is_alone, next(self._numbers))
            self._line.append(turn)
        try:
            while not self._begins(turn):
                if not wait(self._ahead(turn)):
                    return None
                with self._changed:
                    if not self._may_begin(turn):
                        self._changed.wait(WAKE)
        finally:
            with self._changed:
                if turn in self._line:
                    self._line.remove(turn)
                    self._settle()
        return turn

    def leave(self, turn: Turn) -> None:
        """End a turn."""
        with self._changed:
            self._running.remove(turn)
            self._settle()

    @property
    def running(self) -> tuple[Turn, ...]:
        """The work under way."""
        with self._changed:
            return tuple(self._running)

    @property
    def n_waiting(self) -> int:
        with self._changed:
            return len(self._line)

    def _begins(self, turn: Turn) -> bool:
        with self._changed:
            if not self._may_begin(turn):
                return False
            self._line.remove(turn)
            self._running.append(turn)
            self._last[turn.visitor] = next(self._numbers)
            self._changed.notify_all()
            return True

    def _may_begin(self, turn: Turn) -> bool:
        """Whether this turn is the next, and there is room for it. Nobody overtakes large work that waits for room."""
        if turn is not self._in_order()[0]:
            return False
        if not self._running:
            return True
        if turn.is_alone or len(self._running) >= self.n_places or any(other.is_alone for other in self._running):
            return False
        # What runs may not have taken all of its memory yet, so it counts in full.
        return turn.n_bytes + sum(other.n_bytes for other in self._running) <= self.available()

    def _in_order(self) -> list[Turn]:
        running = Counter(turn.visitor for turn in self._running)
        return sorted(
            self._line, key=lambda turn: (running[turn.visitor], self._last.get(turn.visitor, 0), turn.number)
        )

    def _ahead(self, turn: Turn) -> int:
        with self._changed:
            return len(self._running) + self._in_order().index(turn)

    def _settle(self) -> None:
        if not self._line and not self._running:
            self._last.clear()
        self._changed.notify_all()


def _n_processors() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


GATE = Gate(_n_processors(), memory.available)
_said = count()
_place: ContextVar[Any] = ContextVar("place", default=None)  # on the page, where a place in line is shown
_is_inside: ContextVar[bool] = ContextVar("is_inside", default=False)


def show_line_in(place: Any) -> None:
    """Show this visitor's place in line in this st.empty(), which stands at the same place on the page in every run."""
    _place.set(place)


def _never() -> bool:
    return False


@contextmanager
def turn(work: Workload | None, until: Callable[[], bool] = _never) -> Iterator[bool]:
    """Wait for a turn, and hold it in the block: True in there. False if `until()` came true in line: no turn then.

    Small work, and work inside of other work, waits for nothing. Raises TooMuch for what can never be done, and what
    Streamlit raises to end this run of the page.
    """
    if work is None or _is_inside.get() or _is_small(work):
        yield True
        return
    _refuse(work, memory.total())
    with _held(work, until) as is_ours:
        yield is_ours


@contextmanager
def inside() -> Iterator[None]:
    """Work inside the block passes: others may wait for what is computed here, so it must not wait in line."""
    token = _is_inside.set(True)
    try:
        yield
    finally:
        _is_inside.reset(token)


@contextmanager
def refusals_to(notify: Callable[[str], None]) -> Iterator[None]:
    """A block that can ask for what cannot be done: it ends there, and the visitor is told why, in a sentence."""
    try:
        yield
    except InputError as refusal:
        notify(f"{str(refusal).rstrip('.')}.")


def _who() -> str:
    return visitor.key() if is_visit() else ""


def _is_small(work: Workload) -> bool:
    return work.n_bytes <= SMALL_BYTES and work.seconds <= SMALL_SECONDS and not work.is_timed


def _refuse(work: Workload, total: int) -> None:
    if work.n_bytes > MAX_SHARE * total:
        log.tell("refused", what="memory", megabytes=round(work.n_bytes / 1e6))
        raise TooMuch(
            f"This would take {work.n_bytes / 1e9:.1f} GB of memory, more than this server can give. {work.advice}"
        )
    if work.seconds > MAX_SECONDS:
        log.tell("refused", what="time", seconds=round(work.seconds))
        raise TooMuch(f"This would keep the server busy for about {work.seconds / 60:.0f} minutes. {work.advice}")


@contextmanager
def _held(work: Workload, until: Callable[[], bool]) -> Iterator[bool]:
    line = _Line(_place.get())

    def wait(n_ahead: int) -> bool:
        stay()
        line.say(n_ahead)
        return not until()

    ours = GATE.enter(_who(), work.n_bytes, wait, is_alone=work.is_timed)
    try:
        line.clear()  # whatever is written can end the run, so the turn is in our hands by now
        if ours is None:
            yield False
            return
        with inside(), nullcontext() if work.is_timed else interruptible(stay):  # to look takes time as well
            yield True
    finally:
        if ours is not None:
            if work.n_bytes > SMALL_BYTES:
                memory.give_back()
            GATE.leave(ours)


class _Line:
    """What a visitor reads in line."""

    def __init__(self, place: Any):
        self._place = place
        self._said = ""

    def say(self, n_ahead: int) -> None:
        if n_ahead == 1:
            sentence = "One computation is ahead of yours."
        else:
            sentence = f"{n_ahead} computations are ahead of yours."
        if self._place is not None and sentence != self._said:
            self._said = sentence
            # Streamlit takes a key once per run, even in the same place.
            self._place.container(key=f"notice-line-{next(_said)}").text(f"The server is busy. {sentence}")

    def clear(self) -> None:
        if self._said:
            self._place.empty()
