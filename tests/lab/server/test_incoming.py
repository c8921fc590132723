"""What browsers send is bounded: files, messages, requests that do not end, and sessions whose visitor has left."""

import asyncio
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from streamlit.runtime.caching.ttl_cache import TTLCache
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.testing.v1 import AppTest

from lab.hooks import runtime
from lab.server import incoming
from lab.server.incoming import FRAME, MB, UNCLAIMED, BoundFiles, BoundMessages, Files, Sockets, without_strangers
from lab.server.visitor import COOKIE
from tests.pages import driver


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


# ---- files ---------------------------------------------------------------------------------------------------------


class Store:
    """What Streamlit keeps, and the rules of who may add to it."""

    def __init__(self, **bounds: Any) -> None:
        self.files: dict[str, dict[str, int]] = {}
        self.clock = Clock()
        self.rules = Files(lambda: self.files, self._remove, clock=self.clock, **bounds)

    def _remove(self, session: str, file: str) -> None:
        del self.files[session][file]

    def bring(self, session: str, file: str, n_bytes: int) -> int:
        """Bring a file -> the status of its refusal, or 0."""
        status = self.rules.admit(session, n_bytes)
        if not status:
            self.files.setdefault(session, {})[file] = n_bytes
            self.rules.done(session)
        return status

    def show(self, session: str, file: str | None = None, *, visitor: str = "", key: str = "key", most: int = 10 * MB):
        self.rules.show(session, visitor or session, key, most, file)


def test_a_file_comes_only_where_a_page_asks_for_one_as_large():
    store = Store()
    assert store.bring("a", "1", 10) == 403
    store.show("a")
    assert store.bring("a", "1", 10 * MB + FRAME) == 0
    assert store.bring("a", "2", 10 * MB + FRAME + 1) == 413
    assert store.bring("b", "3", 10) == 403


def test_a_page_that_is_left_takes_no_more():
    store = Store()
    store.show("a")
    store.rules.end_run("a")
    assert store.bring("a", "1", 10) == 0, "it is still on screen"
    store.rules.end_run("a")
    assert store.bring("a", "2", 10) == 403
    store.show("a", key="first")
    store.rules.end_run("a")
    store.show("a", key="other", most=20 * MB)
    store.rules.end_run("a")
    assert store.bring("a", "3", 15 * MB) == 0


def test_of_files_that_nobody_takes_up_there_is_one():
    store = Store()
    store.show("a", "mine")
    store.files["a"] = {"mine": 5 * MB}
    for n in range(8):
        assert store.bring("a", str(n), 10 * MB) == 0
    assert store.files["a"] == {"mine": 5 * MB, "7": 10 * MB}
    store.clock.now += UNCLAIMED
    store.rules.sweep(["a"])
    assert len(store.files["a"]) == 2
    store.clock.now += 1
    store.rules.sweep(["a"])
    assert store.files["a"] == {"mine": 5 * MB}


def test_one_file_at_a_time():
    store = Store()
    store.show("a")
    assert store.rules.admit("a", MB) == 0
    assert store.rules.admit("a", MB) == 429
    store.rules.done("a")
    assert store.rules.admit("a", MB) == 0


def test_what_all_sessions_of_a_visitor_hold_is_bounded_and_what_all_visitors_do():
    store = Store(max_of_one=25 * MB, max_of_all=40 * MB)
    for session, visitor in ("a1", "A"), ("a2", "A"), ("a3", "A"), ("b1", "B"), ("b2", "B"):
        store.show(session, "f", visitor=visitor)
    assert [store.bring(session, "f", 10 * MB) for session in ("a1", "a2", "a3")] == [0, 0, 429]
    assert store.rules.admit("b1", 10 * MB) == 0, "what is on its way counts as well"
    assert store.rules.admit("b2", 11 * MB) == 413
    assert store.rules.admit("b2", 10 * MB) == 0
    store.show("c", visitor="C")
    assert store.rules.admit("c", 1) == 503
    store.rules.done("b2")
    assert store.rules.admit("c", 1) == 0


def test_sessions_that_are_over_are_forgotten():
    store = Store()
    for session in "ab":
        store.show(session)
        assert store.bring(session, "f", 10) == 0
    store.rules.sweep("b")
    assert store.rules._doors.keys() == store.rules._visitors.keys() == store.rules._last.keys() == {"b"}


async def _never(scope: Any, receive: Any, send: Any) -> None:
    await asyncio.Event().wait()


def _asked(
    app: Any, files: Files, method: str = "PUT", length: bytes = b"10", path: str = "/x/_stcore/upload_file/s/f"
) -> int:
    """The status of the answer to a request."""
    sent: list[Any] = []
    headers = [(b"content-length", length)] if length else []
    scope = {"type": "http", "method": method, "path": path, "headers": headers}

    async def send(message: Any) -> None:
        sent.append(message)

    asyncio.run(BoundFiles(app, files, patience=0.0)(scope, None, send))  # pyrefly: ignore[bad-argument-type]
    return sent[0]["status"]


def test_a_request_that_does_not_end_is_ended_and_its_room_given_back():
    store = Store()
    store.show("s")
    assert _asked(_never, store.rules) == 408
    assert store.rules.admit("s", 10) == 0


def test_without_a_length_nothing_is_read():
    store = Store()
    store.show("s")
    for length in (b"", b"-1", b"1e3", b"9" * 30):
        assert _asked(_never, store.rules, length=length) == 411
    assert _asked(_never, store.rules, length=b"999999999") == 413
    assert _asked(_never, Store().rules) == 403


def test_other_requests_pass():
    async def app(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 204})

    assert _asked(app, Store().rules, "DELETE") == 204
    assert _asked(app, Store().rules, path="/x") == 204


def _page() -> None:
    import streamlit as st

    from lab.server.incoming import ask_file, is_released, release

    file = ask_file("A file", ("txt",), 1, key="f")
    st.text(f"{file.name} {len(file.getvalue())}" if file else "none")
    if file is not None and file.name.startswith("large"):
        assert st.session_state["f"] is file, "one copy, and not two"
        st.session_state["kept"] = file.getvalue()
        release(file)
        assert file.getvalue() == b""
    st.text("released" if is_released("f") else "kept")


def test_a_file_that_is_released_is_held_no_more():
    at = driver.checked(AppTest.from_function(_page).run())
    assert [text.value for text in at.text] == ["none", "kept"]
    at = driver.checked(at.file_uploader(key="f").upload("large.txt", b"a" * 1000).run())
    assert [text.value for text in at.text] == ["large.txt 1000", "released"]
    assert at.session_state["f"].getvalue() == b""
    at = driver.checked(at.file_uploader(key="f").upload("small.txt", b"").run())
    assert [text.value for text in at.text] == ["small.txt 0", "kept"]


def test_a_file_of_another_ending_is_for_its_reader_to_judge():
    """Streamlit would break every run from then on."""
    at = driver.checked(AppTest.from_function(_page).run())
    at = driver.checked(at.file_uploader(key="f").upload("x.gif", b"GIF89a").run())
    assert at.text[0].value == "x.gif 6"
    at = driver.checked(at.file_uploader(key="f").upload("x.txt", bytes(MB + 1)).run())
    assert at.text[0].value == "none", "it came by the door of another uploader"


# ---- messages ------------------------------------------------------------------------------------------------------


def test_a_visitor_has_so_many_websockets(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(incoming, "MAX_SOCKETS_OF_ALL", incoming.MAX_SOCKETS_OF_ONE + 1)
    sockets = Sockets(lambda: 120.0)
    mine = [sockets.arrive("me") for _ in range(incoming.MAX_SOCKETS_OF_ONE)]
    assert all(mine)
    assert sockets.arrive("me") is None
    assert sockets.arrive("you")
    assert sockets.arrive("them") is None
    assert mine[0]
    sockets.leave(mine[0])
    assert sockets.arrive("me")


def test_large_messages_are_bounded_for_one_and_for_all(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(incoming, "MAX_TEXTS_OF_ONE", 2_000_000)
    monkeypatch.setattr(incoming, "MAX_TEXTS_OF_ALL", 3_000_000)
    clock = Clock()
    sockets = Sockets(lambda: 120.0, clock)
    first, second, third, other, last = (sockets.arrive(who) for who in ("me", "me", "me", "you", "them"))
    assert first and second and third and other and last  # noqa: PT018
    assert sockets.weigh(first, 1_000_000)
    assert sockets.weigh(first, 900_000), "it takes the place of the one before"
    assert sockets.weigh(second, 1_000_000)
    assert not sockets.weigh(third, 100_000)
    assert sockets.weigh(third, 5_000), "ordinary ones always come"
    assert sockets.weigh(other, 900_000)
    assert not sockets.weigh(last, 200_000)
    sockets.leave(first)
    clock.now += 120
    assert not sockets.weigh(third, 100_000), "its session is still there"
    clock.now += 1
    assert sockets.weigh(third, 100_000)


def _through(messages: list[Any], sockets: Sockets) -> tuple[list[Any], list[Any]]:
    """What the app receives of these messages, and what the browser is sent."""
    received, sent = [], []

    async def app(scope: Any, receive: Callable, send: Any) -> None:
        while True:
            received.append(await receive())
            if received[-1]["type"] == "websocket.disconnect":
                return

    async def receive() -> Any:
        return messages.pop(0)

    async def send(message: Any) -> None:
        sent.append(message)

    headers = [(b"cookie", f"{COOKIE}={'A' * 43}".encode())]
    asyncio.run(
        BoundMessages(app, sockets)({"type": "websocket", "path": "/_stcore/stream", "headers": headers}, receive, send)
    )
    return received, sent


def test_a_message_beyond_the_bound_ends_its_websocket(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(incoming, "MAX_TEXTS_OF_ONE", 100_000)
    sockets = Sockets(lambda: 120.0)
    messages = [{"type": "websocket.receive", "bytes": bytes(100_001)}, {"type": "websocket.receive", "bytes": b""}]
    received, sent = _through(messages, sockets)
    assert received == [{"type": "websocket.disconnect", "code": 1009}]
    assert sent == [{"type": "websocket.close", "code": 1009}]
    assert not sockets._open


def test_one_websocket_too_many_is_not_opened(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(incoming, "MAX_SOCKETS_OF_ONE", 0)
    received, sent = _through([{"type": "websocket.connect"}], Sockets(lambda: 120.0))
    assert received == []
    assert sent == [{"type": "websocket.close", "code": 1013}]


def test_widgets_that_streamlit_cannot_have_made_are_left_out():
    message = BackMsg()
    own, trigger = "$$ID-ab-key", "$$STREAMLIT_INTERNAL_KEY_$$ID-ab-key__events"
    for id in ("x", own, "", "ID-a-b", trigger, "\u202e"):
        message.rerun_script.widget_states.widgets.append(WidgetState(id=id, string_value="a"))
    message.rerun_script.query_string = "a=b"
    kept = BackMsg.FromString(without_strangers(message.SerializeToString())).rerun_script
    assert [widget.id for widget in kept.widget_states.widgets] == [own, trigger]
    assert kept.query_string == "a=b"
    for data in (b"", b"\xff\xff", kept.SerializeToString(), BackMsg(stop_script=True).SerializeToString()):
        assert without_strangers(data) == data


# ---- the clock -----------------------------------------------------------------------------------------------------


def test_a_session_whose_time_is_over_is_let_go_though_nobody_comes(monkeypatch: pytest.MonkeyPatch):
    clock, ended, files = Clock(), [], MemoryUploadedFileManager("/upload")
    manager = SimpleNamespace(
        _session_storage=SimpleNamespace(_cache=TTLCache(maxsize=128, ttl=120, timer=clock)),
        _storage_lock=incoming.threading.Lock(),
        _session_connect_times={"left": 1.0, "here": 2.0},
        list_sessions=lambda: [SimpleNamespace(session=SimpleNamespace(id="here"))],
    )
    state = {"large": np.zeros(10)}
    session = SimpleNamespace(id="left", shutdown=lambda: ended.append("left"), session_state=state)
    manager._session_storage._cache["left"] = SimpleNamespace(session=session)
    monkeypatch.setattr(
        runtime.server, "get_instance", lambda: SimpleNamespace(_session_mgr=manager, uploaded_file_mgr=files)
    )
    clock.now += 119
    incoming._sweep()
    assert (ended, list(state)) == ([], ["large"])
    clock.now += 1
    incoming._sweep()
    assert (ended, state) == (["left"], {})
    assert manager._session_connect_times == {"here": 2.0}
