"""A curve is drawn in a browser: with the pointer, by keyboard, as numbers, and by a finger; then it is shown."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.test_look import AUDIT, AXE, OPTIONS, PHONE

pytestmark = pytest.mark.wide
LINK = "/why?why_view=What+does+it+cost%3F&why_guess=true"


def drawing(page: Page) -> Locator:
    curve = page.locator(".curve-guess")
    expect(curve.get_by_role("status")).to_contain_text("7 of 7 points to go")
    return curve


def shown(curve: Locator) -> None:
    """The true curve is there, and one sentence says how far the drawing is from it."""
    show = curve.get_by_role("button", name="Show the true curve")
    expect(show).to_be_enabled()
    show.press("Enter")
    expect(curve.locator("path.true")).to_have_count(1)
    expect(curve.get_by_role("status")).to_have_text(re.compile(r"on average.*\.$|^Very close.*\.$"))
    expect(curve).to_contain_text("64 times the memory")


def test_with_the_pointer_in_one_stroke_and_again(visit):
    page = visit(LINK, painted=False, reduced_motion="reduce").page
    curve = drawing(page)
    expect(curve.locator("path.true")).to_have_count(0)
    expect(curve.get_by_role("button", name="Show the true curve")).to_be_disabled()
    box = curve.locator(".area").bounding_box()
    assert box
    page.mouse.move(box["x"] + 4, box["y"] + box["height"] - 4)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"], box["y"] + 4, steps=5)
    page.mouse.up()
    shown(curve)
    page.evaluate(AXE)
    assert page.evaluate(AUDIT, OPTIONS["light"]) == []
    expect(curve.get_by_role("button", name="Draw again")).to_be_focused()
    page.keyboard.press("Enter")
    drawing(page)


def test_by_keyboard_alone(visit):
    page = visit(LINK, painted=False, reduced_motion="reduce").page
    curve = drawing(page)
    first = curve.get_by_role("slider").first
    first.focus()
    page.keyboard.press("ArrowUp")
    expect(first).to_have_attribute("aria-valuetext", re.compile(r"MB$"))
    for _ in range(6):
        page.keyboard.press("ArrowRight")
        page.keyboard.press("PageUp")
    shown(curve)


def test_as_numbers(visit):
    page = visit(LINK, painted=False, reduced_motion="reduce").page
    curve = drawing(page)
    curve.get_by_text("Type numbers instead").click()
    fields = curve.get_by_role("spinbutton")
    for n in range(7):
        fields.nth(n).fill(str(8 * 4 * (250 * (n + 2)) ** 2 / 1e6))
    curve.get_by_role("button", name="Show the true curve").click()
    expect(curve.get_by_role("status")).to_contain_text("Very close")


def test_with_a_finger(visit):
    page = visit(LINK, painted=False, reduced_motion="reduce", viewport=PHONE).page
    curve = drawing(page)
    for place in range(1, 8):
        curve.locator(".area").evaluate(
            """(area, share) => {
                const { left, top, width, height } = area.getBoundingClientRect();
                const at = { clientX: left + share * width, clientY: top + height / 2, pointerId: 1, bubbles: true,
                  pointerType: "touch" };
                area.setPointerCapture = () => {};
                for (const type of ["pointerdown", "pointerup"]) area.dispatchEvent(new PointerEvent(type, at));
            }""",
            place / 7,
        )
    shown(curve)
    assert page.evaluate("() => document.documentElement.scrollWidth - innerWidth") <= 1
