"""The scene of other models: one flies from the model to a product, and finds the numbers of a plain pass."""

import re
from typing import Any
from urllib.parse import urlencode

import numpy as np
import pytest
from playwright.sync_api import expect

from lab.kit.controls.reader import REVIEWS
from lab.kit.models.recordings import recorded
from pages.overview.others.data import RECORDED, SHAPES, TRANSLATES
from tests.pages.overview.passes import recorded_again
from transformer import Recorder

Arrays = dict[str, np.ndarray]


def vectors(recorder: Recorder, path: str) -> Arrays:
    """q, k, scores and weights of one attention, (H, T, n)."""
    return {name: recorder[f"{path}.{name}"][0].double().numpy() for name in ("q", "k", "scores", "weights")}


def of_reviews() -> Any:
    run = recorded_again(REVIEWS)
    return lambda layer: vectors(run, f"encoder.{layer}.self_attn")


def of_translation() -> Any:
    run = recorded_again(TRANSLATES)
    paths = ["encoder.0.self_attn", "encoder.1.self_attn", "decoder.0.self_attn", "decoder.0.cross_attn"]
    paths += ["decoder.1.self_attn", "decoder.1.cross_attn"]
    return lambda layer: vectors(run, paths[layer])


def of_shapes() -> Any:
    run = recorded_again(SHAPES)
    return lambda layer: vectors(run, f"encoder.{layer}.self_attn")


def of_recording() -> Any:
    picture = recorded("tired")

    def arrays(layer: int) -> Arrays:
        q, k, weights = (np.asarray(one[layer], "f8") for one in (picture.q, picture.k, picture.weights))
        return {"q": q, "k": k, "scores": q @ k.swapaxes(-1, -2), "weights": weights}

    return arrays


@pytest.mark.parametrize(
    ("model", "run", "row", "says"),
    [
        (REVIEWS, of_reviews, 0, "11 tokens run up through 2 layers"),
        (TRANSLATES, of_translation, -1, "the encoder reads 5 tokens, the decoder has 6"),
        (SHAPES, of_shapes, 0, "37 tokens run up through 3 layers"),
        (RECORDED, of_recording, 10, "15 tokens run up through 6 layers"),
    ],
)
@pytest.mark.few(1)
def test_one_flies_from_a_model_to_a_product_and_finds_its_numbers(visit, model, run, row, says):
    page = visit(f"/?{urlencode({'front_model': model})}", painted=False, reduced_motion="reduce").page
    world, say, path = (page.locator(f".model-scene {part}") for part in (".world", ".say", ".path"))
    expect(world).to_have_attribute("data-level", "0")
    expect(say).to_contain_text(says)
    layer, head = map(int, world.get_attribute("data-opens").split(","))
    arrays = {name: array[head] for name, array in run()(layer).items()}
    row %= len(arrays["weights"])
    key = int(arrays["weights"][row].argmax())
    products = arrays["q"][row] * arrays["k"][key]
    steps = [layer, "attention", head, row, key, int(np.abs(products).argmax())]
    world.focus()
    for n, level in enumerate((1, 2, 3, 4, 4, 5), 1):
        page.keyboard.press("Enter")
        expect(world).to_have_attribute("data-place", ".".join(map(str, steps[:n])))
        expect(world).to_have_attribute("data-level", str(level))
        if n == 3:
            most = f"{arrays['weights'][row, key]:.2f}"
            expect(say).to_contain_text(most)
        if n == 5:
            shown = float(world.get_attribute("data-value"))
            assert shown == pytest.approx(arrays["weights"][row, key], abs=1e-4)
            expect(say).to_contain_text(f"q · k is {arrays['scores'][row, key]:.2f}".replace("-", "−"))
    assert float(world.get_attribute("data-value")) == pytest.approx(products[steps[-1]], rel=1e-4)
    expect(path.get_by_role("button")).to_have_count(7)
    expect(page).to_have_url(re.compile(r"front_place=\d\.a\.\d\.\d+\.\d+\.\d+"))
    page.keyboard.press("Home")
    expect(world).to_have_attribute("data-level", "0")


@pytest.mark.wide
def test_another_model_is_chosen_in_the_line_of_the_question(visit):
    page = visit("/", painted=False).page
    page.locator(".guess .world[data-painted]").wait_for()
    box = page.get_by_role("combobox", name="Model").first
    box.click()
    page.get_by_role("option", name=SHAPES).click()
    expect(page.get_by_role("heading", name="How does a picture become an answer?")).to_be_visible()
    world = page.locator(".model-scene .world[data-painted]")
    expect(world).to_have_attribute("data-level", "0")
    expect(page).to_have_url(re.compile("front_model=trained"))
    assert world.bounding_box()["y"] <= 200


@pytest.mark.wide
@pytest.mark.parametrize(
    ("model", "answer"),
    [
        (REVIEWS, r"calls this review positive, with a probability of (more than )?9\d%"),
        (TRANSLATES, "writes “mia a trouvé un chapeau rouge”"),
        (SHAPES, "sees two red triangles in the upper left"),
        (RECORDED, r"“it” looks at “animal” with 0\.64"),
    ],
)
@pytest.mark.few(2)
def test_the_answer_of_a_model_stands_large_between_its_question_and_its_figure(visit, model: str, answer: str):
    page = visit(f"/?{urlencode({'front_model': model})}", painted=False).page
    world, finding = page.locator(".model-scene .world[data-painted]"), page.locator(".model-scene .finding")
    expect(finding).to_have_text(re.compile(answer))
    top, figure = finding.bounding_box(), world.bounding_box()
    heading = page.get_by_role("heading", level=1).first.bounding_box()
    assert heading["y"] < top["y"]
    assert top["y"] + top["height"] <= figure["y"] <= 200
    assert finding.evaluate("e => parseFloat(getComputedStyle(e).fontSize)") >= 20


@pytest.mark.wide
@pytest.mark.few(1)
@pytest.mark.parametrize(("model", "layer", "path"), [(TRANSLATES, 5, "decoder.1"), (REVIEWS, 1, "encoder.1")])
def test_one_flies_to_a_unit_of_any_model(visit, model: str, layer: int, path: str):
    run = recorded_again(model)
    page = visit(f"/?{urlencode({'front_model': model, 'front_place': layer})}", painted=False).page
    world, say = page.locator(".model-scene .world"), page.locator(".model-scene .say")
    expect(world).to_have_attribute("data-level", "1")
    world.focus()
    for key in ("Enter", "ArrowLeft", "Enter"):
        page.keyboard.press(key)
    expect(world).to_have_attribute("data-place", re.compile(rf"^{layer}\.feed-forward\.\d+$"))
    token = int(world.get_attribute("data-place").split(".")[-1])
    hidden = run[f"{path}.feed_forward.hidden"][0, token]
    expect(say).to_contain_text(f"{int((hidden != 0).sum())} of {len(hidden)} units are not 0")
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    expect(world).to_have_attribute("data-level", "5")
    unit, feature = map(int, world.get_attribute("data-place").split(".")[-2:])
    after = float(run[f"{path}.residual_out"][0, token, feature])
    expect(say).to_contain_text(f"Unit {unit}, ")
    expect(say).to_contain_text(f"and is {after:.2f}".replace("-", "−"))


@pytest.mark.wide
def test_a_layer_without_a_feed_forward_network_has_no_such_side(visit, server: str):
    page = visit(f"/?{urlencode({'front_model': TRANSLATES, 'front_place': '4.f.1'})}", painted=False).page
    world = page.locator(".model-scene .world")
    expect(world).to_have_attribute("data-level", "0")
    page.goto(f"{server}/?{urlencode({'front_model': TRANSLATES, 'front_place': '4.a'})}")
    expect(world).to_have_attribute("data-place", "4.attention")
    world.focus()
    page.keyboard.press("ArrowLeft")
    expect(world).to_have_attribute("data-place", "4.attention")
