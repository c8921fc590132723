"""The results that the page on heads computes once and shares, by model, mask and text.

torch is imported inside the functions: a page is on screen before it is loaded.
"""

from typing import TYPE_CHECKING

import numpy as np

from pages.shared.answers import Answer, answer
from pages.shared.caching import cached
from pages.shared.readings import Reading, inputs, one_pass
from transformer import workload
from transformer.workload import Workload

if TYPE_CHECKING:
    from transformer.inspection.head_effects import EdgeEffects, HeadAblation, HeadParts, QueryKeyPlane
    from transformer.inspection.run import AttentionMap


def _text_per_key(reading: Reading, *_: object) -> Workload:
    """A model on as many copies of a text as it has tokens."""
    source, T = reading.ref.resolve(), len(reading.tokens)
    return one_pass(reading) + workload.one_pass(source.config, T, source.n_layers, B=T, has_logits=False)


def _maps(reading: Reading) -> "AttentionMap":
    from transformer.inspection.run import run_with_maps

    model, ids, mask = inputs(reading)
    return run_with_maps(model, ids, reading.tokens, **mask).attention[model.kind]


@cached(work=lambda reading, layer, head: one_pass(reading) * 2)
def head_ablation(reading: Reading, layer: int, head: int) -> "HeadAblation":
    """What changes when one head is ablated."""
    from transformer.inspection import head_effects

    model, ids, mask = inputs(reading)
    return head_effects.ablate_head(model, ids, layer, head, **mask)


@cached(work=lambda reading, layer, head: one_pass(reading) * 2)
def answers_without_head(reading: Reading, layer: int, head: int) -> tuple[Answer, Answer]:
    """The answers of a trained model as it is, and with one head ablated."""
    from transformer.inspection import head_effects
    from transformer.taps import ablate

    source = reading.ref.resolve()
    model, ids = source.single_stack, source.ids(reading.tokens)
    ablation = ablate(f"{source.kind}.{layer}.self_attn", head)
    whole, without = head_effects.forward(model, ids), head_effects.forward(model, ids, tap=ablation)
    return (
        answer(source, reading.tokens, whole.logits[0].numpy()),
        answer(source, reading.tokens, without.logits[0].numpy()),
    )


@cached(work=_text_per_key)
def edge_effects(reading: Reading, layer: int, head: int, query: int) -> "EdgeEffects":
    """Three measures of one query's edges."""
    from transformer.inspection import head_effects

    model, ids, mask = inputs(reading)
    return head_effects.edge_effects(model, ids, layer, head, query, **mask)


@cached(work=one_pass)
def head_parts(reading: Reading, layer: int) -> tuple["HeadParts", np.ndarray]:
    """What each head of a layer adds to its output, and the layer's W_q as (D, H d_k)."""
    from transformer.inspection import head_effects

    model, ids, mask = inputs(reading)
    attention = model.stack.layers[layer].self_attn
    return head_effects.head_parts(model, ids, layer, **mask), attention.w_q.weight.detach().T.numpy().copy()


@cached(work=lambda reading: one_pass(reading) * 2)
def similarity_and_rollout(reading: Reading) -> tuple[np.ndarray, np.ndarray]:
    """The cosines of all heads' maps (LH, LH), and where information comes from after each layer (L, T, T)."""
    from transformer.inspection import head_effects

    weights = _maps(reading).weights
    return head_effects.map_similarity(weights), head_effects.rollout(weights)


@cached(work=one_pass)
def query_key_plane(reading: Reading, layer: int, head: int) -> "QueryKeyPlane":
    """Queries and keys of one head on the plane that keeps most of their variance."""
    from transformer.inspection import head_effects

    maps = _maps(reading)
    heads_per_key = maps.q.shape[1] // maps.k.shape[1]
    return head_effects.query_key_plane(maps.q[layer, head], maps.k[layer, head // heads_per_key])


@cached()
def split_into_heads(d_model: int, n_heads: int, T: int) -> tuple[list[tuple[str, np.ndarray]], tuple[int, int]]:
    """The steps of splitting T tokens into heads, and the cost: (parameters, multiplications)."""
    from transformer.inspection import head_effects

    return head_effects.split_layout(T, d_model, n_heads), head_effects.attention_cost(d_model, n_heads, T)


@cached()
def head_without_effect() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A head whose weight of 1 does nothing: weights (T, T), values (T, d_k), output (T, D)."""
    from transformer.inspection import head_effects

    return head_effects.head_without_effect()
