"""The controls that both views on reviews share, and words on where the numbers come from."""

import streamlit as st

from lab.kit import settings
from transformer.training.classifier import DECAY
from transformer.training.studies.reviews import COMMAND, DEPTHS, MODEL, SIZES

DECAYS = (0.001, DECAY, 0.1)
DEPTH_NAMES = {depth: f"{depth} layers" for depth in DEPTHS} | {
    DEPTHS[0]: "embeddings only",
    DEPTHS[-1]: f"all {DEPTHS[-1]} layers",
}
RECORDED = f"MiniLM’s vectors are a recording of {MODEL} (Apache-2.0), with 8 bits per number: `{COMMAND}`."


def ask_depth() -> int:
    """After how many of MiniLM's layers its vectors are taken."""
    return settings.choose(
        st.segmented_control,
        "MiniLM’s layers",
        "fine_depth",
        DEPTHS,
        DEPTHS[-2],  # the best here: see “Which layer knows?”
        format_func=DEPTH_NAMES.__getitem__,
        chip="after {} layers",
    )


def ask_size(default: int, help: str) -> int:
    """How many reviews a classifier learns from."""
    return settings.choose(
        st.select_slider, "Reviews to learn from", "fine_reviews", SIZES, default, chip="{} reviews", help=help
    )


def ask_decay() -> float:
    """How strongly weights are pulled to zero."""
    return settings.choose(
        st.select_slider,
        "Weight decay",
        "fine_decay",
        DECAYS,
        DECAY,
        help="How strongly the classifier’s weights are pulled to zero, for every model alike.",
    )
