"""Which lines of the source compute a term of the formula.

Lines are found in the syntax tree, by the tap that a statement calls or the name that it uses, never by number.
"""

import ast
import io
import tokenize
from collections.abc import Callable, Iterator
from functools import cache
from typing import TypedDict

from lab.kit import teaching

ATTENTION = "transformer/core/attention.py"
ROLES = {"q": "query", "k": "key", "v": "value", "weights": "weight"}  # names of the source that have a colour

Finder = Callable[[ast.stmt], bool]
Span = tuple[int, int, str]  # of a line: start, end, role


class Line(TypedDict):
    """One line of an excerpt; a role is the name of a colour, "comment" or ""."""

    number: int
    indent: int
    parts: list[list[str]]  # [text, role] each
    terms: list[str]


class Excerpt(TypedDict):
    """Lines of one function."""

    path: str
    name: str
    lines: list[Line]


def taps(name: str) -> Finder:
    """Finds the statements that hand a tensor of this name to the tap."""

    def finds(node: ast.stmt) -> bool:
        calls = (n for n in _within(node) if isinstance(n, ast.Call) and _name(n.func) == "tap")
        names = (call.args[0] for call in calls)
        return any(isinstance(argument, ast.Constant) and argument.value == name for argument in names)

    return finds


def _name(function: ast.expr) -> str:
    """The last part of a name: "tap" for both tap and ctx.tap."""
    return getattr(function, "attr", getattr(function, "id", ""))


def when(name: str) -> Finder:
    """Finds `if name:` with its whole body."""
    return lambda node: isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == name


def uses(name: str) -> Finder:
    """Finds the statements that read this variable, attribute or function."""
    return lambda node: any(
        (isinstance(n, ast.Name) and n.id == name and isinstance(n.ctx, ast.Load))
        or (isinstance(n, ast.Attribute) and n.attr == name)
        for n in _within(node)
    )


def returns(node: ast.stmt) -> bool:
    """Finds the return statement."""
    return isinstance(node, ast.Return)


def _within(node: ast.stmt) -> Iterator[ast.AST]:
    """The expressions of a statement itself, without those of the statements inside it."""
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, ast.stmt):
            yield from ast.walk(child)


def excerpt(path: str, name: str, terms: dict[str, tuple[Finder, ...]], *, only_terms: bool = False) -> Excerpt:
    """The body of a function as it ran, without its docstring, with the terms that each line computes.

    path, name  as in teaching.definition
    terms       what finds the statements of each term; LookupError if nothing does
    only_terms  leave out the lines of no term
    """
    text, function = teaching.definition(path, name)
    body = function.body[1:] if ast.get_docstring(function) is not None else function.body
    terms_by_line: dict[int, set[str]] = {}
    for term, finders in terms.items():
        numbers = [number for statement in body for number in _lines(statement, finders)]
        if not numbers:
            raise LookupError(f"no statement of {name} stands for {term}")
        for number in numbers:
            terms_by_line.setdefault(number, set()).add(term)
    source = text.splitlines()
    roles = _roles(text)
    lines: list[Line] = []
    for number in range(body[0].lineno, (body[-1].end_lineno or body[-1].lineno) + 1):
        line = source[number - 1]
        if line.strip() and (number in terms_by_line or not only_terms):
            indent = len(line) - len(line.lstrip()) - body[0].col_offset
            parts = _parts(line, roles.get(number, []))
            lines.append(
                {"number": number, "indent": indent, "parts": parts, "terms": sorted(terms_by_line.get(number, ()))}
            )
    return {"path": path, "name": name, "lines": lines}


def _lines(statement: ast.stmt, finders: tuple[Finder, ...]) -> Iterator[int]:
    """The lines of what these find in a statement and the statements inside it."""
    for node in ast.walk(statement):
        if isinstance(node, ast.stmt) and any(finder(node) for finder in finders):
            yield from range(node.lineno, (node.end_lineno or node.lineno) + 1)


def _roles(text: str) -> dict[int, list[Span]]:
    """Line -> its names and comments that have a colour; strings have none."""
    spans: dict[int, list[Span]] = {}
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        role = "comment" if token.type == tokenize.COMMENT else ""
        if token.type == tokenize.NAME:
            role = ROLES.get(token.string, "")
        if role:
            spans.setdefault(token.start[0], []).append((token.start[1], token.end[1], role))
    return spans


def _parts(line: str, spans: list[Span]) -> list[list[str]]:
    """A line without its indent, cut into [text, role]."""
    parts, at = [], len(line) - len(line.lstrip())
    for start, end, role in spans:
        parts += [[line[at:start], ""]] * (start > at) + [[line[start:end], role]]
        at = end
    return parts + [[line[at:], ""]] * (at < len(line))


@cache
def attention(*, from_stream: bool) -> list[Excerpt]:
    """Excerpts of attention.py with the code of every term of softmax(Q K^T / sqrt(d_k)) V.

    The terms are those of the stages, and q, k, v for the matrices: the lines that make them from the residual stream
    (from_stream=True), or that read them where they are given by hand. Shared by all visitors: nobody may change them.
    """
    formula: dict[str, tuple[Finder, ...]] = {
        "scores": (taps("scores"),),
        "scaled": (when("scaled"), taps("scaled")),
        "weights": (taps("weights"),),
        "output": (returns,),
    }
    masking = excerpt(ATTENTION, "masked_softmax", {"masked": (uses("where"), uses("masked_fill"))}, only_terms=True)
    if not from_stream:
        formula |= {"q": (taps("scores"),), "k": (taps("scores"),), "v": (returns,)}
        return [excerpt(ATTENTION, "scaled_dot_product_attention", formula), masking]
    projections: dict[str, tuple[Finder, ...]] = {"q": (uses("w_q"), taps("q")), "k": (taps("k"),), "v": (taps("v"),)}
    keys_values: dict[str, tuple[Finder, ...]] = {"k": (uses("w_k"),), "v": (uses("w_v"),)}
    return [
        excerpt(ATTENTION, "MultiHeadAttention.forward", projections, only_terms=True),
        excerpt(ATTENTION, "MultiHeadAttention.keys_values", keys_values, only_terms=True),
        excerpt(ATTENTION, "scaled_dot_product_attention", formula),
        masking,
    ]
