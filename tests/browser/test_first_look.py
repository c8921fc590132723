"""What a visitor sees: a finished example at once, on every screen, in light and dark."""

import numpy as np
import pytest
from playwright.sync_api import expect

from lab.kit import story
from tests.browser.view import MAPPED, UNTRAINED, contrast, luminance
from transformer.training.text import words

LETTERS = "a+b+c+d+e+f+g+h+i+j"
RGB = """(root, name) => {
    const probe = document.createElement('canvas').getContext('2d');
    probe.fillStyle = getComputedStyle(root).getPropertyValue('--' + name);
    probe.fillRect(0, 0, 1, 1);
    return Array.from(probe.getImageData(0, 0, 1, 1).data);
}"""
TEXT_COLOURS = """(root) => [...root.querySelectorAll('*')]
    .filter((e) => e.offsetParent && [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim()))
    .map((e) => {
        let ground = null;
        for (let at = e; at && !ground; at = at.parentElement) {
            const colour = getComputedStyle(at).backgroundColor;
            if (!/, 0\\)|transparent/.test(colour)) ground = colour;
        }
        return [e.textContent.slice(0, 20), getComputedStyle(e).color, ground];
    })"""


def numbers(css):
    return [float(n) for n in css[css.index("(") + 1 : -1].replace(",", " ").split()[:3]]


def distinct(pixels):
    return len(np.unique(pixels.reshape(-1, 4), axis=0))


def test_the_first_paint_is_a_finished_example(visit):
    view = visit()
    expect(view.page.get_by_role("heading", name="Where does each word look?")).to_be_visible()
    expect(view.page.get_by_role("textbox", name="Sentence")).to_have_value(story.TEXT)
    assert view.tokens.all_inner_texts() == ["⟨start⟩", *words(story.TEXT)]
    assert view.thumbs.count() == 12
    assert view.root.locator(".map").is_hidden(), "it comes when a head is pressed"
    assert min(distinct(view.colours(view.thumbs.nth(n).locator("canvas"))) for n in range(8)) > 15
    assert view.root.locator(".notice").is_hidden()
    # The head in view is one that does something, and its name stands below its small map.
    named = view.root.locator(".thumbs [aria-pressed=true] + .name")
    expect(named).to_have_text(view.root.locator(".does").text_content() or "none")
    assert named.evaluate("e => e.scrollWidth <= e.clientWidth")
    assert view.root.bounding_box()["y"] <= 260
    # All of it on a projector, without scrolling.
    page, root = view.page, view.root
    parts = (
        page.get_by_role("heading", level=1),
        page.get_by_role("textbox"),
        page.get_by_role("radio", name="One head"),
    )
    seen = [*parts, root.locator(".thumbs")]
    for is_pressed in (False, True):
        for part in seen:
            box = part.bounding_box()
            assert box["x"] >= 0 <= box["y"]
            assert box["x"] + box["width"] <= 1280
            assert box["y"] + box["height"] <= 720
        if not is_pressed:
            view.thumbs.nth(1).click()
            expect(root.locator(".grid")).to_be_visible()
            seen += [root.locator(".grid"), root.locator(".map footer")]
    assert distinct(view.colours(view.heat)) > 60


@pytest.mark.wide
def test_one_head_is_the_subject_and_what_few_need_is_behind_a_button(visit):
    view = visit(MAPPED)
    page, root = view.page, view.root
    more = root.get_by_role("button", name="More ways to draw heads")
    large, small = view.heat.first.bounding_box(), root.locator(".thumbs").bounding_box()
    each = view.thumbs.first.bounding_box()
    assert large["width"] * large["height"] > view.thumbs.count() * each["width"] * each["height"]
    assert large["x"] + large["width"] < small["x"]
    controls = (
        root.get_by_role("radiogroup", name="Stage of the computation"),
        root.get_by_role("button", name="overlay"),
        root.get_by_label("Order of the heads"),
    )
    for control in controls:
        expect(control).to_be_hidden()
    assert root.get_by_role("slider").bounding_box()["y"] > 720, "the ribbons of one query come second"
    more.focus()
    page.keyboard.press("Enter")
    expect(more).to_have_attribute("aria-expanded", "true")
    for control in controls:
        box = control.bounding_box()
        assert box["x"] >= 0 <= box["y"]
        assert box["x"] + box["width"] <= 1280
        assert box["y"] + box["height"] <= 720
    root.get_by_text("scores", exact=True).click()
    view.expect(stage="scores")
    page.keyboard.press("Escape")
    expect(controls[1]).to_be_hidden()
    expect(more).to_be_focused()


@pytest.mark.wide
def test_the_sentence_is_large_with_arcs_from_the_word_that_asks(visit):
    """The first thing one sees: which words the one that asks looks at, and how much at the first of them."""
    values, _, _ = visit(MAPPED).all_cells()
    view = visit()
    root, asks = view.root, view.root.locator(".strip .chip.on")
    for does in ("{} looks from a repeated colour to its noun: ", "In {}, "):  # of red; hat is no colour
        i, key = view.cell
        expect(asks).to_have_text(view.tokens.nth(i).inner_text())
        expect(root.locator(".looked-at")).to_have_text(view.tokens.nth(key).inner_text())
        expect(root.locator(".arcs text")).to_have_count(0)  # the sentence says it
        expect(root.locator(".readout")).to_be_hidden()
        where, looked = root.locator(".map h2").text_content() or "", root.locator(".looked-at").inner_text()
        to = "to" if does.startswith("{") else "of its attention to"
        gives = f"“{asks.inner_text()}” gives {values[i, key]:.2f} {to} “{looked}”."
        head = where if does.startswith("{") else where[0].lower() + where[1:]
        expect(root.locator(".top .finding")).to_have_text(does.format(head) + gives)
        others = [weight for j, weight in enumerate(values[i]) if j != i and weight >= 0.04]
        expect(root.locator(".arcs path")).to_have_count(len(others))
        heard = len(view.sent)
        view.tokens.get_by_text("hat", exact=True).click()
        expect(asks).to_have_text("hat")
        assert len(view.sent) == heard, "the server was told"
    line, table = (root.locator(part).bounding_box() for part in (".strip", ".thumbs"))
    assert line["y"] + line["height"] <= table["y"], "the sentence stands above the heads"
    letters = asks.evaluate("e => parseFloat(getComputedStyle(e).fontSize)")
    assert letters >= 26, "the sentence is the largest text of the figure"


def test_the_sentence_says_the_cell_that_the_pointer_is_on(visit):
    view = visit(MAPPED)
    finding, rest = view.root.locator(".top .finding"), view.root.locator(".top .finding").inner_text()
    values, _, why = view.all_cells()
    tokens = view.tokens.all_inner_texts()
    view.hover(10, 3)
    assert why[10 * len(tokens) + 3]["allowed"]
    expect(finding).to_contain_text(f"“{tokens[10]}” gives {values[10, 3]:.2f} of its attention to “{tokens[3]}”.")
    expect(view.root.locator(".looked-at")).to_have_text(tokens[3])
    view.hover(3, 10)
    expect(finding).to_contain_text(f"“{tokens[3]}” cannot look at “{tokens[10]}”.")
    view.page.mouse.move(5, 5)
    expect(finding).to_have_text(rest)


@pytest.mark.wide
def test_a_name_below_a_small_map_opens_its_head(visit):
    view = visit(MAPPED)
    opens = view.shown["layer"], view.shown["head"]
    names = [name for name in view.root.locator(".thumbs .name").all() if name.inner_text()]
    assert 3 <= len(names) <= 5
    for name in names:
        name.click()
        pressed = view.root.locator(".thumbs [aria-pressed=true]")
        expect(pressed.locator("+ .name")).to_have_text(name.inner_text())
        assert name.inner_text() in (pressed.get_attribute("aria-label") or "")
    assert (view.shown["layer"], view.shown["head"]) != opens


@pytest.mark.wide
def test_a_name_is_earned_in_this_text(visit):
    view = visit("/heads?weights=trained+on+reviews")
    view.root.locator(".thumbs button").last.click()  # before a press, what most heads do is to be found
    names = [name for name in view.root.locator(".thumbs .name").all() if name.inner_text()]
    heads = []
    for name in names:
        name.click()
        heads.append((view.shown["layer"], view.shown["head"]))
        does = view.root.locator(".does")
        expect(does).to_have_text(name.inner_text())
        said, score = (does.get_attribute("title") or "").rsplit(": ", 1)
        assert said == name.inner_text()
        if said.startswith("everyone looks at"):
            key = view.tokens.all_inner_texts().index(said.split("“")[1].rstrip("”"))
            values, _, _ = view.all_cells()
            assert f"{np.delete(values[:, key], key).mean():.2f}" == score
    assert len(set(heads)) == len(heads) >= 3


@pytest.mark.wide
def test_before_training_and_untrained_say_so(visit):
    view = visit("/heads?state=before+training")
    expect(view.root.get_by_text("untrained", exact=True)).to_be_attached()
    assert not view.root.get_by_text("random weights").count()


@pytest.mark.wide
def test_a_typed_sentence_and_a_picked_one(visit):
    view = visit(UNTRAINED)
    view.type("Dogs chase cats")
    expect(view.tokens).to_have_text(["Dogs", "chase", "cats"])
    assert view.grid.get_attribute("aria-rowcount") == "3"
    view.page.get_by_role("button", name="Examples").click()
    view.page.get_by_role("menuitem", name="The mat sat on the cat").click()
    expect(view.tokens).to_have_text(words("The mat sat on the cat"))
    expect(view.page.get_by_role("textbox", name="Sentence")).to_have_value("The mat sat on the cat")


@pytest.mark.wide
def test_controls_change_the_picture(visit):
    view = visit(UNTRAINED)
    view.page.get_by_role("button", name="Change the settings").click()
    view.slide("Layers", "ArrowRight")
    expect(view.thumbs).to_have_count(16)
    view.slide("Heads", "ArrowRight")
    expect(view.thumbs).to_have_count(32)
    before = view.shown["value"]
    view.page.get_by_role("radio", name="Decoder").click()
    expect(view.says("decoder").first).to_be_attached()
    view.root.get_by_text("masked", exact=True).wait_for(state="attached")
    assert view.shown["value"] != before
    assert not view.page.locator("[class*=st-key-notice-]").count(), "nothing went wrong, so nothing is said"


@pytest.mark.wide
def test_html_in_a_sentence_is_text(visit):
    bad = "<img src=x onerror=window.bad=1> <script>window.bad=1</script> [a](javascript:bad) **b** $x$"
    view = visit(UNTRAINED)
    view.type(bad)
    expect(view.tokens).to_have_text(words(bad))
    view.root.locator("summary").click()
    view.grid.press("ArrowDown")
    assert view.root.locator("img, script, a, strong").count() == 0
    assert view.page.locator("[data-testid=stMain] :is(img, script:has-text('bad'))").count() == 0
    assert view.page.evaluate("window.bad") is None


@pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=pytest.mark.wide)])
@pytest.mark.wide
def test_every_word_can_be_read(visit, scheme):
    view = visit("/heads?model=Decoder&query=2&key=5&head=1&with=1-1", color_scheme=scheme)
    ground = view.root.evaluate(RGB, "ground")
    assert (luminance(ground) > 0.9) if scheme == "light" else (luminance(ground) < 0.05)
    for name in ("ink", "quiet", "query", "key", "weight", "negative"):
        assert contrast(view.root.evaluate(RGB, name), ground) >= 4.5, name
    page = numbers(view.page.locator("[data-testid=stApp]").evaluate("e => getComputedStyle(e).backgroundColor"))
    assert page == ground[:3], "the view stands on the page's own ground"
    for text, colour, under in view.root.evaluate(TEXT_COLOURS):
        assert contrast(numbers(colour), numbers(under) if under else ground) >= 4.5, text


@pytest.mark.wide
def test_colours_keep_their_meaning_and_turn_with_the_theme(visit):
    hues = {}
    for scheme in ("light", "dark"):
        view = visit(UNTRAINED, color_scheme=scheme)
        assert view.root.locator(".finding b.query").evaluate(
            "e => getComputedStyle(e).color"
        ) == "rgb({}, {}, {})".format(*view.root.evaluate(RGB, "query")[:3])
        hues[scheme] = {name: view.root.evaluate(RGB, name)[:3] for name in ("query", "key", "weight")}
        query, key, weight = hues[scheme].values()
        assert query[2] > query[0], "queries are blue"
        assert key[0] > key[2], "keys are vermilion"
        assert min(weight[0], weight[2]) > weight[1], "weights are violet"
        pixels = view.colours(view.heat).reshape(-1, 4)
        painted = pixels[pixels[:, 3] == 255][:, :3]
        assert any((painted == query).all(1)), "the row that asks is framed"
        assert any((painted == key).all(1)), "the column that is looked at is framed"
        assert (luminance(np.median(painted, 0)) > 0.3) == (scheme == "light")
    assert hues["light"] != hues["dark"]


@pytest.mark.wide
def test_a_theme_that_changes_under_way_repaints(visit):
    view = visit(color_scheme="light")
    before = view.colours(view.heat)
    view.page.emulate_media(color_scheme="dark")
    view.wait(400)
    view.settle()
    after = view.colours(view.heat)
    assert before.shape == after.shape
    assert (before != after).any(-1).mean() > 0.3


def cell_pixels(view, i, j):
    x, y = view.middle(i, j)
    box = view.heat.first.bounding_box()
    column, row = round(x - box["x"]), round(y - box["y"])
    return view.colours(view.heat)[row - 8 : row + 8, column - 8 : column + 8]


@pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=pytest.mark.wide)])
@pytest.mark.wide
def test_a_blocked_cell_does_not_look_like_a_weight_of_zero(visit, scheme):
    # Without scaling, many weights are so small that they are drawn as zero.
    view = visit(f"/heads?model=Decoder&scores=not+divided&layer=0&query=9&key=9&text={LETTERS}", color_scheme=scheme)
    values, _, why = view.all_cells()
    zero = next(n for n, v in enumerate(values.flat) if v < 1e-5 and why[n]["allowed"] and n // 10 < 9)
    open_cell = cell_pixels(view, zero // 10, zero % 10)
    blocked = cell_pixels(view, 2, 6)
    panel = view.root.evaluate(RGB, "panel")
    assert distinct(open_cell) == 1
    assert open_cell[0, 0].tolist() == panel
    assert distinct(blocked) > 1, "blocked cells are hatched"
    assert not (blocked == panel).all(-1).any()


@pytest.mark.wide
def test_a_phone(visit):
    view = visit(
        UNTRAINED, viewport={"width": 390, "height": 844}, is_mobile=True, has_touch=True, device_scale_factor=2
    )
    overflow = "e => e.scrollWidth - e.clientWidth"
    assert view.page.evaluate("document.scrollingElement.scrollWidth") <= 390
    assert view.page.locator("[data-testid=stMain]").evaluate(overflow) <= 0
    assert view.root.evaluate(overflow) <= 0
    right = view.root.evaluate(
        "r => Math.max(...[...r.querySelectorAll('canvas')].map(c => c.getBoundingClientRect().right))"
    )
    assert right <= 390
    view.thumb(2, 1).tap()
    view.expect(layer=2, head=1)
    view.page.touchscreen.tap(*view.middle(7, 3))
    view.expect(query=7, key=3)
    assert view.thumb(0, 0).bounding_box()["width"] >= 24
    view.tokens.nth(4).tap()
    view.expect(query=4)


@pytest.mark.wide
def test_without_motion_it_is_the_same(visit):
    view = visit(reduced_motion="reduce")
    view.thumb(1, 1).click()
    view.hover(3, 3)
    assert view.root.evaluate("root => root.getAnimations({ subtree: true }).length") == 0
    view.expect(layer=1, head=1, query=3, key=3)
    view.page.mouse.move(5, 5)
    heat = view.root.locator(".grid canvas").first
    view.open_more()
    for name in ("scores", "weights"):
        view.root.get_by_text(name, exact=True).click()
        at_once = view.colours(heat)
        view.wait(300)
        assert (view.colours(heat) == at_once).all(), "nothing moves"


@pytest.mark.wide
def test_the_cells_of_one_stage_become_those_of_the_next(visit):
    """The numbers are there at once, and the colours follow: on the way from one to the other, then at rest."""
    view = visit(MAPPED)
    heat = view.root.locator(".grid canvas").first
    before = view.colours(heat)
    seen = view.root.evaluate(
        """(root) => {
            const heat = root.querySelector('.grid canvas'), [input] = root.querySelectorAll('.stages input');
            const at = () => [...heat.getContext('2d').getImageData(0, 0, heat.width, heat.height).data];
            const start = performance.now();
            input.click();
            const spent = performance.now() - start;
            return [root.dataset.stage, spent, at()];
        }"""
    )
    assert seen[0] == "scores"
    first = np.array(seen[2], "u1").reshape(before.shape)
    view.wait(400)
    after = view.colours(heat)
    assert (first != before).any()
    assert (first != after).any(), "it is under way"
    is_cell = (before[..., 3] == 255) & (after[..., 3] == 255)  # what the mask blocks has a score, and no weight
    middle = is_cell & (first != before).any(-1) & (first != after).any(-1)
    assert middle.sum() > 1000, "of many cells"
    low, high = np.minimum(before, after).astype(int) - 1, np.maximum(before, after).astype(int) + 1
    assert ((first >= low) & (first <= high))[middle].all()
