"""The law of the kit: whatever it offers is used by two pages or more. What serves one page lives with that page.

A name counts as used by a page if the page's modules refer to it, or refer to something in the kit that does, and so
on.
"""

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
KIT = "lab.kit"
EVERYWHERE = "app"  # what every visit runs
ALLOWED: dict[str, str] = {  # name, or module -> why it may stay although fewer than two pages use it
    "lab.kit.words": "numbers, lists and plurals stand together, so that all of them are written alike",
    "lab.kit.controls.hyperparameters.KV_HEADS": "what links to all pages call hyperparameters stands together",
    "lab.kit.controls.hyperparameters.MASK": "the same",
    "lab.kit.lessons.shelf.packed": "it and `unpacked` are each other's inverse, and change together",
}

Sources = dict[str, str]  # a module's dotted name -> its text


class Name(NamedTuple):
    """A top-level name of a module; "" for what the module does when it is imported."""

    module: str
    name: str


def sources(root: Path) -> Sources:
    files = [root / "app.py", *root.glob("lab/**/*.py"), *root.glob("pages/**/*.py")]
    return {
        ".".join(file.relative_to(root).with_suffix("").parts).removesuffix(".__init__"): file.read_text()
        for file in files
    }


def top_level(tree: ast.Module) -> Iterator[tuple[str, ast.stmt]]:
    """Every statement of a module with the name that it defines; imports are left out."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.name, node
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            for name in (n.id for target in targets for n in ast.walk(target) if isinstance(n, ast.Name)):
                yield name, node
        elif not isinstance(node, ast.Import | ast.ImportFrom):
            yield "", node


def bindings(tree: ast.AST, modules: Iterable[str]) -> tuple[dict[str, str], dict[str, Name]]:
    """What the imports of a module bind: (local name -> module, local name -> name in a module)."""
    to_module: dict[str, str] = {}
    to_name: dict[str, Name] = {}
    modules = set(modules)
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                full = f"{node.module}.{alias.name}"
                if full in modules:
                    to_module[alias.asname or alias.name] = full
                if node.module in modules:
                    to_name[alias.asname or alias.name] = Name(node.module, alias.name)
    return to_module, to_name


def references(all_sources: Sources) -> dict[Name, set[Name]]:
    """Which names of these modules every top-level statement refers to; a whole module is all of its names."""
    trees = {module: ast.parse(text) for module, text in all_sources.items()}
    defined = {Name(module, name) for module, tree in trees.items() for name, _ in top_level(tree)}
    graph: dict[Name, set[Name]] = defaultdict(set)
    for module, tree in trees.items():
        to_module, to_name = bindings(tree, trees)
        for name, statement in top_level(tree):
            parts = {id(node.value): node for node in ast.walk(statement) if isinstance(node, ast.Attribute)}
            for node in (node for node in ast.walk(statement) if isinstance(node, ast.Name)):
                of, part = to_module.get(node.id), parts.get(id(node))
                if part:
                    found = {Name(of or "", part.attr), to_name.get(node.id, Name(module, node.id))}
                elif of:
                    found = {one for one in defined if one.module == of}
                else:
                    found = {to_name.get(node.id, Name(module, node.id))}
                graph[Name(module, name)] |= (found & defined) - {Name(module, name)}
    return graph


def page_of(module: str) -> str:
    """The page whose folder a module is in; "" for what is no page."""
    parts = module.split(".")
    return parts[1] if len(parts) > 1 and parts[0] == "pages" else ""


def users(all_sources: Sources) -> dict[Name, set[str]]:
    """The pages that use every public name of the lab."""
    return _users(tuple(all_sources.items()))


@cache
def _users(of: tuple[tuple[str, str], ...]) -> dict[Name, set[str]]:
    all_sources = dict(of)
    graph = references(all_sources)
    pages = {page_of(module) for module in all_sources} - {""}
    used_by: dict[Name, set[str]] = defaultdict(set)
    for module in all_sources:
        page = page_of(module)
        if not page and module != EVERYWHERE:
            continue
        pending = [name for name in graph if name.module == module]
        reached: set[Name] = set()
        while pending:
            for name in graph.get(pending.pop(), ()):
                if name not in reached:
                    reached.add(name)
                    pending.append(name)
        for name in reached:
            used_by[name] |= {page} if page else pages
    return used_by


def offences(all_sources: Sources) -> list[str]:
    """What breaks the law, a sentence each."""
    used_by = users(all_sources)
    sentences = []
    for module, text in all_sources.items():
        if not module.startswith(KIT):
            continue
        for name in dict.fromkeys(name for name, _ in top_level(ast.parse(text))):
            full = f"{module}.{name}"
            if not name or name.startswith("_") or ALLOWED.keys() & {full, module}:
                continue
            pages = used_by[Name(module, name)]
            if len(pages) < 2:
                sentences.append(f"{full} is used by {' and '.join(pages) or 'no page'}")
    return sentences


def test_the_kit_holds_the_law():
    found = sources(ROOT)
    faults = offences(found)
    assert not faults, "\n".join([*faults, "What serves one page moves to that page; see CONTRIBUTING.md, The house."])
    # What is allowed is there, and needs it.
    used_by = users(found)
    for full in ALLOWED:
        module, _, name = (full, "", "") if full in found else full.rpartition(".")
        names = {n for n, _ in top_level(ast.parse(found[module])) if n == name or (not name and not n.startswith("_"))}
        assert names, f"{full} does not exist"
        assert [n for n in names if len(used_by[Name(module, n)]) < 2], f"{full} is no longer an exception"


SHARED_MODULE = "def figure(): ...\n\ndef chart():\n    return figure()\n\n_private = 1\n"


def test_a_name_that_serves_one_page_breaks_it():
    pages = {
        "lab.kit.figures.display": SHARED_MODULE,
        "pages.heads.page": "from lab.kit.figures import display\ndisplay.chart()",
    }
    assert offences(pages) == [
        "lab.kit.figures.display.figure is used by heads",
        "lab.kit.figures.display.chart is used by heads",
    ]


def test_a_name_that_nobody_uses_breaks_it():
    assert offences({"lab.kit.figures.display": "LIMIT = 3", "pages.heads.page": ""}) == [
        "lab.kit.figures.display.LIMIT is used by no page"
    ]


def test_use_through_another_name_of_shared_counts():
    pages = {
        "lab.kit.figures.display": SHARED_MODULE,
        "pages.heads.page": "from lab.kit.figures import display\ndisplay.chart()",
        "pages.masks.paint": "from lab.kit.figures.display import figure as f\ndef draw():\n    f()",
    }
    assert offences(pages) == ["lab.kit.figures.display.chart is used by heads"]
    pages["pages.masks.paint"] = "def draw():\n    from lab.kit.figures.display import chart\n    chart()"
    assert offences(pages) == []


def test_a_module_that_is_handed_on_counts_whole():
    pages = {
        "lab.kit.draw": "def one(): ...\ndef two(): ...",
        "pages.heads.page": "from lab.kit import draw\nvars(draw)",
        "pages.masks.page": "from lab.kit import draw\ndraw.one()",
    }
    assert offences(pages) == ["lab.kit.draw.two is used by heads"]


def test_two_modules_of_one_page_are_one_page():
    pages = {
        "lab.kit.figures.display": "def figure(): ...",
        "pages.heads.page": "from lab.kit.figures import display\ndisplay.figure()",
        "pages.heads.studies": "from lab.kit.figures import display\ndisplay.figure()",
    }
    assert offences(pages) == ["lab.kit.figures.display.figure is used by heads"]


def test_what_every_visit_runs_counts_for_all_pages():
    pages = {
        "app": "from lab.kit.catalogue import PAGES\nprint(PAGES)",
        "lab.kit.catalogue": "PAGES = ()",
        "pages.heads.page": "",
        "pages.masks.page": "",
    }
    assert offences(pages) == []
