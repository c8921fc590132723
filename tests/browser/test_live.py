"""The live page in a browser: a film that plays when asked to, a training watched to its end, and nobody else's run."""

import json
import re
from itertools import pairwise

import pytest
from playwright.sync_api import expect

from tests.browser.view import let_pass

# Every step that the film shows from now on, noted as it is painted.
NOTE_STEPS = """(film) => {
    window.steps = [film.dataset.step];
    new MutationObserver(() => window.steps.push(film.dataset.step)).observe(film, { attributeFilter: ['data-step'] });
}"""
# What is on screen from now on while the training on it has no frame yet.
NOTE_BEFORE = """(film) => {
    window.before = [];
    new MutationObserver(() => film.matches('.before') && window.before.push([
        film.dataset.playing, film.dataset.step, film.querySelector('.track input').disabled,
        getComputedStyle(film.querySelector('.tiles')).visibility,
    ])).observe(film, { attributes: true, subtree: true });
}"""
# The left edge of an element, the middle of its height, and its width.
MIDDLE = """node => {
    const { left, top, width, height } = node.getBoundingClientRect();
    return [left, top + height / 2, width];
}"""
TRAINED = 0.6  # of the weight on the true alignment: what a reversed text needs, where chance is .125
SMALL = "live_task=Copy&live_d_model=8&live_batch=8&live_examples=100"
# More than any test waits for: it runs until it is stopped.
ENDLESS = "live_d_model=64&live_batch=128&live_steps=3000"


class Page:
    def __init__(self, view):
        self.view, self.page, self.sent = view, view.page, view.sent
        self.film = view.page.locator(".film")
        expect(self.film).to_have_attribute("data-painted", re.compile(r"\d"))

    def value(self, name) -> str:
        return self.film.get_attribute(f"data-{name}") or ""

    def press(self, name):
        is_train = name.startswith("Train")  # it says as well what the training changes
        button = self.page.get_by_role("button", name=name, exact=True)
        (self.page.locator(".st-key-train button") if is_train else button).click()

    def until(self, name, value):
        expect(self.film).to_have_attribute(f"data-{name}", value)

    def wait(self, ms):
        let_pass(self.page, ms)

    def idle(self):
        expect(self.page.locator("[data-testid=stApp]")).to_have_attribute("data-test-script-state", "notRunning")
        self.wait(400)


@pytest.fixture
def live(visit):
    def open_page(query="", **more):
        return Page(visit(f"/live?{query}", painted=False, **more))

    return open_page


@pytest.mark.wide
def test_a_question_opens_the_film_and_once_it_was_watched_the_same_button_trains(live):
    page = live()
    assert page.value("state") == "recorded"
    headline = page.film.locator(".headline")
    expect(headline).to_contain_text("find out?")
    assert (page.value("playing"), page.value("step")) == ("false", "0")
    page.press("Play the film")
    page.until("step", "250")
    page.until("playing", "false")
    assert int(page.value("painted")) > 10
    assert float(page.value("mass")) > TRAINED
    page.wait(600)
    assert page.value("step") == "250"  # once, and no more
    headline.get_by_role("button", name="Train it yourself").click()
    page.until("state", re.compile("running|done"))
    expect(headline.get_by_role("button")).to_be_hidden()


@pytest.mark.wide
def test_nothing_moves_for_those_who_asked_for_stillness(live):
    page = live(reduced_motion="reduce")
    assert (page.value("playing"), page.value("step")) == ("false", "0")
    page.press("Play the film")
    page.until("step", "250")


@pytest.mark.wide
def test_the_film_before_stands_still_while_a_training_is_set_up(live):
    page = live()
    page.press("Play the film")
    page.until("playing", "true")  # the recorded film
    page.film.evaluate(NOTE_BEFORE)
    page.press("Train")
    page.until("state", re.compile("running|done"))
    expect(page.film).not_to_have_class(re.compile("before"))
    before = page.page.evaluate("window.before")
    assert {playing for playing, *_ in before} <= {"false"}
    assert len({step for _, step, *_ in before}) <= 1


@pytest.mark.wide
def test_scrubbing_costs_no_message_and_the_link_brings_the_step_back(live):
    page = live("film_step=120")  # as links said before settings had prefixes
    track = page.page.get_by_label("Step of the training")
    page.until("playing", "false")
    assert 100 < int(page.value("step")) <= 120  # the last frame before the step that is asked for
    page.idle()
    before = len(page.sent)
    track.focus()
    track.press("Home")
    page.until("step", "0")
    early = float(page.value("mass"))
    assert early < 0.3
    for _ in range(30):
        track.press("ArrowRight")
    middle = int(page.value("step"))
    assert 60 < middle < 200
    expect(track).to_have_attribute("aria-valuetext", f"step {middle} of 250")
    expect(page.film.locator(".knob")).to_have_text(str(middle))
    loss = page.film.locator("[data-tile='Validation loss'] dd")
    at_middle = float(loss.inner_text())
    track.press("End")
    assert float(loss.inner_text()) < at_middle
    assert float(page.value("mass")) > TRAINED > early
    page.film.get_by_text("Encoder", exact=True).click()
    page.until("kind", "encoder")
    page.film.get_by_text("Cross", exact=True).click()
    page.film.get_by_text("Accuracy", exact=True).click()
    page.film.locator(".grid").first.hover(position={"x": 120, "y": 120})
    expect(page.film.locator(".readout")).to_contain_text("→")
    assert 0 <= float(page.value("value")) <= 1
    track.press("ArrowLeft")
    expect(page.page).to_have_url(re.compile(r"live_film_step=\d+"))
    expect(page.page).to_have_url(re.compile("live_film_curve=accuracy"))
    assert len(page.sent) == before
    step = page.value("step")
    page.page.reload()
    page = Page(page.view)
    page.until("step", step)
    assert page.value("playing") == "false"


@pytest.mark.wide
def test_reverse_is_learned_while_one_watches(live):
    page = live("live_film_step=2", reduced_motion="reduce")
    page.film.evaluate(NOTE_STEPS)
    page.press("Train")
    page.until("state", "done")
    page.until("step", "250")
    assert float(page.value("mass")) > TRAINED
    assert len(set(page.page.evaluate("window.steps"))) > 3  # it was seen to form, not only to be there
    assert page.value("frames") == "85"  # every frame came, though only new ones were sent
    expect(page.film.locator(".said.done")).to_have_text(re.compile(r"[\d.]+ (s|min)$"))
    buttons = page.page.get_by_role("button", name="Stop", exact=True)
    expect(buttons).to_have_count(0)
    page.page.get_by_text("The loop that ran").click()
    values = page.film.locator(".line.told output").all_inner_texts()
    assert "250" in values
    assert all(values)


@pytest.mark.wide
def test_messages_while_training_are_small(live):
    """New frames only: a packet is a few frames, not the film again, nor the text of the component."""
    page = live("live_steps=3000", reduced_motion="reduce")
    sizes = []
    page.page.evaluate(
        """() => { window.packets = [];
        window.addEventListener('attention-lab-film', (e) => window.packets.push(e.detail.length)); }"""
    )
    page.press("Train")
    page.page.wait_for_function("() => window.packets.length > 8")
    sizes = json.loads(page.page.evaluate("() => JSON.stringify(window.packets)"))
    page.press("Stop")
    page.until("state", "stopped")
    per_frame = 2 * 1 * 2 * (8 * 8 + 9 * 9 + 9 * 8)
    assert sorted(sizes)[len(sizes) // 2] < 25 * per_frame
    frames = int(page.value("frames"))
    page.idle()
    page.wait(700)
    assert int(page.value("frames")) == frames
    assert frames > 0


@pytest.mark.wide
def test_a_run_is_its_own_sessions(live):
    one, other = live(ENDLESS), live()
    one.press("Train")
    one.until("state", "running")
    other.page.reload()
    other = Page(other.view)
    assert other.value("state") == "recorded"
    expect(other.page.get_by_role("button", name="Stop", exact=True)).to_have_count(0)
    expect(other.page.get_by_text("your training", exact=True)).to_have_count(0)
    one.press("Stop")
    one.until("state", "stopped")


@pytest.mark.wide
def test_lost_frames_are_fetched_again(live):
    page = live(ENDLESS, reduced_motion="reduce")
    page.press("Train")
    page.until("state", "running")
    expect(page.film).to_have_attribute("data-frames", re.compile(r"[1-9]"))
    # A packet that does not join on, as if those before it had been lost.
    page.page.evaluate(
        """() => { const drop = (e) => e.stopImmediatePropagation();
        const hear = window.addEventListener; window.dropped = 0;
        const send = window.dispatchEvent.bind(window);
        window.dispatchEvent = (e) => (e.type === 'attention-lab-film' && window.dropped++ < 2 ? true : send(e)); }"""
    )
    page.page.wait_for_function("() => window.dropped > 4")
    page.press("Pause")
    page.until("state", "paused")
    page.press("Stop")
    page.until("state", "stopped")
    steps = int(page.film.locator(".said.stopped").inner_text().split()[-1])
    page.until("step", str(steps))


@pytest.mark.wide
def test_two_trainings_scrub_together(live):
    page = live(SMALL + "&live_steps=50&live_compare=1+head+%7C+4+heads", reduced_motion="reduce")
    page.press("Train A and B")
    page.until("state", "done done")
    assert page.film.locator(".one").count() == 2
    assert page.film.locator(".thumbs button").count() == 1 + 4
    page.page.get_by_label("Step of the training").press("Home")
    page.until("step", "0")
    assert page.film.locator("[data-tile='Validation loss'] dd span").count() == 2


@pytest.mark.wide
def test_the_film_keeps_its_place_while_a_training_runs(live):
    """Buttons come; the line of settings gives way."""
    page = live("live_task=Pictures&live_steps=3000&live_batch=64&live_lr=0.003&live_dropout=0.2")
    at = page.film.bounding_box()["y"]
    page.press("Train")
    expect(page.page.get_by_role("button", name="Stop", exact=True)).to_be_visible()
    expect(page.page.get_by_role("button", name="Pause", exact=True)).to_be_visible()
    assert page.film.bounding_box()["y"] == pytest.approx(at, abs=1)
    bar = page.page.locator(".st-key-controls-live").bounding_box()
    own = page.page.get_by_role("button", name="Your picture").bounding_box()
    assert own["x"] + own["width"] <= bar["x"] + bar["width"] + 1
    page.press("Stop")


CHIPS = """line => [...line.querySelectorAll('.chips span')].map(chip => {
    const box = chip.getBoundingClientRect(), room = chip.parentElement.getBoundingClientRect();
    const inside = (low, high, from, to) => Math.max(0, Math.min(high, to) - Math.max(low, from)) / (high - low);
    return [chip.textContent, inside(box.left, box.right, room.left, room.right),
        inside(box.top, box.bottom, room.top, room.bottom)];
})"""


@pytest.mark.wide
def test_a_chip_is_shown_whole_or_not_at_all(live):
    """Half of “learning rate 0.003” would say “learning rate 0.00”."""
    page = live("live_task=Your+own+text&live_lr=0.003&live_dropout=0.2", viewport={"width": 1280, "height": 720})
    line = page.page.locator(".st-key-live-line")
    seen = []
    for width in range(1280, 900, -20):
        page.page.set_viewport_size({"width": width, "height": 720})
        chips = line.evaluate(CHIPS)
        assert "learning rate 0.003" in [text for text, *_ in chips]
        for text, across, down in chips:
            assert down < 0.05 or (down > 0.95 and across > 0.99), (width, text, across, down)
        seen.append(sum(down > 0.95 for *_, down in chips))
    assert seen[-1] < seen[0], "none was ever left out: this shows nothing"


def test_the_loss_is_drawn_before_the_training_and_the_true_curve_comes_over_it(live):
    page = live(f"{SMALL}&live_steps=20", reduced_motion="reduce")
    film, said = page.film, page.film.locator(".curves .key")
    film.get_by_role("button", name="Draw it first").click()
    expect(film.locator(".tiles")).to_be_hidden()  # no number of the recorded loss is in sight
    expect(said).to_contain_text("Draw it")
    first = film.get_by_role("slider", name="loss at step 0", exact=True)
    expect(first).to_be_focused()
    expect(first).to_have_attribute("aria-valuetext", "not drawn yet")
    page.page.keyboard.press("ArrowUp")
    page.page.keyboard.press("ArrowRight")
    expect(film.get_by_role("slider", name="loss at step 2", exact=True)).to_be_focused()
    page.until("guess", "1")
    area = film.locator(".drawing")
    box = area.bounding_box()
    page.page.mouse.move(box["x"] + 20, box["y"] + 20)
    page.page.mouse.down()
    page.page.mouse.move(box["x"] + box["width"], box["y"] + 20, steps=4)
    page.page.mouse.up()
    page.until("guess", "13")
    page.press("Train")
    page.until("state", "done")
    expect(area).to_be_hidden()
    expect(film.locator(".tiles")).to_be_visible()
    expect(said).to_contain_text(re.compile(r"too high; the largest gap is at step \d+, where you drew"))
    film.get_by_role("button", name="Take my curve away").click()
    expect(said).to_contain_text("bold: validation")


@pytest.mark.wide
def test_heads_race_and_the_best_is_on_the_upper_lane(visit):
    """Lanes are in the order of the heads' scores at the step that is shown, and a drag goes to another step."""
    page = visit("/live?live_film=Repeat,+recorded&live_film_step=800", painted=False, reduced_motion="reduce").page
    film, lanes = page.locator(".film[data-race]"), page.locator(".race .lane:not(.out)")
    expect(film).to_have_attribute("data-step", "800")
    expect(lanes).to_have_count(6)
    standing = film.get_attribute("data-race")
    scores = [float(score) for score in re.findall(r" (\d\.\d\d)", standing)]
    assert len(scores) == 6
    assert all(ahead >= behind - 0.03 for ahead, behind in pairwise(scores))
    assert float(film.get_attribute("data-mass")) == pytest.approx(max(scores), abs=0.006)
    tops = {lane.locator(".who").inner_text(): lane.bounding_box()["y"] for lane in lanes.all()}
    order = [name.rsplit(": ", 1)[0] for name in standing.split(", ")]
    assert sorted(tops, key=lambda name: tops[name]) == order, "the picture is what is said of it"
    expect(
        page.get_by_role("img", name=re.compile(re.escape(f"Race of heads: induction score. At step 800: {standing}")))
    ).to_be_visible()
    page.locator(".race").click(position={"x": 60, "y": 60})
    expect(film).not_to_have_attribute("data-step", "800")
    early = [float(score) for score in re.findall(r" (\d\.\d\d)", film.get_attribute("data-race"))]
    assert max(early) < 0.5 < max(scores)


def test_each_letter_hangs_by_threads_from_what_it_looks_at_and_they_follow_the_step(visit):
    """In letters as large as the page allows; the hand pulls the training along, and only then come the tools; a letter
    that is touched says how much attention weight is where."""
    small = {"width": 1280, "height": 720}
    page = visit("/live", painted=False, reduced_motion="reduce", viewport=small).page
    film, stage = page.locator(".film[data-painted]"), page.locator(".film .stage")
    finding, own = film.locator(".finding"), film.get_by_role("button", name="Train it yourself")
    expect(finding).to_have_text("Drag the training to the right. When does it find out?")
    expect(page.locator(".st-key-train button")).to_be_hidden()
    expect(film.locator(".trace b").first).to_be_hidden()
    x, y, wide = stage.evaluate(MIDDLE)
    page.mouse.move(x + 5, y)
    page.mouse.down()
    page.mouse.move(x + 5 + 0.193 * wide, y, steps=3)
    expect(finding).to_have_text(
        re.compile(r"^Step 68: head 1 gives 0\.6\d of .* letter, yet only 1\d% of its answers")
    )
    expect(film.locator(".trace b")).to_have_text(["attention on the right letter", "flawless answers"])
    expect(own).to_be_hidden()
    page.mouse.move(x + 5 + 0.75 * wide, y)
    page.mouse.up()
    expect(film).to_have_attribute("data-step", "250")
    expect(finding).to_have_text(re.compile(r"^Step 250: head 1 gives 0\.9\d of .* letter, and 9\d% of its answers"))
    expect(own).to_be_visible()
    expect(page.locator(".st-key-train button")).to_be_visible()
    expect(stage).to_have_attribute("aria-label", re.compile("^reads f g d i c a a g, writes g a a c i d g f the end."))
    size = stage.locator(".written").first.evaluate("node => parseFloat(getComputedStyle(node).fontSize)")
    assert size >= 40
    box = stage.bounding_box()
    assert box["y"] < 200
    assert box["y"] + box["height"] < 720
    stage.locator(".written").nth(1).hover()
    expect(stage).to_have_attribute("data-spot", re.compile(r"\d"))
    weights = [float(weight) for weight in (stage.get_attribute("data-spot") or "").split()]
    assert len(weights) == 8
    assert sum(weights) == pytest.approx(1, abs=0.02)
    assert weights[6] == max(weights) > TRAINED, "the second letter of the answer is the last but one that is read"
    assert stage.locator("em").nth(6).inner_text() == f"{weights[6]:.2f}"
    expect(stage.locator(".read").nth(6)).to_have_class(re.compile("found"))
    page.mouse.move(5, 5)
    expect(stage).to_have_attribute("data-spot", "")
    thick = "nodes => nodes.map(node => parseFloat(node.getAttribute('stroke-width')))"
    ties = stage.locator("svg g:last-child path")
    assert max(ties.evaluate_all(thick)) > 9
    page.get_by_label("Step of the training").press("Home")
    expect(film).to_have_attribute("data-step", "0")
    assert max(ties.evaluate_all(thick)) < 6, "a fog"
    expect(stage.locator(".written.wrong").first).to_be_visible()
    stage.focus()
    page.keyboard.press("ArrowRight")
    expect(stage.locator(".unseen")).to_contain_text("looks at")
    page.get_by_role("combobox", name="Task").click()
    page.get_by_role("option", name="Sort").click()
    expect(finding).to_have_text("Drag the training to the right. When does it find out?")
    expect(page.locator(".st-key-train button")).to_be_visible()  # another film asks again; the tools in use stay


@pytest.mark.wide
def test_what_is_typed_after_a_training_is_read_by_the_visitors_own_model(live):
    """At once, in the picture; and every new word, too, whatever example is on screen. An empty box brings the film."""
    page = live("live_steps=50", reduced_motion="reduce", viewport={"width": 1280, "height": 720})
    page.press("Train")
    page.until("state", "done")
    shown, box = page.film.locator(".stage .read"), page.page.get_by_label("Your own input", exact=True)
    usual = shown.all_inner_texts()
    chips = page.page.locator(".st-key-live-line .chips span")
    for word in ("badcafe", "abc"):
        box.fill(word)
        box.press("Enter")
        expect(shown).to_have_text(list(word))
        expect(page.film.locator(".bar .state")).to_have_text("your trained model reads your input")
        expect(page.page.get_by_label("Step of the training")).to_have_attribute("aria-valuetext", "step 50 of 50")
        lines = chips.evaluate_all("nodes => nodes.map(node => Math.round(node.getBoundingClientRect().top))")
        assert len(lines) == 6
        assert len(set(lines)) == 1, "a chip was left out although there is room for it"
        page.film.get_by_text("example 1", exact=True).click()
        expect(shown).to_have_text(usual)
    names = page.film.locator(".race .who")
    tall = names.evaluate_all("nodes => nodes.map(node => node.getBoundingClientRect().height)")
    assert max(tall) < 25, "the name of a head breaks"
    box.fill("")
    box.press("Enter")
    expect(page.film.locator(".bar .state")).to_contain_text("50 steps in")
    expect(shown).to_have_text(usual)


@pytest.mark.wide
def test_what_is_no_line_of_letters_is_read_from_the_map(live):
    page = live("live_task=Pictures", reduced_motion="reduce")
    expect(page.film.locator(".threads")).to_be_hidden()
    expect(page.film.locator(".talk")).to_be_visible()
    expect(page.film.locator(".grid").first).to_be_visible()
