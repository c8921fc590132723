"""Softmax: the wrong axis is named, and what changes the weights is what should."""

from typing import Any

import numpy as np
from streamlit.testing.v1 import AppTest

from pages.attention.matrices import SMALL
from tests.pages.driver import chart, choose, notices, visit, words
from transformer.inspection.steps import steps


def weights(at: AppTest) -> np.ndarray:
    """The weights of the map; blocked cells are NaN."""
    return np.array(chart(at, 1)["data"][0]["z"], dtype=float)


def numbers(**link: Any) -> AppTest:
    return visit("attention", att_way="Softmax", att_on="small numbers", **link)


def test_softmax_along_the_wrong_axis_is_named() -> None:
    at = numbers()
    assert notices(at) == ""
    at = choose(at, att_axis="queries")
    assert "Wrong axis" in notices(at)
    wrong = np.exp(steps(*SMALL).stages["scaled"])
    assert f"adds up to {(wrong / wrong.sum(0)).sum(1)[0]:.2f}" in notices(at)


def test_temperature_changes_the_map() -> None:
    at = numbers(mask="causal")
    before = weights(at)
    after = weights(choose(at, att_t=0.25))
    np.testing.assert_array_equal(np.isnan(after), np.isnan(before))
    assert np.nanmax(np.abs(after - before)) > 0.01


def test_adding_to_every_score_does_not_change_the_map() -> None:
    at = numbers()
    before = weights(at)
    np.testing.assert_allclose(weights(choose(at, att_add=50)), before, atol=1e-12)


def test_leaving_the_division_out_is_a_temperature() -> None:
    at = numbers()
    scores = steps(*SMALL).stages["scores"][0]
    undivided = np.exp(scores) / np.exp(scores).sum()
    bars, plain, without = chart(at)["data"]
    np.testing.assert_allclose(bars["y"], plain["y"])
    np.testing.assert_allclose(without["y"], undivided)
    assert f":violet[**{undivided.max():.2f}**] instead of :violet[**{plain['y'].max():.2f}**]" in words(at)
    np.testing.assert_allclose(chart(choose(at, att_t=0.5))["data"][0]["y"], undivided)
