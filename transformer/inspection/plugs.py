"""Pull the plug: the same model without its residual connections, its norms, or its feed-forward layers."""

import copy
from dataclasses import dataclass

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from transformer.inspection.blocks import Model, stack_of
from transformer.layers import AddNorm, FeedForward
from transformer.model import DecoderModel
from transformer.taps import Recorder

PLUGS = ("residual", "norm", "feed_forward", "attention")


class _NoResidual(AddNorm):
    """Only the update goes on: Sublayer(LayerNorm(x)), or LayerNorm(Sublayer(x))."""

    def after(self, x, update, *, generator=None):
        return super().after(torch.zeros_like(x), update, generator=generator)


class _NoNorm(AddNorm):
    """x + Sublayer(x), wherever the norm stood."""

    def forward(self, x):
        return x


class _Neither(_NoNorm, _NoResidual):
    """Sublayer(x)."""


class _Silent(FeedForward):
    """A feed-forward layer that gives nothing to the stream."""

    def forward(self, x, **taps):
        return torch.zeros_like(super().forward(x, **taps))


def unplug(model: Model, *plugs: str) -> Model:
    """A model with the same parameters (shared, not copied) and without what `plugs` names: some of PLUGS.

    The model that is given stays as it is. Without plugs the result computes the same, bit for bit. Raises ValueError
    for a plug that there is not.
    """
    for plug in plugs:
        if plug not in PLUGS:
            raise ValueError(f"there is no plug {plug!r}; there are {', '.join(PLUGS)}")
    model = twin(model)
    _, stack = stack_of(model)
    cut = {(True, False): _NoResidual, (False, True): _NoNorm, (True, True): _Neither}.get(
        ("residual" in plugs, "norm" in plugs)
    )
    for layer in stack.layers:
        if cut:
            layer.norm1.__class__ = layer.norm2.__class__ = cut
        if "feed_forward" in plugs:
            layer.feed_forward.__class__ = _Silent
        if "attention" in plugs:
            layer.self_attn = _Deaf(layer.self_attn)
    if "norm" in plugs:
        stack.final_norm = nn.Identity()
    return model


class _Deaf(nn.Module):
    """Attention that looks, as before, but brings nothing back."""

    def __init__(self, attention: nn.Module):
        super().__init__()
        self.attention = attention

    def forward(self, x, **more):
        out, weights = self.attention(x, **more)
        return torch.zeros_like(out), weights


def twin(model: Model) -> Model:
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
    kind, stack = stack_of(model)
    seen = Recorder("residual_in", "residual_out")
    with torch.inference_mode():
        output = model(torch.tensor([ids]), tap=seen)
    streams = [seen[f"{kind}.0.residual_in"]] + [seen[f"{kind}.{i}.residual_out"] for i in range(len(stack.layers))]
    return Heights(
        rms=np.array([rms(x[0]) for x in streams]),
        alike=np.array([alike(x[0]) for x in streams]),
        maps=getattr(output.attention, kind)[-1][0].mean(0).numpy(),
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
