"""Pairs of features that turn together: two conventions give the same numbers once the columns are reordered."""

from dataclasses import replace
from typing import Any

import pytest
import torch

from tests.transformer.oracles import rng, shaken
from transformer.core.config import TransformerConfig
from transformer.core.model import DecoderModel
from transformer.inspection import pairings

IDS = torch.tensor([[3, 1, 4, 1, 5, 9, 2, 6]])


def config(**more: Any) -> TransformerConfig:
    sizes: dict[str, Any] = {"vocab_size": 11, "d_model": 24, "n_heads": 4, "n_decoder_layers": 2}
    return TransformerConfig(positions="rotary", **sizes | more)


@pytest.mark.parametrize(
    "more", [{}, {"rotary_share": 0.7}, {"head_width": 7, "n_kv_heads": 2}, {"head_norm": True, "bias": False}], ids=str
)
def test_reordered_columns_read_as_halves_give_the_same_model(more: dict[str, Any]) -> None:
    model = shaken(DecoderModel(config(**more), rng())).double()
    before = {name: tensor.clone() for name, tensor in model.state_dict().items()}
    plain = model(IDS)
    same = pairings.read_with(pairings.reordered(model), "half")(IDS)
    torch.testing.assert_close(same.logits, plain.logits, rtol=0, atol=1e-11)
    for ours, theirs in zip(same.attention.decoder, plain.attention.decoder, strict=True):
        torch.testing.assert_close(ours, theirs, rtol=0, atol=1e-11)
    for wrong in (pairings.read_with(model, "half"), pairings.reordered(model)):
        first = wrong(IDS).attention.decoder[0] - plain.attention.decoder[0]
        assert first.abs().max() > 1e-3
    assert all(torch.equal(tensor, before[name]) for name, tensor in model.state_dict().items()), "it is as it was"


def test_two_untrained_models_of_one_seed_differ_by_the_order_alone() -> None:
    """What the control of an untrained model does: the same numbers are drawn, and other features turn together."""
    neighbours = DecoderModel(config(), torch.Generator().manual_seed(0)).eval()
    halves = DecoderModel(config(pairing="half"), torch.Generator().manual_seed(0)).eval()
    for (name, ours), theirs in zip(neighbours.state_dict().items(), halves.state_dict().values(), strict=True):
        assert torch.equal(ours, theirs), name
    ours, theirs = neighbours(IDS).attention.decoder[0], halves(IDS).attention.decoder[0]
    assert (ours - theirs).abs().max() > 1e-4
    same = pairings.read_with(pairings.reordered(neighbours), "half")(IDS).attention.decoder[0]
    torch.testing.assert_close(same, ours, rtol=0, atol=1e-6)


def test_pairs_and_their_order_by_hand() -> None:
    assert pairings.pairs(config()) == [(0, 1), (2, 3), (4, 5)]
    halves = config(pairing="half")
    assert pairings.pairs(halves) == [(0, 3), (1, 4), (2, 5)]
    assert pairings.order_for_halves(config()) == [0, 2, 4, 1, 3, 5]
    some = config(rotary_share=0.7)  # of six features four turn
    assert pairings.pairs(some) == [(0, 1), (2, 3)]
    assert pairings.pairs(replace(some, pairing="half")) == [(0, 2), (1, 3)]
    assert pairings.order_for_halves(some) == [0, 2, 1, 3, 4, 5]
