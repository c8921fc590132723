"""Eight choices of sources for q, k and v: three of them are the attentions of the paper."""

from itertools import product
from typing import Any, get_args

import numpy as np
import pytest
import torch

from transformer.core import masks
from transformer.core.config import TransformerConfig
from transformer.core.model import Transformer
from transformer.core.taps import Recorder
from transformer.inspection.ablations import twin
from transformer.inspection.qkv_sources import NAMES, Stream, wire, without_source
from transformer.inspection.translation import translate
from transformer.training.text import BOS

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


def test_a_decoder_that_reads_itself_alone_writes_the_same_whatever_the_source_says() -> None:
    """Token by token it computes what a causal mask over the whole text gives, and the given model stays as it was."""
    config = TransformerConfig(vocab_size=20, tgt_vocab_size=20, d_model=16, n_heads=2)
    model = Transformer(config, torch.Generator().manual_seed(0)).eval()
    sources = ([3, 4, 5], [9, 8, 7])
    heard = [translate(model, source).frames[0].probs for source in sources]
    assert np.abs(heard[0] - heard[1]).max() > 1e-4
    first, second = (translate(without_source(model), source) for source in sources)
    assert first.written == second.written
    for one, other in zip(first.frames, second.frames, strict=True):
        np.testing.assert_array_equal(one.probs, other.probs)
    np.testing.assert_array_equal(translate(model, sources[0]).frames[0].probs, heard[0])

    class Causal(torch.nn.Module):
        def __init__(self, part: torch.nn.Module) -> None:
            super().__init__()
            self.part = part

        def forward(self, x: torch.Tensor, memory: torch.Tensor, mask: torch.Tensor | None = None, **more: Any) -> Any:
            return self.part(x, None, masks.causal(x.shape[1]), **more)

    whole = twin(model)
    for layer in whole.decoder.layers:
        layer.register_module("cross_attn", Causal(layer.cross_attn))
    written = torch.tensor([[BOS, *first.written[:-1]]])
    with torch.inference_mode():
        at_once = whole(torch.tensor([sources[0]]), written).logits[0].softmax(-1).numpy()
    np.testing.assert_allclose([frame.probs for frame in first.frames], at_once, atol=1e-5)
