"""A sentence is made and changed by tapping its words, by keyboard too; unknown words are marked, and nothing moves."""

import re

import pytest
from playwright.sync_api import Page, expect

from lab.kit import story
from tests.waiting import until_holds

PHONE = {"width": 390, "height": 844}
STORIES = "/heads?weights=trained+on+stories&text="
DONE = "[data-testid=stApp][data-test-script-state=notRunning]"


class Words:
    """The words of a box on a page, and a hand on them."""

    def __init__(self, page: Page, *, chips: str = ".sentence-words .chip"):
        self.page, self.chips = page, page.locator(chips)
        self.offers = page.locator(".choice:popover-open")
        self.chips.first.wait_for()
        page.locator(DONE).wait_for()

    def tap(self, word: str) -> None:
        self.chips.filter(has_text=re.compile(f"^{re.escape(word)}$")).first.click()  # "a" is in "mia", too

    def choose(self, word: str) -> None:
        self.offers.locator(".offer", has_text=word).first.click()

    def likeliest(self) -> str:
        """Takes the first word that is offered at the blank."""
        self.chips.last.click()
        first = self.offers.locator(".offer").first
        word = first.locator(".name").inner_text()
        first.click()
        expect(self.offers).to_have_count(0)
        return word


def box(page: Page):
    return page.get_by_role("textbox", name="Sentence")


def test_a_sentence_is_made_by_tapping_alone_and_the_figure_stays_where_it_is(visit):
    view = visit(STORIES + "mia")
    words = Words(view.page)
    top = view.root.bounding_box()["y"]
    text = ["mia"]
    for _ in range(4):
        text.append(words.likeliest())
        expect(words.chips).to_have_text([*text, "+"])  # at once, before the server has answered
    expect(box(view.page)).to_have_value(" ".join(text))
    expect(view.tokens).to_have_text(["⟨start⟩", *text])
    words.chips.nth(-2).click()  # the last word: the same one may stand there before
    assert view.root.bounding_box()["y"] == top, "the choice lies over the page"
    words.offers.get_by_role("button", name="Remove").click()
    expect(view.tokens).to_have_text(["⟨start⟩", *text[:-1]])
    words.tap("mia")
    words.offers.get_by_role("button", name="Add a word after").click()
    words.offers.get_by_label("Find or type a word").fill("happy")
    words.choose("happy")
    expect(box(view.page)).to_have_value(" ".join(["mia", "happy", *text[1:-1]]))
    assert view.root.bounding_box()["y"] == top


def test_a_word_is_changed_by_keyboard(visit):
    view = visit(STORIES + "mia+found+a+red+hat")
    page, words = view.page, Words(view.page)
    box(page).focus()
    page.keyboard.press("Tab")
    expect(words.chips.nth(0)).to_be_focused()
    for _ in range(4):
        page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    first, second = (words.offers.locator(".offer").nth(n) for n in (0, 1))
    expect(first).to_be_focused()
    page.keyboard.press("Escape")
    expect(words.offers).to_have_count(0)
    expect(words.chips.nth(4)).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowDown")
    expect(second).to_be_focused()
    word = second.locator(".name").inner_text()
    page.keyboard.press("Enter")
    expect(words.chips.nth(4)).to_be_focused()
    expect(words.chips.nth(4)).to_have_text(word)
    expect(box(page)).to_have_value(f"mia found a red {word}")
    expect(view.tokens.last).to_have_text(word)
    page.keyboard.press("Delete")
    expect(box(page)).to_have_value("mia found a red")
    expect(words.chips.nth(3)).to_be_focused()


@pytest.mark.wide
def test_the_words_are_one_control_with_one_stop_of_the_tab_key(visit):
    view = visit(STORIES + "mia+found+a+red+hat")
    page, words = view.page, Words(view.page)
    row = page.get_by_role("menubar", name="Words of the sentence")
    expect(row.get_by_role("menuitem")).to_have_text(["mia", "found", "a", "red", "hat", "+"])
    assert row.get_by_role("button").count() == 0
    assert row.locator("[tabindex='0']").count() == 1
    words.chips.first.focus()
    page.keyboard.press("End")
    expect(words.chips.last).to_be_focused()
    page.keyboard.press("ArrowLeft")
    expect(words.chips.nth(4)).to_be_focused()
    for key in ("ArrowDown", "Space"):
        page.keyboard.press(key)
        expect(words.offers.locator(".offer").first).to_be_focused()
        expect(words.chips.nth(4)).to_have_attribute("aria-expanded", "true")
        page.keyboard.press("Escape")
        expect(words.chips.nth(4)).to_be_focused()
    page.keyboard.press("Tab")
    expect(row.locator(":focus")).to_have_count(0)
    page.keyboard.press("Shift+Tab")
    expect(words.chips.nth(4)).to_be_focused()


LONG = "+".join(["mia", "found", "a", "red", "hat", "."] * 8)
# How far a word is from the beginning of its row, and how far that can still be rolled back.
PLACE = "(chip) => [chip.getBoundingClientRect().left - chip.parentElement.getBoundingClientRect().left, "
PLACE += "chip.parentElement.scrollLeft]"


@pytest.mark.wide
def test_the_keyboard_walks_through_a_long_sentence_and_the_row_stays_with_it(visit):
    view = visit(STORIES + LONG)
    page, words = view.page, Words(view.page)
    row = page.get_by_role("menubar", name="Words of the sentence")
    expect(row).to_have_class(re.compile("past"))  # it begins at its end
    words.chips.last.focus()
    for _ in range(30):
        page.keyboard.press("ArrowLeft")
        left, rolled = row.locator(":focus").evaluate(PLACE)
        assert left >= 30 or rolled == 0, "no word that one is on fades away"
    assert rolled > 0
    page.set_viewport_size({"width": 1100, "height": 720})
    row.evaluate("(row) => new Promise((done) => new ResizeObserver(done).observe(row))")
    assert row.evaluate("(row) => row.scrollLeft") == pytest.approx(rolled, abs=2), "a new size does not roll it away"


@pytest.mark.wide
def test_typing_is_as_good_and_what_is_typed_is_no_html(visit):
    view = visit(STORIES + "mia+found+a+hat")
    page, words = view.page, Words(view.page)
    words.tap("hat")
    words.offers.get_by_label("Find or type a word").fill("<b>kite</b>")
    page.keyboard.press("Enter")
    expect(box(page)).to_have_value("mia found a <b>kite</b>")
    expect(words.chips.nth(3)).to_have_text(re.compile(r"^<(b>kite</b>)?$"))  # one word, or its first token
    assert page.locator(".sentence-words .words b").count() == 0
    width = box(page).bounding_box()["width"]
    box(page).click(position={"x": width - 8, "y": 15})  # beside the words one is in the box
    expect(box(page)).to_be_focused()
    covered = """e => e.isConnected && // not one that an answer of the server has just put another in place of
        e.getRootNode().elementFromPoint(e.getBoundingClientRect().x + 9, e.getBoundingClientRect().y + 9) !== e"""
    until_holds(lambda: words.chips.first.evaluate(covered))  # the box lies over its words while somebody types
    page.keyboard.press("Control+a")
    page.keyboard.type("tom lost a key")
    page.keyboard.press("Enter")
    expect(view.tokens).to_have_text(["⟨start⟩", "tom", "lost", "a", "key"])
    page.keyboard.press("Tab")
    expect(words.chips).to_have_text(["tom", "lost", "a", "key", "+"])


@pytest.mark.wide
def test_who_opens_the_box_writes_in_place_of_what_it_held(visit):
    view = visit(STORIES + "mia+found+a+hat")
    page = view.page
    Words(page)
    beside = {"x": box(page).bounding_box()["width"] - 8, "y": 15}
    box(page).click(position=beside)
    page.keyboard.type("tom lost a key")
    page.keyboard.press("Enter")
    expect(view.tokens).to_have_text(["⟨start⟩", "tom", "lost", "a", "key"])
    box(page).click(position=beside)  # one is there already: the caret goes where it is put
    page.keyboard.type(".")
    expect(box(page)).to_have_value("tom lost a key.")


@pytest.mark.wide
def test_an_unknown_word_is_greyed_its_neighbours_are_one_tap_away_and_nothing_moves(visit):
    page = visit("/translation?tr_english=the+little+dragon+sings", painted=False).page
    words, figure = Words(page), page.locator(".threads")
    drawn = figure.locator("[data-word=s2]")
    expect(drawn).to_have_text("dragon")
    for word in (drawn, words.chips.nth(2)):
        expect(word).to_have_attribute("title", "This model has never read this word: all it sees here is ⟨unknown⟩.")
        assert word.evaluate("e => getComputedStyle(e).textDecorationStyle") == "dotted"
        known = words.chips.nth(1).evaluate("e => getComputedStyle(e).color")
        assert word.evaluate("e => getComputedStyle(e).color") != known
    top = figure.bounding_box()["y"]
    words.tap("dragon")
    expect(words.offers).to_contain_text("all it sees here is ⟨unknown⟩")
    assert figure.bounding_box()["y"] == top
    words.choose("dog")
    expect(drawn).to_have_text("dog")
    expect(box(page)).to_have_value("the little dog sings")
    expect(page.locator(".unread")).to_have_count(0)
    page.locator(DONE).wait_for()
    assert figure.bounding_box()["y"] == top, "a sentence of known words stands where that of unknown ones stood"


@pytest.mark.wide
def test_the_words_above_the_question_are_changed_and_tell_nothing_before_the_guess(visit):
    page = visit("/", painted=False).page
    panel = page.locator(".guess")
    words = Words(page, chips=".guess .word")
    expect(words.chips.last).to_have_text("+")
    scrolled = "document.querySelector('[data-testid=stMain]').scrollTop"  # to what was pressed
    top, before = panel.bounding_box()["y"], words.chips.all_inner_texts()
    words.chips.last.click()
    assert "%" not in words.offers.inner_text(), "how likely a word is, is the answer"
    shown = words.offers.locator(".name").all_inner_texts()
    assert shown == sorted(shown)
    page.keyboard.press("Escape")
    words.tap("red")
    words.choose("red")  # changes nothing, and nothing waits for an answer
    expect(words.offers).to_have_count(0)
    expect(panel.get_by_role("button", name="another word")).to_be_enabled()
    words.tap("red")
    colour = next(name for name in words.offers.locator(".name").all_inner_texts() if name != "red")  # the likeliest
    words.choose(colour)
    expect(words.chips.nth(3)).to_have_text(colour)
    box = page.get_by_role("textbox", name="A sentence of your own")
    expect(box).to_have_value(story.TEXT.replace("red", colour, 1))
    expect(panel.get_by_role("group", name="Your guess")).to_be_visible()
    panel.get_by_role("button", name="another word").click()
    words.chips.last.click()
    assert "%" in words.offers.inner_text()
    first = words.offers.locator(".name").first.inner_text()
    words.choose(first)
    expect(words.chips).to_have_count(len(before) + 1)
    expect(words.chips.nth(len(before) - 1)).to_contain_text(first)
    expect(panel.locator(".verdict")).to_contain_text("The model gives")
    assert panel.bounding_box()["y"] + page.evaluate(scrolled) == top


OFFERS = """choice => [...choice.querySelectorAll(".likely .offer")].map(offer => {
    const box = e => {
        const { left, right, top, bottom, width } = e.getBoundingClientRect();
        return { left, right, middle: (top + bottom) / 2, width, above: top };
    };
    const [name, track, value] = [".name", ".track", ".value"].map(part => offer.querySelector(part));
    const bar = box(track.firstElementChild).width / box(track).width;
    return { row: box(offer), name: box(name), track: box(track), value: box(value), bar, said: value.textContent };
})"""


@pytest.mark.parametrize(
    ("path", "chips", "scheme"),
    [
        ("/", ".guess .word", "light"),
        ("/?front_guess=hat", ".guess .word", "dark"),
        ("/attention", ".sentence-words .chip", "light"),
    ],
)
@pytest.mark.wide
def test_a_likely_word_its_bar_and_its_number_stand_in_three_columns(visit, path, chips, scheme):
    page = visit(path, painted=False, color_scheme=scheme).page
    words = Words(page, chips=chips)
    words.chips.nth(4).click()  # hat
    expect(words.offers.locator(".likely .value").first).to_be_visible()
    offers = words.offers.evaluate(OFFERS)
    assert len(offers) >= 5
    for offer in offers:
        row, name, track, value = (offer[part] for part in ("row", "name", "track", "value"))
        assert row["left"] <= name["left"] <= name["right"] <= track["left"]
        assert track["right"] <= value["left"] <= value["right"] <= row["right"]
        for part in (name, track, value):
            assert part["middle"] == pytest.approx(row["middle"], abs=2), "each stands in its own row"
        said = offer["said"]
        share = 0 if said == "<1%" else int(said.rstrip("%")) / 100
        assert said != "0%", "what is possible is not none"
        assert offer["bar"] == pytest.approx(share, abs=0.02), "a bar is as long as its number says"
    assert len({round(offer["track"]["width"]) for offer in offers}) == 1
    assert len({round(offer["value"]["right"]) for offer in offers}) == 1


@pytest.mark.wide
@pytest.mark.few(1)
@pytest.mark.parametrize(
    "path", [STORIES + "mia+found+a+red+hat.+tom+found+a+blue+ball.+mia+took+the+red", "/", "/generation"]
)
def test_on_a_phone_every_word_is_large_enough_and_the_choice_within_the_screen(visit, path):
    page = visit(path, painted=False, viewport=PHONE, has_touch=True).page
    words = Words(page, chips=".guess .word" if path == "/" else ".sentence-words .chip")
    for chip in words.chips.all():
        size = chip.bounding_box()
        assert min(size["width"], size["height"]) >= 24
    assert page.locator('[data-testid="stMain"]').evaluate("e => e.scrollWidth <= e.clientWidth")
    if path != "/":
        assert page.locator(".sentence-words .words").bounding_box()["width"] > PHONE["width"] / 2
    for chip in (words.chips.nth(3), words.chips.last):
        chip.tap()
        expect(words.offers).to_be_visible()
        size = words.offers.bounding_box()
        assert size["x"] >= 0
        assert size["x"] + size["width"] <= PHONE["width"]
        assert size["y"] >= 0
        assert size["y"] + size["height"] <= PHONE["height"]
        for offer in words.offers.get_by_role("button").all():
            assert offer.bounding_box()["height"] >= 24
        assert not words.offers.get_by_label("Find or type a word").evaluate("e => e.matches(':focus')"), "no keyboard"
        page.keyboard.press("Escape")


# Where a press on each pencil of a page goes: [the label of the box, whether its field is what is pressed].
PRESSED = """() => [...document.querySelectorAll('[data-testid=stTextInput]')].flatMap((box) => {
    const icon = box.querySelector('[data-testid=stIconMaterial]')?.getBoundingClientRect();
    const field = box.querySelector('input');
    if (!icon?.width) return [];
    const hit = document.elementFromPoint(icon.x + icon.width / 2, icon.y + icon.height / 2);
    return [[field.getAttribute('aria-label'), hit === field]];
})"""


@pytest.mark.parametrize("viewport", [{"width": 1280, "height": 720}, PHONE], ids=["desk", "phone"])
@pytest.mark.wide
def test_who_presses_the_pencil_types(visit, server, viewport):
    page = visit("/attention", painted=False, viewport=viewport).page
    Words(page)
    for path in ("/attention", "/embeddings?emb_part=Look+up", "/generation", "/translation"):
        page.goto(server + path)
        pencil = page.get_by_test_id("stTextInput").get_by_test_id("stIconMaterial").first
        expect(pencil).to_be_visible()
        page.locator(DONE).wait_for()
        assert [is_field for _, is_field in page.evaluate(PRESSED)] == [True], path
        place = pencil.bounding_box()
        page.mouse.click(place["x"] + place["width"] / 2, place["y"] + place["height"] / 2)
        field = page.get_by_test_id("stTextInput").locator("input").first
        expect(field).to_be_focused()
        page.keyboard.press("ControlOrMeta+a")
        page.keyboard.type("mia")
        expect(field).to_have_value("mia")
        assert field.bounding_box()["width"] > 150, f"there is room to type at {path}"
