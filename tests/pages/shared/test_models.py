"""Trained weights on the pages whose models are random otherwise: the very weights, the model's own words, and no one
else's model."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from streamlit.testing.v1 import AppTest

from pages.shared import checkpoints, controls, readers
from pages.shared.readers import VOCABULARY
from tests.pages.driver import chart, open_page
from tests.pages.heads import test_page as test_heads_page
from tests.pages.shared import test_compare as test_benches
from transformer.config import TransformerConfig
from transformer.inspection import head_effects
from transformer.inspection.geometry import cosines
from transformer.inspection.run import run_with_maps
from transformer.model import EncoderModel
from transformer.taps import ablate
from transformer.training import shipped, tasks
from transformer.training.tasks import stories
from transformer.training.text import BOS, UNKNOWN, hashed_ids

APP = Path(__file__).parents[3] / "app.py"
STORIES, REVIEWS, RANDOM = readers.STORIES, readers.REVIEWS, readers.RANDOM
USUAL = "mia found a red ball in the park. in the evening mia took the red"
NAMES = {STORIES: "stories", REVIEWS: "sentiment"}


def visit(page="heads", made=None, **link) -> AppTest:
    at = AppTest.from_file(str(APP), default_timeout=300)
    for name, value in link.items():
        at.query_params[name] = value
    if made is not None:
        at.session_state[checkpoints.HAND_OVER] = made
    at = open_page(at, page).run()
    assert not at.exception
    return at


def choose(at: AppTest, key: str, value) -> AppTest:
    (widget,) = {
        id(w): w for kind in ("segmented_control", "text_input") for w in at.get(kind) if w.key == key
    }.values()
    at = widget.set_value(value).run()
    assert not at.exception
    return at


def words(at: AppTest) -> str:
    return "\n".join(m.value for m in [*at.markdown, *at.caption])


def said(at: AppTest) -> str:
    return "\n".join(text.value for text in at.text)


def typed(at: AppTest) -> str:
    return at.text_input(key="text").value


def ids_of(checkpoint, text: str) -> list[int]:
    return [BOS, *checkpoint.task.source.encode(text)]


# ---- /heads ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("title", NAMES)
def test_the_weights_are_those_of_the_shipped_model(title):
    at = visit(weights=title)
    checkpoint = shipped.load(NAMES[title])
    ids = ids_of(checkpoint, typed(at))
    payload = test_heads_page.shown(at)
    tokens = tuple(checkpoint.task.source.label(id) for id in ids)
    run = run_with_maps(checkpoint.model(), ids, tokens).attention[checkpoint.task.kind]
    np.testing.assert_array_equal(payload.arrays["weights"], run.weights)
    assert payload.header["queries"] == list(tokens)
    assert payload.header["untrained"] is False
    assert f"trained: {checkpoint.task.title.lower()}" in payload.header["facts"]
    assert f"{sum(w.numel() for w in checkpoint.weights.values()):,} parameters" in words(at)
    assert UNKNOWN not in ids
    assert not at.select_slider  # the sizes of a random model are out of the way


def test_every_example_is_known_and_not_longer_than_in_training():
    for name in NAMES.values():
        task = shipped.load(name).task
        for text in readers._EXAMPLES[name]:
            assert not task.source.unknown(text)
            assert len(task.source.encode(text)) <= task.longest


def test_unknown_words_are_named():
    at = visit(weights=STORIES, text="mia found a *cat* in the park")
    assert "never read “*”, “cat”: all it sees there is <unk>" in said(at)
    assert test_heads_page.shown(at).header["queries"][4:7] == ["<unk>"] * 3
    assert said(visit(weights=STORIES)) == ""


@pytest.mark.parametrize("text", ["", "🙂", "word " * 600, "mia " * 60])
def test_any_text(text):
    at = visit(weights=STORIES, text=text)
    if text == "":
        assert "no word to look at" in said(at)
    if text.startswith("word"):
        assert f"The first {controls.MAX_TOKENS} tokens are shown; 89 more are left out." in said(at)
    if text.startswith("mia"):
        assert "It was trained on at most" in said(at)


def test_the_text_follows_the_model_and_comes_back():
    at = visit()
    assert typed(at) == controls.EXAMPLES[0]
    at = choose(at, "text", controls.EXAMPLES[2])
    at = choose(at, "weights", STORIES)
    assert typed(at) == USUAL
    at = choose(at, "weights", REVIEWS)
    assert typed(at) == readers._EXAMPLES["sentiment"][0]
    at = choose(at, "weights", RANDOM)
    assert typed(at) == controls.EXAMPLES[2]
    assert test_heads_page.shown(at).header["untrained"] is True
    at = choose(at, "text", "mia took my own words")  # what somebody typed stays
    assert typed(choose(at, "weights", STORIES)) == "mia took my own words"


def test_a_link_without_the_model_says_so():
    at = visit(weights="the best")
    assert "You see random weights: there is no such model here" in said(at)


def test_without_a_head_the_answer_changes_as_it_does_by_hand():
    at = visit(weights=STORIES, closer="unplug")
    checkpoint = shipped.load("stories")
    model, ids = checkpoint.model(), ids_of(checkpoint, USUAL)
    for name, how in (("everything in", {}), ("without layer 0, head 0", {"tap": ablate("decoder.0.self_attn", 0)})):
        logits = head_effects.forward(model, ids, **how).logits[0]
        right = sum(int(logits[i].argmax()) == ids[i + 1] for i in range(len(ids) - 1))
        best = logits[-1].softmax(-1).max(-1)
        word = checkpoint.task.source.label(int(best.indices))
        assert f"| {name} | **{word}** | {best.values:.0%} | {right} of {len(ids) - 1} |" in words(at)


@pytest.mark.parametrize("title", NAMES)
@pytest.mark.parametrize("way", ["edges", "output", "subspace", "likeness", "rollout"])
def test_every_way_of_looking_closer(title, way):
    at = visit(weights=title, closer=way)
    assert at.get("plotly_chart")
    if way == "likeness":
        assert "two of these trained heads have a likeness of" in words(at)


def test_random_against_trained():
    text = "tom found a ball"
    at = visit(a="weights=trained+on+stories&text=tom+found+a", text=text, layers="2")
    assert "Weights trained on stories → random weights" in said(at)
    checkpoint = shipped.load("stories")
    ids = ids_of(checkpoint, "tom found a")
    a = run_with_maps(checkpoint.model(), ids, tuple(map(str, ids))).attention["decoder"].weights
    config = TransformerConfig(vocab_size=VOCABULARY, n_encoder_layers=2, n_decoder_layers=2)
    model = EncoderModel(config, torch.Generator().manual_seed(0)).eval()
    b = run_with_maps(model, hashed_ids(text.split(), VOCABULARY), tuple(text.split())).attention["encoder"].weights
    shown = np.asarray(test_benches.bench(at)["difference"][0]["z"], float)
    np.testing.assert_allclose(shown, (b.astype(float) - a)[0, 0], atol=1e-6)
    at = visit(a="usual", weights=STORIES)  # other sizes: side by side, and nothing to subtract
    assert {"A", "B"} <= set(test_benches.bench(at))
    assert "there is no cell to subtract from which" in words(at)


# ---- a visitor's own model -------------------------------------------------------------------------------------


def mine(factor=0.5):
    checkpoint = shipped.load("stories")
    return replace(checkpoint, weights={name: w * factor for name, w in checkpoint.weights.items()})


def test_ones_own_model_is_shown_and_only_to_oneself():
    made = mine()
    at = visit(made=made, weights=readers.OWN, text=USUAL)
    ids = ids_of(made, USUAL)
    expected = run_with_maps(made.model(), ids, tuple(map(str, ids))).attention["decoder"].weights
    np.testing.assert_array_equal(test_heads_page.shown(at).arrays["weights"], expected)
    key = at.session_state["_own_reader"].key
    other = visit(made=mine(0.25), weights=readers.OWN, text=USUAL)
    assert not np.array_equal(test_heads_page.shown(other).arrays["weights"], expected)
    assert other.session_state["_own_reader"].key != key
    stranger = visit(weights=readers.OWN, text=USUAL)
    assert "there is no such model here" in said(stranger)
    assert test_heads_page.shown(stranger).header["untrained"] is True


def _ask_for(key):
    import streamlit as st

    from pages.shared import readers

    try:
        st.text(readers.of(key).title)
    except KeyError as error:
        st.text(error.args[0])


def test_even_the_right_key_opens_nothing_elsewhere():
    key = visit(made=mine(), weights=readers.OWN).session_state["_own_reader"].key
    assert key.startswith("own ")
    assert len(key) == 36
    for made in (None, mine(0.25)):  # a stranger without a model, and one with another
        at = AppTest.from_function(_ask_for, args=(key,))
        at.session_state[checkpoints.HAND_OVER] = made
        assert at.run().text[0].value == "there is no such model in this session; train one on the page Live"


def test_the_same_model_keeps_its_key_and_another_has_another():
    made = mine()
    at = visit(made=made, weights=readers.OWN)
    key = at.session_state["_own_reader"].key
    assert at.run().session_state["_own_reader"].key == key
    at.session_state[checkpoints.HAND_OVER] = mine()
    assert at.run().session_state["_own_reader"].key != key


def test_what_does_not_read_by_itself_is_not_offered():
    at = visit(made=shipped.load("reverse"))
    assert readers.OWN not in at.segmented_control(key="weights").options


def test_a_model_of_a_text_of_ones_own_is_read_by_character():
    task = tasks.make("text", text="the king sat at the table and was happy. " * 20, length=16)
    config = TransformerConfig(vocab_size=len(task.source), n_decoder_layers=1, positions="learned", max_len=18)
    reader = readers.Reader("own x", readers.OWN, _checkpoint(task, config), None)
    assert reader.cut("the king")[:5] == ("<bos>", "t", "h", "e", "␣")
    assert reader.ids(reader.cut("the king")) == [BOS, *task.source.encode("the king")]
    assert reader.most == 18  # a learned position table has no more rows
    assert all(reader.examples)


def _checkpoint(task, config):
    return replace(shipped.load("stories"), task=task, config=config)


def test_what_is_offered_is_what_is_shipped():
    assert set(readers._SHIPPED.values()) <= set(checkpoints.films().values())
    assert all((readers._FOLDER / f"{name}.safetensors").exists() for name in readers._SHIPPED.values())


# ---- /embeddings -----------------------------------------------------------------------------------------------


def test_the_table_of_stories_has_an_order_and_a_random_one_has_none():
    at = visit("embeddings", emb_part="Similarity")
    checkpoint = shipped.load("stories")
    table = checkpoint.weights["decoder.embedding.weight"].float().numpy()
    known = [word for kind in stories.KINDS.values() for word in kind]
    of = np.repeat(np.arange(len(stories.KINDS)), [len(kind) for kind in stories.KINDS.values()])
    expected = cosines(table[[checkpoint.task.source.vocabulary.id(word) for word in known]])
    np.testing.assert_allclose(chart(at)["data"][0]["z"], expected, atol=1e-5)
    same = of[:, None] == of
    within, between = expected[same & ~np.eye(len(of), dtype=bool)].mean(), expected[~same].mean()
    assert within > 0.3 > 0.1 > between
    assert f"| two words of one kind | **{within:.2f}** | 0.0" in words(at)
    assert f"| of different kinds | **{between:.2f}** |".replace("-", "−") in words(at)
    assert "untrained" not in words(at)
    assert "untrained" in words(choose(at, "weights", RANDOM))


def test_words_of_the_sentence_in_the_trained_table():
    at = visit("embeddings", emb_part="Similarity", emb_words="of the sentence", text="mia saw tom and a cat")
    assert "never read “cat”" in said(at)
    assert chart(at)["layout"]["xaxis"]["ticktext"] == ["mia", "saw", "tom", "and", "a", "&lt;unk&gt;"]


def test_other_parts_of_the_page_stay_with_the_text_and_the_random_table():
    at = choose(visit("embeddings", emb_part="Similarity"), "emb_part", "Scale")
    assert typed(at) == controls.EXAMPLES[0]
    assert "weights" not in [control.key for control in at.segmented_control]
