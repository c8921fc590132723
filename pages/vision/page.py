"""How does it read a picture? A Vision Transformer: patches as words."""

from lab.kit.view import heading, render
from pages.vision import cut, look

lede = heading(
    "vision",
    "Cut a picture into squares, call each square a word, and the Transformer that reads texts reads pictures.",
)
render([look.VIEW, cut.VIEW], "vision_view", lede=lede)
