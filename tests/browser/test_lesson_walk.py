"""Lessons walked from stop to stop: what is set at one stop does not follow to the next, and each word that a stop has
its reader press is there."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from lab.kit.lessons import shelf
from lab.kit.lessons.shelf import Place
from lab.kit.texts.inline import plain
from tests.browser.test_lessons import at_rest

MOST = 4  # controls of a kind that are turned at a stop
# All that is chosen on a page, with what it is called, as its reader sees it; in components, too.
SEEN = """() => {
  const seen = [];
  const read = (node) => {
    for (const one of node.querySelectorAll('*')) {
      if (one.shadowRoot) read(one.shadowRoot);
      const name = one.getAttribute('aria-label') ?? one.textContent.trim();
      for (const state of ['aria-checked', 'aria-pressed', 'aria-valuenow'])
        if (one.hasAttribute(state)) seen.push(`${name} ${state} ${one.getAttribute(state)}`);
      if (one.matches('input')) seen.push(`${name} is ${one.type === 'checkbox' ? one.checked : one.value}`);
      if (one.matches('h2, .finding, .lead')) seen.push(one.textContent.trim());
    }
  };
  read(document.querySelector('.st-key-lesson-view'));
  return seen;
}"""
# The lesson hides most controls; here all can be turned.
UNHIDE = """() => {
  for (const sheet of document.querySelectorAll('style'))
    if (sheet.textContent.includes('.st-key-lesson-view :is(')) sheet.media = 'not all';
}"""


def settled(page: Page) -> list[str]:
    """What is chosen at a stop, once it has stayed the same for a while."""
    expect(page.locator("[data-lesson-go]")).to_have_count(0)
    expect(page.locator(".st-key-lesson-view h1")).to_have_count(1)  # the page is drawn, though its heading is hidden
    before, seen = None, page.evaluate(SEEN)
    while seen != before:
        page.wait_for_timeout(700)
        at_rest(page)
        before, seen = seen, page.evaluate(SEEN)
    return seen


def each(page: Page, within: Locator, what: str, turn) -> None:
    """Turn each control of a kind that can be seen; the page runs after each."""
    for n in range(min(MOST, within.locator(what).count())):
        one = within.locator(what).nth(n)
        if one.is_visible():
            turn(one)
            page.wait_for_timeout(150)
            at_rest(page)


def turn_all(page: Page, within: Locator) -> None:
    each(page, within, "[data-testid=stCheckbox] label", lambda one: one.click())
    each(page, within, "[data-testid=stSlider] [role=slider]", turn_slider)
    each(page, within, "[data-testid=stSelectbox] input", lambda one: choose_other(page, one))
    each(page, within, "[data-testid=stButtonGroup]", choose_beside)


def turn_slider(one: Locator) -> None:
    one.press("ArrowLeft" if one.get_attribute("aria-valuenow") == one.get_attribute("aria-valuemax") else "ArrowRight")


def choose_other(page: Page, one: Locator) -> None:
    one.click()
    others = page.locator("[role=listbox] [role=option][aria-selected=false]")
    others.last.click() if others.count() else one.press("Escape")


def choose_beside(one: Locator) -> None:
    """A control that chooses the view would lead to another; those that are left in it are turned before."""
    others = one.locator("button[aria-checked=false]")
    if others.count():
        others.last.click()


def go_on(page: Page, following: Place) -> None:
    """By Next, to the stop that follows; there the view is opened, and with that the page runs once more."""
    bar = page.locator(".st-key-lesson-bar")
    asks = page.locator(".st-key-lesson-next button")
    if asks.count():
        asks.evaluate("(button) => button.click()")  # whatever was opened may lie over it
    page.locator("a.lesson-next").evaluate("(link) => link.click()")
    expect(bar).to_contain_text(f"Stop {following.number} of")
    if following.stop.predict:
        page.get_by_text("I have no idea: show me").click()
        expect(page.locator(".st-key-lesson-predict")).to_have_count(0)


@pytest.mark.wide  # minutes per lesson; tests/pages/lessons/test_from_stop_to_stop.py has its cause
@pytest.mark.parametrize("code", shelf.ORDER)
def test_whatever_was_turned_at_a_stop_the_next_opens_as_its_link_does(visit, server: str, code: str) -> None:
    page = visit(None, painted=False, reduced_motion="reduce").page
    walked: dict[int, list[str]] = {}
    for number in range(1, len(shelf.lesson(code).stops) + 1):
        place = Place(code, number)
        page.goto(server + place.guessed(0)[1:])
        expect(page.locator(".lesson-say")).to_be_visible()
        at_rest(page)
        opened = settled(page)
        if number in walked:
            assert walked[number] == opened, place
        following = place.beside(1)
        if following is None:
            return
        page.evaluate(UNHIDE)
        view = page.locator(".st-key-lesson-view")
        each(page, view, "[data-testid=stPopover] button", lambda one: turn_behind(page, one))
        turn_all(page, view)
        go_on(page, following)
        walked[following.number] = settled(page)


def turn_behind(page: Page, button: Locator) -> None:
    """What a chip opens."""
    button.click()
    body = page.locator("[data-testid=stPopoverBody]")
    expect(body).to_be_visible()
    turn_all(page, body)
    page.keyboard.press("Escape")


NAMED = re.compile(r"(?<![*\w])\*{1,2}([^*]+)\*{1,2}(?![*\w])")
# Which of these words are not there, in the view or in what its chips have opened.
MISSING = """(named) => {
  let words = '';
  const read = (node) => {
    if (node.nodeType === Node.TEXT_NODE) words += node.textContent;
    if (node.nodeType === Node.ELEMENT_NODE) {
      if (node.matches('style, script') || getComputedStyle(node).display === 'none') return;
      words += ` ${node.getAttribute('aria-label') ?? ''} ${node.value ?? ''} `;
    }
    for (const one of [...(node.shadowRoot?.childNodes ?? []), ...node.childNodes]) read(one);
    words += ' ';
  };
  for (const part of document.querySelectorAll('.st-key-lesson-view, [data-testid=stPopoverBody]')) read(part);
  const plain = (text) => text.toLowerCase().replace(/\\s+/g, ' ');
  return named.filter((name) => !plain(words).includes(plain(name)));
}"""
PLACES = [Place(code, n) for code in shelf.ORDER for n, stop in enumerate(shelf.lesson(code).stops, 1) if stop.do]
# Named by their stops and not to be read there at first: what the reader is to bring about, an option of a list that is
# closed, and a sentence that a control stands in the middle of.
COMES = {
    ("attention", 8): {"Add positions"},
    ("heads", 5): {"too wide"},
    ("positions", 1): {"Add positions"},
    ("translator", 1): {"mia a trouvé un chapeau rouge"},
    ("translator", 5): {"In the memory before the change, the vector of little is that from after it"},
}


@pytest.mark.few(2)
@pytest.mark.parametrize("place", PLACES, ids=lambda place: f"{place.code}-{place.number}")
def test_what_a_stop_names_is_on_its_page(visit, server: str, place: Place) -> None:
    page = visit(None, painted=False, reduced_motion="reduce").page
    page.goto(server + place.guessed(0)[1:])
    expect(page.locator(".lesson-do")).to_be_visible()
    settled(page)
    for name in place.stop.controls:
        if name.startswith("line-"):
            page.locator(f".st-key-{name} button").first.click()
    named = {plain(name) for name in NAMED.findall(place.stop.do)} - COMES.get((place.code, place.number), set[str]())
    page.wait_for_function(f"(named) => ({MISSING})(named).length === 0", arg=sorted(named))
