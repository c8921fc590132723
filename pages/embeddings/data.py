"""What the page on embeddings computes once and shares, keyed on plain values and read-only once made.

torch is imported inside the functions: a page is on screen before it is loaded.
"""

from typing import Literal

import streamlit as st

from pages.shared import readers
from pages.shared.readers import Seed, model
from transformer.config import TransformerConfig

TokeniserKind = Literal["character", "word", "pairs"]


@st.cache_resource(max_entries=24, show_spinner=False)
def tokeniser(kind: TokeniserKind, learned_from: str, n_merges: int):
    """A tokeniser of this kind, learned from this text; n_merges concerns byte pairs only."""
    from transformer.training import text

    match kind:
        case "character":
            return text.CharacterTokeniser.learn(learned_from, limit=1000)
        case "word":
            return text.WordTokeniser.learn(learned_from, limit=1000)
        case _:
            return text.BytePairTokeniser.learn(learned_from, n_merges)


@st.cache_resource(max_entries=16, show_spinner=False)
def embedding_table(vocab_size: int, d_model: int, seed: Seed):
    """The table W_e (V, d_model) of these weights, and how the cosines of its rows are spread."""
    import torch

    from transformer.embeddings import TokenEmbedding
    from transformer.inspection.blocks import stack_of
    from transformer.inspection.embeddings import cosine_spread

    if isinstance(seed, str):
        embedding = stack_of(readers.of(seed).model)[1].embedding
    else:
        embedding = TokenEmbedding(vocab_size, d_model, generator=torch.Generator().manual_seed(seed))
    return embedding, cosine_spread(embedding.weight.detach().numpy())


@st.cache_resource(max_entries=32, show_spinner=False)
def looked_up(vocab_size: int, d_model: int, seed: Seed, ids: tuple[int, ...]):
    """X W_e and the picked rows: inspection.embeddings.lookup."""
    from transformer.inspection.embeddings import lookup

    return lookup(embedding_table(vocab_size, d_model, seed)[0], ids)


@st.cache_resource(max_entries=16, show_spinner=False)
def renamed(vocab_size: int, d_model: int, seed: Seed, ids: tuple[int, ...]):
    """The same model with all ids dealt anew: inspection.embeddings.rename. Its table is that of embedding_table."""
    from transformer.inspection.embeddings import shuffle_ids

    config = TransformerConfig(vocab_size=vocab_size, d_model=d_model, n_heads=1, n_encoder_layers=2)
    return shuffle_ids(model("encoder", config, seed), ids, seed)


@st.cache_resource(max_entries=32, show_spinner=False)
def likeness(vocab_size: int, d_model: int, seed: Seed, ids: tuple[int, ...]):
    """Cosines (n, n) of the rows of these ids, their places on a plane, and the plane's share of the variance."""
    from transformer.inspection.embeddings import plane
    from transformer.inspection.geometry import cosines

    rows = looked_up(vocab_size, d_model, seed, ids).rows
    places, _, shares = plane(rows)
    return cosines(rows), places, shares


@st.cache_resource(max_entries=16, show_spinner=False)
def order(vocab_size: int, d_model: int, seed: Seed, kinds: tuple[tuple[int, ...], ...]):
    """Whether rows of one kind, ids of each given, lie closer to each other: inspection.embeddings.order."""
    from transformer.inspection.embeddings import class_separation

    ids = [id for kind in kinds for id in kind]
    table = embedding_table(vocab_size, d_model, seed)[0].weight.detach().numpy()
    return class_separation(table[ids], [n for n, kind in enumerate(kinds) for _ in kind])


@st.cache_resource(max_entries=64, show_spinner=False)
def nearest(vocab_size: int, d_model: int, seed: Seed, id: int, k: int):
    """The k rows of the whole table nearest to this one: inspection.embeddings.neighbours."""
    from transformer.inspection.embeddings import neighbours

    return neighbours(embedding_table(vocab_size, d_model, seed)[0].weight.detach().numpy(), id, k)


@st.cache_resource(max_entries=32, show_spinner=False)
def loudness(vocab_size: int, widths: tuple[int, ...], seed: int, narrow: bool, scaled: bool, ids: tuple[int, ...]):
    """How loud this text's vectors are beside its positions, at every one of these widths."""
    from transformer.inspection.embeddings import rms_by_source

    return [rms_by_source(ids, vocab_size, d, seed=seed, narrow=narrow, scaled=scaled) for d in widths]


@st.cache_resource(max_entries=16, show_spinner=False)
def lesson(config: TransformerConfig, seed: int, ids: tuple[int, ...]):
    """What this text would teach an untrained encoder-decoder: inspection.embeddings.lesson."""
    from transformer.inspection.embeddings import gradient_by_row

    return gradient_by_row(config, ids, seed)
