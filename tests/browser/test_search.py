"""The words of the glossary wherever they stand, and the search in the top bar: in the browser alone."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.test_look import AUDIT, AXE, OPTIONS
from tests.browser.view import View

# The middle of the first underlined word that is in sight, and which it is.
WORD = """() => [...CSS.highlights.get('lab-words')].map((range) => [range.toString(), range.getBoundingClientRect()])
    .filter(([, box]) => box.width && box.top > 46 && box.bottom < innerHeight)
    .map(([word, box]) => [word, box.x + box.width / 2, box.y + box.height / 2])[0]"""
# Streamlit's own elements are as it made them: no text was cut in pieces for the sake of an underline.
WHOLE = """() => [...document.querySelectorAll('[data-testid=stMain] p')].every((p) => {
    const joined = p.cloneNode(true);
    joined.normalize();
    return joined.childNodes.length === p.childNodes.length;
})"""


def opened(visit, path: str, **more) -> View:
    view = visit(path, painted=False, **more)
    expect(view.page.get_by_test_id("stMain").get_by_role("heading", level=1)).to_be_visible()
    view.page.locator("[data-testid=stApp][data-test-script-state=notRunning]").wait_for()
    view.page.locator(".search .card[data-words]").wait_for(state="attached")
    return view


@pytest.mark.wide
def test_a_word_in_prose_opens_its_card_and_the_page_stays_as_it_is(visit):
    view = opened(visit, "/heads")
    page = view.page
    page.wait_for_function(f"() => ({WORD})()")
    view.wait(600)  # the tools of the frame have said what they had to
    page.locator("[data-testid=stApp][data-test-script-state=notRunning]").wait_for()
    sent = len(view.sent)
    word, x, y = page.evaluate(WORD)
    card = page.locator(".search .card")
    page.mouse.move(x, y + 200)
    page.mouse.move(x, y)
    expect(card).to_be_visible()
    assert word.lower().startswith(card.locator(".name").inner_text().lower())
    expect(card.get_by_text("In papers and code")).to_be_visible()
    expect(card.locator("svg")).to_be_visible()
    page.keyboard.press("Escape")
    expect(card).to_be_hidden()
    # The same without a mouse: the words of this page are the first that the search offers.
    page.keyboard.press("/")
    page.keyboard.press("ArrowDown")
    chosen = page.locator("[role=option][aria-selected=true]").inner_text()
    page.keyboard.press("Enter")
    expect(card).to_be_focused()
    expect(card.locator(".name")).to_have_text(chosen)
    page.keyboard.press("Escape")
    expect(card).to_be_hidden()
    assert page.evaluate(WHOLE)
    assert len(view.sent) == sent


def test_the_search_finds_a_word_by_another_name_and_opens_it_by_link(visit):
    page = opened(visit, "/why").page
    page.keyboard.press("/")
    field = page.get_by_role("combobox", name="Search pages, views, lessons and words")
    expect(field).to_be_focused()
    page.keyboard.type("/ nhead")  # in the field, the key is a letter
    expect(field).to_have_value("/ nhead")
    field.fill("nhead")
    expect(page.locator("[role=option][aria-selected=true] .name")).to_have_text("head")
    page.evaluate(AXE)
    assert page.evaluate(AUDIT, OPTIONS["light"]) == []
    page.keyboard.press("Enter")
    page.wait_for_url("**/words?word=head")
    named = page.locator(".word-list article")
    expect(named.get_by_role("heading")).to_have_text("head")
    expect(named).to_be_in_viewport()
    page.go_back()
    expect(page.get_by_role("heading", level=1, name="Why look at everything at once?")).to_be_visible()


@pytest.mark.wide
def test_the_page_of_words_filters_and_names_a_word_in_its_link(visit):
    page = opened(visit, "/words?word=Xyz+none", viewport={"width": 390, "height": 844}).page
    field = page.get_by_role("searchbox", name="Filter the words")
    expect(field).to_have_value("Xyz none")
    expect(page.get_by_text("No word fits.")).to_be_visible()
    field.fill("hidden_size")
    word, names = page.locator(".word-list article"), page.get_by_role("option")
    expect(names.locator("span").locator("visible=true")).to_have_text(["d_model"])
    expect(word.get_by_role("heading")).to_have_text("d_model")
    field.press("Escape")
    expect(names.locator("visible=true")).to_have_count(0)
    word.get_by_role("link", name="layer").click()
    expect(word.get_by_role("heading")).to_have_text("layer")
    page.wait_for_url("**/words?word=layer")
    expect(word).to_be_focused()
    expect(page.get_by_role("button", name=re.compile(r"^\d+ words"))).to_have_attribute("aria-expanded", "false")


def test_a_word_is_shown_large_and_arrow_keys_go_through_all(visit):
    page = opened(visit, "/words").page
    word, names = page.locator(".word-list article"), page.get_by_role("group", name="All words")
    expect(word.get_by_role("heading")).to_have_text("attention weight")
    picture = word.locator(".picture svg").bounding_box()
    assert picture
    assert picture["width"] > 440  # twice as large as it is drawn
    expect(word).to_contain_text("In papers and code: attn_weights")
    expect(names).to_be_hidden()
    index = page.get_by_role("button", name=re.compile(r"^\d+ words"))
    index.click()
    expect(names.locator("svg")).to_have_count(78)
    word.focus()  # as the Tab key does behind the last name
    expect(names).to_be_hidden()
    index.click()
    page.get_by_role("heading", level=1).click()
    expect(names).to_be_hidden()
    index.click()
    expect(names.locator('[tabindex="0"]')).to_have_count(1)
    names.get_by_role("option", name="attention weight").press("ArrowDown")
    expect(word.get_by_role("heading")).to_have_text("head")
    expect(names.get_by_role("option", name="head", exact=True)).to_be_focused()
    page.wait_for_url("**/words?word=head")
    names.get_by_role("option", name="token", exact=True).click()
    expect(word).to_contain_text("One piece of a text")
    expect(word).to_be_focused()
    expect(names).to_be_hidden()
    index.click()
    names.get_by_role("option", name="head", exact=True).click()
    page.wait_for_url("**/words?word=head")
    page.get_by_role("searchbox", name="Filter the words").fill("wordpiece")
    expect(word.get_by_role("heading")).to_have_text("token")
    page.wait_for_url("**/words?word=token")  # what is on show, not what was chosen before
    box = page.get_by_role("searchbox", name="Filter the words")
    box.press_sequentially(" xyz")  # nothing fits: what was shown before is shown again
    expect(word.get_by_role("heading")).to_have_text("head")
    box.fill("why does it answer differently")  # no name, but what a word is asked for
    expect(word.get_by_role("heading")).to_have_text("sampling")
    page.wait_for_url("**/words?word=sampling")
    box.press("Enter")
    expect(names).to_be_hidden()
    hand, *bars = (shape.bounding_box() for shape in (word.locator(".hand"), *word.locator("rect.bar").all()))
    assert hand
    assert all(bar and bar["width"] < hand["width"] / 5 for bar in bars), "side by side"
    for heading in ("token", "head"):  # the words that were pressed before
        page.go_back()
        expect(word.get_by_role("heading")).to_have_text(heading)


@pytest.mark.wide
def test_a_weight_that_is_dragged_over_changes_the_word_that_is_written(visit):
    page = opened(visit, "/words").page
    hand = page.locator(".word-list .hand")
    expect(hand.locator(".written")).to_have_text("hat")
    knob, ball = hand.evaluate(
        """(hand) => [hand.querySelector('.knob'), [...hand.querySelectorAll('.key')].at(-1)].map((node) => {
            const { x, y, width, height } = node.getBoundingClientRect();
            return [x + width / 2, y + height / 2];
        })"""
    )
    page.mouse.move(*knob)
    page.mouse.down()
    page.mouse.move(ball[0], knob[1], steps=6)
    expect(hand.locator(".written")).to_have_text("ball")  # while it is held
    expect(hand.locator("text.weight")).to_have_text(["0.00", "1.00"])
    page.mouse.up()
    for _ in range(20):
        hand.press("ArrowLeft")
    expect(hand.locator(".written")).to_have_text("hat")
    page.get_by_role("button", name=re.compile(r"^\d+ words")).click()
    page.get_by_role("option", name="softmax").click()
    expect(hand.locator(".big")).to_have_text(re.compile(r"^0\.72 \+ .* = 1$"))
    hand.press("ArrowUp")
    expect(hand.locator(".big")).not_to_have_text(re.compile(r"^0\.72 "))


@pytest.mark.wide
def test_a_word_is_read_once(visit):
    """Its name and its sentence are live; where a key moves the focus along the names, that is read, and no more."""
    page = opened(visit, "/words").page
    word, names = page.locator(".word-list article"), page.get_by_role("group", name="All words")
    live = page.locator(".word-list [aria-live=polite]")
    index = page.get_by_role("button", name=re.compile(r"^\d+ words"))
    index.click()
    names.get_by_role("option", name="token", exact=True).click()
    expect(live).to_have_count(1)
    expect(page.locator(".word-list [aria-live=polite] :is(h2, .sentence)")).to_have_count(2)
    expect(live).not_to_contain_text("In papers and code")
    index.click()
    names.get_by_role("option", name="token", exact=True).press("ArrowDown")
    expect(word.get_by_role("heading")).not_to_have_text("token")
    expect(live).to_have_count(0)
