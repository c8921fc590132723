"""Fine-tuning in a browser: a rank is chosen by keyboard, its update is drawn, and a question is answered."""

import pytest
from playwright.sync_api import expect

from tests.browser.test_look import opened
from transformer.training.ways import ALL, SCRATCH


def test_the_step_is_dragged_and_every_model_goes_on_as_it_did_there(visit):
    page = visit("/finetuning", painted=False, reduced_motion="reduce").page
    rows = {way: page.locator(f'.continuations .talk [data-way="{way}"]') for way in (ALL, SCRATCH)}
    expect(rows[ALL].locator("b").first).to_have_text("barn")
    expect(rows[SCRATCH].locator("b")).to_have_count(0)
    assert rows[SCRATCH].locator("s").count() > 2
    right = float(rows[ALL].locator("output").inner_text().rstrip("%"))
    story = page.locator(f'.continuations .story [data-way="{ALL}"]')
    expect(story.locator("s").first).to_be_visible()
    step = page.get_by_role("slider", name="Step of the training")
    step.press("Home")
    expect(page.locator(".continuations")).to_have_attribute("data-step", "0")
    expect(page.locator(".continuations .step")).to_have_text("before")
    expect(story.locator("b").first).to_have_text("hat")
    expect(story.locator("s")).to_have_count(0)
    assert float(rows[ALL].locator("output").inner_text().rstrip("%")) < right / 2
    page.get_by_role("button", name="▶ Train").click()
    expect(page.locator(".continuations")).to_have_attribute("data-step", "160")


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
