"""The front page in a browser: a word is guessed and the answer flips, the scene is full of doors and remembers."""

import re
from urllib.parse import urlencode

import pytest
import torch
from playwright.sync_api import expect

from lab.kit import catalogue
from pages.overview import data
from transformer import Recorder

PHONE = {"width": 390, "height": 844}


@pytest.mark.wide
def test_the_picture_of_an_older_link_comes_first_and_answers_the_hand(visit):
    view = visit("/?front_picture=open")
    assert view.root.bounding_box()["y"] <= 260
    view.expect(layer=2, head=0)  # as /heads opens
    before = view.cell
    view.hover(2, 3)
    view.wait(50)
    assert view.cell == (2, 3) != before


@pytest.mark.wide
def test_a_typed_sentence_goes_along_to_all_heads(visit):
    view = visit("/?front_picture=open")
    view.type("the room was not bad")
    expect(view.page.get_by_text("gets the most")).to_be_visible()
    view.settle()
    view.page.get_by_role("link", name="Explore all heads").click()
    expect(view.tokens.last).to_have_text("bad")
    expect(view.page.get_by_role("textbox", name="Sentence")).to_have_value("the room was not bad")


@pytest.mark.wide
def test_a_mark_stands_at_its_part_and_goes_where_one_flies_in(visit):
    page = visit("/?front_guess=hat", painted=False).page
    marks = page.locator(".marks")
    heads = marks.get_by_role("link", name="4. Heads: ")
    for title, other in (("7. Blocks: ", "3. Attention: "), ("3. Attention: ", "2. Embeddings: ")):
        upper, lower = (marks.get_by_role("link", name=name).bounding_box() for name in (title, other))
        assert upper["y"] + upper["height"] <= lower["y"]
    world = page.locator(".world")
    assert heads.bounding_box()["x"] > world.bounding_box()["x"] + 0.5 * world.bounding_box()["width"]
    page.get_by_role("button", name="Zoom in").click()
    expect(marks).to_be_hidden()
    page.get_by_role("button", name="Zoom out").click()
    heads.click()
    expect(page).to_have_url(re.compile("/heads"))


@pytest.mark.wide
def test_on_a_phone_the_scene_has_no_marks_and_the_list_of_pages_fits(visit):
    page = visit("/", painted=False, viewport=PHONE).page
    expect(page.locator(".world")).to_have_attribute("data-level", "0")
    expect(page.locator(".marks")).to_be_hidden()
    contents = page.locator(".st-key-contents")
    contents.scroll_into_view_if_needed()
    box = contents.bounding_box()
    assert box["x"] + box["width"] <= PHONE["width"]
    main = page.locator('[data-testid="stMain"]')
    assert main.evaluate("e => e.scrollWidth <= e.clientWidth")


@pytest.mark.wide
def test_what_it_looks_at_is_switched_without_a_message_to_the_server(visit):
    view = visit("/", painted=False)
    panel = view.page.locator(".pronoun")
    expect(panel.locator(".word.key")).to_contain_text("animal")
    view.page.locator("[data-testid=stApp][data-test-script-state=notRunning]").wait_for()
    expect(panel.locator(".word.query")).to_have_text("it")
    assert panel.locator("path").count() >= 3
    tired = panel.locator(".stage").get_attribute("aria-label")
    assert "looks at animal 0.64" in tired
    view.sent.clear()
    wide = panel.get_by_role("button", name="… wide")
    wide.focus()
    view.page.keyboard.press("Enter")
    expect(wide).to_have_attribute("aria-pressed", "true")
    now = re.compile(r"looks at \[CLS\] 0.36, animal 0.27, street 0.13")
    expect(panel.locator(".stage")).to_have_attribute("aria-label", now)
    assert view.sent == []


@pytest.mark.wide
def test_on_a_phone_it_is_coloured_words_without_ribbons(visit):
    page = visit("/", painted=False, viewport=PHONE).page
    panel = page.locator(".pronoun")
    panel.scroll_into_view_if_needed()
    expect(panel.locator("svg")).to_be_hidden()
    boxes = [word.bounding_box() for word in panel.locator(".word").all()]
    assert all(box["x"] >= 0 and box["x"] + box["width"] <= PHONE["width"] for box in boxes)


def test_a_guess_draws_the_answer_and_another_name_flips_it_without_a_message_to_the_server(visit):
    view = visit("/?front_text=mia+found+a+red+ball+in+the+park.+then", painted=False)
    page, panel = view.page, view.page.locator(".guess")
    expect(panel.get_by_role("group", name="Your guess")).to_be_visible()
    page.locator("[data-testid=stApp][data-test-script-state=notRunning]").wait_for()
    assert panel.bounding_box()["y"] <= 260
    assert panel.locator(".bars li, .key, .query").count() == 0, "nothing of the answer is there"
    assert "%" not in panel.inner_text()
    view.sent.clear()
    panel.get_by_role("button", name="he", exact=True).focus()
    page.keyboard.press("Enter")
    expect(panel.locator(".verdict")).to_be_focused()
    expect(panel.locator(".verdict")).to_have_text(
        re.compile(r"The model gives “she” (over )?(9[\d.]+|100)%, and your “he” (under )?[\d.]+%\.")
    )
    expect(panel.locator(".word.query")).to_have_text(re.compile(r"^then"))  # and its own weight, where it has some
    expect(panel.locator(".word.key")).to_have_count(1)
    expect(panel.locator(".bars li").first).to_contain_text("she")
    panel.get_by_role("button", name="tom").click()
    expect(panel.locator(".blank")).to_have_text("he")
    expect(panel.locator(".verdict")).to_have_text("“she” has become “he”: the answer depends on the name.")
    expect(page).to_have_url(re.compile(r"front_guess=he&front_name=tom"))
    assert view.sent == []
    page.reload()
    expect(panel.locator(".blank")).to_have_text("he")
    box = page.get_by_role("textbox", name="A sentence of your own")
    box.fill("eva lost a hat.")
    box.press("Enter")
    expect(panel.get_by_role("group", name="Your guess")).to_be_visible()
    expect(panel.locator(".word").first).to_have_text("eva")


MARK = """([key, state]) => {
    const marker = Object.assign(document.createElement('span'), { hidden: true });
    Object.assign(marker.dataset, { check: key, state });
    document.querySelector('[data-testid=stMain]').append(marker);
}"""


@pytest.mark.wide
def test_what_was_solved_is_there_after_a_reload_until_it_is_forgotten(visit):
    """It is on the foot of the page, in the menu, in the scene and in the list below; the server is not told."""
    page = visit("/masks", painted=False).page
    foot = page.locator(".st-key-turn .progress")
    expect(foot).to_contain_text("0 of")
    for key, state in (("masks-paint", "right"), ("masks-leaks", "wrong"), ("masks-paint", "right"), ("<b>", "right")):
        page.evaluate(MARK, [key, state])
    expect(foot).to_contain_text("1 of")
    page.reload()
    expect(foot).to_contain_text("1 of")
    expect(foot.locator("i.on")).to_have_count(1)
    page.get_by_role("button", name="Concepts").click()
    total = catalogue.page("masks").checks
    expect(page.get_by_role("menuitem", name="Masks")).to_have_attribute("data-solved", f"1/{total}")
    page.keyboard.press("Escape")
    page.get_by_role("link", name="Attention Lab").first.click()
    page.get_by_role("group", name="Your guess").get_by_role("button", name="hat").click()
    ring = page.locator(".marks").get_by_role("link", name="6. Masks: ")
    expect(page.locator(".st-key-contents").get_by_role("link", name="6. Masks")).to_have_attribute(
        "data-solved", f"1/{total}"
    )
    expect(ring).to_have_attribute("data-solved", f"1/{total}")
    recap = page.locator(".recap")
    expect(recap).to_contain_text("1 of")
    assert page.evaluate("localStorage.getItem('attention-lab-solved')") == '["masks-paint"]'
    recap.get_by_role("button", name="Forget my progress").click()
    expect(recap).to_contain_text("0 of")
    expect(ring).to_have_attribute("data-solved", f"0/{total}")
    assert page.evaluate("localStorage.getItem('attention-lab-solved')") is None


FORBID = "Storage.prototype.getItem = Storage.prototype.setItem = () => { throw new Error('no storage here'); };"


@pytest.mark.wide
def test_without_storage_progress_lasts_as_long_as_the_tab(visit):
    page = visit("/why", painted=False).page
    page.add_init_script(FORBID)
    page.reload()
    foot = page.locator(".st-key-turn .progress")
    expect(foot).to_contain_text("0 of")
    page.evaluate(MARK, ["why-path", "right"])
    expect(foot).to_contain_text("1 of")
    page.get_by_role("link", name="Attention Lab").first.click()
    expect(page.locator(".recap")).to_contain_text("1 of")


@pytest.mark.wide
def test_the_list_of_puzzles_says_which_are_solved(visit):
    page = visit("/challenges", painted=False).page
    count = page.locator(".progress[data-page=challenges]")
    expect(count).to_have_text("0 of 4 puzzles on this page solved")
    page.evaluate(MARK, ["challenges-head", "right"])
    expect(count).to_have_text("1 of 4 puzzles on this page solved")
    signs = "e => getComputedStyle(e, '::before').content"
    assert "✓" in page.locator(".st-key-puzzle-head a p").first.evaluate(signs)
    small = page.locator(".st-key-puzzle-small a p").first
    assert "✓" not in small.evaluate(signs)
    page.evaluate(MARK, ["challenges-small", "right"])
    expect(count).to_have_text("2 of 4 puzzles on this page solved")
    assert "✓" in small.evaluate(signs)


# ---- the scene -------------------------------------------------------------------------------------------------------

TEXTS = (
    "mia found a red hat. tom found a blue ball. mia took the red",
    "mia found a red ball in the park. then",
    "leo ate",
)


def numbers_of(text: str) -> tuple[tuple[str, ...], Recorder]:
    """The tokens that the model reads, and all that a plain pass computes on them."""
    source, recorder = data.WRITER.resolve(), Recorder()
    tokens = source.cut(text)
    with torch.inference_mode():
        source.model(torch.tensor([source.ids(tokens)]), tap=recorder)
    return tokens, recorder


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.few(1)
def test_one_flies_from_the_model_to_a_product_and_finds_the_models_numbers(visit, text: str):
    tokens, recorder = numbers_of(text)
    page = visit(f"/?{urlencode({'front_text': text, 'front_guess': 'hat'})}", painted=False).page
    world, say, path = (page.locator(f".guess {part}") for part in (".world", ".say", ".path"))
    expect(world).to_have_attribute("data-level", "0")
    expect(say).to_contain_text(f"{len(tokens)} tokens run up through 3 layers")
    layer, head = map(int, world.get_attribute("data-opens").split(","))
    weights, scores, q, k = (
        recorder[f"decoder.{layer}.self_attn.{name}"][0, head].double() for name in ("weights", "scores", "q", "k")
    )
    row = len(tokens) - 1
    key = int(weights[row].argmax())
    feature = int((q[row] * k[key]).abs().argmax())
    steps = [layer, "attention", head, row, key, feature]
    world.focus()
    for n, level in enumerate((1, 2, 3, 4, 4, 5), 1):
        page.keyboard.press("Enter")
        expect(world).to_have_attribute("data-level", str(level))
        expect(world).to_have_attribute("data-place", ".".join(map(str, steps[:n])))
        if n == 5:
            assert float(world.get_attribute("data-value")) == pytest.approx(float(weights[row, key]), abs=1e-4)
            expect(say).to_contain_text(f"q · k is {float(scores[row, key]):.2f}".replace("-", "−"))
    product = float(q[row, feature] * k[key, feature])
    assert float(world.get_attribute("data-value")) == pytest.approx(product, rel=1e-4)
    expect(path.get_by_role("button")).to_have_text(
        [
            "model",
            f"layer {layer}",
            "attention",
            f"head {head}",
            f"row “{tokens[row]}”",
            f"cell “{tokens[key]}”",
            f"product {feature}",
        ]
    )
    page.keyboard.press("Escape")
    expect(world).to_have_attribute("data-level", "4")
    path.get_by_role("button", name="model").click()
    expect(world).to_have_attribute("data-level", "0")


@pytest.mark.wide
def test_before_the_guess_the_row_that_decides_is_covered_and_a_link_into_it_uncovers_it(visit):
    page = visit("/", painted=False).page
    world, say = page.locator(".guess .world"), page.locator(".guess .say")
    expect(world).to_have_attribute("data-level", "0")
    last = len(numbers_of(TEXTS[0])[0]) - 1
    world.focus()
    for _ in range(3):
        page.keyboard.press("Enter")
    expect(say).to_contain_text("is covered until you have guessed")
    assert not re.search(r"\d\.\d\d", say.inner_text())
    page.keyboard.press("Enter")
    expect(world).to_have_attribute("data-place", re.compile(rf"\.{last - 1}$"))
    page.keyboard.press("ArrowDown")
    expect(world).to_have_attribute("data-level", "3")
    page.locator(".guess .path").get_by_role("button", name="model").click()
    page.get_by_role("group", name="Your guess").get_by_role("button", name="hat").click()
    world.focus()
    for _ in range(4):
        page.keyboard.press("Enter")
    expect(world).to_have_attribute("data-place", re.compile(rf"\.{last}$"))
    page.goto(page.url.split("?")[0] + f"?front_place=2.a.0.{last}.5")
    expect(world).to_have_attribute("data-level", "4")
    assert 0 <= float(world.get_attribute("data-value")) <= 1


@pytest.mark.parametrize("text", [TEXTS[0], pytest.param(TEXTS[2], marks=pytest.mark.wide)])
@pytest.mark.wide
def test_before_the_guess_the_last_stream_leads_to_the_words_and_nothing_else_stands_beside_it(visit, text: str):
    page = visit(f"/?{urlencode({'front_text': text})}", painted=False).page
    panel = page.locator(".guess")
    cards = panel.get_by_role("group", name="Your guess").get_by_role("button")
    expect(panel.locator(".fork path")).to_have_count(2)
    page.locator("[data-testid=stApp][data-test-script-state=notRunning]").wait_for()
    boxes = [card.bounding_box() for card in cards.all()]
    last = panel.locator(".word").nth(-2).bounding_box()
    stem, branches = panel.locator(".fork .stem").bounding_box(), panel.locator(".fork path").first.bounding_box()
    middle = last["x"] + last["width"] / 2
    assert stem["x"] + stem["width"] / 2 == pytest.approx(middle, abs=2), "it is the stream of the last word"
    centres = [box["x"] + box["width"] / 2 for box in boxes]
    assert branches["x"] == pytest.approx(min([middle, *centres]), abs=2)
    assert branches["x"] + branches["width"] == pytest.approx(max([middle, *centres]), abs=2)
    assert branches["y"] == pytest.approx(boxes[0]["y"] + boxes[0]["height"], abs=2)
    expect(panel.locator(".marks")).to_be_hidden()
    cards.first.click()
    expect(panel.locator(".fork path")).to_have_count(0)
    expect(panel).to_have_attribute("data-state", "revealed")


def test_before_the_guess_the_model_and_its_words_fill_the_first_screen(visit):
    page = visit("/", painted=False).page
    panel = page.locator(".guess")
    expect(panel.locator(".world")).to_have_attribute("data-level", "0")
    words = [word.bounding_box() for word in panel.locator(".word").all()]
    assert len({box["y"] for box in words[:-1]}) == 1, "each word stands below its column"
    answer, low = panel.locator(".answer").bounding_box(), words[0]["y"] + words[0]["height"]
    bar = page.locator("header").first.bounding_box()["height"]
    assert answer["y"] <= 200
    assert low - answer["y"] - answer["height"] >= 0.55 * (720 - bar)


@pytest.mark.wide
def test_a_long_sentence_leaves_the_box_on_the_first_screen(visit):
    text = f"{TEXTS[0]} hat and then mia gave the hat to anna in the garden and sam took the blue"
    page = visit(f"/?{urlencode({'front_text': text})}", painted=False).page
    expect(page.locator(".guess .world")).to_have_attribute("data-level", "0")
    expect(page.locator(".guess .word").nth(30)).to_be_visible()
    box = page.get_by_role("textbox", name="A sentence of your own").bounding_box()
    assert box["y"] + box["height"] <= 720


@pytest.mark.wide
def test_a_guess_is_one_of_its_own_sentence(visit):
    panel = visit("/?front_guess=ball", painted=False).page.locator(".guess")
    mine = panel.locator(".bars .mine .name")
    expect(mine).to_have_text("you: ball")
    turns = panel.get_by_role("group", name="The last word of the sentence")
    blue, red = (turns.get_by_role("button", name=name) for name in ("blue", "red"))
    assert blue.bounding_box()["height"] >= 32, "as large as what is next to press"
    colours = [button.evaluate("(b) => getComputedStyle(b).backgroundColor") for button in (blue, red)]
    blue.click()
    expect(panel.locator(".verdict")).to_contain_text("has become “ball”")
    expect(mine).to_have_count(0)
    assert colours == [button.evaluate("(b) => getComputedStyle(b).backgroundColor") for button in (red, blue)]
    red.click()
    expect(mine).to_have_text("you: ball")


def test_after_the_guess_the_word_that_decides_is_swapped_and_the_answer_with_it(visit):
    view = visit("/?front_guess=hat", painted=False)
    page, panel = view.page, view.page.locator(".guess")
    expect(panel.locator(".verdict")).to_contain_text("You and the model agree. The model gives “hat” over 99.9%.")
    page.locator("[data-testid=stApp][data-test-script-state=notRunning]").wait_for()
    view.sent.clear()
    panel.get_by_role("group", name="The last word of the sentence").get_by_role("button", name="blue").click()
    flipped = "“hat” has become “ball”: the answer depends on the last word."
    expect(panel.locator(".verdict")).to_have_text(flipped)
    expect(panel.locator(".ending span")).to_have_text("… mia took the blue")
    expect(panel.locator(".ending i")).to_have_text("ball")
    expect(panel.locator(".word.key b")).to_have_text("ball")
    expect(panel.locator(".blank b")).to_have_text("ball")
    expect(panel.get_by_role("button", name="Tour")).to_be_visible()
    assert view.sent == []
    panel.locator(".word").nth(4).click()  # the sentence that is on screen is changed, with the word that was swapped
    page.locator(".choice:popover-open .offer", has_text=re.compile("^(towel|pillow|radio|beaker|cart)")).first.click()
    expect(page.get_by_role("textbox", name="A sentence of your own")).to_have_value(re.compile("took the blue$"))


@pytest.mark.wide
def test_where_a_head_is_divided_and_the_answer_is_not_the_page_says_that_others_decide(visit):
    panel = visit("/?front_guess=hat&front_name=ben", painted=False).page.locator(".guess")
    expect(panel.locator(".texts")).to_contain_text(
        re.compile(
            r"looks back at “hat” \(0\.5\d\) and “ball” \(0\.4\d\)\. Without this head, “hat” would still get 5\d%"
        )
    )


@pytest.mark.wide
def test_whoever_guesses_another_word_is_told_no_number_as_a_word(visit):
    panel = visit("/", painted=False).page.locator(".guess")
    panel.get_by_role("button", name="another word").click()
    expect(panel.locator(".mine")).to_have_text(re.compile("you: another$"))


@pytest.mark.parametrize("text", [TEXTS[0], pytest.param(TEXTS[1], marks=pytest.mark.wide)])
@pytest.mark.wide
def test_one_flies_to_a_unit_and_finds_what_it_adds_to_a_feature(visit, text: str):
    tokens, recorder = numbers_of(text)
    page = visit(f"/?{urlencode({'front_text': text})}", painted=False).page
    world, say = page.locator(".guess .world"), page.locator(".guess .say")
    expect(world).to_have_attribute("data-level", "0")
    world.focus()
    for key in ("Enter", "Enter", "ArrowLeft", "Enter"):
        page.keyboard.press(key)
    layer = int(world.get_attribute("data-place").split(".")[0])
    hidden = recorder[f"decoder.{layer}.feed_forward.hidden"][0, -1]
    expect(world).to_have_attribute("data-place", f"{layer}.feed-forward.{len(tokens) - 1}")
    expect(say).to_contain_text(f"{int((hidden != 0).sum())} of {len(hidden)} units are not 0")
    page.keyboard.press("Enter")
    expect(world).to_have_attribute("data-level", "4")
    unit = int(world.get_attribute("data-place").split(".")[-1])
    assert float(world.get_attribute("data-value")) == pytest.approx(float(hidden[unit]), abs=1e-4)
    page.keyboard.press("Enter")
    expect(world).to_have_attribute("data-level", "5")
    feature = int(world.get_attribute("data-place").split(".")[-1])
    w_2 = data.WRITER.resolve().model.decoder.layers[layer].feed_forward.w_2
    added = float(hidden[unit]) * float(w_2.weight[feature, unit])
    assert float(world.get_attribute("data-value")) == pytest.approx(added, abs=1e-3)
    after = float(recorder[f"decoder.{layer}.residual_out"][0, -1, feature])
    expect(say).to_contain_text(f"and is {after:.2f}".replace("-", "−"))
    page.keyboard.press("ArrowRight")
    assert world.get_attribute("data-place").split(".")[-1] == str(min(feature + 1, w_2.out_features - 1))
    expect(page).to_have_url(re.compile(rf"front_place={layer}\.f\.\d+\.{unit}\.\d+"))


@pytest.mark.wide
def test_heads_come_beside_the_model_with_the_guess_and_the_words_make_room(visit):
    page = visit("/", painted=False, reduced_motion="reduce").page
    world, last = page.locator(".guess .world"), page.locator(".guess .word").nth(15)
    say = page.locator(".guess .say")
    expect(say).to_contain_text("press a layer")
    page.locator("[data-testid=stApp][data-test-script-state=notRunning]").wait_for()
    box, before = world.bounding_box(), last.bounding_box()
    head = {"x": 0.96 * box["width"], "y": 0.42 * box["height"]}
    assert before["x"] > 0.8 * box["width"], "the sentence is as wide as the page"
    page.get_by_role("group", name="Your guess").get_by_role("button", name="hat").click()
    bars, panel = page.locator(".guess .bars"), page.locator(".guess")
    expect(panel).to_have_attribute("data-quiet", "")
    expect(bars).to_be_hidden()  # only the sentence, the arc and the words to press
    assert abs((last.bounding_box() or {})["x"] - before["x"]) < 4, "no heads beside the words yet"
    panel.get_by_role("button", name="blue").click()
    expect(panel.locator(".blank")).to_have_text("ball")
    expect(bars).to_be_hidden()
    panel.get_by_role("button", name="red").click()
    expect(bars).to_be_visible()
    expect(say).to_contain_text("press a head")
    after = last.bounding_box()
    assert after["x"] + after["width"] < 0.75 * box["width"]
    assert after["height"] < before["height"]
    back = panel.get_by_role("button", name="Back to the guess")
    expect(back).to_be_hidden()
    world.click(position=head)
    expect(world).to_have_attribute("data-level", "3")
    assert world.bounding_box() == box, "the model keeps its size on the way in"
    back.click()  # what was said of the guess, and the words to press, are there again
    expect(world).to_have_attribute("data-level", "0")
    expect(panel.locator(".texts")).to_contain_text(re.compile(r"In layer \d, head \d, “red” looks back at “hat”"))
    expect(panel.get_by_role("button", name="blue")).to_be_visible()
    expect(back).to_be_hidden()


@pytest.mark.wide
def test_wheel_hand_and_link_lead_into_the_scene(visit):
    view = visit("/?front_name=ben&front_guess=hat", painted=False)  # heads stand beside the model
    page, world = view.page, view.page.locator(".guess .world")
    expect(world).to_have_attribute("data-level", "0")
    page.locator("[data-testid=stApp][data-test-script-state=notRunning]").wait_for()
    expect(page.locator(".guess .word").first).to_have_text("ben")
    box = world.bounding_box()
    x, y = box["x"] + box["width"] - 40, box["y"] + box["height"] * 0.42
    page.mouse.move(x, y)
    for _ in range(9):
        page.mouse.wheel(0, -200)
    expect(world).to_have_attribute("data-level", re.compile("[234]"))
    expect(page.locator(".guess .top")).to_be_hidden()
    door = page.locator(".guess .door")
    expect(door).to_have_attribute("href", re.compile(r"heads\?weights=.*text=ben\+found.*layer=\d"))
    expect(page).to_have_url(re.compile(r"front_place=\d\.a"))
    page.reload()
    expect(world).to_have_attribute("data-level", re.compile("[234]"))
    for _ in range(12):
        page.mouse.wheel(0, 200)
    expect(world).to_have_attribute("data-level", "0")
    expect(page.locator(".guess .top")).to_be_visible()
    world.click(position={"x": x - box["x"], "y": y - box["y"]})  # the page may have scrolled
    expect(world).to_have_attribute("data-level", "3")
    radio = page.get_by_role("radiogroup", name="Stage of the heads")
    radio.get_by_label("scores").check()
    expect(radio.get_by_label("scores")).to_be_checked()


@pytest.mark.wide
def test_a_word_that_is_swapped_is_looked_into_with_its_own_numbers(visit):
    view = visit("/?front_guess=hat", painted=False)
    page, world = view.page, view.page.locator(".guess .world")
    page.get_by_role("button", name="blue", exact=True).click()
    expect(page.locator(".guess .word.query")).to_have_text("blue")
    expect(page.get_by_role("button", name="Tour")).to_be_visible()
    _, recorder = numbers_of(TEXTS[0].removesuffix("red") + "blue")
    world.focus()
    for _ in range(5):
        page.keyboard.press("Enter")
    layer, _, head, row, key = world.get_attribute("data-place").split(".")
    weights = recorder[f"decoder.{layer}.self_attn.weights"][0, int(head)]
    expect(page.locator(".guess .say")).to_contain_text("the sum of 32 products")  # once its numbers are here
    shown = float(world.get_attribute("data-value"))
    assert shown == pytest.approx(float(weights[int(row), int(key)]), abs=1e-4)


@pytest.mark.wide
def test_the_tour_is_led_by_arrow_keys_and_ends_where_one_likes(visit):
    page = visit("/", painted=False).page
    world, say = page.locator(".guess .world"), page.locator(".guess .say")
    page.get_by_role("button", name="Tour").click()
    expect(say).to_contain_text("1 of 10.")
    expect(world).to_be_focused()
    for n in range(2, 11):
        page.keyboard.press("ArrowRight")
        expect(say).to_contain_text(f"{n} of 10.")
    expect(world).to_have_attribute("data-level", "5")
    page.keyboard.press("ArrowLeft")
    expect(say).to_contain_text("9 of 10.")
    expect(world).to_have_attribute("data-level", "4")
    page.keyboard.press("Escape")
    expect(say).to_contain_text("looks at")
    expect(page.get_by_role("button", name="Tour")).to_have_attribute("aria-pressed", "false")


@pytest.mark.wide
def test_the_tour_is_led_by_its_buttons_and_a_press_on_the_figure_goes_on(visit):
    page = visit("/", painted=False, reduced_motion="reduce").page
    world, say = page.locator(".guess .world"), page.locator(".guess .say")
    page.get_by_role("button", name="Tour").click()
    back, on = (page.get_by_role("button", name=name, exact=True) for name in ("Back", "Next"))
    expect(back).to_be_disabled()
    expect(say).not_to_contain_text("←")
    on.click()
    expect(say).to_contain_text("2 of 10.")
    back.click()
    expect(say).to_contain_text("1 of 10.")
    expect(on).to_be_focused()  # what had the focus leads no further
    page.keyboard.press("ArrowRight")
    expect(say).to_contain_text("2 of 10.")
    world.click(position={"x": 400, "y": 200})
    expect(say).to_contain_text("3 of 10.")
    expect(world).to_have_attribute("data-level", "2")
    page.keyboard.press("Enter")  # on the figure
    expect(say).to_contain_text("4 of 10.")
    on.focus()
    for n in range(5, 11):
        page.keyboard.press("Enter")
        expect(say).to_contain_text(f"{n} of 10.")
    expect(on).to_be_disabled()
    expect(back).to_be_focused()
    page.get_by_role("button", name="End the tour").click()
    expect(on).to_be_hidden()
    expect(world).to_have_attribute("data-level", "5")
    page.get_by_role("button", name="Tour").click()
    for n in range(2, 11):
        world.press("ArrowRight")
        expect(say).to_contain_text(f"{n} of 10.")
    world.click(position={"x": 400, "y": 200})  # the last stop leads out, where words can be changed
    expect(on).to_be_hidden()
    expect(world).to_have_attribute("data-level", "0")
    expect(page.get_by_role("button", name="Tour")).to_have_attribute("aria-pressed", "false")


@pytest.mark.wide
def test_a_stop_of_the_tour_says_what_is_on_screen(visit):
    """One head alone, which is named; and a number before and after it is scaled, in a row that has its numbers."""
    page = visit("/?front_guess=hat", painted=False, reduced_motion="reduce").page
    world, say = page.locator(".guess .world"), page.locator(".guess .say")
    page.get_by_role("button", name="Tour").click()
    on = page.get_by_role("button", name="Next", exact=True)
    for _ in range(3):
        on.click()
    layer, _, head = map(str, world.get_attribute("data-place").split("."))
    expect(say).to_contain_text(f"4 of 10. In head {head}, every query")
    box = world.bounding_box()
    ink = world.evaluate(SHARES_OF_INK)
    assert ink[0] < 0.02, "nothing stands to the left of the head"
    assert ink[2] < 0.02, "nor to the right of it"
    assert ink[1] > 0.2, "which is in the middle"
    on.click()
    _, recorder = numbers_of(TEXTS[0])
    path = f"decoder.{layer}.self_attn"
    weights, scores, scaled = (recorder[f"{path}.{name}"][0, int(head), -1] for name in ("weights", "scores", "scaled"))
    key = int(weights.argmax())
    expect(world).to_have_attribute("data-level", "4")
    expect(say).to_contain_text(f"“hat”, {float(scores[key]):.2f}, becomes {float(scaled[key]):.2f}")
    assert box == world.bounding_box()


@pytest.mark.wide
def test_on_a_phone_the_tour_is_read_and_led_by_a_thumb(visit):
    page = visit("/", painted=False, reduced_motion="reduce", **SCREEN).page
    world, say = page.locator(".guess .world"), page.locator(".guess .say")
    tour = page.get_by_role("button", name="Tour")
    tour.scroll_into_view_if_needed()
    tour.tap()
    on = page.get_by_role("button", name="Next", exact=True)
    for n in range(1, 11):
        expect(say).to_contain_text(f"{n} of 10.")
        text, button = say.bounding_box(), on.bounding_box()
        assert text["width"] > 300
        assert text["y"] >= 0
        assert text["y"] + text["height"] <= button["y"], "the sentence stands above its buttons"
        assert button["y"] + button["height"] <= 844, "which a thumb finds on the screen"
        if n < 10:
            (on if n % 2 else world).tap()


# How much of the canvas is drawn on: of its left, its middle and its right part.
SHARES_OF_INK = """canvas => [[0, 0.12], [0.4, 0.6], [0.88, 1]].map(([from, to]) => {
    const [x, wide] = [from, to - from].map(share => Math.round(share * canvas.width));
    const { data } = canvas.getContext("2d").getImageData(x, 0, wide, canvas.height);
    return data.filter((alpha, n) => n % 4 === 3 && alpha > 20).length / (data.length / 4);
})"""


COUNT = """canvas => {
    window.painted = 0;
    new MutationObserver(() => window.painted++).observe(canvas, { attributeFilter: ["data-painted"] });
}"""


@pytest.mark.wide
def test_who_asks_for_less_motion_jumps_and_does_not_fly(visit):
    page = visit("/", painted=False, reduced_motion="reduce").page
    world = page.locator(".guess .world[data-painted]")
    world.wait_for()
    page.locator("[data-testid=stApp][data-test-script-state=notRunning]").wait_for()
    world.evaluate(COUNT)
    world.focus()
    page.keyboard.press("Enter")
    expect(world).to_have_attribute("data-level", "1")
    page.wait_for_timeout(1500)  # longer than any flight
    assert 1 <= page.evaluate("window.painted") <= 3
    expect(world).to_have_attribute("aria-label", re.compile(r"here: model › layer \d\. Enter goes in"))


@pytest.mark.wide
def test_where_am_i_leads_back_to_the_cell_that_was_in_view(visit):
    page = visit("/attention?att_at=1&att_head=2&att_step=scores&att_from=6&att_to=3", painted=False).page
    page.get_by_role("link", name="Where am I?").click()
    world = page.locator(".guess .world")
    expect(world).to_have_attribute("data-place", "1.attention.2.6.3")
    expect(page).to_have_url(re.compile(r"front_place=1\.a\.2\.6\.3"))
    _, recorder = numbers_of(TEXTS[0])
    weights = recorder["decoder.1.self_attn.weights"][0, 2]
    assert float(world.get_attribute("data-value")) == pytest.approx(float(weights[6, 3]), abs=1e-4)
    door = page.locator(".guess .door")
    expect(door).to_have_attribute("href", re.compile("att_at=1&att_head=2&att_from=6&att_to=3"))


SCREEN = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}


def pinch(page, middle: tuple[float, float], apart: tuple[float, float]) -> None:
    """Two fingers around a point, from so many pixels apart to so many others, one above the other."""
    x, y = middle
    touch = page.context.new_cdp_session(page)
    fingers = [(x, y - apart[0] / 2), (x, y + apart[0] / 2)]

    def send(kind: str, at: list[tuple[float, float]]) -> None:
        points = [{"x": px, "y": py, "id": n} for n, (px, py) in enumerate(at)]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    send("touchStart", fingers)
    for step in range(1, 13):
        wide = apart[0] + (apart[1] - apart[0]) * step / 12
        send("touchMove", [(x, y - wide / 2), (x, y + wide / 2)])
    send("touchEnd", [])


@pytest.mark.wide
def test_two_fingers_enlarge_the_scene_and_make_it_small_again(visit):
    page = visit("/", painted=False, **SCREEN).page
    world = page.locator(".guess .world[data-painted]")
    world.wait_for()
    page.locator("[data-testid=stApp][data-test-script-state=notRunning]").wait_for()
    opens = world.get_attribute("data-opens")
    box = world.bounding_box()
    middle = (box["x"] + box["width"] - 30, box["y"] + 0.45 * box["height"])
    for _ in range(3):
        pinch(page, middle, (40, 300))
    expect(world).to_have_attribute("data-level", re.compile("[2345]"))
    assert page.evaluate("visualViewport.scale") == 1, "the page itself is not enlarged"
    assert world.get_attribute("data-opens") == opens
    box = world.bounding_box()
    middle = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    for _ in range(6):
        pinch(page, middle, (300, 40))
    expect(world).to_have_attribute("data-level", "0")


def blocks_of(film: bytes) -> int:
    """How many frames a WebM file has: its SimpleBlocks, found by walking over its elements."""

    def number(at: int, *, keeps_mark: bool) -> tuple[int, int]:
        """(a number of variable length, where it ends)"""
        length = 9 - film[at].bit_length()
        value = int.from_bytes(film[at : at + length])
        return (value if keeps_mark else value & ((1 << (7 * length)) - 1)), at + length

    opened = {0x18538067, 0x1F43B675}  # a segment and its clusters hold others
    at = n_blocks = 0
    while at < len(film):
        name, at = number(at, keeps_mark=True)
        size, at = number(at, keeps_mark=False)
        n_blocks += name in (0xA3, 0xA0)
        if name not in opened:
            at += size
    return n_blocks


@pytest.mark.wide
def test_a_film_of_the_tour_is_saved_with_progress_and_can_be_stopped(visit):
    page = visit("/", painted=False).page
    tools = page.locator(".guess .tools")
    page.locator(".guess .world[data-painted]").wait_for()
    save = tools.get_by_role("button", name="Save as a film")
    expect(save).to_be_hidden()
    tools.get_by_role("button", name="Tour").click()
    save.click()
    stop = tools.get_by_role("button", name="Stop filming")
    expect(stop).to_have_text("Stop filming: 2 of 10")
    stop.click()
    expect(save).to_be_visible()
    with page.expect_download() as saved:  # the first one was thrown away
        save.click()
        expect(stop).to_have_text("Stop filming: 1 of 10")
        expect(stop).to_have_text("Stop filming: 10 of 10")
    assert saved.value.suggested_filename == "attention-tour.webm"
    film = saved.value.path().read_bytes()
    assert film[:4] == b"\x1a\x45\xdf\xa3"
    assert b"webm" in film[:64]
    assert len(film) > 100_000
    assert blocks_of(film) > 50, "it is no single picture"
    expect(save).to_be_visible()
