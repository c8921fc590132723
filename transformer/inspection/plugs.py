"""Pull the plug: the same model without its residual connections, its norms, or its feed-forward layers."""

import copy
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from transformer.checks import InputError
from transformer.context import PLAIN, Context
from transformer.inspection.blocks import Model
from transformer.layers import AddNorm
from transformer.model import DecoderModel
from transformer.taps import Recorder

PLUGS = ("residual", "norm", "feed_forward", "attention")


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


class _Silent(nn.Module):
    """A sublayer that computes, and can be tapped, as before, but adds nothing to the stream."""

    def __init__(self, part: nn.Module) -> None:
        super().__init__()
        self.part = part

    def forward(self, *args: Any, **keywords: Any) -> Any:
        output = self.part(*args, **keywords)
        if isinstance(output, tuple):  # attention also returns its weights
            return torch.zeros_like(output[0]), *output[1:]
        return torch.zeros_like(output)


AnyModel = TypeVar("AnyModel", bound=nn.Module)
_CUTS: dict[tuple[bool, bool], type[AddNorm]] = {
    (False, False): AddNorm,
    (True, False): _NoResidual,
    (False, True): _NoNorm,
    (True, True): _Neither,
}


def unplug(model: Model, *plugs: str) -> Model:
    """A model with the same parameters (shared, not copied) and without what `plugs` names: some of PLUGS.

    The model that is given stays as it is. Without plugs the result computes the same, bit for bit. Raises ValueError
    for a plug that there is not.
    """
    for plug in plugs:
        if plug not in PLUGS:
            raise InputError(f"there is no plug {plug!r}; there are {', '.join(PLUGS)}")
    model = twin(model)
    stack = model.stack
    cut = _CUTS["residual" in plugs, "norm" in plugs]
    for layer in stack.layers:
        layer.norm1, layer.norm2 = _as(cut, layer.norm1), _as(cut, layer.norm2)
        if "feed_forward" in plugs:
            layer.register_module("feed_forward", _Silent(layer.feed_forward))
        if "attention" in plugs:
            layer.register_module("self_attn", _Silent(layer.self_attn))
    if "norm" in plugs:
        stack.final_norm = nn.Identity()
    return model


def _as(cut: type[AddNorm], norm: AddNorm) -> AddNorm:
    """An Add & Norm of another class with the parameters of this one."""
    other = cut(norm.normalized_shape[0], norm.norm, eps=norm.eps, dropout=norm.dropout).train(norm.training)
    other.weight, other.bias = norm.weight, norm.bias
    return other


def twin(model: AnyModel) -> AnyModel:
    """A second model on the same parameters and buffers: its modules can be changed without touching the first."""
    shared = {id(tensor): tensor for tensor in [*model.parameters(), *model.buffers()]}
    return copy.deepcopy(model, shared)


def alike(x: Tensor) -> float:
    """The mean cosine between two different tokens, 1 where all point the same way. (T, D); 1 for a single token.

    A vector of length 0 has no direction; it counts as 0.
    """
    T = len(x)
    if T < 2:
        return 1.0
    # Scaled by the largest number first: the squares of a stream that has shrunk to 1e-30 would vanish.
    x = x.double() / x.abs().amax(-1, keepdim=True).clamp(min=torch.finfo(torch.float32).tiny)
    unit = F.normalize(x, dim=-1)
    return float((unit.sum(0).square().sum() - unit.square().sum()) / (T * (T - 1)))


def rms(x: Tensor) -> float:
    """Root of the mean square of all numbers of a tensor."""
    return float(x.double().square().mean().sqrt())


@dataclass(frozen=True, eq=False)
class Heights:
    """A sentence's stream from the embedding up to the last layer, in numbers (L + 1,), and where it ends.

    rms    size of the stream     alike  mean cosine between tokens
    maps   (T, T) attention weights of the last layer, mean over heads
    logits (T, V)
    """

    rms: np.ndarray
    alike: np.ndarray
    maps: np.ndarray
    logits: np.ndarray


def heights(model: Model, ids: list[int]) -> Heights:
    """Measure the stream of this model on one sentence, after every layer."""
    seen = Recorder("residual_in", "residual_out")
    with torch.inference_mode():
        output = model(torch.tensor([ids]), tap=seen)
    streams = torch.cat([seen[f"{model.kind}.0.residual_in"], seen.stack("residual_out")[:, 0]])  # (L + 1, T, D)
    return Heights(
        rms=np.array([rms(x) for x in streams]),
        alike=np.array([alike(x) for x in streams]),
        maps=getattr(output.attention, model.kind)[-1][0].mean(0).numpy(),
        logits=output.logits[0].numpy(),
    )


def moved(clean: np.ndarray, pulled: np.ndarray) -> tuple[float, int]:
    """What a plug did to the logits (T, V): (mean total variation between the two softmaxes, 0 to 1; for how many
    tokens another entry now stands first)."""
    a, b = (torch.tensor(logits).double().softmax(-1) for logits in (clean, pulled))
    return float((a - b).abs().sum(-1).mean() / 2), int((clean.argmax(-1) != pulled.argmax(-1)).sum())


@dataclass(frozen=True, eq=False)
class Depth:
    """A fresh model of some depth, from the embedding (index 0) to the last layer, (depth + 1,) each.

    gradient  length of d loss / d stream      rms, alike  as in Heights, of the stream itself
    loss      cross-entropy in nats of the next word
    """

    gradient: np.ndarray
    rms: np.ndarray
    alike: np.ndarray
    loss: float


def at_depth(model: DecoderModel, ids: list[int]) -> Depth:
    """Run one sentence forward and back through a model, whatever its plugs.

    The loss is the cross-entropy of predicting each next token; the last one is asked for the first. No gradient is
    stored on the parameters.
    """
    streams: list[Tensor] = []
    last = f"decoder.{len(model.decoder.layers) - 1}.residual_out"

    def tap(name: str, tensor: Tensor) -> Tensor:
        if name.endswith(".residual_in") or name == last:
            streams.append(tensor)
        return tensor

    batch = torch.tensor([ids])
    with torch.enable_grad():
        logits = model(batch, tap=tap).logits[0]
        loss = F.cross_entropy(logits, batch[0].roll(-1))
        gradients = torch.autograd.grad(loss, streams)
    return Depth(
        gradient=np.array([float(g.double().norm()) for g in gradients]),
        rms=np.array([rms(x[0].detach()) for x in streams]),
        alike=np.array([alike(x[0].detach()) for x in streams]),
        loss=float(loss.detach()),
    )
