"""The known bugs of the source documents, one test each: what was wrong there, and what is true here.

1 to 12 stood in a whole model with examples, 13 to 18 in a model class, 19 to 22 in a tutorial's attention, 23 to 31
in another tutorial's layers, 32 to 41 in prose. Each docstring says what was wrong; the test is what must hold.

Two have no test of their own behaviour: of 22 (a heading about training with no code under it, and a stray line left
behind by a writing tool) there is nothing to run; 37 (two names for two things) is tested by shapes only.
"""

import math
from typing import Any

import pytest
import torch
from torch import nn

import transformer
from tests.transformer.oracles import close, ids, rand, rng, shaken
from transformer.core import masks
from transformer.core.attention import MultiHeadAttention, masked_softmax, scaled_dot_product_attention
from transformer.core.config import TransformerConfig
from transformer.core.context import Context
from transformer.core.embeddings import TokenEmbedding
from transformer.core.layers import AddNorm, DecoderLayer, EncoderLayer
from transformer.core.model import DecoderModel, EncoderModel, Transformer
from transformer.core.positions import LearnedPositions, SinusoidalPositions, sinusoids, wavelengths
from transformer.core.taps import Recorder, patch

V = 30


def config(**changes: Any) -> TransformerConfig:
    settings: dict[str, Any] = {"vocab_size": V, "d_model": 12, "n_heads": 3}
    return TransformerConfig(**settings | changes)


def model(kind=Transformer, **changes):
    return shaken(kind(config(**changes), rng()))


# A whole model with examples


def test_bug_01_the_position_table_was_an_attribute_that_stayed_behind():
    """1: a plain attribute stays on the CPU and in float32 when the model moves. Ours is a buffer, and follows."""
    positions = SinusoidalPositions(8)
    assert "table" in dict(positions.named_buffers())
    assert positions.double().table.dtype == torch.float64
    assert positions.to("meta").table.device.type == "meta"
    assert positions.state_dict() == {}


def test_bug_02_what_the_decoder_computed_was_thrown_away():
    """2: the feed-forward read the encoder's stream, so that not one parameter of the decoder was trained."""
    net = model()
    net(ids(2, 5, vocab=V), ids(2, 4, vocab=V)).logits.square().sum().backward()
    parameters = dict(net.decoder.layers.named_parameters())
    assert len(parameters) == 2 * 26
    # The bias of the keys is the exception: softmax ignores what is the same for all keys.
    silent = [name for name, p in parameters.items() if p.grad is None or p.grad.abs().max() < 1e-9]
    assert all(name.endswith("w_k.bias") for name in silent)


def test_bug_03_cross_attention_was_wired_backwards():
    """3: queries and keys came from the encoder, and different lengths crashed. Ours asks from the decoder."""
    layer = shaken(DecoderLayer(config(), rng()))
    x, memory, seen = rand(1, 4, 12, seed=1), rand(1, 7, 12, seed=2), Recorder()
    output, _, weights = layer(x, memory, ctx=Context(seen))
    assert output.shape == x.shape
    assert weights.shape == (1, 3, 4, 7)
    other = Recorder()
    layer(x, memory + 1, ctx=Context(other))
    assert torch.equal(seen["cross_attn.q"], other["cross_attn.q"])
    assert not torch.allclose(seen["cross_attn.k"], other["cross_attn.k"])
    assert not torch.allclose(seen["cross_attn.v"], other["cross_attn.v"])
    # The residual that goes on is the decoder's, not the encoder's.
    close(seen["residual_mid"], seen["residual_self"] + seen["cross_attn.out"])


def test_bug_04_sentences_and_positions_were_mixed_up():
    """4: half the code put the batch first, half the sequence: no token ever attended to another of its sentence."""
    net = model(EncoderModel)
    seen = Recorder()
    weights = net(ids(1, 20, vocab=V), tap=seen).attention.encoder[0]
    assert weights.shape == (1, 3, 20, 20)
    assert not (weights == 1).any()
    close((seen["encoder.positioned"] - seen["encoder.embedded"])[0], sinusoids(20, 12))
    # Three sentences of one token each all stand at position 0.
    net(ids(3, 1, vocab=V), tap=seen)
    close(seen["encoder.positioned"] - seen["encoder.embedded"], sinusoids(1, 12).expand(3, 1, 12))
    a, b = ids(2, 20, vocab=V), ids(2, 20, vocab=V)
    b[0, 5] = (b[0, 5] + 1) % V
    moved = (net(a).logits != net(b).logits).any(-1)
    assert moved[0].all()  # every token of the sentence hears of it
    assert not moved[1].any()  # and none of the other sentence


def test_bug_05_logits_went_through_a_relu():
    """5: a last ReLU left no logit below 0, so that no token could be ruled out."""
    for tied in (True, False):
        assert model(tie_output=tied)(ids(2, 5, vocab=V), ids(2, 4, vocab=V)).logits.min() < 0


def test_bug_06_the_decoder_had_no_target():
    """6: it was fed the encoder's output with positions added a second time: no target, no embedding, no shift."""
    net = model()
    src, tgt, seen = ids(2, 5, vocab=V), ids(2, 4, vocab=V, seed=1), Recorder()
    logits = net(src, tgt, tap=seen).logits
    assert torch.equal(seen["decoder.embedded"], net.decoder.embedding(tgt))
    close(seen["decoder.0.residual_in"] - net.decoder.embedding(tgt), sinusoids(4, 12).expand(2, -1, -1))
    keys = net.decoder.layers[0].cross_attn.w_k(seen["encoder.out"])  # the memory as it is: positions were added before
    assert torch.equal(seen["decoder.0.cross_attn.k"].transpose(1, 2).flatten(2), keys)
    # Shifted: the logits at t read the target up to t, and so may be trained on token t + 1.
    changed = tgt.clone()
    changed[:, 2] = (changed[:, 2] + 1) % V
    assert (logits != net(src, changed).logits).any(-1).tolist() == [[False, False, True, True]] * 2


def test_bug_07_the_mask_had_the_length_of_the_constructor():
    """7: a mask for 20 tokens was kept on the module, and a text of 15 crashed. Ours is made for the text at hand."""
    net = model(DecoderModel)
    for T in (20, 15, 1, 30):
        weights = net(ids(1, T, vocab=V)).attention.decoder[0]
        assert torch.equal(weights > 0, masks.causal(T).expand_as(weights))
    assert not any("mask" in name for name, _ in net.named_buffers())


def test_bug_08_weights_were_shown_after_dropout():
    """8: in training, dropped and rescaled weights do not sum to 1 (0.38 to 1.11 there). Ours are from before."""
    net = Transformer(config(dropout=0.5), rng())
    attention = net(ids(2, 9, vocab=V), ids(2, 9, vocab=V), generator=rng()).attention
    for weights in (*attention.encoder, *attention.decoder, *attention.cross):
        torch.testing.assert_close(weights.sum(-1), torch.ones(2, 3, 9))
    # torch's own module still does it.
    theirs = nn.MultiheadAttention(12, 3, dropout=0.5, batch_first=True)
    x = rand(2, 9, 12, dtype=torch.float32)
    assert (theirs(x, x, x, average_attn_weights=False)[1].sum(-1) - 1).abs().max() > 0.05


def test_bug_09_weights_were_discarded_or_averaged():
    """9: every call dropped the weights, and torch's module averages the heads. Ours returns every head."""
    attention = model(n_encoder_layers=2, n_decoder_layers=3)(ids(2, 5, vocab=V), ids(2, 4, vocab=V)).attention
    assert [tuple(w.shape) for w in attention.encoder] == [(2, 3, 5, 5)] * 2
    assert [tuple(w.shape) for w in attention.decoder] == [(2, 3, 4, 4)] * 3
    assert [tuple(w.shape) for w in attention.cross] == [(2, 3, 4, 5)] * 3
    heads = attention.encoder[0].unbind(1)
    assert not any(torch.allclose(heads[0], head) for head in heads[1:])


def test_bug_10_dropout_was_fixed_and_examples_could_not_be_repeated():
    """10: 0.1 everywhere, and printed in training mode. Ours is a setting, and with a generator repeats itself."""
    assert config().dropout == 0
    net, tokens = DecoderModel(config(dropout=0.3), rng()), ids(1, 6, vocab=V)
    rates = {m.dropout for m in net.modules() if isinstance(m, MultiHeadAttention | AddNorm)} | {net.decoder.dropout}
    assert rates == {0.3}
    assert torch.equal(net(tokens, generator=rng(1)).logits, net(tokens, generator=rng(1)).logits)
    assert not torch.equal(net(tokens, generator=rng(1)).logits, net(tokens, generator=rng(2)).logits)
    net.eval()
    assert torch.equal(net(tokens).logits, net(tokens).logits)


def test_bug_11_the_scale_was_a_tensor_made_at_every_call():
    """11: the root of d_k was a float32 tensor on the CPU, whatever the scores were; and there was no mask."""
    q, k, v = (rand(1, 2, 3, 5, seed=i) for i in range(3))
    mask, seen = masks.causal(3), Recorder()
    output, weights = scaled_dot_product_attention(q, k, v, mask, tap=seen)
    assert output.dtype == torch.float64
    close(seen["scaled"] * math.sqrt(5), seen["scores"])  # 5 has no exact root: in float32 this is off by 1e-8
    assert (weights[..., ~mask] == 0).all()
    assert scaled_dot_product_attention(*(x.to("meta") for x in (q, k, v)))[0].device.type == "meta"


def test_bug_12_odd_widths_pairs_mask_shapes_and_no_distribution():
    """12: odd d_model crashed; i counted one pair too many; a comment misstated the mask's shape; the encoder had no
    mask; nothing was ever a distribution over the vocabulary."""
    assert sinusoids(4, 7).shape == (4, 7)
    assert len(wavelengths(8)) == 4  # i = 0, 1, 2, 3
    assert masks.causal(5).shape == (5, 5)
    assert masks.padding(torch.tensor([2, 5]), 5).shape == (2, 1, 1, 5)
    net = model(EncoderModel, d_model=9)
    output = net(ids(2, 5, vocab=V), masks.padding(torch.tensor([2, 5]), 5))
    assert (output.attention.encoder[0][0, ..., 2:] == 0).all()
    close(output.logits.softmax(-1).sum(-1), torch.ones(2, 5, dtype=torch.float64))


# A model class


def test_bug_13_the_source_mask_was_not_handed_to_the_encoder():
    """13: the encoder was called with mask=None, and padding got into the memory."""
    net, src, tgt = model(), ids(2, 6, vocab=V), ids(2, 4, vocab=V)
    padded = net(src, tgt, masks.padding(torch.tensor([3, 6]), 6)).logits
    close(padded[:1], net(src[:1, :3], tgt[:1]).logits)
    assert (padded[0] - net(src, tgt).logits[0]).abs().max() > 1e-3


def test_bug_14_who_forgot_the_target_mask_leaked_the_future():
    """14: there was no causal mask unless the caller made one. Ours is there unless the caller asks it away."""
    for weights in model()(ids(1, 5, vocab=V), ids(1, 4, vocab=V)).attention.decoder:
        assert (weights.triu(1) == 0).all()
    for weights in model(DecoderModel)(ids(1, 5, vocab=V)).attention.decoder:
        assert (weights.triu(1) == 0).all()


def test_bug_15_token_vectors_drowned_the_positions():
    """15: N(0, 1) rows times sqrt(d_model) have rms sqrt(d_model), beside positions of 0.71: 32 to 1 at 512."""
    tokens = TokenEmbedding(500, 512, generator=rng())(torch.arange(500)).square().mean().sqrt().item()
    positions = sinusoids(500, 512).square().mean().sqrt().item()
    assert tokens / positions == pytest.approx(1.41, abs=0.03)
    drowned = nn.Embedding(500, 512)(torch.arange(500)).mul(512**0.5).square().mean().sqrt().item()
    assert drowned / positions == pytest.approx(32, rel=0.02)


def test_bug_16_embeddings_were_never_dropped():
    """16: a dropout was made and not called. Ours falls on the sum of token vectors and positions, as in the paper."""
    net = DecoderModel(config(dropout=0.5, n_decoder_layers=0, norm="post"), rng())
    seen = Recorder()
    net(ids(4, 9, vocab=V), tap=seen, generator=rng())
    assert 0.4 < (seen["decoder.out"] == 0).double().mean().item() < 0.6
    assert (seen["decoder.positioned"] != 0).all()


def test_bug_17_it_imported_what_was_not_there():
    """17: modules were imported that no document gave. Every public name of ours is there."""
    for name in transformer.__all__:
        assert getattr(transformer, name) is not None


def test_bug_18_no_weights_no_tying_no_initialisation():
    """18: the model returned no weights, tied no tables and left the first weights to chance."""
    net = Transformer(config(tie_source=True), rng())
    assert len(net(ids(1, 5, vocab=V), ids(1, 4, vocab=V)).attention.cross) == 2
    assert net.encoder.embedding.weight is net.decoder.embedding.weight
    assert net.output.linear is None
    w_1 = net.encoder.layers[0].feed_forward.w_1
    assert w_1.weight.var().item() == pytest.approx(2 / (12 + 48), rel=0.15)
    assert not w_1.bias.any()
    again = Transformer(config(tie_source=True), rng()).encoder.layers[0].feed_forward.w_1
    assert torch.equal(w_1.weight, again.weight)


# A tutorial's attention


def test_bug_19_heads_that_do_not_divide_scrambled_the_tokens():
    """19: without a check, view(batch, -1, ...) made 10 tokens out of 9 for d_model 10 in 3 heads, silently."""
    with pytest.raises(ValueError, match="d_model=10 cannot be split into 3 equal heads; try 9 or 12"):
        TransformerConfig(d_model=10, n_heads=3)
    with pytest.raises(ValueError, match="d_model=10 cannot be split into 3 equal heads"):
        MultiHeadAttention(10, 3)
    output, weights = MultiHeadAttention(9, 3, generator=rng())(rand(2, 9, 9, dtype=torch.float32))
    assert output.shape == (2, 9, 9)
    assert weights.shape == (2, 3, 9, 9)


def test_bug_20_a_mask_of_minus_a_billion():
    """20: -1e9 lets a fully blocked row attend evenly to what is blocked, and does not fit in half precision."""
    scores, blocked = rand(1, 3), torch.zeros(1, 3, dtype=torch.bool)
    assert scores.masked_fill(~blocked, -1e9).softmax(-1).tolist() == [pytest.approx([1 / 3] * 3)]
    with pytest.raises(RuntimeError):
        scores.half().masked_fill(~blocked, -1e9)
    for dtype in (torch.float64, torch.float32, torch.float16, torch.bfloat16):
        assert (masked_softmax(scores.to(dtype), blocked) == 0).all()
    # In half precision a score may be as large as 65504; what is blocked still weighs exactly nothing.
    huge = torch.tensor([[-6e4, 6e4]], dtype=torch.float16)
    assert masked_softmax(huge, torch.tensor([True, False])).tolist() == [[1, 0]]


def test_bug_21_attention_kept_its_weights_and_had_no_dropout():
    """21: weights were not returned, nothing was dropped, and the scale was a tensor per call (see 11)."""
    attn, x = MultiHeadAttention(12, 3, dropout=0.5, generator=rng()), rand(1, 5, 12, dtype=torch.float32)
    trained, weights = attn(x, generator=rng())
    assert weights.shape == (1, 3, 5, 5)
    assert not torch.allclose(trained, attn.eval()(x)[0])


# Another tutorial's layers


@pytest.mark.parametrize("d_model", [1, 3, 15])
def test_bug_23_odd_widths_crashed(d_model):
    """23: the cosines had one column too many. An odd width ends on a sine without its cosine."""
    table = sinusoids(10, d_model)
    assert table.shape == (10, d_model)
    close(table[:, -1], (torch.arange(10, dtype=torch.float64) / 10_000 ** ((d_model - 1) / d_model)).sin())
    assert model(EncoderModel, d_model=d_model, n_heads=1)(ids(1, 10, vocab=V)).logits.isfinite().all()


def test_bug_24_texts_longer_than_the_table():
    """24: they crashed, or with one row silently took it for every position, though any length was promised."""
    assert model(EncoderModel, max_len=1)(ids(1, 500, vocab=V)).logits.shape == (1, 500, V)
    for max_len in (1, 10):
        with pytest.raises(ValueError, match=f"the learned table has {max_len} positions, but the text needs 11"):
            LearnedPositions(max_len, 12, rng()).add(rand(1, 11, 12))


def test_bug_25_the_table_was_saved_and_fixed_the_length():
    """25: a checkpoint held the table, and would not load into a model of another length."""
    short, long = model(EncoderModel), model(EncoderModel)
    long(ids(1, 300, vocab=V))
    assert short.state_dict().keys() == long.state_dict().keys()
    assert not any("positions" in name for name in short.state_dict())
    short.load_state_dict(long.state_dict())


def test_bug_26_an_encoder_layer_threw_its_weights_away():
    """26: the layer returned the stream alone."""
    x, weights = shaken(EncoderLayer(config(), rng()))(rand(2, 5, 12))
    assert x.shape == (2, 5, 12)
    assert weights.shape == (2, 3, 5, 5)


def test_bug_27_a_layer_had_no_dropout():
    """27: nothing was dropped. The paper drops the output of every sublayer, and ours the weights as well."""
    layer, x = EncoderLayer(config(dropout=0.5), rng()), rand(1, 5, 12, dtype=torch.float32)
    with torch.no_grad():
        for p in layer.self_attn.parameters():
            p.zero_()  # so that attention says nothing, and what is left is the update of the feed-forward
    seen = Recorder()
    layer(x, ctx=Context(seen, generator=rng()))
    change = seen["residual_out"] - seen["residual_mid"]
    kept = change.abs() > 1e-6
    assert 0.2 < kept.double().mean().item() < 0.8
    torch.testing.assert_close(change[kept], 2 * seen["feed_forward.out"][kept], rtol=1e-3, atol=1e-5)


def test_bug_28_attention_could_not_cross():
    """28: it took one stream, so that the cross-attention it described could not be built from it."""
    attn, x, memory = shaken(MultiHeadAttention(12, 3, generator=rng())), rand(1, 4, 12), rand(1, 7, 12, seed=1)
    assert attn(x, memory)[1].shape == (1, 3, 4, 7)
    close(attn(x, x)[0], attn(x)[0])


def test_bug_29_a_fully_blocked_row_was_nan():
    """29: softmax over nothing but -inf. Ours is a row of zeros, and its gradient is 0 too."""
    scores, mask = rand(2, 3).requires_grad_(), torch.tensor([[True, False, True], [False] * 3])
    assert scores.masked_fill(~mask, -math.inf).softmax(-1)[1].isnan().all()
    weights = masked_softmax(scores, mask)
    assert weights[1].tolist() == [0, 0, 0]
    weights[:, 0].sum().backward()
    assert scores.grad.isfinite().all()
    assert scores.grad[1].tolist() == [0, 0, 0]


def test_bug_30_no_embedding_and_no_factor():
    """30: one document had neither token vectors nor the factor sqrt(d_model), another had both."""
    net, tokens, seen = model(EncoderModel), ids(1, 5, vocab=V), Recorder()
    net(tokens, tap=seen)
    close(seen["encoder.embedded"], net.encoder.embedding.weight[tokens] * math.sqrt(12))
    plain = model(EncoderModel, scale_embeddings=False)
    plain(tokens, tap=seen)
    close(seen["encoder.embedded"], plain.encoder.embedding.weight[tokens])


@pytest.mark.parametrize("shape", [(4,), (4, 4), (3, 4, 4), (2, 1, 1, 4), (2, 1, 4, 4), (2, 3, 4, 4), (2, 3, 4, 1)])
def test_bug_31_nobody_said_what_shape_a_mask_has(shape):
    """31: ours broadcasts to (B, H, T, S), and True means "may attend"."""
    mask = torch.rand(shape, generator=rng()) < 0.6
    weights = shaken(MultiHeadAttention(12, 3, generator=rng()))(rand(2, 4, 12), mask=mask)[1]
    assert torch.equal(weights > 0, mask.expand(2, 3, 4, 4))


# Prose


def test_bug_32_a_decoder_layer_has_three_sublayers():
    """32: "two sub-layers" was said of both stacks. An encoder layer has two, a decoder layer three."""

    def sublayers(layer):
        return [name for name, module in layer.named_children() if not isinstance(module, AddNorm)]

    encoder, decoder = EncoderLayer(config(), rng()), DecoderLayer(config(), rng())
    assert sublayers(encoder) == ["self_attn", "feed_forward"]
    assert sublayers(decoder) == ["self_attn", "cross_attn", "feed_forward"]
    for layer in (encoder, decoder):
        assert sum(isinstance(module, AddNorm) for module in layer.children()) == len(sublayers(layer))


def test_bug_33_i_counts_pairs_and_not_dimensions():
    """33: "i is the dimension". It is the number of a pair: dimensions 2i and 2i + 1 share wavelength i."""
    table, lengths = sinusoids(200, 8), wavelengths(8)
    assert len(lengths) == 4
    pos = torch.arange(200, dtype=torch.float64)
    for i in range(4):
        close(table[:, 2 * i], (2 * math.pi * pos / lengths[i]).sin())
        close(table[:, 2 * i + 1], (2 * math.pi * pos / lengths[i]).cos())
        close(table[:, 2 * i] ** 2 + table[:, 2 * i + 1] ** 2, torch.ones(200, dtype=torch.float64))


def test_bug_34_attention_is_not_linear():
    """34: "inherently linear". It is linear in V as long as the weights are held, and not linear in its input."""
    q, k, a, b = (rand(1, 5, 4, seed=i) for i in range(4))

    def of(v):
        return scaled_dot_product_attention(q, k, v)[0]

    close(of(2 * a - 3 * b), 2 * of(a) - 3 * of(b))
    attn, x, y = shaken(MultiHeadAttention(12, 3, bias=False, generator=rng())), rand(1, 5, 12), rand(1, 5, 12, seed=1)
    assert (attn(2 * x)[0] - 2 * attn(x)[0]).abs().max() > 0.1
    assert (attn(x + y)[0] - attn(x)[0] - attn(y)[0]).abs().max() > 0.1
    held = patch("weights", attn(x)[1])
    close(attn(x + y, tap=held)[0], attn(x, tap=held)[0] + attn(y, tap=held)[0])


@pytest.mark.slow
def test_bug_35_without_positions_two_orders_are_not_identical():
    """35: "the cat sat on the mat" and "the mat sat on the cat" were "treated identically". Each word's vector moves
    with the word, and only what is pooled over all of them is identical."""
    net = model(EncoderModel, positions="none")
    the, cat, sat, on, mat = range(5)
    one = net(torch.tensor([[the, cat, sat, on, the, mat]])).logits[0]
    two = net(torch.tensor([[the, mat, sat, on, the, cat]])).logits[0]
    assert (one - two).abs().max() > 1e-2  # not identical
    close(one[[0, 5, 2, 3, 4, 1]], two)  # but the same words with the same vectors
    close(one.mean(0), two.mean(0))


def test_bug_36_all_previous_positions_and_its_own():
    """36: "all previous positions" leaves out the token itself, and the first would have nothing to look at."""
    assert masks.causal(5).diagonal().all()
    weights = model(DecoderModel)(ids(1, 5, vocab=V)).attention.decoder[0]
    assert (weights[0, :, 0] == torch.tensor([1.0, 0, 0, 0, 0])).all()
    assert (weights.diagonal(dim1=-2, dim2=-1) > 0).all()


def test_bug_37_e_is_not_the_embedding_matrix():
    """37: E, the vectors of a text, was called the embedding matrix, which is W_e. E = X W_e, X one-hot."""
    W_e, tokens = shaken(TokenEmbedding(V, 12, scaled=False, generator=rng())), ids(2, 5, vocab=V)
    X, E = W_e.one_hot(tokens), W_e(tokens)
    assert (W_e.weight.shape, X.shape, E.shape) == ((V, 12), (2, 5, V), (2, 5, 12))
    close(E, X @ W_e.weight)


def test_bug_38_not_every_output_is_connected_to_every_input():
    """38: only where no mask is. Under a causal mask a token depends on itself and on what came before it."""
    for kind, expected in ((EncoderModel, torch.ones(5, 5)), (DecoderModel, torch.ones(5, 5).tril())):
        net, reach = model(kind), torch.zeros(5, 5)
        stack = "encoder" if kind is EncoderModel else "decoder"
        x = rand(1, 5, 12).requires_grad_()
        logits = net(ids(1, 5, vocab=V), tap=patch(f"{stack}.positioned", x)).logits
        for t in range(5):
            (gradient,) = torch.autograd.grad(logits[0, t].square().sum(), x, retain_graph=True)
            reach[t] = gradient[0].any(-1)
        assert torch.equal(reach, expected)


def test_bug_39_deep_stacks_of_gpt_are_pre_norm():
    """39: the post-norm formula was credited with the depth of GPT-3, which is pre-norm: there the stream is the sum
    of all updates, and the gradient has a path to the bottom that no norm touches."""
    for norm in ("pre", "post"):
        seen = Recorder()
        model(DecoderModel, norm=norm, n_decoder_layers=4)(ids(1, 5, vocab=V), tap=seen)
        updates = sum(seen[f"decoder.{i}.{name}.out"] for i in range(4) for name in ("self_attn", "feed_forward"))
        same = torch.allclose(seen["decoder.3.residual_out"], seen["decoder.positioned"] + updates, atol=1e-10)
        assert same is (norm == "pre")
    assert config().norm == "pre"


def test_bug_40_the_similarity_of_positions_does_not_just_fall():
    """40: "closer positions are more similar". It falls at first, and then goes up and down."""
    table = sinusoids(200, 64)
    rises = (table @ table[0]).diff() > 0
    assert rises.nonzero()[0].item() + 1 == 6
    assert rises.sum().item() == 82
    assert not rises[:5].any()


def test_bug_41_a_head_has_no_part_to_play_by_its_number():
    """41: "one head syntactic, one semantic" is an illustration. Heads may be renumbered and nothing changes."""
    attn = shaken(MultiHeadAttention(12, 3, generator=rng()))
    other, order = shaken(MultiHeadAttention(12, 3, generator=rng())), [2, 0, 1]
    rows = torch.arange(12).view(3, 4)[order].flatten()
    with torch.no_grad():
        for name in ("w_q", "w_k", "w_v"):
            getattr(other, name).weight.copy_(getattr(attn, name).weight[rows])
            getattr(other, name).bias.copy_(getattr(attn, name).bias[rows])
        other.w_o.weight.copy_(attn.w_o.weight[:, rows])
    x = rand(2, 5, 12)
    close(other(x)[0], attn(x)[0])
    close(other(x)[1], attn(x)[1][:, order])
