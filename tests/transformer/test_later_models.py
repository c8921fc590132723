"""What later models changed: each part against its formula in float64, or against torch's own."""

import math
from functools import partial
from typing import Any

import numpy as np
import pytest
import torch
from torch import nn
from torch.nn import functional as F

from tests.transformer.oracles import DTYPES, close, ids, rand, rng, shaken
from transformer.core import masks
from transformer.core.attention import MultiHeadAttention
from transformer.core.cache import Cache
from transformer.core.checks import InputError
from transformer.core.config import TransformerConfig
from transformer.core.context import Context
from transformer.core.embeddings import SegmentEmbedding
from transformer.core.layers import AddNorm, DecoderLayer, EncoderLayer, FeedForward, Norm, rms_norm
from transformer.core.model import DecoderModel, EncoderModel, Transformer
from transformer.core.positions import (
    LearnedPositions,
    RotaryPositions,
    make_positions,
    stretched,
    stretched_by_length,
    wavelengths,
)
from transformer.core.taps import Recorder
from transformer.inspection import ablations, blocks
from transformer.inspection.run import run_with_maps
from transformer.inspection.shape_table import shape_table

V = 30
# d_model, heads, head width, B, T, S
SHAPES = [(16, 4, 4, 3, 5, 7), (15, 3, 6, 2, 4, 6), (7, 1, 3, 1, 3, 5)]
LLAMA: dict[str, Any] = {
    "positions": "rotary",
    "pairing": "half",
    "norm_kind": "rms",
    "gated": True,
    "activation": "silu",
    "bias": False,
    "n_kv_heads": 1,
}


def config(**changes: Any) -> TransformerConfig:
    settings: dict[str, Any] = {"vocab_size": V, "d_model": 12, "n_heads": 3, "d_ff": 20}
    return TransformerConfig(**settings | changes)


# RMSNorm


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", [(3, 5, 16), (2, 4, 15), (1, 3, 7), (1, 1, 1)])
def test_rms_norm_equals_torch(dtype, shape):
    ours, theirs = Norm(shape[-1], "rms", eps=1e-6).to(dtype), nn.RMSNorm(shape[-1], eps=1e-6, dtype=dtype)
    shaken(ours, dtype)
    theirs.load_state_dict(ours.state_dict())
    x = rand(*shape, dtype=dtype) * 3 + 1
    close(ours(x), theirs(x))
    root = (x**2).mean(-1, keepdim=True).add(1e-6).sqrt()
    close(ours(x), x / root * ours.weight)


def test_rms_norm_of_large_numbers_in_half_precision():
    x = torch.tensor([[300.0, -400.0]]).half()  # their squares are beyond 65,504
    y = rms_norm(x, torch.ones(2).half())
    assert y.dtype == torch.float16
    torch.testing.assert_close(y.float(), x.float() / math.sqrt(125_000), rtol=1e-3, atol=0)


def test_norms_without_a_bias():
    assert [name for name, _ in Norm(4, "rms").named_parameters()] == ["weight"]
    assert [name for name, _ in Norm(4, bias=False).named_parameters()] == ["weight"]
    plain = Norm(4, bias=False).double()
    close(plain(rand(2, 4)), F.layer_norm(rand(2, 4), (4,)))
    with pytest.raises(InputError, match="norm_kind='batch' is not known; try layer, rms or none"):
        Norm(4, "batch")
    names = [name for name, _ in DecoderModel(config(norm_kind="rms"), rng()).named_parameters() if "norm" in name]
    assert len(names) == 2 * 2 + 1
    assert all(name.endswith("weight") for name in names)


@pytest.mark.parametrize("norm", ["pre", "post"])
def test_add_and_rms_norm(norm):
    layer = shaken(AddNorm(8, norm, kind="rms"))
    x, update = rand(2, 3, 8, seed=1), rand(2, 3, 8, seed=2)
    if norm == "pre":
        close(layer.before(x), rms_norm(x, layer.weight))
        close(layer.after(x, update), x + update)
    else:
        close(layer.after(x, update), rms_norm(x + update, layer.weight))


# Feed-forward


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("gated", [True, False])
@pytest.mark.parametrize("activation", ["relu", "gelu", "gelu_tanh", "silu"])
@pytest.mark.parametrize(("B", "T", "D", "d_ff"), [(2, 4, 5, 11), (1, 1, 1, 1), (3, 2, 16, 8)])
def test_feed_forward_by_its_formula(activation, gated, bias, B, T, D, d_ff):
    ours = shaken(FeedForward(D, d_ff, activation, gated=gated, bias=bias, generator=rng()))
    x, seen = rand(B, T, D), Recorder()
    f = {
        "relu": lambda z: z.clamp(min=0),
        "gelu": lambda z: z * (1 + torch.erf(z / 2**0.5)) / 2,
        "gelu_tanh": lambda z: z * (1 + torch.tanh((2 / math.pi) ** 0.5 * (z + 0.044715 * z**3))) / 2,
        "silu": lambda z: z / (1 + torch.exp(-z)),
    }[activation]

    def linear(layer: nn.Linear, z: torch.Tensor) -> torch.Tensor:
        return z @ layer.weight.T + (0 if layer.bias is None else layer.bias)

    hidden = f(linear(ours.w_1, x))
    if ours.w_3 is not None:
        hidden = hidden * linear(ours.w_3, x)
    close(ours(x, Context(seen)), linear(ours.w_2, hidden))
    close(seen["hidden"], hidden)
    assert ("gate" in seen) is gated is (ours.w_3 is not None)
    if gated:
        close(seen["gate"], f(linear(ours.w_1, x)))


def test_silencing_the_gate_silences_the_layer():
    ours = shaken(FeedForward(5, 8, "silu", gated=True, bias=False))
    out = ours(rand(1, 3, 5), Context(lambda name, t: torch.zeros_like(t) if name == "gate" else t))
    assert not out.any()


# Attention


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", SHAPES)
def test_heads_with_a_width_of_their_own(dtype, shape):
    D, H, d_k, B, T, S = shape
    ours = shaken(MultiHeadAttention(D, H, head_width=d_k, generator=rng()), dtype)
    assert ours.w_q.weight.shape == (H * d_k, D)
    x, memory, seen = rand(B, T, D, dtype=dtype), rand(B, S, D, seed=1, dtype=dtype), Recorder()
    output, weights = ours(x, memory, tap=seen)
    q, k, v = (
        (z @ m.weight.T + m.bias).view(B, -1, H, d_k).transpose(1, 2)
        for m, z in ((ours.w_q, x), (ours.w_k, memory), (ours.w_v, memory))
    )
    expected = F.scaled_dot_product_attention(q, k, v).transpose(1, 2).flatten(2)
    close(output, expected @ ours.w_o.weight.T + ours.w_o.bias)
    close(weights, (q @ k.transpose(-1, -2) / d_k**0.5).softmax(-1))
    assert seen["heads"].shape == (B, H, T, d_k)


def test_biases_by_part():
    def with_bias(**parts: bool) -> set[str]:
        model = DecoderModel(config(bias=False, **parts), rng())
        return {name.split(".")[-2] for name, _ in model.named_parameters() if name.endswith("bias")} - {
            "norm1",
            "norm2",
            "final_norm",
        }

    assert with_bias() == set()
    assert with_bias(qkv_bias=True) == {"w_q", "w_k", "w_v"}
    assert with_bias(o_bias=True) == {"w_o"}
    assert with_bias(ff_bias=True, gated=True) == {"w_1", "w_2", "w_3"}
    assert with_bias(output_bias=True) == {"output"}
    assert with_bias(output_bias=True, tie_output=False) == {"linear"}
    assert DecoderModel(config(tie_output=False, output_bias=False), rng()).output.linear.bias is None
    assert not config().has_bias("output")
    assert config(tie_output=False).has_bias("output")


# Positions


@pytest.mark.parametrize("pairing", ["interleaved", "half"])
@pytest.mark.parametrize(("d_k", "share"), [(8, 1.0), (8, 0.5), (9, 0.5), (7, 1.0), (6, 0.1), (1, 1.0)])
def test_rotary_positions_turn_a_share_of_each_head(pairing, d_k, share):
    rotary = RotaryPositions(d_k, 50.0, pairing, share=share).double()
    n = int(d_k * share) // 2
    x = rand(1, 1, 6, d_k)
    turned, _ = rotary.rotate(x, x)
    for t in range(6):
        expected = x[0, 0, t].clone()
        for i in range(n):
            a, b = (2 * i, 2 * i + 1) if pairing == "interleaved" else (i, i + n)
            pair = torch.complex(x[0, 0, t, a], x[0, 0, t, b]) * torch.polar(
                torch.tensor(1.0, dtype=torch.float64), torch.tensor(t * 50.0 ** (-i / n), dtype=torch.float64)
            )
            expected[a], expected[b] = pair.real, pair.imag
        close(turned[0, 0, t], expected)


def test_wavelengths_stretched_for_longer_texts():
    waves = wavelengths(16, 500.0)
    close(stretched(waves, 4.0), 4 * waves)
    out = stretched_by_length(waves, factor=4.0, low=1.0, high=4.0, length=100.0)
    for before, after in zip(waves.tolist(), out.tolist(), strict=True):
        turns = 100 / before
        if turns > 4:
            assert after == before
        elif turns < 1:
            assert after == pytest.approx(4 * before)
        else:
            s = (turns - 1) / 3
            assert 1 / after == pytest.approx(s / before + (1 - s) / (4 * before))
            assert before < after < 4 * before
    assert (out.diff() > 0).all()
    # Turned by positions four times as far apart, linearly stretched queries are those of the plain scheme.
    plain = RotaryPositions(8, 500.0).double()
    slow = make_positions(
        config(positions="rotary", head_width=8, base=500.0, rotary_scaling="linear", rotary_factor=4.0)
    ).double()
    x = rand(1, 1, 9, 8)
    close(slow.rotate(x, x)[0][:, :, ::4], plain.rotate(x[:, :, ::4], x[:, :, ::4])[0])


def test_heads_with_norms_of_q_and_k():
    attention = MultiHeadAttention(12, 3, head_norm=partial(Norm, kind="rms", eps=1e-6), generator=rng())
    shaken(attention)
    x, seen = rand(2, 5, 12), Recorder("q", "k")
    attention(x, tap=seen)
    for name, linear, norm in (("q", attention.w_q, attention.norm_q), ("k", attention.w_k, attention.norm_k)):
        for head in range(3):
            part = linear(x)[..., 4 * head : 4 * head + 4]
            assert norm is not None
            close(seen[name][:, head], part / part.square().mean(-1, keepdim=True).add(1e-6).sqrt() * norm.weight)
    names = [name for name, _ in DecoderModel(config(head_norm=True), rng()).named_parameters() if "norm_k" in name]
    assert names == [f"decoder.layers.{n}.self_attn.norm_k.weight" for n in range(2)]


def test_t5s_bias_is_one_table_that_every_layer_adds():
    model, seen = shaken(DecoderModel(config(positions="relative", n_decoder_layers=3), rng())), Recorder()
    tables = [name for name, _ in model.named_parameters() if "positions" in name]
    assert tables == ["decoder.positions.weight"]
    model(ids(1, 6, vocab=V), tap=seen)
    bias = model.decoder.positions.bias(6, 6)
    assert bias is not None
    for layer in range(3):
        path = f"decoder.{layer}.self_attn."
        close(seen[path + "biased"] - seen[path + "scaled"], bias.expand(1, -1, -1, -1))


def test_a_stretched_table_grows_and_follows_the_dtype():
    settings = config(positions="rotary", head_width=8, rotary_scaling="llama3", rotary_factor=8.0, rotary_len=64)
    short, long = make_positions(settings).double(), make_positions(settings)
    x = rand(1, 1, 300, 8)
    assert torch.equal(short.rotate(x, x)[0], long.double().rotate(x, x)[0])


@pytest.mark.parametrize("start", [0, 3])
def test_learned_positions_with_an_offset(start):
    positions = shaken(LearnedPositions(7, 4, rng(), offset=2))
    assert positions.weight.shape == (9, 4)
    x = rand(1, 4, 4)
    close(positions.add(x, start), x + positions.weight[2 + start : 6 + start])
    with pytest.raises(InputError, match="has 7 positions, but the text needs 8"):
        positions.add(x, 4)


# Sliding windows


def near(T: int, window: int) -> torch.Tensor:
    """Cell by cell: not ahead, and fewer than `window` positions back."""
    return torch.tensor([[0 <= t - s < window for s in range(T)] for t in range(T)])


@pytest.mark.parametrize("window", [1, 3, 9])
@pytest.mark.parametrize("layers", [None, (1,), ()])
def test_windows_by_layer(window, layers):
    model = shaken(DecoderModel(config(n_decoder_layers=3, window=window, window_layers=layers), rng()))
    text = ids(2, 7, vocab=V)
    whole = model(text)
    for i, weights in enumerate(whole.attention.decoder):
        allowed = near(7, window if layers is None or i in layers else 7)
        assert torch.equal(weights > 0, allowed.expand_as(weights))
    cache = Cache(3)  # and the same in pieces
    pieces = [model(text[:, a:b], cache=cache) for a, b in ((0, 4), (4, 5), (5, 7))]
    close(torch.cat([piece.logits for piece in pieces], dim=1), whole.logits)
    for i, weights in enumerate(whole.attention.decoder):
        close(pieces[-1].attention.decoder[i], weights[:, :, 5:])


def test_windows_beside_padding_in_both_stacks():
    model = shaken(Transformer(config(window=2), rng()))
    src, tgt, pads = ids(2, 6, vocab=V), ids(2, 5, vocab=V), masks.padding(torch.tensor([6, 3]), 6)
    attention = model(src, tgt, pads).attention
    both = masks.sliding_window(6, 2) & pads
    assert torch.equal(attention.encoder[0] > 0, both.expand(2, 3, 6, 6))
    assert torch.equal(attention.decoder[0] > 0, near(5, 2).expand(2, 3, 5, 5))
    assert torch.equal(attention.cross[0] > 0, pads.expand(2, 3, 5, 6))


def test_maps_are_explained_by_one_mask_or_by_one_for_each_layer():
    model = shaken(DecoderModel(config(window=3), rng()), torch.float32)
    text, names = ids(6, vocab=V).tolist(), tuple("abcdef")
    maps = run_with_maps(model, text, names).attention["decoder"]
    assert (maps.mask == near(6, 3).numpy()).all()
    assert ((maps.weights > 0) == maps.mask).all()
    mixed = shaken(DecoderModel(config(n_decoder_layers=3, window=3, window_layers=(0, 2)), rng()), torch.float32)
    maps = run_with_maps(mixed, text, names).attention["decoder"]
    assert maps.mask is not None
    for layer, window in enumerate((3, 6, 3)):
        allowed = near(6, window).numpy()
        assert (maps.mask[layer] == allowed).all()
        # The attention of a layer by hand, in float64, under the mask that was painted by hand.
        scores = np.where(allowed, maps.q[layer].astype("f8") @ maps.k[layer].astype("f8").mT / maps.scale, -np.inf)
        shares = np.exp(scores - scores.max(-1, keepdims=True))
        np.testing.assert_allclose(maps.weights[layer], shares / shares.sum(-1, keepdims=True), atol=1e-6)
    short = run_with_maps(mixed, text[:3], names[:3]).attention["decoder"]
    assert (short.mask == near(3, 3).numpy()).all(), "where the window hides nothing, one mask is enough"
    encoder = shaken(EncoderModel(config(window=3, window_layers=(1,)), rng()), torch.float32)
    assert run_with_maps(encoder, text[:3], names[:3]).attention["encoder"].mask is None


# Embeddings and logits


def test_segments_and_the_norm_after_the_embeddings():
    model = shaken(EncoderModel(config(n_segments=3, embedding_norm=True, positions="learned", norm="post"), rng()))
    text, segments, seen = ids(2, 5, vocab=V), ids(2, 5, vocab=3), Recorder()
    model(text, segments=segments, tap=seen)
    stack = model.encoder
    x = 12**0.5 * stack.embedding.weight[text] + stack.segments.weight[segments] + stack.positions.weight[:5]
    close(seen["encoder.positioned"], x)
    close(seen["encoder.normed"], F.layer_norm(x, (12,), stack.embedding_norm.weight, stack.embedding_norm.bias))
    assert torch.equal(seen["encoder.0.residual_in"], seen["encoder.normed"])
    zeros = torch.zeros_like(text)
    assert torch.equal(model(text).logits, model(text, segments=zeros).logits)
    assert not torch.allclose(model(text).logits, model(text, segments=zeros + 1).logits)
    for wrong in (zeros + 3, zeros - 1):
        with pytest.raises(InputError, match="tells 3 segments apart, numbered from 0 to 2"):
            model(text, segments=wrong)
    with pytest.raises(InputError, match="this model has no segments"):
        EncoderModel(config(), rng())(text, segments=zeros)
    maps = run_with_maps(model.float(), text[0].tolist(), tuple("abcde"), segments=segments[0].tolist())
    torch.testing.assert_close(
        torch.tensor(maps.attention["encoder"].weights[0]),
        model(text[:1], segments=segments[:1]).attention.encoder[0][0],
    )


def test_segment_vectors_are_added():
    part = shaken(SegmentEmbedding(2, 4, rng()))
    x = rand(1, 3, 4)
    close(part(x), x + part.weight[0])
    close(part(x, torch.tensor([[0, 1, 1]])), x + part.weight[[0, 1, 1]])


@pytest.mark.parametrize("tied", [True, False])
@pytest.mark.parametrize("bias", [True, False])
def test_logits_with_a_transform_a_scale_and_a_bias(tied, bias):
    settings = config(output_transform=True, output_scale=0.5, output_bias=bias, tie_output=tied, activation="gelu")
    model, text, seen = shaken(EncoderModel(settings, rng())), ids(2, 5, vocab=V), Recorder("out")
    logits = model(text, tap=seen).logits
    head = model.output
    x = F.gelu(seen["encoder.out"] @ head.transform.linear.weight.T + head.transform.linear.bias)
    x = F.layer_norm(x, (12,), head.transform.norm.weight, head.transform.norm.bias) / 2
    rows, b = head.rows(model.encoder.embedding)
    assert (b is not None) is bias
    assert (rows is model.encoder.embedding.weight) is tied
    close(logits, x @ rows.T + (0 if b is None else b))
    close(head.read(seen["encoder.out"]), x)


@pytest.mark.parametrize("norm", ["pre", "post"])
@pytest.mark.parametrize("final", [True, False])
def test_a_final_norm_can_be_asked_for_or_left_out(norm, final):
    model = DecoderModel(config(norm=norm, final_norm=final), rng())
    assert isinstance(model.decoder.final_norm, nn.LayerNorm) is final


# Parallel sublayers


def test_parallel_sublayers_read_the_same_stream():
    layer = shaken(EncoderLayer(config(parallel=True), rng()))
    x, seen = rand(2, 5, 12), Recorder()
    output, _ = layer(x, ctx=Context(seen))
    attended, _ = layer.self_attn(layer.norm1(x))
    fed = layer.feed_forward(layer.norm2(x))
    close(output, x + attended + fed)
    close(seen["residual_mid"], x + attended)
    with pytest.raises(InputError, match="parallel sublayers are for an encoder or a decoder alone"):
        DecoderLayer(config(parallel=True), rng())


def test_the_steps_of_a_parallel_layer():
    model = shaken(DecoderModel(config(parallel=True), rng()), torch.float32)
    text = ids(5, vocab=V).tolist()
    steps = blocks.stages(model, text, 1)
    norm = model.decoder.layers[1].norm2
    torch.testing.assert_close(torch.tensor(steps["norm2"]), norm(torch.tensor(steps["in"])).detach())
    stream = blocks.follow_token(model, text, 2)
    assert stream.gap < 1e-4


# All together


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_half_precision(dtype):
    model = DecoderModel(config(**LLAMA, rotary_share=0.5, window=3, output_scale=0.5), rng()).eval().to(dtype)
    output = model(ids(2, 6, vocab=V))
    for tensor in (output.logits, *output.attention.decoder):
        assert tensor.dtype == dtype
        assert tensor.isfinite().all()


def test_every_parameter_is_trained():
    for kind, settings in (
        (DecoderModel, LLAMA | {"qkv_bias": True, "rotary_share": 0.6, "parallel": True, "tie_output": False}),
        (EncoderModel, {"n_segments": 1, "embedding_norm": True, "output_transform": True, "output_bias": True}),
        (Transformer, {"positions": "relative", "gated": True, "output_scale": 0.3, "head_width": 5}),
    ):
        model = shaken(kind(config(**settings), rng()))
        inputs = [ids(2, 6, vocab=V)] * (2 if kind is Transformer else 1)
        model(*inputs).logits.square().sum().backward()
        for name, p in model.named_parameters():
            assert p.grad is not None, name
            assert p.grad.isfinite().all(), name
            if not name.endswith("w_k.bias"):
                assert p.grad.abs().max() > 1e-9, name


@pytest.mark.slow
def test_each_change_is_heard():
    text = ids(1, 6, vocab=V)

    def logits(**changes: Any) -> torch.Tensor:
        settings = {"positions": "rotary", "rotary_len": 16} | changes
        return shaken(DecoderModel(config(**settings), rng()))(text).logits

    plain = logits()
    for change in (
        {"activation": "gelu_tanh"},
        {"activation": "silu"},
        {"norm_kind": "rms"},
        {"norm_bias": False},
        {"gated": True},
        {"parallel": True},
        {"final_norm": False},
        {"embedding_norm": True},
        {"n_segments": 1},
        {"pairing": "half"},
        {"rotary_share": 0.5},
        {"rotary_scaling": "linear", "rotary_factor": 3.0},
        {"rotary_scaling": "llama3", "rotary_factor": 3.0},
        {"window": 2},
        {"head_width": 2},
        {"qkv_bias": False},
        {"o_bias": False},
        {"ff_bias": False},
        {"output_bias": True},
        {"output_transform": True},
        {"output_scale": 2.0},
        {"head_norm": True},
        {"rotary_gain": 1.5},
        {"rotary_scaling": "yarn", "rotary_factor": 3.0},
        {"rotary_scaling": "ntk", "rotary_factor": 3.0},
    ):
        assert (logits(**change) - plain).abs().max() > 1e-4, change


def test_the_table_of_a_layer_counts_the_gate():
    rows = shape_table(config(**LLAMA, head_width=6), 1, 5)
    by_name = {row.name: row for row in rows}
    assert by_name["gate"].n_parameters == by_name["hidden units"].n_parameters == 12 * 20
    assert by_name["queries"].shape == (1, 3, 5, 6)


def test_ablations_of_a_model_with_later_parts():
    model = shaken(DecoderModel(config(**LLAMA, embedding_norm=True), rng()), torch.float32)
    text = ids(1, 6, vocab=V)
    assert torch.equal(ablations.ablate(model)(text).logits, model(text).logits)
    for part in ablations.PARTS:
        assert not torch.allclose(ablations.ablate(model, part)(text).logits, model(text).logits)
    with pytest.raises(InputError, match="no matrix"):
        blocks.nonlinearity(model.decoder.layers[0].feed_forward)
