"""A visitor without a browser, who speaks Streamlit's own protocol: protobuf messages over a websocket.

What a browser does is done here as well, as far as the server can tell: one session per visitor, the messages that it
keeps are not sent again, and a widget inside a fragment reruns that fragment alone.
"""

import asyncio
from collections.abc import Callable, Coroutine, Iterable
from concurrent.futures import Future
from dataclasses import dataclass, field
from threading import Thread
from time import perf_counter
from typing import Any, NamedTuple, TypeVar
from urllib.parse import parse_qsl, urlencode

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.Element_pb2 import Element
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException
from websockets.typing import Subprotocol

T = TypeVar("T")

PATIENCE = 120.0  # seconds for one answer


class NoAnswer(Exception):
    """The server did not answer, or its answer is an error."""


class Widget(NamedTuple):
    """One widget of a page as it was last drawn.

    fragment   the id of the fragment that it belongs to, "" for none
    parameter  its name in the address, "" for none
    options    what a slider can be set to, as it is shown
    """

    kind: str
    id: str
    label: str
    fragment: str
    parameter: str
    options: tuple[str, ...]

    def set_to(self, value: str) -> WidgetState:
        """What a browser sends when this widget is set to a text or to an option."""
        state = WidgetState(id=self.id)
        if self.kind == "text_input":
            state.string_value = value
        elif self.kind == "slider" and value in self.options:
            state.string_array_value.data.append(value)
        else:
            raise ValueError(f"the {self.kind} {self.label!r} cannot be set to {value!r}")
        return state


class Answer(NamedTuple):
    """One run of the script: from the visitor's message to the news that it has finished, and the bytes received."""

    seconds: float
    received: int


@dataclass
class Screen:
    """What is on a visitor's screen: the elements of the last run, by their places."""

    elements: dict[tuple[int, ...], tuple[str, Element]] = field(default_factory=dict)

    def draw(self, message: ForwardMsg) -> None:
        if message.delta.WhichOneof("type") == "new_element":
            place = tuple(message.metadata.delta_path)
            self.elements[place] = message.delta.fragment_id, message.delta.new_element

    def widgets(self) -> list[Widget]:
        return list(widgets(self.elements.values()))

    def widget(self, label: str) -> Widget:
        """The first widget of this label. Raises KeyError if there is none."""
        for widget in self.widgets():
            if widget.label == label:
                return widget
        raise KeyError(f"no widget is labelled {label!r}; there are {sorted(w.label for w in self.widgets())}")

    def keyed(self, key: str) -> Widget:
        """The widget to which the page gave this key. Raises KeyError if there is none."""
        for widget in self.widgets():
            if widget.id.endswith(f"-{key}"):  # as Streamlit writes it
                return widget
        raise KeyError(f"no widget has the key {key!r}; there are {sorted(w.id for w in self.widgets())}")

    def has(self, label: str) -> bool:
        return any(widget.label == label for widget in self.widgets())

    def exceptions(self) -> list[str]:
        return [
            element.exception.message
            for _, element in self.elements.values()
            if element.WhichOneof("type") == "exception"
        ]


def widgets(drawn: Iterable[tuple[str, Element]]) -> Iterable[Widget]:
    """The widgets with a label among the elements that were drawn, each given with its fragment."""
    for fragment, element in drawn:
        kind = element.WhichOneof("type")
        proto: Any = getattr(element, kind) if kind else None
        if getattr(proto, "id", "") and getattr(proto, "label", ""):
            options = tuple(proto.options) if kind == "slider" else ()
            parameter = getattr(proto, "query_param_key", "")
            yield Widget(kind or "", proto.id, proto.label, fragment, parameter, options)


class Kept:
    """The large messages that a browser keeps, so that the server can send their hashes instead."""

    def __init__(self, runs: int = 2):
        self.runs = runs  # without being used; then a message is dropped
        self._messages: dict[str, ForwardMsg] = {}
        self._ages: dict[str, int] = {}

    def hashes(self) -> list[str]:
        return list(self._messages)

    def whole(self, message: ForwardMsg) -> ForwardMsg:
        """A message itself, or the one that is kept where it is but a reference, at the reference's place."""
        name = message.ref_hash or message.hash
        if message.metadata.cacheable:
            self._messages[name] = message
        if name in self._messages:
            self._ages[name] = 0
        if not message.ref_hash:
            return message
        copy = ForwardMsg()
        copy.CopyFrom(self._messages[name])
        copy.metadata.CopyFrom(message.metadata)
        return copy

    def next_run(self) -> None:
        """A run of the whole script is over: what it did not use is older by one."""
        for name in list(self._messages):
            self._ages[name] += 1
            if self._ages[name] > self.runs:
                del self._messages[name], self._ages[name]


class Visitor:
    """One session with the server, from `async with` to its end.

    cookies  that its browser has, as a header
    """

    def __init__(self, url: str, page: str, query: str = "", cookies: str = ""):
        self._address = url.replace("http", "ws", 1) + "/_stcore/stream"
        self._page, self._parameters = page, dict(parse_qsl(query))
        self._page_hash = ""
        self._headers = {"Cookie": cookies} if cookies else {}
        self._socket: ClientConnection | None = None
        self._kept = Kept()
        self._states: dict[str, WidgetState] = {}
        self._by_itself: dict[str, float] = {}  # fragments that a browser would rerun, and after how many seconds
        self.screen = Screen()

    async def __aenter__(self) -> "Visitor":
        try:
            self._socket = await connect(
                self._address,
                subprotocols=[Subprotocol("streamlit")],
                additional_headers=self._headers,
                max_size=None,
                open_timeout=PATIENCE,
                ping_interval=None,
                proxy=None,
            )
        except (TimeoutError, WebSocketException, OSError) as error:
            raise NoAnswer(f"{type(error).__name__}: {error}") from error
        return self

    async def __aexit__(self, *_) -> None:
        if self._socket:
            await self._socket.close()

    @property
    def query(self) -> str:
        """What its address says after the question mark."""
        return urlencode(self._parameters)

    async def open(self) -> Answer:
        """The first run of the page."""
        return await self._run("")

    async def turn_to(self, page: str) -> Answer:
        """Another page, by way of the navigation."""
        self._page, self._page_hash = page, ""
        self._parameters.clear()
        self._states.clear()
        return await self._run("")

    async def change(self, label: str, value: str) -> Answer:
        """A run after the widget of this label was set to a value."""
        widget = self.screen.widget(label)
        self._states[widget.id] = widget.set_to(value)
        if widget.parameter:
            self._parameters[widget.parameter] = value
        return await self._run(widget.fragment)

    async def press(self, key: str) -> Answer:
        """A run after the button with this key was pressed; what it says may depend on what it would do."""
        button = self.screen.keyed(key)
        return await self._run(button.fragment, WidgetState(id=button.id, trigger_value=True))

    async def watch(self, done: Callable[[], bool]) -> None:
        """Stay on the page until `done()`; whatever reruns by itself in a browser does so here."""
        while not done():
            await asyncio.sleep(min(self._by_itself.values(), default=0.1))
            for fragment in list(self._by_itself):
                await self._run(fragment)

    async def _run(self, fragment: str, *pressed: WidgetState) -> Answer:
        if self._socket is None:
            raise NoAnswer("the visitor is not connected")
        asked = BackMsg()
        asked.rerun_script.query_string = self.query
        asked.rerun_script.page_name = "" if self._page_hash else self._page
        asked.rerun_script.page_script_hash = self._page_hash
        asked.rerun_script.fragment_id = fragment
        asked.rerun_script.cached_message_hashes.extend(self._kept.hashes())
        asked.rerun_script.widget_states.widgets.extend([*self._states.values(), *pressed])
        start = perf_counter()
        try:
            async with asyncio.timeout(PATIENCE):
                await self._socket.send(asked.SerializeToString())
                received = await self._read()
        except (TimeoutError, WebSocketException, OSError) as error:
            raise NoAnswer(f"{type(error).__name__}: {error}") from error
        took = perf_counter() - start
        if errors := self.screen.exceptions():
            raise NoAnswer(errors[0])
        return Answer(took, received)

    async def _read(self) -> int:
        """Take what the server says until its script has finished; the bytes of it."""
        assert self._socket is not None
        received = 0
        while True:
            data = await self._socket.recv()
            assert isinstance(data, bytes)
            received += len(data)
            message = self._kept.whole(ForwardMsg.FromString(data))
            match message.WhichOneof("type"):
                case "new_session":
                    self._kept.runs = message.new_session.config.max_cached_message_age
                    if not message.metadata.run.fragment_ids:
                        self.screen.elements.clear()
                        self._by_itself.clear()
                case "auto_rerun":
                    self._by_itself[message.auto_rerun.fragment_id] = message.auto_rerun.interval
                case "stop_auto_rerun":
                    self._by_itself.clear()
                case "navigation":
                    self._page_hash = message.navigation.page_script_hash
                case "delta":
                    self.screen.draw(message)
                case "script_finished" if message.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN:
                    if not message.metadata.run.fragment_ids:
                        self._kept.next_run()
                    return received


def start(work: Coroutine[Any, Any, T]) -> "Future[T]":
    """Begin what visitors do, in a thread of its own: the main thread's loop belongs to the browser."""
    result: Future[T] = Future()

    def live() -> None:
        try:
            result.set_result(asyncio.run(work))
        except BaseException as error:
            result.set_exception(error)

    Thread(target=live, daemon=True).start()
    return result


def run(work: Coroutine[Any, Any, T]) -> T:
    """What visitors do, from beginning to end."""
    return start(work).result()
