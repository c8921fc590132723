"""Eight ways to wire an attention: three are those of the paper."""

from itertools import product

import numpy as np
import pytest
import torch

from transformer.config import TransformerConfig
from transformer.inspection.wiring import NAMES, wire
from transformer.model import Transformer
from transformer.taps import Recorder

WAYS = list(product(("encoder", "decoder"), repeat=3))
LENGTHS = {"encoder": 5, "decoder": 3}


@pytest.mark.parametrize("way", WAYS)
def test_shapes_follow_the_ports(way):
    seen = wire(*way, S=5, T=3)
    queries, keys, values = way
    assert seen.weights.shape == (LENGTHS[queries], LENGTHS[keys])
    np.testing.assert_allclose(seen.weights.sum(1), 1, atol=1e-6)
    if keys != values:
        assert (seen.rows, seen.hears, seen.fits) == (None, frozenset(), frozenset())
    else:
        assert seen.rows == LENGTHS[queries]
        assert seen.fits == {queries}
        assert seen.hears == set(way)
    assert seen.name == NAMES.get(way, "")


@pytest.mark.parametrize("way", WAYS)
def test_with_equal_lengths_nothing_refuses_to_run(way):
    """Why wrong wiring goes unnoticed: every shape fits."""
    seen = wire(*way, S=4, T=4)
    assert seen.rows == 4
    assert seen.fits == {"encoder", "decoder"}
    assert seen.hears == set(way)


def test_the_three_names_are_those_of_the_model():
    """Which lengths meet in each attention of a real encoder-decoder."""
    config = TransformerConfig(vocab_size=9, d_model=8, n_heads=2, n_encoder_layers=1, n_decoder_layers=1)
    model = Transformer(config, torch.Generator().manual_seed(0)).eval()
    seen = Recorder("q", "k", "v")
    with torch.inference_mode():
        model(torch.arange(5)[None], torch.arange(3)[None], tap=seen)
    paths = {
        "encoder self-attention": "encoder.0.self_attn",
        "decoder self-attention": "decoder.0.self_attn",
        "cross-attention": "decoder.0.cross_attn",
    }
    for way, name in NAMES.items():
        met = [seen[f"{paths[name]}.{port}"].shape[2] for port in "qkv"]
        assert met == [LENGTHS[stream] for stream in way]


def test_what_is_not_wired_is_not_heard():
    assert wire("decoder", "decoder", "decoder", 5, 3).hears == {"decoder"}
    assert wire("encoder", "encoder", "encoder", 5, 3).hears == {"encoder"}
    with pytest.raises(KeyError):
        wire("memory", "encoder", "encoder", 5, 3)
