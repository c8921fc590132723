"""The results that the page on heads computes once and shares, by model, mask and text."""

import numpy as np

import transformer
from lab.kit.answers import Answer, answer
from lab.kit.models.readings import Reading, each_head_ablated, inputs, one_pass
from lab.kit.models.references import Mask
from lab.kit.models.source import ModelRef
from lab.kit.words import BOUND
from lab.server.caching import cached
from transformer import core, inspection
from transformer.core import workload
from transformer.core.workload import Workload


def _text_per_key(reading: Reading, *_: object) -> Workload:
    """A model on as many copies of a text as it has tokens."""
    source, T = reading.ref.resolve(), len(reading.tokens)
    return one_pass(reading) + workload.one_pass(source.config, T, source.n_layers, B=T, has_logits=False)


def _maps(reading: Reading) -> "inspection.run.AttentionMap":
    model, ids, mask = inputs(reading)
    return inspection.run.run_with_maps(model, ids, reading.tokens, **mask).attention[model.kind]


@cached(work=lambda reading, layer, head: one_pass(reading) * 2)
def head_ablation(reading: Reading, layer: int, head: int) -> "inspection.head_effects.HeadAblation":
    """What changes when one head is ablated."""
    model, ids, mask = inputs(reading)
    return inspection.head_effects.ablate_head(model, ids, layer, head, **mask)


@cached(work=lambda reading, layer, head: one_pass(reading) * 2)
def answers_without_head(reading: Reading, layer: int, head: int) -> tuple[Answer, Answer]:
    """The answers of a trained model as it is, and with one head ablated."""
    source = reading.ref.resolve()
    model, ids = source.single_stack, source.ids(reading.tokens)
    ablation = transformer.ablate(f"{source.kind}.{layer}.self_attn", head)
    whole, without = (
        inspection.head_effects.forward(model, ids),
        inspection.head_effects.forward(model, ids, tap=ablation),
    )
    return (
        answer(source, reading.tokens, whole.logits[0].numpy()),
        answer(source, reading.tokens, without.logits[0].numpy()),
    )


def _pass_per_head(reading: Reading) -> Workload:
    source = reading.ref.resolve()
    return one_pass(reading) * (1 + source.n_layers * source.config.n_heads)


@cached(work=_pass_per_head)
def answers_without_each_head(reading: Reading) -> tuple[Answer, np.ndarray, np.ndarray]:
    """The answer of a trained model, and without each head (L, H): whether it is another, and what is left of the
    probability of the usual one."""
    source = reading.ref.resolve()
    model, ids, at = source.single_stack, source.ids(reading.tokens), source.answer_position(reading.tokens)

    def odds(tap: "core.taps.Tap") -> np.ndarray:
        return inspection.head_effects.forward(model, ids, tap=tap).logits[0, at].double().softmax(-1).numpy()

    whole = odds(transformer.no_tap)
    shape = source.n_layers, source.config.n_heads
    without = np.stack(
        [odds(transformer.ablate(f"{source.kind}.{n}.self_attn", head)) for n, head in np.ndindex(shape)]
    )
    best = int(whole.argmax())
    usual = Answer(source.label(best), float(whole[best]), 0, 0)
    return usual, (without.argmax(1) != best).reshape(shape), without[:, best].reshape(shape)


def telling_head(reading: Reading) -> tuple[int, int]:
    """The head without which the answer changes most; where there is none to change, that which moves the last vectors
    most."""
    if reading.ref.resolve().answers:
        left = answers_without_each_head(reading)[2]
        at = int(left.argmin())
    else:
        left = each_head_ablated(reading)
        at = int(left.argmax())
    layer, head = np.unravel_index(at, left.shape)
    return int(layer), int(head)


MAX_HEADS = 36  # of which each is ablated for each example


@cached(work=lambda ref: _pass_per_head(Reading(ref, Mask(), (".",) * 20)) * 5)
def example_that_hangs_on_a_head(ref: ModelRef) -> str | None:
    """The first example of a trained model whose answer changes without some head; None where there is none."""
    source = ref.resolve()
    if not source.answers or source.n_layers * source.config.n_heads > MAX_HEADS:
        return None
    for text in source.examples[:5]:
        if answers_without_each_head(Reading(ref, Mask(), source.cut(text)))[1].any():
            return text
    return None


MAX_COMPARED = 24  # tokens, of which each asks for a pass over as many texts


@cached(work=lambda reading, layer, head: _text_per_key(reading) * len(reading.tokens))
def telling_query(reading: Reading, layer: int, head: int) -> int | None:
    """The query of this head whose largest weight is farthest from its largest effect; None for a long text, and where
    all agree."""
    T = len(reading.tokens)
    if T > MAX_COMPARED:
        return None
    each = [edge_effects(reading, layer, head, query) for query in range(T)]
    missed = np.array([edges.effect.max() - edges.effect[edges.weight.argmax()] for edges in each])
    return int(missed.argmax()) if missed.max() > BOUND else None


@cached(work=_text_per_key)
def edge_effects(reading: Reading, layer: int, head: int, query: int) -> "inspection.head_effects.EdgeEffects":
    """Three measures of one query's edges."""
    model, ids, mask = inputs(reading)
    return inspection.head_effects.edge_effects(model, ids, layer, head, query, **mask)


@cached(work=one_pass)
def head_parts(reading: Reading, layer: int) -> tuple["inspection.head_effects.HeadParts", np.ndarray]:
    """What each head of a layer adds to its output, and the layer's W_q as (D, H d_k)."""
    model, ids, mask = inputs(reading)
    attention = model.stack.layers[layer].self_attn
    return inspection.head_effects.head_parts(model, ids, layer, **mask), attention.w_q.weight.detach().T.numpy().copy()


@cached(work=lambda reading: one_pass(reading) * 2)
def similarity_and_rollout(reading: Reading) -> tuple[np.ndarray, np.ndarray]:
    """The cosines of all heads' maps (LH, LH), and where information comes from after each layer (L, T, T)."""
    weights = _maps(reading).weights
    return inspection.head_effects.map_similarity(weights), inspection.head_effects.rollout(weights)


@cached()
def split_into_heads(d_model: int, n_heads: int, T: int) -> tuple[int, tuple[int, int]]:
    """How many numbers of T tokens change their place by the cut into heads and back, and the cost of attention:
    (parameters, multiplications)."""
    (_, before), _, (_, after) = inspection.head_effects.split_layout(T, d_model, n_heads)
    return int((before != after).sum()), inspection.head_effects.attention_cost(d_model, n_heads, T)


@cached()
def head_without_effect() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A head whose weight of 1 does nothing: weights (T, T), values (T, d_k), output (T, D)."""
    return inspection.head_effects.head_without_effect()
