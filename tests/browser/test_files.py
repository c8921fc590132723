"""What can be taken away, or read instead of seen."""

import csv
import io
import json
import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from PIL import Image
from playwright.sync_api import expect

from tests.browser.view import View, truth


def saved(view, name):
    view.root.get_by_role("button", name="Download").click()
    with view.page.expect_download() as waiting:
        view.root.get_by_role("menuitem", name=name).click()
    return waiting.value.suggested_filename, Path(waiting.value.path()).read_bytes()


@pytest.mark.wide
def test_the_numbers_as_csv(visit):
    view = visit("/heads?weights=untrained&layer=2&head=1")
    name, data = saved(view, "CSV")
    assert name == "attention-layer2-head1-weights.csv"
    (_, *keys), *rows = csv.reader(io.StringIO(data.decode()))
    seen = truth()
    assert tuple(keys) == tuple(query for query, *_ in rows) == seen.keys
    assert np.abs(np.array([row for _, *row in rows], float) - seen.weights[2, 1]).max() < 1e-7


@pytest.mark.wide
def test_a_csv_of_odd_words_is_read_back_and_holds_no_formula(visit):
    view = visit("/heads?text=" + '%3D1 " , %40x -y 👍🏽')
    _, data = saved(view, "CSV")
    (_, *keys), *_ = csv.reader(io.StringIO(data.decode()))
    assert keys == ["'=", "1", '"', ",", "'@", "x", "'-", "y", "👍🏽"]


@pytest.mark.wide
def test_the_picture_as_png(visit):
    view = visit("/heads?weights=untrained&layer=1")
    name, data = saved(view, "PNG")
    assert name == "attention-layer1-head0-weights.png"
    shown = view.colours(view.heat)
    pixels = np.array(Image.open(io.BytesIO(data)).convert("RGBA"))
    height, width, _ = shown.shape
    assert (pixels[..., 3] == 255).all(), "on a ground of its own, not on nothing"
    red, _, blue, _ = np.moveaxis(pixels[height:].astype(int), -1, 0)  # below the map: which axis is which
    assert (blue - red > 80).any(), "“query” in blue"
    assert (red - blue > 80).any(), "“key” in vermilion"
    pixels = pixels[:height, :width]
    solid = shown[..., 3] == 255
    difference = np.abs(pixels[solid].astype(int) - shown[solid])
    assert difference.max() <= 2, "but for the rounding of what is half see-through"


@pytest.mark.wide
def test_the_picture_as_svg(visit):
    view = visit("/heads?weights=untrained&layer=2&head=1")
    name, data = saved(view, "SVG")
    assert name == "attention-layer2-head1-weights.svg"
    cells = ElementTree.fromstring(data).findall("{*}g[@class='cells']/{*}rect[{*}title]")
    numbers = [float(cell.findtext("{*}title").rsplit(": ", 1)[1]) for cell in cells]
    seen = truth()
    np.testing.assert_allclose(np.reshape(numbers, seen.weights[2, 1].shape), seen.weights[2, 1], atol=1e-7)
    view.page.goto("about:blank")
    view.page.set_content(data.decode())  # as a browser draws it
    assert view.page.locator("text.key").all_text_contents() == list(seen.keys)


@pytest.mark.wide
def test_the_numbers_for_a_data_frame(visit):
    view = visit("/heads?weights=untrained&layer=2&head=1&stage=scores")
    name, data = saved(view, "Parquet")
    assert name == "attention-layer2-head1-scores.parquet"
    frame = pd.read_parquet(io.BytesIO(data))
    values, _, _ = view.all_cells()
    np.testing.assert_allclose(frame["scores"], values.ravel(), atol=1e-6)
    assert tuple(frame["query"][:: len(truth().keys)]) == truth().queries


@pytest.mark.wide
def test_the_weights_of_all_heads_for_numpy(visit):
    _, data = saved(visit("/heads?weights=untrained&layer=2&head=1"), "NumPy")
    found = np.load(io.BytesIO(data), allow_pickle=False)
    np.testing.assert_allclose(found["attention"], truth().weights, atol=1e-7)
    assert json.loads(str(found["tokens"])) == list(truth().keys)


@pytest.mark.parametrize(
    ("page", "words"),
    [
        pytest.param("/heads?weights=untrained", "manual_seed(0)", marks=pytest.mark.wide),  # the page's own lines
        ("/pretrained?weights=MiniLM%2C+recorded", "np.load"),  # of a page without any: they open the file
    ],
)
@pytest.mark.wide
def test_the_lines_of_python_make_the_same_weights(visit, tmp_path, monkeypatch, page, words):
    view = visit(f"{page}&layer=2&head=1")
    name, data = saved(view, "NumPy")
    found = np.load(io.BytesIO(data), allow_pickle=False)
    view.root.get_by_role("button", name="Download").click()
    view.root.get_by_role("menuitem", name="Python").click()
    lines = view.root.locator(".code pre").inner_text()
    assert words in lines
    (tmp_path / name).write_bytes(data)
    monkeypatch.chdir(tmp_path)
    *before, last = lines.strip().splitlines()
    namespace = {}
    exec("\n".join(before), namespace)
    drawn = eval(last, namespace)
    assert (drawn.layer, drawn.head) == (2, 1)
    np.testing.assert_allclose(drawn.pictures["attention"].weights, found["attention"], atol=1e-6)


def test_a_page_of_its_own_opens_on_the_same_head_and_theme(visit, browser, tmp_path):
    view = visit("/heads?weights=untrained&layer=2&head=1", color_scheme="dark")
    name, data = saved(view, "HTML")
    file = tmp_path / name
    file.write_bytes(data)
    context = browser.new_context(offline=True)
    page, complaints = context.new_page(), []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda message: complaints.append(message.text))
    page.goto(file.as_uri())
    alone = View(page)
    alone.root.and_(page.locator("[data-painted]")).wait_for()
    assert (alone.shown["layer"], alone.shown["head"]) == ("2", "1")
    values, weights, _ = alone.all_cells()
    np.testing.assert_allclose(values, truth().weights[2, 1], atol=1e-6)
    np.testing.assert_allclose(weights, values, atol=1e-6)
    ground = "getComputedStyle(document.documentElement).backgroundColor"
    assert page.evaluate(ground) == "rgb(19, 17, 24)"
    again, _ = saved(alone, "HTML")
    assert again == name
    context.close()
    assert complaints == []


@pytest.mark.wide
def test_the_menu_by_keyboard(visit):
    view = visit()
    button, menu = view.root.get_by_role("button", name="Download"), view.root.get_by_role("menu")
    expect(menu).to_be_hidden()
    button.focus()
    button.press("ArrowDown")
    items = menu.get_by_role("menuitem")
    expect(items.first).to_be_focused()
    expect(button).to_have_attribute("aria-expanded", "true")
    view.page.keyboard.press("ArrowUp")
    expect(items.last).to_be_focused()
    view.page.keyboard.press("Home")
    view.page.keyboard.press("ArrowDown")
    expect(items.nth(1)).to_be_focused()
    with view.page.expect_download() as waiting:
        view.page.keyboard.press("Enter")
    assert waiting.value.suggested_filename.endswith(".svg")
    expect(menu).to_be_hidden()
    expect(button).to_be_focused()
    button.press("Enter")
    view.page.keyboard.press("Escape")
    expect(menu).to_be_hidden()
    expect(button).to_be_focused()
    button.click()
    view.grid.focus()
    expect(menu).to_be_hidden()


@pytest.mark.wide
def test_the_head_as_a_table(visit):
    view = visit("/heads?head=2&model=Decoder")
    view.root.get_by_text("Read this head as a table").click()
    seen = truth(kind="decoder")
    for i, row in enumerate(view.root.locator("tbody tr").all_inner_texts()):
        named = re.split(r"\t", row.strip("\n"))
        assert named[0] == f"{i} {seen.queries[i]}"
        best = [j for j in np.argsort(-seen.weights[0, 2, i], kind="stable")[:3] if seen.weights[0, 2, i, j] > 0]
        for j, text in zip(best, named[1:], strict=False):
            word, weight = text.rsplit(" ", 1)
            assert word == seen.keys[j]
            assert float(weight) == pytest.approx(seen.weights[0, 2, i, j], abs=5.1e-4)
    view.thumb(1, 1).click()  # the table follows
    top = seen.weights[1, 1, 10].max()
    assert f"{top:.3f}" in view.root.locator("tbody tr").last.inner_text()
