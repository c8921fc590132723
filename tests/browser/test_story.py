"""Every page opens on the same story from each of its doors; what a visitor types, and the head they open, go along."""

import re
from collections.abc import Callable
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Locator, Page, expect

from lab.kit import catalogue, story
from pages.overview import contents
from tests.browser.test_look import GO
from tests.browser.view import let_pass

TEXTS = {  # by page: the key of its box, and what stands in it; the front page has the story in the picture
    "": ("front_text", ""),
    "embeddings": ("text", story.TEXT),
    "attention": ("text", story.TEXT),
    "heads": ("text", story.TEXT),
    "positions": ("text", story.TEXT),
    "masks": ("text", story.TEXT),
    "blocks": ("text", story.TEXT),
    "generation": ("gen_text", story.TEXT),
}
WIDE = {
    "embeddings",
    "positions",
    "masks",
    "blocks",
    "heads",
    "attention",
}  # these open by the same doors as the others
MINE = "tom lost a green key in the forest. so"


def is_told(page: Page) -> None:
    """The server knows the text that was typed, and has said so: one may go on. The address knows it sooner."""
    expect(page.get_by_role("button", name="the story", exact=True)).to_be_visible()
    expect(page).to_have_url(re.compile("text="))
    page.locator("[data-testid=stApp][data-test-script-state=notRunning]").wait_for()


def arrived(page: Page, url: str, text: str | None = None) -> Locator:
    """Its box, once this page is on screen; on the story, or on another text."""
    key, usual = TEXTS[url]
    expect(page).to_have_url(re.compile(rf"^[^?]*/{url}(\?|$)"))
    expect(page.locator("h1").filter(has_text=catalogue.page(url).question).first).to_be_visible()
    box = page.locator(f".st-key-{key} input")
    expect(box).to_have_count(1)
    expect(box).to_have_value(usual if text is None else text)
    rest(page)
    return box


def rest(page: Page) -> None:
    """Wait until the server is done."""
    expect(page.locator("[data-testid=stApp][data-test-script-state=notRunning]")).to_have_count(1)


def query(page: Page) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(urlsplit(page.url).query).items()}


def by_menu(page: Page, url: str) -> None:
    bar, to = page.get_by_test_id("stTopNav"), catalogue.page(url)
    if to.section:
        bar.get_by_role("button", name=to.section).click()
        page.get_by_role("menuitem", name=catalogue.name(to), exact=True).click()
    else:
        bar.get_by_role("link", name=to.title).click()


def by_search(page: Page, url: str) -> None:
    page.get_by_role("button", name="Search").click()
    page.get_by_role("combobox", name="Search pages").fill(catalogue.page(url).title)
    page.get_by_role("option").filter(has_text=catalogue.page(url).question).first.click()


def by_next(page: Page, url: str) -> None:
    page.get_by_role("link", name="Next: ").click()


def by_mark(page: Page, url: str) -> None:
    """By the number of the page in the scene of the front page, which has doors once a word was guessed."""
    to = catalogue.page(url)
    page.get_by_role("group", name="Your guess").get_by_role("button", name="hat").click()
    page.locator(".marks").get_by_role("link", name=f"{catalogue.number(to)}. {to.title}: ").press("Enter")


def open_at(visit: Callable[..., object], path: str) -> Page:
    return visit(path, painted=False).page  # type: ignore[attr-defined]


@pytest.mark.parametrize("url", [pytest.param(url, marks=pytest.mark.wide) if url in WIDE else url for url in TEXTS])
@pytest.mark.few(1)
def test_each_page_opens_on_the_same_story_from_each_of_its_doors(visit, url):
    page = open_at(visit, f"/{url}")
    arrived(page, url)
    picture = query(page)
    before = catalogue.neighbours(url)[0]
    doors = [(by_menu, "lessons"), (by_search, "words")]
    doors += [(by_next, before.url)] if before else []
    doors += [(by_mark, "")] if url in {page for _, page in contents.PARTS} else []
    anew = doors[list(TEXTS).index(url) % len(doors)]  # the others within the app: a quarter of a load
    for door, start in doors:
        to = f"{urlsplit(page.url).scheme}://{urlsplit(page.url).netloc}/{start}"
        if (door, start) == anew:
            page.goto(to)
        else:
            page.evaluate(GO, to)
        expect(page.locator("h1").filter(has_text=catalogue.page(start).question).first).to_be_visible()
        rest(page)
        door(page, url)
        arrived(page, url)
        assert query(page) == picture, f"{door.__name__} opens it as a link without settings does"
        expect(page.get_by_role("button", name="the story", exact=True)).to_have_count(0)


@pytest.mark.wide
def test_a_typed_text_goes_to_all_pages_and_the_story_brings_the_story_back(visit):
    page = open_at(visit, "/heads")
    box = arrived(page, "heads")
    box.fill(MINE)
    box.press("Enter")
    is_told(page)  # a page left sooner takes nothing along
    for n, url in enumerate(TEXTS):
        (by_menu if n % 2 else by_search)(page, url)
        arrived(page, url, MINE)
        assert query(page)[TEXTS[url][0]] == MINE, "whoever is given this address sees the same"
    back = page.get_by_role("button", name="the story", exact=True)
    back.focus()
    page.keyboard.press("Enter")
    arrived(page, url)
    expect(back).to_have_count(0)
    for url in ("", "masks", "positions"):
        by_menu(page, url)
        arrived(page, url)


@pytest.mark.wide
def test_back_and_forward_keep_what_is_typed_and_a_link_that_names_a_text_wins(visit):
    page = open_at(visit, "/masks")
    box = arrived(page, "masks")
    by_menu(page, "blocks")
    box = arrived(page, "blocks")
    box.fill(MINE)
    box.press("Enter")
    is_told(page)
    page.go_back()
    arrived(page, "masks", MINE)
    is_told(page)
    page.go_forward()
    arrived(page, "blocks", MINE)
    by_menu(page, "")
    arrived(page, "", MINE)
    page.locator(".st-key-front-box").get_by_role("link", name="All heads on this sentence").click()
    arrived(page, "heads", MINE)


@pytest.mark.wide
def test_the_head_that_is_open_goes_along_and_no_message_is_sent_for_it_before(visit):
    view = visit("/heads")
    page = view.page
    view.settle()
    view.sent.clear()
    layer, head = 0, 1  # neither is what a page opens on
    view.thumb(layer, head).click()
    view.expect(layer=layer, head=head)
    expect(page).to_have_url(re.compile(r"layer=0&head=1|head=1&layer=0"))
    assert not view.sent
    by_menu(page, "masks")
    arrived(page, "masks")
    assert query(page)["masks_head"] == "1"
    by_search(page, "attention")
    arrived(page, "attention")
    assert query(page)["att_head"] == "1"
    page.get_by_role("button", name="Change the settings").first.click()
    page.get_by_role("combobox", name="Head").click()
    page.get_by_role("option", name="2", exact=True).click()
    expect(page).to_have_url(re.compile("att_head=2"))
    page.keyboard.press("Escape")
    let_pass(page, 300)  # a page that is left before the server knows takes nothing along
    rest(page)
    by_next(page, "heads")
    arrived(page, "heads")
    view.expect(layer=layer, head=2)
    by_next(page, "positions")  # which has no head, and passes it on
    arrived(page, "positions")
    by_next(page, "masks")
    arrived(page, "masks")
    assert query(page)["masks_head"] == "2"
