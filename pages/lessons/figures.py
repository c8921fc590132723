"""The picture beside the first question of the first lesson, as HTML."""

from html import escape


def twice(text: str) -> str:
    """What is asked: the same beginning two times, and each time a word that nobody has seen yet."""
    one = f"<p>{escape(text)} <i>?</i></p>"
    return f'<figure class="lesson-twice" aria-label="One beginning, given twice">{one}<b>the same?</b>{one}</figure>'
