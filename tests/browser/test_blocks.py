"""The blocks page in a browser: opening a station by hand or by keys, asking a token, deep stacks, a phone's width."""

import re
from itertools import pairwise
from urllib.parse import quote

import pytest
from playwright.sync_api import expect

OPEN = "&blocks_open=100-100"  # all that a layer adds


# A server that hears nothing once `isLost`, and a patience of twelve seconds that ends when a test says so.
LOST = """(() => {
    const later = setTimeout.bind(window), send = WebSocket.prototype.send;
    const waiting = [];
    window.giveUp = () => waiting.splice(0).forEach((act) => act());
    window.setTimeout = (act, ms, ...more) => ms === 12000 ? waiting.push(act) : later(act, ms, ...more);
    WebSocket.prototype.send = function (message) { if (!window.isLost) send.call(this, message); };
})()"""


def part(visit, name, more="", **context):
    page = visit(f"/blocks?blocks_part={quote(name)}{more}", painted=False, **context).page
    page.get_by_text("Check yourself.").first.wait_for()
    page.locator("[data-figure], .js-plotly-plot").first.wait_for()
    return page


def station(page, n):
    """The n-th station's button on the river."""
    return page.locator(".layer-river .stations button").nth(n)


@pytest.mark.wide
def test_a_station_of_the_river_opens_below_it_and_in_the_link(visit):
    page = part(visit, "One layer", more=OPEN, reduced_motion="reduce")
    expect(page.locator(".layer-river .stations")).to_be_hidden()
    page.get_by_role("button", name=re.compile("feed-forward adds")).click()
    expect(page.locator(".layer-river .finding")).to_have_text(re.compile("^Of 512 hidden units, "))
    expect(page).to_have_url(re.compile("blocks_step=feed-forward"))
    expect(station(page, 5)).to_have_attribute("aria-pressed", "true")
    station(page, 5).press("ArrowLeft")
    expect(station(page, 4)).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(".layer-river .finding")).to_have_text(re.compile("^The longest vector is "))
    expect(page).to_have_url(re.compile(r"blocks_step=norm(\+|%20)2"))
    page.reload()
    expect(station(page, 4)).to_have_attribute("aria-pressed", "true")


def test_a_hand_opens_what_attention_adds_and_the_guess_follows(visit):
    page = part(visit, "One layer", reduced_motion="reduce")
    river = page.locator(".layer-river")
    says, on, words = river.locator(".finding"), river.locator(".primary"), river.locator(".guesses b")
    expect(says).to_have_text("What comes in says “red”. How far must attention open to change that?")
    expect(words).to_have_text(["red"] * 3)
    hollow = river.locator(".guesses .echo b")
    expect(hollow).to_have_count(2)  # nothing is let in that would change what came in
    expect(on).to_have_text("Open attention")
    top = river.locator(".sky").bounding_box()["y"]
    attention, fed = river.get_by_role("slider").all()
    grip = attention.bounding_box()
    x, y = grip["x"] + 18, grip["y"] + 18
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 8, y, steps=2)
    expect(says).to_have_text(re.compile("^Attention 10% open, feed-forward shut: “red”, "))
    ticks = river.locator(".flip")
    expect(ticks).to_have_count(0)  # it is for the hand to find
    page.mouse.move(x + 37, y, steps=4)
    expect(says).to_have_text(re.compile("^Attention (half|60%|70%) open, feed-forward shut: “hat”, .* sure.$"))
    expect(ticks).to_have_text([re.compile("^hat from [4-7]0%$")])
    page.mouse.up()
    expect(words).to_have_text(["red", "hat", "hat"])
    expect(hollow).to_have_count(1)
    expect(page).to_have_url(re.compile("blocks_open=[5-7]0-0"))
    assert attention.bounding_box()["x"] > grip["x"] + 25, "the grip goes with the hand"
    attention.press("Home")
    fed.press("End")
    expect(words.last).not_to_have_text("hat")  # feed-forward alone does not come to it
    expect(says).to_have_text(re.compile("^Attention shut, feed-forward fully open: “"))
    on.press("Enter")
    expect(says).to_have_text(re.compile("^Attention changes the guess from “red” to “hat”; feed-forward makes it "))
    expect(on).to_have_text("Now follow “took”")  # which both pipes turn to another word
    expect(hollow).to_have_count(0)
    expect(page).to_have_url(re.compile("blocks_open=100-100"))
    assert river.locator(".sky").bounding_box()["y"] == top, "the drawing stays where it is"
    page.reload()
    expect(words).to_have_text(["red", "hat", "hat"])
    expect(river.locator(".brings.attention")).to_have_count(17)  # a thread from each word of the line
    expect(river.locator(".sentence .key")).to_have_text("hat")
    on.click()
    expect(words).to_have_text(["gave"] * 3)
    for _ in range(2):
        on.click()
    expect(words).to_have_text(["gave", "liked", "the"])
    expect(on).to_have_text("Walk through it")


@pytest.mark.wide
def test_the_layer_rests_on_the_word_at_which_it_arrives_and_the_button_walks_through_it(visit):
    page = part(visit, "One layer", more=OPEN, reduced_motion="reduce")
    river = page.locator(".layer-river")
    says, on = river.locator(".finding"), river.locator(".primary")
    finding = says.inner_text()
    told = re.fullmatch(
        r"Attention changes the guess from “red” to “(\w+)”; feed-forward makes it all but certain\.", finding
    )
    assert told, "it opens on the layer in which the word changes"
    guesses = river.locator(".guesses p")
    expect(guesses.locator("b")).to_have_text(["red", told[1], told[1]])
    expect(guesses.last).to_contain_text(">99.9% sure")
    sizes = [float(b.evaluate("e => parseFloat(getComputedStyle(e).fontSize)")) for b in guesses.locator("b").all()]
    assert sizes[-1] > sizes[0], "what the layer comes to is the largest"
    tags = river.locator("button.tag")
    names = ("what came in", "attention adds", "feed-forward adds")
    expect(tags).to_have_text([re.compile(rf"^{name} ?\d+%") for name in names])
    boxes = [box.bounding_box() for box in (*guesses.all(), *tags.all())]
    for n, one in enumerate(boxes):
        for other in boxes[n + 1 :]:
            beside = one["x"] + one["width"] <= other["x"] or other["x"] + other["width"] <= one["x"]
            apart = one["y"] + one["height"] <= other["y"] or other["y"] + other["height"] <= one["y"]
            assert beside or apart, "none lies over another"
    expect(river.locator("svg .band")).to_have_count(3)
    assert sum(int(re.search(r"(\d+)%", tag)[1]) for tag in tags.all_inner_texts()) in (99, 100, 101)
    follow = river.locator(".follow").bounding_box()
    assert follow["y"] + follow["height"] <= 720
    scene, stations = river.locator(".scene"), river.locator(".stations button")
    steps = (
        "stream",
        "norm(\\+|%20)1",
        "attention",
        "add(\\+|%20)1",
        "norm(\\+|%20)2",
        "feed-forward",
        "add(\\+|%20)2",
    )
    seen = {finding}
    for n, step in enumerate(steps):
        (on if n else tags.first).click()
        expect(station(page, n)).to_have_attribute("aria-pressed", "true")
        expect(page).to_have_url(re.compile(f"blocks_step={step}"))
        expect(river.locator(".whole")).to_be_hidden()
        assert river.locator(".stations [data-reached=true]").count() == n + 1
        box = scene.bounding_box()
        assert box["height"] > 300, "one picture, and it is large"
        assert box["y"] + box["height"] <= 700
        assert re.search(r"\d", says.inner_text()), "each step is told with a number"
        seen.add(says.inner_text())
        if step == "attention":
            expect(scene.locator(".gives")).to_have_count(4)
        guesses = stations.locator(".guess b")
        expect(guesses).to_have_text(["red"] if n < 3 else ["red", told[1]] if n < 6 else ["red", told[1], told[1]])
    assert len(seen) == 8, "no two steps say the same"
    expect(on).to_have_text("The whole layer")
    on.click()
    expect(says).to_have_text(finding)
    expect(page).not_to_have_url(re.compile("blocks_step"))


@pytest.mark.wide
def test_each_picture_has_the_numbers_of_the_token_that_is_followed(visit):
    """The triangle is drawn to scale, the threads are as thick as their weights, and another token has other dots."""
    page = visit("/blocks?blocks_step=add+1", painted=False, reduced_motion="reduce").page
    river = page.locator(".layer-river")
    scene = river.locator(".scene")
    expect(scene).to_have_attribute("data-step", "add1")
    expect(scene.locator(".keys b")).to_have_count(3)
    lengths = [float(text) for text in scene.locator(".keys b").all_inner_texts()]
    drawn = scene.evaluate("""(scene) => ['came', 'attention', 'sum'].map((kind) => {
        const ends = ['shaft', 'tip'].map((part) => scene.querySelector(`path.${part}.${kind}`).getAttribute('d'));
        const [[x0, y0], [x1, y1]] = ends.map((d) => d.match(/-?[0-9.e-]+/g).slice(0, 2).map(Number));
        return Math.hypot(x1 - x0, y1 - y0);
    })""")
    assert [side / drawn[2] for side in drawn] == pytest.approx([one / lengths[2] for one in lengths], abs=0.01)
    station(page, 2).click()
    expect(scene).to_have_attribute("data-step", "attention")
    expect(scene.locator("text.share")).not_to_have_count(0)
    says = river.locator(".finding")
    expect(says).to_have_text(re.compile(r"^“red” gives “hat” \d+% of its attention; head \d gives it \d+%\.$"))
    station(page, 5).click()
    awake = scene.locator("circle:not(.asleep)")
    before = awake.count()
    assert before == int(re.search(r", (\d+) are awake", says.inner_text())[1])
    assert scene.locator("circle.best").count() == int(re.search(r"just (\d+) do half", says.inner_text())[1])
    assert scene.locator("circle").count() == 512
    river.get_by_role("radio", name="tom").click()
    expect(says).to_contain_text("“tom”")
    assert awake.count() != before


@pytest.mark.wide
def test_a_tag_keeps_the_focus_and_hands_it_to_the_station_that_it_opens(visit):
    page = part(visit, "One layer", more=OPEN, reduced_motion="reduce")
    tag = page.get_by_role("button", name=re.compile("attention adds"))
    tag.focus()
    drawing = page.locator(".layer-river .sky svg")
    before = drawing.get_attribute("viewBox")
    page.set_viewport_size({"width": 1100, "height": 700})
    expect(drawing).not_to_have_attribute("viewBox", before)
    expect(tag).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(".layer-river .whole")).to_be_hidden()
    expect(station(page, 2)).to_be_focused()
    expect(page).to_have_url(re.compile("blocks_step=attention"))


@pytest.mark.wide
def test_a_token_that_is_pressed_in_the_sentence_has_its_own_arrows(visit):
    page = part(visit, "One layer", reduced_motion="reduce")
    river = page.locator(".layer-river")
    names, says = river.get_by_role("radio"), river.locator(".finding")
    expect(names.last).to_have_attribute("aria-checked", "true")
    before = says.inner_text()
    chosen = names.last.evaluate("e => getComputedStyle(e).backgroundColor")
    names.nth(5).click()
    expect(names.nth(5)).to_have_css("background-color", chosen)  # while the pointer is on it, too
    expect(says).not_to_have_text(before)
    expect(page).to_have_url(re.compile("blocks_lane=5"))
    middle = says.inner_text()
    page.keyboard.press("ArrowLeft")
    expect(names.nth(4)).to_be_focused()
    expect(says).not_to_have_text(middle)
    expect(page).to_have_url(re.compile("blocks_lane=4"))
    page.reload()
    expect(names.nth(4)).to_have_attribute("aria-checked", "true")


@pytest.mark.wide
def test_deep_stacks_can_be_left_and_come_back(visit):
    page = visit("/blocks?blocks_part=Depth&seed=41", painted=False).page
    page.get_by_text("Modern blocks", exact=True).first.click()
    expect(page.get_by_text("From 2017 to today")).to_be_visible()
    page.get_by_text("Ablation", exact=True).first.click()
    page.get_by_text("Ever deeper stacks", exact=True).click()
    expect(page.get_by_text("In a stack of 32 layers", exact=False)).to_be_visible()
    expect(page.locator(".js-plotly-plot")).to_have_count(2)
    expect(page.get_by_text("Building and measuring", exact=False)).to_have_count(0)


def test_the_words_follow_the_hand_that_pulls_a_block_and_it_keeps_how_many_are_right_without_it(visit):
    """The tower opens whole, with no block told of; a drag takes one out and puts it back, and so does a press."""
    page = part(visit, "Ablation", reduced_motion="reduce")
    model = page.locator(".block-tower")
    finding, act, count = (model.locator(name) for name in (".finding", ".primary", ".count"))
    whole = re.compile(r"^The whole model gets (\d+) of 16 next words right\. Which block does it need most\?$")
    expect(finding).to_have_text(whole)
    was = int(whole.match(finding.inner_text())[1])
    assert was > 11, "it opens on a text that the model gets mostly right"
    right, lost = model.locator(".cells .right"), model.locator(".cells .lost")
    expect(right).to_have_count(was)
    expect(count).to_have_text(str(was))
    expect(model).to_have_attribute("data-out", "nothing")
    assert "blocks_plug" not in page.url
    expect(model.locator(".block")).to_have_count(6)
    expect(model.locator(".block .moves")).to_have_text([""] * 6)  # nothing is given away
    expect(model.locator(".shape .alone")).to_have_count(3 * 17)  # feed-forward leaves each of 17 tokens alone
    assert model.locator(".shape .tie").count() > 17, "attention ties them to one another"
    dearest, cheap = (model.locator(f'[data-part="{name}"]') for name in ("feed-forward.2", "attention.0"))
    box = dearest.bounding_box()
    x, y, off = box["x"] + 200, box["y"] + box["height"] / 2, 0.3 * box["width"]
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 0.6 * off, y)
    part_way = re.compile(r"^With 40% of feed-forward in layer 2, (\d+) of 16 next words are right\.$")
    expect(finding).to_have_text(part_way)
    halfway = int(part_way.match(finding.inner_text())[1])
    page.mouse.move(x + off + 50, y)
    expect(finding).to_have_text(re.compile(r"^Without feed-forward in layer 2, "))
    left = int(count.inner_text())
    assert left < halfway < was, "word after word goes as it is pulled"
    expect(lost).to_have_count(was - left)
    page.mouse.move(x + 0.3 * off, y)
    expect(finding).to_have_text(re.compile("^With 70% of "))
    page.mouse.up()  # nearer to the tower it goes back
    expect(finding).to_have_text(whole)
    expect(right).to_have_count(was)
    page.mouse.move(x, box["y"] + box["height"] + 1)  # the hand may begin between two blocks, and goes far in one step
    page.mouse.down()
    page.mouse.move(x + 0.7 * off, y)
    page.mouse.up()
    assert page.evaluate("String(getSelection())") == "", "it marks no text"
    said = f"Without feed-forward in layer 2, {left} of 16 are right: 11 times it repeats the last word."
    expect(finding).to_have_text(said)
    expect(page).to_have_url(re.compile(r"blocks_plug=feed-forward\.2"))
    expect(dearest.locator(".moves")).to_have_text(str(left))
    expect(dearest).to_have_accessible_name(f"feed-forward, layer 2 ({left} of 16 right), your guess")
    dearest.press("Enter")
    expect(page).not_to_have_url(re.compile("blocks_plug"))
    expect(dearest.locator(".moves")).to_have_text(str(left))
    expect(act).to_have_text("Now all the others")
    cheap.click()
    expect(page).to_have_url(re.compile(r"blocks_plug=attention\.0"))
    cheap.click()
    expect(model).to_have_attribute("data-out", "nothing")
    cheap.focus()
    page.keyboard.down("Shift")
    for _ in range(6):  # a tenth each
        page.keyboard.press("ArrowRight")
    expect(finding).to_have_text(re.compile("^With 40% of attention in layer 0, "))
    page.keyboard.press("ArrowLeft")
    expect(finding).to_have_text(re.compile("^With 50% of "))
    page.keyboard.press("ArrowRight")
    page.keyboard.up("Shift")
    expect(model).to_have_attribute("data-out", "attention.0")
    assert model.locator(".block").last.evaluate("e => e.getBoundingClientRect().bottom") <= 720
    cheap.press("Enter")
    expect(model.locator("[aria-pressed=true]")).to_have_count(0)
    # One press tells of all others, and what was pulled first was the guess.
    act.click()
    expect(finding).to_have_text(f"You guessed it: without feed-forward in layer 2, {left} of 16 next words are right.")
    expect(model.locator(".block.strong .says")).to_have_text("your guess")
    expect(act).to_have_text("Now without residuals")
    act.click()
    expect(finding).to_have_text(re.compile(r"^Without residual connections, "))
    assert int(count.inner_text()) < left
    act.click()
    expect(act).to_have_text("Start over")
    act.click()
    expect(finding).to_have_text(whole)


@pytest.mark.wide
def test_rows_stay_where_they_are_when_two_blocks_go_out(visit):
    page = part(visit, "Ablation", more="&blocks_plug=attention.2", reduced_motion="reduce")
    model = page.locator(".block-tower")
    first, other = (model.locator(f'[data-part="{name}"]') for name in ("feed-forward.2", "feed-forward.1"))
    place, mine = first.bounding_box()["y"], model.locator('[data-part="attention.2"] .moves')
    alone = mine.inner_text()
    other.click()
    expect(model.locator(".finding")).to_contain_text("Without both blocks, ")
    assert model.locator(".finding").evaluate("f => f.offsetHeight < 1.5 * parseFloat(getComputedStyle(f).lineHeight)")
    expect(mine).to_have_text(alone)  # each keeps its own number; the large one is of both
    expect(model.locator(".finding")).to_contain_text(f" {model.locator('.count').inner_text()} of 16")
    assert first.bounding_box()["y"] == place
    model.get_by_role("button", name="Put them back").click()
    expect(model).to_have_attribute("data-out", "nothing")
    expect(mine).to_have_text(alone)
    expect(page.get_by_text("of the probability moves to other words; at")).to_have_count(0)


@pytest.mark.wide
def test_all_blocks_say_at_once_which_of_them_the_model_needs(visit):
    page = part(visit, "Ablation", reduced_motion="reduce")
    model = page.locator(".block-tower")
    act = model.locator(".primary")
    expect(act).to_have_text("Pull out each in turn")
    act.press("Enter")
    blocks = model.locator(".block")
    read = "all => all.map((e) => [e.dataset.part, Number(e.querySelector('.moves').textContent)])"
    counts = dict(blocks.evaluate_all(read))
    assert len(counts) == 6
    expect(model.locator(".block.strong")).to_have_count(1)
    expect(model.locator(".block.strong")).to_have_attribute("data-part", min(counts, key=counts.__getitem__))
    expect(model).to_have_attribute("data-out", "nothing")
    expect(model.locator(".finding")).to_have_text(re.compile(r"^It needs feed-forward in layer 2 most: "))
    expect(act).to_be_focused()


@pytest.mark.wide
def test_a_link_that_names_a_block_opens_with_it_out_and_a_later_press_takes_out_one_more(visit):
    page = part(visit, "Ablation", more="&blocks_plug=feed-forward.1", reduced_motion="reduce")
    model = page.locator(".block-tower")
    expect(model).to_have_attribute("data-out", "feed-forward.1")
    expect(model.locator(".block.told")).to_have_count(1)
    model.locator("[data-part='attention.0']").click()
    expect(model).to_have_attribute("data-out", "attention.0,feed-forward.1")
    expect(model.locator(".block[aria-pressed=true]")).to_have_count(2)


@pytest.mark.wide
def test_a_press_that_is_lost_goes_back_to_what_the_server_last_said(visit, server):
    page = visit(None, reduced_motion="reduce").page
    page.add_init_script(LOST)
    page.goto(f"{server}/blocks?blocks_part=Ablation&blocks_plug=attention.2")
    model = page.locator(".block-tower")
    expect(model).to_have_attribute("data-out", "attention.2")
    expect(page.locator("[data-testid=stApp]")).to_have_attribute("data-test-script-state", "notRunning")
    before = model.locator(".finding").inner_text()
    page.evaluate("window.isLost = true")
    model.locator("[data-part='attention.0']").click()
    expect(model).to_have_attribute("data-out", "attention.0,attention.2")
    expect(model.locator(".finding")).to_have_text("…")
    page.evaluate("giveUp()")
    expect(model).to_have_attribute("data-out", "attention.2")
    expect(model.locator(".finding")).to_have_text(before)
    assert page.url.endswith("blocks_plug=attention.2")


@pytest.mark.wide
@pytest.mark.parametrize("width", [390, pytest.param(1280, marks=pytest.mark.wide)])
def test_of_twelve_layers_every_name_keeps_off_its_number_and_a_finger_finds_every_block(visit, width):
    link = "&weights=untrained&layers=12"
    page = part(visit, "Ablation", more=link, viewport={"width": width, "height": 844}, reduced_motion="reduce")
    model = page.locator(".block-tower")
    blocks = model.locator(".block")
    expect(blocks).to_have_count(24)

    def gaps():
        return blocks.evaluate_all("""(blocks) => blocks.map((block) => {
            const words = document.createRange();
            words.selectNodeContents(block.querySelector('em'));
            return block.querySelector('.moves').getBoundingClientRect().left - words.getBoundingClientRect().right;
        })""")

    assert min(gaps()) >= 0
    expect(model.get_by_role("button", name="attention, layer 11")).to_have_count(1)
    assert min(block.bounding_box()["width"] for block in blocks.all()) >= 90
    assert model.evaluate("e => e.scrollWidth <= e.clientWidth")


@pytest.mark.wide
def test_an_old_link_to_a_whole_kind_takes_all_of_it_out(visit):
    page = part(visit, "Ablation", more="&blocks_plug=Residual", reduced_motion="reduce")
    model = page.locator(".block-tower")
    expect(model.locator(".finding")).to_contain_text("Without residual connections")
    expect(model.get_by_role("button", name="Put them back")).to_be_visible()
    expect(model.locator(".block[aria-pressed=true]")).to_have_count(0)


@pytest.mark.wide
def test_another_ablation_redraws(visit):
    page = part(visit, "Ablation", more="&blocks_look=How+alike+words+are&blocks_plug=Residual")
    expect(page.locator(".js-plotly-plot").get_by_text("without residual connections")).to_be_visible()
    page.locator(".block-tower").get_by_role("button", name="Put them back").click()
    expect(page.locator(".js-plotly-plot").get_by_text("nothing out yet")).to_be_visible()


@pytest.mark.wide
def test_a_phone_shows_the_whole_river(visit):
    phone = {"width": 390, "height": 844}
    text = "&blocks_at=1&text=the+lamp+belonged+to+anna.+ben+wanted+it"
    page = part(visit, "One layer", more=text + OPEN, viewport=phone, reduced_motion="reduce")
    assert page.locator(".layer-river").evaluate("e => e.scrollWidth <= e.clientWidth")
    page.locator(".layer-river").get_by_role("radio", name="belonged").click()
    guesses = page.locator(".layer-river .guesses b")
    expect(guesses).to_have_text(["belonged", "belonged", "owned"])
    boxes = guesses.evaluate_all("all => all.map((one) => one.getBoundingClientRect()).map((r) => [r.left, r.right])")
    assert all(a[1] < b[0] for a, b in pairwise(boxes)), "long guesses stand side by side"
    page.get_by_role("button", name="Walk through it").click()
    assert page.locator(".layer-river").evaluate("e => e.scrollWidth <= e.clientWidth")
    expect(station(page, 6)).to_be_visible()
    names = page.locator(".layer-river .stations .name")
    boxes = names.evaluate_all("all => all.map((one) => one.getBoundingClientRect()).map((r) => [r.left, r.right])")
    assert len(boxes) == 7
    assert boxes[-1][1] <= 390
    assert all(a[1] < b[0] for a, b in pairwise(boxes)), "the names of the stations stand side by side"
    station(page, 6).click()
    expect(page).to_have_url(re.compile(r"blocks_step=add(\+|%20)2"))


MODERN = "/blocks?blocks_part=Modern+blocks"


def card_of(blocks, name: str):
    return blocks.locator(f".card[data-name='{name}']")


def middle_of(node) -> tuple[float, float]:
    box = node.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_a_tower_that_is_pulled_up_fails_and_a_change_that_is_dragged_into_it_saves_it(visit):
    page = visit(MODERN, painted=False, reduced_motion="reduce").page
    blocks = page.locator(".two-blocks[data-painted]")
    finding, act, text = blocks.locator(".finding"), blocks.locator(".primary"), blocks.locator(".text b")
    handle, up, now = blocks.get_by_role("slider", name="Layers"), blocks.locator(".floor.up"), blocks.locator(".now")
    expect(finding).to_have_text("Two layers of 2017 write this. What do eight of them write?")
    expect(up).to_have_count(2)
    expect(blocks.locator(".card")).to_have_count(0)  # not before there is something to save
    assert blocks.evaluate("e => e.getBoundingClientRect().bottom") <= 760
    story, was = text.inner_text(), int(now.text_content())
    assert was > 65
    x, y = middle_of(handle)
    row = middle_of(up.nth(0))[1] - middle_of(up.nth(1))[1]
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x, y - 2 * row)
    expect(handle).to_have_attribute("aria-valuenow", "4")
    expect(up).to_have_count(4)
    expect(text).not_to_have_text(story)
    page.mouse.move(x, y - 9 * row, steps=3)
    page.mouse.up()
    expect(up).to_have_count(8)
    expect(text).to_have_text(re.compile(r"^(the ){20,}"))
    expect(finding).to_have_text("Eight layers of 2017 now write “the” 24 times. Does pre-norm save them?")
    expect(page).to_have_url(re.compile("blocks_tall=8"))
    babble, fallen = text.inner_text(), int(now.text_content())
    assert fallen < was / 2

    expect(blocks.locator(".card")).to_have_count(1)
    act.click()
    expect(finding).to_have_text(re.compile("^Pre-norm: saved!"))
    expect(blocks.locator(".card")).to_have_count(6)
    expect(blocks.locator(".chart .year")).to_have_text("2017")
    card_of(blocks, "norm").press("Enter")
    expect(finding).to_have_text(re.compile("^RMSNorm: no help. Eight layers still get only "))
    card_of(blocks, "norm").press("Enter")
    expect(finding).to_have_text(re.compile(r"times\. Which change saves them\?$"))
    card = card_of(blocks, "place")
    page.mouse.move(*middle_of(card))
    page.mouse.down()
    page.mouse.move(x, y - 4 * row, steps=3)
    expect(finding).to_have_text(re.compile(rf"^Pre-norm: saved! \d\d of 100 words right, not {fallen}\.$"))
    expect(text).not_to_have_text(babble)  # as soon as it is over the tower
    page.mouse.move(1100, 700)
    expect(text).to_have_text(babble)
    page.mouse.move(x, y - 4 * row, steps=3)
    page.mouse.up()
    expect(card).to_have_attribute("aria-pressed", "true")
    expect(page).to_have_url(re.compile("blocks_pair=place"))
    card_of(blocks, "norm").focus()
    page.keyboard.press("ArrowLeft")
    expect(card).to_be_focused()
    for _ in range(4):  # of the six, those that are left
        act.click()
    expect(act).to_have_text("All of today’s")
    expect(card_of(blocks, "experts")).to_have_attribute("aria-pressed", "true")
    act.click()
    expect(finding).to_have_text("Two of six changes save eight layers: pre-norm and rotary positions.")
    expect(act).to_have_text("Start over")
    act.click()
    expect(up).to_have_count(2)
    expect(text).to_have_text(story)
    expect(page).not_to_have_url(re.compile("blocks_pair|blocks_tall"))


@pytest.mark.wide
def test_the_tower_is_pulled_by_keys_and_on_a_phone_all_is_on_the_screen(visit):
    phone = {"width": 390, "height": 844}
    page = part(visit, "Modern blocks", viewport=phone, reduced_motion="reduce")
    blocks = page.locator(".two-blocks[data-painted]")
    handle = blocks.get_by_role("slider", name="Layers")
    handle.press("End")
    expect(handle).to_have_attribute("aria-valuetext", "8 layers")
    expect(blocks.locator(".text b")).to_have_text(re.compile("^the the "))
    card_of(blocks, "place").click()
    card_of(blocks, "positions").click()
    expect(blocks.locator(".finding")).to_contain_text("Rotary positions: saved!")
    assert blocks.evaluate("e => e.scrollWidth <= e.clientWidth")


@pytest.mark.wide
def test_an_old_link_opens_on_the_change_or_the_tall_tower_that_it_names(visit, server):
    page = visit(f"{MODERN}&blocks_pair=deep", painted=False, reduced_motion="reduce").page
    blocks = page.locator(".two-blocks[data-painted]")
    expect(blocks.locator(".floor.up")).to_have_count(8)
    page.goto(f"{server}{MODERN}&blocks_with_feed_forward=none&blocks_pair=feed_forward&blocks_tall=7")
    expect(card_of(blocks, "feed_forward")).to_have_attribute("aria-pressed", "true")
    expect(blocks.locator(".floor.up")).to_have_count(2)  # it was not trained in towers
    expect(blocks.locator(".finding")).to_have_text(re.compile(r"^No feed-forward: 62 of 100 words right"))


def test_the_way_asks_at_the_embedding_and_a_word_that_is_pulled_up_uncovers_height_by_height(visit):
    page = visit("/blocks?blocks_part=The+stream", painted=False, reduced_motion="reduce").page
    way = page.locator(".stream-way")
    says, handle, leads = way.locator(".says"), way.get_by_role("slider"), way.locator(".word.leads")
    question = "After “the red”, the model’s first thought is “red”. Where will “hat” come first?"
    expect(says).to_have_text(question)
    expect(way).to_have_attribute("data-stop", "0")
    expect(leads).to_have_text([re.compile("^red")])
    expect(way.locator(".height.on")).to_have_text("embedding")
    assert "hat" not in way.locator(".rows").inner_text().replace("hat 1,938th", "")
    assert "blocks_stop" not in page.url
    places = [way.locator(".rows").bounding_box()]
    circle = way.locator("circle.stop")
    box, up = handle.bounding_box(), circle.nth(5).bounding_box()
    page.mouse.move(box["x"] + 18, box["y"] + 18)
    page.mouse.down(button="right")
    page.mouse.move(box["x"] + 18, up["y"] + 4)
    page.mouse.up(button="right")
    expect(way).to_have_attribute("data-stop", "0")  # the main button alone takes hold
    page.mouse.move(box["x"] + 18, box["y"] + 18)
    page.mouse.down()
    page.mouse.move(box["x"] + 18, circle.nth(1).bounding_box()["y"] + 4)
    expect(says).to_have_text(
        re.compile(r"^Attention 0 lifts “hat” from [0-9,]+th to \d+th place; “red” still leads\.$")
    )
    page.mouse.move(box["x"] + 18, up["y"] + 4, steps=4)
    expect(says).to_have_text(re.compile(r"^Attention 2 lifts “hat” from .+ place to first, past “red”\.$"))
    page.mouse.up()
    expect(leads).to_have_text([re.compile("^red")] * 5 + [re.compile("^hat")])
    expect(page).to_have_url(re.compile("blocks_stop=5"))
    places.append(way.locator(".rows").bounding_box())
    way.get_by_role("button", name="Up through feed-forward 2").click()
    expect(says).to_have_text(
        re.compile("^Until layer 2, the model would say “red”. Then attention lifts “hat” from .* place to first.$")
    )
    expect(way.locator(".height.on")).to_have_text("feed-forward 2")  # where the handle is
    assert way.locator(".turned .word").count() == 6, "with its words"
    places.append(way.locator(".rows").bounding_box())
    assert places == places[:1] * 3, "rows stay where they are, whether the finding takes one line or two"
    expect(page).to_have_url(re.compile("blocks_stop=6"))
    page.reload()
    expect(way).to_have_attribute("data-stop", "6")  # a link that names a height opens there
    way.get_by_role("button", name="Back to the embedding").click()
    expect(says).to_have_text(question)
    expect(page).not_to_have_url(re.compile("blocks_stop"))
    handle.press("Space")  # it is no button
    expect(way).to_have_attribute("data-stop", "0")
    handle.press("ArrowUp")
    expect(handle).to_have_attribute("aria-valuetext", "after attention 0: 574th")
    assert way.locator("path.way").last.evaluate("e => e.getTotalLength()") > 20, "the line is seen to grow"


@pytest.mark.wide
def test_a_handle_that_is_held_while_the_view_goes_writes_nothing_into_the_next_ones_link(visit):
    page = visit("/blocks?blocks_part=The+stream", painted=False, reduced_motion="reduce").page
    way = page.locator(".stream-way")
    box = way.get_by_role("slider").bounding_box()
    page.mouse.move(box["x"] + 18, box["y"] + 18)
    page.mouse.down()
    page.get_by_text("Modern blocks", exact=True).first.evaluate("e => e.click()")
    expect(page.locator(".two-blocks")).to_be_visible()
    expect(way).to_have_count(0)
    page.mouse.move(box["x"] + 18, box["y"] - 300)
    page.wait_for_timeout(400)
    assert "blocks_stop" not in page.url


@pytest.mark.wide
def test_a_token_of_the_sentence_is_pressed_to_follow_it(visit):
    page = visit("/blocks?blocks_part=The+stream", painted=False, reduced_motion="reduce").page
    way = page.locator(".stream-way")
    names = way.get_by_role("radio")
    expect(names.last).to_have_attribute("aria-checked", "true")
    chosen = names.last.evaluate("e => getComputedStyle(e).backgroundColor")
    names.nth(10).click()
    expect(names.nth(10)).to_have_css("background-color", chosen)  # while the pointer is on it, too
    expect(page).to_have_url(re.compile(r"blocks_follow=10(\+|%20)blue"))
    expect(way.locator(".word.leads").first).to_have_text(re.compile("^blue"))
    page.keyboard.press("ArrowLeft")
    expect(names.nth(9)).to_be_focused()
    expect(page).to_have_url(re.compile(r"blocks_follow=9(\+|%20)a"))
    page.reload()
    expect(names.nth(9)).to_have_attribute("aria-checked", "true")


@pytest.mark.wide
def test_a_block_of_the_visitors_own_stays_while_others_are_tried(visit):
    """Screen and address agree, and no press is taken for an old link."""
    link = f"{MODERN}&blocks_with_embeddings=normalised&blocks_with_norm=RMSNorm&blocks_pair=all"
    page = visit(link, painted=False, reduced_motion="reduce").page
    blocks = page.locator(".two-blocks[data-painted]")
    finding, own = blocks.locator(".finding"), card_of(blocks, "all")
    expect(finding).to_contain_text("This combination was not trained")
    expect(own).to_have_accessible_name(re.compile("^RMSNorm, normalised embeddings"))
    card_of(blocks, "positions").press("Enter")
    expect(finding).to_contain_text("Rotary positions: ")
    expect(page).to_have_url(re.compile("blocks_pair=positions"))
    expect(page).to_have_url(re.compile("blocks_with_norm=RMSNorm"))
    page.reload()
    expect(finding).to_contain_text("Rotary positions: ")
    expect(own).to_be_visible()
    expect(page.get_by_text("From 2017 to your block")).to_be_visible()
    page.get_by_text("One layer", exact=True).first.click()
    expect(page.locator(".layer-river")).to_be_visible()


@pytest.mark.wide
def test_beside_the_layers_the_box_shows_how_the_sentence_begins(visit):
    page = part(visit, "One layer", reduced_motion="reduce")
    row = page.get_by_role("menubar", name="Words of the sentence")
    expect(row).to_have_class(re.compile("rolls"))
    box, first = row.bounding_box(), row.get_by_text("mia", exact=True).first.bounding_box()
    assert box["x"] <= first["x"] <= box["x"] + 10
