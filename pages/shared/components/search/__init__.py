"""Search over pages, views and words, from every page, and a card for every word of the glossary that prose uses.

All of it happens in the browser, which is given the index with the frame; no key pressed here is sent to the server.
"""

import json
import zlib
from functools import cache
from pathlib import Path

from pages.shared.catalogue import PAGES
from pages.shared.components import component
from pages.shared.glossary import payload
from pages.shared.view_index import views

HERE = Path(__file__).parent
_mount = component("search", HERE, looks_like=[HERE / "card.css"])


def search(*, key: str) -> None:
    """Put the button on the page; the key / opens it as well."""
    _mount(data=index(), key=key, width="content")


@cache
def index() -> bytes:
    """All that can be found, as JSON, compressed: pages, views and words."""
    found = {
        "pages": [
            {"url": page.url, "name": page.title, "question": page.question, "text": f"{page.question} {page.help}"}
            for page in PAGES
        ],
        "views": [view._asdict() for view in views()],
        "groups": payload.groups(),
    }
    return zlib.compress(json.dumps(found, separators=(",", ":")).encode())
