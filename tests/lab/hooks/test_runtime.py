"""What lab/hooks/runtime.py knows of the inside of Streamlit's server is still so: one test for each name there.

Where one fails after an update, the docstring of its function, or the comment there, says what the lab loses.
"""

import ast
import asyncio
import copy
import signal
from collections.abc import Callable
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from streamlit.elements.widgets import file_uploader
from streamlit.runtime import runtime_util
from streamlit.testing.v1 import AppTest
from streamlit.watcher.polling_path_watcher import PollingPathWatcher

from lab.hooks import runtime
from tests.pages.driver import checked

NOTHING: Any = None


def names() -> set[str]:
    """What runtime.py makes or replaces."""
    body = ast.parse(Path(runtime.__file__).read_text()).body
    made = {node.name for node in body if isinstance(node, ast.FunctionDef)}
    for node in body:
        if isinstance(node, ast.Assign):
            made |= {getattr(target, "id", getattr(target, "attr", "")) for target in node.targets}
    return {name.lower() for name in made if not name.startswith("_")} | {"copies_of_files"}


def test_typeface():
    place = runtime.typeface()
    assert place is not None, "the pages of a room would be written in other letters than the app"
    assert (Path(runtime.st.__file__).parent / f"static{place}").is_file()


def test_every_hook_has_a_test():
    assert len(names()) == 20
    assert {f"test_{name}" for name in names()} <= globals().keys()


def run(page: Callable[[], None]) -> list[str]:
    """What a page writes as plain text."""
    return [text.value for text in checked(AppTest.from_function(page, default_timeout=300).run()).text]


def asks(module: ModuleType, name: str) -> bool:
    """Whether a function of this module, or of a class in it, calls what is replaced there by its name."""
    classes = [part for part in vars(module).values() if isinstance(part, type)]
    functions = [part for owner in (module, *classes) for part in vars(owner).values()]
    return any(name in code.co_names for part in functions if (code := getattr(part, "__code__", None)))


# ---- addresses and names --------------------------------------------------------------------------------------------


def test_stream():
    from streamlit.web.server.starlette import starlette_websocket

    assert f"/{starlette_websocket._ROUTE_WEBSOCKET_STREAM}" == runtime.STREAM


def test_upload():
    from streamlit.web.server.starlette import starlette_routes

    assert f"/{starlette_routes.BASE_ROUTE_UPLOAD_FILE}/" == runtime.UPLOAD


def test_widget_ids():
    from streamlit.runtime.state import session_state

    def page() -> None:
        import streamlit as st

        st.text_input("Name", key="name")

    at = AppTest.from_function(page, default_timeout=300).run()
    assert at.text_input[0].id.startswith(runtime.WIDGET_IDS)
    assert session_state.STREAMLIT_INTERNAL_KEY_PREFIX in runtime.WIDGET_IDS


# ---- a visit --------------------------------------------------------------------------------------------------------


def test_is_visit():
    def page() -> None:
        import streamlit as st

        from lab.hooks import runtime

        st.text(str(runtime.is_visit()))

    assert run(page) == ["True"]
    assert not runtime.is_visit()


def test_session():
    def page() -> None:
        import streamlit as st

        from lab.hooks import runtime

        st.text(str(isinstance(runtime.session(), str)))

    assert run(page) == ["True"]
    assert runtime.session() is None


def test_stay():
    """The state of a session asks whether the run is to end, each time it is read."""

    def page() -> None:
        import streamlit as st
        from streamlit.runtime.scriptrunner import get_script_run_ctx

        from lab.hooks import runtime

        context, asked = get_script_run_ctx(), []
        assert context is not None
        before = context.session_state._yield_callback
        object.__setattr__(context.session_state, "_yield_callback", lambda: asked.append(1))
        runtime.stay()
        object.__setattr__(context.session_state, "_yield_callback", before)
        st.text(f"{len(asked) > 0}")

    assert run(page) == ["True"]
    runtime.stay()  # and says nothing where nobody visits


def test_link_gone_to():
    """A browser's part in it is in tests/browser/test_hooks.py."""

    def page() -> None:
        import streamlit as st
        from streamlit.runtime.scriptrunner import get_script_run_ctx

        from lab.hooks import runtime

        context = get_script_run_ctx()
        assert context is not None
        assert context.is_history_navigation is False
        st.text(str(runtime.link_gone_to()))
        context.is_history_navigation, context.query_string = True, "width=32"
        st.text(str(runtime.link_gone_to()))

    assert run(page) == ["None", "width=32"]
    assert runtime.link_gone_to() is None


def test_readdress():
    def page() -> None:
        import streamlit as st

        from lab.hooks import runtime

        runtime.readdress("width=32")
        st.text(str(st.select_slider("Width", (8, 16, 32), key="width", bind="query-params")))
        st.text(str(st.query_params.to_dict()))

    assert run(page) == ["32", "{'width': '32'}"]


# ---- files and sessions ---------------------------------------------------------------------------------------------


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Any:
    """A server as Streamlit makes it, with nobody there."""
    from streamlit.runtime.memory_session_storage import MemorySessionStorage
    from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
    from streamlit.runtime.websocket_session_manager import WebsocketSessionManager

    files = MemoryUploadedFileManager("/upload")
    manager: Any = WebsocketSessionManager(MemorySessionStorage(ttl_seconds=0), files, NOTHING, None)
    server = SimpleNamespace(uploaded_file_mgr=files, _session_mgr=manager)
    monkeypatch.setattr(runtime.server, "exists", lambda: True)
    monkeypatch.setattr(runtime.server, "get_instance", lambda: server)
    return server


@pytest.fixture
def file(server: Any) -> Any:
    from streamlit.runtime.uploaded_file_manager import UploadedFileRec

    record = UploadedFileRec("file", "a.txt", "text/plain", b"12345")
    server.uploaded_file_mgr.add_file("session", record)
    return record


def test_files_held(file: Any):
    assert runtime.files_held() == {"session": {"file": 5}}


def test_forget_file(file: Any):
    runtime.forget_file("session", "file")
    assert not runtime.files_held().get("session")


def test_sessions(server: Any):
    from streamlit.runtime.session_manager import ActiveSessionInfo

    here: Any = SimpleNamespace(id="here")
    server._session_mgr._active_session_info_by_id["here"] = ActiveSessionInfo(client=None, session=here)  # type: ignore
    assert runtime.sessions() == ["here"]


def test_end_expired(server: Any):
    from streamlit.runtime.session_manager import SessionInfo

    ended: list[str] = []
    left: Any = SimpleNamespace(id="left", shutdown=lambda: ended.append("left"), session_state={"large": 1})
    server._session_mgr._session_connect_times["left"] = 1.0
    server._session_mgr._session_storage.save(SessionInfo(client=None, session=left))
    assert runtime.end_expired() == 1
    assert (ended, left.session_state, server._session_mgr._session_connect_times) == (["left"], {}, {})
    assert runtime.end_expired() == 0


def test_let_out(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(runtime_util, "_max_message_size_bytes", None)
    runtime.let_out(64)
    assert runtime_util.get_max_message_size_bytes() == 64


@pytest.mark.parametrize(("kind", "looks_again"), [("none", 0), ("auto", 1)])
def test_look_at_no_files(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, kind: str, looks_again: int):
    """A server that nobody visits has nothing to do."""
    tasks: list[Callable[[], None]] = []
    monkeypatch.setattr(PollingPathWatcher, "_executor", SimpleNamespace(submit=tasks.append))
    monkeypatch.setattr(PollingPathWatcher, "_schedule", PollingPathWatcher._schedule)  # what is put back afterwards
    monkeypatch.setattr("streamlit.watcher.polling_path_watcher.time.sleep", lambda seconds: None)
    monkeypatch.setattr(runtime.st, "get_option", {"server.fileWatcherType": kind}.get)
    PollingPathWatcher(str(tmp_path / "config.toml"), lambda path: None, allow_nonexistent=True)  # as before the app
    (task,) = tasks
    runtime.look_at_no_files()
    task()
    assert len(tasks) == 1 + looks_again


@pytest.mark.parametrize("by_signal", [True, False])
def test_tick_once_a_second(monkeypatch: pytest.MonkeyPatch, by_signal: bool):
    """It ends at a signal at once, and at the next tick where it is told otherwise; each tick brings the date."""
    from uvicorn import Config, Server

    monkeypatch.setattr(Server, "main_loop", Server.main_loop)  # what is put back afterwards
    runtime.tick_once_a_second()
    one = Server(Config("none"))
    dates: list[bytes] = []

    async def on_tick(counter: int) -> bool:
        over = await Server.on_tick(one, counter)
        dates.append(dict(one.server_state.default_headers)[b"date"])
        if len(dates) == 2:
            if by_signal:
                signal.raise_signal(signal.SIGTERM)
            one.should_exit = True
        return over

    one.on_tick = on_tick
    waited: list[float | None] = []
    wait_for = asyncio.wait_for

    async def waits(work: Any, seconds: float) -> Any:
        waited.append(seconds)
        return await wait_for(work, 0.01 if len(waited) == 1 or not by_signal else None)

    monkeypatch.setattr(runtime.asyncio, "wait_for", waits)
    before = [signal.getsignal(number) for number in runtime.HANDLED_SIGNALS]
    try:
        asyncio.run(Server.main_loop(one))
    finally:
        for number, handler in zip(runtime.HANDLED_SIGNALS, before, strict=True):
            signal.signal(number, handler)
    assert waited == [1, 1]
    assert len(dates) == 3
    assert one._captured_signals == ([signal.SIGTERM] if by_signal else [])


# ---- numbers for an operator ----------------------------------------------------------------------------------------


def test_publish(monkeypatch: pytest.MonkeyPatch):
    """Streamlit's own manager and its own text of the numbers, without a server around them."""
    from streamlit.runtime.stats import StatsManager
    from streamlit.web.server.starlette.starlette_routes import _stats_to_text

    manager = StatsManager()
    monkeypatch.setattr(runtime.server, "exists", lambda: True)
    monkeypatch.setattr(runtime.server, "get_instance", lambda: SimpleNamespace(stats_mgr=manager))
    told = [
        runtime.Measure("ours_events", 3, {"kind": 'a"b'}, "", "What happened.", True),
        runtime.Measure("ours_bytes", 7, {}, "bytes", "What is held.", False),
    ]
    runtime.publish(["ours_events", "ours_bytes"], lambda: told)
    assert _stats_to_text(manager.get_stats()).splitlines() == [
        "# TYPE ours_events counter",
        "# HELP ours_events What happened.",
        'ours_events_total{kind="a\\"b"} 3',
        "# TYPE ours_bytes gauge",
        "# UNIT ours_bytes bytes",
        "# HELP ours_bytes What is held.",
        "ours_bytes 7",
        "# EOF",
    ]
    assert list(manager.get_stats(["ours_bytes"])) == ["ours_bytes"]


# ---- what is replaced -----------------------------------------------------------------------------------------------


def test_is_dataframe_like():
    assert asks(runtime.serialization, "is_dataframe_like")
    assert not runtime.serialization.is_dataframe_like("anything")


def test_enforce_filename_restriction():
    assert asks(file_uploader, "enforce_filename_restriction")


def test_copies_of_files(file: Any):
    one = runtime.UploadedFile(file, NOTHING)
    assert copy.deepcopy(one) is one
