"""The parts of a logit: that they add up, and that each is what taking it away would say."""

from typing import Any

import numpy as np
import pytest
import torch
from torch import nn

from tests.inspection.decoders import MAKES, decoder
from transformer import EncoderModel
from transformer.core.checks import InputError
from transformer.inspection.attribution import attribute

IDS = [3, 1, 4, 1, 5, 9]


def logits(model, ids=IDS):
    with torch.inference_mode():
        return model(torch.tensor([ids])).logits[0]


@pytest.mark.parametrize("changes", MAKES.values(), ids=MAKES)
@pytest.mark.parametrize("position", [-1, 2])
def test_the_parts_add_up_to_the_logit(changes, position):
    model = decoder(**changes)
    expected = logits(model)[position]
    for answer, other in ((7, None), (7, 2)):
        parts = attribute(model, IDS, answer, other, position=position)
        truth = float(expected[answer] - (0 if other is None else expected[other]))
        assert parts.logit == pytest.approx(truth, abs=1e-10)
        assert parts.total == pytest.approx(truth, abs=1e-10)
        assert parts.heads.shape == (2, 3)
        assert parts.by_key.shape == (2, 3, len(IDS))
        np.testing.assert_allclose(parts.by_key.sum(-1), parts.heads, atol=1e-12)


def test_an_encoder_is_read_at_any_position():
    model = decoder(EncoderModel)
    parts = attribute(model, IDS, 7, position=0)
    assert parts.total == pytest.approx(float(logits(model)[0, 7]), abs=1e-10)


def test_float32_adds_up_but_for_rounding():
    model = decoder().float()
    parts = attribute(model, IDS, 7, 2)
    assert parts.total == pytest.approx(parts.logit, abs=1e-4)


def test_a_part_is_what_the_frozen_read_out_makes_of_its_vector():
    """Worked out another way: freeze the last norm's mean and scale, and give it the stream without one head."""
    model = decoder()
    states = {}

    def keep(name, tensor):
        states[name] = tensor
        return tensor

    with torch.no_grad():
        model(torch.tensor([IDS]), tap=keep)
    x = states["decoder.1.residual_out"][0, -1]
    norm, w_o = model.decoder.final_norm, model.decoder.layers[0].self_attn.w_o.weight
    mean, scale = x.mean(), (x.var(correction=0) + norm.eps).sqrt()

    def read(x, mean):
        return float(((x - mean) / scale * norm.weight + norm.bias) @ model.decoder.embedding.weight[7])

    with torch.no_grad():
        head = states["decoder.0.self_attn.heads"][0, 2, -1] @ w_o.T[8:12]
        without = read(x, mean) - read(x - head, mean - head.mean())
    assert attribute(model, IDS, 7).heads[0, 2] == pytest.approx(without, abs=1e-10)


def test_what_adds_nothing_has_no_part():
    model = decoder(positions="none")
    with torch.no_grad():
        model.decoder.layers[1].self_attn.w_o.weight[:, 4:8] = 0  # the second head
        model.decoder.layers[0].feed_forward.w_2.weight.zero_()
        model.decoder.layers[0].feed_forward.w_2.bias.zero_()
    parts = attribute(model, IDS, 7)
    assert parts.position == parts.heads[1, 1] == parts.feed_forward[0] == 0
    assert abs(parts.heads[1, 0]) > 1e-3
    assert parts.by_key[0, :, :].any()


def test_a_future_key_gives_nothing():
    parts = attribute(decoder(), IDS, 7, position=2)
    assert parts.by_key[:, :, 3:].max() == 0
    assert np.abs(parts.by_key[:, :, :3]).min() > 0


def test_post_norm_is_refused_in_a_sentence():
    with pytest.raises(InputError, match="post-norm"):
        attribute(decoder(norm="post"), IDS, 7)


def test_a_read_out_that_is_not_linear_is_refused():
    class Bent(nn.Module):
        def forward(self, x, embedding):
            return embedding.logits(x.relu())

    model: Any = decoder()
    model.output = Bent()
    with pytest.raises(InputError, match="linear"):
        attribute(model, IDS, 7)


def test_what_is_written_to_the_stream_besides_is_noticed():
    model: Any = decoder()
    layer = model.decoder.layers[1]
    layer.norm2.after = lambda x, update, ctx: x + 3 * update
    with pytest.raises(InputError, match="do not add up"):
        attribute(model, IDS, 7)


def test_a_model_without_layers_is_refused():
    with pytest.raises(InputError, match="no layers"):
        attribute(decoder(n_decoder_layers=0), IDS, 7)
