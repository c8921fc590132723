"""The scene of other models: each number is of the model's own pass, and each door opens the page of that model."""

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
import torch

from attention_view import scenes
from lab.kit import catalogue
from lab.kit.controls.reader import REVIEWS
from lab.kit.models.recordings import recorded
from lab.kit.models.references import Untrained
from pages.overview.others import data as readers
from pages.overview.others import models
from pages.overview.others.data import RECORDED, SHAPES, TRANSLATES
from tests.pages import driver
from tests.pages.driver import notices, payloads
from tests.pages.overview.passes import recorded_again, translation
from tests.payloads import Payload, explained, unpack
from transformer import Recorder, core, inspection, pretrained, training
from transformer.training.tasks import shapes

REVIEW = "the soup was not good but i love the hotel"
PATH = [1, "attention", 1, 2, 1, 3]


def scene(model: str, **link: Any) -> Payload:
    """What the front page sends of this model."""
    sent, _ = [data for data in payloads(driver.visit("", front_model=model, **link)) if isinstance(data, bytes)]
    return unpack(sent)


def told(sent: Payload) -> str:
    """What a scene says that this pass comes to."""
    return "".join(text for text, _ in sent.header["finding"])


def expect_stack(sent: Payload, run: Recorder, *, path: str = "", causal: bool = False, prefix: str = "") -> None:
    """q, k and v are those of this pass; of them follow its scores, its weights and what the heads put out."""
    header = sent.header if not prefix else sent.header["kinds"][prefix.rstrip(":")]
    q, k, v = (sent.arrays[f"{prefix}{name}"] for name in "qkv")
    taps = {
        name: run.stack(f"{path}.{name}")[:, 0].numpy()
        for name in ("q", "k", "v", "scores", "scaled", "weights", "heads")
    }
    for name, array in (("q", q), ("k", k), ("v", v)):
        np.testing.assert_array_equal(array, taps[name])
    scores = q.astype("f8") @ k.astype("f8").swapaxes(-1, -2)
    np.testing.assert_allclose(scores, taps["scores"], atol=1e-4, rtol=1e-4)
    np.testing.assert_allclose(scores / header["scale"], taps["scaled"], atol=1e-4, rtol=1e-4)
    mask = np.tril(np.ones(scores.shape[-2:], bool)) if causal else None
    assert header["causal"] is causal
    weights = explained(q, k, header["scale"], mask=mask)
    np.testing.assert_allclose(weights, taps["weights"], atol=1e-5)
    np.testing.assert_allclose(weights @ v, taps["heads"], atol=1e-5)
    assert (header["layers"], header["heads"]) == weights.shape[:2]


def expect_stream(shown: np.ndarray, stream: torch.Tensor) -> None:
    """In steps of colour the stream (points, T, D) is these numbers, of neighbours the strongest."""
    np.testing.assert_array_equal(shown, scenes.signed_steps(scenes.strongest(stream.numpy(), scenes.MOST_BANDS)))


@pytest.mark.parametrize("text", ["", "the staff was rude but i love the room"])
def test_an_encoder_is_one_pass_over_what_was_typed(text: str) -> None:
    sent = scene(REVIEWS, front_sentence=text)
    source, run = readers.REVIEWER.resolve(), Recorder()
    tokens = source.cut(text or source.examples[0])
    assert sent.header["tokens"] == list(tokens)
    with torch.inference_mode():
        source.model(torch.tensor([source.ids(tokens)]), tap=run)
    expect_stack(sent, run, path="self_attn")
    last = run.stack("residual_out")[-1]
    expect_stream(sent.arrays["stream"], torch.cat([run.stack("residual_in")[:, 0], last]))
    assert sent.header["row"] == 0, "its answer is read at the first token"


def test_a_vision_transformer_reads_the_patches_that_are_drawn() -> None:
    first, other = scene(SHAPES), scene(SHAPES, front_seed="2")
    model = training.vision.load("shapes").model
    for sent in (first, other):
        patches = sent.arrays["patches"]
        n, p = patches.shape[:2]
        side = round(n**0.5)
        pixels = patches.reshape(side, side, p, p, 3).swapaxes(1, 2).reshape(1, side * p, side * p, 3)
        run = Recorder()
        with torch.inference_mode():
            model(core.images.scaled(pixels), tap=run)
        expect_stack(sent, run, path="self_attn")
        assert len(sent.header["tokens"]) == n + 1
    assert not np.array_equal(first.arrays["patches"], other.arrays["patches"])
    assert np.abs(first.arrays["q"] - other.arrays["q"]).max() > 0.1


def test_a_published_model_is_shown_as_it_was_recorded() -> None:
    kept = [one for one in pretrained.recording.RECORDINGS if one.has_vectors]
    assert [one.title for one in kept] == list(readers.titles())
    for one in kept:
        sent = scene(RECORDED, front_recorded=one.title)
        picture = recorded(one.name)
        for name in ("q", "k", "weights"):
            np.testing.assert_array_equal(sent.arrays[name], np.asarray(getattr(picture, name), "f4"))
        shown = explained(sent.arrays["q"], sent.arrays["k"], sent.header["scale"])
        np.testing.assert_allclose(shown, sent.arrays["weights"], atol=5e-3)  # recorded in half precision
        assert "v" not in sent.arrays
        assert sent.header["row"] == one.edge.query
    assert scene(RECORDED).header["tokens"][scene(RECORDED).header["row"]] == "it"


def test_a_published_model_on_this_machine_reads_what_is_typed() -> None:
    names = [name for name in readers.names() if name.startswith("MiniLM, pretrained")]
    if not names:
        pytest.skip("no published model is on this machine")
    sent = scene(names[0], front_sentence="the cat sat on the mat")
    source, run = readers.texts()[names[0]].resolve(), Recorder()
    assert "cat" in sent.header["tokens"]
    with torch.inference_mode():
        source.single_stack(torch.tensor([source.ids(tuple(sent.header["tokens"]))]), tap=run)
    expect_stack(sent, run, path="self_attn")


@pytest.mark.parametrize("text", ["", "Tom found a blue ball"])
def test_two_towers_are_one_pass_of_the_translator(text: str) -> None:
    sent = scene(TRANSLATES, front_sentence=text)
    run, task = Recorder(), readers.TRANSLATOR.resolve().task
    model, given, read = translation(text)
    with torch.inference_mode():
        model(torch.tensor([given.ids]), torch.tensor([read]), tap=run)
    header = sent.header
    assert [tower["tokens"] for tower in header["towers"]] == [
        list(given.words),
        list(inspection.translation.token_labels(task.target, read)),
    ]
    expect_stack(sent, run, path="encoder.self_attn", prefix="encoder:")
    expect_stack(sent, run, path="decoder.self_attn", prefix="decoder:", causal=True)
    expect_stack(sent, run, path="decoder.cross_attn", prefix="cross:")
    assert header["kinds"]["cross"]["keys"] == list(given.words)
    writes = inspection.translation.token_labels(task.target, [int(run["logits"][0, -1].argmax())])
    assert [header["kinds"][kind].get("next", "") for kind in ("encoder", "decoder", "cross")] == ["", *writes, *writes]
    parts = [(part["kind"], part["at"], part["tower"], part["forward"]) for part in header["parts"]]
    assert parts == [
        ("encoder", 0, 0, True),
        ("encoder", 1, 0, True),
        ("decoder", 0, 1, False),
        ("cross", 0, 1, True),
        ("decoder", 1, 1, False),
        ("cross", 1, 1, True),
    ]
    names = ["0.residual_in", "0.residual_self", "1.residual_in", "1.residual_self", "1.residual_out"]
    expect_stream(sent.arrays["1:stream"], torch.cat([run[f"decoder.{name}"] for name in names]))
    hidden = [run[f"decoder.{layer}.feed_forward.hidden"][0].numpy() for layer in (0, 1)]
    shown = scenes.steps(scenes.strongest(np.stack(hidden), scenes.MOST_BANDS))
    np.testing.assert_array_equal(sent.arrays["1:hidden"][1::2], shown)
    layer, head = header["opens"]
    assert header["parts"][layer]["kind"] == "cross"
    last = run["decoder.1.cross_attn.weights"][0, :, -1]
    assert head == int(last.max(-1).values.argmax())


@pytest.mark.parametrize(("text", "word"), [("", "positive"), ("the soup was good but i hate the hotel", "negative")])
def test_of_a_review_it_is_said_what_the_model_calls_it(text: str, word: str) -> None:
    """Another verdict about the hotel turns the answer, which is that of a plain pass."""
    source = readers.REVIEWER.resolve()
    tokens = source.cut(text or source.examples[0])
    with torch.inference_mode():
        odds = source.single_stack(torch.tensor([source.ids(tokens)])).logits[0, 0].softmax(-1)
    assert source.label(int(odds.argmax())) == word
    p = float(odds.max())
    sure = "more than 99%" if p > 0.995 else f"{p:.0%}"
    assert (
        told(scene(REVIEWS, front_sentence=text))
        == f"The model calls this review {word}, with a probability of {sure}."
    )


def test_of_a_sentence_its_translation_is_said() -> None:
    for text in ("", "Tom found a blue ball"):
        model, given, _ = translation(text)
        task = readers.TRANSLATOR.resolve().task
        written = inspection.translation.translate(model, given.ids).answer
        french = " ".join(inspection.translation.token_labels(task.target, written))
        assert told(scene(TRANSLATES, front_sentence=text)) == f"The model writes “{french}”."


def test_of_a_picture_it_is_said_what_the_model_sees() -> None:
    sent = scene(SHAPES)
    model = training.vision.load("shapes").model
    assert told(sent).startswith("The model sees two red triangles in the upper left: ")
    with torch.inference_mode():
        pixels = shapes.draw(1, np.random.default_rng(readers.SEEDS[0]), readers.GIVEN, shapes.SIZES[2]).pixels
        logits = model(core.images.scaled(pixels)).logits[0, 0]
    parts = logits[-16:].reshape(4, 4).softmax(-1)
    found = [possible[int(part.argmax())] for possible, part in zip(shapes.QUESTIONS.values(), parts, strict=True)]
    assert found == ["triangle", "red", "two", "upper left"]
    least = float(parts.max(-1).values.min())
    assert f"at least {int(100 * least)}%" in told(sent)


def test_of_a_published_model_it_is_said_where_a_head_of_it_looks() -> None:
    sent = scene(RECORDED)
    (layer, head), row = sent.header["opens"], sent.header["row"]
    weights = sent.arrays["weights"][layer, head, row]
    key = sent.header["tokens"][int(weights.argmax())]
    assert key == "animal"
    assert (
        told(sent)
        == f"In layer {layer}, head {head}, “it” looks at “animal” with {weights.max():.2f} of its attention."
    )


def test_two_entries_for_one_model_say_what_it_reads() -> None:
    labels = [models.label(name) for name in (RECORDED, "MiniLM, pretrained", REVIEWS)]
    assert labels == ["MiniLM, recorded sentence", "MiniLM, your sentence", REVIEWS]


@pytest.mark.parametrize("model", [REVIEWS, TRANSLATES, SHAPES, RECORDED])
def test_every_door_opens_a_page_of_the_same_model(model: str) -> None:
    pages = {page.url for page in catalogue.PAGES}
    doors = [door for door in scene(model).header["doors"] if door]
    opened: list[Any] = []
    for door in doors:
        assert door["page"] in pages
        link = door["params"] | {name: str(PATH[n]) for name, n in door["names"].items()}
        if (door["page"], link) not in opened:
            opened.append((door["page"], link))
            assert notices(driver.visit(door["page"], **link)) == ""


def test_a_model_that_a_scene_cannot_draw_is_refused_in_a_sentence() -> None:
    assert readers.why_not(readers.REVIEWER.resolve()) == ""
    config = core.config.TransformerConfig(positions="alibi")
    assert "a bias on the scores" in readers.why_not(Untrained("encoder", config, 0).resolve())
    large = core.config.TransformerConfig(d_model=4096, n_heads=32, n_encoder_layers=24)
    assert "too many" in readers.why_not(Untrained("encoder", large, 0).resolve())


def test_any_text_gets_a_scene_and_a_wrong_name_the_storyteller() -> None:
    for text in ("   ", "<b>*_ \x00", "a" * 5000, "so good " * 100):
        for model in (REVIEWS, TRANSLATES):
            sent = scene(model, front_sentence=text)
            assert "opens" in sent.header
    at = driver.visit("", front_model="<b>")
    assert "there is no model" in notices(at)
    assert models.said(catalogue.page(""), REVIEWS).question.endswith("?")


@pytest.mark.parametrize(
    ("model", "layer", "path"),
    [(REVIEWS, 1, "encoder.1"), (SHAPES, 2, "encoder.2"), (TRANSLATES, 0, "encoder.0"), (TRANSLATES, 5, "decoder.1")],
)
def test_the_units_of_a_layer_lead_from_the_stream_before_them_to_the_stream_after(
    model: str, layer: int, path: str
) -> None:
    """In the translator, two layers of the encoder come first, and of each of the decoder its two attentions."""
    sent = scene(model, front_place=f"{layer}.f.1")
    assert sent.header["layer"] == layer
    units, out, bias, mid = (sent.arrays[name] for name in ("units", "out", "bias", "mid"))
    assert sent.header["units"] == list(out.shape)
    run = recorded_again(model)
    np.testing.assert_allclose(units, run[f"{path}.feed_forward.hidden"][0].numpy(), atol=1e-5)
    after = run[f"{path}.residual_out"][0].numpy()
    np.testing.assert_allclose(mid + units @ out + bias, after, atol=2e-4, rtol=1e-4)
    firing = np.unravel_index(np.abs(units).argmax(), units.shape)
    units = units.copy()
    units[firing] = 0
    moved = np.abs(mid + units @ out + bias - after).max(-1) > 1e-3
    assert moved.nonzero()[0].tolist() == [firing[0]], "a unit writes at its own token alone"


@pytest.mark.parametrize("model", [REVIEWS, SHAPES, TRANSLATES])
def test_the_stations_of_a_layer_begin_where_those_before_it_end(model: str) -> None:
    sent, run = scene(model), recorded_again(model)
    layers, rows = sent.header["through"], iter(sent.arrays["through"])
    bands = [[next(rows) for _ in layer] for layer in layers]
    assert next(rows, None) is None
    stacks = [range(2), range(2, 6)] if model == TRANSLATES else [range(len(layers))]
    for stack in stacks:
        for n, after in pairwise(stack):
            assert layers[n][-1][1] == layers[after][0][1]
            np.testing.assert_array_equal(bands[n][-1], bands[after][0])
    row, path = (-1, "decoder.1") if model == TRANSLATES else (0, f"encoder.{len(layers) - 1}")
    last = dict(layers[-1])
    for name, tap in (("sum", f"{path}.residual_out"), ("final norm", f"{path.partition('.')[0]}.out")):
        assert last[name] == pytest.approx(float(run[tap][0, row].norm()), rel=1e-3)


def test_a_recording_without_a_stream_has_no_stations() -> None:
    sent = scene(RECORDED)
    assert "through" not in sent.header
    assert "through" not in sent.arrays


@pytest.mark.parametrize(
    ("model", "place"),
    [(TRANSLATES, "2.f.1"), (TRANSLATES, ""), (RECORDED, "1.f"), (REVIEWS, "1.a.1"), (SHAPES, "9.f")],
)
def test_no_units_are_sent_where_there_are_none_or_nobody_looks(model: str, place: str) -> None:
    sent = scene(model, front_place=place)
    assert sent.header.get("layer", -1) == -1
    assert "units" not in sent.arrays
