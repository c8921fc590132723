import math
from typing import Any

import numpy as np
import pytest
import torch
from torch import nn

from tests.transformer.oracles import (
    DTYPES,
    close,
    mask_pair,
    rand,
    rng,
    shaken,
    torch_decoder_layer,
    torch_encoder_layer,
)
from transformer.core.config import TransformerConfig
from transformer.core.context import Context
from transformer.core.layers import AddNorm, DecoderLayer, EncoderLayer, FeedForward
from transformer.core.taps import Recorder

# d_model, heads, B, T, S
SHAPES = [(16, 4, 3, 5, 7), (15, 3, 2, 4, 6), (7, 1, 1, 3, 5)]


def config(d_model: int = 16, n_heads: int = 4, **changes: Any) -> TransformerConfig:
    settings: dict[str, Any] = {"d_model": d_model, "n_heads": n_heads, "d_ff": 22}
    return TransformerConfig(**settings | changes)


# With the weights of ours, torch's layers say the same


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("norm", ["pre", "post"])
@pytest.mark.parametrize("activation", ["relu", "gelu"])
@pytest.mark.parametrize("kind", ["none", "causal", "padding"])
@pytest.mark.parametrize("shape", SHAPES)
def test_encoder_layer_equals_torch(dtype, norm, activation, kind, shape):
    d_model, n_heads, B, T, _ = shape
    settings = config(d_model, n_heads, norm=norm, activation=activation)
    ours = shaken(EncoderLayer(settings, rng()), dtype)
    theirs = torch_encoder_layer(ours, settings)
    x = rand(B, T, d_model, dtype=dtype)
    mask, attn, pads = mask_pair(kind, B, T, T)
    output, weights = ours(x, mask)
    close(output, theirs(x, src_mask=attn, src_key_padding_mask=pads))
    y = theirs.norm1(x) if norm == "pre" else x
    expected = theirs.self_attn(y, y, y, attn_mask=attn, key_padding_mask=pads, average_attn_weights=False)[1]
    close(weights, expected)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("norm", ["pre", "post"])
@pytest.mark.parametrize("activation", ["relu", "gelu"])
@pytest.mark.parametrize(("kind", "memory_kind"), [("none", "none"), ("causal", "padding"), ("causal+padding", "none")])
@pytest.mark.parametrize("shape", SHAPES)
def test_decoder_layer_equals_torch(dtype, norm, activation, kind, memory_kind, shape):
    d_model, n_heads, B, T, S = shape
    settings = config(d_model, n_heads, norm=norm, activation=activation)
    ours = shaken(DecoderLayer(settings, rng()), dtype)
    theirs = torch_decoder_layer(ours, settings)
    x, memory = rand(B, T, d_model, seed=1, dtype=dtype), rand(B, S, d_model, seed=2, dtype=dtype)
    mask, attn, pads = mask_pair(kind, B, T, T)
    memory_mask, _, memory_pads = mask_pair(memory_kind, B, T, S, seed=3)
    seen = Recorder()
    output, self_weights, cross_weights = ours(x, memory, mask, memory_mask, ctx=Context(seen))
    expected = theirs(x, memory, tgt_mask=attn, tgt_key_padding_mask=pads, memory_key_padding_mask=memory_pads)
    close(output, expected)
    y = theirs.norm1(x) if norm == "pre" else x
    close(self_weights, theirs.self_attn(y, y, y, attn_mask=attn, key_padding_mask=pads, average_attn_weights=False)[1])
    y = theirs.norm2(seen["residual_self"]) if norm == "pre" else seen["residual_self"]
    close(
        cross_weights,
        theirs.multihead_attn(y, memory, memory, key_padding_mask=memory_pads, average_attn_weights=False)[1],
    )


# Feed-forward


@pytest.mark.parametrize("activation", ["relu", "gelu"])
@pytest.mark.parametrize("bias", [True, False])
def test_feed_forward_equals_numpy(activation, bias):
    ours = shaken(FeedForward(5, 11, activation, bias=bias, generator=rng()))
    x = rand(2, 4, 5)
    state = {name: p.detach().numpy() for name, p in ours.named_parameters()}
    hidden = x.numpy() @ state["w_1.weight"].T + state.get("w_1.bias", 0)
    # GELU as it is defined, by the normal distribution function, not the tanh that is often put in its place.
    hidden = (
        np.maximum(hidden, 0) if activation == "relu" else hidden * (1 + np.vectorize(math.erf)(hidden / 2**0.5)) / 2
    )
    seen = Recorder()
    output = ours(x, Context(seen))
    close(seen["hidden"], torch.from_numpy(hidden))
    close(output, torch.from_numpy(hidden @ state["w_2.weight"].T + state.get("w_2.bias", 0)))
    assert torch.equal(seen["out"], output)


def test_feed_forward_is_the_same_at_every_position():
    ours = shaken(FeedForward(6, 9, generator=rng()))
    x, order = rand(2, 5, 6), [3, 1, 4, 0, 2]
    close(ours(x)[:, order], ours(x[:, order]))
    for t in range(5):
        close(ours(x)[:, t : t + 1], ours(x[:, t : t + 1]))


def test_feed_forward_counts():
    for bias in (True, False):
        n = sum(p.numel() for p in FeedForward(6, 9, bias=bias, generator=rng()).parameters())
        assert n == 2 * 6 * 9 + (9 + 6 if bias else 0)


# Add & Norm


def test_post_norm_is_the_norm_of_the_sum():
    norm = shaken(AddNorm(8, "post"))
    x, update = rand(2, 3, 8, seed=1), rand(2, 3, 8, seed=2)
    assert norm.before(x) is x
    total = x + update
    # The biased variance, with eps inside the root.
    expected = (total - total.mean(-1, keepdim=True)) / (total.var(-1, correction=0, keepdim=True) + 1e-5).sqrt()
    close(norm.after(x, update), expected * norm.weight + norm.bias)


def test_pre_norm_leaves_the_stream_alone():
    norm = shaken(AddNorm(8, "pre"))
    x, update = rand(2, 3, 8, seed=1), rand(2, 3, 8, seed=2)
    assert torch.equal(norm.after(x, update), x + update)
    close(norm.before(x), nn.functional.layer_norm(x, (8,), norm.weight, norm.bias))


def test_a_fresh_norm_gives_every_token_mean_0_and_variance_1_by_itself():
    norm = AddNorm(64, "pre", eps=1e-12).double()
    x = rand(2, 5, 64) * 7 + 3
    y = norm.before(x)
    close(y.mean(-1), torch.zeros(2, 5, dtype=torch.float64))
    close(y.var(-1, correction=0), torch.ones(2, 5, dtype=torch.float64))
    close(norm.before(x[:1, 2:3]), y[:1, 2:3])


@pytest.mark.parametrize("norm", ["pre", "post"])
def test_dropout_falls_on_the_update_only(norm):
    layer = AddNorm(8, norm, dropout=0.5)
    x, zero = rand(2, 3, 8, dtype=torch.float32), torch.zeros(2, 3, 8)
    update = torch.ones(2, 3, 8)
    assert torch.equal(layer.after(x, zero, Context(generator=rng())), layer.eval().after(x, zero))
    layer.train()
    if norm == "pre":
        change = (layer.after(x, update, Context(generator=rng())) - x).round()
        assert set(change.unique().tolist()) == {0.0, 2.0}
    assert not torch.allclose(layer.after(x, update, Context(generator=rng())), layer.eval().after(x, update))


# Layers


@pytest.mark.parametrize("norm", ["pre", "post"])
def test_the_stream_of_an_encoder_layer(norm):
    layer = shaken(EncoderLayer(config(norm=norm), rng()))
    x, seen = rand(2, 5, 16), Recorder()
    output, weights = layer(x, ctx=Context(seen))
    assert torch.equal(seen["residual_in"], x)
    assert torch.equal(seen["residual_out"], output)
    assert torch.equal(seen["self_attn.weights"], weights)
    if norm == "pre":
        close(seen["residual_mid"], x + seen["self_attn.out"])
        close(output, x + seen["self_attn.out"] + seen["feed_forward.out"])
    else:
        close(seen["residual_mid"], layer.norm1(x + seen["self_attn.out"]))
        close(output, layer.norm2(seen["residual_mid"] + seen["feed_forward.out"]))


@pytest.mark.parametrize("norm", ["pre", "post"])
def test_the_stream_of_a_decoder_layer(norm):
    layer = shaken(DecoderLayer(config(norm=norm), rng()))
    x, memory, seen = rand(2, 5, 16, seed=1), rand(2, 4, 16, seed=2), Recorder()
    output, self_weights, cross_weights = layer(x, memory, ctx=Context(seen))
    stream = x
    for norm_layer, update, after in (
        (layer.norm1, "self_attn.out", "residual_self"),
        (layer.norm2, "cross_attn.out", "residual_mid"),
        (layer.norm3, "feed_forward.out", "residual_out"),
    ):
        stream = stream + seen[update]
        stream = norm_layer(stream) if norm == "post" else stream
        close(seen[after], stream)
    assert torch.equal(seen["residual_out"], output)
    assert torch.equal(seen["self_attn.weights"], self_weights)
    assert torch.equal(seen["cross_attn.weights"], cross_weights)
    assert self_weights.shape == (2, 4, 5, 5)
    assert cross_weights.shape == (2, 4, 5, 4)


def test_settings_reach_every_sublayer():
    settings = config(n_kv_heads=2, bias=False, scaled=False, dropout=0.25, norm="post", norm_eps=0.1)
    layer = DecoderLayer(settings, rng())
    for attn in (layer.self_attn, layer.cross_attn):
        assert (attn.n_heads, attn.n_kv_heads, attn.scaled, attn.dropout) == (4, 2, False, 0.25)
    for norm in (layer.norm1, layer.norm2, layer.norm3):
        assert (norm.norm, norm.eps, norm.dropout) == ("post", 0.1, 0.25)
    assert not any(name.endswith("bias") for name, _ in layer.named_parameters() if "norm" not in name)


def test_unscaled_attention_is_that_of_queries_sqrt_d_k_times_as_long():
    loud = shaken(EncoderLayer(config(scaled=False), rng()))
    plain = shaken(EncoderLayer(config(), rng()))
    with torch.no_grad():
        for p in (plain.self_attn.w_q.weight, plain.self_attn.w_q.bias):
            p.mul_(2.0)  # d_k = 4
    x = rand(2, 5, 16)
    close(loud(x)[0], plain(x)[0])


def test_the_shapes_of_two_sentences_of_ten_tokens():
    layer = EncoderLayer(TransformerConfig(d_model=128, n_heads=8, d_ff=512), rng()).eval()
    output, weights = layer(rand(2, 10, 128, dtype=torch.float32))
    assert output.shape == (2, 10, 128)
    assert weights.shape == (2, 8, 10, 10)


def test_add_norm_knows_two_places():
    with pytest.raises(ValueError, match="norm='sideways' is not known; try pre or post"):
        AddNorm(4, "sideways")
