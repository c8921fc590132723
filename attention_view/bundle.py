"""Scripts and style sheets as one text each, for browsers that get all at once and load nothing.

The scripts are ES modules: each imports what it uses from its neighbours, so that Node can test them as they are.
Joined into one module, their imports and exports go, except what the last one exports by default. Top-level names must
therefore differ between files that meet, which the browser and a test insist on.
"""

import re
from pathlib import Path

HERE = Path(__file__).parent
_IMPORT = re.compile(r'^import \{([^{}]*)\} from "(\.[^"]*)";\n', re.MULTILINE)
_SHEET = re.compile(r'^@import "(\.[^"]*)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async |const |class |function |let ))", re.MULTILINE)
_DEFAULT = re.compile(r"^export default [^\n]*;\n", re.MULTILINE)
_INDENT = re.compile(r"^ +", re.MULTILINE)
_COMMENT = re.compile(r"^(?://[^\n]*|/\*.*?\*/)?\n", re.MULTILINE | re.DOTALL)  # on lines of its own; or an empty line


def style(*files: Path) -> str:
    """The palette and what components share, for what has the class "lab", and then these style sheets, as one.

    A sheet begins with what it imports of its neighbours: @import "./part.css"; each comes once.
    """
    parts: dict[Path, str] = {}
    for file in (HERE / "palette.css", HERE / "lab.css", *files):
        _collect_sheets(file.resolve(), parts)
    return _lean("\n".join(parts.values()))


def _collect_sheets(file: Path, parts: dict[Path, str]) -> None:
    text = file.read_text(encoding="utf-8")
    for place in _SHEET.findall(text):
        neighbour = (file.parent / place).resolve()
        if neighbour not in parts:
            _collect_sheets(neighbour, parts)
    parts[file] = _SHEET.sub("", text)


def script(*entries: Path) -> str:
    """Scripts and all that they import, directly or not, as one module: every file once, and before those that use it.

    Raises ValueError for imports that joining would break: of a default, under another name, or of anything that is not
    a file beside it.
    """
    parts: dict[Path, str] = {}
    for entry in entries:
        _collect(entry.resolve(), parts, entry.resolve())
    return _lean("\n".join(parts.values()))


def _lean(text: str) -> str:
    """Without indents and comments: they are a third of what would travel, and nobody reads them there."""
    return _COMMENT.sub("", _INDENT.sub("", text))


def _collect(file: Path, parts: dict[Path, str], entry: Path) -> None:
    text = file.read_text(encoding="utf-8")
    for names, place in _IMPORT.findall(text):
        if re.search(r"\bas\b", names):
            raise ValueError(f"{file.name} imports {' '.join(names.split())}: only names as they are can be joined")
        neighbour = (file.parent / place).resolve()
        if neighbour not in parts:
            _collect(neighbour, parts, entry)
    text = _EXPORT.sub("", _IMPORT.sub("", text))
    if file != entry:
        text = _DEFAULT.sub("", text)
    if re.search(r"^import\b", text, re.MULTILINE):
        raise ValueError(f'{file.name} has an import that is not of the kind: import {{ name }} from "./file.js";')
    parts[file] = text
