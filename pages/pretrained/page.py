"""What do the heads of real models do? Published models come in here, and all of their heads are seen at once."""

from pages.pretrained import attribution, door, heads, induction, lens, patching, tensors, unplug
from pages.shared.view import heading, render

heading(
    "pretrained",
    "These models have read more than anybody could in a lifetime. Nobody gave their heads a job; many found one.",
)
VIEWS = [heads.VIEW, unplug.VIEW, door.VIEW, tensors.VIEW, patching.VIEW, attribution.VIEW, lens.VIEW, induction.VIEW]
render(VIEWS, "pretrained_view")
