"""A question to check oneself: its card, and what becomes of it when an answer is chosen.

The questions stand in pages/<page>/questions.md; lab/kit/texts/questions.py reads them.
"""

import secrets
from collections.abc import Callable, Mapping, Sequence
from html import escape
from random import Random
from typing import NamedTuple
from urllib.parse import urlencode

import streamlit as st

from lab.kit.texts.questions import Option, Question, of_page

# How many are solved, as dots: progress.js fills them in, in the reader's own browser.
DOTS = (
    '<p class="progress" data-page="{page}" data-noun="{noun}"><span class="dots" aria-hidden="true">{dots}</span>'
    " <span>{text}</span></p>"
)
_MAX_VIEW = 1500  # letters of what a link to a room says of the page
TryIt = Mapping[str, object] | Callable[[], None]


class _Tried(NamedTuple):
    """Which option was chosen first, which one last."""

    first: int
    last: int


def ask(key: str, /, *, try_it: TryIt | None = None, then: Callable[[], None] | None = None, **words: str) -> None:
    """Draw the question of this key, as pages/<page>/questions.md has it: see `check`.

    words  what fills the places {name} of its texts, by name: exactly those that are there
    """
    asked = of_page(key.partition("-")[0])[key]
    check(asked.filled(**words), key=key, try_it=try_it, then=then)


def check(question: Question, *, key: str, try_it: TryIt | None = None, then: Callable[[], None] | None = None) -> None:
    """Draw a question with its options; once one is chosen, the reply to it and what is right.

    The options stand in an order that is drawn once per session and question. A choice can be changed, but the first
    one counts: a hidden `<span data-check="key" data-state="open|right|wrong">` says so to scripts in the browser.

    key     the page's path, a hyphen and a name: unique and stable, since readers' browsers keep what was solved
    try_it  settings of the page, by their keys in the address, that the button "Try it" puts in place; or what it calls
    then    is called when an answer is chosen; the whole page runs after it
    """
    if sum(option.right for option in question.options) != 1:
        raise ValueError(f"the question {key} needs exactly one right answer")
    _card(question, key, try_it, then)


@st.fragment  # a choice changes this card, and mostly nothing else on the page
def _card(question: Question, key: str, try_it: TryIt | None, then: Callable[[], None] | None) -> None:
    answers = question.options
    tried = _tries().get(key)
    if st.session_state.pop("_just_chosen", None) == key and then:
        then()
        st.rerun()
    with st.container(border=True, key=f"check-{key}", gap="small"):
        st.html(_marker(key, tried, answers) + _class_door(key))
        st.markdown(f"**Check yourself.** {question.text}")
        with st.container(key=f"answers-{key}", gap=None):
            seed = st.session_state.setdefault("_kept_order_of_answers", secrets.randbits(32))
            for n in _order(seed, key, len(answers)):
                st.button(
                    answers[n].text,
                    key=f"{key}-{n}",
                    type="tertiary",
                    width="stretch",
                    wrap=True,
                    icon=_icon(n, tried, answers),
                    on_click=_choose,
                    args=(key, n),
                )
        with st.container(key=f"reply-{key}", gap="small"):
            if tried is None:
                return
            st.markdown(_reply(answers[tried.last], answers))
            if try_it and st.button(
                "Try it", key=f"try-{key}", icon=":material/play_arrow:", on_click=_put_in_place, args=(try_it,)
            ):
                st.rerun()  # the whole page


def _tries() -> dict[str, _Tried]:
    return st.session_state.setdefault("_kept_checks", {})


def _choose(key: str, n: int) -> None:
    before = _tries().get(key)
    _tries()[key] = _Tried(before.first if before else n, n)
    st.session_state["_just_chosen"] = key


def _order(seed: int, key: str, n: int) -> list[int]:
    """The n options of a question in the order that a session with this seed sees them in."""
    return Random(f"{seed} {key}").sample(range(n), n)


def _marker(key: str, tried: _Tried | None, answers: Sequence[Option]) -> str:
    state = "open" if tried is None else "right" if answers[tried.first].right else "wrong"
    return f'<span data-check="{escape(key)}" data-state="{state}" hidden></span>'


def _class_door(key: str) -> str:
    """The way to a room that asks a class this one question, with what is on the page as the view; "" where the
    question depends on what somebody has chosen there."""
    asked = of_page(key.partition("-")[0]).get(key)
    if asked is None or asked.places:
        return ""
    here = urlencode(st.query_params.to_dict())
    name = f"question:{key}" + (f"?{here}" if here and len(here) < _MAX_VIEW else "")
    link = escape(urlencode({"class_of": name}))
    return f'<a class="check-class" href="./classroom?{link}" target="_self">Ask a class</a>'


def _icon(n: int, tried: _Tried | None, answers: Sequence[Option]) -> str:
    """A circle; once there is a choice, a tick at the right option and a cross at a wrong one that was chosen."""
    if tried is None or (not answers[n].right and n != tried.last):
        return ":material/radio_button_unchecked:"
    return ":material/check_circle:" if answers[n].right else ":material/cancel:"


def _reply(chosen: Option, answers: Sequence[Option]) -> str:
    if chosen.right:
        return f"**Right.** {chosen.reply}"
    right = next(answer for answer in answers if answer.right)
    return f"**Not quite.** {chosen.reply}\n\n**It is “{right.text}”.** {right.reply}"


def _put_in_place(settings: TryIt) -> None:
    """Set controls by their keys; what is no control on the page now goes to the address, from where it is read."""
    if callable(settings):
        settings()
        return
    for name, value in settings.items():
        if name in st.session_state:
            st.session_state[name] = value
        else:
            st.query_params[name] = str(value).lower() if isinstance(value, bool) else str(value)
