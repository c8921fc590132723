"""Links that visitors paste: which page of this app they open, with which settings. Nothing is ever fetched."""

from typing import NamedTuple
from urllib.parse import parse_qsl, urlencode, urlsplit

from pages.shared import catalogue
from transformer.checks import InputError

MAX_LETTERS = 4000
MAX_SETTINGS = 64


class Link(NamedTuple):
    """A page, by its path, and the settings in its address."""

    page: str
    settings: dict[str, str]

    @property
    def packed(self) -> str:
        """The settings as settings.collecting takes them."""
        return urlencode(self.settings)

    def number(self, name: str) -> int | None:
        """The whole number under this name; None where there is none. Raises InputError for anything else."""
        text = self.settings.get(name)
        if text is None:
            return None
        if not (text.isascii() and text.isdecimal() and len(text) <= 6):
            raise InputError(f"{name} in the link is not a whole number")
        return int(text)


def parse(text: str) -> Link:
    """The link in what somebody pasted: a whole address, or its end from the name of the page on.

    Raises InputError with a sentence where there is no link to this app in it.
    """
    text = text.strip()
    if len(text) > MAX_LETTERS:
        raise InputError(f"this link has {len(text):,} letters; at most {MAX_LETTERS:,} are read")
    try:
        parts = urlsplit(text)
        pairs = parse_qsl(parts.query, keep_blank_values=True, max_num_fields=MAX_SETTINGS)
    except ValueError:
        raise InputError("this is not a link; copy it from the address bar or from Share") from None
    name = parts.path.rstrip("/").rpartition("/")[2]
    if name not in {page.url for page in catalogue.PAGES if page.url}:
        raise InputError("this link opens no page of Attention Lab; copy it from the address bar or from Share")
    return Link(name, dict(pairs))
