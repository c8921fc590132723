"""What attention is shown on: a head of a model that reads a sentence, or matrices that can be edited."""

import re
from collections.abc import Callable, Mapping
from typing import NamedTuple, TypeVar

import numpy as np
import streamlit as st

from lab.kit import carried, settings
from lab.kit.controls import text_input
from lab.kit.controls.hyperparameters import SEED
from lab.kit.controls.reader import ReadBy, read_by, sentence_row
from lab.kit.figures.compare_figures import Sheet
from lab.kit.models.references import BeforeTraining, Untrained
from lab.kit.models.source import ModelRef
from pages.attention import data, matrices
from pages.attention.matrices import Matrices
from transformer import inspection
from transformer.core.config import TransformerConfig

T = TypeVar("T")

SENTENCE, SMALL, RANDOM = "a sentence", "small numbers", "random numbers"
NAMES = "Ann and Bob"  # two sentences that heads built by hand read: see two_places
MAX_TOKENS = 32
MAX_BUTTONS = 6  # layers up to which each has a button
CONFIG = TransformerConfig(d_model=64, n_heads=4, n_encoder_layers=1, n_decoder_layers=1, max_len=512)
# Links that name no source are older than the sentence as the first: these of their settings are of small numbers.
_OF_NUMBERS = {*(f"att_{name}" for name in "qkv"), *(f"att_{name}" for name in ("stage", "row", "col", "feature"))}


class Subject(NamedTuple):
    """What attention is shown on.

    matrices   Q, K and V; None where a head reads a sentence
    labels     one per query, and per key
    ref        the model that reads the sentence
    layer, head of that model
    is_causal  whether nobody may look at what comes later
    """

    matrices: Matrices | None
    labels: tuple[str, ...]
    ref: ModelRef | None
    layer: int
    head: int
    is_causal: bool

    def names(self, letter: str) -> tuple[str, ...]:
        """The labels of queries (letter "q") or keys ("k"): rows of a matrix are numbered, tokens are themselves."""
        return tuple(f"{letter}{label}" if self.matrices else label for label in self.labels)


def ask(sources: tuple[str, ...] = (SENTENCE, SMALL, RANDOM)) -> Subject | None:
    """The choice among these sources, and of what they need. It stands in the row.

    None for NAMES, and, with a notice, if there is no word to look at.
    """
    _follow_old_link(sources)
    with settings.place_named("row"):
        if sources[0] == SENTENCE:  # its box has the middle of the line; all else is behind the chips
            box = sentence_row()
            with settings.line(key="subject"):
                source = _ask_source(sources)
                if source == SENTENCE:
                    return _head_that_reads(read_by(for_any={"mask"}, box=box))
                shown_on, is_edited = _ask_numbers(source)
        else:
            source = _ask_source(sources)
            if source == NAMES:
                return None
            with settings.line(key="numbers"):
                shown_on, is_edited = _ask_numbers(source)
        if is_edited and not settings.replaying():
            st.button("Undo edits", icon=":material/undo:", on_click=matrices.undo_edits, key="att_undo")
    return shown_on


def _ask_source(sources: tuple[str, ...]) -> str:
    """One of these; each view opens on the first of its own, whatever another view is shown on."""
    known = {SENTENCE, SMALL, RANDOM, NAMES}
    return settings.choose(
        st.segmented_control,
        "Shown on",
        "att_on",
        sources,
        sources[0],
        follows=True,
        quiet=st.session_state.get("att_on", st.query_params.get("att_on")) in known,
        label_visibility="collapsed",
        wrap=True,
    )


def _ask_numbers(source: str) -> tuple[Subject, bool]:
    """Matrices, and whether somebody has edited them."""
    is_causal = _ask_mask()
    seed = 0
    if source == RANDOM:
        seed = SEED.ask(help="A different seed gives different random numbers.")
    defaults = matrices.SMALL if source == SMALL else data.random_matrices(seed)
    edited = matrices.edited((source, seed), defaults)
    return Subject(edited, ("1", "2", "3"), None, 0, 0, is_causal), edited != defaults


def _follow_old_link(sources: tuple[str, ...]) -> None:
    """An old link that has settings of small numbers, and names no source, means small numbers."""
    pinned = settings.replaying()
    if pinned is not None:
        if SMALL in sources and _means_numbers(pinned.pinned or {}) and pinned.pinned is not None:
            pinned.pinned.setdefault("att_on", SMALL)
    elif st.session_state.get("att_on") is None and _means_numbers(st.query_params.to_dict()):
        st.session_state["att_on"] = SMALL


def _means_numbers(link: Mapping[str, str]) -> bool:
    is_row = re.fullmatch(r"q\d", link.get("att_query", "")) is not None
    return "att_on" not in link and (is_row or bool(_OF_NUMBERS & link.keys()))


def _ask_mask() -> bool:
    mask = settings.choose(
        st.segmented_control,
        "Mask",
        "mask",
        ("none", "causal"),
        "none",
        chip="mask: {}",
        why="this page has no mask {}",
        help="Causal: nobody may look at what comes later.",
    )
    return mask == "causal"


def ask_head(further: Callable[[Subject], T]) -> tuple[Subject, T] | None:
    """A head of a model that reads the sentence in the box, and what is asked further of it behind the same chips."""
    typed = read_by(for_any={"mask"})
    is_decoder = typed.source is not None and typed.source.kind == "decoder"
    with settings.place_named("row"), settings.line("a decoder: causal" if is_decoder else "", key="head"):
        shown_on = _head_that_reads(typed)
        return None if shown_on is None else (shown_on, further(shown_on))


def _head_that_reads(typed: ReadBy) -> Subject | None:
    """The choice of a head of the model that reads this."""
    tokens = _first_tokens(typed.sentence.tokens, typed.sentence.left_out, typed.sentence.notices)
    source = typed.source
    if source is None:
        ref: ModelRef = Untrained("encoder", CONFIG, SEED.ask())
        n_layers, n_heads, layer, head = 1, CONFIG.n_heads, 0, 0
    else:
        ref, n_layers, n_heads = source.ref, source.n_layers, source.config.n_heads
        trained = ref.of if isinstance(ref, BeforeTraining) else ref
        own = source.cut(text_input.examples_for(source)[0])  # whatever is typed, one and the same head reads it
        layer, head = data.telling_head(trained, source.first(own, MAX_TOKENS))
    is_named = carried.bring_head(
        layer="att_at", head="att_head", fits=lambda layer, head: layer < n_layers and head < n_heads
    )
    if n_layers > 1:
        widget = st.segmented_control if n_layers <= MAX_BUTTONS else st.select_slider
        layer = settings.choose(
            widget,
            "Layer",
            "att_at",
            range(n_layers),
            layer,
            chip="layer {}",
            follows=True,
            why="this model has no layer {}",
            help="Layers are counted from 0, the lowest.",
        )
    head = settings.choose(
        st.selectbox,
        "Head",
        "att_head",
        range(n_heads),
        head,
        chip="head {}",
        follows=True,
        why="this model has no head {}",
        help="Each head has its own matrices, and so its own queries, keys and values. Heads are counted from 0.",
    )
    carried.keep_head((ref, tokens), layer, head, is_named=is_named)
    is_causal = False if source is not None and source.kind == "decoder" else _ask_mask()  # a decoder masks by itself
    return Subject(None, tokens, ref, layer, head, is_causal) if tokens else None


def _first_tokens(typed: tuple[str, ...], left_out: int, notices: tuple[str, ...]) -> tuple[str, ...]:
    """The first of these tokens, with notices on the others."""
    tokens = typed[:MAX_TOKENS]
    n_left_out = len(typed) + left_out - len(tokens)
    if n_left_out > left_out:  # one sentence counts all that is left out, in place of the box's own
        settings.notify(
            f"This page follows the first {MAX_TOKENS} tokens, so that every number can be seen; {n_left_out:,} more"
            " are left out. The heads page takes more."
        )
    else:
        settings.notify(*notices)
    if not tokens:
        settings.notify("There is no word to look at yet. Type a sentence, or choose one of the examples.")
    if len(tokens) == 1:
        settings.notify("A single word can only look at itself: its weight is 1, whatever the score.")
    return tokens


def steps(subject: Subject) -> "inspection.steps.Steps":
    """Its attention, stage by stage."""
    if subject.matrices:
        return data.steps_of_matrices(subject.matrices, subject.is_causal)
    assert subject.ref is not None
    return data.steps_of_head(subject.ref, subject.labels, subject.layer, subject.head, subject.is_causal)


def most_looked_at(subject: Subject, weights: np.ndarray) -> tuple[str, float]:
    """The key that gets most of the attention of all queries (T, S), and its mean attention weight."""
    means = weights.mean(0)
    key = int(means.argmax())
    return subject.names("k")[key], float(means[key])


def sheet(subject: Subject, weights: np.ndarray, steps: "inspection.steps.Steps") -> Sheet:
    """Weights (T, T) of a subject, for A | B."""
    axes = ("query", "key")
    return Sheet(weights, "attention weight", axes, subject.names("q"), subject.names("k"), steps.mask)
