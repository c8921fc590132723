"""Why attention? What it has that recurrent networks and convolutions have not, and what it costs."""

from pages.shared.view import heading, render
from pages.why import cost, duration, heads, path_length

heading(
    "why",
    "Before attention, networks read a text word by word, or through a narrow window. With :violet[**attention**] every"
    " word is one step away from every other. Here is what that brings, and what it costs.",
)
render([path_length.VIEW, cost.VIEW, duration.VIEW, heads.VIEW], "why_view")
