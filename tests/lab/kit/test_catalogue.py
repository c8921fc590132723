"""The pages stand in one order, and what is said of them at their foot is true of their files."""

import re

import pytest
from streamlit.testing.v1 import AppTest

from lab.kit import catalogue
from lab.kit.catalogue import PAGES
from lab.kit.lessons import shelf
from lab.kit.page import STORY, Page
from lab.kit.texts.questions import of_page
from pages.challenges.challenges import CHALLENGES
from tests.pages import driver


def checks_of(page: Page) -> list[str]:
    """The key of everything that a page has to be solved."""
    if page.url == "challenges":  # each of them counts as one
        return [f"challenges-{challenge.key}" for challenge in CHALLENGES]
    if page.url == "lessons":  # what is asked before a view and after it
        asked = [
            (name, question)
            for name, lesson in shelf.shipped().items()
            for stop in lesson.stops
            for question in (stop.predict, stop.question)
        ]
        return [question.key(name) for name, question in asked if question and question.answer]
    return list(of_page(page.url or "overview"))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.url or "front page")
def test_the_questions_of_a_page_are_counted_and_bear_its_name(page: Page) -> None:
    keys = checks_of(page)
    assert page.checks == len(keys), f"/{page.url} asks {len(keys)}; its row of the catalogue says where"
    assert len(set(keys)) == len(keys), f"two questions have one key: {keys}"
    strange = [key for key in keys if not re.fullmatch(rf"{page.url}-[\w-]{{1,80}}", key)]
    assert not strange, f"the key of a question begins with {page.url} and a hyphen: {strange}"


def test_every_page_says_what_it_is_about() -> None:
    for page in PAGES:
        assert page.question.endswith("?"), page.url
        assert page.help.endswith("."), page.url
        assert bool(page.learned) == (page.section in STORY), f"{page.url}: only the story has `learned`"
        assert not page.learned or page.learned.endswith("."), page.url
        assert not page.learned.startswith("You"), f"{page.url}: `learned` goes on after “You now know”"
    assert len({page.url for page in PAGES}) == len({page.title for page in PAGES}) == len(PAGES)


def test_a_way_leads_through_all_pages_of_the_story_and_no_others() -> None:
    way, at = [""], ""
    while after := catalogue.neighbours(at)[1]:
        before = catalogue.neighbours(after.url)[0]
        assert before == catalogue.page(at)
        way.append(at := after.url)
    assert way == [page.url for page in PAGES if page.section in STORY]
    used_in_turn = ["", "why", "embeddings", "attention", "heads", "positions", "masks", "blocks"]
    assert [url for url in way if url in used_in_turn] == used_in_turn, "each of these uses what those before it show"
    assert [catalogue.number(catalogue.page(url)) for url in way] == list(range(len(way)))
    beside = Page("beside", "Beside", "Why?", "It is beside the story.", section="Learn")
    assert (catalogue.number(beside), catalogue.name(beside)) == (0, "Beside")
    assert catalogue.name(catalogue.page("heads")) == f"{way.index('heads')}. Heads"


def test_the_foot_of_a_page_leads_on_and_back() -> None:
    check_foot(driver.visit("embeddings"), catalogue.page("embeddings"))  # with a page before it and one after it


def check_foot(at: AppTest, here: Page) -> None:
    """It says what one knows and how many questions there are, and leads back and on."""
    before, after = catalogue.neighbours(here.url)
    assert before is not None
    assert after is not None
    assert f"**You now know** {here.learned}" in driver.words(at)
    links = [link.proto.label for link in at.get("page_link")]
    assert links[-2:] == [catalogue.name(before), f"Next: **{after.question}**"]
    (dots,) = [part.proto.body for part in at.get("html") if 'class="progress"' in part.proto.body]
    assert f'data-page="{here.url}"' in dots
    assert dots.count("<i></i>") == here.checks
