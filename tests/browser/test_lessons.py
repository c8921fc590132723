"""A lesson in a browser: by keyboard from stop to stop, off the path and back, and on a phone."""

import io
import re

import pytest
from PIL import Image
from playwright.sync_api import Page, expect

from lab.kit.lessons import shelf
from lab.kit.lessons.shelf import Place
from lab.kit.texts.questions import Question
from tests.browser.test_look import AUDIT, AXE, HIGHEST_ON_A_PHONE, OPTIONS, PHONE, TOP, WIDE, to_phone

FIRST, SECOND, THIRD, FOURTH = (Place("attention", n) for n in range(1, 5))


def answer(page: Page, question: Question | None) -> None:
    """Press the digit of the right option, once the options of this very question are there."""
    assert question
    assert question.answer
    options = page.locator('[class*="st-key-lesson-options-"] button')
    expect(options).to_have_text([option.text for option in question.shuffled])  # not those before, which linger
    page.keyboard.press(str(1 + question.shuffled.index(question.answer)))


def at_rest(page: Page) -> None:
    page.locator("[data-testid=stApp][data-test-script-state=notRunning]").wait_for()


# Both words, and the middle of either pin and of a word of the strip that neither stands on.
SEEN = """root => {
  const boxes = [...root.querySelectorAll(".pin"), root.querySelector(".strip span:not(.on)")];
  const middles = boxes.map(box => box.getBoundingClientRect()).map(box => [box.x + box.width / 2, box.y + 10]);
  const words = [...root.querySelectorAll(".cards b")].map(word => word.textContent);
  return [words, ...middles, boxes[2].textContent];
}"""
LOWEST_OF_FILM = "list => Math.max(...[...list.querySelectorAll('a')].map(a => a.getBoundingClientRect().bottom))"


def test_the_first_stop_is_played_on_the_list_and_its_film_marks_the_stops_that_were_seen(visit, server: str):
    page = visit("/lessons", painted=False, reduced_motion="reduce").page
    root, film = page.locator(".two-pins"), page.locator(".lesson-film")
    says, onward = root.get_by_role("status"), root.get_by_role("link", name="Stop 2")
    assert FIRST.stop.predict
    expect(says).to_have_text(FIRST.stop.predict.text)
    expect(onward).to_be_hidden()
    stops, seen = film.locator("a"), film.locator(".seen")
    expect(stops).to_have_count(len(FIRST.lesson.stops))
    expect(seen).to_have_count(0)
    for width, height in ((1280, 720), (2560, 1440)):
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_function(
            f"height => ({LOWEST_OF_FILM})(document.querySelector('.lesson-film')) <= height", arg=height
        )
        assert root.evaluate("root => root.getBoundingClientRect().height") > height / 2
    page.set_viewport_size({"width": 1280, "height": 720})
    (written, asked), *_ = root.evaluate(SEEN)
    assert written not in ("?", "…"), "the first has been written before one is asked"
    assert asked == "?"
    expect(root.locator(".pin").first).to_be_hidden()  # what a hand can move comes with the answer
    root.locator(".cards p").first.click()
    expect(says).to_have_text(FIRST.stop.predict.text)
    expect(onward).to_be_hidden()
    root.get_by_role("button", name="Not always").click()
    expect(onward).to_be_visible()
    expect(root.locator("[data-is=right]")).to_have_text("Not always: the word is drawn at random")
    (one, other), pin, _, free, word = root.evaluate(SEEN)
    assert one == written
    told = (
        "Chance decides." if "…" in (one, other) else f"“{one}” twice" if one == other else f"“{one}”, then “{other}”"
    )
    expect(says).to_contain_text(told)
    page.mouse.move(*pin)
    page.mouse.down()
    page.mouse.move(pin[0] + 1, pin[1] + 30, steps=4)
    page.mouse.up()
    assert root.evaluate(SEEN)[0] == [one, other], "a finger that scrolls moves none"
    page.mouse.move(*pin)
    page.mouse.down()
    page.mouse.move(*free, steps=4)
    assert root.evaluate(SEEN)[0] == [word, other], "the word follows the hand, and the other one stays"
    page.mouse.up()
    expect(says).to_contain_text("your hand is the random number")
    root.get_by_role("slider").nth(1).press("Home")
    assert root.evaluate(SEEN)[0] == [word, "red"]
    for number in (4, 2):  # a stop further on, then one before it
        stops.nth(number - 1).click()
        expect(page.locator(".st-key-lesson-bar")).to_contain_text(f"Stop {number} of")
        page.go_back()
        expect(page.get_by_role("link", name=f"Continue at stop {number}")).to_be_visible()
    expect(seen.locator(".number")).to_have_text(["2", "4"])  # not 3, where nobody was
    page.evaluate("history.replaceState({}, '', '?att_head=0&lesson=attention&stop=4')")  # as a run that was left does
    at_rest(page)
    expect(page).not_to_have_url(re.compile("stop="))
    page.goto(f"{server}/lessons?finished=attention")
    expect(page.locator(".st-key-lesson-finished")).to_be_visible()
    page.wait_for_function("() => JSON.parse(localStorage.getItem('attention-lab-lessons')).attention.at === 0")
    expect(seen.locator(".number")).to_have_text(["2", "4"])
    page.goto(f"{server}/lessons")
    expect(seen.locator(".number")).to_have_text(["2", "4"])
    expect(page.locator("a[data-continue=attention]")).to_be_hidden()


def test_a_lesson_is_walked_by_keyboard(visit, server: str):
    page = visit("/lessons", painted=False, reduced_motion="reduce").page
    assert FIRST.stop.predict
    assert FIRST.stop.predict.answer
    page.evaluate(AXE)
    assert page.evaluate(AUDIT, OPTIONS["light"]) == []
    page.locator(".two-pins").get_by_role("button", name=FIRST.stop.predict.answer.text).press("Enter")
    page.locator(".two-pins").get_by_role("link", name="Stop 2").press("Enter")
    bar = page.locator(".st-key-lesson-bar")
    expect(bar).to_contain_text("Stop 2 of")
    at_rest(page)
    page.keyboard.press("ArrowLeft")
    expect(bar).to_contain_text("Stop 1 of")
    view = page.locator(".st-key-lesson-view .next-word")
    guessed = f"You guessed: {FIRST.stop.predict.answer.text}"
    expect(bar).to_contain_text(guessed)
    expect(view).to_be_visible()
    assert "guess=" not in page.url
    expect(page.locator(".st-key-gen_text")).to_be_visible()
    expect(page.locator(".st-key-gen_model")).not_to_be_visible()
    words = page.locator('[class*="st-key-words-"]')
    expect(words).to_be_visible()
    box = page.locator(".st-key-gen_text input")
    box.press("ArrowRight")
    expect(bar).to_contain_text(guessed)  # in a text, arrows move in the text
    box.fill("eva found a red ball.")
    box.press("Enter")
    expect(view).to_contain_text("eva")
    page.locator(".st-key-lesson-heading h1").click()
    page.keyboard.press("ArrowRight")
    expect(bar).to_contain_text("Stop 2 of")
    expect(page).to_have_url(server + SECOND.address[1:].replace("weights=trained+on+stories&", ""))  # the usual model
    waiting = page.locator(".st-key-lesson-view .attention-view").first
    expect(waiting).to_be_attached()
    expect(waiting).not_to_be_visible()
    page.keyboard.press("ArrowRight")  # waits for the guess
    page.locator("[data-testid=stMain]").focus()
    ring = "getComputedStyle(document.querySelector('[data-testid=stMain]'), '::before').content"
    assert page.evaluate(ring) == "none", "no frame around the page"
    answer(page, SECOND.stop.predict)
    expect(bar).to_contain_text("You guessed: hat")
    expect(page.locator(".st-key-lesson-view .attention-view").first).to_be_visible()
    expect(words).not_to_be_visible()  # its box is no control of this stop
    page.keyboard.press("ArrowRight")
    answer(page, SECOND.stop.question)
    expect(bar.locator("[data-answer=right]")).to_be_visible()
    page.get_by_role("button", name="Explore freely").click()
    expect(bar).to_contain_text("Back to the story")
    expect(page.get_by_role("heading", level=1)).to_have_text(["Where does each word look?"])
    page.goto(f"{server}/lessons")
    again = page.get_by_role("link", name="Continue at stop 2")
    expect(again).to_be_visible()
    again.click()
    expect(bar).to_contain_text("Stop 2 of")
    page.locator("[data-testid=stApp][data-test-script-state=notRunning]").wait_for(state="attached")
    page.keyboard.press("ArrowLeft")  # not while the page is still being led to: that would lead elsewhere
    expect(bar).to_contain_text("Stop 1 of")


@pytest.mark.wide
def test_a_stop_keeps_its_settings_from_page_to_page(visit, server: str):
    """Both pages have a model, a sentence and a state, and each stop has its own. On the way, axe looks at the bar."""
    page = visit(THIRD.address[1:], painted=False, reduced_motion="reduce").page
    at_rest(page)
    page.evaluate(AXE)
    for scheme, options in OPTIONS.items():
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        expect(page.get_by_test_id("stApp")).to_have_css("color-scheme", scheme)
        assert page.evaluate(AUDIT, options) == []
    answer(page, THIRD.stop.predict)
    expect(page.locator(".st-key-lesson-view .word-map")).to_be_visible()
    page.keyboard.press("ArrowRight")
    bar = page.locator(".st-key-lesson-bar")
    expect(bar).to_contain_text("Stop 4 of")
    answer(page, FOURTH.stop.predict)
    expect(bar).to_contain_text("You guessed")
    page.keyboard.press("ArrowRight")
    answer(page, FOURTH.stop.question)
    expect(bar.locator("[data-answer=right]")).to_be_visible()
    page.keyboard.press("ArrowRight")
    expect(bar).to_contain_text("Stop 5 of")
    steps = page.locator(".st-key-lesson-view .attention-steps")
    expect(steps).to_contain_text("tooktheredhat")  # the sentence of the stop; the page's own ends before its last word
    assert page.evaluate(AUDIT, OPTIONS["dark"]) == []


# What stands lowest of that to which a stop of the first lesson points.
LOWEST = {
    4: ".st-key-state",
    5: ".attention-steps .one-row .chart + *",
    8: ".shuffler .cells >> nth=-1",
    9: ".mask-brush [role=rowheader][title=red] >> visible=true >> nth=1",  # the last row of the first map
    10: ".stream-way >> text=/^embedding$/",
}
BETWEEN = """(node) => {
  const { top, bottom, height } = node.getBoundingClientRect();
  const bar = document.querySelector(".st-key-lesson-bar").getBoundingClientRect();
  const isMeasured = document.documentElement.style.getPropertyValue("--below") !== ""; // how much the bar covers
  return isMeasured && height > 0 && top >= 48 && bottom <= bar.top;
}"""
COVERED = "document.documentElement.style.getPropertyValue('--below')"


@pytest.mark.wide
def test_what_a_stop_points_to_stands_above_the_bar_at_first_and_while_it_asks_its_question(visit, server: str):
    page = visit(None, painted=False, reduced_motion="reduce", viewport={"width": 1280, "height": 720}).page
    for number, looked_at in LOWEST.items():
        page.goto(server + Place("attention", number).guessed(0)[1:])
        lowest = page.locator(f".st-key-lesson-view {looked_at}")
        expect(lowest).to_be_visible()
        page.wait_for_function(BETWEEN, arg=lowest.element_handle())
        if Place("attention", number).stop.question:  # the bar is then less high, and the figure keeps its size
            covered = page.evaluate(COVERED)
            page.locator(".st-key-lesson-next button").click()
            expect(page.locator(".st-key-lesson-options-answer")).to_be_visible()
            assert page.evaluate(COVERED) == covered


HANDLED = [
    Place(code, number)
    for code in shelf.ORDER
    for number, stop in enumerate(shelf.lesson(code).stops, 1)
    if stop.controls
]


@pytest.mark.few(3)
@pytest.mark.parametrize("place", HANDLED, ids=lambda place: f"{place.code}-{place.number}")
def test_what_a_stop_tells_its_reader_to_move_can_be_moved(visit, server: str, place: Place):
    page = visit(None, painted=False, reduced_motion="reduce").page
    page.goto(server + place.guessed(0)[1:])
    expect(page.locator(".lesson-do")).to_be_visible()
    at_rest(page)
    for name in place.stop.controls:
        if name.startswith("line-"):
            page.locator(f".st-key-{name} button").first.click()
    for name in place.stop.controls:
        expect(page.locator(f".st-key-{name}").first).to_be_visible()


@pytest.mark.wide
def test_a_reload_keeps_what_was_answered_and_the_end_counts_that_alone(visit, server: str):
    last = Place("attention", len(FIRST.lesson.stops))
    page = visit(last.address[1:], painted=False, reduced_motion="reduce").page
    at_rest(page)
    expect(page.locator(".st-key-lesson-predict")).to_be_visible()
    page.wait_for_function(  # while the guess is asked, the page ends with it: no key leads to an empty one
        "() => { const { scrollHeight, clientHeight } = document.querySelector('[data-testid=stMain]');"
        " return scrollHeight <= clientHeight; }"
    )
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")  # "Skip to the figure": while the guess is asked there is none
    main = page.get_by_test_id("stMain")
    expect(main).to_be_focused()
    assert main.evaluate("(main) => getComputedStyle(main, '::before').content") != "none", "its ring is seen"
    answer(page, last.stop.predict)
    assert last.stop.predict
    assert last.stop.predict.answer
    guessed = page.get_by_text(f"You guessed: {last.stop.predict.answer.text}")
    expect(guessed).to_be_visible()
    page.reload()
    expect(guessed).to_be_visible()
    expect(page).not_to_have_url(re.compile("told="))
    page.goto(server + last.address[1:])  # as one comes back, or somebody else comes
    expect(guessed).to_be_visible()
    expect(page.locator(".lesson-anew")).to_be_visible()
    page.locator(".st-key-lesson-next button").click()
    answer(page, last.stop.question)
    page.get_by_role("link", name="Finish").click()
    score = page.locator(".st-key-lesson-finished")
    left = FIRST.lesson.n_questions - 2
    expect(score).to_contain_text(f"2 of 2 right at the first try, {left} at stops that you have not been to (○). ")
    page.reload()
    expect(score).to_contain_text("2 of 2 right at the first try")
    page.goto(server + FIRST.address[1:])
    expect(page.locator(".st-key-lesson-predict")).to_be_visible()
    page.goto(f"{server}/lessons?finished=attention")  # begun anew, at its first stop: nothing is answered yet
    expect(score).to_be_visible()
    expect(score).not_to_contain_text("right at the first try")


@pytest.mark.wide
def test_who_explores_from_the_first_stop_comes_back_to_the_story_as_it_was_left(visit, server: str):
    page = visit(SECOND.address[1:], painted=False, reduced_motion="reduce").page
    bar = page.locator(".st-key-lesson-bar")
    seen = "JSON.parse(localStorage['attention-lab-lessons']).attention.seen"
    at_rest(page)
    bar.get_by_role("link", name="Back").click()
    expect(page.locator(".st-key-lesson-predict")).to_be_visible()
    at_rest(page)

    def explore_and_return() -> None:
        page.get_by_role("button", name="Explore freely").click()
        back = page.get_by_role("link", name="Back to the story")
        expect(back).to_be_visible()
        at_rest(page)
        back.click()
        expect(page.locator(".st-key-lesson-explore")).to_be_visible()
        at_rest(page)
        assert page.evaluate(seen) == [1, 2]

    explore_and_return()  # nothing is answered yet
    answer(page, FIRST.stop.predict)
    guessed = bar.get_by_text("You guessed")
    expect(guessed).to_be_visible()
    at_rest(page)
    explore_and_return()
    expect(guessed).to_be_visible()


def test_whoever_sits_down_after_somebody_else_begins_without_their_answers(visit, server: str):
    place = Place("attention", len(FIRST.lesson.stops))
    page = visit(place.address[1:], painted=False, reduced_motion="reduce").page
    at_rest(page)
    answer(page, place.stop.predict)
    expect(page.locator(".lesson-guess")).to_be_visible()
    page.goto(server + place.address[1:])  # from paper, say
    anew, asked = page.locator(".lesson-anew"), page.locator(".st-key-lesson-predict")
    expect(anew).to_be_visible()
    expect(asked).to_have_count(0)
    anew.press("Enter")
    expect(asked).to_be_visible()
    expect(anew).to_have_count(0)
    expect(page.locator(".st-key-lesson-heading h1")).to_be_focused()
    at_rest(page)
    page.reload()
    expect(asked).to_be_visible()
    at_rest(page)
    expect(anew).to_have_count(0)
    expect(page).not_to_have_url(re.compile("told="))


@pytest.mark.wide
def test_a_lesson_on_a_phone(visit, server: str):
    page = visit(FIRST.address[1:], painted=False, reduced_motion="reduce", viewport=PHONE).page
    at_rest(page)
    answer(page, FIRST.stop.predict)
    bar = page.locator(".st-key-lesson-bar")
    expect(bar).to_contain_text("You guessed")
    page.wait_for_function(f"() => ({TOP})() > 0")
    to_phone(page)
    height = (bar.bounding_box() or {})["height"]
    assert height <= 0.33 * PHONE["height"]
    assert page.evaluate(WIDE) <= 1
    assert page.evaluate(TOP) <= HIGHEST_ON_A_PHONE


MINE = """---
title: Two words
minutes: 4
for: my class
---
A head, and where it looks.

## Where it looks

[All heads](/heads?layer=2)

Say: Each row is a word that asks.
Do: Choose a cell.
Controls: text
Teacher: Let them tell each other what they see before you say a word.

### Question

What is a row?

- [x] A word that asks
  Yes, a query.
- [ ] A layer
  A layer has many rows.
"""


@pytest.mark.wide
def test_a_board_stands_above_the_guess_and_above_the_view(visit, tmp_path):
    made = io.BytesIO()
    Image.new("RGB", (900, 300), "purple").save(made, "PNG")
    page = visit("/lessons", painted=False, reduced_motion="reduce").page
    page.locator("summary", has_text="A picture for a board").click()
    page.locator(".st-key-lesson_picture input").set_input_files(
        {"name": "purple.png", "mimeType": "image/png", "buffer": made.getvalue()}
    )
    line = page.locator("[data-testid=stCode]", has_text="data:image/webp").text_content()
    assert line
    shows = "A purple field"
    written = ["| a | b |\n|---|---|\n| 1 | *2* |", r"$$ \frac{a}{b} $$", line.strip().replace("What it shows", shows)]
    lesson = (
        "---\ntitle: T\nminutes: 1\nfor: a test\n---\n\n## A\n\n[A view](/heads)\n\nSay: Look.\n\n### Board\n\n"
        + "\n\n".join(written)
        + "\n\n### Predict\n\nWhat?\n"
    )
    file = tmp_path / "board.md"
    file.write_text(lesson)
    page.locator(".st-key-lesson_file input").set_input_files(file)
    page.locator(".st-key-lesson_short label").click()
    page.locator(".st-key-lesson-card-own .lesson-begin").click()
    board = page.locator(".st-key-lesson-board")
    things = [board.get_by_role("cell", name="2"), board.locator(".katex"), board.get_by_role("img", name=shows)]
    for thing in things:
        expect(thing).to_be_visible()
    assert things[-1].evaluate("image => [image.naturalWidth, image.naturalHeight]") == [640, 213]
    page.get_by_text("I have no idea: show me").click()
    expect(page.locator(".st-key-lesson-view .attention-view").first).to_be_visible()
    for thing in things:
        expect(thing).to_be_visible()


@pytest.mark.wide
def test_a_lesson_of_ones_own_gets_a_short_address_that_another_browser_opens(visit, tmp_path):
    page = visit("/lessons", painted=False).page
    slip, file = tmp_path / "slip.md", tmp_path / "mine.md"
    slip.write_text(MINE.replace("?layer=2", "?laier=2"), encoding="utf-8")
    file.write_text(MINE, encoding="utf-8")
    chooser = page.locator(".st-key-lesson_file input")
    chooser.set_input_files(slip)
    expect(page.get_by_text("Line 10: /heads has no setting “laier”. Perhaps “layer”?")).to_be_visible()
    chooser.set_input_files(file)
    page.get_by_text("A short address, for 1 day").click()
    expect(page.locator(".st-key-lesson-address img")).to_be_visible()
    link = page.locator(".st-key-lesson-address a")
    expect(link).to_have_attribute("href", re.compile(r"/lessons\?lesson=\.[A-Z]{8}$"))
    expect(page.get_by_text("Phones cannot open this address")).to_be_visible()  # as it is this computer's own
    phone = visit(None, viewport={"width": 390, "height": 844}).page
    phone.goto(link.get_attribute("href"))
    # Of this very lesson: the cards above it are drawn first.
    phone.locator(".st-key-lesson-card-linked").get_by_role("link", name="Start").click()
    expect(phone.get_by_text("Stop 1 of 1")).to_be_visible()
    expect(phone.get_by_text("Each row is a word that asks.")).to_be_visible()
    expect(phone).to_have_url(re.compile(r"lesson=\.[A-Z]{8}&"))
