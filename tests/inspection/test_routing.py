"""Where tokens go, against a count by hand."""

from itertools import combinations

import numpy as np
import pytest
import torch

from transformer.core.checks import InputError
from transformer.core.config import TransformerConfig
from transformer.core.mixture import choose
from transformer.core.model import DecoderModel
from transformer.core.taps import Recorder
from transformer.inspection.routing import habits, habits_by_layer, route


def test_habits_are_shares_of_pairs():
    rng = np.random.default_rng(0)
    words, experts = rng.integers(0, 5, 40), rng.integers(0, 3, 40)
    found = habits(words, experts, 6, 3)
    pairs = list(combinations(range(40), 2))
    same_word = [experts[i] == experts[j] for i, j in pairs if words[i] == words[j]]
    assert found.same == pytest.approx(np.mean(same_word))
    assert found.chance == pytest.approx(np.mean([experts[i] == experts[j] for i, j in pairs]))
    assert found.counts.sum() == 40
    assert found.counts[5].sum() == 0
    np.testing.assert_allclose(found.load, [np.mean(experts == e) for e in range(3)])
    assert habits(words, words % 3, 6, 3).same == 1  # an expert that is a list of words
    with pytest.raises(InputError, match="no word comes twice"):
        habits(np.arange(5), np.zeros(5, dtype=int), 5, 2)


def test_a_route_is_what_the_model_did():
    config = TransformerConfig(vocab_size=9, d_model=8, n_heads=2, d_ff=8, n_decoder_layers=2, n_experts=3, top_k=2)
    model = DecoderModel(config, torch.Generator().manual_seed(0)).eval()
    ids, recorder = [1, 4, 4, 7], Recorder("router")
    model(torch.tensor([ids]), tap=recorder)
    found = route(model, ids)
    for layer in range(2):
        shares = recorder[f"decoder.{layer}.feed_forward.router"][0]
        np.testing.assert_allclose(found.shares[layer], shares.numpy(), atol=1e-6)
        np.testing.assert_array_equal(found.experts[layer], choose(shares, 2)[1].numpy())
    by_layer = habits_by_layer(model, [ids, [1, 7, 3]])
    assert [int(one.counts.sum()) for one in by_layer] == [5, 5]  # without the first token of each
    assert by_layer[0].counts[4].sum() == 2
    with pytest.raises(InputError, match="this model has no router"):
        route(DecoderModel(TransformerConfig(vocab_size=9, d_model=8, n_heads=2)), ids)
