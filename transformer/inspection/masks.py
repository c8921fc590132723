"""What a mask does: its cells by name, what it makes of one head's scores, who hears of whom through the layers, and
what becomes of a row in which nothing is allowed. All in numpy, all from the model's own forward passes.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from transformer import masks
from transformer.attention import masked_softmax
from transformer.checks import InputError
from transformer.inspection.run import AttentionMap
from transformer.model import DecoderModel, EncoderModel, SingleStack, Transformer
from transformer.taps import Recorder

DTYPES = {"float32": torch.float32, "float16": torch.float16, "bfloat16": torch.bfloat16}
NEVER = -1  # in layers_needed(): no number of layers is enough


def named(name: str, T: int, span: int = 0) -> np.ndarray:
    """The mask of that name for T tokens, (T, T) boolean, True = may attend.

    none, causal, window (to both sides), causal window, causal prefix, padding; span is the width of the window, the
    length of the prefix, or how many of the last tokens are padding. Raises InputError for another name.
    """
    match name:
        case "none":
            mask = torch.ones(T, T, dtype=torch.bool)
        case "causal":
            mask = masks.causal(T)
        case "window":
            mask = masks.sliding_window(T, span)
        case "causal window":
            mask = masks.causal(T) & masks.sliding_window(T, span)
        case "causal prefix":
            mask = masks.prefix(T, span)
        case "padding":
            mask = masks.padding(torch.tensor([max(T - span, 0)]), T)[0, 0].expand(T, T)
        case _:
            raise InputError(f"there is no mask called {name!r}")
    return mask.numpy().copy()


@dataclass(frozen=True, eq=False)
class Stages:
    """One head between its scores and its weights, each (T, T): masked has -inf where the mask says no."""

    scores: np.ndarray
    masked: np.ndarray
    weights: np.ndarray


def stages(model: EncoderModel, ids: Sequence[int], mask: np.ndarray, head: int = 0) -> Stages:
    """scores -> masked -> weights of one head in the first layer of an encoder, in its own forward pass.

    ids (T,), mask (T, T) boolean, True = may attend. The scores are those that softmax meets: scaled, with the bias
    of the position scheme if it has one.
    """
    recorder = Recorder("scaled", "biased", "weights")
    with torch.inference_mode():
        model(torch.tensor([list(ids)]), torch.from_numpy(mask), tap=recorder)
    path = "encoder.0.self_attn."
    scores = recorder.get(f"{path}biased", recorder[f"{path}scaled"])[0, head].numpy()
    return Stages(scores, np.where(mask, scores, -np.inf), recorder[f"{path}weights"][0, head].numpy())


def reach(mask: np.ndarray, n_layers: int) -> np.ndarray:
    """Who can have heard of whom after n_layers: (mask or I)^n_layers as a boolean matrix power, (T, T).

    The identity stands for the residual connection, which hands every token its own past.
    """
    step = mask | np.eye(len(mask), dtype=bool)
    heard = np.eye(len(mask), dtype=bool)
    for _ in range(n_layers):
        heard = (step.astype(int) @ heard.astype(int)) > 0
    return heard


def layers_needed(mask: np.ndarray) -> np.ndarray:
    """The least number of layers after which query i can have heard of key j, (T, T); 0 of itself, or NEVER."""
    needed = np.where(np.eye(len(mask), dtype=bool), 0, NEVER)
    for n in range(1, len(mask)):
        needed[(needed == NEVER) & reach(mask, n)] = n
    return needed


@dataclass(frozen=True, eq=False)
class Leak:
    """What one edited token moves, at every height: 0 is the model's input, L the outcome of its last layer.

    moved      (L + 1, T) boolean: not bit for bit what it was
    change     (L + 1, T) the largest change of a feature
    predicted  (L + 1, T) boolean: where the mask says that it can be heard of
    output     (T,) boolean: whether the logits moved
    """

    moved: np.ndarray
    change: np.ndarray
    predicted: np.ndarray
    output: np.ndarray

    @property
    def agree(self) -> bool:
        """Whether exactly those moved that the mask lets hear of the edit."""
        return np.array_equal(self.moved, self.predicted) and np.array_equal(self.output, self.predicted[-1])


def leak(model: DecoderModel, ids: Sequence[int], edited: Sequence[int], mask: np.ndarray) -> Leak:
    """Run a text and its edited version through the model under this mask, and compare the two runs bit for bit.

    ids, edited (T,): the same but for the tokens that were edited; mask (T, T) boolean, in the place of the causal one.
    """
    before, after = (_heights(model, tokens, mask) for tokens in (ids, edited))
    L = len(model.decoder.layers)
    touched = np.array([a != b for a, b in zip(ids, edited, strict=True)])
    return Leak(
        moved=(before.stream != after.stream).any(-1),
        change=np.abs(before.stream - after.stream).max(-1),
        predicted=np.stack([(reach(mask, n) & touched).any(-1) for n in range(L + 1)]),
        output=(before.logits != after.logits).any(-1),
    )


@dataclass(frozen=True, eq=False)
class _Heights:
    stream: np.ndarray  # (L + 1, T, D)
    logits: np.ndarray  # (T, V)


def _heights(model: DecoderModel, ids: Sequence[int], mask: np.ndarray) -> _Heights:
    recorder = Recorder("residual_in", "residual_out")
    with torch.inference_mode():
        out = model(torch.tensor([list(ids)]), torch.from_numpy(mask), is_causal=False, tap=recorder)
    stream = torch.cat([recorder["decoder.0.residual_in"], recorder.stack("residual_out")[:, 0]])  # (L + 1, T, D)
    return _Heights(stream.numpy(), out.logits[0].numpy())


@dataclass(frozen=True, eq=False)
class Fill:
    """What one way of blocking makes of a row of scores.

    weights   (S,) float64
    output    weights . values, what the row hands on
    gradient  (S,) float64, of the output by the values: what everything below learns from this row
    error     what torch said instead of a result, or ""
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
    """The same row of scores (S,) blocked in three ways, in the given precision, and what it does to the values
    1, 2, ..., S.

    allowed (S,): which keys may be looked at. dtype is one of DTYPES.
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
    """The attentions of an encoder-decoder on one pair of texts: "encoder" (S, S), "decoder" (T, T), "cross" (T, S).

    src (S,) may end on padding, which nobody may look at: not the encoder, and not the decoder when it reads memory.
    masked=False leaves it open: what happens when that mask is forgotten.
    """
    recorder = Recorder("q", "k")
    src_ids = torch.tensor([list(src)])
    with torch.inference_mode():
        padding = masks.padding_of(src_ids, pad_id)  # (1, 1, 1, S)
        out = model(src_ids, torch.tensor([list(tgt)]), padding if masked else None, tap=recorder)
        biases = {"encoder": model.encoder.positions.bias(len(src), len(src))}
        biases["decoder"] = model.decoder.positions.bias(len(tgt), len(tgt))
    S, T = len(src), len(tgt)
    real = padding[0, 0].numpy() if masked else np.ones((1, S), bool)
    scale = model.config.d_k**0.5 if model.config.scaled else 1.0

    def collect(
        kind: str,
        attention: str,
        weights: list[Tensor],
        queries: Sequence[str],
        keys: Sequence[str],
        mask: np.ndarray,
    ) -> AttentionMap:
        q, k = (recorder.stack(f"{attention}.{name}")[:, 0].numpy() for name in ("q", "k"))
        seen = torch.stack(weights)[:, 0].numpy()
        bias = biases.get(kind)  # relative schemes count distances within one text: none in cross-attention
        bias = None if bias is None else bias.float().numpy()
        return AttentionMap(tuple(queries), tuple(keys), seen, q, k, scale, bias, mask)

    return {
        "encoder": collect(
            "encoder",
            "encoder.self_attn",
            out.attention.encoder,
            src_tokens,
            src_tokens,
            np.broadcast_to(real, (S, S)),
        ),
        "decoder": collect(
            "decoder", "decoder.self_attn", out.attention.decoder, tgt_tokens, tgt_tokens, masks.causal(T).numpy()
        ),
        "cross": collect(
            "cross",
            "decoder.cross_attn",
            out.attention.cross,
            tgt_tokens,
            src_tokens,
            np.broadcast_to(real, (T, S)),
        ),
    }


@dataclass(frozen=True, eq=False)
class Batch:
    """B sentences of unequal length in one padded batch, and each of them alone.

    weights    (B, H, T, T) of the first layer; T is the length of the longest
    allowed    (B, T, T) boolean: what the mask let them see
    apart      (B,) the largest difference of a logit of a real token between the batch and the sentence alone
    largest    the largest logit of all, to judge `apart` by
    shapes     name -> shape, of the masks as they are made and as they meet the weights
    """

    weights: np.ndarray
    allowed: np.ndarray
    apart: np.ndarray
    largest: float
    shapes: dict[str, tuple[int, ...]]


def padded_batch(model: SingleStack, sentences: Sequence[Sequence[int]], pad_id: int, *, masked: bool = True) -> Batch:
    """Run sentences (ids of unequal length, none empty) as one batch padded with pad_id, and each alone.

    masked=False leaves the padding mask out: what happens when it is forgotten. An EncoderModel has no other mask, a
    DecoderModel also its causal one.
    """
    B, T = len(sentences), max(map(len, sentences))
    ids = torch.full((B, T), pad_id)
    for row, sentence in zip(ids, sentences, strict=True):
        row[: len(sentence)] = torch.tensor(list(sentence))
    padding = masks.padding_of(ids, pad_id)  # (B, 1, 1, T)
    causal = masks.causal(T) if model.kind == "decoder" else None
    given = padding if masked else None
    with torch.inference_mode():
        together = model(ids, given)
        alone = [model(row[None, : len(sentence)]).logits[0] for row, sentence in zip(ids, sentences, strict=True)]
    apart = [(together.logits[b, : len(one)] - one).abs().max() for b, one in enumerate(alone)]
    weights = getattr(together.attention, model.kind)[0]  # (B, H, T, T)
    both = masks.all_of(given, causal)
    shapes = {"padding": tuple(padding.shape)} if masked else {}
    if causal is not None:
        shapes["causal"] = tuple(causal.shape)
    if both is not None:
        shapes["together"] = tuple(both.shape)
    shapes["weights"] = tuple(weights.shape)
    allowed = torch.ones(B, T, T, dtype=torch.bool) if both is None else both.expand(B, 1, T, T)[:, 0]
    return Batch(
        weights.numpy(),
        allowed.numpy(),
        np.array(apart),
        max(float(one.abs().max()) for one in alone),
        shapes,
    )
