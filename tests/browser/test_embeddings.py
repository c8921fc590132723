"""The embeddings page in the hands of a person: pairs pushed together, rows picked, links, keys, no HTML."""

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


def roll(view):
    return view.page.locator(".row-roll")


def expect_row(root, id: int) -> None:
    """The row with this id is in the middle of the table, and out of it."""
    expect(root).to_have_attribute("data-id", str(id))
    expect(root).to_have_attribute("data-at", str(id))
    expect(root).not_to_have_attribute("data-turning", "")


def shown(view) -> list[str]:
    return strip(view).locator(".chips b").all_inner_texts()


def expect_merges(view, n: int, text: str = FIRST) -> None:
    """After n merges the chips and ids are those of the tokeniser wound back to n."""
    expect(strip(view)).to_have_attribute("data-at", str(n))
    wound = PAIRS.first(n)
    assert shown(view) == [wound.label(id) for id in wound.encode(text)]
    assert strip(view).locator(".chips i").all_text_contents() == [str(id) for id in wound.encode(text)]


def seam(view, left: str, right: str):
    return strip(view).get_by_role("button", name=re.compile(f"^Join {left} and {right}: "))


@pytest.mark.few(1)
@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_a_hand_pushes_the_most_frequent_pair_together_wherever_it_stands_and_the_others_follow(page, motion):
    """Of the pairs of the sentence, ␣t is the most frequent in the text that is learned from."""
    view = page("emb_part=Cut", reduced_motion=motion)
    root, finding, sent = strip(view), strip(view).locator(".finding"), len(view.sent)
    expect_merges(view, 0)
    expect(finding).to_have_text("Push two tiles together where the joint is thickest.")
    merge, right = PAIRS.merges[0], seam(view, "␣", "t")
    thick = root.locator(".joint").evaluate_all("all => all.map(e => Number(e.style.getPropertyValue('--thick')))")
    assert thick.count(1) == thick.count(max(thick)) == right.count() == 3
    assert set(right.evaluate_all("all => all.map(e => e.dataset.count)")) == {f"{merge.count}×"}
    seam(view, "m", "i").first.press("Enter")
    expect(finding).to_have_text(f"m + i: twice. The thickest joint: {merge.count} times.")
    expect_merges(view, 0)
    box = right.first.bounding_box()
    assert min(box["width"], box["height"]) >= 24
    y = box["y"] + box["height"] / 2
    view.page.mouse.move(box["x"] - 15, y)  # the tile on the left
    view.page.mouse.down()
    view.page.mouse.move(box["x"] - 8, y)
    expect(root.locator(".closing")).to_have_count(3)
    expect_merges(view, 0)
    view.page.mouse.move(box["x"] + 50, y, steps=3)
    expect_merges(view, 1)
    view.page.mouse.up()
    expect(finding).to_have_text("␣t is one token now: no pair was more frequent (33 times).")
    expect(root.locator(".fresh")).to_have_count(3)
    expect(root.locator(".many-left")).to_have_text("57tokens")
    act = root.locator(".primary")
    expect(act).to_have_text("Run all 92 merges")
    act.click()
    expect(root).not_to_have_attribute("data-at", "1")
    act.click()
    expect_merges(view, 92)
    expect(finding).to_have_text("“mia” is two tokens at the start, but one after a space.")
    expect(root.locator(".fresh b")).to_have_text(["m", "ia", "␣mia"])
    assert len(view.sent) == sent
    expect(view.page).to_have_url(re.compile("emb_step=92"))


@pytest.mark.wide
def test_a_link_keeps_the_merge_and_keys_make_the_next_one(page):
    view = page("emb_step=5", reduced_motion="reduce")
    root = strip(view)
    expect_merges(view, 5)
    expect(root.locator(".finding")).to_have_text(
        f"␣s is one token now: no pair was more frequent ({PAIRS.merges[4].count} times). It is not in your sentence."
    )
    joints = root.locator(".joint")
    joints.first.focus()
    joints.first.press("End")
    expect(joints.last).to_be_focused()
    root.locator(".joint[style='--thick: 1']").first.press("Enter")
    expect_merges(view, 9)  # merges 5 to 8 are of pairs that the sentence has not
    expect(root.locator(".joint:focus")).to_have_count(1)
    view.page.wait_for_url("**emb_step=9**")


@pytest.mark.wide
@pytest.mark.parametrize("text", ["lowest", "déjà vu", "a", "   ", "supercalifragilistic", "👩‍🚀 x"])
def test_any_text_runs_to_its_last_merge_and_back(page, text):
    view = page(f"emb_learn=low+lower+lowest&text={quote(text)}&emb_step=1", reduced_motion="reduce")
    root = strip(view)
    expect(root).to_have_attribute("data-at", "1")
    root.get_by_role("button", name="Run all 4 merges").click()
    expect(root).to_have_attribute("data-at", "4")
    if text == "lowest":
        assert shown(view) == ["low", "e", "s", "t"]  # "␣low" needs the space that is not there
    root.get_by_role("button", name="Back to the start").click()
    expect(root).to_have_attribute("data-at", "0")


@pytest.mark.wide
def test_a_text_is_never_read_as_html(page):
    text = "<img src=x onerror=alert(1)> <b>b</b>"
    view = page("emb_tokeniser=characters&text=" + quote(text))
    expect(strip(view).locator(".chips button")).to_have_count(len(text))
    assert strip(view).locator(".chips img").count() == 0
    view = page(f"{HOT}&emb_tokeniser=words&emb_learn={quote(text)}&text={quote(text)}")
    expect(roll(view).locator(".chips b").first).to_have_text("<")
    assert roll(view).locator("img").count() == 0
    view = page(f"emb_part=Alike&weights=untrained&emb_tokeniser=words&emb_learn={quote(text)}&text={quote(text)}")
    expect(view.page.locator(".word-map .stage button").first).to_have_text("<")
    assert view.page.locator(".word-map img").count() == 0


@pytest.mark.wide
def test_a_token_takes_its_row(page):
    view = page(HOT)
    table = TokenEmbedding(len(PAIRS), 64, generator=torch.Generator().manual_seed(0)).weight.detach().numpy()
    ids, root = PAIRS.encode(FIRST), roll(view)
    chips = root.locator(".chips button")
    expect(chips).to_have_count(len(ids))
    sent = len(view.sent)
    for at in (1, len(ids) - 1, 0):
        chips.nth(at).click()
        expect_row(root, ids[at])
        assert np.array_equal(np.array(json.loads(root.get_attribute("data-row")), "f4"), table[ids[at]])
        expect(root.locator(".equals")).to_have_text(f"“{PAIRS.label(ids[at])}” enters the model as 64 numbers")
        written = ", ".join(f"{x:.2f}".replace("-", "−") for x in table[ids[at]][:8].tolist())
        expect(root.locator(".sky")).to_have_attribute("aria-label", f"64 numbers as bars: {written} …")
        up = root.locator(".sky rect").evaluate_all("bars => bars.map((bar) => bar.classList.contains('positive'))")
        assert up == (table[ids[at]] > 0).tolist()
    chips.nth(0).press("ArrowRight")
    expect(root).to_have_attribute("data-token", "1")
    assert len(view.sent) == sent
    expect(view.page).to_have_url(re.compile(r"emb_token=1(&|$)"))
    view.page.reload()
    expect(root).to_have_attribute("data-token", "1")


OVERLAPS = """(buttons) => {
    const boxes = buttons.filter((b) => !b.classList.contains('out')).map((b) => b.getBoundingClientRect());
    let n = 0;
    boxes.forEach((a, i) => boxes.slice(i + 1).forEach((b) => {
        if (a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1) n++;
    }));
    return [boxes.length, n];
}"""


@pytest.mark.few(1)
@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_the_same_word_has_the_same_row_and_another_word_has_another(page, motion):
    view = page("emb_part=Look+up", reduced_motion=motion)
    root, act = roll(view), roll(view).locator(".primary")
    sky, ghost = root.locator(".sky"), root.locator(".ghost")
    expect(act).to_have_text("Press the next “mia”")
    expect_row(root, 510)
    (bars, at) = sky.get_attribute("aria-label"), root.get_attribute("data-at")
    expect(sky.locator("rect")).to_have_count(128)
    expect(ghost).to_have_count(0)
    expect(root.locator(".finding")).to_contain_text("And the next “mia”?")
    under = root.locator(".chips i")
    assert [id for id in under.all_inner_texts() if id] == ["510", "?"], "ids are seen once they are looked up"
    act.press("Enter")
    expect(root).to_have_attribute("data-token", "12")
    assert root.get_attribute("data-at") == at, "the roll stays where it is"
    assert sky.get_attribute("aria-label") == bars
    ends = "all => all.map(e => +e.getAttribute('y') + e.matches('.negative') * e.getAttribute('height'))"
    outline = [float(y) for y in re.findall(r"V([\d.]+)", ghost.get_attribute("d"))]
    assert outline == pytest.approx(sky.locator("rect").evaluate_all(ends), abs=0.01), "on the ends of all bars"
    expect(root.locator(".wires .wire")).to_have_count(2)
    expect(root.locator(".finding")).to_have_text(
        "“mia” again, id 510 again: the same 128 numbers, whatever stands around it."
    )
    assert [id for id in under.all_inner_texts() if id] == ["510", "510"]
    expect(act).to_have_text("Now “took”")
    expect(act).to_be_focused()
    act.press("Enter")
    expect(root.locator(".finding")).to_have_text("“took” shares none of its 128 numbers with “mia”.")
    assert sky.get_attribute("aria-label") != bars
    outline = [float(y) for y in re.findall(r"V([\d.]+)", ghost.get_attribute("d"))]
    assert outline != pytest.approx(sky.locator("rect").evaluate_all(ends), abs=1)
    expect(view.page).to_have_url(re.compile(r"emb_token=13"))


@pytest.mark.wide
def test_the_roll_is_turned_by_hand_and_by_keys(page):
    view = page("emb_part=Look+up", reduced_motion="reduce")
    root = roll(view)
    table = root.get_by_role("slider", name="The table")
    expect_row(root, 510)
    table.press("ArrowDown")  # row 511 is that of the hat, which is in the text, too
    expect_row(root, 511)
    expect(root.locator(".finding")).to_contain_text("“hat” shares none of its 128 numbers with “mia”")
    expect(table).to_have_attribute("aria-valuetext", "row 511, hat")
    table.press("PageDown")
    expect(root).to_have_attribute("data-at", "521")
    table.press("ArrowDown")
    expect(root.locator(".finding")).to_contain_text("Row 522 is that of")
    expect(root.locator(".sky rect")).to_have_count(128)
    expect(root.locator(".sky")).to_have_attribute("aria-label", "128 numbers as bars")  # one knows steps, no numbers
    box = table.bounding_box()
    x, y = box["x"] + 0.6 * box["width"], box["y"] + box["height"] / 2
    mouse = view.page.mouse
    mouse.move(x, y)
    mouse.down()
    mouse.move(x, y + 60, steps=4)
    mouse.up()
    expect(root).to_have_attribute("data-at", "512")
    mouse.click(x, y - 25)  # the line above
    expect_row(root, 511)
    table.press("Home")
    root.get_by_role("button", name="Back to “hat”").click()
    expect_row(root, 511)


@pytest.mark.wide
def test_the_chosen_token_of_a_long_text_stays_within_the_box_of_tokens_and_the_page_where_it_is(page):
    view = page(f"{HOT}&emb_tokeniser=characters&text={quote(FIRST * 6)}", reduced_motion="reduce")
    root = roll(view)
    chips = root.locator(".chips")
    expect(root).to_have_attribute("data-ids", re.compile(r"\d"))  # drawn
    n, share = chips.locator("button").count(), chips.evaluate("(box) => box.scrollHeight / box.clientHeight")
    assert share > 2
    inside = """(box) => {
        const [around, chip] = [box, box.querySelector('[aria-checked=true]')].map((x) => x.getBoundingClientRect());
        return chip.top >= around.top - 1 && chip.bottom <= around.bottom + 1;
    }"""
    assert chips.evaluate(inside), "the first one is not cut off at the top"
    page_at = view.page.evaluate("document.querySelector('[data-testid=stMain]').scrollTop")
    chips.locator("[aria-checked=true]").focus()
    for key, at in (("End", n - 1), ("ArrowLeft", n - 2), ("Home", 0)):
        chips.locator("[aria-checked=true]").press(key)
        expect(root).to_have_attribute("data-token", str(at))
        assert chips.evaluate(inside)
    assert view.page.evaluate("document.querySelector('[data-testid=stMain]').scrollTop") == page_at


@pytest.mark.wide
def test_on_a_phone_the_numbers_are_on_the_first_screen(page):
    view = page("emb_part=Look+up", reduced_motion="reduce", viewport={"width": 390, "height": 844})
    row = roll(view).locator(".row")
    expect(row.locator(".sky rect")).to_have_count(128)
    box = row.bounding_box()
    assert box["y"] + box["height"] < 844
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 390


def test_words_lie_mixed_until_a_guess_parts_them_and_then_another_word_is_asked_about(page):
    view = page("emb_part=Alike", reduced_motion="reduce")
    root = view.page.locator(".word-map")
    red = root.get_by_role("radio", name="red", exact=True)
    view.page.evaluate("document.fonts.ready")
    let_pass(view.page, 150)
    finding, act = root.locator(".finding"), root.locator(".headline .primary")
    expect(root).to_have_attribute("data-parted", "0.00")
    expect(finding).to_have_text("Which word will training bring closest to “blue”? Press it.")
    expect(root.locator(".link")).to_have_count(0)
    marks = root.locator(".stage > svg > path:not(.hull)")
    seen = "nodes => new Set(nodes.map(e => [e.getAttribute('d'), getComputedStyle(e).fill].join())).size"
    assert marks.evaluate_all(seen) == 1, "nothing tells one kind from another yet"
    for part in (".kind", ".hull"):
        expect(root.locator(part).first).to_be_hidden()
    before = red.bounding_box()
    boxes = root.locator(".stage [role=radio]").evaluate_all("all => all.map(e => e.getBoundingClientRect().x)")
    stage = root.locator(".stage").bounding_box()["width"]
    assert max(boxes) - min(boxes) > 0.8 * stage, "they fill the map"
    red.click()
    expect(root).not_to_have_attribute("data-parted", "0.00")
    expect(finding).to_contain_text("your “red” is")
    expect(finding).to_contain_text("nearest to “blue”")
    expect(root.locator(".thread")).to_have_count(1)
    expect(root).to_have_attribute("data-word", "blue")
    expect(root.locator(".kind")).to_have_text(["BOYS", "GIRLS", "THINGS", "COLOURS", "PLACES", "VERBS"])
    assert marks.evaluate_all(seen) == 6, "six kinds, each with a colour and a shape of its own"
    expect(root.locator(".hull").first).to_be_visible()
    assert red.bounding_box() != before
    expect(act).to_have_text("Ask me another")
    act.click()
    expect(root).to_have_attribute("data-parted", "0.00")
    expect(finding).to_contain_text("closest to “park”")
    expect(root.locator(".thread")).to_have_count(0)
    assert red.bounding_box() == before
    course = root.get_by_label("From before training to after")  # a hand leads the words, forth and back
    course.fill("0.5")
    expect(root).to_have_attribute("data-parted", "0.50")
    expect(finding).to_contain_text("move together")
    expect(root.locator(".kind").first).to_be_visible()
    view.page.set_viewport_size({"width": 1100, "height": 720})  # another width leaves them where they were led
    let_pass(view.page, 150)  # else it is seen before the map has another size
    expect(root).to_have_attribute("data-parted", "0.50")
    expect(course).to_have_value("0.5")
    view.page.set_viewport_size({"width": 1280, "height": 720})
    course.fill("1")
    expect(root).not_to_have_attribute("data-parted", "0.50")
    expect(finding).to_have_text(re.compile(r"^\d\d of 48 words are closest to one of their own kind\."))
    course.fill("0")
    expect(act).to_have_text("Part them")
    assert red.bounding_box() == before


@pytest.mark.wide
def test_the_map_shows_the_neighbours_of_a_word(page):
    view = page("emb_part=Alike&emb_near=blue", reduced_motion="reduce")
    root = view.page.locator(".word-map")
    words = root.locator(".stage [role=radio]")
    expect(words).to_have_count(48)
    assert words.evaluate_all(OVERLAPS) == [48, 0], "every word has a label, and none covers another"
    sent = len(view.sent)
    opens = root.get_attribute("data-word")
    assert root.locator(".link").count() == 6, "a line to each, wherever it stands"
    assert root.locator("circle.guest").count() == root.locator("text.guest").count() > 0
    expect(root.locator(".finding")).to_have_text("The six words nearest to “blue” are all colours.")
    expect(root.locator(".caption")).to_have_text(
        "Ring: here only as a neighbour of “blue”. A flat map distorts 128 dimensions: “green” is closer to “blue” than"
        " it looks."
    )
    near = root.locator("[role=radio].near").all_inner_texts()
    assert "green" in near
    assert "red" not in near, "though it lies closer on the map"
    dots = {
        word.inner_text(): word.bounding_box() for word in words.all() if word.inner_text() in ("red", "blue", "green")
    }
    far = {name: np.hypot(*(dots[name][x] - dots["blue"][x] for x in "xy")) for name in ("red", "green")}
    assert far["red"] < far["green"]
    red = root.get_by_role("radio", name="red", exact=True)
    red.hover()
    expect(root).to_have_attribute("data-word", "red")
    assert root.locator(".link").count() > 1
    view.page.mouse.move(5, 5)
    expect(root).to_have_attribute("data-word", opens)
    expect(view.page).not_to_have_url(re.compile("emb_near=(?!blue)"))
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
