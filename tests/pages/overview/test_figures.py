"""The map of the model says the shapes that a model of these sizes really has."""

import re
from itertools import pairwise

import pytest
import torch

from pages.overview.figures import HEIGHT, WIDTH, model_map
from pages.shared.model_map import Map
from transformer import Recorder, Transformer, TransformerConfig

CONFIG = TransformerConfig(d_model=24, n_heads=3, d_ff=40, n_encoder_layers=2, n_decoder_layers=1, vocab_size=50)
B, S, T = 3, 7, 4


@pytest.fixture(scope="module")
def figure() -> Map:
    return model_map(
        B=B, S=S, T=T, d_model=24, n_heads=3, d_ff=40, n_encoder=2, n_decoder=1, vocab_size=CONFIG.tgt_vocab_size
    )


@pytest.fixture(scope="module")
def tensors() -> dict[str, tuple[int, ...]]:
    """The shape of every tensor of a forward pass of that model, by path."""
    recorder = Recorder()
    model = Transformer(CONFIG, torch.Generator().manual_seed(0)).eval()
    model(torch.arange(S).expand(B, S), torch.arange(T).expand(B, T), tap=recorder)
    return {name: tuple(tensor.shape) for name, tensor in recorder.items()}


@pytest.mark.parametrize(
    ("row", "label", "path"),
    [
        (0, "Embedding", "encoder.embedded"),
        (0, "+ positions", "encoder.positioned"),
        (0, "Self-attention", "encoder.1.self_attn.weights"),
        (0, "Memory", "encoder.out"),
        (1, "Embedding", "decoder.embedded"),
        (1, "Masked self-attention", "decoder.0.self_attn.weights"),
        (1, "Cross-attention", "decoder.0.cross_attn.weights"),
        (1, "Linear", "logits"),
        (1, "Softmax", "logits"),
    ],
)
def test_shapes_are_those_of_the_model(
    figure: Map, tensors: dict[str, tuple[int, ...]], row: int, label: str, path: str
) -> None:
    blocks = [block for block in figure.blocks if block.label == label]
    block = sorted(blocks, key=lambda block: block.y)[row if len(blocks) == 2 else 0]
    assert block.shape == str(tensors[path])


def test_the_feed_forward_names_both_widths(figure: Map, tensors: dict[str, tuple[int, ...]]) -> None:
    upper, lower = sorted((b for b in figure.blocks if b.label == "Feed-forward"), key=lambda block: block.y)
    for block, path in ((upper, "encoder.0.feed_forward"), (lower, "decoder.0.feed_forward")):
        assert block.shape == f"{tensors[path + '.out']} via {tensors[path + '.hidden'][-1]}"


def test_nothing_overlaps_or_leaves_the_map(figure: Map) -> None:
    for row in {block.y for block in figure.blocks}:
        blocks = sorted((b for b in figure.blocks if b.y == row), key=lambda block: block.x)
        for left, right in pairwise(blocks):
            assert left.x + left.width < right.x
        assert blocks[-1].x + blocks[-1].width <= WIDTH
    for frame in figure.frames:
        assert frame.x + frame.width <= WIDTH
        assert frame.y + frame.height <= HEIGHT


def test_the_widest_sizes_fit_their_boxes() -> None:
    """A digit takes half its height of 13; commas and brackets take less."""
    widest = model_map(
        B=64, S=64, T=64, d_model=1024, n_heads=16, d_ff=4096, n_encoder=12, n_decoder=12, vocab_size=50_000
    )
    for block in widest.blocks:
        assert 6.6 * len(block.shape) < block.width, block
        assert 7.9 * len(block.label) < block.width, block


def test_layers_are_counted_and_told_to_those_who_do_not_see(figure: Map) -> None:
    assert [re.match(r"\d+", frame.label)[0] for frame in figure.frames] == ["2", "1"]
    assert "2 layers of self-attention with 3 heads" in figure.alt
    assert "1 layer of masked self-attention, cross-attention" in figure.alt


def test_three_attentions_are_violet_and_every_part_explains_itself(figure: Map) -> None:
    assert sum(block.colour == "weight" for block in figure.blocks) == 3
    assert all(len(block.help) > 15 for block in figure.blocks)
