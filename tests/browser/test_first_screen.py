"""The figure is the page: on the first screen of every view it stands at the top, takes most of the room, and has few
controls and words around it. test_look.py goes through all views on a laptop; here are the other screens, and how a
first screen is measured."""

import pytest

from lab.kit.catalogue import PAGES
from tests.browser.first_screen import LAPTOP, LARGE, PHONE, Law, measured
from tests.browser.test_look import Stop, opened, stops, went

ALL = [stop for page in PAGES for stop in stops(page.url)]
HALVES = [ALL[: len(ALL) // 2], ALL[len(ALL) // 2 :]]  # so that two browsers have about as much to do


@pytest.mark.parametrize("law", [LARGE, PHONE], ids=["large", "phone"])
@pytest.mark.parametrize("way", HALVES)
@pytest.mark.wide
def test_the_figure_is_the_first_screen_of_every_view(visit, server: str, law: Law, way: list[Stop]):
    page = visit(None, reduced_motion="reduce", viewport=law.screen).page
    faults: list[str] = []
    opened(page, server + way[0].link)
    for stop in way:
        went(page, server, stop)
        shown = measured(page)
        if broken := law.broken_by(shown, by=1):
            faults.append(f"{stop.link} falls short in {sorted(broken)}: {shown}")
    assert faults == []


SCREEN = """<body style="margin: 0">
<header data-testid="stHeader" style="position: fixed; height: 20px; width: 100%">bar <a href="/">link</a></header>
<svg style="position: absolute; left: 0; top: 120px; width: 600px; height: 300px"></svg>
<canvas style="position: absolute; left: 300px; top: 220px; width: 600px; height: 300px"></canvas>
<svg style="position: absolute; left: 1000px; top: 60px; width: 100px; height: 100px"></svg>
<div id="host" style="position: absolute; left: 0; top: 620px; width: 200px; height: 150px"></div>
<p style="position: absolute; left: 10px; top: 30px">Five words of a text</p>
<p style="position: absolute; left: 10px; top: 200px">on the figure <button>on it</button></p>
<p style="position: absolute; left: 10px; top: 900px">below the screen <button>there</button></p>
<p style="position: absolute; width: 1px; height: 1px; overflow: hidden">to be heard</p>
<p style="position: absolute; top: 30px; opacity: 0">not to be seen <button>nor this</button></p>
<div style="position: absolute; left: 700px; top: 80px">
  <span role="menubar"><i role="menuitem" tabindex="0">mia</i> <i role="menuitem" tabindex="-1">saw</i></span>
  <span role="toolbar"><button tabindex="0">one</button> <button tabindex="0">two</button></span>
  <input type="range">
</div>
</body>"""
SHADOW = """() => {
    document.querySelector('#host').attachShadow({ mode: 'open' }).innerHTML = `
        <div data-figure style="height: 150px"></div>
        <p style="position: fixed; left: 700px; top: 640px">in a shadow</p>`;
}"""


def test_figures_are_measured_as_one_sees_them(visit):
    page = visit(None, viewport=LAPTOP.screen).page
    page.set_content(SCREEN)
    page.evaluate(SHADOW)
    shown = measured(page)
    union = 2 * 600 * 300 - 300 * 200
    assert shown.top == 120
    assert shown.share == pytest.approx(100 * (union + 200 * 100) / (1280 * 700))
    assert shown.controls == 1 + 2 + 1  # the menu bar; a toolbar of two stops; the slider
    assert shown.words == 4 + 4 + 2  # one letter is no word
    assert LAPTOP.broken_by(shown, by=1) == {"share"}
    assert LAPTOP.broken_by(shown._replace(top=205), by=1) == {"share"}
    assert LAPTOP.broken_by(shown._replace(top=207, share=60, words=121)) == {"top", "words"}
