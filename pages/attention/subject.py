"""What attention is shown on: matrices that can be edited, or a head of an untrained model that reads a sentence."""

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import streamlit as st

from pages.attention import data, matrices
from pages.attention.matrices import Matrices
from pages.shared import settings
from pages.shared.compare_figures import Sheet
from pages.shared.hyperparameters import SEED
from pages.shared.models import Untrained
from pages.shared.text_input import sentence
from transformer.config import TransformerConfig

if TYPE_CHECKING:
    from transformer.inspection.steps import Steps

SMALL, RANDOM, SENTENCE = "small numbers", "random numbers", "a sentence"
MAX_TOKENS = 32
CONFIG = TransformerConfig(d_model=64, n_heads=4, n_encoder_layers=1, n_decoder_layers=1, max_len=512)


class Subject(NamedTuple):
    """What attention is shown on.

    matrices   Q, K and V; None where a head reads a sentence
    labels     one per query, and per key
    seed, head of the model that reads the sentence
    is_causal  whether nobody may look at what comes later
    """

    matrices: Matrices | None
    labels: tuple[str, ...]
    seed: int
    head: int
    is_causal: bool

    def names(self, letter: str) -> tuple[str, ...]:
        """The labels of queries (letter "q") or keys ("k"): rows of a matrix are numbered, tokens are themselves."""
        return tuple(f"{letter}{label}" for label in self.labels) if self.matrices else self.labels


def ask(sources: tuple[str, ...] = (SMALL, RANDOM, SENTENCE)) -> Subject | None:
    """The choice among these sources; None, and a notice, if there is no word to look at. It stands in the row."""
    with settings.place_named("row"):
        source = settings.choose(st.segmented_control, "Shown on", "att_on", sources, sources[0])
        mask = settings.choose(
            st.segmented_control, "Mask", "mask", ("none", "causal"), "none",
            why="this page has no mask {}", help="causal: nobody may look at what comes later.",
        )  # fmt: skip
        seed = 0
        if source != SMALL:
            seed = SEED.ask("seed", help="Another seed draws other random numbers.", width=120)
        if source == SENTENCE:
            head = settings.choose(
                st.selectbox, "Head", "att_head", range(CONFIG.n_heads), 0, width=84,
                help="Each head has its own matrices, and so its own queries, keys and values.",
            )  # fmt: skip
        else:
            defaults = matrices.SMALL if source == SMALL else data.random_matrices(seed)
            edited = matrices.edited((source, seed), defaults)
            if edited != defaults and not settings.replaying():
                st.button("Undo edits", icon=":material/undo:", on_click=matrices.undo_edits, key="att_undo")
            return Subject(edited, ("1", "2", "3"), seed, 0, mask == "causal")
    tokens = _ask_tokens()
    return Subject(None, tokens, seed, head, mask == "causal") if tokens else None


def _ask_tokens() -> tuple[str, ...]:
    """The first tokens of the sentence in the box, with notices on the others."""
    typed = sentence()
    tokens = typed.tokens[:MAX_TOKENS]
    n_left_out = len(typed.tokens) + typed.left_out - len(tokens)
    if n_left_out > typed.left_out:  # one sentence counts all that is left out, in place of the box's own
        settings.notify(
            f"This page follows the first {MAX_TOKENS} tokens, so that every number can be seen; {n_left_out:,} more"
            " are left out. The heads page takes more."
        )
    else:
        settings.notify(*typed.notices)
    if not tokens:
        settings.notify("There is no word to look at yet. Type a sentence, or pick one of the examples.")
    if len(tokens) == 1:
        settings.notify("A single word can only look at itself: its weight is 1, whatever the score.")
    return tokens


def steps(subject: Subject) -> "Steps":
    """Its attention, stage by stage."""
    if subject.matrices:
        return data.steps_of_matrices(subject.matrices, subject.is_causal)
    ref = Untrained("encoder", CONFIG, subject.seed)
    return data.steps_of_head(ref, subject.labels, subject.head, subject.is_causal)


def sheet(subject: Subject, weights: np.ndarray, steps: "Steps") -> Sheet:
    """Weights (T, T) of a subject, for A | B."""
    axes = ("query", "key")
    return Sheet(weights, "weight", axes, subject.names("q"), subject.names("k"), steps.mask)
