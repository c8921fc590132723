"""What the page on heads computes once and shares, keyed on plain values and read-only once made.

torch is imported inside the functions: a page is on screen before it is loaded.
"""

import streamlit as st

from pages.shared import readers
from pages.shared.readers import CONFIGS, Answers, Kind, Mask, Seed, answers_of, subject_of
from transformer.config import TransformerConfig


@st.cache_resource(max_entries=32, show_spinner=False, hash_funcs=CONFIGS)
def head_unplugged(kind: Kind, config: TransformerConfig, seed: Seed, mask: Mask, tokens, layer: int, head: int):
    """What changes in this model when one head is silenced: inspection.study.Unplugged."""
    from transformer.inspection import study

    subject, ids, how = subject_of(kind, config, seed, mask, tokens)
    return study.unplug(subject, ids, layer, head, **how)


@st.cache_resource(max_entries=32, show_spinner=False)
def answers_without_head(seed: str, tokens: tuple[str, ...], layer: int, head: int) -> tuple[Answers, Answers]:
    """What a trained model says as it is, and when one head is silenced."""
    from transformer.inspection import study
    from transformer.taps import ablate

    reader = readers.of(seed)
    ids, cut = reader.ids(tokens), ablate(f"{reader.kind}.{layer}.self_attn", head)
    whole, without = study.run(reader.model, ids), study.run(reader.model, ids, tap=cut)
    return tuple(answers_of(seed, tokens, output.logits[0].numpy()) for output in (whole, without))


@st.cache_resource(max_entries=16, show_spinner=False, hash_funcs=CONFIGS)
def heads_unplugged(kind: Kind, config: TransformerConfig, seed: Seed, mask: Mask, tokens):
    """How much silencing each head changes, (L, H)."""
    from transformer.inspection import study

    subject, ids, how = subject_of(kind, config, seed, mask, tokens)
    return study.unplug_all(subject, ids, **how)


@st.cache_resource(max_entries=32, show_spinner=False, hash_funcs=CONFIGS)
def edges(kind: Kind, config: TransformerConfig, seed: Seed, mask: Mask, tokens, layer: int, head: int, query: int):
    """One query's edges three ways: inspection.study.Edges."""
    from transformer.inspection import study

    subject, ids, how = subject_of(kind, config, seed, mask, tokens)
    return study.edges(subject, ids, layer, head, query, **how)


@st.cache_resource(max_entries=16, show_spinner=False, hash_funcs=CONFIGS)
def parts(kind: Kind, config: TransformerConfig, seed: Seed, mask: Mask, tokens, layer: int):
    """What each head of a layer adds to its output, and the layer's W_q as (D, H d_k): (study.HeadParts, W_q)."""
    from transformer.inspection import study

    subject, ids, how = subject_of(kind, config, seed, mask, tokens)
    attention = getattr(subject, kind).layers[layer].self_attn
    return study.head_parts(subject, ids, layer, **how), attention.w_q.weight.detach().T.numpy()


@st.cache_resource(max_entries=8, show_spinner=False, hash_funcs=CONFIGS)
def alike_and_rolled(kind: Kind, config: TransformerConfig, seed: Seed, mask: Mask, tokens):
    """How alike the heads look (LH, LH), and where information comes from after each layer (L, T, T)."""
    from transformer.inspection import study
    from transformer.inspection.run import look

    subject, ids, how = subject_of(kind, config, seed, mask, tokens)
    weights = look(subject, ids, tokens, **how).attention[kind].weights
    return study.similarity(weights), study.rollout(weights)


@st.cache_resource(max_entries=32, show_spinner=False, hash_funcs=CONFIGS)
def one_head(kind: Kind, config: TransformerConfig, seed: Seed, mask: Mask, tokens, layer: int, head: int):
    """The weights of one head, (T, T), and its mask or None."""
    from transformer.inspection.run import look

    subject, ids, how = subject_of(kind, config, seed, mask, tokens)
    seen = look(subject, ids, tokens, **how).attention[kind]
    return seen.weights[layer, head].copy(), seen.mask


@st.cache_resource(max_entries=16, show_spinner=False, hash_funcs=CONFIGS)
def heads_difference(a: tuple, b: tuple, most_cells: int):
    """B - A of every head that both have, a and b each (kind, config, seed, mask, tokens), their tokens as many:
    (differences (L, H, t, t), k, the largest). Beyond most_cells each cell is the largest of k x k."""
    import numpy as np

    from pages.shared.compare_figures import pooled
    from transformer.inspection.run import look

    def weights(kind, config, seed, mask, tokens):
        subject, ids, how = subject_of(kind, config, seed, mask, tokens)
        return look(subject, ids, tokens, **how).attention[kind].weights

    first = weights(*a)
    second = weights(*b)
    L, H = (min(n) for n in zip(first.shape[:2], second.shape[:2], strict=True))
    small, k = pooled(second[:L, :H] - first[:L, :H], most_cells)
    return small, k, float(np.abs(small).max())


@st.cache_resource(max_entries=32, show_spinner=False, hash_funcs=CONFIGS)
def plane(kind: Kind, config: TransformerConfig, seed: Seed, mask: Mask, tokens, layer: int, head: int):
    """Queries and keys of one head on the plane that shows most of them: see inspection.study.plane."""
    from transformer.inspection import study
    from transformer.inspection.run import look

    subject, ids, how = subject_of(kind, config, seed, mask, tokens)
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


@st.cache_resource(max_entries=8, show_spinner=False)
def two_places(n_heads: int, share: float):
    """One head or two that need what stands at two places: (inspection.two_places, its sentences, its words)."""
    from transformer.inspection import two_places

    return two_places.two_places(n_heads, share), two_places.SENTENCES, two_places.WORDS
