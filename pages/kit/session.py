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


def _subject(kind: Kind, config: TransformerConfig, seed: int, mask: Mask, tokens: tuple[str, ...]):
    """What the studies of heads share: the model, the ids, and the keyword arguments of its mask."""
    return (
        model(kind, replace(config, vocab_size=VOCABULARY, tgt_vocab_size=VOCABULARY), seed),
        hashed_ids(list(tokens), VOCABULARY),
        {"mask": _mask(mask, len(tokens)), "is_causal": kind == "decoder" and mask.name != "prefix"},
    )


@st.cache_resource(max_entries=32, show_spinner=False)
def unplugged(kind: Kind, config: TransformerConfig, seed: int, mask: Mask, tokens, layer: int, head: int):
    """What changes in this model when one head is silenced: inspection.study.Unplugged."""
    from transformer.inspection import study

    subject, ids, how = _subject(kind, config, seed, mask, tokens)
    return study.unplug(subject, ids, layer, head, **how)


@st.cache_resource(max_entries=16, show_spinner=False)
def unplugged_all(kind: Kind, config: TransformerConfig, seed: int, mask: Mask, tokens):
    """How much silencing each head changes, (L, H)."""
    from transformer.inspection import study

    subject, ids, how = _subject(kind, config, seed, mask, tokens)
    return study.unplug_all(subject, ids, **how)


@st.cache_resource(max_entries=32, show_spinner=False)
def edges(kind: Kind, config: TransformerConfig, seed: int, mask: Mask, tokens, layer: int, head: int, query: int):
    """One query's edges three ways: inspection.study.Edges."""
    from transformer.inspection import study

    subject, ids, how = _subject(kind, config, seed, mask, tokens)
    return study.edges(subject, ids, layer, head, query, **how)


@st.cache_resource(max_entries=16, show_spinner=False)
def parts(kind: Kind, config: TransformerConfig, seed: int, mask: Mask, tokens, layer: int):
    """What each head of a layer adds to its output, and the layer's W_q as (D, H d_k): (study.HeadParts, W_q)."""
    from transformer.inspection import study

    subject, ids, how = _subject(kind, config, seed, mask, tokens)
    attention = getattr(subject, kind).layers[layer].self_attn
    return study.head_parts(subject, ids, layer, **how), attention.w_q.weight.detach().T.numpy()


@st.cache_resource(max_entries=8, show_spinner=False)
def alike_and_rolled(kind: Kind, config: TransformerConfig, seed: int, mask: Mask, tokens):
    """How alike the heads look (LH, LH), and where information comes from after each layer (L, T, T)."""
    from transformer.inspection import study
    from transformer.inspection.run import look

    subject, ids, how = _subject(kind, config, seed, mask, tokens)
    weights = look(subject, ids, tokens, **how).attention[kind].weights
    return study.similarity(weights), study.rollout(weights)


@st.cache_resource(max_entries=32, show_spinner=False)
def plane(kind: Kind, config: TransformerConfig, seed: int, mask: Mask, tokens, layer: int, head: int):
    """Queries and keys of one head on the plane that shows most of them: see inspection.study.plane."""
    from transformer.inspection import study
    from transformer.inspection.run import look

    subject, ids, how = _subject(kind, config, seed, mask, tokens)
    seen = look(subject, ids, tokens, **how).attention[kind]
    shared_by = seen.q.shape[1] // seen.k.shape[1]
    return study.plane(seen.q[layer, head], seen.k[layer, head // shared_by])


@st.cache_resource(max_entries=32, show_spinner=False)
def cut_into_heads(d_model: int, n_heads: int, T: int):
    """The steps of cutting T tokens into heads (study.split_layout), and the cost (parameters, multiplications)."""
    from transformer.inspection import study

    return study.split_layout(T, d_model, n_heads), study.attention_cost(d_model, n_heads, T)


@st.cache_resource(show_spinner=False)
def built_head():
    """A head whose weight of 1 does nothing: study.head_without_effect."""
    from transformer.inspection import study

    return study.head_without_effect()
