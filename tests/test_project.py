"""The project as a package: what `pip install .` brings to a notebook, and that the versions agree."""

import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

import transformer

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
LIBRARIES = ("transformer", "attention_view")  # what is installed; attention_view once it stands beside transformer


def files_of(library: str) -> set[str]:
    """Every file of a library, by its path from the root: all of them are installed."""
    found = (file for file in (ROOT / library).rglob("*") if file.is_file() and "__pycache__" not in file.parts)
    return {file.relative_to(ROOT).as_posix() for file in found}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built without a network from a copy of the project."""
    copy, out = tmp_path_factory.mktemp("project") / "copy", tmp_path_factory.mktemp("wheel")
    ignored = shutil.ignore_patterns(".*", "__pycache__", "build", "dist", "*.egg-info", "benchmarks")
    shutil.copytree(ROOT, copy, ignore=ignored)
    build = "import sys; from setuptools import build_meta; build_meta.build_wheel(sys.argv[1])"
    result = subprocess.run([sys.executable, "-c", build, str(out)], cwd=copy, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    (file,) = out.glob("*.whl")
    return file


@pytest.mark.slow
def test_the_wheel_holds_the_libraries_with_their_data_and_nothing_else(wheel: Path):
    names = set(zipfile.ZipFile(wheel).namelist())
    paperwork = {name for name in names if ".dist-info/" in name}
    assert names - paperwork == set().union(*map(files_of, LIBRARIES))
    assert "transformer/training/shipped/translator.safetensors" in names
    assert any(name.endswith("licenses/LICENSE") for name in paperwork)


def test_the_version_stands_once_and_the_changelog_begins_with_it():
    assert PROJECT["dynamic"] == ["version"]  # read off transformer/__init__.py, which the wheel's metadata show
    (first, *_) = re.findall(r"^## \[([\d.]+)\] - \d{4}-\d\d-\d\d$", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert first == transformer.__version__ == "1.0.0"


@pytest.mark.slow
def test_the_wheel_says_what_it_is_and_needs(wheel: Path):
    archive = zipfile.ZipFile(wheel)
    (metadata,) = (archive.read(name).decode() for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
    for line in (
        "Name: attention-lab",
        f"Version: {transformer.__version__}",
        "Requires-Python: >=3.11",
        "License-Expression: MIT",
    ):
        assert line in metadata.splitlines()
    needs = re.findall(r"^Requires-Dist: (\w+)([<>=!~]+)[^;\n]*$", metadata, re.MULTILINE)  # for everybody
    assert sorted(needs) == [
        (name, ">=") for name in ("huggingface_hub", "numpy", "safetensors", "tokenizers", "torch")
    ]


@pytest.mark.wide
@pytest.mark.slow
def test_installed_it_works_far_from_the_project(wheel: Path, tmp_path: Path):
    """Shipped models are read from the unpacked wheel alone, with their tokens."""
    zipfile.ZipFile(wheel).extractall(tmp_path / "site")
    script = f"""
import sys
sys.path[:] = [{str(tmp_path / "site")!r}] + [path for path in sys.path if path not in ("", {str(ROOT)!r})]
import transformer
assert transformer.__file__.startswith({str(tmp_path)!r})
found = transformer.load("shipped:reverse")
assert found.tokenizer.decode(found.tokenizer.encode("a b").ids) == "a b"
assert transformer.load("shipped:stories").tokenizer.encode("mia").ids
from attention_view import show
assert "attention-view" in show([[[1.0]]], ["one"]).html()
assert not any(name in sys.modules for name in ("streamlit", "plotly", "lab", "pages"))
"""
    command = [sys.executable, "-P", "-c", script]
    result = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, env={"PYTHONPATH": ""})
    assert result.returncode == 0, result.stderr


def test_what_a_notebook_needs_is_what_the_app_has():
    """The lower bounds of the package are met by the versions that the app is tested with."""
    pinned = dict(re.findall(r"^([\w-]+)[=>]=([\d.]+)", (ROOT / "requirements.txt").read_text(), re.MULTILINE))
    for need in PROJECT["dependencies"]:
        name, least = need.split(">=")
        assert tuple(map(int, least.split("."))) <= tuple(map(int, pinned[name].split(".")))


def test_the_libraries_import_no_more_than_they_say():
    needs = {re.split(r"\W", need)[0] for need in PROJECT["dependencies"]}
    allowed = needs | set(LIBRARIES) | set(sys.stdlib_module_names)
    # What is optional is imported where it is used, for those who have it.
    optional = {re.split(r"\W", need)[0] for extra in PROJECT["optional-dependencies"].values() for need in extra}
    for library in LIBRARIES:
        for file in (ROOT / library).rglob("*.py"):
            imported = re.findall(r"^([ \t]*)(?:from|import) (\w+)", _code(file.read_text()), re.MULTILINE)
            odd = {name for indent, name in imported if name not in allowed | (optional if indent else set())}
            assert not odd, f"{file.relative_to(ROOT)} imports {odd}"


def _code(text: str) -> str:
    """The text without its docstrings, where a line may begin with "from" as well."""
    return re.sub(r'"""[\s\S]*?"""', "", text)


def test_the_licence_is_the_one_that_is_named():
    text = (ROOT / "LICENSE").read_text()
    assert text.startswith("MIT License")
    assert "the Attention Lab authors" in text
    assert PROJECT["license"] == "MIT"
    assert PROJECT["authors"] == [{"name": "the Attention Lab authors"}]


@pytest.mark.parametrize("file", ["requirements.txt", "tests/requirements.txt"])
def test_what_is_installed_is_pinned(file: str):
    lines = (ROOT / file).read_text().splitlines()
    for line in lines:
        assert not line or re.match(r"#|--extra-index-url |[\w-]+==[\d.]+$|numpy>=", line), line
