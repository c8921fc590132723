"""The form of the code, as far as it can be counted: no function above 60 lines, no file above 400, no class of
JavaScript above 300. That no function is too tangled is ruff's part (C901, in pyproject.toml).

What is longer is listed with the lines that it may have and the reason; who shortens it takes it off the list.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
ROOMS = ("app.py", "transformer", "attention_view", "lab", "pages", "benchmarks")
_CLASS = re.compile(r"^(?:export )?class (\w+)(.*?)^}", re.MULTILINE | re.DOTALL)
FUNCTION, FILE, CLASS = 60, 400, 300  # lines at most

# A path, and for a function or class its name -> the lines that it may have.
LONGER = {
    # Figures that are described as one tree of settings, of which the formatter gives every one a line.
    "pages/finetuning/figures.py by_reviews": 76,
    "pages/attention/figures.py saturation_curves": 69,
    "pages/attention/figures.py two_places": 73,
    "pages/masks/figures.py blocked_rows": 79,
}


def longer(room: Path) -> Iterator[tuple[str, int]]:
    """What is longer than it may be, by its path (and name), and how long it is."""
    for file in [room] if room.is_file() else sorted(room.rglob("*")):
        path = file.relative_to(ROOT).as_posix() if file.is_relative_to(ROOT) else file.name
        if file.suffix == ".py":
            text = file.read_text(encoding="utf-8")
            if (n := text.count("\n")) > FILE:
                yield path, n
            for node in ast.walk(ast.parse(text)):
                if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                    assert node.end_lineno is not None
                    if (n := node.end_lineno - node.lineno + 1) > FUNCTION:
                        yield f"{path} {node.name}", n
        elif file.suffix == ".js" and "vendor" not in file.parts:
            for name, body in _CLASS.findall(file.read_text(encoding="utf-8")):
                if (n := body.count("\n") + 1) > CLASS:
                    yield f"{path} {name}", n


@pytest.mark.parametrize("room", ROOMS)
def test_nothing_is_longer_than_one_can_hold(room: str):
    faults = [f"{what} has {n} lines" for what, n in longer(ROOT / room) if n > LONGER.get(what, 0)]
    assert not faults, "\n".join(faults)


def test_the_list_of_exceptions_names_what_there_is():
    found = dict(pair for room in ROOMS for pair in longer(ROOT / room))
    assert set(LONGER) <= set(found), "these have become short: take them off the list"


def test_what_is_too_long_is_found(tmp_path: Path):
    (tmp_path / "long.py").write_text("def f():\n" + "    f()\n" * FUNCTION + "f()\n" * FILE)
    (tmp_path / "short.py").write_text("def f():\n" + "    f()\n" * (FUNCTION - 1))
    (tmp_path / "long.js").write_text("export class Film {\n" + "  x;\n" * CLASS + "}\nclass Small {\n}\n")
    assert dict(longer(tmp_path)) == {"long.js Film": CLASS + 2, "long.py": 461, "long.py f": 61}
