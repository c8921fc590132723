"""A | B: A is pinned in the link, at first the settings of a view but for one; B is what its controls say now.

What A differs in at first is one thing, and B − A is a picture: of the contrasts that a view offers, the first is taken
from which B can be subtracted. Where there is none, A begins as B.

A view asks for its settings in one function, which can be replayed from the link; what A | B compares is a function of
them. `side_by_side` draws both sides in one range, and B − A.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, nullcontext
from contextvars import ContextVar
from dataclasses import dataclass
from itertools import islice
from typing import Any, Generic, NamedTuple, TypeVar
from urllib.parse import urlencode

import streamlit as st

from lab.kit import settings
from lab.kit.contrasts import contrasts, differences, following
from lab.kit.figures import compare_figures, display
from lab.kit.figures.compare_figures import Curves, Numbers, Sheet, Tiles
from lab.kit.words import at_most, is_rounding

settings.share("compare_as")

S = TypeVar("S")

# What A differs in at first, the most telling first: a model before its training, other positions or numbers.
TELLING = ("state", "positions", "base", "seed")
MAX_TRIED = 6  # of them
SHOWN = ("side by side", "A", "B", "B − A", "A and B by turns")  # compare.css knows their order
_OTHERS = "_compare_others"  # in st.session_state, once Compare was pressed: that A, and what else to try


@dataclass(frozen=True)
class Current(Generic[S]):
    """The settings of a view as its controls have them (B), how to ask for them again (for A), and all answers."""

    now: S
    again: Callable[[], S | None]
    answers: settings.Answers


class Pinned(NamedTuple, Generic[S]):
    """The settings that the link pins as A; None where there is nothing to show with them."""

    settings: S | None


def pin(
    current: Current[S],
    fits: Callable[[S], bool] = lambda _: True,
    *,
    telling: tuple[str, ...] = (),
    first: Iterable[settings.Answers] = (),
) -> Pinned[S] | None:
    """Draw the button that pins A, or the one that takes it away; and here, what differs.

    The button stands in the top bar (see `button_in`). A begins as the present settings but for one, the first that
    `fits`: what the view itself proposes (`first`), then the settings with the keys `telling` and those of `TELLING`.
    -> A's settings; None while nothing is pinned. A stands in the link, so a link restores both sides.
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
                args=(current.answers, telling, tuple(first)),
                key="pin",
            )
        else:
            st.button("Stop comparing", icon=":material/close:", type="tertiary", on_click=_take_away, key="unpin")
    _button_place.set(None)
    if pinned is None:
        return None
    begun, *others = st.session_state.pop(_OTHERS, [None])
    if begun == pinned:
        pinned = _first_that_fits(current, (pinned, *others), fits)
        st.query_params["a"] = pinned
    with settings.collecting(pinned) as answers:
        a = current.again()
    sentences = filter(None, [differences(answers, current.answers), answers.complaint])
    st.container(key="bench-said").text("\n".join(sentences))
    return Pinned(a)


def _first_that_fits(current: Current[S], texts: Iterable[str], fits: Callable[[S], bool]) -> str:
    """The first of these A's that fits; B itself where none does."""
    for text in texts:
        alone = _but_for_one(current, text)
        with settings.collecting(alone):
            a = current.again()
        if a is not None and fits(a):
            return alone
    return settings.packed(current.answers)


def _but_for_one(current: Current, text: str) -> str:
    """The same A, in which nothing differs from B only because its default follows from what differs."""
    with settings.collecting(text) as answers:
        current.again()
    follow = {key: str(current.answers.settings[key].value) for key in following(answers, current.answers)}
    if not follow:
        return text
    alone = "&".join(filter(None, ("" if text == settings.ALL_DEFAULTS else text, urlencode(follow))))
    with settings.collecting(alone) as answers:
        current.again()
    return text if answers.refused else alone


@contextmanager
def button_in(place: Any) -> Iterator[None]:
    """Whatever can be compared within has its button in this place; where nothing can, there is none."""
    _button_place.set(place)
    yield
    _button_place.set(None)


_button_place: ContextVar[Any | None] = ContextVar("button_place", default=None)


def _begin(answers: settings.Answers, telling: tuple[str, ...], first: tuple[settings.Answers, ...]) -> None:
    """Pin the most telling contrast, and keep some others in case that it does not fit here."""
    tried = islice(contrasts(answers, (*telling, *TELLING)), MAX_TRIED)
    texts = [settings.packed(other) for other in (*first[:MAX_TRIED], *tried)] or [settings.packed(answers)]
    st.session_state[_OTHERS], st.query_params["a"] = texts, texts[0]


def _take_away() -> None:
    st.query_params.pop("a", None)


def side_by_side(
    current: Current[S],
    numbers: Callable[[Any], Numbers | None],
    title: str,
    *,
    telling: tuple[str, ...] = (),
    is_ready: Callable[[S], bool] = lambda _: True,
) -> None:
    """Draw the pin and, once A is pinned, A and B in one range and B − A.

    numbers(settings) is what is compared, None without a word to show; `title` names it. telling, is_ready: see
    lab.kit.view.Comparison
    """

    def fits(wanted: S) -> bool:
        if not is_ready(wanted):
            return False
        a, b = numbers(wanted), numbers(current.now)
        if a is None or b is None or type(a) is not type(b) or a.mismatch(b):
            return False
        return not is_rounding(compare_figures.largest(a.change(b)))

    pinned = pin(current, fits, telling=telling)
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
    with st.container(key="comparison"):
        _draw(a, b, title, limit)


def _draw(a: Numbers, b: Numbers, title: str, limit: float | None) -> None:
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
