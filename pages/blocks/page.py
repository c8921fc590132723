"""What happens inside one layer? Its parts one by one, the stream that runs through, and what breaks without them."""

from pages.blocks import (
    ablation,
    depth,
    dropout,
    feed_forward,
    layer_norm,
    linearity,
    one_layer,
    residual_stream,
    shape_table,
)
from pages.shared.view import heading, render

heading(
    "blocks",
    "Words look at each other (:violet[**attention**]), then each is worked on alone (**feed-forward**). What these "
    "two *sublayers* find is added to the :green[**stream**]: one vector a word, through all layers. The weights are "
    "random where nothing else is said.",
)
VIEWS = [
    one_layer.VIEW,
    layer_norm.VIEW,
    feed_forward.VIEW,
    residual_stream.VIEW,
    ablation.VIEW,
    depth.VIEW,
    linearity.VIEW,
    dropout.VIEW,
    shape_table.VIEW,
]
render(VIEWS, "blocks_part")
