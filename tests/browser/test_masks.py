"""What people do with the mask brush: paint, drag, take back, use the keyboard, share the link, follow a leak."""

import json
import re

import numpy as np
import pytest
from playwright.sync_api import expect

from pages.masks.components.mask_brush import pack, unpack

SIX = "/masks?weights=untrained&text=one+two+three+four+five+six"
CAUSAL = np.tri(6, dtype=bool)
SCORES, WEIGHTS = 1, 2  # panels: 0 is the mask, which has no map of its own
PHONE = {"viewport": {"width": 390, "height": 844}, "reduced_motion": "reduce"}


class Hand:
    """A page with a brush, and a hand on it."""

    def __init__(self, view):
        self.page, self.sent = view.page, view.sent
        self.brush = self.page.locator(".mask-brush").first
        expect(self.brush).to_have_attribute("data-painted", "")
        self.idle()

    def idle(self):
        expect(self.page.locator("[data-testid=stApp]")).to_have_attribute("data-test-script-state", "notRunning")

    def cell(self, i, j, panel=WEIGHTS):
        return self.page.locator(f"#cell-{panel}-{i}-{j}")

    def drag(self, start, end):
        for at, press in ((start, True), (end, False)):
            box = self.cell(*at).bounding_box()
            self.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
            self.page.mouse.down() if press else self.page.mouse.up()

    def has(self, mask):
        """The brush, the address bar and the model's weights all come to this mask."""
        expect(self.brush).to_have_attribute("data-code", pack(mask))
        if not np.array_equal(mask, CAUSAL):
            expect(self.page).to_have_url(re.compile(rf"mask_painted={re.escape(pack(mask))}(&|$)"))
        for i, j in np.ndindex(mask.shape):
            cell = expect(self.cell(i, j))
            (cell.not_to_have_class if mask[i, j] else cell.to_have_class)(re.compile(r"\bblocked\b"))

    def row(self):
        """The attention weights of the row that is told of."""
        return np.array(json.loads(self.brush.get_attribute("data-row")))


@pytest.fixture
def hand(visit):
    return lambda path=SIX, **more: Hand(visit(path, painted=False, **more))


def changed(*cells, mask=CAUSAL):
    out = mask.copy()
    for i, j in cells:
        out[i, j] = not out[i, j]
    return out


@pytest.mark.wide
def test_a_click_opens_and_blocks(hand):
    at = hand()
    at.cell(1, 4).click()
    at.has(changed((1, 4)))
    expect(at.page.locator(".chips")).to_contain_text("mask: painted")
    at.cell(3, 0).click()
    at.has(changed((1, 4), (3, 0)))


@pytest.mark.wide
def test_with_the_keyboard_alone_and_with_a_drag_that_sends_once(hand):
    at = hand()
    at.idle()
    at.page.locator(".grid.scores").focus()
    for key in ("ArrowDown", "End", "ArrowLeft"):
        at.page.keyboard.press(key)
    expect(at.page.locator(".grid.scores")).to_have_attribute("aria-activedescendant", "cell-1-1-4")
    at.page.keyboard.press(" ")
    at.has(changed((1, 4)))
    expect(at.page.locator(".readout")).to_contain_text("two → five: mask may look")
    at.page.keyboard.press("Control+z")
    at.has(CAUSAL)
    at.brush.locator(".finding").scroll_into_view_if_needed()  # the scores stand far below
    before = len(at.sent)
    at.drag((0, 1), (0, 5))
    at.has(changed(*((0, j) for j in range(1, 6))))
    assert len(at.sent) == before + 1


def test_the_weights_themselves_are_painted_by_hand_and_with_the_keyboard(hand):
    at = hand()
    at.drag((3, 0), (3, 1))
    at.has(changed((3, 0), (3, 1)))
    assert at.row()[:2] == pytest.approx([0, 0])
    assert at.row().sum() == pytest.approx(1, abs=1e-4)
    at.drag((1, 4), (1, 4))  # what is blocked is opened
    at.has(changed((3, 0), (3, 1), (1, 4)))
    at.page.locator(".grid.weights").press(" ")
    at.has(changed((3, 0), (3, 1)))


@pytest.mark.wide
def test_one_blocked_cell_changes_the_answer_and_those_that_were_found_are_counted(hand):
    at = hand("/masks")
    finding, act, says = at.brush.locator(".finding"), at.brush.locator(".primary"), at.brush.locator(".answer b")
    words = at.page.locator(".grid.weights .row").all_inner_texts()
    last, hat, red = len(words) - 1, words.index("hat"), words.index("red")
    expect(finding).to_have_text("It says “hat”. Press a cell to block it, and make it say something else.")
    at.cell(last, red).click()
    expect(finding).to_have_text("Still “hat”, though red may not see “red”.")
    at.cell(last, red).click()
    expect(finding).to_contain_text("It says “hat”.")
    at.cell(last, hat).click()
    expect(finding).to_have_text(re.compile("^It says “ball” now: red may not see “hat”. Found 1 of [2-9] such cells"))
    expect(says).to_have_text("ball")
    act.click()  # gives it back and shows the next one
    expect(finding).to_have_text(re.compile("^It says “ball” now: hat may not see “red”. Found 2 of"))
    expect(at.cell(last, hat)).to_have_class(re.compile(r"\bfound\b"))
    expect(at.page.locator(".below .large")).to_have_count(0)  # words and numbers have no room in the small map
    assert at.row().argmax() == words.index("ball"), "the last row looks elsewhere, though it may see all"


@pytest.mark.wide
def test_an_edit_spreads_layer_by_layer(hand):
    at = hand("/masks?masks_view=Leaks")
    ripple = at.page.locator(".leak-ripple")
    expect(ripple).to_have_attribute("data-height", "0")
    asks = "“red” becomes “green”. Which will be the last word to notice? Press it above."
    expect(ripple.locator(".finding")).to_have_text(asks)
    knob = ripple.get_by_role("slider", name="Layers that green has passed")
    seen = "circles => circles.filter((circle) => getComputedStyle(circle).opacity > 0).length"
    moved = ripple.locator("circle.moved")
    assert moved.evaluate_all(seen) == 0
    knob.press("ArrowUp")
    assert moved.evaluate_all(seen) == 3, "it and the two behind it that look at it"
    expect(ripple.locator(".says")).to_have_text("“green” → “.”: 1 layer.")
    box = knob.bounding_box()
    at.page.mouse.move(box["x"] + 20, box["y"] + 20)
    at.page.mouse.down()
    at.page.mouse.move(box["x"] + 20, box["y"] - 600, steps=3)
    at.page.mouse.up()
    expect(ripple).to_have_attribute("data-height", "3")
    assert moved.evaluate_all(seen) == moved.count()
    ripple.get_by_role("button", name="Play again").click()
    expect(ripple).to_have_attribute("data-height", "3")


@pytest.mark.wide
def test_an_output_shows_its_way_and_a_word_is_changed_by_a_click(hand):
    at = hand("/masks?masks_view=Leaks", reduced_motion="reduce")
    ripple = at.page.locator(".leak-ripple")
    expect(ripple.get_by_role("group").get_by_role("button").first).to_be_disabled()  # the start is no word
    hat = ripple.get_by_role("radio", name="hat")
    hat.click()
    expect(hat).to_have_attribute("aria-checked", "true")
    expect(ripple.locator(".finding")).to_have_text("You say “hat”. Now pull “green” up.")
    expect(ripple).to_have_attribute("data-height", "0")
    ripple.get_by_role("button", name="Play").click()
    expect(ripple.locator(".finding")).to_have_text("You said “hat”: 5 words off. The farthest that noticed is “blue”.")
    expect(ripple).to_have_attribute("data-output", "10")  # three layers of a window of 3 carry it six words on
    strong = ripple.locator(".edge.on")
    assert [line.get_attribute("data-at") for line in strong.all()] == ["1-4-6", "2-6-8", "3-8-10"]
    looks = ripple.locator(".bracket")
    expect(looks).to_have_text([f"“{word}” may look at 3" for word in (".", "found", "blue")])
    before = len(at.sent)
    ripple.get_by_role("radio", name="tom").hover()
    expect(ripple).to_have_attribute("data-output", "7")
    expect(strong).to_have_count(5)  # two ways in two layers, and on from there
    expect(ripple.locator(".says")).to_contain_text(": 2 layers.")
    ripple.get_by_role("radio", name="took").click()
    expect(strong).to_have_count(0)
    expect(ripple.locator(".says")).to_contain_text("“took” has not changed by a single bit")
    assert len(at.sent) == before, "no message"
    ripple.get_by_role("radio", name="took").press("ArrowLeft")
    expect(ripple).to_have_attribute("data-output", "13")
    ripple.get_by_role("group").get_by_role("button", name="blue").click()
    expect(at.page).to_have_url(re.compile("masks_edit=11(&|$)"))
    expect(ripple.locator(".words .new")).to_have_text("bluegreen")
    expect(ripple).to_have_attribute("data-output", "16")


def test_the_plug_is_pulled_out_and_the_french_changes_under_the_hand(hand):
    view = hand("/masks?masks_view=Wiring")
    root = view.page.locator(".wiring-plugs[data-painted]")
    cable, says, words = root.get_by_role("slider"), root.locator(".finding"), root.locator(".french span")
    there = ["mia", "a", "trouvé", "un", "chapeau", "rouge"]
    expect(words).to_have_text([re.compile(f"^{word}.*%$") for word in there])
    expect(root.locator(".other")).to_have_count(0)
    x, y, wide = cable.evaluate(
        """(cable) => {
            const { x, y, width, height } = cable.querySelector('.plug').getBoundingClientRect();
            return [x + width / 2, y + height / 2, cable.getBoundingClientRect().width];
        }"""
    )
    view.page.mouse.move(x, y)
    view.page.mouse.down()
    view.page.mouse.move(x + wide, y, steps=6)
    expect(says).to_have_text(re.compile("^No English arrives"))  # while it is held
    expect(words.first).not_to_contain_text("mia")
    view.page.mouse.up()
    expect(view.page).to_have_url(re.compile("mask_wire_left=0"))
    out = cable.get_attribute("aria-valuetext")
    cable.press("End")
    expect(cable).to_have_attribute("aria-valuetext", "mia a trouvé un chapeau rouge")
    expect(view.page).not_to_have_url(re.compile("mask_wire_left"))
    root.get_by_role("button", name="Pull it out").click()  # it glides there
    expect(cable).to_have_attribute("aria-valuetext", out or "", timeout=15_000)
    english = root.locator(".english p").inner_text()
    root.get_by_role("button", name="Another English sentence").click()
    expect(root.locator(".english p")).not_to_have_text(english)
    expect(cable).to_have_attribute("aria-valuetext", out or "")


@pytest.mark.wide
def test_on_a_phone_the_cable_and_a_long_sentence_are_within_the_page(hand):
    text = "the little black cat does not like the white house"
    page = hand(
        f"/masks?masks_view=Wiring&mask_wire_keys=decoder&mask_wire_values=decoder&text={text.replace(' ', '+')}",
        **PHONE,
    ).page
    root = page.locator(".wiring-plugs[data-painted]")
    expect(root.locator(".finding")).to_have_text(re.compile("^No English arrives"))
    ends = root.evaluate(
        "(root) => [...root.querySelectorAll('.english p, .plug, .core, .french span')]"
        ".map((node) => node.getBoundingClientRect().right)"
    )
    assert len(ends) > 6
    assert max(ends) <= 390


@pytest.mark.wide
def test_the_same_mask_can_be_painted_again_after_another(hand):
    at = hand()
    at.cell(1, 4).click()
    at.has(changed((1, 4)))
    at.page.get_by_role("button", name="Change the settings").first.click()
    at.page.get_by_role("radio", name="causal", exact=True).click()
    at.has(CAUSAL)
    at.page.keyboard.press("Escape")
    expect(at.page).not_to_have_url(re.compile("mask_painted"))
    at.cell(1, 4).click()
    at.has(changed((1, 4)))


@pytest.mark.wide
def test_the_link_restores_the_mask(hand):
    at = hand()
    at.drag((0, 3), (2, 5))
    expect(at.page).to_have_url(re.compile("mask_painted="))
    code = at.brush.get_attribute("data-code")
    again = hand(at.page.url.partition("127.0.0.1")[2].partition("/")[2].join(["/", ""]))
    expect(again.brush).to_have_attribute("data-code", code)
    expect(again.cell(1, 4)).to_have_attribute("aria-label", re.compile(r"two, five: [.\d]+"))


@pytest.mark.wide
def test_undo_takes_back_one_stroke_at_a_time(hand):
    at = hand()
    undo = at.page.get_by_role("button", name="Undo")
    expect(undo).to_be_disabled()
    at.cell(1, 4).click()
    at.cell(2, 5).click()
    at.has(changed((1, 4), (2, 5)))
    undo.click()
    at.has(changed((1, 4)))
    undo.click()
    at.has(CAUSAL)
    expect(undo).to_be_disabled()


@pytest.mark.wide
def test_a_word_selects_its_row_which_all_name_and_a_button_blocks_it_and_gives_it_back(hand):
    at = hand("/masks?text=one+two+took+six&weights=untrained")
    words = at.page.locator(".grid.weights .row").all_inner_texts()
    took, code, sent = words.index("took"), at.brush.get_attribute("data-code"), len(at.sent)
    at.cell(1, 0).hover()
    at.page.locator(".grid.weights .row").nth(took).click()
    expect(at.brush).to_have_attribute("data-code", code or "")
    assert len(at.sent) == sent, "nothing is blocked, and nothing is sent"
    frame, row = at.page.locator(".grid.weights .frame.query"), at.page.locator(".grid.weights .row").nth(took)
    framed = "(frame) => Number(getComputedStyle(frame).gridRowStart) - 2"
    finding, readout = at.brush.locator(".finding"), at.brush.locator(".readout")
    act = at.brush.get_by_role("button", name="Block row “took”", exact=True)
    assert frame.evaluate(framed) == took
    expect(row).to_have_class(re.compile(r"\bon\b"))
    expect(at.page.locator(".grid.weights .frame.key")).to_be_hidden()
    expect(finding).to_have_text(re.compile("^took gives "))
    expect(readout).to_have_text(f"took may look at {took + 1} of {len(words)} tokens.")
    act.click()
    back = at.brush.get_by_role("button", name="Unblock row “took”")
    expect(back).to_be_focused()
    expect(finding).to_have_text("took may see nothing: its row adds up to 0.")
    expect(readout).to_have_text(f"took may look at 0 of {len(words)} tokens.")
    assert frame.evaluate(framed) == took
    assert at.row().sum() == 0
    back.click()
    expect(at.brush).to_have_attribute("data-code", code or "")  # what comes after “took” stays blocked


@pytest.mark.wide
def test_a_word_above_selects_its_column_beside_the_row_and_a_button_blocks_it(hand):
    at = hand()
    at.page.locator(".grid.weights .column b").nth(1).click()
    expect(at.page.locator(".grid.weights .frame:visible")).to_have_count(2)
    expect(at.brush.locator(".finding")).to_contain_text("six gives")
    expect(at.brush.locator(".readout")).to_have_text(re.compile("^six → two: "))
    at.brush.get_by_role("button", name="Block column “two”").click()
    at.has(changed(*((i, 1) for i in range(1, 6))))
    expect(at.cell(3, 1)).to_have_attribute("aria-label", "four, two: exactly 0")
    at.page.keyboard.press("Enter")  # the button keeps the focus
    at.has(CAUSAL)


@pytest.mark.wide
def test_rows_and_columns_are_blocked_by_keyboard_too(hand):
    at = hand()
    at.page.locator(".grid.weights").focus()
    for key in ("Home", "ArrowDown"):
        at.page.keyboard.press(key)
    act = at.brush.get_by_role("button", name="Block row “two”")
    act.focus()
    expect(at.page.locator(".frame.query:visible").first).to_be_visible()
    act.press("Enter")
    at.has(changed((1, 0), (1, 1)))
    expect(at.brush.get_by_role("button", name="column “one”")).to_be_visible()


@pytest.mark.wide
def test_in_leaks_a_word_selects_its_row_too(hand):
    at = hand(f"{SIX}&masks_view=Leaks&masks_edit=5&layers=1")
    code = at.brush.get_attribute("data-code")
    at.brush.locator(".grid.editable .row").nth(2).click()
    expect(at.brush).to_have_attribute("data-code", code or "")
    expect(at.brush.locator(".readout")).to_have_text("three may look at 3 of 6 tokens.")
    at.brush.get_by_role("button", name="Block row “three”").click()
    mask = unpack(code)
    assert mask is not None
    expect(at.brush).to_have_attribute("data-code", pack(changed(*((2, j) for j in range(3)), mask=mask)))


@pytest.mark.wide
def test_pointing_outlines_the_cell_in_every_panel_and_costs_no_message(hand):
    at = hand()
    before = len(at.sent)
    at.cell(4, 2, panel=SCORES).hover()
    expect(at.page.locator(".frame.query:visible")).to_have_count(2)
    expect(at.page.locator(".readout")).to_contain_text(re.compile(r"five → three: .*may look.*weights [.\d]+"))
    at.cell(2, 4).hover()
    expect(at.page.locator(".readout")).to_contain_text("masked scores −∞  →  attention weights exactly 0")
    assert len(at.sent) == before


@pytest.mark.wide
def test_a_hole_in_the_mask_leaks(hand):
    at = hand(f"{SIX}&masks_view=Leaks&masks_edit=5&layers=1")
    expect(at.page.get_by_text("that 1 of 5 others notices; in the model 1 did. They agree.")).to_be_visible()
    at.cell(0, 4, panel=0).click()
    expect(at.page.get_by_text("that 2 of 5 others notice; in the model 2 did. They agree.")).to_be_visible()


@pytest.mark.wide
def test_a_thumb_paints_on_a_phone_and_nothing_sticks_out(hand):
    at = hand(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    at.cell(1, 4).tap()
    at.has(changed((1, 4)))
    assert at.page.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.wide
def test_on_a_phone_the_picture_stands_above_its_sentence(visit):
    page = visit("/masks", painted=False, viewport={"width": 390, "height": 844}).page
    brush = page.locator(".mask-brush").first
    expect(brush).to_have_attribute("data-painted", "")
    top = brush.bounding_box()["y"]
    assert top < 400
    assert page.locator(".st-key-sentence-row").bounding_box()["y"] > top
    assert page.locator(".st-key-heading").bounding_box()["y"] < top
