"""What people do with the translator: type, point, guess, play, change heads, and send the link."""

import json
import re

import numpy as np
import pytest
from playwright.sync_api import expect

from tests.waiting import until_holds
from transformer.core.model import Transformer
from transformer.inspection import translation
from transformer.training import shipped

CAT = "/translation?tr_english=the+little+black+cat+does+not+like+the+white+house"
THREADS, STEPS = f"{CAT}&translation_view=Threads", f"{CAT}&translation_view=Step+by+step"


# How far down the screen a path ends; its box would hold the width of its stroke as well.
END = """(path) => {
    const { y } = path.getPointAtLength(path.getTotalLength());
    const { d, f } = path.getScreenCTM();
    return y * d + f;
}"""


class Hand:
    """A page of translation, and a hand on it."""

    def __init__(self, view):
        self.view, self.page, self.sent = view, view.page, view.sent
        self.root = self.page.locator(".threads, .written-word").first
        self.root.and_(self.page.locator("[data-painted]")).wait_for()
        self.page.locator("[data-testid=stApp][data-test-script-state=notRunning]").wait_for()

    @property
    def shown(self) -> dict:
        return json.loads(self.root.get_attribute("data-shown"))

    def word(self, name: str):
        """s3: the source word at place 3; t0: the first target word."""
        return self.root.locator(f"[data-word={name}]")

    def says(self, text: str) -> None:
        expect(self.root.locator(".finding")).to_contain_text(text)

    def pick(self, name: str, value) -> None:
        if (fold := self.root.locator("details:not([open]) > summary")).count():
            fold.click()
        self.root.get_by_role("radiogroup", name=name).get_by_text(str(value), exact=True).click()


@pytest.fixture
def hand(visit):
    return lambda path=THREADS, **more: Hand(visit(path, painted=False, **more))


@pytest.fixture(scope="module")
def cross():
    """The model's own weights on the sentence of the cat, (L, H, T, S)."""
    checkpoint = shipped.load("translator")
    model, task = checkpoint.model(), checkpoint.task
    assert isinstance(model, Transformer)
    source = translation.tokenise_source(task, "the little black cat does not like the white house")
    written = translation.translate(model, source.ids).written
    return translation.attention_maps(model, task, source, written)["cross"].weights


@pytest.mark.wide
def test_a_typed_sentence_is_translated_and_an_unknown_word_marked(hand):
    page = hand().page
    page.get_by_role("textbox", name="Sentence").fill("she sees the little houses")
    page.get_by_role("textbox", name="Sentence").press("Enter")
    written = page.locator(".threads .word.target > span")
    expect(written).to_have_text(["elle", "voit", "les", "petites", "maisons", "⟨end⟩"])
    expect(page.get_by_text("Exactly right.")).to_be_visible()
    page.get_by_role("textbox", name="Sentence").fill("the dragon sings")
    page.get_by_role("textbox", name="Sentence").press("Enter")
    expect(page.locator(".threads .unread")).to_have_text("dragon")
    finding = page.locator(".threads .finding")
    expect(finding).to_have_text("It does not know “dragon” and reads ⟨unknown⟩ in its place.")


@pytest.mark.wide
@pytest.mark.parametrize("view", ["Threads", "Step+by+step", "Change+a+word", "Ablation"])
def test_what_it_does_not_know_is_said_first_and_no_crossing(visit, view: str):
    link = f"/translation?tr_english=mia+found+a+red+tom+ate+three+green+dragons&translation_view={view}"
    page = visit(link, painted=False, reduced_motion="reduce").page
    finding = page.locator(".finding").first
    expect(finding).to_contain_text("It does not know “three” and “dragons” and reads ⟨unknown⟩ for each of them.")
    expect(finding).not_to_contain_text("cross")
    if view == "Threads":
        expect(finding).to_contain_text("It stops after “tom”")
    if view == "Step+by+step":
        page.get_by_role("slider", name="Word that is being written").press("End")
        expect(finding).to_contain_text("It stops after “tom”")


@pytest.mark.wide
def test_each_direction_keeps_its_own_sentence(hand):
    page = hand("/translation?tr_english=she+sees+the+red+apples").page
    box = page.get_by_role("textbox", name="Sentence")
    page.get_by_text("FR → EN").click()
    expect(box).to_have_value(re.compile("^Mia a trouvé"))
    page.get_by_text("EN → FR").click()
    expect(box).to_have_value("she sees the red apples")
    expect(page.locator(".threads .word.source > span").first).to_have_text("she")


@pytest.mark.wide
def test_pointing_at_a_word_leaves_its_threads_and_says_their_weights(hand, cross):
    at = hand()
    before, sent = at.shown["threads"], len(at.sent)
    at.word("t3").hover()  # noir
    seen = at.shown
    row = cross[1].mean(0)[3]
    assert seen["threads"] == (row >= 0.03).sum() < before
    assert seen["row"] == pytest.approx(row.tolist(), abs=1e-3)
    at.says(f"To write noir, it gives black {row[2]:.2f}"[:38])
    at.pick("Layer", 0)
    at.pick("Head", 2)
    at.word("t3").hover()
    assert at.shown["row"] == pytest.approx(cross[0, 2, 3].tolist(), abs=1e-3)
    at.word("s3").hover()  # cat
    at.says("cat is looked at by")
    assert len(at.sent) == sent  # nobody asked the server


def test_all_threads_are_drawn_until_one_wants_to_guess(hand, cross):
    at = hand(CAT)
    assert at.shown["threads"] == (cross[1].mean(0) >= 0.03).sum()
    at.says("the threads cross.")
    sent = len(at.sent)
    stage = at.root.locator(".stage").bounding_box()
    expect(at.root.locator(".stage")).to_have_css("user-select", "none")  # a drag marks no text
    at.root.get_by_role("button", name="Thread it yourself").click()
    expect(at.word("s0")).to_be_focused()
    expect(at.root.locator(".thread")).to_have_count(0)  # the picture gives no answer away
    at.says("Question 1 of 5. Where does the model look to write chat?")
    at.word("s2").click()  # black: wrong
    at.says("It looks most at cat")
    at.says("So far 0 of 1.")
    assert at.root.locator("[data-pair^='2 ']").count()
    expect(at.root.locator(".primary")).to_have_text(["Next word"])  # one dark button
    at.root.get_by_role("button", name="Next word").focus()
    for _ in range(3):  # the key is held: what has the focus next is not pressed by it
        at.page.keyboard.down("Enter")
    at.page.keyboard.up("Enter")
    at.says("Question 2 of 5")
    expect(at.word("s0")).to_be_focused()  # the answer is one of these
    at.word("s2").click()
    at.says("Yes. It looks most at black")
    at.says("So far 1 of 2.")
    for _ in range(3):
        at.root.get_by_role("button", name="Next word").click()
        at.word("s2").click()
    expect(at.root.locator(".primary")).to_have_text(["Show all threads"])
    at.says("You found 1 of 5.")
    assert at.root.locator(".stage").bounding_box() == stage, "the picture stays where it was"
    at.root.get_by_role("button", name="Show all threads").press("Enter")
    expect(at.root.get_by_role("button", name="Thread it yourself")).to_be_focused()
    assert at.shown["threads"] == (cross[1].mean(0) >= 0.03).sum()
    at.word("s2").press("Enter")
    at.page.wait_for_url("**tr_thread_word=s2**")
    expect(at.word("s2")).to_be_focused()
    assert len(at.sent) == sent


def test_a_word_is_dragged_behind_another_and_the_model_translates_it_in_that_order(hand):
    at = hand("/translation", reduced_motion="reduce")
    at.says("the threads cross. Drag “red” behind “hat”: do they still?")
    mouse, path = at.page.mouse, at.root.locator("[data-pair='5 3']")  # rouge from red
    boxes = [at.word(name).bounding_box() for name in ("s3", "s4")]
    (x, y), end = (boxes[0]["x"] + 20, boxes[0]["y"] + 20), boxes[1]["x"] + boxes[1]["width"] + 30
    before = path.get_attribute("d")
    mouse.move(x, y)
    mouse.down()
    mouse.move(end, y, steps=4)
    expect(at.word("s3")).to_have_class(re.compile("carried"))
    assert path.get_attribute("d") != before, "its threads go with it"
    mouse.up()
    at.says("Another order, and the same translation, word for word. Now no threads cross.")
    expect(at.root.locator(".word.target > span")).to_have_text(
        ["mia", "a", "trouvé", "un", "chapeau", "rouge", "⟨end⟩"]
    )
    expect(at.page.get_by_role("textbox", name="Sentence")).to_have_value("mia found a hat red")
    expect(at.root.locator(".word.on")).to_have_count(0)  # it was no press
    at.word("s4").press("Shift+ArrowLeft")
    at.says("the same translation, word for word. The threads went with their words, and cross.")
    at.word("s3").click()
    at.says("red is looked at by ")


@pytest.mark.wide
@pytest.mark.parametrize("has_touch", [False, True])
def test_a_thread_is_pulled_from_the_word_that_asks_to_the_word_it_looks_at(hand, has_touch: bool):
    at = hand(CAT, has_touch=has_touch, reduced_motion="reduce")
    finger = at.page.context.new_cdp_session(at.page)

    def pull(start: str, end: str) -> None:
        points = []
        for name in (start, end):
            box = at.word(name).bounding_box()
            points.append((box["x"] + box["width"] / 2, box["y"] + box["height"] / 2))
        (x0, y0), (x1, y1) = points
        if has_touch:
            for kind, at_ in (
                ("touchStart", [(x0, y0)]),
                ("touchMove", [(x0, (y0 + y1) / 2)]),
                ("touchMove", [(x1, y1)]),
            ):
                touches = [{"x": x, "y": y} for x, y in at_]
                finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})
        else:
            at.page.mouse.move(x0, y0)
            at.page.mouse.down()
            at.page.mouse.move((x0 + x1) / 2, (y0 + y1) / 2)
            at.page.mouse.move(x1, y1)
        expect(at.root.locator(".pulled")).to_have_count(1)
        if has_touch:
            finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        else:
            at.page.mouse.up()
        expect(at.root.locator(".pulled")).to_have_count(0)

    if not has_touch:
        boxes = [at.word(name).bounding_box() for name in ("t0", "s3")]
        at.page.mouse.move(boxes[0]["x"] + 4, boxes[0]["y"] + 4)  # where nothing is asked, it is no pull
        at.page.mouse.down()
        at.page.mouse.move(boxes[1]["x"] + 30, boxes[1]["y"] + 8)
        at.page.mouse.up()
        assert at.page.evaluate("getSelection().toString()") == ""
    at.root.get_by_role("button", name="Thread it yourself").click()
    at.says("to write chat? Pull a thread to that word, or press it.")
    asked = at.root.locator(".word.target.on").get_attribute("data-word")
    pull(asked, "s3")  # chat, from cat
    at.says("Yes. It looks most at cat")
    at.root.get_by_role("button", name="Next word").click()
    asked = at.root.locator(".word.target.on").get_attribute("data-word")
    pull("s2", asked)  # the other way round
    at.says("Yes. It looks most at black")


def test_step_by_step_asks_before_each_word_and_writes_what_it_is_made_to_look_at(hand, cross):
    """It opens where the next word is not next in order; no word comes before one was asked about it."""
    at = hand(STEPS, reduced_motion="reduce")
    tops = cross[1].mean(0).argmax(-1)
    first = next(i for i in range(1, len(tops) - 1) if tops[i] - tops[i - 1] not in (0, 1))
    expect(at.root.locator(".read .word")).to_have_count(first + 1)
    at.says(f"{first} words are written. Which of the 10 words will the decoder look at to write the next?")
    expect(at.root.locator(".ribbon, .back, .bars *")).to_have_count(0)
    expect(at.root.locator(".may")).to_have_count(10)
    now, button = at.root.locator(".now"), at.root.locator(".primary")
    expect(now).to_have_text("?")
    expect(button).to_have_css("background-color", "rgba(0, 0, 0, 0)")  # the words come first
    assert "tr_thread_step" not in at.page.url
    sent = len(at.sent)
    at.word("s2").press("Enter")
    at.says("Looking only at black, it would write noir (")
    at.says("). And by itself?")
    expect(now).to_have_text("noir")
    expect(at.root.locator(".ribbon")).to_have_count(1)
    top = at.word(f"s{tops[first]}")
    top.press("Enter")
    expect(now).to_have_text("chat")
    expect(top).to_be_focused()
    expect(at.root.locator(".primary.later")).to_have_count(0)
    button.click()
    at.says("Yes. To write chat, the decoder gives cat ")
    expect(top).to_have_class(re.compile("guessed"))
    weight, frame = (top.locator(part).bounding_box() for part in ("small", "> span"))
    assert weight["y"] + weight["height"] <= frame["y"] - 6.5, "its frame does not run through its weight"
    at.word("s2").click()  # of a word that was seen it says what the decoder wrote by itself
    at.says("; by itself it wrote chat.")
    button.click()
    at.says("Yes. To write chat")  # which is no guess any more
    button.click()
    expect(now).to_have_text("?")
    at.word("s1").click()
    button.click()
    at.says("You said little. To write noir, ")
    expect(at.root.locator(".player")).to_contain_text("1 of 2 looked where you said")
    at.page.get_by_role("slider", name="Word that is being written").press("End")
    expect(at.root.locator(".count")).to_have_text("word 11 of 11")
    at.root.get_by_role("button", name="Start again").click()
    expect(at.root.locator(".player")).not_to_contain_text("looked where")
    at.says("Which of the 10 words will the decoder look at to write its first word?")
    at.page.wait_for_url("**tr_thread_step=0**")
    assert len(at.sent) == sent


@pytest.mark.wide
def test_scrubbing_sends_no_message(hand, cross):
    at = hand(STEPS)
    sent = len(at.sent)
    slider = at.page.get_by_role("slider", name="Word that is being written")
    slider.press("End")
    at.says("To write ⟨end⟩, the decoder gives ")
    expect(at.root.locator(".bars")).to_contain_text("the sentence is done")
    expect(at.root.locator(".tag.target")).to_contain_text("Run 11 of 11: the decoder reads what it has written")
    slider.press("Home")
    expect(at.root.locator(".now")).to_have_text("?")
    slider.press("ArrowRight")
    expect(at.root.locator(".tag.target")).to_contain_text("Run 1 of 11: the decoder reads what it has written")
    for step in range(3):
        expect(at.root.locator(".tag.source")).to_contain_text("The encoder reads the sentence once")
        assert at.shown["row"] == pytest.approx(cross[1].mean(0)[step].tolist(), abs=1e-3)
        slider.press("ArrowRight")
    for name in ("Next word", "Let it write"):
        at.page.get_by_role("button", name=name).click()
    expect(slider).to_have_value("4")
    assert len(at.sent) == sent


@pytest.mark.wide
def test_one_word_is_being_written_and_all_attention_runs_into_it(hand, cross):
    at = hand(STEPS + "&tr_thread_step=3", reduced_motion="reduce")
    step = at.shown["step"]
    assert step == 2
    at.pick("Layer", 0)
    row = cross[0].mean(0)[step]
    ribbons = at.root.locator(".ribbon")
    expect(ribbons).to_have_count(int((row >= 0.03).sum()))
    now = at.root.locator(".now .word")
    box = now.bounding_box()
    wide = {}
    for ribbon in ribbons.all():
        wide[int(ribbon.get_attribute("data-pair").split()[1])] = float(ribbon.get_attribute("stroke-width"))
        assert ribbon.evaluate(END) == pytest.approx(box["y"], abs=8), "it ends at the word"
    shares = np.array([wide[j] for j in sorted(wide)])
    np.testing.assert_allclose(shares / shares.sum(), row[row >= 0.03] / row[row >= 0.03].sum(), atol=0.01)
    sizes = [
        float(re.sub("px", "", word.evaluate("(node) => getComputedStyle(node).fontSize")))
        for word in (now, at.word("s0"), at.word("t0"))
    ]
    assert sizes[0] > 3 * max(sizes[1:]), "one word is large"


@pytest.mark.wide
def test_step_by_step_tells_nothing_of_what_is_not_written(hand):
    at = hand(STEPS + "&tr_thread_step=1")
    assert at.shown["step"] == 0
    expect(at.root.locator(".now")).to_have_text("le")
    expect(at.root.locator(".read .word")).to_have_text(["⟨start⟩"])
    expect(at.page.get_by_text("petit chat noir")).to_have_count(0)  # nothing tells the end of the story
    expect(at.root.locator(".lines .back")).to_have_count(1)
    at.root.get_by_role("button", name="Next word", exact=True).click()
    expect(at.root.locator(".now")).to_have_text("?")
    at.root.get_by_role("button", name="Let it write", exact=True).click()
    expect(at.root.locator(".now")).to_have_text("petit")
    expect(at.root.locator(".read .word")).to_have_text(["⟨start⟩", "le"])
    expect(at.root.locator(".lines .back")).to_have_count(2)
    at.root.get_by_role("button", name="le", exact=True).click()
    assert at.shown["step"] == 0
    slider = at.page.get_by_role("slider", name="Word that is being written")
    slider.press("End")
    at.root.get_by_role("button", name="Start again").click()
    assert at.shown["step"] == -1


@pytest.mark.wide
def test_a_quick_press_too_many_does_not_start_over_and_the_slider_stays_where_it_is(hand):
    at = hand(STEPS, reduced_motion="reduce")
    slider, count = at.page.get_by_role("slider", name="Word that is being written"), at.root.locator(".count")
    box = slider.bounding_box()
    at.root.get_by_role("button", name="Let it write").click(click_count=24)
    expect(count).to_have_text("word 11 of 11")
    assert slider.bounding_box() == box
    again = at.root.get_by_role("button", name="Start again")
    again.click()
    expect(count).to_have_text("")
    slider.press("End")
    again.press("Enter")
    expect(count).to_have_text("")


@pytest.mark.wide
def test_a_link_restores_what_is_pinned(hand):
    at = hand()
    at.pick("Layer", 0)
    at.pick("Head", 3)
    at.word("t2").click()
    at.page.wait_for_url("**tr_thread_word=t2**")
    assert "tr_thread_layer=0" in at.page.url
    assert "tr_thread_head=3" in at.page.url
    link = at.page.url[at.page.url.index("/translation") :]
    other = hand(link)
    assert other.shown["focus"] == "t2"
    assert (other.shown["layer"], other.shown["head"]) == (0, 3)
    steps = hand(STEPS + "&thread_step=6")  # as links said before settings had prefixes
    assert steps.shown["step"] == 5


@pytest.mark.wide
def test_on_a_phone_the_words_stand_in_two_columns(hand):
    at = hand(viewport={"width": 390, "height": 844})
    expect(at.root.locator(".stage.upright")).to_be_visible()
    box = at.root.bounding_box()
    for name in ("s0", "t0", "t10"):
        word = at.word(name).bounding_box()
        assert box["x"] <= word["x"]
        assert word["x"] + word["width"] <= box["x"] + box["width"]


def test_a_word_of_the_picture_is_pressed_and_another_stands_for_it(visit):
    page = visit("/translation?translation_view=Change+a+word", painted=False, reduced_motion="reduce").page
    root = page.locator(".changed-word")
    expect(root.locator(".finding")).to_have_text(
        "If hat were house, which of the 7 tokens in the translation will follow? Press them."
    )
    expect(root.locator(".other")).to_have_count(0)
    expect(root.locator(".word.blank")).to_have_text(["?"] * 7)  # nothing is written yet
    expect(root.locator(".word.target")).to_have_count(7)
    root.locator("[data-word=s4]").click()
    menu, word = (page.locator(what).bounding_box() for what in (".choice:popover-open", "[data-word=s4]"))
    assert menu
    assert word
    assert menu["y"] >= word["y"] + word["height"], "it covers nothing that is written, nor the button"
    page.keyboard.press("Escape")
    for name in ("w4", "w5", "w5", "w6"):  # chapeau; rouge, and not; the end
        root.locator(f"[data-word={name}]").click()
    expect(root.locator(".word[aria-pressed=true]")).to_have_text(["chapeau", "⟨end⟩"])
    root.get_by_role("button", name="What if hat were house?").click()
    expect(root.locator(".word.blank")).to_have_count(0)
    expect(root.locator(".word.source.other")).to_have_text("house")
    last = page.get_by_text("tokens that stay in the translation")
    until_holds(lambda: last.evaluate("(line) => line.getBoundingClientRect().top - innerHeight") >= 0)  # uncut
    both = "un → une, chapeau → maison"
    expect(root.locator(".finding")).to_have_text(
        f"hat → house changes 2 of 7 tokens: {both}. You marked 1 of them, and 1 that stays."
    )
    root.locator("[data-word=s3]").press("Enter")
    offers = page.get_by_role("dialog", name="red becomes")
    offers.get_by_role("button", name="black", exact=True).click()
    expect(offers).to_have_count(0)
    expect(root.locator(".word.source.other")).to_have_text("black")
    expect(root.locator(".word.source.before")).to_have_text("red")
    expect(root.locator(".word.target.other").last).to_have_text("noir")
    expect(root.locator(".finding")).to_have_text("red → black changes 1 of 7 tokens: rouge → noir.")
    expect(page).to_have_url(re.compile("tr_edit_word=black"))
    expect(page).to_have_url(re.compile("tr_edit_place=4"))
    root.get_by_role("button", name="What if hat were house?").click()
    expect(root.locator(".word.source.other")).to_have_text("house")
    expect(root.get_by_role("button", name="What if mia were anna?")).to_be_visible()
    said = root.locator(".finding b").first.element_handle()
    page.locator(".st-key-line-settings button").click()
    page.get_by_role("slider", name="Head").press("ArrowRight")
    expect(root.locator(".say")).to_contain_text("(layer 1, head 0)")
    assert said.evaluate("(node) => node.isConnected"), "what says the same is not read out again"


@pytest.mark.wide
def test_violet_lines_are_attention_weights_and_on_a_phone_the_way_back_is_none(visit):
    for size, arcs in (({"width": 1280, "height": 720}, True), ({"width": 390, "height": 844}, False)):
        link = "/translation?translation_view=Step+by+step&tr_thread_step=5"
        view = visit(link, painted=False, reduced_motion="reduce", viewport=size)
        root = view.page.locator(".written-word")
        expect(root.locator(".tip")).to_have_count(1)
        assert (root.locator(".back").count() > 0) == arcs
        assert ("The arcs are its self-attention" in root.locator(".tag.target").inner_text()) == arcs
        stroke, ink = root.locator(".tip").evaluate(
            "(tip) => [getComputedStyle(tip).fill, getComputedStyle(tip).color]"
        )
        assert (stroke == ink) != arcs


@pytest.fixture
def taken_apart(visit):
    """The picture of an ablation."""

    def opened(link: str = "", **more):
        view = visit(f"/translation?translation_view=Ablation{link}", painted=False, reduced_motion="reduce", **more)
        root = view.page.locator(".taken-apart[data-painted]")
        root.wait_for()
        view.page.locator("[data-testid=stApp][data-test-script-state=notRunning]").wait_for()
        return view, root

    return opened


def test_a_part_is_pulled_out_any_way_and_the_sentence_falls_apart(taken_apart):
    view, root = taken_apart()
    mouse, text = view.page.mouse, root.locator(".text")
    expect(root.locator(".finding")).to_contain_text("Which part can it lose?")
    expect(text).to_have_text("mia a trouvé un chapeau rouge ")
    positions, memory = (root.locator(f"[data-part={name}]") for name in ("positions", "memory"))
    box = positions.bounding_box()
    mouse.move(box["x"] + 40, box["y"] + 40)
    mouse.down()
    mouse.move(box["x"] + 30, box["y"] + 40, steps=2)
    expect(positions).to_have_attribute("aria-pressed", "false")  # its prongs are still in
    mouse.move(box["x"] - 40, box["y"] + 40, steps=4)
    expect(positions).to_have_attribute("aria-pressed", "true")  # the hand still holds it
    assert positions.bounding_box()["x"] < box["x"] - 20, "it follows the hand"
    mouse.up()
    expect(text.locator("b")).to_have_text("garçon")
    expect(root.locator(".fallen > span")).to_have_text(["mia", "a", "trouvé", "chapeau"])
    expect(positions.locator(".many")).to_have_text("3 of 100 right")
    view.page.wait_for_url("**translation_plug=positions**")
    memory.press("Enter")
    expect(text.locator("b")).to_have_text(["elle", "regardé", "ces", "oranges"])
    expect(root.get_by_role("status")).to_have_text(
        "without the encoder’s memory, it writes elle a regardé ces oranges"
    )
    expect(positions.locator(".many")).to_have_text("3 of 100 right")  # what was found stays
    memory.click()
    expect(root.locator(".fallen > span")).to_have_count(0)
    view.page.wait_for_url(lambda link: "translation_plug" not in link)
    root.get_by_role("button", name="one head").click()
    expect(root.locator(".finding")).to_have_text(
        "One head less, and not a word changes. Only 4 of its 24 heads change this sentence. Find them."
    )
    view.page.wait_for_url("**translation_plug=one+head**")
    root.get_by_role("button", name="decoder self-attention, layer 0, head 2").click()
    expect(root.locator(".finding")).to_contain_text("it loses “rouge”. Only 4 of its 24 heads")
    expect(root.locator(".head.needed")).to_have_count(1)
    for _ in range(4):  # cross-attention, then the three other heads that the sentence needs
        root.locator(".primary").click()
    root.get_by_role("button", name="Take all 20 out").click()
    expect(root.locator(".finding")).to_have_text("Any one of these 20 heads can go, but not all. ")
    expect(text).to_have_text("elle maisons ")


@pytest.mark.wide
def test_a_head_is_named_in_the_link_and_the_keyboard_stays_where_it_is(taken_apart):
    view, root = taken_apart("&translation_plug=nothing")
    head = root.get_by_role("button", name="cross-attention, layer 1, head 3")
    head.focus()
    head.press("Enter")
    view.page.wait_for_url("**tr_plug_head=3**")
    assert "tr_plug_side=cross-attention" in view.page.url
    assert "tr_plug_layer=1" in view.page.url
    expect(root.locator(".heads .many")).to_have_text("91 of 100 right")
    expect(root.get_by_role("button", name="cross-attention, layer 1, head 3")).to_be_focused()


@pytest.mark.wide
@pytest.mark.parametrize("plug", ["nothing", "positions", "memory", "cross-attention"])
def test_a_long_sentence_stays_inside_the_picture(taken_apart, plug: str):
    link = f"&translation_plug={plug}&{CAT.split('?')[1]}"
    for size in ({"width": 1280, "height": 720}, {"width": 390, "height": 844}):
        _, root = taken_apart(link, viewport=size)
        stage = root.locator(".stage").bounding_box()
        words = root.locator(".text > *, .fallen > *")
        expect(words).not_to_have_count(0)
        for word in words.all():
            box = word.bounding_box()
            assert box["x"] + box["width"] <= stage["x"] + stage["width"]
            assert stage["y"] <= box["y"]
            assert box["y"] + box["height"] <= stage["y"] + stage["height"]


@pytest.mark.wide
def test_below_the_picture_an_ablation_is_drawn_among_the_threads(visit):
    view = visit(f"{CAT}&translation_view=Ablation&translation_plug=memory", painted=False)
    root = view.page.locator(".without-part[data-painted]")
    root.wait_for()
    assert root.locator(".thread.nothing").count() > 0, "nothing comes through"
    expect(root.get_by_role("button", name="regardé")).to_be_visible()
    root.locator("[data-word=w3]").hover()
    expect(root.get_by_role("status")).to_contain_text("To write noir, it looks most at black")
    view.page.locator(".taken-apart [data-part=positions]").click()
    expect(root.locator(".thread.nothing")).to_have_count(0)
    expect(root.locator(".tag").last).to_have_text("without positions")


@pytest.mark.wide
def test_a_word_is_added_by_a_tap(hand):
    page = hand("/translation?tr_english=the+cat").page
    page.get_by_role("menuitem", name="Write a word on").click()
    page.get_by_label("Find or type a word").fill("sing")
    page.get_by_role("button", name="sings", exact=True).click()
    expect(page.get_by_role("textbox", name="Sentence")).to_have_value("the cat sings")


@pytest.mark.wide
def test_step_by_step_is_whole_above_the_fold(hand):
    box = hand(STEPS).root.locator(".stage").bounding_box()
    assert box["y"] + box["height"] <= 720


@pytest.mark.wide
def test_the_beam_tree_is_drawn_and_says_its_numbers(hand, visit):
    settings = "translation_view=Step+by+step&tr_english=These+cats&tr_beam_width=4"
    view = visit(f"/translation?{settings}", painted=False)
    tree = view.page.locator(".beam-tree[data-nodes]")
    tree.wait_for()
    tree.get_by_role("img", name="ces: ", exact=False).first.hover()
    expect(tree.locator(".say")).to_contain_text("for “ces”, score")
    expect(view.page.get_by_text("They differ.")).to_be_visible()


@pytest.mark.wide
def test_the_threads_grow_at_first_and_a_key_ends_it(visit, server):
    page = visit(None).page
    page.add_init_script(
        "const real = setTimeout; window.setTimeout = (f, ms, ...more) => (ms === 2200 ? 0 : real(f, ms, ...more));"
    )  # the beat waits for the key
    page.goto(server + THREADS)
    root = page.locator(".threads").first
    expect(root).to_have_class(re.compile(r"\bgrowing\b"))
    page.keyboard.press("Shift")
    expect(root).not_to_have_class(re.compile(r"\bgrowing\b"))
    page.reload()
    root.and_(page.locator("[data-painted]")).wait_for()
    expect(root).not_to_have_class(re.compile(r"\bgrowing\b"))  # it was seen
