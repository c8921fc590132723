"""Pictures on the live page: trained, watched, asked about a picture of one's own, and opened on the page of vision."""

import numpy as np
import pytest

from lab.kit.models.references import HAND_OVER, own
from pages.live import stage
from pages.live.controls import OF_PICTURES, OF_TEXTS
from pages.live.pairs import PAIRS, pair, pairs_of
from pages.live.values import plan_of, usual, values_of
from tests.pages import driver
from tests.pages.live.live_page import notices, packet, press, side, until, visit, widget
from transformer.training import tasks
from transformer.training.tasks import drawings, shapes

TINY = {
    "live_task": "Pictures",
    "live_d_model": 8,
    "live_heads": 2,
    "live_layers": 1,
    "live_patch": 8,
    "live_steps": 20,
    "live_batch": 8,
    "live_examples": 100,
    "live_reads": "the mean of all patches",
}


def test_a_model_of_pictures_is_trained_watched_and_opened_on_vision():
    at = visit(**TINY, live_picture="chosen", live_shape="cross", live_count="two", live_film="before training")
    assert notices(at) == ""
    before = side(at)
    assert (before["state"], before["frames"], before["more"]) == ("untrained", 1, list(shapes.QUESTIONS))
    assert list(before["tiles"].values())[1:] == ["Shape right", "Colour right", "Count right", "Place right"]
    assert before["guess"] == pytest.approx(np.log(4))
    assert before["script"]["sight"] == {"side": 24, "across": 3, "rows": list(range(1, 10)), "reads": "mean"}
    arrays = packet(at).arrays
    given = {"shape": "cross", "colour": "yellow", "count": "two", "place": "lower left"}
    wanted = shapes.draw(1, np.random.default_rng(1), given).pixels[0]
    np.testing.assert_array_equal(arrays["0.2.pixels"], wanted)
    words = before["script"]["words"]
    assert [words[id] for id in before["script"]["asked"][2]["right"]] == list(given.values())

    at = until(press(at, "train"), "done")
    film = side(at)
    assert film["frames"] > 10
    right = packet(at).arrays["0.more"]
    assert right.shape == (film["frames"], 4)
    assert 0 <= right.min() <= right.max() <= 1
    checkpoint = at.session_state[HAND_OVER]
    assert checkpoint.task.sight.reads == "mean"
    assert stage.door_of(checkpoint.task) == stage.EYES

    at = driver.visit("vision", session={HAND_OVER: checkpoint})
    assert not at.exception
    assert driver.control(at, "vision_model").value == "the one you trained"
    assert any("You trained this model" in text.value for text in at.markdown)


@pytest.mark.wide
def test_the_controls_of_pictures_are_those_that_say_something_of_them():
    at = visit(live_task="Pictures")
    keys = {w.key for kind in ("segmented_control", "select_slider", "selectbox") for w in at.get(kind)}
    assert {"live_patch", "live_reads", "live_heads", "live_positions"} <= keys
    assert not {f"live_{name}" for name in OF_TEXTS} & keys
    assert "patches of 4 | patches of 8" in widget(at, "live_compare").options
    assert "sinusoidal | ALiBi" not in widget(at, "live_compare").options
    at = visit(live_task="Copy")
    keys = {w.key for kind in ("segmented_control", "select_slider", "selectbox") for w in at.get(kind)}
    assert not {f"live_{name}" for name in OF_PICTURES} & keys
    assert (
        not {*PAIRS}
        - {*pairs_of(tasks.TASKS["copy"])}
        - {*widget(at, "live_compare").options}
        - {"patches of 4 | patches of 8", "class token | mean of patches"}
    )


def test_a_plan_of_pictures_and_its_controls_are_each_others_inverse():
    first = usual(tasks.TASKS["pictures"])
    recipe = tasks.recipe("pictures")
    plan = plan_of(first)
    assert plan.task_settings == {"patch_size": 4, "reads": "class"}
    assert (plan.config, plan.settings.steps) == (recipe.config, recipe.settings.steps)
    changed = first._replace(patch=6, reads="the mean of all patches", heads=8)
    assert values_of(plan_of(changed)) == changed
    for name in ("patches of 4 | patches of 8", "class token | mean of patches"):
        (a, _), (b, _) = pair(name, first).values()
        assert plan_of(a) != plan_of(b)


@pytest.mark.wide
def test_a_drawing_in_a_link_is_asked_about_and_nonsense_is_not():
    code = drawings.first_drawing()
    at = visit(**TINY, live_film="before training", live_picture="drawn", live_drawing=code)
    np.testing.assert_array_equal(packet(at).arrays["0.2.pixels"], drawings.drawing(code))
    assert side(at)["script"]["asked"][2]["right"] == []
    at = visit(**TINY | {"live_patch": 5}, live_film="before training", live_picture="drawn", live_drawing="<script>")
    np.testing.assert_array_equal(packet(at).arrays["0.2.pixels"], drawings.drawing(code))
    assert "patch" in notices(at).lower()


def test_only_a_page_of_pictures_is_handed_a_model_of_pictures(monkeypatch):
    import streamlit as st

    from transformer.training.checkpoints import checkpoint_of
    from transformer.training.settings import Settings
    from transformer.training.trainer import Trainer

    few = Settings(steps=1, n_examples=10, n_tests=5)
    made = checkpoint_of(Trainer(tasks.make("pictures"), tasks.recipe("pictures").config, few))
    monkeypatch.setattr(st, "session_state", {HAND_OVER: made})
    assert own() is None
    assert own("encoder") is None
    assert own("encoder", images=True) is not None
