"""The components of this page, each under its key."""

from attention_view import Packed
from pages.shared.components.attention_view import Selection, attention_view


def heads(packed: Packed, *, report: bool = False) -> Selection | None:
    """Every head of a model: thumbnails, one head large, its ribbons, one cell's arithmetic.

    report=True also returns the head and cell that are chosen, at the price of a message a choice.
    """
    return attention_view(packed, key="heads_view", report=report)
