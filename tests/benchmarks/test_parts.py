"""Every part of `make bench` still finds on the pages what it measures: each is taken once, in its smallest form."""

from collections.abc import Iterator
from contextlib import contextmanager
from math import isfinite

import pytest
from playwright.sync_api import Browser

from benchmarks import cost, memory, parts, rooms
from benchmarks.__main__ import ASKED, PARTS, Found, measure
from benchmarks.server import Server, serve
from benchmarks.size import Size
from benchmarks.table import goals_table, table
from tests.browser.chromium import launch
from tests.further import further

pytestmark = pytest.mark.slow
# What `make bench` has to meet, by the words that only its lines have; a smaller form has fewer of them.
WITH_GOALS = {
    "cold": ["cold: first paint", "cold: finished example, beyond"],
    "crowd": ["1 trains"],
    "memory": ["over all pages", "trainings"],
    "rooms": ["phones answer at once", "phones: memory"],
    "heavy": ["the most on the way", "largest model: memory", "slider, median"],
}


LONG = ("load", "within")  # they take as long as all others, and touch nothing that those do not


@pytest.fixture(scope="module")
def app() -> Iterator[Server]:
    with serve(parts.APP) as server:
        yield server


@pytest.fixture(scope="module")
def plain() -> Iterator[Server]:
    with serve(parts.BARE, parts.AS_USUAL) as server:
        yield server


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with launch() as browser:
        yield browser


@pytest.mark.wide
@pytest.mark.few(1)
@pytest.mark.parametrize("name", [*(part for part in PARTS if part not in LONG), *further(LONG, 0), *further(ASKED, 0)])
def test_a_part_measures_what_it_says(name: str, browser, app, plain, monkeypatch: pytest.MonkeyPatch):
    @contextmanager
    def shared(script: str, environment: object = None):
        """What is asked of a fresh server is asked of the one that runs: here nobody looks at the figures."""
        yield plain if script == parts.BARE else app

    for part in (cost, memory, parts, rooms):
        monkeypatch.setattr(part, "serve", shared)
    found = measure(name, Size.LEAST, browser, app, plain)
    assert found.lines or found.goals
    assert not [remark for remark in found.remarks if "error" in remark]
    assert all(time > 0 for line in found.lines for time in line.times)
    assert all(isfinite(goal.figure) for goal in found.goals)
    for words in WITH_GOALS.get(name, []):
        (goal,) = (goal for goal in found.goals if words in goal.what)
        assert goal.verdict
    if found.lines:
        assert table(found.lines, 100.0)
    if found.goals:
        assert goals_table(found.goals)


@pytest.mark.wide
def test_a_part_that_is_not_there_is_no_part(browser, app, plain):
    with pytest.raises(ValueError, match="there is no part 'nothing'"):
        measure("nothing", Size.LEAST, browser, app, plain)
    assert Found() == ((), (), (), ())
