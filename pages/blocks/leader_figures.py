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
    """A row per height, a column per rank; the larger a word, the more probable. One line leads the answer to
    its place, from beyond the last column where others lead by far; it goes across between rows, and crosses no word.

    n_words  of the whole vocabulary
    """
    k, answer = len(leaders.words[0]), leaders.words[-1][0]
    figure = go.Figure([_answer(leaders, k), _points(leaders, heights)])
    for row, (words, odds) in enumerate(zip(leaders.words, leaders.odds, strict=True)):
        for column, (word, chance) in enumerate(zip(words, odds, strict=True)):
            _chip(figure, word, column, row, float(chance), is_answer=word == answer)
        rank = int(leaders.answer_ranks[row])
        if rank > k:
            chance = float(leaders.answer_odds[row])
            _chip(figure, answer, k, row, chance, is_answer=True, more=f" {ordinal(rank)}")
    _upwards(figure, len(heights))
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
            range=[-0.55, k - 0.4 if is_ahead else k + 0.6],
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
    """The way of the answer, up to the first place: it changes its column half-way between two rows."""
    places = np.minimum(leaders.answer_ranks - 1, k)
    x = np.repeat(places, 2)
    y = np.clip(np.repeat(np.arange(len(places)), 2) + np.tile([-0.5, 0.5], len(places)), 0, len(places) - 1)
    return go.Scatter(x=x, y=y, mode="lines", line={"color": INK, "width": 4}, hoverinfo="skip")


def _upwards(figure: go.Figure, n_heights: int) -> None:
    """An arrow beside the rows: they are read from below."""
    end = {
        "xref": "x",
        "yref": "y",
        "axref": "x",
        "ayref": "y",
        "x": -0.46,
        "ax": -0.46,
        "y": n_heights - 0.7,
        "ay": -0.3,
    }
    figure.add_annotation(**end, text="", showarrow=True, arrowhead=2, arrowsize=1.2, arrowwidth=1.5, arrowcolor=QUIET)


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
    colour = INK if is_answer or column == 0 else QUIET
    figure.add_annotation(
        text=f"<b>{text}</b>" if column == 0 else text,
        x=column,
        y=row,
        showarrow=False,
        font={"size": round(SMALLEST + (LARGEST - SMALLEST) * chance**0.5, 1), "color": colour},
        bgcolor=PANEL,
        bordercolor=INK if is_answer else LINE,
        borderwidth=2 if is_answer else 1,
        borderpad=4,
    )
