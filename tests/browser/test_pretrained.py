"""The page on pretrained models in a browser: MiniLM from its package."""

import io
import json
import re
from collections.abc import Callable
from urllib.parse import quote

import numpy as np
import pytest
from playwright.sync_api import Page, Route, expect

from attention_view import Packed, Picture, standalone
from lab.kit import story
from lab.kit.lessons import shelf
from tests.browser.view import View
from tests.waiting import until_holds
from transformer.training.tasks.storytelling.words import COLOURS

ANIMAL = "The animal didn't cross the street because it was too tired"
NAMED = {"name": "previous word", "layer": 1, "head": 0, "score": 0.5, "query": 1}


@pytest.mark.wide
def test_minilm_finds_what_it_stands_for(visit: Callable[..., View]) -> None:
    view = visit("/pretrained")
    view.expect(layer=3, head=1)
    tokens = view.tokens.all_inner_texts()
    assert tokens[view.cell[0]] == "it"
    assert tokens[view.cell[1]] == "animal"
    assert float(view.shown["value"]) > 0.5
    assert view.why["weight"] == pytest.approx(float(view.shown["value"]), abs=1e-4)  # out of its q and k
    sent = len(view.sent)
    view.thumb(0, 2).click()
    view.expect(layer=0, head=2)
    assert len(view.sent) == sent, "another head costs no message"


@pytest.mark.wide
def test_a_new_text_forgets_the_cell_of_the_old_one_and_says_the_strongest(visit: Callable[..., View]) -> None:
    view = visit("/pretrained?query=11&key=4", reduced_motion="reduce")
    finding = view.root.locator(".finding").first
    expect(finding).to_contain_text("“was” gives 0.01 of its attention to “'”")
    box = view.page.locator("[class*=st-key-sentence-row] input").first
    box.fill("The trophy didn't fit in the suitcase because it was too big")
    box.press("Enter")
    expect(finding).to_have_text(re.compile("“it” gives 0[.]5[0-9] of its attention to “trophy”"))
    expect(view.page).not_to_have_url(re.compile("key="))


@pytest.mark.wide
def test_on_a_phone_a_sentence_says_the_finding_and_threads_lead_from_line_to_line(visit: Callable[..., View]) -> None:
    view = visit("/pretrained", reduced_motion="reduce", viewport={"width": 390, "height": 844})
    finding, arcs = view.root.locator(".finding").first, view.root.locator(".arcs path")
    expect(finding).to_be_visible()
    expect(finding).to_contain_text("gives 0.64 of its attention to “animal”")
    expect(arcs.first).to_be_attached()
    ends = """path => [0, path.getTotalLength()].map((at) => {
        const { x, y } = path.getPointAtLength(at).matrixTransform(path.getScreenCTM());
        return [x, y];
    })"""
    key, query = sorted(arcs.last.evaluate(ends), key=lambda end: end[1])  # the strongest is drawn last
    boxes = [view.root.locator(".strip .chip", has_text=re.compile(f"^{word}$")) for word in ("animal", "it")]
    for (x, y), chip, side in zip((key, query), boxes, ("height", "top"), strict=True):
        box = chip.bounding_box()
        assert box["x"] <= x <= box["x"] + box["width"]
        assert abs(y - (box["y"] + (box["height"] if side == "height" else 0))) < 3
    view.tokens.nth(8).click()
    expect(finding).to_contain_text("“street” gives")


@pytest.mark.few(1)
def test_arcs_swing_under_the_hand_and_a_kind_of_head_that_is_pressed_is_found(visit: Callable[..., View]) -> None:
    """Over a head the arcs of all words are its own, and a lens lies beside it; what it does is told to whoever presses
    it, and has its place beside. All heads stand still until a map is asked for."""
    view = visit("/pretrained", reduced_motion="reduce")
    view.expect(layer=3, head=1)
    root, table, finding = view.root, view.root.locator(".map"), view.root.locator(".finding").first
    task, slots = root.locator(".heads h2"), root.locator(".slot")
    expect(table).to_be_hidden()
    expect(task).to_have_text("Find a head in which words look at the previous one.")
    expect(slots).to_have_text(["“it” looks at “animal”", "?", "?", "?"])
    lens = root.locator(".lens canvas")
    large, small, first = (one.bounding_box() for one in (lens, view.thumb(3, 1), view.thumb(0, 0)))
    assert large["width"] * large["height"] > 10 * small["width"] * small["height"]
    assert small["width"] >= 70, "all of the width is theirs"
    assert large["x"] >= first["x"] - 1, "the numbers of the layers are not covered"
    assert large["x"] >= small["x"] + 2 * small["width"], "the next head can be pointed at"
    for slot in slots.all():
        box = slot.bounding_box()
        assert box["y"] + box["height"] <= 720, "what heads do is on the first screen"
    sought, others, chosen = view.thumb(0, 2), root.locator(".arcs .other"), "In layer 3, head 1, “it” gives 0.64 of"
    expect(finding).to_contain_text(chosen)
    word = view.tokens.last.bounding_box()
    sought.hover()
    expect(finding).to_have_text("In layer 0, head 2, “it” gives 1.00 of its attention to “because”.")
    (_, y), box = _middle(sought), lens.bounding_box()
    assert box["x"] >= sought.bounding_box()["x"] + 2 * small["width"]
    assert box["y"] <= y <= box["y"] + box["height"]
    expect(others).to_have_count(14)  # of each but “it”, whose arcs are in front; of the first token a loop
    assert view.tokens.last.bounding_box() == word, "no word moves under the hand"
    view.tokens.nth(2).hover()
    expect(finding).to_contain_text("In layer 3, head 1, “animal” gives")
    finding.hover()
    expect(finding).to_contain_text(chosen)
    expect(view.page).not_to_have_url(re.compile("layer="))
    at = sought.bounding_box()
    view.thumb(2, 3).press("Enter")
    expect(task).to_have_text("Not this one: find a head in which words look at the previous one.")
    sought.press("Enter")
    expect(finding).to_contain_text("Layer 0, head 2 looks at the previous word in all 14 cases")
    expect(task).to_have_text("Find a head in which words rest on the first token.")
    expect(slots).to_have_text(["“it” looks at “animal”", "previous word", "?", "?"])
    slots.first.hover()
    expect(view.thumb(3, 1)).to_have_class("peeked")
    finding.hover()
    further = root.locator(".primary").first
    for _ in range(2):
        expect(further).to_have_text("Show me one")
        further.press("Enter")
    expect(task).to_have_text("All 4 kinds found. Type another sentence: the same heads?")
    expect(table).to_be_hidden()
    assert sought.bounding_box() == at
    box = view.page.locator("[class*=st-key-sentence-row] input").first
    box.fill("The trophy didn't fit in the suitcase because it was too big")
    box.press("Enter")
    expect(task).to_have_text(re.compile("^Other words, and [1-4] of these 4 heads do(es)? the same[.]$"))
    opens = root.get_by_role("button", name="Show this head’s map")
    opens.press("Enter")
    expect(table).to_be_visible()
    expect(opens).to_be_hidden()
    grid, last = root.locator(".grid").bounding_box(), view.thumb(0, 11).bounding_box()
    assert last["x"] + last["width"] < grid["x"], "they give room to the map"
    assert view.heat.first.bounding_box()["width"] > 300
    expect(root.locator(".hunt")).to_be_hidden()
    word = view.tokens.last.bounding_box()
    finding.evaluate("e => e.append(e.textContent)")  # as long as a sentence may get
    box = further.bounding_box()
    assert box["x"] + box["width"] <= 1280, "a long sentence never pushes the button out of the window"
    assert view.tokens.last.bounding_box() == word


@pytest.mark.wide
def test_a_button_goes_from_one_kind_of_head_to_the_next_and_says_what_each_does(visit: Callable[..., View]) -> None:
    view = visit("/pretrained", reduced_motion="reduce")
    view.expect(layer=3, head=1)
    root, finding = view.root, view.root.locator(".finding").first
    further = root.locator(".primary").first
    expect(further).to_have_text("Show me one")
    sent = len(view.sent)
    further.press("Enter")
    view.expect(layer=0, head=2)
    does = r"^Layer 0, head 2 looks at the previous word in (all|\d+ of) \d+ cases: “.+” gives 1.00 "
    expect(finding).to_have_text(re.compile(does))
    i, j = view.cell
    assert j == i - 1
    expect(root.locator(".thumbs [aria-pressed=true]")).to_have_attribute("aria-label", re.compile("^Layer 0, head 2"))
    expect(root.locator(".map")).to_be_hidden()  # all heads stand as they stood
    expect(further).to_be_focused()
    expect(view.page).to_have_url(re.compile("layer=0&head=2&.*map=away"))  # so its link does not open with the map
    further.press("Enter")
    expect(finding).to_contain_text("rests on the first token")
    further.press("Enter")
    view.expect(layer=1, head=8)
    expect(finding).to_have_text(
        re.compile("^Layer 1, head 8 (often )?looks at the next word .+ [0-9]+ of [0-9]+( cases|.): “.+” gives 0.9")
    )
    expect(further).to_have_text("Next kind of head")
    for _ in range(3):
        further.press("Enter")
    expect(finding).to_have_text("In layer 3, head 1, “it” gives 0.64 of its attention to “animal”.")
    assert len(view.sent) == sent, "a walk costs no message"
    view.thumb(2, 3).click()
    expect(root.locator(".map")).to_be_hidden()
    expect(finding).to_have_text(re.compile("^In layer 2, head 3, "))


@pytest.mark.wide
def test_a_link_that_names_a_head_opens_its_map(visit: Callable[..., View]) -> None:
    view = visit("/pretrained?layer=0&head=2")
    view.expect(layer=0, head=2)
    expect(view.root.locator(".map")).to_be_visible()


@pytest.mark.parametrize("press", ["the ringed head by the space bar", "the button", "a second head"])
@pytest.mark.wide
def test_a_map_that_is_there_comes_again_with_its_link(visit: Callable[..., View], press: str) -> None:
    """Also the head that the page opens with is named in the link once its map is there."""
    view = visit("/pretrained", reduced_motion="reduce")
    view.expect(layer=3, head=1)
    expect(view.root.locator(".map")).to_be_hidden()
    assert "layer" not in view.page.url
    if press == "the ringed head by the space bar":
        view.thumb(3, 1).press("Space")
    elif press == "the button":
        view.root.get_by_role("button", name="Show this head’s map").click()
    else:
        view.thumb(0, 2).click(modifiers=["Shift"])
    expect(view.root.locator(".map")).to_be_visible()
    expect(view.page).to_have_url(re.compile(r"layer=3&head=1"))
    title = view.root.locator(".map h2").inner_text()
    view.page.reload()
    view.expect(layer=3, head=1)
    expect(view.root.locator(".map")).to_be_visible()
    expect(view.root.locator(".map h2")).to_have_text(title)


@pytest.mark.wide
def test_two_heads_in_a_link_open_with_their_map(visit: Callable[..., View]) -> None:
    view = visit("/pretrained?with=0-2")
    expect(view.root.locator(".map h2")).to_have_text("Mean of 2 heads")
    expect(view.root.locator(".map h2")).to_be_visible()
    expect(view.root.locator(".arcs text")).to_have_text(re.compile(r"0\.\d\d"))  # no sentence says it


@pytest.mark.wide
def test_an_order_that_is_chosen_brings_the_map_and_so_does_its_link(visit: Callable[..., View]) -> None:
    """It is chosen in a narrow window, and stays when the window grows."""
    view = visit("/pretrained", viewport={"width": 760, "height": 900}, reduced_motion="reduce")
    view.root.get_by_role("button", name="Show this head’s map").click()
    view.root.get_by_role("button", name="More ways to draw heads").click()
    view.root.get_by_label("Order of the heads").select_option(index=1)
    expect(view.page).to_have_url(re.compile("sort="))
    view.page.set_viewport_size({"width": 1280, "height": 720})
    expect(view.root).to_have_class(re.compile(r"\bstaged\b"))
    expect(view.root.locator(".map")).to_be_visible()
    view.page.reload()
    view.expect(layer=3, head=1)
    expect(view.root.locator(".map")).to_be_visible()


@pytest.mark.wide
@pytest.mark.parametrize("tags", [(), (NAMED,)])
def test_where_heads_earn_no_name_the_map_is_there_at_once(show: Callable[..., Page], tags: tuple[dict, ...]) -> None:
    """Otherwise nothing would say that a press brings it."""
    words = ("a", "b", "c")
    packed = Packed(Picture(words, words, np.full((2, 2, 3, 3), 1 / 3, "f4"), tags=tags))
    page = show(standalone.page(packed.alone(staged="a model")))
    expect(page.locator(".attention-view")).to_have_class(re.compile(r"\bstaged\b"))
    expect(page.locator(".slot canvas:visible")).to_have_count(len(tags))
    expect(page.locator(".map")).to_be_visible(visible=not tags)


@pytest.mark.wide
def test_the_stop_on_the_famous_it_shows_the_map_of_both_sentences(visit: Callable[..., View]) -> None:
    """With the row of “it” in both, whose weights are those that the lesson says."""
    number, stop = next(
        (n, stop) for n, stop in enumerate(shelf.lesson("heads").stops, 1) if stop.heading == "The famous “it”"
    )
    view = visit(stop.link.address(lesson="heads", stop=number)[1:], painted=False, reduced_motion="reduce")
    view.page.locator(".st-key-lesson-no-guess button").click()
    view.expect(layer=3, head=1)
    expect(view.root.locator(".map")).to_be_visible()
    tokens = view.tokens.all_inner_texts()
    assert [tokens[n] for n in view.cell] == ["it", "animal"]
    assert f"{float(view.shown['value']):.2f}" in stop.say
    view.page.get_by_role("combobox", name="Sentence").click()
    view.page.get_by_role("option", name="too wide").click()
    expect(view.root.locator(".map")).to_be_visible()
    expect(view.tokens.nth(-2)).to_have_text("wide")
    view.expect(layer=3, head=1, query=10, key=2)  # the same cell
    assert stop.predict is not None
    assert f"{float(view.shown['value']):.2f}" in str(stop.predict)


@pytest.mark.wide
def test_the_text_stands_above_all_heads_with_the_arcs_of_one(visit: Callable[..., View]) -> None:
    """Layers stand on one another; the arcs below the text follow head and token, and the sentence says the weight."""
    view = visit("/pretrained", reduced_motion="reduce")
    view.expect(layer=3, head=1)
    tops = [view.thumb(layer, 0).bounding_box()["y"] for layer in range(6)]
    assert tops == sorted(tops, reverse=True)
    text = view.tokens.first.bounding_box()
    assert text["y"] + text["height"] < min(tops), "the text is above the last layer"
    assert text["height"] > 30
    assert view.root.get_by_role("button", name="hide special tokens").count() == 0, "it is behind “…”"
    expect(view.root.locator(".finding b.weight")).to_have_text(f"{float(view.shown['value']):.2f}")
    expect(view.root.locator(".arcs text")).to_have_count(0)  # said once
    looked_at, arcs = view.root.locator(".looked-at"), view.root.locator(".arcs > path")
    expect(looked_at).to_have_text("animal")
    widths = [float(arc.get_attribute("stroke-width") or 0) for arc in arcs.all()]
    assert widths == sorted(widths)
    assert max(widths) == pytest.approx(0.8 + 7 * float(view.shown["value"]), abs=0.06)
    view.thumb(0, 2).click()
    expect(looked_at).to_have_text("because")  # this head looks one token back
    assert arcs.count() == 1
    view.tokens.nth(2).click()
    expect(looked_at).to_have_text("the")


def test_a_file_that_is_pulled_fills_its_frame_head_by_head(visit: Callable[..., View], server: str) -> None:
    """Each head draws a thread from “chat” while the hand moves; back out of the frame they go into the file again."""
    page = visit(None, reduced_motion="reduce").page
    page.goto(f"{server}/pretrained?pretrained_view=Bring+a+model")
    figure = page.locator(".from-file")
    finding, act, threads = figure.locator(".finding"), figure.locator(".primary"), figure.locator(".cables path")
    expect(finding).to_have_text("Where do 72 heads look from “it”?")
    expect(figure.locator(".heads .away")).to_have_count(66)  # one column is out
    figure.locator(".primary").click()
    figure.locator(".primary").click()
    expect(finding).to_have_text("Cross-attention: 4 of 8 heads look from “chat” at “cat”; 3 at “black”.")
    boxes = figure.evaluate("""(figure) => ["page", "cells", "frame"].map((name) => {
        const { left, top, width, height } = figure.querySelector(`.${name}`).getBoundingClientRect();
        return [left, top, width, height];
    })""")
    (left, top, wide, tall), (x, y, width, height), frame = boxes
    assert frame[1] + frame[3] <= 720
    page.mouse.move(left + wide / 2, top + tall / 3)
    page.mouse.down()
    page.mouse.move(x + width / 2, y + height / 2, steps=4)
    expect(finding).to_contain_text("of 4 heads look from “chat” at “")
    expect(figure.locator(".heads .away")).to_have_count(4)
    expect(threads).to_have_count(4)
    page.mouse.move(x, y + height / 2, steps=4)
    expect(figure.locator(".heads .away")).to_have_count(8)
    expect(threads).to_have_count(0)
    page.mouse.move(x + width / 4, y + height / 2, steps=4)
    page.mouse.up()
    expect(finding).to_have_text("Cross-attention: 4 of 8 heads look from “chat” at “cat”; 3 at “black”.")
    expect(threads).to_have_count(8)
    expect(act).to_have_text("Next file")
    act.click()
    all_of_it = "53 of 72 heads look from “it” at “[CLS]”, which is no word; only 3 at “animal”."
    expect(finding).to_have_text(all_of_it)
    expect(figure.locator(".heads .away")).to_have_count(0)
    expect(threads).to_have_count(71)  # and one head looks from “it” at itself
    expect(figure.locator(".heads .also")).to_have_count(3)
    expect(act).to_have_text("Next file")
    expect(figure.locator(".in b")).to_have_text("tired.safetensors")
    expect(figure.locator(".hint")).to_be_hidden()
    head = figure.get_by_role("radio", name="layer 3, head 1", exact=True)
    head.hover()
    expect(finding).to_have_text("Layer 3, head 1: “it” looks most at “animal”, 0.64.")
    expect(figure.locator(".arcs g:last-child path").last).to_have_attribute("stroke-width", "5.5")
    words = figure.get_by_role("radiogroup", name="Words that look")
    words.get_by_role("radio", name="tired").hover()
    expect(finding).to_contain_text("58 of 72 heads look from “tired” at “[CLS]”")
    act.hover()
    expect(finding).to_have_text(all_of_it)
    head.click()
    head.press("ArrowDown")  # to the layer below
    expect(figure.locator(".heads [aria-checked=true]")).to_have_accessible_name("layer 2, head 1")
    expect(page).to_have_url(re.compile("pretrained_lit=25(&|$)"))
    words.get_by_role("radio", name="street").click()
    words.get_by_role("radio", name="street").press("ArrowRight")
    expect(finding).to_contain_text("heads look from “because” at")
    expect(page).to_have_url(re.compile("pretrained_asks=9"))
    page.reload()
    expect(finding).to_contain_text("of 72 heads look from “because” at")  # a link opens with all heads


@pytest.mark.wide
def test_the_lines_of_python_open_over_the_heads_and_close_by_a_key(visit: Callable[..., View], server: str) -> None:
    page = visit(None, reduced_motion="reduce").page
    page.goto(f"{server}/pretrained?pretrained_view=Bring+a+model")
    steps = page.locator(".from-file")
    how, lines = steps.locator("summary"), steps.get_by_role("region", name="Lines of Python")
    expect(how).to_have_text("Make one: 15 lines of Python")
    expect(lines).to_be_hidden()
    how.press("Enter")
    expect(lines).to_be_visible()
    first = lines.locator("pre").first
    assert len(first.inner_text().strip().split("\n")) == 15
    assert first.evaluate("(node) => node.scrollWidth <= node.clientWidth"), "no line is cut"
    expect(lines).to_contain_text("softmax")
    expect(lines).to_contain_text(".npz, .npy or .safetensors, up to 64 MB")
    how.press("Escape")
    expect(lines).to_be_hidden()
    expect(how).to_be_focused()


# A file that hangs over the window, or is let go there, as browsers tell of it.
DRAGGED = """([kind, name, bytes]) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([Uint8Array.from(bytes)], name));
    document.body.dispatchEvent(new DragEvent(kind, { dataTransfer, bubbles: true, cancelable: true }));
}"""


@pytest.mark.wide
def test_a_file_that_is_dragged_is_asked_for_and_what_came_of_it_is_heard(visit: Callable[..., View], server: str):
    page = visit(None).page
    page.goto(f"{server}/pretrained?pretrained_view=Bring+a+model")
    steps = page.locator(".from-file")
    heard = steps.get_by_role("status")
    expect(steps).to_have_attribute("data-file", "tired.safetensors")
    page.evaluate(DRAGGED, ["dragover", "mine.npz", []])
    expect(steps).to_have_attribute("data-over", "true")
    page.evaluate(DRAGGED, ["dragleave", "mine.npz", []])
    expect(steps).to_have_attribute("data-over", "false")
    page.evaluate(DRAGGED, ["drop", "model.pt", [1, 2]])
    expect(heard).to_contain_text("“model.pt” cannot be shown: it is no .npz")
    arrays = io.BytesIO()
    np.savez(arrays, attention=np.full((2, 3, 4, 4), 0.25, np.float32))
    page.evaluate(DRAGGED, ["dragover", "mine.npz", []])
    page.evaluate(DRAGGED, ["drop", "mine.npz", [*arrays.getvalue()]])
    expect(steps).to_have_attribute("data-file", "mine.npz")
    expect(heard).to_have_text("“mine.npz” is open: 6 heads, 4 tokens.")
    expect(steps).to_have_attribute("data-over", "false")


@pytest.mark.wide
def test_an_example_file_is_opened_and_then_the_next(visit: Callable[..., View], server: str) -> None:
    """What the fold below shows at full size is the same file; the address names it."""
    page = visit(None, reduced_motion="reduce").page
    page.goto(
        f"{server}/pretrained?pretrained_view=Bring+a+model&pretrained_bring_file=true&pretrained_example=example.npz"
    )
    steps, act = page.locator(".from-file"), page.locator(".from-file .primary")
    finding = steps.locator(".finding")
    expect(page.get_by_text("This is an example, example.npz", exact=False)).to_be_visible()
    expect(act).to_have_text("Next file")  # what a link names is in
    expect(finding).to_have_text("Cross-attention: 4 of 8 heads look from “chat” at “cat”; 3 at “black”.")
    expect(steps.locator(".in")).to_contain_text("3 kinds of attention, 24 heads")
    expect(steps.locator(".words").first).to_contain_text("le petit chat noir", use_inner_text=True)
    expect(steps.locator(".words").last).to_contain_text("the little black cat", use_inner_text=True)
    expect(steps.locator(".arcs path")).to_have_count(8)
    steps.get_by_text("the encoder", exact=True).click()
    expect(finding).to_contain_text("The encoder: ")
    expect(page).to_have_url(re.compile("pretrained_kind_drawn=encoder"))
    page.reload()
    expect(finding).to_contain_text("The encoder: ")
    steps.get_by_text("cross-attention", exact=True).click()
    steps.get_by_role("radio", name="layer 1, head 2").click()
    expect(finding).to_have_text("Cross-attention: layer 1, head 2: “chat” looks most at “cat”, 1.00.")
    expect(page).to_have_url(re.compile("pretrained_lit=6"))
    page.reload()
    expect(finding).to_contain_text("layer 1, head 2: “chat”")
    act.click()
    expect(act).to_be_focused()
    expect(steps).to_have_attribute("data-file", "tired.safetensors")
    expect(page.get_by_text("This is an example, tired.safetensors", exact=False)).to_be_visible()
    expect(page).not_to_have_url(re.compile("pretrained_example"))
    page.goto(f"{server}/pretrained?pretrained_view=Bring+a+model&pretrained_example=garden.safetensors")
    expect(steps).to_have_attribute("data-file", "tired.safetensors")  # an old link opens the page


@pytest.mark.wide
def test_a_file_of_ones_own_opens_in_the_figure_with_one_press(visit: Callable[..., View], server: str) -> None:
    """An example takes its place, and it comes back after the last one. A bad file leaves what was there."""
    page = visit(None, reduced_motion="reduce").page
    page.goto(f"{server}/pretrained?pretrained_view=Bring+a+model")
    steps = page.locator(".from-file")
    expect(steps).to_have_attribute("data-file", "tired.safetensors")
    with page.expect_file_chooser() as chooser:
        steps.get_by_role("button", name="open one").click()
    arrays = io.BytesIO()
    weights = np.full((1, 2, 3, 3), 0.1, np.float32) + 0.7 * np.eye(3, dtype=np.float32)
    weights[0, 1] = [[0.8, 0.1, 0.1], [0.05, 0.9, 0.05], [0.1, 0.8, 0.1]]
    np.savez(arrays, attention=weights, tokens=json.dumps(["<b>so</b>", "be", "it"]))
    chooser.value.set_files({"name": "mine.npz", "mimeType": "", "buffer": arrays.getvalue()})
    finding = steps.locator(".finding")
    expect(finding).to_have_text("Your file: 1 of 2 heads looks from “it” at itself; 1 at “be”.")
    expect(steps.locator(".words").last).to_contain_text("<b>so</b>")
    expect(steps.locator(".heads button")).to_have_count(2)
    steps.locator(".heads button").last.click()
    expect(finding).to_have_text("Your file: layer 0, head 1: “it” looks most at “be”, 0.80.")
    steps.locator(".primary").click()
    expect(steps).to_have_attribute("data-file", "tired.safetensors")
    for name in ("example.npz", "mine.npz"):
        steps.locator(".primary").click()
        expect(steps).to_have_attribute("data-file", name)
    way_in, limits = page.locator(".st-key-own-upload input[type=file]"), steps.locator(".asks")
    way_in.set_input_files({"name": "bad.npz", "mimeType": "", "buffer": b"\x80\x04pickle"})
    expect(limits).to_contain_text("“bad.npz” cannot be shown: ")
    expect(steps).to_have_attribute("data-file", "mine.npz")
    way_in.set_input_files({"name": "model.pt", "mimeType": "", "buffer": b"any"})
    expect(limits).to_contain_text("“model.pt” cannot be shown: it is no .npz")
    held: list[Route] = []
    page.route("**/upload_file/**", lambda one: held.append(one) if one.request.method == "PUT" else one.continue_())
    way_in.set_input_files({"name": "slow.npz", "mimeType": "", "buffer": arrays.getvalue()})
    expect(limits).to_have_text("Reading “slow.npz” …")
    expect(steps).to_have_attribute("data-file", "mine.npz")
    chip = page.locator(".st-key-own-upload [data-testid=stFileChip]").first  # wears this where the file is lost
    chip.evaluate("(node) => node.setAttribute('aria-invalid', 'true')")
    expect(limits).to_have_text("“slow.npz” did not reach the server. Please try again.")
    held[0].continue_()
    page.unroute("**/upload_file/**")
    expect(steps).to_have_attribute("data-file", "slow.npz")
    steps.locator(".primary").click()
    expect(limits).to_have_text("Drop yours here")
    expect(steps).to_have_attribute("data-file", "tired.safetensors")
    page.get_by_role("radio", name="Heads", exact=True).click()
    expect(steps).to_have_count(0)
    page.get_by_role("radio", name="Bring a model").click()
    expect(steps).to_have_attribute("data-file", "tired.safetensors")  # which the fold below has, too
    way_in.set_input_files({"name": "mine.npz", "mimeType": "", "buffer": arrays.getvalue()})
    expect(steps).to_have_attribute("data-file", "mine.npz")  # the same file again


@pytest.mark.wide
def test_a_model_that_is_pressed_says_what_it_is_for_and_where_its_button_leads(
    visit: Callable[..., View], server: str
) -> None:
    page = visit(None, reduced_motion="reduce").page
    page.goto(f"{server}/pretrained?pretrained_view=Bring+a+model")
    skyline = page.locator(".model-skyline")
    models = skyline.get_by_role("radio")
    expect(models).to_have_count(8)
    named = [model.get_attribute("aria-label") or "" for model in models.all()]
    expect(skyline.locator(".act")).to_be_hidden()
    models.nth(0).click()
    expect(skyline.get_by_role("heading")).to_have_text(named[0].split(",")[0])
    expect(skyline.locator(".act")).to_have_text(re.compile("^Download .* MB$"))
    expect(page).to_have_url(re.compile("pretrained_shown="))
    pixels = """(models) => models.map((model) => {
        const { width, height } = model.querySelector('svg').getBBox();
        const scale = model.querySelector('svg').getBoundingClientRect().width / (width + 2);
        return [width * scale, height * scale];
    })"""
    sizes = dict(zip([one.split(",")[0] for one in named], models.evaluate_all(pixels), strict=True))
    assert sizes["SmolLM2"][1] == pytest.approx(5 * sizes["MiniLM"][1], rel=0.03), "30 layers, and 6"
    assert sizes["MiniLM"][0] == pytest.approx(4 * sizes["DeiT tiny"][0], rel=0.03), "12 heads per layer, and 3"
    models.nth(0).press("ArrowRight")
    expect(skyline.get_by_role("heading")).to_have_text("MiniLM")
    skyline.get_by_role("button", name="Open in Heads").click()
    expect(page.get_by_test_id("stMain").get_by_role("radio", name="Heads", exact=True)).to_be_checked()


HUNT = "/pretrained?pretrained_view=Which+head%3F&weights=trained+on+stories"


# How many points of threads lie on the middle of a word's height.
STRUCK = """(hunt) => {
    const boxes = [...hunt.querySelectorAll('.token')].map((token) => token.getBoundingClientRect());
    const isOn = ({ x, y }) => boxes.some(({ left, right, top, height }) =>
        x > left && x < right && y > top + 0.25 * height && y < top + 0.75 * height);
    return [...hunt.querySelectorAll('.threads path')].flatMap((path) =>
        Array.from({ length: Math.ceil(path.getTotalLength() / 3) }, (_, n) =>
            path.getPointAtLength(3 * n).matrixTransform(path.getScreenCTM()))).filter(isOn).length;
}"""


# How long the bar is, in pixels, and how large the word is written.
LOUD = """(hunt) => [hunt.querySelector('.sure .bar i').getBoundingClientRect().width,
    parseFloat(getComputedStyle(hunt.querySelector('.word b')).fontSize)]"""


def test_heads_are_taken_out_together_and_nine_of_twelve_can_go(visit, server: str) -> None:
    """Each press is seen: the head falls and leaves a hole, the bar and the word shrink, and what it cost stays."""
    page = visit(None, reduced_motion="reduce").page
    page.goto(server + HUNT)
    hunt = page.locator(".head-hunt")
    verdict, act, word = hunt.locator(".finding"), hunt.locator(".primary"), hunt.locator(".word")
    heads, told, out = hunt.locator(".head"), hunt.locator(".head:not(.untold)"), hunt.locator("[aria-pressed=true]")
    expect(verdict).to_have_text("It says “jack”. How many of its 12 heads can you take out?")
    expect(heads).to_have_count(12)
    expect(told).to_have_count(0)
    expect(out).to_have_count(0)
    expect(hunt.locator(".threads path")).not_to_have_count(0)
    heads.nth(3).hover()
    expect(hunt.locator(".token.to")).to_have_text("jack")
    expect(hunt.locator(".where")).to_contain_text("From “to”, head 3 of layer 2 looks most at “jack”")
    assert hunt.evaluate(STRUCK) == 0, "a thread to a word two lines up goes around the words between"
    whole, letters = hunt.evaluate(LOUD)
    expect(hunt.locator(".marks i")).to_have_text(["90%", "99%", "99.9%", "99.99%"])
    heads.nth(0).click()  # the layers stand on one another: this is the first head of layer 2
    expect(verdict).to_have_text(re.compile("^Without head 0 of layer 2, it still says “jack”, 99.* sure.$"))
    until_holds(lambda: hunt.evaluate(LOUD)[0] < 0.7 * whole)
    assert hunt.evaluate(LOUD)[1] < 0.8 * letters, "one sees what a press costs, however sure it still is"
    heads.nth(5).click()
    expect(verdict).to_have_text(re.compile("^Without 2 of its 12 heads, it still says “jack”, 9.% sure.$"))
    expect(act).to_have_text("Show how many")
    heads.nth(3).click()
    expect(verdict).to_have_text("Without 3 of its 12 heads, it says “f…”, a piece of a word. One too many!")
    expect(word).to_have_text("jack f…")
    expect(told.locator(".moves")).to_have_text([re.compile(f"^cost {n}") for n in ("0", "9", "[1-9]%")])
    expect(page).to_have_url(re.compile("pretrained_study_head=1%C2%B71[+]2%C2%B70[+]2%C2%B73"))
    act.click()  # put it back
    expect(word).to_have_text("jack")
    expect(told).to_have_count(2)  # what it cost is gone
    expect(out).to_have_count(2)
    act.click()
    expect(verdict).to_have_text("9 of 12 heads are gone, and it still says “jack”! Any 10 would be too many.")
    expect(out).to_have_count(9)
    assert heads.first.bounding_box()["width"] >= 114, "half as large again as under the other lights"
    act.click()
    expect(verdict).to_have_text("It says “tina”. How many of its 12 heads can you take out?")


@pytest.mark.wide
def test_a_link_opens_with_heads_out_and_keys_go_among_them(visit, server: str) -> None:
    page = visit(None, reduced_motion="reduce").page
    page.goto(f"{server}{HUNT}&pretrained_study_head=0·0+2·3")
    hunt = page.locator(".head-hunt")
    verdict, out = hunt.locator(".finding"), hunt.locator("[aria-pressed=true]")
    expect(verdict).to_contain_text("Without 2 of its 12 heads, it says “")
    expect(hunt.locator(".head:not(.untold)")).to_have_count(0)  # which nobody has tried here
    hunt.get_by_role("button", name="Put all back").click()
    expect(out).to_have_count(0)
    expect(page).not_to_have_url(re.compile("pretrained_study_head"))
    hunt.locator(".head").nth(8).focus()
    page.keyboard.press("ArrowUp")
    expect(hunt.locator(".where")).to_contain_text("head 0 of layer 1 looks most at")
    page.keyboard.press("Enter")
    expect(verdict).to_contain_text("Without head 0 of layer 1, it still says “jack”")


@pytest.mark.wide
def test_a_head_that_is_pressed_is_carried_into_the_other_text(visit: Callable[..., View], server: str) -> None:
    """The strongest one brings the first text's answer; another leaves the second text its own."""
    page = visit(None, reduced_motion="reduce").page
    page.goto(f"{server}/pretrained?pretrained_view=Which+head%3F&pretrained_head_light=Patch")
    stage = page.locator(".head-stage")
    verdict, heads = stage.locator(".finding"), stage.locator(".head")
    found = re.compile(r"^Head \d of layer \d carries \d+% of the difference, and “ball” becomes “hat”\.$")
    expect(verdict).to_have_text(found)
    expect(stage.locator(".others")).to_have_text("Whichever other head is carried over, it still says “ball”.")
    expect(stage.locator(".differs")).to_have_text(["red", "blue"])
    expect(stage.locator(".second .blank")).to_have_text("ball hat")
    expect(stage.locator("button.layer")).to_have_count(0)
    stage.get_by_role("button", name="Carry over the next head").click()
    expect(verdict).to_contain_text("and it still says “ball”.")
    stage.locator(".head[aria-pressed=true]").click()
    expect(verdict).to_have_text("After the second text, with no head carried over, it says “ball”.")
    stage.get_by_role("button", name="Carry over the strongest head").click()
    expect(verdict).to_have_text(found)
    weak = min(
        range(12), key=lambda n: abs(float(heads.nth(n).locator(".moves").inner_text().strip("<>%").replace("−", "-")))
    )
    heads.nth(weak).click()
    expect(verdict).to_contain_text("and it still says “ball”.")
    place = heads.nth(weak).get_attribute("data-place").split("-")
    expect(page.get_by_text(f"Where head {place[1]} of layer {place[0]} looks")).to_be_visible()  # the server has heard


def test_a_handle_is_pulled_up_the_layers_and_the_answer_comes_only_at_the_top(visit):
    page = visit("/pretrained?pretrained_view=Lens", painted=False, reduced_motion="reduce").page
    lens = page.locator(".lens-columns")
    words, rows, handle = lens.locator(".text [role=radio]"), lens.locator(".rows li"), lens.get_by_role("slider")
    finding, told, following = lens.locator(".finding"), rows.locator(".word b"), lens.locator(".next")
    expect(words).to_have_count(21)
    expect(finding).to_have_text("How high must “was” climb to know what comes next?")
    expect(told).to_have_text(["", "", "", re.compile("^was")])  # from the last layer downwards
    expect(following).to_have_text("?")  # not "was was"
    ground = "(node) => getComputedStyle(node).backgroundColor"
    before = words.last.evaluate(ground)
    words.last.hover()
    assert words.last.evaluate(ground) == before, "its white letters stay on a dark ground"
    (x, y), row = _middle(handle), rows.first.bounding_box()["height"]
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x, y - 1.9 * row, steps=6)
    expect(finding).to_have_text(re.compile(r"^Stopped after layer 1, it would say “(\w+)”, \d+% sure\. Higher!$"))
    colour = re.match(r"\w+?(?=[<\d])", told.nth(1).text_content())[0]
    assert colour in COLOURS
    expect(following).to_have_text(colour)  # the text goes on with it
    strips = rows.locator(".word").evaluate_all(
        "some => some.map((one) => one.lastChild.getBoundingClientRect().right)"
    )
    assert max(strips) - min(strips) < 1, "each row is filled to its end"
    small, large = (told.nth(n).evaluate("node => parseFloat(getComputedStyle(node).fontSize)") for n in (1, 2))
    assert large >= 1.5 * small >= 1.5 * 24, "a word is as large as it is likely"
    expect(rows.nth(1).locator(".rival")).to_have_count(3)
    page.mouse.move(x, y - 4 * row, steps=6)
    page.mouse.up()
    expect(finding).to_have_text(f"Only the last layer says “blue”: one layer below, it would have said “{colour}”.")
    column = [re.compile(f"^{word}[>0-9]") for word in ("blue", colour, "was", "was")]
    expect(told).to_have_text(column)
    expect(following).to_have_text("blue")
    expect(lens.locator(".rows .final")).to_have_count(1)
    assert rows.last.bounding_box()["y"] + row <= 720
    expect(page).to_have_url(re.compile("pretrained_lens_height=3"))
    page.reload()
    expect(told).to_have_text(column)
    handle.press("ArrowDown")
    expect(handle).to_have_attribute("aria-valuetext", f"layer 1: {colour}")
    act = lens.locator(".primary")
    act.click()
    expect(finding).to_have_text("How high must “was” climb to know what comes next?")
    expect(lens.get_by_role("radio", checked=True)).to_have_text("was")
    expect(page).to_have_url(re.compile("pretrained_lens_token=15"))
    for _ in range(3):
        expect(act).to_have_text("One layer up")
        expect(lens.locator(".final")).to_have_count(0)  # which word is the answer, the top alone tells
        act.click()
    expect(lens.locator(".rows .final")).to_have_count(2)
    expect(finding).to_have_text("Up to layer 0 it repeats “was”. From layer 1 on it says “the”.")
    expect(act).to_have_text("How high must each climb?")
    act.click()
    expect(finding).to_have_text(
        re.compile("^[0-9]+ of 21 tokens must climb to the top[.] Only “.+” and “.+” know earlier[.]$")
    )
    expect(lens.locator(".text i:visible")).to_have_count(21)
    expect(act).to_have_text("Go on to “the”")


@pytest.mark.wide
def test_every_token_can_be_read_out_and_a_link_brings_it_back(visit):
    link = f"/pretrained?pretrained_view=Lens&pretrained_lens_text={quote(story.TEXT)}"
    page = visit(link, painted=False, reduced_motion="reduce").page
    page.get_by_role("radio", name="took", exact=True).click()
    page.wait_for_url("**pretrained_lens_token=14**")
    again = visit("/" + page.url.split("/", 3)[3], painted=False, reduced_motion="reduce").page
    lens = again.locator(".lens-columns")
    took = again.get_by_role("radio", name="took", exact=True)
    expect(took).to_be_checked()
    took.press("ArrowRight")
    expect(lens).to_have_attribute("data-shown", re.compile('"token":15,'))
    expect(again.get_by_role("radio", name="the", exact=True)).to_be_focused()


def _middle(node):
    box = node.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


@pytest.mark.wide
def test_a_head_that_is_touched_shows_where_it_finds_what_it_is_asked_for(visit: Callable[..., View], server: str):
    """What is added has its sign in bars and threads; what came next the first time is one place on, below."""
    page = visit(None, reduced_motion="reduce").page
    page.goto(f"{server}/pretrained?pretrained_view=Which+head%3F&pretrained_head_light=Attribute")
    stage = page.locator(".head-finds")
    verdict, heads, threads = stage.locator(".finding"), stage.locator(".head"), stage.locator(".threads path")
    found = re.compile(r"^Head 0 of layer 2 adds \+\d\.\d\d to the lead of “hat” over “ball”\.$")
    expect(verdict).to_have_text(found)
    expect(stage.locator(".others")).to_contain_text("The other 11 heads together add +")
    expect(stage.locator(".token.to")).to_have_text("hat")
    expect(stage.locator(".network")).to_have_count(3)
    assert threads.evaluate_all("all => all.map((e) => e.getAttribute('class'))").count("above") == 1
    expect(heads).to_have_count(12)
    heads.nth(8).click()  # the layers stand on one another: this is the first head of layer 0
    expect(verdict).to_contain_text("Head 0 of layer 0 adds")
    expect(heads.nth(8)).to_have_attribute("aria-pressed", "true")
    page.wait_for_url("**pretrained_study_head=0*")
    page.get_by_text("Repetition", exact=True).click()
    expect(verdict).to_contain_text("of its attention on what came next the first time.")
    heads.nth(4).focus()  # the first head of layer 0, of two layers
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    expect(verdict).to_have_text(re.compile(r"^Head 0 of layer 1 puts 9\d% of its attention on"))
    expect(stage.locator(".others")).to_contain_text("4 of the 8 heads put more than 40% there, all in layer 1")
    expect(stage.locator(".twice p")).to_have_count(2)
    expect(threads.first).to_be_attached()
    assert threads.count() >= 8


@pytest.mark.wide
def test_the_heads_that_find_more_than_any_distance_are_framed(visit: Callable[..., View], server: str):
    page = visit(None, reduced_motion="reduce").page
    link = "/pretrained?pretrained_view=Which+head%3F&pretrained_head_light=Grammar&weights=trained+to+translate"
    page.goto(server + link)
    stage = page.locator(".head-finds")
    expect(stage.locator(".finding")).to_have_text(
        "Head 2 of layer 0 looks from an article to its noun in 99% of 86 cases."
    )
    beside = float(stage.locator(".bars li", has_text="always").locator(".share").inner_text().rstrip("%"))
    for head in stage.locator(".head").all():
        share = float(head.locator(".moves").inner_text().rstrip("%"))
        assert ("strong" in head.get_attribute("class")) == (share > beside), head.get_attribute("aria-label")
    assert stage.locator(".token.right").count() >= 1
    stage.get_by_role("button", name="Next: adjective → its noun").click()
    expect(stage.locator(".finding")).to_contain_text("looks from an adjective to its noun")
    expect(page).to_have_url(re.compile("pretrained_grammar=adjective"))


@pytest.mark.wide
@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("light", "lede"),
    [
        ("Patch", "does the answer follow"),
        ("Attribute", "from which words"),
        ("Repetition", "which head looks at what came next the first time"),
        ("Grammar", "Grammar ties an article"),
    ],
)
def test_each_light_says_what_a_press_shows_and_its_columns_have_numbers(
    visit: Callable[..., View], light: str, lede: str
) -> None:
    link = f"/pretrained?pretrained_view=Which+head%3F&pretrained_head_light={light}"
    page = visit(link, painted=False, reduced_motion="reduce").page
    names = page.locator(".row.names span:not(.layer)")
    expect(names.first).to_be_visible()
    expect(page.locator(".headline .primary")).to_be_visible()
    places = [
        round(page.locator(name).bounding_box()["y"]) for name in (".headline", ".map", ".answer", ".lab > .text")
    ]
    assert places[1] == places[2], "what one head does stands beside all of them"
    assert places[:2] == pytest.approx([129, 185], abs=8), "the finding and the heads are where they are in every light"
    text = page.locator(".lab > .text").bounding_box()
    assert places[3] == pytest.approx(569, abs=8)
    assert text["y"] + text["height"] <= 720, "nothing is cut at the lower edge"
    expect(page.locator("[class*=st-key-line-light] .chips")).to_be_visible()
    expect(page.locator(".st-key-heading")).to_contain_text(re.compile(lede))
    expect(page.locator(".st-key-heading")).not_to_contain_text("depends on it")
    heads = page.locator(".grid .row:not(.names)").first.locator("button.head")
    numbers = [int(re.sub(r"\D", "", text)) for text in names.all_inner_texts() if re.search(r"\d", text)]
    assert numbers == list(range(heads.count()))
    for name, head in zip(names.all(), heads.all(), strict=False):
        (a, b) = (one.bounding_box() for one in (name, head))
        assert abs(a["x"] + a["width"] / 2 - b["x"] - b["width"] / 2) < 3, "each above its own column"
