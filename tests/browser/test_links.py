"""Every state is a link, every link is a state, and no link can do harm."""

from urllib.parse import parse_qs, parse_qsl, urlsplit

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import serve
from tests.browser.view import UNTRAINED, truth

DEEP = "/heads?model=Decoder&positions=ALiBi&layers=4&heads=8&text=a+link+says+it+all&layer=3&head=5&query=4&key=1"

# A link is followed as `go` of attention_view/lab.js does it.
FOLLOWED = """(link) => {
    history.pushState(null, '', link);
    dispatchEvent(new PopStateEvent('popstate'));
}"""


def query(view):
    return {name: values[0] for name, values in parse_qs(urlsplit(view.page.url).query).items()}


def state(view):
    """All that a visitor could compare on two screens."""
    return {
        **view.shown,
        "tokens": view.tokens.all_inner_texts(),
        "pressed": view.thumbs.evaluate_all("all => all.map(b => [b.dataset.layer, b.dataset.head, b.ariaPressed])"),
        "threshold": view.root.locator(".level output").inner_text(),
        "sort": view.root.get_by_label("Order of the heads").input_value(),
        "picture": view.colours(view.heat).tobytes(),
    }


def path(view):
    parts = urlsplit(view.page.url)
    return f"{parts.path}?{parts.query}"


@pytest.mark.wide
def test_what_is_usual_is_not_in_the_address(visit):
    assert path(visit()) == "/heads?"
    assert path(visit(UNTRAINED)) == UNTRAINED


def test_the_address_restores_the_screen(visit):
    view = visit(UNTRAINED)
    view.type("the same on another screen")
    expect(view.tokens).to_have_count(5)
    view.page.get_by_role("button", name="Change the settings").click()
    view.slide("Layers", "ArrowLeft")
    expect(view.thumbs).to_have_count(8)
    view.page.get_by_role("radio", name="Decoder").click()
    view.page.keyboard.press("Escape")
    view.root.get_by_text("masked", exact=True).wait_for(state="attached")
    view.settle()
    view.open_more()
    view.root.get_by_role("combobox").select_option("most even first")
    view.root.get_by_role("slider", name="Hide ribbons").fill("0.2")
    view.thumb(1, 2).click()
    view.page.mouse.click(*view.middle(3, 1))
    view.open_more()
    view.root.get_by_text("scaled", exact=True).click()
    view.page.mouse.move(5, 5)
    view.wait(300)
    view.settle()
    asked = {
        "weights": "untrained",
        "text": "the same on another screen",
        "layers": "2",
        "model": "Decoder",
        "sort": "-entropy",
    }
    cell = {"layer": "1", "head": "2", "query": "3", "key": "1", "stage": "scaled", "threshold": "0.2"}
    assert query(view) == asked | cell
    assert state(visit(path(view))) == state(view)


@pytest.mark.wide
def test_an_overlay_is_a_link_too(visit):
    view = visit(UNTRAINED)
    view.thumb(2, 0).click()
    view.thumb(0, 3).click(modifiers=["Shift"])
    view.thumb(1, 1).click(modifiers=["Shift"])
    view.wait(300)
    assert query(view) == {"weights": "untrained", "layer": "2", "head": "0", "with": "0-3,1-1"}
    assert state(visit(path(view))) == state(view)


@pytest.mark.wide
def test_a_link_that_names_no_head_opens_the_one_that_does_something(visit):
    view = visit()
    opened = view.shown["layer"], view.shown["head"]
    assert opened != ("0", "0")
    view.thumb(0, 0).click()
    view.wait(300)
    assert query(view) == {"layer": "0", "head": "0"}
    view.thumb(*opened).click()
    view.wait(300)
    assert path(view) == "/heads?"
    view = visit("/heads?layer=1")
    view.expect(layer=1, head=0)


@pytest.mark.wide
def test_a_link_to_a_study_shows_it_beside_its_head(visit):
    """Both are on the first screen; the names of old links are understood."""
    view = visit("/heads?closer=unplug&layer=1&head=1")
    view.expect(layer=1, head=1)
    study = view.page.get_by_text("Without layer 1, head 1")
    expect(study).to_be_visible()
    assert study.bounding_box()["y"] < 300
    assert study.bounding_box()["x"] > view.grid.bounding_box()["x"] + view.grid.bounding_box()["width"]
    assert view.root.locator(".side").evaluate("e => getComputedStyle(e).visibility") == "hidden"
    view.thumb(0, 3).click()
    expect(view.page.get_by_text("Without layer 0, head 3")).to_be_visible()


@pytest.mark.wide
def test_going_back_to_what_is_usual_cleans_the_address(visit):
    view = visit(UNTRAINED + "&layer=1&head=2&query=3&key=4&stage=scores&threshold=0.1&sort=entropy&with=0-0")
    assert len(query(view)) == 8  # several heads have no scores: that stage is dropped
    view.open_more()
    view.root.get_by_role("combobox").select_option("by layer")
    view.root.get_by_role("slider").fill("0.05")
    view.thumb(0, 0).click()
    view.grid.press("Escape")
    view.wait(300)
    assert path(view) == UNTRAINED


@pytest.mark.wide
def test_the_first_visit_of_all_may_be_a_deep_link(visit):
    with serve() as cold:
        view = visit(DEEP, cold)
        expect(view.page.get_by_role("dialog")).to_have_count(0)
        assert not view.says("Page not found").count()
        view.expect(layer=3, head=5, query=4, key=1)
        seen = truth("a link says it all", "decoder", n_layers=4, n_heads=8, positions="alibi").weights
        assert view.why["weight"] == pytest.approx(seen[3, 5, 4, 1], abs=1e-6)


@pytest.mark.wide
def test_nonsense_in_the_address_is_one_sentence_and_the_usual_view(visit):
    view = visit(UNTRAINED + "&layer=99&head=x&query=-1&key=1e3&stage=zzz&threshold=9&sort=%3Cb%3E&with=a-b,1-99")
    view.expect(layer=0, head=0, stage="weights")
    said = view.root.locator(".notice")
    expect(said).to_be_visible()
    text = said.inner_text()
    for part in (
        "layer 99",
        "head x",
        "query -1",
        "key 1e3",
        "stage zzz",
        "threshold 9",
        "sort <b>",
        "head a-b",
        "1-99",
    ):
        assert part in text
    assert text.count(".") == 1 + text.count("0.5")
    assert path(view) == UNTRAINED
    view.type("a new text")
    expect(view.tokens).to_have_count(3)
    expect(said).to_be_hidden()


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("a+%ED%A0%80+b", None),
        pytest.param("%00%1b+x", ["x"], marks=pytest.mark.wide),
        pytest.param("%F0%9F%91%A9%E2%80%8D%F0%9F%9A%80", ["👩\u200d🚀"], marks=pytest.mark.wide),
    ],
)
@pytest.mark.wide
def test_odd_bytes_in_the_text(visit, text, tokens):
    view = visit(f"{UNTRAINED}&text={text}")
    shown = view.tokens.all_inner_texts()
    assert shown == tokens if tokens else (shown[0], shown[-1]) == ("a", "b")


@pytest.mark.wide
def test_fifty_thousand_letters(visit):
    view = visit(UNTRAINED + "&text=" + "word+" * 10_000 + "&layer=1")
    view.expect(layer=1, tier="thumbnail")
    assert view.says("The first 6,000 letters are kept; 44,000 more are left out.").is_visible()
    assert len(view.page.url) < 8000


@pytest.mark.wide
def test_nothing_to_look_at(visit):
    view = visit(UNTRAINED)
    view.type("   ")
    expect(view.says("There is no word to look at yet.")).to_be_visible()
    expect(view.page.locator(".attention-view")).to_have_count(0)
    view.type("back again")
    expect(view.tokens).to_have_text(["back", "again"])


@pytest.mark.wide
def test_a_shorter_text_drops_a_cell_that_is_no_more(visit):
    view = visit(UNTRAINED + "&query=10&key=9&layer=2&head=3")
    view.type("two words")
    expect(view.tokens).to_have_count(2)
    view.settle()
    assert max(view.cell) < 2
    view.expect(layer=2, head=3)
    view.page.get_by_role("button", name="Change the settings").click()
    view.slide("Layers", "Home")
    expect(view.thumbs).to_have_count(4)
    view.expect(layer=0, head=3)
    view.wait(300)
    assert query(view) == {"weights": "untrained", "text": "two words", "layers": "1", "layer": "0", "head": "3"}


def away(view):
    """To a page that has no sentence of its own."""
    view.page.get_by_role("button", name="Concepts").click()
    view.page.get_by_role("menuitem", name="Why attention?").click()
    expect(view.page.get_by_role("heading", name="Why look at everything at once?")).to_be_visible()
    view.wait(300)


def test_back_goes_to_the_view_that_was_open_before(visit):
    page = visit("/why", painted=False).page
    title = page.get_by_role("heading", level=1)
    asks = {
        "How far apart are words?": "Why look at everything at once?",
        "What does it cost?": "What does looking at everything cost?",
        "Cheaper attention": "Can attention cost less?",
    }
    first, *others = asks
    expect(title).to_have_text(asks[first])
    for name in others:
        page.get_by_role("radio", name=name, exact=True).click()
        expect(title).to_have_text(asks[name])
    for name in ("What does it cost?", first):
        page.go_back()
        expect(title).to_have_text(asks[name])
        expect(page.get_by_role("radio", name=name, exact=True)).to_be_checked()
    page.go_forward()
    expect(title).to_have_text(asks["What does it cost?"])


@pytest.mark.wide
def test_back_keeps_the_address(visit):
    link = UNTRAINED + "&text=here+and+back&layer=1&head=2&query=2&key=0"
    view = visit(link)
    away(view)
    view.page.go_back()
    expect(view.page.get_by_role("heading", name="Where does each word look?")).to_be_visible()
    view.wait(300)
    view.settle()
    assert path(view) == link


@pytest.mark.wide
def test_back_brings_what_both_pages_have(visit):
    view = visit(UNTRAINED + "&text=here+and+back")
    view.page.get_by_role("button", name="Change the settings").click()
    view.slide("Layers", "Home")
    expect(view.thumbs).to_have_count(4)
    view.page.keyboard.press("Escape")
    view.settle()
    link = path(view)
    assert query(view)["layers"] == "1"
    view.page.get_by_role("button", name="Concepts").click()
    view.page.get_by_role("menuitem", name="Masks").click()
    expect(view.page.get_by_role("heading", name="Who may look at whom?")).to_be_visible()
    view.page.locator("[data-testid=stApp][data-test-script-state=notRunning]").wait_for()
    view.wait(300)
    view.page.go_back()
    expect(view.page.get_by_role("heading", name="Where does each word look?")).to_be_visible()
    expect(view.tokens).to_have_text(["here", "and", "back"])
    expect(view.thumbs).to_have_count(4)
    view.settle()
    assert dict(parse_qsl(urlsplit(link).query)).items() <= query(view).items()


@pytest.mark.wide
def test_a_link_within_the_app_opens_what_it_says(visit):
    """As the search follows it: to another page with a setting that this one has, too, and to a view."""
    view = visit(UNTRAINED)
    for link, chosen in (
        ("/masks?weights=trained+on+stories&masks_view=Wiring", "Wiring"),
        ("/masks?masks_view=Leaks", "Leaks"),
        ("/blocks?blocks_part=Modern+blocks", "Modern blocks"),
    ):
        view.page.evaluate(FOLLOWED, link)
        radio = view.page.get_by_role("radio", name=chosen)
        expect(radio).to_have_attribute("aria-checked", "true")
        view.page.locator("[data-testid=stApp][data-test-script-state=notRunning]").wait_for()
        view.wait(300)
        assert dict(parse_qsl(urlsplit(link).query)).items() <= query(view).items()


@pytest.mark.wide
def test_from_page_to_page_and_back(visit):
    view = visit(UNTRAINED + "&text=here+and+back&layer=1&head=2&query=2&key=0")
    before = state(view)
    away(view)
    view.page.get_by_role("button", name="Concepts").click()
    view.page.get_by_role("menuitem", name="Heads").click()
    expect(view.page.get_by_role("heading", name="Where does each word look?")).to_be_visible()
    expect(view.tokens).to_have_text(["here", "and", "back"])  # the sentence goes along
    view.settle()
    view.page.go_back()
    expect(view.page.get_by_role("heading", name="Why look at everything at once?")).to_be_visible()
    view.page.go_back()
    expect(view.page.get_by_role("heading", name="Where does each word look?")).to_be_visible()
    expect(view.tokens).to_have_text(["here", "and", "back"])
    view.settle()
    assert state(view) == before
