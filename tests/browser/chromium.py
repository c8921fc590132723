"""Which Chromium the browser tests and the benchmarks drive; `python -m tests.browser.chromium` makes sure of one.

A Chromium that is installed on the machine is taken as it is (CHROMIUM=path names one); otherwise Playwright
downloads its own.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, BrowserContext, Playwright, sync_playwright

# The sandbox needs rights that containers and CI seldom give; the rest keeps Chromium from calling home.
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
# The headless shell draws the same, and a page costs it a tenth less.
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
MISSING = (
    "No Chromium was found, and the tests need one. Install it (Debian, Ubuntu: apt-get install chromium), name one"
    " with CHROMIUM=/path/to/chrome, or let Playwright fetch its own: .venv/bin/playwright install chromium"
)


def installed() -> str | None:
    """The Chromium of this machine, or None where Playwright's own is to be used."""
    named = os.environ.get("CHROMIUM")
    if named:
        return named
    return next((path for name in NAMES if (path := shutil.which(name))), None)


@contextmanager
def launch() -> Iterator[Browser]:
    """A running browser. Raises RuntimeError with a sentence if there is none to run."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=_path(playwright), args=FLAGS)
        try:
            yield browser
        finally:
            browser.close()


@contextmanager
def launch_with_profile(folder: Path) -> Iterator[BrowserContext]:
    """A running browser that keeps compiled scripts in `folder`, so that a second page costs a third less.

    Its `browser` opens further contexts, which begin with nothing. Raises RuntimeError as `launch` does.
    """
    with sync_playwright() as playwright:
        profile = playwright.chromium.launch_persistent_context(
            folder, executable_path=_path(playwright), args=FLAGS, no_viewport=True
        )
        try:
            yield profile
        finally:
            profile.close()


def _path(playwright: Playwright) -> str:
    path = installed() or playwright.chromium.executable_path
    if not Path(path).exists():
        raise RuntimeError(MISSING)
    return path


def main() -> int:
    if installed():
        return 0
    subprocess.run([sys.executable, "-m", "playwright", "install", "chromium"], check=False)
    try:
        with launch():
            return 0
    except Exception:
        print(MISSING, file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
