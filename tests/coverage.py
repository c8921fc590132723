"""COVERAGE.md, read: which tests it names. `python -m tests.coverage` mends the paths of tests that have moved."""

import ast
import re
import sys
from collections.abc import Collection, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
TABLE = ROOT / "tests" / "COVERAGE.md"
ROWS = (*map(str, range(1, 131)), "C10", *(f"interaction {n}" for n in range(1, 18)))  # of the list of concepts
WISHES = (  # what engineers' tools lack and what people who use them ask for, each a line that begins with "wish: "
    "an encoder",
    "cross-attention with both token lists",
    "a choice of masks, live",
    "causal against padding masks",
    "hyperparameters, live",
    "views of positional encodings",
    "all heads at once",
    "sorting by scores of heads",
    "comparison",
    "difference maps",
    "ablation by a click, before and after",
    "rollout",
    "training, attention forming",
    "other models and one's own",
    "own tensors from a file",
    "PNG, SVG, CSV of what is shown",
    "a link to any view",
    "seeds",
    "light and dark",
    "keyboard",
    "real numbers everywhere",
    "W_O shown",
    "are key and query swapped?",
    "why isn't the top token chosen?",
    "a legend that matches the data",
    "a neuron view for current models",
    "512 tokens",
    "a message where a model returns no attention",
    "nothing from another server",
    "vision",
    "whole words",
    "from tokens to the heatmap and back",
    "attention of generated tokens",
    "aggregates and the numbers themselves",
    "a standalone page and a notebook",
)
PARTS = (  # what families of models need of the core, each a control: lines that begin with "part: "
    "RMSNorm",
    "gated feed-forward: SwiGLU, GeGLU",
    "tanh GELU",
    "biases by part",
    "d_k apart from d_model / heads",
    "rotary: both layouts",
    "rotary: base",
    "rotary: a share of each head",
    "rotary: stretched",
    "sliding windows by layer",
    "T5's bias, shared by all layers",
    "embedding norm",
    "segments",
    "position offset",
    "parallel sublayers",
    "a transform before the logits",
    "patch embeddings",
)
EVERYWHERE = ("every page", "all")  # what the column of pages says of what is on all of them
_ABSENT = re.compile(r"^Not on screen yet: ([^.]*)\.$", re.MULTILINE)
_OF_ROW = re.compile(r"(?P<numbers>\d+(?:, \d+)*)(?![\d,])|(?P<name>C10\b|interaction \d+)")
_NAME = re.compile(r"(?=tests/|::)(?P<file>tests/[\w/.-]+\.(?:py|js))?(?:::(?P<test>\w+))?")
_LOOSE = re.compile(r"(?<![\w/:.])(?:\w+/)*test_\w+")


class Reference(NamedTuple):
    """A test that COVERAGE.md names, or a whole file of them: `tests/a/test_b.py::test_c`, and `::test_d` after it."""

    line: int
    file: str
    test: str | None

    def __str__(self) -> str:
        return f"{self.file}::{self.test}" if self.test else self.file


def references(text: str) -> Iterator[Reference]:
    """What the last column of the table names. Raises ValueError for a name that is written in another way."""
    for number, line in enumerate(text.splitlines(), 1):
        if not line.startswith("| ") or line.startswith("| row "):
            continue
        column, file = line.rstrip("| ").rpartition(" | ")[2], ""
        for match in _NAME.finditer(column):
            file = match["file"] or file
            if match["file"] or match["test"]:
                if not file:
                    raise ValueError(f"COVERAGE.md, line {number}: {match[0]} has no file before it")
                yield Reference(number, file, match["test"])
        if loose := _LOOSE.search(_NAME.sub(" ", column)):
            raise ValueError(
                f"COVERAGE.md, line {number}: write {loose[0]} as tests/folder/test_file.py::test_name, "
                "or as ::test_name behind another of the same file"
            )


class Line(NamedTuple):
    """A line of the table: the rows of the list that it is about, none for what is not on it; its pages, and where its
    tests are named."""

    rows: tuple[str, ...]
    pages: tuple[str, ...]
    tests: str


def lines(text: str) -> list[Line]:
    """The table, line by line. Raises ValueError for a line without four columns."""
    result = []
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("| ") and not line.startswith("| row "):
            columns = line.strip("| ").split(" | ")
            if len(columns) != 4:
                raise ValueError(f"COVERAGE.md, line {number}: {len(columns)} columns where there are four")
            match = _OF_ROW.match(columns[0])
            numbers, name = match.group("numbers", "name") if match else (None, None)
            rows = tuple(numbers.split(", ")) if numbers else (name,) if name else ()
            result.append(Line(rows, tuple(columns[1].split(", ")), columns[3]))
    return result


def absent(text: str) -> tuple[str, ...]:
    """The rows that the text says are not on screen yet; () where it says nothing."""
    match = _ABSENT.search(text)
    return tuple(match[1].split(", ")) if match else ()


def uncovered(text: str, urls: Collection[str]) -> list[str]:
    """What is missing for the text to cover the list of concepts, a sentence each.

    urls  the paths of the pages that there are, such as "heads"; "" for the front page
    """
    table, missing = lines(text), absent(text)
    covered = {row for line in table for row in line.rows if line.pages and (line.tests.strip("– "))}
    faults = [f"Row {row} has no line with a page and a test." for row in ROWS if row not in covered | {*missing}]
    faults += [f"Row {row} is said to be absent, and has a line." for row in missing if row in covered]
    named = {row for line in table for row in line.rows} | {*missing}
    faults += [f"There is no row {row} on the list." for row in sorted(named - {*ROWS})]
    for page in dict.fromkeys(page for line in table for page in line.pages):
        if page not in EVERYWHERE and not (page.startswith("/") and page[1:] in urls):
            faults.append(f"There is no page {page}.")
    return faults


def unfulfilled(text: str, urls: Collection[str]) -> list[str]:
    """Which of WISHES and PARTS have no line of their own with a page and a test by its name, a sentence each."""
    found: dict[str, list[str]] = {}
    for line in text.splitlines():
        if line.startswith(("| wish: ", "| part: ")):
            found.setdefault(line.strip("| ").split(" | ")[0], []).append(line)
    expected = [*(f"wish: {wish}" for wish in WISHES), *(f"part: {part}" for part in PARTS)]
    faults = [f"There is no line “{name}”." for name in expected if name not in found]
    faults += [f"“{name}” is not on the list." for name in found if name not in expected]
    for name, its in found.items():
        pages = its[0].strip("| ").split(" | ")[1].split(", ")
        if len(its) > 1:
            faults.append(f"“{name}” has {len(its)} lines.")
        if not any(page[1:] in urls or page in EVERYWHERE for page in pages):
            faults.append(f"“{name}” names no page.")
        if not any(reference.test for reference in references(its[0])):
            faults.append(f"“{name}” names no test, only files.")
    return faults


@cache
def tests_of(file: Path) -> frozenset[str]:
    """The names of the test functions in a file of Python."""
    if file.suffix != ".py":
        return frozenset()
    tree = ast.parse(file.read_text())
    return frozenset(n.name for n in ast.walk(tree) if isinstance(n, ast.FunctionDef) and n.name.startswith("test_"))


def places(reference: Reference) -> list[str]:
    """The files that have this test, or this name, wherever they are now."""
    files = [file for file in (ROOT / "tests").rglob("test_*.py") if "__pycache__" not in file.parts]
    if reference.test:
        fitting = [file for file in files if reference.test in tests_of(file)]
    else:
        fitting = [file for file in files if file.name == Path(reference.file).name]
    return sorted(file.relative_to(ROOT).as_posix() for file in fitting)


def fault(reference: Reference) -> str | None:
    """What is wrong with a reference, in a sentence; None if the test is there."""
    file = ROOT / reference.file
    if file.exists() and (reference.test is None or reference.test in tests_of(file)):
        return None
    missing = f"has no {reference.test}" if file.exists() else "does not exist"
    found = places(reference)
    hint = f"It is in {' and in '.join(found)} now: run python -m tests.coverage" if found else "It is nowhere"
    return f"COVERAGE.md, line {reference.line}: {reference.file} {missing}. {hint}."


def mended(text: str) -> str:
    """The text with the path of every test that has moved to exactly one other file."""
    lines = text.splitlines(keepends=True)
    by_line: dict[int, list[Reference]] = {}
    for reference in references(text):
        by_line.setdefault(reference.line, []).append(reference)
    for number, named in by_line.items():
        if any(fault(reference) for reference in named):
            now = [r._replace(file=found[0]) if fault(r) and len(found := places(r)) == 1 else r for r in named]
            lines[number - 1] = _rewritten(lines[number - 1], now)
    return "".join(lines)


def _rewritten(line: str, named: list[Reference]) -> str:
    """The line with these references in place of its own, the file written only where it is another one."""
    head, bar, column = line.rpartition(" | ")
    rest, file = iter(named), ""

    def replace(match: re.Match) -> str:
        nonlocal file
        if not (match["file"] or match["test"]):
            return match[0]
        reference = next(rest)
        text = str(reference) if reference.file != file or not reference.test else f"::{reference.test}"
        file = reference.file
        return text

    return head + bar + _NAME.sub(replace, column)


if __name__ == "__main__":
    TABLE.write_text(mended(TABLE.read_text()))
    faults = [fault(reference) for reference in references(TABLE.read_text())]
    sys.exit("\n".join(filter(None, faults)) or None)
