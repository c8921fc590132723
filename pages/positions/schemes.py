"""The other ways to tell a model the order: all side by side, or one at a time."""

from pages.positions import alibi, learned, rotary, side_by_side, t5
from pages.shared.view import View, render

SCHEMES = (side_by_side.VIEW, learned.VIEW, rotary.VIEW, t5.VIEW, alibi.VIEW)


def draw(s: tuple[()], result: None) -> None:
    render(SCHEMES, "pos_scheme", label="Scheme")


VIEW = View("Schemes", ask=lambda: (), compute=lambda s: None, draw=draw, question="What other ways are there?")
