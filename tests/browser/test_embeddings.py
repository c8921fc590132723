"""The embeddings page in the hands of a person: merges scrubbed, rows picked, links, keyboard, nothing read as HTML."""

import json
import re
from urllib.parse import quote

import numpy as np
import pytest
import torch
from playwright.sync_api import expect

from lab.kit.controls.text_input import EXAMPLES
from pages.embeddings.text import LEARN_FROM
from tests.browser.view import let_pass
from transformer.core.embeddings import TokenEmbedding
from transformer.training.byte_pairs import BytePairTokeniser

FIRST = EXAMPLES[0]
PAIRS = BytePairTokeniser.learn(LEARN_FROM, 100)
HOT = "emb_part=Look+up&weights=untrained"


@pytest.fixture
def page(visit):
    def page(query="", **more):
        view = visit(f"/embeddings?{query}", painted=False, **more)
        view.page.locator("[data-testid=stApp][data-test-script-state=notRunning]").wait_for()
        return view

    return page


def strip(view):
    return view.page.locator(".token-machine")


def shown(view) -> list[str]:
    return strip(view).locator(".chips b").all_inner_texts()


def expect_merges(view, n: int, text: str = FIRST) -> None:
    """After n merges the chips and ids are those of the tokeniser wound back to n."""
    expect(strip(view)).to_have_attribute("data-at", str(n))
    wound = PAIRS.first(n)
    assert shown(view) == [wound.label(id) for id in wound.encode(text)]
    assert strip(view).locator(".chips i").all_inner_texts() == [str(id) for id in wound.encode(text)]


@pytest.mark.wide
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


@pytest.mark.wide
def test_the_history_is_a_way_to_a_merge_and_the_link_keeps_it(page):
    view = page()
    expect_merges(view, len(PAIRS.merges))
    rows = strip(view).locator(".history button")
    assert rows.count() == len(PAIRS.merges)
    rows.nth(4).click()
    expect_merges(view, 5)
    merge = PAIRS.merges[4]
    expect(strip(view).locator(".finding")).to_contain_text(f"occurred {merge.count}×")
    view.page.wait_for_url("**emb_step=5**")
    view.page.reload()
    expect_merges(view, 5)


def test_the_track_of_merges_and_the_tokens_stay_where_they_are_under_a_hand(page):
    root = strip(page("emb_part=Cut", reduced_motion="reduce"))
    track, first, names = root.get_by_role("slider"), root.locator(".chips button").first, root.locator(".names b")
    before = track.bounding_box(), first.bounding_box()["x"], names.bounding_box()
    middle = first.bounding_box()["y"] + first.locator("b").bounding_box()["height"] / 2
    for at in (60, 20, 3):
        track.fill(str(at))
        expect(root).to_have_attribute("data-at", str(at))
        assert (track.bounding_box(), first.bounding_box()["x"], names.bounding_box()) == before
    expect(root.locator(".chips.many")).to_have_count(1)
    chip = first.locator("b").bounding_box()
    assert chip["y"] + chip["height"] / 2 == pytest.approx(middle, abs=3)
    expect(root.locator(".count")).to_contain_text("tokens, too many to show each id.")


@pytest.mark.wide
def test_playing_ends_at_the_last_merge(page):
    view = page("emb_learn=low+lower+lowest&text=lowest&emb_step=0")
    expect(strip(view)).to_have_attribute("data-at", "0")
    view.page.get_by_role("button", name="Watch it merge").click()
    expect(strip(view)).to_have_attribute("data-at", "4")
    expect(view.page.get_by_role("button", name="Watch it merge")).to_be_visible()
    assert shown(view) == ["low", "e", "s", "t"]  # "␣low" needs the space that is not there


@pytest.mark.wide
def test_a_text_is_never_read_as_html(page):
    text = "<img src=x onerror=alert(1)> <b>b</b>"
    view = page("emb_tokeniser=characters&text=" + quote(text))
    expect(strip(view).locator(".chips button")).to_have_count(len(text))
    assert strip(view).locator(".chips img").count() == 0
    view = page(f"{HOT}&emb_tokeniser=words&emb_learn={quote(text)}&text={quote(text)}")
    expect(strip(view).locator(".chips b").first).to_have_text("<")
    assert strip(view).locator("img").count() == 0
    view = page(f"emb_part=Alike&weights=untrained&emb_tokeniser=words&emb_learn={quote(text)}&text={quote(text)}")
    expect(view.page.locator(".word-map .stage button").first).to_have_text("<")
    assert view.page.locator(".word-map img").count() == 0


@pytest.mark.wide
def test_a_token_takes_its_row(page):
    view = page(HOT)
    table = TokenEmbedding(len(PAIRS), 64, generator=torch.Generator().manual_seed(0)).weight.detach().numpy()
    ids, root = PAIRS.encode(FIRST), strip(view)
    chips = root.locator(".chips button")
    expect(chips).to_have_count(len(ids))
    sent = len(view.sent)
    for at in (1, len(ids) - 1, 0):
        chips.nth(at).click()
        expect(root).to_have_attribute("data-id", str(ids[at]))
        assert np.array_equal(np.array(json.loads(root.get_attribute("data-row")), "f4"), table[ids[at]])
        assert root.locator(".id.on").inner_text() == str(ids[at])
        assert root.locator(".token.on").inner_text() == PAIRS.label(ids[at])
        expect(root.locator(".equals")).to_have_text(f"“{PAIRS.label(ids[at])}” enters the model as these 64 numbers")
        heights = root.locator(".sheet .row").evaluate_all("rows => rows.map((row) => row.clientHeight)")
        assert heights[-1] > 2 * max(heights[:-1]), "the vector is largest; its row is among the others"
        rows = [int(row) for row in root.locator(".sheet .id").all_inner_texts()]
        assert rows == sorted(set(rows))
        assert set(rows) <= set(ids), "the rows of the text, not those that happen to lie beside them"
    chips.nth(0).press("ArrowRight")
    expect(root).to_have_attribute("data-token", "1")
    assert len(view.sent) == sent
    expect(view.page).to_have_url(re.compile(r"emb_token=1(&|$)"))
    view.page.reload()
    expect(root).to_have_attribute("data-token", "1")


@pytest.mark.wide
def test_a_word_grows_from_bytes_to_a_token_and_a_tile_is_a_way_to_its_merge(page):
    view = page(reduced_motion="reduce")
    machine = strip(view)
    tree = machine.locator(".grown > div")
    word = " found"  # of all words of the sentence it takes most merges
    made = sorted(join.id for join in PAIRS.joins(word))
    expect(machine.locator(".tile.token")).to_have_count(1)
    expect(tree).to_have_attribute("data-tokens", str(made[-1]))
    assert machine.locator(".tile").count() == len(word) + len(made)
    slider = view.page.get_by_role("slider", name="Merges applied")
    for n in (0, 40, 60, 85):
        slider.fill(str(n))
        ids = PAIRS.first(n).encode(word)
        expect(machine.locator(".tile.token")).to_have_count(len(ids))
        assert sorted(tree.get_attribute("data-tokens").split()) == sorted(map(str, ids))
        assert machine.locator(".of-word").count() == len(ids)
    sent = len(view.sent)
    ound = next(n for n, merge in enumerate(PAIRS.merges, 1) if PAIRS.label(merge.id) == "ound")
    machine.locator(f"[data-merge='{ound}']").press("Enter")
    expect_merges(view, ound)
    expect(machine.locator(".tile.fresh .label")).to_have_text("ound")
    slider.press("End")
    machine.locator(".chips button", has_text="␣blue").click()
    expect(tree).to_have_attribute("data-tokens", " ".join(map(str, PAIRS.encode(" blue"))))
    assert len(view.sent) == sent


@pytest.mark.wide
@pytest.mark.parametrize("text", ["déjà vu", "a", "   ", "supercalifragilistic", "👩‍🚀 x"])
def test_any_word_has_a_tree(page, text):
    view = page(f"text={quote(text)}", reduced_motion="reduce")
    expect(strip(view).locator(".tile").first).to_be_visible()
    for chip in strip(view).locator(".chips button").all():
        chip.click()
        assert strip(view).locator(".tile.token").count() == strip(view).locator(".of-word").count()


OVERLAPS = """(buttons) => {
    const boxes = buttons.filter((b) => !b.classList.contains('out')).map((b) => b.getBoundingClientRect());
    let n = 0;
    boxes.forEach((a, i) => boxes.slice(i + 1).forEach((b) => {
        if (a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1) n++;
    }));
    return [boxes.length, n];
}"""


def test_the_next_word_takes_its_row_and_each_place_of_the_same_word_is_marked(page):
    view = page("emb_part=Look+up", reduced_motion="reduce")
    root, act = strip(view), strip(view).get_by_role("button", name="Next word")
    expect(root).to_have_attribute("data-ids", re.compile(r"\d"))  # drawn
    ids = root.get_attribute("data-ids").split()
    for n in (0, 1):
        expect(root).to_have_attribute("data-token", str(n))
        often = {1: "“", 2: "Both times, “"}.get(ids.count(ids[n]), f"All {ids.count(ids[n])} times, “")
        picks = re.compile(f"^{often}.+” has id {ids[n]}, so .+ row {ids[n]} of ")
        expect(root.locator(".finding:visible")).to_contain_text(picks)
        expect(root.locator(".chips .same")).to_have_count(ids.count(ids[n]))
        act.press("Enter")
        expect(act).to_be_focused()
    expect(view.page).to_have_url(re.compile("emb_token=2"))


def test_the_chosen_token_of_a_long_text_stays_within_the_box_of_tokens_and_the_page_where_it_is(page):
    view = page(f"{HOT}&emb_tokeniser=characters&text={quote(FIRST * 6)}", reduced_motion="reduce")
    root, act = strip(view), strip(view).get_by_role("button", name="Next token")
    chips = root.locator(".chips")
    expect(act).to_be_visible()
    n, rows = chips.locator("button").count(), chips.evaluate("(box) => box.scrollHeight / box.clientHeight")
    assert rows > 2
    chips.locator("button").last.evaluate("(chip) => chip.click()")
    page_at = view.page.evaluate("document.querySelector('[data-testid=stMain]').scrollTop")
    act.focus()
    inside = """(box) => {
        const [around, chip] = [box, box.querySelector('[aria-checked=true]')].map((x) => x.getBoundingClientRect());
        return chip.top >= around.top - 1 && chip.bottom <= around.bottom + 1;
    }"""
    for at in (n - 1, 0, 1):
        expect(root).to_have_attribute("data-token", str(at))
        assert chips.evaluate(inside)
        act.press("Enter")
    assert view.page.evaluate("document.querySelector('[data-testid=stMain]').scrollTop") == page_at


def test_where_nothing_moves_two_presses_show_the_words_before_training_and_after_it(page):
    view = page("emb_part=Alike", reduced_motion="reduce")
    root = view.page.locator(".word-map")
    red = root.get_by_role("radio", name="red", exact=True)
    view.page.evaluate("document.fonts.ready")
    let_pass(view.page, 150)
    after = red.bounding_box()
    form = root.get_by_role("button", name="See the groups form")
    finding = root.locator(".finding")
    found = finding.inner_text()
    form.click()
    expect(root).to_have_attribute("data-parted", "0.00")
    expect(finding).to_have_text("Before training, the words of a kind lie anywhere.")
    for side in (".nearest", ".pair"):
        expect(root.locator(side)).to_be_hidden()  # of the trained words
    expect(root.locator(".key li")).to_have_text(["boys", "girls", "things", "colours", "places", "verbs"])
    form = root.get_by_role("button", name="See them after training")
    assert red.bounding_box() != after
    form.click()
    expect(root).not_to_have_attribute("data-parted", "0.00")
    expect(finding).to_have_text(found)
    expect(root.locator(".nearest")).to_be_visible()
    assert red.bounding_box() == after
    form = root.get_by_role("button", name="See the groups form")
    form.click()
    expect(root).to_have_attribute("data-parted", "0.00")
    view.page.get_by_role("radio", name="matrix", exact=True).click()  # what shows the trained words has no other time
    expect(root).to_have_attribute("data-show", "matrix")
    expect(root).not_to_have_attribute("data-parted", "0.00")
    expect(finding).not_to_contain_text("Before training")
    expect(root.locator(".nearest")).to_be_visible()


@pytest.mark.wide
def test_the_map_shows_the_neighbours_of_a_word(page):
    view = page("emb_part=Alike", reduced_motion="reduce")
    root = view.page.locator(".word-map")
    expect(root).to_have_attribute("data-show", "map")
    words = root.locator(".stage [role=radio]")
    expect(words).to_have_count(48)
    assert words.evaluate_all(OVERLAPS) == [48, 0], "every word has a label, and none covers another"
    sent = len(view.sent)
    opens = root.get_attribute("data-word")
    nearest = root.locator(".nearest .label").all_inner_texts()
    off = root.locator(".nearest .off .label").all_inner_texts()
    assert root.locator(".link").count() == len(nearest) == 6, "a line to each, wherever it stands"
    assert off == []
    shown = set(words.all_inner_texts())
    guests = [word for word in nearest if word not in shown]
    assert root.locator("circle.guest").count() == len(guests) > 0
    expect(root.locator(".finding")).to_have_text("The six words nearest to “blue” are all colours.")
    expect(root.locator(".pair")).to_have_text(
        "A flat map distorts 128 dimensions: “green” is closer to “blue” than it looks."
    )
    assert "green" in nearest
    assert "red" not in nearest, "though it lies closer on the map"
    dots = {
        word.inner_text(): word.bounding_box() for word in words.all() if word.inner_text() in ("red", "blue", "green")
    }
    far = {name: np.hypot(*(dots[name][x] - dots["blue"][x] for x in "xy")) for name in ("red", "green")}
    assert far["red"] < far["green"]
    red = root.get_by_role("radio", name="red", exact=True)
    red.hover()
    expect(root.locator("h2")).to_have_text("redcolours")
    assert root.locator(".link").count() > 1
    view.page.mouse.move(5, 5)
    expect(root).to_have_attribute("data-word", opens)
    expect(view.page).not_to_have_url(re.compile("emb_near"))
    red.click()
    view.page.mouse.move(5, 5)
    expect(root).to_have_attribute("data-word", "red")
    expect(view.page).to_have_url(re.compile(r"emb_near=red"))
    red.press("ArrowRight")
    expect(root).to_have_attribute("data-word", "blue")
    assert len(view.sent) == sent
    before = red.bounding_box()
    view.page.get_by_role("button", name="Change the settings").click()
    view.page.get_by_role("radio", name="before training").click()
    expect(root.locator(".caption")).to_contain_text("Before training")
    expect(root).to_have_attribute("data-word", "blue")
    assert red.bounding_box() != before
    view.page.keyboard.press("Escape")
    view.page.get_by_role("radio", name="matrix").click()
    expect(root).to_have_attribute("data-show", "matrix")
    expect(root.locator("canvas")).to_be_visible()
    box = root.locator("canvas").bounding_box()
    assert box["width"] == pytest.approx(box["height"], abs=1), "square cells"
    root.locator("canvas").hover(position={"x": box["width"] * 0.99, "y": 2})
    expect(root.locator(".pair")).to_contain_text("tom and fixed: cosine")
