"""The blocks page in a browser: opening a step by hand or by keys, leaving the sweep, links, and a phone's width."""

import re
from urllib.parse import quote, quote_plus

from playwright.sync_api import expect

from tests.pages.blocks.test_page import PARTS


def part(visit, name, more="", **context):
    page = visit(f"/blocks?blocks_part={quote(name)}{more}", painted=False, **context).page
    page.get_by_text("Check yourself.").first.wait_for()
    return page


def test_a_box_of_the_layer_opens_its_step(visit):
    page = part(visit, "One layer")
    page.get_by_role("link", name="Feed-forward, (11, 64) via 256").click()
    expect(page.get_by_text("Feed-forward. The same two matrices", exact=False)).to_be_visible()
    expect(page).to_have_url(re.compile("blocks_step=feed-forward"))
    page.get_by_role("link", name="Attention, (4, 11, 11)").focus()
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("blocks_step=attention"))
    page.reload()
    expect(page.get_by_text("Attention. Words look at words", exact=False)).to_be_visible()


def test_the_sweep_can_be_left_and_comes_back(visit):
    page = visit("/blocks?blocks_part=Depth&seed=41", painted=False).page
    page.get_by_role("radio", name="Ledger").or_(page.get_by_text("Ledger", exact=True)).first.click()
    expect(page.get_by_text("1,189,632")).to_be_visible()
    page.get_by_text("Depth", exact=True).first.click()
    expect(page.get_by_text("Measured just now, 32 layers deep", exact=False)).to_be_visible()
    expect(page.locator(".js-plotly-plot")).to_have_count(2)
    expect(page.get_by_role("progressbar")).to_have_count(0)


def test_pulling_another_plug_redraws(visit):
    page = part(visit, "Pull a plug")
    expect(page.locator(".js-plotly-plot").get_by_text("residual out")).to_be_visible()
    page.get_by_text("Norm", exact=True).click()
    expect(page.locator(".js-plotly-plot").get_by_text("norm out")).to_be_visible()
    expect(page.locator(".js-plotly-plot").get_by_text("residual out")).to_have_count(0)


def test_nothing_sticks_out_on_a_phone(visit):
    first, *others = PARTS
    page = part(visit, first, viewport={"width": 390, "height": 844})
    main = page.locator('[data-testid="stMain"]')
    for name in (first, *others):
        if name != first:
            page.get_by_role("radio", name=name, exact=True).click()
            expect(page).to_have_url(re.compile(re.escape(f"blocks_part={quote_plus(name)}")))
        page.locator("[data-testid=stApp][data-test-script-state=notRunning]").wait_for()
        page.get_by_text("Check yourself.").first.wait_for()
        page.locator(".js-plotly-plot").first.wait_for()
        assert main.evaluate("e => e.scrollWidth <= e.clientWidth"), name
