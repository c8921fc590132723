"""One server and one browser for all; a context of its own for every page, and no test passes over a console error."""

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
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, expect

from tests.browser.chromium import launch
from tests.browser.view import View

ROOT = Path(__file__).parents[2]
# Streamlit asks for these below the page's own path first, and then where they are.
PROBED = re.compile(r"/[^/]+/_stcore/|favicon")
SOON = 90  # seconds; reached only if something hangs


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


@pytest.fixture
def visit(browser: Browser, server: str) -> Iterator[Callable[..., View]]:
    """visit("/heads?layer=1") -> the View of a page in a fresh context, once painted; more goes to the context."""
    contexts: list[BrowserContext] = []
    complaints: list[str] = []

    def hear(message: ConsoleMessage) -> None:
        if message.type == "error" and not PROBED.search(message.location.get("url", "")):
            complaints.append(f"{message.text} {message.location}")

    def visit(path: str = "/heads", address: str = server, *, painted: bool = True, **more: Any) -> View:
        settings: dict[str, Any] = {"viewport": {"width": 1280, "height": 720}}
        context = browser.new_context(**settings | more)
        context.set_default_timeout(1000 * SOON)
        contexts.append(context)
        view = View(context.new_page())
        view.page.on("pageerror", lambda error: complaints.append(str(error)))
        view.page.on("console", hear)
        view.page.on("websocket", lambda socket: socket.on("framesent", lambda frame: view.sent.append(frame)))
        view.page.goto(address + path)
        if painted:
            view.page.locator(".attention-view[data-painted]").first.wait_for(state="attached")
            view.settle()
        return view

    yield visit
    for context in contexts:
        context.close()
    assert complaints == []
