"""What Streamlit's own HTML document is: its markup, and the files that it loads only once a page asks for them."""

import re
from functools import cache
from pathlib import Path

import streamlit as st

STATIC = Path(st.__file__).parent / "static"
SCRIPTS = "static/js"
# What draws the things that nearly every page begins with: our components and markup, buttons, fields and links.
FIRST = ("BidiComponent", "Html", "Button", "ButtonGroup", "TextInput", "Slider", "PageLink", "MenuButton")
# What draws charts and colours code: megabytes that take a slow machine seconds to read, for what stands further down.
LAST = ("PlotlyChart", "StreamlitSyntaxHighlighter")
_EXPORT = re.compile(r"export\s*\{([^{}]*)\}\s*;?\s*$")
_IMPORT = re.compile(r"""(?:from|import)\s*["'`]\./([\w.-]+\.js)["'`]""")


@cache
def markup() -> str:
    """The document; raises FileNotFoundError where Streamlit keeps it elsewhere."""
    return (STATIC / "index.html").read_text(encoding="utf-8")


@cache
def first_scripts() -> tuple[str, ...]:
    """Addresses of the scripts in FIRST, and of all that they import, beside those that the document names itself.

    A browser would ask for them only when the first run of a page has come, and for what they import after that.
    """
    waiting = [file.name for name in FIRST for file in sorted((STATIC / SCRIPTS).glob(f"{name}.*.js"))]
    found: list[str] = []
    while waiting:
        name = waiting.pop()
        address = f"./{SCRIPTS}/{name}"
        if address in found or address in markup() or not (STATIC / SCRIPTS / name).is_file():
            continue
        found.append(address)
        waiting += _IMPORT.findall((STATIC / SCRIPTS / name).read_text(encoding="utf-8"))
    return tuple(found)


@cache
def last_scripts() -> dict[str, tuple[str, ...]]:
    """The names of the files in LAST -> what each of them exports. One whose exports cannot be read is left out."""
    files = [file for name in LAST for file in sorted((STATIC / SCRIPTS).glob(f"{name}.*.js"))]
    found = {file.name: _EXPORT.search(file.read_text(encoding="utf-8")) for file in files}
    return {
        name: tuple(one.split()[-1] for one in clause[1].split(",") if one.strip())
        for name, clause in found.items()
        if clause
    }
