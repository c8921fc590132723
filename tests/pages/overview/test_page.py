"""The first page: the map follows every setting, a link restores them, and the sources are said once."""

import ast
import json
import re
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from pages.overview import settings
from transformer.config import PRESETS

ROOT = Path(__file__).parents[3]


def visit(**link) -> AppTest:
    at = AppTest.from_file(str(ROOT / "app.py"), default_timeout=300)
    for name, value in link.items():
        at.query_params[name] = value
    at = at.run()
    assert not at.exception
    return at


def shapes(at: AppTest) -> dict[str, str]:
    """The map's shapes by label; what stands in both rows has that of the decoder."""
    (drawn,) = [
        data
        for part in at.get("bidi_component")
        if (data := json.loads(part.proto.json or "{}")) and isinstance(data, dict) and "blocks" in data
    ]
    return {block["label"]: block["shape"] for block in drawn["blocks"]} | {
        "layers": [frame["label"] for frame in drawn["frames"]]
    }


def said(at: AppTest) -> str:
    return "\n".join(t.value for t in at.text)


def test_the_map_opens_on_the_classroom_model():
    seen = shapes(visit())
    assert seen["Self-attention"] == "(2, 4, 11, 11)"
    assert seen["Cross-attention"] == "(2, 4, 6, 11)"
    assert seen["Feed-forward"] == "(2, 6, 64) via 256"
    assert seen["Softmax"] == "(2, 6, 4096)"


LINK = {
    "map_d_model": "128", "map_heads": "16", "map_d_ff": "1024", "map_encoder_layers": "5", "map_decoder_layers": "9",
    "map_vocabulary": "30000", "map_source": "23", "map_target": "9", "map_batch": "8",
}  # fmt: skip


def test_a_link_restores_every_size():
    at = visit(**LINK)
    seen = shapes(at)
    assert said(at) == ""
    assert seen["Source"] == "(8, 23)"
    assert seen["Target so far"] == "(8, 9)"
    assert seen["Memory"] == "(8, 23, 128)"
    assert seen["Self-attention"] == "(8, 16, 23, 23)"
    assert seen["Masked self-attention"] == "(8, 16, 9, 9)"
    assert seen["Cross-attention"] == "(8, 16, 9, 23)"
    assert seen["Feed-forward"] == "(8, 9, 128) via 1024"
    assert seen["Linear"] == seen["Softmax"] == "(8, 9, 30000)"
    assert [re.match(r"\d+", label)[0] for label in seen["layers"]] == ["5", "9"]


@pytest.mark.parametrize("size", settings.QUICK)
def test_a_quick_choice_sets_the_controls_whatever_they_were(size):
    at = visit(**LINK)
    (start,) = {
        id(w): w for kind in ("segmented_control", "button_group") for w in at.get(kind) if w.key == "size"
    }.values()
    if size == "classroom":  # it is chosen already: go there by way of another
        at = start.set_value("tiny").run()
        (start,) = {
            id(w): w for kind in ("segmented_control", "button_group") for w in at.get(kind) if w.key == "size"
        }.values()
    at = start.set_value(size).run()
    assert not at.exception
    config, seen = PRESETS[settings.QUICK[size]], shapes(at)
    assert seen["Feed-forward"] == f"(8, 9, {config.d_model}) via {config.d_ff}"
    assert seen["Cross-attention"] == f"(8, {config.n_heads}, 9, 23)"
    assert seen["Softmax"] == f"(8, 9, {config.vocab_size})"
    assert at.select_slider(key="map_d_model").value == config.d_model


def test_one_setting_changes_from_a_quick_choice():
    at = visit(size="the paper's", map_batch="4")
    at = at.select_slider(key="map_d_ff").set_value(4096).run()
    assert shapes(at)["Feed-forward"] == "(4, 6, 512) via 4096"


def test_every_size_that_can_be_chosen_makes_a_model():
    for d_model in settings._SIZES["map_d_model"]:
        for n_heads in settings._SIZES["map_heads"]:
            assert d_model % n_heads == 0


def test_nonsense_in_a_link_falls_back_and_says_so():
    at = visit(map_d_model="7", map_batch="-1", size="huge")
    assert said(at).count("cannot be") == 3
    assert shapes(at)["Memory"] == "(2, 11, 64)"


def test_what_to_know_before_and_the_sources_are_there_once():
    at = visit()
    text = next(m.value for m in at.markdown if "You need vectors" in m.value)
    assert "dot product" in text
    assert "Python" in text
    links = re.findall(r"\]\((.*?)\)", text)
    assert len(links) == len(set(links)) >= 10
    assert all(re.fullmatch(r"https://[\w./-]+", link) for link in links)
    for paper in ("Attention Is All You Need", "BERT", "RoFormer", "Train Short, Test Long", "Layer Normalization"):
        assert text.count(f"[{paper}]") == 1


def test_every_concept_page_has_a_door_on_the_first_page():
    at = visit()
    doors = [link.proto.page for link in at.get("page_link")]
    names = [
        node.value for node in ast.walk(ast.parse((ROOT / "app.py").read_text()))
        if isinstance(node, ast.Constant) and str(node.value).startswith("concepts/")
    ]  # fmt: skip
    for name in names:
        if "overview" not in name:
            assert any(Path(name).stem in door for door in doors), name
