"""Encoder-decoders on the page on pretrained models: every weight of three kinds of attention, and what they write."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import numpy as np
import pytest
import torch
import transformers as hf
from streamlit.testing.v1 import AppTest

from lab.kit.controls.reader import STORIES
from lab.kit.models.published import EXAMPLES
from pages.pretrained.exchanges.data import MAX_WRITTEN
from tests.further import further
from tests.pages import driver, published_models
from tests.pages.driver import choose, notices, payloads, words
from tests.payloads import Payload, recomputed, unpack
from tests.pretrained import makers

ANIMAL = "The animal didn't cross the street because it was too tired"
TARGET = "The street is far"
T5, BART, READER = "translator, pretrained", "mender, pretrained", "reader, pretrained"
THEIRS = {
    T5: (makers.t5_folder, hf.T5ForConditionalGeneration),
    BART: (makers.bart_folder, hf.BartForConditionalGeneration),
}
STARTS = {T5: "<pad>", BART: "</s>"}


@pytest.fixture(autouse=True)
def models(tmp_path: Path) -> Iterator[None]:
    folders = {"reader": makers.bert_folder(), "translator": makers.t5_folder(), "mender": makers.bart_folder()}
    with published_models.only(folders, tmp_path):
        yield


def visit(**link: Any) -> AppTest:
    return driver.visit("pretrained", **link)


def shown(at: AppTest) -> dict[str, Payload]:
    """The picture of every kind of attention."""
    (data,) = (data for data in payloads(at) if isinstance(data, bytes))
    header, arrays = unpack(data)
    return {kind: unpack(arrays[f"kind:{kind}"].tobytes()) for kind in header["kinds"]}


class Theirs:
    """The same model as the library transformers has it."""

    def __init__(self, name: str) -> None:
        folder, kind = THEIRS[name]
        self.tokenizer = hf.PreTrainedTokenizerFast.from_pretrained(folder())
        self.model = kind.from_pretrained(folder(), attn_implementation="eager").eval()
        self.start = self.tokenizer.get_vocab()[STARTS[name]]

    @torch.no_grad()
    def written(self, text: str) -> list[int]:
        """The likeliest token at every step, each from a pass over all that came before."""
        given, ids = torch.tensor([self.tokenizer(text)["input_ids"]]), [self.start]
        while len(ids) <= MAX_WRITTEN and (len(ids) == 1 or ids[-1] != self.tokenizer.eos_token_id):
            logits = self.model(input_ids=given, decoder_input_ids=torch.tensor([ids])).logits
            ids.append(int(logits[0, -1].argmax()))
        return ids[1:]

    @torch.no_grad()
    def attention(self, text: str, written: list[int]) -> dict[str, np.ndarray]:
        """(L, H, T, S) of every kind, while it writes this."""
        out = self.model(
            input_ids=torch.tensor([self.tokenizer(text)["input_ids"]]),
            decoder_input_ids=torch.tensor([[self.start, *written[:-1]]]),
            output_attentions=True,
        )
        kinds = {"encoder": out.encoder_attentions, "decoder": out.decoder_attentions, "cross": out.cross_attentions}
        return {kind: torch.stack([layer[0] for layer in layers]).numpy() for kind, layers in kinds.items()}

    def labels(self, ids: list[int]) -> list[str]:
        tokens = self.tokenizer.convert_ids_to_tokens(ids)
        return [token.replace("Ġ", "·").replace("▁", "·") for token in tokens]


def check(pictures: dict[str, Payload], theirs: Theirs, text: str, written: list[int]) -> None:
    """Every kind's weights are theirs, and so are its tokens; and its own q and k give its weights."""
    expected = theirs.attention(text, written)
    assert list(pictures) == list(expected)
    for kind, picture in pictures.items():
        assert expected[kind].std() > 0.01, "weights that are all alike would test nothing"
        np.testing.assert_allclose(picture.arrays["weights"], expected[kind], atol=1e-5)
        np.testing.assert_allclose(recomputed(picture), expected[kind], atol=1e-5)
    source, target = theirs.labels(theirs.tokenizer(text)["input_ids"]), theirs.labels(written)
    assert pictures["encoder"].header["queries"] == pictures["cross"].header["keys"] == source
    assert pictures["cross"].header["queries"] == target
    assert pictures["decoder"].header["queries"] == [*theirs.labels([theirs.start]), *target[:-1]]


# ---- every weight --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", further(THEIRS))
def test_every_kind_is_that_of_the_published_model_while_it_writes(name: str) -> None:
    theirs = Theirs(name)
    written = theirs.written(ANIMAL)
    at = visit(weights=name, text=ANIMAL)
    check(shown(at), theirs, ANIMAL, written)
    assert notices(at) == ""
    text = theirs.tokenizer.decode(written, skip_special_tokens=True)
    said = words(at)
    assert "It wrote" in said
    assert all(word in said.replace("\\", "") for word in text.split() if word.isalpha())


@pytest.mark.parametrize("name", further(THEIRS))
def test_every_kind_is_that_of_the_published_model_on_a_target_that_is_typed(name: str) -> None:
    theirs = Theirs(name)
    at = visit(weights=name, text=ANIMAL, pretrained_target=TARGET)
    check(shown(at), theirs, ANIMAL, theirs.tokenizer(TARGET)["input_ids"])
    assert "You typed what it writes" in words(at)
    at = choose(at, pretrained_target="")
    check(shown(at), theirs, ANIMAL, theirs.written(ANIMAL))


def test_it_opens_on_cross_attention_and_marks_what_it_knows() -> None:
    at = visit(weights=T5, text=ANIMAL, pretrained_target=TARGET)
    (data,) = (data for data in payloads(at) if isinstance(data, bytes))
    header = unpack(data).header
    assert header["kinds"][header["kind"]] == "cross"
    pictures = shown(at)
    assert {kind: picture.header["label"] for kind, picture in pictures.items()} == {
        "encoder": "encoder self-attention",
        "decoder": "decoder self-attention",
        "cross": "cross-attention",
    }
    marks = pictures["cross"].header["marks"]
    assert [n for n, special in enumerate(marks["key"]["special"]) if special] == [len(marks["key"]["special"]) - 1]
    assert len({word for word in marks["query"]["words"] if word is not None}) == len(TARGET.split())
    assert pictures["decoder"].header["marks"]["query"]["special"][0], "what its text begins with is no part of it"
    for kind, names in {"encoder": {"entropy", "previous", "duplicate"}, "cross": {"entropy"}}.items():
        found = {name.removeprefix("score:") for name in pictures[kind].arrays if name.startswith("score:")}
        assert found >= names
        assert found == pictures[kind].header["chance"].keys() == pictures[kind].header["about"].keys()
    assert not [name for name in pictures["cross"].arrays if name.startswith("score:") and name != "score:entropy"]


# ---- any text ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["", "   ", "🙂", "<b>&amp;**a**", "\x00", "</s> <pad>"])
@pytest.mark.wide
def test_any_text_and_any_target(text: str) -> None:
    one, other = (THEIRS, reversed(THEIRS))[len(text) % 2]
    at = visit(weights=one, text=text)
    assert "no word to look at" in notices(at) or list(shown(at)) == ["encoder", "decoder", "cross"]
    assert list(shown(visit(weights=other, text=ANIMAL, pretrained_target=text))) == ["encoder", "decoder", "cross"]


@pytest.mark.parametrize("name", [BART])
@pytest.mark.wide
def test_long_texts_keep_their_end_and_it_says_so(name: str) -> None:
    long = "cross the street " * 300
    at = visit(weights=name, text=long, pretrained_target=long)
    n = 40 if name == BART else 512
    assert notices(at).count(f"The first {n} tokens are shown") == 2
    cross = shown(at)["cross"].header
    assert (len(cross["keys"]), cross["keys"][-1], len(cross["queries"])) == (n, "</s>", n)
    written = shown(choose(at, pretrained_target=""))["cross"].header["queries"]
    assert len(written) <= MAX_WRITTEN


def test_it_opens_on_texts_of_its_kind() -> None:
    assert driver.control(visit(weights=T5), "text").value == EXAMPLES["encoder-decoder"][0]
    at = visit(weights=BART)
    assert "<mask>" in driver.control(at, "text").value
    assert "<mask>" in shown(at)["encoder"].header["queries"]


# ---- beside other models -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("page", "link"), [("heads", {}), ("attention", {})])
def test_what_needs_a_single_stack_says_so(page: str, link: dict[str, Any]) -> None:
    at = driver.visit(page, weights=T5, **link)
    assert "that model has an encoder and a decoder" in notices(at)
    assert T5 not in driver.control(at, "weights").options
    other = driver.visit(page, weights="nothing, pretrained", **link)
    assert "there is no such model here" in notices(other)


def test_where_heads_are_compared_a_single_stack_is_needed() -> None:
    at = driver.visit("pretrained", pretrained_view="Which head?", weights=T5)
    assert "a decoder or an encoder on this server is needed" in notices(at)
    assert T5 not in driver.control(at, "weights").options


def test_a_model_of_one_stack_and_one_of_two_can_follow_each_other() -> None:
    at = visit(weights=READER, text=ANIMAL)
    assert "pretrained_target" not in driver.values(at)
    at = choose(at, weights=T5)
    assert list(shown(at)) == ["encoder", "decoder", "cross"]
    assert "pretrained_pair" not in driver.values(at)
    at = choose(at, weights=READER)
    (data,) = (data for data in payloads(at) if isinstance(data, bytes))
    assert unpack(data).header["queries"][0] == "[CLS]"


@pytest.mark.parametrize("kind", further(["cross", "encoder", "decoder"]))
def test_two_texts_are_subtracted_kind_by_kind(kind: str) -> None:
    other = ANIMAL.replace("animal", "s t r e e t").replace("street", "animal").replace("s t r e e t", "street")
    a = urlencode({"weights": T5, "text": ANIMAL, "pretrained_target": TARGET})
    at = visit(weights=T5, text=other, pretrained_target=TARGET, a=a, kind=kind)
    theirs, texts = Theirs(T5), [ANIMAL, other]
    written = theirs.tokenizer(TARGET)["input_ids"]
    one, two = (theirs.attention(text, written)[kind] for text in texts)
    every, first, difference = (np.array(chart["data"][0]["z"], "f8") for chart in driver.charts(at))
    layer, head = shown(at)[kind].header["open"]
    np.testing.assert_allclose(np.nan_to_num(difference), (two - one)[layer, head], atol=1e-5)
    np.testing.assert_allclose(np.nan_to_num(first), one[layer, head], atol=1e-5)
    np.testing.assert_allclose(np.nanmax(np.abs(every)), np.abs(two - one).max(), atol=1e-5)
    assert f"A: {kind}, layer {layer}, head {head}" in words(at)


def test_texts_of_other_lengths_say_what_would_make_them_alike() -> None:
    at = visit(weights=T5, text=ANIMAL, pretrained_target=TARGET, a=urlencode({"weights": T5, "text": TARGET}))
    assert (
        "To subtract **cross** attention, give both texts of equally many tokens and type what both should write"
        in words(at)
    )
    assert "so their cells cannot be subtracted" in words(at)
    assert len(driver.charts(at)) == 1


def test_two_models_of_other_sizes_say_what_only_one_has() -> None:
    a = urlencode({"weights": BART, "text": ANIMAL, "pretrained_target": TARGET})
    at = visit(weights=T5, text=ANIMAL, pretrained_target=TARGET, a=a, kind="encoder")
    assert "Only A has layer 2." in words(at)


def test_what_writes_no_second_text_is_not_subtracted_from_it() -> None:
    at = visit(weights=T5, text=ANIMAL, a=urlencode({"weights": READER, "text": ANIMAL}))
    assert "A does not write a second text, so it has no such attention to subtract" in words(at)
    assert list(shown(at)) == ["encoder", "decoder", "cross"]
    at = visit(weights=READER, text=ANIMAL, a=urlencode({"weights": T5, "text": ANIMAL, "pretrained_target": TARGET}))
    assert "A is a model that also writes a text" in words(at)
    assert driver.charts(at) == []


def test_the_door_lists_it_and_opens_it() -> None:
    at = visit(pretrained_view="Models")
    (skyline,) = (data["models"] for data in payloads(at) if "models" in data)
    (t5,) = (model for model in skyline if model["title"] == "T5 small")
    assert t5["stacks"] == [[6, 8, False], [6, 8, False], [6, 8, True]], "cross-attention stands between the two"
    assert "**translator**" in words(at)
    names = [button for button in at.button if str(button.key).startswith("open-")]
    assert len(names) == 3
    at = driver.press(visit(pretrained_view="Models"), str(names[-1].key))
    assert driver.control(at, "pretrained_view").value == "Heads"
    assert driver.control(at, "weights").value in (T5, BART)
    assert list(shown(at)) == ["encoder", "decoder", "cross"]


def test_where_memory_is_short_one_sentence_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    from lab.kit.models import published

    monkeypatch.setattr(published.BUDGET, "max_bytes", 1000)
    at = visit(weights=T5)
    assert "This model would take" in notices(at)
    assert f"You see the model “{STORIES}” in its place." in notices(at)
