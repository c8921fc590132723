"""Direct logit attribution: a logit as a sum, with one term for every part of the model that wrote to the stream.

A pre-norm model only ever adds to its stream, so its last state is a sum: token, position, every head, every
feed-forward layer, biases. The last norm is no sum; but with the mean and the scale that it had on this text it is a
linear map, and so is the output map. Each term of the stream then has a share of the logit of its own, and together
they give the logit exactly (Elhage et al. 2021).
"""

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn

from transformer.core.attention import MultiHeadAttention
from transformer.core.checks import InputError
from transformer.core.model import SingleStack
from transformer.core.taps import Recorder
from transformer.inspection.run import Text, at_token, each_layer

MAX_ERROR = 1e-3  # of a sum, as a share of its terms: more than that is no rounding


@dataclass(frozen=True, eq=False)
class Attribution:
    """The parts of one logit, or of the difference of two, at one position.

    logit         as the model gives it; `total` is the sum of the parts
    token         what the token's embedding adds; `position`, what its position does, with all else that is added
                  before the first layer
    heads         (L, H) what every head adds through W_o
    by_key        (L, H, S) the same, by the key that it took its value from
    feed_forward  (L,) what every feed-forward layer adds
    biases        (L,) of W_o, one per layer
    constant      the biases of the last norm and of the output map
    """

    logit: float
    token: float
    position: float
    heads: np.ndarray
    by_key: np.ndarray
    feed_forward: np.ndarray
    biases: np.ndarray
    constant: float

    @property
    def total(self) -> float:
        """The sum of all parts: the logit, but for rounding."""
        parts = (self.heads, self.feed_forward, self.biases)
        return self.token + self.position + self.constant + float(sum(part.sum() for part in parts))


def attribute(
    model: SingleStack, ids: Text, answer: int, other: int | None = None, *, position: int = -1
) -> Attribution:
    """Take the logit of `answer` apart, less that of `other` if there is one, at a position of a text of ids (T,).

    Raises InputError for a post-norm model, and for one whose read-out is not linear.
    """
    if model.config.norm != "pre":
        raise InputError(
            "this model normalises its stream after every addition (post-norm), so the stream is no sum of parts that "
            "a logit could be divided among"
        )
    kind, stack = model.kind, model.stack
    recorder = Recorder("embedded", "residual_in", "residual_out", "heads", "v", "weights", "out")
    embedded: Tensor | None = None
    first = last = torch.empty(0)
    heads, sources, feed_forward, biases = [], [], [], []
    with torch.no_grad():
        for layer, _ in enumerate(each_layer(model, ids, tap=recorder)):
            path = f"{kind}.{layer}"
            if embedded is None:
                embedded = at_token(recorder[f"{kind}.embedded"], position)[0]
                first = at_token(recorder[f"{path}.residual_in"], position)[0]
            attention = {name: recorder[f"{path}.self_attn.{name}"][0] for name in ("heads", "weights", "v")}
            w_o, bias = _output_map(stack.layers[layer].self_attn)  # (H, d_k, D)
            heads.append(torch.einsum("hk,hkd->hd", attention["heads"][:, position], w_o))
            sources.append((attention["weights"][:, position], attention["v"], w_o))
            feed_forward.append(recorder[f"{path}.feed_forward.out"][0, position])
            biases.append(bias)
            last = recorder[f"{path}.residual_out"][0, position]  # (D,)
            recorder.clear()
        if embedded is None:
            raise InputError("this model has no layers, so there is nothing to divide its logits among")
        read, constant, logit = _read_out(model, last, answer, other)
        return _checked(
            Attribution(
                logit=logit,
                token=float(embedded @ read),
                position=float((first - embedded) @ read),
                heads=(torch.stack(heads) @ read).numpy(),
                by_key=np.stack([_by_key(weights, v, w_o, read).numpy() for weights, v, w_o in sources]),
                feed_forward=(torch.stack(feed_forward) @ read).numpy(),
                biases=(torch.stack(biases) @ read).numpy(),
                constant=constant,
            )
        )


def _output_map(attention: MultiHeadAttention) -> tuple[Tensor, Tensor]:
    """W_o by head, (H, d_k, D), and its bias (D,)."""
    weight, bias = attention.w_o.weight, attention.w_o.bias
    by_head = weight.T.reshape(attention.n_heads, -1, len(weight))
    return by_head, torch.zeros_like(weight[:, 0]) if bias is None else bias


def _by_key(weights: Tensor, v: Tensor, w_o: Tensor, read: Tensor) -> Tensor:
    """What a query reads from each key: weights (H, S), v (Hkv, S, d_k), W_o (H, d_k, D), read (D,) -> (H, S)"""
    v = v.repeat_interleave(len(w_o) // len(v), dim=0)
    return weights * torch.einsum("hsk,hk->hs", v, w_o @ read)


def _read_out(model: SingleStack, x: Tensor, answer: int, other: int | None) -> tuple[Tensor, float, float]:
    """The way from the last state x (D,) to a logit, as a linear map: read (D,), a constant, and the logit itself.

    The norm keeps the mean and the scale that it has at x.
    """
    norm, stack = model.stack.final_norm, model.stack

    def logit(z: Tensor) -> Tensor:
        logits = model.output(z[None, None], stack.embedding)[0, 0]
        return logits[answer] - (0.0 if other is None else logits[other])

    with torch.enable_grad():
        z = norm(x).detach().requires_grad_()
        value = logit(z)
        (gradient,) = torch.autograd.grad(value, z)  # the output map is linear, so its gradient is its matrix
    gain, scale, is_centred = _norm_at(norm, x)
    read = gradient * gain / scale
    if is_centred:
        read = read - read.mean()
    constant = float(logit(norm(torch.zeros_like(x))))  # a norm of zeros is its bias
    if abs(float(x @ read) + constant - float(value)) > MAX_ERROR * (1 + float((x * read).abs().sum())):
        raise InputError("this model reads its logits out through more than one linear map, so they are no sum")
    return read, constant, float(value.detach())


def _norm_at(norm: nn.Module, x: Tensor) -> tuple[Tensor, Tensor, bool]:
    """The gain of a norm (D,), what it divides x (D,) by, and whether it takes off the mean first."""
    one = torch.ones_like(x)
    if isinstance(norm, nn.Identity):
        return one, one[0], False
    gain = getattr(norm, "weight", None)
    eps = getattr(norm, "eps", None) or 0.0
    is_centred = isinstance(norm, nn.LayerNorm) and getattr(norm, "kind", "layer") == "layer"
    x = x - x.mean() if is_centred else x
    return one if gain is None else gain, (x.square().mean() + eps).sqrt(), is_centred


def _checked(attribution: Attribution) -> Attribution:
    """The same, if its parts add up. A part that nobody counted would show here."""
    sizes = sum(float(np.abs(part).sum()) for part in (attribution.heads, attribution.feed_forward))
    if abs(attribution.total - attribution.logit) > MAX_ERROR * (1 + sizes):
        raise InputError("this model writes to its stream in a way that is not known here, so its parts do not add up")
    return attribution
