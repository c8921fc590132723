"""How is one attention weight made? Scaled dot-product attention, one step at a time, on numbers one can change."""

from pages.attention import guess_row, mix, saturation, softmax, step_by_step
from pages.shared.view import heading, render

heading(
    "attention",
    "Every word has three lists of numbers: a :blue[**query**] (what it looks for), a :orange[**key**] (what it can be"
    " found by) and a :green[**value**] (what it passes on). A query is compared with every key; the scores become"
    " :violet[**weights**] that add up to 1; the weights mix the values. Change any number.",
)
render([step_by_step.VIEW, softmax.VIEW, mix.VIEW, saturation.VIEW, guess_row.VIEW], "att_way")
