"""Eight choices of sources for q, k and v: three of them are the attentions of the paper."""

from itertools import product
from typing import get_args

import numpy as np
import pytest
import torch

from transformer.core.config import TransformerConfig
from transformer.core.model import Transformer
from transformer.core.taps import Recorder
from transformer.inspection.qkv_sources import NAMES, Stream, wire

Sources = tuple[Stream, Stream, Stream]
STREAMS: tuple[Stream, ...] = get_args(Stream)
CHOICES: list[Sources] = list(product(STREAMS, STREAMS, STREAMS))
LENGTHS: dict[Stream, int] = {"encoder": 5, "decoder": 3}


@pytest.mark.parametrize("sources", CHOICES)
def test_shapes_follow_the_sources(sources: Sources) -> None:
    wiring = wire(*sources, S=5, T=3)
    queries, keys, values = sources
    assert wiring.weights.shape == (LENGTHS[queries], LENGTHS[keys])
    np.testing.assert_allclose(wiring.weights.sum(1), 1, atol=1e-6)
    if keys != values:
        assert (wiring.n_outputs, wiring.depends_on, wiring.fits) == (None, frozenset(), frozenset())
    else:
        assert wiring.n_outputs == LENGTHS[queries]
        assert wiring.fits == {queries}
        assert wiring.depends_on == set(sources)
    assert wiring.name == NAMES.get(sources, "")


@pytest.mark.parametrize("sources", CHOICES)
def test_with_equal_lengths_every_wiring_runs(sources: Sources) -> None:
    """This is why a wrong wiring goes unnoticed: every shape fits."""
    wiring = wire(*sources, S=4, T=4)
    assert wiring.n_outputs == 4
    assert wiring.fits == {"encoder", "decoder"}
    assert wiring.depends_on == set(sources)


def test_the_three_names_are_those_of_the_model() -> None:
    """Each attention of a real encoder-decoder has queries, keys and values of the lengths that its name says."""
    config = TransformerConfig(vocab_size=9, d_model=8, n_heads=2, n_encoder_layers=1, n_decoder_layers=1)
    model = Transformer(config, torch.Generator().manual_seed(0)).eval()
    recorder = Recorder("q", "k", "v")
    with torch.inference_mode():
        model(torch.arange(5)[None], torch.arange(3)[None], tap=recorder)
    paths = {
        "encoder self-attention": "encoder.0.self_attn",
        "decoder self-attention": "decoder.0.self_attn",
        "cross-attention": "decoder.0.cross_attn",
    }
    for sources, name in NAMES.items():
        lengths = [recorder[f"{paths[name]}.{port}"].shape[2] for port in "qkv"]
        assert lengths == [LENGTHS[stream] for stream in sources]


def test_the_output_depends_on_no_other_stream() -> None:
    assert wire("decoder", "decoder", "decoder", 5, 3).depends_on == {"decoder"}
    assert wire("encoder", "encoder", "encoder", 5, 3).depends_on == {"encoder"}


def test_another_stream_is_refused() -> None:
    memory: Stream = "memory"  # pyrefly: ignore
    with pytest.raises(KeyError):
        wire(memory, "encoder", "encoder", 5, 3)
