"""Trainings on the page: two side by side, the queue, links, one's own text, and what goes wrong."""

from itertools import count
from urllib.parse import parse_qsl

import numpy as np
import pytest

from lab.server import trainings as queues
from lab.server.jobs import Job
from pages.live import register, stage, trainings
from pages.live.values import BY_LABEL, usual
from tests.pages.live.live_page import (
    STORY,
    TINY,
    buttons,
    notices,
    packet,
    press,
    side,
    until,
    until_frames,
    visit,
    widget,
)
from tests.training.here import Here
from tests.waiting import until_holds
from transformer.core.config import TransformerConfig
from transformer.training import checkpoints
from transformer.training.plan import Plan
from transformer.training.schedules import make_schedule
from transformer.training.scores import answers
from transformer.training.settings import Knobs, Settings
from transformer.training.tasks import TASKS
from transformer.training.trainer import Diverged, Trainer


@pytest.mark.wide
def test_two_trainings_side_by_side():
    at = until(press(visit(**TINY, live_compare="positions off | on"), "train"), "done", "done")
    a, b = packet(at).header["sides"]
    assert (a["name"], a["label"], b["name"], b["label"]) == ("A", "positions off", "B", "positions on")
    arrays = packet(at).arrays
    assert arrays["0.steps"].tolist() == arrays["1.steps"].tolist()
    assert not np.array_equal(arrays["0.0.cross"], arrays["1.0.cross"])


@pytest.mark.wide
def test_free_comparison_is_in_the_link():
    at = visit(**TINY)
    widget(at, "live_compare").set_value(stage.PINNED)
    at.run()
    widget(at, "live_layers").set_value(2)
    at.run()
    pinned = at.query_params["live_a"]
    pinned = pinned if isinstance(pinned, str) else pinned[0]
    assert dict(parse_qsl(pinned)) == {"d_model": "8", "steps": "20", "batch": "8", "examples": "100"}
    link = {**TINY, "live_layers": 2, "live_compare": stage.PINNED, "live_a": pinned}
    again = until(press(visit(**link), "train"), "done", "done")
    a, b = packet(again).header["sides"]
    assert b["label"] == "layers 1 → 2"
    assert [s["probes"][0]["cross"]["heads"] for s in (a, b)] == [[1, 2], [2, 2]]


def test_a_link_restores_every_setting():
    link = {
        "live_task": "Sort",
        "live_d_model": "48",
        "live_heads": "3",
        "live_layers": "2",
        "live_positions": "ALiBi",
        "live_steps": "400",
        "live_lr": "0.003",
        "live_schedule": "Noam",
        "live_dropout": "0.1",
        "live_batch": "32",
        "live_norm": "after (post)",
        "live_longest": "10",
        "live_seed": "7",
    }
    at = visit(**link)
    assert notices(at) == ""
    for name, value in link.items():
        assert str(widget(at, name).value) == value


@pytest.mark.parametrize(
    ("link", "sentence"),
    [
        ({"live_heads": "3"}, "d_model=32 cannot be split into 3 equal heads"),
        ({"live_steps": "1000000"}, "live_steps cannot be 1000000"),
        ({"live_d_model": "4096"}, "live_d_model cannot be 4096"),
        ({"live_task": "<img>"}, "live_task cannot be <img>"),
        ({"live_film": "x"}, "you have not trained anything here yet"),
    ],
)
def test_a_link_that_asks_for_what_cannot_be_says_so(link, sentence):
    assert sentence in notices(visit(**link))


@pytest.mark.parametrize("link", ["heads=64", "d_model=7&heads=5", "x=1", "%00", "layers=9&positions=none"])
def test_a_pinned_link_that_is_nonsense_still_trains(link):
    at = visit(**TINY, live_compare=stage.PINNED, live_a=link)
    assert not at.button(key="train").disabled
    assert notices(at) == ""


@pytest.mark.few(5)
@pytest.mark.parametrize("task", BY_LABEL)
def test_every_task_can_be_chosen(task):
    at = visit(live_task=task)
    assert not at.exception
    assert at.button(key="train").disabled == (task == "Your own text")


@pytest.mark.wide
def test_who_gives_way_is_told_so(monkeypatch):
    """By a clock that ticks whenever the queue reads it, a turn ends after a few steps."""
    queue = queues.Queue(1, Here, clock=count().__next__)
    monkeypatch.setattr(register, "queue", lambda: queue)
    monkeypatch.setattr(register, "TIME_SLICE", 50)
    at = press(visit(**{**TINY, "live_steps": "3000"}), "train")
    other = Plan("copy", {}, TransformerConfig(d_model=8, n_heads=2), Settings(steps=1))
    queue.submit(Job("another visitor", other, 1))
    until(at, "paused")
    assert "to let others have a turn" in side(at)["said"]
    frames = side(at)["frames"]
    at.button(key="continue").click()
    at.run()
    while side(at)["frames"] == frames:
        at.run()
    queue.close()


def test_who_waits_is_told_where_and_how_long(line):
    line(3)
    at = press(visit(**TINY), "train")
    assert side(at)["state"] == "waiting"
    assert side(at)["said"] == "You are third in line: about 45 s"
    assert {"pause", "stop"} <= buttons(at)
    assert packet(at).header["alive"]
    assert "stopped" in side(press(at, "stop"))["said"]


def label(at) -> str:
    return at.button(key="train").label


def is_dark(at) -> bool:
    return at.button(key="train").proto.type == "primary"


@pytest.mark.wide
def test_the_button_says_what_the_next_training_changes():
    at = visit()
    assert label(at) == "Train"
    assert not is_dark(at)
    assert not is_dark(visit(live_film="Copy, recorded", live_task="Copy"))
    assert is_dark(visit(live_compare="1 head | 4 heads"))
    widget(at, "live_positions").set_value("none")
    assert label(at.run()) == "Train with: positions none"
    assert is_dark(at)
    widget(at, "live_steps").set_value(300)  # and with it the warm-up, which is not named
    assert label(at.run()) == "Train with 2 changes"
    at = until(press(visit(**TINY), "train"), "done")
    assert label(at) == "Train again"
    assert is_dark(at)
    widget(at, "live_layers").set_value(2)
    assert label(at.run()) == "Train again with: 2 layers"
    assert side(at)["about"] == "Copy · 8 wide · 2 heads · 1 layer · sinusoidal"  # what is on screen


def test_a_recorded_film_that_is_chosen_brings_its_task_so_that_one_trains_what_is_on_screen():
    at = visit(live_film="Repeat, recorded")
    assert (widget(at, "live_task").value, packet(at).header["trains"]) == (TASKS["repeat"].label, True)
    widget(at, "live_film").set_value("Copy, recorded")
    assert (widget(at.run(), "live_task").value, side(at)["id"]) == (TASKS["copy"].label, "shipped copy")
    assert packet(at).header["trains"]
    widget(at, "live_film").set_value("Short tales, with experts, recorded")  # a model that the usual settings have not
    assert (widget(at.run(), "live_task").value, packet(at).header["trains"]) == (TASKS["tales"].label, False)
    widget(at, "live_film").set_value("Stories, recorded")  # too long a training for a visitor to wait for
    assert not packet(at.run()).header["trains"]
    both = visit(live_film="Repeat, recorded", live_task="Sort")  # a link that names both is taken at its word
    assert (widget(both, "live_task").value, packet(both).header["trains"]) == ("Sort", False)


def test_a_task_that_is_chosen_brings_its_own_film():
    at = until(press(visit(**TINY), "train"), "done")
    widget(at, "live_task").set_value("Reverse")
    assert side(at.run())["state"] == "untrained", "its settings are no longer those of the recorded one"
    assert label(at) == "Train with 4 changes"
    for name in ("d_model", "steps", "batch", "examples"):
        at.session_state[f"live_{name}"] = getattr(usual(TASKS["reverse"]), name)
    assert side(at.run())["id"] == "shipped reverse"
    assert label(at) == "Train"
    widget(at, "live_task").set_value("Copy")
    assert side(at.run())["state"] == "done"


def test_other_settings_than_the_recorded_ones_show_a_model_before_training():
    """A film of the usual training beside "learning rate 10.0" would be taken for what that rate brings."""
    at = visit(live_task="Reverse", live_lr="10.0")
    shown = side(at)
    assert (shown["state"], shown["frames"]) == ("untrained", 1)
    assert label(at) == "Train with: learning rate 10.0"
    widget(at, "live_lr").set_value(0.01)
    assert side(at.run())["id"] == "shipped reverse"
    widget(at, "live_examples").set_value(20)
    assert side(at.run())["state"] == "untrained"


@pytest.mark.wide
def test_a_link_to_before_training_begins_with_its_own_settings_whatever_was_trained():
    """As the stops of the lesson "How it learns" do."""
    until(press(visit(**TINY), "train"), "done")
    mine = trainings.trainings().by_place
    again = visit(live_task="Reverse", live_examples="20", live_film="before training")
    assert trainings.trainings().by_place == mine
    assert side(again)["state"] == "untrained"
    assert label(again) == "Train with: training examples 20"
    assert side(press(again, "train"))["state"] != "untrained"


@pytest.mark.wide
def test_an_input_of_ones_own_is_watched_as_well():
    at = visit(**TINY)
    at.text_input(key="live_ask_copy").set_value("xyz")
    assert "Your own input cannot be shown: this task does not know x, y, z; it knows a b c" in notices(at.run())
    at.text_input(key="live_ask_copy").set_value("cab")
    at.run()
    assert notices(at) == ""
    asked = side(at)["script"]["asked"]
    assert (len(asked), asked[2]["reads"]) == (3, ["c", "a", "b"])
    done = until(press(at, "train"), "done")
    assert packet(done).arrays["0.2.cross"].shape == (21, 1, 2, 4, 3)
    assert packet(done).arrays["0.2.ids"].shape == (21, 4)
    done.session_state["live_keep"] = True
    press(done.run(), "use-A")
    back = checkpoints.load(checkpoints.save(done.session_state["_kept_trained_model"]))
    assert (back.task.own_probe, len(back.film.frames)) == ("cab", 3)


def test_a_trained_model_reads_at_once_what_is_typed_after_its_training():
    """What it answers is its own: the recorded model, or one that learned something else, would not answer so."""
    at = until(press(visit(**TINY), "train"), "done")
    trained = side(at)["id"]
    at.text_input(key="live_ask_copy").set_value("cab").run()
    (told,) = packet(at).header["sides"]
    assert (told["state"], told["said"], told["frames"]) == ("done", "your trained model reads your input", 1)
    assert [question["reads"] for question in told["script"]["asked"]][2:] == [["c", "a", "b"]]
    mine = trainings.trainings().by_place["A"]
    model, task = mine.checkpoint().model(), mine.checkpoint().task
    question = task.answer(["c", "a", "b"])
    assert question is not None
    (written,) = answers(model, task, [question])
    ids = packet(at).arrays["0.2.ids"][0].astype(int).tolist()
    assert ids[: len(written)] == list(written)
    at.text_input(key="live_ask_copy").set_value("").run()
    assert side(at)["id"] == trained, "the film of the training is back"
    assert side(at)["frames"] == 21


@pytest.mark.wide
def test_what_is_typed_later_takes_the_place_of_what_the_training_was_watched_with():
    at = visit(**TINY)
    at.text_input(key="live_ask_copy").set_value("cab").run()
    at = until(press(at, "train"), "done")
    assert side(at)["frames"] == 21, "the film knows it from the first step on"
    at.text_input(key="live_ask_copy").set_value("bb").run()
    assert [question["reads"] for question in side(at)["script"]["asked"]][2:] == [["b", "b"]]


@pytest.mark.wide
def test_a_finished_training_has_a_door_to_where_it_is_used():
    at = until(press(visit(**TINY), "train"), "done")
    (door,) = [link.proto for link in at.get("page_link") if link.proto.label == "Translate with it"]
    assert door.page == "translation"
    assert at.session_state["_kept_trained_model"].step == 20
    widget(at, "live_film").set_value("Sort, recorded")
    labels = [link.proto.label for link in at.run().get("page_link")]
    assert labels.count("Translate with it") == 0, "the model on screen is another"


@pytest.mark.wide
def test_pause_and_continue_give_the_same_film(held):
    whole = packet(until(press(visit(**TINY), "train"), "done")).arrays
    let_go = held(7)
    at = press(visit(**TINY), "train")
    until_frames(at, 8)
    until(press(at, "pause"), "paused")
    assert side(at)["said"].startswith("paused at step 7")
    assert side(at.run())["frames"] == 8
    let_go.set()
    until(press(at, "continue"), "done")
    np.testing.assert_array_equal(packet(at).arrays["0.0.cross"], whole["0.0.cross"])


def test_a_knob_that_is_turned_acts_on_the_training_and_is_marked(held, mine):
    let_go = held(7)
    at = press(visit(**TINY), "train")
    until_frames(at, 8)
    widget(at, "live_lr").set_value(0.1)
    assert not at.run().exception
    widget(at, "live_dropout").set_value(0.3)
    assert label(at.run()) == "Train again with 2 changes"
    widget(at, "live_layers").set_value(2)  # not a knob
    at.run()
    (training,) = mine.by_place.values()
    until_holds(lambda: [turn.knobs.dropout for turn in training.job.turns] == [0.3])  # before the training goes on
    let_go.set()
    until(at, "done")
    said = side(at)["turns"]
    assert ", ".join(text for _, text in said) == "learning rate 0.1, dropout 0.3"
    assert training.knobs == Knobs(0.1, 8, 0.3)
    assert training.checkpoint().config.n_encoder_layers == 1
    step = said[0][0]
    assert 0 <= step < 20
    lr = packet(at).arrays["0.curves"][:, packet(at).header["curves"].index("lr")]
    rates = make_schedule("one-cycle", lr=0.01, steps=20, warmup=2, d_model=8)
    high = [0.0] + [(0.1 if n > step else 0.01) / 0.01 * rates(n) for n in range(1, 21)]
    np.testing.assert_allclose(lr, high, rtol=1e-5)


@pytest.mark.wide
def test_a_control_that_is_moved_under_another_film_acts_on_nothing(held, mine):
    let_go = held(7)
    at = press(visit(**TINY), "train")
    until_frames(at, 8)
    widget(at, "live_task").set_value("Reverse")
    at.run()
    widget(at, "live_lr").set_value(0.1)
    at.run()
    widget(at, "live_task").set_value("Copy")
    at.run()
    let_go.set()
    until(at, "done")
    assert side(at)["turns"] == []


def test_stop_keeps_what_was_learned(held):
    held(7)
    at = press(visit(**TINY), "train")
    while not side(at)["frames"]:
        at.run()
    until(press(at, "stop"), "stopped")
    assert side(at)["frames"] > 0
    at.session_state["live_keep"] = True
    at.run()
    assert not at.exception
    assert any(button.key == "use-A" for button in at.button)


def test_a_full_queue_says_so(line, monkeypatch):
    monkeypatch.setattr(queues, "MAX_WAITING", 2)
    line(3)
    at = press(visit(**TINY), "train")
    assert "Try again in a few minutes" in notices(at)
    assert side(at)["state"] == "untrained"


def test_a_loss_that_is_no_number_says_what_to_do(monkeypatch):
    learn = Trainer._learn

    def until_the_fifth(self):
        if self.step == 5:
            raise Diverged("The loss is no longer a number at step 6. Try a third of it.")
        return learn(self)

    monkeypatch.setattr(Trainer, "_learn", until_the_fifth)
    at = until(press(visit(**TINY), "train"), "failed")
    assert "The loss is no longer a number at step 6" in notices(at)
    assert side(at)["frames"] == 6  # nothing is lost
    assert side(at)["said"] == "ended at step 5"


@pytest.mark.wide
def test_own_text_is_learned_from():
    at = visit(live_task="Your own text", live_d_model="8", live_steps="20", live_batch="8", live_window="16")
    widget(at, "live_text").set_value("too short")
    at.run()
    assert "give one of at least 200" in notices(at)
    assert at.button(key="train").disabled
    widget(at, "live_text").set_value(STORY)
    until(press(at.run(), "train"), "done")
    keys = side(at)["probes"][0]["decoder"]["keys"]
    assert len(keys) == 17
    at.button(key="train")
    at.session_state["live_keep"] = True
    press(at.run(), "use-A")
    assert at.session_state["_kept_trained_model"].task.settings["text"] == STORY
    assert "generation" in "".join(c.value for c in at.caption)


def test_no_text_yet_says_what_is_missing():
    at = visit(live_task="Your own text")
    assert at.button(key="train").disabled
    assert notices(at) == ("There is no text to learn from yet. Paste one of at least 200 characters, or upload it.")
    assert notices(widget(at, "live_text").set_value(STORY).run()) == ""


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"\xff\xfe\x00\x80", "mine.txt is not plain text in UTF-8"),
        (("Once upon a time. " * 20).encode("utf-16-be"), "mine.txt is not plain text in UTF-8"),
        (bytes(1000), "mine.txt is not plain text in UTF-8"),
        (b" " * 1000, "mine.txt has nothing in it but spaces"),
        (b"a" * 200_001, "at most 200,000"),
        (b"short", "at least 200"),
    ],
)
def test_a_file_that_is_no_text_says_so(data, sentence):
    at = visit(live_task="Your own text")
    at.file_uploader(key="live_file").set_value(("mine.txt", data, "text/plain")).run()
    assert sentence in notices(at)
    assert at.button(key="train").disabled


def test_a_text_that_only_repeats_itself_says_so():
    at = visit(live_task="Your own text")
    at.file_uploader(key="live_file").set_value(("mine.txt", "🙂".encode() * 1000, "text/plain")).run()
    said = "This text says the same again and again, so nothing new is left for the test; choose another."
    assert notices(at) == said


def test_there_is_a_text_for_those_who_brought_none():
    at = visit(live_task="Your own text", live_steps="50")
    assert at.button(key="train").disabled
    press(at, "hamlet")
    assert widget(at, "live_text").value.startswith("To be, or not to be")
    assert not at.button(key="train").disabled
    assert "hamlet" not in buttons(at)
    assert notices(at) == ""
