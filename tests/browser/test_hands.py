"""Pointer and keyboard. What needs no new numbers costs the server no message."""

import pytest
from playwright.sync_api import expect

from tests.browser.view import FOCUS, MAPPED, truth


@pytest.fixture
def quiet(visit):
    """A page whose server hears nothing of what the test does."""
    view = visit("/heads?model=Decoder&positions=ALiBi")
    assert view.sent, "frames are heard at all"
    heard = len(view.sent)
    yield view
    view.wait(400)  # longer than any of the view's own delays
    assert len(view.sent) == heard, "the server was told"


@pytest.mark.wide
def test_hovering(quiet):
    view = quiet
    view.hover(8, 3)
    view.expect(query=8, key=3)
    seen = truth(kind="decoder", positions="alibi").weights[0, 0]
    assert view.why["weight"] == pytest.approx(seen[8, 3], abs=1e-6)
    query, key = truth().queries[8], truth().queries[3]
    gives = f"“{query}” gives {seen[8, 3]:.2f} of its attention to “{key}”."
    expect(view.root.locator(".finding")).to_contain_text(gives)
    expect(view.root.locator(".why")).to_have_text(f"Why {seen[8, 3]:.2f}?")
    footer = view.root.locator(".map footer")
    expect(footer).to_contain_text(f"{seen.max():.2f}")  # the scale ends where the numbers do
    axes = "row = query that asks · column = key that it looks at · each row sums to 1"
    expect(footer.locator(".axes")).to_have_text(axes)
    expect(view.root.locator(".side h2").first).to_have_text(f"From {query}")
    view.hover(8, 2)
    view.expect(key=2)
    view.page.mouse.move(5, 5)
    assert view.cell != (8, 2), "what was only pointed at is let go"


@pytest.mark.wide
def test_pinning_with_a_click_and_letting_go(quiet):
    view = quiet
    first = view.cell
    view.page.mouse.click(*view.middle(7, 5))
    view.page.mouse.move(5, 5)
    view.expect(query=7, key=5)
    view.hover(9, 1)
    view.expect(query=9, key=1)
    view.page.mouse.move(5, 5)
    view.expect(query=7, key=5)
    view.grid.press("Escape")
    assert view.cell == first


@pytest.mark.wide
def test_heads_one_and_several(quiet):
    view = quiet
    view.thumb(1, 2).click()
    view.expect(layer=1, head=2)
    expect(view.root.locator(".map h2")).to_have_text("Layer 1, head 2")
    view.thumb(2, 3).click(modifiers=["Shift"])
    expect(view.root.locator(".map h2")).to_have_text("Mean of 2 heads")
    pressed = view.root.locator(".thumbs [aria-pressed=true]")
    expect(pressed).to_have_count(2)
    view.open_more()
    view.root.get_by_role("button", name="overlay").click()
    view.thumb(0, 0).click()
    expect(pressed).to_have_count(3)
    view.root.get_by_role("button", name="Take layer 1, head 2 away").click()
    expect(pressed).to_have_count(2)
    view.expect(layer=2, head=3)


@pytest.mark.wide
def test_overlay_says_what_it_waits_for_and_explains_the_mean(quiet):
    view, seen = quiet, truth(kind="decoder", positions="alibi").weights
    hint = view.root.get_by_text("Choose another head: it is laid over this one")
    expect(hint).to_be_hidden()
    view.open_more()
    view.root.get_by_role("button", name="overlay").click()
    expect(hint).to_be_visible()
    view.thumb(1, 2).click()
    expect(hint).to_be_hidden()
    i, j = view.cell
    mean = (seen[0, 0, i, j] + seen[1, 2, i, j]) / 2
    expect(view.root.locator(".why")).to_have_text(f"Why {mean:.2f}?")
    lines = view.root.locator(".steps dd").all_inner_texts()
    assert lines == [f"{seen[0, 0, i, j]:.4f}", f"{seen[1, 2, i, j]:.4f}", f"{mean:.4f}"]
    entropy = view.root.locator(".measures dd").first.inner_text()
    own = [
        float(view.thumb(*at).get_attribute("aria-label").split("entropy ")[1].split()[0]) for at in ((0, 0), (1, 2))
    ]
    assert abs(float(entropy.split()[0]) - sum(own) / 2) < 0.011


@pytest.mark.wide
def test_stage_threshold_and_order(quiet):
    view = quiet
    before = view.colours(view.heat)
    view.open_more()
    for name in ("scores", "scaled", "biased", "masked"):
        view.root.get_by_text(name, exact=True).click()
        view.expect(stage=name)
        assert (view.colours(view.heat) != before).any()
    ribbons = view.root.locator(".ribbons canvas")
    many = view.colours(ribbons)
    view.root.get_by_role("slider").press("End")
    expect(view.root.locator(".level output")).to_have_text("0.5")
    assert (view.colours(ribbons) != many).any()
    view.open_more()
    view.root.get_by_role("combobox", name="Order of the heads").select_option("sharpest first")
    labels = [thumb.get_attribute("aria-label") for thumb in view.thumbs.all()]
    entropies = [float(label.split("entropy ")[1].split()[0]) for label in labels]
    assert entropies == sorted(entropies)


@pytest.mark.wide
def test_from_the_very_top_the_map_is_at_most_twelve_stops(visit):
    page = visit(MAPPED).page
    page.evaluate("document.activeElement.blur()")
    seen = []
    while not seen or "grid" not in seen[-1]:
        page.keyboard.press("Tab")
        seen.append(page.evaluate(FOCUS))
        if len(seen) == 1:
            page.keyboard.press("Enter")
        assert len(seen) <= 12, seen
    assert "skip-to-figure" in seen[0]


def test_without_a_pointer(quiet):
    view = quiet
    page = view.page
    page.evaluate("document.querySelector('[data-testid=stMain]').focus()")  # as "Skip to main content" does
    seen = []
    for _ in range(40):
        page.keyboard.press("Tab")
        seen.append(page.evaluate(FOCUS))
        if "grid" in seen[-1]:
            break
    assert seen[-1].startswith("grid"), seen
    assert len(seen) <= 10, "with the link that skips the menus, the map is at most twelve stops from the top"
    assert sum("chip" in name for name in seen) == 1, "the tokens are one stop"
    page.keyboard.press("Shift+Tab")
    query, _ = view.cell
    page.keyboard.press("ArrowRight")
    view.expect(query=query + 1)
    page.keyboard.press("ArrowLeft")
    view.expect(query=query)
    page.keyboard.press("Tab")
    i, j = view.cell
    page.keyboard.press("ArrowDown")
    view.expect(query=i + 1, key=j)
    page.keyboard.press("ArrowLeft")
    view.expect(key=j - 1)
    page.keyboard.press("Home")
    view.expect(key=0)
    page.keyboard.press("ArrowLeft")
    view.expect(key=0)
    page.keyboard.press("End")
    view.expect(key=15)
    expect(view.root.locator("[aria-live=polite]")).to_contain_text("looks at")
    page.keyboard.press("PageDown")
    view.expect(layer=0, head=1)
    page.keyboard.press("PageUp")
    page.keyboard.press("PageUp")
    view.expect(layer=2, head=3)  # round the corner
    page.keyboard.press("Escape")
    assert view.cell != (i + 1, 15)
    view.root.locator(".thumbs [tabindex='0']").focus()
    page.keyboard.press("ArrowUp")
    view.expect(layer=2, head=3)  # the last layer stands on top
    page.keyboard.press("ArrowDown")
    view.expect(layer=1, head=3)
    page.keyboard.press("ArrowLeft")
    view.expect(layer=1, head=2)
    page.keyboard.press("Shift+ArrowLeft")
    expect(view.root.locator(".thumbs [aria-pressed=true]")).to_have_count(2)


@pytest.mark.wide
def test_ribbons_and_tokens_can_be_chosen(quiet):
    view = quiet
    view.tokens.nth(6).click()
    view.expect(query=6)
    row = truth(kind="decoder", positions="alibi").weights[0, 0, 6]
    view.expect(key=int(row.argmax()))
    expect(view.root.locator(".strip .chip.on")).to_have_text(truth().queries[6])
    ribbons = view.root.locator(".ribbons canvas")
    ribbons.scroll_into_view_if_needed()
    box = ribbons.bounding_box()
    view.page.mouse.click(box["x"] + box["width"] - 40, box["y"] + 4 + 12 * 2.5)  # the third key
    view.expect(query=6, key=2)
    view.page.mouse.click(box["x"] + 40, box["y"] + 4 + 12 * 8.5)  # the ninth query
    view.expect(query=8, key=2)


@pytest.mark.wide
def test_names_and_roles(quiet):
    root = quiet.root
    assert quiet.grid.get_attribute("aria-label").startswith("Layer 0, head 0, weights: rows are queries")
    cell = quiet.grid.get_by_role("gridcell")
    i, j = quiet.cell
    assert (cell.get_attribute("aria-rowindex"), cell.get_attribute("aria-colindex")) == (str(i + 1), str(j + 1))
    tokens = truth().queries
    assert cell.inner_text() == f"{tokens[i]} looks at {tokens[j]}: {float(quiet.shown['value']):.3f}"
    pressed = quiet.thumbs.evaluate_all("all => all.map(b => b.getAttribute('aria-pressed'))")
    assert [n for n, is_on in enumerate(pressed) if is_on == "true"] == [8]  # the first layer is the lowest row
    assert [label.split(":")[0] for label in quiet.thumbs.evaluate_all("all => all.map(b => b.ariaLabel)")] == [
        f"Layer {layer}, head {head}" for layer in (2, 1, 0) for head in range(4)
    ]
    assert root.locator(".ribbons canvas").get_attribute("aria-label").startswith(f"Where {tokens[i]} looks: ")
    assert root.get_by_role("slider", name="Hide ribbons below this weight").is_visible()
    unnamed = root.locator("button, input, select, [role=img], [role=grid]").evaluate_all(
        "all => all.filter(e => !(e.ariaLabel || e.textContent.trim() || e.labels?.length)).map(e => e.outerHTML)"
    )
    assert unnamed == []


def test_the_map_comes_with_the_first_head_and_the_key_that_brings_it_goes_on(visit):
    view = visit("/heads")
    expect(view.grid).to_be_hidden()
    view.thumb(2, 0).press("ArrowRight")
    expect(view.grid).to_be_visible()
    expect(view.thumb(2, 1)).to_be_focused()  # a small map is smaller now, and another button
    view.thumb(2, 1).press("ArrowLeft")
    view.page.wait_for_url("**layer=2&head=0*")  # the head that opens, which a link has to name now
    view.page.reload()
    expect(view.grid).to_be_visible()
