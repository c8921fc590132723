"""A question to check oneself, with the keyboard alone: nothing before the choice, then a reply, then the figure."""

from playwright.sync_api import expect


def test_a_question_is_answered_and_tried_with_the_keyboard(visit):
    page = visit("/attention", painted=False).page
    steps = page.locator(".attention-steps")
    expect(steps).to_have_attribute("data-stage", "scores")
    card = page.locator(".st-key-check-attention-steps")
    marker, reply = card.locator("[data-check]"), card.locator(".st-key-reply-attention-steps")
    wrong = card.get_by_role("button", name="They stay as they are")
    wrong.wait_for()
    expect(marker).to_have_attribute("data-state", "open")
    expect(card).to_have_attribute("aria-live", "polite")
    expect(reply).to_have_count(0)

    wrong.focus()
    page.keyboard.press("Enter")
    expect(reply).to_contain_text("Not quite. Their scores stay.")
    expect(reply).to_contain_text("It is “They shrink”.")
    expect(marker).to_have_attribute("data-state", "wrong")
    assert "stay as they are" in page.evaluate("document.activeElement.innerText"), "the focus stays"

    card.get_by_role("button", name="Try it").focus()
    page.keyboard.press("Enter")
    expect(steps).to_have_attribute("data-stage", "weights")
    expect(page.get_by_text("Shown on: small numbers")).to_be_visible()
    expect(steps.get_by_label("K, row 1, column 1")).to_have_value("6")
    expect(steps).to_be_in_viewport()
    expect(reply).to_contain_text("Not quite.")
