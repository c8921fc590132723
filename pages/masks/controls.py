"""The controls that views of this page share: the sentence, a second text, and the mask, by name or painted.

The painted mask lives in the session and, as a short string, in the link. Whatever comes from a link or from the
browser is read by components/mask_brush/code.py, which accepts nothing but a boolean mask of an allowed size.
"""

from typing import Any, NamedTuple
from urllib.parse import parse_qs

import numpy as np
import streamlit as st

from lab.hooks import runtime
from lab.kit import carried, settings
from lab.kit.controls.hyperparameters import MASKS, SPANS, ask_window_layers
from lab.kit.controls.reader import read_by
from lab.kit.controls.text_input import Sentence, cut
from lab.kit.models.source import Kind, ModelRef
from lab.kit.settings import MAX_TEXT
from pages.masks import data
from pages.masks.components.mask_brush import MAX_SIDE, fitted, pack, painted, unpack

BRUSH = "mask_brush"  # the key of the component that masks are painted in
MAX_BUTTONS = 6  # for layers; more are on a slider
PAINTED, PAINTED_KEY = "painted", "mask_painted"  # on screen; in links
NAMES = (*(mask.name for mask in MASKS), PAINTED)
TARGET = "L'animal n'a pas traversé la rue"
_NAMED = {mask.name: mask for mask in MASKS}


def row() -> Any:
    """A row for controls."""
    return settings.place(st.container, horizontal=True, vertical_alignment="bottom", gap="medium")


# ---- texts ---------------------------------------------------------------------------------------------------------


class Reading(NamedTuple):
    """The tokens of a sentence, as many as a mask can be painted for, and who reads them: None for a small untrained
    model of the view's own."""

    ref: ModelRef | None
    tokens: tuple[str, ...]

    @property
    def kind(self) -> Kind | None:
        return self.ref.resolve().kind if self.ref else None


def ask_reading(box: Any) -> Reading | None:
    """A model, in the line of settings at hand, and a sentence in this container; None and a notice if there is no word
    to look at."""
    read = read_by(for_any=("mask", "span"), box=box, chip="{}")
    tokens = first_tokens(read.sentence)
    return Reading(read.source.ref if read.source else None, tokens) if tokens else None


def ask_head(reading: Reading) -> tuple[int, int]:
    """The head whose scores are masked: its layer, and its number there."""
    if reading.ref is None:
        return 0, 0
    source = reading.ref.resolve()
    n_layers, n_heads = source.n_layers, source.config.n_heads
    is_named = carried.bring_head(
        layer="masks_layer", head="masks_head", fits=lambda layer, head: layer < n_layers and head < n_heads
    )
    first = data.telling_head(reading.ref, reading.tokens)
    layer = 0
    if n_layers > 1:
        layer = settings.choose(
            st.segmented_control if n_layers <= MAX_BUTTONS else st.select_slider,
            "Layer",
            "masks_layer",
            range(n_layers),
            first[0],
            chip="layer {}",
            follows=True,
            why="this model has no layer {}",
            help="The layer of the head that is shown; the mask is in all layers. Counted from 0.",
        )
    head = settings.choose(
        st.selectbox,
        "Head",
        "masks_head",
        range(n_heads),
        first[1] if layer == first[0] else data.sharpest_head(reading.ref, reading.tokens, layer),
        chip="head {}",
        follows=True,
        why="this model has no head {}",
        help="A head of this layer. Heads are counted from 0.",
    )
    carried.keep_head(reading, layer, head, is_named=is_named)
    return layer, head


def first_tokens(typed: Sentence) -> tuple[str, ...]:
    """As many tokens as a mask can be painted for; () if there are none. Notices say what is left out."""
    n_left_out = len(typed.tokens) + typed.left_out - MAX_SIDE
    if n_left_out <= 0:
        settings.notify(*typed.notices)
    else:  # one notice for all tokens that are left out, in place of the sentence's own, which comes last
        settings.notify(*(typed.notices[:-1] if typed.left_out else typed.notices))
        settings.notify(
            f"The first {MAX_SIDE} tokens are shown; {n_left_out:,} more are left out, so that every cell can be"
            " painted."
        )
    if not typed.tokens:
        settings.notify("There is no word to look at yet. Type a sentence, or choose one of the examples.")
    return typed.tokens[:MAX_SIDE]


_FILLED_IN = "_masks_filled_in"  # of the session: the new word, while it is one that nobody typed


def ask_new_word(old: str, default: str) -> str:
    """The word that takes the place of `old`; of several the first counts. Where nobody has typed another, and no link
    names one, it is always the default of the token that is edited."""
    state = st.session_state
    if not settings.replaying():
        word = state.get("masks_word")
        if word is None:
            state[_FILLED_IN] = None if "masks_word" in st.query_params else default
        elif word != state.get(_FILLED_IN):
            state[_FILLED_IN] = None  # it was typed, and stays, also where it is the default of another token
        elif word != default:
            state["masks_word"] = state[_FILLED_IN] = default
    tokens = cut(_ask_text("becomes", "new word", "masks_word", default, 150)[:200]).tokens
    if not tokens:
        settings.notify("There is no new word, so nothing is edited.")
        return old
    if len(tokens) > 1:
        settings.notify(f"One token becomes one token: “{tokens[0][:24]}”.")
    if tokens[0] == old:
        settings.notify("The new word is the old one, so nothing can move.")
    return tokens[0]


def ask_target() -> tuple[str, ...]:
    """The tokens that the decoder has written so far."""
    tokens = cut(_ask_text("Target so far", "target", "mask_target", TARGET, 360)[:MAX_TEXT]).tokens
    limit = MAX_SIDE - 1  # the decoder reads a start token before them
    if len(tokens) > limit:
        settings.notify(f"The first {limit} tokens of the target are shown; {len(tokens) - limit:,} are left out.")
    return tokens[:limit]


def _ask_text(label: str, noun: str, key: str, default: str, width: int) -> str:
    """What is typed into a box; `noun` names it where A and B differ."""
    pinned = settings.replaying()
    if pinned:
        return pinned.take_text(key, noun, default, str)
    text = st.text_input(label, default, key=key, bind="query-params", width=width)
    settings.note(key, noun, text, default, long=True)
    return text or ""


# ---- the mask ------------------------------------------------------------------------------------------------------


class MaskChoice(NamedTuple):
    """A mask: its name on screen, its cells as a short string, and its one number if it has one."""

    name: str
    code: str
    span: int = 0

    @property
    def cells(self) -> np.ndarray:
        """(T, T) boolean, True = may attend."""
        return data.cells(self.code)

    @property
    def made_by(self) -> str:
        """The function of transformer/core/masks.py behind it, "" for none."""
        return "" if self.name == PAINTED else _NAMED[self.name].made_by


class Windows(NamedTuple):
    """A window in some layers of a model.

    size    how far their tokens look, themselves included
    layers  those that have it, numbered from 0
    others  the mask of the other layers, as a short string
    """

    size: int
    layers: tuple[int, ...]
    others: str


def ask_windows(mask: MaskChoice, n_layers: int) -> Windows | None:
    """Which layers have the window that was chosen as the mask; None where all have it, and for other masks."""
    named = _NAMED.get(mask.name)
    if named is None or named.value != "window":
        return None
    layers = ask_window_layers(n_layers)
    if layers is None:
        return None
    others = data.named_mask("causal" if "decoder" in named.kinds else "none", len(mask.cells), 0)
    return Windows(mask.span, layers, others)


def ask_mask_name(default: str = "causal") -> str:
    """The choice of a mask, by its name on screen; each view opens with the mask that shows most there."""
    return settings.choose(
        st.segmented_control,
        "Mask",
        "mask",
        NAMES,
        default,
        chip="mask: {}",
        follows=True,
        wrap=True,
        help="Who may look at whom. Causal: itself and what came before. Window: near words only. Causal window: "
        "itself and a few before. Causal prefix: as causal, but everybody sees the first few. Padding: the last few "
        "are fillers that nobody sees. Paint on any of them, and it becomes your own.",
    )


def leave_painted(default: str) -> None:
    """On arrival from another view, before the mask is asked for: what was painted there waits there, and this view
    has its own default, unless a link asks for the painted one. For a view whose default no other has."""
    is_asked = settings.usual("mask") in (None, default) or settings.replaying() or _is_linked()
    if st.session_state.get("mask") == PAINTED and not is_asked:
        st.session_state["mask"] = default
        st.session_state["_masks_left"] = default


def take_up_painted() -> None:
    """On arrival, before the mask is asked for: a mask that was painted here is shown again, unless another was chosen
    meanwhile."""
    left = None if settings.replaying() else st.session_state.pop("_masks_left", None)
    if left is not None and st.session_state.get("mask", left) == left and not _is_linked():
        st.session_state["mask"] = PAINTED


def _is_linked() -> bool:
    """Whether a link that names a mask has just led here."""
    return "mask" in parse_qs(runtime.link_gone_to() or "")


def ask_mask(name: str, T: int) -> MaskChoice:
    """The mask of this name for T tokens, with its one number if it has one."""
    pinned = settings.replaying()
    n = 0
    if name == PAINTED:
        code = _pinned_mask(T, pinned) if pinned else _painted_mask(T)
    else:
        span = _NAMED[name].span
        n = SPANS[span].ask("span", chip=f"{span} of {{}}") if span else 0
        code = data.named_mask(name, T, n)
    if pinned:
        return MaskChoice(name, code, n)
    st.session_state["_masks_shown"] = code
    if name == PAINTED:
        settings.note(PAINTED_KEY, "painted mask", code, "", long=True)
        if st.query_params.get(PAINTED_KEY) != code:
            st.query_params[PAINTED_KEY] = code
    else:
        st.query_params.pop(PAINTED_KEY, None)
    return MaskChoice(name, code, n)


def _pinned_mask(T: int, pinned: settings.Answers) -> str:
    """The painted mask that a link pins for A."""
    default = data.named_mask("causal", T, 0)
    code = pinned.take_text(PAINTED_KEY, "painted mask", default, lambda text: None if unpack(text) is None else text)
    return pack(fitted(data.cells(code), T))


def _painted_mask(T: int) -> str:
    """The painted mask of the session or of the link; if nothing was painted yet, the one that was on screen."""
    in_session, in_link = st.session_state.get("_masks_painted"), st.query_params.get(PAINTED_KEY)
    mask = unpack(in_link if in_session is None else in_session)
    if mask is None and in_link is not None and in_session is None:
        settings.notify("The painted mask in this link cannot be read, so you see the causal one.")
        mask = data.cells(data.named_mask("causal", T, 0))
    if mask is None:
        mask = data.cells(st.session_state.get("_masks_shown") or data.named_mask("causal", T, 0))
    st.session_state["_masks_painted"] = pack(mask)
    if len(mask) != T:
        settings.notify(
            f"This mask was painted for {len(mask)} tokens. Whatever fits is kept; new tokens only look back."
        )
    return pack(fitted(mask, T))


def take_painted() -> None:
    """Store the mask that was just painted, and choose it."""
    mask = painted(BRUSH)
    if mask is not None:
        st.session_state["_masks_painted"] = pack(mask)
        st.session_state["mask"] = PAINTED
