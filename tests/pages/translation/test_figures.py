"""The figures of the page on translation show the numbers that they are given."""

from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest

from pages.translation import figures
from pages.translation.components import pulled_plug
from pages.translation.components.alignment_threads import payload

QUERIES, KEYS = ("le", "chat", "le"), ("the", "cat")
RNG = np.random.default_rng(0)


def trace(figure: go.Figure) -> Any:
    """The only trace of a figure."""
    (only,) = figure.data
    return only


def test_two_maps_in_one_range_with_words_that_come_twice() -> None:
    weights = RNG.random((3, 2))
    figure = figures.cross_attention(QUERIES, KEYS, weights, 0.9, "A: layer 0")
    np.testing.assert_array_equal(trace(figure).z, weights)
    assert (trace(figure).zmin, trace(figure).zmax) == (0, 0.9)
    assert figure.layout.yaxis.ticktext == QUERIES
    assert figure.layout.xaxis.ticktext == KEYS
    assert trace(figure).text[2][1] == "le → cat"


def test_a_change_is_even_about_zero_and_blank_where_there_is_none() -> None:
    gap = np.array([[0.1, -0.4], [np.nan, np.nan], [0.0, 0.2]])
    shown = trace(figures.attention_change(QUERIES, KEYS, gap))
    assert (shown.zmin, shown.zmax) == (-0.4, 0.4)
    assert np.isnan(shown.z[1]).all()
    assert tuple(shown.colorbar.tickvals) == (-0.4, 0, 0.4)
    assert tuple(shown.colorbar.ticktext) == ("−0.40", "0", "0.40")
    nothing = trace(figures.attention_change(QUERIES, KEYS, np.zeros((3, 2))))
    assert (nothing.zmin, nothing.zmax) == (-1, 1)


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
    pulled = pulled_plug.payload(KEYS, whole, ablated, plug="the memory", layer=1, carries=False)
    assert [side["words"] for side in pulled["sides"]] == [list(QUERIES), [QUERIES[0]]]
    np.testing.assert_allclose(pulled["sides"][1]["weights"], ablated[1], atol=1e-4)
    with pytest.raises(ValueError, match="weights cannot join 1 and 2 words"):
        pulled_plug.payload(KEYS, whole, (QUERIES[:1], weights[0, 0]), plug="", layer=0)
    with pytest.raises(ValueError, match="3 x 2 weights cannot join 2 and 3 words"):
        payload(QUERIES, KEYS, weights)
