"""The page on why in a browser: measured only when asked, a link that restores, and a phone's width."""

from urllib.parse import quote

from playwright.sync_api import expect

from pages.why import cost, duration, heads, path_length


def test_measuring_on_the_button_and_every_view_on_a_phone(visit):
    phone = {"width": 390, "height": 844}
    for view in (module.VIEW.name for module in (path_length, cost, duration, heads)):
        page = visit(f"/why?why_view={quote(view)}&why_d=32", painted=False, viewport=phone).page
        page.get_by_text("Check yourself.").first.wait_for()
        main = page.locator('[data-testid="stMain"]')
        assert main.evaluate("e => e.scrollWidth <= e.clientWidth"), view
        button = page.get_by_role("button", name="Measure on this machine")
        if view in ("How long does it take?", "All heads at once"):
            button.click()
            expect(page.get_by_text("one thread of this machine", exact=False)).to_be_visible(timeout=15_000)
            expect(page.get_by_role("button", name="Measure again")).to_be_visible()
        else:
            expect(button).to_have_count(0)
        page.close()
