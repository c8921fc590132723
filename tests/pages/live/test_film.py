"""The film on the page: the recorded ones, the loop beside it, and a training's own."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from lab.kit import teaching
from pages.live import film
from tests.pages import driver
from tests.pages.live.live_page import TINY, buttons, notices, packet, press, side, until, visit, widget
from transformer.inspection.scores import after_same_token
from transformer.training import shipped, tasks
from transformer.training.film import axes, film_of
from transformer.training.trainer import Trainer
from transformer.training.writing import write


def test_it_opens_on_a_recorded_film():
    at = visit()
    header, arrays = packet(at)
    (one,) = header["sides"]
    stored = shipped.load("reverse").film
    assert one["state"] == "recorded"
    assert one["said"].startswith("recorded; the training took")
    assert arrays["0.steps"].tolist() == stored.steps.tolist()
    for p, probe in enumerate(stored.frames):
        for kind, maps in probe.items():
            np.testing.assert_array_equal(arrays[f"0.{p}.{kind}"], maps)
    assert notices(at) == ""
    assert {"pause", "stop", "continue"}.isdisjoint(buttons(at))


def test_every_stored_film_can_be_seen():
    at = visit()
    for title, name in film.recorded_films().items():
        widget(at, "live_film").set_value(title)
        assert side(at.run())["id"] == f"shipped {name}"


def test_the_film_follows_the_task():
    at = visit(live_task="Sort")
    assert side(at)["id"] == "shipped sort"
    widget(at, "live_task").set_value("English to French")
    assert side(at.run())["id"] == "shipped translator"
    widget(at, "live_task").set_value("Pictures")  # of which there is none: it is seen before training
    pictures = side(at.run())
    assert (pictures["state"], pictures["frames"]) == ("untrained", 1)
    assert pictures["about"] == "Pictures · 48 wide · 4 heads · 3 layers · learned"


def test_only_the_true_alignment_of_repeat_has_a_name_of_its_own():
    assert side(visit(live_task="Repeat"))["score"] == "Induction score"
    assert "score" not in side(visit(live_task="Sort"))


def test_the_true_alignment_of_repeat_is_induction_and_the_way_to_the_beginning_of_a_block():
    """What the film calls the induction score: the pattern of `inspection.scores`, and the first letter of the text."""
    task = tasks.make("repeat")
    for example in task.probes:
        ((tokens, keys, alignment),) = axes(task, example).values()
        assert tokens == keys
        cells = {(int(i), int(j)) for i, j in np.argwhere(after_same_token(len(tokens), len(tokens), tokens))}
        rows = {i for i, _ in alignment}  # whose answer counts
        beginning = {(i, j) for i, j in alignment if j == 1}  # after <bos>, so nothing was read before it
        assert {cell for cell in cells if cell[0] in rows} == set(alignment) - beginning
        assert {tokens[i] for i, _ in beginning} == {tokens[len(example.source)]}, "the last letter of the block"


def test_what_a_recorded_model_says_is_sent_with_every_frame():
    header, arrays = packet(visit())
    (one,) = header["sides"]
    script, stored = one["script"], shipped.load("reverse").film
    assert one["about"] == "Reverse · 32 wide · 2 heads · 1 layer · sinusoidal"
    np.testing.assert_array_equal(arrays["0.0.ids"], stored.written[0].ids)
    asked = script["asked"][0]
    last = [script["words"][int(id)] for id in arrays["0.0.ids"][-1]]
    assert last == [*reversed(asked["reads"]), "⟨end⟩"]
    assert asked["right"] == arrays["0.0.ids"][-1].tolist()
    assert arrays["0.0.ids"][0].tolist() != asked["right"]


def test_a_piece_of_a_word_is_named_as_on_the_other_pages():
    stored = shipped.load("stories").film
    assert "##age" in stored.script.words
    (title,) = (title for title, name in film.recorded_films().items() if name == "stories")
    header, arrays = packet(visit(live_film=title))
    (one,) = header["sides"]
    said = [*one["script"]["words"], *(word for asked in one["script"]["asked"] for word in asked["reads"])]
    read = [word for probe in one["probes"] for axes in probe.values() for word in axes["queries"] + axes["keys"]]
    assert not [word for word in said + read if word.startswith("##") and len(word) > 2]
    assert {"…age", "…ank"} <= set(read)
    assert "…age" in {one["script"]["words"][int(id)] for id in arrays["0.1.ids"].ravel()}


@pytest.mark.few(5)
@pytest.mark.parametrize("name", shipped.SHIPPED)
def test_every_stored_film_says_what_the_model_says(name):
    checkpoint = shipped.load(name)
    film = checkpoint.film
    trainer = Trainer(checkpoint.task, checkpoint.config, replace(checkpoint.settings, n_examples=50, n_tests=20))
    trainer.model.load_state_dict(checkpoint.weights)
    task = checkpoint.task
    now = write(trainer.model.eval(), task.kind, trainer.questions, ends=task.ends, sight=task.sight)
    for written, last in zip(film.written, now, strict=True):
        np.testing.assert_array_equal(written.ids[-1], last.ids)


def test_a_recorded_model_answers_an_input_of_ones_own():
    side = film._recorded_side("reverse", "hjbae")
    ids = side.film.written[-1].ids[-1]
    assert [side.film.script.words[id] for id in ids if id] == ["e", "a", "b", "j", "h", "⟨end⟩"]
    assert side.film.script.reads[-1] == ("h", "j", "b", "a", "e")
    recorded = film._recorded_side("reverse")
    assert side.film.steps.tolist() == [recorded.film.steps[-1]]
    assert side.film.curves["val_loss"][-1] == recorded.film.curves["val_loss"][-1], "of the same model"
    np.testing.assert_allclose(side.film.frames[0]["cross"][-1], recorded.film.frames[0]["cross"][-1], atol=1)
    assert side.id != recorded.id
    assert film._recorded_side("reverse", "0").id == recorded.id, "it cannot read that: the film stays"


def test_the_sum_that_is_written_ones_first_says_so():
    asked = side(visit(live_task="Addition"))["script"]["asked"][0]
    assert "".join(asked["reads"]) == "27+64="
    assert asked["remark"] == "27+64=91, written ones first"


def test_the_film_on_the_page_is_the_training_itself():
    """The same settings in a trainer of our own give the very same frames and curves."""
    done = until(press(visit(**TINY), "train"), "done")
    config = replace(tasks.recipe("copy").config, d_model=8, n_heads=2, d_ff=32, n_encoder_layers=1, n_decoder_layers=1)
    training = replace(tasks.recipe("copy").settings, steps=20, batch_size=8, n_examples=100, warmup=2, every=1)
    trainer = Trainer(tasks.make("copy", longest=8), config, training)
    truth = film_of(trainer.task, list(trainer.parts), list(trainer.run()))
    header, arrays = packet(done)
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
    assert widget(done, "live_film").value == film.YOURS
    assert side(done)["said"].startswith("20 steps in")


def test_every_value_beside_the_loop_finds_its_line():
    lines, place = film._loop()
    names = [name for _, name in lines if name]
    assert sorted(names) == sorted(film.LOOP_VALUES.values())
    source, line = teaching.source_of(film.LOOP, "Trainer._learn")
    assert "\n".join(text for text, _ in lines) == source
    assert f"line {line}" in place
    header, _ = packet(visit())
    known = {"step", *header["curves"], *header["sides"][0]["values"]}
    assert set(names) <= known


def test_perplexity_of_a_guess_is_the_vocabulary():
    header, _ = packet(visit())
    assert np.exp(header["sides"][0]["guess"]) == pytest.approx(len(tasks.make("reverse").target))


def test_the_page_follows_the_state_of_a_training_and_what_happens_to_it(monkeypatch):
    """Its process died, or its cluster is away: that is on the page at once, and not only after the next touch."""
    mine = SimpleNamespace(states=("running",), notices=[], is_busy=True)
    runs: list[object] = []
    monkeypatch.setattr(film.trainings, "trainings", lambda: mine)
    monkeypatch.setattr(film.st, "rerun", lambda: runs.append("again"))
    monkeypatch.setattr(film, "film_feed", lambda packet, key: runs.append(packet))
    film._feed(("running",), (), False)
    assert runs == [None]
    mine.notices.append("The process that trained it ended.")
    film._feed(("running",), (), False)
    assert runs == [None, "again", None]
    film._feed(("waiting",), ("The process that trained it ended.",), False)
    assert runs == [None, "again", None, "again", None]


@pytest.mark.parametrize("name", tasks.TASKS)
def test_what_is_said_to_be_outlined_is_outlined(name: str) -> None:
    declaration = tasks.TASKS[name]
    sentence = film.what_to_watch(name)
    if declaration.needs_text:
        assert "no cell is the right one" in sentence
        return
    task = declaration.make()
    outlined = [kind.alignment for probe in task.probes for kind in axes(task, probe).values()]
    assert any(outlined)
    assert ("The outlined patches hold" if task.sight else "where an answer comes from") in sentence


def test_the_line_below_the_heading_speaks_of_the_film_on_screen() -> None:
    link = {"live_task": "Your own text"}
    assert "tells the model where an answer comes from" in driver.words(
        visit(**link, live_film="Short stories, recorded")
    )
    assert "abc → cba" in driver.words(visit()).replace("\\", "")
    at = driver.choose(press(visit(**link), "hamlet"), live_film="before training")
    assert "no cell is the right one" in driver.words(at)
    assert "The outlined patches hold" in driver.words(visit(live_task="Pictures"))
