"""The numbers beside Streamlit's: each is what is so, and the dashboard asks for none that there is not."""

import json
import re
from pathlib import Path

import pytest

from lab.server import gate, incoming, log, memory, metrics, trainings
from lab.server.gate import Gate
from lab.server.trainings import Queue

ROOT = Path(__file__).parents[3]
OF_STREAMLIT = {"active_sessions", "session_events_total"}


@pytest.fixture(autouse=True)
def files(monkeypatch: pytest.MonkeyPatch) -> dict[str, dict[str, int]]:
    """What visitors have brought to this server: session -> id of a file -> bytes."""
    held: dict[str, dict[str, int]] = {}
    monkeypatch.setattr(incoming, "FILES", incoming.Files(lambda: held, lambda *_: None))
    return held


def told() -> dict[tuple[str, ...], int]:
    return {(one.name.removeprefix("attention_lab_"), *one.labels.values()): one.value for one in metrics.measures()}


def test_every_family_is_told_and_named_as_prometheus_wants_it(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(trainings, "present", lambda: Queue(3))
    found = list(metrics.measures())
    assert {one.name for one in found} == {f"attention_lab_{name}" for name in metrics.FAMILIES}
    for one in found:
        assert re.fullmatch(r"[a-z_]+", one.name)
        assert one.unit == ("bytes" if one.name.endswith("_bytes") else "")
        assert isinstance(one.value, int)
    assert told()["training_places",] == 3
    assert told()["trainings", "waiting"] == 0


def test_the_numbers_are_those_of_the_server(monkeypatch: pytest.MonkeyPatch, files):
    one = Gate(1, lambda: 10**9)
    monkeypatch.setattr(gate, "GATE", one)
    sockets = incoming.Sockets(lambda: 120)
    monkeypatch.setattr(incoming, "SOCKETS", sockets)
    before = told()
    turn = one.enter("somebody", 10, lambda _: True)
    socket = sockets.arrive("somebody")
    log.tell("refused", what="time")
    files["a session"] = {"one": 5, "two": 6}
    now = told()
    assert (before["gate_running",], now["gate_running",]) == (0, 1)
    assert (before["websockets",], now["websockets",]) == (0, 1)
    assert now["events", "refused", "time"] == before["events", "refused", "time"] + 1
    assert (before["uploads_bytes",], now["uploads_bytes",]) == (0, 11)
    assert turn is not None
    assert socket is not None
    one.leave(turn)
    sockets.leave(socket)
    assert told()["gate_running",] == told()["websockets",] == 0


def test_where_nothing_was_trained_nothing_is_begun(monkeypatch: pytest.MonkeyPatch):
    trainings.queue.cache_clear()
    assert not [key for key in told() if key[0].startswith("training")]
    assert trainings.queue.cache_info().currsize == 0


def test_memory_is_in_bytes():
    assert told()["memory_limit_bytes",] == memory.total()


def test_the_dashboard_asks_for_what_there_is():
    board = json.loads((ROOT / "deploy/grafana.json").read_text())
    asked = {name for panel in board["panels"] for target in panel["targets"] for name in _names(target["expr"])}
    there = {f"attention_lab_{name}{'_total' if grows else ''}" for name, (grows, _) in metrics.FAMILIES.items()}
    assert asked - there <= OF_STREAMLIT
    assert there - asked == set(), "the dashboard shows every number of ours"


def _names(expression: str) -> set[str]:
    """The metrics that an expression of PromQL asks for."""
    return set(re.findall(r"\b(?:attention_lab_\w+|active_sessions|session_events_total)\b", expression))
