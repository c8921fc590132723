"""The fold on batches: padding changes nothing as long as it is masked."""

from typing import Any

import numpy as np
from streamlit.testing.v1 import AppTest

from lab.kit.words import NOTHING
from pages.masks.batches import WRITER
from tests.pages.driver import choose, control, notices, payloads, words
from tests.pages.masks.brush import visit

LEAKED = "the padding has leaked"


def opened(**link: str) -> AppTest:
    return visit(None, masks_batch="true", **link)


def sentences(at: AppTest) -> dict[str, dict[str, Any]]:
    """The panels of the batch, with values and masks as matrices."""
    (data,) = (d for d in payloads(at) if "panels" in d and d["panels"][0]["title"] == "Sentence 1")
    for panel in data["panels"]:
        shape = len(panel["queries"]), len(panel["keys"])
        panel["values"] = np.array(panel["values"], float).reshape(shape)
        panel["mask"] = None if panel["mask"] is None else np.array(panel["mask"]).reshape(shape)
    return {panel["title"]: panel for panel in data["panels"]}


def test_it_opens_on_the_leak_and_the_mask_closes_it() -> None:
    at = opened()
    assert notices(at) == ""
    assert control(at, "masks_padding").value == "off"
    assert LEAKED in words(at)
    assert all(panel["mask"] is None for panel in sentences(at).values())
    at = choose(at, masks_padding="on")
    assert f"differ by **{NOTHING}**." in words(at)
    assert LEAKED not in words(at)
    by_title = sentences(at)
    assert by_title["Sentence 3"]["queries"][:3] == ["⟨start⟩", "lovely", "⟨pad⟩"]
    assert np.all(by_title["Sentence 2"]["values"][:, 4:] == 0)
    assert np.all(by_title["Sentence 3"]["values"][:, 2:] == 0)
    assert any(r"\underbrace{(3, 1, 1, 11)}_{\text{padding}}" in formula.value for formula in at.latex)


def test_to_a_decoder_padding_is_the_future() -> None:
    at = opened(masks_reader=WRITER)
    assert f"differ by **{NOTHING}**." in words(at)
    at = choose(at, masks_padding="on")
    shapes = "".join(formula.value for formula in at.latex)
    T = len(sentences(at)["Sentence 1"]["queries"])
    assert all(shape in shapes for shape in (f"(3, 1, 1, {T})", f"({T}, {T})", f"(3, 4, {T}, {T})"))
    third = sentences(at)["Sentence 3"]
    rows, keys = np.ogrid[:T, :T]
    assert np.array_equal(third["mask"], (keys <= rows) & (keys < 2)), "both masks at once"


def test_the_first_sentence_is_the_page_s_where_the_same_model_reads_it() -> None:
    at = visit("tom found a blue kite", masks_batch="true", weights="trained on stories", masks_reader=WRITER)
    assert sentences(at)["Sentence 1"]["queries"][1:6] == ["tom", "found", "a", "blue", "kite"]
    at = visit("tom found a blue kite", masks_batch="true", weights="trained on stories")
    assert sentences(at)["Sentence 1"]["queries"][1:3] == ["the", "soup"]


def test_it_is_computed_once_it_is_open() -> None:
    at = visit(None)
    assert "as a **batch**" not in words(at)
    assert "as a **batch**" in words(visit(None, masks_view="Batches"))
