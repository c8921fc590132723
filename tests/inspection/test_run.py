"""run_with_maps(): the numbers it hands out are the model's own, and they explain themselves."""

import math
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
import torch

from tests.payloads import explained
from transformer.core.checks import InputError
from transformer.core.config import POSITION_SCHEMES, TransformerConfig
from transformer.core.masks import causal, padding, prefix, sliding_window
from transformer.core.model import DecoderModel, EncoderModel
from transformer.inspection.run import run_with_maps

KINDS = {"encoder": EncoderModel, "decoder": DecoderModel}
TOKENS = tuple("abcdefghi")
IDS = [3, 1, 4, 1, 5, 9, 2, 6, 5]
T = len(IDS)

MASKS = {
    "none": None,
    "window": sliding_window(T, 2),
    "prefix": prefix(T, 3),
    "padding": padding(torch.tensor([T - 2]), T)[0, 0].expand(T, T),
    "nothing for query 2": causal(T) & (torch.arange(T) != 2)[:, None],
}


def build(kind: str = "encoder", **settings: Any) -> EncoderModel | DecoderModel:
    sizes: dict[str, Any] = {
        "vocab_size": 16,
        "d_model": 24,
        "n_heads": 4,
        "n_encoder_layers": 2,
        "n_decoder_layers": 2,
    }
    config = TransformerConfig(**sizes | settings)
    return KINDS[kind](config, torch.Generator().manual_seed(5)).eval()


def explain(seen):
    return explained(seen.q, seen.k, seen.scale, seen.bias, seen.mask)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("positions", POSITION_SCHEMES)
@pytest.mark.parametrize("n_kv_heads", [4, 2, 1])
def test_weights_are_the_models_and_q_and_k_explain_them(kind, positions, n_kv_heads):
    model = build(kind, positions=positions, n_kv_heads=n_kv_heads)
    run = run_with_maps(model, IDS, TOKENS)
    assert list(run.attention) == [kind]
    seen = run.attention[kind]
    with torch.inference_mode():
        own = getattr(model(torch.tensor([IDS])).attention, kind)
    assert np.array_equal(seen.weights, torch.cat(own).numpy())
    assert seen.weights.dtype == np.float32
    assert seen.q.shape == (2, 4, T, 6)
    assert seen.k.shape == (2, n_kv_heads, T, 6)
    assert seen.queries == seen.keys == TOKENS
    assert np.abs(explain(seen) - seen.weights).max() < 1e-6
    assert (seen.bias is not None) == (positions in ("relative", "alibi"))
    assert (seen.mask is not None) == (kind == "decoder")


@pytest.mark.parametrize("name", MASKS)
@pytest.mark.parametrize("kind", KINDS)
def test_masks_are_told_as_they_were_used(kind, name):
    mask = MASKS[name]
    seen = run_with_maps(build(kind, positions="alibi"), IDS, TOKENS, mask).attention[kind]
    expected = np.ones((T, T), bool) if mask is None else mask.numpy()
    if kind == "decoder":
        expected = expected & np.tri(T, dtype=bool)
    told = np.ones((T, T), bool) if seen.mask is None else seen.mask
    assert np.array_equal(told, expected)
    assert np.all(seen.weights[:, :, ~expected] == 0)
    assert np.all(seen.weights[:, :, expected] > 0)
    assert np.abs(explain(seen) - seen.weights).max() < 1e-6


def test_a_decoder_may_be_asked_not_to_be_causal():
    mask = MASKS["prefix"]
    seen = run_with_maps(build("decoder"), IDS, TOKENS, mask, is_causal=False).attention["decoder"]
    assert seen.mask is not None
    assert np.array_equal(seen.mask, mask.numpy())
    assert np.all(seen.weights[:, :, 0, 1:3] > 0)


@pytest.mark.parametrize("scaled", [True, False])
def test_the_scale_is_what_the_scores_were_divided_by(scaled):
    seen = run_with_maps(build(scaled=scaled), IDS, TOKENS).attention["encoder"]
    assert seen.scale == (math.sqrt(6) if scaled else 1.0)
    assert np.abs(explain(seen) - seen.weights).max() < 1e-6
    wrong = explained(seen.q, seen.k, 1.0 if scaled else math.sqrt(6))
    assert np.abs(wrong - seen.weights).max() > 1e-3, "the scale matters for these numbers"


def test_every_parameter_is_counted_once():
    model = build("encoder", tie_output=True)
    assert run_with_maps(model, IDS, TOKENS).n_parameters == sum(p.numel() for p in set(model.parameters()))


def test_a_single_token_and_none_at_all():
    seen = run_with_maps(build(), [7], ("x",)).attention["encoder"]
    assert np.all(seen.weights == 1)
    assert run_with_maps(build(), [], ()).attention["encoder"].weights.shape == (2, 4, 0, 0)


def test_a_model_in_training_is_refused_with_a_sentence():
    model = build(dropout=0.5).train()
    with pytest.raises(ValueError, match=r"call model\.eval\(\) first"):
        run_with_maps(model, IDS, TOKENS)


def test_labels_must_fit():
    with pytest.raises(ValueError, match="9 ids cannot be labelled with 8 tokens"):
        run_with_maps(build(), IDS, TOKENS[:-1])


@pytest.mark.slow
def test_threads_do_not_disturb_each_other_and_nothing_is_left_behind():
    model = build("decoder", positions="rotary")
    texts = [np.random.default_rng(n).integers(0, 16, 5 + n).tolist() for n in range(8)]

    def weights(ids):
        return run_with_maps(model, ids, tuple(map(str, ids))).attention["decoder"].weights

    alone = [weights(ids) for ids in texts]
    before = {name: tensor.clone() for name, tensor in model.state_dict().items()}
    with ThreadPoolExecutor(4) as pool:
        for _ in range(10):
            for mine, again in zip(alone, pool.map(weights, texts), strict=True):
                assert np.array_equal(mine, again)
    assert all(torch.equal(tensor, before[name]) for name, tensor in model.state_dict().items())
    assert not any(isinstance(value, torch.Tensor) for part in model.modules() for value in vars(part).values())


def test_a_batch_of_one_is_its_text_and_a_batch_of_two_is_refused():
    model = build()
    alone, batch = (run_with_maps(model, ids, TOKENS) for ids in (IDS, torch.tensor([IDS])))
    np.testing.assert_array_equal(alone.attention["encoder"].weights, batch.attention["encoder"].weights)
    with pytest.raises(InputError, match=r"one text at a time, ids \(T,\), and was given \(2, 9\)"):
        run_with_maps(model, torch.tensor([IDS, IDS]), TOKENS)
