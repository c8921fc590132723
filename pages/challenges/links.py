"""What a puzzle judges: a page and the settings in its address. Nothing is ever fetched."""

from collections.abc import Mapping
from typing import NamedTuple
from urllib.parse import urlencode

from transformer.core.checks import InputError

# Of the address, but of no weight: what the frame, a lesson and A | B keep there, and the cell that is looked at.
NOT_JUDGED = {"puzzle", "lesson", "stop", "a", "v", "present", "embed", "embed_options", "query", "key"}


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


def cleaned(link: Mapping[str, str]) -> dict[str, str]:
    """The settings of an address that say what its page shows."""
    return {name: value for name, value in link.items() if name not in NOT_JUDGED}
