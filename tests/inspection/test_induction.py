"""Induction: on a decoder that is built to do it, and on one that knows nothing."""

import math

import numpy as np
import pytest
import torch
import torch.nn.functional as F

from tests.inspection.decoders import decoder
from transformer import DecoderModel, EncoderModel, TransformerConfig
from transformer.core.checks import InputError
from transformer.inspection.induction import induction, repeated

CHOICES = range(4, 24)


def induction_head(strength=60.0, n=24):
    """Two layers of one head each, with parameters set by hand: a textbook induction head.

    The stream has three rooms of n numbers: the token, the position, and what layer 1 notes, the token before. Layer 1
    looks from each position to the one before and copies the token there into the third room. Layer 2 looks for a
    position whose note is the query's token, and copies the token that stands there to the output.
    """
    T, D = 2 * n + 2, 3 * (2 * n + 2)
    config = TransformerConfig(
        vocab_size=n,
        d_model=D,
        n_heads=1,
        d_ff=1,
        n_decoder_layers=2,
        positions="learned",
        max_len=T,
        bias=False,
        scale_embeddings=False,
        tie_output=False,
    )
    model = DecoderModel(config, torch.Generator().manual_seed(0)).eval()
    token, place, note = slice(0, T), slice(T, 2 * T), slice(2 * T, 3 * T)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.zero_()
        for module in model.modules():
            if isinstance(module, torch.nn.LayerNorm):
                module.weight.fill_(1.0)
        eye = torch.eye(T)
        model.decoder.embedding.weight[:, token] = eye[:n]
        model.decoder.positions.weight[:, place] = eye
        first, second = (layer.self_attn for layer in model.decoder.layers)
        first.w_q.weight[place, place] = torch.roll(eye, -1, 0)  # asks for the position before its own
        first.w_k.weight[place, place] = strength * eye
        first.w_v.weight[note, token] = eye
        first.w_o.weight[note, note] = eye
        second.w_q.weight[note, token] = eye
        second.w_k.weight[note, note] = strength * eye
        second.w_v.weight[token, token] = eye
        second.w_o.weight[token, token] = strength * eye
        model.output.linear.weight[:, token] = 20 * eye[:n]
    return model


def test_a_head_that_is_built_for_it():
    result = induction(induction_head(), CHOICES, 16)
    assert result.scores.shape == (2, 1)
    assert result.scores[1, 0] > 0.9
    assert result.scores[0, 0] < 0.05
    assert result.best == (1, 0)
    assert result.second < 0.5 < 2 < result.first
    assert len(result.losses) == 31


def test_an_untrained_decoder_is_at_chance_in_both_halves():
    result = induction(decoder(vocab_size=24), CHOICES, 12, begin=(1,), n_texts=8)
    assert result.scores == pytest.approx(result.chance, abs=0.06)
    assert abs(result.first - result.second) < 0.5
    assert result.weights.shape == (2, 3, 25, 25)


def test_chance_is_one_over_what_can_be_seen():
    result = induction(decoder(vocab_size=24), CHOICES, 10, begin=(1,))
    assert result.chance == pytest.approx(np.mean([1 / (1 + 10 + i) for i in range(1, 11)]))


def test_losses_are_those_of_the_model():
    model = decoder(vocab_size=24)
    result = induction(model, CHOICES, 6, begin=(1,), n_texts=1)
    (text,) = result.texts
    with torch.inference_mode():
        logits = model(torch.tensor([text])).logits[0]
    expected = F.cross_entropy(logits[1:-1], torch.tensor(text[2:]), reduction="none").numpy()
    np.testing.assert_allclose(result.losses, expected, atol=1e-5)
    assert result.first == pytest.approx(expected[:5].mean(), abs=1e-5)
    assert result.second == pytest.approx(expected[6:].mean(), abs=1e-5)


def test_the_texts():
    text = repeated(CHOICES, 8, 3, begin=(1,))
    assert text[0] == 1
    assert text[1:9] == text[9:]
    assert len({*text[1:]}) == 8
    assert {*text[1:]} <= {*CHOICES}
    assert text == repeated(CHOICES, 8, 3, begin=(1,)) != repeated(CHOICES, 8, 4, begin=(1,))
    assert len(repeated((5, 6), 9, 0)) == 18  # fewer words than tokens: some occur again
    result = induction(decoder(vocab_size=24), CHOICES, 5, n_texts=3, seed=7)
    assert result.texts == tuple(repeated(CHOICES, 5, seed) for seed in (7, 8, 9))


@pytest.mark.parametrize(("choices", "n"), [((), 5), ((4, 5), 1)])
def test_nothing_to_repeat(choices, n):
    with pytest.raises(InputError, match="two tokens"):
        repeated(choices, n, 0)


def test_only_a_decoder_predicts_what_comes_next():
    with pytest.raises(InputError, match="decoder"):
        induction(decoder(EncoderModel), CHOICES, 4)


def test_guessing_evenly_loses_the_logarithm_of_the_vocabulary():
    model = decoder(vocab_size=24)
    with torch.no_grad():
        model.decoder.embedding.weight.zero_()  # tied: all logits are 0
    result = induction(model, CHOICES, 6)
    assert result.losses == pytest.approx(math.log(24), abs=1e-5)
