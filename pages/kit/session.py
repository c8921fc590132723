"""What is computed once and shared: the only place with caches.

Everything here is keyed on plain values (a frozen config, tokens, a seed), is read-only once made, and is bounded.
torch is imported inside the functions: a page is on screen before it is loaded.
"""

from dataclasses import replace
from typing import Literal, NamedTuple

import streamlit as st

from pages.kit.components.attention_view import Packed, Picture
from transformer.config import TransformerConfig
from transformer.training.text import hashed_ids

Kind = Literal["encoder", "decoder"]
VOCABULARY = 4096  # rows of the embedding of an untrained model; words find theirs by hash


class Mask(NamedTuple):
    """A mask by name, and its one number: the window, the length of the prefix, or how many tokens are padding."""

    name: Literal["none", "causal", "window", "prefix", "padding"] = "none"
    span: int = 0


@st.cache_resource(max_entries=6, show_spinner=False)
def model(kind: Kind, config: TransformerConfig, seed: int):
    """A model with the random weights that this seed gives, in evaluation mode."""
    import torch

    from transformer.model import DecoderModel, EncoderModel

    torch.set_num_threads(1)  # many sessions share few cores: one thread each is faster for all
    build = EncoderModel if kind == "encoder" else DecoderModel
    return build(config, torch.Generator().manual_seed(seed)).eval()


@st.cache_resource(max_entries=32, show_spinner=False)
def heads(kind: Kind, config: TransformerConfig, seed: int, mask: Mask, tokens: tuple[str, ...]) -> Packed:
    """Every head of this model on these tokens, ready for the browser."""
    from transformer.inspection.heads import chance, head_scores
    from transformer.inspection.run import look

    run = look(
        model(kind, replace(config, vocab_size=VOCABULARY, tgt_vocab_size=VOCABULARY), seed),
        hashed_ids(list(tokens), VOCABULARY),
        tokens,
        _mask(mask, len(tokens)),
        is_causal=kind == "decoder" and mask.name != "prefix",
    )
    seen = run.attention[kind]
    shown = tuple(token if len(token) <= 40 else token[:39] + "…" for token in tokens)
    picture = Picture(
        queries=shown,
        keys=shown,
        weights=seen.weights,
        mask=seen.mask,
        q=seen.q,
        k=seen.k,
        scale=seen.scale,
        bias=seen.bias,
        scores=head_scores(seen.weights),
        chance=chance(len(tokens), len(tokens), seen.mask),
        facts=(kind, f"{run.n_parameters:,} parameters"),
        untrained=True,
    )
    return Packed(picture)


def _mask(mask: Mask, T: int):
    """The mask (T, T) that comes on top of what the model does by itself, or None."""
    import torch

    from transformer import masks

    match mask:
        case ("window", span):
            return masks.sliding_window(T, span)
        case ("prefix", span):
            return masks.prefix(T, span)
        case ("padding", span):
            return masks.padding(torch.tensor([max(T - span, 0)]), T)[0, 0].expand(T, T)
        case _:
            return None
