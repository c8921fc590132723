"""From a recorded pass of a model to what a scene draws of it."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from torch.nn import Module

    from attention_view.scenes import Pass, Station, TwoTowers
    from transformer import Recorder
    from transformer.core.config import TransformerConfig
    from transformer.core.layers import AddNorm, DecoderLayer, EncoderLayer


def of(recorder: "Recorder", config: "TransformerConfig", *, causal: bool) -> "Pass":
    """What a scene shows of a recorded pass of one text through an encoder or a decoder."""
    import torch

    from attention_view.scenes import Pass

    before = recorder.stack("residual_in")[:, 0]
    q, k, v, weights = (
        recorder.stack(f"self_attn.{name}")[:, 0].float().numpy() for name in ("q", "k", "v", "weights")
    )
    after = recorder.stack("residual_out")[-1]
    return Pass(
        *(q, k, v, weights),
        scale=config.d_k**0.5 if config.scaled else 1.0,
        causal=causal,
        stream=torch.cat([before, after]).float().numpy(),
        hidden=recorder.stack("feed_forward.hidden")[:, 0].float().numpy(),
    )


def units_of(recorder: "Recorder", path: str, layer: "EncoderLayer | DecoderLayer") -> dict[str, np.ndarray]:
    """The feed-forward network of a recorded layer, as a scene takes it: the units (T, F), W_2 with a row for each of
    them `out` (F, D), its bias (D,), and the stream before the network adds to it `mid` (T, D)."""
    import torch

    out = layer.feed_forward.w_2
    with torch.inference_mode():
        found = {
            "units": recorder[f"{path}.feed_forward.hidden"][0],
            "out": out.weight.T,
            "bias": torch.zeros(out.out_features) if out.bias is None else out.bias,
            "mid": recorder[f"{path}.residual_mid"][0],
        }
        return {name: tensor.float().contiguous().numpy().astype("<f4") for name, tensor in found.items()}


def stations_of(
    recorder: "Recorder", config: "TransformerConfig", model: "Module", rows: Mapping[str, int]
) -> "tuple[tuple[Station, ...], ...]":
    """What one token passes in each recorded layer of the scene, that of its row in each stack by name; a layer with
    cross-attention is two in the scene. After the last layer of a stack comes the norm that closes it."""
    from attention_view.scenes import Station

    result = []
    for stack, at in rows.items():
        for n, layer in enumerate(getattr(model, stack).layers):
            result.extend(_stations_of(recorder, f"{stack}.{n}", layer, at))
        if config.has_final_norm:
            closed = recorder[f"{stack}.out"][0, at].float().numpy()
            result[-1] = (*result[-1], Station("final norm", closed))
    return tuple(result)


def _stations_of(
    recorder: "Recorder", path: str, layer: "EncoderLayer | DecoderLayer", at: int
) -> "tuple[tuple[Station, ...], ...]":
    """What the token number `at` passes in one layer of the model."""
    import torch

    from attention_view.scenes import Station
    from transformer.core.layers import DecoderLayer

    def plain(tensor: torch.Tensor) -> np.ndarray:
        return tensor.float().contiguous().numpy()

    def taken(name: str) -> torch.Tensor:
        return recorder[f"{path}.{name}"][0, at]

    def sublayer(part: str, norm: "AddNorm", before: torch.Tensor, after: torch.Tensor) -> list[Station]:
        is_pre = norm.norm == "pre"
        found = [Station("norm", plain(norm.before(before)))] if is_pre else []
        if part == "feed_forward":
            adds = "feed-forward adds"
        else:
            joined = recorder[f"{path}.{part}.heads"][0, :, at].flatten()
            if joined.shape == before.shape:
                found.append(Station("heads, joined", plain(joined)))
            adds = "times W_O: adds"
        found.append(Station(adds, plain(taken(f"{part}.out"))))
        return [*found, Station("sum" if is_pre else "sum, norm", plain(after))]

    with torch.inference_mode():
        before, mid, out = (taken(f"residual_{name}") for name in ("in", "mid", "out"))
        first = Station("in", plain(before))
        if not isinstance(layer, DecoderLayer):
            of_attention = sublayer("self_attn", layer.norm1, before, mid)
            read = before if layer.parallel else mid
            return ((first, *of_attention, *sublayer("feed_forward", layer.norm2, read, out)),)
        half = taken("residual_self")
        return (
            (first, *sublayer("self_attn", layer.norm1, before, half)),
            (
                Station("in", plain(half)),
                *sublayer("cross_attn", layer.norm2, half, mid),
                *sublayer("feed_forward", layer.norm3, mid, out),
            ),
        )


def of_towers(recorder: "Recorder", config: "TransformerConfig") -> "TwoTowers":
    """What a scene shows of a recorded pass of one source and one target through an encoder-decoder."""
    import torch

    from attention_view.scenes import Pass, TwoTowers

    def stacked(name: str) -> np.ndarray:
        return recorder.stack(name)[:, 0].float().numpy()

    def vectors(part: str) -> list[np.ndarray]:
        return [stacked(f"{part}.{name}") for name in ("q", "k", "v", "weights")]

    scale = config.d_k**0.5 if config.scaled else 1.0
    last = recorder.stack("encoder.residual_out")[-1]
    encoder = Pass(
        *vectors("encoder.self_attn"),
        scale=scale,
        causal=False,
        stream=torch.cat([recorder.stack("encoder.residual_in")[:, 0], last]).float().numpy(),
        hidden=stacked("encoder.feed_forward.hidden"),
    )
    halves = torch.stack(
        [recorder.stack("decoder.residual_in")[:, 0], recorder.stack("decoder.residual_self")[:, 0]], 1
    )
    out = recorder.stack("decoder.residual_out")[-1]
    decoder = Pass(
        *vectors("decoder.self_attn"),
        scale=scale,
        causal=True,
        stream=torch.cat([halves.flatten(0, 1), out]).float().numpy(),
        hidden=stacked("decoder.feed_forward.hidden"),
    )
    cross = Pass(*vectors("decoder.cross_attn"), scale=scale, causal=False, stream=None, hidden=None)
    return TwoTowers(encoder, decoder, cross)
