"""Two benches: the settings of a page are pinned as A, and B is what its controls say now.

A page asks for its settings with `ask`, and calls `side_by_side` with what makes the numbers of its figure out of them.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import streamlit as st

from pages.shared import compare_figures as figures
from pages.shared import display, settings
from pages.shared.compare_figures import Curves, Numbers

MOST_CELLS = 20_000_000  # of all heads of one side, which are held at once to be compared
MOST_DRAWN = 120_000


@dataclass(frozen=True)
class Current:
    """What the controls of a view say now (B), how to ask them again (for A), and their answers."""

    now: Any
    again: Callable[[], Any]
    answers: settings.Answers


@dataclass(frozen=True)
class Bench:
    """What the controls say now, and how to ask them again."""

    now: Any
    read: Callable[[list[str]], Any]
    reading: settings.Answers

    @property
    def answers(self) -> settings.Answers:
        return self.reading

    def again(self) -> Any:
        return self.read([])

    def also(self, read: Callable[[list[str]], Any], say: list[str]) -> "Bench":
        """The same settings and some more, which stand elsewhere on the page."""
        more = ask(read, say)
        together = settings.Answers(settings=self.reading.settings | more.reading.settings)
        return Bench((self.now, more.now), lambda say: (self.read(say), read(say)), together)


def ask(read: Callable[[list[str]], Any], say: list[str]) -> Bench:
    """The settings of a page. read(say) draws its controls and returns what they say; it is called again for A.

    Containers for controls are made with settings.place, so that A's leave no trace on the page.
    """
    with settings.collecting() as found:
        now = read(say)
    return Bench(now, read, found)


def pin(current: Current | Bench) -> Any:
    """The button that pins the present settings, or takes A away; A's settings, with what differs said above them.

    None while nothing is pinned. A stands in the link, so a link restores both.
    """
    pinned = st.query_params.get("a")
    if pinned is None:
        st.button(
            "Pin this as A, then change something",
            icon=":material/compare:",
            on_click=lambda: st.query_params.update(a=settings.packed(current.answers)),
            key="pin",
        )
        return None
    with settings.collecting(pinned) as found:
        a = current.again()
    with st.container(horizontal=True, vertical_alignment="center", gap="medium", key="bench-row"):
        st.button("Take A away", icon=":material/close:", on_click=lambda: st.query_params.pop("a", None), key="unpin")
        said = filter(None, [settings.differences(found, current.answers), found.complaint])
        st.container(key="bench-said", width="stretch").text("\n".join(said))
    return a


def side_by_side(current: Current | Bench, numbers: Callable[[Any], Numbers | None], what: str) -> None:
    """A and B in one range, and B − A. numbers(settings) is what is compared, None without a word to show; `what`
    names it."""
    is_pinned = "a" in st.query_params
    a = pin(current)
    if not is_pinned:
        return
    sides = [numbers(settings) for settings in (a, current.now)]
    for letter, side in zip("AB", sides, strict=True):
        if side is None:
            st.markdown(f"{letter} has no words to compare.")
            return
    draw(*sides, what)


def draw(a: Numbers, b: Numbers, what: str, reach: float | None = None) -> None:
    """The figures of both sides and of their difference, or why there is none; reach: where its colours end."""
    drawn = figures.pair(a, b)
    why = figures.apart(a, b)
    columns = st.columns(len(drawn) + 1, gap="medium")
    titles = ("A and B",) if len(drawn) == 1 else ("A", "B")
    for place, title, figure in zip(columns, titles, drawn, strict=False):
        with place:
            st.markdown(f"##### {title}: {what}")
            display.figure(figure, key=f"bench-{title}", alt=_alt(title, a, b))
    with columns[-1]:
        st.markdown("##### B − A")
        if why:
            st.markdown(why)
            return
        most = figures.most(figures.gap(a, b))
        display.figure(
            figures.difference(a, b, reach), key="bench-difference", alt=f"B minus A: at most {most:.3g} either way."
        )
        unit = " powers of ten" if isinstance(a, Curves) and a.log else ""
        changed = f"The largest change: {most:.3g}{unit}."
        st.caption("Nothing differs: the difference is exactly 0." if most == 0 else changed)


def _alt(title: str, a: Numbers, b: Numbers) -> str:
    if isinstance(a, Curves):
        return f"{b.axes[1]} by {b.axes[0]}: A dashed, B solid."
    side = a if title == "A" else b
    return f"{title}: {side.name}, up to {figures.most(side.values):.3g}, in colours that A and B share."


# ---- the page on heads: every head at once ---------------------------------------------------------------------
