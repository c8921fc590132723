"""One server for all, a browser per worker; every test begins with nothing kept; none passes over a console error."""

import re
import subprocess
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, nullcontext
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Locator, Page, ViewportSize, expect

from tests.browser import hosts
from tests.browser.chromium import launch_with_profile
from tests.browser.view import View

ROOT = Path(__file__).parents[2]
# Streamlit asks for these below the page's own path first, and then where they are.
PROBED = re.compile(r"/[^/]+/_stcore/|favicon")
# And for the file of a download button as soon as that is drawn: it is gone if the page was left at that moment.
LEFT = re.compile(r"/media/\w+\.\w+$|Download Button source error - 404")
# A page is covered until its first screen is complete, and tests ask at once what it says. Those of the cover have it.
UNCOVERED = "document.addEventListener('readystatechange', () => (document.documentElement.dataset.opened = ''))"
SOON = 90  # seconds; reached only if something hangs, however busy the machine


def answered(process: subprocess.Popen[bytes], address: str) -> None:
    """Wait until this server is up."""
    for _ in range(10 * SOON):
        assert process.poll() is None, "the server ended as soon as it began"
        try:
            urllib.request.urlopen(f"{address}/_stcore/health", timeout=1)
            return
        except OSError:
            time.sleep(0.1)


def serve(script: str = "app.py") -> AbstractContextManager[str]:
    """A server in a process of its own, on a port that was free; its address."""
    return hosts.serve(answered, script)


SHARED = pytest.StashKey[str]()


def pytest_configure(config: pytest.Config) -> None:
    """Several workers share one server: it imports, loads and computes for the first time only once."""
    if getattr(config.option, "numprocesses", None) and not hasattr(config, "workerinput"):
        running = ExitStack()
        config.stash[SHARED] = running.enter_context(hosts.hosted(config.getoption("--host"), answered))
        config.add_cleanup(running.close)


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    node.workerinput["server"] = node.config.stash[SHARED]


@pytest.fixture(scope="package")
def server(pytestconfig: pytest.Config) -> Iterator[str]:
    shared = getattr(pytestconfig, "workerinput", {}).get("server")
    host = pytestconfig.getoption("--host")
    with nullcontext(shared) if shared else hosts.hosted(host, answered) as address:
        yield address


@pytest.fixture(scope="package")
def profile(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BrowserContext]:
    expect.set_options(timeout=1000 * SOON)
    with launch_with_profile(tmp_path_factory.mktemp("profile")) as profile:
        yield profile


@pytest.fixture(scope="package")
def browser(profile: BrowserContext) -> Browser:
    assert profile.browser is not None
    return profile.browser


@pytest.fixture(scope="package", autouse=True)
def _boxes() -> Iterator[None]:
    """What an answer of the server writes anew has no box for a moment; a test that measures it asks again then."""
    measured = Locator.bounding_box

    def box(self: Locator, *, timeout: float | None = None) -> Any:
        for _ in range(20):
            if found := measured(self, timeout=timeout):
                return found
            self.page.wait_for_timeout(50)
        return None

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Locator, "bounding_box", box)
        yield


@pytest.fixture
def visit(
    pytestconfig: pytest.Config, profile: BrowserContext, browser: Browser, server: str
) -> Iterator[Callable[..., View]]:
    """visit("/heads?layer=1") -> the View of a page, once painted, with nothing kept from another test.

    The first page of a test shares the profile, and with it compiled scripts; each further one, which would hide it in
    the same window, and each with settings that only a context can have, gets a context of its own. Without a path,
    nothing is opened yet.
    """
    is_cloud = pytestconfig.getoption("--host") == hosts.CLOUD
    expected: Callable[[str], object] = hosts.STATISTICS.search if is_cloud else lambda text: False
    opened: list[Page | BrowserContext] = []
    complaints: list[str] = []

    def hear(message: ConsoleMessage) -> None:
        url = message.location.get("url", "")
        is_expected = PROBED.search(url) or LEFT.search(url) or LEFT.search(message.text) or expected(message.text)
        if message.type == "error" and not is_expected:
            complaints.append(f"{message.text} {message.location}")

    def open_page(address: str, viewport: ViewportSize, more: dict[str, Any]) -> Page:
        if opened or more.keys() - {"color_scheme", "reduced_motion"}:
            context = browser.new_context(viewport=viewport, **more)
            opened.append(context)
            return context.new_page()
        page = profile.new_page()
        opened.append(page)
        kept = {"origin": address, "storageTypes": "local_storage,cookies,indexeddb"}
        profile.new_cdp_session(page).send("Storage.clearDataForOrigin", kept)
        page.set_viewport_size(viewport)
        page.emulate_media(color_scheme=more.get("color_scheme", "light"), reduced_motion=more.get("reduced_motion"))
        return page

    def visit(
        path: str | None = "/heads", address: str = server, *, painted: bool = True, covered: bool = False, **more: Any
    ) -> View:
        page = open_page(address, more.pop("viewport", {"width": 1280, "height": 720}), more)
        page.set_default_timeout(1000 * SOON)
        view = View(page)
        if not covered:
            page.add_init_script(UNCOVERED)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", hear)
        page.on("websocket", lambda socket: socket.on("framesent", lambda frame: view.sent.append(frame)))
        if path is None:
            return view
        page.goto(address + path)
        if painted:
            page.locator(".attention-view[data-painted]").first.wait_for(state="attached")
            view.settle()
        return view

    yield visit
    for one in opened:
        one.close()
    assert complaints == []


@pytest.fixture
def show(browser: Browser, tmp_path: Path) -> Iterator[Callable[..., Page]]:
    """show(html, **context) -> the page, drawn from a file; nothing but the file may be asked for."""
    contexts: list[BrowserContext] = []
    complaints: list[str] = []
    asked: list[str] = []

    def show(text: str, **more: Any) -> Page:
        file = tmp_path / "attention.html"
        file.write_text(text, encoding="utf-8")
        screen: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}}
        context = browser.new_context(**screen | more)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda message: complaints.append(message.text))
        page.on("request", lambda request: asked.append(request.url))
        page.goto(file.as_uri())
        if "<iframe" not in text:
            page.locator(".attention-view[data-painted]").wait_for()
        return page

    yield show
    for context in contexts:
        context.close()
    assert complaints == []
    assert all(url.startswith("file:") or url == "about:srcdoc" for url in asked), asked
