"""A lesson leads: the bar at the foot of the window, the prediction before a view, and the question after it.

While `lesson` and `stop` stand in the address, the lesson leads. When they are gone (another page was chosen in the
menu, or "Explore freely"), the session remembers the stop, and the bar has the way back. Moves are links, so the
address always says where one is; the script beside this file follows them without loading the app anew, takes the
arrow keys, and keeps the stop in the reader's browser.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from html import escape
from typing import Any, NamedTuple
from urllib.parse import urlencode

import streamlit as st

from lab.frame.lessons import answered
from lab.frame.old_links import name_today
from lab.hooks.dom import sheet
from lab.kit.figures import display
from lab.kit.lessons import shelf
from lab.kit.lessons.board import Formula, as_html
from lab.kit.lessons.lesson import Stop
from lab.kit.lessons.shelf import GUESS, TOLD, Place
from lab.kit.texts.inline import html
from lab.kit.texts.markdown import TextError
from lab.kit.texts.questions import Question

HOME = "lessons"  # the page that lists them
# In st.session_state: the stop to come back to, the one that leads, the one whose address was sent back to the browser,
# the one whose question is open, and the lesson under way, which leads or waits while its reader explores.
_KEY, _AT, _SENT, _ASKED, _OPEN = "_lesson", "_lesson_at", "_lesson_sent", "_lesson_asked", "_lesson_open"
# While it leads, the picture speaks: a page's own heading, words, controls and questions are hidden, but for the
# controls that the stop names. What has a key and is no picture is a control; a container of controls has a key that
# begins with "controls-"; what becomes of an action stands in one whose key begins with "result-", and stays.
# Components hide what goes further, by @container style(--lesson: 1).
_HIDDEN = """
.st-key-heading, .st-key-tools-compare, .st-key-turn, .st-key-lesson-view :is([class*="st-key-check-"],
  :--expander, :--element:has(> :--page-link), :--layout:has(> [class*="st-key-switch-"]){1},
  [class*="st-key-line-"]{0}, [class*="st-key-steps-"]{0}, [class*="st-key-controls-"]{0}, [class*="st-key-box-"]{1},
  :--layout:--keyed:has(:--popover){0},
  :--element:--keyed:not(:has(:--component, :--chart)){0}) {{
  display: none; }}
"""
_WORDS_HIDDEN = """
.st-key-lesson-view {{ --lesson: 1; }}
.st-key-lesson-view :is(:--metric, :--element:has(> :--markdown,
  > :--heading)):not([class*="st-key-result-"] *){1},
.st-key-lesson-view :--column{0}:not(
  :has(:--component, :--chart, [class*="st-key-result-"])) {{
  display: none; }}
"""
_AGREES = re.compile(r"^(Yes|Right)[.:,]\s+(and )?")
_CLOSED = """.st-key-lesson-view { visibility: hidden; opacity: 0; max-height: 0;
  overflow: hidden; }
.st-key-lesson-view * { visibility: hidden !important; }"""


def here() -> Place | None:
    """The stop that the address names; None without one. A number that no stop has is the nearest."""
    code = st.query_params.get("lesson")
    if not code:
        return None
    try:
        n_stops = len(shelf.lesson(code).stops)
    except TextError:
        return None
    number = st.query_params.get("stop", "1")
    number = int(number) if number.isascii() and number.isdecimal() and len(number) < 5 else 1
    return Place(code, min(max(number, 1), n_stops))


def _faults(code: str) -> list[str]:
    try:
        shelf.lesson(code)
    except TextError as error:
        return [fault.sentence for fault in error.faults[:1]]
    return []


class Stage(NamedTuple):
    """What app.py is to do with the page: whether it runs now, and whether a lesson leads there."""

    runs: bool
    is_led: bool


@contextmanager
def leading(page: str) -> Iterator[Stage]:
    """Around the page at this path: with a lesson, its bar, its heading and prediction, and the page led by it."""
    place = here()
    if page == HOME and (code := st.query_params.get("finished")) and not _faults(code):
        answered.take_told(code)
        answered.recap(code)
    if place is None and "lesson" in st.query_params and page != HOME:
        display.notice(*_faults(st.query_params["lesson"]))
    if place is not None and page != HOME:
        st.session_state[_KEY] = place
    is_led = place is not None and place.stop.link.page == page
    bar = st.container(key="lesson-bar") if st.session_state.get(_KEY) and page != HOME else None
    if not is_led or place is None:
        st.session_state.pop(_AT, None)
        st.session_state[_OPEN] = None if bar is None else st.session_state[_KEY].code
        if bar is None:
            yield Stage(runs=True, is_led=False)
            return
        with bar:
            _way_back(st.session_state[_KEY])
        # The same elements in the same order as while it leads: what is on screen stays there when that changes.
        st.html("<style>/* exploring */</style>")
        st.container(key="lesson-heading")
        with _view(st.session_state[_KEY]):
            yield Stage(runs=True, is_led=False)
        return
    has_settings = _arrive(place)
    answered.take_told(place.code, place)
    _take_guess(place)
    guess = st.session_state.setdefault(answered.GUESSES, {}).get(place)
    is_open = place.stop.predict is None or guess is not None
    st.html(f"<style>{sheet(_rules(place.stop, is_open))}</style>")
    with st.container(key="lesson-heading"):
        st.title(display.marked(place.stop.heading), anchor=False)
        _board(place.stop)
        if place.stop.predict and not is_open:
            _predict(place, place.stop.predict)
    assert bar is not None
    with bar:
        _story(place, guess, is_open)
        if not has_settings:
            st.html(f'<span data-lesson-go="{escape(place.address)}" hidden></span>')
    with _view(place):
        yield Stage(runs=has_settings, is_led=True)


def _view(place: Place) -> Any:
    """Where the page is drawn. Neighbouring stops have it at different places among the elements, so that components,
    which read the address when they are made, are made anew."""
    outer = st.container(key="lesson-view")
    for _ in range(place.number % 2):
        outer.empty()
    return outer.container(key=f"lesson-view-{place.number % 2}")


def _arrive(place: Place) -> bool:
    """On coming to a stop, forget what was set before; whether the page may now run.

    Both sides know what a control is set to: the session, and the browser, which tells it again at the next press. The
    browser forgets the controls that a run has not drawn. So the first run at a stop draws none, unless nothing was
    drawn before; the script then puts the address of the stop in place once more. That brings back the settings, too,
    which Streamlit drops from one page to another where both have them.
    """
    if st.session_state.get(_AT) == place:
        return True
    if place.number == 1 and st.session_state.get(_OPEN) != place.code:
        answered.forget(place.code)
    st.session_state[_OPEN] = place.code
    is_back = st.session_state.get(_SENT) == place
    names = [name for name, _ in place.stop.link.settings]
    has_drawn = bool(st.session_state.get("_usual"))
    for name in {*names, *st.session_state.get("_usual", ())}:
        st.session_state.pop(name, None)
    if not is_back and (has_drawn or any(name not in st.query_params for name in names)):
        st.session_state[_SENT] = place
        return False
    st.session_state[_SENT], st.session_state[_AT] = None, place
    return True


def _take_guess(place: Place) -> None:
    """Keep the guess that the link to a stop brings, of its own or one before ("1-3": option 3 of stop 1), and take it
    out of the address, which is passed on to others."""
    before, dash, given = st.query_params.pop(GUESS, "").rpartition("-")
    if dash and before not in map(str, range(1, place.number)):
        return
    place = Place(place.code, int(before)) if dash else place
    options = place.stop.predict.shuffled if place.stop.predict else ()
    if given == "0" and options:
        answered.keep(answered.GUESSES, place, "")
    elif given in {str(n) for n in range(1, len(options) + 1)}:
        answered.keep(answered.GUESSES, place, options[int(given) - 1].text)


def _rules(stop: Stop, is_open: bool) -> str:
    names = [name_today(stop.link.page, name) for name in stop.controls]
    # The button over a line of settings has a key of its own: settings.line.
    names += [name.replace("line-", "open-", 1) for name in names if name.startswith("line-")]
    keys = [f".st-key-{name}" for name in names]
    needed = f":not({', '.join(keys)})" if keys else ""
    holding = f":not(:has({', '.join(keys)}))" if keys else ""
    beside = f":not({', '.join(f'{key} *, :--row:has(> {key}) > *' for key in keys)})"
    words = "" if stop.has_words else _WORDS_HIDDEN.format(holding, beside if keys else "")
    return _HIDDEN.format(needed, holding) + words + _without(stop) + ("" if is_open else _CLOSED)


def _without(stop: Stop) -> str:
    """A picture that the stop leaves out makes room for what stands beside it."""
    rules = (
        f".st-key-lesson-view .st-key-{name} {{ display: none; }}\n"
        f".st-key-lesson-view :--keyed:has(.st-key-{name}) {{ display: flex; }}\n"
        for name in stop.without
    )
    return "".join(rules)


def _board(stop: Stop) -> None:
    """What the stop shows above its view, and above its prediction."""
    if stop.board:
        with st.container(key="lesson-board"):
            for thing in stop.board:
                if isinstance(thing, Formula):
                    st.latex(thing.tex)
                else:
                    st.html(as_html(thing))


# ---- before the view -----------------------------------------------------------------------------------------------


def _predict(place: Place, question: Question) -> None:
    """The prediction, where the view will be."""
    with st.container(key="lesson-predict", border=True):
        st.html(f'<p class="lesson-say">{html(place.stop.opening)}</p><p class="lesson-ask">{html(question.text)}</p>')
        if question.options:
            _choices(question, "guess", answered.keep, answered.GUESSES, place)
        else:
            st.text_area("Write it down", key="lesson-written", max_chars=answered.MAX_WRITTEN, height=90)
            st.button("Show me", key="lesson-guess-0", type="primary", on_click=_keep_written, args=(place,))
        st.button(
            "I have no idea: show me",
            key="lesson-no-guess",
            type="tertiary",
            on_click=answered.keep,
            args=(answered.GUESSES, place, ""),
        )


def _choices(question: Question, key: str, keep, name: str, place: Place) -> None:
    """A button for each option."""
    with st.container(horizontal=True, key=f"lesson-options-{key}"):
        for n, option in enumerate(question.shuffled):
            label, args = display.marked(option.text), (name, place, option.text)
            st.button(label, key=f"lesson-{key}-{n}", on_click=keep, args=args, wrap=True)


def _keep_written(place: Place) -> None:
    written = str(st.session_state.get("lesson-written", "")).strip()
    answered.keep(answered.GUESSES, place, written[: answered.MAX_WRITTEN])


# ---- the bar -------------------------------------------------------------------------------------------------------


def _story(place: Place, guess: str | None, is_open: bool) -> None:
    """The bar while the lesson leads."""
    is_asked = is_open and st.session_state.get(_ASKED) == place
    question = place.stop.question
    st.html(_marker(place))
    with st.container(key="lesson-words"):
        st.html(_telling(place, guess, is_asked) if is_open else _waiting())
        if is_asked and question:
            _choices(question, "answer", answered.keep, answered.ANSWERS, place)
            _verdict(question, st.session_state.setdefault(answered.ANSWERS, {}).get(place))
        if place in st.session_state.get(answered.RETURNED, ()):
            st.html(_anew(place))
    with st.container(horizontal=True, key="lesson-moves", vertical_alignment="center"):
        st.html(_progress(place))
        st.button("Explore freely", key="lesson-explore", type="tertiary", on_click=_explore)
        if is_asked:
            st.button("Back", key="lesson-back", on_click=_ask, args=(None,))
        elif before := place.beside(-1):
            st.html(_move(before, "Back", "back"))
        if is_open and question and not is_asked:
            st.button("Next", key="lesson-next", type="primary", on_click=_ask, args=(place,))
        elif is_open:
            following = place.beside(1)
            st.html(_move(following, "Next", "next") if following else _finish(place.code))
        else:
            st.button("Next", key="lesson-next", type="primary", disabled=True)


def _anew(place: Place) -> str:
    """For whom the browser gave answers back: they may be those of somebody else, who sat here before."""
    address = place.stop.link.address(lesson=place.code, stop=place.number, **{TOLD: ""})
    link = f'<a class="lesson-anew" href="{escape(address)}" data-forget="{escape(place.code)}" target="_self">'
    return f'<p class="lesson-before">Earlier answers are still here. {link}Begin without them</a></p>'


def _marker(place: Place) -> str:
    """What the script reads: which lesson, at which stop."""
    of = len(place.lesson.stops)
    where = f'data-lesson="{escape(place.code)}" data-stop="{place.number}" data-of="{of}"'
    return (
        f"<span {where} {answered.as_data(place.code)} hidden></span>"
        f"{_solved(place)}"
        f'<div class="lesson-line" style="--done:{place.number / of:.3f}"></div>'
    )


def _solved(place: Place) -> str:
    """What progress.js reads: a mark for each question of the stop that was answered, by whether the first choice was
    right. What somebody else's lesson asks is not counted."""
    first, marks = st.session_state.get(answered.FIRST, {}), ""
    for name, question in ((answered.GUESSES, place.stop.predict), (answered.ANSWERS, place.stop.question)):
        chosen = first.get((name, place))
        if chosen and question and question.answer and place.code in shelf.ORDER:
            state = "right" if chosen == question.answer.text else "wrong"
            marks += f'<span data-check="{question.key(place.code)}" data-state="{state}" hidden></span>'
    return marks


def _progress(place: Place) -> str:
    title = f"<b>{html(place.lesson.title)}</b> · "
    return f'<p class="lesson-stop"><span>{title}</span>Stop {place.number} of {len(place.lesson.stops)}</p>'


def _waiting() -> str:
    keys = '<span class="lesson-keys"> By keyboard: a digit chooses, → goes on, ← goes back.</span>'
    return f'<p class="lesson-do">Guess first. Then you will see.{keys}</p>'


def _telling(place: Place, guess: str | None, is_asked: bool) -> str:
    """What is said of the view: the sentence, the thing to do, the guess and what came of it; or the question."""
    stop = place.stop
    if is_asked and stop.question:
        return f'<p class="lesson-say">{html(stop.question.text)}</p>'
    lines = f'<p class="lesson-say">{html(stop.say)}</p>'
    if stop.do:
        lines += f'<p class="lesson-do"><b>Do</b> {html(stop.do)}</p>'
    if guess and stop.predict:
        reply = next((option.reply for option in stop.predict.options if option.text == guess), "")
        verb, right = "guessed" if stop.predict.options else "wrote", stop.predict.answer
        sign = "" if right is None else "✓ " if guess == right.text else "✗ "
        told = f" The answer is: <b>{html(right.text)}</b>." if right and guess != right.text else ""
        lines += f'<p class="lesson-guess">{sign}You {verb}: <b>{html(guess)}</b>. {html(reply)}{told}</p>'
    elif stop.predict and stop.predict.answer:
        right = stop.predict.answer
        lines += f'<p class="lesson-guess"><b>{html(right.text)}</b>. {html(_without_yes(right.reply))}</p>'
    return lines


def _without_yes(reply: str) -> str:
    """A reply to the right answer, for those who have not given it: there is nothing to agree with."""
    rest = _AGREES.sub("", reply)
    return rest[:1].upper() + rest[1:]


def _verdict(question: Question, answer: str | None) -> None:
    option = next((option for option in question.options if option.text == answer), None)
    if option:
        state = "right" if option.right else "wrong"
        text = f"{'✓' if option.right else '✗'} <b>{html(option.text)}</b>. {html(option.reply)}"
        st.html(f'<p class="lesson-guess" role="status" data-answer="{state}">{text}</p>')


def _move(to: Place, label: str, name: str) -> str:
    return f'<a class="lesson-move lesson-{name}" href="{escape(to.address)}" target="_self">{label}</a>'


def _finish(code: str) -> str:
    address = escape(f"./{HOME}?{urlencode({'finished': code})}")
    return f'<a class="lesson-move lesson-next" href="{address}" target="_self">Finish</a>'


def _way_back(place: Place) -> None:
    """The bar while one explores."""
    with st.container(key="lesson-words"):
        st.html('<p class="lesson-do">You are exploring. The story waits where you left it.</p>')
    with st.container(horizontal=True, key="lesson-moves", vertical_alignment="center"):
        st.html(_progress(place))
        st.button("Leave the lesson", key="lesson-leave", type="tertiary", on_click=_leave)
        st.html(_move(place, "Back to the story", "story"))


def _ask(place: Place | None) -> None:
    st.session_state[_ASKED] = place


def _explore() -> None:
    for name in ("lesson", "stop"):
        st.query_params.pop(name, None)


def _leave() -> None:
    st.session_state.pop(_KEY, None)
    _explore()
