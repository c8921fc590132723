"""The figures of the embeddings page hold the numbers they were given, and label them."""

import base64
import json
import re

import numpy as np
import pytest

from pages.embeddings import figures
from pages.shared import palette


def spec(figure) -> dict:
    return json.loads(figure.to_json())


def array(values) -> np.ndarray:
    if isinstance(values, dict):
        flat = np.frombuffer(base64.b64decode(values["bdata"]), values["dtype"])
        return flat.reshape([int(n) for n in str(values["shape"]).split(",")]) if "shape" in values else flat
    return np.array(values, dtype="f8")


def titles(drawn) -> tuple[str, str]:
    return drawn["layout"]["xaxis"]["title"]["text"], drawn["layout"]["yaxis"]["title"]["text"]


def test_spread():
    edges = np.linspace(-1, 1, 5)
    counts = np.array([1, 40, 50, 2])
    drawn = spec(figures.spread(edges, counts, 0.25, [("king–queen", 0.1), ("king–table", -0.2)]))
    bars, curve, named = drawn["data"]
    assert np.array_equal(array(bars["y"]), counts)
    assert np.allclose(array(bars["x"]), [-0.75, -0.25, 0.25, 0.75])
    x, y = array(curve["x"]), array(curve["y"])
    assert np.trapezoid(y, x) == pytest.approx(counts.sum() * 0.5, rel=1e-3), "as much area as the bars"
    assert x[y.argmax()] == pytest.approx(0)
    assert y[np.abs(x - 0.25).argmin()] / y.max() == pytest.approx(np.exp(-0.5), rel=1e-6)
    assert named["x"] == [0.1, -0.2]
    assert named["text"] == ["king–queen", "king–table"]
    assert drawn["layout"]["yaxis"]["range"][1] > max(named["y"])


def test_gradients_of_zero_are_not_the_colour_of_little():
    norms = np.array([0, 0.5, 0, 1e-3])
    drawn = spec(figures.gradients([("source", norms), ("target = output", norms + 1)], ["p", "<i>", "c", "d"]))
    ground, strips = drawn["data"]
    assert strips["z"][0] == [None, pytest.approx(np.log10(0.5)), None, pytest.approx(-3)]
    assert strips["z"][1] == pytest.approx(np.log10(norms + 1))
    assert ground["z"] == [[0, None, 0, None], [None] * 4]
    assert strips["zmin"] == pytest.approx(-4)
    assert strips["zmax"] == pytest.approx(np.log10(1.5)), "nothing saturates"
    assert strips["colorbar"]["tickvals"] == [-4, -3, -2, -1, 0]
    assert strips["colorbar"]["ticktext"] == ["0.0001", "0.001", "0.01", "0.1", "1"]
    assert [tuple(stop) for stop in strips["colorscale"]] == palette.MAGNITUDE
    assert {colour for _, colour in ground["colorscale"]} == {palette.PANEL}, "zero"
    assert strips["text"][0][1] == "&lt;i&gt;, id 1<br>gradient of its row: 0.5"
    rows = ["source<br><b>2 of 4 rows</b>", "target<br>= output<br><b>4 of 4 rows</b>"]
    assert drawn["layout"]["yaxis"]["ticktext"] == rows
    assert [(note["x"], note["text"]) for note in drawn["layout"]["annotations"]] == [(1, "&lt;i&gt;"), (3, "d")]
    assert titles(drawn)[0] == "id: the row of the table"


def test_names_above_the_strip_of_gradients_do_not_touch():
    norms = np.zeros(338)
    norms[[1, 2, 9, 10, 300]] = 1.0
    drawn = spec(figures.gradients([("source", norms)], [f"t{n}" for n in range(338)]))
    assert [note["text"] for note in drawn["layout"]["annotations"]] == ["t1", "t10", "t300"]


def test_no_figure_names_a_colour_of_its_own():
    drawn = [
        figures.spread(np.linspace(-1, 1, 5), np.ones(4), 0.1),
        figures.gradients([("a", np.ones(3))], ["x", "y", "z"]),
    ]
    known = {palette.INK, palette.QUIET, palette.LINE, palette.PANEL, palette.POSITIVE}
    known |= {colour for _, colour in palette.MAGNITUDE}
    for figure in drawn:
        text = json.dumps(
            {**spec(figure), "layout": {k: v for k, v in spec(figure)["layout"].items() if k != "template"}}
        )
        assert set(re.findall(r"#[0-9a-fA-F]{6}", text)) <= known
        assert "rgb" not in text
