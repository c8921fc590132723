"""Search over pages, views, lessons and words, from every page, and a card for every word of the glossary in prose.

All of it happens in the browser, which is given the index with the frame; no key pressed here is sent to the server.
"""

import json
import re
import zlib
from functools import cache
from pathlib import Path
from urllib.parse import urlencode

from lab.frame.lessons.lead import Place
from lab.kit import catalogue
from lab.kit.catalogue import PAGES
from lab.kit.components import component
from lab.kit.glossary import payload
from lab.kit.lessons import shelf
from lab.kit.texts.inline import plain

HERE = Path(__file__).parent
_mount = component("search", HERE)


def search(*, key: str) -> None:
    """Put the button on the page; the key / opens it as well."""
    _mount(data=index(), key=key, width="content")


@cache
def index() -> bytes:
    """All that can be found, as JSON, compressed: pages, views, lessons and words."""
    found = {
        "pages": [
            {"url": page.url, "name": page.title, "question": page.question, "text": f"{page.question} {page.help}"}
            for page in PAGES
        ],
        "views": [_view(entry) for entry in catalogue.views()],
        "lessons": _lessons(),
        "groups": payload.groups(),
    }
    return zlib.compress(json.dumps(found, separators=(",", ":")).encode())


def _view(entry: catalogue.Entry) -> dict[str, str]:
    """A view, by its name and the question that it answers, without colours and signs of emphasis."""
    link = dict(entry.tab.opens) or {entry.key: entry.value}
    question = re.sub(r":\w+\[(.*?)\]|[*`$]", r"\1", entry.tab.asks)
    return {"page": entry.page, "name": entry.tab.name, "question": question, "link": urlencode(link)}


def _lessons() -> list[dict[str, object]]:
    """The lessons that ship, each with its stops: where it begins, and what every stop says."""
    return [
        {
            "name": lesson.title,
            "text": plain(lesson.about),
            "stops": [
                {"name": plain(stop.heading), "text": plain(stop.say), "href": Place(name, number).address[2:]}
                for number, stop in enumerate(lesson.stops, 1)
            ],
        }
        for name, lesson in shelf.shipped().items()
    ]
