"""The packages of the library: light to import, each public name where its stub says, and typed for users."""

import json
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import transformer
from transformer.core.config import PRESETS
from transformer.lazy import attach

ROOT = Path(transformer.__file__).parents[1]
_PACKAGES = "core generation inspection inspection.bugs pretrained training training.studies"
LAZY = ("transformer", *(f"transformer.{name}" for name in _PACKAGES.split()))


def run(code: str) -> int:
    return subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode


@pytest.mark.parametrize("name", LAZY)
def test_a_package_has_what_its_stub_names(name: str):
    package = import_module(name)
    folder = ROOT.joinpath(*name.split("."))
    assert package.__all__ == sorted(package.__all__)
    assert set(package.__all__) <= set(dir(package))
    for public in package.__all__:
        assert getattr(package, public) is not None
    files = {path.stem for path in folder.glob("*.py")} - {"__init__", "__main__"}
    inner = {path.parent.name for path in folder.glob("*/__init__.py")}
    assert files - {"lazy"} | inner <= set(package.__all__)


def test_a_name_that_is_not_there_is_said_as_python_says_it():
    with pytest.raises(AttributeError, match="module 'transformer' has no attribute 'Perceptron'"):
        _ = transformer.Perceptron
    with pytest.raises(ImportError, match="cannot import name 'perceptrons'"):
        exec("from transformer.core import perceptrons")


def test_a_stub_that_says_more_than_there_is_fails_when_that_is_used(tmp_path: Path):
    (tmp_path / "__init__.pyi").write_text("from . import masks as masks\nfrom .taps import Tap as Tap\nx: int\n")
    get, listed, names = attach("transformer.core", str(tmp_path / "__init__.py"))
    assert names == ["Tap", "masks"]
    assert set(listed()) >= set(names)
    assert get("masks") is import_module("transformer.core.masks")
    with pytest.raises(AttributeError):
        get("x")


def test_the_public_names_of_the_library():
    assert transformer.PRESETS is PRESETS
    assert set(PRESETS) == {"tiny", "classroom", "paper_base"}
    assert transformer.Transformer.__name__ == "Transformer"


def test_a_config_and_every_package_cost_no_torch():
    packages = f"import sys, {', '.join(LAZY)}; from transformer import PRESETS, core, inspection, training"
    assert run(f"{packages}; dir(transformer); sys.exit('torch' in sys.modules)") == 0


@pytest.mark.wide
@pytest.mark.slow
def test_modules_are_there_without_being_imported():
    code = """
import transformer
transformer.core.masks.causal(3), transformer.inspection.run, transformer.training.trainer, transformer.generation.begin
from transformer.inspection.bugs import museum
"""
    assert run(code) == 0


TYPED = """
import numpy as np
import attention_view
from torch import Tensor

import transformer
from transformer import generation, inspection
from transformer.core.config import TransformerConfig

config: TransformerConfig = transformer.PRESETS["tiny"]
model = transformer.Transformer(config)
logits: Tensor = model(Tensor([[1]]), Tensor([[2]])).logits
width: str = model(Tensor([[1]]), Tensor([[2]])).logits
maps: dict = inspection.run.maps_by_layer
begun: generation.Decoding | str = generation.begin
shown: attention_view.Shown = attention_view.show(np.zeros((1, 1, 1)), ["one"])
version: int = transformer.__version__
transformer.Perceptron
"""


@pytest.mark.slow
def test_who_uses_it_gets_real_types(tmp_path: Path):
    """A type checker sees through the lazy packages: right lines pass, and each wrong one is named."""
    (tmp_path / "use.py").write_text(TYPED)
    (tmp_path / "pyrefly.toml").write_text("")
    command = [
        Path(sys.executable).parent / "pyrefly",
        "check",
        tmp_path / "use.py",
        "--output-format",
        "json",
        "--search-path",
        ROOT,
        "--python-interpreter-path",
        sys.executable,
    ]
    result = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    wrong = {TYPED.splitlines()[error["line"] - 1] for error in json.loads(result.stdout)["errors"]}
    starts = ("width", "maps", "begun", "version", "transformer.Perceptron")
    assert wrong == {line for line in TYPED.splitlines() if line.startswith(starts)}
