"""Brackets in code: which opening bracket does each closing one look at, in any code that is typed?"""

from collections.abc import Mapping
from typing import Any, NamedTuple

import streamlit as st

from lab.kit import questions, settings, teaching
from lab.kit.figures import display
from lab.kit.texts import passages
from lab.kit.view import View, places
from lab.kit.words import as_chance, counted
from pages.beyond import data, limits, others
from pages.beyond.components.code_brackets import code_brackets

CODE, EXAMPLE = "beyond_code", "_beyond_example"  # in the address; in the session
EXAMPLES = {
    "A condition": """\
if (shop.has(hat)) {
  return price(hat) + tax(hat);
}""",
    "JavaScript": """\
function best(list, key) {
  const all = list.map((one) => Number(one[key]));
  return { key, most: Math.max(...all) };
}""",
    "Python": """\
def area(points):
    total = 0
    for i, (x, y) in enumerate(points):
        u, v = points[(i + 1) % len(points)]
        total += x * v - u * y
    return abs(total) / 2""",
    "JSON": """\
{ "name": "Mia :(", "found": [{ "what": "ball", "where": ["park", "bench"] }],
  "lost": [], "score": { "sum": [3, [4, 5]] } }""",
    "C, with a mistake": """\
int largest(int *a, int n) {
  int best = a[0];
  for (int i = 1; i < n; i++) {
    if (a[i] > best) { best = a[i); }
  }
  return best;
}""",
}
BEST = "the best head"


class Settings(NamedTuple):
    """limits: what is asked in the fold of harder code, None while it is closed."""

    code: str
    head: tuple[int, int]
    limits: limits.Settings | None


def layout() -> Mapping[str, Any]:
    picture, words = st.container(), display.prose()
    fold = st.expander("Where it fails: harder and harder code", key=limits.OPEN, bind="query-params")
    return {"picture": picture, "words": words, "limits": fold, "others": display.prose()}


def ask() -> Settings | None:
    with settings.place_named("row"):
        code = _ask_code()
        with settings.line():
            names = {f"layer {layer}, head {head}": (layer, head) for layer, head in data.heads()}
            name = settings.choose(
                st.selectbox, "Head", "head", (BEST, *names), BEST, chip="{}", why="this model has no {}"
            )
    shown = code[: data.MAX_LETTERS]
    if len(code) > len(shown):
        settings.notify(f"The first {len(shown):,} letters are read; {len(code) - len(shown):,} more are left out.")
    pieces = data.pieces(shown)
    if len(pieces) > data.MAX_TOKENS:
        settings.notify(
            f"The first {data.MAX_TOKENS} tokens are read; {len(pieces) - data.MAX_TOKENS:,} more are left out."
        )
    elif len(pieces) > data.trained_length():
        settings.notify(
            f"These are {len(pieces)} tokens, and the model was trained on beginnings of at most "
            f"{data.trained_length()}: what comes later is new to it."
        )
    if not any(piece.token in ")]}" for piece in pieces[: data.MAX_TOKENS]):
        settings.notify("There is no closing bracket to look at yet. Type some code with ( ), [ ] or { }.")
        return None
    of_limits = None
    if st.session_state.get(limits.OPEN):
        with settings.place_named("limits"):
            of_limits = limits.ask()
    return Settings(shown, names.get(name) or data.measured().heads.best, of_limits)


def _ask_code() -> str:
    """A menu of examples, and a box for a visitor's own code, which the link carries."""
    first = next(iter(EXAMPLES.values()))
    st.menu_button("Examples", tuple(EXAMPLES), key=EXAMPLE, on_click=_take_example)
    with st.popover("Type your own code", icon=":material/edit:", key="beyond-code"):
        code = st.text_area(
            "Code in any language",
            first,
            key=CODE,
            bind="query-params",
            height=150,
            width=520,
            help="Brackets between quotation marks count as text.",
        )
        st.caption("**Ctrl + Enter** (on a Mac **⌘ + Enter**) draws it. Press outside of this box to see it.")
    return code or ""


def _take_example() -> None:
    st.session_state[CODE] = EXAMPLES[st.session_state[EXAMPLE]]


def draw(s: Settings, result: data.Read) -> None:
    with places()["picture"]:
        code_brackets(result.payload, key="brackets")
    with places()["words"]:
        _explain(s, result)
    if s.limits:
        with places()["limits"]:
            limits.draw(s.limits, data.measured())
    with places()["others"]:
        others.draw()


def _explain(s: Settings, result: data.Read) -> None:
    heads = data.measured().heads
    questions.ask("beyond-partner")
    st.markdown(_found(s, result))
    st.markdown(passages.of_page("beyond")["tokens"]["in code"])
    st.markdown(
        f"On {heads.n:,} closing brackets of new made-up code, this way of looking was measured: layer "
        f"{s.head[0]}, head {s.head[1]} looks most at the partner for **{as_chance(float(heads.shares[s.head]))}** "
        f"of them{'' if s.head == heads.best else f', the best head for {as_chance(heads.share)}'}. "
        f"{_best_offset(heads.offset, result.distance)} finds {as_chance(heads.baseline)}; a token chosen at random, "
        f"{as_chance(heads.chance)}. Head and offset were chosen on other texts."
    )
    teaching.code_expander("transformer/inspection/closing.py", "read", icon=None)


def _best_offset(offset: int, here: int) -> str:
    """The best fixed offset of other code, as a sentence begins with it. Row `at` wrote the bracket, so one column less
    is the token before it. here: the best distance in this code, which the button offers."""
    named = f"“{counted(1 - offset, 'token')} back”"
    is_other = here not in (0, 1 - offset)
    return f"There, another fixed offset is best: {named}" if is_other else f"The best fixed offset there, {named},"


def _found(s: Settings, result: data.Read) -> str:
    """What the head and the model did with this code, in Markdown."""
    n = len(result.closings)
    looks = (
        f"The best fixed distance, {counted(result.distance, 'token')} back, finds the partner of "
        f"**{result.n_fixed} of {n}** here. "
        if result.n_pairs and n > 1  # of a single one any head could
        else ""
    )
    wrong = [one for one in result.closings if one.expected != result.pieces[one.at].token]
    if not wrong:
        where = {1: "", 2: " at both of them"}.get(n, f" at all **{n}** of them")
        return looks + f"The model itself expects the right bracket{where}."
    first = wrong[0]
    line = s.code.count("\n", 0, result.pieces[first.at].start) + 1
    there = "" if n == 1 else f"The model expects what is there at **{n - len(wrong)} of {n}**. "
    return looks + (
        f"{there}Underlined: where it expects something else, {'first ' if len(wrong) > 1 else ''}"
        f"on line {line}: {display.plain(result.pieces[first.at].token)}, where it would write "
        f"{display.plain(first.expected)}."
    )


VIEW = View(ask, lambda s: data.read(s.code, s.head), draw, layout=layout, height=420)
