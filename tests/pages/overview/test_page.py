"""The first page: the map follows every setting, a link restores them, and the sources are said once."""

import re
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from pages.overview import example, model_map
from pages.shared.catalogue import PAGES
from tests.pages import driver
from tests.pages.driver import choose, notices, payload, payloads
from tests.payloads import unpack
from transformer.config import PRESETS


def visit(**link: Any) -> AppTest:
    return driver.visit("", **link)


def shapes(at: AppTest) -> dict[str, Any]:
    """The map's shapes by label; what is in both rows has that of the decoder."""
    (figure,) = [data for data in payloads(at) if isinstance(data, dict) and "blocks" in data]
    return {block["label"]: block["shape"] for block in figure["blocks"]} | {
        "layers": [frame["label"] for frame in figure["frames"]]
    }


def test_the_map_opens_on_the_classroom_model() -> None:
    shown = shapes(visit())
    assert shown["Self-attention"] == "(2, 4, 11, 11)"
    assert shown["Cross-attention"] == "(2, 4, 6, 11)"
    assert shown["Feed-forward"] == "(2, 6, 64) via 256"
    assert shown["Softmax"] == "(2, 6, 4096)"


LINK = {
    "map_d_model": "128", "map_heads": "16", "map_d_ff": "1024", "map_encoder_layers": "5", "map_decoder_layers": "9",
    "map_vocabulary": "30000", "map_source": "23", "map_target": "9", "map_batch": "8",
}  # fmt: skip


def test_a_link_restores_every_size() -> None:
    at = visit(**LINK)
    shown = shapes(at)
    assert notices(at) == ""
    assert shown["Source"] == "(8, 23)"
    assert shown["Target so far"] == "(8, 9)"
    assert shown["Memory"] == "(8, 23, 128)"
    assert shown["Self-attention"] == "(8, 16, 23, 23)"
    assert shown["Masked self-attention"] == "(8, 16, 9, 9)"
    assert shown["Cross-attention"] == "(8, 16, 9, 23)"
    assert shown["Feed-forward"] == "(8, 9, 128) via 1024"
    assert shown["Linear"] == shown["Softmax"] == "(8, 9, 30000)"
    assert [re.match(r"\d+", label)[0] for label in shown["layers"]] == ["5", "9"]


@pytest.mark.parametrize("size", model_map.QUICK)
def test_a_quick_choice_sets_the_controls_whatever_they_were(size: str) -> None:
    at = visit(**LINK)
    if size == "classroom":  # the default: go there by way of another
        at = choose(at, size="tiny")
    at = choose(at, size=size)
    config, shown = PRESETS[model_map.QUICK[size]], shapes(at)
    assert shown["Feed-forward"] == f"(8, 9, {config.d_model}) via {config.d_ff}"
    assert shown["Cross-attention"] == f"(8, {config.n_heads}, 9, 23)"
    assert shown["Softmax"] == f"(8, 9, {config.vocab_size})"
    assert driver.control(at, "map_d_model").value == config.d_model


def test_one_setting_changes_from_a_quick_choice() -> None:
    at = visit(size="the paper's", map_batch="4")
    at = choose(at, map_d_ff=4096)
    assert shapes(at)["Feed-forward"] == "(4, 6, 512) via 4096"


def test_every_size_that_can_be_chosen_makes_a_model() -> None:
    for d_model in model_map.SIZES["map_d_model"].options:
        for n_heads in model_map.SIZES["map_heads"].options:
            assert d_model % n_heads == 0


def test_nonsense_in_a_link_falls_back_and_says_so() -> None:
    at = visit(map_d_model="7", map_batch="-1", size="huge")
    assert notices(at).count("cannot be") == 3
    assert shapes(at)["Memory"] == "(2, 11, 64)"


def test_what_to_know_before_and_the_sources_are_there_once() -> None:
    at = visit()
    text = next(m.value for m in at.markdown if "You need vectors" in m.value)
    assert "dot product" in text
    assert "Python" in text
    links = re.findall(r"\]\((.*?)\)", text)
    assert len(links) == len(set(links)) >= 10
    assert all(re.fullmatch(r"https://[\w./-]+", link) for link in links)
    for paper in ("Attention Is All You Need", "BERT", "RoFormer", "Train Short, Test Long", "Layer Normalization"):
        assert text.count(f"[{paper}]") == 1


def test_every_page_has_a_door_on_the_first_page() -> None:
    labels = [link.proto.label for link in visit().get("page_link")]
    for page in PAGES[1:]:
        assert any(f"**{page.door}**: {page.question}" in label for label in labels), page.url


def test_the_link_below_the_picture_opens_the_same_picture() -> None:
    (picture,) = [unpack(data) for data in payloads(visit()) if isinstance(data, bytes)]
    opened = unpack(payload(driver.visit("heads", **example.LINK)))
    assert picture.header["queries"] == opened.header["queries"]
    assert picture.header["facts"] == opened.header["facts"]
    assert np.array_equal(picture.arrays["weights"], opened.arrays["weights"])
