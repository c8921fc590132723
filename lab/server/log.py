"""What an operator reads: one line per start, refusal, training and fault; and how many there were of each.

    tell("refused", what="memory")          2026-11-23T20:14:07Z attention-lab refused what=memory

A line holds names of this program, numbers and times: never what anybody typed, no key of a visitor's, no address. So
every word that may stand in one is listed in EVENTS, but for the place of a fault, which is one of our own files.
"""

import json
import sys
import threading
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic
from types import TracebackType

from lab.server.environment import LOG

# An event, and the words that say more about it; its numbers have any name.
EVENTS: Mapping[str, tuple[str, ...]] = {
    "start": (),
    "stop": (),
    "setting": (),
    "refused": ("memory", "time", "file", "websocket", "message", "training"),
    "training": ("begun", "paused", "done", "stopped", "failed", "moved"),
    "fault": ("page", "training"),
}
MOST = 20  # lines of one kind per minute: who sends a thousand bad requests fills no disk
ROOT = Path(__file__).parents[2]


class Log:
    """Lines as they are asked for, on standard error, and counts of all that happened.

    form   "text", "json" or "off"
    write  takes a line
    clock  seconds
    """

    def __init__(self, form: str, write: Callable[[str], None], clock: Callable[[], float] = monotonic):
        self._form, self._write, self._clock = form, write, clock
        self._lock = threading.Lock()
        self._counts: Counter[tuple[str, str]] = Counter()
        self._since: dict[tuple[str, str], float] = {}  # when the present minute of a kind began
        self._lines: Counter[tuple[str, str]] = Counter()  # in that minute
        self._left_out: Counter[tuple[str, str]] = Counter()  # since the last line of a kind

    def tell(self, event: str, what: str = "", at: str = "", note: str = "", **numbers: float) -> None:
        """Something happened.

        what  one of the words of the event; at: a place in our code; note: a sentence of ours about a setting
        """
        if event not in EVENTS or (what and what not in EVENTS[event]):
            raise ValueError(f"{event} {what} is no event")
        kind = event, what
        with self._lock:
            self._counts[kind] += 1
            if self._form == "off" or not self._may_say(kind):
                return
            if left_out := self._left_out.pop(kind, 0):
                numbers["left_out"] = left_out
        words = {"what": what, "at": at, "note": note}
        self._write(self._line(event, {name: word for name, word in words.items() if word} | numbers))

    def counts(self) -> dict[tuple[str, str], int]:
        """How often what happened, by the event and its word; 0 for what has not happened yet."""
        kinds = [(event, what) for event, words in EVENTS.items() for what in words or ("",)]
        with self._lock:
            return {kind: self._counts[kind] for kind in kinds}

    def _may_say(self, kind: tuple[str, str]) -> bool:
        now = self._clock()
        if now - self._since.get(kind, now - 61) > 60:
            self._since[kind], self._lines[kind] = now, 0
        self._lines[kind] += 1
        self._left_out[kind] += self._lines[kind] > MOST
        return self._lines[kind] <= MOST

    def _line(self, event: str, fields: Mapping[str, str | float]) -> str:
        time = f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}"
        if self._form == "json":
            return json.dumps({"time": time, "program": "attention-lab", "event": event, **fields})
        return " ".join([time, "attention-lab", event, *(f"{name}={_plain(value)}" for name, value in fields.items())])


def _plain(value: str | float) -> str:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) and " " in value else f"{value}"


def place(traceback: TracebackType | None) -> str:
    """Where in our own files an error came from, or went through last: lab/server/gate.py:120; "" for nowhere."""
    found = ""
    while traceback is not None:
        file = Path(traceback.tb_frame.f_code.co_filename)
        if file.is_relative_to(ROOT) and "site-packages" not in file.parts:
            found = f"{file.relative_to(ROOT).as_posix()}:{traceback.tb_lineno}"
        traceback = traceback.tb_next
    return found


def fault(what: str, error: BaseException) -> None:
    """An error that nobody foresaw: its kind and its place. Its text may quote a visitor."""
    tell("fault", what=what, at=f"{type(error).__name__}@{place(error.__traceback__) or 'elsewhere'}")


def _on_standard_error(line: str) -> None:
    with suppress(OSError, ValueError):  # it was closed, or its disk is full: nobody's page depends on that
        print(line, file=sys.stderr, flush=True)


_LOG = Log(LOG.read(), _on_standard_error)
tell, counts = _LOG.tell, _LOG.counts
