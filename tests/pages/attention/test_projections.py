"""Make q, k, v: the figure shows the model's own numbers, and a query finds what the text says it finds."""

import base64
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch

from lab.kit import story
from lab.kit.controls.reader import REVIEWS, STORIES
from lab.kit.models.references import BeforeTraining, Shipped
from lab.kit.models.source import ModelRef
from pages.attention import data
from tests.pages.driver import notices, payload, press, visit, words
from transformer.inspection.projections import project
from transformer.inspection.steps import head_steps

VIEW = {"att_way": "Make q, k, v"}
TOKENS = ("⟨start⟩", "the", "soup", "was", "not", "good")
WRITER = Shipped(story.WRITER)
TEXT = "mia found a red hat. tom found a blue ball. mia took the red"
STORY = ("⟨start⟩", *TEXT.replace(".", " .").split())
LAYER, HEAD = 2, 0  # what the view opens on


def unpacked(text: str, many: int) -> np.ndarray:
    return np.frombuffer(base64.b64decode(text), "<f4").astype(float).reshape(many, -1)


def similarities(
    ref: ModelRef, one: tuple[tuple[str, ...], int], other: tuple[tuple[str, ...], int]
) -> dict[str, float]:
    """The cosines of what the three matrices make of two tokens, each in its text."""
    found: dict[str, float] = {}
    for which in ("q", "k", "v"):
        a, b = (data.projection(ref, text, LAYER, HEAD, which).y[n].astype(float) for text, n in (one, other))
        found[which] = float(a @ b / np.linalg.norm(a) / np.linalg.norm(b))
    return found


@pytest.mark.parametrize(
    ("weights", "ref", "tokens"), [(STORIES, WRITER, STORY), (REVIEWS, Shipped("sentiment"), TOKENS)]
)
def test_the_strips_are_the_model_s_and_their_products_add_up_to_its_scores(
    weights: str, ref: ModelRef, tokens: tuple[str, ...]
) -> None:
    source = ref.resolve()
    ids, at = source.ids(tokens), len(tokens) - 1
    for layer, head in ((0, 0), (source.n_layers - 1, source.config.n_heads - 1)):
        where = {"att_at": layer, "att_head": head}
        sent = payload(
            visit("attention", **VIEW, **where, weights=weights, text=" ".join(tokens[1:]).replace(" .", "."))
        )
        assert (tuple(sent["words"]), sent["at"]) == (tokens, at)
        own = sent["asked"][0]
        for name, which in (("q", "q"), ("values", "v")):
            truth = project(source.single_stack, ids, layer, head, which)
            np.testing.assert_allclose(unpacked(own["x"], at + 1), truth.x, atol=1e-5)
            expected = truth.y if name == "values" else truth.y[[at]]
            np.testing.assert_allclose(unpacked(own[name], len(expected)), expected, rtol=1e-4, atol=1e-4)
        steps = head_steps(source.single_stack, ids, head, layer)
        products = unpacked(own["keys"], at + 1) * unpacked(own["q"], 1)
        np.testing.assert_allclose(products.sum(1), steps.stages["scores"][at], rtol=1e-3, atol=1e-3)
        np.testing.assert_allclose(own["weights"], steps.stages["weights"][at], rtol=1e-5)


@pytest.mark.parametrize("held", ["query", "nonsense", None])
def test_links_to_what_was_in_hand_still_open(held: str | None) -> None:
    at = visit("attention", **VIEW, att_make=held, att_query="4 red")
    assert payload(at)["at"] == 4
    assert sum(payload(at)["asked"][0]["open"]) == 5, "a decoder does not look ahead"
    assert notices(at) == ""


def best(ref: ModelRef, text: tuple[str, ...]) -> tuple[str, float]:
    """The word whose key the last query fits best, and its attention weight."""
    fit = data.fit(ref, text, LAYER, HEAD, len(text) - 1, False)
    key = int(fit.scores.argmax())
    return text[key], float(fit.weights[key])


def test_the_query_of_red_fits_hat_and_that_of_blue_fits_ball_and_untrained_none() -> None:
    """What is claimed to matter is the word that asks, and training; what is not: which things the words name."""
    sent = payload(visit("attention", **VIEW))
    own, other = sent["asked"]
    assert (own["word"], other["word"], sent["at"]) == ("red", "blue", 16)
    assert [sent["words"][int(np.argmax(one["scores"]))] for one in (own, other)] == ["hat", "ball"]
    many = len(STORY)
    keys, again = (unpacked(one["keys"], many)[:16] for one in (own, other))
    np.testing.assert_allclose(keys, again, atol=1e-5, err_msg="the same keys: only the query is another")
    assert best(WRITER, STORY)[1] > 0.5
    swapped = (
        "⟨start⟩",
        *[
            "mia",
            "found",
            "a",
            "blue",
            "hat",
            ".",
            "tom",
            "found",
            "a",
            "red",
            "ball",
            ".",
            "mia",
            "took",
            "the",
            "red",
        ],
    )
    assert best(WRITER, swapped)[0] == "ball", "it finds what is red, not hats"
    assert best(BeforeTraining(WRITER), STORY)[1] < 0.2


SWAPS = [(4, "blue"), (4, "green"), (5, "ball"), (10, "green"), (11, "hat"), (1, "lily")]


@pytest.mark.parametrize(("place", "word"), SWAPS)
def test_another_word_of_its_kind_keeps_query_and_key_and_changes_the_value(place: int, word: str) -> None:
    """What a word looks for, and is found by, goes with its part in the sentence; what it passes on, with the word."""
    text = (*STORY[:place], word, *STORY[place + 1 :])
    trained = similarities(WRITER, (STORY, place), (text, place))
    assert min(trained["q"], trained["k"]) > 0.8
    assert trained["v"] < 0.6
    untrained = similarities(BeforeTraining(WRITER), (STORY, place), (text, place))
    least = min(untrained["q"], untrained["k"])
    assert least - untrained["v"] < 0.3, "training has parted them"


def test_the_same_word_at_another_place_keeps_the_value_and_changes_query_and_key() -> None:
    twin = similarities(WRITER, (STORY, 4), (STORY, 16))
    assert twin["v"] > 0.7 > 0.5 > max(twin["q"], twin["k"])
    later = (*STORY[:11], "hat", *STORY[12:])  # what comes later changes nothing
    np.testing.assert_allclose(list(similarities(WRITER, (STORY, 4), (later, 4)).values()), 1, atol=1e-4)


def test_only_a_word_with_a_similar_row_is_swapped_in_trained_or_not() -> None:
    others, cosines = data.similar_words(WRITER, STORY)
    pairs = {STORY[n]: STORY[other] for n, other in enumerate(others) if other is not None}
    assert pairs == pairs | {"red": "blue", "blue": "red", "hat": "ball", "mia": "tom", "a": "the"}
    source = WRITER.resolve()
    rows = source.single_stack.stack.embedding.weight.detach().numpy().astype(float)[list(source.ids(STORY))]
    red, blue = rows[4], rows[10]
    assert cosines[4] == pytest.approx(red @ blue / np.linalg.norm(red) / np.linalg.norm(blue))
    assert data.swapped(WRITER, STORY, 0) is None, "a mark is no word"
    assert data.swapped(WRITER, ("⟨start⟩", "red", "red"), 1) is None
    assert data.swapped(WRITER, ("⟨start⟩", "red", "mia"), 1) is None, "they are not similar"
    before = data.swapped(BeforeTraining(WRITER), STORY, 4)
    assert before is not None
    assert before[4] == "blue", "training changes the numbers, not the question"


@dataclass(frozen=True)
class Pieces(ModelRef):
    """A model whose tokens bring the space before them."""

    def resolve(self) -> Any:
        rows = torch.tensor([[1.0, 0.0], [0.9, 0.1], [1.0, 0.0], [0.0, 1.0]])
        stack = SimpleNamespace(embedding=SimpleNamespace(weight=rows))
        return SimpleNamespace(single_stack=SimpleNamespace(stack=stack), ids=lambda tokens: range(len(tokens)))


def test_a_word_that_brings_its_space_is_a_word_and_no_other_than_without_it() -> None:
    others, cosines = data.similar_words(Pieces(), ("·red", "·blue", "red", "·."))
    assert others == [1, 0, 1, None]
    assert cosines[0] == pytest.approx(0.9 / np.hypot(0.9, 0.1))


def test_another_text_changes_the_vectors_and_not_the_matrices() -> None:
    at = visit("attention", **VIEW)
    before = payload(at)
    at = press(press(at, "attention-learned-1"), "try-attention-learned")
    text = "mia found a green hat. tom found a blue ball. mia took the green"
    assert at.text_input(key="text").value == text
    assert before["asked"][0]["q"] != payload(at)["asked"][0]["q"]
    after = ("⟨start⟩", *text.replace(".", " .").split())
    w, w_after = (data.projection(WRITER, tokens, LAYER, HEAD, "q").w for tokens in (STORY, after))
    np.testing.assert_array_equal(w, w_after)
    assert "Positions turn each key" in words(at)
