"""What is asked of a model of pictures, against arithmetic of its own and what must hold of any."""

import numpy as np
import pytest
import torch

from transformer.core.checks import InputError
from transformer.core.config import TransformerConfig
from transformer.core.images import reordered
from transformer.core.model import EncoderModel
from transformer.inspection import vision
from transformer.inspection.head_effects import rollout
from transformer.training.tasks import shapes


def model_of(positions: str = "learned", **more) -> EncoderModel:
    config = TransformerConfig(
        vocab_size=5,
        d_model=16,
        n_heads=2,
        n_encoder_layers=2,
        n_decoder_layers=0,
        image_size=12,
        patch_size=4,
        positions=positions,
        max_len=11,
        tie_output=False,
        scale_embeddings=False,
        **more,
    )
    return EncoderModel(config, torch.Generator().manual_seed(1)).eval()


IMAGE = torch.randn(3, 12, 12, generator=torch.Generator().manual_seed(2))
ORDER = (4, 0, 8, 3, 1, 2, 7, 6, 5)


@pytest.mark.parametrize("distilled", [False, True])
def test_the_convolution_is_one_linear_map_of_every_patch(distilled: bool):
    model = model_of(distilled=distilled)
    torch.nn.init.normal_(vision.patch_embedding(model).bias, generator=torch.Generator().manual_seed(0))
    cut = vision.cut(model, IMAGE)
    assert cut.difference < 1e-6 * np.abs(cut.vectors).max() * 10
    weight, bias = (p.detach().numpy() for p in (model.encoder.embedding.weight, model.encoder.embedding.bias))
    patch = IMAGE[:, 4:8, 8:12].numpy()  # row 2, column 3: number 5
    np.testing.assert_allclose(cut.rows[5], patch.ravel())
    by_hand = [
        sum(weight[d, c, y, x] * patch[c, y, x] for c in range(3) for y in range(4) for x in range(4)) + bias[d]
        for d in range(3)
    ]
    np.testing.assert_allclose(cut.vectors[5, :3], by_hand, rtol=1e-4, atol=1e-6)


def test_without_positions_shuffled_patches_only_move_along():
    model = model_of("none")
    before, after = vision.look(model, IMAGE), vision.look(model, reordered(IMAGE[None], 4, ORDER)[0])
    tokens = [0, *(1 + n for n in ORDER)]
    np.testing.assert_allclose(after.logits, before.logits[tokens], atol=1e-5)
    np.testing.assert_allclose(after.weights, before.weights[:, :, tokens][..., tokens], atol=1e-5)


def test_with_positions_the_answer_changes():
    model = model_of()
    before, after = vision.look(model, IMAGE), vision.look(model, reordered(IMAGE[None], 4, ORDER)[0])
    assert np.abs(after.logits[0] - before.logits[0]).max() > 1e-2


def test_rollout_of_even_heads_in_closed_form():
    """A = U, 1/T everywhere: each layer halves what stayed in place, (1/2)^l I + (1 - (1/2)^l) U."""
    T = 5
    flows = rollout(np.full((3, 2, T, T), 1 / T))
    for layer, flow in enumerate(flows, 1):
        stays = 0.5**layer
        np.testing.assert_allclose(flow, stays * np.eye(T) + (1 - stays) / T, atol=1e-12)


def test_what_was_looked_at_adds_up():
    looked = vision.look(model_of(distilled=True), IMAGE)
    assert looked.weights.shape == (2, 2, 11, 11)
    np.testing.assert_allclose(looked.weights.sum(-1), 1, atol=1e-5)
    np.testing.assert_allclose(looked.rollout.sum(-1), 1, atol=1e-5)


def test_positions_are_compared_by_their_rows_without_those_before_the_patches():
    model = model_of(distilled=True)
    table = model.encoder.positions.weight.detach().numpy()
    a, b = table[2 + 3], table[2 + 7]
    similarity = vision.position_similarity(model)
    assert similarity.shape == (9, 9)
    assert similarity[3, 7] == pytest.approx(a @ b / np.linalg.norm(a) / np.linalg.norm(b), abs=1e-6)
    with pytest.raises(InputError, match="no table of positions"):
        vision.position_similarity(model_of("none"))


def test_coloured_patches_and_the_weight_on_them():
    pixels = np.full((1, 12, 12, 3), 230, np.uint8)
    pixels[0, 5:7, 9:11] = (200, 40, 40)
    coloured = shapes.has_colour(pixels, 4)
    assert coloured[0].nonzero()[0].tolist() == [5]
    model = model_of()
    weights = vision.look(model, IMAGE).weights
    np.testing.assert_allclose(vision.weight_on(model, IMAGE[None], coloured), weights[:, :, 0, 1 + 5], atol=1e-6)


@pytest.mark.parametrize("n_moved", [0, 2, 9])
def test_as_many_patches_move_as_are_asked_for(n_moved: int):
    order = vision.shuffled_order(9, n_moved, 3)
    assert sorted(order) == list(range(9))
    assert sum(place != patch for place, patch in enumerate(order)) == n_moved
    assert order == vision.shuffled_order(9, n_moved, 3)


@pytest.mark.parametrize("n_moved", [1, 10, -1])
def test_no_order_moves_one_patch_alone(n_moved: int):
    with pytest.raises(InputError, match="cannot change places"):
        vision.shuffled_order(9, n_moved, 0)


def test_a_model_of_texts_is_refused():
    config = TransformerConfig(vocab_size=5, d_model=16, n_heads=2)
    with pytest.raises(InputError, match="reads texts"):
        vision.cut(EncoderModel(config), IMAGE)
