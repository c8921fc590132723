"""The embeddings page in the hands of a person: merges scrubbed, rows picked, links, keyboard, nothing read as HTML."""

import json
import re
from urllib.parse import quote, quote_plus

import numpy as np
import pytest
import torch
from playwright.sync_api import expect

from pages.embeddings.text import LEARN_FROM
from pages.shared.text_input import EXAMPLES
from transformer.embeddings import TokenEmbedding
from transformer.training.text import BytePairTokeniser

FIRST = EXAMPLES[0]
PAIRS = BytePairTokeniser.learn(LEARN_FROM, 100)
EDGES = "nodes => nodes.map((node) => node.getBoundingClientRect().right)"
HOT = "emb_part=" + quote("One-hot × W_e")


@pytest.fixture
def page(visit):
    def page(query="", **more):
        view = visit(f"/embeddings?{query}", painted=False, **more)
        view.page.locator("[data-testid=stApp][data-test-script-state=notRunning]").wait_for()
        return view

    return page


def strip(view):
    return view.page.locator(".token-strip")


def shown(view) -> list[str]:
    return strip(view).locator(".chips b").all_inner_texts()


def expect_merges(view, n: int, text: str = FIRST) -> None:
    """After n merges the chips and ids are those of the tokeniser wound back to n."""
    expect(strip(view)).to_have_attribute("data-at", str(n))
    wound = PAIRS.first(n)
    assert shown(view) == [wound.label(id) for id in wound.encode(text)]
    assert strip(view).locator(".chips i").all_inner_texts() == [str(id) for id in wound.encode(text)]


def test_scrubbing_through_the_merges_is_exact_and_costs_no_message(page):
    view = page()
    last = len(PAIRS.merges)
    expect_merges(view, last)
    sent = len(view.sent)
    slider = view.page.get_by_role("slider", name="Merges applied")
    for n in (0, 1, 2, 9, 40, last - 1):
        slider.fill(str(n))
        expect_merges(view, n)
    slider.press("ArrowRight")
    expect_merges(view, last)
    slider.press("Home")
    expect_merges(view, 0)
    assert len(view.sent) == sent
    expect(strip(view)).to_contain_text("Before any merge every byte is a token of its own.")


def test_the_history_is_a_way_to_a_merge_and_the_link_keeps_it(page):
    view = page()
    expect_merges(view, len(PAIRS.merges))
    rows = strip(view).locator(".history button")
    assert rows.count() == len(PAIRS.merges)
    rows.nth(4).click()
    expect_merges(view, 5)
    merge = PAIRS.merges[4]
    expect(strip(view).locator(".step")).to_contain_text(f"stood side by side {merge.count}×")
    view.page.wait_for_url("**emb_step=5**")
    view.page.reload()
    expect_merges(view, 5)


def test_playing_ends_at_the_last_merge(page):
    view = page("emb_learn=low+lower+lowest&text=lowest&emb_step=0")
    expect(strip(view)).to_have_attribute("data-at", "0")
    view.page.get_by_role("button", name="Play").click()
    expect(strip(view)).to_have_attribute("data-at", "4")
    expect(view.page.get_by_role("button", name="Play")).to_be_visible()
    assert shown(view) == ["low", "e", "s", "t"]  # "␣low" needs the space that is not there


def test_a_text_is_never_read_as_html(page):
    text = "<img src=x onerror=alert(1)> <b>b</b>"
    view = page("emb_tokeniser=characters&text=" + quote(text))
    expect(strip(view).locator(".chips li")).to_have_count(len(text))
    assert strip(view).locator(".chips img").count() == 0
    view = page(f"{HOT}&emb_tokeniser=words&emb_learn={quote(text)}&text={quote(text)}")
    chips = view.page.locator(".lookup .chips button")
    expect(chips.first).to_have_text("<")
    assert view.page.locator(".lookup .chips img").count() == 0


def test_a_token_picks_its_row(page):
    view = page(HOT)
    table = TokenEmbedding(len(PAIRS), 64, generator=torch.Generator().manual_seed(0)).weight.detach().numpy()
    ids, root = PAIRS.encode(FIRST), view.page.locator(".lookup")
    chips = root.locator(".chips button")
    expect(chips).to_have_count(len(ids))
    sent = len(view.sent)
    for at in (1, len(ids) - 1, 0):
        chips.nth(at).click()
        expect(root).to_have_attribute("data-id", str(ids[at]))
        assert np.array_equal(np.array(json.loads(root.get_attribute("data-row")), "f4"), table[ids[at]])
        assert root.locator(".hot.on").all_inner_texts() == ["1"]
        assert set(root.locator(".hot.off").all_inner_texts()) == {"0"}
        assert root.locator(".id.on").inner_text() == str(ids[at])
        assert root.locator(".token.on").inner_text() == PAIRS.label(ids[at])
    chips.nth(0).press("ArrowRight")
    expect(root).to_have_attribute("data-at", "1")
    assert len(view.sent) == sent
    expect(view.page).to_have_url(re.compile(r"emb_token=1(&|$)"))
    view.page.reload()
    expect(root).to_have_attribute("data-at", "1")


def test_nothing_leaves_a_phone(page):
    view = page(viewport={"width": 390, "height": 844})
    for name in ("Tokens", "One-hot × W_e", "Similarity", "Scale", "What learns"):
        view.page.get_by_role("radio", name=name, exact=True).click()
        if name != "Tokens":
            expect(view.page).to_have_url(re.compile(re.escape(f"emb_part={quote_plus(name)}")))
        view.page.locator("[data-testid=stApp][data-test-script-state=notRunning]").wait_for()
        figures = view.page.locator(".token-strip[data-at], .lookup[data-at], .js-plotly-plot")
        figures.first.wait_for()
        main = view.page.get_by_test_id("stMain")
        wide, room = main.evaluate("main => [main.scrollWidth, main.clientWidth]")
        assert wide <= room, name
        while not (edges := figures.evaluate_all(EDGES)):  # Streamlit may be putting the figure up anew
            figures.first.wait_for()
        assert max(edges) <= 391, name
