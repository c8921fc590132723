"""One attention and its three cables: queries, keys and values, each plugged into the encoder or the decoder.

A plug is dragged, clicked or moved with the keyboard; the choice comes back as [port, stream], which is checked here.
"""

from collections.abc import Callable, Mapping
from pathlib import Path

import streamlit as st

from lab.kit.components import component

PORTS = ("queries", "keys", "values")
STREAMS = ("encoder", "decoder")
_mount = component("wiring_plugs", Path(__file__).parent)


def wiring_plugs(
    sources: Mapping[str, str],
    lengths: Mapping[str, int],
    n_outputs: int | None,
    home: str,
    name: str,
    *,
    key: str,
    alt: str,
    on_plug: Callable[[], None],
) -> None:
    """Show it.

    sources    "queries", "keys", "values" -> the stream that feeds them
    lengths    "encoder", "decoder" -> number of its vectors
    n_outputs  vectors that come out, None if nothing can
    home       the stream whose residual connection they are meant for
    name       of the attention that this is, "" if it is none of the three
    on_plug    called after a plug was moved; plugged(key) then says which
    """
    data = {
        "sources": dict(sources),
        "lengths": dict(lengths),
        "outputs": n_outputs,
        "home": home,
        "name": name,
        "alt": alt,
    }
    _mount(data=data, key=key, on_plug_change=on_plug)


def plugged(key: str) -> tuple[str, str] | None:
    """The port whose plug was just moved, and the stream that it is in now; None for anything else."""
    match (st.session_state.get(key) or {}).get("plug"):
        case [str(port), str(stream)] if port in PORTS and stream in STREAMS:
            return port, stream
    return None
