"""The teacher's page while a class is open: it follows the class by itself, and hands out what was answered."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from tests.browser.conftest import SOON

PHONE: ViewportSize = {"width": 390, "height": 844}


@pytest.fixture
def phone(browser: Browser) -> Iterator[Page]:
    """A student's phone, which may be told that there is no room, or none any more."""
    context = browser.new_context(viewport=PHONE)
    context.set_default_timeout(1000 * SOON)
    yield context.new_page()
    context.close()


def test_it_counts_those_who_come_by_itself_and_hands_out_their_answers(visit, phone: Page, server: str):
    desk = visit("/classroom?class_of=heads", painted=False).page
    desk.get_by_role("button", name="Start the class").click()
    seats = desk.locator(".st-key-class-room-door .lesson-facts")
    expect(seats).to_have_text(re.compile("^0 phones"))
    code = desk.locator(".class-code b").inner_text()
    phone.goto(f"{server}/join?room={code}")
    expect(seats).to_have_text(re.compile("^1 phone "))
    desk.get_by_role("button", name="End the class").click()
    expect(desk.get_by_text("Its answers are then gone for good.")).to_be_visible()
    with desk.expect_download() as got:
        desk.get_by_role("link", name="Download the answers").last.click()
    assert re.fullmatch(rf"[a-z-]+-\d{{4}}-\d\d-\d\d-{code}\.csv", got.value.suggested_filename)
    expect(desk.locator(".class-code")).to_be_visible()
    desk.get_by_role("button", name="End it for everybody").click()
    expect(desk.get_by_role("button", name="Start the class")).to_be_visible()


@pytest.mark.wide
def test_the_code_of_the_room_is_a_picture_that_no_button_covers(visit):
    desk = visit("/classroom?class_of=heads", painted=False).page
    desk.get_by_role("button", name="Start the class").click()
    code = desk.get_by_role("img", name=re.compile("^QR code of "))
    code.hover()
    box = code.bounding_box()
    assert box
    assert box["height"] > 300
    expect(desk.get_by_role("button", name="Fullscreen")).to_have_count(0)


@pytest.mark.wide
def test_a_wrong_code_moves_nothing_and_stays(phone: Page, server: str):
    phone.goto(f"{server}/join")
    box, join = phone.get_by_label("Code of the room"), phone.get_by_role("button", name="Join")
    at = [one.bounding_box() for one in (box, join)]
    for typed, said in (("KR", "four letters"), ("KRTM", "no room with this code")):
        box.fill(typed)
        join.click()
        told = phone.get_by_role("status")
        expect(told).to_contain_text(said)
        expect(box).to_have_value(typed)
        assert [one.bounding_box() for one in (box, join)] == at
        below = told.bounding_box()
        assert below
        assert at[1]
        assert below["y"] >= at[1]["y"] + at[1]["height"]


@pytest.mark.wide
def test_a_sheet_opens_in_a_tab_and_its_short_address_leads_on_to_the_stop(visit, server: str):
    page = visit("/lessons?lesson=heads", painted=False).page
    with page.context.expect_page() as opened:
        page.locator(".st-key-lesson-card-linked").get_by_role("link", name="Worksheet").click()
    sheet = opened.value
    expect(sheet.get_by_role("heading", level=1)).to_have_text("What heads do and do not tell you")
    sheet.evaluate("window.print = () => { document.title = 'printed' }")
    sheet.get_by_role("button", name="Print").click()
    expect(sheet).to_have_title("printed")
    way = sheet.locator(".way").nth(1).inner_text().strip()
    page.goto(f"http://{way}")
    expect(page.locator(".st-key-lesson-bar")).to_contain_text("Stop 2 of")
    page.go_back()
    expect(page).to_have_url(f"{server}/lessons?lesson=heads")
