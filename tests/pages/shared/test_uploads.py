"""Files that are handed over slice by slice: in order, within bounds, and only by who has the ticket."""

import asyncio
import gc
import json
import random
import tempfile
import threading
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pages.shared import uploads
from pages.shared.uploads import FIRST, SLICE, Arriving, Plan, TakeSlices, Upload, Uploads, Watch
from transformer.checks import InputError

MB = 10**6
WHOLE = random.Random(3).randbytes(1000)


def all_of_it(arriving: Arriving) -> Iterator[tuple[int, int]]:
    yield 0, arriving.file.size


def begun(plan: Plan = all_of_it, size: int = 1000, **more: Any) -> tuple[Uploads, Upload, dict[str, Any]]:
    made = Uploads(**more)
    upload = made.add(plan)
    return made, upload, made.begin(upload.ticket, "mine", size)


def test_what_is_asked_for_is_here_in_the_order_of_the_plan(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []

    def some_of_it(arriving: Arriving) -> Iterator[tuple[int, int]]:
        for start, stop in ((990, 1000), (100, 300), (250, 260)):
            yield start, stop
            arriving.file.seek(start)
            seen.append(arriving.file.read(stop - start) == WHOLE[start:stop])
        yield 0, 120

    monkeypatch.setattr(uploads, "SLICE", 64)
    made, upload, answer = begun(some_of_it)
    asked = []
    while "ask" in answer:
        start, stop = answer["ask"]
        asked.append((start, stop))
        answer = made.take(upload.ticket, start, WHOLE[start:stop])
    assert answer == {"done": True}
    assert upload.is_here
    assert seen == [True] * 3
    assert max(stop - start for start, stop in asked) == 64
    assert sum(stop - start for start, stop in asked) == 310  # nothing twice


def test_only_the_slice_that_was_asked_for_is_taken() -> None:
    made, upload, answer = begun()
    assert upload.arriving
    for at, n in ((1, 999), (0, 999), (0, 1001), (500, 500), (10**15, 3), (0, 0)):
        assert made.take(upload.ticket, at, bytes(n)) == answer
        assert upload.arriving.file.n_kept == 0
    assert made.take(upload.ticket, 0, WHOLE) == {"done": True}
    assert made.take(upload.ticket, 0, WHOLE) == {"done": True}  # once more, because the answer was lost
    assert made.take("x" * 43, 0, WHOLE) == {"gone": True}


def test_a_refusal_is_a_sentence_and_frees_the_disk() -> None:
    def refusing(_: Arriving) -> Iterator[tuple[int, int]]:
        yield 0, 10
        raise InputError("this is nothing for us")

    made, upload, _ = begun(refusing)
    assert upload.arriving
    file = upload.arriving.file
    assert made.take(upload.ticket, 0, bytes(10)) == {"refused": "this is nothing for us."}
    assert file.closed
    assert made.n_bytes == 0


def test_a_fault_of_ours_is_not_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def faulty(_: Arriving) -> Iterator[tuple[int, int]]:
        yield 0, 10
        raise KeyError("secret")

    logged = []
    monkeypatch.setattr(uploads._log, "exception", logged.append)
    made, upload, _ = begun(faulty)
    assert "secret" not in made.take(upload.ticket, 0, bytes(10))["refused"]
    assert len(logged) == 1


def test_the_disk_is_bounded_for_one_and_for_all() -> None:
    def large(arriving: Arriving) -> Iterator[tuple[int, int]]:
        arriving.reserve(arriving.file.size)
        yield 0, 10

    made, upload, answer = begun(large, 150 * MB, max_bytes=220 * MB)
    assert "ask" in answer
    assert made.n_bytes == 150 * MB
    other = made.add(large)
    assert "Other visitors' files fill" in made.begin(other.ticket, "", 100 * MB)["refused"]
    assert "220 MB is the most" in made.begin(other.ticket, "", 300 * MB)["refused"]
    assert made.stop(upload.ticket) == {"gone": True}
    assert "ask" in made.begin(other.ticket, "", 180 * MB)


def test_no_more_is_kept_than_was_set_aside(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uploads, "FIRST", 500)
    made, upload, _ = begun()
    assert "Too much" in made.take(upload.ticket, 0, WHOLE)["refused"]
    assert upload.arriving is None


def test_so_many_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uploads, "MAX_AT_ONCE", 2)
    made, *held = begun()
    others = [made.add(all_of_it) for _ in range(2)]
    assert "ask" in made.begin(others[0].ticket, "", 10)
    assert "Many files" in made.begin(others[1].ticket, "", 10)["refused"]
    assert "ask" in made.begin(others[0].ticket, "", 20), "in place of one's own"
    assert held


def test_what_nobody_goes_on_with_is_forgotten() -> None:
    now = [0.0]
    made, upload, _ = begun(patience=100.0, clock=lambda: now[0])
    now[0] = 90.0
    made.take(upload.ticket, 5, b"")
    now[0] = 180.0
    assert made.sweep()
    assert upload.arriving
    now[0] = 300.0
    with upload.lock:  # it is being read
        assert made.sweep()
    assert upload.arriving
    assert not made.sweep()
    assert upload.arriving is None
    assert made.take(upload.ticket, 0, WHOLE) == {"gone": True}


def test_a_watch_looks_until_nothing_is_left() -> None:
    left, over = [3], threading.Event()

    def look() -> bool:
        left[0] -= 1
        if not left[0]:
            over.set()
        return bool(left[0])

    watch = Watch(0.001, look)
    watch.begin()
    watch.begin()  # no second one
    assert over.wait(60)
    assert left == [0]


def test_it_ends_with_the_session_that_holds_it() -> None:
    gc.disable()
    try:
        made, upload, _ = begun()
        ticket = upload.ticket
        assert made.n_bytes == FIRST
        del upload
        assert made.n_bytes == 0
        assert not made.knows(ticket)
    finally:
        gc.enable()


def test_memory_does_not_grow_with_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uploads, "SLICE", 2**18)
    made, upload, answer = begun(size=20 * MB)
    tracemalloc.start()
    while "ask" in answer:
        start, stop = answer["ask"]
        answer = made.take(upload.ticket, start, bytes(stop - start))
    assert tracemalloc.get_traced_memory()[1] < 2**20
    tracemalloc.stop()
    assert answer == {"done": True}


def test_the_file_on_disk_has_no_name(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    made, upload, _ = begun()
    made.take(upload.ticket, 0, WHOLE)
    assert upload.is_here
    assert list(tmp_path.iterdir()) == []


# ---- requests ------------------------------------------------------------------------------------------------------


def asked(method: str, ticket: str, body: bytes | list[bytes] = b"", query: bytes = b"") -> tuple[int, dict[str, Any]]:
    """What the server answers to a request: its status, and JSON."""
    left, sent = list(body) if isinstance(body, list) else [body], []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": left.pop(0), "more_body": bool(left)}

    async def send(message: Any) -> None:
        sent.append(message)

    headers = [(b"x-lab-ticket", ticket.encode())]
    scope = {"type": "http", "path": "/below/_lab/upload", "method": method, "query_string": query, "headers": headers}
    asyncio.run(TakeSlices(None)(scope, receive, send))  # pyrefly: ignore[bad-argument-type]
    return sent[0]["status"], json.loads(sent[1]["body"])


def test_requests_of_a_browser() -> None:
    upload = uploads.UPLOADS.add(all_of_it)
    begin = json.dumps({"name": "a", "size": 1000}).encode()
    status, answer = asked("POST", upload.ticket, begin)
    assert (status, answer["ask"], answer["here"]) == (200, [0, 1000], 0)
    assert asked("PUT", upload.ticket, [WHOLE[:300], WHOLE[300:]], b"at=0") == (200, {"done": True})
    assert upload.arriving
    upload.arriving.file.seek(0)
    assert upload.arriving.file.read(1000) == WHOLE
    assert asked("DELETE", upload.ticket) == (200, {"gone": True})
    assert upload.arriving is None


def test_without_a_ticket_nothing_is_even_read() -> None:
    assert asked("PUT", "x" * 43, []) == (404, {"gone": True})  # there is nothing to receive


@pytest.mark.parametrize(
    ("method", "body", "query"),
    [
        ("POST", b"{", b""),
        ("POST", b"[]", b""),
        ("POST", b'{"name": 3, "size": 3}', b""),
        ("POST", b'{"name": "a", "size": -1}', b""),
        ("POST", b'{"name": "a", "size": 1.5}', b""),
        ("POST", b'{"name": "a", "size": true}', b""),
        ("POST", b"[" * 4000, b""),
        ("POST", b" " * 5000, b""),
        ("PUT", b"x", b""),
        ("PUT", b"x", b"at=-1"),
        ("PUT", b"x", b"at=x"),
        ("PUT", b"x", b"at=" + b"9" * 30),
        ("PUT", b"x" * (SLICE + 1), b"at=0"),
        ("GET", b"", b""),
    ],
)
def test_what_no_browser_of_ours_sends(method: str, body: bytes, query: bytes) -> None:
    upload = uploads.UPLOADS.add(all_of_it)
    assert asked(method, upload.ticket, body, query) == (400, {"gone": True})
