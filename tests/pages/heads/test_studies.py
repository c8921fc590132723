"""Below the view on the heads page: looking closer at a head, and A pinned beside B."""

import base64
import json

import numpy as np
import pytest
import torch
from streamlit.testing.v1 import AppTest

from pages.shared import readers
from tests.pages.driver import open_page
from tests.pages.heads.test_page import APP, said
from transformer.config import TransformerConfig
from transformer.inspection.run import run_with_maps
from transformer.model import EncoderModel
from transformer.training.text import hashed_ids

WAYS = {"unplug": 2, "edges": 1, "output": 2, "two places": 2, "subspace": 1, "likeness": 1, "rollout": 1}


def visit(**link) -> AppTest:
    at = AppTest.from_file(str(APP), default_timeout=300)
    for name, value in link.items():
        at.query_params[name] = value
    return open_page(at, "heads").run()


def charts(at: AppTest) -> int:
    assert not at.exception
    return len(at.get("plotly_chart"))


@pytest.mark.parametrize(("way", "least"), WAYS.items())
@pytest.mark.parametrize("link", [{}, {"model": "Decoder", "kv_heads": "1", "positions": "rotary"}])
def test_every_way_draws(way, least, link):
    assert charts(visit(closer=way, **link)) >= least


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("text", ["one", "<b>*x*</b> $y$ `z`", "a a a a"])
def test_every_way_takes_any_text(way, text):
    charts(visit(closer=way, text=text))


def test_nothing_is_computed_until_asked():
    assert charts(visit()) == 0


def test_a_long_text_is_refused_in_a_sentence():
    at = visit(closer="unplug", text="word " * 100)
    assert charts(at) == 0
    assert "at most 64 tokens" in said(at)


def test_small_models_show_the_cut_into_heads():
    assert charts(visit(closer="output", d_model="8", heads="2", text="a b c")) == 5


def pinned(at: AppTest) -> AppTest:
    return at.button(key="pin").click().run()


def test_a_against_a_says_so():
    at = pinned(visit())
    assert charts(at) == 4
    assert "A and B are the same." in said(at)
    assert any("exactly 0" in caption.value for caption in at.caption)


def test_one_change_is_named_and_seen():
    at = pinned(visit())
    at = at.select_slider(key="seed").set_value(3).run()
    assert "From A to B: Seed 0 → 3." in said(at)
    assert any(caption.value.startswith("The largest change") for caption in at.caption)


def test_a_link_brings_both_back():
    link = pinned(visit(heads="8", text="the cat sat")).query_params["a"]
    at = visit(a=link, heads="2", text="the cat sat")
    assert "From A to B: Heads 8 → 2; and with that Key/value heads 8 → 2." in said(at)
    assert any(m.value == "Only A has heads 2 to 7." for m in at.markdown)
    assert charts(at) == 4


def test_a_can_be_taken_away():
    at = pinned(visit()).button(key="unpin").click().run()
    assert charts(at) == 0
    assert "a" not in at.query_params


@pytest.mark.parametrize("a", ["", "nonsense", "text=&heads=7", "text=" + "x" * 20_000, "%00&&&=="])
def test_any_a_in_a_link_is_taken_calmly(a):
    at = visit(a=a)
    assert not at.exception
    assert at.button(key="unpin")


def test_sentences_of_different_length_have_no_difference():
    at = pinned(visit(text="one two three"))
    at = at.text_input(key="text").set_value("one two").run()
    assert charts(at) == 2
    assert "another sentence" in said(at)


def test_the_difference_is_of_the_chosen_heads():
    """B - A on screen equals the difference of the two models' own weights."""
    at = pinned(visit(text="one two three"))
    at = at.select_slider(key="seed").set_value(1).run()
    spec = json.loads(at.get("plotly_chart")[3].proto.spec)
    z = spec["data"][0]["z"]
    shape = [int(n) for n in z["shape"].split(",")]
    z = np.frombuffer(base64.b64decode(z["bdata"]), {"f8": "<f8", "f4": "<f4"}[z["dtype"]]).reshape(shape)
    config = TransformerConfig(
        d_model=64, n_heads=4, n_encoder_layers=3, vocab_size=readers.VOCABULARY, tgt_vocab_size=readers.VOCABULARY
    )
    tokens = ("one", "two", "three")
    a, b = (
        run_with_maps(
            EncoderModel(config, torch.Generator().manual_seed(seed)).eval(),
            hashed_ids(list(tokens), readers.VOCABULARY),
            tokens,
        )
        .attention["encoder"]
        .weights[0, 0]
        for seed in (0, 1)
    )
    np.testing.assert_allclose(z, b.astype(float) - a, atol=1e-7)


def bars(at: AppTest, n: int) -> list[np.ndarray]:
    data = json.loads(at.get("plotly_chart")[n].proto.spec)["data"][1:]
    return [np.frombuffer(base64.b64decode(trace["y"]["bdata"]), trace["y"]["dtype"]) for trace in data]


def test_one_head_cannot_tell_two_sentences_apart_and_two_can():
    at = visit(closer="two places")
    one, two = bars(at, 0), bars(at, 1)
    np.testing.assert_array_equal(one[0], one[1])
    np.testing.assert_array_equal(two[0], [1, 0, 0, 0, 0, 0, 1, 0])
    np.testing.assert_array_equal(two[1], [0, 0, 1, 0, 1, 0, 0, 0])
    shown = "\n".join(m.value for m in at.markdown)
    assert "**One head**: the two sentences come out :green[**0**] apart" in shown
    assert "**Two heads**: the two sentences come out :green[**1**] apart" in shown
    at = visit(closer="two places", closer_share="70")
    np.testing.assert_allclose(bars(at, 0)[0][[0, 2]], [0.7, 0.3], atol=1e-6)
    assert "come out :green[**0.4**] apart" in "\n".join(m.value for m in at.markdown)
