"""What an operator reads: which lines there are, and that nothing of a visitor's can be in one."""

import io
import json
import re
import sys

import pytest

from lab.server import log
from lab.server.log import EVENTS, MOST, Log

SECRET = "what somebody typed"


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def lines(form: str, *told: dict) -> list[str]:
    written: list[str] = []
    one = Log(form, written.append)
    for fields in told:
        one.tell(**fields)
    return written


def test_a_line_has_a_time_an_event_and_what_belongs_to_it():
    (line,) = lines("text", {"event": "refused", "what": "memory", "megabytes": 812})
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ attention-lab refused what=memory megabytes=812", line)
    (line,) = lines("text", {"event": "setting", "note": "A sentence."})
    assert line.endswith(' setting note="A sentence."')
    assert lines("off", {"event": "start"}) == []


def test_as_json_each_line_is_one_object():
    (line,) = lines("json", {"event": "training", "what": "done", "step": 50})
    told = json.loads(line)
    assert told.pop("time").endswith("Z")
    assert told == {"program": "attention-lab", "event": "training", "what": "done", "step": 50}


@pytest.mark.parametrize(
    "told", [{"event": SECRET}, {"event": "refused", "what": SECRET}, {"event": "start", "what": "file"}]
)
def test_no_other_words_than_ours_are_taken(told: dict):
    with pytest.raises(ValueError, match="is no event"):
        lines("text", told)


def test_of_an_error_only_its_kind_and_our_place_are_told(monkeypatch: pytest.MonkeyPatch):
    written: list[str] = []
    monkeypatch.setattr(log, "tell", Log("text", written.append).tell)
    try:
        json.loads(SECRET)
    except ValueError as error:
        log.fault("page", error)
    assert re.search(r" fault what=page at=JSONDecodeError@tests/lab/server/test_log\.py:\d+$", written[0])
    log.fault("page", KeyError(SECRET))
    assert written[1].endswith("at=KeyError@elsewhere")


def test_a_thousand_of_a_kind_are_counted_and_few_are_written():
    written: list[str] = []
    clock = Clock()
    one = Log("text", written.append, clock)
    for _ in range(1000):
        one.tell("refused", what="websocket")
    one.tell("refused", what="file")
    assert len(written) == MOST + 1
    clock.now = 61.0
    one.tell("refused", what="websocket")
    assert written[-1].endswith(f"what=websocket left_out={1000 - MOST}")
    assert one.counts()["refused", "websocket"] == 1001


def test_what_has_not_happened_is_counted_as_well():
    """A graph of what begins with its first event would miss that one."""
    counts = Log("off", print).counts()
    assert set(counts.values()) == {0}
    assert {event for event, _ in counts} == set(EVENTS)


def test_where_nobody_listens_nothing_breaks(monkeypatch: pytest.MonkeyPatch):
    closed = io.StringIO()
    closed.close()
    monkeypatch.setattr(sys, "stderr", closed)
    log._on_standard_error("a line")
