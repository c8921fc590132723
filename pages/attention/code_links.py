"""Formula, matrix and code as three tongues for one thing: which lines of the source a term of the formula stands for.

Lines are found in the syntax tree, by the tap that a statement calls or the name that it uses, never by number.
"""

import ast
import io
import tokenize
from collections.abc import Callable, Iterator
from pathlib import Path

_ROOT = Path(__file__).parents[2]
ATTENTION = "transformer/attention.py"
ROLES = {"q": "query", "k": "key", "v": "value", "weights": "weight"}  # names of the source that have a colour

Finder = Callable[[ast.stmt], bool]


def taps(name: str) -> Finder:
    """Statements that hand a tensor of this name to the tap."""

    def finds(node: ast.stmt) -> bool:
        calls = (n for n in _within(node) if isinstance(n, ast.Call) and _name(n.func) == "tap")
        return any(isinstance(call.args[0], ast.Constant) and call.args[0].value == name for call in calls)

    return finds


def _name(function: ast.expr) -> str:
    """ "tap" for tap and for ctx.tap alike."""
    return getattr(function, "attr", getattr(function, "id", ""))


def when(name: str) -> Finder:
    """`if name:` with all that stands under it."""
    return lambda node: isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == name


def uses(name: str) -> Finder:
    """Statements that read this variable, attribute or function."""
    return lambda node: any(
        (isinstance(n, ast.Name) and n.id == name and isinstance(n.ctx, ast.Load))
        or (isinstance(n, ast.Attribute) and n.attr == name)
        for n in _within(node)
    )


def returns(node: ast.stmt) -> bool:
    """What the function gives back."""
    return isinstance(node, ast.Return)


def _within(node: ast.stmt) -> Iterator[ast.AST]:
    """A statement's own expressions, without the statements under it."""
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, ast.stmt):
            yield from ast.walk(child)


def excerpt(path: str, name: str, terms: dict[str, tuple[Finder, ...]], *, only_found: bool = False) -> dict:
    """The body of a function as it ran, without its docstring: {"path", "name", "lines"}.

    name may be dotted. terms says what stands for each term; every term must be found, or LookupError is raised. A
    line is {"number", "indent", "parts": [[text, role], ...], "terms": [...]}; role is a colour's name, "comment" or
    "". only_found=True leaves out what stands for no term.
    """
    text = (_ROOT / path).read_text()
    scope: ast.AST = ast.parse(text)
    for part in name.split("."):
        inside = [n for n in ast.iter_child_nodes(scope) if getattr(n, "name", None) == part]
        if not inside:
            raise LookupError(f"there is no {name} in {path}")
        scope = inside[0]
    body = scope.body[1:] if ast.get_docstring(scope) else scope.body
    found: dict[int, set[str]] = {}
    for term, finders in terms.items():
        lines = [
            number
            for statement in body
            for node in ast.walk(statement)
            if isinstance(node, ast.stmt) and any(finder(node) for finder in finders)
            for number in range(node.lineno, node.end_lineno + 1)
        ]
        if not lines:
            raise LookupError(f"no statement of {name} stands for {term}")
        for number in lines:
            found.setdefault(number, set()).add(term)
    source = text.splitlines()
    roles = _roles(text)
    indent = body[0].col_offset
    shown = [n for n in range(body[0].lineno, body[-1].end_lineno + 1) if source[n - 1].strip()]
    return {
        "path": path,
        "name": name,
        "lines": [
            {
                "number": n,
                "indent": len(source[n - 1]) - len(source[n - 1].lstrip()) - indent,
                "parts": _parts(source[n - 1], roles.get(n, [])),
                "terms": sorted(found.get(n, ())),
            }
            for n in shown
            if not only_found or n in found
        ],
    }


def _roles(text: str) -> dict[int, list[tuple[int, int, str]]]:
    """line -> (start, end, role) of what has a colour in it; strings are left alone."""
    spans: dict[int, list[tuple[int, int, str]]] = {}
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        role = "comment" if token.type == tokenize.COMMENT else ""
        if token.type == tokenize.NAME:
            role = ROLES.get(token.string, "")
        if role:
            spans.setdefault(token.start[0], []).append((token.start[1], token.end[1], role))
    return spans


def _parts(line: str, spans: list[tuple[int, int, str]]) -> list[list[str]]:
    parts, at = [], len(line) - len(line.lstrip())
    for start, end, role in spans:
        parts += [[line[at:start], ""]] * (start > at) + [[line[start:end], role]]
        at = end
    return parts + [[line[at:], ""]] * (at < len(line))


def attention(*, from_stream: bool) -> list[dict]:
    """Every term of softmax(Q K^T / sqrt(d_k)) V and its code: excerpts of attention.py.

    The terms are those of the stages, and q, k, v for the matrices themselves: made from the stream of words
    (from_stream=True), or given by hand and then found where they are read.
    """
    formula = {
        "scores": (taps("scores"),),
        "scaled": (when("scaled"), taps("scaled")),
        "weights": (taps("weights"),),
        "output": (returns,),
    }
    masking = excerpt(ATTENTION, "masked_softmax", {"masked": (uses("where"), uses("masked_fill"))}, only_found=True)
    if not from_stream:
        formula |= {"q": (taps("scores"),), "k": (taps("scores"),), "v": (returns,)}
        return [excerpt(ATTENTION, "scaled_dot_product_attention", formula), masking]
    met = {"q": (uses("w_q"), taps("q")), "k": (taps("k"),), "v": (taps("v"),)}
    made = {"k": (uses("w_k"),), "v": (uses("w_v"),)}
    return [
        excerpt(ATTENTION, "MultiHeadAttention.forward", met, only_found=True),
        excerpt(ATTENTION, "MultiHeadAttention.keys_values", made, only_found=True),
        excerpt(ATTENTION, "scaled_dot_product_attention", formula),
        masking,
    ]
