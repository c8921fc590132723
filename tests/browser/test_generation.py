"""Choosing the next word by hand: branches, links, keys; and the browser's sampling beside that of the project."""

import json
import re
from typing import Any

import numpy as np
import pytest
import torch
from playwright.sync_api import expect

from lab.kit import story
from tests.browser.conftest import serve
from tests.browser.view import let_pass
from transformer import pretrained
from transformer.core.model import DecoderModel
from transformer.environment import MODELS
from transformer.generation import Sampling, begin, distribution
from transformer.generation.slices import drawn, number
from transformer.training import shipped
from transformer.training.tasks.storytelling.tokens import tokeniser
from transformer.training.text import BOS

WORDS = tokeniser()
GIVEN = (BOS, *WORDS.encode(story.TEXT))
END = f"/generation?gen_from={len(GIVEN)}"  # where all of the story is read


class Desk:
    def __init__(self, view):
        self.page, self.sent = view.page, view.sent
        self.root = self.page.locator(".next-word")
        expect(self.root).to_have_attribute("data-text", re.compile("."))
        self.idle()

    def idle(self):
        expect(self.page.locator("[data-testid=stApp]")).to_have_attribute("data-test-script-state", "notRunning")

    def button(self, name):
        return self.root.get_by_role("button", name=name)

    def bar(self, word):
        return self.root.locator(f"button[data-id='{WORDS.of_word(word)[0]}']")

    def stands(self, text):
        """The text that is read: the beginning, and these words."""
        ids = " ".join(map(str, (*GIVEN, *WORDS.encode(text))))
        expect(self.root).to_have_attribute("data-text", ids)

    def turn(self, **knobs):
        for name, value in knobs.items():
            label = "number of the next draw" if name == "seed" else name.replace("_", ".")
            value = value + 1 if name == "seed" else value  # people count from 1
            knob = self.root.locator("input").and_(self.root.get_by_label(re.compile(label, re.IGNORECASE)))
            knob.evaluate("(e, v) => { e.value = v; e.dispatchEvent(new Event('input')); }", str(value))


BOXES = """all => all.map((e) => {
    const { width, height } = e.getBoundingClientRect();
    return [Number(e.dataset.id), width * height, parseFloat(getComputedStyle(e.firstChild).fontSize)];
})"""


@pytest.fixture
def desk(visit):
    return lambda path="/generation", **more: Desk(visit(path, painted=False, **more))


def test_the_first_screen_offers_a_choice_whose_edge_is_pulled_and_a_word_of_the_story_moves_it(desk):
    """Words are as large as they are likely; the edge of the likeliest is where the hand is, and all others are those
    of that temperature; what the story says next is among them, and clicked it is taken."""
    at = desk()
    shares = json.loads(at.root.get_attribute("data-final"))
    boxes = at.root.locator(".tiles button").evaluate_all(BOXES)
    likely = [shares[id] for id, _, _ in boxes]
    assert sum(0.03 < p < 0.5 for p in likely) >= 5
    assert likely == sorted(likely, reverse=True)
    whole = at.root.locator(".wall").evaluate("e => e.clientWidth * e.clientHeight")
    np.testing.assert_allclose([area / whole for _, area, _ in boxes], likely, atol=0.002)
    letters = [px for _, _, px in boxes]
    assert letters[0] == max(letters)
    assert letters[0] > 1.2 * min(letters)
    best = round(100 * likely[0])
    first = at.root.locator(".tiles b").first.inner_text()
    says = f"After “mia”, {first} is most likely, but expect it in only about {best} of 100 draws."
    expect(at.root.locator(".why")).to_have_text(says)
    edge, before = at.root.get_by_role("slider", name=f"Share of “{first}”"), len(at.sent)
    wall, knob = at.root.evaluate(
        "e => ['.wall', '.edge'].map((of) => e.querySelector(of).getBoundingClientRect().toJSON())"
    )
    y = knob["y"] + 30
    at.page.mouse.move(knob["x"] + knob["width"] / 2, y)
    at.page.mouse.down()
    ids = tuple(map(int, at.root.get_attribute("data-text").split()))
    model = shipped.load("stories").model()
    assert isinstance(model, DecoderModel)
    logits = begin(model, ids, cached=False).logits
    for share in (0.2, 0.7):
        at.page.mouse.move(wall["x"] + share * wall["width"], y)
        expect(edge).to_have_attribute("aria-valuenow", str(round(100 * share)))
        expect(at.root.locator(".why")).to_contain_text(f"expect {first} in about {round(100 * share)} of 100 draws")
        temperature = float(at.root.get_attribute("data-settings").split(",")[0])
        assert temperature < 1, "it is surer than the model was"
        truth = distribution(logits, ids, Sampling(temperature=temperature)).final
        assert truth.max() == pytest.approx(share, abs=0.003)
        np.testing.assert_allclose(json.loads(at.root.get_attribute("data-final")), truth, atol=2e-6)
    at.page.mouse.move(wall["x"] - 50, y)  # beyond the hottest
    expect(at.root.locator(".why")).to_contain_text(re.compile("^At temperature 2.00, .* a word not shown.$"))
    at.page.mouse.up()
    edge.press("ArrowRight")
    expect(edge).to_have_attribute("aria-valuetext", re.compile("at temperature 1.95$"))
    expect(at.page).to_have_url(re.compile("gen_temperature=1.95"))
    assert len(at.sent) == before
    expect(at.button("Take back")).to_be_hidden()
    later = at.root.locator(".story .later")
    n = later.count()
    assert GIVEN[len(GIVEN) - n] in [id for id, _, _ in boxes]
    later.first.click()
    expect(at.root).to_have_attribute("data-text", " ".join(map(str, GIVEN[: len(GIVEN) - n + 1])))
    expect(later).to_have_count(n - 1)
    at.root.locator(".story [data-token='4']").click()
    expect(at.root).to_have_attribute("data-text", " ".join(map(str, GIVEN[:5])))
    expect(later).to_have_count(len(GIVEN) - 5)


@pytest.mark.wide
def test_a_wrong_word_is_taken_and_the_branches_stay(desk):
    at = desk("/generation?gen_tree=empty")
    at.bar("hat").click()
    at.stands("hat")
    at.root.locator("[data-node='-1']").click()
    at.stands("")
    at.root.locator(".more").click()
    at.bar("ball").click()
    at.stands("ball")
    at.root.locator(".tiles button").first.click()
    expect(at.root).to_have_attribute("data-nodes", "3")
    at.root.get_by_role("treeitem", name=re.compile("^hat")).click()
    at.stands("hat")
    expect(at.page).to_have_url(re.compile("gen_tree=.*gen_at=0"))
    again = desk("/generation" + at.page.evaluate("location.search"))
    again.stands("hat")
    expect(again.root).to_have_attribute("data-nodes", "3")
    again.button("Take back").click()
    again.stands("")
    expect(again.root).to_have_attribute("data-nodes", "3")
    again.button("Clear the tree").click()
    expect(again.root).to_have_attribute("data-nodes", "0")


@pytest.mark.wide
def test_writing_to_the_end_and_going_on_from_the_middle(desk):
    at = desk("/generation?gen_tree=empty")
    at.root.locator(".more").click()
    at.root.locator(".rest [data-id='2']").click()
    expect(at.root).to_have_attribute("data-text", re.compile(r" 2$"))
    for gone in ("Draw one", "Draw 100", "Write to the end"):
        expect(at.button(gone)).to_be_hidden()
    expect(at.root.get_by_role("status").first).to_contain_text("The text ends here")
    expect(at.root.locator(".wall")).to_be_hidden()  # what would come after the end is no news
    expect(at.root.locator(".rest")).to_be_hidden()
    expect(at.button("Take back")).to_be_focused()
    current = at.root.locator("[aria-current]")
    current.focus()
    at.page.keyboard.press("ArrowLeft")
    at.page.keyboard.press("Enter")
    at.stands("")
    expect(at.button("Draw one")).to_be_enabled()
    at.button("Write to the end").click()
    expect(at.root).to_have_attribute("data-nodes", re.compile("[1-9][0-9]"))
    assert len(at.root.get_attribute("data-text").split()) > len(GIVEN) + 9


@pytest.mark.wide
def test_near_temperature_0_one_word_is_left_and_nothing_is_sent(desk):
    at = desk(END)
    before = len(at.sent)
    at.turn(temperature=0)
    expect(at.root).to_have_attribute("data-left", "1")
    expect(at.root.locator(".why")).to_contain_text("nothing has to be drawn")
    at.turn(temperature=1, top_k=4)
    expect(at.root).to_have_attribute("data-left", "4")
    expect(at.root.locator(".why")).to_contain_text("Top-k took out 1,996")
    expect(at.page).to_have_url(re.compile("gen_top_k=4"))
    assert len(at.sent) == before
    again = desk("/generation" + at.page.evaluate("location.search"))
    expect(again.root).to_have_attribute("data-left", "4")


@pytest.fixture
def with_gpt2(tmp_path, monkeypatch):
    """A server that has a tiny GPT-2 in its operator's folder; its address."""
    from tests.pretrained import makers  # brings in all of the library transformers

    makers.copied(makers.gpt2_folder(), tmp_path / "tiny")
    monkeypatch.setenv(MODELS.name, str(tmp_path))
    with serve() as address:
        yield address


@pytest.mark.wide
def test_the_knobs_of_a_pretrained_model_are_worked_out_by_the_server(desk, with_gpt2):
    at = desk("/generation?gen_model=tiny, pretrained&gen_text=The animal", address=with_gpt2)
    from tests.pretrained import makers

    known = pretrained.load(makers.gpt2_folder())
    assert isinstance(known.model, DecoderModel)
    ids = known.tokenizer.encode("The animal").ids
    logits = begin(known.model, ids, cached=False).logits
    for knobs in ({"temperature": 2, "top_p": 0.5}, {"temperature": 0.5, "top_k": 4}, {"repetition_penalty": 1.5}):
        full = {"temperature": 1, "top_k": 251, "top_p": 1, "repetition_penalty": 1} | knobs
        at.turn(**full)
        settings = [full["temperature"], knobs.get("top_k", 0), full["top_p"], full["repetition_penalty"]]
        expect(at.root).to_have_attribute("data-settings", ",".join(map(str, settings)))
        truth = distribution(logits, ids, Sampling(**knobs))  # pyrefly: ignore[bad-argument-type]
        sent = json.loads(at.root.get_attribute("data-final"))
        np.testing.assert_allclose(list(sent.values()), [truth.final[int(id)] for id in sent], atol=2e-6)
    at.root.locator(".more").click()
    expect(at.root.locator("button[data-id]")).to_have_count(250)
    at.button("Draw 100").click()
    expect(at.root.locator(".why")).to_contain_text("Of 100 random numbers")
    at.root.locator("button[data-id]").first.press("Enter")  # so flat that the edge covers it
    expect(at.root).to_have_attribute("data-text", " ".join(map(str, [*ids, int(truth.final.argmax())])))


def test_the_browser_samples_as_the_project_does(desk):
    at = desk(END)
    model = shipped.load("stories").model()
    assert isinstance(model, DecoderModel)
    logits = begin(model, GIVEN, cached=False).logits
    draws: tuple[tuple[dict[str, Any], int], ...] = (
        ({}, 0),
        ({"temperature": 0}, 1),
        ({"temperature": 0.05, "repetition_penalty": 2}, 2),
        ({"temperature": 1.5, "top_k": 6, "top_p": 0.8}, 3),
        ({"top_p": 0.05}, 4),
        ({"temperature": 2, "top_p": 0.95, "repetition_penalty": 1.35}, 5),
    )
    for knobs, seed in draws:
        at.turn(**{"temperature": 1, "top_k": len(WORDS), "top_p": 1, "repetition_penalty": 1, **knobs, "seed": seed})
        sent, removed, token = at.root.evaluate("e => [e.dataset.final, e.dataset.removed, e.dataset.drawn]")
        truth = distribution(logits, GIVEN, Sampling(**knobs))
        np.testing.assert_allclose(json.loads(sent), truth.final, atol=2e-6)
        assert json.loads(removed) == [truth.removed_by(id) for id in range(len(WORDS))]
        assert int(token) == drawn(truth.final, number(seed, len(GIVEN))).id


@pytest.mark.wide
def test_another_head_is_chosen_without_a_message_and_stands_in_the_link(desk):
    at = desk(END)
    before = len(at.sent)
    at.root.get_by_role("button", name="Layer 1, head 2").click()
    expect(at.root.get_by_role("button", name="Layer 1, head 2")).to_have_attribute("aria-pressed", "true")
    model = shipped.load("stories").model()
    assert isinstance(model, DecoderModel)
    row = begin(model, GIVEN, cached=False).self_attention[1, 2]
    first = at.root.locator(f".story [data-token='{int(torch.tensor(row).argmax())}']")
    expect(first).to_have_attribute("title", re.compile(f"attention weight {row.max():.3f}$"))
    expect(at.page).to_have_url(re.compile("gen_head=1.2"))
    assert len(at.sent) == before


@pytest.mark.wide
def test_the_temperature_of_a_hundred_texts_is_dragged_and_the_wall_turns(visit):
    """Colder texts that have come are there at once; the link says where the slider stands."""
    page = visit("/generation?gen_hundred=true&gen_left=1.3", painted=False).page
    root = page.locator(".story-wall")
    heat = root.get_by_role("slider", name="Temperature of all texts")
    heat.scroll_into_view_if_needed()
    expect(root).to_have_attribute("data-lines", "100")
    hot = root.locator(".title").text_content()
    heat.focus()
    heat.press("ArrowLeft")
    expect(root).to_have_attribute("data-temperature", "1")
    expect(root.locator(".title")).to_have_text(re.compile(r"^\d+ right"))
    warm = root.locator(".title").text_content()
    assert int(warm.split()[0]) > int(hot.split()[0])
    expect(page).not_to_have_url(re.compile("gen_left"))
    heat.press("ArrowRight")
    expect(root.locator(".title")).to_have_text(hot)
    expect(page).to_have_url(re.compile("gen_left=1.3"))


# Where bars end.
FEET = "bars => bars.map((bar) => bar.getBoundingClientRect().bottom)"
# How many dots lie on what is written.
STRUCK = """wall => {
    const texts = [...wall.querySelectorAll('.tile :is(b, small)')].map((text) => text.getBoundingClientRect());
    const dots = [...wall.querySelectorAll('.dot')].map((dot) => dot.getBoundingClientRect());
    return dots.filter((dot) => texts.some((it) =>
        dot.right > it.left && dot.left < it.right && dot.bottom > it.top && dot.top < it.bottom)).length;
}"""
# The ids of the words on which dots lie; null where they have no room of their own.
DOTS = """wall => [...wall.querySelectorAll('.dot')].map((dot) => {
    const { left, right, top, bottom } = dot.getBoundingClientRect();
    const [x, y] = [(left + right) / 2, (top + bottom) / 2];
    const holds = ({ left, right, top, bottom }) => left <= x && x < right && top <= y && y < bottom;
    const word = [...wall.querySelectorAll('li')].find((li) =>
        [...li.children].some((tile) => holds(tile.getBoundingClientRect())));
    return word ? Number(word.firstChild.dataset.id) : null;
})"""


@pytest.mark.wide
def test_a_hundred_draws_are_those_of_the_seeded_numbers(desk):
    at = desk("/generation?gen_tree=empty", reduced_motion="reduce")
    model = shipped.load("stories").model()
    assert isinstance(model, DecoderModel)
    logits = begin(model, GIVEN, cached=False).logits
    before = len(at.sent)
    for first, temperature in ((0, 1.0), (100, 0.5)):
        at.button("Draw 100").click()
        expect(at.root.locator(".dot")).to_have_count(100)
        at.turn(temperature=temperature)  # the same numbers, by other slices
        final = distribution(logits, GIVEN, Sampling(temperature=temperature)).final
        tokens = [drawn(final, number(seed, len(GIVEN))).id for seed in range(first, first + 100)]
        counts = dict(json.loads(at.root.get_attribute("data-counts")))
        assert counts == {id: tokens.count(id) for id in set(tokens)}
        best = max(counts, key=counts.__getitem__)
        expect(at.root.locator(f"[data-id='{best}'] small")).to_have_text(f"{counts[best]}×")
        lie = at.root.locator(".wall").evaluate(DOTS)
        assert {id: lie.count(id) for id in counts} == counts, "each dot lies on the word that it counts for"
        assert at.root.locator(".wall").evaluate(STRUCK) == 0, "and strikes nothing through"
        assert all(at.root.locator(".tiles button").all_inner_texts()), "no tile is empty"
    assert len(at.sent) == before


@pytest.mark.wide
def test_each_draw_takes_the_next_random_number_and_one_word(desk):
    at = desk("/generation?gen_tree=empty")
    model = shipped.load("stories").model()
    assert isinstance(model, DecoderModel)
    text = GIVEN
    for seed in range(2):
        token = drawn(
            distribution(begin(model, text, cached=False).logits, text, Sampling()).final, number(seed, len(text))
        ).id
        at.button("Draw one").click()
        text = (*text, token)
        expect(at.root).to_have_attribute("data-text", " ".join(map(str, text)))
        expect(at.root.locator(".where")).to_contain_text("The draw landed on")
    expect(at.page).to_have_url(re.compile("gen_seed=2"))


@pytest.mark.wide
def test_the_box_keeps_the_text_as_it_was_and_the_page_says_so(desk):
    at = desk()
    count = at.root.get_by_label("Number of the next draw")
    expect(count).to_have_value("1")
    at.button("Draw one").click()
    expect(at.root.locator(".where")).to_contain_text("(In your text: “took”.)")
    expect(count).to_have_value("2")
    at.button("Take back").click()
    expect(at.root.locator(".where")).to_be_empty()


def test_the_next_token_computes_every_pair_without_a_cache_and_one_with_it(visit):
    page = visit("/generation?gen_view=The+cache", reduced_motion="reduce", painted=False).page
    root = page.locator(".kv-cache")
    asks = "how many pairs are computed again?"
    expect(root.locator(".finding")).to_contain_text(asks)
    expect(root.locator(".again b")).to_have_text("6")
    knob = root.get_by_role("slider", name="Tokens of the text")
    knob.locator("i").click()  # who does not pull has one token more as well
    expect(root.locator(".words .now")).to_have_text("red")
    expect(root.locator(".sums b")).to_have_text(["3×", "10", "5"])
    expect(page).to_have_url(re.compile("gen_read=5"))
    box, sheet = knob.locator("i").bounding_box(), root.locator(".sheet").bounding_box()
    assert box is not None
    assert sheet is not None
    page.mouse.move(box["x"] + 18, box["y"] + 18)
    page.mouse.down()
    page.mouse.move(sheet["x"] + sheet["width"] + 40, box["y"] + 18)
    page.mouse.up()
    expect(root.locator(".sums b")).to_have_text(["500×", "499,500", "1,000"])
    expect(root.locator(".place")).to_contain_text("Counted, not measured.")
    root.get_by_role("button", name="Start again").click()
    expect(root.locator(".finding")).to_contain_text(asks)
    expect(page).not_to_have_url(re.compile("gen_read"))
    page.set_viewport_size({"width": 2560, "height": 1440})  # where all is drawn larger, the hand still has the knob
    start = 0.0
    while (now := knob.evaluate("(e) => e.currentCSSZoom > 1 ? e.getBoundingClientRect().x : 0")) != start or not now:
        start = now
        page.wait_for_timeout(100)
    box = knob.locator("i").bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 20, box["y"] + 20)
    page.mouse.down()
    page.mouse.move(box["x"] + 320, box["y"] + 20)
    assert knob.evaluate("(e) => e.getBoundingClientRect().x") == pytest.approx(start + 300, abs=2)
    page.mouse.up()


@pytest.mark.wide
def test_a_link_opens_on_its_token_and_keys_and_hands_follow_one(visit):
    page = visit("/generation?gen_view=The+cache&gen_read=17", reduced_motion="reduce", painted=False).page
    root = page.locator(".kv-cache")
    expect(root).to_have_attribute("data-n", str(len(GIVEN)))
    knob = root.get_by_role("slider", name="Tokens of the text")
    knob.press("ArrowRight")
    model = shipped.load("stories").model()
    assert isinstance(model, DecoderModel)
    told = WORDS.label(int(begin(model, GIVEN).logits.argmax()))
    expect(root.locator(".words .now")).to_have_text(told)  # the model writes on by itself
    knob.press("Home")
    expect(knob).to_have_attribute("aria-valuetext", "1 token: 1 pair without a cache, 1 with one")
    for _ in range(3):
        knob.press("ArrowRight")
    root.locator(".words button").nth(1).focus()
    expect(root.locator(".finding")).to_have_text("“mia” was computed 3 times, always the same. With a cache: once.")
    knob.press("End")
    expect(root).to_have_attribute("data-n", "1000")


def test_each_of_two_models_writes_and_only_the_one_without_the_mask_copies(visit):
    page = visit("/generation?gen_view=Without+the+mask", reduced_motion="reduce", painted=False).page
    root = page.locator(".two-writers")
    expect(root.locator(".finding")).to_contain_text("Bet on one.")
    text = root.locator(".text")
    expect(text).to_have_text([re.compile("^rosa lost a"), re.compile("^rosa lost a")])
    root.locator(".page").nth(1).click()
    expect(text.nth(1)).to_have_text(re.compile(r"^rosa lost a green key and forgot .* (a|green|key|and|forgot) …$"))
    assert text.nth(1).evaluate("p => p.scrollHeight <= p.clientHeight + 2"), "it ends at a whole word, seen in full"
    expect(root.locator(".finding")).to_have_text(re.compile("^You lost: .*, but 0% of stories make sense"))
    expect(text.nth(0)).to_contain_text("rosa lost a yellow")
    root.get_by_role("button", name="Why?").click()
    says = root.locator(".slot")
    expect(says).to_have_text(["yellow", "blue"])
    expect(root.locator(".verdict")).to_have_text(["It has to guess.", "It copies."])
    assert root.locator(".blocked").count() == 4
    assert root.locator("path.bold").count() == 1
    reel = root.get_by_role("slider", name="The next word")
    expect(reel).to_have_attribute("aria-valuetext", "blue")
    expect(reel).to_have_attribute("aria-valuemax", "5")  # without the guess: there, nothing tells the two apart
    box = reel.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 50, box["y"] + 30)
    page.mouse.down()
    page.mouse.move(box["x"] + 50, box["y"] - 16)  # the next word comes up
    expect(says).to_have_text(["yellow", "green"])
    page.mouse.up()
    for key, word in (("End", "black"), ("Home", "red")):
        reel.press(key)
        expect(says).to_have_text(["yellow", word])
        expect(root.locator(".finding")).to_contain_text(f"Without the mask it says “{word}”")
    root.get_by_role("button", name="Another story").click()
    expect(root).to_have_attribute("data-tale", "anna found a")


BARS = """all => all.map((one) => ["up", "down"].map((part) =>
    one.querySelector(`.${part} .you`).getBoundingClientRect().height))"""


@pytest.mark.parametrize("has_touch", [False, True])
def test_a_word_is_pulled_up_and_the_bars_of_all_others_answer_until_the_word_comes(visit, has_touch: bool):
    """By mouse or finger, then by keys: every bar above is as long as its share, and every one below as its bits."""
    page = visit("/generation?gen_view=Bet", reduced_motion="reduce", painted=False, has_touch=has_touch).page
    root = page.locator(".wager")
    says, main, words = root.locator(".finding"), root.locator(".primary"), root.get_by_role("slider")
    expect(says).to_have_text("Which word comes next? Pull it up.")
    expect(words).to_have_count(6)
    expect(root.locator(".model")).to_have_count(0)
    expect(root.locator(".story u")).to_have_count(0)  # it would be the answer
    main.press("Enter")
    expect(main).to_have_text("Pull a bar first")
    hassan = root.get_by_role("slider", name="hassan")
    expect(hassan).to_have_attribute("aria-valuenow", "17")
    figure = (
        "e => [e, e.querySelector('.came, [aria-label=hassan]')].map((one) => one.getBoundingClientRect().toJSON())"
    )
    whole, box = root.evaluate(figure)
    assert whole["bottom"] <= 722, "the figure ends at the fold"
    x, bottom = box["x"] + box["width"] / 2, hassan.locator(".up").evaluate("e => e.getBoundingClientRect().bottom")
    finger = page.context.new_cdp_session(page)

    def touch(kind, *points):
        touches = [{"x": x, "y": y} for x, y in points]
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})

    if has_touch:
        touch("touchStart", (x, bottom - 20))
        touch("touchMove", (x, bottom - 110))
    else:
        page.mouse.move(x, bottom - 20)
        page.mouse.down()
        page.mouse.move(x, bottom - 110)
    expect(says).to_have_text(re.compile("^If “hassan” comes: 0.* would be .* heads in a row"))
    percent = json.loads(root.get_attribute("data-percent"))
    bars = np.array(words.evaluate_all(BARS))
    assert sum(percent) == 100
    assert percent[1] == max(percent) > 50
    assert bars[1, 0] == pytest.approx(110, abs=3), "it is where the hand is"
    np.testing.assert_allclose(bars[:, 0], bars[1, 0] * np.array(percent) / percent[1], atol=1)
    np.testing.assert_allclose(
        bars[:, 1] / bars[0, 1], np.log2(np.array(percent) / 100) / np.log2(percent[0] / 100), atol=0.1
    )
    if has_touch:
        touch("touchEnd")
    else:
        page.mouse.up()
    for key in ("End", "ArrowDown", "PageDown"):
        hassan.press(key)
    expect(hassan).to_have_attribute("aria-valuenow", "84")
    main.press("Enter")
    expect(says).to_have_text("It was “hassan”. You did better: the model was sure of “ida”.")
    expect(root.locator(".came .down b")).to_have_text(["0.3", re.compile("^11\\.")])
    you, model = (root.locator(f".came .down .{who} b").bounding_box() or {} for who in ("you", "model"))
    assert you["y"] == model["y"], "they stand on one line"
    assert you["x"] + you["width"] <= model["x"], "and beside each other"
    assert you["y"] >= max(root.locator(".came .down .bar").evaluate_all(FEET)), "below both bars"
    expect(root.locator(".came .word")).to_have_text("hassan")
    expect(root.locator(".story u")).to_have_text(["hassan", "ida"])
    expect(root.locator(".came .up b")).to_have_text(["84%", re.compile("0%|<1%")])
    main.press("Enter")
    expect(says).to_have_text("Which word comes next? Pull it up.")
    expect(main).to_be_focused()
    words.nth(1).press("PageUp")
    main.press("Enter")
    expect(root.locator(".score")).to_contain_text(re.compile(r"So far: you [\d.]+ bits, the model 1"))
    expect(page).to_have_url(re.compile(r"gen_bets=1_[\d.]+$"))


@pytest.mark.wide
def test_every_word_can_be_pulled_and_read_on_a_phone(visit):
    page = visit(
        "/generation?gen_view=Bet", reduced_motion="reduce", painted=False, viewport={"width": 390, "height": 844}
    ).page
    root = page.locator(".wager")
    hassan = root.get_by_role("slider", name="hassan")
    hassan.click(position={"x": 20, "y": 10})
    expect(root.locator(".finding")).to_contain_text("If “hassan” comes")
    expect(hassan).to_have_attribute("aria-valuenow", re.compile("9."))
    for word in ("homer", "hassan", "betty", "ida", "pyjama", "something else"):
        expect(root.get_by_text(word, exact=True).last).to_be_visible()
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.wide
@pytest.mark.parametrize("screen", [{"width": 1280, "height": 720}, {"width": 390, "height": 844}])
def test_the_button_that_draws_stays_under_the_hand_and_on_a_laptop_the_wall_does_too(visit, screen: dict):
    page = visit("/generation", reduced_motion="reduce", painted=False, viewport=screen).page
    act, where = page.get_by_role("button", name="Draw one"), page.locator(".next-word .where")
    expect(act).to_be_enabled()
    expect(where).to_be_empty()
    page.locator("[data-testid=stApp][data-test-script-state=notRunning]").wait_for()
    let_pass(page, 150)
    page.evaluate("document.fonts.ready")
    wall = page.locator(".next-word .wall")
    still = (act, wall) if screen["width"] > 390 else (act,)
    before = [(one.bounding_box() or {})["y"] for one in still]
    act.click()
    expect(where).to_contain_text("The draw landed on")
    expect(page.locator(".next-word .token.taken")).to_have_count(1)
    for one, y in zip(still, before, strict=True):
        assert abs((one.bounding_box() or {})["y"] - y) < 2
