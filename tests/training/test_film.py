"""Films: small pictures, thinning, and the weight on the true alignment."""

import math

import numpy as np
import pytest

from tests.training.toys import config, toy
from transformer.training.film import CURVES, alignment_mass, film_of, shrunk, small
from transformer.training.settings import Settings
from transformer.training.trainer import Trainer


@pytest.fixture(scope="module")
def trained():
    trainer = Trainer(toy(), config(n_decoder_layers=2), Settings(steps=12, batch_size=4, n_examples=50, every=3))
    return trainer, list(trainer.run())


def test_a_picture_is_off_by_half_a_step_at_most():
    weights = np.random.default_rng(0).random((3, 4, 5), dtype=np.float32)
    assert np.abs(small(weights) / 255 - weights).max() <= 1 / 510 + 1e-7
    assert small(np.array([0.0, 1.0])).tolist() == [0, 255]


def test_mass_by_hand():
    weights = np.array([[0.5, 0.3, 0.2], [0.1, 0.1, 0.8], [1.0, 0.0, 0.0]])
    assert alignment_mass(weights, [(0, 0)]) == pytest.approx(0.5)
    assert alignment_mass(weights, [(0, 0), (0, 2)]) == pytest.approx(0.7)  # both cells of one row count
    assert alignment_mass(weights, [(0, 0), (1, 2)]) == pytest.approx(0.65)  # the mean over rows that have any
    assert alignment_mass(np.stack([weights, weights * 0]), [(0, 0), (1, 2)]) == pytest.approx([0.65, 0.0])
    assert math.isnan(alignment_mass(weights, []))


@pytest.mark.slow
def test_a_film_holds_what_was_seen(trained):
    trainer, snapshots = trained
    film = film_of(trainer.task, list(trainer.parts), snapshots)
    assert film.steps.tolist() == [0, 3, 6, 9, 12]
    assert len(film) == 5
    for name in CURVES:
        assert film.curves[name].tolist()[1:] == [getattr(s, name) for s in snapshots[1:]]
    assert math.isnan(film.curves["loss"][0])
    assert film.curves["val_loss"][0] == snapshots[0].val_loss
    assert film.parts == ("embeddings", "encoder 0", "decoder 0", "decoder 1", "end")
    assert np.isnan(film.grad_norms[0]).all()
    assert film.grad_norms[2].tolist() == list(snapshots[2].grad_norms)
    assert {kind: maps.shape for kind, maps in film.frames[0].items()} == {
        "encoder": (5, 1, 2, 4, 4),
        "decoder": (5, 2, 2, 5, 5),
        "cross": (5, 2, 2, 5, 4),
    }
    for n, snapshot in enumerate(snapshots):
        for kind, maps in snapshot.attention[0].items():
            assert np.abs(film.frames[0][kind][n] / 255 - maps).max() <= 1 / 510 + 1e-6
            shown = film.axes[0][kind]
            assert maps.shape[-2:] == (len(shown.queries), len(shown.keys))
            np.testing.assert_allclose(maps.sum(-1), 1, rtol=1e-5)
    by_hand = snapshots[3].attention[0]["cross"][:, :, range(4), range(4)].mean(-1)
    np.testing.assert_allclose(film.alignment_mass(0, "cross")[3], by_hand, atol=1 / 255)


def test_a_thinned_film_keeps_its_ends_and_goes_on_together(trained):
    trainer, snapshots = trained
    film = film_of(trainer.task, list(trainer.parts), snapshots)
    assert film.thinned(5) is film
    thin = film.thinned(3)
    assert thin.steps.tolist() == [0, 6, 12]
    assert thin.curves["lr"].tolist() == film.curves["lr"][[0, 2, 4]].tolist()
    np.testing.assert_array_equal(thin.frames[0]["cross"], film.frames[0]["cross"][[0, 2, 4]])
    np.testing.assert_array_equal(thin.grad_norms, film.grad_norms[[0, 2, 4]])
    assert thin.axes == film.axes
    assert thin.parts == film.parts
    assert film.thinned(2).steps.tolist() == [0, 12]


def test_a_film_up_to_a_step(trained):
    trainer, snapshots = trained
    film = film_of(trainer.task, list(trainer.parts), snapshots)
    assert [film.until(step).steps.tolist()[-1:] for step in (-1, 0, 5, 6, 99)] == [[], [0], [3], [6], [12]]
    assert film.until(7).frames[0]["cross"].shape == film.frames[0]["cross"][:3].shape


def test_shrunk_snapshots_make_the_same_film(trained):
    trainer, snapshots = trained
    small = [shrunk(snapshot) for snapshot in snapshots]
    assert {maps.dtype for maps in small[0].attention[0].values()} == {np.dtype(np.uint8)}
    film, truth = (film_of(trainer.task, list(trainer.parts), some) for some in (small, snapshots))
    for kind, maps in truth.frames[0].items():
        np.testing.assert_array_equal(film.frames[0][kind], maps)
    assert film.curves["loss"].tolist()[1:] == truth.curves["loss"].tolist()[1:]
