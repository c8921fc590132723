"""Why attention? What it has that recurrent networks and convolutions have not, and what it costs."""

from lab.kit.view import heading, render
from pages.why import cost, path_length, variants

lede = heading(
    "why",
    "Older networks read word by word, or through a narrow window. With :violet[**attention**], every word is one step"
    " away from every other. That has its price.",
)
render([path_length.VIEW, cost.VIEW, variants.VIEW], "why_view", lede=lede)
