"""What can be taken away, or read instead of seen."""

import csv
import io
import re
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from tests.browser.view import truth


def saved(view, name):
    with view.page.expect_download() as waiting:
        view.root.get_by_role("button", name=name).click()
    return waiting.value.suggested_filename, Path(waiting.value.path()).read_bytes()


def test_the_numbers_as_csv(visit):
    view = visit("/heads?weights=untrained&layer=2&head=1")
    name, data = saved(view, "CSV")
    assert name == "attention-layer2-head1-weights.csv"
    (_, *keys), *rows = csv.reader(io.StringIO(data.decode()))
    seen = truth()
    assert tuple(keys) == tuple(query for query, *_ in rows) == seen.keys
    assert np.abs(np.array([row for _, *row in rows], float) - seen.weights[2, 1]).max() < 1e-7


def test_a_csv_of_odd_words_is_read_back_and_holds_no_formula(visit):
    view = visit("/heads?text=" + '%3D1 " , %40x -y 👍🏽')
    _, data = saved(view, "CSV")
    (_, *keys), *_ = csv.reader(io.StringIO(data.decode()))
    assert keys == ["'=", "1", '"', ",", "'@", "x", "'-", "y", "👍🏽"]


def test_the_picture_as_png(visit):
    view = visit("/heads?weights=untrained&layer=1")
    name, data = saved(view, "PNG")
    assert name == "attention-layer1-head0-weights.png"
    shown = view.colours(view.heat)
    pixels = np.array(Image.open(io.BytesIO(data)).convert("RGBA"))
    assert pixels.shape == shown.shape
    assert (pixels[..., 3] == 255).all(), "on a ground of its own, not on nothing"
    solid = shown[..., 3] == 255
    difference = np.abs(pixels[solid].astype(int) - shown[solid])
    assert difference.max() <= 2, "but for the rounding of what is half see-through"


def test_the_head_as_a_table(visit):
    view = visit("/heads?head=2&model=Decoder")
    view.root.get_by_text("Read this head as a table").click()
    seen = truth(kind="decoder")
    for i, row in enumerate(view.root.locator("tbody tr").all_inner_texts()):
        named = re.split(r"\t", row.strip("\n"))
        assert named[0] == f"{i} {seen.queries[i]}"
        best = [j for j in np.argsort(-seen.weights[0, 2, i], kind="stable")[:3] if seen.weights[0, 2, i, j] > 0]
        for j, text in zip(best, named[1:], strict=False):
            word, weight = text.rsplit(" ", 1)
            assert word == seen.keys[j]
            assert float(weight) == pytest.approx(seen.weights[0, 2, i, j], abs=5.1e-4)
    view.thumb(1, 1).click()  # the table follows
    top = seen.weights[1, 1, 10].max()
    assert f"{top:.3f}" in view.root.locator("tbody tr").last.inner_text()
