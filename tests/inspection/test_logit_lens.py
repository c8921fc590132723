"""The logit lens against the model itself at the top, and against another study at every height."""

import numpy as np
import pytest
import torch

from tests.inspection.decoders import MAKES, decoder
from transformer import EncoderModel
from transformer.inspection.blocks import follow_token, stages
from transformer.inspection.logit_lens import logit_lens, read_out

IDS = [3, 1, 4, 1, 5, 9]


@pytest.mark.parametrize("kind", [None, EncoderModel])
@pytest.mark.parametrize("changes", [*MAKES.values(), {"norm": "post"}], ids=[*MAKES, "post-norm"])
def test_at_the_top_it_is_the_model(kind, changes):
    model = decoder(**({"kind": kind} if kind else {}), **changes)
    lens = logit_lens(model, IDS)
    with torch.inference_mode():
        chances = model(torch.tensor([IDS])).logits[0].softmax(-1)
    np.testing.assert_array_equal(lens.said[-1], chances.argmax(-1))
    np.testing.assert_allclose(lens.chances[-1], chances.amax(-1), atol=1e-6)
    assert (lens.ranks[-1] == 1).all()
    assert lens.said.shape == lens.ranks.shape == (3, 6)
    assert lens.heights == ("embedding", "layer 0", "layer 1")


def test_every_height_is_what_one_followed_token_has_there():
    model = decoder()
    lens, answers = logit_lens(model, IDS), logit_lens(model, IDS).said[-1]
    for token in range(len(IDS)):
        stream = follow_token(model, IDS, token)  # two heights per layer, one of them after its attention
        np.testing.assert_array_equal(lens.said[:, token], stream.lens[::2].argmax(-1))
        np.testing.assert_array_equal(lens.ranks[:, token], stream.ranks([answers[token]])[::2, 0])
        odds = torch.tensor(stream.lens[::2]).softmax(-1)[:, answers[token]]
        np.testing.assert_allclose(lens.odds[:, token], odds, atol=1e-6)


def test_since_when_it_says_what_it_says():
    model = decoder()
    with torch.no_grad():
        for layer in model.decoder.layers:  # nothing is ever added: every height says the same
            for part in (layer.self_attn.w_o, layer.feed_forward.w_2):
                part.weight.zero_()
                part.bias.zero_()
    assert (logit_lens(model, IDS).since == 0).all()
    lens = logit_lens(decoder(), IDS)
    for token, since in enumerate(lens.since):
        assert (lens.ranks[since:, token] == 1).all()
        assert since == 0 or lens.ranks[since - 1, token] > 1


@pytest.mark.parametrize("norm", ["pre", "post"])
def test_a_state_within_a_layer_is_read_out_as_the_lens_reads_those_between_layers(norm):
    model = decoder(norm=norm)
    lens = logit_lens(model, IDS)
    for layer in range(2):
        at = stages(model, IDS, layer)
        for height, step in ((layer, "in"), (layer + 1, "add2" if norm == "pre" else "norm2")):
            said, chances = read_out(model, at[step])
            np.testing.assert_array_equal(said, lens.said[height])
            np.testing.assert_allclose(chances, lens.chances[height], atol=1e-5)
