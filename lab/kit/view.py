"""A view: one question of a page, as a value. `render` draws the choice of views and the one that is open.

    VIEW = View(ask, compute, draw, comparison=Comparison(...))    in pages/positions/shuffle.py
    Tab("shuffle", "Shuffle", "Does the model notice?")            in PAGE.views of pages/positions/page.py

One visit to a view: `ask` draws its controls and returns its settings, a NamedTuple; `compute` makes the numbers out of
them, cached in the page's data.py; `draw` puts figures and words on screen. Settings that are asked for can be asked
again of a link: that is how A | B works, with no line more in the view than its `comparison`. A view may have a subject
that its page hands over: the head that a study is about, the exhibit that is examined, the puzzle that is tried.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from functools import partial
from importlib import import_module
from typing import Any, Generic, NamedTuple, TypeVar

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from lab.hooks.dom import style
from lab.kit import compare, presenting, settings
from lab.kit.figures import display
from lab.kit.figures.compare_figures import Numbers
from lab.kit.page import Page, Tab
from lab.server import gate

S = TypeVar("S")
R = TypeVar("R")


NO_SUCH_VIEW = "this page has no view “{}”"


def _nowhere() -> Mapping[str, Any]:
    return {}


@dataclass(frozen=True)
class Comparison(Generic[S, R]):
    """What A | B compares: numbers(settings, result), None where there is nothing to compare; `title` names it.

    telling   keys of the settings in which A had best differ from B at first
    is_ready  settings -> whether their result is there, or soon is: A begins with no others
    """

    title: str | Callable[[S], str]
    numbers: Callable[[S, R], Numbers | None]
    telling: tuple[str, ...] = ()
    is_ready: Callable[[S], bool] = lambda _: True


@dataclass(frozen=True)
class View(Generic[S, R]):
    """One question of a page. What it is called stands in the page's PAGE.

    ask         draws the controls -> settings, or None where there is nothing to show (and a notice says why); a view
                with a subject is given it
    compute     settings -> result; not called without settings
    draw        puts the result on screen
    comparison  what A | B compares; None for a view without A | B
    layout      makes containers below the notices, by name: `ask` draws a control in one with settings.place_named,
                and `draw` finds them in `places()`
    height      pixels that are kept free while torch is loaded, in the container "picture" of the layout if it has one
    opens       (what the page shows at first) -> the subject with which the view opens, where nobody has chosen one;
                None for the page's own
    """

    ask: Callable[..., S | None]
    compute: Callable[[S], R]
    draw: Callable[[S, R], None]
    comparison: Comparison[S, R] | None = None
    layout: Callable[[], Mapping[str, Any]] = _nowhere
    height: int = 0
    opens: Callable[..., Any] | None = None


class Heading(NamedTuple):
    """The places of the question that a page answers, and of one line on what is seen there."""

    title: DeltaGenerator
    lede: DeltaGenerator

    def ask(self, tab: Tab) -> None:
        """What this view asks and shows, where that is not what its page does."""
        if tab.title:
            self.title.title(tab.title, anchor=False)
        if tab.lede:
            self.lede.markdown(tab.lede)


def heading(page: Page) -> Heading:
    """Draws the question of a page and its line; before them, the page's own style sheet.

    Returns their places, for `render`: views that ask or show something else say so there.
    """
    sheet = page.script.with_name("page.css")
    if sheet.exists():
        st.html(style(sheet))
    with st.container(key="heading"):
        places = Heading(st.empty(), st.empty())
    places.title.title(page.question, anchor=False)
    places.lede.markdown(page.lede)
    return places


def render(
    page: Page, *, head: Heading | None = None, label: str = "View", first: Callable[[Any], bool] | None = None
) -> bool:
    """A page: its heading, one line with the switch between its views and their settings, and the view that is open.

    head    the places of its heading, where that is drawn already
    first   asks in the line of the switch for what all views are about; False: there is nothing to show

    Returns whether the view is shown.
    """
    head = head or heading(page)
    tools = st.container(horizontal=True, vertical_alignment="center", gap="small", key="tool-line")
    with settings.collecting() as answers, tools:
        tab = choose(page, label)
    head.ask(tab)
    row = tools.container(horizontal=True, vertical_alignment="center", gap="small", key=f"row-{page.switch}")
    if first and not first(row):
        return False
    show(opened(page, tab), places={"row": row, "lede": head.lede}, notices=answers.notices)
    return True


def choose(page: Page, label: str) -> Tab:
    """The view that is open, and the switch between all; a page with one view has no switch."""
    if len(page.views) == 1:
        return page.views[0]
    names = [tab.name for tab in page.views]
    name = switch(label, page.switch, names, why=NO_SUCH_VIEW)
    presenting.views(names, name, page.switch)
    return page.view(name)


def opened(page: Page, tab: Tab) -> View:
    """What stands behind a tab; its module is imported now."""
    return import_module(f"{page.package}.{tab.module}").VIEW


def switch(label: str, key: str, names: Sequence[str], *, why: str) -> str:
    """The name that is chosen out of these, the first where none is.

    why  what is said of a name that is not there, with the name in its braces
    """
    with st.container(horizontal=True, vertical_alignment="center", gap="small", width="content", key=f"switch-{key}"):
        return settings.choose(
            st.segmented_control, label, key, names, names[0], why=why, label_visibility="collapsed", wrap=True
        )


def show(
    view: View[S, R], *, subject: Any = None, places: Mapping[str, Any] | None = None, notices: Sequence[str] = ()
) -> None:
    """One view: its controls, notices, figures and words, and A | B.

    subject  what it is about, where that is chosen elsewhere: `ask` is given it
    places   containers that the page has made, by name, beside those of the view's layout
    notices  what the page has to say above those of the view
    """
    ask = view.ask if subject is None else partial(view.ask, subject)
    # What follows stands below these, whenever they are filled; first what A | B compares, then the view itself.
    controls, notices_place, comparison_place = st.container(), st.container(), st.container()
    containers = {**view.layout(), **(places or {})}
    with settings.collecting(places=containers) as answers:
        with controls:
            wanted = ask()
        of_ask = replace(answers, settings=dict(answers.settings))  # what draw asks for is no part of A | B
        shown = None
        if wanted is not None:
            with gate.refusals_to(settings.notify):
                shown = wanted, _drawn(view, wanted)
    with notices_place:
        display.notice(*notices, *answers.notices)
    if view.comparison and shown is not None:
        with comparison_place, gate.refusals_to(display.notice):
            _compare(view, view.comparison, ask, of_ask, *shown)


def places() -> Mapping[str, Any]:
    """The containers that the layout of the open view has made."""
    answers = settings.current()
    return answers.places if answers else {}


def _drawn(view: View[S, R], wanted: S) -> R:
    """The result for these settings, once it is on screen."""
    picture = places().get("picture", nullcontext())
    with picture, display.loading(view.height) if view.height else nullcontext():
        result = view.compute(wanted)
    view.draw(wanted, result)
    return result


def _compare(
    view: View[S, R],
    comparison: Comparison[S, R],
    ask: Callable[[], S | None],
    answers: settings.Answers,
    wanted: S,
    result: R,
) -> None:
    """A and B side by side. A's settings come from the same `ask`, its result from the same `compute`."""

    def numbers(side: S | None) -> Numbers | None:
        if side is None:
            return None
        return comparison.numbers(side, result if side is wanted else view.compute(side))

    title = comparison.title if isinstance(comparison.title, str) else comparison.title(wanted)
    current = compare.Current(wanted, ask, answers)
    compare.side_by_side(current, numbers, title, telling=comparison.telling, is_ready=comparison.is_ready)
