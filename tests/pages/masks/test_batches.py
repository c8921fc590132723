"""Batches: padding changes nothing as long as it is masked."""

import numpy as np
from streamlit.testing.v1 import AppTest

from tests.pages.driver import choose, notices, words
from tests.pages.masks.brush import panels, visit


def batch(**link: str) -> AppTest:
    return visit(text="a much longer sentence stands here now", masks_view="Batches", weights="untrained", **link)


def test_a_batch_is_each_sentence_alone() -> None:
    at = batch()
    by_title = panels(at)
    assert [len(panel["queries"]) for panel in by_title.values()] == [7, 7, 7]
    assert np.all(by_title["Sentence 2"]["values"][:, 6:] == 0)
    assert np.all(by_title["Sentence 3"]["values"][:, 1:] == 0)
    assert "identical, up to rounding" in words(at)
    assert r"\underbrace{(3, 1, 1, 7)}_{\text{padding}}" in at.latex[0].value


def test_without_the_padding_mask_it_is_not() -> None:
    at = choose(batch(), masks_padding="off")
    assert "**not** identical" in words(at)
    assert all(panel["mask"] is None for panel in panels(at).values())
    assert "identical, up to rounding" in words(choose(at, model="Decoder")), "padding is the future"


def test_a_decoder_has_both_masks() -> None:
    at = batch(model="Decoder")
    latex = at.latex[0].value
    assert r"(3, 1, 1, 7)" in latex
    assert r"(7, 7)" in latex
    assert r"(3, 4, 7, 7)" in latex
    assert np.array_equal(panels(at)["Sentence 1"]["mask"], np.tri(7, dtype=bool))


def test_trained_models_in_a_batch() -> None:
    at = visit(None, masks_view="Batches")
    assert notices(at) == ""
    assert panels(at)["Sentence 3"]["queries"][:2] == ["⟨start⟩", "lovely"]
    assert "identical, up to rounding" in words(at)
    at = choose(at, masks_padding="off")
    assert "**not** identical" in words(at)
    assert "identical, up to rounding" in words(choose(at, weights="trained on stories")), "padding is the future"
