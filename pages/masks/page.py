"""Who may look at whom? Masks by name and painted by hand, what leaks through them, and what blocking is made of."""

from pages.masks import attentions, batches, blocked_rows, leaks, paint, wiring
from pages.shared.view import heading, render

heading(
    "masks",
    "A mask says which :orange[**keys**] (words to be looked at) a :blue[**query**] (the word that looks) may look at. "
    "What it closes, hatched here, gets a :violet[**weight**], a share of the attention, of exactly 0.",
)
render([paint.VIEW, leaks.VIEW, blocked_rows.VIEW, attentions.VIEW, wiring.VIEW, batches.VIEW], "masks_view")
