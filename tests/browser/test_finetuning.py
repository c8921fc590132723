"""Fine-tuning in a browser: a dot is pulled along its training, labels are pulled in, and an update is drawn."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.test_look import opened
from transformer.training.finetuning import stored
from transformer.training.ways import ALL, LORA, OUTPUT, Lesson


def at_rest(view, way: str, step: int) -> None:
    """Where a model's dot is on the plane: where its training was at this step."""
    right, up = view.evaluate(
        """(root, way) => {
            const { x, y, width, height } = root.querySelector(".frame").getBBox();
            const { cx, cy } = root.querySelector(`.dot[data-way='${way}']`);
            const low = parseFloat(root.querySelector(".low").textContent) / 100;
            return [(cx.baseVal.value - x) / width, 1 - ((1 - low) * (cy.baseVal.value - y)) / height];
        }""",
        way,
    )
    one = stored()[way, Lesson()]
    n = one.steps.tolist().index(step)
    assert (right, up) == pytest.approx((one.accuracies[n], one.old[n]), abs=0.005), way


PULL = """(root, [right, down]) => {
    const frame = root.querySelector(".frame").getBoundingClientRect();
    const dot = root.querySelector(".dot.taken").getBoundingClientRect();
    const [x, y] = [dot.x + dot.width / 2, dot.y + dot.height / 2];
    const low = parseFloat(root.querySelector(".low").textContent) / 100;
    return [x, y, x + right * frame.width, y + down * frame.height / (1 - low)];
}"""


# What stands there in each frame of a beat: [step, headline].
SEEN = """(() => {
    window.seen = [];
    const look = () => {
        const hosts = [document, ...[...document.querySelectorAll("*")].map((node) => node.shadowRoot).filter(Boolean)];
        for (const root of hosts.map((host) => host.querySelector(".continuations[data-beat]")).filter(Boolean))
            window.seen.push([root.dataset.step, root.querySelector(".finding").textContent]);
        requestAnimationFrame(look);
    };
    look();
})()"""


def pull(page, view, right: float, down: float) -> None:
    """Pulls the dot that is taken, by shares of the plane, and holds it there."""
    x, y, goal_x, goal_y = view.evaluate(PULL, [right, down])
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(goal_x, goal_y, steps=8)


def test_a_dot_is_pulled_and_goes_where_its_training_went_and_the_words_with_it(visit):
    page = visit("/finetuning", painted=False, reduced_motion="reduce").page
    view = page.locator(".continuations[data-step]")
    marked = """(root, selector) => {
        const { left, top } = root.querySelector(selector).getBoundingClientRect();
        return [left + 5, top + 8];
    }"""
    for part in (".finding", ".plane"):
        page.mouse.move(*view.evaluate(marked, part))
        page.mouse.down()
        page.mouse.move(500, 700, steps=3)
        page.mouse.up()
    assert page.evaluate("String(getSelection())") == "", "a drag beside a figure marks no text"
    finding, story = view.locator(".finding"), view.locator(".passage").last
    expect(view).to_have_attribute("data-step", "0")
    expect(finding).to_contain_text("Pull the storyteller into the best corner")
    expect(view.locator(".hint")).to_have_text("pull it there")
    expect(view.locator(".dot:visible")).to_have_count(1)
    expect(story).to_have_text("Old story where did david go first? to the fortress.")
    one = stored()[ALL, Lesson()]
    n = one.steps.tolist().index(30)
    pull(page, view, one.accuracies[n] - one.accuracies[0], one.old[0] - one.old[n])
    expect(view).to_have_attribute("data-step", "30")
    expect(view.locator(".hint")).to_have_class("hint gone")  # who has pulled once knows how
    expect(story).to_have_text("Old story where did david go first? to the dungeon fortress.")
    expect(story.locator("s")).to_have_text("dungeon")
    expect(view.locator(".lost")).to_have_text("31 lost")
    expect(finding).to_contain_text("Step 30: training all weights gets")
    expect(finding).to_contain_text("old stories fall from 96% to 65%")
    page.mouse.up()
    at_rest(view, ALL, 30)
    page.wait_for_url("**fine_race_step=30**")
    pull(page, view, 0.5, 0)  # straight to the right: it does not get there
    page.mouse.up()
    expect(view).to_have_attribute("data-step", "160")
    at_rest(view, ALL, 160)
    page.get_by_role("button", name="Now LoRA").click()
    expect(view).to_have_attribute("data-way", LORA)
    expect(finding).to_have_text("LoRA: 2% of the parameters. Does it lose less? Pull it.")
    page.get_by_role("slider", name="Step of the training").press("End")
    expect(finding).to_contain_text(
        "Step 160: LoRA gets 99% in dialogues but forgets more: stories fall to 61% (all weights: 65%)"
    )
    at_rest(view, LORA, 160)
    at_rest(view, ALL, 160)
    expect(view.locator(".dot:visible")).to_have_count(2)
    expect(view.locator(".name:visible")).to_have_text(["all weights · 31 lost", "LoRA · 35 lost"])
    page.get_by_role("button", name="Now output only").click()
    pull(page, view, 0.6, 0)
    expect(view).to_have_attribute("data-step", "160")
    at_rest(view, OUTPUT, 160)  # however far one pulls
    page.mouse.up()
    page.get_by_role("button", name="Now last layer").click()
    page.get_by_role("slider", name="Step of the training").press("End")
    expect(finding).to_have_text(re.compile("^All weights came nearest to the corner, but even that forgot 31 points"))
    page.get_by_role("button", name="All weights again").click()
    expect(view).to_have_attribute("data-step", "0")
    expect(view.locator(".name:visible")).to_have_count(4)  # the trails stay


@pytest.mark.wide
def test_a_link_keeps_the_model_and_its_step_and_says_neither_at_first(visit):
    view = visit("/finetuning", painted=False, reduced_motion="reduce")
    root = view.page.locator(".continuations[data-step]")
    assert "fine_r" not in view.page.url
    root.get_by_role("radio", name=OUTPUT).check()
    view.page.get_by_role("button", name="▶ Train").click()
    view.page.wait_for_url(re.compile("fine_race_step=160"))
    link = view.page.url[view.page.url.index("/finetuning") :]
    other = visit(link, painted=False).page.locator(".continuations[data-step]")  # with motion: no beat runs over it
    expect(other).to_have_attribute("data-way", OUTPUT)
    expect(other).to_have_attribute("data-step", "160")
    root.get_by_role("radio", name=LORA).check()
    expect(root.locator(".finding")).to_contain_text("Does it lose less?")
    root.get_by_role("radio", name=ALL).check()
    view.page.wait_for_url(re.compile("finetuning$"))


@pytest.mark.wide
def test_while_the_first_beat_pulls_the_dot_the_headline_asks_for_nobody_has_trained_it(visit, server):
    page = visit(None).page
    page.add_init_script(SEEN)
    page.goto(f"{server}/finetuning")
    page.locator(".continuations[data-step]:not([data-beat])").wait_for()
    said = page.evaluate("seen")
    assert len({step for step, _ in said}) > 2, "it was pulled"
    assert all(words.startswith("Pull the storyteller") for _, words in said)


@pytest.mark.wide
def test_a_training_plays_to_its_end_and_the_first_screen_holds_it(visit):
    page = visit("/finetuning?fine_race_step=0", painted=False).page
    view = page.locator(".continuations[data-step]")
    page.get_by_role("button", name="▶ Train").click()
    expect(page.get_by_role("button", name="Now LoRA")).to_be_visible()
    ends = view.evaluate("""(root) => [...root.querySelectorAll(".plane, .trained")].map(
        (one) => one.getBoundingClientRect().bottom)""")
    assert max(ends) <= 720


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
    view = page.locator(".border")
    says, strip = view.get_by_role("status"), view.get_by_role("slider", name="Labelled reviews")
    expect(says).to_have_text("From 128 labelled reviews, word counts get 39 of 60 right. How few does MiniLM need?")
    expect(view.locator(".score")).to_have_text("?of 60 right")
    expect(view.locator("path.open")).to_have_count(60)
    expect(view.locator("circle.open")).to_have_count(60)  # as grey as the ground: nothing is known yet
    expect(view.locator(".flag")).to_be_hidden()
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
    expect(view.locator(".flag")).to_have_text("6 labels: past word counts")
    expect(view.locator("i.in")).to_have_count(8)
    strip.press("End")
    expect(says).to_have_text("With the same 128 labels MiniLM gets 56 of 60 right. It beat word counts at 6.")
    page.wait_for_url("**fine_pile=128**")
    page.get_by_role("button", name="Try “hardly boring”").click()
    expect(says).to_have_text("128 labels, and of 60 reviews with a negation MiniLM gets 25 right. A coin gets 30.")
    expect(view.locator("circle.right")).to_have_count(25)
    expect(page.get_by_label("A review", exact=True)).to_have_value("The film was hardly boring.")
    page.wait_for_url("**fine_pile=128**fine_negated=1**")
    dot = view.get_by_role("button", name="“The film was hardly boring.”")
    expect(dot).to_have_attribute("tabindex", "0")
    dot.press("ArrowRight")
    expect(view.locator("circle:focus")).to_have_attribute(
        "aria-label", re.compile("^“.+”, (praise|criticism), taken for ")
    )
    expect(view.locator("circle[tabindex='0']")).to_have_count(1)


@pytest.mark.wide
def test_a_press_on_a_dot_takes_its_review_and_a_review_of_ones_own_is_judged(visit):
    page = visit("/finetuning?fine_view=BERT’s+way&fine_reviews=128", painted=False, reduced_motion="reduce").page
    view, quote = page.locator(".border"), page.locator(".quote")
    expect(view.locator(".score")).to_have_text("56of 60 right")  # as an older link has it
    view.locator("circle").nth(3).click()
    expect(quote).to_contain_text("“A dull story about unpleasant people.”")
    expect(page.get_by_label("A review", exact=True)).to_have_value("A dull story about unpleasant people.")
    page.get_by_label("A review", exact=True).hover()
    page.get_by_label("A review", exact=True).fill("a good film")
    page.keyboard.press("Enter")
    expect(view.locator("circle.own")).to_have_count(1)
    expect(quote).to_contain_text(re.compile("“a good film”.*% praise"))
    view.locator("circle").nth(3).hover()
    expect(quote).to_contain_text("“A dull story about unpleasant people.”")
