"""Masks against what is known without them: numpy's triangles, torch's attention, paths walked, plain sums."""

from typing import Any, TypeVar

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import nn

from transformer.core.attention import masked_softmax
from transformer.core.config import TransformerConfig
from transformer.core.masks import causal, sliding_window
from transformer.core.model import DecoderModel, EncoderModel, Output, Transformer
from transformer.inspection import masks
from transformer.inspection.run import AttentionMap

PAD = 60
M = TypeVar("M", bound=nn.Module)
MaskedText = tuple[np.ndarray, list[int]]  # a mask (T, T), ids (T,)


def config(**more: Any) -> TransformerConfig:
    sizes: dict[str, Any] = {
        "vocab_size": 61,
        "d_model": 16,
        "n_heads": 2,
        "n_encoder_layers": 2,
        "n_decoder_layers": 3,
    }
    return TransformerConfig(**{**sizes, **more})


def build(kind: type[M], **more: Any) -> M:
    return kind(config(**more), torch.Generator().manual_seed(3)).eval()


def all_open(T: int) -> np.ndarray:
    return np.ones((T, T), bool)


DECODER = build(DecoderModel)
ENCODER = build(EncoderModel)
BOTH = build(Transformer)


@st.composite
def masked_texts(draw: st.DrawFn, max_tokens: int = 9) -> MaskedText:
    T = draw(st.integers(1, max_tokens))
    cells = draw(st.lists(st.booleans(), min_size=T * T, max_size=T * T))
    ids = draw(st.lists(st.integers(0, PAD - 1), min_size=T, max_size=T))
    return np.array(cells).reshape(T, T), ids


def test_the_causal_mask_is_the_well_known_subsequent_mask() -> None:
    upper = np.triu(np.ones((1, 6, 6)), k=1).astype("uint8")
    assert np.array_equal(causal(6).numpy(), (upper == 0)[0])


# ---- scores, masked scores, weights ----------------------------------------------------------------------------


@given(masked_texts())
def test_blocked_cells_weigh_exactly_nothing_and_the_rest_is_softmax(case: MaskedText) -> None:
    mask, ids = case
    result = masks.stages(ENCODER, ids, mask, head=1)
    assert np.all(result.weights[~mask] == 0)
    assert np.all(np.isneginf(result.masked[~mask]))
    assert np.array_equal(result.masked[mask], result.scores[mask])
    exp = np.where(mask, np.exp(result.scores.astype("f8")), 0)
    total = exp.sum(1, keepdims=True)
    assert np.allclose(result.weights, np.divide(exp, total, out=np.zeros_like(exp), where=total > 0), atol=1e-6)


def test_scores_do_not_depend_on_the_mask() -> None:
    ids = [1, 2, 3, 4]
    one, other = (masks.stages(ENCODER, ids, mask) for mask in (all_open(4), causal(4).numpy()))
    assert np.array_equal(one.scores, other.scores)
    assert not np.array_equal(one.weights, other.weights)


def test_the_mask_holds_in_every_layer_and_a_higher_one_reads_what_it_let_through() -> None:
    ids, model = [5, 6, 7, 8], DECODER
    own = causal(4).numpy()
    with torch.inference_mode():
        output = model(torch.tensor([ids]))
    as_is = masks.stages(model, ids, own, head=1, layer=1)
    assert np.allclose(as_is.weights, output.attention.decoder[1][0, 1].numpy(), atol=1e-6), (
        "its own mask changes nothing"
    )
    opened = masks.stages(model, ids, all_open(4), head=1, layer=1)
    assert not np.allclose(opened.scores, as_is.scores), "the layer below is open, too"
    assert np.all(opened.weights > 0)
    lowest = [masks.stages(model, ids, mask, head=1, layer=0).scores for mask in (own, all_open(4))]
    assert np.array_equal(lowest[0], lowest[1]), "below the first layer there is no mask"
    assert not np.allclose(lowest[0], as_is.scores)


def test_the_first_row_of_a_causal_mask_is_one_and_zeros() -> None:
    weights = masks.stages(ENCODER, [5, 6, 7, 8], causal(4).numpy()).weights
    assert weights[0].tolist() == [1, 0, 0, 0]
    assert np.all(np.diagonal(weights) > 0)


def test_torchs_own_attention_wants_the_mask_upside_down() -> None:
    torch.manual_seed(0)
    theirs = nn.MultiheadAttention(8, 1, batch_first=True).eval()
    x, mask = torch.randn(1, 5, 8), causal(5)
    with torch.inference_mode():
        _, weights = theirs(x, x, x, attn_mask=~mask)
        past = mask & ~torch.eye(5, dtype=torch.bool)
        _, wrong = theirs(x, x, x, attn_mask=past)
    assert torch.all(weights[0][~mask] == 0)
    assert torch.all(weights[0][mask] > 0)
    assert torch.all(wrong[0][past] == 0), "handed over as it is, it blocks what it should open"
    q, k, _ = (x @ theirs.in_proj_weight.T + theirs.in_proj_bias).chunk(3, dim=-1)
    assert torch.allclose(masked_softmax(q @ k.mT / 8**0.5, mask), weights, atol=1e-6)


# ---- who hears of whom -----------------------------------------------------------------------------------------


def paths(mask: np.ndarray, key: int, n: int) -> set[int]:
    """The queries that `key` reaches in n steps, walked one by one."""
    reached = {key}
    for _ in range(n):
        reached |= {query for query in range(len(mask)) for known in reached if mask[query, known]}
    return reached


@given(masked_texts(), st.integers(0, 6))
def test_reach_is_what_walking_finds(case: MaskedText, n: int) -> None:
    mask, _ = case
    reach = masks.reach(mask, n)
    for key in range(len(mask)):
        assert set(np.flatnonzero(reach[:, key])) == paths(mask, key, n)


@given(masked_texts())
def test_layers_needed_is_the_first_reach(case: MaskedText) -> None:
    mask, _ = case
    needed = masks.layers_needed(mask)
    for n in range(len(mask) + 1):
        assert np.array_equal((needed >= 0) & (needed <= n), masks.reach(mask, n))
    assert np.array_equal(needed == masks.NEVER, ~masks.reach(mask, len(mask) + 3))


@given(st.data())
def test_through_layers_with_masks_of_their_own_news_goes_layer_by_layer(data: st.DataObject) -> None:
    L, T = data.draw(st.integers(1, 4)), data.draw(st.integers(1, 6))
    cells = data.draw(st.lists(st.booleans(), min_size=L * T * T, max_size=L * T * T))
    each = np.array(cells).reshape(L, T, T)
    needed = masks.layers_needed(each)
    for key in range(T):
        reached = {key}
        for n, mask in enumerate(each, 1):
            reached |= {query for query in range(T) for known in reached if mask[query, known]}
            assert set(np.flatnonzero(masks.reach(each, n)[:, key])) == reached
            assert set(np.flatnonzero((needed[:, key] >= 0) & (needed[:, key] <= n))) == reached


@pytest.mark.parametrize(("layers", "far"), [(None, (2, 4, 6)), ((0, 2), (2, 11, 11)), ((0, 1), (2, 4, 11))])
def test_windows_by_layer_let_news_through_as_the_model_does(
    layers: tuple[int, ...] | None, far: tuple[int, ...]
) -> None:
    T, model = 12, build(DecoderModel, window=3, window_layers=layers)
    full = np.tri(T, dtype=bool)
    near = full & ~np.tri(T, k=-3, dtype=bool)  # painted by hand: a token and two before it
    each = np.stack([near if layers is None or n in layers else full for n in range(3)])
    assert tuple(masks.farthest(masks.reach(each, n)) for n in (1, 2, 3)) == far
    assert masks.farthest(near) == 2, "no map of a layer with the window shows more"
    ids = list(range(T))
    leak = masks.leak(model, ids, [50, *ids[1:]], full)
    assert leak.agrees
    for n in range(4):
        assert np.array_equal(leak.moved[n], masks.reach(each, n)[:, 0])


def test_how_far_masks_reach() -> None:
    i, j = np.indices((8, 8))
    assert np.all(masks.layers_needed(all_open(8)) == (i != j)), "everything to everything, in one layer"
    window = masks.layers_needed((causal(8) & sliding_window(8, 3)).numpy())
    assert np.array_equal(window, np.where(j <= i, np.ceil((i - j) / 2), masks.NEVER))
    assert np.array_equal(masks.reach(sliding_window(8, 2).numpy(), 3), abs(i - j) <= 3)


@given(masked_texts(), st.data())
def test_exactly_what_the_mask_predicts_moves(case: MaskedText, data: st.DataObject) -> None:
    mask, ids = case
    place = data.draw(st.integers(0, len(ids) - 1))
    edited = [*ids]
    edited[place] = (ids[place] + data.draw(st.integers(1, PAD - 1))) % PAD
    result = masks.leak(DECODER, ids, edited, mask)
    assert result.agrees
    assert result.moved.shape == (4, len(ids))
    assert np.array_equal(result.moved[0], np.arange(len(ids)) == place)
    assert set(np.flatnonzero(result.output)) == paths(mask, place, 3)
    assert np.array_equal(result.change > 0, result.moved)


def test_nothing_earlier_moves_under_the_causal_mask_and_one_hole_lets_it() -> None:
    ids, edited = [1, 2, 3, 4, 5, 6], [1, 2, 3, 9, 5, 6]
    mask = causal(6).numpy()
    assert masks.leak(DECODER, ids, edited, mask).output.tolist() == [False] * 3 + [True] * 3
    mask[1, 3] = True
    assert masks.leak(DECODER, ids, edited, mask).output.tolist() == [False, True, True, True, True, True]


def test_the_leak_is_that_of_the_model_as_it_is_used() -> None:
    ids, edited = torch.tensor([[1, 2, 3, 4, 5]]), torch.tensor([[1, 2, 9, 4, 5]])
    with torch.inference_mode():
        before, after = DECODER(ids).logits[0], DECODER(edited).logits[0]
    result = masks.leak(DECODER, ids[0].tolist(), edited[0].tolist(), causal(5).numpy())
    assert torch.equal((before != after).any(-1), torch.from_numpy(result.output))


def test_no_edit_moves_nothing() -> None:
    result = masks.leak(DECODER, [1, 2, 3], [1, 2, 3], all_open(3))
    assert result.agrees
    assert not result.moved.any()


@pytest.mark.parametrize("positions", ["none", "learned", "rotary", "relative", "alibi"])
def test_position_schemes_leak_nothing(positions: str) -> None:
    model = build(DecoderModel, positions=positions)
    result = masks.leak(model, [1, 2, 3, 4, 5], [1, 2, 3, 8, 5], (causal(5) & sliding_window(5, 2)).numpy())
    assert result.agrees


def test_a_leak_that_the_mask_does_not_explain_is_called_one() -> None:
    """A model that mixes all tokens behind the mask's back is found out."""

    class Leaky(DecoderModel):
        def forward(self, ids: torch.Tensor, mask: torch.Tensor | None = None, **more: Any) -> Output:
            return super().forward(ids + ids.sum() % 2, mask, **more)

    result = masks.leak(Leaky(config()).eval(), [1, 2, 3, 4], [1, 2, 3, 5], causal(4).numpy())
    assert not result.agrees


# ---- blocked rows ----------------------------------------------------------------------------------------------

SCORES = [0.5, -1.25, 2.0]


def fills(allowed: list[bool], dtype: str = "float32") -> dict[str, masks.Fill]:
    return {fill.name: fill for fill in masks.blocked_row(SCORES, allowed, dtype)}


def weights_and_gradient(fill: masks.Fill) -> tuple[np.ndarray, np.ndarray]:
    assert fill.weights is not None
    assert fill.gradient is not None
    return fill.weights, fill.gradient


@pytest.mark.parametrize("dtype", masks.DTYPES)
def test_a_row_with_nothing_allowed(dtype: str) -> None:
    by_name = fills([False] * 3, dtype)
    weights, gradient = weights_and_gradient(by_name["−∞"])
    assert np.isnan(weights).all()
    assert np.isnan(gradient).all()
    assert np.isnan(by_name["−∞"].output)
    weights, gradient = weights_and_gradient(by_name["ours"])
    assert weights.tolist() == gradient.tolist() == [0, 0, 0]
    assert by_name["ours"].output == 0
    if dtype == "float16":
        assert "overflow" in by_name["−1e9"].error
        assert by_name["−1e9"].weights is None
    else:
        assert by_name["−1e9"].weights == pytest.approx([1 / 3] * 3, rel=1e-2)
        assert by_name["−1e9"].output == pytest.approx(2, rel=1e-2)


@pytest.mark.parametrize("allowed", [[True, False, True], [True] * 3, [False, False, True]])
def test_a_row_with_something_allowed_is_the_same_three_times(allowed: list[bool]) -> None:
    by_name = fills(allowed)
    exp = np.where(allowed, np.exp(SCORES), 0)
    for fill in by_name.values():
        weights, gradient = weights_and_gradient(fill)
        assert np.allclose(weights, exp / exp.sum(), atol=1e-6)
        assert np.all(weights[~np.array(allowed)] == 0)
        assert np.allclose(gradient, weights)
        assert fill.output == pytest.approx((exp / exp.sum()) @ [1, 2, 3], abs=1e-6)
        assert fill.error == ""


# ---- three attentions ------------------------------------------------------------------------------------------


def three(n_pads: int = 2) -> tuple[list[int], list[int], dict[str, AttentionMap]]:
    src, tgt = [1, 2, 3, 4, 5] + [PAD] * n_pads, [7, 8, 9]
    result = masks.three_attentions(BOTH, src, tgt, PAD, tuple("abcde") + ("-",) * n_pads, tuple("xyz"))
    return src, tgt, result


def test_three_attentions_have_their_shapes_and_masks() -> None:
    result = three()[2]
    assert [result[kind].weights.shape for kind in ("encoder", "decoder", "cross")] == [
        (2, 2, 7, 7),
        (3, 2, 3, 3),
        (3, 2, 3, 7),
    ]
    assert np.all(result["encoder"].weights[..., :5] > 0)
    assert np.all(result["encoder"].weights[..., 5:] == 0)
    assert np.all(result["cross"].weights[..., :5] > 0)
    assert np.all(result["cross"].weights[..., 5:] == 0)
    assert np.array_equal(result["decoder"].weights[0, 0] > 0, np.tril(np.ones((3, 3), bool)))
    for kind, attention in result.items():
        assert attention.mask is not None
        allowed = np.broadcast_to(attention.mask, attention.weights.shape)
        assert np.array_equal(attention.weights > 0, allowed), kind
        assert np.allclose(attention.weights.sum(-1), 1, atol=1e-6)


def test_three_attentions_are_what_their_queries_and_keys_say() -> None:
    """Cross: the queries are the decoder's, the keys those of the encoder's memory."""
    src, _, result = three()
    for attention in result.values():
        scores = np.einsum("lhtd,lhsd->lhts", attention.q, attention.k) / attention.scale
        exp = np.exp(scores) * attention.mask
        assert np.allclose(attention.weights, exp / exp.sum(-1, keepdims=True), atol=1e-5)
    padding = torch.tensor([src]) != PAD
    with torch.inference_mode():
        memory, _ = BOTH.encode(torch.tensor([src]), padding[:, None, None])
        keys = BOTH.decoder.layers[0].cross_attn.w_k(memory)[0].view(7, 2, 8).transpose(0, 1)
        values = BOTH.decoder.layers[0].cross_attn.w_v(memory)[0].view(7, 2, 8).transpose(0, 1)
    assert np.allclose(result["cross"].k[0], keys.numpy(), atol=1e-6)
    assert result["cross"].v is not None
    assert np.allclose(result["cross"].v[0], values.numpy(), atol=1e-6)


def test_padding_changes_no_weight_on_a_real_word() -> None:
    without, padded = three(0)[2], three(4)[2]
    for kind in without:
        T, S = without[kind].weights.shape[-2:]
        assert np.allclose(padded[kind].weights[..., :T, :S], without[kind].weights, atol=1e-6)


# ---- batches ---------------------------------------------------------------------------------------------------

SENTENCES = [[1, 2, 3, 4, 5, 6, 7], [8, 9, 10], [11]]


@pytest.mark.parametrize("model", [ENCODER, DECODER], ids=["encoder", "decoder"])
def test_a_padded_batch_equals_each_sentence_alone(model: EncoderModel | DecoderModel) -> None:
    result = masks.padded_batch(model, SENTENCES, PAD)
    assert result.differences.shape == (3,)
    assert np.all(result.differences < 1e-5)
    assert np.all(result.weights[1, ..., 3:] == 0)
    assert np.all(result.weights[2, ..., 1:] == 0)


def test_an_encoder_without_the_mask_mixes_padding_in() -> None:
    result = masks.padded_batch(ENCODER, SENTENCES, PAD, masked=False)
    assert result.differences[0] < 1e-5, "the longest has no padding"
    assert np.all(result.differences[1:] > 0.1)
    assert result.allowed.all()


def test_a_decoder_padded_at_the_end_needs_no_padding_mask() -> None:
    assert np.all(masks.padded_batch(DECODER, SENTENCES, PAD, masked=False).differences < 1e-5)


@pytest.mark.parametrize("n_heads", [1, 2, 4])
def test_masks_stretch_to_the_weights(n_heads: int) -> None:
    shapes = masks.padded_batch(build(DecoderModel, n_heads=n_heads), SENTENCES, PAD).shapes
    assert shapes == {
        "padding": (3, 1, 1, 7),
        "causal": (7, 7),
        "together": (3, 1, 7, 7),
        "weights": (3, n_heads, 7, 7),
    }
    assert np.broadcast_shapes(shapes["padding"], shapes["causal"]) == shapes["together"]
    assert np.broadcast_shapes(shapes["together"], shapes["weights"]) == shapes["weights"]
