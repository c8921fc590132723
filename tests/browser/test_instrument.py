"""All heads as an instrument: sorted and filtered, drawn as ribbons, tokens left out or joined, kinds of attention.

On pages of their own, so that there is no server that could have helped."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from attention_view import Kinds, Marks, Picture, payload, to_html
from tests.browser.test_look import AUDIT, AXE, RULES
from tests.browser.view import View

TOKENS = ("[CLS]", "it", "was", "rain", "##ing", "[SEP]", "she", "slept", "[SEP]")
SPECIAL = tuple(token[0] == "[" for token in TOKENS)
MARKS = Marks(SPECIAL, (None, 0, 1, 2, 2, None, 0, 1, None), (0, 0, 0, 0, 0, 0, 1, 1, 1))
N, L, H = len(TOKENS), 2, 3
ONES = [n for n in range(N) if not SPECIAL[n]]  # the tokens that are not special


def weights() -> np.ndarray:
    """(L, H, T, S): head 0.0 looks at itself, 0.1 at the previous token, the others anywhere."""
    w = np.random.default_rng(5).dirichlet(np.ones(N), (L, H, N)).astype("f4")
    w[0, 0] = np.eye(N)
    w[0, 1] = np.eye(N, k=-1)
    w[0, 1, 0, 0] = 1
    return w


W = weights()
SCORES = {"entropy": -(W * np.log2(np.maximum(W, 1e-9))).sum(-1).mean(-1), "self": np.einsum("lhtt->lh", W) / N}


def picture(**more: Any) -> Picture:
    given: dict[str, Any] = {"weights": W, "scores": SCORES, "chance": {"entropy": np.log2(N), "self": 1 / N}}
    given |= {"query_marks": MARKS, "key_marks": MARKS, "about": {"self": "weight on the token itself"}}
    return Picture(queries=TOKENS, keys=TOKENS, **given | more)


@pytest.fixture
def draw(show: Callable[..., Page]) -> Callable[..., View]:
    """draw(picture) -> its View in a page of its own, at which nothing may complain."""
    screen: dict[str, Any] = {"viewport": {"width": 1280, "height": 720}, "reduced_motion": "reduce"}
    return lambda seen=None, **more: View(show(to_html(seen or picture()), **screen | more))


def heads(view: View) -> list[tuple[int, int]]:
    """The heads in the grid, in the order they are seen."""
    return [tuple(at) for at in view.thumbs.evaluate_all("all => all.map(b => [+b.dataset.layer, +b.dataset.head])")]


def matrix(view: View) -> np.ndarray:
    """Every number of the map, read from the table of cells by keyboard-free pointing: rows x columns."""
    values, _, _ = view.all_cells()
    return values


def inked(view: View, canvas: str) -> np.ndarray:
    """How many pixels of each row are painted, in the middle between the two columns of tokens."""
    alpha = view.colours(view.root.locator(canvas))[..., 3]
    width = alpha.shape[1]
    return (alpha[:, round(0.4 * width) : round(0.6 * width)] > 24).sum(1)


def by(score: str, sign: int = -1) -> list[tuple[int, int]]:
    return sorted(np.ndindex(L, H), key=lambda at: (sign * SCORES[score][at], at))


# ---- sorted and filtered -------------------------------------------------------------------------------------------


@pytest.mark.wide
def test_any_score_sorts_the_grid_and_says_its_value_below_each_head(draw):
    view = draw()
    assert heads(view) == [(layer, head) for layer in reversed(range(L)) for head in range(H)]
    view.root.get_by_label("Order of the heads").select_option("self first")
    assert heads(view) == by("self")
    names = [name.split() for name in view.root.locator(".thumbs .name").all_inner_texts()]
    assert names[0] == ["0·0", "1.0"]
    assert [name.split("·") for name, _ in names] == [[str(layer), str(head)] for layer, head in by("self")]
    assert all(abs(float(text) - SCORES["self"][at]) < 0.051 for (_, text), at in zip(names, by("self"), strict=True))
    view.root.get_by_label("Order of the heads").select_option("sharpest first")
    assert heads(view) == by("entropy", 1)


@pytest.mark.wide
def test_a_slider_leaves_the_heads_that_have_enough(draw):
    view = draw()
    expect(view.root.locator(".filter")).to_be_hidden()
    view.root.get_by_label("Order of the heads").select_option("self first")
    slider = view.root.get_by_role("slider", name="Only heads with self above")
    count = view.root.locator(".filter [role=status]")
    expect(count).to_have_text(f"6 of 6 · chance {1 / N:.2f}")
    slider.fill("0.5")
    assert heads(view) == [(0, 0)]
    expect(count).to_have_text(f"1 of 6 · chance {1 / N:.2f}")
    slider.press("Home")
    expect(view.thumbs).to_have_count(6)
    slider.press("End")
    assert heads(view) == [(0, 0)], "the largest score is still within the scale"


@pytest.mark.wide
def test_a_head_tells_its_scores_and_their_chance_to_pointer_and_focus(draw):
    view = draw()
    hint = view.root.locator(".hint")
    view.thumb(1, 2).hover()
    own = f"self {SCORES['self'][1, 2]:.2f} (chance {1 / N:.2f})"
    expect(hint).to_contain_text(own)
    assert own in view.thumb(1, 2).get_attribute("title")
    view.thumb(1, 1).focus()
    expect(hint).to_contain_text("Layer 1, head 1: ")


# ---- keyboard ------------------------------------------------------------------------------------------------------


@pytest.mark.wide
def test_heads_are_chosen_and_added_by_keyboard(draw):
    view = draw()
    page = view.page
    view.thumb(0, 0).focus()
    page.keyboard.press("ArrowRight")
    view.expect(layer=0, head=1)
    page.keyboard.press("Control+ArrowUp")
    view.expect(layer=0, head=1)
    assert page.evaluate("document.activeElement.dataset.layer") == "1"
    page.keyboard.press("Space")
    pressed = view.root.locator(".thumbs [aria-pressed=true]")
    expect(pressed).to_have_count(2)
    expect(view.root.locator(".map h2")).to_have_text("Mean of 2 heads")
    page.keyboard.press("Space")
    expect(pressed).to_have_count(1)


@pytest.mark.wide
def test_in_a_sorted_list_down_is_the_head_below(draw):
    view = draw(picture(weights=np.tile(W, (1, 4, 1, 1)), scores={"self": np.tile(SCORES["self"], (1, 4))}))
    view.root.get_by_label("Order of the heads").select_option("self first")
    view.thumbs.first.focus()
    view.page.keyboard.press("ArrowDown")
    first, now = view.thumbs.first.bounding_box(), view.page.evaluate("document.activeElement.getBoundingClientRect()")
    assert now["x"] == pytest.approx(first["x"], abs=1)
    assert now["y"] > first["y"]


# ---- ribbons -------------------------------------------------------------------------------------------------------


def ribbons(view: View) -> View:
    view.root.get_by_role("button", name="ribbons").click()
    expect(view.root.get_by_role("button", name="ribbons")).to_have_attribute("aria-pressed", "true")
    return view


@pytest.mark.wide
def test_ribbons_are_drawn_from_every_query_and_counted(draw):
    view = ribbons(draw())
    rows = inked(view, ".grid canvas >> nth=0")
    assert (rows > 0).sum() > N, "every token looks at itself: a straight ribbon each"
    bands = np.flatnonzero(np.diff((rows > 0).astype(int)) == 1)
    assert len(bands) == N
    assert np.ptp(np.diff(bands)) <= 2, "at even distances"
    expect(view.root.locator(".readout")).to_have_text(f"{N} ribbons")
    view.thumb(1, 1).click()
    expect(view.root.locator(".readout")).to_have_text(f"{(W[1, 1] >= 0.05).sum()} ribbons")
    view.root.get_by_role("slider", name="Hide ribbons below this weight").fill("0.3")
    expect(view.root.locator(".readout")).to_have_text(f"{(W[1, 1] >= 0.3).sum()} ribbons")


@pytest.mark.wide
def test_a_token_under_the_pointer_has_only_its_ribbons(draw):
    view = ribbons(draw())
    box = view.heat.first.bounding_box()
    step = (box["height"] - 38) / N
    view.page.mouse.move(box["x"] + 20, box["y"] + 30 + 3.5 * step)
    view.expect(query=3)
    over = inked(view, ".grid .cross")
    assert np.ptp(np.flatnonzero(over)) < step * 0.9, "one straight ribbon"
    expect(view.root.locator(".readout")).to_contain_text("query rain → key rain 1.00")
    view.page.mouse.move(box["x"] + box["width"] - 20, box["y"] + 30 + 7.5 * step)
    view.expect(key=7)
    assert np.flatnonzero(inked(view, ".grid .cross")).min() > np.flatnonzero(over).max()
    view.page.mouse.move(5, 5)
    assert not inked(view, ".grid .cross").any()


@pytest.mark.wide
def test_ribbons_without_a_pointer(draw):
    view = ribbons(draw())
    view.grid.focus()
    view.page.keyboard.press("ArrowDown")
    start = view.cell[0]
    view.page.keyboard.press("ArrowDown")
    view.expect(query=min(N - 1, start + 1))
    assert inked(view, ".grid .cross").any()
    expect(view.root.locator("[aria-live=polite]")).to_contain_text("looks at")
    view.page.keyboard.press("ArrowRight")
    key = view.cell[1]
    view.page.keyboard.press("ArrowUp")
    view.expect(key=key - 1)
    view.page.keyboard.press("Escape")
    assert not inked(view, ".grid .cross").any(), "all are shown again"
    assert view.grid.get_attribute("aria-label").startswith("Layer 0, head 0, ribbons from each query")


@pytest.mark.wide
def test_several_heads_have_colours_of_their_own_and_one_can_be_alone(draw):
    view = ribbons(draw())
    for at in ((0, 1), (1, 2)):
        view.thumb(*at).click(modifiers=["Control"])
    chips = view.root.locator(".chosen .chip")
    expect(chips).to_have_count(3)
    colours = chips.evaluate_all("all => all.map(c => c.style.getPropertyValue('--dot'))")
    assert len(set(colours)) == 3
    expect(view.root.locator(".map h2")).to_have_text("3 heads")
    all_three = int(view.root.locator(".readout").inner_text().split()[0])
    view.thumb(0, 1).dblclick()
    expect(view.root.locator(".map h2")).to_have_text("Layer 0, head 1")
    expect(view.root.locator(".readout")).to_have_text(f"{N} ribbons")
    expect(chips).to_have_count(3)
    view.thumb(0, 1).dblclick()
    expect(view.root.locator(".readout")).to_have_text(f"{all_three} ribbons")
    view.root.get_by_role("button", name="layer 1, head 2: show it alone").click()
    expect(view.root.locator(".map h2")).to_have_text("Layer 1, head 2")
    view.root.get_by_role("button", name="Take layer 1, head 2 away").click()
    expect(chips).to_have_count(2)
    view.expect(layer=0, head=0)


# ---- tokens --------------------------------------------------------------------------------------------------------


@pytest.mark.wide
def test_special_tokens_hidden_rows_lose_them_and_the_table_follows(draw):
    view = draw()
    view.thumb(1, 1).click()
    view.root.get_by_text("Read this head as a table").click()
    view.root.get_by_role("button", name="hide special tokens").click()
    expect(view.tokens).to_have_text([TOKENS[n] for n in ONES])
    expect(view.root.locator(".remarks")).to_contain_text("rows lose their weight on them, and add up to less than 1")
    assert np.array_equal(matrix(view).astype("f4"), W[1, 1][np.ix_(ONES, ONES)])
    table = view.root.locator("tbody").inner_text()
    assert "[SEP]" not in table
    rows = view.root.locator("tbody tr").all_inner_texts()
    assert [row.split("\t")[0].split()[1] for row in rows] == [TOKENS[n] for n in ONES]
    best = ONES[int(W[1, 1][1, ONES].argmax())]
    assert f"{TOKENS[best]} {W[1, 1, 1, best]:.3f}" in rows[0]
    view.root.get_by_role("button", name="hide special tokens").click()
    expect(view.tokens).to_have_count(N)
    expect(view.root.locator(".remarks")).to_be_empty()


@pytest.mark.wide
def test_whole_words_are_sums_over_keys_and_means_over_queries(draw):
    view = draw()
    view.thumb(1, 1).click()
    view.root.get_by_role("button", name="whole words").click()
    expect(view.tokens).to_have_text(["[CLS]", "it", "was", "raining", "[SEP]", "she", "slept", "[SEP]"])
    joined = np.add.reduceat(W[1, 1], [0, 1, 2, 3, 5, 6, 7, 8], axis=1)
    joined = np.vstack([joined[:3], joined[3:5].mean(0, keepdims=True), joined[5:]])
    assert np.abs(matrix(view) - joined).max() < 1e-6
    assert np.abs(matrix(view).sum(1) - 1).max() < 1e-6, "nothing is lost"


@pytest.mark.parametrize(
    ("name", "rows", "columns"),
    [
        ("A → B", range(6), range(6, 9)),
        pytest.param("B → A", range(6, 9), range(6), marks=pytest.mark.wide),
        pytest.param("within B", range(6, 9), range(6, 9), marks=pytest.mark.wide),
    ],
)
@pytest.mark.wide
def test_from_one_text_of_a_pair_to_the_other(draw, name, rows, columns):
    view = draw()
    view.thumb(1, 2).click()
    view.root.get_by_label("Which text looks at which").select_option(name)
    expect(view.tokens).to_have_text([TOKENS[n] for n in rows])
    assert np.array_equal(matrix(view).astype("f4"), W[1, 2][np.ix_(rows, columns)])
    expect(view.root.locator(".remarks")).to_contain_text(f"Only {name}")


@pytest.mark.wide
def test_what_is_pinned_stays_with_its_tokens(draw):
    view = draw()
    view.tokens.nth(7).click()
    view.expect(query=7)
    view.root.get_by_role("button", name="hide special tokens").click()
    expect(view.root.locator(".strip .chip.on")).to_have_text("slept")
    view.root.get_by_role("button", name="hide special tokens").click()
    view.expect(query=7)


@pytest.mark.wide
def test_files_and_filters_have_no_place_where_nothing_is_known_of_tokens(draw):
    view = draw(picture(query_marks=Marks(), key_marks=Marks()))
    expect(view.root.locator(".tools")).to_be_hidden()


# ---- kinds ---------------------------------------------------------------------------------------------------------


def kinds() -> Kinds:
    cross = np.random.default_rng(1).dirichlet(np.ones(4), (3, 2, 5)).astype("f4")
    queries, keys = ("<bos>", "le", "chat", "noir", "dort"), ("the", "black", "cat", "sleeps")
    return Kinds({"encoder": picture(), "cross": Picture(queries=queries, keys=keys, weights=cross)}, opens="cross")


@pytest.mark.wide
def test_kinds_of_attention_are_switched_in_place(draw):
    view = draw(kinds())
    expect(view.thumbs).to_have_count(6)
    assert matrix(view).shape == (5, 4)
    view.thumb(2, 1).click()
    view.root.get_by_role("radiogroup", name="Kind of attention").get_by_text("encoder").click()
    view.expect(kind="encoder", layer=0, head=0)
    assert matrix(view).shape == (N, N)
    view.thumb(1, 1).click()
    view.root.get_by_role("radio", name="encoder").press("ArrowRight")
    view.expect(kind="cross", layer=2, head=1)
    expect(view.tokens).to_have_text(["<bos>", "le", "chat", "noir", "dort"])
    expect(view.root.get_by_role("button", name="hide special tokens")).to_be_hidden()


# ---- for everybody -------------------------------------------------------------------------------------------------


def audit(page: Page) -> list[str]:
    """What axe finds in the view; the landmarks and the heading of a page are not its to have."""
    page.evaluate(AXE)
    of_pages = ("region", "landmark-one-main", "page-has-heading-one")
    return page.evaluate(AUDIT, {"rules": RULES | {rule: {"enabled": False} for rule in of_pages}})


@pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=pytest.mark.wide)])
@pytest.mark.wide
def test_axe_finds_nothing_in_any_state(draw, scheme):
    view = draw(kinds(), color_scheme=scheme)
    assert audit(view.page) == []
    view.root.get_by_text("encoder", exact=True).click()
    view.root.get_by_role("button", name="whole words").click()
    view.root.get_by_label("Order of the heads").select_option("self first")
    view.thumb(1, 1).click(modifiers=["Control"])
    ribbons(view)
    assert audit(view.page) == []


@pytest.mark.wide
def test_a_phone_holds_all_of_it(draw):
    view = draw(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    view.root.get_by_label("Order of the heads").select_option("self first")
    view.root.get_by_role("button", name="ribbons").tap()
    assert view.page.evaluate("document.scrollingElement.scrollWidth") <= 390
    canvas = view.heat.first.bounding_box()
    view.page.touchscreen.tap(canvas["x"] + 20, canvas["y"] + 30 + 2.5 * (canvas["height"] - 38) / N)
    view.expect(query=2)


@pytest.mark.wide
def test_many_heads_keep_their_rows_and_columns_and_can_be_larger(draw, monkeypatch):
    monkeypatch.setattr(payload, "MAX_ALONE", 0)
    monkeypatch.setattr(payload, "MAX_STEPS", 0)
    T, many = 150, (12, 12)  # of which thumbnails alone are sent, but for the head in view
    w = np.zeros((*many, T, T), "f4")
    w[:, :, np.arange(T), np.arange(T)] = 1
    w[7, 4] = np.eye(T, k=-40)
    tokens = tuple(f"t{n}" for n in range(T))
    view = draw(Picture(queries=tokens, keys=tokens, weights=w))
    view.expect(tier="thumbnail")
    boxes = [thumb.bounding_box() for thumb in view.thumbs.all()]
    assert len({round(box["y"]) for box in boxes}) == len({round(box["x"]) for box in boxes}) == 12
    rules = view.root.locator(".thumbs .rule").all_inner_texts()
    assert rules == [*map(str, range(12)), *map(str, reversed(range(12)))]
    size = boxes[0]["width"]
    assert size >= 24, "large enough to be hit"
    assert boxes[-1]["y"] + boxes[-1]["height"] <= 720
    assert view.root.locator(".map").bounding_box()["x"] > boxes[11]["x"]
    for at, looks_at_itself in (((0, 0), True), ((7, 4), False)):
        pixels = view.colours(view.thumb(*at).locator("canvas"))[..., :3].astype(int)
        middle = np.diagonal(pixels.sum(-1))[2:-2]
        assert (middle < 600).all() == looks_at_itself, "each map is its head's own, at any size"
    view.root.get_by_role("button", name="larger").click()
    assert view.thumb(0, 0).bounding_box()["width"] > 1.2 * size
    view.root.get_by_role("button", name="larger").click()
    assert view.thumb(0, 0).bounding_box()["width"] == pytest.approx(size)
