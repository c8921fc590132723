"""One server and one browser for all, pages that share its memory of files but nothing else, and no test passes over a
console error."""

import json
import os
import re
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, expect

from tests.browser.chromium import launch
from tests.browser.view import View

ROOT = Path(__file__).parents[2]
# Streamlit asks for these below the page's own path first, and then where they are.
PROBED = re.compile(r"/[^/]+/_stcore/|favicon")
SOON = 90  # seconds; reached only if something hangs
FORGET = "() => { localStorage.clear(); sessionStorage.clear(); }"


@contextmanager
def serve(script: str = "app.py") -> Iterator[str]:
    """A server in a process of its own, on a port that was free; its address."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    options = [f"--server.port={port}", "--server.address=127.0.0.1", "--server.fileWatcherType=none"]
    command = [sys.executable, "-m", "streamlit", "run", script, *options]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    process = subprocess.Popen(command, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}, **quiet)
    address = f"http://127.0.0.1:{port}"
    try:
        for _ in range(10 * SOON):
            assert process.poll() is None, "the server ended as soon as it began"
            try:
                urllib.request.urlopen(f"{address}/_stcore/health", timeout=1)
                break
            except OSError:
                time.sleep(0.1)
        yield address
    finally:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()


@pytest.fixture(scope="package")
def server() -> Iterator[str]:
    with serve() as address:
        yield address


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    expect.set_options(timeout=1000 * SOON)
    with launch() as browser:
        yield browser


@pytest.fixture(scope="package")
def context_for(browser: Browser) -> Iterator[Callable[..., BrowserContext]]:
    """context_for(color_scheme="dark") -> a context with these options and no page, which has the app's files already.

    Two pages in one context would be two tabs of one window, and Chromium paints no tab that is hidden.
    """
    contexts: dict[str, list[BrowserContext]] = {}

    def context_for(**options) -> BrowserContext:
        alike = contexts.setdefault(json.dumps(options, sort_keys=True), [])
        free = next((context for context in alike if not context.pages), None)
        if free is None:
            free = browser.new_context(**options)
            free.set_default_timeout(1000 * SOON)
            alike.append(free)
        return free

    yield context_for
    for alike in contexts.values():
        for context in alike:
            context.close()


@pytest.fixture
def visit(context_for: Callable[..., BrowserContext], server: str) -> Iterator[Callable[..., View]]:
    """visit("/heads?layer=1") -> the View of a page of its own, once painted; more goes to the context."""
    views: list[View] = []
    complaints: list[str] = []

    def hear(message: ConsoleMessage) -> None:
        if message.type == "error" and not PROBED.search(message.location.get("url", "")):
            complaints.append(f"{message.text} {message.location}")

    def visit(path: str = "/heads", address: str = server, *, painted: bool = True, **more) -> View:
        context = context_for(**{"viewport": {"width": 1280, "height": 720}, **more})
        view = View(context.new_page())
        views.append(view)
        view.page.on("pageerror", lambda error: complaints.append(str(error)))
        view.page.on("console", hear)
        view.page.on("websocket", lambda socket: socket.on("framesent", lambda frame: view.sent.append(frame)))
        view.page.goto(address + path)
        if painted:
            view.page.locator(".attention-view[data-painted]").first.wait_for(state="attached")
            view.settle()
        return view

    yield visit
    for view in views:  # what a visitor's browser keeps is not for the next test
        if not view.page.is_closed():
            view.page.evaluate(FORGET)
            view.page.context.clear_cookies()
            view.page.close()
    assert complaints == []
