"""The picture beside the first question of the first lesson, as HTML."""

from collections.abc import Sequence
from html import escape

IN_A_ROW = 4


def next_words(text: str, words: Sequence[tuple[str, float]]) -> str:
    """What may come after a text: each word with its probability, on a tile whose area is that probability."""
    rows = [words[n : n + IN_A_ROW] for n in range(0, len(words), IN_A_ROW)]
    most = max((p for _, p in words), default=0.0)
    wall = "".join(_row(row) for row in rows)
    return (
        f'<figure class="lesson-next-words" aria-label="What the model may write next">'
        f"<p>{escape(text)} <i>?</i></p><div>{wall}</div>"
        f"<figcaption>A small model gives {len(words)} words a chance, and none more than {most:.0%}.</figcaption>"
        "</figure>"
    )


def _row(words: Sequence[tuple[str, float]]) -> str:
    tiles = "".join(f'<li style="--p:{p:.4f}"><b>{escape(word)}</b> {p:.1%}</li>' for word, p in words)
    return f'<ul style="--p:{sum(p for _, p in words):.4f}">{tiles}</ul>'
