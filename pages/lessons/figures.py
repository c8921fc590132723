"""The picture beside the first question of the first lesson, as HTML."""

from collections.abc import Sequence
from html import escape

IN_A_ROW = 4
NEARLY_ALL = 0.99  # of the probability, which is not written as a number


def next_words(text: str, words: Sequence[tuple[str, float]]) -> str:
    """What may come after a text: each word with its probability, on a tile whose area is that probability."""
    rows = [words[n : n + IN_A_ROW] for n in range(0, len(words), IN_A_ROW)]
    wall = "".join(_row(row) for row in rows)
    return (
        f'<figure class="lesson-next-words" aria-label="What the model may write next">'
        f"<p>{escape(text)} <i>?</i></p><div>{wall}</div>"
        f"<figcaption>{_shares(words)}</figcaption>"
        "</figure>"
    )


def _shares(words: Sequence[tuple[str, float]]) -> str:
    """How much probability these words share, with the decimals of the tiles; every other word has some as well."""
    together, most = sum(p for _, p in words), max((p for _, p in words), default=0.0)
    share = "almost all" if together > NEARLY_ALL else f"{together:.1%} of"
    return f"In a small model, {len(words)} words share {share} the probability; none gets more than {most:.1%}."


def _row(words: Sequence[tuple[str, float]]) -> str:
    tiles = "".join(f'<li style="--p:{p:.4f}"><b>{escape(word)}</b> {p:.1%}</li>' for word, p in words)
    return f'<ul style="--p:{sum(p for _, p in words):.4f}">{tiles}</ul>'
