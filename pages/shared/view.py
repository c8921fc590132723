"""A view: one question of a page, as a value. `render` draws the choice of views and the one that is open.

    VIEW = View("Shuffle", ask, compute, draw, question="Does the model notice?", comparison=Comparison(...))
    render([shuffle.VIEW, waves.VIEW], "pos_view")

One visit to a view: `ask` draws its controls and returns its settings, a NamedTuple; `compute` makes the numbers out of
them, cached in the page's data.py; `draw` puts figures and words on screen. Settings that are asked for can be asked
again of a link: that is how A | B works, with no line more in the view than its `comparison`.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

import streamlit as st

from pages.shared import compare, display, gate, settings
from pages.shared.compare_figures import Numbers

S = TypeVar("S")
R = TypeVar("R")


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
    """

    name: str
    ask: Callable[[], S | None]
    compute: Callable[[S], R]
    draw: Callable[[S, R], None]
    question: str = ""
    comparison: Comparison[S, R] | None = None
    layout: Callable[[], Mapping[str, Any]] = _nowhere
    height: int = 0


def render(
    views: Sequence[View],
    key: str,
    *,
    label: str = "View",
    row: Any = None,
    places: Mapping[str, Any] | None = None,
    **more: Any,
) -> None:
    """The choice of a view, and the view that is open. `more` goes to the switch.

    row     a container for the switch; the view can draw controls beside it, within settings.place_named("row"), and
            the notice on the switch stands with those of the view
    places  containers above the switch, for controls of the view, by name
    """
    with settings.collecting() as answers, row or nullcontext():
        view = _choose(views, key, label, more)
    if row is None:
        display.notice(*answers.notices)
        show(view, places=places)
    else:
        show(view, places={**(places or {}), "row": row}, notices=answers.notices)


def _choose(views: Sequence[View], key: str, label: str, more: dict[str, Any]) -> View:
    by_name = {view.name: view for view in views}
    more = {"label_visibility": "collapsed", **more}
    return by_name[settings.choose(st.segmented_control, label, key, by_name, views[0].name, **more)]


def show(view: View[S, R], *, places: Mapping[str, Any] | None = None, notices: Sequence[str] = ()) -> None:
    """One view: its question, its controls, notices, figures and words, and A | B.

    places   containers that the page has made, by name, beside those of the view's layout
    notices  what the page has to say above those of the view
    """
    if view.question:
        st.markdown(f"#### {view.question}")
    controls, notices_place = st.container(), st.container()  # what follows stands below them, whenever they are filled
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
        with gate.refusals_to(display.notice):
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
