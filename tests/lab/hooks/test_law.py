"""The law of hooks: nobody but lab/hooks reaches into Streamlit, plotly, KaTeX or the browser's history."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from lab.hooks import dom

ROOT = Path(__file__).parents[3]
HOOKS = ROOT / "lab/hooks"
# What is written only by who reaches inside, by the ending of the file.
INSIDE = {
    ".css": r"data-testid|data-test-|\.st[A-Z]\w+|\.(?:js-plotly|katex|legendtext|svg-container|rc-overflow)",
    ".js": (
        r"data-testid|testScriptState|[.=]st[A-Z]\w+|js-plotly|katex|legendtext|svg-container"
        r"|pushState|PopStateEvent|observe\(document"
    ),
    ".py": (
        r"data-testid|data-test-|[.]st[A-Z][a-z]+[A-Z]|js-plotly|rc-overflow|\.katex"
        r"|streamlit\.(?:runtime|web|proto|elements|components|testing)|streamlit import runtime|get_instance\("
    ),
}


def files() -> Iterator[Path]:
    yield ROOT / "app.py"
    for folder in ("lab", "pages", "attention_view"):
        yield from (
            file for kind in INSIDE for file in (ROOT / folder).glob(f"**/*{kind}") if HOOKS not in file.parents
        )


def offences(name: str, text: str) -> list[str]:
    """The lines of a file that reach inside."""
    pattern = re.compile(INSIDE[Path(name).suffix])
    return [f"{name}:{n}: {line.strip()}" for n, line in enumerate(text.splitlines(), 1) if pattern.search(line)]


def test_nobody_else_reaches_inside():
    found = [line for file in files() for line in offences(str(file.relative_to(ROOT)), file.read_text())]
    assert not found, "\n".join([*found, "Give it a name in lab/hooks; see CONTRIBUTING.md, Upgrade Streamlit."])


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("a.css", '[data-testid="stMain"] p {'),
        ("a.css", ".stPlotlyChart {"),
        ("a.css", "p > .katex {"),
        ("a.js", 'document.querySelector("[data-testid=stApp]")'),
        ("a.js", 'node.matches(".stBidiComponent")'),
        ("a.js", 'history.pushState(null, "", address)'),
        ("a.js", 'window.dispatchEvent(new PopStateEvent("popstate"))'),
        ("a.py", "from streamlit.runtime.scriptrunner import get_script_run_ctx"),
        ("a.py", 'STYLE = """[data-testid="stHeader"] { display: none; }"""'),
    ],
)
def test_the_law_can_be_broken(name, line):
    assert offences(name, line) == [f"{name}:1: {line}"]


def test_every_place_has_a_name_and_a_sentence():
    hooks = dom.hooks()
    entries = re.findall(r"^  \w+: ", dom.FILE.read_text(), re.MULTILINE)
    assert len(entries) == len(hooks) > 50, "an entry of dom.js is written in a way that dom.py does not read"
    assert len({hook.selector for hook in hooks.values()}) == len(hooks), "two names for one place"
    assert not [hook for hook in hooks.values() if not hook.why.endswith(".")]


def test_every_name_is_used():
    text = "\n".join(file.read_text() for file in files())
    used = {*re.findall(r":--([a-z][a-z0-9-]*)", text), *map(_hyphened, re.findall(r"\bDOM\.(\w+)", text))}
    assert dom.hooks().keys() - used == set()
    assert used - dom.hooks().keys() == set()


def _hyphened(name: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z0-9])", "-", name).lower()


def test_sheets_have_selectors_for_names(tmp_path):
    file = tmp_path / "a.css"
    file.write_text(":--page > :--layout:--keyed, button:--primary:hover {\n  color: var(--ink);\n}\n")
    assert dom.style(file) == (
        "<style>[data-testid=stMainBlockContainer] > [data-testid=stLayoutWrapper][class*=st-key-],"
        " button[data-testid=stBaseButton-primary]:hover {\n  color: var(--ink);\n}\n</style>"
    )
    with pytest.raises(KeyError, match="nobody"):
        dom.sheet(":--nobody {}")


def test_sheets_of_pages_are_given_selectors():
    """Streamlit would send a path as it is, and browsers pass over what they do not understand."""
    assert not [file for file in files() if re.search(r"st\.html\((Path|HERE|sheet\))", file.read_text())]
