"""What a model says on its probes: written by itself, and kept in the film."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from tests.training.toys import config, toy
from transformer.core.checks import InputError
from transformer.training import checkpoints, tasks
from transformer.training.batches import build
from transformer.training.checkpoints import BadCheckpoint, checkpoint_of
from transformer.training.film import film_of
from transformer.training.scores import answers
from transformer.training.settings import Settings
from transformer.training.tasks.asking import with_probe
from transformer.training.text import EOS, PAD
from transformer.training.trainer import Trainer
from transformer.training.writing import question, write

OWN = {
    "copy": "cab",
    "reverse": "c a b",
    "sort": "cab",
    "repeat": "abc",
    "brackets": "([",
    "addition": "7+85",
    "french": "The cat sleeps.",
    "tales": "mia found a",
    "sentiment": "the soup was not bad",
}


def trained(task, steps=6):
    trainer = Trainer(task, config(), Settings(steps=steps, batch_size=4, n_examples=50, n_tests=20, every=3))
    return trainer, list(trainer.run())


@pytest.mark.parametrize("name", OWN)
def test_what_is_written_is_the_greedy_answer_with_its_probabilities(name):
    task = with_probe(tasks.make(name), OWN[name])
    made = config(vocab_size=len(task.source), tgt_vocab_size=len(task.target), scale_embeddings=False)
    model = build(task.kind, made, torch.Generator().manual_seed(1)).eval()
    questions = [question(task, probe) for probe in task.probes]
    said = write(model, task.kind, questions, ends=task.ends)
    assert len(said) == 3
    for probe, asked, written in zip(task.probes, questions, said, strict=True):
        assert len(written.ids) == len(written.chances) == asked.length
        ids = written.ids.tolist()
        known = ids[: ids.index(PAD)] if PAD in ids else ids
        assert all(written.chances[: len(known)] > 0)
        if probe.source and probe.target:
            truth = answers(model, task, [probe])[0]
            assert tuple(id for id in known if id != EOS)[: len(truth)] == truth[: asked.length]
            assert asked.right == probe.target or asked.right == (*probe.target, EOS)
        else:
            assert asked.right == ()


@pytest.mark.parametrize(
    ("name", "text", "reads", "right"),
    [
        ("reverse", "abc", "a b c", "c b a"),
        ("addition", "7+85", "07+85=", "290"),
        ("addition", "07+85=", "07+85=", "290"),
        ("brackets", "([", "([", "])"),
        ("repeat", "abc", "a b c", " ".join("abc" * 7)),
        ("french", "the cat sleeps", "the cat sleeps", "le chat dort"),
    ],
)
def test_an_input_of_ones_own_has_its_right_answer(name, text, reads, right):
    task = with_probe(tasks.make(name), text)
    probe = task.probes[-1]
    assert (task.source.decode(probe.source), task.target.decode(probe.target)) == (reads, right)
    assert with_probe(task, " ") is task


@pytest.mark.parametrize(
    ("name", "text", "sentence"),
    [
        ("reverse", "xyz", "does not know x, y, z; it knows a b c"),
        ("reverse", "abcabcabcabc", "at most 8 tokens"),
        ("addition", "1+1+1", "no question of the task"),
        ("brackets", "()", "no question of the task"),
        ("french", "the zebra sleeps", "does not know zebra"),
        ("tales", "mia", "a little more"),
    ],
)
def test_what_cannot_be_asked_is_refused_in_a_sentence(name, text, sentence):
    with pytest.raises(InputError, match=sentence):
        with_probe(tasks.make(name), text)


@pytest.mark.slow
def test_a_film_keeps_what_was_said_and_files_without_it_can_be_read():
    trainer, snapshots = trained(toy())
    film = film_of(trainer.task, list(trainer.parts), snapshots)
    assert film.written[0].ids.shape == (3, film.script.questions[0].length)
    for n, snapshot in enumerate(snapshots):
        np.testing.assert_array_equal(film.written[0].ids[n], snapshot.written[0].ids)
    assert film.after(1).written[0].ids.shape[0] == 2
    task = tasks.make("copy")
    trainer, snapshots = trained(task)
    film = film_of(task, list(trainer.parts), snapshots)
    stored = checkpoint_of(trainer, film)
    back = checkpoints.load(checkpoints.save(stored))
    np.testing.assert_array_equal(back.film.written[1].chances, film.written[1].chances)
    assert back.film.script == film.script
    old = checkpoints.load(checkpoints.save(replace(stored, film=replace(film, written=(), script=None))))
    assert old.film is not None
    assert old.film.written == ()
    assert len(old.film) == len(film)


@pytest.mark.slow
def test_a_file_that_says_what_is_no_word_is_refused():
    trainer, snapshots = trained(tasks.make("copy"))
    film = film_of(trainer.task, list(trainer.parts), snapshots)
    for wrong in (film.written[0].ids + 1000, film.written[0].ids[:, :2]):
        bad = (film.written[0]._replace(ids=wrong), *film.written[1:])
        data = checkpoints.save(checkpoint_of(trainer, replace(film, written=bad)))
        with pytest.raises(BadCheckpoint, match="what its film says"):
            checkpoints.load(data)


@pytest.mark.slow
def test_a_training_that_goes_on_elsewhere_still_watches_ones_own_input():
    trainer, _ = trained(with_probe(tasks.make("copy"), "cab"))
    again = checkpoints.load(checkpoints.save(checkpoint_of(trainer))).trainer(9)
    (last,) = [s for s in again.run() if s.step == 9]
    assert len(last.written) == len(last.attention) == 3


@pytest.mark.slow
def test_the_film_is_dense_where_the_loss_falls():
    trainer, snapshots = trained(toy(), steps=60)
    film = film_of(trainer.task, list(trainer.parts), snapshots)
    loss = np.interp(film.steps, [0, 15, 60], [4.0, 0.5, 0.4])
    thin = replace(film, curves={**film.curves, "val_loss": loss}).thinned(8)
    assert len(thin) == 8
    assert (thin.steps[0], thin.steps[-1]) == (0, 60)
    assert (thin.steps <= 15).sum() >= 4
