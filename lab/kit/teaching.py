"""What stands beside a figure: the formula, the code that ran, and a question to check oneself."""

import ast
import secrets
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from html import escape
from pathlib import Path
from random import Random
from threading import Lock
from typing import NamedTuple

import streamlit as st

_ROOT = Path(__file__).parents[2]
_parsing = Lock()


def formula(latex: str) -> None:
    r"""A formula with coloured terms: \q{...}, \k{...}, \v{...} and \w{...} take the colours of query, key, value and
    weight. The shades are readable on both the light and the dark ground."""
    for name, colour in (("q", "#1f86c7"), ("k", "#d8641a"), ("v", "#0f9270"), ("w", "#8f62c9")):
        latex = latex.replace(f"\\{name}{{", rf"\textcolor{{{colour}}}{{")
    st.latex(latex)


def code(path: str, name: str, *, without_docstring: bool = True) -> None:
    """The source of one function or class as it ran: `code("transformer/core/attention.py", "attention")`.

    name may be dotted ("MultiHeadAttention.forward"). It is found in the syntax tree, never by line.
    """
    text, line = source_of(path, name, without_docstring=without_docstring)
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


def source_of(path: str, name: str, *, without_docstring: bool = True) -> tuple[str, int]:
    """(source, first line) of a function or class in a file of this project. Raises LookupError if it is not there."""
    text, node = definition(path, name)
    lines = text.splitlines()
    first = node.lineno
    numbers = list(range(first, (node.end_lineno or first) + 1))
    if without_docstring and ast.get_docstring(node) is not None:
        docstring = node.body[0]
        numbers = [n for n in numbers if not docstring.lineno <= n <= (docstring.end_lineno or docstring.lineno)]
    indent = len(lines[first - 1]) - len(lines[first - 1].lstrip())
    return "\n".join(lines[n - 1][indent:] for n in numbers), first


# ---- questions to check oneself ------------------------------------------------------------------------------------


class Answer(NamedTuple):
    """One option of a question, and what is replied to whoever chooses it; both in Markdown."""

    text: str
    reply: str
    right: bool = False


TryIt = Mapping[str, object] | Callable[[], None]


class _Tried(NamedTuple):
    """Which option was chosen first, which one last."""

    first: int
    last: int


def check(
    question: str,
    *answers: Answer,
    key: str,
    try_it: TryIt | None = None,
    then: Callable[[], None] | None = None,
) -> None:
    """Draw a question with its options; once one is chosen, the reply to it and what is right.

    The options stand in an order that is drawn once per session and question. A choice can be changed, but the first
    one counts: a hidden `<span data-check="key" data-state="open|right|wrong">` says so to scripts in the browser.

    key     the page's path, a hyphen and a name: unique and stable, since readers' browsers keep what was solved
    try_it  settings of the page, by their keys in the address, that the button "Try it" puts in place; or what it calls
    then    is called when an answer is chosen; the whole page runs after it
    """
    if sum(answer.right for answer in answers) != 1:
        raise ValueError(f"the question {key} needs exactly one right answer")
    _card(question, answers, key, try_it, then)


@st.fragment  # a choice changes this card, and mostly nothing else on the page
def _card(
    question: str, answers: Sequence[Answer], key: str, try_it: TryIt | None, then: Callable[[], None] | None
) -> None:
    tried = _tries().get(key)
    if st.session_state.pop("_just_chosen", None) == key and then:
        then()
        st.rerun()
    with st.container(border=True, key=f"check-{key}", gap="small"):
        st.html(_marker(key, tried, answers))
        st.markdown(f"**Check yourself.** {question}")
        with st.container(key=f"answers-{key}", gap=None):
            seed = st.session_state.setdefault("_kept_order_of_answers", secrets.randbits(32))
            for n in _order(seed, key, len(answers)):
                st.button(
                    answers[n].text, key=f"{key}-{n}", type="tertiary", width="stretch", wrap=True,
                    icon=_icon(n, tried, answers), on_click=_choose, args=(key, n),
                )  # fmt: skip
        with st.container(key=f"reply-{key}", gap="small"):
            if tried is None:
                return
            st.markdown(_reply(answers[tried.last], answers))
            if try_it and st.button(
                "Try it", key=f"try-{key}", icon=":material/play_arrow:", on_click=_put_in_place, args=(try_it,)
            ):
                st.rerun()  # the whole page


def _tries() -> dict[str, _Tried]:
    return st.session_state.setdefault("_kept_checks", {})


def _choose(key: str, n: int) -> None:
    before = _tries().get(key)
    _tries()[key] = _Tried(before.first if before else n, n)
    st.session_state["_just_chosen"] = key


def _order(seed: int, key: str, n: int) -> list[int]:
    """The n options of a question in the order that a session with this seed sees them in."""
    return Random(f"{seed} {key}").sample(range(n), n)


def _marker(key: str, tried: _Tried | None, answers: Sequence[Answer]) -> str:
    state = "open" if tried is None else "right" if answers[tried.first].right else "wrong"
    return f'<span data-check="{escape(key)}" data-state="{state}" hidden></span>'


def _icon(n: int, tried: _Tried | None, answers: Sequence[Answer]) -> str:
    """A circle; once there is a choice, a tick at the right option and a cross at a wrong one that was chosen."""
    if tried is None or (not answers[n].right and n != tried.last):
        return ":material/radio_button_unchecked:"
    return ":material/check_circle:" if answers[n].right else ":material/cancel:"


def _reply(chosen: Answer, answers: Sequence[Answer]) -> str:
    if chosen.right:
        return f"**Right.** {chosen.reply}"
    right = next(answer for answer in answers if answer.right)
    return f"**Not quite.** {chosen.reply}\n\n**It is “{right.text}”.** {right.reply}"


def _put_in_place(settings: TryIt) -> None:
    """Set controls by their keys; what is no control on the page now goes to the address, from where it is read."""
    if callable(settings):
        settings()
        return
    for name, value in settings.items():
        if name in st.session_state:
            st.session_state[name] = value
        else:
            st.query_params[name] = str(value).lower() if isinstance(value, bool) else str(value)
