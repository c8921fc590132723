"""Make q, k, v: the figure and the sum beside it are the model's own, and trying it shows what is learned."""

import base64
import re

import numpy as np
from streamlit.testing.v1 import AppTest

from lab.kit.controls.reader import REVIEWS
from lab.kit.models.references import Shipped
from pages.attention import data, projections
from tests.pages.driver import choose, payload, press, visit, words

TOKENS = ("⟨start⟩", "the", "soup", "was", "not", "good")


def sent_numbers(at: AppTest) -> dict[str, np.ndarray]:
    """x of the word in question, w and b as the figure was sent them."""
    sent = payload(at)
    x, w, b = (np.frombuffer(base64.b64decode(sent[name]), "<f4") for name in "xwb")
    x = x.reshape(len(sent["words"]), -1)
    return {"x": x[sent["at"]], "w": w.reshape(x.shape[1], len(b)), "b": b}


def test_the_figure_shows_the_product_and_the_sum_adds_up() -> None:
    at = visit("attention", att_way="Make q, k, v", weights=REVIEWS, text=" ".join(TOKENS[1:]))
    for made, which in projections.MAPS.items():
        at = choose(at, att_make=made)
        truth = data.projection(Shipped("sentiment"), TOKENS, 0, 3, which)
        shown = sent_numbers(at)
        np.testing.assert_allclose(shown["w"], truth.w, rtol=1e-5, atol=1e-6)
        np.testing.assert_allclose(shown["x"], truth.x[5], rtol=1e-5, atol=1e-6)
        np.testing.assert_allclose(shown["x"] @ shown["w"] + shown["b"], truth.y[5], rtol=1e-4, atol=1e-5)
        assert (payload(at)["made"], payload(at)["words"][payload(at)["at"]]) == (made, "good")
        of = data.earned(Shipped("sentiment"), TOKENS, 0, 3, False)
        assert of is not None
        worth = of.earned[5] if made == "query" else abs(truth.y[5])
        assert payload(at)["feature"] == worth.argmax()
    line = next(line for line in words(at).splitlines() if "more" in line and " = **" in line)
    total, spelled = 0.0, line.replace("−", "-").split(" = **")
    for part in spelled[0].split(" + "):
        numbers = [float(number) for number in re.findall(r"-?\d+\.\d+", part)]
        total += np.prod(numbers)
    assert abs(total - float(spelled[1].removesuffix("**"))) < 0.05, "up to the rounding of each number"


def test_the_story_opens_on_the_number_that_earns_most_of_the_score_of_red_and_hat() -> None:
    at = visit("attention", att_way="Make q, k, v")
    sent = payload(at)
    finds, word = sent["finds"], sent["at"]
    assert (sent["words"][word], sent["words"][finds["keys"][word]]) == ("red", "hat")
    earned = np.frombuffer(base64.b64decode(finds["earned"]), "<f4").reshape(len(sent["words"]), -1)
    np.testing.assert_allclose(earned.sum(1), finds["scores"], rtol=1e-3, atol=1e-3)
    assert sent["feature"] == earned[word].argmax()
    met = np.frombuffer(base64.b64decode(finds["met"]), "<f4").reshape(earned.shape)
    q = sent_numbers(at)["x"] @ sent_numbers(at)["w"] + sent_numbers(at)["b"]
    np.testing.assert_allclose(q * met[word] / finds["scale"], earned[word], rtol=1e-3, atol=1e-4)
    assert finds["turned"], "its positions are rotary"
    assert 0.2 < earned[word].max() / finds["scores"][word] < 0.5
    assert payload(choose(at, att_make="value"))["finds"] is None


def test_another_text_changes_the_vectors_and_not_the_matrix() -> None:
    at = visit("attention", att_way="Make q, k, v")
    before = sent_numbers(at)
    at = press(press(at, "attention-learned-1"), "try-attention-learned")
    after = sent_numbers(at)
    assert at.text_input(key="text").value == "mia found a green hat. tom found a blue ball. mia took the green"
    np.testing.assert_array_equal(before["w"], after["w"])
    assert not np.allclose(before["x"], after["x"])
    of_value = sent_numbers(choose(at, att_make="value"))
    np.testing.assert_array_equal(of_value["x"], after["x"])
    assert not np.allclose(of_value["w"], after["w"]), "another matrix, the same vector"


def test_a_word_that_stands_twice() -> None:
    at = visit("attention", att_way="Make q, k, v", text="the soup and the bread", att_query="4 the")
    assert "“the” occurs 2 times, and each has another query" in words(at)
    never_told = projections.Settings(
        projections.Subject(None, ("a", "b", "a"), Shipped("sentiment"), 0, 0, False), 0, "key"
    )
    made = data.projection(Shipped("sentiment"), TOKENS, 0, 0, "k")
    same = type(made)(made.x[[0, 1, 0]], made.w, made.b, made.y[[0, 1, 0]])
    assert "Its vector is the same each time" in projections._twice(never_told, same)
