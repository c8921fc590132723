import math

import pytest
import torch
import torch.nn.functional as F
from hypothesis import given
from hypothesis import strategies as st

from tests.transformer.oracles import DTYPES, MASKS, close, mask_pair, quick, rand, rng, shaken, torch_attention
from transformer.core import masks
from transformer.core.attention import (
    MultiHeadAttention,
    masked_softmax,
    merge_heads,
    scaled_dot_product_attention,
    split_heads,
)
from transformer.core.positions import AlibiPositions, RelativePositions
from transformer.core.taps import Recorder, patch

# d_model, heads, B, T, S: odd widths, one head, one sentence, one query, and T != S among them.
SHAPES = [(16, 4, 3, 5, 5), (15, 3, 2, 4, 7), (8, 1, 1, 3, 5), (14, 2, 1, 1, 4), (9, 9, 2, 6, 6)]


# masked_softmax


@st.composite
def scores_and_mask(draw):
    shape = draw(st.tuples(st.integers(1, 3), st.integers(1, 3), st.integers(1, 5), st.integers(1, 6)))
    generator = rng(draw(st.integers(0, 2**31)))
    scores = torch.randn(shape, generator=generator, dtype=torch.float64) * draw(st.sampled_from([0.1, 3.0, 300.0]))
    mask = torch.rand(shape, generator=generator) < draw(st.sampled_from([0.0, 0.3, 0.7, 1.0]))
    return scores, mask


@quick
@given(scores_and_mask())
def test_each_row_is_the_softmax_of_its_allowed_cells(given):
    scores, mask = given
    weights = masked_softmax(scores, mask)
    for row, allowed, w in zip(scores.flatten(0, -2), mask.flatten(0, -2), weights.flatten(0, -2), strict=True):
        assert (w[~allowed] == 0).all()
        close(w[allowed], row[allowed].softmax(-1))
        assert w.sum().item() == pytest.approx(1.0 if allowed.any() else 0.0, abs=1e-12)


@quick
@given(scores_and_mask(), st.floats(-50, 50))
def test_softmax_ignores_a_shift(given, shift):
    scores, mask = given
    torch.testing.assert_close(masked_softmax(scores + shift, mask), masked_softmax(scores, mask), rtol=0, atol=1e-9)


@quick
@given(scores_and_mask())
def test_gradients_are_finite_and_zero_where_blocked(given):
    scores, mask = given
    scores.requires_grad_()
    (masked_softmax(scores, mask) * rand(*scores.shape, seed=1)).sum().backward()
    assert scores.grad.isfinite().all()
    assert (scores.grad[~mask] == 0).all()


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32, torch.float64])
def test_blocked_cells_and_rows_are_exactly_zero_in_every_precision(dtype):
    scores = (rand(2, 5, 7) * 30).to(dtype).requires_grad_()
    mask = torch.rand(2, 5, 7, generator=rng()) < 0.5
    mask[0, 2] = False
    weights = masked_softmax(scores, mask)
    weights.square().sum().backward()
    assert weights.dtype == dtype
    assert (weights[~mask] == 0).all()
    assert weights.isfinite().all()
    assert scores.grad.isfinite().all()
    torch.testing.assert_close(weights.sum(-1), mask.any(-1).to(dtype), rtol=0, atol=1e-2)


@pytest.mark.parametrize("rubbish", [math.inf, -math.inf, math.nan])
def test_what_stands_in_a_blocked_cell_does_not_matter(rubbish):
    mask = masks.causal(3, 4)
    mask[1] = False  # and one query has nothing at all to look at
    clean = rand(3, 4).requires_grad_()
    dirty = clean.detach().masked_fill(~mask, rubbish).requires_grad_()
    for scores in (clean, dirty):
        masked_softmax(scores, mask).square().sum().backward()
    assert torch.equal(masked_softmax(dirty, mask), masked_softmax(clean, mask))
    assert dirty.grad is not None
    assert clean.grad is not None
    assert torch.equal(dirty.grad, clean.grad)


@pytest.mark.filterwarnings("ignore:Anomaly Detection")
def test_there_is_no_nan_on_the_way_back_either():
    # Not even one that is covered up later: torch's search for NaN gradients stays of use.
    scores = rand(2, 3).requires_grad_()
    with torch.autograd.detect_anomaly():
        masked_softmax(scores, torch.tensor([[True, False, True], [False] * 3])).square().sum().backward()
    assert scores.grad[1].tolist() == [0, 0, 0]


def test_logarithms_of_whole_numbers_give_exact_fractions():
    scores = torch.tensor([[1.0, 2.0, 3.0, 4.0]], dtype=torch.float64).log()
    close(masked_softmax(scores), torch.tensor([[0.1, 0.2, 0.3, 0.4]], dtype=torch.float64))
    mask = torch.tensor([True, False, True, False])  # a mask of the keys alone broadcasts
    close(masked_softmax(scores, mask), torch.tensor([[0.25, 0.0, 0.75, 0.0]], dtype=torch.float64))


def test_huge_scores_stay_finite():
    weights = masked_softmax(torch.tensor([[1e30, -1e30, 1e30]]), torch.tensor([True, True, False]))
    assert weights.tolist() == [[1.0, 0.0, 0.0]]


def test_a_mask_that_is_not_boolean_is_refused():
    for mask in (torch.ones(2, 2), torch.ones(2, 2, dtype=torch.long), torch.zeros(2, 2)):
        with pytest.raises(TypeError, match="a mask is boolean, True = may attend"):
            masked_softmax(rand(2, 2), mask)


# scaled_dot_product_attention


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("kind", MASKS)
@pytest.mark.parametrize("d_k", [1, 3, 8])
def test_equals_torch_function(dtype, kind, d_k):
    B, H, T, S = 2, 3, 4, 6
    q, k, v = (rand(B, H, n, d, seed=i, dtype=dtype) for i, (n, d) in enumerate([(T, d_k), (S, d_k), (S, 5)]))
    mask = mask_pair(kind, B, T, S)[0]
    output, weights = scaled_dot_product_attention(q, k, v, mask)
    close(output, F.scaled_dot_product_attention(q, k, v, attn_mask=mask))
    close(weights @ v, output)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("scaled", [True, False])
def test_bias_is_added_after_the_scaling(dtype, scaled):
    q, k, v, bias = (rand(2, 3, 4, 4, seed=i, dtype=dtype) for i in range(4))
    output, _ = scaled_dot_product_attention(q, k, v, bias=bias, scaled=scaled)
    close(output, F.scaled_dot_product_attention(q, k, v, attn_mask=bias, scale=0.5 if scaled else 1.0))


def test_the_example_of_three_tokens_by_hand():
    # With d_k = 4 the scale is 2; keys are chosen so that the scaled scores are logs of whole numbers.
    q = torch.tensor([[2.0, 0, 0, 0]], dtype=torch.float64)
    k = torch.zeros(3, 4, dtype=torch.float64)
    k[:, 0] = torch.tensor([1.0, 2.0, 5.0], dtype=torch.float64).log()
    v = torch.tensor([[8.0, 0], [0, 8], [8, 8]], dtype=torch.float64)
    output, weights = scaled_dot_product_attention(q, k, v)
    close(weights, torch.tensor([[1, 2, 5]], dtype=torch.float64) / 8)
    close(output, torch.tensor([[6.0, 7.0]], dtype=torch.float64))


def test_a_query_with_nothing_to_look_at_gets_zero():
    q, k, v = (rand(1, 3, 4, seed=i).requires_grad_() for i in range(3))
    mask = torch.ones(3, 3, dtype=torch.bool)
    mask[1] = False
    output, weights = scaled_dot_product_attention(q, k, v, mask)
    assert (weights[0, 1] == 0).all()
    assert (output[0, 1] == 0).all()
    output.sum().backward()
    assert all(x.grad.isfinite().all() for x in (q, k, v))
    assert (q.grad[0, 1] == 0).all()


def test_the_steps_can_be_followed_one_by_one():
    q, k, v, bias = (rand(1, 2, 3, 3, seed=i) for i in range(4))
    seen = Recorder()
    output, weights = scaled_dot_product_attention(q, k, v, masks.causal(3), bias=bias, tap=seen)
    assert list(seen) == ["scores", "scaled", "biased", "weights"]
    close(seen["scores"][0, 1, 2, 0], torch.stack([q[0, 1, 2, d] * k[0, 1, 0, d] for d in range(3)]).sum())
    close(seen["scaled"], seen["scores"] / 3**0.5)
    close(seen["biased"], seen["scaled"] + bias)
    assert torch.equal(seen["weights"], masked_softmax(seen["biased"], masks.causal(3)))
    assert torch.equal(seen["weights"], weights)
    assert torch.equal(weights @ v, output)


def test_without_a_bias_nothing_is_called_biased():
    seen = Recorder()
    scaled_dot_product_attention(*(rand(1, 2, 2, seed=i) for i in range(3)), tap=seen)
    assert list(seen) == ["scores", "scaled", "weights"]


def test_scores_of_random_vectors_have_variance_d_k_and_one_after_the_scaling():
    q, k, v = (rand(1, 1000, 256, seed=i) for i in range(3))
    seen = Recorder()
    scaled_dot_product_attention(q, k, v, tap=seen)
    assert seen["scores"].var().item() == pytest.approx(256, rel=0.03)
    assert seen["scaled"].var().item() == pytest.approx(1, rel=0.03)


# MultiHeadAttention


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("kind", MASKS)
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("stream", ["self", "cross"])
def test_equals_torch_multihead_attention_head_by_head(dtype, kind, shape, stream):
    d_model, n_heads, B, T, S = shape
    S = T if stream == "self" else S
    ours = shaken(MultiHeadAttention(d_model, n_heads, generator=rng()), dtype)
    x = rand(B, T, d_model, seed=1, dtype=dtype)
    memory = x if stream == "self" else rand(B, S, d_model, seed=2, dtype=dtype)
    mask, attn, pads = mask_pair(kind, B, T, S)
    output, weights = ours(x, None if stream == "self" else memory, mask)
    expected = torch_attention(ours)(
        x, memory, memory, attn_mask=attn, key_padding_mask=pads, average_attn_weights=False
    )
    assert weights.shape == (B, n_heads, T, S)
    close(output, expected[0])
    close(weights, expected[1])


def test_equals_torch_multihead_attention_without_bias_terms():
    ours = shaken(MultiHeadAttention(12, 3, bias=False, generator=rng()))
    assert {name for name, _ in ours.named_parameters()} == {f"w_{m}.weight" for m in "qkvo"}
    x = rand(2, 5, 12)
    output, weights = ours(x)
    expected = torch_attention(ours)(x, x, x, average_attn_weights=False)
    close(output, expected[0])
    close(weights, expected[1])


def test_torch_reads_a_mask_the_other_way_round():
    # The trap that the copied-weights tests step around: for nn.MultiheadAttention True means blocked.
    ours = shaken(MultiHeadAttention(8, 2, generator=rng()))
    x, mask = rand(1, 4, 8), masks.causal(4)
    theirs = torch_attention(ours)
    close(ours(x, mask=mask)[0], theirs(x, x, x, attn_mask=~mask)[0])
    assert (ours(x, mask=mask)[0][:, 0] - theirs(x, x, x, attn_mask=mask)[0][:, 0]).abs().max() > 0.01


@pytest.mark.parametrize("n_kv_heads", [1, 2, 3, 6])
@pytest.mark.parametrize("kind", ["none", "causal+padding"])
def test_grouped_query_equals_torch_function(n_kv_heads, kind):
    B, T, S, D, H = 2, 4, 5, 18, 6
    ours = shaken(MultiHeadAttention(D, H, n_kv_heads, generator=rng()))
    x, memory = rand(B, T, D, seed=1), rand(B, S, D, seed=2)
    mask = mask_pair(kind, B, T, S)[0]
    q, k, v = (
        split_heads(m(y), n)
        for m, y, n in ((ours.w_q, x, H), (ours.w_k, memory, n_kv_heads), (ours.w_v, memory, n_kv_heads))
    )
    heads = F.scaled_dot_product_attention(q, k, v, attn_mask=mask, enable_gqa=True)
    close(ours(x, memory, mask)[0], ours.w_o(heads.transpose(1, 2).flatten(2)))


@pytest.mark.parametrize("n_kv_heads", [1, 2])
def test_grouped_query_equals_full_attention_with_repeated_heads(n_kv_heads):
    D, H, d_k = 16, 4, 4
    few = shaken(MultiHeadAttention(D, H, n_kv_heads, generator=rng()))
    full = shaken(MultiHeadAttention(D, H, generator=rng()))
    assert few.w_k.weight.shape == few.w_v.weight.shape == (n_kv_heads * d_k, D)
    state = few.state_dict()
    for name in ("w_k.weight", "w_k.bias", "w_v.weight", "w_v.bias"):
        # Head h of the full module gets the rows of key/value head h // (H / Hkv).
        rows = [state[name].unflatten(0, (n_kv_heads, d_k))[h // (H // n_kv_heads)] for h in range(H)]
        state[name] = torch.cat(rows)
    full.load_state_dict(state)
    x = rand(2, 5, D, seed=3)
    few_seen, full_seen = Recorder(), Recorder()
    (a, wa), (b, wb) = few(x, tap=few_seen), full(x, tap=full_seen)
    close(a, b)
    close(wa, wb)
    assert few_seen["k"].shape == (2, n_kv_heads, 5, d_k)
    assert full_seen["k"].shape == (2, H, 5, d_k)


def test_heads_are_stripes_of_the_projections_and_their_sum_is_the_output():
    D, H, d_k = 15, 3, 5
    attn = shaken(MultiHeadAttention(D, H, generator=rng()))
    x, mask = rand(2, 4, D), masks.causal(4)
    total = attn.w_o.bias.expand(2, 4, D)
    for h in range(H):
        stripe = slice(h * d_k, (h + 1) * d_k)
        q, k, v = (F.linear(x, m.weight[stripe], m.bias[stripe]) for m in (attn.w_q, attn.w_k, attn.w_v))
        head, weights = scaled_dot_product_attention(q, k, v, mask)
        close(weights, attn(x, mask=mask)[1][:, h])
        total = total + head @ attn.w_o.weight[:, stripe].T
    close(attn(x, mask=mask)[0], total)


@quick
@given(B=st.integers(1, 3), T=st.integers(1, 5), H=st.integers(1, 4), d_k=st.integers(1, 4))
def test_splitting_into_heads_keeps_every_feature_in_its_token(B, T, H, d_k):
    x = torch.arange(B * T * H * d_k).view(B, T, H * d_k)
    heads = split_heads(x, H)
    assert heads.shape == (B, H, T, d_k)
    for h in range(H):
        assert torch.equal(heads[:, h], x[:, :, h * d_k : (h + 1) * d_k])
    assert torch.equal(merge_heads(heads), x)


def test_queries_come_from_x_and_keys_and_values_from_memory():
    attn = shaken(MultiHeadAttention(8, 2, generator=rng()))
    x, memory = rand(1, 3, 8, seed=1), rand(1, 5, 8, seed=2)
    seen = Recorder()
    attn(x, memory, tap=seen)
    assert torch.equal(merge_heads(seen["q"]), attn.w_q(x))
    assert torch.equal(merge_heads(seen["k"]), attn.w_k(memory))
    assert torch.equal(merge_heads(seen["v"]), attn.w_v(memory))


@pytest.mark.parametrize("scheme", ["alibi", "relative"])
def test_a_bias_of_positions_meets_the_scaled_scores(scheme):
    positions = AlibiPositions(2) if scheme == "alibi" else RelativePositions(2, generator=rng())
    positions = positions.double()
    attn = shaken(MultiHeadAttention(8, 2, generator=rng()))
    x, seen = rand(2, 6, 8), Recorder()
    output, weights = attn(x, mask=masks.causal(6), positions=positions, tap=seen)
    q, k, v = seen["q"], seen["k"], seen["v"]
    bias = positions.bias(6, 6).masked_fill(~masks.causal(6), -math.inf).expand(2, -1, -1, -1)
    heads = F.scaled_dot_product_attention(q, k, v, attn_mask=bias)
    close(output, attn.w_o(heads.transpose(1, 2).flatten(2)))
    assert not torch.allclose(weights, attn(x, mask=masks.causal(6))[1])


def test_a_mask_may_say_something_else_for_every_head():
    attn = shaken(MultiHeadAttention(8, 2, generator=rng()))
    mask = torch.stack([masks.causal(5), masks.sliding_window(5, 2)])  # (H, T, S)
    weights = attn(rand(3, 5, 8), mask=mask)[1]
    assert torch.equal(weights != 0, mask.expand(3, 2, 5, 5))


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_half_precision(dtype):
    attn = shaken(MultiHeadAttention(16, 4, 2, generator=rng()), dtype)
    mask = masks.causal(6) & masks.padding(torch.tensor([4, 6]), 6)
    output, weights = attn(rand(2, 6, 16, dtype=dtype), mask=mask)
    assert output.dtype == weights.dtype == dtype
    assert output.isfinite().all()
    assert (weights[~mask.expand_as(weights)] == 0).all()
    torch.testing.assert_close(weights.float().sum(-1), torch.ones(2, 4, 6), rtol=0, atol=2e-2)


def test_dropout_falls_on_the_weights_after_they_are_returned():
    attn = MultiHeadAttention(16, 4, dropout=0.5, generator=rng())
    x, seen = rand(2, 6, 16, dtype=torch.float32), Recorder()
    assert attn.training
    output, weights = attn(x, tap=seen, generator=rng(1))
    torch.testing.assert_close(weights.sum(-1), torch.ones(2, 4, 6))
    assert torch.equal(weights, attn.eval()(x)[1])
    assert torch.equal(weights, seen["weights"])
    assert not torch.allclose(output, attn(x)[0])


def test_dropout_removes_weights_and_doubles_the_rest():
    # With the identity as values, the output is the weights as they were used.
    q, k, v = rand(1, 40, 4, seed=1), rand(1, 50, 4, seed=2), torch.eye(50, dtype=torch.float64)[None]
    used, weights = scaled_dot_product_attention(q, k, v, dropout_p=0.5, generator=rng())
    kept = used != 0
    close(used[kept], 2 * weights[kept])
    assert kept.double().mean().item() == pytest.approx(0.5, abs=0.05)


def test_eval_is_deterministic_and_ignores_the_generator():
    attn = MultiHeadAttention(16, 4, dropout=0.5, generator=rng()).eval()
    x, generator = rand(2, 6, 16, dtype=torch.float32), rng(5)
    before = generator.get_state()
    assert torch.equal(attn(x, generator=generator)[0], attn(x)[0])
    assert torch.equal(generator.get_state(), before)


def test_frozen_weights_make_attention_linear():
    attn = shaken(MultiHeadAttention(8, 2, bias=False, generator=rng()))
    a, b = rand(1, 4, 8, seed=1), rand(1, 4, 8, seed=2)
    frozen = patch("weights", attn(a)[1])
    close(attn(2 * a + 3 * b, tap=frozen)[0], 2 * attn(a, tap=frozen)[0] + 3 * attn(b, tap=frozen)[0])
    assert not torch.allclose(attn(2 * a + 3 * b)[0], 2 * attn(a)[0] + 3 * attn(b)[0], atol=1e-3)


def test_impossible_splits_are_sentences():
    with pytest.raises(ValueError, match="d_model=10 cannot be split into 3 equal heads"):
        MultiHeadAttention(10, 3)
    with pytest.raises(ValueError, match="4 heads cannot share 3 key/value heads equally"):
        MultiHeadAttention(8, 4, 3)


def test_nothing_is_left_behind_on_the_module():
    attn = MultiHeadAttention(8, 2, generator=rng())
    before = {name: set(vars(module)) for name, module in attn.named_modules()}
    attn(rand(1, 3, 8, dtype=torch.float32), tap=Recorder())
    assert {name: set(vars(module)) for name, module in attn.named_modules()} == before
