"""Below the view on the heads page: looking closer at a head, and A pinned beside B."""

import re
from itertools import cycle
from typing import Any

import numpy as np
import pytest
import torch
from streamlit.testing.v1 import AppTest

from lab.kit.models.readings import Reading
from lab.kit.models.references import VOCABULARY, Mask, Shipped
from lab.kit.words import NOTHING
from pages.heads import data, pick
from tests.pages import driver
from tests.pages.driver import chart, charts, choose, notices, pin, press, words
from tests.payloads import unpack
from transformer.core.config import TransformerConfig
from transformer.core.model import EncoderModel
from transformer.inspection import head_effects
from transformer.inspection.run import run_with_maps
from transformer.training.text import hashed_ids

STUDIES = {"Ablation": 2, "Edges": 1, "All heads": 5}
FORMERLY = {
    "unplug": "Ablation",
    "edges": "Edges",
    "output": "All heads",
    "subspace": "All heads",
    "likeness": "All heads",
    "rollout": "All heads",
    "the heads": "One head",
    "Ribbons": "One head",
}


def visit(**link: Any) -> AppTest:
    link.setdefault("weights", "untrained")
    return driver.visit("heads", **link)


def test_every_name_of_a_study_in_an_old_link_opens_its_new_home() -> None:
    for name, now in FORMERLY.items():
        at = visit(closer=name)
        assert driver.control(at, "closer").value == now
        assert notices(at) == ""


def test_a_study_is_of_the_head_that_opens() -> None:
    at = driver.visit("heads", closer="Ablation")
    layer, head = unpack(driver.payload(at)).header["open"]
    assert f"| without layer {layer}, head {head} |" in words(at)


def test_the_view_gives_its_right_column_to_the_page() -> None:
    assert unpack(driver.payload(visit())).header["beside"] == "tabs"
    assert unpack(driver.payload(visit(closer="Edges"))).header["beside"] == "study"


@pytest.mark.few(6)
@pytest.mark.parametrize(("study", "n_charts"), STUDIES.items())
@pytest.mark.parametrize("link", [{}, {"model": "Decoder", "kv_heads": "1", "positions": "rotary"}])
def test_every_study_draws(study: str, n_charts: int, link: dict[str, str]):
    assert len(charts(visit(closer=study, **link))) >= n_charts


@pytest.mark.parametrize(("study", "text"), zip(STUDIES, cycle(["one", "<b>*x*</b> $y$ `z`", "a a a a"])))
def test_every_study_takes_any_text(study: str, text: str):
    assert charts(visit(closer=study, text=text))


def test_a_layer_is_put_together_out_of_its_heads() -> None:
    text: str = "one two three four five six"
    at = visit(closer="All heads", text=text, d_model=48, heads=6, layers=2, layer=1, head=4)
    w_q, shown, added = (np.array(drawing["data"][0]["z"], float) for drawing in charts(at)[2:])
    config = TransformerConfig(vocab_size=VOCABULARY, d_model=48, n_heads=6, n_encoder_layers=2, max_len=512)
    model = EncoderModel(config, torch.Generator().manual_seed(0)).eval()
    tokens = [str(word) for word in text.split()]
    layer, head = 1, 4
    maps = run_with_maps(model, hashed_ids(tokens, VOCABULARY), tuple(tokens)).attention["encoder"]
    attention = model.encoder.layers[layer].self_attn
    w_o = attention.w_o.weight.detach().numpy().T  # torch keeps W transposed
    assert maps.v is not None
    for h in range(6):
        heads = maps.weights[layer, h] @ maps.v[layer, h]  # (T, 8)
        np.testing.assert_allclose(
            added[:, h], np.linalg.norm(heads @ w_o[8 * h : 8 * h + 8], axis=-1), rtol=1e-4, atol=1e-6
        )
    np.testing.assert_allclose(shown, w_o, atol=1e-6)
    assert f"a vector of length **{added[2, head]:.3f}**" in words(at)
    np.testing.assert_allclose(w_q, attention.w_q.weight.detach().numpy().T, atol=1e-6)
    frames = charts(at)[2]["layout"]["shapes"]
    assert max(frames, key=lambda frame: frame["line"]["width"])["x0"] == 8 * head - 0.5
    overlap = head_effects.subspace_overlap(w_q, 6, head)
    said = words(at)
    assert "turns a vector’s 48 numbers into 8, the query" in said
    assert f"directions that head 4 reads so, another head of the layer reads **{overlap:.0%}** on average" in said
    assert "it would be 17%." in said
    assert f"the output of layer 1 differ by {NOTHING}." in said
    assert "288 of 288 are where they were" in said


@pytest.mark.parametrize("link", [{"heads": "1"}, {"d_k": "32"}, {"kv_heads": "1", "model": "Decoder"}])
def test_any_heads_can_be_put_together(link: dict[str, str]) -> None:
    assert "**Each head adds its part.**" in words(visit(closer="All heads", text="a b c", **link))


# ---- what a study opens on -----------------------------------------------------------------------------------------


def test_ablation_opens_on_the_head_whose_removal_changes_the_answer() -> None:
    """Another head is not missed; and with another sentence another head may be."""
    text = "although the view was lovely, i do not like the place"
    ref = Shipped("sentiment")
    usual, changed, left = data.answers_without_each_head(Reading(ref, Mask(), ref.resolve().cut(text)))
    assert usual.word == "negative"
    assert [tuple(at) for at in np.argwhere(changed)] == [(0, 3)]
    assert left.argmin() == 3
    at = driver.visit("heads", closer="Ablation", weights="trained on reviews", text=text)
    assert re.fullmatch(r"negative [\d.>]+% → positive [\d.>]+%", at.header[0].value)
    assert "| without layer 0, head 3 | **positive** |" in words(at)
    assert "**1** changes the answer: layer 0, head 3." in words(at)
    other = driver.visit("heads", closer="Ablation", weights="trained on reviews", text=text, layer=1, head=2)
    assert "| without layer 1, head 2 | **negative** |" in words(other)


def test_where_no_head_decides_there_is_a_text_where_one_does() -> None:
    at = driver.visit("heads", closer="Ablation", weights="trained on reviews")
    assert "the answer stays the same" in words(at)
    at = press(at, "closer_example")
    assert re.search(r"\*\*1\*\* changes the answer", words(at))
    layer, head = unpack(driver.payload(at)).header["open"]
    assert f"| without layer {layer}, head {head} |" in words(at)


def test_edges_open_on_a_row_where_the_measures_disagree() -> None:
    at = driver.visit("heads", closer="Edges", weights="trained on reviews")
    layer, head, query = unpack(driver.payload(at)).header["open"]
    weight, _, effect = (np.array(bars["x"]) for bars in chart(at)["data"])
    assert weight.argmax() != effect.argmax()
    tokens = Shipped("sentiment").resolve().cut(driver.control(at, "text").value)
    edges = [
        data.edge_effects(Reading(Shipped("sentiment"), Mask(), tokens), layer, head, n) for n in range(len(tokens))
    ]
    missed = [one.effect.max() - one.effect[one.weight.argmax()] for one in edges]
    assert int(np.argmax(missed)) == query
    named = driver.visit("heads", closer="Edges", weights="trained on reviews", query=4)
    assert f"**What matters to** :blue[**{tokens[4]}**]" in words(named)
    assert data.telling_query(Reading(Shipped("sentiment"), Mask(), ("the",) * 30), 0, 0) is None


def test_nothing_is_computed_until_asked() -> None:
    assert len(charts(visit())) == 0


def test_a_long_text_is_refused_in_a_sentence() -> None:
    at = visit(closer="Ablation", text="word " * 100)
    assert len(charts(at)) == 0
    assert "at most 64 tokens" in notices(at)


@pytest.mark.parametrize(
    ("link", "sentence"),
    [
        ({"closer": "nonsense"}, "You see One head: this page has no view “nonsense”."),
        (
            {"closer": "All heads", "closer_layer": "9"},
            "You see 2: layers here are numbered from 0 to 2, so there is no layer 9.",
        ),
    ],
)
def test_a_link_that_asks_for_no_study_or_setting_of_one_says_so(link: dict[str, str], sentence: str) -> None:
    at = visit(**link)
    assert notices(at) == sentence
    assert notices(visit(**link, seed="-1")).splitlines()[1:] == [sentence], "below the notice on the model"


def test_a_notice_on_a_study_goes_once_the_visitor_chooses() -> None:
    at = visit(closer="nonsense")
    assert notices(choose(at, closer="Edges")) == ""


def pinned(at: AppTest) -> AppTest:
    return pin(at)


def test_a_against_a_says_so() -> None:
    at = pinned(visit())
    assert len(charts(at)) == 3
    assert "A and B are the same." in notices(at)
    assert any(NOTHING in caption.value for caption in at.caption)


def test_one_change_is_named_and_seen() -> None:
    at = pinned(visit())
    at = at.select_slider(key="seed").set_value(3).run()
    assert "Seed: 0 in A, 3 in B." in notices(at)
    assert any(caption.value.startswith("The heads of A and B differ by at most ") for caption in at.caption)


def test_a_link_brings_both_back() -> None:
    pins = pinned(visit(heads="8", text="the cat sat")).query_params["a"]
    link = pins if isinstance(pins, str) else pins[0]
    at = visit(a=link, heads="2", text="the cat sat")
    assert "Heads: 8 in A, 2 in B; and with that, Key/value heads: 8 in A, 2 in B." in notices(at)
    assert any(m.value == "Only A has heads 2 to 7." for m in at.markdown)
    assert len(charts(at)) == 3


def test_a_can_be_taken_away() -> None:
    at = press(pinned(visit()), "unpin")
    assert len(charts(at)) == 0
    assert "a" not in at.query_params


@pytest.mark.parametrize("a", ["", "nonsense", "text=&heads=7", "text=" + "x" * 20_000, "%00&&&=="])
def test_any_a_in_a_link_is_taken_calmly(a: str) -> None:
    at = visit(a=a)
    assert not at.exception
    assert at.button(key="unpin")


def test_sentences_of_different_length_have_no_difference() -> None:
    at = pinned(visit(text="one two three"))
    at = at.text_input(key="text").set_value("one two").run()
    assert len(charts(at)) == 1
    assert "A reads “one two three”." in notices(at)


def test_the_difference_is_of_the_chosen_heads() -> None:
    """B - A on screen equals the difference of the two models' own weights."""
    at = pinned(visit(text="one two three"))
    at = at.select_slider(key="seed").set_value(1).run()
    difference = chart(at, 2)["data"][0]["z"]
    config = TransformerConfig(
        d_model=64, n_heads=4, n_encoder_layers=3, vocab_size=VOCABULARY, tgt_vocab_size=VOCABULARY
    )
    tokens = ("one", "two", "three")
    a, b = (
        run_with_maps(
            EncoderModel(config, torch.Generator().manual_seed(seed)).eval(),
            hashed_ids(list(tokens), VOCABULARY),
            tokens,
        )
        .attention["encoder"]
        .weights[0, 0]
        for seed in (0, 1)
    )
    np.testing.assert_allclose(difference, b.astype(float) - a, atol=1e-7)


# ---- a head is picked before it is ablated -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("head", "said"),
    [
        ((0, 1), r"rank 1 of 4\*\*.*by 0.90 of their length, more than"),
        ((1, 1), "rank 3 of 4.*sits lower"),
        ((0, 0), "rank 4 of 4.*in one layer"),
    ],
)
def test_a_pick_is_ranked_among_the_effects_of_all_heads(head: tuple[int, int], said: str) -> None:
    effects = np.array([[0.1, 0.9], [0.5, 0.2]])
    assert re.search(said, pick.reply(head, effects))
    assert "sits higher" in pick.reply((0, 1), effects[::-1])


def test_nothing_is_shown_before_the_pick_and_everything_after_it() -> None:
    at = driver.visit("heads", closer="Ablation", closer_first="pick one first", layer=1, head=0)
    assert not charts(at)
    at = driver.press(at, "closer_take")
    assert len(charts(at)) >= 2
    effects = np.array(chart(at, 1)["data"][0]["z"])
    assert pick.reply((1, 0), effects) in [m.value for m in at.markdown]
    assert at.query_params["closer_pick"] == "1-0"
    at = driver.visit("heads", closer="Ablation", closer_first="pick one first", closer_pick="9-9")
    assert not charts(at)  # there is no such head
