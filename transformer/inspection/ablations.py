"""Ablations: the same model without its residual connections, norms, feed-forward layers or attention."""

import copy
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from transformer.core.checks import InputError
from transformer.core.context import PLAIN, Context
from transformer.core.layers import AddNorm
from transformer.core.model import DecoderModel, SingleStack
from transformer.core.taps import Recorder
from transformer.inspection.geometry import mean_cosine
from transformer.inspection.run import Text, last_layer, one_text

PARTS = ("residual", "norm", "feed_forward", "attention")
SUBLAYERS = ("attention", "feed_forward")  # in the order of a layer; each has a residual connection and a norm
# What can be cut out of one layer: a sublayer, or the residual connection or the norm of its first or second one.
CUTS = ("attention", "feed_forward", "residual1", "residual2", "norm1", "norm2")


class _NoResidual(AddNorm):
    """Only the update goes on: Sublayer(LayerNorm(x)), or LayerNorm(Sublayer(x))."""

    def after(self, x: Tensor, update: Tensor, ctx: Context = PLAIN) -> Tensor:
        return super().after(torch.zeros_like(x), update, ctx)


class _NoNorm(AddNorm):
    """x + Sublayer(x), wherever the norm stood."""

    def forward(self, input: Tensor) -> Tensor:
        return input


class _Neither(_NoNorm, _NoResidual):
    """Sublayer(x)."""


class _Muted(nn.Module):
    """A sublayer that computes, and can be tapped, as before, but of which only a share is added to the stream."""

    def __init__(self, part: nn.Module, share: float = 0.0) -> None:
        super().__init__()
        self.part, self.share = part, share

    def forward(self, *args: Any, **keywords: Any) -> Any:
        output = self.part(*args, **keywords)
        if isinstance(output, tuple):  # attention also returns its weights
            return self._of(output[0]), *output[1:]
        return self._of(output)

    def _of(self, update: Tensor) -> Tensor:
        return self.share * update if self.share else torch.zeros_like(update)


AnyModel = TypeVar("AnyModel", bound=nn.Module)
Single = TypeVar("Single", bound=SingleStack)
_CUTS: dict[tuple[bool, bool], type[AddNorm]] = {
    (False, False): AddNorm,
    (True, False): _NoResidual,
    (False, True): _NoNorm,
    (True, True): _Neither,
}


def ablate(model: Single, *parts: str) -> Single:
    """A model with the same parameters (shared, not copied) but without `parts`.

    parts  some of PARTS, which go out of every layer, or one of CUTS in one layer, counted from 0: "attention.2"

    The given model stays as it is. Without `parts` the result computes the same, bit for bit. Raises InputError for
    an unknown part.
    """
    for part in parts:
        _check(part, len(model.stack.layers))
    model = twin(model)
    stack = model.stack
    for n, layer in enumerate(stack.layers):

        def is_out(kind: str, sublayer: str = "", n: int = n) -> bool:
            return kind in parts or f"{kind}{sublayer}.{n}" in parts

        for number in "12":
            norm = getattr(layer, f"norm{number}")
            cut = _CUTS[is_out("residual", number), is_out("norm", number)]
            setattr(layer, f"norm{number}", _as(cut, norm))
        if is_out("feed_forward"):
            layer.register_module("feed_forward", _Muted(layer.feed_forward))
        if is_out("attention"):
            layer.register_module("self_attn", _Muted(layer.self_attn))
    if "norm" in parts:
        stack.final_norm, stack.embedding_norm = nn.Identity(), None
    return model


def _check(part: str, n_layers: int) -> None:
    kind, _, layer = part.partition(".")
    is_cut = kind in CUTS and layer.isdecimal() and layer == str(int(layer)) and int(layer) < n_layers
    if part not in PARTS and not is_cut:
        raise InputError(f"there is no part {part!r}; there are {', '.join((*PARTS, *(f'{c}.0' for c in CUTS)))}")


def one_by_one(model: SingleStack, ids: Text, shares: Sequence[float] = (0.0,)) -> Iterator[np.ndarray]:
    """The logits (S, T, V) of this model in which a single sublayer adds only each of S shares of its result: layer by
    layer, in the order of SUBLAYERS."""
    ids = one_text(ids)
    for layer in range(len(model.stack.layers)):
        for name in ("self_attn", "feed_forward"):
            cut, logits = twin(model), []
            muted = _Muted(getattr(cut.stack.layers[layer], name))
            cut.stack.layers[layer].register_module(name, muted)
            with torch.inference_mode():
                for share in shares:
                    muted.share = share
                    out, _ = last_layer(cut, ids)
                    logits.append(cut.output(out, cut.stack.embedding)[0].numpy())
            yield np.stack(logits)


def _as(cut: type[AddNorm], norm: AddNorm) -> AddNorm:
    """An Add & Norm of another class with the parameters of this one."""
    D, has_bias = norm.normalized_shape[0], norm.bias is not None
    other = cut(D, norm.norm, kind=norm.kind, bias=has_bias, eps=norm.eps, dropout=norm.dropout).train(norm.training)
    other.weight, other.bias = norm.weight, norm.bias
    return other


def twin(model: AnyModel) -> AnyModel:
    """A second model on the same parameters and buffers: its modules can be changed without touching the first."""
    shared = {id(tensor): tensor for tensor in [*model.parameters(), *model.buffers()]}
    return copy.deepcopy(model, shared)


def rms(x: Tensor) -> float:
    """Root of the mean square of all numbers of a tensor."""
    return float(x.double().square().mean().sqrt())


@dataclass(frozen=True, eq=False)
class StreamStatistics:
    """The stream of one sentence from the embedding up to the last layer, in numbers (L + 1,), and where it ends.

    rms     its size     cosine  mean cosine between tokens
    maps    (T, T) attention weights of the last layer, mean over heads
    logits  (T, V)
    streams (L + 1, T', D') the stream itself, of the first tokens and features
    """

    rms: np.ndarray
    cosine: np.ndarray
    maps: np.ndarray
    logits: np.ndarray
    streams: np.ndarray


MAX_STREAM = 64  # tokens, and features, of which the stream is kept


def stream_statistics(model: SingleStack, ids: Text) -> StreamStatistics:
    """Measure the stream of this model on one sentence, after every layer."""
    recorder = Recorder("residual_in", "residual_out")
    with torch.inference_mode():
        out, weights = last_layer(model, ids, tap=recorder)
        logits = model.output(out, model.stack.embedding)
    # (L + 1, T, D)
    streams = torch.cat([recorder[f"{model.kind}.0.residual_in"], recorder.stack("residual_out")[:, 0]])
    return StreamStatistics(
        rms=np.array([rms(x) for x in streams]),
        cosine=np.array([mean_cosine(x) for x in streams]),
        maps=weights[0].mean(0).numpy(),
        logits=logits[0].numpy(),
        streams=streams[:, :MAX_STREAM, :MAX_STREAM].numpy().copy(),
    )


def prediction_change(before: np.ndarray, after: np.ndarray) -> tuple[float, int]:
    """How far two sets of logits (T, V) differ: (mean total variation between the two softmaxes, 0 to 1; the number of
    tokens for which another id is ranked first)."""
    a, b = (torch.tensor(logits).double().softmax(-1) for logits in (before, after))
    return float((a - b).abs().sum(-1).mean() / 2), int((before.argmax(-1) != after.argmax(-1)).sum())


@dataclass(frozen=True, eq=False)
class DepthStatistics:
    """The stream of one sentence in a model, from the embedding (index 0) to the last layer, (L + 1,) each.

    gradient     length of d loss / d stream
    rms, cosine  as in StreamStatistics
    loss         cross-entropy of the next token, in nats
    """

    gradient: np.ndarray
    rms: np.ndarray
    cosine: np.ndarray
    loss: float


def depth_statistics(model: DecoderModel, ids: Text) -> DepthStatistics:
    """Run one sentence forward and back through a model, ablated or not.

    The loss is the cross-entropy of predicting each next token; at the last one the first is to be predicted. No
    gradient is stored on the parameters.
    """
    streams: list[Tensor] = []
    last = f"decoder.{len(model.decoder.layers) - 1}.residual_out"

    def tap(name: str, tensor: Tensor) -> Tensor:
        if name.endswith(".residual_in") or name == last:
            streams.append(tensor)
        return tensor

    batch = one_text(ids)  # (1, T)
    with torch.enable_grad():
        logits = model(batch, tap=tap).logits[0]
        loss = F.cross_entropy(logits, batch[0].roll(-1))
        gradients = torch.autograd.grad(loss, streams)
    return DepthStatistics(
        gradient=np.array([float(g.double().norm()) for g in gradients]),
        rms=np.array([rms(x[0].detach()) for x in streams]),
        cosine=np.array([mean_cosine(x[0].detach()) for x in streams]),
        loss=float(loss.detach()),
    )
