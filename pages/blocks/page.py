"""What happens inside one layer? Its stations, the stream that runs through, and what breaks without them."""

from pages.blocks import ablation, dropout, linearity, one_layer, residual_stream, shape_table
from pages.shared.view import heading, render

heading(
    "blocks",
    "Tokens look at one another (**attention**), then each is worked on alone (**feed-forward**). Both add to one "
    "**stream** of vectors.",
)
VIEWS = [one_layer.VIEW, residual_stream.VIEW, ablation.VIEW, shape_table.VIEW, linearity.VIEW, dropout.VIEW]
render(VIEWS, "blocks_part")
