"""Visits to the app as its server runs them, for the tests of pages."""

from pathlib import Path

from streamlit.testing.v1 import AppTest
from streamlit.util import calc_hash

APP = Path(__file__).parents[2] / "app.py"


def open_page(at: AppTest, url: str) -> AppTest:
    """Point a visitor at the page with this path ("" for the front page); the next run shows it."""
    # switch_page() knows a page by the name of its file until the app has run once. All of ours are called page.py,
    # so the page is named as st.navigation names it: by its path.
    at._page_hash = calc_hash(url)
    return at


def visit(url: str, *, timeout: float = 60, **link: str) -> AppTest:
    """The page at this path as a link with these settings opens it."""
    at = AppTest.from_file(str(APP), default_timeout=timeout)
    for name, value in link.items():
        at.query_params[name] = value
    return open_page(at, url).run()
