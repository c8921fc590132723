"""Queries, keys and values of a head: the vector that attention reads, times a matrix that all tokens share."""

from typing import Any

import numpy as np
import pytest
import torch

from transformer.core.config import TransformerConfig
from transformer.core.model import DecoderModel, EncoderModel
from transformer.core.taps import Recorder
from transformer.inspection.projections import Projected, fit, project

SIZES = {"d_model": 24, "n_heads": 4, "n_encoder_layers": 2, "n_decoder_layers": 2, "vocab_size": 50}
IDS = [3, 7, 3, 11]


@pytest.mark.parametrize(
    ("kind", "more"),
    [(EncoderModel, {}), (DecoderModel, {"n_kv_heads": 2, "norm": "post", "bias": False, "positions": "alibi"})],
)
@pytest.mark.parametrize("which", ["q", "k", "v"])
def test_a_matrix_of_the_layer_makes_what_the_head_uses(kind: type, more: dict, which: Projected) -> None:
    model = kind(TransformerConfig(**SIZES, **more), torch.Generator().manual_seed(1))
    recorder = Recorder("q", "k", "v")
    with torch.inference_mode():
        model(torch.tensor([IDS]), tap=recorder)
    for head in range(4):
        made = project(model, IDS, 1, head, which)
        own = head if which == "q" else head // (4 // model.config.n_kv_heads)
        used = recorder[f"{model.kind}.1.self_attn.{which}"][0, own].numpy()
        np.testing.assert_allclose(made.y, used, rtol=1e-5, atol=1e-6)
        np.testing.assert_allclose(made.x @ made.w + made.b, used, rtol=1e-4, atol=1e-5)
        assert made.w.shape == (24, made.y.shape[1])


@pytest.mark.parametrize(
    "more", [{"n_heads": 8, "bias": True}, {"n_heads": 6, "n_kv_heads": 2, "bias": False}, {"positions": "rotary"}]
)
@pytest.mark.parametrize("which", ["q", "k", "v"])
def test_in_double_precision_the_products_and_the_constant_are_the_number_itself(more: dict, which: Projected) -> None:
    sizes: dict[str, Any] = SIZES | more
    model = DecoderModel(TransformerConfig(**sizes), torch.Generator().manual_seed(2))
    with torch.no_grad():
        for name, parameter in model.named_parameters():  # biases begin at 0, and would hide one that is left out
            if name.endswith("bias"):
                parameter.uniform_(-1, 1)
    model.double()
    recorder = Recorder(which)
    with torch.inference_mode():
        model(torch.tensor([IDS]), tap=recorder)
    for head in range(model.config.n_heads):
        made = project(model, IDS, 1, head, which)
        own = head if which == "q" else head // (model.config.n_heads // model.config.n_kv_heads)
        used = recorder[f"decoder.1.self_attn.{which}"][0, own].numpy()
        rows = slice(0, 1) if model.config.positions == "rotary" and which != "v" else slice(None)  # 0 is not turned
        np.testing.assert_allclose((made.x @ made.w + made.b)[rows], used[rows], rtol=1e-9, atol=1e-12)
        if more.get("bias"):
            assert not np.allclose(made.x @ made.w, used, atol=1e-2), "without the constant it is another number"


def test_rotation_comes_after_it() -> None:
    model = EncoderModel(TransformerConfig(**SIZES, positions="rotary"), torch.Generator().manual_seed(1))
    recorder = Recorder("q", "k", "v")
    with torch.inference_mode():
        model(torch.tensor([IDS]), tap=recorder)
    made = project(model, IDS, 0, 2, "q")
    used = recorder["encoder.0.self_attn.q"][0, 2].numpy()
    np.testing.assert_allclose(made.y[0], used[0], rtol=1e-5, atol=1e-6)  # position 0 is not turned
    assert not np.allclose(made.y[1], used[1], atol=1e-3)
    np.testing.assert_array_equal(made.y[0], made.y[2])  # one token, one vector: in layer 0 nothing tells them apart


def test_there_must_be_such_a_head() -> None:
    model = EncoderModel(TransformerConfig(**SIZES))
    with pytest.raises(IndexError, match="no head 4 in layer 0"):
        project(model, IDS, 0, 4, "q")
    with pytest.raises(IndexError, match="no head 0 in layer 2"):
        project(model, IDS, 2, 0, "q")


@pytest.mark.parametrize("more", [{}, {"positions": "rotary"}, {"positions": "alibi", "norm": "post", "bias": False}])
def test_without_a_number_of_the_query_each_score_is_lower_by_its_product(more: dict) -> None:
    """The parameters that make one number are set to 0: each score falls by just that product, and by no other."""
    model = DecoderModel(TransformerConfig(**SIZES, **more), torch.Generator().manual_seed(1))
    before = fit(model, IDS, 1, 2, 3)
    q, k = (project(model, IDS, 1, 2, which).y for which in ("q", "k"))
    np.testing.assert_allclose(before.q, q[3])
    assert np.allclose(before.keys, k, atol=1e-4) == (more.get("positions") != "rotary"), "rotary turns the keys"
    np.testing.assert_allclose(before.keys[3], k[3], rtol=1e-4, atol=1e-5)  # its own key is at no distance
    np.testing.assert_allclose(before.keys @ before.q, before.scores, rtol=1e-4, atol=1e-4)
    powers = np.exp(before.scores / np.sqrt(len(before.q)))
    np.testing.assert_allclose(before.weights, powers / powers.sum(), rtol=1e-4, err_msg="of the scores alone")
    number = int(np.abs(before.q).argmax())
    attention, row = model.stack.layers[1].self_attn, 2 * len(before.q) + number
    with torch.no_grad():
        attention.w_q.weight[row] = 0
        if attention.w_q.bias is not None:
            attention.w_q.bias[row] = 0
    after = fit(model, IDS, 1, 2, 3)
    np.testing.assert_allclose(before.scores - after.scores, before.q[number] * before.keys[:, number], atol=1e-5)
    np.testing.assert_array_equal(before.keys, after.keys)


def test_a_query_may_look_only_where_the_mask_lets_it() -> None:
    model = DecoderModel(TransformerConfig(**SIZES), torch.Generator().manual_seed(1))
    one = fit(model, IDS, 1, 2, 1)
    assert one.mask.tolist() == [True, True, False, False]
    assert (one.weights > 0).tolist() == one.mask.tolist()
