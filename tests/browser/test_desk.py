"""The teacher's page while a class is open: it follows the class by itself, and hands out what was answered."""

import re

from playwright.sync_api import expect

PHONE = {"width": 390, "height": 844}


def test_it_counts_those_who_come_by_itself_and_hands_out_their_answers(visit, server: str):
    desk = visit("/classroom?class_of=heads", painted=False).page
    desk.get_by_role("button", name="Start the class").click()
    seats = desk.locator(".st-key-class-room-door .lesson-facts")
    expect(seats).to_have_text(re.compile("^0 phones"))
    code = desk.locator(".class-code b").inner_text()
    phone = visit(None, viewport=PHONE).page
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
