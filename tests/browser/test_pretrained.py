"""The page on pretrained models in a browser: MiniLM from its package."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.view import View

ANIMAL = "The animal didn't cross the street because it was too tired"


def test_minilm_finds_what_it_stands_for(visit: Callable[..., View]) -> None:
    view = visit("/pretrained")
    view.expect(layer=3, head=1)
    tokens = view.tokens.all_inner_texts()
    assert tokens[view.cell[0]] == "it"
    assert tokens[view.cell[1]] == "animal"
    assert float(view.shown["value"]) > 0.5
    assert view.why["weight"] == pytest.approx(float(view.shown["value"]), abs=1e-4)  # out of its q and k
    sent = len(view.sent)
    view.thumb(0, 2).click()
    view.expect(layer=0, head=2)
    assert len(view.sent) == sent, "another head costs no message"


def test_a_model_that_is_touched_says_what_it_is(visit: Callable[..., View], server: str) -> None:
    page = visit(None).page
    page.goto(f"{server}/pretrained?pretrained_view=Bring+a+model")
    skyline = page.locator(".model-skyline")
    expect(skyline.get_by_role("heading")).to_have_text("MiniLM")
    models = skyline.get_by_role("radio")
    cells = [path.count("Z") for path in map(drawn_cells, models.all())]
    named = [model.get_attribute("aria-label") or "" for model in models.all()]
    for name, count in zip(named[:-1], cells[:-1], strict=True):
        assert f"{count} heads" in name
    models.nth(0).click()
    expect(skyline.get_by_role("heading")).to_have_text(named[0].split(",")[0])
    models.nth(0).press("ArrowRight")
    expect(skyline.get_by_role("heading")).to_have_text("MiniLM")
    skyline.get_by_role("button", name="See its heads").click()
    expect(page.get_by_test_id("stMain").get_by_role("radio", name="Heads", exact=True)).to_be_checked()


def drawn_cells(model: Locator) -> str:
    return "".join(path.get_attribute("d") or "" for path in model.locator("path").all())


def test_the_empty_lot_opens_a_file_of_ones_own(visit: Callable[..., View], server: str) -> None:
    page = visit(None).page
    page.goto(f"{server}/pretrained?pretrained_view=Bring+a+model&pretrained_shown=Yours")
    page.locator(".model-skyline").get_by_role("button", name="Open a file").click()
    expect(page.get_by_text("This is an example")).to_be_visible()
    assert "pretrained_bring_file=true" in page.url
