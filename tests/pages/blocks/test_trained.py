"""Trained models on the page on blocks: their own weights, and what they answer."""

import re

import numpy as np
import pytest
import torch

from lab.kit import story
from lab.kit.controls.reader import REVIEWS, STORIES
from lab.kit.models.references import Shipped
from lab.kit.words import as_chance, ordinal
from pages.blocks.components.layer_river import MAX_LANES
from pages.blocks.losses import data as losses
from tests.lab.kit.test_models import ids_of, model_of
from tests.pages.blocks.test_page import river, tower
from tests.pages.driver import choose, control, notices, payloads, visit, words
from transformer.inspection import ablations, blocks
from transformer.training import shipped

DEFAULT = story.TEXT
NAMES = {STORIES: "stories", REVIEWS: "sentiment"}


def way(at) -> dict:
    """What the picture of a token's way up was sent."""
    (sent,) = (sent for sent in payloads(at) if isinstance(sent, dict) and "followed" in sent)
    return sent


def test_the_stream_of_a_trained_model_is_read_out_at_first() -> None:
    at = visit("blocks", blocks_part="The stream", text=DEFAULT)
    checkpoint = shipped.load("stories")
    ids = ids_of(checkpoint, DEFAULT)
    stream = blocks.follow_token(model_of(checkpoint), ids, len(ids) - 1)
    shown = way(at)
    label = Shipped("stories").resolve().label
    labels = [label(i) for i in range(len(checkpoint.task.source))]
    for row, logits in enumerate(stream.lens):
        first = [label(int(id)) for id in (-logits).argsort()[:6]]
        assert shown["words"][row] == first
        assert not any(word.startswith("##") for word in first)
    best = label(int(stream.logits.argmax()))
    assert best == "hat"  # the red thing
    assert shown["ranks"] == stream.ranks([labels.index(best)])[:, 0].tolist()
    assert shown["heights"] == list(stream.heights)
    assert (shown["names"][shown["followed"]], shown["followed"]) == ("16 red", shown["usual"])
    assert f"At the top the model says **{best}**" in words(at)
    ranks = stream.ranks([labels.index(best)])[:, 0]
    is_first = ranks == 1
    since = stream.heights[int(np.argmax(is_first))]
    assert f"It takes the lead after **{since}**; at the bottom it was **{ordinal(ranks[0])}**" in words(at)
    assert is_first[np.argmax(is_first) :].all()


def test_what_the_answer_goes_by_is_tried_word_by_word() -> None:
    at = visit("blocks", blocks_part="The stream", text=DEFAULT)
    rows = re.findall(r"^\| (.+) → (.+) \| \*\*(.+)\*\* \| (\S+%) \|$", words(at).replace("\\", ""), re.M)
    checkpoint = shipped.load("stories")
    assert [old for old, *_ in rows] == ["mia", "found", "red", "hat", "tom", "the last red"]
    positions = [1, 2, 4, 5, 7, 16]
    tokens = [checkpoint.task.source.label(n) for n in ids_of(checkpoint, DEFAULT)]
    for n, (old, new, said, sure) in zip(positions, rows, strict=True):
        assert tokens[n] == old.split()[-1]
        changed = [*tokens[1:n], new, *tokens[n + 1 :]]
        ids = ids_of(checkpoint, " ".join(changed))
        with torch.inference_mode():
            odds = model_of(checkpoint)(torch.tensor([ids])).logits[0, -1].softmax(-1)
        assert checkpoint.task.source.label(int(odds.argmax())) == said
        if old not in ("red", "the last red"):  # of another colour no thing was told
            assert said == (new if old == "hat" else "hat")
        assert as_chance(float(odds.max())) == sure
    assert re.search(r"Of these words, .*\*hat\*.* decides? what it says\.", words(at))
    assert "→" not in words(visit("blocks", blocks_part="The stream", weights="untrained", text="a b c"))


def test_every_view_with_a_model_begins_with_a_trained_one() -> None:
    at = choose(visit("blocks", blocks_part="The stream"), blocks_part="One layer")
    assert control(at, "weights").value == STORIES
    assert control(choose(at, blocks_part="Ablation"), "weights").value == STORIES
    assert control(choose(at, blocks_part="The stream"), "weights").value == STORIES


@pytest.mark.parametrize("part", ["Residual", "Norm", "Feed-forward", "Attention"])
def test_a_trained_model_answers_without_a_part(part: str) -> None:
    link = {"blocks_part": "Ablation", "weights": STORIES, "blocks_plug": part, "text": DEFAULT}
    at = visit("blocks", **link, blocks_look="Last map")
    checkpoint = shipped.load("stories")
    ids = ids_of(checkpoint, DEFAULT)
    ablated = ablations.ablate(model_of(checkpoint), part.lower().replace("-", "_"))
    logits = torch.from_numpy(ablations.stream_statistics(ablated, ids).logits)
    odds = logits[-1].softmax(-1)
    right = sum(int(logits[i].argmax()) == ids[i + 1] for i in range(len(ids) - 1))
    label = Shipped("stories").resolve().label
    assert "This model is untrained" not in words(at)
    drawn = tower(at)
    without, n = drawn["verdict"], len(ids) - 1
    with torch.inference_mode():
        whole = model_of(checkpoint)(torch.tensor([ids])).logits[0, -1]
    answer = int(whole.argmax())
    assert drawn["whole"][0][0] == without["leaders"][0][0] == label(answer)
    assert without["leaders"][0][1] == pytest.approx(float(odds[answer]), abs=1e-4)
    first = odds.argsort(descending=True)[:5]
    others = [int(id) for id in first if id != answer and odds[id] >= losses.LEAST][:4]
    assert [word for word, _ in without["leaders"][1:]] == [label(id) for id in others]
    np.testing.assert_allclose([p for _, p in without["leaders"][1:]], odds[others], atol=1e-4)
    assert [is_right for _, is_right in without["words"]].count(True) == right
    assert len(without["words"]) == n


def test_the_last_feed_forward_costs_the_text_most_of_its_next_words() -> None:
    """What is said all along the text without each block is what a model without it says; none leaves fewer right."""
    at = visit("blocks", blocks_part="Ablation", text=DEFAULT, blocks_plug="attention.2")
    checkpoint = shipped.load("stories")
    ids, label = ids_of(checkpoint, DEFAULT), Shipped("stories").resolve().label
    drawn = tower(at)

    def said(model: torch.nn.Module) -> list[tuple[str, bool]]:
        with torch.inference_mode():
            first = model(torch.tensor([ids])).logits[0, :-1].argmax(-1).tolist()
        words = [f"{word}…" if re.fullmatch("[b-hj-z]", word) else word for word in map(label, first)]  # begins one
        return [(word, id == true) for word, id, true in zip(words, first, ids[1:], strict=True)]

    right = {}
    for layer, row in enumerate(drawn["costs"]):
        for part, cost in zip(ablations.SUBLAYERS, row, strict=True):
            cut = ablations.ablate(model_of(checkpoint), f"{part}.{layer}")
            assert [tuple(word) for word in cost["words"]] == said(cut)
            assert len(cost["ways"]) == 9
            right[f"{part}.{layer}"] = sum(is_right for _, is_right in cost["words"])
    whole = sum(is_right for _, is_right in drawn["words"])
    assert [tuple(word) for word in drawn["words"]] == said(model_of(checkpoint))
    (most,) = (part for part, n in right.items() if n == min(right.values()))
    assert most == "feed_forward.2"
    assert right[most] < whole / 2
    bare = said(ablations.ablate(model_of(checkpoint), "residual"))  # what goes out after all blocks
    assert sum(is_right for _, is_right in bare) < right[most]
    assert drawn["out"] == "attention.2"
    assert drawn["verdict"]["name"] == "attention in layer 2"
    assert drawn["verdict"]["words"] == drawn["costs"][2][0]["words"]
    assert drawn["tokens"][1:] == [token for token, _ in zip(drawn["tokens"][1:], drawn["words"], strict=True)]


def test_no_share_of_a_block_is_computed_for_a_model_that_goes_on_with_no_text() -> None:
    costs = tower(visit("blocks", blocks_part="Ablation", weights=REVIEWS))["costs"]
    assert [cost["ways"] for layer in costs for cost in layer] == [[]] * 2 * len(costs)


def test_an_encoder_answers_at_the_beginning() -> None:
    at = visit("blocks", blocks_part="The stream", weights=REVIEWS)
    assert way(at)["words"][-1][0] in ("positive", "negative")
    assert "This is the token where the model is asked" in words(at)
    at = visit("blocks", blocks_part="The stream", weights=REVIEWS, blocks_follow="2 soup")
    assert "only ever asked at" in words(at)
    assert way(at)["followed"] == 2
    at = visit("blocks", blocks_part="The stream", weights=REVIEWS, blocks_follow="2 stone")
    assert "the sentence has no such word: 2 stone" in notices(at)
    assert way(at)["followed"] == way(at)["usual"] == 0


def test_a_followed_word_goes_with_its_sentence() -> None:
    at = visit("blocks", blocks_part="The stream", weights=REVIEWS)
    at.session_state["blocks_follow"] = "2 stone"  # as a press in another sentence
    at = at.run()
    assert "no such word" not in notices(at)
    assert way(at)["followed"] == way(at)["usual"] == 0
    assert "blocks_follow" not in at.session_state


@pytest.mark.few(4)
@pytest.mark.parametrize("step", ["stream in", "norm 1", "norm 2", "feed-forward"])
@pytest.mark.parametrize("weights", NAMES)
def test_a_layer_of_a_trained_model(step: str, weights: str) -> None:
    at = visit("blocks", blocks_step=step, weights=weights, blocks_layer="2")
    checkpoint = shipped.load(NAMES[weights])
    ids = ids_of(checkpoint, control(at, "text").value)
    stages = blocks.stages(model_of(checkpoint), ids, 1)
    for station in river(at)["stations"]:
        lengths = np.linalg.norm(stages[station["step"]][:MAX_LANES], axis=1)
        np.testing.assert_allclose(station["lengths"], lengths, rtol=1e-4, atol=6e-4)
    if step.startswith("norm"):
        name = step.replace(" ", "")
        gain = checkpoint.weights[f"{checkpoint.task.kind}.layers.1.{name}.weight"]
        assert f"γ lies from {gain.min():.2f} to {gain.max():.2f}" in words(at)
