"""A class: a teacher, a projector and phones; both pages for keyboards, readers and small screens."""

import csv
import io
import re
from collections.abc import Callable, Iterator

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Browser, FrameLocator, Page, expect

from lab.server.rooms.plan import Step
from lab.server.rooms.rooms import MOVED
from pages.classroom import plans, testing
from tests.browser.conftest import SOON
from tests.browser.test_look import AUDIT, AXE, OPTIONS

N_PHONES = 3
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
LAPTOP = {"viewport": {"width": 1280, "height": 720}}
LESSON = plans.plan("heads")
# The clock by which a projector knows a second press of a button: it stands still, or is later by more than that.
STOP = "() => { const now = performance.now(); performance.now = () => now; }"
LATER = "() => { const now = performance.now.bind(performance); performance.now = () => now() + 700; }"
LEFT = "(node) => Math.round(node.getBoundingClientRect().left)"
VIEW = re.compile("[?&]present=1")  # of a projector: it loads them ahead, which is dear
# How much of a dot is open in a pile that is so high.
HOLLOW = """(dot) => {
    dot.closest('.cells').style.setProperty('--rows', 12);
    return dot.clientWidth / dot.offsetWidth;
}"""


@pytest.fixture
def open_page(browser: Browser) -> Iterator[Callable[..., Page]]:
    """open_page(address, **context) -> a page in a browser of its own; none may end with an error in its script."""
    contexts, complaints = [], []

    def open_page(address: str, **more) -> Page:
        context = browser.new_context(**more)
        contexts.append(context)
        context.set_default_timeout(1000 * SOON)
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(address)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert complaints == []


@pytest.fixture
def open_room(open_page: Callable[..., Page], server: str) -> Callable[..., tuple[Page, str]]:
    """open_room("heads") -> the projector's page, and the code; no view is loaded in it."""

    def open_room(name: str, **more) -> tuple[Page, str]:
        page = open_page(f"{server}/classroom?class_of={name}", **{**LAPTOP, **more})
        page.get_by_role("button", name="Start the class").click()
        code = code_of(page)
        with page.context.expect_page() as opened:
            page.get_by_role("link", name="Open the projector").click()
        projector = opened.value
        expect(projector.locator(".place")).to_contain_text("1 of")
        projector.route(VIEW, lambda route: route.fulfill(body="", content_type="text/html"))
        return projector, code

    return open_room


def code_of(desk: Page) -> str:
    return desk.locator(".class-code b").inner_text()


def say(phone: Page, step: Step, option: int) -> None:
    """Touch an option of this very question and send it."""
    expect(phone.locator(".ask")).to_have_text(step.ask)
    phone.locator("label", has=phone.locator(f"input[value='{option}']")).tap()
    phone.get_by_role("button", name="I say:").tap()
    expect(phone.get_by_role("button", name="You said:")).to_have_text(f"You said: {step.labels[option]}")


def later(projector: Page | FrameLocator) -> None:
    """Nothing that was pressed waits for the server, and all have read what the buttons say."""
    expect(projector.locator("[aria-busy='true']")).to_have_count(0)
    projector.locator("body").evaluate(LATER)


def press(projector: Page, key: str) -> None:
    later(projector)
    projector.keyboard.press(key)


def go_on(projector: Page) -> None:
    place = projector.locator(".place")
    now = place.inner_text()
    press(projector, "ArrowRight")
    expect(place).not_to_have_text(now)


def show(projector: Page) -> None:
    """The votes, if there are any, and then the model's answer."""
    button = projector.locator(".reveal")
    if button.inner_text() == "Show the votes":
        press(projector, "r")
        expect(projector.locator(".results")).to_be_visible()
    press(projector, "r")
    expect(button).to_contain_text("Hide the")


def right_of(step: Step) -> int:
    """The option that is right, or what the model gives most to."""
    return step.truth.index(max(step.truth))


def test_a_class_goes_through_a_whole_lesson(open_room, open_page, server: str):
    projector, code = open_room("heads")
    phones = [open_page(f"{server}/join?room={code}", **PHONE) for _ in range(N_PHONES - 1)]
    typing = open_page(f"{server}/join", **PHONE)  # without a camera
    typing.get_by_label("Code of the room").fill(" ".join(code.lower()))
    typing.get_by_role("button", name="Join").tap()
    phones.append(typing)
    answered = projector.locator(".answered")
    expect(answered).to_have_text(f"0 of {N_PHONES}")

    first, *others = LESSON.steps
    right = right_of(first)
    assert first.kind == "cells", "in this one the model answers by itself"
    for phone, option in zip(phones, (right, 0, 1), strict=True):
        say(phone, first, option)
    expect(answered).to_have_text(f"{N_PHONES} of {N_PHONES}")
    assert projector.locator(".results").count() == 0, "only how many"
    press(projector, "v")
    expect(projector.locator(".tally")).to_contain_text("have voted again")
    for phone in phones:
        expect(phone.get_by_text("Second vote")).to_be_visible()
        say(phone, first, right)
    press(projector, "r")
    expect(projector.locator(".finding")).to_contain_text("Where does the model look?")
    assert projector.locator(".results .right").count() == 0, "the class first, as in the rehearsal"
    expect(phones[0].get_by_text("The votes are on the board.")).to_be_visible()
    press(projector, "r")
    count = projector.locator(".right .count")
    expect(count).to_have_text(f"1 → {N_PHONES}")
    expect(phones[0].get_by_text(re.compile(f"model: {first.labels[right]} "))).to_be_visible()

    projector.unroute_all()
    go_on(projector)
    for phone in phones:
        say(phone, others[0], right_of(others[0]))
    phones[0].reload()
    you = f"You said: {others[0].labels[right_of(others[0])]}"
    expect(phones[0].get_by_role("button", name="You said:")).to_have_text(you)
    see_the_view(projector)
    expect(count).to_have_text(f"{N_PHONES}")
    expect(phones[0].get_by_text(f"Right: {others[0].labels[right_of(others[0])]}")).to_be_visible()
    projector.route(VIEW, lambda route: route.fulfill(body="", content_type="text/html"))

    lost = phones[1]
    for at, step in enumerate(others[1:], 2):
        go_on(projector)
        expect(projector.locator(".place")).to_contain_text(f"{at + 1} of {len(LESSON.steps)}")
        right = right_of(step)
        saying = phones if at == 2 else phones[:1]  # from there on nothing new can happen to the others
        for phone in saying:
            say(phone, step, right)
        if at == 2:
            projector.reload()
            lost.context.set_offline(True)
            lost.locator("label").first.tap()
            lost.get_by_role("button", name="I say:").tap()
            expect(lost.get_by_role("status")).to_contain_text("no connection")
        expect(answered).to_have_text(f"{len(saying)} of {N_PHONES}")
        show(projector)
        expect(count).to_have_text(f"{len(saying)}")
        if at == 2:
            lost.context.set_offline(False)
            expect(lost.get_by_text(f"You said: {step.labels[right]}")).to_be_visible()
            expect(lost.locator(".lost")).to_be_hidden()
        if at == 3:
            expect(phones[-1].get_by_text("The answer was shown before you sent yours.")).to_be_visible()

    press(projector, "ArrowRight")
    expect(projector.locator("h1")).to_have_text("Thank you. That was the last question.")
    expect(projector.locator(".outcome tr")).not_to_have_count(0)
    expect(phones[0].locator("h1")).to_have_text("Thank you.")
    projector.get_by_role("button", name="join:").click()
    expect(projector.locator(".qr svg")).to_be_visible()
    projector.evaluate(STOP)
    projector.get_by_role("button", name="End the class").dblclick()
    sure = projector.get_by_role("button", name="End it for everybody")
    expect(sure).to_be_visible()
    later(projector)
    sure.click()
    expect(phones[0].locator("h1")).to_have_text("The class is over.")


def see_the_view(projector: Page) -> None:
    """The view is loaded out of sight while the class votes, and may take the keyboard: a key is the class's."""
    page = projector.frame_locator("iframe")
    view = page.locator(".attention-view[data-painted]").first
    expect(view).to_be_attached()
    place = projector.locator(".view")
    assert place.evaluate("(node) => [node.inert, getComputedStyle(node).opacity].join()") == "true,0"
    expect(projector.locator(".look")).to_be_hidden()
    grid = page.get_by_role("grid").first
    grid.evaluate("(node) => (self.greed = setInterval(() => (node.tabIndex = 0, node.focus()), 5))")
    expect(grid).to_be_focused()
    show(projector)
    grid.evaluate("() => clearInterval(self.greed)")
    expect(projector.locator("[data-lead='look']")).to_be_visible()
    press(projector, "w")
    expect(view).to_be_visible()
    box = place.bounding_box() or {}
    assert (box["x"], box["y"], box["width"]) == (0, 0, 1280), "as large as the stage"
    assert box["height"] > 0.85 * 720
    expect(projector.locator("[data-lead='next']")).to_be_visible()


@pytest.mark.wide
def test_keys_of_the_projector_and_who_may_come_in_or_roam(open_room, open_page, server: str):
    projector, code = open_room("heads")
    picture, place = projector.locator(".qr"), projector.locator(".place")
    expect(picture.locator("svg")).to_be_visible()
    phone = open_page(f"{server}/join?room={code}", **PHONE)
    expect(phone.locator(".place")).to_contain_text("1 of 9")

    # Students roam, and come back.
    assert phone.get_by_role("button", name="Next →").count() == 0
    press(projector, "f")
    phone.get_by_role("button", name="Next →").tap()
    expect(phone.locator(".place")).to_contain_text("2 of 9")
    expect(phone.get_by_role("link", name="Look at it in the app")).to_be_visible()
    say(phone, LESSON.steps[1], 0)
    press(projector, "f")
    expect(phone.locator(".place")).to_contain_text("1 of 9")

    # A double press gives nothing away, and skips nothing.
    say(phone, LESSON.steps[0], 0)
    later(projector)
    projector.evaluate(STOP)
    projector.get_by_role("button", name="Show the votes").dblclick()
    expect(projector.get_by_role("button", name="Show the model")).to_be_visible()
    later(projector)
    assert projector.locator(".results .right").count() == 0
    expect(phone.get_by_text("The votes are on the board.")).to_be_visible()
    assert phone.locator(".go").count() == 0, "who has seen the votes changes nothing"
    projector.get_by_role("button", name="Next →").dblclick()
    expect(place).to_contain_text("2 of 9")

    # The code folds away once the class is in, and comes back when it is pressed.
    later(projector)
    expect(place).to_contain_text("2 of 9")
    expect(picture).to_be_hidden()
    sizes = [
        projector.locator(name).first.evaluate("(node) => parseFloat(getComputedStyle(node).fontSize)")
        for name in (".ask", ".options li", "h1", ".told")
    ]
    assert sizes[0] == max(sizes) > sizes[1], "the question is the largest line"
    projector.get_by_role("button", name="join:").click()
    expect(picture).to_be_visible()
    projector.keyboard.press("j")
    expect(picture).to_be_hidden()

    # Of two quick keys the second acts on what the first has done.
    for at in (3, 4):
        press(projector, "ArrowRight")
        projector.keyboard.press("r")
        expect(place).to_contain_text(f"{at} of 9")
        expect(projector.get_by_role("button", name="Hide the")).to_be_visible()

    press(projector, "l")
    expect(place).to_contain_text("no newcomers")
    late = open_page(f"{server}/join?room={code}", **PHONE)
    expect(late.get_by_role("status")).to_contain_text("takes no newcomers")
    stranger = open_page(f"{server}/projector?room={code}", **LAPTOP)
    expect(stranger.locator("h1")).to_have_text("This room is not here")
    expect(stranger.locator("body")).to_contain_text("Open it in the browser that has it.")
    assert stranger.locator(".results, .options, .words").count() == 0, "of a stranger's browser it says only that"


@pytest.mark.wide
def test_a_class_is_ended_by_keyboard_and_who_hears_the_page_hears_it(open_room, open_page, server: str):
    projector, code = open_room("question:heads-trained")
    phone = open_page(f"{server}/join?room={code}", **PHONE)
    expect(phone.locator(".place")).to_contain_text("1 of 1")
    press(projector, "ArrowRight")
    expect(phone.get_by_role("heading", name="Thank you.")).to_be_focused()
    end = projector.locator(".out .end")
    end.focus()
    projector.keyboard.press("Enter")
    expect(end).to_have_text("End it for everybody")
    expect(end).to_be_focused()
    expect(projector.locator(".out").get_by_role("status")).to_contain_text("ends on every phone")
    projector.keyboard.press("Escape")
    expect(end).to_have_text("End the class")
    expect(end).to_be_focused()
    projector.keyboard.press("Enter")
    expect(end).to_have_text("End it for everybody")
    assert projector.locator(".outcome").count() == 0
    late = {"at": 0, "round": 0, "value": 0}  # of a phone that has not heard of the end
    assert phone.request.post(f"{server}/rooms/{code}/answer", data=late).ok
    expect(projector.locator(".outcome tr")).to_have_count(1)
    expect(end).to_be_focused()
    expect(end).to_have_text("End it for everybody")
    press(projector, "Enter")
    expect(projector.get_by_role("heading", name="The class is over.")).to_be_focused()
    expect(phone.get_by_role("heading", name="The class is over.")).to_be_focused()


@pytest.mark.wide
def test_a_projector_whose_class_has_moved_says_that_it_goes_on(open_page, server: str):
    desk = open_page(f"{server}/classroom?class_of=heads", **LAPTOP)
    desk.get_by_role("button", name="Start the class").click()
    code = code_of(desk)
    with desk.context.expect_page() as opened:
        desk.get_by_role("link", name="Open the projector").click()
    projector = opened.value
    expect(projector.locator(".place")).to_contain_text("1 of")
    desk.get_by_role("button", name="Another computer").click()
    desk.get_by_role("button", name="Make the link").click()
    link = desk.locator("[data-testid=stCode]", has_text="class_take").inner_text().strip()
    other = open_page(link, **LAPTOP)
    other.get_by_role("button", name="Go on with it here").click()
    expect(other.locator(".class-code b")).to_have_text(code)
    expect(projector.get_by_role("heading", level=1)).to_have_text(MOVED)
    expect(desk.get_by_text(MOVED)).to_be_visible()
    expect(desk.get_by_role("button", name="Start the class")).to_be_visible()


def send(phone: Page, said: str, by: str) -> None:
    go = phone.locator(".go")
    expect(go).to_be_enabled()
    if by == "touch":
        go.tap()
    else:
        go.focus()
        phone.keyboard.press("Enter")
    expect(go).to_have_text(f"You said: {said}")


@pytest.mark.wide
@pytest.mark.parametrize("theme", ["light", pytest.param("dark", marks=pytest.mark.wide)])
def test_every_kind_of_answer_by_touch_and_by_keyboard_on_pages_that_are_clean_for_axe(
    open_room, open_page, server: str, theme: str
):
    projector, code = open_room("warm-up", color_scheme=theme)
    phone = open_page(f"{server}/join", color_scheme=theme, **PHONE)

    def clean(*pages: Page) -> None:
        for page in pages:
            if page.evaluate("!window.axe"):
                page.evaluate(AXE)
            assert page.evaluate(AUDIT, OPTIONS[theme]) == []
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "nothing is cut off at the side"

    clean(phone)
    phone.get_by_label("Code of the room").fill(code)
    phone.get_by_role("button", name="Join").tap()
    typed = open_page(f"{server}/join?room={code}", viewport=PHONE["viewport"])
    answers = {"cells": by_cell, "map": by_map, "word": by_word, "number": by_number, "curve": by_curve}
    for at, step in enumerate(plans.plan(plans.WARM_UP).steps):
        if at:
            press(projector, "ArrowRight")
        for page in (phone, typed, projector):
            expect(page.locator(".ask")).to_have_text(step.ask)
        clean(phone, projector)
        small = "node => Array.from(node.querySelectorAll('label, button, .box')).filter(one => one.checkVisibility()"
        assert phone.locator(".body").evaluate(f"{small} && one.getBoundingClientRect().height < 44).length") == 0
        answers[step.kind](phone, typed, step)
        expect(projector.locator(".answered")).to_have_text("2 of 2")
        show(projector)
        expect(projector.locator(".results")).to_be_visible()
        expect(phone.locator(".body .go")).to_have_count(0)
        clean(phone, projector)
        if step.kind == "map":
            expect(projector.locator(".maps figure")).to_have_count(2)
            expect(projector.locator(".maps text.many")).to_have_text("2")
            expect(projector.locator(".maps .marked")).to_have_count(2)
            expect(phone.locator(".truth")).to_contain_text(" → ")
    expect(projector.locator(".results").get_by_role("img")).to_have_count(1)
    expect(typed.locator("svg .truth")).to_be_attached()
    points = projector.locator(".truth").evaluate(
        "(path) => { const box = path.ownerSVGElement.getBoundingClientRect();"
        " return [...path.getAttribute('d').matchAll(/[ML]([0-9.]+)/g)].map((m) => box.x + m[1] / 640 * box.width); }"
    )
    words = projector.locator(".points span").evaluate_all(
        "(all) => all.map((one) => one.getBoundingClientRect()).map((box) => (box.left + box.right) / 2)"
    )
    np.testing.assert_allclose(words, points, atol=2, err_msg="each word stands below its point")


def by_cell(phone: Page, typed: Page, step: Step) -> None:
    say(phone, step, 0)
    typed.get_by_role("radio").first.focus()
    typed.keyboard.press("ArrowRight")
    send(typed, step.labels[1], "key")


def by_map(phone: Page, typed: Page, step: Step) -> None:
    """A word that is not yet written cannot be touched. Both choose the same cell."""
    n, row, column = len(step.labels), len(step.labels) - 2, 1
    hidden, seen = (phone.locator(f".map rect.{name}") for name in ("masked", "cell"))
    assert (hidden.count(), seen.count()) == (n * (n - 1) // 2, n * (n + 1) // 2)
    for rect, is_answer in ((hidden.first, False), (seen.nth(row * (row + 1) // 2 + column), True)):
        where = rect.bounding_box() or {}
        phone.touchscreen.tap(where["x"] + 5, where["y"] + 5)
        expect(phone.locator(".go")).to_be_enabled(enabled=is_answer)
    said = f"{step.labels[row]} → {step.labels[column]}"
    send(phone, said, "touch")
    for control, key in (
        (typed.get_by_text("Choose by name"), "Enter"),
        (typed.get_by_label("It asks"), "ArrowUp"),
        (typed.get_by_label("It looks at"), "ArrowDown"),
    ):
        control.focus()
        typed.keyboard.press(key)
    send(typed, said, "key")


def by_word(phone: Page, typed: Page, step: Step) -> None:
    phone.get_by_label("Find a word").fill("shawl")
    phone.locator("label", has=phone.get_by_role("radio")).first.tap()
    send(phone, "shawl", "touch")
    typed.get_by_label("Find a word").fill("shawl")
    typed.get_by_role("radio").first.focus()
    typed.keyboard.press("Space")
    send(typed, "shawl", "key")


def by_number(phone: Page, typed: Page, step: Step) -> None:
    """Half is answered by a touch, though nothing moves."""
    knob = phone.get_by_role("slider").bounding_box() or {}
    phone.touchscreen.tap(knob["x"] + knob["width"] / 2, knob["y"] + knob["height"] / 2)
    expect(phone.locator(".go")).to_have_text("I say: 50%")
    send(phone, "50%", "touch")
    typed.get_by_role("slider").focus()
    typed.keyboard.press("ArrowRight")
    send(typed, "51%", "key")


def by_curve(phone: Page, typed: Page, step: Step) -> None:
    expect(phone.locator(".go")).to_have_text("Draw a line")
    paper = phone.locator(".paper").bounding_box() or {}
    phone.touchscreen.tap(paper["x"] + paper["width"] / 2, paper["y"] + 40)
    expect(phone.locator(".under")).to_contain_text(step.labels[round((len(step.labels) - 1) / 2)])
    send(phone, "a curve", "touch")
    typed.get_by_text("Set each point").click()
    typed.get_by_role("slider").first.focus()
    typed.keyboard.press("End")
    send(typed, "a curve", "key")


@pytest.mark.wide
def test_a_teacher_rehearses_alone_on_the_very_pages_of_a_room(open_page, server: str):
    """Nothing is asked of the server's rooms, and no seat is taken."""
    asked: list[str] = []
    desk = open_page("about:blank", **LAPTOP)
    desk.on("request", lambda request: asked.append(request.url))
    desk.goto(f"{server}/classroom?class_of=heads")
    projector = desk.frame_locator(".screen iframe")
    step, after = LESSON.steps[:2]
    best = right_of(step)
    # A class that is none, and is called so, has voted. How is seen once the teacher has voted, too.
    expect(projector.locator(".tally")).to_have_text(re.compile(r"^\d+ invented answers$"))
    n = int(re.sub(r"\D", "", projector.locator(".tally").inner_text()))
    expect(projector.locator(".told").filter(visible=True)).to_have_text(step.say)  # what the question is about
    expect(projector.locator(".results")).to_have_count(0)
    waiting = projector.locator(".asked .pool")
    expect(waiting.locator("i:not(.empty)")).to_have_count(n)  # a vote each, above the words on which they will fall
    expect(waiting.locator(".empty")).to_have_count(1)  # the teacher's
    expect(projector.locator(".asked .vote")).to_have_count(len(step.labels))
    expect(projector.locator(".reveal")).to_be_hidden()  # once votes are shown, nobody votes any more
    below = desk.locator(".st-key-class-how").bounding_box() or {}
    assert below["y"] >= LAPTOP["viewport"]["height"], "nothing peeps in below the board"
    family = "node => document.fonts.load('20px \"Source Sans\"').then((faces) => faces.length)"
    assert projector.locator("body").evaluate(family) == 1, "the letters of the app"
    projector.locator(".vote").nth(best).click()
    expect(projector.locator(".tally")).to_contain_text("invented answers and yours")
    expect(projector.locator(".cells.held .dots i")).to_have_count(n + 1)
    expect(waiting).to_have_count(0)
    said = re.compile(rf"^\d+ of {n + 1} pressed “.+”\. Where does the model")
    expect(projector.locator(".finding")).to_have_text(said)
    expect(projector.locator(".results .right")).to_have_count(0)
    expect(projector.locator("li", has=projector.locator(".dots .mine")).locator(".label")).to_have_text(
        step.labels[best]
    )
    assert projector.locator(".dots .mine").evaluate(HOLLOW) > 0.3, "it is a ring, however small"
    projector.get_by_role("button", name="Show the model").click()
    expect(projector.locator(".results .right .label")).to_have_text(step.labels[best])
    expect(projector.locator(".finding")).to_contain_text(f"The model looks most at “{step.labels[best]}”")
    expect(projector.locator(".cells .dots i")).to_have_count(n + 1)
    on_a_phone_all_bars_of_the_model_have_one_scale(desk, projector)
    projector.get_by_role("button", name="Next →").press("Enter")
    expect(projector.locator(".ask")).to_have_text(after.ask)
    expect(projector.locator(".reveal")).to_be_hidden()
    projector.locator(".hand-in").get_by_role("radio").first.press("ArrowDown")  # through answers that nobody means
    expect(projector.locator(".ask")).to_have_text(after.ask)
    expect(projector.locator(".results")).to_have_count(0)
    projector.locator(".hand-in label").first.click()
    later(projector)
    expect(projector.locator(".results tr.right, .reply")).to_have_count(0)
    projector.get_by_role("button", name="Show the answer").press("Enter")
    expect(projector.locator(".results tr.right")).to_be_visible()
    desk.get_by_role("combobox", name="What the class is asked").click()
    desk.get_by_role("option", name="Warm-up").click()
    expect(projector.locator(".place")).to_have_text("Warm-up · 1 of 5")
    labels = plans.plan(plans.WARM_UP).steps[0].labels
    expect(projector.locator(".cells .label")).to_have_text(list(labels))  # and not those of the lesson before
    expect(projector.locator(".cells .query")).to_have_text(labels[-1])
    projector.locator(".vote").first.click()
    expect(projector.locator(".arcs text")).to_have_text("?")
    later(projector)
    dark = projector.get_by_role("button", name="Show the model")
    place = dark.evaluate(LEFT)
    dark.press("Enter")
    expect(projector.locator(".arcs path:not(.held)").first).to_be_attached()
    assert projector.get_by_role("button", name="Next →").evaluate(LEFT) == place, "what comes next is at one place"
    expect(projector.locator(".arcs .held")).to_have_count(0)
    later(projector)
    projector.get_by_role("button", name="Hide the model").press("Enter")
    expect(projector.locator(".arcs text")).to_have_text("?")
    expect(projector.locator(".cells .label")).to_have_text(list(labels))
    desk.locator(".st-key-class-choose button").click()
    desk.locator(".st-key-class_tested label").click()
    expect(projector.get_by_text("The questions are on the phones.")).to_be_visible()
    assert not [url for url in asked if "/rooms/" in url and not url.endswith((".css", ".js"))]


def on_a_phone_all_bars_of_the_model_have_one_scale(desk: Page, projector: FrameLocator) -> None:
    desk.set_viewport_size(PHONE["viewport"])
    bars = projector.locator(".results .share i")
    truth = LESSON.steps[0].truth
    expect(bars).to_have_count(len(truth))
    bottoms = "(bars) => bars.map((bar) => Math.round(bar.parentElement.getBoundingClientRect().bottom))"
    for _ in range(10 * SOON):
        if len(set(bars.evaluate_all(bottoms))) > 1:
            break
        desk.wait_for_timeout(100)
    else:
        pytest.fail("the words stand in one line")
    heights = np.array(bars.evaluate_all("(bars) => bars.map((bar) => bar.offsetHeight)"))
    np.testing.assert_allclose(heights, np.array(truth) * heights.sum() / sum(truth), atol=1.5)
    desk.set_viewport_size(LAPTOP["viewport"])


@pytest.mark.wide
def test_the_desk_is_clean_for_axe_and_a_class_is_begun_and_ended_by_keyboard(open_page, server: str):
    desk = open_page(f"{server}/classroom?class_of=heads", **LAPTOP)

    def clean() -> None:
        assert desk.evaluate(AUDIT, OPTIONS["light"]) == []

    projector = desk.frame_locator(".screen iframe")
    expect(projector.get_by_role("button", name="Next →")).to_be_visible()
    desk.locator(".st-key-class-choose button").press("Enter")
    desk.locator(".st-key-class_tested input").press("Space")
    expect(projector.get_by_text("The questions are on the phones.")).to_be_visible()
    desk.evaluate(AXE)
    clean()
    desk.get_by_role("button", name="Start the class").press("Enter")
    expect(desk.get_by_role("heading", name="Before and after")).to_be_visible()
    for title in ("How to measure", "The questions for Moodle"):
        desk.locator("summary", has_text=title).press("Enter")
    clean()
    with desk.context.expect_page() as opened:
        desk.get_by_role("link", name="Open the projector").press("Enter")
    expect(opened.value.locator(".place")).to_contain_text("1 of")
    phone = open_page(f"{server}/join?room={code_of(desk)}", **PHONE)
    expect(phone.locator(".place")).to_contain_text("1 of")
    end = desk.get_by_role("button", name="End the class")
    end.press("Enter")
    expect(desk.get_by_role("button", name="End it for everybody")).to_be_visible()
    desk.keyboard.press("Escape")
    expect(desk.get_by_role("button", name="End it for everybody")).to_have_count(0)
    expect(end).to_be_focused()
    end.press("Enter")
    desk.get_by_role("button", name="End it for everybody").press("Enter")
    expect(desk.get_by_role("button", name="Start the class")).to_be_visible()
    for page in (opened.value, phone):
        expect(page.get_by_role("heading", level=1)).to_have_text("The class is over.")
        expect(page.locator(".ask, footer").filter(visible=True, has_text=re.compile("."))).to_have_count(0)
    phone.reload()
    expect(phone.get_by_role("heading", level=1)).to_have_text("The class is over.")


# Two predictions, each answered by a model; a picture, a formula and a table. The picture's line is the page's own.
OWN = r"""---
title: Red hat, blue ball
minutes: 5
for: my class
---
Who goes by the colour?

## Which word comes next?

[The next word](/generation?gen_text=mia+found+a+red+hat.+tom+found+a+blue+ball.+mia+took+the+red)

Say: A model has read two short sentences, and has to go on.
Controls: gen_text
Model: next word

### Board

{picture}

| colour | thing |
|---|---|
| red | *hat* |

$$ p = \frac{e^{z}}{\sum e^{z}} $$

### Predict

Which word?

- [x] hat
  Yes, the red thing.
- [ ] ball
  That is blue.

## Where does it look?

[A head](/heads?weights=trained+on+stories&layer=2&head=0&query=16)

Say: Each row is a word that asks.
Model: attention

### Predict

Where does the last *red* look most?

- [x] hat
  Yes.
- [ ] ball
  That is blue.
"""


def made(desk: Page) -> str:
    """The lesson, with the line that /lessons makes of a picture."""
    purple = io.BytesIO()
    Image.new("RGB", (90, 30), "purple").save(purple, "PNG")
    picture = {"name": "purple.png", "mimeType": "image/png", "buffer": purple.getvalue()}
    desk.locator("summary", has_text="A picture for a board").click()
    desk.locator(".st-key-lesson_picture input").set_input_files(picture)
    line = desk.locator("[data-testid=stCode]", has_text="data:image/webp").text_content()
    assert line
    return OWN.replace("{picture}", line.strip().replace("What it shows", "A purple field"))


def own_room(desk: Page) -> Page:
    """Drop the lesson, give it a short address, and open a room on it with a test: its projector."""
    text = made(desk)
    lesson = {"name": "own.md", "mimeType": "text/markdown", "buffer": text.encode()}
    desk.locator(".st-key-lesson_file input").set_input_files(lesson)
    desk.locator(".st-key-lesson_short label").click()
    expect(desk.locator(".st-key-lesson-address img")).to_be_visible()
    desk.locator(".st-key-lesson-card-own").get_by_role("link", name="Use it in class").click()
    expect(desk.frame_locator(".screen iframe").locator(".results")).to_be_visible()
    desk.locator(".st-key-class_tested label").click()
    desk.get_by_role("button", name="Start the class").click()
    with desk.context.expect_page() as opened:
        desk.get_by_role("link", name="Open the projector").click()
    opened.value.route(VIEW, lambda route: route.fulfill(body="", content_type="text/html"))
    return opened.value


@pytest.mark.wide
def test_a_teacher_writes_a_lesson_asks_a_class_tests_it_and_takes_the_sheet_home(open_page, server: str):
    desk = open_page(f"{server}/lessons", **LAPTOP)
    projector = own_room(desk)
    phones = [open_page(f"{server}/join?room={code_of(desk)}", **PHONE) for _ in range(2)]
    idea = testing.IDEAS["weights"]
    n, n_steps = len(testing.IDEAS), 2 + 2 * len(testing.IDEAS)
    for at in range(n + 3):  # up to the first question of the test after the lesson
        expect(projector.locator(".place")).to_have_text(f"Red hat, blue ball · {at + 1} of {n_steps}")
        for phone in phones if at in (0, n, n + 1, n + 2) else []:
            expect(phone.locator(".place")).to_contain_text(f"{at + 1} of {n_steps}")
            if at == n:
                phone.get_by_label("Find a word").fill("hat")
            phone.locator("label", has=phone.get_by_role("radio")).first.tap()
            phone.get_by_role("button", name="I say:").tap()
            expect(phone.get_by_role("button", name="You said:")).to_be_visible()
            expect(phone.get_by_text("You can change it until the class goes on.")).to_have_count(int(at in (0, n + 2)))
        if at in (0, n + 2):
            expect(projector.get_by_role("heading", level=1)).to_have_text(idea)
            expect(projector.get_by_text("The questions are on the phones.")).to_be_visible()
            expect(projector.get_by_role("button", name="Show the")).to_have_count(0)  # of a test nothing is shown
            expect(projector.locator(".answered")).to_have_text("2 of 2")
            expect(projector.locator("[data-lead='next']")).to_be_visible()
        if at in (n, n + 1):
            expect(projector.locator(".answered")).to_have_text("2 of 2")
            show(projector)
            expect(projector.locator(".results .right")).to_contain_text("hat")
        if at < n + 2:
            press(projector, "ArrowRight")
    row = desk.get_by_role("row", name=idea)  # without a reload
    expect(row.get_by_role("cell").nth(1)).to_have_text("2")
    with desk.expect_download() as taken:
        desk.get_by_role("button", name="CSV").click()
    first = next(csv.DictReader(io.StringIO(taken.value.path().read_text("utf-8-sig"))))
    assert (first["idea"], first["students"]) == (idea, "2")
    desk.emulate_media(media="print")
    expect(row).to_be_visible()
    expect(desk.locator(".class-code")).to_be_hidden()
