"""Two benches in a browser: A is pinned, one thing is changed, and the link brings both back."""

from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect


def settled(view):
    view.page.locator("[data-testid=stApp][data-test-script-state=notRunning]").wait_for()
    return view


def charts(view, name):
    return view.page.locator(f"[class*=st-key-bench-{name}] .js-plotly-plot")


@pytest.mark.wide
def test_a_is_pinned_and_the_link_brings_both_back(visit):
    view = settled(visit("/blocks?text=the+cat+sat", painted=False))
    expect(charts(view, "difference")).to_have_count(0)
    view.page.get_by_role("button", name="Compare", exact=True).click()
    expect(view.says("A is before training, B is trained")).to_be_visible()
    for name in ("A", "B", "difference"):
        expect(charts(view, name)).to_have_count(1)
    view.wait(300)
    largest = view.says("They differ by at most ").inner_text()
    address = urlsplit(view.page.url)
    again = settled(visit(f"{address.path}?{address.query}", painted=False))
    expect(again.says("A is before training, B is trained")).to_be_visible()
    for name in ("A", "B", "difference"):
        expect(charts(again, name)).to_have_count(1)
    expect(again.says(largest)).to_be_visible()
    again.page.get_by_role("button", name="Stop comparing").click()
    expect(charts(again, "difference")).to_have_count(0)
    expect(again.page.get_by_role("button", name="Compare", exact=True)).to_be_visible()
