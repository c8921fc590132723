"""Brackets in code in a browser: a bracket is held by keyboard, its weights appear, and the link carries the code."""

from urllib.parse import quote

import pytest
from playwright.sync_api import expect


@pytest.mark.wide
def test_a_closing_bracket_is_held_and_shows_its_weights(visit):
    code = "a = <b>(f[1])"
    root = visit(f"/beyond?beyond_code={quote(code)}", painted=False).page.locator(".code-brackets")
    expect(root.locator(".sheet")).to_contain_text(code)  # letters, never markup
    closing = root.get_by_role("button", name="closing bracket )")
    closing.focus()
    expect(root).to_have_attribute("data-threads", "1")
    expect(root.get_by_role("status")).to_contain_text("It expects )")
    expect(root.locator(".partner")).to_have_text("(")
    closing.blur()
    expect(root.locator(".partner")).to_have_count(0)
    expect(root).to_have_attribute("data-threads", "2")
