"""Trained models on the page on blocks: their own weights, and what they answer."""

import numpy as np
import pytest
import torch

from pages.shared.text_input import EXAMPLES, REVIEWS, STORIES, UNTRAINED
from tests.pages.driver import chart, choose, control, visit, words
from transformer.inspection import ablations, blocks
from transformer.model import SingleStack, Transformer
from transformer.training import shipped
from transformer.training.checkpoints import Checkpoint
from transformer.training.text import BOS

DEFAULT = "mia found a red ball in the park. in the evening mia took the red"
NAMES = {STORIES: "stories", REVIEWS: "sentiment"}


def model_of(checkpoint: Checkpoint) -> SingleStack:
    model = checkpoint.model()
    assert not isinstance(model, Transformer)
    return model


def ids_of(checkpoint: Checkpoint, text: str) -> list[int]:
    return [BOS, *checkpoint.task.source.encode(text)]


def test_the_stream_of_a_trained_model_is_read_out_at_first() -> None:
    at = visit("blocks", blocks_part="Residual stream")
    checkpoint = shipped.load("stories")
    ids = ids_of(checkpoint, DEFAULT)
    stream = blocks.follow_token(model_of(checkpoint), ids, len(ids) - 1)
    drawing = chart(at)
    (heatmap,) = drawing["data"]
    columns = drawing["layout"]["xaxis"]["ticktext"]
    label = checkpoint.task.source.label
    labels = [label(i) for i in range(len(checkpoint.task.source))]
    lens = stream.lens[:, [labels.index(word) for word in columns]]
    np.testing.assert_allclose(np.array(heatmap["z"], float), lens, atol=1e-5)
    best = label(int(stream.logits.argmax()))
    assert columns[0] == best == "ball"  # what the story said of the red thing
    assert f"At the top it says **{best}**" in words(at)
    ranks = stream.ranks([labels.index(best)])[:, 0]
    assert f"at the bottom it was at place **{ranks[0]}**" in words(at)
    is_first = ranks == 1
    assert f"stands first from “{stream.heights[int(np.argmax(is_first))]}” on" in words(at)
    assert is_first[np.argmax(is_first) :].all()


def test_another_part_is_untrained_again() -> None:
    at = choose(visit("blocks", blocks_part="Residual stream"), blocks_part="One layer")
    assert control(at, "weights").value == UNTRAINED
    assert control(at, "text").value == EXAMPLES[0]


@pytest.mark.parametrize("part", ["Residual", "Norm", "Feed-forward", "Attention"])
def test_a_trained_model_answers_without_a_part(part: str) -> None:
    at = visit("blocks", blocks_part="Pull a plug", weights=STORIES, blocks_plug=part)
    checkpoint = shipped.load("stories")
    ids = ids_of(checkpoint, DEFAULT)
    ablated = ablations.ablate(model_of(checkpoint), part.lower().replace("-", "_"))
    logits = torch.from_numpy(ablations.stream_statistics(ablated, ids).logits)
    best = logits[-1].softmax(-1).max(-1)
    right = sum(int(logits[i].argmax()) == ids[i + 1] for i in range(len(ids) - 1))
    label = checkpoint.task.source.label(int(best.indices))
    row = f"| {part.lower()} out | **{label}** | {best.values:.0%} | {right} of"
    assert row in words(at).replace("\\", "")
    assert "This model is random" not in words(at)


def test_an_encoder_answers_at_the_beginning() -> None:
    at = visit("blocks", blocks_part="Residual stream", weights=REVIEWS)
    assert chart(at)["layout"]["xaxis"]["ticktext"][0] in ("positive", "negative")
    assert "This is the place where it was asked" in words(at)
    at = visit("blocks", blocks_part="Residual stream", weights=REVIEWS, blocks_token="3 soup")
    assert "only ever asked at" in words(at)


@pytest.mark.parametrize("part", ["One layer", "Layer norm", "Feed-forward"])
@pytest.mark.parametrize("weights", NAMES)
def test_a_layer_of_a_trained_model(part: str, weights: str) -> None:
    at = visit("blocks", blocks_part=part, weights=weights, blocks_layer="2")
    checkpoint = shipped.load(NAMES[weights])
    ids = ids_of(checkpoint, control(at, "text").value)
    if part == "One layer":
        expected = blocks.stages(model_of(checkpoint), ids, 1)["norm1"]
        np.testing.assert_allclose(chart(at)["data"][0]["z"], expected, atol=1e-5)
    if part == "Layer norm":
        gain = checkpoint.weights[f"{checkpoint.task.kind}.layers.1.norm1.weight"]
        assert f"γ lies from {gain.min():.2f} to {gain.max():.2f}" in words(at)
