"""The museum of bugs in a browser: found out by hand and cured; every kind of picture on a phone; by keyboard alone."""

from urllib.parse import urlencode

import pytest
from playwright.sync_api import expect

from tests.browser.test_look import AUDIT, AXE, HIGHEST_ON_A_PHONE, OPTIONS, TOP, opened, to_phone
from tests.browser.view import WIDE

# One exhibit per kind of picture: bars, a map, curves.
KINDS = (
    ("Plausible nonsense", "Row sums"),
    ("One pad, all NaN", "Look for NaN"),
    ("Better than possible", "Loss on words"),
)


def test_the_wrong_line_is_pressed_and_heals_the_picture_before_the_server_hears_of_it(visit, server: str):
    page = visit("/bugs", painted=False, reduced_motion="reduce").page
    opened(page, f"{server}/bugs")
    figure = page.locator(".exhibit")
    sound, code = figure.locator("section").all()
    says = figure.get_by_role("status")
    expect(sound).to_contain_text("who found the ball")
    expect(code).to_contain_text("ililil")
    expect(code.locator(".unseen")).to_contain_text("from the healthy model")
    expect(code).to_contain_text("17 of 17 rows do not add up to 1.")
    expect(says).to_contain_text("One line is wrong")
    figure.get_by_role("button", name="transpose(1, 2)").click()
    expect(says).to_have_text("That line does its job. Look again.")
    expect(figure.locator("button.tried")).to_be_disabled()
    figure.locator("button.line").last.evaluate("(line) => line.click()")
    assert "All 17 rows add up to 1." in code.inner_text(), "in the frame of the press"
    expect(says).to_have_text("Cured: -2 is now -1. Press the line to break it again.")
    expect(figure.locator(".cured mark")).to_have_text(["-2", "-1"])
    expect(code).to_contain_text("who found the ball")
    expect(page.get_by_text("One glance at the row sums is enough.")).to_be_visible()
    assert "bugs_line=cured" in page.url
    figure.locator("button.cured").click()
    expect(figure.locator("button.faulty")).to_be_visible()
    expect(code).to_contain_text("17 of 17 rows do not add up to 1.")
    page.get_by_role("button", name="Next exhibit").click()
    expect(says).to_contain_text("One line is wrong")
    expect(figure.locator("section").nth(1)).to_contain_text("red 99%")
    assert "bugs_line" not in page.url


@pytest.mark.wide
def test_every_kind_of_picture_stands_where_it_should(visit, server: str):
    page = visit("/bugs", painted=False, reduced_motion="reduce").page
    for exhibit, instrument in KINDS[1:]:  # the first is measured with all views
        query = urlencode({"bugs_exhibit": exhibit, "bugs_instrument": instrument, "bugs_line": "cured"})
        opened(page, f"{server}/bugs?{query}")
        page.evaluate(AXE)
        assert page.evaluate(AUDIT, OPTIONS["light"]) == []
        to_phone(page)
        page.wait_for_function(f"() => ({WIDE})() <= 1")
        assert page.evaluate(TOP) <= HIGHEST_ON_A_PHONE
        page.set_viewport_size({"width": 1280, "height": 720})
