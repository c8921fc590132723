"""Make q, k, v: the figure and the sum beside it are the model's own, and trying it shows what is learned."""

import base64
import copy
import re
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
from pages.attention import data, projections
from tests.pages.driver import notices, payload, press, visit, words
from transformer.inspection.projections import project

VIEW = {"att_way": "Make q, k, v"}
TOKENS = ("⟨start⟩", "the", "soup", "was", "not", "good")
WRITER = Shipped(story.WRITER)
TEXT = "mia found a red hat. tom found a blue ball. mia took the red"
STORY = ("⟨start⟩", *TEXT.replace(".", " .").split())
LAYER, HEAD = 2, 0  # what the view opens on


def unpacked(text: str) -> np.ndarray:
    return np.frombuffer(base64.b64decode(text), "<f4").astype(float)


def made_of(sent: dict[str, Any], made: str, x: np.ndarray) -> np.ndarray:
    """What the browser makes of vectors (T, D), in double precision, as it does."""
    b = unpacked(sent["mills"][made]["b"])
    return x @ unpacked(sent["mills"][made]["w"]).reshape(-1, len(b)) + b


def vectors(sent: dict[str, Any]) -> np.ndarray:
    return unpacked(sent["x"]).reshape(len(sent["words"]), -1)


def similarities(
    ref: ModelRef, one: tuple[tuple[str, ...], int], other: tuple[tuple[str, ...], int]
) -> dict[str, float]:
    """The cosines of what the three matrices make of two tokens, each in its text."""
    found: dict[str, float] = {}
    for made, which in projections.MAPS.items():
        a, b = (data.projection(ref, text, LAYER, HEAD, which).y[n].astype(float) for text, n in (one, other))
        found[made] = float(a @ b / np.linalg.norm(a) / np.linalg.norm(b))
    return found


@pytest.mark.parametrize(
    ("weights", "ref", "tokens"), [(STORIES, WRITER, STORY), (REVIEWS, Shipped("sentiment"), TOKENS)]
)
def test_the_products_of_each_strip_add_up_to_the_number_in_the_model(
    weights: str, ref: ModelRef, tokens: tuple[str, ...]
) -> None:
    """The truth is the model in double precision; the sum of the products is its number."""
    source = ref.resolve()
    exact = copy.deepcopy(source.single_stack).double()
    for layer, head in ((0, 0), (source.n_layers - 1, source.config.n_heads - 1)):
        at = {"att_at": layer, "att_head": head}
        sent = payload(visit("attention", **VIEW, **at, weights=weights, text=" ".join(tokens[1:]).replace(" .", ".")))
        assert tuple(sent["words"]) == tokens
        for made, which in projections.MAPS.items():
            truth = project(exact, source.ids(tokens), layer, head, which)
            np.testing.assert_allclose(made_of(sent, made, vectors(sent)), truth.y, rtol=1e-4, atol=1e-4)
            np.testing.assert_allclose(unpacked(sent["mills"][made]["b"]), truth.b, rtol=1e-6)


def test_a_link_takes_a_strip_in_hand_and_the_text_spells_out_its_number() -> None:
    at = visit("attention", **VIEW, weights=REVIEWS, text=" ".join(TOKENS[1:]), att_query="5 good", att_make="value")
    sent = payload(at)
    assert (sent["held"], sent["words"][sent["at"]]) == ("value", "good")
    line = next(line for line in words(at).splitlines() if "more" in line and " = **" in line)
    spelled = line.replace("−", "-").split(" = **")
    total = 0.0
    for part in spelled[0].split(" + "):
        total += np.prod([float(number) for number in re.findall(r"-?\d+\.\d+", part)])
    assert abs(total - float(spelled[1].removesuffix("**"))) < 0.05, "up to the rounding of each number"
    numbers = made_of(sent, "value", vectors(sent))[5]
    assert abs(abs(numbers).max() - abs(float(spelled[1].removesuffix("**")))) < 0.01, "it is the largest"


@pytest.mark.parametrize("held", ["query", "key", "nonsense", None])
def test_links_to_the_switch_that_the_strips_replaced_still_open(held: str | None) -> None:
    at = visit("attention", **VIEW, att_make=held, att_query="16 red")
    assert payload(at)["held"] == (held if held in projections.MAPS else None)
    assert payload(at)["at"] == 16
    assert notices(at) == ""


def test_the_story_opens_on_red_and_the_numbers_of_its_last_word_earn_the_score_of_hat() -> None:
    sent = payload(visit("attention", **VIEW))
    assert (sent["words"][sent["at"]], sent["at"], sent["held"], sent["swap"]["word"]) == ("red", 4, None, "blue")
    finds, last = sent["finds"], len(sent["words"]) - 1
    assert (sent["words"][last], sent["words"][finds["keys"][last]]) == ("red", "hat")
    q = made_of(sent, "query", vectors(sent))
    earned, met = (unpacked(finds[name]).reshape(q.shape) for name in ("earned", "met"))
    np.testing.assert_allclose(earned.sum(1), finds["scores"], rtol=1e-3, atol=1e-3)
    np.testing.assert_allclose(q * met / finds["scale"], earned, rtol=1e-3, atol=1e-3)
    assert finds["turned"], "its positions are rotary"
    assert 0.2 < earned[last].max() / finds["scores"][last] < 0.5


def test_the_word_swapped_in_has_the_vector_that_the_model_has_there() -> None:
    sent = payload(visit("attention", **VIEW))
    text = (*STORY[:4], "blue", *STORY[5:])
    x = data.projection(WRITER, text, LAYER, HEAD, "q").x
    np.testing.assert_allclose(unpacked(sent["swap"]["x"]), x[4], rtol=1e-5, atol=1e-6)
    assert not np.allclose(x[4], vectors(sent)[10], atol=0.1), "nor is it that of blue where it stands"
    np.testing.assert_allclose(x[:4], vectors(sent)[:4], atol=1e-5)  # what comes before does not hear of it


SWAPS = [(4, "blue"), (4, "green"), (5, "ball"), (10, "green"), (11, "hat"), (1, "lily")]


@pytest.mark.parametrize(("place", "word"), SWAPS)
def test_another_word_of_its_kind_keeps_query_and_key_and_changes_the_value(place: int, word: str) -> None:
    """What a word looks for, and is found by, goes with its part in the sentence; what it passes on, with the word."""
    text = (*STORY[:place], word, *STORY[place + 1 :])
    trained = similarities(WRITER, (STORY, place), (text, place))
    assert min(trained["query"], trained["key"]) > 0.8
    assert trained["value"] < 0.6
    untrained = similarities(BeforeTraining(WRITER), (STORY, place), (text, place))
    least = min(untrained["query"], untrained["key"])
    assert least - untrained["value"] < 0.3, "training has parted them"


def test_the_same_word_at_another_place_keeps_the_value_and_changes_query_and_key() -> None:
    twin = similarities(WRITER, (STORY, 4), (STORY, 16))
    assert twin["value"] > 0.7 > 0.5 > max(twin["query"], twin["key"])
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
    assert data.swapped(WRITER, STORY, LAYER, HEAD, 0) is None, "a mark is no word"
    assert data.swapped(WRITER, ("⟨start⟩", "red", "red"), LAYER, HEAD, 1) is None
    assert data.swapped(WRITER, ("⟨start⟩", "red", "mia"), LAYER, HEAD, 1) is None, "they are not similar"
    before = data.swapped(BeforeTraining(WRITER), STORY, LAYER, HEAD, 4)
    assert before is not None
    assert before.word == "blue", "training changes the numbers, not the question"


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
    after = payload(at)
    assert at.text_input(key="text").value == "mia found a green hat. tom found a blue ball. mia took the green"
    assert before["mills"] == after["mills"]
    assert not np.allclose(vectors(before), vectors(after))
    assert after["mills"]["query"]["w"] != after["mills"]["value"]["w"]


def test_a_word_that_stands_twice() -> None:
    at = visit("attention", **VIEW, text="the soup and the bread", att_query="4 the")
    assert "“the” occurs 2 times, and each has another query" in words(at)
    never_told = projections.Settings(
        projections.Subject(None, ("a", "b", "a"), Shipped("sentiment"), 0, 0, False), 0, "key"
    )
    made = data.projection(Shipped("sentiment"), TOKENS, 0, 0, "k")
    same = type(made)(made.x[[0, 1, 0]], made.w, made.b, made.y[[0, 1, 0]])
    assert "Its vector is the same each time" in projections._twice(never_told, same)
