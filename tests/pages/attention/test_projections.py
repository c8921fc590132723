"""Make q, k, v: the figure and the sum beside it are the model's own, and trying it shows what is learned."""

import re

import numpy as np

from lab.kit.controls.reader import REVIEWS
from lab.kit.models.references import Shipped
from pages.attention import data, mill_figures, projections
from tests.pages.driver import chart, choose, press, visit, words

TOKENS = ("⟨start⟩", "the", "soup", "was", "not", "good")


def test_the_figure_shows_the_product_and_the_sum_adds_up() -> None:
    at = visit("attention", att_way="Make q, k, v", weights=REVIEWS, text=" ".join(TOKENS[1:]))
    truth = data.projection(Shipped("sentiment"), TOKENS, 0, 3, "q")
    x, w, y, *others = (np.array(trace["z"], float) for trace in chart(at)["data"])
    keys, values = (data.projection(Shipped("sentiment"), TOKENS, 0, 3, which) for which in ("k", "v"))
    for other, (matrix, made) in ((keys, others[:2]), (values, others[2:])):
        np.testing.assert_allclose(matrix, other.w, rtol=1e-5, atol=1e-6)
        np.testing.assert_allclose(made[0], other.y[5], rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(w, truth.w, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(x[:, 0], truth.x[5], rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(y[0], x[:, 0] @ w + truth.b, rtol=1e-4, atol=1e-5)
    line = next(line for line in words(at).splitlines() if "more" in line and " = **" in line)
    total, spelled = 0.0, line.replace("−", "-").split(" = **")
    for part in spelled[0].split(" + "):
        numbers = [float(number) for number in re.findall(r"-?\d+\.\d+", part)]
        total += np.prod(numbers)
    assert abs(total - float(spelled[1].removesuffix("**"))) < 0.05, "up to the rounding of each number"


def test_another_text_changes_the_vectors_and_not_the_matrix() -> None:
    at = visit("attention", att_way="Make q, k, v")
    before = chart(at)["data"]
    at = press(press(at, "attention-learned-1"), "try-attention-learned")
    after = chart(at)["data"]
    assert at.text_input(key="text").value == "mia found a green hat. tom found a blue ball. mia took the green"
    np.testing.assert_array_equal(before[1]["z"], after[1]["z"])
    assert not np.allclose(before[0]["z"], after[0]["z"])
    frames = [shape["xref"] for shape in chart(at)["layout"]["shapes"] if shape["xref"] != "paper"]
    of_value = chart(choose(at, att_make="value"))["layout"]["shapes"]
    assert (frames, [shape["xref"] for shape in of_value if shape["xref"] != "paper"]) == (["x2"] * 2, ["x4"] * 2)


def test_a_word_that_stands_twice() -> None:
    at = visit("attention", att_way="Make q, k, v", text="the soup and the bread", att_query="4 the")
    assert "“the” occurs 2 times, and each has another query" in words(at)
    never_told = projections.Settings(
        projections.Subject(None, ("a", "b", "a"), Shipped("sentiment"), 0, 0, False), 0, "key"
    )
    made = data.projection(Shipped("sentiment"), TOKENS, 0, 0, "k")
    same = type(made)(made.x[[0, 1, 0]], made.w, made.b, made.y[[0, 1, 0]])
    assert "Its vector is the same each time" in projections._twice(never_told, same)


def test_a_figure_of_many_numbers_has_none_written_in_it() -> None:
    x, w = np.arange(40.0), np.ones((40, 20))
    mill = mill_figures.Mill(w, x @ w, "W_k", "key", "#000003")
    drawn = mill_figures.mills(x, {"key": mill}, "key", 3, word="<b>")
    assert [trace.type for trace in drawn.data] == ["heatmap"] * 3
    texts = [note.text for note in drawn.layout.annotations]
    assert "&lt;b&gt;" in texts[0]
    assert len(texts) == 5
    small = mill_figures.mills(x, {"key": mill._replace(w=w[:, :4], y=(x @ w)[:4])}, "key", 3, word="b")
    assert [note.text for note in small.layout.annotations][-4:] == ["780.00"] * 4
