import copy
import pickle
from typing import Any

import pytest
import torch

from tests.transformer.oracles import DTYPES, close, ids, mask_pair, rng, shaken, sinusoid_table, torch_transformer
from transformer.core import masks
from transformer.core.config import POSITION_SCHEMES, TransformerConfig
from transformer.core.model import Attention, DecoderModel, EncoderModel, Output, Transformer
from transformer.core.taps import Recorder

V = 30


def config(**changes: Any) -> TransformerConfig:
    settings: dict[str, Any] = {"vocab_size": V, "d_model": 12, "n_heads": 3}
    return TransformerConfig(**settings | changes)


def every(output: Output):
    return [output.logits, *output.attention.encoder, *output.attention.decoder, *output.attention.cross]


# nn.Transformer with copied weights


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("norm", ["pre", "post"])
@pytest.mark.parametrize("activation", ["relu", "gelu"])
@pytest.mark.parametrize("padded", [False, True])
@pytest.mark.parametrize("shape", [(16, 4, 3, 5, 7), (15, 3, 2, 6, 4), (7, 1, 1, 3, 5)])
def test_equals_torch_transformer(dtype, norm, activation, padded, shape):
    d_model, n_heads, B, T, S = shape
    settings = config(d_model=d_model, n_heads=n_heads, norm=norm, activation=activation, d_ff=20)
    ours = shaken(Transformer(settings, rng()), dtype)
    theirs = torch_transformer(ours)
    src, tgt = ids(B, S, vocab=V), ids(B, T, vocab=V, seed=1)
    src_mask, _, pads = mask_pair("padding" if padded else "none", B, S, S)
    _, causal, _ = mask_pair("causal", B, T, T)

    def embed(stack, tokens):  # by hand, because nn.Transformer begins after the embeddings
        return stack.embedding.weight[tokens] * d_model**0.5 + sinusoid_table(tokens.shape[1], d_model).to(dtype)

    x = theirs(
        embed(ours.encoder, src),
        embed(ours.decoder, tgt),
        tgt_mask=causal,
        src_key_padding_mask=pads,
        memory_key_padding_mask=pads,
    )
    close(ours(src, tgt, src_mask).logits, x @ ours.decoder.embedding.weight.T)
    memory = theirs.encoder(embed(ours.encoder, src), src_key_padding_mask=pads)
    close(ours.encode(src, src_mask)[0], memory)


@pytest.mark.parametrize("norm", ["pre", "post"])
def test_a_pre_norm_stack_is_closed_by_a_norm_and_a_post_norm_stack_is_not(norm):
    model = Transformer(config(norm=norm), rng())
    for stack in (model.encoder, model.decoder):
        assert isinstance(stack.final_norm, torch.nn.LayerNorm) is (norm == "pre")
    memory = model.encode(ids(2, 5, vocab=V))[0]
    # Either way what comes out is normalised, once: fresh norms give mean 0 and variance 1.
    torch.testing.assert_close(memory.mean(-1), torch.zeros(2, 5), rtol=0, atol=1e-5)
    torch.testing.assert_close(memory.var(-1, correction=0), torch.ones(2, 5), rtol=0, atol=1e-3)


# Shapes, and what is returned


@pytest.mark.parametrize("positions", POSITION_SCHEMES)
@pytest.mark.parametrize("settings", [{}, {"d_model": 15, "n_kv_heads": 1}, {"d_model": 5, "n_heads": 1}])
def test_shapes(positions, settings):
    settings = config(positions=positions, tgt_vocab_size=17, n_encoder_layers=1, n_decoder_layers=3, **settings)
    H = settings.n_heads
    output = Transformer(settings, rng())(ids(2, 7, vocab=V), ids(2, 4, vocab=17))
    assert isinstance(output, Output)
    assert isinstance(output.attention, Attention)
    assert output.logits.shape == (2, 4, 17)
    assert [tuple(w.shape) for w in output.attention.encoder] == [(2, H, 7, 7)]
    assert [tuple(w.shape) for w in output.attention.decoder] == [(2, H, 4, 4)] * 3
    assert [tuple(w.shape) for w in output.attention.cross] == [(2, H, 4, 7)] * 3
    output = EncoderModel(settings, rng())(ids(2, 7, vocab=V))
    assert output.logits.shape == (2, 7, V)
    assert [len(weights) for weights in output.attention] == [1, 0, 0]
    output = DecoderModel(settings, rng())(ids(2, 7, vocab=V))
    assert output.logits.shape == (2, 7, V)
    assert [len(weights) for weights in output.attention] == [0, 3, 0]


def test_without_layers_only_the_embeddings_are_left():
    settings = config(n_encoder_layers=0, n_decoder_layers=0, norm="post", positions="none")
    model = shaken(DecoderModel(settings, rng()))
    tokens = ids(1, 4, vocab=V)
    W = model.decoder.embedding.weight
    close(model(tokens).logits, 12**0.5 * W[tokens] @ W.T)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
@pytest.mark.parametrize("positions", POSITION_SCHEMES)
def test_half_precision(dtype, positions):
    model = Transformer(config(positions=positions), rng()).eval().to(dtype)
    lengths, S = torch.tensor([3, 7]), 7
    output = model(ids(2, S, vocab=V), ids(2, 5, vocab=V), masks.padding(lengths, S))
    for tensor in every(output):
        assert tensor.dtype == dtype
        assert tensor.isfinite().all()
    for weights in every(output)[1:]:
        torch.testing.assert_close(weights.float().sum(-1), torch.ones(weights.shape[:-1]), rtol=0, atol=2e-2)
    for weights in (*output.attention.encoder, *output.attention.cross):
        assert (weights[0, ..., 3:] == 0).all()
    for weights in output.attention.decoder:
        assert (weights[..., ~masks.causal(5)] == 0).all()


@pytest.mark.slow
@pytest.mark.parametrize("positions", POSITION_SCHEMES)
def test_a_saved_model_says_the_same(positions):
    settings = config(positions=positions, tie_output=False)
    model, tokens = shaken(DecoderModel(settings, rng())), ids(1, 100, vocab=V)
    expected = model(tokens).logits  # longer than the first table of any scheme
    fresh = DecoderModel(settings, rng(1)).double().eval()
    fresh.load_state_dict(model.state_dict())
    for again in (fresh, copy.deepcopy(model), pickle.loads(pickle.dumps(model))):
        assert torch.equal(again(tokens).logits, expected)
    assert not any("table" in name or "slopes" in name for name in model.state_dict())


# Masks


@pytest.mark.parametrize("positions", POSITION_SCHEMES)
@pytest.mark.parametrize("norm", ["pre", "post"])
def test_a_padded_batch_equals_each_sentence_alone(positions, norm):
    model = shaken(Transformer(config(positions=positions, norm=norm), rng()))
    lengths, tgt = [3, 7, 1], ids(3, 5, vocab=V, seed=1)
    src = ids(3, 7, vocab=V)
    output = model(src, tgt, masks.padding(torch.tensor(lengths), 7))
    for b, n in enumerate(lengths):
        alone = model(src[b : b + 1, :n], tgt[b : b + 1])
        close(output.logits[b : b + 1], alone.logits)
        for padded, weights in zip(output.attention.encoder, alone.attention.encoder, strict=True):
            close(padded[b : b + 1, :, :n, :n], weights)
            assert (padded[b, ..., n:] == 0).all()
        for padded, weights in zip(output.attention.cross, alone.attention.cross, strict=True):
            close(padded[b : b + 1, ..., :n], weights)
            assert (padded[b, ..., n:] == 0).all()


def test_what_stands_in_the_padding_does_not_matter():
    model = shaken(Transformer(config(), rng()))
    src, tgt, mask = ids(2, 6, vocab=V), ids(2, 4, vocab=V), masks.padding(torch.tensor([4, 2]), 6)
    rubbish = torch.where(mask[:, 0, 0], src, (src + 1) % V)
    assert torch.equal(model(src, tgt, mask).logits, model(rubbish, tgt, mask).logits)
    assert not torch.allclose(model(src, tgt).logits, model(rubbish, tgt).logits)


def test_a_mask_per_query_stays_in_the_encoder():
    model = shaken(Transformer(config(), rng()))
    src, tgt = ids(2, 5, vocab=V), ids(2, 3, vocab=V)
    output = model(src, tgt, masks.causal(5))
    assert (output.attention.encoder[0][..., ~masks.causal(5)] == 0).all()
    assert (output.attention.cross[0] > 0).all()


def test_a_memory_mask_has_the_last_word_on_the_memory():
    model = shaken(Transformer(config(), rng()))
    src, tgt = ids(2, 5, vocab=V), ids(2, 3, vocab=V)
    pads, others = masks.padding(torch.tensor([2, 4]), 5), masks.padding(torch.tensor([3, 5]), 5)
    output = model(src, tgt, pads, memory_mask=others)
    for weights in output.attention.encoder:
        assert torch.equal(weights > 0, pads.expand_as(weights))
    for weights in output.attention.cross:
        assert torch.equal(weights > 0, others.expand_as(weights))
    assert (model(src, tgt, memory_mask=others).attention.encoder[0] > 0).all()


def test_a_mask_of_keys_alone_holds_for_the_memory_too():
    model = shaken(Transformer(config(), rng()))
    mask = torch.tensor([True, False, True, True])
    output = model(ids(2, 4, vocab=V), ids(2, 3, vocab=V), mask)
    for weights in (*output.attention.encoder, *output.attention.cross):
        assert torch.equal(weights > 0, mask.expand_as(weights))


def test_a_target_mask_comes_on_top_of_the_causal_one():
    model = shaken(Transformer(config(), rng()))
    src, tgt = ids(2, 5, vocab=V), ids(2, 6, vocab=V)
    local = masks.sliding_window(6, 2)
    for weights in model(src, tgt, tgt_mask=local).attention.decoder:
        assert torch.equal(weights > 0, (local & masks.causal(6)).expand_as(weights))
    for weights in model(src, tgt, tgt_mask=local, is_causal=False).attention.decoder:
        assert torch.equal(weights > 0, local.expand_as(weights))
    decoder = shaken(DecoderModel(config(), rng()))
    for weights in decoder(tgt, local).attention.decoder:
        assert torch.equal(weights > 0, (local & masks.causal(6)).expand_as(weights))
    for weights in decoder(tgt, is_causal=False).attention.decoder:
        assert (weights > 0).all()
    for weights in shaken(EncoderModel(config(), rng()))(tgt, local).attention.encoder:
        assert torch.equal(weights > 0, local.expand_as(weights))


@pytest.mark.parametrize("positions", POSITION_SCHEMES)
@pytest.mark.parametrize("kind", [Transformer, DecoderModel])
def test_nobody_sees_the_future_unless_asked_to(kind, positions):
    model = shaken(kind(config(positions=positions), rng()))
    tgt, edited = ids(2, 7, vocab=V), ids(2, 7, vocab=V)
    edited[:, 4] = (edited[:, 4] + 1) % V
    src = (ids(2, 5, vocab=V),) if kind is Transformer else ()
    a, b = model(*src, tgt), model(*src, edited)
    assert torch.equal(a.logits[:, :4], b.logits[:, :4])
    assert ((a.logits - b.logits)[:, 4:].abs().amax(-1) > 1e-6).all()
    for weights in a.attention.decoder:
        assert torch.equal(weights > 0, masks.causal(7).expand_as(weights))
        assert (weights[:, :, 0, 0] == 1).all()
    a, b = (model(*src, tokens, is_causal=False).logits for tokens in (tgt, edited))
    assert ((a - b).abs().amax(-1) > 1e-6).all()


def test_an_encoder_sees_both_ways():
    model = shaken(EncoderModel(config(), rng()))
    assert all((weights > 0).all() for weights in model(ids(2, 6, vocab=V)).attention.encoder)


# Wiring


def test_the_decoder_asks_and_the_memory_answers():
    model = shaken(Transformer(config(), rng()))
    src, tgt = ids(2, 7, vocab=V), ids(2, 4, vocab=V, seed=1)
    seen = Recorder()
    model(src, tgt, tap=seen)
    other = Recorder()
    model(ids(2, 7, vocab=V, seed=2), tgt, tap=other)
    for i, layer in enumerate(model.decoder.layers):
        path = f"decoder.{i}.cross_attn"
        x = layer.norm2(seen[f"decoder.{i}.residual_self"])
        assert torch.equal(seen[f"{path}.q"].transpose(1, 2).flatten(2), layer.cross_attn.w_q(x))
        for name, linear in (("k", layer.cross_attn.w_k), ("v", layer.cross_attn.w_v)):
            assert torch.equal(seen[f"{path}.{name}"].transpose(1, 2).flatten(2), linear(seen["encoder.out"]))
    # Another source: the first layer asks the same questions, and gets other answers.
    assert torch.equal(seen["decoder.0.cross_attn.q"], other["decoder.0.cross_attn.q"])
    assert not torch.allclose(seen["decoder.0.cross_attn.k"], other["decoder.0.cross_attn.k"])
    assert not torch.allclose(seen["decoder.0.cross_attn.v"], other["decoder.0.cross_attn.v"])


def test_encoding_then_decoding_is_the_model():
    model = shaken(Transformer(config(), rng()))
    src, tgt, mask = ids(2, 5, vocab=V), ids(2, 4, vocab=V), masks.padding(torch.tensor([5, 2]), 5)
    memory, encoder = model.encode(src, mask)
    logits, decoder, cross = model.decode(tgt, memory, memory_mask=mask)
    by_hand = [logits, *encoder, *decoder, *cross]
    assert all(torch.equal(a, b) for a, b in zip(every(model(src, tgt, mask)), by_hand, strict=True))


def test_positions_count_within_one_text_and_not_between_two():
    for positions in ("rotary", "relative", "alibi"):
        model = shaken(Transformer(config(positions=positions), rng()))
        seen = Recorder("biased", "k")
        model(ids(1, 5, vocab=V), ids(1, 4, vocab=V), tap=seen)
        assert not any("cross_attn.biased" in path for path in seen)
        layer = model.decoder.layers[0].cross_attn
        memory = model.encode(ids(1, 5, vocab=V))[0]
        assert torch.equal(seen["decoder.0.cross_attn.k"].transpose(1, 2).flatten(2), layer.w_k(memory))


@pytest.mark.parametrize("positions", POSITION_SCHEMES)
@pytest.mark.parametrize("norm", ["pre", "post"])
def test_every_parameter_is_trained(positions, norm):
    model = shaken(Transformer(config(positions=positions, norm=norm, tie_output=False, activation="gelu"), rng()))
    logits = model(ids(2, 7, vocab=V), ids(2, 6, vocab=V, seed=1)).logits
    torch.nn.functional.cross_entropy(logits.flatten(0, 1), ids(12, vocab=V, seed=2)).backward()
    for name, p in model.named_parameters():
        assert p.grad is not None, name
        assert p.grad.isfinite().all(), name
        if name.endswith("w_k.bias") and (positions != "rotary" or "cross" in name):
            # It adds the same to all scores of a row, and softmax ignores that.
            assert p.grad.abs().max() < 1e-12, name
        else:
            assert p.grad.abs().max() > 1e-9, name


def test_layers_are_identical_in_shape_and_share_nothing():
    model = Transformer(config(n_encoder_layers=3), rng())
    for stack in (model.encoder, model.decoder, DecoderModel(config(), rng()).decoder):
        layers = [dict(layer.named_parameters()) for layer in stack.layers]
        places = [p.data_ptr() for layer in layers for p in layer.values()]
        assert len(set(places)) == len(places)
        for layer in layers[1:]:
            assert {n: p.shape for n, p in layer.items()} == {n: p.shape for n, p in layers[0].items()}
            assert not torch.equal(layer["self_attn.w_q.weight"], layers[0]["self_attn.w_q.weight"])


def test_logits_may_be_negative_and_make_a_distribution():
    for model, inputs in (
        (Transformer(config(), rng()), 2),
        (EncoderModel(config(tie_output=False), rng()), 1),
        (DecoderModel(config(), rng()), 1),
    ):
        logits = model(*[ids(2, 6, vocab=V)] * inputs).logits
        assert logits.min() < 0 < logits.max()
        torch.testing.assert_close(logits.softmax(-1).sum(-1), torch.ones(2, 6))


def test_dropout_falls_on_the_embeddings_too():
    model = DecoderModel(config(dropout=0.4, n_decoder_layers=0, norm="post"), rng())
    seen = Recorder()
    model(ids(4, 9, vocab=V), tap=seen, generator=rng(1))
    kept = seen["decoder.out"] != 0
    assert kept.float().mean().item() == pytest.approx(0.6, abs=0.08)
    torch.testing.assert_close(seen["decoder.out"][kept], seen["decoder.positioned"][kept] / 0.6)
    model.eval()(ids(4, 9, vocab=V), tap=seen)
    assert torch.equal(seen["decoder.out"], seen["decoder.positioned"])


@pytest.mark.parametrize("kind", [Transformer, EncoderModel, DecoderModel])
def test_weights_in_training_are_those_before_dropout(kind):
    model = kind(config(dropout=0.5), rng())
    assert model.training
    seen = Recorder("weights")
    inputs = [ids(2, 6, vocab=V)] * (2 if kind is Transformer else 1)
    weights = every(model(*inputs, tap=seen, generator=rng(1)))[1:]
    assert len(weights) == len(seen)
    for w in (*weights, *seen.values()):
        torch.testing.assert_close(w.sum(-1), torch.ones(w.shape[:-1]))


# Positions in the whole model


def test_longer_texts_than_the_learned_table_are_refused_with_a_sentence():
    model = Transformer(config(positions="learned", max_len=6), rng())
    model(ids(1, 6, vocab=V), ids(1, 6, vocab=V))
    for S, T in ((7, 3), (3, 7)):
        with pytest.raises(ValueError, match="has 6 positions, but the text needs 7; shorten the text"):
            model(ids(1, S, vocab=V), ids(1, T, vocab=V))


@pytest.mark.parametrize("positions", ["none", "sinusoidal", "rotary", "relative", "alibi"])
def test_other_schemes_read_any_length(positions):
    model = DecoderModel(config(positions=positions, max_len=6), rng()).eval()
    short, long = model(ids(1, 300, vocab=V)[:, :5]).logits, model(ids(1, 300, vocab=V)).logits
    torch.testing.assert_close(long[:, :5], short, rtol=0, atol=1e-4)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("positions", POSITION_SCHEMES)
def test_only_positions_tell_the_order(positions, dtype):
    model = shaken(EncoderModel(config(positions=positions), rng()), dtype)
    # No reversal: the penalty of ALiBi looks the same from both ends.
    tokens, order = torch.tensor([[14, 9, 23, 0, 13, 7]]), [2, 0, 5, 1, 4, 3]
    a, b = model(tokens).logits[:, order], model(tokens[:, order]).logits
    difference = (a - b).abs().max().item()
    if positions == "none":
        assert difference < (1e-10 if dtype == torch.float64 else 1e-5)
    else:
        assert difference > 1e-2


def test_the_encoder_learns_distances_both_ways_and_the_decoder_backwards():
    model = Transformer(config(positions="relative"), rng())
    assert model.encoder.positions.bidirectional
    assert not model.decoder.positions.bidirectional
    assert not DecoderModel(config(positions="relative"), rng()).decoder.positions.bidirectional
    assert EncoderModel(config(positions="relative"), rng()).encoder.positions.bidirectional


def test_settings_change_what_they_are_named_after():
    # With the very same weights, every switch of the config is heard in the logits; a forgotten one would not be.
    tokens = ids(1, 6, vocab=V)

    def logits(**changes):
        return shaken(DecoderModel(config(**changes), rng()))(tokens).logits

    plain = logits()
    assert torch.equal(plain, logits())
    for change in (
        {"scaled": False},
        {"scale_embeddings": False},
        {"norm": "post"},
        {"activation": "gelu"},
        {"base": 50.0},
        {"norm_eps": 0.5},
        {"tie_output": False},
        {"n_heads": 4},
    ):
        assert (logits(**change) - plain).abs().max() > 1e-4, change


@pytest.mark.wide
@pytest.mark.slow
def test_a_model_can_learn():
    # One batch, learned by heart: the target is the source backwards.
    model = Transformer(config(d_model=24, n_encoder_layers=1, n_decoder_layers=1), rng())
    src = ids(8, 5, vocab=V)
    tgt = torch.cat([torch.zeros(8, 1, dtype=torch.long), src.flip(1)], dim=1)
    optimiser = torch.optim.Adam(model.parameters(), lr=1e-2)
    for _ in range(80):
        logits = model(src, tgt[:, :-1]).logits
        loss = torch.nn.functional.cross_entropy(logits.flatten(0, 1), tgt[:, 1:].flatten())
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    assert loss.item() < 0.05


def test_the_stream_starts_as_tokens_plus_positions():
    model = shaken(Transformer(config(), rng()))
    src, tgt, seen = ids(2, 5, vocab=V), ids(2, 4, vocab=V), Recorder()
    model(src, tgt, tap=seen)
    for stack, tokens in (("encoder", src), ("decoder", tgt)):
        x = getattr(model, stack).embedding.weight[tokens] * 12**0.5
        close(seen[f"{stack}.embedded"], x)
        close(seen[f"{stack}.positioned"], x + sinusoid_table(tokens.shape[1], 12))
        assert torch.equal(seen[f"{stack}.0.residual_in"], seen[f"{stack}.positioned"])


@pytest.mark.slow
def test_a_model_runs_where_its_weights_are():
    # On the "meta" device a single tensor built elsewhere would raise.
    for positions in POSITION_SCHEMES:
        model = Transformer(config(positions=positions), rng()).to("meta")
        src, tgt = (torch.zeros(2, n, dtype=torch.long, device="meta") for n in (5, 4))
        output = model(src, tgt, masks.padding(torch.ones(2, device="meta"), 5))
        assert output.logits.device.type == "meta"
        assert output.logits.shape == (2, 4, V)
