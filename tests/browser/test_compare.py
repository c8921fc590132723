"""A and B are looked at side by side, one at a time on the same cells, or by turns."""

import pytest
from playwright.sync_api import expect

from lab.kit.compare import SHOWN

LINK = "/masks?a=mask%3Dpadding"
OPACITIES = "(columns) => columns.map((column) => getComputedStyle(column).opacity)"


@pytest.mark.wide
def test_one_at_a_time_stands_on_the_cells_of_the_others(visit):
    page = visit(LINK, painted=False, reduced_motion="reduce").page
    columns = page.locator(".st-key-bench [data-testid=stColumn]")
    expect(columns).to_have_count(3)
    figures = page.locator(".st-key-bench [data-testid=stPlotlyChart]")
    expect(figures).to_have_count(3)
    boxes = [figure.bounding_box() for figure in figures.all()]
    assert len({box["x"] for box in boxes}) == 3, "side by side at first"
    small = boxes[0]["width"]
    shown = {"A": 0, "B": 1, "B − A": 2, "A and B by turns": 1}  # without motion, B stands still
    assert tuple(shown) == SHOWN[1:]
    for name, place in shown.items():
        page.get_by_role("radio", name=name, exact=True).click()
        expect(columns.nth(place)).to_have_css("opacity", "1")
        assert columns.evaluate_all(OPACITIES) == ["1" if n == place else "0" for n in range(3)]
        boxes = [figure.bounding_box() for figure in figures.all()]
        assert len({box["x"] for box in boxes}) == 1
        assert boxes[0]["width"] > 2 * small
