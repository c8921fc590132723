"""The index of views that the search knows, and where it comes from: the views that the pages' scripts list, the
exhibits of /bugs.

python -m tests.pages.view_index      # writes lab/kit/view_index.json anew, after a view was added or renamed
"""

import ast
import json
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

from lab.kit.catalogue import PAGES
from lab.kit.view import View
from pages.bugs.cases import CASES
from pages.bugs.museum import EXHIBIT

ROOT = Path(__file__).parents[2]
STORED = ROOT / "lab/kit/view_index.json"


def views_of(script: Path) -> Iterator[tuple[str, View]]:
    """(key, view) of the views that a page's script gives to `render`."""
    package = ".".join(script.parent.relative_to(ROOT).parts)
    tree = ast.parse(script.read_text())
    lists = {
        target.id: node.value
        for node in tree.body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }

    def modules(part: ast.AST) -> Iterator[str]:
        """Where the views of an expression come from, in their order; a list that has a name is looked into."""
        if isinstance(part, ast.Attribute) and part.attr == "VIEW" and isinstance(part.value, ast.Name):
            yield part.value.id
        elif isinstance(part, ast.Name) and part.id in lists:
            yield from modules(lists[part.id])
        else:
            for child in ast.iter_child_nodes(part):
                yield from modules(child)

    for call in ast.walk(tree):
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "render":
            views, key = call.args
            assert isinstance(key, ast.Constant)
            for name in modules(views):
                yield str(key.value), import_module(f"{package}.{name}").VIEW


def plain(markdown: str) -> str:
    """A question without its colours and signs of emphasis."""
    return re.sub(r":\w+\[(.*?)\]|[*`$]", r"\1", markdown)


# What pages show one of that is no view of the kind above.
BESIDE = {
    "bugs": [{"key": EXHIBIT, "name": title, "question": "What is wrong?"} for title in CASES],
}


def index() -> list[dict[str, str]]:
    """Every view of every page: page, key, name and question."""
    entries = []
    for page in PAGES:
        listed: dict[str, tuple[str, View]] = {}
        for key, view in views_of(page.script):
            listed.setdefault(view.name, (key, view))
        for name, (key, view) in listed.items():
            entries.append({"page": page.url, "key": key, "name": name, "question": plain(view.question or view.asks)})
        entries += [{"page": page.url, **entry} for entry in BESIDE.get(page.url, ())]
    return entries


def text() -> str:
    """The index as it is stored, an entry per line."""
    lines = ",\n".join(json.dumps(entry, ensure_ascii=False) for entry in index())
    return f"[\n{lines}\n]\n"


if __name__ == "__main__":
    STORED.write_text(text(), encoding="utf-8")
