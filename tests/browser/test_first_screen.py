"""The figure is the page: on the first screen of every view it stands at the top, takes most of the room, and has few
controls and words around it."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import ViewportSize

from lab.kit.catalogue import PAGES
from tests.browser.first_screen import FirstScreen, measured
from tests.browser.test_look import Stop, opened, stops, went


class Law(NamedTuple):
    """The highest top, the least share, the most controls and words of a first screen; and how far from these it may be
    on either side, so that another machine's fonts do not decide: a control or a word more is no other page."""

    screen: ViewportSize
    limits: Mapping[str, float]

    def broken_by(self, shown: FirstScreen, *, by: float = 0) -> set[str]:
        """What falls short of the law by so many margins; with -1, also what holds it by less than one."""
        more = {name: getattr(shown, name) - limit for name, limit in self.limits.items()}
        return {name for name, over in more.items() if (-over if name == "share" else over) > by * MARGINS[name]}


MARGINS = {"top": 6, "share": 2, "controls": 1, "words": 6}
LAPTOP = Law({"width": 1280, "height": 720}, {"top": 200, "share": 55, "controls": 20, "words": 120})
LARGE = Law({"width": 1920, "height": 1080}, {"share": 60})
PHONE = Law({"width": 390, "height": 844}, {"top": 400})

# What falls short of the law, and in what. A view that holds it goes from here, and none is added.
SHORT: Mapping[str, dict[str, set[str]]] = {"laptop": {}, "large": {}, "phone": {}}
LAWS = {"laptop": LAPTOP, "large": LARGE, "phone": PHONE}

ALL = [stop for page in PAGES for stop in stops(page.url)]
FIRST = [stops(page.url)[0] for page in PAGES]
FURTHER = [stop for stop in ALL if stop not in FIRST]


def halves(way: list[Stop]) -> list[list[Stop]]:
    """So that two browsers have about as much to do."""
    return [way[: len(way) // 2], way[len(way) // 2 :]]


def wide(*values: Any) -> Any:
    return pytest.param(*values, marks=pytest.mark.wide)


@pytest.mark.parametrize(
    ("name", "way"),
    [
        *(("laptop", way) for way in halves(FIRST)),
        *(wide("laptop", way) for way in halves(FURTHER)),
        *(wide(name, way) for name in ("large", "phone") for way in halves(ALL)),
    ],
)
def test_the_figure_is_the_first_screen_of_every_view(visit, server: str, name: str, way: list[Stop]):
    law = LAWS[name]
    page = visit(None, reduced_motion="reduce", viewport=law.screen).page
    faults: list[str] = []
    opened(page, server + way[0].link)
    for stop in way:
        went(page, server, stop)
        shown, known = measured(page), SHORT[name].get(stop.link, set())
        if broken := law.broken_by(shown, by=1) - known:
            faults.append(f"{stop.link} falls short in {sorted(broken)}: {shown}")
        if held := known - law.broken_by(shown, by=-1):
            faults.append(f"{stop.link} holds {sorted(held)}, which SHORT says it does not: {shown}")
    assert faults == []


def test_what_falls_short_is_a_view():
    for name, short in SHORT.items():
        assert short.keys() <= {stop.link for stop in ALL}
        assert all(known and known <= LAWS[name].limits.keys() for known in short.values())


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
    assert LAPTOP.broken_by(shown._replace(top=205, share=56), by=-1) == {"top", "share"}
    assert LAPTOP.broken_by(shown._replace(top=207, share=60, words=121)) == {"top", "words"}
