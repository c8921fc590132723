"""The map of the model says the shapes that a model of these sizes really has."""

import re
from itertools import pairwise

import numpy as np
import pytest
import torch

from pages.overview import figures
from pages.overview.figures import WIDTH, model_map
from pages.overview.parts import Block, Map
from transformer import Recorder, Transformer, TransformerConfig

CONFIG = TransformerConfig(d_model=24, n_heads=3, d_ff=40, n_encoder_layers=2, n_decoder_layers=1, vocab_size=50)
B, S, T = 3, 7, 4


@pytest.fixture(scope="module")
def figure() -> Map:
    return model_map(
        figures.Sizes(B, S, T, 24, 3, 40, 2, 1, CONFIG.tgt_vocab_size),
        about=[
            ("why", "Why", "Why look at everything at once?"),
            ("live", "Live", "How is attention learned?"),
            *((name, name, "What is it like inside?") for name in "abcde"),
        ],
        pictures={"why": figures.steps(7, 7, 1), "live": figures.learning(np.array([4.0, 0.001]))},
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
        assert blocks[-1].x + blocks[-1].width <= WIDTH + 1e-9
    for above, below in pairwise(sorted({(block.y, block.height) for block in figure.blocks})):
        assert sum(above) < below[0]
    for frame in figure.frames:
        assert frame.x + frame.width <= WIDTH
        assert frame.y + frame.height <= figure.height
    assert max(block.y + block.height for block in figure.blocks) <= figure.height


def test_what_is_about_the_whole_has_room_for_its_question(figure: Map) -> None:
    wholes = [block for block in figure.blocks if block.wide]
    assert min(block.width for block in wholes) >= 300  # narrower, and the words reach over the frame
    assert [sum(block.y == y for block in wholes) for y in sorted({block.y for block in wholes})] == [4, 3]


def test_on_a_phone_the_parts_stand_in_two_columns_and_none_overlaps(figure: Map) -> None:
    layout = figure.narrow
    assert layout is not None
    assert len(layout.boxes) == len(figure.blocks)
    assert layout.width <= 390
    for n, (x, y, width, height) in enumerate(layout.boxes):
        assert x >= 0
        assert x + width <= layout.width
        assert y + height <= layout.height
        for x2, y2, width2, height2 in layout.boxes[n + 1 :]:
            assert x + width <= x2 or x2 + width2 <= x or y + height <= y2 or y2 + height2 <= y


def test_the_widest_sizes_fit_their_boxes() -> None:
    """A digit takes half its height of 13; commas and brackets take less."""
    widest = model_map(figures.Sizes(64, 64, 64, 1024, 16, 4096, 12, 12, 50_000))
    parts: list[Block] = [block for block in widest.blocks if not block.wide]
    for block in parts:
        assert 6.6 * len(block.shape) < block.width, block
        assert 7.9 * len(block.label) < block.width, block


def test_layers_are_counted_and_told_to_those_who_do_not_see(figure: Map) -> None:
    assert [re.match(r"\d+", frame.label)[0] for frame in figure.frames] == ["2", "1"]
    assert "2 layers of self-attention with 3 heads" in figure.alt
    assert "1 layer of masked self-attention, cross-attention" in figure.alt


def test_what_is_masked_stays_empty_and_the_rest_are_the_weights() -> None:
    weights = np.tril(np.full((2, 3, 3), 1 / 3))
    picture = figures.heads([weights, weights], is_causal=True)
    assert picture.columns == 2
    assert len(picture.rows) == 4
    assert picture.rows[3] == [[0.333, None, None], [0.333, 0.333, None], [0.333, 0.333, 0.333]]


def test_a_product_shows_query_key_and_their_products() -> None:
    picture = figures.product(np.array([1.0, -2.0]), np.array([3.0, 1.5]))
    assert picture.rows == [[0.5, -1.0], [1.0, 0.5], [1.0, -1.0]]
    assert list(picture.labels) == ["query", "key", ""]


def test_a_loss_is_written_as_a_person_writes_it() -> None:
    assert figures.learning(np.array([np.nan, 4.18, 0.25])).labels == ["loss 4.2 → 0.25"]
    assert figures.learning(np.array([np.nan, 4.18, 8e-5])).labels == ["loss 4.2 → <0.01"]


def test_three_attentions_are_violet_and_every_part_explains_itself(figure: Map) -> None:
    assert sum(block.colour == "weight" for block in figure.blocks) == 3
    assert all(len(block.help) > 15 for block in figure.blocks)
