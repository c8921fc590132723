"""The embeddings page in the hands of a person: merges scrubbed, rows picked, links, keyboard, nothing read as HTML."""

import json
import re
from urllib.parse import quote

import numpy as np
import pytest
import torch
from playwright.sync_api import expect

from lab.kit.controls.text_input import EXAMPLES
from lab.kit.models.references import Shipped
from pages.embeddings.data import shuffled_ids
from pages.embeddings.text import LEARN_FROM
from tests.browser.view import let_pass
from transformer.core.embeddings import TokenEmbedding
from transformer.training.byte_pairs import BytePairTokeniser

FIRST = EXAMPLES[0]
PAIRS = BytePairTokeniser.learn(LEARN_FROM, 100)
HOT = "emb_part=Look+up&weights=untrained"

# Time passes when a test says so, so that how quick a machine is plays no part: frames wait, pass(ms) lets them come,
# and release() gives the page its own time again.
HELD = """
    const own = [requestAnimationFrame, cancelAnimationFrame].map((one) => one.bind(window));
    const waiting = new Map();
    let [clock, last] = [performance.now(), 1e9];
    performance.now = () => clock;
    window.requestAnimationFrame = (act) => (waiting.set(++last, act), last);
    window.cancelAnimationFrame = (id) => waiting.delete(id) || own[1](id);
    const pass = (ms) => {
        clock += ms;
        const acts = [...waiting.values()];
        waiting.clear();
        for (const act of acts) act(clock);
    };
    const release = () => {
        delete performance.now;
        [window.requestAnimationFrame, window.cancelAnimationFrame] = own;
        for (const act of waiting.values()) requestAnimationFrame(act);
    };
"""


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
    return strip(view).get_by_role("button", name=f"Join {left} and {right}", exact=True)


@pytest.mark.few(1)
@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_a_seam_is_pressed_and_the_commonest_pair_becomes_one_token_wherever_it_stands(page, motion):
    """Of the pairs of the sentence, ␣t is the commonest in the text that is learned from."""
    view = page("emb_part=Cut", reduced_motion=motion)
    root, finding, sent = strip(view), strip(view).locator(".finding"), len(view.sent)
    expect_merges(view, 0)
    expect(finding).to_have_text(re.compile("^Which two letters stand side by side most often?"))
    expect(root.locator(".tree")).to_be_hidden()
    merge = PAIRS.merges[0]
    counts = root.locator(".seam:not([data-said='+'])")
    expect(counts).to_have_count(0)  # which pair is commonest is the question
    for left, right, of in (("m", "i", "twice"), ("r", "e", "8 times")):
        seam(view, left, right).first.click()
        expect(finding).to_have_text(f"{left} + {right}: {of}. Another pair is commoner, {merge.count} times: find it.")
    expect_merges(view, 0)
    right = seam(view, "␣", "t")
    assert root.locator(f".seam[data-said='{merge.count}']").count() == right.count() == 3
    said = [int(one.get_attribute("data-said")) for one in counts.all()]
    assert max(said) == merge.count, "once a hand has tried, every seam says how often its pair is there"
    box = right.first.bounding_box()
    assert min(box["width"], box["height"]) >= 24
    right.first.press("Enter")
    expect_merges(view, 1)
    expect(finding).to_have_text("␣ + t: 33 times, no pair more often. Now one token, ␣t, 3× in your sentence.")
    expect(root.locator(".fresh")).to_have_count(3)
    expect(root.locator(".fresh").first).to_be_focused()
    root.locator(".fresh").first.press("ArrowRight")
    expect(seam(view, "␣t", "o").first).to_be_focused()
    act = root.locator(".primary")
    for n in (2, 3, 4, 9):  # merges 5 to 8 are of pairs that the sentence has not
        act.click()
        expect_merges(view, n)
    expect(root.locator(".count")).to_contain_text("The four merges before this one were not in your sentence.")
    assert len(view.sent) == sent
    expect(view.page).to_have_url(re.compile("emb_step=9"))


@pytest.mark.wide
def test_scrubbing_through_the_merges_is_exact_and_costs_no_message(page):
    view = page()
    last = len(PAIRS.merges)
    expect_merges(view, 0)
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
    strip(view).locator(".primary").click()
    expect_merges(view, 1)


@pytest.mark.wide
def test_a_link_keeps_the_merge(page):
    view = page("emb_step=5")
    expect_merges(view, 5)
    merge = PAIRS.merges[4]
    expect(strip(view).locator(".finding")).to_have_text(
        f"␣ + s: {merge.count} times, no pair more often. Now one token, ␣s, though not in your sentence."
    )
    view.page.get_by_role("slider", name="Merges applied").press("End")
    view.page.wait_for_url(f"**emb_step={len(PAIRS.merges)}**")
    strip(view).locator(".primary").click()
    expect_merges(view, 0)
    expect(view.page).not_to_have_url(re.compile("emb_step"))


@pytest.mark.wide
def test_the_track_of_merges_and_the_tokens_stay_where_they_are_under_a_hand(page):
    root = strip(page("emb_part=Cut", reduced_motion="reduce"))
    track, first = root.get_by_role("slider"), root.locator(".tile").first
    before = track.bounding_box(), first.bounding_box()
    for at in (60, 20, 3):
        track.fill(str(at))
        expect(root).to_have_attribute("data-at", str(at))
        assert (track.bounding_box(), first.bounding_box()) == before


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
        written = [f"{x:.2f}".replace("-", "−") for x in table[ids[at]][:8].tolist()]
        assert root.locator(".eight text").all_text_contents() == written
        up = root.locator(".eight rect").evaluate_all("bars => bars.map((bar) => bar.classList.contains('positive'))")
        assert up == (table[ids[at]][:8] > 0).tolist()
        expect(root.locator(".more")).to_have_text("+56 more")
    chips.nth(0).press("ArrowRight")
    expect(root).to_have_attribute("data-token", "1")
    assert len(view.sent) == sent
    expect(view.page).to_have_url(re.compile(r"emb_token=1(&|$)"))
    view.page.reload()
    expect(root).to_have_attribute("data-token", "1")


@pytest.mark.wide
def test_a_word_grows_from_bytes_to_a_token_and_a_tile_is_a_way_to_its_merge(page):
    view = page("emb_step=92", reduced_motion="reduce")
    machine = strip(view)
    tree = machine.locator(".grown > div")
    word = " found"  # of all words of the sentence it takes most merges
    made = sorted(join.id for join in PAIRS.joins(word))
    expect(machine.locator(".tree g.token")).to_have_count(1)
    expect(tree).to_have_attribute("data-tokens", str(made[-1]))
    assert machine.locator(".tree .tile").count() == len(word) + len(made)
    slider = view.page.get_by_role("slider", name="Merges applied")
    slider.fill("0")
    expect(tree).to_be_hidden()
    for n in (60, 85):
        slider.fill(str(n))
        ids = PAIRS.first(n).encode(word)
        expect(machine.locator(".tree g.token")).to_have_count(len(ids))
        assert sorted(tree.get_attribute("data-tokens").split()) == sorted(map(str, ids))
        assert machine.locator(".of-word").count() == len(ids)
    sent = len(view.sent)
    ound = next(n for n, merge in enumerate(PAIRS.merges, 1) if PAIRS.label(merge.id) == "ound")
    machine.locator(f"[data-merge='{ound}']").press("Enter")
    expect_merges(view, ound)
    expect(machine.locator(".tree .fresh .label")).to_have_text("ound")
    slider.press("End")
    machine.locator(".chips button", has_text="␣blue").click()
    expect(tree).to_have_attribute("data-tokens", " ".join(map(str, PAIRS.encode(" blue"))))
    assert len(view.sent) == sent


@pytest.mark.wide
@pytest.mark.parametrize("text", ["déjà vu", "a", "   ", "supercalifragilistic", "👩‍🚀 x"])
def test_any_word_has_a_tree(page, text):
    view = page(f"text={quote(text)}&emb_step=92", reduced_motion="reduce")
    root = strip(view)
    expect(root.locator(".tile").first).to_be_visible()
    for chip in root.locator(".chips button").all():
        chip.click()
        assert root.locator(".tree g.token").count() == root.locator(".of-word").count() > 0
    expect(root.locator(".tree")).to_be_visible(visible=root.locator(".chips button").count() > 0)


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
def test_the_same_word_has_the_same_row_and_under_another_id_again(page, motion):
    view = page("emb_part=Look+up", reduced_motion=motion)
    root, act = roll(view), roll(view).locator(".primary")
    expect(act).to_have_text("Press the next “mia”")
    expect_row(root, 510)
    (bars, at) = root.locator(".eight text").all_text_contents(), root.get_attribute("data-at")
    assert len(bars) == 8
    expect(root.locator(".chips .lit")).to_have_count(1)
    expect(root.locator(".finding")).to_contain_text("And the next “mia”?")
    under = root.locator(".chips i")
    assert [id for id in under.all_inner_texts() if id] == ["510", "?"], "ids are seen once they are looked up"
    act.press("Enter")
    expect(root).to_have_attribute("data-token", "12")
    assert root.get_attribute("data-at") == at, "the roll stays where it is"
    assert root.locator(".eight text").all_text_contents() == bars
    expect(root.locator(".chips .lit")).to_have_count(2)
    expect(root.locator(".wires .wire")).to_have_count(2)
    expect(root.locator(".finding")).to_have_text(
        "“mia” again, id 510 again: the same 128 numbers, whatever stands around it."
    )
    assert [id for id in under.all_inner_texts() if id] == ["510", "510"]
    expect(act).to_have_text("Shuffle all ids")
    expect(act).to_be_focused()
    act.press("Enter")
    new = int(shuffled_ids(Shipped("stories"), (510,)).new[510])
    expect_row(root, new)
    expect(root.locator(".finding")).to_have_text(re.compile(f"^“mia” is {new} now, not 510"))
    assert root.locator(".eight text").all_text_contents() == bars
    assert root.locator(".chips .same i").all_inner_texts() == [str(new)] * 2
    expect(root.locator(".kept")).to_have_text("128 of 128 numbers are as before.")
    expect(view.page).to_have_url(re.compile(r"emb_ids=shuffled.*emb_token=12|emb_token=12.*emb_ids=shuffled"))
    expect(act).to_have_text("Put the ids back")
    view.page.reload()
    expect_row(root, new)
    act.click()
    expect_row(root, 510)
    expect(view.page).not_to_have_url(re.compile("emb_ids"))


@pytest.mark.wide
def test_hands_are_heard_while_rows_fly_and_while_the_roll_turns(page):
    view = page("emb_part=Look+up")
    root, act = roll(view), roll(view).locator(".primary")
    expect_row(root, 510)
    root.locator(".chips button").nth(12).click()
    expect(act).to_have_text("Shuffle all ids")
    press = "const press = (n) => root.querySelectorAll('.chips button')[n].click();"
    act_of = "const act = root.querySelector('.primary');"

    def expect_shown(n: int) -> None:
        ids = (root.get_attribute("data-ids") or "").split()
        expect_row(root, int(ids[n]))
        expect(root.locator(".wires .wire").first).to_be_attached()  # there are none while rows fly
        expect(root.locator(".chips i")).to_have_text(ids)

    flying = root.evaluate(f"""(root) => {{
        {HELD} {press} {act_of}
        act.click();
        pass(250);
        const seen = [act.textContent, root.querySelector('.finding').textContent];
        press(1);
        release();
        return seen;
    }}""")
    assert flying[0] == "Put the ids back", "a second press does not shuffle once more"
    assert "rows change their places" in flying[1], "they fly at the press"
    expect_shown(1)

    root.locator(".chips button").nth(12).click()
    expect_shown(12)
    turning = root.evaluate(f"""(root) => {{
        {HELD} {press} {act_of}
        act.click();
        pass(900);
        pass(120);
        const isTurning = root.dataset.turning !== undefined;
        press(3);
        release();
        return isTurning;
    }}""")
    assert turning
    expect_shown(3)
    assert root.get_attribute("data-ids").split()[0] == "510"

    before = int(root.get_attribute("data-at"))
    down = "table.dispatchEvent(new KeyboardEvent('keydown', { key: 'PageDown', bubbles: true }))"
    table = root.get_by_role("slider", name="The table")
    table.evaluate(f"(table) => {{ {HELD} {down}; pass(100); {down}; release(); }}")
    expect(root).to_have_attribute("data-at", str(before + 20))


@pytest.mark.wide
def test_a_link_and_the_setting_shuffle_the_ids_too(page):
    view = page("emb_part=Look+up&emb_ids=shuffled", reduced_motion="reduce")
    root = roll(view)
    expect(root.locator(".finding")).to_contain_text("not 510")
    view.page.get_by_role("button", name="Change the settings").first.click()
    view.page.get_by_role("radio", name="as learned").click()
    expect_row(root, 510)


@pytest.mark.wide
def test_the_roll_is_turned_by_hand_and_by_keys(page):
    view = page("emb_part=Look+up", reduced_motion="reduce")
    root = roll(view)
    table = root.get_by_role("slider", name="The table")
    expect_row(root, 510)
    table.press("ArrowDown")  # row 511 is that of the hat, which is in the text, too
    expect_row(root, 511)
    expect(root.locator(".finding")).to_contain_text("“hat” has id 511")
    expect(table).to_have_attribute("aria-valuetext", "row 511, hat")
    table.press("PageDown")
    expect(root).to_have_attribute("data-at", "521")
    table.press("ArrowDown")
    expect(root.locator(".finding")).to_contain_text("Row 522 is that of")
    expect(root.locator(".eight rect")).to_have_count(8)
    expect(root.locator(".eight text")).to_have_count(0)  # of these rows one knows steps, and no numbers
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
    expect(row.locator(".eight text")).to_have_count(8)
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
    expect(root.locator(".nearest li")).to_have_text(["?"] * 6)  # of the trained words
    expect(root.locator("h2")).to_have_text("blue")
    marks = root.locator(".stage > svg > path:not(.hull)")
    seen = "nodes => new Set(nodes.map(e => [e.getAttribute('d'), getComputedStyle(e).fill].join())).size"
    assert marks.evaluate_all(seen) == 1, "nothing tells one kind from another yet"
    for part in (".key", ".hull"):
        expect(root.locator(part).first).to_be_hidden()
    expect(root.locator(".key li")).to_have_text(["boys", "girls", "things", "colours", "places", "verbs"])
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
    expect(root.locator(".nearest .number").first).to_be_visible()
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
    expect(root.locator(".kept")).to_have_count(12)
    view.page.set_viewport_size({"width": 1100, "height": 720})  # another width leaves them where they were led
    let_pass(view.page, 150)  # else it is seen before the map has another size
    expect(root).to_have_attribute("data-parted", "0.50")
    expect(course).to_have_value("0.5")
    view.page.set_viewport_size({"width": 1280, "height": 720})
    course.fill("1")
    expect(root).not_to_have_attribute("data-parted", "0.50")
    expect(finding).to_contain_text("nearest to “park”")
    course.fill("0")
    expect(act).to_have_text("Part them")
    assert red.bounding_box() == before
    view.page.get_by_role("radio", name="matrix", exact=True).click()  # what shows the trained words has no other time
    expect(root).to_have_attribute("data-show", "matrix")
    expect(root).not_to_have_attribute("data-parted", "0.00")
    expect(finding).to_contain_text("nearest to “park”")
    expect(root.locator(".nearest .number").first).to_be_visible()


@pytest.mark.wide
def test_the_map_shows_the_neighbours_of_a_word(page):
    view = page("emb_part=Alike&emb_near=blue", reduced_motion="reduce")
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
    view.page.keyboard.press("Escape")
    view.page.get_by_role("radio", name="matrix").click()
    expect(root).to_have_attribute("data-show", "matrix")
    expect(root.locator("canvas")).to_be_visible()
    box = root.locator("canvas").bounding_box()
    assert box["width"] == pytest.approx(box["height"], abs=1), "square cells"
    root.locator("canvas").hover(position={"x": box["width"] * 0.99, "y": 2})
    expect(root.locator(".pair")).to_contain_text("tom and fixed: cosine")
