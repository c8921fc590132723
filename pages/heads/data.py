"""What the page on heads computes once and shares, keyed on plain values and read-only once made.

torch is imported inside the functions: a page is on screen before it is loaded.
"""

import streamlit as st

from pages.shared import readers
from pages.shared.readers import CONFIGS, Answers, Kind, Mask, Seed, answers_of, subject_of
from transformer.config import TransformerConfig


@st.cache_resource(max_entries=32, show_spinner=False, hash_funcs=CONFIGS)
def head_unplugged(kind: Kind, config: TransformerConfig, seed: Seed, mask: Mask, tokens, layer: int, head: int):
    """What changes in this model when one head is silenced: inspection.head_effects.Unplugged."""
    from transformer.inspection import head_effects

    subject, ids, how = subject_of(kind, config, seed, mask, tokens)
    return head_effects.ablate_head(subject, ids, layer, head, **how)


@st.cache_resource(max_entries=32, show_spinner=False)
def answers_without_head(seed: str, tokens: tuple[str, ...], layer: int, head: int) -> tuple[Answers, Answers]:
    """What a trained model says as it is, and when one head is silenced."""
    from transformer.inspection import head_effects
    from transformer.taps import ablate

    reader = readers.of(seed)
    ids, cut = reader.ids(tokens), ablate(f"{reader.kind}.{layer}.self_attn", head)
    whole, without = head_effects.forward(reader.model, ids), head_effects.forward(reader.model, ids, tap=cut)
    return tuple(answers_of(seed, tokens, output.logits[0].numpy()) for output in (whole, without))


@st.cache_resource(max_entries=16, show_spinner=False, hash_funcs=CONFIGS)
def heads_unplugged(kind: Kind, config: TransformerConfig, seed: Seed, mask: Mask, tokens):
    """How much silencing each head changes, (L, H)."""
    from transformer.inspection import head_effects

    subject, ids, how = subject_of(kind, config, seed, mask, tokens)
    return head_effects.ablate_each_head(subject, ids, **how)


@st.cache_resource(max_entries=32, show_spinner=False, hash_funcs=CONFIGS)
def edges(kind: Kind, config: TransformerConfig, seed: Seed, mask: Mask, tokens, layer: int, head: int, query: int):
    """One query's edges three ways: inspection.head_effects.Edges."""
    from transformer.inspection import head_effects

    subject, ids, how = subject_of(kind, config, seed, mask, tokens)
    return head_effects.edge_effects(subject, ids, layer, head, query, **how)


@st.cache_resource(max_entries=16, show_spinner=False, hash_funcs=CONFIGS)
def parts(kind: Kind, config: TransformerConfig, seed: Seed, mask: Mask, tokens, layer: int):
    """What each head of a layer adds to its output, and the layer's W_q as (D, H d_k): (HeadParts, W_q)."""
    from transformer.inspection import head_effects

    subject, ids, how = subject_of(kind, config, seed, mask, tokens)
    attention = getattr(subject, kind).layers[layer].self_attn
    return head_effects.head_parts(subject, ids, layer, **how), attention.w_q.weight.detach().T.numpy()


@st.cache_resource(max_entries=8, show_spinner=False, hash_funcs=CONFIGS)
def alike_and_rolled(kind: Kind, config: TransformerConfig, seed: Seed, mask: Mask, tokens):
    """How alike the heads look (LH, LH), and where information comes from after each layer (L, T, T)."""
    from transformer.inspection import head_effects
    from transformer.inspection.run import run_with_maps

    subject, ids, how = subject_of(kind, config, seed, mask, tokens)
    weights = run_with_maps(subject, ids, tokens, **how).attention[kind].weights
    return head_effects.map_similarity(weights), head_effects.rollout(weights)


@st.cache_resource(max_entries=32, show_spinner=False, hash_funcs=CONFIGS)
def one_head(kind: Kind, config: TransformerConfig, seed: Seed, mask: Mask, tokens, layer: int, head: int):
    """The weights of one head, (T, T), and its mask or None."""
    from transformer.inspection.run import run_with_maps

    subject, ids, how = subject_of(kind, config, seed, mask, tokens)
    seen = run_with_maps(subject, ids, tokens, **how).attention[kind]
    return seen.weights[layer, head].copy(), seen.mask


@st.cache_resource(max_entries=16, show_spinner=False, hash_funcs=CONFIGS)
def heads_difference(a: tuple, b: tuple, most_cells: int):
    """B - A of every head that both have, a and b each (kind, config, seed, mask, tokens), their tokens as many:
    (differences (L, H, t, t), k, the largest). Beyond most_cells each cell is the largest of k x k."""
    import numpy as np

    from pages.shared.compare_figures import pooled
    from transformer.inspection.run import run_with_maps

    def weights(kind, config, seed, mask, tokens):
        subject, ids, how = subject_of(kind, config, seed, mask, tokens)
        return run_with_maps(subject, ids, tokens, **how).attention[kind].weights

    first = weights(*a)
    second = weights(*b)
    L, H = (min(n) for n in zip(first.shape[:2], second.shape[:2], strict=True))
    small, k = pooled(second[:L, :H] - first[:L, :H], most_cells)
    return small, k, float(np.abs(small).max())


@st.cache_resource(max_entries=32, show_spinner=False, hash_funcs=CONFIGS)
def plane(kind: Kind, config: TransformerConfig, seed: Seed, mask: Mask, tokens, layer: int, head: int):
    """Queries and keys of one head on the plane that shows most of them: see inspection.head_effects.plane."""
    from transformer.inspection import head_effects
    from transformer.inspection.run import run_with_maps

    subject, ids, how = subject_of(kind, config, seed, mask, tokens)
    seen = run_with_maps(subject, ids, tokens, **how).attention[kind]
    shared_by = seen.q.shape[1] // seen.k.shape[1]
    return head_effects.query_key_plane(seen.q[layer, head], seen.k[layer, head // shared_by])


@st.cache_resource(max_entries=32, show_spinner=False)
def cut_into_heads(d_model: int, n_heads: int, T: int):
    """The steps of cutting T tokens into heads (split_layout), and the cost (parameters, multiplications)."""
    from transformer.inspection import head_effects

    return head_effects.split_layout(T, d_model, n_heads), head_effects.attention_cost(d_model, n_heads, T)


@st.cache_resource(show_spinner=False)
def built_head():
    """A head whose weight of 1 does nothing: head_effects.head_without_effect."""
    from transformer.inspection import head_effects

    return head_effects.head_without_effect()


@st.cache_resource(max_entries=8, show_spinner=False)
def two_places(n_heads: int, share: float):
    """One head or two that need what stands at two places: (inspection.two_places, its sentences, its words)."""
    from transformer.inspection import two_places

    return two_places.two_places(n_heads, share), two_places.SENTENCES, two_places.WORDS
