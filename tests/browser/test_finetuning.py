"""Fine-tuning in a browser: a rank is chosen by keyboard, its update is drawn, and a question is answered."""

import re

import pytest
from playwright.sync_api import expect

from lab.kit.words import as_chance
from tests.browser.test_look import opened
from transformer.training.finetuning import stored
from transformer.training.ways import ALL, LORA, OUTPUT, SCRATCH, WAYS, Lesson


def first_there() -> tuple[str, int]:
    """The way that reaches the target first, and at which step."""
    ways = {way: one.steps_to_target for (way, lesson), one in stored().items() if lesson == Lesson()}
    return min(((way, steps) for way, steps in ways.items() if steps is not None), key=lambda pair: pair[1])


def dot(view, way: str) -> tuple[float, float]:
    """Where a model's dot is on the plane, in shares of it: to the right, and upward."""
    frame = view.locator(".frame").evaluate(
        "(node) => (({x, y, width, height}) => [x, y, width, height])(node.getBBox())"
    )
    x, y = view.locator(f".dot[data-way='{way}']").evaluate("(node) => [node.cx.baseVal.value, node.cy.baseVal.value]")
    return (x - frame[0]) / frame[2], (frame[1] + frame[3] - y) / frame[3]


def test_one_bets_before_the_training_and_each_dot_ends_where_its_model_did(visit):
    page = visit("/finetuning", painted=False, reduced_motion="reduce").page
    view = page.locator(".continuations")
    finding = view.locator(".finding")
    expect(view).to_have_attribute("data-step", "0")
    expect(finding).to_have_text("Which one will remember most old stories? Press a dot or its name to bet.")
    view.get_by_role("button", name=SCRATCH).press("Enter")
    expect(finding).to_contain_text("it has none to remember")
    assert len({dot(view, way) for way in WAYS[1:]}) == 1, "four are one model as yet"
    assert dot(view, SCRATCH)[1] == pytest.approx(0, abs=0.005)
    expect(view.locator(".said")).to_be_hidden()  # the map and the question alone
    view.get_by_role("button", name=LORA).press("Enter")
    expect(finding).to_contain_text("Your bet: LoRA")
    page.get_by_role("button", name="▶ Train").click()
    expect(view).to_have_attribute("data-step", "160")
    expect(view.locator(".said")).to_be_visible()
    ends = {way: stored()[way, Lesson()] for way in WAYS}
    for way, one in ends.items():
        assert dot(view, way) == pytest.approx((one.accuracies[-1], one.old[-1]), abs=0.005), way
    best = max(WAYS, key=lambda way: ends[way].old[-1])
    lora, winner = as_chance(ends[LORA].old[-1]), as_chance(ends[best].old[-1])
    expect(finding).to_contain_text(f"You bet on LoRA: it gets {lora} right in old stories. The winner, {best}, gets")
    expect(finding).to_contain_text(winner)
    view.get_by_role("button", name=LORA).press("ArrowUp")
    expect(view).to_have_attribute("data-way", OUTPUT)
    expect(finding).to_contain_text("The output gets")
    view.get_by_role("button", name=best).press("Enter")
    expect(finding).not_to_contain_text("bet", use_inner_text=True)  # what has been seen is no bet any more


def test_a_dot_is_pulled_along_its_way_and_all_others_and_the_text_follow(visit):
    page = visit("/finetuning?fine_read=stories", painted=False, reduced_motion="reduce").page
    view = page.locator(".continuations[data-step]")
    expect(view).to_have_attribute("data-step", "0")
    text = view.locator(".passage").last.locator(".text")
    assert text.locator("s").count() <= 1, "before the training it has almost all of the old story right"
    name = view.locator(f".runner[data-way='{ALL}']").bounding_box() or {}
    frame = view.locator(".frame").bounding_box() or {}
    one = stored()[ALL, Lesson()]
    n = one.steps.tolist().index(30)
    right, down = one.accuracies[n] - one.accuracies[0], one.old[0] - one.old[n]
    x, y = name["x"] + name["width"] / 2, name["y"] + name["height"] / 2
    expect(view.locator(".hint")).to_have_text("or pull it")
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + right * frame["width"], y + down * frame["height"], steps=4)
    expect(view.locator(".hint")).to_have_class("hint gone")  # who has pulled once knows how
    expect(view).to_have_attribute("data-step", "30")
    page.mouse.up()
    expect(view).to_have_attribute("data-step", "30")
    expect(view).to_have_attribute("data-way", ALL)
    expect(view.locator(".finding")).not_to_contain_text("bet")
    for way in WAYS:
        other = stored()[way, Lesson()]
        assert dot(view, way) == pytest.approx((other.accuracies[n], other.old[n]), abs=0.005), way
    expect(text.locator("s").first).to_be_visible()
    expect(page.get_by_role("button", name="▶ Keep training")).to_be_visible()
    view.get_by_role("button", name=OUTPUT).press("Enter")  # a pull that ended elsewhere takes no later press
    expect(view).to_have_attribute("data-way", OUTPUT)
    page.wait_for_url("**fine_race_step=30**")


@pytest.mark.wide
def test_while_it_trains_the_headline_and_the_name_say_one_number(visit):
    """Both are of one measured step, also between two of them."""
    page = visit("/finetuning?fine_race_step=0", painted=False).page
    view = page.locator(".continuations[data-step]")
    expect(view).to_have_attribute("data-step", "0")
    # Time goes on when the test says so: a frame is 100 of the 300 milliseconds of a step.
    view.evaluate("""(root) => {
        const [said, frames] = [window.said = [], []];
        let now = performance.now();
        performance.now = () => now;
        window.requestAnimationFrame = (act) => frames.push(act);
        window.pass = async (n) => {
            for (let nth = 0; nth < n; nth++) {
                now += 100;
                for (const act of frames.splice(0)) act(now);
                await null; // what has changed is read
            }
        };
        const tells = () => / gets /.test(root.querySelector(".finding").textContent); // at rest it says who won
        const read = () => root.dataset.step !== "0" && tells() && said.push([
            Number(root.dataset.step),
            root.querySelector(".finding b:nth-of-type(2)").textContent,
            root.querySelector(`.runner[data-way='${root.dataset.way}'] .unseen`).textContent.match(/: (.*?) /)[1],
        ]);
        const changes = new MutationObserver(read);
        changes.observe(root, { attributes: true, attributeFilter: ["data-step"] });
        for (const node of root.querySelectorAll(".finding, .runner .unseen"))
            changes.observe(node, { childList: true, subtree: true, characterData: true });
    }""")
    page.get_by_role("button", name="▶ Train").click()
    one = stored()[first_there()[0], Lesson()]
    page.evaluate("n => pass(n)", 3 * len(one.steps))
    expect(page.get_by_role("button", name="▶ Train again")).to_be_visible()
    said = page.evaluate("said")
    measured = dict(zip(one.steps.tolist(), map(as_chance, one.accuracies), strict=True))
    assert list(dict.fromkeys(step for step, *_ in said)) == list(measured)[1:], "each in its turn"
    assert all(learned == row == measured[step] for step, learned, row in said)


@pytest.mark.wide
def test_a_runner_is_taken_and_what_it_has_learned_and_lost_is_said(visit):
    first, step = first_there()
    page = visit(f"/finetuning?fine_race_step={step}", painted=False, reduced_motion="reduce").page
    view = page.locator(".continuations")
    expect(view).to_have_attribute("data-way", first)
    view.get_by_role("button", name=OUTPUT).press("Enter")
    expect(view).to_have_attribute("data-way", OUTPUT)
    other = stored()[OUTPUT, Lesson()]
    at = other.steps.tolist().index(step)
    expect(view.locator(".finding")).to_have_text(
        f"The output gets {other.accuracies[at]:.0%} right in dialogues but forgets less: old stories fall to "
        f"{other.old[at]:.0%} (all weights: {stored()[ALL, Lesson()].old[at]:.0%})."
    )
    expect(view.locator(".way")).to_contain_text(f"{other.n_trained:,} parameters, 23% of all")
    passages = view.locator(".passage")
    for passage in (passages.first, passages.last):
        right, struck = passage.locator(".text b").count(), passage.locator(".text s").count()
        expect(passage.locator(".tally")).to_have_text(f"{right} of {right + struck} right")
    expect(passages.first.locator(".text")).to_contain_text(other.written[at][0])
    text = passages.last.locator(".text")
    before = text.inner_text()
    view.get_by_role("button", name="Another story").click()
    expect(text).not_to_have_text(before)


@pytest.mark.wide
def test_the_race_fits_the_first_screen_and_nothing_jumps_as_it_goes_on(visit):
    page = visit("/finetuning", painted=False, reduced_motion="reduce").page
    view = page.locator(".continuations[data-step]")
    parts = [view.locator(one) for one in (".plane", ".controls", ".said")]
    expect(parts[-1]).to_be_hidden()
    alone = parts[0].bounding_box()
    page.get_by_role("slider", name="Step of the training").press("End")
    opened_at = [part.bounding_box() for part in parts]
    assert alone["width"] > 1.4 * opened_at[0]["width"], "the map has all of the screen before the training"
    assert 640 < opened_at[-1]["y"] + opened_at[-1]["height"] <= 720
    for key in ("Home", "End"):
        page.get_by_role("slider", name="Step of the training").press(key)
        assert [part.bounding_box() for part in parts] == opened_at, "nothing jumps while it is dragged"


@pytest.mark.wide
def test_a_link_keeps_the_runner_and_its_step_and_says_neither_at_first(visit):
    view = visit("/finetuning", painted=False, reduced_motion="reduce")
    root = view.page.locator(".continuations[data-step]")
    opens = root.get_attribute("data-way"), root.get_attribute("data-step")
    assert "fine_r" not in view.page.url
    root.get_by_role("button", name=OUTPUT).click()
    view.page.get_by_role("slider", name="Step of the training").press("End")
    view.page.wait_for_url(re.compile("fine_race_step=160"))
    link = view.page.url[view.page.url.index("/finetuning") :]
    other = visit(link, painted=False).page.locator(".continuations[data-step]")  # with motion: no beat runs over it
    expect(other).to_have_attribute("data-way", OUTPUT)
    expect(other).to_have_attribute("data-step", "160")
    root.get_by_role("button", name=opens[0]).click()
    view.page.get_by_role("slider", name="Step of the training").press("Home")
    view.page.wait_for_url(re.compile("finetuning$"))


@pytest.mark.wide
def test_another_rank_draws_another_update(visit, server: str):
    page = visit("/finetuning?fine_moved=true", painted=False, reduced_motion="reduce").page
    opened(page, f"{server}/finetuning?fine_moved=true")
    expect(page.get_by_text("The update has rank")).to_contain_text("rank 4")
    page.get_by_role("button", name="Change the settings").click()
    rank = page.get_by_role("slider", name="LoRA: rank r")
    rank.press("ArrowLeft")
    expect(page.get_by_text("The update has rank")).to_contain_text("rank 2")
    assert "fine_rank=2" in page.url
    page.keyboard.press("Escape")
    page.get_by_role("button", name="512", exact=True).click()
    expect(page.get_by_text("Right.", exact=False).first).to_be_visible()


def test_labels_are_pulled_in_and_the_border_moves_with_the_hand(visit):
    page = visit("/finetuning?fine_view=BERT’s+way", painted=False, reduced_motion="reduce").page
    view = page.locator(".stage")
    says, strip = page.get_by_role("status"), view.get_by_role("slider", name="Labelled reviews")
    expect(says).to_have_text("From 128 labelled reviews, word counts get 39 of 60 right. How few does MiniLM need?")
    expect(view.locator(".score")).to_have_text("?of 60 right")
    expect(view.locator("path.open")).to_have_count(60)
    x, y, room = view.locator(".grip").evaluate("""(grip) => {
        const [own, all] = [grip, grip.parentNode].map((one) => one.getBoundingClientRect());
        return [own.x + own.width / 2, own.y + own.height / 2, all.width - own.width];
    }""")
    page.mouse.move(x, y)
    page.mouse.down()
    expect(strip).to_have_attribute("aria-valuenow", "0")
    borders = set()
    for n, right in ((2, 34), (6, 40), (8, 41)):
        page.mouse.move(x + n / 128 * room, y, steps=2)
        expect(view.locator(".score")).to_have_text(f"{right}of 60 right")
        expect(view.locator("circle.right")).to_have_count(right)
        borders.add(view.locator("path.line").get_attribute("d"))
        if n == 6:
            expect(says).to_have_text("6 labels beat 128: MiniLM gets 40 of 60 right, word counts 39.")
    page.mouse.up()
    assert len(borders) == 3
    expect(view.locator("i.in")).to_have_count(8)
    strip.press("End")
    expect(says).to_have_text("With the same 128 labels MiniLM gets 56 of 60 right. It beat word counts at 6.")
    page.wait_for_url("**fine_pile=128**")
    page.get_by_role("button", name="Try “hardly boring”").click()
    expect(says).to_have_text("128 labels, and of 60 reviews with a negation MiniLM gets 25 right. A coin gets 30.")
    expect(view.locator("circle.right")).to_have_count(25)
    expect(page.get_by_label("A review", exact=True)).to_have_value("The film was hardly boring.")


@pytest.mark.wide
def test_a_press_on_a_dot_takes_its_review_and_a_review_of_ones_own_is_judged(visit):
    page = visit("/finetuning?fine_view=BERT’s+way&fine_reviews=128", painted=False, reduced_motion="reduce").page
    view, quote = page.locator(".stage"), page.locator(".quote")
    expect(view.locator(".score")).to_have_text("56of 60 right")  # as an older link has it
    view.locator("circle").nth(3).click()
    expect(quote).to_contain_text("“A dull story about unpleasant people.”")
    expect(page.get_by_label("A review", exact=True)).to_have_value("A dull story about unpleasant people.")
    page.get_by_label("A review", exact=True).fill("a good film")
    page.keyboard.press("Enter")
    expect(view.locator("circle.own")).to_have_count(1)
    expect(quote).to_contain_text(re.compile("“a good film”.*% praise"))
    view.locator("circle").nth(3).hover()
    expect(quote).to_contain_text("“A dull story about unpleasant people.”")


@pytest.mark.wide
def test_on_a_phone_each_name_stands_clear_of_the_others_and_within_the_screen(visit):
    page = visit("/finetuning", painted=False, reduced_motion="reduce", viewport={"width": 390, "height": 844}).page
    view = page.locator(".continuations[data-step]")
    step = page.get_by_role("slider", name="Step of the training")
    for key, at in (
        ("Home", 0),
        ("ArrowRight", 1),
        ("ArrowRight", 2),
        ("ArrowRight", 10),
        ("ArrowRight", 20),
        ("End", 160),
    ):
        step.press(key)
        expect(view).to_have_attribute("data-step", str(at))
        boxes = [name.bounding_box() or {} for name in view.locator(".runner").all()]
        assert len(boxes) == len(WAYS)
        for n, box in enumerate(boxes):
            assert 0 <= box["x"] <= 390 - box["width"]
            for other in boxes[:n]:
                is_beside = box["x"] >= other["x"] + other["width"] or other["x"] >= box["x"] + box["width"]
                assert is_beside or abs(box["y"] - other["y"]) >= box["height"]
