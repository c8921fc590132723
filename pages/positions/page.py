"""How does a Transformer know the order of the words? Every way to tell it, one question at a time."""

from pages.positions import addition, clocks, distance, look_back, schemes, shuffle, too_far, waves
from pages.shared.view import heading, render

heading(
    "positions",
    "Attention alone does not: it sees a bag of words, as if their order were lost. So every token (a word, or a piece"
    " of one) is told its place. Some schemes **add** a pattern to its numbers; some **turn** its :blue[**query**]"
    " (what it asks with) and :orange[**key**] (what it is found by); some change the **score**, how well a query and"
    " a key fit, by distance.",
)
render(
    [
        shuffle.VIEW,
        waves.VIEW,
        addition.VIEW,
        distance.VIEW,
        clocks.VIEW,
        schemes.VIEW,
        look_back.VIEW,
        too_far.VIEW,
    ],
    "pos_view",
)
