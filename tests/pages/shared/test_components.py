"""What all components share is written once: the palette, and the lines that write the address."""

import re
from pathlib import Path

import pytest

from pages.shared.components import HERE, script, style

ROOT = Path(__file__).parents[3]
# Found by themselves, so that a new component cannot escape the rules.
COMPONENTS = sorted({HERE, *(file.parent for file in ROOT.glob("pages/*/components/*/*.js"))})
SHARED = {HERE / "address.js", HERE / "palette.css"}
PALETTE = re.findall(r"--[a-z]+: var\(--st-[a-z-]+\);", (HERE / "palette.css").read_text())


def text_of(folder: Path, pattern: str) -> str:
    return "\n".join(file.read_text() for file in folder.glob(pattern) if file not in SHARED)


def test_every_component_is_found():
    assert len(COMPONENTS) == 13


def test_the_palette_has_every_colour_with_a_meaning():
    names = {line.split(":")[0] for line in PALETTE}
    assert {"--query", "--key", "--value", "--weight", "--negative", "--ink", "--ground"} <= names


@pytest.mark.parametrize("folder", COMPONENTS, ids=lambda folder: folder.name)
def test_no_component_repeats_the_palette_or_writes_the_address_itself(folder):
    css, js = text_of(folder, "*.css"), text_of(folder, "*.js")
    assert not [line for line in PALETTE if line in css]
    assert "replaceState" not in js
    assert "postMessage" not in js
    assert "function mirror(" not in js


def test_the_shared_lines_come_first():
    assert script(HERE / "view.js").startswith((HERE / "address.js").read_text())
    assert script(HERE / "view.js").endswith((HERE / "view.js").read_text())
    assert style(HERE / "view.css").startswith((HERE / "palette.css").read_text())
