"""Inside one layer: what each part makes of the stream, and what is read out of the stream at every height."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from transformer.core.checks import InputError
from transformer.core.context import Context
from transformer.core.layers import FeedForward
from transformer.core.model import SingleStack
from transformer.core.taps import Recorder
from transformer.inspection.run import Text, each_layer, last_layer, one_text

Model = SingleStack
STAGES = {  # the steps of a layer in its order, by where its norms stand
    "pre": ("in", "norm1", "attention", "add1", "norm2", "feed_forward", "add2"),
    "post": ("in", "attention", "add1", "norm1", "feed_forward", "add2", "norm2"),
}


def stages(model: Model, ids: Text, layer: int) -> dict[str, np.ndarray]:
    """The stream of every token after each step of one layer, in the layer's own order.

    Keys are STAGES[norm]: with pre-norm a norm stands before its sublayer, with post-norm after the addition; "add"
    is x + Sublayer(.) before any norm. Values (T, D). Raises IndexError if there is no such layer.
    """
    block = model.stack.layers[_checked(layer, len(model.stack.layers), "layer")]
    with torch.inference_mode():
        recorder = Recorder("residual_in", "residual_mid", "residual_out", "out")
        layers = each_layer(model, ids, tap=recorder)
        for _ in range(layer):
            next(layers)
            recorder.clear()
        next(layers)  # what comes after it does not matter here
        x, mid, out, attended, fed = (
            recorder[f"{model.kind}.{layer}.{name}"]
            for name in ("residual_in", "residual_mid", "residual_out", "self_attn.out", "feed_forward.out")
        )
        streams = {"in": x, "attention": attended, "feed_forward": fed}
        if model.config.norm == "pre":
            fed_from = x if model.config.parallel else mid
            streams |= {"norm1": block.norm1.before(x), "add1": mid, "norm2": block.norm2.before(fed_from), "add2": out}
        else:
            streams |= {"add1": x + attended, "norm1": mid, "add2": mid + fed, "norm2": out}
    return {name: streams[name][0].numpy() for name in STAGES[model.config.norm]}


def part_way(model: Model, ids: Text, layer: int, shares: list[float]) -> tuple[np.ndarray, np.ndarray]:
    """The stream (S, T, D) once attention has added only a share of its result, for each of S shares, and behind the
    layer (S, S, T, D), where feed-forward has added only a share of its own to each of these.

    Feed-forward is computed on what attention has left; with 1 both are whole, with 0 as if the sublayer were taken
    out. Raises IndexError if there is no such layer.
    """
    block = model.stack.layers[_checked(layer, len(model.stack.layers), "layer")]
    at = stages(model, ids, layer)
    with torch.inference_mode():
        x, attended = torch.tensor(at["in"]), torch.tensor(at["attention"])
        share = torch.tensor(shares, dtype=x.dtype)[:, None, None]
        mid = block.norm1.after(x, share * attended)
        fed = block.feed_forward(block.norm2.before(x.expand_as(mid) if model.config.parallel else mid))
        return mid.numpy(), block.norm2.after(mid[:, None], share * fed[:, None]).numpy()


def statistics(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Mean and standard deviation of every token, (T, D) -> (T,), (T,). The variance is divided by D, not D - 1."""
    return x.mean(-1), x.std(-1)


def batch_dependence(x: np.ndarray, others: np.ndarray) -> tuple[float, float]:
    """How much a sentence's numbers depend on the rest of its batch: (under layer norm, under batch norm).

    x (T, D) is normalised alone, and again as the first of a batch with others (B - 1, T, D); each number is the
    largest absolute change of x.
    Layer norm takes its mean and variance over the features of one token, so nothing changes; batch norm takes them
    over all tokens of the batch.
    """
    alone, batch = torch.tensor(x)[None], torch.tensor(np.concatenate([x[None], others]))
    D = x.shape[-1]

    def layer_norm(t: Tensor) -> Tensor:
        return F.layer_norm(t, (D,))

    def batch_norm(t: Tensor) -> Tensor:
        # F.batch_norm refuses a single token, which is its own mean and becomes 0.
        variance, mean = torch.var_mean(t, dim=(0, 1), correction=0)
        return (t - mean) / (variance + 1e-5).sqrt()

    def change(f: Callable[[Tensor], Tensor]) -> float:
        return float((f(batch)[0] - f(alone)[0]).abs().max()) if x.size else 0.0

    return change(layer_norm), change(batch_norm)


@dataclass(frozen=True, eq=False)
class FeedForwardRun:
    """One feed-forward layer on one sentence.

    x                 (T, D) its input
    before            (T, F) x W_1 + b_1
    hidden            (T, F) f(before)
    out               (T, D) hidden W_2 + b_2
    reversal_change   the largest change of a token's output when the sentence is read from its end
    isolation_change  the same when the layer is given every token by itself
    n_parameters      of the feed-forward layer; layer_parameters, of the whole layer around it
    """

    x: np.ndarray
    before: np.ndarray
    hidden: np.ndarray
    out: np.ndarray
    reversal_change: float
    isolation_change: float
    n_parameters: int
    layer_parameters: int

    @property
    def firing(self) -> np.ndarray:
        """(T, F) whether a unit lets something through: its input is above 0."""
        return self.before > 0


def feed_forward(model: Model, ids: Text, layer: int) -> FeedForwardRun:
    """Run the feed-forward sublayer of one layer. Raises IndexError if there is no such layer."""
    block = model.stack.layers[_checked(layer, len(model.stack.layers), "layer")]
    input = stages(model, ids, layer)["norm2" if model.config.norm == "pre" else "norm1"]
    ff = block.feed_forward
    with torch.inference_mode():
        x = torch.tensor(input)[None]
        recorder = Recorder("hidden", "out")
        before, out = ff.w_1(x), ff(x, Context(recorder))
        backwards = ff(x.flip(1)).flip(1)
        alone = torch.cat([ff(x[:, i : i + 1]) for i in range(x.shape[1])], dim=1)
    return FeedForwardRun(
        x=input,
        before=before[0].numpy(),
        hidden=recorder["hidden"][0].numpy(),
        out=out[0].numpy(),
        reversal_change=float((backwards - out).abs().max()),
        isolation_change=float((alone - out).abs().max()),
        n_parameters=sum(p.numel() for p in ff.parameters()),
        layer_parameters=sum(p.numel() for p in block.parameters()),
    )


def activation_curves(x: np.ndarray) -> dict[str, np.ndarray]:
    """The activations, point by point: ReLU max(0, x), GELU x P(Z < x) and its tanh form, SiLU x sigmoid(x)."""
    z = torch.tensor(x, dtype=torch.float64)
    return {
        "ReLU": F.relu(z).numpy(),
        "GELU": F.gelu(z).numpy(),
        "GELU, tanh form": F.gelu(z, approximate="tanh").numpy(),
        "SiLU": F.silu(z).numpy(),
    }


@dataclass(frozen=True, eq=False)
class Nonlinearity:
    """What the activation of a feed-forward layer is worth, in shares of its output's variance.

    linear_error  how far W_1 and W_2 without the activation are from the one matrix W_1 W_2: rounding only
    unexplained   what the best affine map leaves unexplained of the layer as it is, with its activation
    """

    linear_error: float
    unexplained: float


def nonlinearity(ff: FeedForward, n: int = 4096) -> Nonlinearity:
    """How much of a feed-forward layer one matrix can do, without its activation and with it.

    The matrix is fitted by least squares on n random inputs from N(0, 1) and judged on n others, in float64. Raises
    InputError for a layer with a gate, which is a product of two maps of x even without its activation.
    """
    if ff.w_3 is not None:
        raise InputError(
            "with a gate the layer multiplies two maps of its input, so even without the bend it is no matrix"
        )
    generator = torch.Generator().manual_seed(0)
    D = ff.w_1.in_features
    with torch.inference_mode():
        train, test = torch.randn(2, n, D, generator=generator, dtype=torch.float64)
        w_1, w_2 = (layer.weight.double().T for layer in (ff.w_1, ff.w_2))  # (D, F), (F, D)
        b_1, b_2 = (0.0 if layer.bias is None else layer.bias.double() for layer in (ff.w_1, ff.w_2))

        def run(x: Tensor, f: Callable[[Tensor], Tensor] = ff.activation) -> Tensor:
            return f(x @ w_1 + b_1) @ w_2 + b_2

        product = test @ (w_1 @ w_2) + run(torch.zeros(1, D, dtype=torch.float64), lambda x: x)
        linear_error = _unexplained(product, run(test, lambda x: x))
        ones = torch.ones(n, 1, dtype=torch.float64)
        best = torch.linalg.lstsq(torch.cat([train, ones], 1), run(train)).solution
        return Nonlinearity(linear_error, _unexplained(torch.cat([test, ones], 1) @ best, run(test)))


def _unexplained(guess: Tensor, truth: Tensor) -> float:
    return float((guess - truth).square().mean() / truth.var(0, correction=0).mean())


def xor() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A question that no matrix can answer and two ReLU units can: is exactly one of a, b on?

    -> the inputs (4, 2), the answers of a FeedForward with weights set by hand (4,), those of the best affine map (4,).
    The units are relu(a + b) and relu(a + b - 1); the answer is the first minus twice the second.
    """
    ff = FeedForward(2, 2)
    with torch.no_grad():
        ff.w_1.weight.copy_(torch.tensor([[1.0, 1.0], [1.0, 1.0]]))
        ff.w_1.bias.copy_(torch.tensor([0.0, -1.0]))
        ff.w_2.weight.copy_(torch.tensor([[1.0, -2.0], [0.0, 0.0]]))
        ff.w_2.bias.zero_()
        x = torch.tensor([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
        answers = ff(x[None])[0, :, 0].numpy()
    truth = np.array([0.0, 1.0, 1.0, 0.0])
    inputs = x.numpy().astype(float)
    table = np.column_stack([inputs, np.ones(4)])
    linear = table @ np.linalg.lstsq(table, truth, rcond=None)[0]
    return inputs, answers, linear


@dataclass(frozen=True, eq=False)
class Stream:
    """One token's way from embedding to logits.

    heights  names: "embedding", then "attention 1", "feed-forward 1", ... : where the stream is read
    states   (P + 1, D) the stream at each height
    pushes   (P, D) the update of each sublayer; with pre-norm states[i + 1] = states[i] + pushes[i]
    lens     (P + 1, V) the vocabulary read out at each height: last norm and output map, as after the last layer
    logits   (V,) of the model itself
    """

    heights: tuple[str, ...]
    states: np.ndarray
    pushes: np.ndarray
    lens: np.ndarray
    logits: np.ndarray

    @property
    def gap(self) -> float:
        """How far embedding + all pushes is from the last state, the largest feature: rounding with pre-norm only."""
        return float(np.abs(self.states[0] + self.pushes.sum(0) - self.states[-1]).max())

    def ranks(self, ids: list[int]) -> np.ndarray:
        """(P + 1, len(ids)) the rank of each id in the whole vocabulary at each height, 1 for the largest logit."""
        return 1 + (self.lens[:, None, :] > self.lens[:, ids, None]).sum(-1)


def follow_token(model: Model, ids: Text, token: int) -> Stream:
    """Follow one token through the model. Raises IndexError if there is no such token."""
    _checked(token, model.stack.embedding.length(one_text(ids)), "token")
    kind, stack = model.kind, model.stack
    with torch.inference_mode():
        recorder = Recorder("positioned", "normed", "residual_mid", "residual_out", "out")
        out, _ = last_layer(model, ids, tap=recorder)
        logits = model.output(out, stack.embedding)[0, token]
        heights, states, pushes = ["embedding"], [recorder.get(f"{kind}.normed", recorder[f"{kind}.positioned"])], []
        for i in range(len(stack.layers)):
            heights += [f"attention {i}", f"feed-forward {i}"]
            states += [recorder[f"{kind}.{i}.residual_mid"], recorder[f"{kind}.{i}.residual_out"]]
            pushes += [recorder[f"{kind}.{i}.self_attn.out"], recorder[f"{kind}.{i}.feed_forward.out"]]
        states = torch.stack([state[0, token] for state in states])  # (P + 1, D)
        lens = model.output(stack.final_norm(states)[None], stack.embedding)[0]
    return Stream(
        heights=tuple(heights),
        states=states.numpy(),
        pushes=np.stack([push[0, token].numpy() for push in pushes]) if pushes else np.zeros((0, states.shape[1])),
        lens=lens.numpy(),
        logits=logits.numpy(),
    )


def _checked(index: int, n: int, what: str) -> int:
    if not 0 <= index < n:
        raise IndexError(f"there is no {what} {index}: there are {n}, counted from 0")
    return index
