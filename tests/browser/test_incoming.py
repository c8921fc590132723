"""What no browser of ours sends, through the server's own doors: a page goes on, and the server holds nothing of it."""

import http.client
import io
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

import numpy as np
import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.Element_pb2 import Element
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect
from websockets.typing import Subprotocol

from tests.browser import hosts
from tests.browser.conftest import SOON


class Session:
    """A visitor who writes their own messages.

    keeps_cookies  of a proxy's as well; without them nginx knows a visitor by their browser
    """

    BROWSER = "of our own"

    def __init__(self, server: str, page: str, query: str = "", *, keeps_cookies: bool = True) -> None:
        self.host, self.page, self.query = urlsplit(server).netloc, page, query
        connection = http.client.HTTPConnection(self.host, timeout=SOON)
        connection.request("GET", "/_stcore/health", headers={"user-agent": self.BROWSER})
        told = connection.getresponse().headers.get_all("set-cookie", [])
        kept = dict(one.partition(";")[0].split("=", 1) for one in told)
        self.token, self.id, self.hash = kept["_streamlit_xsrf"], "", ""
        names = kept if keeps_cookies else ["_streamlit_xsrf"]
        self.cookies = "; ".join(f"{name}={kept[name]}" for name in names)
        self.elements: dict[tuple[int, ...], Element] = {}

    @contextmanager
    def here(self) -> Iterator["Session"]:
        address = f"ws://{self.host}/_stcore/stream"
        protocol = [Subprotocol("streamlit")]
        sent = {"additional_headers": {"cookie": self.cookies}, "user_agent_header": self.BROWSER}
        with connect(address, subprotocols=protocol, max_size=None, proxy=None, **sent) as self.socket:
            self.run()
            yield self

    def run(self, *states: WidgetState) -> str:
        """Send a run with these widgets, and wait for its end: every notice on the page."""
        message = BackMsg()
        message.rerun_script.query_string = self.query
        message.rerun_script.page_name = "" if self.hash else self.page
        message.rerun_script.page_script_hash = self.hash
        message.rerun_script.widget_states.widgets.extend(states)
        self.socket.send(message.SerializeToString())
        while True:
            data = self.socket.recv(timeout=SOON)
            assert isinstance(data, bytes)
            answer = ForwardMsg.FromString(data)
            match answer.WhichOneof("type"):
                case "new_session":
                    self.id = answer.new_session.initialize.session_id
                    self.elements.clear()
                case "navigation":
                    self.hash = answer.navigation.page_script_hash
                case "delta":
                    self.elements[tuple(answer.metadata.delta_path)] = answer.delta.new_element
                case "script_finished" if answer.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN:
                    return "\n".join(text.body for text in [*self.of("text"), *self.of("html")])

    def of(self, kind: str) -> list:
        return [getattr(element, kind) for element in self.elements.values() if element.WhichOneof("type") == kind]

    def put(self, name: str, content: bytes) -> tuple[int, str]:
        """Upload a file -> the status of the answer, and the file's id."""
        file = str(uuid.uuid4())
        head = f'--b\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n\r\n'
        connection = http.client.HTTPConnection(self.host, timeout=SOON)
        headers = {"content-type": "multipart/form-data; boundary=b", "x-xsrftoken": self.token}
        headers["user-agent"] = self.BROWSER
        headers["cookie"] = self.cookies
        body = head.encode() + content + b"\r\n--b--\r\n"
        connection.request("PUT", f"/_stcore/upload_file/{self.id}/{file}", body, headers)
        return connection.getresponse().status, file

    def claims(self, file: str, name: str, size: int) -> WidgetState:
        """What an uploader of the page sends when it has this file."""
        (uploader,) = self.of("file_uploader")
        state = WidgetState(id=uploader.id)
        info = state.file_uploader_state_value.uploaded_file_info.add()
        info.file_id, info.name, info.size = file, name, size
        return state


def test_a_widget_that_no_page_has_is_passed_over(server: str):
    with Session(server, "positions").here() as session:
        assert "Something went wrong" not in session.run(WidgetState(id="x", string_value="a"))


def test_a_file_with_another_ending_is_one_sentence_and_the_next_is_read(server: str):
    with Session(server, "vision", "vision_picture=bring+one").here() as session:
        for name, content, said in (
            ("x.gif", b"GIF89a", "neither a PNG nor a JPEG"),
            ("y", b"\xff\xd8\xff", "damaged"),
        ):
            status, file = session.put(name, content)
            assert status == 204
            words = session.run(session.claims(file, name, len(content)))
            assert said in words
            assert "Something went wrong" not in words


def test_a_page_that_asks_for_no_file_gets_none(server: str):
    with Session(server, "positions").here() as session:
        assert session.put("a.npz", b"1")[0] == 403


def test_what_goes_to_a_browser_may_be_larger_than_what_comes(server: str, pytestconfig: pytest.Config):
    content = io.BytesIO()
    np.savez_compressed(content, attention=np.full((12, 12, 100, 100), 0.01, np.float32))
    # As in a page of another site. Traefik then loses the visitor: deploy/traefik/dynamic/servers.yaml says so.
    keeps = pytestconfig.getoption("--host") == hosts.TRAEFIK
    with Session(server, "pretrained", "pretrained_view=Your+tensors", keeps_cookies=keeps).here() as session:
        status, file = session.put("mine.npz", content.getvalue())
        assert status == 204
        session.run(session.claims(file, "mine.npz", len(content.getvalue())))
        assert not session.of("exception")
        assert max(element.ByteSize() for element in session.elements.values()) > 1_200_000


def test_a_text_beyond_all_texts_is_not_taken(server: str):
    with Session(server, "positions").here() as session, pytest.raises(ConnectionClosed):
        session.run(WidgetState(id="$$ID-a-b", string_value="a" * 15_000_000))
