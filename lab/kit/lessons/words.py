"""The words of a lesson as HTML. Everything is escaped first, so no lesson can bring markup of its own.

Read are **bold**, *italic*, `code`, and the colours :blue[query], :orange[key], :green[value], :violet[weight].
"""

import re
from html import escape

_MARKS = (
    (re.compile(r"`([^`]+)`"), r"<code>\1</code>"),
    (re.compile(r":(blue|orange|green|violet)\[([^\[\]]+)\]"), r'<span class="lesson-\1">\2</span>'),
    (re.compile(r"\*\*(?=\S)([^*]+)\*\*"), r"<b>\1</b>"),
    (re.compile(r"\*(?=\S)([^*]+)\*"), r"<i>\1</i>"),
)


def plain(text: str) -> str:
    """One line of a lesson without its marks, as plain text."""
    for pattern, _ in _MARKS:
        text = pattern.sub(lambda match: match[match.lastindex or 0], text)
    return text


def html(text: str) -> str:
    """One line of a lesson as HTML."""
    marked = escape(text)
    for pattern, tag in _MARKS:
        marked = pattern.sub(tag, marked)
    return marked
