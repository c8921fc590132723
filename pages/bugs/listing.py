"""The lines among which the wrong one is looked for: the part with the fault, and code of the project around it.

All of it is read from the sources, never written down a second time; heads of functions are left out, and of a layer
what only records its numbers or hands on the context.
"""

import ast
import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import NamedTuple

from lab.kit import teaching
from pages.bugs.glosses import GLOSSES
from transformer.inspection.bugs.collection import EXHIBITS

PARTS = "transformer/inspection/bugs/parts.py"
LAYER = (("transformer/core/layers.py", "EncoderLayer.forward"),)
WHOLE = 6  # statements; a longer method is left out
FEW, MOST = 2, 5  # suspects that are too few to look among, and as many as have room beside the picture
_ATTENTION = ((PARTS, "Attention.score"), (PARTS, "Attention.weigh"))
_STACK = ((PARTS, "ReadsTheLayerBelow.each_layer"), *LAYER)
_TRAINING = (("transformer/inspection/bugs/trainings.py", "train"),)
_RECORDS = (
    (r"ctx\.tap\(\"\w+\", (.*)\)$", r"\1"),
    (r", positions=positions|, positions, ctx(?=\))|, (ctx=)?ctx(\.at\(\"\w+\"\))?(?=\))", ""),
    (r"x if self\.parallel else mid", "mid"),
)  # what is left out of a layer, which only records, hands on or is for other layers; and what stays
BESIDE = {
    "numbered-from-1": (
        ("transformer/training/text.py", "WordTokeniser.encode"),
        ("transformer/training/text.py", "WordTokeniser.decode"),
    ),
    "targets-not-shifted": _TRAINING,
    "loss-with-padding": _TRAINING,
    "no-warm-up": _TRAINING,
    "shared-layers": _STACK,
    "plain-list": _STACK,
    "wired-backwards": _ATTENTION,
}  # exhibit -> code around the part, where the class of the part has too little of its own and no layer calls it


class Line(NamedTuple):
    """A line of the listing.

    text   as it stands in the source, without its indentation
    gloss  what it is for
    cure   what stands there in the cure; None for a line with nothing wrong
    """

    text: str
    gloss: str
    cure: str | None = None


@cache
def listing(exhibit: str) -> tuple[Line, ...]:
    """The lines of an exhibit, the part with the fault among them."""
    found = EXHIBITS[exhibit]
    own: list[Line] = []
    for name in _methods(found.wrong) or [found.wrong]:
        own += _with_cures(found.wrong, found.right) if name == found.wrong else _function(PARTS, name)
    beside = BESIDE.get(exhibit)
    if beside is None:
        beside = LAYER if len(own) <= FEW else ()
    around: list[Line] = []
    for path, name in beside:
        lines = _step(path, name) if name == "train" else _function(path, name)
        around += _plain(lines) if (path, name) in LAYER else lines
    is_first = list(EXHIBITS).index(exhibit) % 2  # the wrong line is not always among the last
    lines = (*own, *around) if is_first and beside is not _TRAINING else (*around, *own)
    wrong = next(n for n, line in enumerate(lines) if line.cure is not None)
    first = max(0, min(wrong - MOST // 2, len(lines) - MOST))
    return lines[first : first + MOST]


def _methods(wrong: str) -> list[str]:
    """The short methods of the class of a part, and of those that it extends in the same file, as they are defined."""
    owner, _, method = wrong.partition(".")
    names: dict[str, str] = {}
    while method and owner:
        try:
            _, node = teaching.definition(PARTS, owner)
        except LookupError:
            break
        assert isinstance(node, ast.ClassDef)
        own = [one.name for one in node.body if isinstance(one, ast.FunctionDef)]
        names = {name: f"{owner}.{name}" for name in own} | names
        owner = node.bases[0].id if node.bases and isinstance(node.bases[0], ast.Name) else ""
    return [name for name in names.values() if name == wrong or len(list(_function(PARTS, name))) <= WHOLE]


def _function(path: str, name: str) -> Iterator[Line]:
    """The statements of a function."""
    text, node = teaching.definition(path, name)
    assert isinstance(node, ast.FunctionDef)
    body = node.body[1:] if ast.get_docstring(node) is not None else node.body
    yield from _statements(text.splitlines(), body)


def _plain(lines: Iterable[Line]) -> Iterator[Line]:
    """The lines of a layer without what only records its numbers or hands on the context."""
    for line in lines:
        text = line.text
        for pattern, rest in _RECORDS:
            text = re.sub(pattern, rest, text)
        target, _, value = text.partition(" = ")
        if target != value:
            yield line._replace(text=text, gloss=GLOSSES.get(text, ""))


def _step(path: str, name: str) -> list[Line]:
    """The first loop of a function that trains, as far as the step of the optimiser."""
    text, node = teaching.definition(path, name)
    loop = next(one for one in node.body if isinstance(one, ast.For))
    lines = list(_statements(text.splitlines(), [loop]))
    end = next(n for n, line in enumerate(lines) if line.text == "optimiser.step()")
    return lines[: end + 1]


def _statements(lines: list[str], body: list[ast.stmt]) -> Iterator[Line]:
    for node in body:
        inner = getattr(node, "body", [])
        last = inner[0].lineno - 1 if inner else node.end_lineno or node.lineno
        parts = [line.partition("  #")[0].strip() for line in lines[node.lineno - 1 : last]]
        joined = " ".join(part for part in parts if part and not part.startswith("#"))
        text = joined.replace("( ", "(").replace(" )", ")")
        yield Line(text, GLOSSES.get(text, ""))
        yield from _statements(lines, inner)


def _with_cures(wrong: str, right: str) -> list[Line]:
    """The part with the fault, and what its wrong line is in the cure."""
    faulty = list(_function(PARTS, wrong))
    cured = list(_function(PARTS, right))
    known = {line.text for line in cured}
    spare = [line.text for line in cured if line.text not in {one.text for one in faulty}]
    differs = [n for n, line in enumerate(faulty) if line.text not in known]
    guilty = next(n for n in differs if "__init__" not in faulty[n].text)
    rest = [text for text in spare if "__init__" not in text]
    cure = "\n".join(rest[: 1 + len(rest) - sum("__init__" not in faulty[n].text for n in differs)])
    return [line._replace(cure=cure) if n == guilty else line for n, line in enumerate(faulty)]
