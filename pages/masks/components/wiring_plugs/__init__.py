"""A cable between an English sentence and the French that is written from it: as it is pulled out, less arrives."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from lab.kit.components import component

_mount = component("wiring_plugs", Path(__file__).parent)


def wiring_plugs(
    source: Sequence[str],
    arrives: Sequence[float],
    written: Sequence[Sequence[str]],
    glosses: Mapping[str, str],
    *,
    key: str,
) -> None:
    """Show it; how much arrives is in the address, in percent, as mask_wire_left.

    source   the words of the English
    arrives  shares of what attention brings, from 0 to 1
    written  the words that are written, for each of these
    glosses  what French words mean
    """
    words = {word: glosses.get(word, "") for row in written for word in row}
    _mount(data={"source": source, "arrives": arrives, "written": written, "glosses": words}, key=key)
