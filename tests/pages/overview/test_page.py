"""The first page: a question, the scene that it stands in, a door to each page, and the sources, said once."""

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
from pages.overview import contents, data
from tests.pages import driver
from tests.pages.driver import choose, notices, payloads
from tests.payloads import Payload, explained, unpack
from transformer import DecoderModel, Recorder, ablate
from transformer.core.taps import no_tap


def visit(**link: Any) -> AppTest:
    return driver.visit("", **link)


def shown_picture(at: AppTest) -> Any:
    (picture,) = [unpack(data) for data in payloads(at) if isinstance(data, bytes)]
    return picture


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
    labels = [link.proto.label for link in visit().get("page_link")]
    for page in catalogue.PAGES[1:]:
        assert labels.count(f"**{catalogue.name(page)}** {page.question}") == 1


def test_each_mark_in_the_scene_is_a_page_of_the_story() -> None:
    marks = sent_scene(visit()).header["scene"]["marks"]
    assert [mark["at"] for mark in marks] == [at for at, _ in contents.PARTS]
    for mark in marks:
        page = catalogue.page(mark["page"])
        assert (mark["number"], mark["title"]) == (catalogue.number(page), page.title)
        assert mark["number"] > 0


def test_a_link_with_sizes_of_the_map_that_was_here_opens_the_page() -> None:
    at = visit(front_map_d_model="128", front_size="tiny")
    assert notices(at) == ""
    assert sent_scene(at).header["scene"]["tokens"][1:] == list(data.WRITER.resolve().cut(story.TEXT)[1:])


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
    assert "no other word gives the animal more than 0.22" in driver.words(at)
    assert shown["head"] == "layer 3, head 1 · recorded from all-MiniLM-L6-v2"


def test_the_link_below_it_opens_the_recording() -> None:
    at = visit()
    door = next(link.proto for link in at.get("page_link") if "72 heads" in link.proto.label)
    opened = driver.visit("pretrained", **dict(parse_qsl(door.query_string)))
    assert notices(opened) == ""
    picture = shown_picture(opened)
    assert picture.header["open"] == [3, 1]
    assert picture.header["keys"][2] == "animal"


def test_an_empty_box_is_told_what_to_do_and_the_doors_stay() -> None:
    at = choose(visit(picture="open"), text="")
    assert "Type a sentence" in notices(at)
    assert len(at.get("page_link")) >= len(catalogue.PAGES) - 1


# ---- the question that the page opens with --------------------------------------------------------------------------

MAX_OPENING = 600_000  # bytes of the longest text that is read


def sent_scene(at: AppTest) -> Payload:
    """The question, and the arrays of the scene that it stands in."""
    sent, _ = [data for data in payloads(at) if isinstance(data, bytes)]  # and the feed, which has not been asked
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
        assert reading["shares"] == pytest.approx([chances[word] for word in question["words"]], abs=2e-4)
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
    assert question["swap"] == "name", "the answer depends on it"
    offered = asked(visit())["options"]
    assert {"hat", "ball"} <= set(offered), "what who does not look might say is offered, too"
    assert all(word.isalpha() for word in offered), "no pieces of words"


def test_the_word_to_swap_is_the_one_on_which_the_answer_depends():
    """In the story no name changes the answer, and the last word does: each reading looks where its own answer is."""
    question = asked(visit())
    assert question["swap"] == "last"
    layer, head = map(int, re.findall(r"\d+", question["head"])[:2])
    found = {}
    for reading in question["readings"]:
        text = " ".join(reading["tokens"])
        chances, weights = next_word(text)
        best = max(chances, key=lambda word: chances[word])
        assert weights[layer, head, -1, 1:-1].argmax() == reading["looks_at"]
        assert reading["tokens"][reading["looks_at"]] == best
        found[reading["name"]] = best
    assert found == {"red": "hat", "blue": "ball"}
    for name in ("ben", "anna", "sam"):
        chances, _ = next_word(story.TEXT.replace("mia", name))
        assert max(chances, key=lambda word: chances[word]) == "hat"


@torch.no_grad()
def test_a_link_that_names_a_name_still_swaps_names_and_a_split_head_does_not_decide_alone():
    """Where its attention is divided between two words and the answer is not, the answer is there without it."""
    question = asked(visit(front_name="ben"))
    assert (question["swap"], question["readings"][0]["name"]) == ("name", "mia")
    reading = next(one for one in question["readings"] if one["name"] == "ben")
    first, second = sorted(reading["weights"][:-1])[::-1][:2]
    assert second > 0.8 * first
    assert max(reading["shares"]) > 0.98
    layer, head = map(int, re.findall(r"\d+", question["head"])[:2])
    source = data.WRITER.resolve()
    ids, tap = source.ids(["⟨start⟩", *reading["tokens"]]), ablate(f"decoder.{layer}.self_attn", head)
    logits = source.single_stack(torch.tensor([ids]), tap=tap).logits[0, -1].double()
    assert source.label(int(logits.argmax())) == "hat"
    assert reading["without"] == pytest.approx(float(logits.softmax(-1).max()), abs=1e-3)
    assert reading["without"] > 0.5


def test_the_word_of_a_link_is_one_of_its_own_sentence() -> None:
    """The browser writes it into the address: what is typed later has a word of its own that takes turns."""
    at = visit(front_name="ben")
    assert asked(at)["swap"] == "name"
    typed = asked(choose(at, front_text="tom had a blue ball and a red hat. he took the blue"))
    assert [one["name"] for one in typed["readings"]] == ["blue", "red"], "on which its answer depends"
    assert asked(choose(at, front_text=""))["swap"] == "name", "the sentence of the link again"


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


@pytest.mark.parametrize("text", ["Was ist ein Transformer und warum", story.TEXT])
def test_the_weight_of_the_start_is_the_models_and_comes_with_the_row(text: str) -> None:
    question = asked(visit(front_text=text))
    layer, head = map(int, re.findall(r"\d+", question["head"])[:2])
    reading = question["readings"][0]
    _, weights = next_word(text.lower())
    assert reading["start"] == pytest.approx(float(weights[layer, head, -1, 0]), abs=1e-3)
    assert reading["start"] + sum(reading["weights"]) == pytest.approx(1, abs=0.005)
    assert (reading["start"] > max(reading["weights"])) == text.startswith("Was"), "there the head rests"


def test_of_a_word_that_looks_at_itself_the_browser_has_the_weight_that_it_keeps() -> None:
    question = asked(visit(front_text="blue hat"))
    layer, head = map(int, re.findall(r"\d+", question["head"])[:2])
    reading = question["readings"][0]
    _, weights = next_word("blue hat")
    row = weights[layer, head, -1]
    assert row.argmax() == 2, "of ⟨start⟩, blue and hat"
    assert [reading["start"], *reading["weights"]] == pytest.approx(row.tolist(), abs=1e-3)
    assert reading["looks_at"] == 0, "the words before it are one"


def test_of_a_long_sentence_it_says_how_many_words_are_read() -> None:
    text = (
        "the old king who had lived in the tall grey tower by the cold river for forty long years asked his young son"
    )
    text += " to bring him water from the well"
    at = visit(front_text=text)
    header, _ = sent_scene(at)
    assert len(header["scene"]["tokens"]) == data.N_READ
    told = re.search(r"The first (\d+) words are read: 40 tokens, with the mark ⟨start⟩", notices(at))
    assert told
    read, source = int(told[1]), data.WRITER.resolve()
    lengths = [len(source.cut(" ".join(text.split()[:n]))) for n in (read, read + 1)]
    assert lengths[0] <= data.N_READ < lengths[1]
    for endless in ("a" * 150, "mia " + "a" * 150):
        assert "Only the beginning of the text is read: 40 tokens, with the mark ⟨start⟩." in notices(
            visit(front_text=endless)
        ), "it is cut within its first or second word"


def test_it_says_what_became_of_signs_that_it_never_met_and_of_words_in_pieces() -> None:
    assert "never met “😀”. It reads its bytes" in notices(visit(front_text="I like 😀 ice cream"))
    assert "reads most of these words in pieces" in notices(visit(front_text="Was ist ein Transformer und warum"))
    for text in (story.TEXT, "the cat sat on the mat", "xyzzy plugh"):
        assert notices(visit(front_text=text)) == "", "known words, or too few to say so"


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
    assert header["head"] == f"layer {layer}, head {head}"


@pytest.mark.parametrize("text", TEXTS)
@torch.no_grad()  # the weights may have been loaded in inference mode
def test_the_stations_of_the_last_token_lead_from_the_stream_to_what_is_added_to_it(text: str) -> None:
    header, arrays = sent_scene(visit(front_text=text))
    run, model = recorded(header["scene"]["tokens"]), data.WRITER.resolve().model
    assert isinstance(model, DecoderModel)
    expected = []
    for n, layer in enumerate(model.decoder.layers):
        before, mid, after = (run[f"decoder.{n}.residual_{at}"][0, -1].numpy() for at in ("in", "mid", "out"))
        heads = run[f"decoder.{n}.self_attn.heads"][0, :, -1].numpy().ravel()
        normed = [norm(torch.from_numpy(x)).detach().numpy() for norm, x in ((layer.norm1, before), (layer.norm2, mid))]
        expected += [before, normed[0], heads, mid - before, mid, normed[1], after - mid, after]
    expected.append(run["decoder.out"][0, -1].numpy())
    told = [station for layer in header["scene"]["through"] for station in layer]
    assert told[-1][0] == "final norm"
    assert [name for name, _ in told[:4]] == ["in", "norm", "heads, joined", "times W_O: adds"]
    np.testing.assert_allclose([length for _, length in told], np.linalg.norm(expected, axis=1), rtol=1e-3)
    for vector, bands in zip(expected, arrays["through"], strict=True):
        off = (bands.astype(int) - 128) / 127 - vector / np.abs(vector).max()
        assert np.abs(off).max() < 0.01


def test_the_page_opens_with_no_more_bytes_than_it_needs() -> None:
    picture, units = [data for data in payloads(visit()) if isinstance(data, bytes)]
    assert len(picture) + len(units) <= 150_000


@pytest.mark.parametrize(("own", "swapped"), [("red", "blue"), ("mia", "ben")])
def test_another_word_can_be_looked_into(own: str, swapped: str) -> None:
    first, other = sent_scene(visit(front_name=own)), sent_scene(visit(front_name=swapped))
    assert other.header["scene"]["name"] == swapped
    assert swapped in other.header["readings"][1]["tokens"]
    tokens = [first.header["scene"]["tokens"][0], *other.header["readings"][1]["tokens"]]
    weights = recorded(tokens).stack("self_attn.weights")[:, 0].numpy()
    mask = np.tril(np.ones((len(tokens),) * 2, bool))
    shown = [
        explained(one.arrays["q"], one.arrays["k"], one.header["scene"]["scale"], mask=mask) for one in (first, other)
    ]
    np.testing.assert_allclose(shown[1], weights, atol=1e-5)
    assert np.abs(shown[0] - weights).max() > 0.01, "it is another pass"
    assert sent_scene(visit(front_name="<b>")).header["scene"]["name"] == "red"
    if own == "red":
        assert np.array_equal(first.arrays["maps"], other.arrays["maps"]), "from afar all readings are there"


@pytest.mark.parametrize("layer", [0, 2])
def test_the_units_that_a_link_leads_to_are_sent_and_add_up_to_what_the_network_adds(layer: int) -> None:
    header, arrays = sent_scene(visit(front_place=f"{layer}.f.16"))
    assert header["scene"]["layer"] == layer
    run, path = recorded(header["scene"]["tokens"]), f"decoder.{layer}"
    units, out = arrays["units"], arrays["out"]
    assert [units.shape[1], out.shape[1]] == header["scene"]["units"]
    np.testing.assert_allclose(units, run[f"{path}.feed_forward.hidden"][0].numpy(), atol=1e-5)
    np.testing.assert_allclose(
        units @ out + arrays["bias"], run[f"{path}.feed_forward.out"][0].numpy(), atol=2e-4, rtol=1e-4
    )
    added = arrays["mid"] + units @ out + arrays["bias"]
    np.testing.assert_allclose(added, run[f"{path}.residual_out"][0].numpy(), atol=2e-4, rtol=1e-4)


@pytest.mark.parametrize("place", ["", "2.a.3", "3.f", "999.f.1", "f.2"])
def test_no_units_are_sent_where_none_are_looked_into(place: str) -> None:
    header, arrays = sent_scene(visit(front_place=place))
    assert header["scene"]["layer"] == -1
    assert "units" not in arrays


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
