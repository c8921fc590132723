"""The attention page in a browser: edit a number, hold a row through the stages, drag a bar, guess."""

import json
import re

import numpy as np
import pytest
from playwright.sync_api import Locator, expect

from pages.attention.matrices import SMALL
from pages.attention.mix import WORDS
from tests.browser.view import let_pass
from transformer.inspection.guess_row import puzzle
from transformer.inspection.steps import steps

# The row and column of the first pixel that is farthest from white.
DARKEST = """(canvas) => {
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    const light = Array.from({ length: data.length / 4 }, (_, n) => data[4 * n] + data[4 * n + 1] + data[4 * n + 2]);
    const at = light.indexOf(Math.min(...light));
    return [Math.floor(at / canvas.width), at % canvas.width];
}"""


WRITTEN = {
    "scores": ("Q KT",),
    "scaled": ("/ √dk",),
    "masked": (", mask",),
    "weights": ("softmax()",),
    "output": ("V",),
}  # what each stage adds to the formula


@pytest.fixture
def page(visit):
    def open_page(query="", on="small+numbers", **more):
        source = f"att_on={on}&" if on else ""
        view = visit(f"/attention?{source}{query}", painted=False, **{"reduced_motion": "reduce", **more})
        view.page.sent = view.sent
        return view.page

    return open_page


def bench(page):
    root = page.locator(".attention-steps")
    expect(root).to_have_attribute("data-painted", "true")
    return root


def softmax(scores, axis=-1):
    shares = np.exp(scores)
    return shares / shares.sum(axis, keepdims=True)


def value(root) -> float:
    return float(root.get_attribute("data-value"))


@pytest.mark.wide
def test_a_row_is_held_through_every_stage_without_the_server(page):
    page = page()
    root, truth = bench(page), steps(*SMALL)
    root.locator(".grid .cell").nth(5).click()  # q2, k3
    expect(root).to_have_attribute("data-row", "1")
    let_pass(page, 400)
    before = len(page.sent)
    for stage, matrix in truth.stages.items():
        root.get_by_role("radio", name=f"{stage}: ").click()
        expect(root).to_have_attribute("data-stage", stage)
        assert (root.get_attribute("data-row"), root.get_attribute("data-col")) == ("1", "2")
        column = 0 if stage == "output" else 2
        assert value(root) == pytest.approx(matrix[1, column], abs=1e-8)
        assert root.locator(".cell.held").count() == matrix.shape[1]
    assert len(page.sent) == before
    for part in ("att_step=output", "att_from=2", "att_to=3"):
        expect(page).to_have_url(re.compile(part))


@pytest.mark.wide
def test_a_link_restores_stage_row_and_cell(page):
    for link in ("att_step=weights&att_from=3&att_to=2", "att_stage=weights&att_row=3&att_col=2"):  # now and of old
        root = bench(page(link))
        assert value(root) == pytest.approx(steps(*SMALL).stages["weights"][2, 1], abs=1e-8)
        assert root.get_attribute("data-stage") == "weights"


@pytest.mark.wide
def test_pointing_at_a_term_lights_its_matrix_and_its_lines(page):
    page = page()
    root, truth = bench(page), steps(*SMALL)
    page.mouse.move(5, 5)
    lit = root.locator(".line.on").all_inner_texts()
    root.locator(".formula .term.value").hover()
    expect(root).to_have_attribute("data-peek", "output")
    expect(root.locator(".grid .cell")).to_have_count(truth.stages["output"].size)
    assert root.locator(".line.on").all_inner_texts() not in ([], lit)
    assert root.get_attribute("data-stage") == "scores"
    page.mouse.move(5, 5)
    expect(root).not_to_have_attribute("data-peek", "output")
    expect(root.locator(".grid .cell")).to_have_count(truth.stages["scores"].size)
    assert root.locator(".line.on").all_inner_texts() == lit
    assert "att_step" not in page.url
    root.locator(".formula .term.value").click()
    page.mouse.move(5, 5)
    expect(root).to_have_attribute("data-stage", "output")
    expect(page).to_have_url(re.compile("att_step=output"))


@pytest.mark.wide
def test_the_arrows_go_from_stage_to_stage(page):
    page = page("", on=None)
    root = bench(page)
    page.mouse.click(1200, 72)  # nothing is focused
    for stage in ("scaled", "weights", "output", "scores"):  # from the last word the mask hides nothing
        page.keyboard.press("ArrowRight")
        expect(root).to_have_attribute("data-stage", stage)
    page.keyboard.press("ArrowLeft")
    expect(root).to_have_attribute("data-stage", "output")


@pytest.mark.wide
def test_the_formula_is_the_line_of_stages(page):
    """Each part has a door to what it makes; what comes after the open one is pale; arrow keys walk in the order
    of the computation; the formula on one line marks the same part."""
    page = page()
    root = bench(page)
    formula = root.get_by_role("radiogroup", name="The formula: each part is a stage of the computation")
    stages = steps(*SMALL).stages
    order = list(stages)
    expect(formula.get_by_role("radio")).to_have_count(len(order))
    for n, stage in enumerate(order):
        door = formula.get_by_role("radio", name=f"{stage}: ").locator("canvas")
        assert door.evaluate(DARKEST) == list(np.unravel_index(np.abs(stages[stage]).argmax(), stages[stage].shape))
        door.click()
        expect(root).to_have_attribute("data-stage", stage)
        expect(formula.get_by_role("radio", checked=True)).to_have_count(1)
        assert formula.locator(".ahead small").all_inner_texts() == order[n + 1 :]
        assert "".join(root.locator(".paper .on").all_inner_texts()).strip() in WRITTEN[stage]
    for stage in reversed(order[:-1]):
        page.keyboard.press("ArrowLeft")
        expect(root).to_have_attribute("data-stage", stage)
        expect(formula.get_by_role("radio", name=f"{stage}: ")).to_be_focused()


@pytest.mark.wide
def test_one_line_of_tools_and_one_large_stage(page):
    """Views, sentence and head share a line; below it one row is as wide as the page. Of all rows the matrix is the
    largest, and the formula begins beside it."""
    page = page("", on=None)
    root = bench(page)
    tools = (
        page.get_by_role("radio", name="Step by step"),
        page.get_by_role("textbox", name="Sentence"),
        page.get_by_role("button", name="Examples"),
        page.get_by_role("button", name="Change the settings"),
    )
    middles = [box["y"] + box["height"] / 2 for box in (tool.bounding_box() for tool in tools)]
    assert max(middles) - min(middles) < 12
    row = root.locator(".one-row").bounding_box()
    assert row["width"] > 1200
    assert 400 < row["height"] <= 720 - row["y"]
    root.get_by_role("button", name="All rows").click()
    grid, formula = root.get_by_role("grid").bounding_box(), root.locator(".formula").bounding_box()
    assert grid["x"] + grid["width"] < formula["x"] < 1280
    assert abs(grid["y"] - formula["y"]) < 12
    assert grid["y"] + grid["height"] <= 720
    assert grid["width"] * grid["height"] > 250_000
    tools[3].click()
    for name in ("trained", "small numbers"):
        expect(page.get_by_role("radio", name=name, exact=True)).to_be_visible()


@pytest.mark.wide
def test_the_cells_of_all_rows_end_at_their_numbers(page):
    page = page("", reduced_motion="no-preference")
    root = bench(page)
    first = root.locator(".cell").first.element_handle()
    root.get_by_role("button", name="Scale").click()
    expect(root).to_have_attribute("data-stage", "scaled")
    shown = root.locator(".cell.both")
    expect(shown).to_have_text(f"{value(root):.3g}")
    assert first.evaluate("cell => cell.isConnected"), "the same cell, with another number"


def numbers(root) -> list[float]:
    """The numbers that stand at the bars."""
    texts = root.locator(".at:not(.blocked) span").all_inner_texts()
    return [float(text.replace("−", "-")) for text in texts if text]


def heights(root, bar: str = "i:not(.was)") -> list[float]:
    """How high the bars are drawn, whatever way they still have to go."""
    return [float(bar.get_attribute("style").split("height: ")[1][:-3]) for bar in root.locator(f".at {bar}").all()]


def to_stage(root, stage: str) -> None:
    root.get_by_role("radio", name=f"{stage}: ").click()
    expect(root).to_have_attribute("data-stage", stage)


@pytest.mark.wide
def test_one_row_is_one_chart_whose_bars_go_from_stage_to_stage(page):
    """Scores and scaled scores have one scale, and an outline stays where a score was, so that the division is seen;
    the shares add up to 1, each as high as its number; and the row of an earlier word has hatched columns for the
    later ones, which get nothing."""
    root = bench(page("att_step=weights", on=None))
    width, T = int(root.get_attribute("data-width")), root.locator(".words.key button").count()
    columns = [node.bounding_box()["x"] for node in root.locator(".at").all()]
    expect(root).to_have_attribute("data-stage", "weights")
    assert sum(numbers(root)) == pytest.approx(1, abs=0.005 * T)
    tall = heights(root)
    assert max(tall) / sum(tall) == pytest.approx(max(numbers(root)), abs=0.01)
    assert f"{max(numbers(root)):.2f}" in root.locator(".finding").inner_text()
    to_stage(root, "scores")
    scores, before = numbers(root), heights(root)
    to_stage(root, "scaled")
    scaled = numbers(root)
    assert scaled == pytest.approx([x / width**0.5 for x in scores], abs=0.06)
    assert max(before) / max(heights(root)) == pytest.approx(width**0.5, rel=0.01)
    assert heights(root, ".was") == pytest.approx(before, abs=0.1)
    mask = root.get_by_role("radio", name="masked: ")
    expect(mask).to_be_hidden()  # it hides nothing from the last word
    assert [node.bounding_box()["x"] for node in root.locator(".at").all()] == columns
    to_stage(root, "weights")
    root.locator(".words.query").get_by_role("radio", name="hat").click()
    row = int(root.get_attribute("data-row"))
    assert row < T - 1
    assert float(root.locator(".at.on span").inner_text()) == max(numbers(root)), "what the word looks at most"
    assert sum(numbers(root)) == pytest.approx(1, abs=0.005 * T)
    for stage, n_blocked in (("masked", T - row - 1), ("weights", T - row - 1), ("scaled", 0), ("scores", 0)):
        to_stage(root, stage)
        expect(root.locator(".at.blocked")).to_have_count(n_blocked)
    assert len(numbers(root)) == T, "a score of every key, before the mask"


def test_one_row_asks_for_a_share_and_the_guess_stays_beside_what_softmax_makes(page):
    """It opens at the scores. A hand fills a glass, and no score moves; the share is shown by softmax alone, and the
    walk goes on from there."""
    page = page("", on=None)
    root = bench(page)
    title, act, level = root.locator(".finding"), root.locator(".headline .primary"), root.locator(".level")
    glass = root.locator(".glass")
    expect(root).to_have_attribute("data-stage", "scores")
    scores = numbers(root)
    expect(title).to_have_text(
        f"red scores hat {max(scores):.1f}, the highest of 17. How much of its attention will that be?"
    )
    root.locator(".at").nth(11).click()  # a column only chooses its word
    expect(title).to_contain_text("red scores ball")
    root.locator(".at").nth(5).click()
    all_of_it = glass.bounding_box()
    page.mouse.move(all_of_it["x"] + 9, all_of_it["y"] + all_of_it["height"] - 20)
    page.mouse.down()
    page.mouse.move(all_of_it["x"] + 9, all_of_it["y"] + 0.6 * all_of_it["height"], steps=4)
    page.mouse.up()
    expect(title).to_contain_text("You say: 0.40 of its attention.")
    root.get_by_role("slider", name="Your guess: the attention weight of hat").press("ArrowUp")
    expect(glass).to_have_text("0.41")
    assert numbers(root) == scores, "no score has moved"
    high = glass.locator("i").bounding_box()
    for stage, name in {"scaled": "Scale", "weights": "Softmax"}.items():
        assert "gives" not in title.inner_text(), "not before softmax"
        expect(act).to_have_text(name)
        act.click()
        expect(root).to_have_attribute("data-stage", stage)
        expect(act).to_be_focused()
    weights = sorted(numbers(root))
    expect(title).to_contain_text(f"You said 0.41; red gives {weights[-1]:.2f} of its attention to hat, ")
    ahead = round(round(weights[-1], 2) / round(weights[-2], 2), 1)  # of shares with two digits
    expect(title).to_contain_text(f"{'three' if ahead == 3 else ahead} times what ball gets.")
    expect(level).to_have_text("you said 0.41")
    expect(glass).to_be_hidden()
    assert level.bounding_box()["y"] == pytest.approx(high["y"], abs=2), "at the height of the water"
    root.get_by_role("slider", name="Score of hat").press("ArrowDown")
    expect(title).to_contain_text("You give “hat” 0.")


@pytest.mark.wide
def test_on_a_phone_what_is_asked_stands_clear_of_the_bars_beside_it(visit):
    page = visit("/attention?att_way=Step+by+step", painted=False, reduced_motion="reduce").page
    page.set_viewport_size({"width": 390, "height": 844})
    root = bench(page)
    plate, last = root.locator(".glass span"), root.locator(".at").last
    expect(plate).to_have_text("how much?")
    asked = plate.bounding_box()
    assert asked["x"] + asked["width"] <= 390
    assert last.bounding_box()["x"] + last.bounding_box()["width"] < root.locator(".glass").bounding_box()["x"]
    names = [name.bounding_box() for name in root.locator(".words.key button").all()]
    assert max(name["y"] + name["height"] for name in names) <= 844, "no name is cut by the screen's edge"
    size = root.locator(".words.key button").first.evaluate("e => parseFloat(getComputedStyle(e).fontSize)")
    assert size < names[1]["x"] - names[0]["x"], "upright names do not run into each other"
    glass = root.locator(".glass").bounding_box()
    page.mouse.click(glass["x"] + 9, glass["y"] + 0.06 * glass["height"])
    expect(plate).to_have_text("0.94")
    said = plate.bounding_box()
    assert glass["x"] <= said["x"], "beside the brim stands what a full glass is"
    assert said["x"] + said["width"] <= glass["x"] + glass["width"]


@pytest.mark.wide
def test_the_walk_ends_at_the_output_and_another_key_is_followed(page):
    page = page("", on=None)
    root = bench(page)
    title, act, hint = root.locator(".finding"), root.locator(".headline .primary"), root.locator(".measure")
    ask = root.locator(".words.key").get_by_role("radio", name="ball")
    ask.click()
    expect(title).to_have_text(re.compile(r"^red scores ball .*, the 2nd highest of 17\. How much"))
    root.locator(".words.key").get_by_role("radio", name="hat").click()
    said = []
    for name in ("Scale", "Softmax", "Mix the values"):
        expect(act).to_have_text(name)
        said.append(title.inner_text())
        act.click()
    assert len(set(said)) == 3, "each step says what it has done"
    expect(hint).to_have_text("bars: attention weight")
    expect(act).to_have_text("All rows")
    act.click()
    expect(root).to_have_attribute("data-stage", "weights")
    expect(title).to_contain_text("All 17 words do this at once: ")
    root.get_by_role("button", name="One row").click()
    to_stage(root, "output")
    root.get_by_role("button", name="Start again").click()
    expect(root).to_have_attribute("data-stage", "scores")
    expect(hint).to_have_text("bars: score of each word, yours to drag")  # the share is known
    to_stage(root, "weights")
    expect(hint).to_have_text("bars: attention weight, yours to drag")
    assert root.locator(".at.on span").inner_text() in title.inner_text()
    ask.click()
    expect(title).to_contain_text("to ball")
    assert root.locator(".at.on span").inner_text() in title.inner_text()
    ask.press("ArrowLeft")
    expect(root.locator(".words.key").get_by_role("radio", name="blue")).to_be_focused()
    expect(root).to_have_attribute("data-col", "10")
    expect(page).to_have_url(re.compile("att_to=11"))


@pytest.mark.wide
def test_a_link_to_what_softmax_is_fed_opens_at_softmax(page):
    expect(bench(page("att_t=0.5", on=None))).to_have_attribute("data-stage", "weights")
    root = bench(page("att_step=scores", on=None))
    expect(root.locator(".glass")).to_be_hidden()  # who asked for a stage has its bars in hand


@pytest.mark.parametrize("stage", ["weights", "scores"])
@pytest.mark.wide
def test_a_bar_of_one_row_is_dragged_and_all_shares_answer(page, stage):
    """A share follows the hand, and a score, too; its number ends where the bar does."""
    page = page(f"att_step={stage}", on=None)
    root = bench(page)
    before, sent = numbers(root), len(page.sent)
    grip = root.get_by_role("slider", name="Score of hat")
    place, own = grip.bounding_box(), float(grip.get_attribute("aria-valuenow"))
    tall = heights(root)
    middle = (place["x"] + place["width"] / 2, place["y"] + place["height"] / 2)
    page.mouse.move(*middle)
    page.mouse.down()
    page.mouse.move(middle[0], middle[1] + 50, steps=4)
    page.mouse.up()
    now = float(grip.get_attribute("aria-valuenow"))
    assert now < own
    assert max(a - b for a, b in zip(tall, heights(root), strict=True)) == pytest.approx(50, abs=1)
    answering = sum(a != b for a, b in zip(tall, heights(root), strict=True))
    assert answering == (len(tall) if stage == "weights" else 1), "every share answers, and no other score"
    if stage == "weights":
        assert sum(numbers(root)) == pytest.approx(1, abs=0.1)
    said = {"weights": "You give “hat” 0.", "scores": "You set the score of red with hat to "}
    expect(root.locator(".finding")).to_contain_text(said[stage])
    grip.press("ArrowUp")
    assert float(grip.get_attribute("aria-valuenow")) > now
    root.get_by_role("button", name="Scores of the model").click()
    expect(grip).to_be_focused()
    assert numbers(root) == before
    assert len(page.sent) == sent


@pytest.mark.wide
def test_scores_that_are_moved_are_those_of_one_row_and_the_focus_stays_where_they_are_taken_back(page):
    """Another row is said as it is in the model; where no bar can be dragged, the chosen key has the focus."""
    root = bench(page("att_step=weights", on=None))
    finding, back = root.locator(".finding"), root.get_by_role("button", name="Scores of the model")
    grip, hat = root.locator(".grip"), root.locator(".words.key").get_by_role("radio", name="hat")
    grip.press("PageDown")
    yours = r"^You give “hat” 0\.\d\d; the model gave it 0\.\d\d\.$"
    expect(finding).to_have_text(re.compile(yours))
    to_stage(root, "scaled")
    expect(finding).to_contain_text("Divided by ")
    bar = root.locator(".at.on span").inner_text()
    expect(finding).to_contain_text(f" becomes {bar}.")
    to_stage(root, "weights")
    root.locator(".words.query").get_by_role("radio", name="tom").click()
    expect(finding).to_have_text(re.compile("^tom gives .* of its attention to "))
    expect(root.locator(".tune")).to_be_visible()
    root.locator(".words.query").get_by_role("radio", name="red").last.click()
    expect(finding).to_contain_text("; the model gave it ")
    hat.click()
    to_stage(root, "output")
    back.press("Enter")
    expect(hat).to_be_focused()
    expect(finding).to_contain_text("So red takes in ")


@pytest.mark.wide
def test_the_output_of_one_row_is_the_sum_of_the_values_above_it(page):
    """Number by number; each part is the value of its key times its share; what is pressed of the sum is the cell."""
    root = bench(page("att_step=output", on=None))

    def told(cells) -> list[float]:
        titles = [cell.get_attribute("title") or "" for cell in cells.all()]
        return [float(re.sub(r"[<>]", "", title.split(": ")[-1]).replace("−", "-")) for title in titles]

    *parts, output = root.locator(".mixed .line-of").all()
    sums = [sum(column) for column in zip(*(told(part.locator("i")) for part in parts), strict=True)]
    assert told(output.locator("i")) == pytest.approx(sums, abs=0.02)
    for part, word in zip(parts, ("hat", "ball"), strict=True):
        said = part.locator(".of").inner_text()
        assert said.endswith(f"× value of {word}")
        own = told(root.locator(".given").nth(2).locator(f"i[title^='{word}, ']"))
        assert told(part.locator("i")) == pytest.approx([float(said[:4]) * x for x in own], abs=0.03)
    root.locator(".words.key").get_by_role("radio", name="tom").click()
    expect(root.locator(".mixed .followed")).to_contain_text("value of tom")
    for feature in (0, 7, 31):
        output = root.locator(".mixed .sum")
        output.locator("i").nth(feature).click()
        expect(root).to_have_attribute("data-feature", str(feature))
        assert value(root) == pytest.approx(told(output.locator("i"))[feature], abs=6e-4)


@pytest.mark.wide
def test_all_rows_are_one_press_away_and_have_a_link(page):
    page = page("", on=None)
    root = bench(page)
    root.get_by_role("button", name="All rows").click()
    expect(root.get_by_role("grid")).to_be_visible()
    expect(root.get_by_role("button", name="One row")).to_be_focused()
    expect(page).to_have_url(re.compile("att_rows=all"))
    page.reload()
    root = bench(page)
    expect(root.get_by_role("grid")).to_be_visible()
    root.get_by_role("button", name="One row").click()
    expect(root.locator(".one-row")).to_be_visible()
    expect(page).not_to_have_url(re.compile("att_rows"))


@pytest.mark.wide
def test_negative_bars_lie_left_of_zero(page):
    root = bench(page("att_step=scaled&att_rows=all", on=None))
    line, row = (root.locator(".keys .track").first.bounding_box(), root.locator(".keys .item"))
    zero = root.locator(".keys .track").first.evaluate("node => parseFloat(node.style.getPropertyValue('--zero'))")
    at = line["x"] + line["width"] * zero / 100
    for item in row.all():
        bar, number = item.locator("i").bounding_box(), item.locator(".amount").inner_text()
        if number.startswith("−"):
            assert bar["x"] + bar["width"] <= at + 2
        else:
            assert bar["x"] >= at - 2


@pytest.mark.wide
def test_three_tongues(page):
    """A term of the formula lights its matrix and its lines of the source."""
    root = bench(page())
    source = {
        "scores": "q @ k.transpose",
        "scaled": "math.sqrt(q.shape[-1])",
        "weights": "masked_softmax(scores, mask)",
        "output": "generator) @ v",
    }
    buttons = {"scores": "Compare", "scaled": "Scale", "weights": "Softmax", "output": "Mix"}
    reads = {"scores": ["Q", "K"], "output": ["V"]}
    for term, code in source.items():
        root.locator(f".formula .term[title^='{buttons[term]}']").click()
        expect(root).to_have_attribute("data-term", term)
        assert code in "\n".join(root.locator(".line.on code").all_inner_texts())
        assert root.locator(".given.reads .head .term").all_inner_texts() == reads.get(term, [])
    root.locator(".given .head .term", has_text="K").click()
    expect(root).to_have_attribute("data-term", "k")
    assert root.locator("input.lit").count() == 12


@pytest.mark.wide
def test_an_edited_number_goes_through_the_code_and_into_the_link(page):
    page = page("att_from=1&att_to=2")
    root = bench(page)
    cell = root.get_by_label("K, row 2, column 1", exact=True)
    cell.fill("-2,5")
    cell.press("Enter")
    changed = [list(row) for row in SMALL[1]]
    changed[1][0] = -2.5
    expect(root).to_have_attribute("data-value", "-2.5")
    expect(page).to_have_url(re.compile("att_k="))
    truth = steps(SMALL[0], changed, SMALL[2])
    root.get_by_role("radio", name="weights: ").click()
    assert value(root) == pytest.approx(truth.stages["weights"][0, 1], abs=1e-8)
    page.reload()
    root = bench(page)
    expect(root.get_by_label("K, row 2, column 1", exact=True)).to_have_value("-2.5")
    page.get_by_role("button", name="Undo edits").click()
    expect(root.get_by_label("K, row 2, column 1", exact=True)).to_have_value("0")


@pytest.mark.parametrize(
    "text", ["<img src=x>", *(pytest.param(text, marks=pytest.mark.wide) for text in ("", "abc", "1e9", "NaN"))]
)
@pytest.mark.wide
def test_an_entry_that_is_no_number_is_dropped_with_a_notice(page, text):
    page = page()
    root = bench(page)
    cell = root.get_by_label("Q, row 1, column 1", exact=True)
    cell.fill(text)
    cell.press("Tab")
    expect(root.locator(".complaint")).to_contain_text("is not a number from −100 to 100; the cell keeps its 1.")
    expect(cell).to_have_value("1")


@pytest.mark.wide
def test_the_keyboard_chooses_a_cell(page):
    root = bench(page("att_step=weights"))
    root.get_by_role("grid").focus()
    for key in ("ArrowDown", "ArrowRight", "ArrowRight", "ArrowRight"):
        root.get_by_role("grid").press(key)
    assert (root.get_attribute("data-row"), root.get_attribute("data-col")) == ("1", "2")


@pytest.mark.wide
def test_softmax_is_turned_in_the_browser_as_the_model_s_own_would_be(page):
    page = page("att_step=weights&att_from=1&att_to=2")
    root = bench(page)
    own = steps(*SMALL)
    slider = root.get_by_role("slider", name="Temperature")
    slider.focus()
    slider.press("ArrowLeft")
    sharp = softmax(own.stages["scaled"] / 0.5)
    assert value(root) == pytest.approx(sharp[0, 1], abs=1e-6)
    expect(root.locator(".say")).to_contain_text(f"largest weight is {sharp[0].max():.2f}")
    expect(page).to_have_url(re.compile("att_t=0.5"))
    slider.press("ArrowRight")
    root.get_by_label("÷ √dk").uncheck()
    assert value(root) == pytest.approx(softmax(own.stages["scores"])[0, 1], abs=1e-6)
    root.get_by_label("÷ √dk").check()
    assert value(root) == pytest.approx(own.stages["weights"][0, 1], abs=1e-6)
    root.get_by_label("wrong axis").check()
    wrong = softmax(own.stages["scaled"], axis=0)
    assert value(root) == pytest.approx(wrong[0, 1], abs=1e-6)
    expect(root.locator(".say")).to_contain_text("Wrong axis: each column adds up to 1")
    root.get_by_role("radio", name="output: ").click()
    page.mouse.move(5, 5)
    assert root.get_attribute("data-stage") == "output"
    assert value(root) == pytest.approx((wrong @ own.v)[0, 0], abs=1e-6)


@pytest.mark.wide
def test_the_shown_arithmetic_gives_the_cell(page):
    root = bench(page("att_from=4&att_to=5&att_step=scores", on="a+sentence"))
    told = [bar.get_attribute("title") for bar in root.locator(".why .product").all()]
    assert len(told) == 32, "d_head of the storyteller"
    products = [text.split(": ")[1].split(" = ")[0] for text in told]
    factors = [[float(re.sub(r"[<>]", "", x).replace("−", "-")) for x in text.split(" × ")] for text in products]
    rounding = 0.01 * sum(abs(x) + abs(y) for x, y in factors)  # factors are shown rounded
    assert sum(x * y for x, y in factors) == pytest.approx(value(root), abs=rounding)


def test_the_ring_is_dragged_and_the_shares_follow(page):
    """The mix lies where the ring was let go; outside of the triangle it stays on the rim."""
    page = page("att_way=Mix")
    root = page.locator(".shares")
    ring, back = root.locator(".mixed"), root.get_by_role("button", name="Back to the weights")
    expect(ring).to_be_visible()
    expect(root).not_to_have_attribute("data-beat", "mix")
    expect(root.locator(".finding")).to_have_text("The output is a mix of three values. Drag it out of their triangle.")
    root.get_by_role("button", name="Pull it outside").click()
    expect(root.locator(".finding")).to_have_text(
        re.compile(r"^Out of reach: tom would need a weight of −\d\.\d\d, and softmax gives none below 0\.$")
    )
    expect(root.locator("circle.beyond")).to_be_visible()
    expect(root.locator(".under:visible")).to_have_text(re.compile(r"^−\d\.\d\d$"))
    expect(root.locator("output").last).to_have_text("0.00")
    back.click()
    expect(root.locator("circle.beyond")).to_have_count(0)
    expect(back).to_be_hidden()
    weights = steps(*SMALL).stages["weights"][0]
    parts = ", ".join(f"{weight:.2f} {word}" for word, weight in zip(WORDS, weights, strict=True))
    expect(root.locator(".finding")).to_have_text(f"The output of mia is {' and '.join(parts.rsplit(', ', 1))}.")
    points = np.array(SMALL[2])[:, :2]
    place = ring.bounding_box()
    for by in ((-60, -40), (900, 300)):
        page.mouse.move(place["x"] + place["width"] / 2, place["y"] + place["height"] / 2)
        page.mouse.down()
        page.mouse.move(place["x"] + by[0], place["y"] + by[1], steps=4)
        page.mouse.up()
        shares = np.array(json.loads(root.get_attribute("data-shares")))
        assert shares.sum() == pytest.approx(1)
        assert (shares >= 0).all()
        assert json.loads(root.get_attribute("data-mix")) == pytest.approx(shares @ points)
        was, place = place, ring.bounding_box()
        assert abs(place["x"] - was["x"]) > 20
    assert shares.min() == 0, "it has been dragged past the rim"
    name, plane = root.locator(".ring-name").bounding_box(), root.locator("svg").bounding_box()
    assert name["x"] + name["width"] <= plane["x"] + plane["width"], "what the ring is can be read at the right edge"
    back.click()
    expect(back).to_be_hidden()
    even = root.get_by_role("button", name="Equal weights")
    even.click()
    expect(root.locator(".finding")).to_have_text("The output of mia is the mean of all values: 0.33 of each.")
    assert json.loads(root.get_attribute("data-mix")) == pytest.approx(points.mean(0), abs=1e-6)
    root.get_by_role("button", name="All on tom").click()
    expect(root.locator(".finding")).to_have_text("The output of mia is the value of tom alone.")
    expect(back).to_be_focused()


@pytest.mark.wide
def test_dragging_a_bar_moves_the_mix_and_keeps_the_sum(page):
    page = page("att_way=Mix")
    root = page.locator(".shares")
    expect(root).to_have_attribute("data-mix", re.compile(r"\["))
    expect(root).not_to_have_attribute("data-beat", "mix")
    truth = steps(*SMALL)
    points = np.array(SMALL[2])[:, :2]
    assert json.loads(root.get_attribute("data-mix")) == pytest.approx(truth.stages["output"][0, :2])
    terms, result = root.locator(".readout").inner_text().split(" = ")
    printed = sum(float(term.split(" × ")[0]) * points[n] for n, term in enumerate(terms.split(" + ")))
    assert printed == pytest.approx([float(x) for x in result.strip("()").replace("−", "-").split(", ")], abs=0.00501)
    before = len(page.sent)
    root.get_by_label("Share of likes").fill("0.8")
    shares = np.array(json.loads(root.get_attribute("data-shares")))
    assert shares[1] == pytest.approx(0.8)
    assert shares.sum() == pytest.approx(1)
    was = truth.stages["weights"][0]
    assert shares[0] / shares[2] == pytest.approx(was[0] / was[2])
    assert json.loads(root.get_attribute("data-mix")) == pytest.approx(shares @ points)
    for n, word in enumerate(WORDS):  # a whole share lands on its value
        root.get_by_label(f"Share of {word}").fill("1")
        assert json.loads(root.get_attribute("data-mix")) == pytest.approx(points[n])
        expect(root.locator(".finding")).to_have_text(f"The output of mia is the value of {word} alone.")
    root.get_by_role("button", name="Back to the weights").click()
    expect(root.get_by_role("button", name="Equal weights")).to_be_visible()
    assert json.loads(root.get_attribute("data-mix")) == pytest.approx(truth.stages["output"][0, :2])
    assert len(page.sent) == before


MILLS = "att_way=Make+q,+k,+v"


def mills(page) -> Locator:
    root = page.locator(".three-mills")
    expect(root).to_have_attribute("data-painted", "true")
    expect(root).not_to_have_attribute("data-beat", "mills")
    return root


def scores(root) -> list[str]:
    return root.locator("text.score").all_text_contents()


def test_a_query_is_dragged_onto_a_key_and_another_word_fits_another(page):
    page = page(MILLS, on=None)
    root = mills(page)
    act, finding, hand, sent = root.locator(".primary"), root.locator(".finding"), root.locator(".hand"), len(page.sent)
    expect(finding).to_have_text("Drag the query of “red” down: which key does it fit?")
    box = hand.bounding_box()
    x = box["x"] + box["width"] / 2
    page.mouse.move(x, box["y"] + box["height"] / 2)
    page.mouse.down()
    for y in range(0, 300, 5):
        page.mouse.move(x, box["y"] + box["height"] / 2 + y)
        if root.get_attribute("data-on") == "5":
            break
    expect(finding).to_have_text("red fits hat: same signs add 61.6, opposite signs take 6.6 away, 55.0.")
    expect(hand).to_have_attribute("aria-valuetext", "hat: 55.0")
    page.mouse.move(x, box["y"])  # back to where it came from
    page.mouse.up()
    expect(root).to_have_attribute("data-on", "")
    assert len(scores(root)) == int(root.get_attribute("data-tried") or 0) > 1, "each key that it lay on has its score"
    hand.press("ArrowDown")
    expect(finding).to_contain_text("red does not fit ")
    assert len(page.sent) == sent
    expect(act).to_have_text("Swap “red” for “blue”")  # the key that fits was found
    act.click()
    expect(finding).to_have_text("Same keys, another query: blue fits ball best, 54.5; “red” fitted hat.")
    assert len(scores(root)) == 8
    expect(act).to_be_focused()
    act.click()
    expect(finding).to_have_text("red tried 8 keys: hat fits best, 55.0.")
    expect(page).to_have_url(re.compile("att_laid=6"))
    assert len(page.sent) == sent


@pytest.mark.wide
def test_all_keys_are_tried_by_a_press_and_a_link_brings_the_query_back(page):
    at = page(MILLS, on=None)
    root = mills(at)
    root.get_by_role("button", name="Try every key").click()
    expect(root.locator(".finding")).to_have_text("red tried 8 keys: hat fits best, 55.0.")
    expect(root).to_have_attribute("data-on", "5")
    own = steps_of_red(root)
    assert max(own) == pytest.approx(55, abs=0.05)
    box = root.page.get_by_role("textbox").first
    box.fill("the cat sat")
    box.press("Enter")
    asks = "Drag the query of “sat” down: which key does it fit?"
    expect(root.locator(".finding")).to_have_text(asks)  # of another text nothing was tried
    root = mills(page(f"{MILLS}&att_laid=12&att_swap=true", on=None))
    expect(root).to_have_attribute("data-on", "11")
    expect(root).to_have_attribute("data-asks", "blue")
    box = root.locator("rect.mill").nth(1).bounding_box()
    root.page.mouse.click(box["x"] + 250, box["y"] + 3)  # a press on a key lays it there
    expect(root.locator(".lane").first).to_have_class(re.compile(r"\bon\b"))


def steps_of_red(root) -> list[float]:
    return [float(text.replace("−", "-")) for text in scores(root)]


@pytest.mark.parametrize("width", [1280, 760, 390])
@pytest.mark.wide
def test_the_figure_is_as_tall_wherever_the_query_lies_and_nothing_ends_beyond_it(visit, width):
    page = visit("/attention?" + MILLS, painted=False, reduced_motion="reduce").page
    page.set_viewport_size({"width": width, "height": 720})
    root = mills(page)
    places = []
    for key in ("Home", "ArrowDown", "End"):
        root.locator(".hand").press(key)
        places.append(root.locator(".mills").evaluate("(node) => [node.offsetTop, node.offsetHeight]"))
        within = root.bounding_box()
        for box in [text.bounding_box() for text in root.locator("svg text").all()]:
            assert box["x"] >= within["x"] - 1
            assert box["x"] + box["width"] <= within["x"] + within["width"] + 6
    assert places == places[:1] * 3


@pytest.mark.wide
def test_guess_and_reveal(page):
    page = page("att_way=Guess+the+row&att_puzzle=1", on=None)
    root, truth = page.locator(".shares"), puzzle(1).truth
    act, finding, cuts, discs = (root.locator(name) for name in (".headline button", ".finding", ".cut", ".disc"))
    expect(discs).to_have_text([str(dot) for dot in puzzle(1).dots])
    expect(act).to_have_text("Drag a cut first")
    expect(act).to_have_attribute("aria-disabled", "true")
    below = page.get_by_text("One query, three keys").bounding_box()
    assert below["y"] >= page.viewport_size["height"], "no line is cut at the fold"
    place = cuts.nth(1).bounding_box()
    page.mouse.move(place["x"] + 10, place["y"] + 30)
    page.mouse.down()
    page.mouse.move(5, place["y"] + 30, steps=5)  # past the other cut, where it stops
    page.mouse.up()
    assert json.loads(root.get_attribute("data-shares")) == pytest.approx([1 / 3, 0, 2 / 3])
    cuts.nth(0).press("Home")
    cuts.nth(1).press("Home")
    expect(act).to_have_text("Reveal softmax’s cut")
    act.press("Enter")
    expect(finding).to_have_text(
        "Key 3 matches 3 times as well as key 2, but gets 7.4 times the attention. Drag key 2 up until it wins."
    )
    expect(page.get_by_text("You gave (nearly) all to the best key")).to_be_visible()
    expect(page.get_by_text(f"you put {100 * (1 - truth[2]):.0f} in the wrong place, on key 3.")).to_be_visible()
    expect(page.get_by_text(f"{truth[2] * 100:.0f} of 100 in 1 puzzle")).to_be_visible()
    assert json.loads(root.get_attribute("data-own")) == pytest.approx(truth)
    expect(root.locator(".own b")).to_have_text([f"{share:.2f}" for share in truth])
    expect(act).to_have_class("later")  # than what the hand is asked for
    expect(discs.nth(1)).to_be_focused()
    place = discs.nth(1).bounding_box()
    page.mouse.move(place["x"] + 30, place["y"] + 30)
    page.mouse.down()
    page.mouse.move(place["x"] + 30, place["y"] + 30 - 6 * 16, steps=6)
    page.mouse.up()
    expect(finding).to_have_text("Match 8 instead of 2: key 2 gets 0.67 instead of 0.09.")
    assert sum(json.loads(root.get_attribute("data-own"))) == pytest.approx(1)
    discs.nth(1).press("ArrowDown")
    expect(discs.nth(1)).to_have_text("7")
    expect(act).to_have_class("primary")
    act.press("Enter")
    expect(cuts).to_have_count(2)
    expect(act).to_be_focused()
    expect(page).to_have_url(re.compile("att_puzzle=2"))


def test_a_score_is_dragged_and_all_shares_of_its_row_answer(page):
    page = page("att_step=weights&att_from=1&att_to=2")
    root, own = bench(page), steps(*SMALL)
    hands = root.locator(".hand[role=slider]")
    expect(hands).to_have_count(own.stages["scaled"].shape[1])
    let_pass(page, 400)
    sent = len(page.sent)

    def expect_shares() -> None:
        """The weights of row 1 are softmax of the scores that the bars stand for, which are given with two digits."""
        scores = own.stages["scaled"].copy()
        scores[0] = [float(hand.get_attribute("aria-valuenow")) for hand in hands.all()]
        assert value(root) == pytest.approx(softmax(scores)[0, int(root.get_attribute("data-col"))], abs=0.01)

    before = float(hands.nth(1).get_attribute("aria-valuenow"))
    box = hands.nth(1).bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] / 2 + 30, box["y"] + box["height"] / 2, steps=3)
    expect(root.locator(".say")).to_contain_text("with your scores")
    page.mouse.up()
    assert float(hands.nth(1).get_attribute("aria-valuenow")) > before
    assert value(root) > own.stages["weights"][0, 1]
    expect_shares()
    after = value(root)
    page.keyboard.press("ArrowLeft")  # the bar has the focus
    assert value(root) < after
    expect_shares()
    hands.nth(0).focus()
    page.keyboard.press("PageUp")
    expect(root).to_have_attribute("data-col", "0")
    expect_shares()
    root.get_by_role("button", name="Scores of the model").click()
    assert value(root) == pytest.approx(own.stages["weights"][0, 0], abs=1e-6)
    assert len(page.sent) == sent


@pytest.mark.wide
def test_the_row_that_is_held_has_its_numbers_in_its_cells(page):
    """Of a long text only that row: whole scores, and shares without their nought; another row takes them over."""
    page = page("att_step=weights&att_rows=all", on="")
    root = bench(page)
    written = root.locator(".grid .cell.held").all_inner_texts()
    shares = [float(text) for text in written if text]
    assert shares
    assert sum(shares) == pytest.approx(1, abs=0.01 * len(written))
    assert all(text.startswith((".", "1")) for text in written if text)
    assert not any(root.locator(".grid .cell:not(.held)").all_inner_texts())
    root.get_by_role("rowheader", name="tom").click()
    expect(root.locator(".grid .cell.held").first).not_to_have_text(written[0] or "-")
    root.get_by_role("radio", name="scores: ").click()
    expect(root.locator(".strips")).to_be_visible()
    expect(root.locator(".held h3")).to_have_count(0)


@pytest.mark.wide
def test_the_dark_button_of_ann_and_bob_is_as_large_as_any(page):
    page = page("att_way=Mix", on="Ann and Bob")
    button = page.locator(".st-key-att-two-turn button")
    assert button.locator("p").evaluate("(p) => getComputedStyle(p).fontSize") == "17px"
    assert button.bounding_box()["height"] >= 42
