"""One layer opened: every number against torch's own layers, a closed form, or numpy in float64."""

import copy
import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor, nn

from tests.further import examples
from tests.transformer.oracles import torch_encoder_layer
from transformer.core.config import TransformerConfig
from transformer.core.layers import AddNorm, EncoderLayer, FeedForward
from transformer.core.model import DecoderModel, EncoderModel
from transformer.inspection import ablations, blocks, dropout, linearity
from transformer.inspection.shape_table import shape_table, stack_count

IDS = [3, 14, 15, 9, 2, 6]
CONFIG = TransformerConfig(vocab_size=50, d_model=24, n_heads=3, n_encoder_layers=3, n_decoder_layers=3)
NORMS = ("pre", "post")


def build(**changes: Any) -> EncoderModel:
    """A model whose biases and norms are not the zeros and ones of a fresh one, so that forgetting them shows."""
    generator = torch.Generator().manual_seed(1)
    model = EncoderModel(replace(CONFIG, **changes), generator).eval()
    with torch.no_grad():
        for p in model.parameters():
            if p.dim() == 1:
                p.add_(0.3 * torch.randn(p.shape, generator=generator))
    return model


def rand(*shape: int, seed: int = 0) -> Tensor:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed))


# row 79: the steps of a layer


@pytest.mark.parametrize(("norm", "parallel"), [("pre", False), ("pre", True), ("post", False)])
def test_a_layer_that_adds_all_is_itself_and_one_that_adds_nothing_is_the_ablated_one(
    norm: str, parallel: bool
) -> None:
    model, layer = build(norm=norm, parallel=parallel), 1
    middle, behind = blocks.part_way(model, IDS, layer, [0, 0.5, 1])
    at, last = blocks.stages(model, IDS, layer), blocks.STAGES[norm][-1]
    np.testing.assert_allclose(behind[2, 2], at[last], atol=1e-5)
    np.testing.assert_allclose(middle[2], at["add1" if norm == "pre" else "norm1"], atol=1e-6)
    for share, part in (((0, 2), "attention"), ((2, 0), "feed_forward")):
        torn = ablations.ablate(model, f"{part}.{layer}")
        np.testing.assert_allclose(behind[share], blocks.stages(torn, IDS, layer)[last], atol=1e-5)
    assert np.abs(behind[1, 2] - behind[2, 2]).max() > 0.01
    if norm == "pre":  # half of attention, and feed-forward on what that left
        block = model.encoder.layers[layer]
        with torch.no_grad():
            mid = torch.tensor(at["in"] + np.float32(0.5) * at["attention"])
            fed = block.feed_forward(block.norm2(torch.tensor(at["in"]) if parallel else mid))
        np.testing.assert_allclose(behind[1, 2], mid + fed, atol=1e-5)
    with pytest.raises(IndexError):
        blocks.part_way(model, IDS, 3, [1])


@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize("activation", ["relu", "gelu"])
@pytest.mark.parametrize("layer", [0, 2])
def test_the_stages_are_those_of_torchs_own_layer(norm: str, activation: str, layer: int) -> None:
    model = build(norm=norm, activation=activation)
    streams = blocks.stages(model, IDS, layer)
    assert tuple(streams) == blocks.STAGES[norm]
    theirs = torch_encoder_layer(model.encoder.layers[layer], model.config).eval()
    with torch.no_grad():
        x = torch.tensor(streams["in"])[None]
        last = "add2" if norm == "pre" else "norm2"
        np.testing.assert_allclose(streams[last], theirs(x)[0], atol=2e-5)
        for name, module, before in (
            ("norm1", theirs.norm1, "in" if norm == "pre" else "add1"),
            ("norm2", theirs.norm2, "add1" if norm == "pre" else "add2"),
        ):
            np.testing.assert_allclose(streams[name], module(torch.tensor(streams[before])), atol=2e-5)
        y = torch.tensor(streams["norm1" if norm == "pre" else "in"])[None]
        np.testing.assert_allclose(streams["attention"], theirs.self_attn(y, y, y)[0][0], atol=2e-5)
    np.testing.assert_allclose(streams["add1"], streams["in"] + streams["attention"], atol=1e-5)
    upper = streams["add1"] if norm == "pre" else streams["norm1"]
    np.testing.assert_allclose(streams["add2"], upper + streams["feed_forward"], atol=1e-5)


def test_there_is_no_fourth_layer() -> None:
    for open_ in (blocks.stages, blocks.feed_forward):
        for layer in (3, -1):
            with pytest.raises(IndexError, match="there is no layer"):
                open_(build(), IDS, layer)


# rows 73, 74: layer norm


def test_layer_norm_gives_mean_0_and_variance_1_to_every_token() -> None:
    fresh = EncoderModel(replace(CONFIG, norm="post"), torch.Generator().manual_seed(0)).eval()
    streams = blocks.stages(fresh, IDS, 0)
    mean, deviation = blocks.statistics(streams["norm1"])
    np.testing.assert_allclose(mean, 0, atol=1e-6)
    np.testing.assert_allclose(deviation, 1, atol=1e-4)
    before, spread = blocks.statistics(streams["add1"].astype(np.float64))
    assert np.abs(before).max() > 0.05
    assert np.abs(spread - 1).max() > 0.1
    expected = (streams["add1"] - before[:, None]) / np.sqrt(spread**2 + 1e-5)[:, None]
    np.testing.assert_allclose(streams["norm1"], expected, atol=1e-5)


def test_statistics_divide_by_d_model() -> None:
    mean, deviation = blocks.statistics(np.array([[1.0, 2.0, 3.0, 6.0]]))
    assert mean[0] == 3
    assert deviation[0] == math.sqrt(14 / 4)


@examples(25)
@given(st.integers(1, 5), st.integers(1, 6), st.integers(0, 9))
def test_layer_norm_does_not_depend_on_the_batch_and_batch_norm_does(T: int, B: int, seed: int) -> None:
    x = rand(T + 1, 8, seed=seed).numpy()
    others = rand(B, T + 1, 8, seed=seed + 10).numpy() * 3 + 1
    by_layer, by_batch = blocks.batch_dependence(x, others)
    batch = torch.tensor(np.concatenate([x[None], others])).flatten(0, 1)
    after = F.batch_norm(batch, None, None, training=True)[: T + 1]
    assert by_batch == pytest.approx(
        float((after - F.batch_norm(torch.tensor(x), None, None, training=True)).abs().max()), rel=1e-3
    )
    assert by_layer == 0
    assert by_batch > 0.1
    assert blocks.batch_dependence(x, others[:0]) == (0, 0)


# rows 68 to 72: feed-forward


@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize("activation", ["relu", "gelu"])
def test_feed_forward_equals_numpy_and_two_convolutions(norm: str, activation: str) -> None:
    model = build(norm=norm, activation=activation)
    ran = blocks.feed_forward(model, IDS, 1)
    ff = model.encoder.layers[1].feed_forward
    w_1, b_1, w_2, b_2 = (p.detach().double().numpy() for p in ff.parameters())
    x = ran.x.astype(np.float64)
    before = x @ w_1.T + b_1
    phi = np.vectorize(lambda z: 0.5 * (1 + math.erf(z / math.sqrt(2))))
    hidden = np.maximum(before, 0) if activation == "relu" else before * phi(before)
    np.testing.assert_allclose(ran.before, before, atol=1e-5)
    np.testing.assert_allclose(ran.hidden, hidden, atol=1e-5)
    np.testing.assert_allclose(ran.out, hidden @ w_2.T + b_2, atol=1e-5)
    np.testing.assert_array_equal(ran.firing, ran.before > 0)
    into = blocks.stages(model, IDS, 1)
    np.testing.assert_array_equal(ran.x, into["norm2" if norm == "pre" else "norm1"])
    np.testing.assert_allclose(ran.out, into["feed_forward"], atol=1e-6)
    # a 1 x 1 convolution slides the same matrix along the words
    f = F.relu if activation == "relu" else F.gelu
    signal = torch.tensor(ran.x).T[None]
    middle = f(F.conv1d(signal, ff.w_1.weight[..., None], ff.w_1.bias))
    with torch.no_grad():
        slid = F.conv1d(middle, ff.w_2.weight[..., None], ff.w_2.bias)[0].T
    np.testing.assert_allclose(ran.out, slid, atol=1e-5)


def test_position_wise_is_measured_and_would_be_missed(monkeypatch: pytest.MonkeyPatch) -> None:
    model = build()
    ran = blocks.feed_forward(model, IDS, 0)
    assert max(ran.reversal_change, ran.isolation_change) < 1e-5
    forward = FeedForward.forward
    monkeypatch.setattr(FeedForward, "forward", lambda self, x, *ctx: forward(self, x.cumsum(1), *ctx))
    ran = blocks.feed_forward(model, IDS, 0)
    assert min(ran.reversal_change, ran.isolation_change) > 0.01


@pytest.mark.parametrize("d_ff", [8, 24, 96])
def test_parameters_of_the_feed_forward_layer(d_ff: int) -> None:
    ran = blocks.feed_forward(build(d_ff=d_ff), IDS, 0)
    D = CONFIG.d_model
    assert ran.n_parameters == 2 * D * d_ff + d_ff + D
    assert ran.layer_parameters == ran.n_parameters + 4 * (D * D + D) + 4 * D
    assert ran.before.shape == (len(IDS), d_ff)


def test_activations_in_closed_form() -> None:
    x = np.linspace(-5, 5, 101)
    drawn = blocks.activation_curves(x)
    exact = np.array([z * 0.5 * (1 + math.erf(z / math.sqrt(2))) for z in x])
    tanh = 0.5 * x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))
    np.testing.assert_allclose(drawn["ReLU"], np.maximum(x, 0))
    np.testing.assert_allclose(drawn["GELU"], exact, atol=1e-12)
    np.testing.assert_allclose(drawn["GELU, tanh form"], tanh, atol=1e-12)
    np.testing.assert_allclose(drawn["SiLU"], x / (1 + np.exp(-x)), atol=1e-12)
    assert 1e-5 < np.abs(exact - tanh).max() < 1e-3


def test_without_the_activation_one_matrix_is_enough_and_with_it_not(monkeypatch: pytest.MonkeyPatch) -> None:
    ff = build().encoder.layers[0].feed_forward
    worth = blocks.nonlinearity(ff)
    assert worth.linear_error < 1e-20
    assert 0.05 < worth.unexplained < 0.9
    monkeypatch.setattr(ff, "activation", lambda x: x)
    assert blocks.nonlinearity(ff).unexplained < 1e-20


def test_xor_is_exact_with_two_units_and_one_half_without() -> None:
    inputs, bent, straight = blocks.xor()
    np.testing.assert_array_equal(bent, np.logical_xor(*inputs.T.astype(bool)))
    np.testing.assert_allclose(straight, 0.5)


# row 77 and interaction 12: follow one token


@pytest.mark.parametrize("kind", [EncoderModel, DecoderModel])
@pytest.mark.parametrize("token", [0, 5])
def test_pushes_add_up_and_the_last_read_out_is_the_logits(kind: type[EncoderModel | DecoderModel], token: int) -> None:
    model = kind(CONFIG, torch.Generator().manual_seed(4)).eval()
    stream = blocks.follow_token(model, IDS, token)
    np.testing.assert_allclose(stream.states[0] + stream.pushes.sum(0), stream.states[-1], atol=1e-5)
    np.testing.assert_allclose(np.diff(stream.states, axis=0), stream.pushes, atol=1e-5)
    assert stream.gap < 1e-5
    with torch.no_grad():
        logits = model(torch.tensor([IDS])).logits[0, token]
    np.testing.assert_allclose(stream.logits, logits, atol=1e-6)
    np.testing.assert_allclose(stream.lens[-1], logits, atol=1e-5)
    assert stream.heights[:3] == ("embedding", "attention 0", "feed-forward 0")
    assert len(stream.heights) == len(stream.states) == len(stream.lens) == 7
    stack = model.stack
    first = stack.final_norm(torch.tensor(stream.states[0])) @ stack.embedding.weight.T
    np.testing.assert_allclose(stream.lens[0], first.detach(), atol=1e-5)


def test_post_norm_pushes_do_not_add_up_but_its_last_read_out_is_still_the_logits() -> None:
    stream = blocks.follow_token(build(norm="post"), IDS, 2)
    assert stream.gap > 0.1
    np.testing.assert_allclose(stream.lens[-1], stream.logits, atol=1e-5)


def test_ranks_count_what_stands_before() -> None:
    stream = blocks.follow_token(build(), IDS, 1)
    places = stream.ranks([0, 7, 49])
    expected = [[1 + sum(row > row[i]) for i in (0, 7, 49)] for row in stream.lens]
    np.testing.assert_array_equal(places, expected)
    assert stream.ranks([int(stream.lens[-1].argmax())])[-1, 0] == 1


# interaction 6: ablations


@pytest.mark.parametrize("norm", NORMS)
def test_an_ablation_of_nothing_changes_no_bit(norm: str) -> None:
    model = build(norm=norm)
    with torch.no_grad():
        clean, same = model(torch.tensor([IDS])), ablations.ablate(model)(torch.tensor([IDS]))
    assert torch.equal(clean.logits, same.logits)


@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize("parts", [("residual",), ("norm",), ("feed_forward",), ("attention",), ("residual", "norm")])
def test_an_ablated_layer_equals_the_layer_written_out(norm: str, parts: tuple[str, ...]) -> None:
    model = build(norm=norm)
    ablated = ablations.ablate(model, *parts)
    keep = 0.0 if "residual" in parts else 1.0

    def same(x: Tensor) -> Tensor:
        return x

    with torch.no_grad():
        x = model.encoder.embed(torch.tensor([IDS]))
        for layer in model.encoder.layers:
            for sublayer, normed, name in (
                (lambda y, layer=layer: layer.self_attn(y)[0], layer.norm1, "attention"),
                (layer.feed_forward, layer.norm2, "feed_forward"),
            ):
                used = same if "norm" in parts else normed
                push = 0.0 if name in parts else 1.0
                x = keep * x + push * sublayer(used(x)) if norm == "pre" else used(keep * x + push * sublayer(x))
        x = x if "norm" in parts else model.encoder.final_norm(x)
        expected = x @ model.encoder.embedding.weight.T
        torch.testing.assert_close(ablated(torch.tensor([IDS])).logits, expected, atol=1e-4, rtol=1e-4)


@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize("cut", ablations.CUTS)
def test_a_part_of_one_layer_goes_out_of_that_layer_alone(norm: str, cut: str) -> None:
    model = build(norm=norm)
    ablated = ablations.ablate(model, f"{cut}.1")

    def same(x: Tensor) -> Tensor:
        return x

    with torch.no_grad():
        x = model.encoder.embed(torch.tensor([IDS]))
        for n, layer in enumerate(model.encoder.layers):
            out = cut if n == 1 else ""
            for number, name in enumerate(ablations.SUBLAYERS, 1):
                normed = layer.norm1 if number == 1 else layer.norm2
                used = same if out == f"norm{number}" else normed
                keep, push = float(out != f"residual{number}"), float(out != name)

                def sublayer(y: Tensor, layer: Any = layer, number: int = number) -> Tensor:
                    return layer.self_attn(y)[0] if number == 1 else layer.feed_forward(y)

                x = keep * x + push * sublayer(used(x)) if norm == "pre" else used(keep * x + push * sublayer(x))
        expected = model.encoder.final_norm(x) @ model.encoder.embedding.weight.T
        torch.testing.assert_close(ablated(torch.tensor([IDS])).logits, expected, atol=1e-4, rtol=1e-4)


def test_the_logits_without_each_sublayer_or_with_a_share_of_it_are_those_of_a_model_that_adds_no_more() -> None:
    model = build()
    found = list(ablations.one_by_one(model, IDS, (0.0, 0.4, 1.0)))
    for layer, n in np.ndindex(3, 2):
        less = copy.deepcopy(model)
        last = less.encoder.layers[layer].feed_forward.w_2 if n else less.encoder.layers[layer].self_attn.w_o
        with torch.no_grad():
            for parameter in last.parameters():
                parameter *= 0.4
            cut = ablations.ablate(model, f"{ablations.SUBLAYERS[n]}.{layer}")
            expected = [one(torch.tensor([IDS])).logits[0].numpy() for one in (cut, less, model)]
        np.testing.assert_allclose(found[2 * layer + n], expected, atol=1e-5)


def test_an_ablation_leaves_the_model_alone_and_shares_its_parameters() -> None:
    model = build()
    kept = {name: (p, p.clone()) for name, p in model.named_parameters()}
    with torch.no_grad():
        before = model(torch.tensor([IDS])).logits
        ablated = ablations.ablate(model, *ablations.PARTS)
        assert not torch.equal(ablated(torch.tensor([IDS])).logits, before)
        assert torch.equal(model(torch.tensor([IDS])).logits, before)
    assert {id(p) for p in ablated.parameters()} <= {id(p) for p, _ in kept.values()}
    assert all(type(layer.norm1) is AddNorm for layer in model.encoder.layers)
    with pytest.raises(ValueError, match="there is no part 'bias'"):
        ablations.ablate(model, "bias")
    for part in ("attention.3", "attention.", "norm.0", "attention.-1"):
        with pytest.raises(ValueError, match="there is no part"):
            ablations.ablate(model, part)


def test_the_change_of_predictions_in_closed_form() -> None:
    clean = np.log([[0.5, 0.5], [0.9, 0.1]])
    ablated = np.log([[0.5, 0.5], [0.2, 0.8]])
    assert ablations.prediction_change(clean, ablated) == (pytest.approx(0.35), 1)
    assert ablations.prediction_change(clean, clean) == (0, 0)


def test_without_the_residual_tokens_become_the_same() -> None:
    model = build()
    clean, broken = (
        ablations.stream_statistics(model, IDS),
        ablations.stream_statistics(ablations.ablate(model, "residual"), IDS),
    )
    assert clean.cosine[0] == broken.cosine[0]
    assert broken.cosine[-1] > clean.cosine[-1]
    np.testing.assert_allclose(broken.maps.sum(-1), 1, atol=1e-5)
    assert len(clean.rms) == 4


# rows 75, 76, 78: depth


def test_the_residual_puts_the_identity_into_the_jacobian() -> None:
    x = rand(3, CONFIG.d_model)

    def sublayer(z: Tensor, *, cut: tuple[str, ...]) -> Tensor:
        module = ablations.ablate(build(), *cut).encoder.layers[0]
        return module.norm2.after(z[None], module.feed_forward(module.norm2.before(z[None])))[0]

    with_it = torch.autograd.functional.jacobian(lambda z: sublayer(z, cut=()), x).flatten(2).flatten(0, 1)
    without = torch.autograd.functional.jacobian(lambda z: sublayer(z, cut=("residual",)), x).flatten(2).flatten(0, 1)
    torch.testing.assert_close(with_it - without, torch.eye(x.numel()), atol=1e-5, rtol=0)


@pytest.mark.slow
@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize("cut", [(), ("residual",), ("norm",), ("residual", "norm")])
def test_gradients_are_those_of_finite_differences(norm: str, cut: tuple[str, ...]) -> None:
    config = replace(CONFIG, norm=norm, n_decoder_layers=2)
    model = ablations.ablate(DecoderModel(config, torch.Generator().manual_seed(2)).eval(), *cut).double()
    statistics = ablations.depth_statistics(model, IDS)
    assert statistics.gradient.shape == statistics.rms.shape == statistics.cosine.shape == (3,)

    def loss(shift: Tensor | float, height: int) -> Tensor:
        def tap(name: str, tensor: Tensor) -> Tensor:
            at = f"decoder.{height}.residual_in" if height < 2 else "decoder.1.residual_out"
            return tensor + shift if name == at else tensor

        n = len(shift) if isinstance(shift, Tensor) else 1
        logits = model(torch.tensor([IDS] * n), tap=tap).logits
        targets = torch.tensor([IDS[1:] + IDS[:1]] * n)
        return F.cross_entropy(logits.transpose(1, 2), targets, reduction="none").mean(dim=1)  # (n,)

    assert statistics.loss == pytest.approx(loss(0.0, 0).item())
    one_by_one = 1e-5 * torch.eye(len(IDS) * CONFIG.d_model, dtype=torch.float64).view(-1, len(IDS), CONFIG.d_model)
    with torch.no_grad():
        for height in range(3):
            slopes = (loss(one_by_one, height) - loss(-one_by_one, height)) / 2e-5
            assert statistics.gradient[height] == pytest.approx(slopes.norm().item(), rel=1e-4)
    assert all(p.grad is None for p in model.parameters())


def deep(norm: str, *cut: str) -> ablations.DepthStatistics:
    config = replace(CONFIG, norm=norm, n_decoder_layers=24)
    return ablations.depth_statistics(
        ablations.ablate(DecoderModel(config, torch.Generator().manual_seed(0)).eval(), *cut), IDS
    )


@pytest.mark.slow
@pytest.mark.parametrize("norm", NORMS)
def test_it_takes_both_residual_and_norm(norm: str) -> None:
    both, neither, no_norm = deep(norm), deep(norm, "residual", "norm"), deep(norm, "norm")
    assert 0.01 < both.gradient[0] / both.gradient[-1] < 100
    assert neither.gradient[0] / neither.gradient[-1] < 1e-4
    assert no_norm.gradient[0] / no_norm.gradient[-1] > 1e3
    assert deep(norm, "residual").cosine[-1] > 0.999
    assert no_norm.rms[-1] > 100 * both.rms[-1]


@pytest.mark.slow
def test_pre_and_post_start_from_the_same_stream() -> None:
    pre, post = deep("pre"), deep("post")
    assert pre.rms[0] == post.rms[0]
    assert pre.cosine[0] == post.cosine[0]
    assert pre.rms[1] != post.rms[1]
    # with the norms out, where they stood makes no difference
    np.testing.assert_array_equal(deep("pre", "norm").gradient, deep("post", "norm").gradient)


# row 41: what is linear


@examples(15)
@given(st.integers(0, 50), st.integers(-8, 8), st.integers(-8, 8))
def test_linear_with_fixed_weights_even_with_biases(seed: int, a: int, b: int) -> None:
    attention = build().encoder.layers[0].self_attn
    mixed = linearity.superposition(attention, rand(5, 24, seed=seed), rand(5, 24, seed=seed + 100), a / 4, b / 4)
    assert mixed.frozen_error < 1e-9
    np.testing.assert_allclose(*mixed.frozen, atol=1e-9)


def test_not_linear_in_its_input() -> None:
    attention = EncoderModel(CONFIG, torch.Generator().manual_seed(0)).encoder.layers[0].self_attn
    x, y = rand(6, 24).double(), rand(6, 24, seed=1).double()
    mixed = linearity.superposition(attention, x, y, 0.5, 0.5)
    assert mixed.live_error > 0.05
    with torch.no_grad():
        module = attention.double()
        whole = module((0.5 * x + 0.5 * y)[None].double())[0][0]
        parts = 0.5 * module(x[None].double())[0][0] + 0.5 * module(y[None].double())[0][0]
    np.testing.assert_allclose(mixed.live[0], whole, atol=1e-9)
    np.testing.assert_allclose(mixed.live[1], parts, atol=1e-9)
    assert mixed.live_error == pytest.approx(float((whole - parts).norm() / parts.norm()))


def test_attention_of_a_scaled_input() -> None:
    attention = EncoderModel(CONFIG, torch.Generator().manual_seed(0)).encoder.layers[0].self_attn
    live, frozen = linearity.scaling_error(attention, rand(6, 24), [-1.0, 0.0, 0.5, 1.0, 2.0])
    np.testing.assert_allclose(frozen, 0, atol=1e-12)
    np.testing.assert_allclose(live[[0, 1, 3]], 0, atol=1e-12)
    assert (live[[2, 4]] > 0.01).all()


# row 82: dropout


@pytest.mark.slow
@pytest.mark.parametrize("where", dropout.PLACES)
def test_dropout_zeroes_or_scales_and_its_mean_comes_back(where: str) -> None:
    model = build(dropout=0.3)
    one = dropout.run_dropout(model, IDS, where, training=True)
    stays = one.after != 0
    np.testing.assert_allclose(one.after[stays], one.before[stays] / 0.7, rtol=1e-5)
    assert one.kept == pytest.approx(stays.mean())
    assert 0 < stays.sum() < stays.size
    np.testing.assert_array_equal(one.recorded, one.before)
    many = dropout.run_dropout(model, IDS, where, training=True, draws=400)
    off = np.abs(many.after - many.before).mean() / np.abs(many.before).mean()
    assert off < 0.08 < np.abs(one.after - one.before).mean() / np.abs(one.before).mean()
    assert not np.array_equal(one.after, dropout.run_dropout(model, IDS, where, training=True, seed=1).after)
    assert not model.training


@pytest.mark.parametrize("where", dropout.PLACES)
def test_evaluation_drops_nothing(where: str) -> None:
    model = build(dropout=0.9)
    first = dropout.run_dropout(model, IDS, where, training=False)
    np.testing.assert_array_equal(first.before, first.after)
    np.testing.assert_array_equal(first.after, dropout.run_dropout(model, IDS, where, training=False, seed=5).after)
    assert first.kept == 1
    plain = build()
    np.testing.assert_array_equal(first.before, dropout.run_dropout(plain, IDS, where, training=True).after)


def test_what_is_shown_as_dropped_is_what_the_model_went_on_with() -> None:
    """The dropped weights times the values are the heads of the very pass that drew them."""
    model = build(dropout=0.4)
    shown = dropout.run_dropout(model, IDS, "weights", training=True, seed=3)
    seen = {}

    def tap(name: str, tensor: Tensor) -> Tensor:
        return seen.setdefault(name, tensor)

    twin = ablations.twin(model).train()
    with torch.no_grad():
        twin(torch.tensor([IDS]), tap=tap, generator=torch.Generator().manual_seed(3))
    heads, values = (seen[f"encoder.0.self_attn.{name}"][0, 0] for name in ("heads", "v"))
    np.testing.assert_allclose(shown.after @ values.numpy(), heads, atol=1e-5)
    with pytest.raises(ValueError, match="there is no dropout at 'soul'"):
        dropout.run_dropout(model, IDS, "soul", training=True)


# rows 71, 81, 83: the table of shapes


def test_the_shape_table_of_the_default_sizes() -> None:
    config = TransformerConfig(d_model=128, n_heads=8, d_ff=512)
    lines = {line.name: line for line in shape_table(config, 2, 10)}
    assert lines["stream in"].shape == lines["add & norm, stream out"].shape == (2, 10, 128)
    assert lines["queries"].shape == (2, 8, 10, 16)
    assert lines["weights"].shape == (2, 8, 10, 10)
    assert lines["hidden units"].shape == (2, 10, 512)
    assert lines["hidden units"].n_parameters + lines["mapped back"].n_parameters == 2 * 128 * 512 + 512 + 128
    total = sum(p.numel() for p in nn.TransformerEncoderLayer(128, 8, 512).parameters())
    assert sum(line.n_parameters for line in lines.values()) == total


@examples(20)
@given(st.integers(1, 4), st.integers(1, 9), st.sampled_from([1, 2, 4]), st.integers(1, 40))
def test_letters_say_the_shapes(B: int, T: int, heads: int, d_ff: int) -> None:
    config = TransformerConfig(d_model=8, n_heads=heads, d_ff=d_ff)
    sizes = {"B": B, "T": T, "D": 8, "H": heads, "Hkv": heads, "d_k": 8 // heads, "F": d_ff}
    for line in shape_table(config, B, T):
        assert line.shape == tuple(sizes[letter] for letter in line.letters.split())


@pytest.mark.parametrize("n", [1, 2, 7])
def test_a_stack_of_layers_shares_nothing(n: int) -> None:
    built = stack_count(CONFIG, n)
    one = sum(p.numel() for p in EncoderLayer(CONFIG).parameters())
    assert (built.one, built.all) == (one, n * one)
    assert built.n_tensors == built.n_storages == 16 * n
