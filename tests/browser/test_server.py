"""What the server itself does, whatever runs in the browser: limits of uploads, and the headers of every answer."""

import http.client
from select import select
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Request, expect

from lab.server.headers import HEADERS
from tests.browser.conftest import SOON

MB = 2**20


@pytest.fixture
def upload(visit):
    """The request of an upload from the page Live, as a browser makes it: its URL and its headers."""
    view = visit("/live?live_below=Keep+the+model", painted=False)
    with view.page.expect_request(lambda request: "upload_file" in request.url and request.method == "PUT") as waiting:
        file = {"name": "mine.safetensors", "mimeType": "", "buffer": b"x" * 100}
        view.page.locator("input[type=file]").first.set_input_files(file)
    request: Request = waiting.value
    expect(view.page.get_by_text("not a checkpoint of Attention Lab")).to_be_visible()
    return urlsplit(request.url), request.all_headers()


def refused(upload, piece: bytes, **more: str) -> int:
    """The status that answers such a request. While there is no answer its file is sent, in pieces, as browsers do; of
    64 MB one MB at most."""
    url, headers = upload
    assert url.hostname
    connection = http.client.HTTPConnection(url.hostname, url.port, timeout=SOON)
    connection.putrequest("PUT", url.path, skip_host=True, skip_accept_encoding=True)
    for name, value in (headers | {"host": url.netloc}).items():
        if not name.startswith(":") and name not in ("content-length", "content-type", "accept-encoding"):
            connection.putheader(name, value)
    connection.putheader("content-type", "multipart/form-data; boundary=b")
    for name, value in more.items():
        connection.putheader(name.replace("_", "-"), value)
    connection.endheaders()
    for _ in range(MB // len(piece)):
        if select([connection.sock], [], [], 0.2)[0]:
            break
        connection.send(piece)  # Traefik hears of an answer only when there is more to read
    return connection.getresponse().status


def test_a_file_that_is_too_large_is_refused_before_it_is_read(upload):
    assert refused(upload, bytes(8192), content_length=str(65 * MB)) == 413


def test_nor_is_anything_read_where_its_size_is_not_told(upload):
    assert refused(upload, b"2000\r\n" + bytes(8192) + b"\r\n", transfer_encoding="chunked") == 411


def test_without_the_token_of_its_page_nothing_can_be_uploaded(upload):
    url, headers = upload
    bare = {name: value for name, value in headers.items() if name not in ("x-xsrftoken", "cookie")}
    assert refused((url, bare), bytes(8192), content_length=str(MB)) == 403


@pytest.mark.parametrize(
    "path", ["/", "/heads", "/_stcore/health", "/_stcore/host-config", "/static/nothing.js", "/../x"]
)
def test_every_answer_has_the_headers(server: str, path: str):
    connection = http.client.HTTPConnection(urlsplit(server).netloc, timeout=SOON)
    connection.request("GET", path)
    answer = connection.getresponse()
    assert {name: answer.getheader(name) for name in HEADERS} == HEADERS


def test_it_can_be_embedded(visit, server: str):
    """A breach of the policy would be an error of the console."""
    view = visit("/?embed=true", painted=False)
    view.page.set_content(f'<iframe src="{server}/heads?embed=true" width=900 height=600></iframe>')
    frame = view.page.frame_locator("iframe")
    expect(frame.locator(".attention-view[data-painted]").first).to_be_attached()
    expect(frame.locator(".st-key-tools, .st-key-turn")).to_be_hidden()
    expect(frame.get_by_test_id("stHeader")).to_be_hidden()  # it would lie over the first row of controls
    way = frame.get_by_role("link", name="Open in Attention Lab")
    way.focus()
    expect(way).to_have_attribute("href", f"{server}/heads")
