"""Two benches: the settings of a page are pinned as A, and B is what its controls say now.

A page asks for its settings with `ask`, and calls `side_by_side` with what makes the numbers of its figure out of them.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import streamlit as st

from pages.kit import pins, session, show
from pages.kit.components.attention_view import Selection
from pages.kit.figures import benches as figures
from pages.kit.figures.benches import Curves, Numbers, Sheet

MOST_CELLS = 20_000_000  # of all heads of one side, which are held at once to be compared
MOST_DRAWN = 120_000


@dataclass(frozen=True)
class Bench:
    """What the controls say now, and how to ask them again."""

    now: Any
    read: Callable[[list[str]], Any]
    reading: pins.Reading

    def also(self, read: Callable[[list[str]], Any], say: list[str]) -> "Bench":
        """The same settings and some more, which stand elsewhere on the page."""
        more = ask(read, say)
        together = pins.Reading(settings=self.reading.settings | more.reading.settings)
        return Bench((self.now, more.now), lambda say: (self.read(say), read(say)), together)


def ask(read: Callable[[list[str]], Any], say: list[str]) -> Bench:
    """The settings of a page. read(say) draws its controls and returns what they say; it is called again for A.

    Containers for controls are made with pins.place, so that A's leave no trace on the page.
    """
    with pins.reading() as found:
        now = read(say)
    return Bench(now, read, found)


def pin(bench: Bench) -> Any:
    """The button that pins the present settings, or takes A away; A's settings, with what differs said above them.

    None while nothing is pinned. A stands in the link, so a link restores both.
    """
    pinned = st.query_params.get("a")
    if pinned is None:
        st.button(
            "Pin this as A, then change something",
            icon=":material/compare:",
            on_click=lambda: st.query_params.update(a=pins.packed(bench.reading)),
            key="pin",
        )
        return None
    with pins.reading(pinned) as found:
        a = bench.read([])
    with st.container(horizontal=True, vertical_alignment="center", gap="medium", key="bench-row"):
        st.button("Take A away", icon=":material/close:", on_click=lambda: st.query_params.pop("a", None), key="unpin")
        said = filter(None, [pins.differences(found, bench.reading), found.complaint])
        st.container(key="bench-said", width="stretch").text("\n".join(said))
    return a


def side_by_side(bench: Bench, numbers: Callable[[Any], Numbers | None], what: str) -> None:
    """A and B in one range, and B − A. numbers(settings) is what is compared, None without a word to show; `what`
    names it."""
    a = pin(bench)
    if a is None:
        return
    sides = [numbers(settings) for settings in (a, bench.now)]
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
            show.figure(figure, key=f"bench-{title}", alt=_alt(title, a, b))
    with columns[-1]:
        st.markdown("##### B − A")
        if why:
            st.markdown(why)
            return
        most = figures.most(figures.gap(a, b))
        show.figure(
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


def heads(a, b, chosen: Selection | None) -> None:
    """The chosen head of A and of B, their difference, and B − A of every head that both have. a, b: (sentence, model
    choice) each."""
    layer, head = (chosen.layer, chosen.head) if chosen else (0, 0)
    sizes, sides = [], []
    for letter, (sentence, choice) in (("A", a), ("B", b)):
        if not sentence.tokens:
            st.markdown(f"{letter} has no words to compare.")
            return
        L, H = choice.config.n_encoder_layers, choice.config.n_heads
        sizes.append((L, H))
        sides.append(_head(sentence.tokens, choice, layer, head) if layer < L and head < H else None)
    alone = _only_one(*sizes)
    if alone:
        st.markdown(alone)
    reach = _every_head(a, b, layer, head)
    what = f"layer {layer}, head {head}"
    if all(sides):
        draw(*sides, what, reach)
        return
    letter, side = ("A", sides[0]) if sides[0] else ("B", sides[1])
    other = "B" if letter == "A" else "A"
    st.markdown(f"##### {letter}: {what}")
    show.figure(figures.pair(side, side)[0], key=f"bench-{letter}", alt=_alt(letter, side, side))
    st.markdown(f"{other} has no {what}, so there is nothing to subtract. Choose a head above that both have.")


def _head(tokens, choice, layer: int, head: int) -> Sheet:
    weights, mask = session.one_head(choice.kind, choice.config, choice.seed, choice.mask, tokens, layer, head)
    return Sheet(weights, "weight", ("query", "key"), tokens, tokens, mask)


def _every_head(a, b, layer: int, head: int) -> float | None:
    """The small maps of all heads; where their colours end, None if there are no such maps."""
    (first, one), (second, other) = a, b
    T = len(first.tokens)
    if len(second.tokens) != T:
        return None
    L = max(c.config.n_encoder_layers for c in (one, other))
    H = max(c.config.n_heads for c in (one, other))
    if L * H * T * T > MOST_CELLS:
        st.markdown("All heads at once would be too many numbers to compare here. You see the chosen one.")
        return None
    sides = tuple((c.kind, c.config, c.seed, c.mask, s.tokens) for s, c in (a, b))
    differences, k, reach = session.heads_difference(*sides, MOST_DRAWN)
    st.markdown("##### B − A, every head that both have")
    L, H = differences.shape[:2]
    show.figure(
        figures.all_heads(differences, layer, head, reach or 1.0), key="bench-heads",
        alt=f"B minus A of {L * H} heads in small maps on one scale: at most {reach:.3g} either way.",
    )  # fmt: skip
    said = "No head differs: every difference is exactly 0." if reach == 0 else f"The largest change: {reach:.3g}."
    st.caption(said + (f" Each small cell is the largest change among {k} × {k}." if k > 1 else ""))
    return reach or 1.0


def _only_one(a: tuple[int, int], b: tuple[int, int]) -> str:
    """Which heads only one side has, in a sentence; sizes are (layers, heads)."""
    said = []
    for letter, mine, other in (("A", a, b), ("B", b, a)):
        more = [_range(name, o, m) for name, o, m in zip(("layer", "head"), other, mine, strict=True) if m > o]
        if more:
            said.append(f"Only {letter} has {' and '.join(more)}.")
    return " ".join(said)


def _range(name: str, start: int, end: int) -> str:
    return f"{name} {start}" if end - start == 1 else f"{name}s {start} to {end - 1}"
