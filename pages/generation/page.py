"""How does a model choose the next word? Its probabilities, the draw, branches, and what makes it quick."""

from lab.kit.view import heading, render
from pages.generation import bet, cache, next_word, without_mask

lede = heading(
    "generation",
    "A decoder gives every token a probability of coming next, and one is drawn. Take its word or choose your own:"
    " either way it must carry on.",
)
render([next_word.VIEW, bet.VIEW, cache.VIEW, without_mask.VIEW], "gen_view", lede=lede)
