"""How is one attention weight made? Scaled dot-product attention, one step at a time, on numbers one can change."""

from lab.kit.view import heading, render
from pages.attention import guess_row, mix, projections, step_by_step

lede = heading(
    "attention",
    "A :blue[**query**] meets every :orange[**key**]; their scores become :violet[**attention weights**], shares of 1;"
    " these mix the :green[**values**].",
)
render([step_by_step.VIEW, projections.VIEW, guess_row.VIEW, mix.VIEW], "att_way", lede=lede)
