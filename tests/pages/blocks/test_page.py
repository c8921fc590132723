"""The page on blocks as its server runs it: every part, every control, every kind of text and of link."""

import re
from typing import Any

import numpy as np
import pytest
import torch
from streamlit.testing.v1 import AppTest

from pages.blocks.depth import DEPTHS
from pages.blocks.one_layer import CLICKED
from tests.pages import driver
from tests.pages.driver import chart, charts, choose, control, notices, payloads, words
from transformer.config import TransformerConfig
from transformer.inspection import ablations, blocks
from transformer.model import DecoderModel, EncoderModel
from transformer.training.text import hashed_ids

SIX: str = "one two three four five six"
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


def visit(part: str = PARTS[0], text: str = SIX, **link: str) -> AppTest:
    settings: dict[str, Any] = {"weights": "random weights", **link}
    return driver.visit("blocks", blocks_part=part, text=text, **settings)


def traces(at: AppTest, n: int = 0) -> list[dict]:
    return chart(at, n)["data"]


def numbers(data: object) -> np.ndarray:
    """The numbers of a trace; gaps are NaN."""
    return np.array(data, float)


def model(n_layers: int = 6, **changes: Any) -> EncoderModel:
    config = TransformerConfig(vocab_size=4096, n_encoder_layers=n_layers, n_decoder_layers=n_layers, **changes)
    return EncoderModel(config, torch.Generator().manual_seed(0)).eval()


IDS = hashed_ids(SIX.split(), 4096)


def test_the_first_visit_shows_a_finished_layer() -> None:
    at = driver.visit("blocks")
    assert at.title[0].value == "What happens inside one layer?"
    assert notices(at) == ""
    assert len(charts(at)) == 1
    assert len(payloads(at)) == 1
    assert numbers(traces(at)[0]["z"]).shape == (11, 64)


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("text", ["", "one", "the the the", "word " * 520 + "end", "👩‍🚀 $x_1$ *a* <b> \\frac"])
def test_any_text_in_any_part(part: str, text: str) -> None:
    at = visit(part, text, d_model="8", layers="2")
    n_charts = len(charts(at))
    if text or part == "Ledger":
        assert n_charts >= 1
        assert "The weights are random where nothing else is said" in words(at)
        assert any("Check yourself" in m.value for m in at.markdown)
    else:
        assert n_charts == 0
        assert "no word to look at" in notices(at)
    if text.startswith("word") and part != "Ledger":
        assert "9 more are left out" in notices(at)
        assert ("The first 48 tokens are used here" in notices(at)) == (part == "Depth")


@pytest.mark.parametrize("part", PARTS)
def test_nonsense_in_a_link_falls_back_and_says_so(part: str) -> None:
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
    assert "cannot be" in notices(at) or "no such word" in notices(at)
    assert charts(visit("Nowhere"))


def test_steps_show_the_layers_own_tensors_and_follow_the_norm() -> None:
    stages = blocks.stages(model(), IDS, 2)
    at = visit(blocks_layer="3")
    np.testing.assert_allclose(numbers(traces(at)[0]["z"]), stages["norm1"], atol=1e-6)
    for name, shown in (("feed_forward", "feed-forward"), ("add2", "add 2"), ("in", "stream in")):
        at = choose(at, blocks_step=shown)
        np.testing.assert_allclose(numbers(traces(at)[0]["z"]), stages[name], atol=1e-6)
    at = choose(at, norm="after (post)")
    np.testing.assert_allclose(numbers(traces(at)[0]["z"]), blocks.stages(model(norm="post"), IDS, 2)["in"], atol=1e-6)


def test_layer_norm_does_not_depend_on_the_batch() -> None:
    at = visit("Layer norm", norm="after (post)")
    before, after = traces(at)
    stages = blocks.stages(model(norm="post"), IDS, 0)
    np.testing.assert_allclose(numbers(before["x"]), stages["add1"].mean(-1), atol=1e-6)
    np.testing.assert_allclose(numbers(after["x"]), 0, atol=1e-6)
    np.testing.assert_allclose(numbers(after["error_x"]["array"]), 1, atol=1e-3)
    assert "by at most **0**" in words(at)
    assert "by **0**." not in words(at)
    assert "by **0**." in words(choose(at, blocks_company=1))


def test_feed_forward_parts() -> None:
    at = visit("Feed-forward", blocks_ff="2", activation="GELU")
    assert "2·64·128 + 128 + 64 = **16,576** parameters" in words(at)
    run = blocks.feed_forward(model(d_ff=128, activation="gelu"), IDS, 0)
    order = np.argsort(-run.firing.sum(0), kind="stable")
    np.testing.assert_allclose(numbers(traces(at)[0]["z"]), run.hidden[:, order], atol=1e-6)
    at = choose(at, activation="ReLU")
    assert np.isnan(numbers(traces(at)[0]["z"])).any()
    at = choose(at, blocks_view="The bend")
    assert [trace["name"] for trace in traces(at)][1:] == ["ReLU", "GELU", "GELU, tanh form"]
    at = choose(at, blocks_view="Without the bend")
    assert numbers(traces(at)[0]["y"]).tolist() == [0, 1, 1, 0]
    worth = blocks.nonlinearity(model(d_ff=128).encoder.layers[0].feed_forward)
    assert f"misses **{100 * worth.unexplained:.0f}%**" in words(at)


def test_the_stream_of_one_word() -> None:
    at = visit("Residual stream", blocks_token="4 four", layers="3")
    stream = blocks.follow_token(model(3), IDS, 3)
    assert "The embedding and 6 pushes add up" in words(at)
    at = choose(at, blocks_stream="Read-out")
    np.testing.assert_allclose(numbers(traces(at)[0]["z"]), stream.lens[:, IDS], atol=1e-5)
    np.testing.assert_array_equal(numbers(traces(at)[0]["customdata"]), stream.ranks(IDS))
    at = choose(at, blocks_stream="Size of each push")
    shown = numbers(traces(at)[0]["y"])
    expected = 100 * np.linalg.norm(stream.pushes, axis=1) / np.linalg.norm(stream.states[:-1], axis=1)
    np.testing.assert_allclose(shown, expected[::2], rtol=1e-5)
    at = choose(at, norm="after (post)")
    assert "no longer add up" in words(at)


def test_every_ablation() -> None:
    at = visit("Pull a plug", layers="4")
    for name, part in (("Residual", "residual"), ("Norm", "norm"), ("Feed-forward", "feed_forward")):
        at = choose(at, blocks_plug=name)
        whole, ablated = (
            ablations.stream_statistics(model(4), IDS),
            ablations.stream_statistics(ablations.ablate(model(4), part), IDS),
        )
        np.testing.assert_allclose(numbers(traces(at)[0]["y"]), whole.cosine, atol=1e-6)
        np.testing.assert_allclose(numbers(traces(at)[1]["y"]), ablated.cosine, atol=1e-6)
        share, first = ablations.prediction_change(whole.logits, ablated.logits)
        assert f"**{100 * share:.0f}%** of its probability, and for **{first} of 6**" in words(at)
    at = choose(at, blocks_look="Last map")
    np.testing.assert_allclose(numbers(traces(at)[1]["z"]), ablated.maps, atol=1e-6)


def test_depth_is_measured() -> None:
    at = visit("Depth")
    lines = {trace["name"]: numbers(trace["y"]) for trace in traces(at)}
    assert list(lines) == ["both", "no residual", "no norm", "neither"]
    config = TransformerConfig(vocab_size=4096, n_encoder_layers=8, n_decoder_layers=8)
    net = DecoderModel(config, torch.Generator().manual_seed(0)).eval()
    for name, parts in (("both", ()), ("neither", ("residual", "norm"))):
        gradient = ablations.depth_statistics(ablations.ablate(net, *parts), IDS).gradient
        assert lines[name][DEPTHS.index(8)] == pytest.approx(gradient[0] / gradient[-1], rel=1e-3)
    assert all(len(numbers(trace["y"])) == 33 for trace in traces(at, 1))
    at = choose(at, blocks_measure="How alike words are")
    assert numbers(traces(at)[1]["y"])[-1] > 0.999


def test_linear_in_v_only() -> None:
    at = visit("Is it linear?")
    _, live, frozen = traces(at)
    np.testing.assert_allclose(numbers(frozen["x"]), numbers(frozen["y"]), atol=1e-9)
    assert np.abs(numbers(live["x"]) - numbers(live["y"])).max() > 0.01
    at = choose(at, blocks_mix=100)
    np.testing.assert_allclose(numbers(traces(at)[1]["x"]), numbers(traces(at)[1]["y"]), atol=1e-9)


def test_dropout_before_and_after() -> None:
    at = visit("Dropout", blocks_p="50")
    before, after = (numbers(trace["z"]) for trace in traces(at)[:2])
    stays = ~np.isnan(after)
    assert 0 < stays.sum() < stays.size
    np.testing.assert_allclose(after[stays], 2 * before[stays], rtol=1e-5)
    assert not np.array_equal(stays, ~np.isnan(numbers(traces(choose(at, blocks_draw=7))[1]["z"])))
    at = choose(at, blocks_mode="evaluation")
    before, after = (numbers(trace["z"]) for trace in traces(at)[:2])
    np.testing.assert_array_equal(before, after)
    assert "nothing is dropped" in words(at)


def test_the_table_of_shapes_opens_on_its_defaults_and_counts() -> None:
    at = visit("Ledger")
    assert "| weights | `B H T T` | 2 × 8 × 10 × 10 |" in words(at)
    assert re.search(r"2 × 10 × 512 \| +66,048", words(at))
    assert "6 × 198,272 = **1,189,632**" in words(at)
    at = choose(at, blocks_length=100)
    assert "6 × 198,272" in words(at), "no parameter has the length in it"
    assert "2 × 8 × 100 × 100" in words(at)
    assert "198,272" not in words(choose(at, blocks_dff=1024))


def test_a_step_that_was_clicked_on_the_diagram_is_opened() -> None:
    at = visit()
    at.session_state[CLICKED] = "feed_forward"
    at = driver.checked(at.run())
    assert control(at, "blocks_step").value == "feed-forward"
    stages = blocks.stages(model(), IDS, 0)
    np.testing.assert_allclose(numbers(traces(at)[0]["z"]), stages["feed_forward"], atol=1e-6)


@pytest.mark.parametrize(("part", "setting"), [
    ("One layer", {"blocks_step": "add 2"}), ("Feed-forward", {"blocks_view": "The bend"}),
    ("Pull a plug", {"blocks_look": "Last map"}), ("Depth", {"blocks_measure": "Size of the stream"}),
])  # fmt: skip
def test_what_only_changes_the_drawing_is_not_pinned_but_changes_both_sides(part: str, setting: dict[str, str]) -> None:
    link = {"text": "one two", "d_model": "8"}
    at = driver.press(choose(visit(part, **link), **setting), "pin")
    assert not set(setting) & set(at.query_params["a"][0].split("&"))
    (key,) = setting
    assert key not in at.query_params["a"][0]
    assert "A and B are the same." in notices(at)
    at = choose(at, seed=1)
    assert "From A to B: Seed 0 → 1." in notices(at)
