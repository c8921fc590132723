"""The law of imports: who may know of whom. It is read off the source, so imports inside functions count as well."""

import ast
import subprocess
import sys
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
CORE = ("config", "masks", "taps", "random", "cache", "attention", "positions", "embeddings", "layers", "model")
CACHES = {"cache_resource", "cache_data"}
# What lives on, and is no result of a computation: trainings that everybody shares.
KEEPERS = {"pages.generation.data"}
# What two pages need the results of: models, texts that they read, and the pictures of their heads.
CACHING = "pages.shared.caching"
SHARED_RESULTS = {
    CACHING,
    "pages.shared.models",
    "pages.shared.pictures",
    "pages.shared.pretrained",
    "pages.shared.readings",
}

Sources = dict[str, str]  # a module's dotted name -> its text


def sources(root: Path) -> Sources:
    files = [
        root / "app.py",
        *root.glob("transformer/**/*.py"),
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


def may_import(name: str, other: str) -> bool:
    """Whether the law allows this import."""
    if _inside(name, *(f"transformer.{module}" for module in CORE)):
        return not _inside(other, "streamlit", "plotly", "pandas", "pages", "app") and not _inside(
            other, "transformer.training", "transformer.generation", "transformer.inspection"
        )
    if _inside(name, "transformer"):
        return not _inside(other, "streamlit", "plotly", "pandas", "pages", "app")
    if _inside(name, "attention_view"):
        return _standard(other) or _inside(other, "numpy", "attention_view")
    if name == "app":
        framework = ("streamlit", "starlette")  # the one brings the other
        parts = (
            "catalogue", "compare", "components.search", "components.share_link", "foot", "gate", "headers", "incoming",
            "lessons.lead", "links", "memory", "old_links", "presenting", "resetting", "visitor",
        )  # fmt: skip
        front = ["pages.challenges.bar", *(f"pages.shared.{part}" for part in parts)]
        return _standard(other) or _inside(other, *framework, *front)
    if name == "pages.shared.entry":
        return other == "app"
    if name in PURE or name.endswith(".figures"):
        return _standard(other) or _inside(other, "numpy", "plotly") or other in PURE
    if name in ("pages.shared.catalogue", "pages.shared.headers", "pages.shared.view_index"):
        return _standard(other)
    if _inside(name, GLOSSARY):
        return _standard(other) or _inside(other, GLOSSARY, "pages.shared.catalogue", "pages.shared.view_index")
    room = name.split(".")[1]
    if _inside(other, "pages"):
        return _inside(other, "pages.shared") or (room != "shared" and _inside(other, f"pages.{room}"))
    return not _inside(other, "app", "benchmarks", "tests")


GLOSSARY = "pages.shared.glossary"
PURE = {
    "pages.shared.palette",
    "pages.shared.plot",
    "pages.overview.parts",
    "pages.shared.compare_figures",
    "pages.shared.effect_figures",
}  # numbers to plotly


def offences(all_sources: Sources, packages: frozenset[str] = frozenset()) -> list[str]:
    """What breaks the law, one sentence per offence."""
    sentences = []
    graph = {}
    for name, text in all_sources.items():
        imported = imports(name, all_sources, name in packages)
        sentences += [f"{name} imports {other}" for other in sorted(imported) if not may_import(name, other)]
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
    assert {"app", "transformer", "transformer.model", "attention_view.payload", "pages.heads.data"} <= set(all_sources)
    assert all(f"transformer.{name}" in all_sources for name in CORE)
    faults = offences(all_sources, packages)
    assert not faults, "\n".join([*faults, "Imports go one way; see CONTRIBUTING.md, The house."])


@pytest.mark.parametrize(
    ("name", "text", "offence"),
    [
        ("transformer.model", "import streamlit as st", "imports streamlit"),
        ("transformer.model", "def f():\n    from pandas import DataFrame", "imports pandas"),
        ("transformer.inspection.run", "import plotly.graph_objects as go", "imports plotly.graph_objects"),
        ("transformer.training.text", "from pages.shared import display", "imports pages.shared"),
        ("transformer.attention", "from transformer.training.text import words", "imports transformer.training.text"),
        ("transformer.attention", "from .inspection import run", "imports transformer.inspection"),
        ("transformer.masks", "from transformer import generation", None),
        ("attention_view.payload", "import streamlit", "imports streamlit"),
        ("attention_view.payload", "import torch", "imports torch"),
        ("attention_view.payload", "from transformer.masks import causal", "imports transformer.masks"),
        ("attention_view", "from pages.shared.palette import INK", "imports pages.shared.palette"),
        ("pages.heads.figures", "from transformer.masks import causal", "imports transformer.masks"),
        ("pages.heads.figures", "import pandas", "imports pandas"),
        ("pages.heads.figures", "from pages.shared import models", "imports pages.shared"),
        ("pages.shared.palette", "from pages.shared import models", "imports pages.shared"),
        ("pages.shared.catalogue", "import streamlit", "imports streamlit"),
        ("pages.shared.glossary.words", "import streamlit", "imports streamlit"),
        ("pages.shared.display", "from pages.heads import data", "imports pages.heads"),
        ("pages.shared.display", "import app", "imports app"),
        ("pages.shared.entry", "import streamlit", "imports streamlit"),
        ("pages.shared.display", "from streamlit import cache_data", "keeps a cache that counts no bytes"),
        (
            "pages.heads.data",
            "import streamlit as st\n@st.cache_resource\ndef f(): ...",
            "keeps a cache that counts no bytes",
        ),
        ("pages.heads.page", "from pages.shared.caching import cached", "keeps a cache outside of data.py"),
        ("pages.heads.page", "from pages.masks import data", "imports pages.masks"),
        ("pages.heads.page", "def f():\n    from pages.masks.data import waves", "imports pages.masks.data"),
        ("pages.heads.page", "import app", "imports app"),
        ("pages.heads", "import streamlit", "stands directly in pages/"),
        ("app", "from pages.shared import display", "imports pages.shared"),
        ("app", "import torch", "imports torch"),
    ],
)
def test_every_rule_can_be_broken(name: str, text: str, offence: str | None):
    sentences = offences({name: text})
    if offence is None:  # a name that is not a module is not taken for one ...
        assert sentences == []
        sentences = offences({name: text, "transformer.generation": ""})  # ... and one that is, is
        offence = "imports transformer.generation"
    assert sentences == [f"{name} {offence}"]


def test_a_circle_is_found():
    circle = {
        "transformer.masks": "def f():\n    from transformer import taps",
        "transformer.taps": "from .attention import masked_softmax",
        "transformer.attention": "import transformer.masks",
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
            "app": "from pathlib import Path\nimport streamlit as st\nfrom pages.shared.catalogue import PAGES",
            "pages.heads.page": "from pages.heads import data\nfrom pages.shared import display",
            "pages.heads.data": "from pages.shared.caching import cached\n@cached()\ndef f():\n    import torch",
            "pages.heads.figures": "import math\nimport numpy as np\nfrom pages.shared.palette import INK",
            "attention_view.payload": "import json\nimport numpy as np",
            "transformer.inspection.run": "import torch\nfrom transformer.model import Output",
            "transformer.model": "import torch\nfrom transformer.layers import X",
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
