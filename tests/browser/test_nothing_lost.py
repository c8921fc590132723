"""Nothing that a visitor began is lost with a connection: the key in the browser, and what is found again under it."""

import re
import signal
import socket
import subprocess
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from benchmarks.server import command, variables
from lab.server.environment import SNAPSHOTS
from lab.server.visitor import COOKIE
from tests.browser.conftest import ROOT, SOON, answered
from tests.browser.hosts import AS_CLOUD
from tests.browser.view import UNTRAINED, View

# More than any test waits for: it runs until it is stopped.
ENDLESS = "/live?live_task=English+to+French&live_steps=3000"
SHORT = "live_task=Copy&live_d_model=8&live_batch=8&live_examples=100&live_steps=50"
# Every websocket of a page, so that a test can cut them.
KEEP_SOCKETS = """() => {
    window.sockets = [];
    window.WebSocket = new Proxy(WebSocket, {
        construct(Socket, given) {
            const socket = new Socket(...given);
            window.sockets.push(socket);
            return socket;
        },
    });
}"""


class Server:
    """A server with a folder of its own, which can be killed and started again on the same port.

    more  of its environment
    """

    def __init__(self, folder: Path, base: str = "", **more: str):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.folder, self.base, self.more = folder, base, more
        self.address = f"http://127.0.0.1:{self.port}{base}"
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        environment = variables(PYTHONPATH=str(ROOT), **{SNAPSHOTS.name: str(self.folder)}, **self.more)
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        self.process = subprocess.Popen(command(self.port, base=self.base), cwd=ROOT, env=environment, **quiet)
        answered(self.process, self.address)

    def kept(self) -> set[str]:
        """The names of the snapshots that hold something: those of trainings that have only just begun are empty."""
        files = self.folder.glob("*") if self.folder.exists() else ()
        return {file.name for file in files if "." not in file.name and file.stat().st_size}

    def kill(self, how: int = signal.SIGKILL) -> None:
        if self.process is not None:
            self.process.send_signal(how)
            self.process.wait(SOON)


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    lab = Server(tmp_path_factory.mktemp("server") / "snapshots")
    lab.start()
    yield lab
    lab.kill(signal.SIGTERM)


def new_context(browser: Browser) -> Iterator[BrowserContext]:
    with browser.new_context(reduced_motion="reduce") as context:
        context.set_default_timeout(1000 * SOON)
        yield context


context, stranger = pytest.fixture(name="context")(new_context), pytest.fixture(name="stranger")(new_context)


def opened(context: BrowserContext, address: str) -> Page:
    page = context.new_page()
    page.goto(address)
    shown(page)
    return page


def shown(page: Page) -> None:
    expect(page.get_by_test_id("stMain").get_by_role("heading", level=1)).to_be_visible()


def key(page: Page) -> Any:
    """The cookie that the browser keeps of this page."""
    (cookie,) = [cookie for cookie in page.context.cookies(page.url) if cookie["name"] == COOKIE]
    return cookie


def press(page: Page, name: str) -> None:
    is_train = name == "Train"  # it says as well what the training changes
    button = page.get_by_role("button", name=name, exact=True)
    (page.locator(".st-key-train button") if is_train else button).click()


def until(page: Page, state: str) -> None:
    expect(page.locator(".film")).to_have_attribute("data-state", state)


# ---- the key -------------------------------------------------------------------------------------------------------


def test_a_key_outlives_a_reload_and_is_shared_by_tabs_of_one_browser_only(server: str, context, stranger):
    page = opened(context, server + "/positions")
    first = key(page)
    assert first["httpOnly"]
    assert first["sameSite"] == "Strict"
    assert first["path"] == "/"
    assert COOKIE not in page.evaluate("document.cookie")
    assert first["value"] not in page.content() + page.url
    page.reload()
    shown(page)
    tab = opened(context, server + "/masks")
    assert key(tab)["value"] == key(page)["value"] == first["value"]
    assert key(opened(stranger, server + "/positions"))["value"] != first["value"]


@pytest.mark.wide
def test_below_a_path_the_key_belongs_to_that_path(tmp_path, context):
    server = Server(tmp_path / "snapshots", base="/a/lab")
    server.start()
    try:
        page = opened(context, server.address + "/positions")
        first = key(page)
        assert first["path"] == "/a/lab"
        assert COOKIE not in [cookie["name"] for cookie in context.cookies(server.address.removesuffix("/a/lab"))]
        assert opened(context, server.address + "/masks")
        assert key(page)["value"] == first["value"]
    finally:
        server.kill(signal.SIGTERM)


@pytest.fixture
def site() -> Iterator[Callable[[str], int]]:
    """site(html) -> the port of a site that is this page and nothing else."""
    opened = []

    def site(html: str) -> int:
        class Page(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self.send_response(200)
                self.send_header("content-type", "text/html")
                self.end_headers()
                self.wfile.write(html.encode())

            def log_message(self, format: str, *args: object) -> None:
                pass

        opened.append(HTTPServer(("127.0.0.1", 0), Page))
        threading.Thread(target=opened[-1].serve_forever, daemon=True).start()
        return opened[-1].server_port

    yield site
    for one in opened:
        one.shutdown()


@pytest.mark.wide
def test_embedded_in_another_site_there_is_no_key_and_all_works(lab, context, site):
    page = context.new_page()
    frame = f'<iframe src="{lab.address}/live?embed=true&{SHORT}" width="1200" height="700"></iframe>'
    page.goto(f"http://localhost:{site(frame)}")  # to a browser another site than 127.0.0.1
    inside = page.frame_locator("iframe")
    expect(inside.get_by_test_id("stMain").get_by_role("heading", level=1)).to_be_visible()
    inside.locator(".st-key-train button").click()
    expect(inside.locator(".film")).to_have_attribute("data-state", "done")
    assert not [cookie for cookie in context.cookies(lab.address) if cookie["name"] == COOKIE]


# ---- a server that sleeps ------------------------------------------------------------------------------------------


@pytest.mark.wide
def test_a_server_that_slept_shows_an_open_tab_and_its_link_what_they_showed(tmp_path, context):
    """Community Cloud ends a server that nobody visits. Whoever comes then wakes another, without a file, a session or
    the secret of the one before."""
    before, after = (Server(tmp_path / name, **AS_CLOUD) for name in ("before", "after"))
    after.port, after.address = before.port, before.address
    before.start()
    try:
        view = View(opened(context, before.address + UNTRAINED))
        view.type("the tired dog sleeps")
        expect(view.tokens).to_have_count(4)
        view.thumb(1, 2).click()
        view.settle()
        told, seen, address = view.shown, view.colours(view.heat), view.page.url
        before.kill(signal.SIGTERM)
        with view.page.expect_websocket(lambda socket: "/_stcore/stream" in socket.url):
            after.start()
        link = View(opened(context, address))
        link.expect(**told)
        link.settle()
        for woken in (view, link):
            assert woken.shown == told
            assert woken.page.url == address
            np.testing.assert_array_equal(woken.colours(woken.heat), seen)
        view.page.bring_to_front()
        view.type("nobody sleeps")  # the tab is alive, and what else was set in it stays
        expect(view.tokens).to_have_count(2)
        view.expect(layer=told["layer"], head=told["head"])
    finally:
        before.kill(signal.SIGTERM)
        after.kill(signal.SIGTERM)


# ---- trainings -----------------------------------------------------------------------------------------------------


@pytest.mark.wide
def test_a_training_goes_on_through_a_reload_and_is_in_every_tab_but_in_nobody_elses(lab, context, stranger):
    page = opened(context, lab.address + ENDLESS)
    press(page, "Train")
    until(page, "running")
    expect(page.locator(".film")).to_have_attribute("data-frames", re.compile("[1-9]"))
    page.reload()
    shown(page)
    until(page, "running")
    expect(page.locator(".film")).to_have_attribute("data-frames", re.compile("[1-9]"))
    tab = opened(context, lab.address + "/live")
    until(tab, "running")
    other = opened(stranger, lab.address + "/live")
    until(other, "recorded")
    expect(other.get_by_role("button", name="Stop", exact=True)).to_have_count(0)
    press(tab, "Stop")
    until(tab, "stopped")
    until(page, "stopped")


@pytest.mark.wide
def test_after_the_server_was_killed_a_training_is_found_at_its_last_snapshot(lab, context):
    before = lab.kept()  # of visitors in other tests
    page = opened(context, lab.address + ENDLESS)
    press(page, "Train")
    until(page, "running")
    expect(page.locator(".film")).to_have_attribute("data-frames", re.compile("[1-9]"))
    while not lab.kept() - before:
        page.wait_for_timeout(50)
    lab.kill()
    lab.start()
    page.goto(lab.address + ENDLESS)
    shown(page)
    until(page, "paused")
    found = page.get_by_text(re.compile(r"Found again at step \d+; it was cut off there"))
    expect(found).to_be_visible()
    (at,) = re.findall(r"step (\d+);", found.inner_text())
    assert int(at) > 0
    expect(page.locator(".film .said.paused")).to_have_text(f"paused at step {at}")
    press(page, "Continue")
    until(page, "running")
    expect(found).to_have_count(0)
    press(page, "Stop")
    until(page, "stopped")
    assert int(re.findall(r"\d+", page.locator(".film .said.stopped").inner_text())[0]) >= int(at)


@pytest.mark.wide
def test_a_dropped_connection_takes_nothing_with_it(lab, context):
    context.add_init_script(f"({KEEP_SOCKETS})()")
    page = opened(context, lab.address + ENDLESS)
    press(page, "Train")
    until(page, "running")
    frames = page.locator(".film")
    expect(frames).to_have_attribute("data-frames", re.compile("[1-9]"))
    before = frames.get_attribute("data-frames") or ""
    page.evaluate("window.sockets.at(-1).close()")
    page.wait_for_function("() => window.sockets.length > 1 && window.sockets.at(-1).readyState === WebSocket.OPEN")
    expect(frames).not_to_have_attribute("data-frames", before)
    until(page, "running")
    press(page, "Stop")
    until(page, "stopped")
