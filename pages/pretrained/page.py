"""What do the heads of real models do? Published models come in here, and all of their heads are seen at once."""

from pages.pretrained import heads, tensors, unplug
from pages.shared.view import heading, render

heading(
    "pretrained",
    "These models have read more than anybody could in a lifetime. Nobody gave their heads a job; many found one.",
)
render([heads.VIEW, unplug.VIEW, tensors.VIEW], "pretrained_view")
