"""What the lab knows of the inside of Streamlit's server: each private name once, behind a function of ours.

First comes what is read or called, and then the three places where something of Streamlit's is replaced. Each has a
test in tests/lab/hooks/test_runtime.py, which says which promise broke.
"""

import asyncio
import signal
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

import streamlit as st
from streamlit import runtime as server
from streamlit.components.v2.bidi_component import serialization
from streamlit.elements.widgets import file_uploader
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.runtime import runtime_util
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.stats import CounterStat, GaugeStat, Stat
from streamlit.runtime.uploaded_file_manager import DeletedFile, UploadedFile
from streamlit.watcher.polling_path_watcher import PollingPathWatcher
from uvicorn import Server
from uvicorn.server import HANDLED_SIGNALS

__all__ = ["BackMsg", "DeletedFile", "UploadedFile"]

# ---- addresses and names --------------------------------------------------------------------------------------------

STREAM = "/_stcore/stream"  # where a page opens its websocket, below the path that the app is served under
UPLOAD = "/_stcore/upload_file/"  # where a file is sent to, below that path; then a session, and the file's id
WIDGET_IDS = ("$$ID-", "$$STREAMLIT_INTERNAL_KEY")  # how the id of a widget begins: on others a session breaks


def typeface() -> str | None:
    """Where the app's upright letters are loaded from, below the path that the app is served under; None where that is
    not known: then a page that is not Streamlit's is written in the letters of its reader's machine."""
    files = sorted((Path(st.__file__).parent / "static").glob("static/media/SourceSansVF-Upright*.woff2"))
    return f"/static/media/{files[0].name}" if files else None


# ---- a visit --------------------------------------------------------------------------------------------------------


def is_visit() -> bool:
    """Whether this thread runs a page for a visitor. Public functions would log a warning in other threads."""
    return get_script_run_ctx(suppress_warning=True) is not None


def session() -> str | None:
    """The id of the visitor's session, by which files are sent and kept; None where nobody visits."""
    context = get_script_run_ctx(suppress_warning=True)
    return None if context is None else context.session_id


def stay() -> None:
    """Raises what ends this run of the page, if its visitor has left or clicked elsewhere.

    Streamlit looks for that whenever the session's state is read, and has no other word for it.
    """
    if is_visit():
        _ = "_" in st.session_state


def link_gone_to() -> str | None:
    """The query of the address, if Back, Forward or a link within the app brought the visitor here; else None.

    st.query_params has less: Streamlit drops settings that the page before had as well.
    """
    context = get_script_run_ctx(suppress_warning=True)
    return context.query_string if context is not None and context.is_history_navigation else None


def readdress(query: str) -> None:
    """Make this query what widgets are first set from. Of st.query_params they would not take it after a run began."""
    context = get_script_run_ctx(suppress_warning=True)
    if context is not None:
        with context.session_state.query_params() as params:
            params.populate_from_query_string(query)
            params.set_initial_query_params(query)


# ---- files and sessions ---------------------------------------------------------------------------------------------


def files_held() -> Mapping[str, Mapping[str, int]]:
    """The bytes of all files that the server keeps: session -> id of a file -> bytes."""
    storage = getattr(_files(), "file_storage", {})
    return {
        session: {id: len(file.data) for id, file in list(files.items())} for session, files in list(storage.items())
    }


def forget_file(session: str, file: str) -> None:
    """Let go of a file of a session."""
    _files().remove_file(session, file)


def _files() -> Any:
    context = get_script_run_ctx(suppress_warning=True)
    return (server.get_instance() if context is None else context).uploaded_file_mgr


def sessions() -> list[str]:
    """The ids of all sessions, those included whose visitor may yet come back."""
    manager: Any = server.get_instance()._session_mgr
    return [info.session.id for info in manager.list_sessions()]


def end_expired() -> int:
    """End the sessions whose time is over, which Streamlit does only when the next visitor leaves; how many."""
    manager: Any = server.get_instance()._session_mgr
    with manager._storage_lock:
        expired = manager._session_storage._cache.expire()
    for id, info in expired:
        info.session.shutdown()
        info.session.session_state.clear()  # whoever may still hold it: what is alive may have been set aside for good
        manager._session_connect_times.pop(id, None)
    return len(expired)


def let_out(n_bytes: int) -> None:
    """Let messages to a browser have this many bytes.

    server.maxMessageSize is read once for what comes, when the server starts, and here for what goes.
    """
    runtime_util._max_message_size_bytes = n_bytes


def look_at_no_files() -> None:
    """Look no more, five times a second, whether a file of settings has changed, where no file is to be watched.

    server.fileWatcherType is for scripts; those Streamlit watches whatever it says.
    """
    if st.get_option("server.fileWatcherType") == "none":
        PollingPathWatcher._schedule = lambda watcher: None  # pyrefly: ignore[bad-assignment]


def tick_once_a_second() -> None:
    """Have the server wake once a second, when the date that it sends changes, instead of ten times, and at a signal.

    Those ten were all the processor time of a server that nobody visits. To be called before it begins to serve.
    """
    Server.main_loop = _ticking


async def _ticking(self: Server, seconds: float = 1) -> None:
    told, loop = asyncio.Event(), asyncio.get_running_loop()

    def hear(number: int, frame: FrameType | None) -> None:
        self.handle_exit(number, frame)
        loop.call_soon_threadsafe(told.set)

    if threading.current_thread() is threading.main_thread():  # elsewhere nobody hears signals
        for number in HANDLED_SIGNALS:
            signal.signal(number, hear)  # the server puts back what was there before it when it ends
    while not await self.on_tick(0):
        with suppress(TimeoutError):
            await asyncio.wait_for(told.wait(), seconds)
        told.clear()


# ---- numbers for an operator ----------------------------------------------------------------------------------------


class Measure(NamedTuple):
    """A number at /_stcore/metrics: its name, and whether it only ever grows."""

    name: str
    value: int
    labels: dict[str, str]
    unit: str
    help: str
    grows: bool


def publish(names: Sequence[str], measures: Callable[[], Iterable[Measure]]) -> None:
    """Have Streamlit publish these numbers with its own, in the format of Prometheus. They are read when it is asked;
    where no server runs, nobody asks.
    """
    if server.exists():
        server.get_instance().stats_mgr.register_provider(_Provider(names, measures))


class _Provider:
    """As Streamlit asks for numbers."""

    def __init__(self, names: Sequence[str], measures: Callable[[], Iterable[Measure]]):
        self.stats_families, self._measures = names, measures

    def get_stats(self, family_names: Sequence[str] | None = None) -> Mapping[str, Sequence[Stat]]:
        found: dict[str, list[Stat]] = {}
        for measure in self._measures():
            if family_names is None or measure.name in family_names:
                kind = CounterStat if measure.grows else GaugeStat
                stat = kind(measure.name, measure.value, measure.labels, measure.unit, measure.help)
                found.setdefault(measure.name, []).append(stat)
        return found


# ---- what is replaced, once, when this is imported ------------------------------------------------------------------

# No component of ours gets a data frame. Streamlit looks for one in what each gets, and to do so loads pandas and
# pyarrow: 70 MB, and most of a second before the first visitor sees a view.
serialization.is_dataframe_like = lambda obj: False

# For a file whose name has another ending Streamlit raises where no page can catch it, in every run from then on. The
# browser offers files of the right kind, and what is in a file is for its reader to judge.
file_uploader.enforce_filename_restriction = lambda filename, allowed_types: None

# Of what a widget answers Streamlit gives every run a copy. Pages only read files, so one is enough for all.
setattr(UploadedFile, "__deepcopy__", lambda file, _: file)  # noqa: B010 - a type checker would miss it in the class
