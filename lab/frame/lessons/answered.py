"""What a reader has answered in lessons: kept for the session, told to the browser for a reload, summed up at last."""

from collections.abc import Iterator
from html import escape
from urllib.parse import parse_qsl, urlencode

import streamlit as st

from lab.kit.lessons import shelf
from lab.kit.lessons.lesson import Lesson
from lab.kit.lessons.poster import poster
from lab.kit.lessons.shelf import TOLD, Place
from lab.kit.texts.inline import html
from lab.kit.texts.questions import Question

# In st.session_state: what the reader guessed and answered, by stop; each first choice, by question; and the stops that
# say that the browser gave answers back.
GUESSES, ANSWERS, FIRST, RETURNED = "_lesson_guesses", "_lesson_answers", "_lesson_first", "_lesson_returned"
MAX_WRITTEN = 300  # letters of a guess that is written down


def keep(name: str, place: Place, text: str) -> None:
    st.session_state.setdefault(name, {})[place] = text
    st.session_state.setdefault(FIRST, {}).setdefault((name, place), text)


def forget(code: str) -> None:
    """Whoever begins a lesson anew begins with no answers."""
    for name in (GUESSES, ANSWERS):
        kept = st.session_state.get(name, {})
        st.session_state[name] = {place: text for place, text in kept.items() if place.code != code}
    first = st.session_state.get(FIRST, {})
    st.session_state[FIRST] = {key: text for key, text in first.items() if key[1].code != code}
    st.session_state[RETURNED] = {place for place in st.session_state.get(RETURNED, ()) if place.code != code}


def as_data(code: str) -> str:
    """What is known of a lesson, as attributes for the script that has the browser keep it: a reload ends the session.
    What was chosen, first and last, is kept for a day; what was written stays with the tab."""
    chosen, written = {}, {}
    for number, kind, name, question in _questions(code):
        place = Place(code, number)
        first = st.session_state.get(FIRST, {}).get((name, place))
        last = st.session_state.get(name, {}).get(place, first)
        if first is not None and (texts := [option.text for option in question.shuffled]):
            numbers = [1 + texts.index(text) if text in texts else 0 for text in (first, last)]
            chosen[f"{number}{kind}"] = "-".join(map(str, numbers))
        elif first is not None:
            written[f"{number}{kind}"] = last
    return f'data-told="{escape(urlencode(chosen))}" data-written="{escape(urlencode(written))}"'


def take_told(code: str, at: Place | None = None) -> None:
    """Take the answers that the browser gives back out of the address; where it is to give none, forget those known.

    They are older than what was pressed while they were on their way: that stays what was chosen last. From now on each
    stop that has one of them says so, and so does the one that the reader is at.
    """
    if TOLD not in st.query_params:
        return
    answers = dict(parse_qsl(st.query_params.pop(TOLD), keep_blank_values=True))
    if not answers:
        forget(code)
    returned = set()
    for number, kind, name, question in _questions(code):
        answer = answers.get(f"{number}{kind}")
        if answer is None:
            continue
        given = [answer[:MAX_WRITTEN]]
        if question.options:
            texts = {str(n): text for n, text in enumerate(["", *(option.text for option in question.shuffled)])}
            given = [texts[n] for n in answer.split("-", 2)[:2] if n in texts]
        if given:
            place = Place(code, number)
            st.session_state.setdefault(FIRST, {})[name, place] = given[0]
            st.session_state.setdefault(name, {}).setdefault(place, given[-1])
            returned |= {place, at or place}
    st.session_state[RETURNED] = st.session_state.get(RETURNED, set()) | returned


def _questions(code: str) -> Iterator[tuple[int, str, str, Question]]:
    """What a lesson asks: at which stop, before or after the view, where the session keeps the answer, the question."""
    for number, stop in enumerate(shelf.lesson(code).stops, 1):
        for kind, name, question in (("p", GUESSES, stop.predict), ("q", ANSWERS, stop.question)):
            if question:
                yield number, kind, name, question


def recap(code: str) -> None:
    """Whoever has finished a lesson sees what to do next, and each question once more, with its answer and whether it
    was chosen first. What was not answered leads back to its stop."""
    lesson, first = shelf.lesson(code), st.session_state.get(FIRST, {})
    missed = _missed(code)
    lines: list[str] = []
    right: list[Question] = []
    n_wrong = n_unknown = n_missed = 0
    for number, _, name, question in _questions(code):
        if question.answer:
            chosen = first.get((name, Place(code, number)))
            asks = html(question.text)
            if chosen == question.answer.text:
                sign, right = "✓", [*right, question]
            elif chosen:
                sign, n_wrong = "✗", n_wrong + 1
            else:
                sign = "○" if number in missed else "–"
                n_missed, n_unknown = n_missed + (sign == "○"), n_unknown + (sign == "–")
                asks = _link(Place(code, number), asks)
            lines.append(f"<li>{sign} {asks} <b>{html(question.answer.text)}</b></li>")
    n_asked = len(right) + n_wrong  # who began in the middle, or had no idea, has not been wrong
    counts = (
        (n_asked, f"{len(right)} of {n_asked} right at the first try"),
        (n_unknown, f"{n_unknown} not answered (–)"),
        (n_missed, f"{n_missed} at stops that you have not been to (○)"),
    )
    has_begun = any(place.code == code for _, place in first)
    score = ", ".join(text for n, text in counts if n) + ". " if has_begun else ""
    with st.container(border=True, key="lesson-finished"):
        st.html(
            f'<span data-lesson-finished="{escape(code)}" {as_data(code)} hidden></span>'
            f"<h2>{_title(lesson, missed, has_begun=has_begun)}</h2>"
        )
        with st.container(horizontal=True, vertical_alignment="center"):
            if link := _onward(code, missed):
                st.html(link, width="content")
            st.download_button(
                "Keep it as a poster",
                poster(lesson, right, n_asked),
                f"{lesson.file_name}-poster.html",
                "text/html",
                key="lesson-poster",
                icon=":material/download:",
                on_click="ignore",
            )
        st.html(f"<p>{score}What it was about, in short:</p><ul>{''.join(lines)}</ul>")


def _missed(code: str) -> list[int]:
    """The stops that ask something and were left out: not even "no idea" was said there."""
    first = st.session_state.get(FIRST, {})
    been = {place.number for _, place in first if place.code == code}
    return sorted({number for number, *_ in _questions(code)} - been)


def _title(lesson: Lesson, missed: list[int], *, has_begun: bool) -> str:
    title, n = html(lesson.title), len(lesson.stops)
    if not has_begun:
        return title
    if missed:
        return f"You went through {n - len(missed)} of {n} stops of “{title}”"
    return f"You have finished “{title}”"


def _onward(code: str, missed: list[int]) -> str:
    """The link to the first stop that was left out, or else to the next lesson; "" after the last one."""
    if missed:
        return _link(Place(code, missed[0]), f"Go to stop {missed[0]}", " lesson-next")
    if code not in shelf.ORDER[:-1]:
        return ""
    following = Place(shelf.ORDER[shelf.ORDER.index(code) + 1], 1)
    return _link(following, f"Next lesson: {html(following.lesson.title)}", " lesson-next")


def _link(to: Place, label: str, kind: str = "") -> str:
    """A link to a stop; label: HTML."""
    return f'<a class="lesson-move{kind}" href="{escape(to.address)}" target="_self">{label}</a>'
