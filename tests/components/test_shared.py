"""What all components share is written once: the palette, and the lines that write the address."""

import re
from pathlib import Path

import pytest

import pages.kit.components as kit

HERE = Path(kit.__file__).parent
SHARED = (
    "attention_steps", "attention_view", "clocks", "film", "lookup", "mask_brush", "model_map", "next_word", "shares",
    "shuffler", "threads", "token_strip",
)  # fmt: skip
PALETTE = re.findall(r"--[a-z]+: var\(--st-[a-z-]+\);", (HERE / "palette.css").read_text())


def test_the_palette_has_every_colour_with_a_meaning():
    named = {line.split(":")[0] for line in PALETTE}
    assert {"--query", "--key", "--value", "--weight", "--negative", "--ink", "--ground"} <= named


@pytest.mark.parametrize("name", SHARED)
def test_no_component_repeats_the_palette_or_writes_the_address_itself(name):
    style = "\n".join(file.read_text() for file in (HERE / name).glob("*.css"))
    script = "\n".join(file.read_text() for file in (HERE / name).glob("*.js"))
    assert not [line for line in PALETTE if line in style]
    assert "replaceState" not in script
    assert "postMessage" not in script


@pytest.mark.parametrize("name", SHARED)
def test_every_root_takes_the_palette(name):
    assert 'class="lab ' in (HERE / name / "__init__.py").read_text()


def test_what_is_shared_comes_first_and_is_defined_once():
    file = HERE / "lookup" / "lookup.js"
    joined = kit.script(file)
    assert joined.startswith((HERE / "address.js").read_text())
    assert joined.endswith(file.read_text())
    for name in SHARED:
        assert "function mirror(" not in "".join(file.read_text() for file in (HERE / name).glob("*.js"))
    assert kit.style(HERE / "lookup" / "lookup.css").startswith((HERE / "palette.css").read_text())
