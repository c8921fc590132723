"""The figures of the page on translation show the numbers that they are given."""

from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest

from pages.translation import figures
from pages.translation.components import changed_word, taken_apart, without_part
from pages.translation.components.alignment_threads import payload

QUERIES, KEYS = ("le", "chat", "le"), ("the", "cat")
RNG = np.random.default_rng(0)


def trace(figure: go.Figure) -> Any:
    """The only trace of a figure."""
    (only,) = figure.data
    return only


def test_shares_and_heads_say_what_is_left() -> None:
    bars = trace(figures.shares(("none", "memory"), (1.0, 0.25), 1))
    assert tuple(bars.x) == (1.0, 0.25)
    assert tuple(bars.text) == ("100%", "25%")
    assert tuple(bars.y) == ("none", "<b>memory</b>")
    values = np.array([[1.0, 0.5], [0.99, 0.0]])
    heads = trace(figures.head_ablations(values, 0.99, chosen=(0, 1)))
    np.testing.assert_allclose(heads.z, [[0, 0.49], [0, 0.99]])
    assert heads.text[0][1] == "50%"


def test_threads_join_the_words_that_they_fit() -> None:
    weights = RNG.random((2, 1, 3, 2))
    data = payload(KEYS, QUERIES, weights, alignment=((0, 0), (1, 1), (3, 0), (1, 2)))
    assert (data["layers"], data["heads"]) == (2, 1)
    np.testing.assert_allclose(data["weights"], weights.ravel(), atol=1e-4)
    assert data["ghost"] == [[0, 0], [1, 1]]  # what was not written has no thread
    whole, ablated = (QUERIES, weights[0, 0]), (QUERIES[:1], weights[1, 0, :1])
    sent = without_part.payload(KEYS, whole, ablated, part="the memory", layer=1, carries=False)
    assert [side["words"] for side in sent["sides"]] == [list(QUERIES), [QUERIES[0]]]
    np.testing.assert_allclose(sent["sides"][1]["weights"], ablated[1], atol=1e-4)
    with pytest.raises(ValueError, match="weights cannot join 1 and 2 words"):
        without_part.payload(KEYS, whole, (QUERIES[:1], weights[0, 0]), part="", layer=0)
    before, after = changed_word.Side(*whole, [0]), changed_word.Side(*ablated, [0])
    more = {"pairs": [(0, 0)], "head_name": "layer 1, mean", "others": [["a"], ["dog", "house"]], "next": None}
    changed = changed_word.payload(KEYS, 1, "dog", before, after, np.array([1.0, 0.5]), **more)
    assert (changed["word"], changed["cosines"], changed["sides"][0]["changed"]) == ("dog", [1.0, 0.5], [0])
    assert changed["pairs"] == [[0, 0]]
    with pytest.raises(ValueError, match="are not one for each of 2 words"):
        changed_word.payload(KEYS, 1, "dog", before, after, np.ones(3), **more)
    with pytest.raises(ValueError, match="3 x 2 weights cannot join 2 and 3 words"):
        payload(QUERIES, KEYS, weights)
    with pytest.raises(ValueError, match="do not join 3 words to each other"):
        payload(KEYS, QUERIES, weights, back=weights)


def test_a_model_taken_apart_needs_the_text_of_the_whole_one_and_of_what_is_out() -> None:
    texts = {"nothing": taken_apart.Written(QUERIES, True, 3)}
    given: dict = {
        "n": 4,
        "ordered": False,
        "memory": np.array([[1.0, -2.0]]),
        "weights": np.ones((3, 1)),
        "even": np.ones((3, 1)),
        "heads": [("cross", 1, 2)],
        "head": None,
        "without": {("cross", 0, 1): ["la"], None: []},
    }
    data = taken_apart.payload(KEYS, texts, "nothing", **given)
    assert data["texts"] == {"nothing": {"words": list(QUERIES), "ended": True, "right": 3}}
    assert data["memory"] == [[64, -127]]
    assert data["heads"] == [["cross", 1, 2]]
    assert data["ordered"] is False
    assert data["without"] == {"cross,0,1": ["la"], "": []}
    with pytest.raises(ValueError, match="no text of the whole model and of one without memory"):
        taken_apart.payload(KEYS, texts, "memory", **given)
