"""First beats: a page opens at the beginning of what it shows, once in a browser; any key leads to its end.

Time stands still for films here, so that how quick a machine is plays no part.
"""

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.test_look import GO

# Frames are told that no time has passed, and a beat's own end never comes; a race takes its steps when a test says so.
HELD = """(() => {
    const [frame, later] = [requestAnimationFrame.bind(window), setTimeout.bind(window)];
    const every = setInterval.bind(window);
    window.setInterval = (act, ms, ...more) => {
        if (ms === 3000 / 7) ms = 1e8; // 3 seconds for 7 heads
        if (ms !== 230) return every(act, ms, ...more); // of the race
        window.stepRace = act;
        return 0;
    };
    window.requestAnimationFrame = (act) => frame(() => act(0));
    const beats = [1400, 1800, 2000, 2100, 2200, 2600, 3000];
    window.setTimeout = (act, ms, ...more) => later(act, beats.includes(ms) ? 1e8 : ms, ...more);
})()"""
BEATS = {
    "finetuning": ("/finetuning", ".continuations", "data-beat", "pull", None),
    "paint": ("/masks", ".mask-brush", "data-beat", "paint", None),
    "ways": ("/why?why_view=Cheaper+attention", ".few-pairs", "data-beat", "ways", None),
    "pair": ("/blocks?blocks_part=Modern+blocks", ".two-blocks", "data-beat", "pair", None),
    "scores": ("/attention", ".attention-steps", "data-beat", "scores", None),
    "read-on": ("/positions?pos_view=Too+far", ".read-on", "data-at", "8", "48"),
    "moves": ("/positions?pos_view=Other+ways", ".moved-words", "data-beat", "moves", None),
    "wall": ("/generation", ".next-word", "data-beat", "wall", None),
    "patches": ("/vision", ".patch-view", "data-beat", "patches", None),
    "file": ("/pretrained?pretrained_view=Bring+a+model", ".from-file", "data-beat", "file", None),
    "lens": ("/pretrained?pretrained_view=Lens", ".lens-columns", "data-beat", "lens", None),
    "mills": ("/attention?att_way=Make+q,+k,+v", ".three-mills", "data-beat", "mills", None),
    "mix": ("/attention?att_way=Mix", ".shares[data-figure]", "data-beat", "mix", None),
    "cut": ("/vision?vision_view=Cut+into+patches", ".patch-rows", "data-beat", "cut", None),
    "look-up": ("/embeddings?emb_part=Look+up", ".row-roll", "data-beat", "look-up", None),
    "bugs": ("/bugs", ".exhibit", "data-beat", "bugs", None),
    "brackets": ("/beyond", ".code-brackets", "data-beat", "brackets", None),
}


def expect_end(root: Locator, name: str, end: str | None) -> None:
    if end is None:
        expect(root).not_to_have_attribute(name, re.compile(".*"))
    else:
        expect(root).to_have_attribute(name, re.compile(f"^{end}$"))


@pytest.fixture
def opened(visit, server):
    def opened(path: str, **more: Any):
        page = visit(None, **more).page
        page.add_init_script(HELD)
        page.goto(server + path)
        return page

    return opened


@pytest.mark.parametrize("way", [list(BEATS)[k::4] for k in range(4)])
@pytest.mark.few(1)
def test_a_page_opens_at_its_beginning_once_and_a_key_leads_to_its_end(opened, server, way):
    """Pages are gone to within the app, which costs Chromium a quarter of a load; at last one is loaded anew."""
    page = opened("/words")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    for is_first in (True, False):
        for beat in way if is_first else way[:2]:
            path, root, name, start, end = BEATS[beat]
            page.evaluate(GO, server + path)
            if is_first:
                expect(page.locator(root)).to_have_attribute(name, start)
                page.keyboard.press("Shift")
            expect(page.locator(root)).to_be_visible()
            expect_end(page.locator(root), name, end)
    page.reload()
    expect(page.locator(root)).to_be_visible()
    expect_end(page.locator(root), name, end)


@pytest.mark.parametrize("beat", BEATS)
@pytest.mark.wide
def test_who_asks_for_less_motion_sees_the_whole_at_once(opened, beat):
    path, root, name, _, end = BEATS[beat]
    page = opened(path, reduced_motion="reduce")
    expect(page.locator(root)).to_be_visible()
    expect_end(page.locator(root), name, end)
    assert page.evaluate("name => localStorage.getItem(`seen ${name}`)", beat) is None


@pytest.mark.wide
@pytest.mark.parametrize("motion", ["no-preference", pytest.param("reduce", marks=pytest.mark.wide)])
def test_the_race_of_two_far_words_goes_tick_by_tick_and_rests_where_all_have_arrived(opened, motion):
    page = opened("/why?why_ends=0-11", reduced_motion=motion)
    race = page.locator(".race")
    counts = race.locator(".name strong")
    expect(counts).to_have_text(["12 steps", "6 steps", "3 steps", "1 step"])
    act = race.locator(".primary")
    expect(act).to_have_text("▶ Race")
    act.click()
    if motion == "no-preference":
        expect(act).to_have_text("❚❚ Pause")
        for tick in range(1, 13):
            expect(race.locator(".there")).to_have_count(sum(tick > steps for steps in (12, 6, 3, 1)))
            page.evaluate("stepRace()")
            expect(race).to_have_attribute("data-tick", str(tick))
    expect(counts).to_have_text(["12 steps", "6 steps", "3 steps", "1 step"])
    expect(act).to_have_text("▶ Race")
    assert race.locator(".way.on").count() == 12 + 6 + 3 + 1, "the whole way of each is drawn"


@pytest.mark.wide
def test_the_tower_comes_in_and_a_link_to_a_change_has_no_beat(opened, server):
    page = opened("/blocks?blocks_part=Modern+blocks")
    blocks = page.locator(".two-blocks[data-painted]")
    expect(blocks).to_have_attribute("data-beat", "pair")
    blocks.locator(".primary").click()  # a press in the beat is meant
    expect(blocks).not_to_have_attribute("data-beat", re.compile(".*"))
    expect(blocks.locator(".floor.up")).to_have_count(8)
    page.evaluate("localStorage.clear()")
    page.goto(f"{server}/blocks?blocks_part=Modern+blocks&blocks_pair=place")
    expect(blocks.locator(".card[data-name=place]")).to_have_attribute("aria-pressed", "true")
    expect(blocks).not_to_have_attribute("data-beat", re.compile(".*"))


@pytest.mark.wide
def test_the_name_of_a_kind_brings_its_words_nearer_and_they_keep_its_colour(visit):
    page = visit("/embeddings?emb_part=Alike&emb_near=blue", painted=False, reduced_motion="reduce").page
    words = page.locator(".word-map")
    hat = words.get_by_role("radio", name="hat", exact=True)
    some = [words.get_by_role("radio", name=name, exact=True) for name in ("red", "green", "yellow")]

    def width() -> float:
        places = [node.bounding_box()["x"] for node in some]
        return max(places) - min(places)

    expect(hat).not_to_have_class(re.compile("out"))
    before, colour = width(), some[0].evaluate("e => e.style.color")
    words.get_by_role("button", name="COLOURS").click()
    expect(words).to_have_attribute("data-zoomed", "colours")
    expect(hat).to_have_class(re.compile("out"))
    assert width() > 3 * before
    assert some[0].evaluate("e => e.style.color") == colour
    words.get_by_role("button", name="All kinds").press("Enter")
    expect(hat).not_to_have_class(re.compile("out"))
    assert width() == before


@pytest.mark.wide
def test_a_press_during_the_beat_ends_it_and_widens_the_window_by_one_word(opened):
    page = opened("/why?why_view=Cheaper+attention")
    root = page.locator(".few-pairs")
    act = root.locator(".primary")
    expect(act).to_have_text("Widen the window")
    act.click()
    expect(root).to_have_attribute("data-size", "5")
