"""Fine-tuning in a browser: a rank is chosen by keyboard, its update is drawn, and a question is answered."""

import re
from urllib.parse import quote

import pytest
from playwright.sync_api import expect

from tests.browser.test_look import opened
from transformer.training.finetuning import stored
from transformer.training.studies.reviews import UNSEEN
from transformer.training.ways import ALL, N_TESTS, OUTPUT, SCRATCH, WAYS, Lesson


def first_there() -> tuple[str, int]:
    """The way that reaches the target first, and at which step."""
    ways = {way: one.steps_to_target for (way, lesson), one in stored().items() if lesson == Lesson()}
    return min(((way, steps) for way, steps in ways.items() if steps is not None), key=lambda pair: pair[1])


def dot(view, way: str) -> tuple[float, float]:
    """Where the dot of a way is: its place in the order in which they are drawn is the last for the one taken."""
    view.get_by_role("button", name=re.compile(f"^{way}")).press("Enter")
    box = view.locator(".dot.taken").bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_the_step_is_dragged_and_every_model_is_and_writes_as_it_did_there(visit):
    page = visit("/finetuning", painted=False, reduced_motion="reduce").page
    view = page.locator(".continuations")
    talk, story = (view.locator(".passage .text").nth(n) for n in range(2))
    expect(view).to_have_attribute("data-step", str(first_there()[1]))
    expect(talk.locator("b").first).to_have_text("barn")
    opened_at = dot(view, ALL)
    step = page.get_by_role("slider", name="Step of the training")
    step.press("End")
    expect(view).to_have_attribute("data-step", "160")
    expect(story.locator("s").first).to_be_visible()
    ended_at = dot(view, ALL)
    step.press("Home")
    expect(view).to_have_attribute("data-step", "0")
    expect(view.locator(".step")).to_have_text("before step 1")
    expect(story.locator("b").first).to_have_text("hat")
    expect(story.locator("s")).to_have_count(0)
    begun_at = dot(view, ALL)
    assert begun_at[0] < opened_at[0] < ended_at[0], "it learns: to the right"
    assert begun_at[1] < min(opened_at[1], ended_at[1]) - 60, "it forgets: down"
    page.get_by_role("button", name="▶ Keep training").click()
    expect(view).to_have_attribute("data-step", "160")


def test_a_dot_stands_at_what_is_learned_and_what_is_kept(visit):
    """The dot of each way lies between the ends of the axes as its two shares do; names cover no other."""
    page = visit("/finetuning?fine_race_step=160", painted=False, reduced_motion="reduce").page
    view = page.locator(".continuations[data-step]")
    corner = view.locator(".goal").bounding_box()
    right, top = corner["x"] + corner["width"] / 2, corner["y"] + corner["height"] / 2
    ends = {way: (stored()[way, Lesson()].accuracies[-1], stored()[way, Lesson()].old[-1]) for way in WAYS}
    places = {way: dot(view, way) for way in WAYS}
    wide, high = (abs(places[ALL][a] - places[SCRATCH][a]) / abs(ends[ALL][a] - ends[SCRATCH][a]) for a in (0, 1))
    for way, (learned, kept) in ends.items():
        assert places[way][0] == pytest.approx(right - (1 - learned) * wide, abs=1.5), way
        assert places[way][1] == pytest.approx(top + (1 - kept) * high, abs=1.5), way
    for step in ("Home", "End"):
        page.get_by_role("slider", name="Step of the training").press(step)
        boxes = [one.bounding_box() for one in view.locator(".label").all()]
        for n, one in enumerate(boxes):
            for other in boxes[:n]:
                across = min(one["x"] + one["width"], other["x"] + other["width"]) - max(one["x"], other["x"])
                down = min(one["y"] + one["height"], other["y"] + other["height"]) - max(one["y"], other["y"])
                assert across < 1 or down < 1, (one, other)


def test_a_runner_is_taken_and_what_it_has_learned_and_lost_is_said(visit):
    page = visit("/finetuning", painted=False, reduced_motion="reduce").page
    view = page.locator(".continuations")
    first, step = first_there()
    expect(view).to_have_attribute("data-way", first)
    view.get_by_role("button", name=OUTPUT).press("Enter")
    expect(view).to_have_attribute("data-way", OUTPUT)
    other = stored()[OUTPUT, Lesson()]
    at = other.steps.tolist().index(step)
    expect(view.locator(".finding")).to_have_text(
        f"After {step} steps, training the {OUTPUT} gets {other.accuracies[at]:.0%} right in new dialogues and "
        f"{other.old[at]:.0%} in old stories, down from {other.old[0]:.0%}."
    )
    expect(view.locator(".way")).to_contain_text(f"{other.n_trained:,} parameters, 23% of all")
    talk, story = (view.locator(".passage").nth(n) for n in range(2))
    expect(talk.locator(".text")).to_contain_text(other.written[at][0])
    expect(talk.locator("output")).to_have_text(f"{other.accuracies[at]:.0%} right in {N_TESTS} dialogues")
    expect(story.locator("output")).to_have_text(f"{other.old[at]:.0%} right in {N_TESTS} stories")


def test_the_race_fits_the_first_screen_and_nothing_jumps_as_it_goes_on(visit):
    page = visit("/finetuning", painted=False, reduced_motion="reduce").page
    view = page.locator(".continuations[data-step]")
    parts = [view.locator(one) for one in (".plane", ".controls", ".said")]
    opened_at = [part.bounding_box() for part in parts]
    assert 640 < opened_at[-1]["y"] + opened_at[-1]["height"] <= 720
    for key in ("Home", "End"):
        page.get_by_role("slider", name="Step of the training").press(key)
        assert [part.bounding_box() for part in parts] == opened_at, "nothing jumps while it is dragged"


def test_a_link_keeps_the_runner_and_its_step_and_says_neither_at_first(visit):
    view = visit("/finetuning", painted=False, reduced_motion="reduce")
    root = view.page.locator(".continuations[data-step]")
    opens = root.get_attribute("data-way"), root.get_attribute("data-step")
    assert "fine_r" not in view.page.url
    root.get_by_role("button", name=OUTPUT).click()
    view.page.get_by_role("slider", name="Step of the training").press("End")
    view.page.wait_for_url("**fine_race_step=160**")
    link = view.page.url[view.page.url.index("/finetuning") :]
    other = visit(link, painted=False).page.locator(".continuations[data-step]")  # with motion: no beat runs over it
    expect(other).to_have_attribute("data-way", OUTPUT)
    expect(other).to_have_attribute("data-step", "160")
    root.get_by_role("button", name=opens[0]).click()
    view.page.get_by_role("slider", name="Step of the training").press("Home")
    view.page.wait_for_url("**fine_race_step=0**")
    assert "fine_runner" not in view.page.url


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


def test_the_words_of_a_review_wear_what_the_chosen_reader_makes_of_them(visit):
    link = f"/finetuning?fine_view=BERT’s+way&fine_review={quote(UNSEEN)}"
    page = visit(link, painted=False, reduced_motion="reduce").page
    view = page.locator(".three-readers")
    words = view.locator(".word")
    expect(words).to_have_count(6)
    expect(view.get_by_role("button", pressed=True)).to_have_text("MiniLM, all 6 layers")
    expect(view.locator(".unseen-word")).to_have_count(0)
    expect(words.filter(has_text="fantastic").locator("small")).to_have_text(re.compile(r"\+\d"))
    view.get_by_role("button", name="word counts").press("Enter")
    expect(view.locator(".unseen-word")).to_have_text(["dazzling", "show", "fantastic", "musicians"])
    expect(words.filter(has_text="fantastic").locator("small")).to_be_empty()
    expect(words.filter(has_text="with").locator("small")).to_have_text(re.compile(r"−\d"))


def test_the_review_that_opens_is_praise_to_who_counts_words_and_blame_to_who_reads_them_in_context(visit):
    """A word of praise with a “hardly” before it: no other word takes away as much, once words are read in context."""
    page = visit("/finetuning?fine_view=BERT’s+way", painted=False, reduced_motion="reduce").page
    view = page.locator(".three-readers")
    words = view.locator(".word")
    expect(words).to_have_count(5)
    expect(view.locator(".bar.now")).to_have_text(["?"] * 3)  # the visitor says first what it is
    assert view.locator("section").first.locator(".other .bar").count() == 3, "what they said of others is there"
    expect(view.locator(".note")).to_contain_text("All three took “This is not a good book.” for praise.")
    expect(words.locator("small")).to_have_text([""] * 5)
    expect(view.locator("section").get_by_role("button")).to_have_count(0)  # there is nothing to choose a reader for
    view.get_by_role("group", name="What you call it").get_by_role("button", name="blame").click()
    expect(view.locator(".mine")).to_have_text(
        "You said blame. MiniLM with all 6 layers agrees with you; "
        "word counts and MiniLM with only its embeddings do not."
    )
    expect(view).to_contain_text(re.compile(r"praise\s*\d+%.*praise\s*\d+%.*blame\s*\d+%", re.DOTALL))
    expect(view.locator(".verdict b")).to_have_text(["praise", "praise", "blame"])
    pushes = [int(text.replace("−", "-") or 0) for text in words.locator("small").all_inner_texts()]
    assert min(pushes) == pushes[3] < -10, pushes
