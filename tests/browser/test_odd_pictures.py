"""The component on a page of its own: tokens of any text, two lengths, no q and k, and parameters with a prefix."""

import numpy as np
import pytest
from playwright.sync_api import expect

from tests.browser.conftest import serve
from tests.browser.odd_pictures import KEYS, QUERIES, WEIGHTS


@pytest.fixture(scope="module")
def odd():
    with serve("tests/browser/odd_pictures.py") as address:
        yield address


@pytest.mark.wide
def test_tokens_are_never_read_as_html(visit, odd):
    view = visit("/", odd)
    view.root.get_by_text("Read this head as a table").click()
    for i, query in enumerate(QUERIES):
        view.tokens.nth(i).click()
        view.expect(query=i)
        expect(view.grid.get_by_role("gridcell")).to_contain_text(query)
    assert view.root.locator("img, script, thead b, tbody b").count() == 0
    assert view.page.evaluate("window.bad") is None


@pytest.mark.wide
def test_between_two_texts_and_without_q_and_k(visit, odd):
    view = visit("/?odd_layer=1&odd_head=1&odd_query=2&odd_key=4&layer=0", odd)
    view.expect(layer=1, head=1, query=2, key=4)
    values, _, _ = view.all_cells()
    assert values.shape == (len(QUERIES), len(KEYS))
    assert np.array_equal(values.astype("f4"), WEIGHTS[1, 1])
    assert view.root.locator(".reason").inner_text() == "This model gave its weights only, without q and k."
    assert view.root.locator(".stages").is_hidden()
    assert view.why is None
    view.grid.press("Home")
    view.wait(300)
    assert view.page.url.endswith("odd_layer=1&odd_head=1&odd_query=2&odd_key=0&layer=0")
