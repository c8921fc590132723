"""The live page as the server runs it: the stored film, whole trainings, the queue, what goes wrong, models to keep."""

import base64
import json
import time
import uuid
from dataclasses import replace
from itertools import count
from pathlib import Path
from threading import Event

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from pages.live import settings as wanted
from pages.live import trainings, views
from pages.shared import checkpoints as shared_checkpoints
from pages.shared import teaching, training_queue
from tests.pages.driver import open_page
from tests.payloads import unpack
from transformer.config import TransformerConfig
from transformer.inspection.embeddings import plane
from transformer.training import checkpoints, shipped, tasks
from transformer.training.checkpoints import checkpoint_of
from transformer.training.film import film_of
from transformer.training.recipes import recipe
from transformer.training.tasks.stories import WORDS
from transformer.training.trainer import Diverged, Settings, Trainer

APP = Path(__file__).parents[3] / "app.py"
SOON = 300.0  # seconds; reached only if something hangs
KINDS = ("segmented_control", "select_slider", "selectbox", "text_area")
TINY = {"live_task": "Copy", "live_d_model": "8", "live_steps": "20", "live_batch": "8", "live_examples": "100"}
STORY = WORDS.decode(range(10, len(WORDS))) * 8


def visit(**link) -> AppTest:
    at = AppTest.from_file(str(APP), default_timeout=SOON)
    for name, value in link.items():
        at.query_params[name] = str(value)
    return open_page(at, "live").run()


def widget(at: AppTest, key: str):
    (found,) = [w for kind in KINDS for w in at.get(kind) if w.key == key]
    return found


def said(at: AppTest) -> str:
    assert not at.exception
    return "\n".join(text.value for text in at.text)


def film(at: AppTest):
    """The packet of the film on the page."""
    assert not at.exception
    packets = [view.proto.bytes for view in at.get("bidi_component")]
    return unpack(max(packets, key=len))


def side(at: AppTest, n: int = 0) -> dict:
    return film(at).header["sides"][n]


def buttons(at: AppTest) -> set[str]:
    return {button.key for button in at.button}


def press(at: AppTest, key: str) -> AppTest:
    return at.button(key=key).click().run()


def until(at: AppTest, *states: str) -> AppTest:
    end = time.monotonic() + SOON
    while [s["state"] for s in film(at).header["sides"]] != list(states):
        assert time.monotonic() < end, f"still {film(at).header['sides']}"
        time.sleep(0.05)
        at.run()
    return at


@pytest.fixture(autouse=True)
def bench(monkeypatch):
    """A session of its own for every test: those of AppTest are all one to Streamlit's caches."""
    bench, owner = trainings.Bench(), uuid.uuid4().hex
    monkeypatch.setattr(trainings, "bench", lambda: bench)
    monkeypatch.setattr(trainings, "owner", lambda: owner)
    yield bench
    training_queue.queue().leave(owner)


@pytest.fixture
def held(monkeypatch):
    """held(n): from now on a training stands still after n steps, until it is paused or stopped, or let go on."""
    let_go = Event()

    def hold(n: int) -> Event:
        class Held(trainings.Turns):
            def run(self, go_on):
                last = self.step + n

                def may_go_on():
                    while self.step >= last and not let_go.wait(0.01):
                        if not go_on():
                            return False
                    return go_on()

                return super().run(may_go_on)

        monkeypatch.setattr(trainings, "Turns", Held)
        return let_go

    yield hold
    let_go.set()


@pytest.fixture
def line(monkeypatch):
    """A queue with one place, and how to fill it with work of others that ends when it is told to."""
    line, end = training_queue.Queue(1), Event()
    monkeypatch.setattr(trainings, "queue", lambda: line)

    class Work:
        step = 0

        def run(self, go_on):
            end.wait(SOON)
            yield from ()

    def fill(n):
        return [line.submit(f"other {i}", Work, 1) for i in range(n)]

    yield fill
    end.set()
    line.close()


# ---- the stored film -----------------------------------------------------------------------------------------------


def test_it_opens_on_a_recorded_film():
    at = visit()
    header, arrays = film(at)
    (one,) = header["sides"]
    stored = shipped.load("reverse").film
    assert one["state"] == "recorded"
    assert one["said"].startswith("a recorded film")
    assert arrays["0.steps"].tolist() == stored.steps.tolist()
    for p, probe in enumerate(stored.frames):
        for kind, maps in probe.items():
            np.testing.assert_array_equal(arrays[f"0.{p}.{kind}"], maps)
    assert said(at) == ""
    assert {"pause", "stop", "continue"}.isdisjoint(buttons(at))


def test_every_stored_film_can_be_seen():
    at = visit()
    for title, name in shared_checkpoints.films().items():
        widget(at, "live_film").set_value(f"{title}, recorded")
        assert side(at.run())["id"] == f"shipped {name}"


def test_the_film_follows_the_task():
    at = visit(live_task="Sort")
    assert side(at)["id"] == "shipped sort"
    widget(at, "live_task").set_value("English to French")
    assert side(at.run())["id"] == "shipped translator"
    widget(at, "live_task").set_value("Addition")  # of which there is none
    assert side(at.run())["id"] == "shipped reverse"


def test_who_gives_way_is_told_so(monkeypatch):
    """By a clock that ticks at every step, a turn is fifty steps."""
    turns = trainings.Turns
    monkeypatch.setattr(trainings, "Turns", lambda trainer, _: turns(trainer, 50, clock=count().__next__))
    at = until(press(visit(**{**TINY, "live_steps": "3000"}), "train"), "paused")
    assert "so that others get their turn" in side(at)["said"]
    frames = side(at)["frames"]
    at.button(key="continue").click()
    until(at.run(), "paused")
    assert side(at)["frames"] > frames


# ---- a training, from the first step to the last -------------------------------------------------------------------


def test_the_film_on_the_page_is_the_training_itself():
    """The same settings in a trainer of our own give the very same frames and curves."""
    done = until(press(visit(**TINY), "train"), "done")
    config = replace(recipe("copy").config, d_model=8, n_heads=2, d_ff=32, n_encoder_layers=1, n_decoder_layers=1)
    settings = replace(recipe("copy").settings, steps=20, batch_size=8, n_examples=100, warmup=2, every=1)
    trainer = Trainer(tasks.make("copy", longest=8), config, settings)
    truth = film_of(trainer.task, list(trainer.parts), list(trainer.run()))
    header, arrays = film(done)
    assert arrays["0.steps"].tolist() == list(range(21))
    for p, probe in enumerate(truth.frames):
        for kind, maps in probe.items():
            np.testing.assert_array_equal(arrays[f"0.{p}.{kind}"], maps)
    for c, name in enumerate(header["curves"]):
        if name != "seconds":
            np.testing.assert_array_equal(arrays["0.curves"][:, c], truth.curves[name].astype("f4"))
    assert header["sides"][0]["guess"] == pytest.approx(np.log(len(trainer.task.target)))
    assert not header["alive"]
    assert {"pause", "stop", "continue"}.isdisjoint(buttons(done))
    assert widget(done, "live_film").value == views.YOURS
    assert side(done)["said"].startswith("20 steps in")


def test_two_trainings_side_by_side():
    at = until(press(visit(**TINY, live_compare="positions off | on"), "train"), "done", "done")
    a, b = film(at).header["sides"]
    assert (a["name"], a["label"], b["name"], b["label"]) == ("A", "positions off", "B", "positions on")
    arrays = film(at).arrays
    assert arrays["0.steps"].tolist() == arrays["1.steps"].tolist()
    assert not np.array_equal(arrays["0.0.cross"], arrays["1.0.cross"])


@pytest.mark.parametrize("name", wanted.PAIRS)
def test_a_and_b_differ_in_what_is_named_and_in_nothing_else(name):
    values = {n: next(iter(wanted.options(n))) for n in wanted._OPTIONS} | {
        "task": "Reverse", "d_model": 32, "heads": 2, "d_ff": 128, "steps": 100, "warmup": 10, "positions": "rotary",
        "layers": 1, "lr": 0.01, "batch": 64, "examples": 8000, "norm": "before (pre)", "dropout": 0.1, "decay": 0.01,
    }  # fmt: skip
    sides = wanted.pair(name, values)
    (a, _), (b, _) = sides["A"], sides["B"]
    different = {n for n in values if a[n] != b[n]}
    assert different == set(wanted.PAIRS[name][0]) | set(wanted.PAIRS[name][1])
    sizes = set()
    for side, label in sides.values():
        plan = wanted.plan(side, label=label)
        task = tasks.make(plan.task, **plan.task_settings)
        trainer = Trainer(task, plan.config, replace(plan.settings, n_examples=20, n_tests=20))
        sizes.add(sum(p.numel() for p in trainer.model.parameters()))
    # More heads are no more parameters; more layers are, and pre-norm ends in one norm more.
    assert len(sizes) == (2 if different & {"layers", "norm"} else 1)


def test_free_comparison_is_in_the_link():
    at = visit(**TINY)
    widget(at, "live_compare").set_value(views.FREE)
    at.run()
    widget(at, "live_layers").set_value(2)
    at.run()
    pinned = at.query_params["live_a"]
    pinned = pinned if isinstance(pinned, str) else pinned[0]
    link = {**TINY, "live_layers": 2, "live_compare": views.FREE, "live_a": pinned}
    again = until(press(visit(**link), "train"), "done", "done")
    a, b = film(again).header["sides"]
    assert b["label"] == "layers 1 → 2"
    assert [s["probes"][0]["cross"]["heads"] for s in (a, b)] == [[1, 2], [2, 2]]


# ---- links and limits ----------------------------------------------------------------------------------------------


def test_a_link_restores_every_setting():
    link = {
        "live_task": "Sort", "live_d_model": "48", "live_heads": "3", "live_layers": "2", "live_positions": "ALiBi",
        "live_steps": "400", "live_lr": "0.003", "live_schedule": "Noam", "live_dropout": "0.1", "live_batch": "32",
        "live_norm": "after (post)", "live_longest": "10", "live_seed": "7", "live_below": "Longer texts",
    }  # fmt: skip
    at = visit(**link)
    assert said(at) == ""
    for name, value in link.items():
        assert str(widget(at, name).value) == value


@pytest.mark.parametrize(
    ("link", "sentence"),
    [
        ({"live_heads": "3"}, "d_model=32 cannot be split into 3 equal heads"),
        ({"live_steps": "1000000"}, "live_steps cannot be 1000000"),
        ({"live_d_model": "4096"}, "live_d_model cannot be 4096"),
        ({"live_task": "<img>"}, "live_task cannot be <img>"),
        ({"live_film": "x"}, "there is no training of yours here yet"),
    ],
)
def test_what_a_link_cannot_have_is_said(link, sentence):
    assert sentence in said(visit(**link))


@pytest.mark.parametrize("link", ["heads=64", "d_model=7&heads=5", "x=1", "%00", "layers=9&positions=none"])
def test_a_pinned_link_that_is_nonsense_still_trains(link):
    at = visit(**TINY, live_compare=views.FREE, live_a=link)
    assert not at.button(key="train").disabled
    assert said(at) == ""


@pytest.mark.parametrize("task", wanted.TASKS)
def test_every_task_can_be_chosen(task):
    at = visit(live_task=task)
    assert not at.exception
    assert at.button(key="train").disabled == (task == "Your own text")


@pytest.mark.parametrize("name", wanted.TASKS.values())
@pytest.mark.parametrize("positions", ["learned", "none"])
def test_every_task_can_be_trained(name, positions):
    made = {"text": STORY, "length": 16} if name == "text" else {}
    config = TransformerConfig(d_model=8, n_heads=2, n_encoder_layers=1, n_decoder_layers=1, positions=positions)
    settings = Settings(steps=3, batch_size=16, n_examples=300, n_tests=100, warmup=1, every=1)
    trainer = trainings._trainer(trainings.Plan(name, made, config, settings)).trainer
    assert [snapshot.step for snapshot in trainer.run()] == [0, 1, 2, 3]
    longest = max(batch.text.shape[1] for batch in trainer.tests)
    assert longest <= trainings._places(trainer.task)


def test_sizes_are_checked_before_memory_is_taken():
    task = tasks.make("text", text=STORY, length=256)
    big = TransformerConfig(d_model=128, n_heads=8, n_decoder_layers=4)
    with pytest.raises(ValueError, match="too much memory"):
        trainings._check(task, big, Settings(batch_size=128))
    few = trainings._check(tasks.make("text", text=STORY, length=64), big, Settings(batch_size=64))
    assert trainings.FEWEST_FRAMES <= few < trainings.USUAL_FRAMES
    assert trainings._check(tasks.make("reverse"), TransformerConfig(), Settings()) == trainings.USUAL_FRAMES


def test_a_turn_ends_and_can_be_taken_up():
    class Trains:
        step = 0

        def run(self, go_on):
            while go_on():
                self.step += 1
                yield self.step

    turns = trainings.Turns(Trains(), 5, clock=count().__next__)
    assert list(turns.run(lambda: True)) == [1, 2, 3, 4]
    assert turns.gave_way
    assert next(iter(turns.run(lambda: True))) == 5
    assert list(turns.run(lambda: False)) == []
    assert not turns.gave_way


# ---- the queue -----------------------------------------------------------------------------------------------------


def test_who_waits_is_told_where_and_how_long(line):
    line(3)
    at = press(visit(**TINY), "train")
    assert side(at)["state"] == "waiting"
    assert side(at)["said"] == "You are third in line, about 45 s"
    assert {"pause", "stop"} <= buttons(at)
    assert film(at).header["alive"]
    assert "stopped" in side(press(at, "stop"))["said"]


def test_pause_and_continue_give_the_same_film(held):
    whole = film(until(press(visit(**TINY), "train"), "done")).arrays
    let_go = held(7)
    at = press(visit(**TINY), "train")
    while side(at)["frames"] < 8:
        at.run()
    until(press(at, "pause"), "paused")
    assert side(at)["said"].startswith("paused at step 7")
    assert side(at.run())["frames"] == 8
    let_go.set()
    until(press(at, "continue"), "done")
    np.testing.assert_array_equal(film(at).arrays["0.0.cross"], whole["0.0.cross"])


def test_stop_keeps_what_was_learned(held):
    held(7)
    at = press(visit(**TINY), "train")
    while not side(at)["frames"]:
        at.run()
    until(press(at, "stop"), "stopped")
    assert side(at)["frames"] > 0
    widget(at, "live_below").set_value("Keep the model")
    at.run()
    assert not at.exception
    assert any(button.key == "use-A" for button in at.button)


def test_a_full_queue_says_so(line, monkeypatch):
    monkeypatch.setattr(training_queue, "MAX_WAITING", 2)
    line(3)
    at = press(visit(**TINY), "train")
    assert "Try again in a few minutes" in said(at)
    assert side(at)["state"] == "recorded"


def test_a_loss_that_is_no_number_says_what_to_do(monkeypatch):
    learn = Trainer._learn

    def until_the_fifth(self):
        if self.step == 5:
            raise Diverged("The loss is no longer a number at step 6. Try a third of it.")
        return learn(self)

    monkeypatch.setattr(Trainer, "_learn", until_the_fifth)
    at = until(press(visit(**TINY), "train"), "failed")
    assert "The loss is no longer a number at step 6" in said(at)
    assert side(at)["frames"] == 6  # nothing is lost
    assert side(at)["said"] == "ended at step 5"


# ---- own text ------------------------------------------------------------------------------------------------------


def test_own_text_is_learned_from():
    at = visit(live_task="Your own text", live_d_model="8", live_steps="20", live_batch="8", live_window="16")
    widget(at, "live_text").set_value("too short")
    at.run()
    assert "give one of at least 200" in said(at)
    assert at.button(key="train").disabled
    widget(at, "live_text").set_value(STORY)
    until(press(at.run(), "train"), "done")
    keys = side(at)["probes"][0]["decoder"]["keys"]
    assert len(keys) == 17
    at.button(key="train")
    widget(at, "live_below").set_value("Keep the model")
    press(at.run(), "use-A")
    assert at.session_state["trained_model"].task.settings["text"] == STORY
    assert "generation" in "".join(c.value for c in at.caption)


@pytest.mark.parametrize(
    ("data", "sentence"),
    [(b"\xff\xfe\x00\x80", "is not plain text"), (b"a" * 200_001, "at most 200,000"), (b"short", "at least 200")],
)
def test_a_file_that_is_no_text_says_so(data, sentence):
    at = visit(live_task="Your own text")
    at.file_uploader(key="live_file").set_value(("mine.txt", data, "text/plain")).run()
    assert sentence in said(at)
    assert at.button(key="train").disabled


# ---- the model -----------------------------------------------------------------------------------------------------


def test_a_trained_model_can_be_saved_brought_back_and_trained_on():
    at = until(press(visit(**TINY), "train"), "done")
    widget(at, "live_below").set_value("Keep the model")
    at.run()
    press(at, "use-A")
    mine = at.session_state["trained_model"]
    assert mine.step == 20
    assert mine.film.steps.tolist() == list(range(21))
    data = trainings.saved(mine)
    back = checkpoints.load(data)
    for name, weight in mine.weights.items():
        np.testing.assert_array_equal(back.weights[name], weight)

    until(press(at, "on-A"), "done")
    assert film(at).arrays["0.steps"][-1] == 20 + views.MORE_STEPS[1]

    other = visit(live_below="Keep the model")
    other.file_uploader(key="live_checkpoint").set_value(("mine.safetensors", data, "")).run()
    until(press(other, "on-brought"), "done")
    steps = film(other).arrays["0.steps"]
    assert steps[:21].tolist() == list(range(21))
    assert steps[-1] == 20 + views.MORE_STEPS[1]
    np.testing.assert_array_equal(film(other).arrays["0.0.cross"][:21], mine.film.frames[0]["cross"])


@pytest.mark.parametrize("data", [b"", b"\x80\x04pickle", b"PK\x03\x04", b"x" * 100])
def test_a_bad_upload_gets_a_sentence(data):
    at = visit(live_below="Keep the model")
    at.file_uploader(key="live_checkpoint").set_value(("mine.safetensors", data, "")).run()
    assert "not a checkpoint of Attention Lab" in said(at)
    assert "on-brought" not in buttons(at)


def test_a_model_that_is_too_large_to_train_on_is_refused():
    trainer = Trainer(
        tasks.make("copy", longest=64), TransformerConfig(d_model=32, n_heads=8, n_encoder_layers=8),
        Settings(n_examples=10, n_tests=10, batch_size=1024),
    )  # fmt: skip
    with pytest.raises(ValueError, match="too much memory"):
        trainings.go_on_with(checkpoint_of(trainer), 10)


def test_what_a_layer_keeps_is_counted_too():
    """Few cells of attention, but wide vectors and many tokens to choose from."""
    task = tasks.make("copy", longest=64)
    wide = TransformerConfig(d_model=64, n_heads=1, n_encoder_layers=1, n_decoder_layers=1, d_ff=8192)
    with pytest.raises(ValueError, match="too much memory"):
        trainings._check(task, wide, Settings(batch_size=1024))
    # The largest that can be chosen on the page has room.
    big = TransformerConfig(d_model=128, n_heads=4, n_encoder_layers=4, n_decoder_layers=4, d_ff=512)
    trainings._check(tasks.make("french"), big, Settings(batch_size=128))
    trainings._check(tasks.make("text", text=STORY, length=64), big, Settings(batch_size=128))


def test_training_on_from_a_pause_leaves_nothing_behind_in_the_queue(bench, held):
    held(60)
    at = press(visit(**TINY | {"live_steps": "3000", "live_below": "Keep the model"}), "train")
    for _ in range(3):  # two that stayed behind would be refused a third
        job = bench.trainings["A"].job
        end = time.monotonic() + SOON
        while not job.snapshots:
            assert time.monotonic() < end
            time.sleep(0.01)
        job.pause()
        assert job.wait(SOON)
        at = press(at.run(), "on-A")
        assert "under way" not in said(at)
        assert bench.trainings["A"].job is not job
        assert not job.is_alive


def test_each_model_that_is_kept_is_trained_on_at_its_own_place(monkeypatch):
    """B has come to its end, A still learns: what stands there is B's."""
    at = press(visit(**TINY | {"live_compare": "1 head | 4 heads", "live_d_model": "16"}), "train")
    at = until(at, "done", "done")
    widget(at, "live_below").set_value("Keep the model")
    whole = trainings.Training.rests.fget
    monkeypatch.setattr(
        trainings.Training, "rests", property(lambda self: whole(self) and not self.label.startswith("1 head"))
    )
    at.run()
    assert {"on-B", "use-B"} <= buttons(at)
    assert not {"on-A", "use-A"} & buttons(at)
    press(at, "use-B")
    assert at.session_state["trained_model"].config.n_heads == 4


def test_a_model_of_the_longest_texts_is_asked_no_further_than_the_task_goes():
    assert trainings.farthest(tasks.make("copy", longest=8)) == 16
    far = trainings.farthest(tasks.make("copy", longest=40))
    assert tasks.make("copy", shortest=far, longest=far).longest == far == 64


# ---- longer texts --------------------------------------------------------------------------------------------------


def test_longer_texts_are_measured_on_the_model():
    at = visit(live_below="Longer texts")
    assert not at.exception
    rows = trainings.by_length("shipped reverse", shared_checkpoints.shipped("reverse"), 16)
    assert [row.length for row in rows] == list(range(1, 17))
    known, beyond = rows[7], rows[15]
    assert known.exact > 0.9  # as its card says of the lengths it was trained on
    assert beyond.exact < 0.5  # places that were never trained
    assert all(0 <= row.exact <= row.tokens <= 1 for row in rows)


def test_learned_positions_end_with_their_table():
    plan = wanted.plan(
        {n: next(iter(wanted.options(n))) for n in wanted._OPTIONS}
        | {"task": "Copy", "d_model": 8, "heads": 1, "d_ff": 16, "positions": "learned", "longest": 6, "examples": 50}
    )
    trainer = trainings._trainer(replace_steps(plan, 5)).trainer
    assert trainer.config.max_len == 8
    list(trainer.run())
    rows = trainings.by_length("learned", checkpoint_of(trainer), 12, each=5)
    assert all(row.n for row in rows[1:6])
    assert rows[-1].n == 0
    assert "12" in rows[-1].says or "8" in rows[-1].says


def replace_steps(plan, steps):
    return plan._replace(settings=replace(plan.settings, steps=steps, warmup=1, every=1))


# ---- the loop ------------------------------------------------------------------------------------------------------


def test_every_value_beside_the_loop_finds_its_line():
    lines, place = views._loop()
    names = [name for _, name in lines if name]
    assert sorted(names) == sorted(views.MADE.values())
    source, line = teaching.source_of(views.LOOP, "Trainer._learn")
    assert "\n".join(text for text, _ in lines) == source
    assert f"line {line}" in place
    header, _ = film(visit())
    known = {"step", *header["curves"], *header["sides"][0]["values"]}
    assert set(names) <= known


def test_perplexity_of_a_guess_is_the_vocabulary():
    header, _ = film(visit())
    assert np.exp(header["sides"][0]["guess"]) == pytest.approx(len(tasks.make("reverse").target))


def test_every_setting_reaches_the_training():
    """The last option of each control, which is nobody's usual one, is what the model and the trainer are given."""
    last = {name: wanted.options(name)[-1] for name in wanted._OPTIONS}
    plan = wanted.plan(last | {"task": "Reverse", "heads": 8, "lr": 0.3})
    c, s = plan.config, plan.settings
    assert (c.d_model, c.n_heads, c.d_ff, c.n_encoder_layers, c.n_decoder_layers) == (128, 8, 512, 4, 4)
    assert (c.positions, c.norm, c.activation, c.scaled, c.dropout) == ("alibi", "post", "gelu", False, 0.5)
    assert (c.tie_output, c.scale_embeddings) == (False, False)
    assert (s.steps, s.batch_size, s.n_examples, s.lr, s.schedule) == (3000, 128, 40_000, 0.3, "constant")
    assert (s.warmup, s.weight_decay, s.clip, s.label_smoothing, s.augment) == (600, 1.0, 3.0, 0.3, 1.0)
    assert (s.look_ahead, s.seed, plan.task_settings["longest"]) == (True, 19, 16)


# ---- vectors -------------------------------------------------------------------------------------------------------


def drawn(at: AppTest, n: int = 0) -> tuple[list[np.ndarray], list[np.ndarray]]:
    """The dots of a map of vectors, (V, 2): as it opens, and in every frame."""
    spec = json.loads(at.get("plotly_chart")[n].proto.spec)

    def dots(traces):
        axes = [traces[1][axis] for axis in "xy"]
        flat = [
            np.frombuffer(base64.b64decode(a["bdata"]), a["dtype"]) if isinstance(a, dict) else np.array(a)
            for a in axes
        ]
        return np.column_stack(flat)

    return dots(spec["data"]), [dots(frame["data"]) for frame in spec["frames"]]


def test_a_stored_model_shows_its_vectors_before_and_after():
    at = visit(live_below="Vectors")
    assert not at.exception
    now, frames = drawn(at)
    model = shared_checkpoints.shipped("reverse").model()
    places = plane(model.encoder.embedding.weight.detach().half().numpy()[4:]).places
    assert len(frames) == 2
    np.testing.assert_allclose(now, places, atol=1e-9)
    np.testing.assert_array_equal(frames[-1], now)
    assert np.abs(frames[0] - now).max() > 0.1


def test_the_vectors_before_are_those_that_the_stored_film_began_with():
    checkpoint = shared_checkpoints.shipped("reverse")
    start = Trainer(checkpoint.task, checkpoint.config, checkpoint.settings).look(np.nan, np.nan, None)
    begun = film_of(checkpoint.task, [], [start]).frames[0]["cross"][0]
    np.testing.assert_array_equal(begun, checkpoint.film.frames[0]["cross"][0])
    (_, before), _ = trainings._before_and_after("shipped reverse", checkpoint)
    np.testing.assert_array_equal(before["tokens"], start.tables["tokens"])


def test_ones_own_training_shows_its_vectors_at_every_snapshot():
    at = visit(**TINY, live_positions="learned", live_below="Vectors")
    until(press(at, "train"), "done")
    at.run()
    assert not at.exception
    (training,) = trainings.bench().trainings.values()
    tokens, positions = drawn(at, 0), drawn(at, 1)
    assert len(tokens[1]) == len(training.job.snapshots) > 2
    table = training.trainer.model.encoder.positions.weight.detach().half().numpy()
    np.testing.assert_allclose(positions[0], plane(table)[0], atol=1e-9)
    assert len(tokens[0]) == 10
    assert len(positions[0]) == len(table)
