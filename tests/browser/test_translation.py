"""What people do with the translator: type, point, guess, play, change heads, and send the link."""

import json
import re

import numpy as np
import pytest
from playwright.sync_api import expect

from transformer.core.model import Transformer
from transformer.inspection import translation
from transformer.training import shipped

CAT = "/translation?tr_english=the+little+black+cat+does+not+like+the+white+house"
THREADS, STEPS = f"{CAT}&translation_view=Threads", f"{CAT}&translation_view=Step+by+step"


class Hand:
    """A page of translation, and a hand on it."""

    def __init__(self, view):
        self.view, self.page, self.sent = view, view.page, view.sent
        self.root = self.page.locator(".threads").first
        self.root.and_(self.page.locator("[data-painted]")).wait_for()
        self.page.locator("[data-testid=stApp][data-test-script-state=notRunning]").wait_for()

    @property
    def shown(self) -> dict:
        return json.loads(self.root.get_attribute("data-shown"))

    def word(self, name: str):
        """s3: the source word at place 3; t0: the first target word."""
        return self.root.locator(f"[data-word={name}]")

    def says(self, text: str) -> None:
        expect(self.root.locator(".say")).to_contain_text(text)

    def pick(self, name: str, value) -> None:
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
    expect(page.get_by_role("heading", name="elle voit les petites maisons")).to_be_visible()
    expect(page.get_by_text("Exactly right.")).to_be_visible()
    page.get_by_role("textbox", name="Sentence").fill("the dragon sings")
    page.get_by_role("textbox", name="Sentence").press("Enter")
    expect(page.locator(".threads .unread")).to_have_text("dragon")


@pytest.mark.wide
def test_pointing_at_a_word_leaves_its_threads_and_says_their_weights(hand, cross):
    at = hand()
    before, sent = at.shown["threads"], len(at.sent)
    at.word("t3").hover()  # noir
    seen = at.shown
    row = cross[1].mean(0)[3]
    assert seen["threads"] == (row >= 0.03).sum() < before
    assert seen["row"] == pytest.approx(row.tolist(), abs=1e-3)
    at.says(f"To write noir, it looks at black {row[2]:.2f}"[:38])
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
    sent = len(at.sent)
    at.root.get_by_role("button", name="Thread it yourself").click()
    assert not at.root.locator("[data-pair^='2 ']").count()  # of chat, which is asked for
    at.says("Question 1 of 5. Which word does the model look at to write chat?")
    at.word("s2").click()  # black: wrong
    at.says("It looks most at cat")
    at.says("So far 0 of 1.")
    assert at.root.locator("[data-pair^='2 ']").count()
    at.root.get_by_role("button", name="Next word").click()
    at.says("Question 2 of 5")
    at.word("s2").click()
    at.says("Yes. It looks most at black")
    at.says("So far 1 of 2.")
    assert len(at.sent) == sent


@pytest.mark.wide
def test_scrubbing_and_playing_send_no_message(hand, cross):
    at = hand(STEPS)
    sent = len(at.sent)
    slider = at.page.get_by_role("slider", name="Word that is being written")
    slider.press("End")
    at.says("and writes ⟨end⟩")
    expect(at.root.locator(".bars")).to_contain_text("the sentence is done")
    expect(at.root.locator(".tag.target")).to_have_text("Decoder: ran 11 of 11 times")
    slider.press("Home")
    expect(at.root.locator(".tag.target")).to_have_text("Decoder: ran 1 of 11 times")
    for step in range(3):
        expect(at.root.locator(".tag.source")).to_contain_text("Encoder: ran once")
        assert at.shown["row"] == pytest.approx(cross[1].mean(0)[step].tolist(), abs=1e-3)
        slider.press("ArrowRight")
    at.page.get_by_role("button", name="Play").click()
    expect(slider).to_have_value("5")
    at.page.get_by_role("button", name="Pause").click()
    assert len(at.sent) == sent


@pytest.mark.wide
def test_step_by_step_opens_where_the_order_turns_and_what_was_written_before_is_faint(hand, cross):
    at = hand(STEPS)
    step = at.shown["step"]
    tops = cross[1].mean(0).argmax(-1)
    assert step > 0
    assert tops[step] < tops[step - 1], "it goes back in the sentence"
    assert (np.diff(tops[:step]) >= 0).all(), "for the first time"
    faint, full = ([], [])
    for line in at.root.locator(".lines .thread").all():
        i, _ = line.get_attribute("data-pair").split()
        (full if int(i) == step else faint).append(float(line.get_attribute("opacity")))
    assert max(faint) < max(full) / 2
    assert "thread_step" not in at.page.url


@pytest.mark.wide
def test_step_by_step_has_empty_slots_for_what_is_not_written(hand):
    at = hand(STEPS + "&tr_thread_step=1")
    assert at.shown["step"] == 0
    expect(at.root.locator(".word.target:not(.later)")).to_have_text(["le"])
    expect(at.page.get_by_text("petit chat noir")).to_have_count(0)  # nothing tells the end of the story
    expect(at.root.locator(".lines .back")).to_have_count(1)
    at.root.get_by_role("button", name="Write the next word").click()
    expect(at.root.locator(".word.target:not(.later)")).to_have_text(["le", "petit"])
    expect(at.root.locator(".lines .back")).to_have_count(2)
    at.root.get_by_role("button", name="Next word", exact=True).click()
    assert at.shown["step"] == 2
    at.page.get_by_role("slider", name="Word that is being written").press("End")
    expect(at.root.locator(".later, .lines .back")).to_have_count(0)
    at.root.get_by_role("button", name="Start again").click()
    assert at.shown["step"] == 0


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


@pytest.mark.wide
def test_a_pulled_plug_is_drawn_among_the_threads(visit):
    view = visit(f"{CAT}&translation_view=Ablation", painted=False)
    root = view.page.locator(".pulled-plug[data-painted]")
    root.wait_for()
    assert root.locator(".thread.nothing").count() > 0, "nothing comes through"
    expect(root.get_by_role("button", name="regardé")).to_be_visible()
    root.locator("[data-word=w3]").hover()
    expect(root.get_by_role("status")).to_contain_text("To write noir, it looks most at black")
    view.page.get_by_role("radio", name="positions").or_(
        view.page.get_by_role("button", name="positions", exact=True)
    ).first.click()
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
