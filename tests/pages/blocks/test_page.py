"""The blocks page as the server runs it: every part, every control, every kind of text and of link."""

import base64
import json
import re
from pathlib import Path

import numpy as np
import pytest
import torch
from streamlit.testing.v1 import AppTest

from pages.blocks.settings import DEPTHS
from tests.pages.driver import open_page
from transformer.config import TransformerConfig
from transformer.inspection import blocks, plugs
from transformer.model import DecoderModel, EncoderModel
from transformer.training.text import hashed_ids

APP = Path(__file__).parents[3] / "app.py"
SIX = "one two three four five six"
PARTS = (
    "One layer",
    "Layer norm",
    "Feed-forward",
    "Residual stream",
    "Pull a plug",
    "Depth",
    "Is it linear?",
    "Dropout",
    "Ledger",
)
KINDS = ("segmented_control", "select_slider", "selectbox", "text_input", "button_group")


def visit(part=PARTS[0], text=SIX, **link) -> AppTest:
    at = AppTest.from_file(str(APP), default_timeout=300)
    for name, value in {"blocks_part": part, "text": text, "weights": "random weights", **link}.items():
        at.query_params[name] = value
    at = open_page(at, "blocks").run()
    assert not at.exception
    return at


def choose(at: AppTest, key: str, value) -> AppTest:
    (widget,) = {id(w): w for kind in KINDS for w in at.get(kind) if w.key == key}.values()
    at = widget.set_value(value).run()
    assert not at.exception
    return at


def figure(at: AppTest, n: int = 0) -> list[dict]:
    return json.loads(at.get("plotly_chart")[n].proto.spec)["data"]


def numbers(data) -> np.ndarray:
    if isinstance(data, dict):
        flat = np.frombuffer(base64.b64decode(data["bdata"]), data["dtype"])
        return flat.reshape([int(n) for n in data["shape"].split(",")]) if "shape" in data else flat
    return np.array(
        [[np.nan if v is None else v for v in row] if isinstance(row, list) else row for row in data], float
    )


def words(at: AppTest) -> str:
    return "\n".join(m.value for m in at.markdown)


def said(at: AppTest) -> str:
    return "\n".join(t.value for t in at.text)


def model(n_layers=6, **changes) -> EncoderModel:
    config = TransformerConfig(vocab_size=4096, n_encoder_layers=n_layers, n_decoder_layers=n_layers, **changes)
    return EncoderModel(config, torch.Generator().manual_seed(0)).eval()


IDS = hashed_ids(SIX.split(), 4096)


def test_the_first_visit_shows_a_finished_layer():
    at = open_page(AppTest.from_file(str(APP), default_timeout=300), "blocks").run()
    assert not at.exception
    assert at.title[0].value == "What happens inside one layer?"
    assert said(at) == ""
    assert len(at.get("plotly_chart")) == 1
    assert len(at.get("bidi_component")) == 1
    assert numbers(figure(at)[0]["z"]).shape == (11, 64)


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("text", ["", "one", "the the the", "word " * 520 + "end", "👩‍🚀 $x_1$ *a* <b> \\frac"])
def test_any_text_in_any_part(part, text):
    at = visit(part, text, d_model="8", layers="2")
    charts = len(at.get("plotly_chart"))
    if text or part == "Ledger":
        assert charts >= 1
        assert "The weights are random where nothing else is said" in words(at)
        assert any("Check yourself" in m.value for m in at.markdown)
    else:
        assert charts == 0
        assert "no word to look at" in said(at)
    if text.startswith("word") and part != "Ledger":
        assert "9 more are left out" in said(at)
        assert ("The first 48 tokens are used here" in said(at)) == (part == "Depth")


@pytest.mark.parametrize("part", PARTS)
def test_nonsense_in_a_link_falls_back_and_says_so(part):
    link = {"norm": "up", "layers": "99", "blocks_layer": "0", "blocks_view": "x", "blocks_plug": "tooth"}
    link |= {
        "blocks_stream": "",
        "blocks_token": "77 nobody",
        "blocks_p": "100",
        "blocks_mode": "off",
        "blocks_step": "-",
    }
    link |= {"blocks_measure": "9", "blocks_width": "7", "blocks_company": "3", "blocks_ff": "3", "blocks_mix": "-5"}
    at = visit(part, **link)
    assert "cannot be" in said(at) or "no such word" in said(at)
    assert visit("Nowhere").get("plotly_chart")


def test_steps_show_the_layers_own_tensors_and_follow_the_norm():
    made = blocks.stages(model(), IDS, 2)
    at = visit(blocks_layer="3")
    np.testing.assert_allclose(numbers(figure(at)[0]["z"]), made["norm1"], atol=1e-6)
    for name, shown in (("feed_forward", "feed-forward"), ("add2", "add 2"), ("in", "stream in")):
        at = choose(at, "blocks_step", shown)
        np.testing.assert_allclose(numbers(figure(at)[0]["z"]), made[name], atol=1e-6)
    at = choose(at, "norm", "after (post)")
    np.testing.assert_allclose(numbers(figure(at)[0]["z"]), blocks.stages(model(norm="post"), IDS, 2)["in"], atol=1e-6)


def test_layer_norm_and_its_company():
    at = visit("Layer norm", norm="after (post)")
    before, after = figure(at)
    made = blocks.stages(model(norm="post"), IDS, 0)
    np.testing.assert_allclose(numbers(before["x"]), made["add1"].mean(-1), atol=1e-6)
    np.testing.assert_allclose(numbers(after["x"]), 0, atol=1e-6)
    np.testing.assert_allclose(numbers(after["error_x"]["array"]), 1, atol=1e-3)
    assert "by at most **0**" in words(at)
    assert "by **0**." not in words(at)
    assert "by **0**." in words(choose(at, "blocks_company", 1))


def test_feed_forward_parts():
    at = visit("Feed-forward", blocks_ff="2", activation="GELU")
    assert "2·64·128 + 128 + 64 = **16,576** parameters" in words(at)
    ran = blocks.feed_forward(model(d_ff=128, activation="gelu"), IDS, 0)
    order = np.argsort(-ran.firing.sum(0), kind="stable")
    np.testing.assert_allclose(numbers(figure(at)[0]["z"]), ran.hidden[:, order], atol=1e-6)
    at = choose(at, "activation", "ReLU")
    assert np.isnan(numbers(figure(at)[0]["z"])).any()
    at = choose(at, "blocks_view", "The bend")
    assert [trace["name"] for trace in figure(at)][1:] == ["ReLU", "GELU", "GELU, tanh form"]
    at = choose(at, "blocks_view", "Without the bend")
    assert numbers(figure(at)[0]["y"]).tolist() == [0, 1, 1, 0]
    worth = blocks.bend(model(d_ff=128).encoder.layers[0].feed_forward)
    assert f"misses **{100 * worth.missed:.0f}%**" in words(at)


def test_the_stream_of_one_word():
    at = visit("Residual stream", blocks_token="4 four", layers="3")
    stream = blocks.follow(model(3), IDS, 3)
    assert "The embedding and 6 pushes add up" in words(at)
    at = choose(at, "blocks_stream", "Read-out")
    np.testing.assert_allclose(numbers(figure(at)[0]["z"]), stream.lens[:, IDS], atol=1e-5)
    np.testing.assert_array_equal(numbers(figure(at)[0]["customdata"]), stream.ranks(IDS))
    at = choose(at, "blocks_stream", "Size of each push")
    shown = numbers(figure(at)[0]["y"])
    expected = 100 * np.linalg.norm(stream.pushes, axis=1) / np.linalg.norm(stream.states[:-1], axis=1)
    np.testing.assert_allclose(shown, expected[::2], rtol=1e-5)
    at = choose(at, "norm", "after (post)")
    assert "no longer add up" in words(at)


def test_every_plug():
    at = visit("Pull a plug", layers="4")
    for name, plug in (("Residual", "residual"), ("Norm", "norm"), ("Feed-forward", "feed_forward")):
        at = choose(at, "blocks_plug", name)
        clean, broken = plugs.heights(model(4), IDS), plugs.heights(plugs.unplug(model(4), plug), IDS)
        np.testing.assert_allclose(numbers(figure(at)[0]["y"]), clean.alike, atol=1e-6)
        np.testing.assert_allclose(numbers(figure(at)[1]["y"]), broken.alike, atol=1e-6)
        share, first = plugs.moved(clean.logits, broken.logits)
        assert f"**{100 * share:.0f}%** of its probability, and for **{first} of 6**" in words(at)
    at = choose(at, "blocks_look", "Last map")
    np.testing.assert_allclose(numbers(figure(at)[1]["z"]), broken.maps, atol=1e-6)


def test_depth_is_measured():
    at = visit("Depth")
    lines = {trace["name"]: numbers(trace["y"]) for trace in figure(at)}
    assert list(lines) == ["both", "no residual", "no norm", "neither"]
    config = TransformerConfig(vocab_size=4096, n_encoder_layers=8, n_decoder_layers=8)
    net = DecoderModel(config, torch.Generator().manual_seed(0)).eval()
    for name, cut in (("both", ()), ("neither", ("residual", "norm"))):
        found = plugs.at_depth(plugs.unplug(net, *cut), IDS).gradient
        assert lines[name][DEPTHS.index(8)] == pytest.approx(found[0] / found[-1], rel=1e-3)
    assert all(len(numbers(trace["y"])) == 33 for trace in figure(at, 1))
    at = choose(at, "blocks_measure", "How alike words are")
    assert numbers(figure(at)[1]["y"])[-1] > 0.999


def test_linear_in_v_only():
    at = visit("Is it linear?")
    _, live, frozen = figure(at)
    np.testing.assert_allclose(numbers(frozen["x"]), numbers(frozen["y"]), atol=1e-9)
    assert np.abs(numbers(live["x"]) - numbers(live["y"])).max() > 0.01
    at = choose(at, "blocks_mix", 100)
    np.testing.assert_allclose(numbers(figure(at)[1]["x"]), numbers(figure(at)[1]["y"]), atol=1e-9)


def test_dropout_before_and_after():
    at = visit("Dropout", blocks_p="50")
    before, after = (numbers(trace["z"]) for trace in figure(at)[:2])
    stays = ~np.isnan(after)
    assert 0 < stays.sum() < stays.size
    np.testing.assert_allclose(after[stays], 2 * before[stays], rtol=1e-5)
    assert not np.array_equal(stays, ~np.isnan(numbers(figure(choose(at, "blocks_draw", 7))[1]["z"])))
    at = choose(at, "blocks_mode", "evaluation")
    before, after = (numbers(trace["z"]) for trace in figure(at)[:2])
    np.testing.assert_array_equal(before, after)
    assert "nothing is dropped" in words(at)


def test_the_ledger_opens_on_the_usual_example_and_counts():
    at = visit("Ledger")
    assert "| weights | `B H T T` | 2 × 8 × 10 × 10 |" in words(at)
    assert re.search(r"2 × 10 × 512 \| +66,048", words(at))
    assert "6 × 198,272 = **1,189,632**" in words(at)
    at = choose(at, "blocks_length", 100)
    assert "6 × 198,272" in words(at), "no parameter has the length in it"
    assert "2 × 8 × 100 × 100" in words(at)
    assert "198,272" not in words(choose(at, "blocks_dff", 1024))
