"""One line of a text as HTML. Everything is escaped, so no text can bring markup of its own.

Read are **bold**, *italic*, _stressed_, `code`, and the colours :blue[query], :orange[key], :green[value] and
:violet[weight].
"""

import re
from html import escape

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

_COLOUR = re.compile(r":(blue|orange|green|violet)\[([^\[\]]+)\]")
_TAGS = {"strong": "b", "em": "i"}


def _colour(state: StateInline, silent: bool) -> bool:
    """A rule for markdown-it: :blue[words], as Streamlit writes it."""
    match = _COLOUR.match(state.src, state.pos, state.posMax)
    if not match:
        return False
    if not silent:
        end = state.posMax
        state.push("colour_open", "span", 1).info = match[1]
        state.pos, state.posMax = match.span(2)
        state.md.inline.tokenize(state)
        state.push("colour_close", "span", -1)
        state.posMax = end
    state.pos = match.end()
    return True


_MARKS = MarkdownIt("zero").enable(["emphasis", "backticks"])
_MARKS.inline.ruler.push("colour", _colour)
_MARKS.parseInline("a")  # it lists its rules now, not while two threads read


def tokens(text: str) -> list[Token]:
    """What one line is made of: texts, code, and where each mark begins and ends."""
    (line,) = _MARKS.parseInline(text)
    return line.children or []


def plain(text: str) -> str:
    """One line without its marks, as plain text."""
    return "".join(token.content for token in tokens(text))


def quoted(text: str) -> str:
    """One line as plain text in which quotation marks stand for *italics*: where nothing leans, a word that is spoken
    of has to be told from the words that speak. One that is _stressed_ stands as it is: quotes would doubt it."""
    marks = {"em_open": "“", "em_close": "”"}
    return "".join(marks.get(token.type, "") if token.markup == "*" else token.content for token in tokens(text))


def html(text: str) -> str:
    """One line as HTML."""
    return "".join(_tag(token) for token in tokens(text))


def _tag(token: Token) -> str:
    if token.type == "code_inline":
        return f"<code>{escape(token.content)}</code>"
    if token.type == "colour_open":
        return f'<span class="lesson-{token.info}">'
    if token.nesting:
        return f"<{'/' if token.nesting < 0 else ''}{_TAGS.get(token.tag, token.tag)}>"
    return escape(token.content)
