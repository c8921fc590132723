"""The stand-alone HTML in a browser: the same view and the same numbers, with no server and no network."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import expect

import attention_view
from attention_view import Picture, payload, to_html
from tests.browser.view import luminance
from tests.payloads import explained

WORDS = ("the", "</script><b>cat</b>", "sat", "on", "the", "<img src=x onerror=window.bad=1>")


def picture(with_vectors=True) -> Picture:
    random = np.random.default_rng(3)
    q, k = (random.normal(size=(2, 3, len(WORDS), 8)).astype("f4") for _ in range(2))
    mask = np.tril(np.ones((len(WORDS),) * 2, bool))
    vectors = (q, k) if with_vectors else (None, None)
    weights = explained(q, k, 8**0.5, mask=mask).astype("f4")
    return Picture(queries=WORDS, keys=WORDS, weights=weights, mask=mask, scale=8**0.5, q=vectors[0], k=vectors[1])


def shown(root) -> dict:
    return json.loads(root.evaluate("root => JSON.stringify(root.dataset)"))


def test_every_head_and_cell_has_the_models_numbers(show):
    seen = picture()
    page = show(to_html(seen, layer=1, head=2))
    root = page.locator(".attention-view")
    assert (shown(root)["layer"], shown(root)["head"]) == ("1", "2")
    for layer in range(2):
        for head in range(3):
            page.locator(f".thumbs button[data-layer='{layer}'][data-head='{head}']").click()
            page.get_by_role("button", name="on", exact=True).click()
            grid = page.get_by_role("grid")
            grid.focus()
            grid.press("Home")
            for key in range(4):
                data = shown(root)
                assert (data["layer"], data["head"], data["query"], data["key"]) == (
                    str(layer),
                    str(head),
                    "3",
                    str(key),
                )
                assert float(data["value"]) == pytest.approx(float(seen.weights[layer, head, 3, key]), abs=1e-6)
                assert json.loads(data["why"])["weight"] == pytest.approx(float(data["value"]), abs=1e-6)
                grid.press("ArrowRight")
    assert page.evaluate("window.bad") is None
    assert page.evaluate("location.search") == ""


@pytest.mark.wide
def test_beyond_exact_weights_every_head_can_still_be_explained(show, monkeypatch):
    monkeypatch.setattr(payload, "EXACT_CELLS", 0)
    monkeypatch.setattr(payload, "BYTE_CELLS", 0)
    monkeypatch.setattr(payload, "THUMBNAIL_SIDE", 3)
    seen = picture()
    page = show(to_html(seen))
    page.locator(".thumbs button[data-layer='1'][data-head='1']").click()
    data = shown(page.locator(".attention-view"))
    i, j = int(data["query"]), int(data["key"])
    assert data["tier"] == "thumbnail"
    assert float(data["value"]) == pytest.approx(float(seen.weights[1, 1, i, j]), abs=1e-6)
    assert json.loads(data["why"])["weight"] == pytest.approx(float(seen.weights[1, 1, i, j]), abs=1e-6)


@pytest.mark.wide
def test_a_head_that_did_not_fit_says_so(show, monkeypatch):
    monkeypatch.setattr(payload, "EXACT_CELLS", 0)
    monkeypatch.setattr(payload, "MAX_ALONE", 0)
    page = show(to_html(picture()))
    expect(page.get_by_text("the sum of 8 products")).to_be_visible()
    page.locator(".thumbs button[data-layer='1'][data-head='0']").click()
    expect(page.get_by_text("This file has q and k of layer 0, head 0 alone.")).to_be_visible()
    expect(page.get_by_text("Fetching")).to_have_count(0)


@pytest.mark.wide
def test_weights_alone_say_that_they_are_all_there_is(show):
    page = show(to_html(picture(with_vectors=False)))
    expect(page.get_by_text("This model gave its weights only, without q and k.")).to_be_visible()


@pytest.mark.parametrize(
    ("theme", "system", "dark"),
    [("light", "dark", 0), ("auto", "dark", 1), pytest.param("dark", "light", 1, marks=pytest.mark.wide)],
)
@pytest.mark.wide
def test_light_and_dark(show, theme, system, dark):
    page = show(to_html(picture(), theme=theme), color_scheme=system)
    ground = page.evaluate("getComputedStyle(document.documentElement).backgroundColor.match(/\\d+/g).map(Number)")
    assert (luminance(ground) < 0.1) == bool(dark)
    if theme == "auto":
        page.emulate_media(color_scheme="light")
        expect(page.locator("html")).to_have_attribute("data-theme", "light")


@pytest.mark.wide
def test_a_notebook_shows_it_in_a_frame(show):
    page = show("<!doctype html><title>A notebook</title>" + picture()._repr_html_())
    root = page.frame_locator("iframe").locator(".attention-view[data-painted]")
    root.wait_for()
    assert float(shown(root)["value"]) > 0
    assert page.evaluate("document.querySelector('iframe').contentDocument") is None, "the frame is a world of its own"


@pytest.mark.parametrize("width", [1280, 380])
def test_a_sentence_is_seen_where_the_frame_is_taken_out_and_only_there(show, width):
    page = show("<!doctype html><title>A notebook</title>" + picture()._repr_html_())
    page.set_viewport_size({"width": width, "height": 800})
    page.frame_locator("iframe").locator(".attention-view[data-painted]").wait_for()
    lines = """[...Array.from(document.querySelector("p").childNodes, (node) => {
      const range = document.createRange();
      range.selectNodeContents(node);
      return Array.from(range.getClientRects());
    })].flat().map(({ x, y, width, height }) => document.elementFromPoint(x + width / 2, y + height / 2).tagName)"""
    over = page.evaluate(lines)
    assert over
    assert set(over) == {"IFRAME"}
    page.evaluate("document.querySelector('iframe').remove()")
    assert set(page.evaluate(lines)) <= {"P", "CODE"}
    expect(page.locator("p")).to_contain_text(
        "2 layers × 3 heads, 6 × 6. Where no picture follows, trust this notebook"
    )


@pytest.mark.wide
def test_three_kinds_of_attention_are_one_page(show):
    random = np.random.default_rng(0)
    sizes = {"encoder": (3, 3), "decoder": (2, 2), "cross": (2, 3)}
    weights: Any = {kind: random.dirichlet(np.ones(S), (1, 2, T)).astype("f4") for kind, (T, S) in sizes.items()}
    page = show(attention_view.show(**weights, source=["a", "b", "c"], target=["d", "</script>"]).html())
    for kind in ("cross", "decoder", "encoder"):
        page.get_by_role("radio", name=kind).check()
        root = page.locator(".attention-view:visible[data-painted]")
        expect(root).to_have_count(1)
        data = shown(root)
        i, j = int(data["query"]), int(data["key"])
        assert float(data["value"]) == pytest.approx(float(weights[kind][0, 0, i, j]), abs=1e-6)


@pytest.mark.wide
def test_a_page_saved_from_a_page_is_the_same_page(show, tmp_path):
    text = to_html(picture(), theme="dark")
    page = show(text)
    page.get_by_role("button", name="Download").click()
    with page.expect_download() as waiting:
        page.get_by_role("menuitem", name="HTML").click()
    assert waiting.value.suggested_filename == "attention-layer0-head0-weights.html"
    again = Path(waiting.value.path()).read_text(encoding="utf-8")
    assert again.split("<body>")[0] == text.split("<body>")[0]
    assert again.split("<script type")[2] == text.split("<script type")[2]
    assert shown(show(again).locator(".attention-view")) == shown(page.locator(".attention-view"))


@pytest.mark.wide
def test_a_browser_that_cannot_unpack_it_says_so(show):
    script = '<script type="module">'
    text = to_html(picture()).replace(script, f"<script>delete window.DecompressionStream</script>{script}", 1)
    page = show(text + "<iframe hidden></iframe>")
    expect(page.get_by_text("This page needs a browser of 2023 or later")).to_be_visible()


@pytest.mark.wide
def test_a_scene_in_a_file_is_entered_down_to_a_product(show):
    seen = picture()
    assert seen.q is not None
    assert seen.k is not None
    page = show(attention_view.scene(WORDS, seen.q, seen.k, seen.k, weights=seen.weights, opens=(1, 2)).html())
    world, say = page.locator(".world"), page.locator(".say")
    world.focus()
    for _ in range(6):
        world.press("Enter")
    row = len(WORDS) - 1
    key = int(seen.weights[1, 2, row].argmax())
    products = seen.q[1, 2, row] * seen.k[1, 2, key]
    feature = int(np.abs(products).argmax())
    expect(world).to_have_attribute("data-place", f"1.a.2.{row}.{key}.{feature}".replace("a", "attention"))
    assert float(world.get_attribute("data-value") or "") == pytest.approx(float(products[feature]), rel=1e-5)
    world.press("Escape")
    expect(world).to_have_attribute("data-level", "4")
    assert float(world.get_attribute("data-value") or "") == pytest.approx(
        float(seen.weights[1, 2, row, key]), abs=1e-6
    )
    expect(say).to_contain_text(f"{WORDS[row]}” looks at “{WORDS[key]}")
    assert page.evaluate("window.bad") is None
