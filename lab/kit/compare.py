"""A | B: A is pinned in the link, at first the settings of a view but for one; B is what its controls say now.

A view asks for its settings in one function, which can be replayed from the link; what A | B compares is a function of
them. `side_by_side` draws both sides in one range, and B − A.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from contextvars import ContextVar
from dataclasses import dataclass
from itertools import islice
from typing import Any, Generic, NamedTuple, TypeVar

import streamlit as st

from lab.kit import settings
from lab.kit.figures import compare_figures, display
from lab.kit.figures.compare_figures import Curves, Numbers, Sheet, Tiles
from lab.kit.words import at_most, is_rounding

settings.share("compare_as")

S = TypeVar("S")

# What A differs in at first, the most telling first: a model before its training, other positions or numbers.
TELLING = ("state", "positions", "base", "seed")
MAX_TRIED = 6  # of them
SHOWN = ("side by side", "A", "B", "B − A", "A and B by turns")  # compare.css knows their order
_OTHERS = "_compare_others"  # in st.session_state: what else to try once Compare was pressed


@dataclass(frozen=True)
class Current(Generic[S]):
    """The settings of a view as its controls have them (B), how to ask for them again (for A), and all answers."""

    now: S
    again: Callable[[], S | None]
    answers: settings.Answers


class Pinned(NamedTuple, Generic[S]):
    """The settings that the link pins as A; None where there is nothing to show with them."""

    settings: S | None


def pin(current: Current[S], differs: Callable[[S | None], bool] = lambda _: True) -> Pinned[S] | None:
    """Draw the button that pins A, or the one that takes it away; and here, what differs.

    The button stands in the top bar (see `button_in`). A begins as the present settings but for one (`TELLING`), the
    first with which it `differs` from B. -> A's settings; None while nothing is pinned. A stands in the link, so a link
    restores both sides.
    """
    pinned = st.query_params.get("a")
    with _button_place.get() or nullcontext():
        if pinned is None:
            st.button(
                "Compare",
                icon=":material/compare:",
                type="tertiary",
                help="What you see is B, beside an A that differs in one thing. Change anything: A stays as it is.",
                on_click=_begin,
                args=(current.answers,),
                key="pin",
            )
        else:
            st.button("Stop comparing", icon=":material/close:", type="tertiary", on_click=_take_away, key="unpin")
    _button_place.set(None)
    if pinned is None:
        return None
    for text in (pinned, *st.session_state.pop(_OTHERS, ())):
        with settings.collecting(text) as answers:
            a = current.again()
        if differs(a):
            st.query_params["a"] = text
            break
    sentences = filter(None, [settings.differences(answers, current.answers), answers.complaint])
    st.container(key="bench-said").text("\n".join(sentences))
    return Pinned(a)


@contextmanager
def button_in(place: Any) -> Iterator[None]:
    """Whatever can be compared within has its button in this place; where nothing can, there is none."""
    _button_place.set(place)
    yield
    _button_place.set(None)


_button_place: ContextVar[Any | None] = ContextVar("button_place", default=None)


def _begin(answers: settings.Answers) -> None:
    """Pin the most telling contrast, and keep some others in case that it makes no difference here."""
    others = [settings.packed(other) for other in islice(settings.contrasts(answers, TELLING), MAX_TRIED)]
    st.query_params["a"], *st.session_state[_OTHERS] = others or [settings.packed(answers)]


def _take_away() -> None:
    st.query_params.pop("a", None)


def side_by_side(current: Current[S], numbers: Callable[[Any], Numbers | None], title: str) -> None:
    """Draw the pin and, once A is pinned, A and B in one range and B − A.

    numbers(settings) is what is compared, None without a word to show; `title` names it.
    """

    def differs(settings_of_a: S | None) -> bool:
        a, b = numbers(settings_of_a), numbers(current.now)
        return a is None or b is None or bool(a.mismatch(b)) or compare_figures.largest(a.change(b)) > 0

    pinned = pin(current, differs if _OTHERS in st.session_state else lambda _: True)
    if pinned is None:
        return
    a, b = numbers(pinned.settings), numbers(current.now)
    if a is None or b is None:
        st.markdown(f"{'A' if a is None else 'B'} has no words to compare.")
        return
    draw(a, b, title)


def draw(a: Numbers, b: Numbers, title: str, limit: float | None = None) -> None:
    """Draw both sides and their difference, or why there is none. limit: where the difference's colours end.

    All three are always there. Where their cells are the same, one can lay them over each other, and look at one at a
    time or at A and B by turns: compare.css does that, and a change of the choice costs no figure.
    """
    pair = a.pair(b)
    reason = a.mismatch(b)
    if len(pair) == 2 and not reason:
        st.segmented_control(
            "Show A and B",
            SHOWN,
            default=SHOWN[0],
            required=True,
            key="compare_as",
            bind="query-params",
            label_visibility="collapsed",
        )
    columns = st.container(key="bench").columns(len(pair) + 1, gap="medium")
    sides = ("A and B",) if len(pair) == 1 else ("A", "B")
    for column, side, figure in zip(columns, sides, pair, strict=False):
        with column:
            st.markdown(f"**{side}: {title}**")
            display.figure(figure, key=f"bench-{side}", alt=alt_text(side, a, b))
    with columns[-1]:
        st.markdown("**B − A**")
        if reason:
            st.markdown(reason)
            return
        largest = compare_figures.largest(a.change(b))
        unit = " powers of ten" if isinstance(a, Curves) and a.log and not is_rounding(largest) else ""
        differ = f"They differ by {at_most(largest)}{unit}."
        display.figure(a.difference(b, limit), key="bench-difference", alt=f"B minus A. {differ}")
        st.caption(differ)


def alt_text(name: str, a: Numbers, b: Numbers) -> str:
    if isinstance(b, Curves):
        return f"{b.axes[1]} by {b.axes[0]}: A dashed, B solid."
    side: Sheet | Tiles | Curves = a if name == "A" else b
    assert not isinstance(side, Curves)
    return f"{name}: {side.name}, up to {compare_figures.largest(side.values):.3g}, in colours that A and B share."
