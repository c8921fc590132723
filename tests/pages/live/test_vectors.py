"""The tables of vectors, from the first step to the last."""

import base64
import json

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from pages.live import data, trainings
from pages.shared.models import Shipped
from tests.pages.live.live_page import TINY, notices, press, side, until, visit
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


def test_words_have_the_colour_of_their_kind():
    at = visit(live_film="English to French, recorded", live_task="English to French", live_below="Vectors")
    spec = json.loads(at.get("plotly_chart")[0].proto.spec)
    task = Shipped("translator").resolve().task
    _, dots, *legend = spec["data"]
    assert [trace["name"] for trace in legend] == list(task.kinds)
    signs = {trace["name"]: (trace["marker"]["color"], trace["marker"]["symbol"]) for trace in legend}
    assert len(set(signs.values())) == len(signs)
    for name, kind, colour, symbol in zip(
        dots["text"], dots["customdata"], dots["marker"]["color"], dots["marker"]["symbol"], strict=True
    ):
        assert not kind or name in task.kinds[kind]
        assert not kind or signs[kind] == (colour, symbol)
    assert set(dots["customdata"]) >= set(task.kinds)
    assert dots["mode"] == "markers"  # so many names would be a hairball
    one_kind = json.loads(visit(live_below="Vectors").get("plotly_chart")[0].proto.spec)["data"]
    assert len(one_kind) == 2
    assert one_kind[1]["mode"] == "markers+text"


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


@pytest.mark.parametrize("view", ["Vectors", pytest.param("Longer texts", marks=pytest.mark.wide)])
def test_while_ones_own_training_runs_a_notice_says_that_the_model_shown_is_another(held, view):
    held(7)
    at = press(visit(**TINY, live_below=view), "train")
    while not side(at)["frames"]:
        at.run()
    assert notices(at) == (
        "Your training is still running, so you see a recorded model here. Pause it, or wait for its end, to see what "
        "it has learned."
    )
    assert "Reverse, as recorded" in markdown(at)
    until(press(at, "pause"), "paused")
    at.run()
    assert notices(at) == ""
    assert "your training" in markdown(at)
    assert "Reverse, as recorded" not in markdown(at)


def markdown(at: AppTest) -> str:
    return "\n".join(text.value for text in at.markdown).replace("\\", "")
