"""The words as the browser gets them: plain data with ready links, to be drawn by components/card.js."""

from functools import cache
from typing import Any
from urllib.parse import urlencode

from lab.kit import catalogue
from lab.kit.glossary import words
from lab.kit.glossary.shapes import HEIGHT, WIDTH
from lab.kit.glossary.words import LINK, Place, Word


def address(place: Place) -> str:
    """The link to a place, from the root of the app: "blocks?blocks_part=Ablation". Raises LookupError if there is no
    such page or view."""
    page = catalogue.page(place.page)
    query = dict(place.settings)
    if place.view:
        tab = page.view(place.view)
        query = {page.switch: tab.name, **query}
    return page.url + (f"?{urlencode(query)}" if query else "")


def parts(sentence: str) -> list[str | list[str]]:
    """A sentence as text and links: [name of the word, how it reads]."""
    result: list[str | list[str]] = []
    at = 0
    for match in LINK.finditer(sentence):
        result += [sentence[at : match.start()], [match[1], match[2] or match[1]]]
        at = match.end()
    return [part for part in (*result, sentence[at:]) if part]


def described(word: Word) -> dict[str, Any]:
    """One word for the browser."""
    title = catalogue.page(word.place.page).title
    return {
        "name": word.name,
        "sentence": parts(word.sentence),
        "picture": word.picture,
        "size": (WIDTH, HEIGHT),
        "href": address(word.place),
        "place": f"{title}, {word.place.view}" if word.place.view else title,
        "also": word.also,
        "forms": word.written,
        "pages": word.pages,
        "asked": word.asked,
    }


@cache
def groups() -> list[dict[str, Any]]:
    """All words for the browser, in their groups: [{"title", "words"}]."""
    return [{"title": title, "words": [described(word) for word in group]} for title, group in words.groups().items()]
