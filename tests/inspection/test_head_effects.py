"""What a head does to the rest of the model."""

from typing import Any

import numpy as np
import pytest
import torch

from transformer import DecoderModel, EncoderModel, TransformerConfig
from transformer.core.masks import sliding_window
from transformer.inspection import head_effects

IDS = [3, 1, 4, 1, 5, 9]


def model(kind=EncoderModel, **changes):
    usual: dict[str, Any] = {
        "vocab_size": 12,
        "d_model": 12,
        "n_heads": 3,
        "n_encoder_layers": 2,
        "n_decoder_layers": 2,
    }
    config = TransformerConfig(**usual | changes)
    built = kind(config, torch.Generator().manual_seed(1)).double().eval()
    with torch.no_grad():  # biases start at zero, and a bias that is counted twice would not show
        for name, parameter in built.named_parameters():
            if name.endswith("bias"):
                parameter.uniform_(-1, 1, generator=torch.Generator().manual_seed(len(name)))
    return built


@pytest.mark.parametrize("kind", [EncoderModel, DecoderModel])
@pytest.mark.parametrize("changes", [{}, {"n_kv_heads": 1}, {"bias": False}, {"positions": "rotary"}])
def test_the_parts_of_the_heads_sum_to_the_output(kind, changes):
    built = model(kind, **changes)
    for layer in range(2):
        parts = head_effects.head_parts(built, IDS, layer)
        np.testing.assert_allclose(parts.parts.sum(0) + parts.bias, parts.output, atol=1e-12)
        assert parts.parts.shape == (3, 6, 12)


def test_ablating_equals_zeroing_the_rows_of_w_o():
    built, damaged = model(), model()
    damaged.load_state_dict(built.state_dict())
    with torch.no_grad():
        damaged.encoder.layers[0].self_attn.w_o.weight[:, 4:8] = 0.0
    change = head_effects.ablate_head(built, IDS, layer=0, head=1)
    keep = {}

    def final(name, tensor):
        keep[name] = tensor
        return tensor

    head_effects.forward(built, IDS, tap=final)
    whole = keep["encoder.out"][0]
    head_effects.forward(damaged, IDS, tap=final)
    expected = (keep["encoder.out"][0] - whole).norm(dim=-1) / whole.norm(dim=-1)
    np.testing.assert_allclose(change.tokens, expected, atol=1e-12)
    assert (change.tokens > 1e-3).all()


def test_an_ablated_head_changes_nothing_before_or_beside_it():
    change = head_effects.ablate_head(model(), IDS, layer=1, head=0)
    assert (change.maps == 0).all()  # maps of its own layer were made before it spoke
    change = head_effects.ablate_head(model(), IDS, layer=0, head=0)
    assert (change.maps[0] == 0).all()
    assert (change.maps[1] > 0).all()


def test_ablating_each_head_is_each_in_turn():
    built = model(DecoderModel)
    every = head_effects.ablate_each_head(built, IDS)
    assert every.shape == (2, 3)
    assert every[1, 2] == head_effects.ablate_head(built, IDS, 1, 2).tokens.mean()


def test_edges_say_the_weight_and_what_cutting_it_does():
    built = model(DecoderModel)
    edges = head_effects.edge_effects(built, IDS, layer=0, head=2, query=3)
    output = head_effects.forward(built, IDS)
    np.testing.assert_array_equal(edges.weight, output.attention.decoder[0][0, 2, 3])
    assert (edges.effect[:4] > 0).all()
    assert (edges.effect[4:] == 0).all()  # the future is blocked already: nothing to cut
    assert (edges.moved[4:] == 0).all()


def test_cutting_one_edge_alone_agrees_with_the_batch():
    built = model()
    edges = head_effects.edge_effects(built, IDS, layer=1, head=0, query=2, mask=sliding_window(6, 3))

    def cut(name, tensor):
        if name == "encoder.1.self_attn.weights":
            tensor = tensor.clone()
            tensor[0, 0, 2, 4] = 0.0
        if name == "encoder.out":
            cut.out = tensor[0, 2]
        return tensor

    head_effects.forward(built, IDS, sliding_window(6, 3), tap=cut)
    seen = {}
    head_effects.forward(built, IDS, sliding_window(6, 3), tap=lambda name, tensor: seen.setdefault(name, tensor))
    whole = seen["encoder.out"][0, 2]
    assert edges.effect[4] == pytest.approx(float((cut.out - whole).norm() / whole.norm()), rel=1e-9)


def test_a_weight_of_one_can_have_no_effect():
    weights, values, output = head_effects.head_without_effect()
    np.testing.assert_array_equal(weights[:, 0], 1.0)
    np.testing.assert_array_equal(values[0], 0.0)
    np.testing.assert_array_equal(output, 0.0)
    assert np.abs(values[1:]).max() > 0.1  # the others would have had something to say


def test_similarity_is_the_cosine():
    weights = np.random.default_rng(0).dirichlet(np.ones(5), size=(2, 2, 5)).astype(np.float32)
    weights[1, 1] = weights[0, 0]
    alike = head_effects.map_similarity(weights)
    a, b = weights[0, 0].ravel().astype(float), weights[0, 1].ravel().astype(float)
    assert alike[0, 1] == pytest.approx(a @ b / np.linalg.norm(a) / np.linalg.norm(b))
    assert alike[0, 3] == pytest.approx(1.0)
    np.testing.assert_allclose(np.diag(alike), 1.0)


def test_rollout_rows_sum_to_one_and_one_layer_is_the_closed_form():
    weights = np.random.default_rng(0).dirichlet(np.ones(4), size=(3, 2, 4))
    weights[1, :, 2] = 0.0  # a row with nothing allowed
    rolled = head_effects.rollout(weights)
    np.testing.assert_allclose(rolled.sum(-1), 1.0)
    np.testing.assert_allclose(rolled[0], (weights[0].mean(0) + np.eye(4)) / 2)
    second = (weights[1].mean(0) + np.eye(4)) / 2
    second[2] = np.eye(4)[2]
    np.testing.assert_allclose(rolled[1], second @ rolled[0])


def test_rollout_of_heads_that_look_at_themselves_stays_at_home():
    np.testing.assert_array_equal(
        head_effects.rollout(np.broadcast_to(np.eye(3), (4, 2, 3, 3))), np.broadcast_to(np.eye(3), (4, 3, 3))
    )


def test_subspaces_overlap_from_not_at_all_to_wholly_and_at_random_by_their_share():
    one = np.eye(8)[:, :2]
    assert head_effects.subspace_overlap(np.hstack([one, 3 * one[:, ::-1]]), 2, 0) == pytest.approx(1)
    assert head_effects.subspace_overlap(np.eye(8), 4, 1) == pytest.approx(0)
    half = np.hstack([one, np.eye(8)[:, 1:3]])
    assert head_effects.subspace_overlap(half, 2, 0) == pytest.approx(0.5)
    drawn = np.random.default_rng(0).normal(size=(64, 64))
    assert head_effects.subspace_overlap(drawn, 4, 2) == pytest.approx(0.25, abs=0.03)
    assert np.isnan(head_effects.subspace_overlap(one, 1, 0))


def test_cutting_into_heads_mixes_no_tokens_and_can_be_undone():
    (_, x), (_, cut), (_, joined) = head_effects.split_layout(T=3, D=8, n_heads=2)
    np.testing.assert_array_equal(joined, x)
    for head in range(2):
        for token in range(3):
            np.testing.assert_array_equal(cut[head, token], x[token, 4 * head : 4 * head + 4])


@pytest.mark.parametrize("n_heads", [1, 2, 3, 4, 6, 12])
def test_the_cost_does_not_depend_on_the_number_of_heads(n_heads):
    assert head_effects.attention_cost(12, n_heads, 7) == (4 * 12 * 12 + 4 * 12, 4 * 7 * 144 + 2 * 49 * 12)
