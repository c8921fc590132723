"""How does a Transformer know the order of the words? Why it must be told, by what code, and how else."""

from lab.kit.view import heading, render
from pages.positions import encoding, other_ways, shuffle

lede = heading(
    "positions",
    "Attention alone sees a bag of words. Every token must be told its position, and this page tries all the ways in.",
)
render([shuffle.VIEW, encoding.VIEW, other_ways.VIEW], "pos_view", lede=lede)
