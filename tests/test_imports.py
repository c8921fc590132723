"""The law of imports: who may know of whom. It is read off the source, so imports inside functions count as well."""

import ast
import subprocess
import sys
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
_CORE = "config masks taps random cache attention positions embeddings layers model"
CORE = {f"transformer.core.{name}" for name in _CORE.split()}
CACHES = {"cache_resource", "cache_data"}
# What lives on, and is no result of a computation: trainings that everybody shares.
KEEPERS = {"pages.generation.data"}
# What two pages need the results of: models, texts that they read, words to choose in them, and pictures of heads.
CACHING = "lab.server.caching"
SHARED_RESULTS = {
    CACHING,
    "lab.kit.models.references",
    "lab.kit.models.pictures",
    "lab.kit.models.published",
    "lab.kit.models.readings",
    "lab.kit.models.word_choices",
    "lab.server.metrics",  # how large they are
}

Sources = dict[str, str]  # a module's dotted name -> its text


def sources(root: Path) -> Sources:
    files = [
        root / "app.py",
        *root.glob("transformer/**/*.py"),
        *root.glob("lab/**/*.py"),
        *root.glob("pages/**/*.py"),
        *root.glob("attention_view/*.py"),
    ]
    return {
        ".".join(file.relative_to(root).with_suffix("").parts).removesuffix(".__init__"): file.read_text()
        for file in files
    }


@cache
def nodes(text: str) -> tuple[ast.AST, ...]:
    """Every node of a module's tree."""
    return tuple(ast.walk(ast.parse(text)))


def imports(name: str, all_sources: Sources, is_package: bool = False) -> set[str]:
    """Every module that this one imports, anywhere in its text; `from a import b` is a.b where that is a module."""
    modules = set()
    for node in nodes(all_sources[name]):
        if isinstance(node, ast.Import):
            modules |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            above = name.split(".")[: -node.level + is_package or None] if node.level else []
            base = ".".join([*above, *filter(None, [node.module])])
            full = {alias.name: f"{base}.{alias.name}" for alias in node.names}
            modules |= {path if path in all_sources else base for path in full.values()}
    return modules


def _inside(name: str, *packages: str) -> bool:
    return any(name == package or name.startswith(f"{package}.") for package in packages)


def _standard(name: str) -> bool:
    return name.split(".")[0] in sys.stdlib_module_names


SCRIPT = 'if __name__ == "__main__":'  # what follows runs for a visitor, and not where a page announces itself
FLOORS = ("lab.frame", "lab.kit", "lab.server", "lab.hooks")  # from the top; each stands on those below it
LIGHT = {
    "lab.kit.catalogue",
    "lab.kit.figures.strength",
    "lab.kit.page",
    "lab.server.headers",
}  # read before the first visit
GLOSSARY = "lab.kit.glossary"
WORDS, TEXTS = "lab.kit.words", "lab.kit.texts"  # numbers in sentences; what reads Markdown
# Numbers to plotly.
PURE = {
    "lab.kit.figures.palette",
    "lab.kit.figures.plot",
    "lab.kit.figures.strength",
    "lab.kit.figures.compare_figures",
    "lab.kit.figures.effect_figures",
    WORDS,
}


def may_import(name: str, other: str) -> bool:
    """Whether the law allows this import."""
    if _inside(name, "transformer"):
        above = ("training", "generation", "inspection") if name in CORE else ()
        shown = ("streamlit", "plotly", "pandas", "pages", "lab", "app")
        return not _inside(other, *shown, *(f"transformer.{part}" for part in above))
    if _inside(name, "attention_view"):
        return _standard(other) or _inside(other, "numpy", "attention_view")
    if _inside(other, "app", "benchmarks", "tests"):
        return name == "lab.frame.entry"
    if name == "app":
        return _inside(other, "streamlit", "lab.frame", "pages.challenges.bar")
    if name == "lab.frame.entry":
        return False
    if name in PURE or name.endswith(".figures"):
        return _standard(other) or _inside(other, "numpy", "plotly") or other in PURE
    if _inside(name, TEXTS):
        return _standard(other) or _inside(other, "markdown_it", TEXTS, WORDS)
    if name in LIGHT or _inside(name, GLOSSARY):
        own = _inside(other, TEXTS) or (name not in LIGHT and _inside(other, GLOSSARY, WORDS))
        return _standard(other) or other in LIGHT or own
    if _inside(name, "lab"):
        room = next((floor for floor in FLOORS if _inside(name, floor)), FLOORS[0])
        return not _inside(other, "pages", *FLOORS[: FLOORS.index(room)])
    page = ".".join(name.split(".")[:2])
    return not _inside(other, "lab.frame", "pages") or _inside(other, page)


def offences(all_sources: Sources, packages: frozenset[str] = frozenset()) -> list[str]:
    """What breaks the law, one sentence per offence."""
    sentences = []
    graph = {}
    for name, text in all_sources.items():
        imported = imports(name, all_sources, name in packages)
        sentences += [f"{name} imports {other}" for other in sorted(imported) if not may_import(name, other)]
        announced, found, _ = text.rpartition(f"\n{SCRIPT}")
        if found and name.startswith("pages."):
            imported = imports(name, {**all_sources, name: announced})
        graph[name] = {other for other in imported if other in all_sources} - {name}
        used = _names(text)
        if name not in KEEPERS and CACHES & used:
            sentences.append(f"{name} keeps a cache that counts no bytes")
        if CACHING in {*imported, name} and not name.endswith(".data") and name not in SHARED_RESULTS:
            sentences.append(f"{name} keeps a cache outside of data.py")
        if name.count(".") == 1 and name.startswith("pages.") and name not in packages:
            sentences.append(f"{name} stands directly in pages/")
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        sentences.append("circle: " + " -> ".join(error.args[1]))
    return sentences


def _names(text: str) -> set[str]:
    found = set()
    for node in nodes(text):
        if isinstance(node, ast.Attribute):
            found.add(node.attr)
        elif isinstance(node, ast.Name):
            found.add(node.id)
        elif isinstance(node, ast.ImportFrom):
            found |= {alias.name for alias in node.names}
    return found


def test_the_project_keeps_the_law():
    all_sources = sources(ROOT)
    packages = frozenset(name for name in all_sources if ROOT.joinpath(*name.split("."), "__init__.py").exists())
    assert {"app", "transformer", "transformer.core.model", "attention_view.payload", "pages.heads.data"} <= set(
        all_sources
    )
    assert set(all_sources) >= CORE
    faults = offences(all_sources, packages)
    assert not faults, "\n".join([*faults, "Imports go one way; see CONTRIBUTING.md, The house."])


@pytest.mark.parametrize(
    ("name", "text", "offence"),
    [
        ("transformer.core.model", "import streamlit as st", "imports streamlit"),
        ("transformer.core.model", "def f():\n    from pandas import DataFrame", "imports pandas"),
        ("transformer.inspection.run", "import plotly.graph_objects as go", "imports plotly.graph_objects"),
        ("transformer.training.text", "from lab.kit.figures import display", "imports lab.kit.figures"),
        (
            "transformer.core.attention",
            "from transformer.training.text import words",
            "imports transformer.training.text",
        ),
        ("transformer.core.attention", "from ..inspection import run", "imports transformer.inspection"),
        ("transformer.core.masks", "from transformer import generation", None),
        ("attention_view.payload", "import streamlit", "imports streamlit"),
        ("attention_view.payload", "import torch", "imports torch"),
        ("attention_view.payload", "from transformer.core.masks import causal", "imports transformer.core.masks"),
        ("attention_view", "from lab.kit.figures.palette import INK", "imports lab.kit.figures.palette"),
        ("pages.heads.figures", "from transformer.core.masks import causal", "imports transformer.core.masks"),
        ("pages.heads.figures", "import pandas", "imports pandas"),
        ("pages.heads.figures", "from lab.kit.models import source", "imports lab.kit.models"),
        ("lab.kit.figures.palette", "from lab.kit.models import source", "imports lab.kit.models"),
        ("lab.kit.catalogue", "import streamlit", "imports streamlit"),
        ("lab.kit.glossary.words", "import streamlit", "imports streamlit"),
        ("lab.kit.figures.display", "from pages.heads import data", "imports pages.heads"),
        ("lab.kit.figures.display", "import app", "imports app"),
        ("lab.frame.entry", "import streamlit", "imports streamlit"),
        ("lab.kit.figures.display", "from streamlit import cache_data", "keeps a cache that counts no bytes"),
        (
            "pages.heads.data",
            "import streamlit as st\n@st.cache_resource\ndef f(): ...",
            "keeps a cache that counts no bytes",
        ),
        ("pages.heads.page", "from lab.server.caching import cached", "keeps a cache outside of data.py"),
        ("pages.heads.page", "from pages.masks import data", "imports pages.masks"),
        ("pages.heads.page", "def f():\n    from pages.masks.data import waves", "imports pages.masks.data"),
        ("pages.heads.page", "import app", "imports app"),
        ("pages.heads", "import streamlit", "stands directly in pages/"),
        ("app", "from pages.masks import data", "imports pages.masks"),
        ("lab.kit.view", "from lab.frame import links", "imports lab.frame"),
        ("lab.server.gate", "from lab.kit import settings", "imports lab.kit"),
        ("pages.heads.page", "from lab.frame import links", "imports lab.frame"),
        ("app", "import torch", "imports torch"),
        ("app", "from lab.kit import settings", "imports lab.kit"),
        ("lab.hooks.runtime", "from lab.server import memory", "imports lab.server"),
    ],
)
def test_every_rule_can_be_broken(name: str, text: str, offence: str | None):
    sentences = offences({name: text})
    if offence is None:  # a name that is not a module is not taken for one ...
        assert sentences == []
        sentences = offences({name: text, "transformer.generation": ""})  # ... and one that is, is
        offence = "imports transformer.generation"
    assert sentences == [f"{name} {offence}"]


def test_scripts_and_sheets_of_pages_know_no_frame_either():
    files = [file for kind in ("js", "css") for file in ROOT.glob(f"pages/**/*.{kind}")]
    assert files
    assert not [file.name for file in files if "lab/frame" in file.read_text()]


def test_a_circle_is_found():
    circle = {
        "transformer.core.masks": "def f():\n    from transformer.core import taps",
        "transformer.core.taps": "from .attention import masked_softmax",
        "transformer.core.attention": "import transformer.core.masks",
    }
    (sentence,) = offences(circle)
    assert sentence.startswith("circle: ")
    assert all(name in sentence for name in circle)


def test_relative_imports_are_followed():
    here = {"a.b.c": "from . import d\nfrom .. import e\nfrom .d import f", "a.b.d": "", "a.e": ""}
    assert imports("a.b.c", here) == {"a.b.d", "a.e"}
    assert imports("a.b", {"a.b": "from .d import f\nfrom ..e import g"}, is_package=True) == {"a.b.d", "a.e"}


def test_allowed_imports_are_no_offence():
    assert not offences(
        {
            "app": "import streamlit as st\nfrom lab.frame import shell",
            "pages.heads.page": "from pages.heads import data\nfrom lab.kit.figures import display",
            "pages.heads.data": "from lab.server.caching import cached\n@cached()\ndef f():\n    import torch",
            "pages.heads.figures": "import math\nimport numpy as np\nfrom lab.kit.figures.palette import INK",
            "attention_view.payload": "import json\nimport numpy as np",
            "transformer.inspection.run": "import torch\nfrom transformer.core.model import Output",
            "transformer.core.model": "import torch\nfrom transformer.core.layers import X",
        }
    )


@pytest.mark.slow
def test_torch_is_not_loaded_with_the_frame():
    """The first paint waits for every import at the top of a module, and torch takes longer than all the rest."""
    scripts = (".page", ".entry")  # they draw when they are imported
    names = [name for name in sources(ROOT) if not name.startswith("transformer") and not name.endswith(scripts)]
    code = (
        f"import sys, importlib\nfor name in {names!r}:\n    importlib.import_module(name)"
        "\nsys.exit('torch' in sys.modules)"
    )
    process = subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False, capture_output=True, text=True)
    assert process.returncode == 0, process.stderr
