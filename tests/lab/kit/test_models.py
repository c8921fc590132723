"""Trained models on the pages whose models are untrained otherwise: the same weights, the model's own words, and never
another visitor's model."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from streamlit.testing.v1 import AppTest

from lab.kit import story
from lab.kit.controls.reader import BEFORE, OWN, REVIEWS, STORIES, UNTRAINED
from lab.kit.controls.text_input import EXAMPLES
from lab.kit.models.published import there
from lab.kit.models.references import HAND_OVER, VOCABULARY, BeforeTraining, Own, Shipped, TrainedSource
from lab.kit.models.source import MAX_TOKENS
from pages.generation.text import OWN as WRITES
from tests.lab.kit.test_compare import bench
from tests.pages import driver, published_models
from tests.pages.driver import charts, choose, notices, payloads, words
from tests.pages.heads.test_page import shown
from tests.pretrained import makers
from transformer.core.config import TransformerConfig
from transformer.core.model import EncoderModel, SingleStack, Transformer
from transformer.core.taps import ablate, no_tap
from transformer.inspection import head_effects
from transformer.inspection.geometry import cosines
from transformer.inspection.run import run_with_maps
from transformer.training import shipped, tasks
from transformer.training.checkpoints import Checkpoint
from transformer.training.tasks import tales
from transformer.training.text import BOS, UNKNOWN, hashed_ids
from transformer.training.trainer import Trainer

USUAL = "mia found a red ball in the park. in the evening mia took the red"
NAMES = {STORIES: "stories", REVIEWS: "sentiment"}


def visit(page: str = "heads", made: Checkpoint | None = None, **link: Any) -> AppTest:
    """The page as somebody opens it who has handed over the model `made`, if any."""
    return driver.visit(page, session={HAND_OVER: made} if made else None, **link)


def typed(at: AppTest) -> str:
    return at.text_input(key="text").value or ""


def model_of(checkpoint: Checkpoint) -> SingleStack:
    model = checkpoint.model()
    assert not isinstance(model, Transformer)
    return model


def ids_of(checkpoint: Checkpoint, text: str) -> list[int]:
    return [BOS, *checkpoint.task.source.encode(text)]


# ---- /heads ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("title", NAMES)
def test_the_weights_are_those_of_the_shipped_model(title: str) -> None:
    at = visit(weights=title)
    checkpoint = shipped.load(NAMES[title])
    ids = ids_of(checkpoint, typed(at))
    payload = shown(at)
    tokens = tuple(checkpoint.task.source.label(id) for id in ids)
    run = run_with_maps(model_of(checkpoint), ids, tokens).attention[checkpoint.task.kind]
    np.testing.assert_array_equal(payload.arrays["weights"], run.weights)
    assert payload.header["queries"] == list(tokens)
    assert payload.header["untrained"] is False
    assert payload.header["facts"] == [], "they stand on the page, once"
    assert f"{sum(w.numel() for w in checkpoint.weights.values()):,} parameters" in words(at)
    assert UNKNOWN not in ids
    assert not at.select_slider  # the sizes of a random model are out of the way


def test_every_example_is_known_and_not_longer_than_in_training() -> None:
    for name in NAMES.values():
        task = shipped.load(name).task
        for text in Shipped(name).resolve().examples:
            assert not Shipped(name).resolve().unknown(text)
            assert len(task.source.encode(text)) <= task.longest


def test_unknown_words_keep_their_letters_and_are_marked() -> None:
    at = visit(made=shipped.load("tales"), weights=OWN, text="mia found a *cat* in the park")
    assert notices(at) == "", "nothing pushes the figure down"
    picture = shown(at)
    assert picture.header["queries"][4:7] == ["*", "cat", "*"]
    marked = picture.header["marks"]
    assert marked["query"] == marked["key"] == {"unknown": [n in (4, 5, 6) for n in range(10)]}
    assert driver.offered(at)["unread"] == [n in (3, 4, 5) for n in range(9)]
    assert "marks" not in shown(visit(weights=STORIES)).header


def test_a_text_in_letters_of_its_own_is_the_same_to_the_model() -> None:
    source = Shipped("tales").resolve()
    tokens = source.cut("Mia saw a dragon, a cat and a ⟨start⟩ .")
    assert source.ids(tokens) == [BOS, *source.task.source.encode("Mia saw a dragon, a cat and a ⟨start⟩ .")]
    assert [token for token, unread in zip(tokens, source.unread(tokens), strict=True) if unread] == [
        "dragon",
        "cat",
        "⟨",
        "start",
        "⟩",
    ]


@pytest.mark.parametrize(
    ("page", "box"),
    [
        ("attention", "text"),
        ("heads", "text"),
        ("masks", "text"),
        ("blocks", "text"),
        ("generation", "gen_text"),
        ("pretrained", "pretrained_lens_text"),
    ],
)
def test_of_letters_that_no_story_has_one_sentence_tells(page: str, box: str) -> None:
    link: dict[str, Any] = {"pretrained_view": "Lens", "weights": STORIES} if page == "pretrained" else {}
    at = driver.visit(page, **link | {box: "Миа saw a 7"})
    told = "This model was trained on English stories and never met “М”, “и”, “а” and 1 other sign."
    assert notices(at).count(told) == 1
    assert "never met" not in notices(driver.visit(page, **link | {box: "mia found a red hat"}))


def test_of_signs_that_a_published_model_reads_in_bytes_one_sentence_tells(tmp_path: Path) -> None:
    with published_models.only({"writer": makers.gpt2_folder(), "reader": makers.bert_folder()}, tmp_path):
        writer, reader = (ref.resolve() for kind in ("decoder", "encoder") for ref in there(kind).values())
        reads = "This model has no token for "
        assert writer.unmet("the м") == f"{reads}“м”: it reads bytes of it."
        assert writer.unmet("Миа нашла") == f"{reads}“М”, “и”, “а” and 3 other signs: it reads bytes of them."
        assert writer.unmet("I ❤️ ते") == f"{reads}“❤️” and “ते”: it reads bytes of them.", "no sign without ink"
        assert reader.unmet("the ❤️ м.") == f"{reads}“❤️” and “м”: it reads [UNK]."
        assert writer.unmet("the cat") == reader.unmet("the cat") == ""


@pytest.mark.wide
def test_a_piece_of_a_word_is_shown_alike_by_every_model() -> None:
    for source in (Shipped("stories").resolve(), *(ref.resolve() for ref in there("encoder").values())):
        assert not any(label.startswith("##") and label.strip("#") for label in source.labels)
        assert source.ids(source.labels) == list(range(len(source.labels)))
    assert Shipped("stories").resolve().cut("hermione")[2].startswith("…")


@pytest.mark.parametrize("text", ["", "🙂", "word " * 600, "mia " * 130])
def test_any_text(text: str) -> None:
    at = visit(weights=STORIES, text=text)
    if text == "":
        assert "no word to look at" in notices(at)
    if text.startswith("word"):
        left_out = len(Shipped("stories").resolve().cut(text)) - MAX_TOKENS
        assert f"The first {MAX_TOKENS} tokens are shown; {left_out} more are left out." in notices(at)
    if text.startswith("mia"):
        assert "It was trained on at most" in notices(at)


def test_the_text_follows_the_model_and_comes_back() -> None:
    at = visit(weights=UNTRAINED)
    assert typed(at) == EXAMPLES[0]
    at = choose(at, text=EXAMPLES[2])
    at = choose(at, weights=STORIES)
    assert typed(at) == story.TEXT
    at = choose(at, weights=REVIEWS)
    assert typed(at) == Shipped("sentiment").resolve().examples[0]
    at = choose(at, weights=UNTRAINED)
    assert typed(at) == EXAMPLES[2]
    assert shown(at).header["untrained"] is True
    at = choose(at, text="mia took my own words")  # what somebody typed stays
    assert typed(choose(at, weights=STORIES)) == "mia took my own words"


def test_a_link_without_the_model_says_so() -> None:
    at = visit(weights="the best")
    assert f"You see {STORIES}: there is no such model here" in notices(at)


@pytest.mark.parametrize(
    ("own", "page", "link", "said"),
    [
        (
            "reverse",
            "heads",
            {"weights": "own"},
            "your model translates; this page reads texts. See it on Translation.",
        ),
        ("reverse", "blocks", {"weights": OWN}, "your model translates; this page reads texts. See it on Translation."),
        ("reverse", "generation", {"gen_model": WRITES}, "your model translates; this page writes. See it on"),
        (None, "heads", {"weights": "own"}, "there is no such model here; train one on the page Live"),
    ],
)
def test_a_model_that_another_page_shows_is_said_to_be_there(
    own: str | None, page: str, link: dict[str, str], said: str
) -> None:
    assert said in notices(visit(page, shipped.load(own) if own else None, **link))


def test_without_a_head_the_answer_changes_as_it_does_by_hand() -> None:
    at = visit(weights=STORIES, closer="Ablation", layer="0", head="0", text=USUAL)
    checkpoint = shipped.load("stories")
    model, ids = model_of(checkpoint), ids_of(checkpoint, USUAL)
    for name, tap in (("whole model", no_tap), ("without layer 0, head 0", ablate("decoder.0.self_attn", 0))):
        logits = head_effects.forward(model, ids, tap=tap).logits[0]
        right = sum(int(logits[i].argmax()) == ids[i + 1] for i in range(len(ids) - 1))
        best = logits[-1].softmax(-1).max(-1)
        word = checkpoint.task.source.label(int(best.indices))
        assert f"| {name} | **{word}** | {best.values:.0%} | {right} of {len(ids) - 1} |" in words(at)


@pytest.mark.few(5)
@pytest.mark.parametrize("title", NAMES)
@pytest.mark.parametrize("way", ["Edges", "All heads"])
def test_every_way_of_looking_closer(title: str, way: str) -> None:
    at = visit(weights=title, closer=way)
    assert charts(at)
    if way == "All heads":
        assert "two of these trained heads have a similarity of" in words(at)


def test_untrained_against_trained() -> None:
    text = "tom found a ball"
    sizes = {"layers": "3", "layer": "0", "head": "0"}
    at = visit(a="weights=trained+on+stories&text=tom+found+a", weights=UNTRAINED, text=text, **sizes)
    assert "Model: trained on stories in A, untrained in B" in notices(at)
    checkpoint = shipped.load("stories")
    ids = ids_of(checkpoint, "tom found a")
    a = run_with_maps(model_of(checkpoint), ids, tuple(map(str, ids))).attention["decoder"].weights
    config = TransformerConfig(vocab_size=VOCABULARY, n_encoder_layers=3, n_decoder_layers=3)
    model = EncoderModel(config, torch.Generator().manual_seed(0)).eval()
    b = (
        run_with_maps(model, hashed_ids(list(text.split()), VOCABULARY), tuple(text.split()))
        .attention["encoder"]
        .weights
    )
    difference = np.asarray(bench(at)["difference"][0]["z"], float)
    np.testing.assert_allclose(difference, (b.astype(float) - a)[0, 0], atol=1e-6)
    at = visit(a="usual", weights=UNTRAINED)  # other sizes: side by side, and nothing to subtract
    assert set(bench(at)) == {"A"}  # B is the picture itself
    assert "so their cells cannot be subtracted" in words(at)


# ---- before training, and links that are older than trained models as the default ------------------------------


def test_before_training_it_is_the_model_that_the_training_began_with() -> None:
    checkpoint = shipped.load("stories")
    trainer = Trainer(checkpoint.task, checkpoint.config, replace(checkpoint.settings, n_examples=10, n_tests=10))
    model = BeforeTraining(Shipped("stories")).resolve().model
    began = trainer.model.state_dict()
    assert all(torch.equal(weight, began[name]) for name, weight in model.state_dict().items())
    at = visit(weights=STORIES, state=BEFORE)
    payload = shown(at)
    ids = ids_of(checkpoint, typed(at))
    assert not isinstance(model, Transformer)
    run = run_with_maps(model, ids, tuple(map(str, ids))).attention["decoder"]
    np.testing.assert_allclose(payload.arrays["weights"], run.weights, atol=1e-6)
    assert payload.header["untrained"] is True


@pytest.mark.parametrize(
    "link", [{"weights": "random weights"}, {"layers": "2"}, {"model": "Decoder", "positions": "ALiBi"}, {"seed": "5"}]
)
def test_old_links_open_an_untrained_model(link: dict[str, Any]) -> None:
    at = visit(**link)
    assert driver.control(at, "weights").value == UNTRAINED
    assert notices(at) == ""


def test_a_link_that_names_a_text_and_no_model_is_read_by_one_that_has_its_words() -> None:
    for text, model in (
        ("the soup was not good", REVIEWS),
        ("mia lost a hat", STORIES),
        ("the cat sat on the microwave", STORIES),  # in pieces, as it would be by any model
    ):
        assert driver.control(visit(text=text), "weights").value == model


def test_an_old_link_that_pins_an_untrained_model_still_does() -> None:
    at = visit(a="d_model=32", weights=UNTRAINED)
    assert "d_model: 32 in A, 64 in B" in notices(at)


# ---- a visitor's own model -------------------------------------------------------------------------------------


def mine(factor: float = 0.5) -> Checkpoint:
    checkpoint = shipped.load("stories")
    return replace(checkpoint, weights={name: w * factor for name, w in checkpoint.weights.items()})


def test_ones_own_model_is_shown_and_only_to_oneself() -> None:
    made = mine()
    at = visit(made=made, weights=OWN, text=USUAL)
    ids = ids_of(made, USUAL)
    expected = run_with_maps(model_of(made), ids, tuple(map(str, ids))).attention["decoder"].weights
    np.testing.assert_array_equal(shown(at).arrays["weights"], expected)
    key = at.session_state["_kept_own_source"].ref.key
    other = visit(made=mine(0.25), weights=OWN, text=USUAL)
    assert not np.array_equal(shown(other).arrays["weights"], expected)
    assert other.session_state["_kept_own_source"].ref.key != key
    stranger = visit(weights=OWN, text=USUAL)
    assert "there is no such model here" in notices(stranger)
    assert f"You see {STORIES}" in notices(stranger)


def _ask_for(key: str) -> None:
    import streamlit as st

    from lab.kit.models.references import Own

    try:
        st.text(Own(key).resolve().facts[0])
    except LookupError as error:
        st.text(error.args[0])


def test_even_the_right_key_opens_nothing_elsewhere() -> None:
    key = visit(made=mine(), weights=OWN).session_state["_kept_own_source"].ref.key
    assert len(key) == 32
    for made in (None, mine(0.25)):  # a stranger without a model, and one with another
        at = AppTest.from_function(_ask_for, args=(key,))
        at.session_state[HAND_OVER] = made
        assert at.run().text[0].value == "there is no such model in this session; train one on the page Live"


def test_the_same_model_keeps_its_key_and_another_has_another() -> None:
    made = mine()
    at = visit(made=made, weights=OWN)
    key = at.session_state["_kept_own_source"].ref.key
    assert at.run().session_state["_kept_own_source"].ref.key == key
    at.session_state[HAND_OVER] = mine()
    assert at.run().session_state["_kept_own_source"].ref.key != key


def test_what_does_not_read_by_itself_is_not_offered() -> None:
    at = visit(made=shipped.load("reverse"))
    assert OWN not in at.selectbox(key="weights").options


def test_a_model_of_a_text_of_ones_own_is_read_by_character() -> None:
    task = tasks.make("text", text="the king sat at the table and was happy. " * 20, length=16)
    config = TransformerConfig(vocab_size=len(task.source), n_decoder_layers=1, positions="learned", max_len=18)
    source = TrainedSource(Own("x"), replace(shipped.load("stories"), task=task, config=config))
    assert source.cut("the king")[:5] == ("⟨start⟩", "t", "h", "e", "␣")
    assert source.ids(source.cut("the king")) == [BOS, *task.source.encode("the king")]
    assert source.max_tokens == 18  # a learned position table has no more rows
    assert all(source.examples)


def test_what_is_offered_is_what_is_shipped() -> None:
    assert set(NAMES.values()) <= set(shipped.SHIPPED)
    assert all(Shipped(name).exists for name in NAMES.values())
    assert set(NAMES) <= set(visit().selectbox(key="weights").options)


# ---- /embeddings -----------------------------------------------------------------------------------------------


def words_shown(at: AppTest) -> dict:
    """What the map and the matrix of words were sent."""
    (data,) = (data for data in payloads(at) if "cosines" in data)
    return data


def test_the_table_of_tales_has_an_order_and_a_random_one_has_none() -> None:
    checkpoint = shipped.load("tales")
    at = visit("embeddings", made=checkpoint, emb_part="Similarity", weights=OWN)
    table = checkpoint.weights["decoder.embedding.weight"].float().numpy()
    known = [word for kind in tales.KINDS.values() for word in kind]
    of = np.repeat(np.arange(len(tales.KINDS)), [len(kind) for kind in tales.KINDS.values()])
    expected = cosines(table[[checkpoint.task.source.vocabulary.id(word) for word in known]])
    np.testing.assert_allclose(words_shown(at)["cosines"], expected, atol=1e-4)
    same = of[:, None] == of
    within, between = expected[same & ~np.eye(len(of), dtype=bool)].mean(), expected[~same].mean()
    assert within > 0.3 > 0.1 > between
    assert f"| two words of one kind | **{within:.2f}** | 0.0" in words(at)
    assert f"| of different kinds | **{between:.2f}** |".replace("-", "−") in words(at)
    assert "untrained" not in words(at)
    assert "untrained" in words(choose(at, weights=UNTRAINED))


def test_words_of_the_sentence_in_the_trained_table() -> None:
    read = {"emb_words": "of the sentence", "text": "mia saw tom and a cat"}
    at = visit("embeddings", made=shipped.load("tales"), emb_part="Similarity", weights=OWN, **read)
    assert [word["label"] for word in words_shown(at)["words"]] == ["mia", "saw", "tom", "and", "a", "⟨unknown⟩"]


def test_other_parts_of_the_page_stay_with_the_text_and_the_random_table() -> None:
    at = choose(visit("embeddings", emb_part="Similarity"), emb_part="Cut")
    assert typed(at) == EXAMPLES[0]
    assert "weights" not in [control.key for control in at.selectbox]
