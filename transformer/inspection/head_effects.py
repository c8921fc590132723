"""The effect of a head on the rest of the model: its part of the output, and what changes without it."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn

from transformer.core.attention import MultiHeadAttention, merge_heads, split_heads
from transformer.core.model import DecoderModel, Output, SingleStack
from transformer.core.taps import Recorder, Tap, ablate, compose, no_tap
from transformer.inspection.geometry import cosines
from transformer.inspection.run import Text, check_head, check_position, last_layer, one_text

Model = SingleStack


@torch.inference_mode()
def forward(
    model: Model, ids: Text, mask: Tensor | None = None, *, is_causal: bool = True, tap: Tap = no_tap, B: int = 1
) -> Output:
    """The output of one forward pass over B copies of a text; `is_causal` concerns a DecoderModel only."""
    batch = one_text(ids, B)  # (B, T)
    mask = mask if mask is None else mask.expand(1, 1, *mask.shape[-2:])  # a row per query, however many copies
    extra = {"is_causal": is_causal} if isinstance(model, DecoderModel) else {}
    return model(batch, mask, tap=tap, **extra)


@dataclass(frozen=True, eq=False)
class HeadParts:
    """Concat(head_1, ..., head_H) W_o, taken apart: output = sum over heads of head_h W_o_h, + bias once.

    heads (H, T, d_k), w_o (H, d_k, D), parts (H, T, D) = heads @ w_o, bias (D,), output (T, D) as the layer gave it.
    """

    heads: np.ndarray
    w_o: np.ndarray
    parts: np.ndarray
    bias: np.ndarray
    output: np.ndarray


def head_parts(model: Model, ids: Text, layer: int, mask: Tensor | None = None, *, is_causal: bool = True) -> HeadParts:
    """What each head of one layer adds to the layer's attention output. Raises IndexError if there is no such layer."""
    check_head(model, layer)
    recorder = Recorder("heads", "out")
    forward(model, ids, mask, is_causal=is_causal, tap=recorder)
    path = f"{model.kind}.{layer}.self_attn"
    attention = model.stack.layers[layer].self_attn
    heads = recorder[f"{path}.heads"][0].double()  # (H, T, d_k)
    H, _, d_k = heads.shape
    w_o = attention.w_o.weight.detach().double().T.reshape(H, d_k, -1)  # (H, d_k, D)
    bias = attention.w_o.bias
    return HeadParts(
        heads=heads.numpy(),
        w_o=w_o.numpy(),
        parts=(heads @ w_o).numpy(),
        bias=np.zeros(w_o.shape[-1]) if bias is None else bias.detach().double().numpy(),
        output=recorder[f"{path}.out"][0].double().numpy(),
    )


@dataclass(frozen=True, eq=False)
class HeadAblation:
    """What changes when one head is ablated.

    tokens  (T,) change of each token's final vector, relative to its length
    maps    (L, H) largest change of any weight, per layer and head; 0 up to the ablated layer
    """

    tokens: np.ndarray
    maps: np.ndarray


def ablate_head(
    model: Model, ids: Text, layer: int, head: int, mask: Tensor | None = None, *, is_causal: bool = True
) -> HeadAblation:
    """Compare the model with itself after one head is ablated: its output before W_o set to zero.

    Raises IndexError if there is no such layer or head.
    """
    check_head(model, layer, head)
    out, weights = _out_and_maps(model, ids, mask, is_causal, no_tap)
    cut, cut_weights = _out_and_maps(model, ids, mask, is_causal, ablate(f"{model.kind}.{layer}.self_attn", head))
    return HeadAblation(_moved(out, cut), (cut_weights - weights).abs().amax(dim=(-2, -1)).numpy())


def ablate_each_head(model: Model, ids: Text, mask: Tensor | None = None, *, is_causal: bool = True) -> np.ndarray:
    """How much the final vectors change, averaged over tokens, when each head is ablated: (L, H), one pass per head."""
    L, H = len(model.stack.layers), model.config.n_heads
    with torch.inference_mode():
        out, _ = last_layer(model, ids, mask, is_causal=is_causal)

        def effect(layer: int, head: int) -> float:
            tap = ablate(f"{model.kind}.{layer}.self_attn", head)
            return _moved(out[0], last_layer(model, ids, mask, is_causal=is_causal, tap=tap)[0][0]).mean()

        return np.array([[effect(i, h) for h in range(H)] for i in range(L)])


def _out_and_maps(model: Model, ids: Text, mask: Tensor | None, is_causal: bool, tap: Tap) -> tuple[Tensor, Tensor]:
    """The final vectors (T, D) and the weights of all heads (L, H, T, T)."""
    recorder = Recorder("out")
    output = forward(model, ids, mask, is_causal=is_causal, tap=compose(tap, recorder))
    return recorder[f"{model.kind}.out"][0], torch.stack([w[0] for w in getattr(output.attention, model.kind)])


def _moved(out: Tensor, cut: Tensor) -> np.ndarray:
    """How far each final vector (T, D) has moved, relative to its length, (T,)."""
    return ((cut - out).norm(dim=-1) / out.norm(dim=-1)).numpy()


@dataclass(frozen=True, eq=False)
class EdgeEffects:
    """Three measures of one query's edges to its S keys, each (S,).

    weight  the attention weight
    moved   weight times the length of what the key's value adds through W_o
    effect  change of the query's final vector when this one weight is set to 0, relative to its length
    """

    weight: np.ndarray
    moved: np.ndarray
    effect: np.ndarray


def edge_effects(
    model: Model, ids: Text, layer: int, head: int, query: int, mask: Tensor | None = None, *, is_causal: bool = True
) -> EdgeEffects:
    """Measure how much each edge of one query in one head matters. Every edge is cut in turn, all in one batch.

    The query is counted from 0, or from -1 backwards. Raises InputError if there is none, and IndexError if there is no
    such layer or head.
    """
    kind, S = model.kind, model.stack.embedding.length(one_text(ids))
    check_head(model, layer, head)
    check_position(S, query, "query")
    path = f"{kind}.{layer}.self_attn"
    recorder = Recorder("weights", "v", "out")
    forward(model, ids, mask, is_causal=is_causal, tap=recorder)
    weights = recorder[f"{path}.weights"][0, head, query]  # (S,)
    attention = model.stack.layers[layer].self_attn
    v = recorder[f"{path}.v"][0, head // (attention.n_heads // attention.n_kv_heads)]  # (S, d_k)
    w_o = attention.w_o.weight.detach().T.reshape(attention.n_heads, attention.d_k, -1)[head]  # (d_k, D)

    final: dict[str, Tensor] = {}

    def cut(name: str, tensor: Tensor) -> Tensor:
        if name == f"{path}.weights":
            tensor = tensor.clone()
            each = torch.arange(S)
            tensor[each, head, query, each] = 0.0  # copy j of the text loses the edge to key j
        if name == f"{kind}.out":
            final["out"] = tensor[:, query]
        return tensor

    with torch.inference_mode():
        last_layer(
            model, ids, mask, is_causal=is_causal, tap=cut, B=S
        )  # the weights of S copies of all layers are many
    whole = recorder[f"{kind}.out"][0, query]
    return EdgeEffects(
        weight=weights.numpy(),
        moved=(weights * (v @ w_o).norm(dim=-1)).numpy(),
        effect=((final["out"] - whole).norm(dim=-1) / whole.norm()).numpy(),
    )


def head_without_effect() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A head built by hand whose first key has a weight of 1 and no effect: the value there is zero.

    -> (weights (T, T), values (T, d_k), output (T, D))
    """
    attention = MultiHeadAttention(4, 1, bias=False, generator=torch.Generator().manual_seed(0))
    one = torch.zeros(4, 4)
    one[0, 0] = 1.0
    rest = torch.eye(4) - one
    with torch.no_grad():
        for map_, weight in (("w_q", one), ("w_k", one), ("w_v", rest), ("w_o", torch.eye(4))):
            getattr(attention, map_).weight.copy_(weight)
    x = torch.zeros(1, 4, 4)
    x[..., 0] = 20.0  # every token asks for the first feature ...
    x[0, 0, 0] = 400.0  # ... and the first token has most of it, and nothing else
    x[0, 1:, 1:] = torch.linspace(-1, 1, 9).reshape(3, 3)
    recorder = Recorder("v")
    with torch.inference_mode():
        output, weights = attention(x, tap=recorder)
    return weights[0, 0].numpy(), recorder["v"][0, 0].numpy(), output[0].numpy()


def map_similarity(weights: np.ndarray) -> np.ndarray:
    """The cosine of every two heads' flattened maps, (L, H, T, S) -> (LH, LH): 1 for equal maps, 0 for disjoint."""
    return cosines(weights.reshape(-1, weights.shape[-2] * weights.shape[-1]))


def rollout(weights: np.ndarray) -> np.ndarray:
    """Attention rollout (Abnar and Zuidema 2020): where each token's information comes from after each layer, if half
    of it stays on the residual stream and half follows the mean of the heads. R_l = (A_l + I) / 2 R_(l-1).

    weights (L, H, T, T) -> (L, T, T); every row sums to 1. A row where all is blocked keeps all of its information.
    """
    return np.stack(list(rollout_by_layer(weights)))


def rollout_by_layer(layers: Iterable[np.ndarray]) -> Iterator[np.ndarray]:
    """The rollout (T, T) after each layer, from the weights (H, T, T) of one layer at a time."""
    passed = None
    for weights in layers:
        mean = weights.astype(np.float64).mean(axis=0)  # (T, T)
        eye, total = np.eye(len(mean)), mean.sum(-1, keepdims=True)
        # In half precision, or where some heads see nothing, rows do not add up to 1 exactly.
        step = np.where(total > 0, (mean / np.where(total > 0, total, 1) + eye) / 2, eye)
        passed = step if passed is None else step @ passed
        yield passed


def subspace_overlap(w: np.ndarray, n_heads: int, head: int) -> float:
    """How much of what one head reads the other heads of its layer read as well, on average: 0 for none of it, 1 for
    all, and about d_k / D for directions drawn at random. w (D, H d_k): a projection such as W_q.

    A head reads the directions that its own columns of w span. NaN for a head alone.
    """
    bases = [np.linalg.qr(columns)[0] for columns in np.split(w.astype("f8"), n_heads, axis=1)]  # (D, d_k) each
    shared = [
        float((bases[head].T @ other) ** 2 @ np.ones(other.shape[1]) @ np.ones(bases[head].shape[1]))
        for n, other in enumerate(bases)
        if n != head
    ]
    return float(np.mean(shared)) / bases[head].shape[1] if shared else float("nan")


def split_layout(T: int, D: int, n_heads: int) -> list[tuple[str, np.ndarray]]:
    """Where each number of x (T, D) stands before, in and after the heads, by the model's split_heads and merge_heads.

    Every number is marked with its first place, token * D + feature. -> [(step, marks)], the marks (T, D), then
    (n_heads, T, d_k), then (T, D) again.
    """
    marks = torch.arange(T * D).reshape(1, T, D)
    cut = split_heads(marks, n_heads)
    return [
        ("tokens x features", marks[0].numpy()),
        ("heads x tokens x features of a head", cut[0].numpy()),
        ("joined again", merge_heads(cut)[0].numpy()),
    ]


def attention_cost(d_model: int, n_heads: int, T: int) -> tuple[int, int]:
    """Parameters of multi-head attention, counted on the module, and the multiplications of a pass over T tokens:
    4 T D^2 for the four linear maps and 2 T^2 D for scores and mixing, whatever the number of heads."""
    attention: nn.Module = MultiHeadAttention(d_model, n_heads, generator=torch.Generator().manual_seed(0))
    d_k = d_model // n_heads
    return (sum(p.numel() for p in attention.parameters()), 4 * T * d_model**2 + n_heads * (2 * T * T * d_k))
