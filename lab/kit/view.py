"""A view: one question of a page, as a value. `render` draws the choice of views and the one that is open.

    VIEW = View("Shuffle", ask, compute, draw, question="Does the model notice?", comparison=Comparison(...))
    lede = heading("positions", "Attention alone does not know it: …")
    render([shuffle.VIEW, waves.VIEW], "pos_view", lede=lede)

One visit to a view: `ask` draws its controls and returns its settings, a NamedTuple; `compute` makes the numbers out of
them, cached in the page's data.py; `draw` puts figures and words on screen. Settings that are asked for can be asked
again of a link: that is how A | B works, with no line more in the view than its `comparison`.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from lab.kit import catalogue, compare, presenting, settings
from lab.kit.figures import display
from lab.kit.figures.compare_figures import Numbers
from lab.server import gate

S = TypeVar("S")
R = TypeVar("R")


NO_SUCH_VIEW = "this page has no view “{}”"


def _nowhere() -> Mapping[str, Any]:
    return {}


@dataclass(frozen=True)
class Comparison(Generic[S, R]):
    """What A | B compares: numbers(settings, result), None where there is nothing to compare; `title` names it."""

    title: str | Callable[[S], str]
    numbers: Callable[[S, R], Numbers | None]


@dataclass(frozen=True)
class View(Generic[S, R]):
    """One question of a page.

    name        on the switch between views, and in the link
    ask         draws the controls -> settings, or None where there is nothing to show (and a notice says why)
    compute     settings -> result; not called without settings
    draw        puts the result on screen
    question    its heading, in Markdown; "" for none
    comparison  what A | B compares; None for a view without A | B
    layout      makes containers below the notices, by name: `ask` draws a control in one with settings.place_named,
                and `draw` finds them in `places()`
    height      pixels that are kept free while torch is loaded, in the container "picture" of the layout if it has one
    asks        the question that it answers, for the search; "" where its heading or its name
                is that question
    lede        one line on what is seen here, in Markdown, below the question of the page; "" for the page's own line
    """

    name: str
    ask: Callable[[], S | None]
    compute: Callable[[S], R]
    draw: Callable[[S, R], None]
    question: str = ""
    comparison: Comparison[S, R] | None = None
    layout: Callable[[], Mapping[str, Any]] = _nowhere
    height: int = 0
    asks: str = ""
    lede: str = ""


def heading(url: str, lede: str) -> DeltaGenerator:
    """The question that the page at this path answers, and one line on what is seen there, in Markdown.

    Returns the place of that line, for `render`: views that show something else say so there.
    """
    with st.container(key="heading"):
        st.title(catalogue.page(url).question, anchor=False)
        place = st.empty()
    place.markdown(lede)
    return place


def render(
    views: Sequence[View],
    key: str,
    *,
    label: str = "View",
    lede: DeltaGenerator | None = None,
    places: Mapping[str, Any] | None = None,
) -> None:
    """The switch between views, and the view that is open, with a row for its settings in the place "row".

    views   those on the switch, four at most; the first is open where a link names none. A single view has no switch
    lede    the place of the line below the heading of the page
    places  containers above the switch, for controls of the view, by name
    """
    with settings.collecting() as answers:
        view = _choose(views, key, label)
    if lede is not None and view.lede:
        lede.markdown(view.lede)
    row = st.container(horizontal=True, vertical_alignment="bottom", gap="small", key=f"row-{key}")
    show(view, places={"row": row, **(places or {})}, notices=answers.notices)


def _choose(views: Sequence[View], key: str, label: str) -> View:
    by_name = {view.name: view for view in views}
    if len(by_name) == 1:
        return views[0]
    name = switch(label, key, list(by_name), why=NO_SUCH_VIEW)
    presenting.views(list(by_name), name, key)
    return by_name[name]


def switch(label: str, key: str, names: Sequence[str], *, why: str) -> str:
    """The name that is chosen out of these, the first where none is.

    why  what is said of a name that is not there, with the name in its braces
    """
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"switch-{key}"):
        return settings.choose(
            st.segmented_control, label, key, names, names[0], why=why, label_visibility="collapsed", wrap=True
        )


def show(view: View[S, R], *, places: Mapping[str, Any] | None = None, notices: Sequence[str] = ()) -> None:
    """One view: its question, its controls, notices, figures and words, and A | B.

    places   containers that the page has made, by name, beside those of the view's layout
    notices  what the page has to say above those of the view
    """
    # What follows stands below these, whenever they are filled; first what A | B compares, then the view itself.
    controls, notices_place, comparison_place = st.container(), st.container(), st.container()
    if view.question:
        with st.container(key=f"question-{view.name}"):
            st.markdown(f"## {view.question}")
    containers = {**view.layout(), **(places or {})}
    with settings.collecting(places=containers) as answers:
        with controls:
            wanted = view.ask()
        of_ask = replace(answers, settings=dict(answers.settings))  # what draw asks for is no part of A | B
        shown = None
        if wanted is not None:
            with gate.refusals_to(settings.notify):
                shown = wanted, _drawn(view, wanted)
    with notices_place:
        display.notice(*notices, *answers.notices)
    if view.comparison and shown is not None:
        with comparison_place, gate.refusals_to(display.notice):
            _compare(view, view.comparison, of_ask, *shown)


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


def _compare(view: View[S, R], comparison: Comparison[S, R], answers: settings.Answers, wanted: S, result: R) -> None:
    """A and B side by side. A's settings come from the same `ask`, its result from the same `compute`."""

    def numbers(side: S | None) -> Numbers | None:
        if side is None:
            return None
        return comparison.numbers(side, result if side is wanted else view.compute(side))

    title = comparison.title if isinstance(comparison.title, str) else comparison.title(wanted)
    compare.side_by_side(compare.Current(wanted, view.ask, answers), numbers, title)
