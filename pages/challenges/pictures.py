"""Small pictures of the puzzles that are played on other pages, as HTML: what is so now, and what it is to become.

Every number in them is one that the checks compute.
"""

from collections.abc import Sequence
from html import escape

import numpy as np

LOWEST = 1e-3  # of a loss, on its logarithmic axis


def _picture(inside: str, says: str) -> str:
    return f'<div class="puzzle-picture" data-figure="puzzle" role="img" aria-label="{escape(says)}">{inside}</div>'


def two_bars(text: str, shares: dict[str, float], wanted: float) -> str:
    """The probability of each word after a text, with a line at what both are to reach."""
    goal = f"left: {100 * wanted:g}%"
    rows = "".join(
        f'<b>{escape(word)}</b><span class="track"><i style="width: {100 * share:.1f}%"></i>'
        f'<u style="{goal}"></u></span><span>{share:.2f}</span>'
        for word, share in shares.items()
    )
    says = " and ".join(f"{word} {share:.2f}" for word, share in shares.items())
    return _picture(
        f'<p>{escape(text)} …</p><div class="puzzle-bars">{rows}<span></span>'
        f'<span class="puzzle-goal"><em style="{goal}">goal: both {wanted:g}</em></span></div>',
        f"After “{text}”: {says}; the goal is {wanted:g} for both.",
    )


def right_so_far(english: Sequence[str], written: Sequence[str], right: Sequence[str]) -> str:
    """A sentence, and below it what the translator writes: a word that is not right is struck out."""
    is_right = [n < len(right) and word == right[n] for n, word in enumerate(written)]
    words = "".join(
        f"<b>{escape(word)}</b>" if fits else f"<b><s>{escape(word)}</s></b>"
        for word, fits in zip(written, is_right, strict=True)
    )
    n_right = f"✓ {sum(is_right)} of {len(right)} words right"
    return _picture(
        f'<p>{escape(" ".join(english))}</p><div class="puzzle-words">{words}</div><p>{n_right}. Goal: one wrong</p>',
        f"{' '.join(english)}: {' '.join(written)}. {n_right}; the goal is a wrong one.",
    )


def falling_loss(steps: np.ndarray, losses: np.ndarray, goal: float, widths: tuple[int, int]) -> str:
    """How the loss of a wider model fell, as bars on a logarithmic scale, and a line at the goal.

    widths  of that model, and of the one that is to be trained
    """
    low, top = np.log(LOWEST), np.log(losses.max())

    def height(loss: float) -> float:
        return 100 * max(0.0, float((np.log(loss) - low) / (top - low)))

    bars = "".join(
        f'<i class="{"below" if loss < goal else "above"}" style="height: {height(loss):.0f}%"></i>' for loss in losses
    )
    wide, narrow = widths
    return _picture(
        f"<p>{wide} wide: {losses[-1]:.3f} after {steps[-1]} steps. {narrow} wide: <b>?</b></p>"
        f'<div class="puzzle-loss">{bars}<u style="bottom: {height(goal):.0f}%"></u>'
        f'<em style="bottom: {height(goal):.0f}%">goal: below {goal:g} (log scale)</em></div>',
        f"The loss of a model {wide} wide falls to {losses[-1]:.3f}; the goal for one {narrow} wide is below {goal:g}.",
    )
