"""Where the zip of a model is dropped or chosen. It runs in the browser, which hands over what the server asks for."""

from collections.abc import Callable
from pathlib import Path

from pages.shared.components import component
from pages.shared.uploads import PATH

_mount = component("zip_door", Path(__file__).parent)


def zip_door(ticket: str, most: str, *, key: str, on_arrived: Callable[[], None]) -> None:
    """Put the door on the page.

    ticket      of the upload that the zip comes through; another one makes the door ready for another zip
    most        how large a model may be, for people
    on_arrived  called when all that was asked for is on the server
    """
    _mount(data={"ticket": ticket, "path": PATH.lstrip("/"), "most": most}, key=key, on_arrived_change=on_arrived)
