"""The tables of vectors, from the first step to the last."""

import base64
import json

import numpy as np
from streamlit.testing.v1 import AppTest

from pages.live import data, trainings
from pages.shared.models import Shipped
from tests.pages.live.live_page import TINY, press, until, visit
from transformer.inspection.embeddings import plane
from transformer.training.film import film_of
from transformer.training.trainer import Trainer


def drawn(at: AppTest, n: int = 0) -> tuple[np.ndarray, list[np.ndarray]]:
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
    model = Shipped("reverse").resolve().checkpoint.model()
    places = plane(model.encoder.embedding.weight.detach().half().numpy()[4:]).places
    assert len(frames) == 2
    np.testing.assert_allclose(now, places, atol=1e-9)
    np.testing.assert_array_equal(frames[-1], now)
    assert np.abs(frames[0] - now).max() > 0.1


def test_the_vectors_before_are_those_that_the_stored_film_began_with():
    checkpoint = Shipped("reverse").resolve().checkpoint
    start = Trainer(checkpoint.task, checkpoint.config, checkpoint.settings).snapshot(np.nan, np.nan, None)
    begun = film_of(checkpoint.task, [], [start]).frames[0]["cross"][0]
    np.testing.assert_array_equal(begun, checkpoint.film.frames[0]["cross"][0])
    (_, before), _ = data.first_and_last_tables("shipped reverse", checkpoint)
    np.testing.assert_array_equal(before["tokens"], start.tables["tokens"])


def test_ones_own_training_shows_its_vectors_at_every_snapshot():
    at = visit(**TINY, live_positions="learned", live_below="Vectors")
    until(press(at, "train"), "done")
    at.run()
    assert not at.exception
    (training,) = trainings.trainings().by_place.values()
    tokens, positions = drawn(at, 0), drawn(at, 1)
    assert len(tokens[1]) == len(training.job.snapshots) > 2
    table = training.checkpoint().model().encoder.positions.weight.detach().half().numpy()
    np.testing.assert_allclose(positions[0], plane(table)[0], atol=1e-9)
    assert len(tokens[0]) == 10
    assert len(positions[0]) == len(table)
