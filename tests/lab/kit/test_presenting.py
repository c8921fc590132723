"""Presentation mode, as far as the server has a part in it; the rest is in tests/browser/test_presenting.py."""

import re
from pathlib import Path

from lab.kit import presenting
from tests.pages.driver import charts, press, values, visit

FRAME = Path(presenting.__file__).parents[1] / "frame"
ENLARGED = 1.6  # times the type of the page


def test_a_link_opens_it_with_figures_that_fit_and_ways_to_the_other_views() -> None:
    at = visit("blocks", blocks_part="Ablation", blocks_look="Size of the stream", present=1)
    assert {chart["layout"]["height"] for chart in charts(at)} == {presenting.TALLEST}
    at = press(at, "present-forward")
    assert values(at)["blocks_part"] == "Modern blocks"
    for _ in range(3):
        at = press(at, "present-back")
    assert values(at)["blocks_part"] == "One layer"
    assert not [button for button in at.button if button.key == "present-back"], "it is the first view"
    at = press(at, "present-leave")
    assert "present" not in at.query_params
    assert not [button for button in at.button if str(button.key).startswith("present-")]


def test_the_type_is_as_large_in_script_and_style() -> None:
    """A figure's smallest text, 12.5 pixels, is 20 then."""
    script, style = ((FRAME / f"present.{kind}").read_text() for kind in ("js", "css"))
    assert f"LARGEST = {ENLARGED}" in script
    assert re.search(r"font-size: (\d+)px !important", style)[1] == str(round(15 * ENLARGED))
    assert 12.5 * ENLARGED >= 20
