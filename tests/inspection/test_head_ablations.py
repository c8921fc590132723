"""Ablated heads: predictions against a model whose weights were zeroed by hand."""

import copy

import numpy as np
import pytest
import torch

from transformer.core.checks import InputError
from transformer.core.config import TransformerConfig
from transformer.core.model import DecoderModel, EncoderModel, SingleStack
from transformer.core.taps import ablate, compose
from transformer.inspection import head_effects
from transformer.inspection.head_ablations import (
    ablated,
    each_head_ablated,
    moved,
    moved_vectors,
    predictions,
    without_each_head,
    without_every_set,
)

IDS = [3, 1, 4, 1, 5, 9, 2, 6]


def model(kind: str) -> SingleStack:
    config = TransformerConfig(
        vocab_size=20, d_model=12, n_heads=3, n_encoder_layers=2, n_decoder_layers=2, norm="post", positions="learned"
    )
    build = {"encoder": EncoderModel, "decoder": DecoderModel}[kind]
    return build(config, torch.Generator().manual_seed(4)).eval()


def by_hand(plain: SingleStack, layer: int, heads: list[int]) -> np.ndarray:
    """softmax(logits) (T, V) of a copy in which the rows of W_o that belong to these heads are zero."""
    changed = copy.deepcopy(plain)
    with torch.inference_mode():
        for head in heads:
            changed.stack.layers[layer].self_attn.w_o.weight[:, 4 * head : 4 * head + 4] = 0
        return changed(torch.tensor([IDS])).logits[0].double().softmax(-1).numpy()


@pytest.mark.parametrize("kind", ["encoder", "decoder"])
@pytest.mark.parametrize("heads", [[], [1], [0, 2], [0, 1, 2]])
def test_predictions_without_heads_are_those_of_zeroed_weights(kind: str, heads: list[int]) -> None:
    plain = model(kind)
    tap = ablated(plain, 1, heads)
    np.testing.assert_allclose(predictions(plain, IDS, -1, tap=tap), by_hand(plain, 1, heads)[-1], atol=1e-6)


@pytest.mark.parametrize("kind", ["encoder", "decoder"])
def test_each_head_is_unplugged_by_itself(kind: str) -> None:
    plain = model(kind)
    before = predictions(plain, IDS, 2)
    effects = each_head_ablated(plain, IDS, 2)
    assert effects.shape == (2, 3)
    for (layer, head), effect in np.ndenumerate(effects):
        after = by_hand(plain, layer, [head])[2]
        assert effect == pytest.approx(0.5 * np.abs(after - before).sum(), abs=1e-6)
    assert effects.max() > 1e-4


def test_vectors_move_as_far_as_one_head_says() -> None:
    plain = model("encoder")
    whole = moved_vectors(plain, IDS, ablated(plain, 0, [2]))
    np.testing.assert_allclose(whole, head_effects.ablate_head(plain, IDS, 0, 2).tokens, atol=1e-6)
    assert not moved_vectors(plain, IDS, ablated(plain, 0, [])).any()


def test_what_moves_is_a_share() -> None:
    assert moved(np.array([1.0, 0.0]), np.array([0.0, 1.0])) == 1
    assert moved(np.array([0.5, 0.5]), np.array([0.5, 0.5])) == 0
    assert moved(np.array([0.5, 0.5, 0.0]), np.array([0.25, 0.5, 0.25])) == 0.25


@pytest.mark.parametrize("kind", ["encoder", "decoder"])
def test_what_is_said_without_each_head_is_what_zeroed_weights_say(kind: str) -> None:
    plain = model(kind)
    layers = list(without_each_head(plain, IDS, 2))
    assert len(layers) == 2
    for layer, after in enumerate(layers):
        for head in range(3):
            np.testing.assert_allclose(after[head], by_hand(plain, layer, [head])[2], atol=1e-6)


def test_a_position_that_is_not_in_the_text_is_refused_with_a_sentence():
    for position in (len(IDS), -len(IDS) - 1):
        with pytest.raises(InputError, match="none of a text of 8 tokens"):
            each_head_ablated(model("decoder"), IDS, position)
        with pytest.raises(InputError, match="none of a text of 8 tokens"):
            predictions(model("decoder"), IDS, position)


@pytest.mark.parametrize("path", ["decoder.1.cross_attn", "encoder.1.self_attn", "decoder.2.self_attn"])
def test_a_head_that_the_model_does_not_have_is_no_result_but_a_sentence(path: str) -> None:
    """Nothing would move, which looks just like a head that does nothing."""
    with pytest.raises(InputError, match=f"the model has no '{path}.heads' to change"):
        predictions(model("decoder"), IDS, -1, tap=ablate(path, 0))
    with pytest.raises(InputError):
        moved_vectors(model("decoder"), IDS, ablate(path, 0))


@pytest.mark.parametrize("kind", ["encoder", "decoder"])
@pytest.mark.parametrize("position", [2, -1])
def test_every_set_of_heads_is_silenced_as_one_by_one(kind: str, position: int) -> None:
    plain = model(kind)
    every = without_every_set(plain, IDS, position)
    assert every.shape == (2**6, 20)
    for out in (0, 0b1, 0b10_000, 0b101_010, 0b111_111):
        tap = compose(*(ablate(f"{kind}.{head // 3}.self_attn", head % 3) for head in range(6) if out >> head & 1))
        np.testing.assert_allclose(every[out], predictions(plain, IDS, position, tap=tap), atol=1e-6)
