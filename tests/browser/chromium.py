"""Which Chromium the browser tests and the benchmarks drive; `python -m tests.browser.chromium` makes sure of one.

A Chromium that is installed on the machine is taken as it is (CHROMIUM=path names one); otherwise Playwright
downloads its own.
"""

import os
import shutil
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

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
MISSING = (
    "No Chromium was found, and the tests need one. Install it (Debian, Ubuntu: apt-get install chromium), name one"
    " with CHROMIUM=/path/to/chrome, or let Playwright fetch its own: .venv/bin/playwright install chromium"
)


def installed() -> str | None:
    """The Chromium of this machine, or None where Playwright's own is to be used."""
    named = os.environ.get("CHROMIUM")
    if named:
        return named
    return next(
        (path for name in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(name))), None
    )


@contextmanager
def launch():
    """A running browser. Raises RuntimeError with a sentence if there is none to run."""
    with sync_playwright() as playwright:
        path = installed() or playwright.chromium.executable_path
        if not Path(path).exists():
            raise RuntimeError(MISSING)
        browser: Browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        try:
            yield browser
        finally:
            browser.close()


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
