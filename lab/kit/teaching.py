"""What stands beside a figure: the formula, and the code that ran."""

import ast
from functools import cache
from pathlib import Path
from threading import Lock

import streamlit as st

_ROOT = Path(__file__).parents[2]
_parsing = Lock()


def formula(latex: str) -> None:
    r"""A formula with coloured terms: \q{...}, \k{...}, \v{...} and \w{...} take the colours of query, key, value and
    weight. The shades are readable on both the light and the dark ground."""
    for name, colour in (("q", "#1f86c7"), ("k", "#d8641a"), ("v", "#0f9270"), ("w", "#8f62c9")):
        latex = latex.replace(f"\\{name}{{", rf"\textcolor{{{colour}}}{{")
    st.latex(latex)


def code(path: str, name: str) -> None:
    """The source of one function or class as it ran: `code("transformer/core/attention.py", "attention")`.

    name may be dotted ("MultiHeadAttention.forward"). It is found in the syntax tree, never by line.
    """
    text, line = source_of(path, name)
    st.caption(f"`{path}`, line {line}")
    st.code(text, language="python", wrap_lines=True)


def code_expander(path: str, *names: str, icon: str | None = ":material/code:") -> None:
    """The source of some functions of one file, folded away."""
    with st.expander("The code that ran", icon=icon):
        for name in names:
            code(path, name)


@cache
def definition(path: str, name: str) -> tuple[str, ast.FunctionDef | ast.ClassDef]:
    """(text of the file, syntax tree) of a function or class of this project; name may be dotted.

    Raises LookupError if it is not there.
    """
    text, tree = _parsed(path)

    def member(body: list[ast.stmt], part: str) -> ast.FunctionDef | ast.ClassDef:
        for node in body:
            if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name == part:
                return node
        raise LookupError(f"there is no {name} in {path}")

    first, *rest = name.split(".")
    node = member(tree.body, first)
    for part in rest:
        node = member(node.body, part)
    return text, node


def _parsed(path: str) -> tuple[str, ast.Module]:
    """(text, syntax tree) of a file of this project."""
    # One thread at a time: CPython 3.11 counts the depth of all parsers in one place, and where the garbage collector
    # lets another thread in, both fail with a SystemError.
    with _parsing:
        return _parsed_once(path)


@cache  # what the first visitor is shown is what runs, and parsing a file takes a while
def _parsed_once(path: str) -> tuple[str, ast.Module]:
    text = (_ROOT / path).read_text(encoding="utf-8")
    return text, ast.parse(text)


def source_of(path: str, name: str) -> tuple[str, int]:
    """(source, first line) of a function or class in a file of this project. Raises LookupError if it is not there."""
    text, node = definition(path, name)
    lines = text.splitlines()
    first = node.lineno
    numbers = list(range(first, (node.end_lineno or first) + 1))
    if ast.get_docstring(node) is not None:
        docstring = node.body[0]
        numbers = [n for n in numbers if not docstring.lineno <= n <= (docstring.end_lineno or docstring.lineno)]
    indent = len(lines[first - 1]) - len(lines[first - 1].lstrip())
    return "\n".join(lines[n - 1][indent:] for n in numbers), first
