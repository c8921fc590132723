"""The words that can be moved on, of Other ways: what the browser is sent, and that it is the models' own."""

from typing import Any

import numpy as np
import pytest

from attention_view.layout import parts
from lab.kit.controls.hyperparameters import POSITIONS
from pages.positions import data
from pages.positions.components.moved_words import STEP, pack
from tests.pages import driver
from tests.pages.driver import choose, payloads, words
from transformer.inspection import moving

WAYS = ["sinusoidal", "rotary", "ALiBi"]


def sent(**chosen: Any) -> tuple[dict, dict[str, np.ndarray]]:
    at = driver.visit("positions", pos_view="Other ways")
    (first, _) = payloads(choose(at, **chosen) if chosen else at)
    return parts(first)


def test_the_weights_are_those_of_one_head_of_each_model() -> None:
    header, arrays = sent(pos_head=2, seed=3)
    assert header["ways"] == WAYS
    assert arrays["weights"].shape == (3, data.N_PLACES - data.N_WORDS + 1, data.N_WORDS, data.N_WORDS)
    for weights, way in zip(arrays["weights"], WAYS, strict=True):
        made = moving.moved(POSITIONS[way], data.N_WORDS, len(weights), d_model=64, n_heads=4, seed=3)
        assert np.array_equal(weights, made.weights[2].astype("f4"))


def test_the_press_moves_what_was_added_and_nothing_else() -> None:
    header, arrays = sent()
    for way, weights in zip(header["ways"], arrays["weights"].astype(float), strict=True):
        by_word = np.abs(weights[STEP] - weights[0]).max(axis=1)  # of each looking word
        assert (by_word > 0.01).all() if way == "sinusoidal" else (by_word < 1e-6).all(), way


def test_tags_prices_and_hands_are_those_of_the_schemes() -> None:
    header, arrays = sent()
    wave, clock, price = (moving.moved(POSITIONS[way], 9, 56, d_model=64, n_heads=4, seed=0) for way in WAYS)
    assert np.array_equal(arrays["codes"], wave.codes[:, :32:2])
    assert np.array_equal(arrays["prices"], price.bias[0].astype("f4"))
    assert header["turn"] == clock.turns[1] == pytest.approx(10_000 ** (-1 / 8))


def test_maps_that_do_not_fit_are_refused() -> None:
    square, other = np.ones((2, 3, 3)), np.ones((3, 3, 3))
    with pytest.raises(ValueError, match="no square maps"):
        pack({"a": square, "b": other}, square[0], square[0, 0], 1.0)


def test_what_is_drawn_in_part_is_said_in_words() -> None:
    at = driver.visit("positions", pos_view="Other ways")
    shown = words(at)
    assert "all 9 words are the same token" in shown
    assert "what comes before and after them is masked" in shown
    assert "ends at position 63" in shown
    assert "pair 1; 8 pairs turn" in shown
