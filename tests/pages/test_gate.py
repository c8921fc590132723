"""Pages at the gate: a visit that has to wait shows the same page, and what cannot be done is said in its place."""

import threading
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from lab.server import caching, gate, memory
from lab.server.gate import Gate
from tests.pages.driver import checked, choose, notices, payloads, visit, words
from tests.waiting import SOON

LARGE = {"d_model": 128, "heads": 16, "layers": 12, "text": " ".join(f"w{i}" for i in range(200))}


@pytest.fixture(autouse=True)
def empty_gate(monkeypatch: pytest.MonkeyPatch) -> None:
    caching.clear()
    monkeypatch.setattr(gate, "GATE", Gate(1, lambda: 10**9))


def shape(at: AppTest) -> list[tuple[int, str]]:
    """The indexes and kinds of what stands in the main part of the page."""
    return [(index, child.type) for index, child in checked(at).main.children.items()]


def test_a_visit_that_had_to_wait_shows_the_same_page() -> None:
    held = gate.GATE.enter("somebody else", 0, lambda n: True)
    assert held is not None
    visits: list[AppTest] = []
    thread = threading.Thread(target=lambda: visits.append(visit("heads", **LARGE)))
    thread.start()
    while not gate.GATE.n_waiting and thread.is_alive():
        threading.Event().wait(0.01)
    assert gate.GATE.n_waiting == 1, "this work is large"
    gate.GATE.leave(held)
    thread.join(SOON)
    (waited,) = visits
    assert notices(waited) == ""
    at_once = visit("heads", **LARGE)
    assert shape(waited) == shape(at_once)
    assert payloads(waited) == payloads(at_once)
    assert (gate.GATE.running, gate.GATE.n_waiting) == ((), 0)


@pytest.mark.parametrize(("url", "link"), [("heads", {}), ("blocks", {"blocks_part": "Is it linear?"})])
def test_what_cannot_be_done_is_said_and_nothing_else_is_lost(
    monkeypatch: pytest.MonkeyPatch, url: str, link: dict[str, Any]
) -> None:
    monkeypatch.setattr(memory, "total", lambda: 40_000_000)
    at = visit(url, **LARGE, **link)
    assert "more than this server can give. A shorter text, fewer heads or fewer layers need less." in notices(at)
    assert len(words(at)) > 100
    monkeypatch.setattr(memory, "total", lambda: 10**10)
    at = choose(at, heads=2)
    assert "more than this server" not in notices(at)
