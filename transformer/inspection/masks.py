"""What a mask does: to the scores of one head, to what tokens can hear of each other through the layers, and to a row
in which nothing is allowed. All in numpy, all from the model's own forward passes.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from transformer.core import masks
from transformer.core.attention import masked_softmax
from transformer.core.model import DecoderModel, Output, SingleStack, Stack, Transformer
from transformer.core.taps import Recorder, Tap
from transformer.inspection.run import AttentionMap, Text, check_head, ids_of, mask_of_all_layers, one_text

DTYPES = {"float32": torch.float32, "float16": torch.float16, "bfloat16": torch.bfloat16}
NEVER = -1  # in layers_needed(): no number of layers is enough


@dataclass(frozen=True, eq=False)
class Stages:
    """One head from its scores to its weights, each (T, T), and the logits (V,) of the next token; masked is the scores
    with -inf in blocked cells."""

    scores: np.ndarray
    masked: np.ndarray
    weights: np.ndarray
    logits: np.ndarray


def stages(model: SingleStack, ids: Text, mask: np.ndarray, head: int = 0, layer: int = 0) -> Stages:
    """Scores, masked scores and weights of one head in one layer of a model, from its own forward pass.

    ids (T,), mask (T, T) boolean, True = may attend, in place of a decoder's own, in every layer. The scores are those
    that enter softmax: scaled, with the bias of the position scheme if it has one. Raises IndexError if there is no
    such layer or head.
    """
    check_head(model, layer, head)
    recorder = Recorder("scaled", "biased", "weights")
    out = _masked_run(model, ids, mask, recorder)
    path = f"{model.kind}.{layer}.self_attn."
    scores = recorder.get(f"{path}biased", recorder[f"{path}scaled"])[0, head].numpy()
    weights = recorder[f"{path}weights"][0, head].numpy()
    return Stages(scores, np.where(mask, scores, -np.inf), weights, out.logits[0, -1].numpy())


def turning_cells(model: DecoderModel, ids: Text) -> tuple[tuple[int, int], ...]:
    """The cells (query, key) of a decoder's own mask any of which, blocked alone in every layer, gives the text another
    likeliest next token."""
    text = one_text(ids)
    T = text.shape[1]
    own = masks.causal(T)
    found = []
    with torch.inference_mode():
        said = model(text).logits[0, -1].argmax()
        for i in range(T):  # one batch for each query: as many masks as it has keys
            blocked = own.repeat(i + 1, 1, 1, 1)
            blocked[range(i + 1), 0, i, range(i + 1)] = False
            now = model(text.expand(i + 1, T), blocked, is_causal=False).logits[:, -1].argmax(-1)
            found += [(i, j) for j in range(i + 1) if now[j] != said]
    return tuple(found)


def reach(mask: np.ndarray, n_layers: int) -> np.ndarray:
    """Whether query i can have heard of key j after n_layers, (T, T): the boolean matrix power (mask or I)^n_layers.

    The identity is the residual connection, which hands every token its own past. mask (T, T), or (L, T, T) where each
    layer has its own: then the product of the first n_layers of them.
    """
    T = mask.shape[-1]
    power = np.eye(T, dtype=bool)
    for step in np.broadcast_to(mask, (n_layers, T, T)) if mask.ndim == 2 else mask[:n_layers]:
        power |= (step.astype(int) @ power.astype(int)) > 0
    return power


def layers_needed(mask: np.ndarray) -> np.ndarray:
    """The smallest number of layers after which query i can have heard of key j, (T, T): 0 of itself; or NEVER.

    mask (T, T), in any number of layers, or (L, T, T) where each of L layers has its own.
    """
    T = mask.shape[-1]
    needed = np.where(np.eye(T, dtype=bool), 0, NEVER)
    for n in range(1, T if mask.ndim == 2 else len(mask) + 1):
        needed[(needed == NEVER) & reach(mask, n)] = n
    return needed


def farthest(connected: np.ndarray) -> int:
    """How many tokens away the farthest key is that some query is connected to; connected (T, T) boolean."""
    queries, keys = np.nonzero(connected)
    return int(np.abs(queries - keys).max(initial=0))


@dataclass(frozen=True, eq=False)
class Leak:
    """What one edited token moves, at every height: 0 is the input of the model, L the output of its last layer.

    moved      (L + 1, T) boolean: whether any bit of the residual stream changed
    change     (L + 1, T) the largest change of a feature
    predicted  (L + 1, T) boolean: whether the edit can be heard of there, according to the mask
    output     (T,) boolean: whether any bit of the logits changed
    """

    moved: np.ndarray
    change: np.ndarray
    predicted: np.ndarray
    output: np.ndarray

    @property
    def agrees(self) -> bool:
        """Whether exactly those tokens moved that can hear of the edit."""
        return np.array_equal(self.moved, self.predicted) and np.array_equal(self.output, self.predicted[-1])


def leak(model: SingleStack, ids: Text, edited: Text, mask: np.ndarray) -> Leak:
    """Run a text and its edited version through the model under this mask, and compare the two runs bit for bit.

    ids, edited (T,): equal except for the edited tokens; mask (T, T) boolean, in place of a decoder's own. Where layers
    of the model have a window, that comes on top of it.
    """
    before, after = (_run(model, tokens, mask) for tokens in (ids, edited))
    in_layers = mask_of_all_layers(model.stack, len(mask), torch.from_numpy(mask))
    assert in_layers is not None
    mask = in_layers.numpy()
    L = len(model.stack.layers)
    is_edited = np.array([a != b for a, b in zip(ids_of(ids), ids_of(edited), strict=True)])
    return Leak(
        moved=(before.stream != after.stream).any(-1),
        change=np.abs(before.stream - after.stream).max(-1),
        predicted=np.stack([(reach(mask, n) & is_edited).any(-1) for n in range(L + 1)]),
        output=(before.logits != after.logits).any(-1),
    )


@dataclass(frozen=True, eq=False)
class _Run:
    stream: np.ndarray  # (L + 1, T, D)
    logits: np.ndarray  # (T, V)


def _run(model: SingleStack, ids: Text, mask: np.ndarray) -> _Run:
    recorder = Recorder("residual_in", "residual_out")
    out = _masked_run(model, ids, mask, recorder)
    stream = torch.cat([recorder[f"{model.kind}.0.residual_in"], recorder.stack("residual_out")[:, 0]])  # (L + 1, T, D)
    return _Run(stream.numpy(), out.logits[0].numpy())


def _masked_run(model: SingleStack, ids: Text, mask: np.ndarray, tap: Tap) -> Output:
    """One forward pass under this mask (T, T) alone: a decoder leaves its causal one out."""
    ids_, mask_ = one_text(ids), torch.from_numpy(mask)
    with torch.inference_mode():
        if isinstance(model, DecoderModel):
            return model(ids_, mask_, is_causal=False, tap=tap)
        return model(ids_, mask_, tap=tap)


@dataclass(frozen=True, eq=False)
class Fill:
    """The result of one way of blocking keys in a row of scores.

    weights   (S,) float64; None if torch refused
    output    weights . values
    gradient  (S,) float64, of the output by the values: all that the layers below learn from this row
    error     the message of torch if it refused, else ""
    """

    name: str
    weights: np.ndarray | None = None
    output: float = 0.0
    gradient: np.ndarray | None = None
    error: str = ""


def fill_with_minus_infinity(scores: Tensor, mask: Tensor) -> Tensor:
    return scores.masked_fill(~mask, float("-inf")).softmax(-1)


def fill_with_minus_billion(scores: Tensor, mask: Tensor) -> Tensor:
    return scores.masked_fill(~mask, -1e9).softmax(-1)


FILLS = {"−∞": fill_with_minus_infinity, "−1e9": fill_with_minus_billion, "ours": masked_softmax}


def blocked_row(scores: Sequence[float], allowed: Sequence[bool], dtype: str = "float32") -> list[Fill]:
    """A row of scores (S,) blocked in three ways, in this precision, with the values 1, 2, ..., S.

    allowed (S,): which keys are open. dtype is a name in DTYPES.
    """
    return [_fill(name, fill, scores, allowed, DTYPES[dtype]) for name, fill in FILLS.items()]


def _fill(
    name: str,
    fill: Callable[[Tensor, Tensor], Tensor],
    scores: Sequence[float],
    allowed: Sequence[bool],
    dtype: torch.dtype,
) -> Fill:
    values = torch.arange(1, len(scores) + 1, dtype=dtype, requires_grad=True)
    try:
        weights = fill(torch.tensor([list(scores)], dtype=dtype), torch.tensor([list(allowed)]))  # (1, S)
    except RuntimeError as error:
        return Fill(name, error=str(error))
    output = weights[0] @ values
    (gradient,) = torch.autograd.grad(output, values)
    return Fill(name, weights[0].double().numpy(), output.item(), gradient.double().numpy())


def three_attentions(
    model: Transformer,
    src: Sequence[int],
    tgt: Sequence[int],
    pad_id: int,
    src_tokens: Sequence[str],
    tgt_tokens: Sequence[str],
    *,
    masked: bool = True,
) -> dict[str, AttentionMap]:
    """The attentions of an encoder-decoder for one pair of texts: "encoder" (S, S), "decoder" (T, T), "cross" (T, S).

    src (S,) may end in padding, which is masked both in the encoder and where the decoder reads memory. masked=False
    leaves it open, as if that mask had been forgotten.
    """
    recorder = Recorder("q", "k", "v")
    src_ids = torch.tensor([list(src)])
    with torch.inference_mode():
        padding = masks.padding_of(src_ids, pad_id)  # (1, 1, 1, S)
        out = model(src_ids, torch.tensor([list(tgt)]), padding if masked else None, tap=recorder)
        biases = {"encoder": model.encoder.positions.bias(len(src), len(src))}
        biases["decoder"] = model.decoder.positions.bias(len(tgt), len(tgt))
    S, T = len(src), len(tgt)
    real = padding[0, 0].numpy() if masked else np.ones((1, S), bool)
    scale = model.config.d_k**0.5 if model.config.scaled else 1.0

    def collect(attention: str, weights: list[Tensor], mask: np.ndarray) -> AttentionMap:
        stack, part = attention.split(".")
        queries = src_tokens if stack == "encoder" else tgt_tokens
        keys = queries if part == "self_attn" else src_tokens
        q, k, v = (recorder.stack(f"{attention}.{name}")[:, 0].numpy() for name in ("q", "k", "v"))
        stacked = torch.stack(weights)[:, 0].numpy()
        # Relative schemes count distances within one text: none in cross-attention.
        bias = biases[stack] if part == "self_attn" else None
        bias = None if bias is None else bias.float().numpy()
        return AttentionMap(tuple(queries), tuple(keys), stacked, q, k, scale, bias, mask, v)

    def mask_of(stack: Stack, mask: Tensor) -> np.ndarray:
        windowed = mask_of_all_layers(stack, len(mask), mask)
        assert windowed is not None
        return windowed.numpy()

    reads = mask_of(model.encoder, torch.from_numpy(real).expand(S, S))
    return {
        "encoder": collect("encoder.self_attn", out.attention.encoder, reads),
        "decoder": collect("decoder.self_attn", out.attention.decoder, mask_of(model.decoder, masks.causal(T))),
        "cross": collect("decoder.cross_attn", out.attention.cross, np.broadcast_to(real, (T, S))),
    }


@dataclass(frozen=True, eq=False)
class Batch:
    """B sentences of unequal length in one padded batch, compared with each of them alone.

    weights        (B, H, T, T) of the first layer; T is the length of the longest sentence
    allowed        (B, T, T) boolean, True = may attend
    differences    (B,) the largest difference of a logit of a real token between the batch and the sentence alone
    largest_logit  of all real tokens, as a measure for `differences`
    shapes         of the masks, of both together, and of the weights, by name
    """

    weights: np.ndarray
    allowed: np.ndarray
    differences: np.ndarray
    largest_logit: float
    shapes: dict[str, tuple[int, ...]]


def padded_batch(model: SingleStack, sentences: Sequence[Sequence[int]], pad_id: int, *, masked: bool = True) -> Batch:
    """Run sentences (ids of unequal length, none empty) as one batch padded with pad_id, and each alone.

    masked=False leaves the padding mask out, as if it had been forgotten. An EncoderModel has no other mask, a
    DecoderModel also has its causal one.
    """
    B, T = len(sentences), max(map(len, sentences))
    ids = torch.full((B, T), pad_id)
    for row, sentence in zip(ids, sentences, strict=True):
        row[: len(sentence)] = torch.tensor(list(sentence))
    padding = masks.padding_of(ids, pad_id)  # (B, 1, 1, T)
    causal = masks.causal(T) if model.kind == "decoder" else None
    applied = padding if masked else None
    with torch.inference_mode():
        together = model(ids, applied)
        alone = [model(row[None, : len(sentence)]).logits[0] for row, sentence in zip(ids, sentences, strict=True)]
    differences = [(together.logits[b, : len(one)] - one).abs().max() for b, one in enumerate(alone)]
    weights = getattr(together.attention, model.kind)[0]  # (B, H, T, T)
    combined = masks.all_of(applied, causal)
    shapes = {"padding": tuple(padding.shape)} if masked else {}
    if causal is not None:
        shapes["causal"] = tuple(causal.shape)
    if combined is not None:
        shapes["together"] = tuple(combined.shape)
    shapes["weights"] = tuple(weights.shape)
    allowed = torch.ones(B, T, T, dtype=torch.bool) if combined is None else combined.expand(B, 1, T, T)[:, 0]
    return Batch(
        weights.numpy(), allowed.numpy(), np.array(differences), max(float(one.abs().max()) for one in alone), shapes
    )
