"""What holds of every view of every page, as the server runs it: a finished example, and calm about any link."""

import re
from itertools import cycle
from typing import Any

import pytest

from lab.kit import catalogue
from lab.kit.catalogue import PAGES
from lab.kit.controls.reader import UNTRAINED
from lab.kit.page import Page, Tab
from pages.positions.other_ways import SCHEMES
from tests.pages.driver import CHOICES, charts, control, notices, payloads, questions, values, visit

POSITIONS = catalogue.page("positions")
# Every view on the switch of its page, and the settings that open it; the ways of one view of /positions as well.
# Exhibits and puzzles have tests of their own.
FEW = [page for page in PAGES if len(page.views) > 1 and page.url not in ("bugs", "challenges")]
VIEWS = [(page, tab, {page.switch: tab.name}) for page in FEW for tab in page.views]
VIEWS += [(POSITIONS, POSITIONS.view("Other ways"), {"pos_view": "Other ways", "pos_scheme": way}) for way in SCHEMES]
OF_A_SENTENCE = [one for one in VIEWS if one[0].url in ("embeddings", "attention", "heads", "positions", "masks")]
UNASKED = [("attention", "Guess"), ("generation", "Bet")]  # here the view itself is what is to be guessed
SILENT = {"translator_step", "gen_step", "att_query", "att_plane"}  # of these it is not said yet
NO_WORDS = re.compile(r"There is (no word|nothing) to \w+( at)? yet\. Type a sentence, or choose one of the examples\.")


@pytest.mark.few(24)
@pytest.mark.parametrize(("page", "tab", "link"), VIEWS)
def test_it_opens_on_a_finished_example(page: Page, tab: Tab, link: dict[str, Any]) -> None:
    at = visit(page.url, **link)
    assert at.title[0].value == (tab.title or page.question)
    assert not notices(at) or tab.name == "Choose the next word"  # which says what is to be done
    assert charts(at) or payloads(at) or tab.name == "Bring a model"
    assert all(chart.proto.alt for chart in at.get("plotly_chart"))
    assert questions(at) or (page.url, tab.name) in UNASKED


@pytest.mark.few(9)
@pytest.mark.parametrize(
    ("page", "tab", "link", "text"), [(*v, t) for v, t in zip(OF_A_SENTENCE, cycle(["", " \t", "\u200b"]))]
)
def test_a_text_without_words_is_one_sentence(page: Page, tab: Tab, link: dict[str, Any], text: str) -> None:
    text = "" if page.url == "embeddings" else text  # where a space is a token
    at = visit(page.url, text=text, weights=UNTRAINED, **link)
    assert not notices(at) or (NO_WORDS.fullmatch(notices(at)) and not charts(at) and not payloads(at))
    assert notices(at) or all(field.key != "text" for field in at.text_input), "a view that reads a text says so"


@pytest.mark.few(15)
@pytest.mark.parametrize(
    ("page", "tab", "link", "asked"), [(*v, a) for v, a in zip(VIEWS, cycle(["", "x", "9" * 30, "$<b>٣"]))]
)
def test_nonsense_in_a_link_falls_back_and_says_so(page: Page, tab: Tab, link: dict[str, Any], asked: str) -> None:
    usual = {key: value for key, value in values(visit(page.url, **link), CHOICES).items() if key not in link}
    odd: dict[str, Any] = dict.fromkeys(usual, asked)
    at = visit(page.url, **odd, **link)
    # An empty parameter leaves a row of buttons without a choice; what it stands for is the usual all the same.
    now = {key: usual[key] if value is None and not asked else value for key, value in values(at, CHOICES).items()}
    assert {key: now[key] for key in usual} == usual
    said = [line for line in notices(at).splitlines() if line.startswith("You see ")]
    assert len(said) == len(usual.keys() - SILENT)
    for key in usual.keys() - SILENT:
        assert any(line.startswith(f"You see {usual[key]}") for line in said)


@pytest.mark.few(4)
@pytest.mark.parametrize("page", FEW)
def test_an_unknown_view_is_the_first_and_is_named(page: Page) -> None:
    link: dict[str, Any] = {page.switch: "banana"}
    at = visit(page.url, **link)
    assert control(at, page.switch).value == page.views[0].name
    assert f"You see {page.views[0].name}: this page has no view “banana”." in notices(at)
