"""A cable between an English sentence and the French that is written from it: as it is pulled out, less arrives."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from lab.kit.components import component

_mount = component("wiring_plugs", Path(__file__).parent)


def wiring_plugs(
    source: Sequence[str],
    arrives: Sequence[float],
    written: Sequence[Sequence[str]],
    likely: Sequence[Sequence[float]],
    glosses: Mapping[str, str],
    *,
    key: str,
    on_another: Callable[[], None],
) -> None:
    """Show it; how much arrives is in the address, in percent, as mask_wire_left.

    source      the words of the English
    arrives     shares of what attention brings, from 0 to 1
    written     the words that are written, for each of these
    likely      how likely the model thinks each of them
    glosses     what French words mean
    on_another  is called when another English sentence is asked for
    """
    words = {word: glosses.get(word, "") for row in written for word in row}
    data = {"source": source, "arrives": arrives, "written": written, "likely": likely, "glosses": words}
    _mount(data=data, key=key, on_another_change=on_another)
