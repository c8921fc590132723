"""The names that dom.js gives to places on the page, for style sheets: `:--top-bar` is what scripts call DOM.topBar.

That is how CSS is going to spell such names itself (custom selectors); until browsers know them, they are put in here.
"""

import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

FILE = Path(__file__).with_name("dom.js")
_ENTRY = re.compile(r'^  (?:/\*\* (?P<why>.*) \*/|(?P<name>[a-zA-Z0-9]+): "(?P<selector>[^"]+)",)$', re.MULTILINE)
_USE = re.compile(r":--([a-z][a-z0-9-]*)")


class Hook(NamedTuple):
    """A place on the page: our name for it, the selector that finds it, and why we reach for it."""

    name: str
    selector: str
    why: str


@cache
def hooks() -> dict[str, Hook]:
    """All places by their names in style sheets ("top-bar")."""
    found: dict[str, Hook] = {}
    why = ""
    for entry in _ENTRY.finditer(FILE.read_text(encoding="utf-8")):
        why = entry["why"] or why  # what has no sentence of its own is one of a group, below the sentence for it
        if entry["name"]:
            name = re.sub(r"(?<=[a-z])(?=[A-Z0-9])", "-", entry["name"]).lower()
            found[name] = Hook(name, entry["selector"], why)
    return found


def sheet(text: str) -> str:
    """A style sheet of ours with the selectors of others in it. Raises KeyError for a name that is not in dom.js."""
    return _USE.sub(lambda use: hooks()[use[1]].selector, text)


def style(*files: Path) -> str:
    """These style sheets as one element, for st.html()."""
    return f"<style>{sheet(''.join(file.read_text(encoding='utf-8') for file in files))}</style>"
