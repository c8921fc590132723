"""Why attention? What it has that recurrent networks and convolutions have not, and what it costs."""

from pages.shared.view import heading, render
from pages.why import draw_first, path_length, price, recall, scaling, variants

lede = heading(
    "why",
    "Older networks read word by word, or through a narrow window. With :violet[**attention**], every word is one step"
    " away from every other. That has its price.",
)
render(
    [path_length.VIEW, price.VIEW, recall.VIEW],
    "why_view",
    lede=lede,
    deeper=[draw_first.VIEW, variants.VIEW, scaling.VIEW],
)
