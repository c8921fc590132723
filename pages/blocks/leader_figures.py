"""The words that lead at each height of the stream, as a bump chart: who rises to the first place, and from where."""

from typing import Protocol

import numpy as np
import plotly.graph_objects as go

from lab.kit.figures import plot
from lab.kit.figures.palette import INK, LINE, PANEL, QUIET
from lab.kit.words import ordinal, percent, shorten

SMALLEST, LARGEST = 16, 30  # pixels: the letters of a word that is certain not to come, and of one that is sure to
ROW = 58  # pixels


class Leaders(Protocol):
    """The words ranked first at each of P + 1 heights, k each, (P + 1, k), and their probabilities; the rank, from 1,
    and the probability at each height of the word that the whole model says, (P + 1,)."""

    @property
    def words(self) -> tuple[tuple[str, ...], ...]: ...

    @property
    def odds(self) -> np.ndarray: ...

    @property
    def answer_ranks(self) -> np.ndarray: ...

    @property
    def answer_odds(self) -> np.ndarray: ...


def bumps(leaders: Leaders, heights: tuple[str, ...], n_words: int) -> go.Figure:
    """A row per height, a column per rank; the larger a word, the more probable. Lines join a word to itself one height
    up; that of the answer is in ink, and goes on beyond the last column where others lead by far.

    n_words  of the whole vocabulary
    """
    k, answer = len(leaders.words[0]), leaders.words[-1][0]
    figure = go.Figure([_others(leaders, answer), _answer(leaders, k), _points(leaders, heights)])
    for row, (words, odds) in enumerate(zip(leaders.words, leaders.odds, strict=True)):
        for column, (word, chance) in enumerate(zip(words, odds, strict=True)):
            _chip(figure, word, column, row, float(chance), is_answer=word == answer)
        rank = int(leaders.answer_ranks[row])
        if rank > k:
            chance = float(leaders.answer_odds[row])
            _chip(figure, answer, k, row, chance, is_answer=True, more=f" {ordinal(rank)}")
    ticks = ["leads", *(ordinal(rank) for rank in range(2, k + 1)), "far behind"]
    is_ahead = bool((leaders.answer_ranks <= k).all())
    figure.update_layout(
        height=min(110 + ROW * len(heights), 900),
        margin=plot.THIN_MARGIN,
        showlegend=False,
        hovermode="closest",
        xaxis=plot.axis(
            f"rank among {n_words:,} words",
            tickvals=list(range(k + 1)),
            ticktext=ticks,
            tickangle=0,
            range=[-0.5, k - 0.4 if is_ahead else k + 0.6],
        ),
        yaxis=plot.axis(
            "read out after",
            tickvals=list(range(len(heights))),
            ticktext=list(heights),
            range=[-0.6, len(heights) - 0.4],
        ),
    )
    return figure


def _answer(leaders: Leaders, k: int) -> go.Scatter:
    """The way of the answer, up to the first place."""
    x = np.minimum(leaders.answer_ranks - 1, k)
    return go.Scatter(x=x, y=np.arange(len(x)), mode="lines", line={"color": INK, "width": 4}, hoverinfo="skip")


def _others(leaders: Leaders, answer: str) -> go.Scatter:
    """The ways of all other words, as far as they are among the first."""
    x: list[int | None] = []
    y: list[int | None] = []
    for row, (words, above) in enumerate(zip(leaders.words, leaders.words[1:], strict=False)):
        for column, word in enumerate(words):
            if word in above and word != answer:
                x += [column, above.index(word), None]
                y += [row, row + 1, None]
    return go.Scatter(x=x, y=y, mode="lines", line={"color": QUIET, "width": 1.5}, opacity=0.6, hoverinfo="skip")


def _points(leaders: Leaders, heights: tuple[str, ...]) -> go.Scatter:
    """What is said of each word where one points at it."""
    k = len(leaders.words[0])
    said = [
        f"{heights[row]}: {plot.escaped(word)} is {ordinal(column + 1)}, {percent(float(leaders.odds[row, column]))}"
        for row, words in enumerate(leaders.words)
        for column, word in enumerate(words)
    ]
    rows, columns = np.indices((len(heights), k))
    return go.Scatter(
        x=columns.ravel(),
        y=rows.ravel(),
        mode="markers",
        marker={"size": 26, "opacity": 0, "color": INK},
        text=said,
        hovertemplate="%{text}<extra></extra>",
    )


def _chip(
    figure: go.Figure, word: str, column: int, row: int, chance: float, *, is_answer: bool, more: str = ""
) -> None:
    text = plot.escaped(shorten(word, 11)) + more
    figure.add_annotation(
        text=f"<b>{text}</b>" if column == 0 else text,
        x=column,
        y=row,
        showarrow=False,
        font={"size": round(SMALLEST + (LARGEST - SMALLEST) * chance**0.5, 1), "color": INK},
        bgcolor=PANEL,
        bordercolor=INK if is_answer else LINE,
        borderwidth=2 if is_answer else 1,
        borderpad=4,
    )
