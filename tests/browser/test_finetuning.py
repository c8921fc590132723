"""Fine-tuning in a browser: a rank is chosen by keyboard, its update is drawn, and a question is answered."""

import pytest
from playwright.sync_api import expect

from tests.browser.test_look import opened


@pytest.mark.wide
def test_another_rank_draws_another_update(visit, server: str):
    page = visit("/finetuning?fine_moved=true", painted=False, reduced_motion="reduce").page
    opened(page, f"{server}/finetuning?fine_moved=true")
    expect(page.get_by_text("The update has rank")).to_contain_text("rank 4")
    page.get_by_role("button", name="Change the settings").click()
    rank = page.get_by_role("slider", name="LoRA: rank r")
    rank.press("ArrowLeft")
    expect(page.get_by_text("The update has rank")).to_contain_text("rank 2")
    assert "fine_rank=2" in page.url
    page.keyboard.press("Escape")
    page.get_by_role("button", name="512", exact=True).click()
    expect(page.get_by_text("Right.", exact=False).first).to_be_visible()
