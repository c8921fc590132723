"""The first page: the map follows every setting, a link restores them, and the sources are said once."""

import re
from typing import Any
from urllib.parse import parse_qsl

import numpy as np
import pytest
import torch
from streamlit.testing.v1 import AppTest

from lab.kit import catalogue, story
from lab.kit.controls import reader
from lab.kit.lessons import shelf
from lab.kit.lessons.shelf import Place
from lab.kit.page import STORY
from pages.overview import data, model_map
from tests.pages import driver
from tests.pages.driver import choose, notices, payloads
from tests.payloads import Payload, explained, unpack
from transformer import Recorder, ablate
from transformer.core.config import PRESETS
from transformer.core.taps import no_tap


def visit(**link: Any) -> AppTest:
    return driver.visit("", **link)


def shown_map(at: AppTest) -> dict[str, Any]:
    (figure,) = [data for data in payloads(at) if isinstance(data, dict) and "blocks" in data]
    return figure


def shown_picture(at: AppTest) -> Any:
    (picture,) = [unpack(data) for data in payloads(at) if isinstance(data, bytes)]
    return picture


def shapes(at: AppTest) -> dict[str, Any]:
    """The shapes of the model's parts by label; what is in both rows has that of the decoder."""
    figure = shown_map(at)
    return {block["label"]: block["shape"] for block in figure["blocks"] if not block["wide"]} | {
        "layers": [frame["label"] for frame in figure["frames"]]
    }


def test_the_map_opens_on_the_translator_that_its_pictures_come_from() -> None:
    shown = shapes(visit())
    config = data.TRANSLATOR.resolve().config
    assert shown["Self-attention"] == "(1, 4, 5, 5)"
    assert shown["Cross-attention"] == "(1, 4, 6, 5)"
    assert shown["Feed-forward"] == f"(1, 6, {config.d_model}) via {config.d_ff}"
    assert shown["Softmax"] == f"(1, 6, {config.tgt_vocab_size})"


def test_every_picture_is_what_the_translator_computes_on_the_chosen_sentence() -> None:
    text = data.sentences()[3]
    at = visit(front_map_text=text)
    pictures = {(block["label"], block["y"]): block["picture"] for block in shown_map(at)["blocks"]}
    assert all(pictures.values())
    numbers = data.numbers(text)
    by_label = {label: picture for (label, _), picture in pictures.items()}  # the decoder's, where both have one
    assert by_label["Source"]["labels"] == list(numbers.source)
    assert by_label["Target so far"]["labels"] == list(numbers.target)
    crossed = np.array(by_label["Cross-attention"]["rows"])
    weights = [numbers.tensors[f"decoder.{layer}.cross_attn.weights"] for layer in (0, 1)]
    np.testing.assert_allclose(crossed, np.concatenate(weights), atol=5e-4)
    assert np.allclose(crossed.sum(-1), 1, atol=0.01)
    np.testing.assert_allclose(by_label["Linear"]["rows"][0], numbers.logits, atol=5e-3)
    assert by_label["Softmax"]["labels"][0] == numbers.candidates[0]
    assert shapes(at)["Cross-attention"] == f"(1, 4, {len(numbers.target)}, {len(numbers.source)})"


LINK = {
    "front_map_d_model": "128",
    "front_map_heads": "16",
    "front_map_d_ff": "1024",
    "front_map_encoder_layers": "5",
    "front_map_decoder_layers": "9",
    "front_map_vocabulary": "30000",
    "front_map_source": "23",
    "front_map_target": "9",
    "front_map_batch": "8",
}


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
    if size == model_map.SHOWN:  # the default: go there by way of another
        at = choose(at, front_size="tiny")
    at = choose(at, front_size=size)
    preset = model_map.QUICK[size]
    config, shown = PRESETS[preset] if preset else data.TRANSLATOR.resolve().config, shapes(at)
    assert shown["Feed-forward"] == f"(8, 9, {config.d_model}) via {config.d_ff}"
    assert shown["Cross-attention"] == f"(8, {config.n_heads}, 9, 23)"
    assert shown["Softmax"] == f"(8, 9, {config.tgt_vocab_size})"
    assert driver.control(at, "front_map_d_model").value == config.d_model


def test_one_setting_changes_from_a_quick_choice() -> None:
    at = visit(front_size="the paper's", front_map_batch="4")
    at = choose(at, front_map_d_ff=4096)
    assert shapes(at)["Feed-forward"] == "(4, 6, 512) via 4096"


def test_every_size_that_can_be_chosen_makes_a_model() -> None:
    for d_model in model_map.SIZES["front_map_d_model"].options:
        for n_heads in model_map.SIZES["front_map_heads"].options:
            assert d_model % n_heads == 0


def test_nonsense_in_a_link_falls_back_and_says_so() -> None:
    at = visit(front_map_d_model="7", front_map_batch="-1", front_size="huge")
    assert notices(at).count("cannot be") == 3
    assert shapes(at)["Memory"] == "(1, 5, 48)"


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


def test_every_page_has_a_door_on_the_first_page_and_those_of_the_story_their_number() -> None:
    at = visit()
    figure = shown_map(at)
    links = {link.proto.label for link in at.get("page_link")}
    beside = [page for page in catalogue.PAGES if page.section not in STORY]
    assert {f"**{page.title}**: {page.question}" for page in beside} <= links
    on_map = {block["page"] for block in figure["blocks"]}
    assert on_map == {page.url for page in catalogue.PAGES if catalogue.number(page)}, (
        "see ABOUT in pages/overview/model_map.py"
    )
    assert figure["numbers"] == {page.url: catalogue.number(page) for page in catalogue.PAGES if catalogue.number(page)}


@pytest.mark.parametrize(
    "link",
    [
        {"front_picture": "open"},
        {"text": "nothing about the bed was bad"},
        {"state": reader.BEFORE},
        {"weights": reader.STORIES},
        {"weights": reader.UNTRAINED, "text": "any words at all"},
    ],
)
def test_the_link_beside_the_picture_opens_the_same_picture(link: dict[str, str]) -> None:
    at = visit(**link)
    picture = shown_picture(at)
    door = next(link.proto for link in at.get("page_link") if "Explore all heads" in link.proto.label)
    opened = shown_picture(driver.visit("heads", **dict(parse_qsl(door.query_string))))
    assert picture.header["queries"] == opened.header["queries"]
    assert picture.header["facts"] == opened.header["facts"]
    assert np.array_equal(picture.arrays["weights"], opened.arrays["weights"])


def test_it_opens_trained_and_names_what_its_head_looks_at() -> None:
    at = visit(picture="open")
    weights = shown_picture(at).arrays["weights"]
    said = next(m.value for m in at.markdown if "gets the most" in m.value)
    assert "Nobody told the model" in said
    assert weights.size
    before = next(m.value for m in visit(state=reader.BEFORE).markdown if "gets the most" in m.value)
    assert "this model is untrained" in before


def test_what_it_says_of_the_head_is_true_of_the_head_on_screen() -> None:
    at = visit(text="nothing about the bed was bad")
    picture = shown_picture(at)
    layer, head = picture.header["open"]
    shares = picture.arrays["weights"][layer, head].mean(0)
    said = next(m.value for m in at.markdown if "gets the most" in m.value)
    assert f":orange[**{picture.header['keys'][shares.argmax()]}**]" in said
    assert f"{shares.max():.0%} of all attention" in said


def test_a_published_model_is_asked_what_it_is() -> None:
    at = visit()
    (shown,) = [data for data in payloads(at) if isinstance(data, dict) and "sentences" in data]
    tired, wide = shown["sentences"]
    for sentence, animal, street in ((tired, 0.64, 0.05), (wide, 0.27, 0.13)):
        assert sentence["tokens"][sentence["query"]] == "it"
        assert sum(sentence["weights"]) == pytest.approx(1, abs=0.002)
        assert (sentence["tokens"][2], sentence["tokens"][8]) == ("animal", "street")
        assert (sentence["weights"][2], sentence["weights"][8]) == pytest.approx((animal, street), abs=0.005)
        assert sentence["tokens"][-2] == sentence["name"]
        assert f":violet[**{animal:.2f}**]" in driver.words(at)
    assert ":violet[**0.13**] for the street in place of 0.05" in driver.words(at)
    assert "nothing else in the sentence gives the animal more than 0.22" in driver.words(at)
    assert shown["head"] == "layer 3, head 1 · recorded from all-MiniLM-L6-v2"


def test_the_link_below_it_opens_the_recording() -> None:
    at = visit()
    door = next(link.proto for link in at.get("page_link") if "72 heads" in link.proto.label)
    opened = driver.visit("pretrained", **dict(parse_qsl(door.query_string)))
    assert notices(opened) == ""
    picture = shown_picture(opened)
    assert picture.header["open"] == [3, 1]
    assert picture.header["keys"][2] == "animal"


def test_an_empty_box_is_told_what_to_do_and_the_map_stays() -> None:
    at = choose(visit(picture="open"), text="")
    assert "Type a sentence" in notices(at)
    assert shown_map(at)["blocks"]


# ---- the question that the page opens with --------------------------------------------------------------------------

MAX_OPENING = 600_000  # bytes of the longest text that is read


def sent_scene(at: AppTest) -> Payload:
    """The question, and the arrays of the scene that it stands in."""
    (sent,) = [data for data in payloads(at) if isinstance(data, bytes)]
    assert len(sent) <= MAX_OPENING
    return unpack(sent)


def asked(at: AppTest) -> dict[str, Any]:
    return sent_scene(at).header


def next_word(text: str) -> tuple[dict[str, float], np.ndarray]:
    """(the probability of every next word, all attention weights (L, H, T, T)), from a plain forward pass."""
    source = data.WRITER.resolve()
    recorder = Recorder("weights")
    with torch.inference_mode():
        logits = source.model(torch.tensor([source.ids(source.cut(text))]), tap=recorder).logits[0, -1]
    weights = recorder.stack("self_attn.weights")[:, 0].numpy()
    return dict(zip(source.labels, logits.softmax(-1).tolist(), strict=True)), weights


def test_the_front_page_asks_what_the_model_itself_answers() -> None:
    """Every number in the browser is that of a plain pass; the name decides; without no other head more would move."""
    at = visit(front_text="mia found a red ball in the park. then")
    question = asked(at)
    layer, head = map(int, re.findall(r"\d+", question["head"])[:2])
    answers = {}
    for reading in question["readings"]:
        text = " ".join(reading["tokens"])
        chances, weights = next_word(text)
        assert reading["shares"] == pytest.approx([chances[word] for word in question["words"]], abs=1e-5)
        assert reading["weights"] == pytest.approx(weights[layer, head, -1, 1:], abs=1e-4)
        assert max(chances, key=lambda word: chances[word]) in question["words"]
        answers[reading["name"]] = question["words"][int(np.argmax(reading["shares"]))]
    assert answers == {"mia": "she", "tom": "he", "anna": "she", "ben": "he"}
    source = data.WRITER.resolve()
    model, ids = source.single_stack, source.ids(["⟨start⟩", *question["readings"][0]["tokens"]])
    with torch.inference_mode():
        before, *without = (
            model(torch.tensor([ids]), tap=tap).logits[0, -1].softmax(-1)
            for tap in (no_tap, *(ablate(f"decoder.{n // 4}.self_attn", n % 4) for n in range(12)))
        )
    moved = [float((after - before).abs().sum()) for after in without]
    assert divmod(int(np.argmax(moved)), 4) == (layer, head)
    assert question["options"] == sorted(question["words"]), "their order tells nothing"
    assert {"she", "he"} <= set(question["options"])
    reading = asked(visit())["readings"][0]
    assert reading["tokens"] == list(data.WRITER.resolve().cut(story.TEXT)[1:])
    assert reading["tokens"][reading["looks_at"]] == "hat", "it looks where the answer was told"
    offered = asked(visit())["options"]
    assert {"hat", "ball"} <= set(offered), "what who does not look might say is offered, too"
    assert all(word.isalpha() for word in offered), "no pieces of words"


def test_a_typed_sentence_is_asked_about_and_other_words_are_offered_for_each_of_its_own() -> None:
    at = visit(front_text="Leo ate a green key.")
    question = asked(at)
    (reading, *_), words = question["readings"], question["sentence"]
    assert reading["tokens"] == ["leo", "ate", "a", "green", "key", "."]
    assert reading["unread"] == [False] * 6, "no word is unknown to it"
    assert notices(at) == "", "nothing pushes the figure down"
    assert (words["words"], words["gaps"]) == (["Leo", "ate", "a", "green", "key", "."], [" ", " ", " ", " ", "", ""])
    assert {word for word, _ in words["same"][3]} <= set(data.WRITER.resolve().kinds["colours"])
    chances, _ = next_word("leo ate a green key .")
    likely = words["next"][6]
    assert [p for _, p in likely] == pytest.approx([chances[word] for word, _ in likely], abs=1e-4)
    assert likely[0][0] == max(chances, key=lambda word: chances[word])


@pytest.mark.parametrize("text", ["", "   ", "<b>*_ \x00", "a" * 5000, "mia " * 200, "."])
def test_any_text_gets_a_question(text: str) -> None:
    question = asked(visit(front_text=text))
    for reading in question["readings"]:
        assert 1 <= len(reading["tokens"]) == len(reading["weights"]) < data.N_READ
        assert 0 <= reading["looks_at"] < len(reading["tokens"])
        assert sum(reading["shares"]) <= 1.001


def test_names_take_turns_with_those_of_the_other_kind_first() -> None:
    kinds = {"girls": ("ann", "bea"), "boys": ("cy", "dan"), "things": ("cup",)}
    assert data.names_of(["bea", "met", "cy"], kinds) == ("bea", "dan", "ann")
    assert data.names_of(["a", "cup"], kinds) == ("",)


def test_a_link_to_the_older_picture_keeps_it_while_its_settings_change() -> None:
    at = visit(weights=reader.STORIES)
    assert shown_picture(at)
    assert at.query_params["front_picture"]


def test_the_front_page_has_a_door_to_the_first_lesson():
    bodies = [element.proto.body for element in visit().get("html")]
    (door,) = [body for body in bodies if "lesson-move" in body and "<a " in body]
    first = Place(shelf.ORDER[0], 1)
    assert first.lesson.title in door
    assert f'href="{first.address.replace("&", "&amp;")}"' in door


# ---- the scene that it stands in ------------------------------------------------------------------------------------

TEXTS = (story.TEXT, "mia found a red ball in the park. then", "leo ate")


def recorded(tokens: list[str]) -> Recorder:
    """All that a plain pass of the model computes on these tokens."""
    source, recorder = data.WRITER.resolve(), Recorder()
    with torch.inference_mode():
        source.model(torch.tensor([source.ids(tokens)]), tap=recorder)
    return recorder


@pytest.mark.parametrize("text", TEXTS)
def test_the_scene_is_one_pass_of_the_model(text: str) -> None:
    """q and k give the scores and the attention weights that were recorded; pictures are the same numbers in steps."""
    header, arrays = sent_scene(visit(front_text=text))
    tokens = header["scene"]["tokens"]
    assert tokens[1:] == header["readings"][0]["tokens"]
    run = recorded(tokens)
    q, k, T = arrays["q"].astype("f8"), arrays["k"].astype("f8"), len(tokens)
    scores = run.stack("self_attn.scores")[:, 0].numpy()
    np.testing.assert_allclose(q @ k.swapaxes(-1, -2), scores, atol=1e-4, rtol=1e-4)
    scale = header["scene"]["scale"]
    np.testing.assert_allclose(scores / scale, run.stack("self_attn.scaled")[:, 0].numpy(), atol=1e-5, rtol=1e-5)
    weights = run.stack("self_attn.weights")[:, 0].numpy()
    mask = np.tril(np.ones((T, T), bool))
    np.testing.assert_allclose(explained(q, k, scale, mask=mask), weights, atol=1e-5)
    np.testing.assert_allclose(weights @ arrays["v"], run.stack("self_attn.heads")[:, 0].numpy(), atol=1e-5)
    assert (header["scene"]["layers"], header["scene"]["heads"]) == weights.shape[:2]
    for reading, maps, stream in zip(header["readings"], arrays["maps"], arrays["stream"], strict=True):
        other = recorded([tokens[0], *reading["tokens"]])
        np.testing.assert_allclose(maps / 255, other.stack("self_attn.weights")[:, 0].numpy(), atol=0.51 / 255)
        assert stream.shape == (len(weights) + 1, T, 64)
        last = other[f"decoder.{len(weights) - 1}.residual_out"][0].numpy()
        token = np.abs(last).max(-1).argmax()
        assert np.abs(stream[-1].astype(int) - 128).max(-1).argmax() == token, "the strongest number of all is seen"
    layer, head = header["scene"]["opens"]
    assert f"layer {layer}, head {head}:" in header["head"]


def test_the_page_opens_with_no_more_bytes_than_it_needs() -> None:
    (sent,) = [data for data in payloads(visit()) if isinstance(data, bytes)]
    assert len(sent) <= 150_000


def test_another_name_can_be_looked_into() -> None:
    first, other = sent_scene(visit()), sent_scene(visit(front_name="ben"))
    assert (first.header["scene"]["name"], other.header["scene"]["name"]) == ("mia", "ben")
    assert "ben" in other.header["readings"][1]["tokens"]
    tokens = [first.header["scene"]["tokens"][0], *other.header["readings"][1]["tokens"]]
    weights = recorded(tokens).stack("self_attn.weights")[:, 0].numpy()
    mask = np.tril(np.ones((len(tokens),) * 2, bool))
    shown = [
        explained(one.arrays["q"], one.arrays["k"], one.header["scene"]["scale"], mask=mask) for one in (first, other)
    ]
    np.testing.assert_allclose(shown[1], weights, atol=1e-5)
    assert np.abs(shown[0] - weights).max() > 0.01, "it is another pass"
    assert sent_scene(visit(front_name="<b>")).header["scene"]["name"] == "mia"
    assert np.array_equal(first.arrays["maps"], other.arrays["maps"]), "from afar all names are there"


def test_every_door_of_the_scene_opens_a_page_of_the_same_model() -> None:
    header = sent_scene(visit()).header
    pages = {page.url for page in catalogue.PAGES}
    doors = [door for door in header["scene"]["doors"] if door]
    assert len(header["scene"]["doors"]) == 7
    for door in doors:
        assert door["page"] in pages
        place = [2, "attention", 3, 5, 4, 1]
        link = door["params"] | {name: str(place[n]) for name, n in door["names"].items()}
        opened = driver.visit(door["page"], text=story.TEXT, **link)
        assert notices(opened) == ""
