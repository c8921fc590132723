"""What a reader has answered in lessons: kept for the session, told to the browser for a reload, summed up at last."""

from collections.abc import Iterator
from html import escape

import streamlit as st

from lab.kit.lessons import shelf
from lab.kit.lessons.poster import poster
from lab.kit.lessons.shelf import TOLD, Place
from lab.kit.texts.inline import html
from lab.kit.texts.questions import Question

# In st.session_state: what the reader guessed and answered, by stop; and each first choice, by question.
GUESSES, ANSWERS, FIRST = "_lesson_guesses", "_lesson_answers", "_lesson_first"


def keep(name: str, place: Place, text: str) -> None:
    st.session_state.setdefault(name, {})[place] = text
    st.session_state.setdefault(FIRST, {}).setdefault((name, place), text)


def forget(code: str) -> None:
    """Whoever begins a lesson from the list begins with no answers."""
    for name in (GUESSES, ANSWERS):
        kept = st.session_state.get(name, {})
        st.session_state[name] = {place: text for place, text in kept.items() if place.code != code}
    first = st.session_state.get(FIRST, {})
    st.session_state[FIRST] = {key: text for key, text in first.items() if key[1].code != code}


def told(code: str) -> str:
    """What was chosen first in a lesson, for the browser to keep: a reload ends the session, and what it knew."""
    answers = []
    for number, kind, name, question in _questions(code):
        first = st.session_state.get(FIRST, {}).get((name, Place(code, number)))
        if first is not None:
            texts = [option.text for option in question.shuffled]
            answers.append(f"{number}{kind}{1 + texts.index(first) if first in texts else 0}")
    return ".".join(answers)


def take_told(code: str) -> None:
    """The same, as the browser gives it back."""
    answers = st.query_params.pop(TOLD, "").split(".")
    for number, kind, name, question in _questions(code):
        texts = ["", *(option.text for option in question.shuffled)]
        for n, text in enumerate(texts):
            if f"{number}{kind}{n}" in answers:
                keep(name, Place(code, number), text)


def _questions(code: str) -> Iterator[tuple[int, str, str, Question]]:
    """What a lesson asks: at which stop, before or after the view, where the session keeps the answer, the question."""
    for number, stop in enumerate(shelf.lesson(code).stops, 1):
        for kind, name, question in (("p", GUESSES, stop.predict), ("q", ANSWERS, stop.question)):
            if question:
                yield number, kind, name, question


def recap(code: str) -> None:
    """Whoever has finished a lesson sees each question once more, with its answer and whether it was chosen first."""
    lesson, first = shelf.lesson(code), st.session_state.get(FIRST, {})
    lines: list[str] = []
    right: list[Question] = []
    n_asked = 0  # of those that were reached: who began in the middle has not been wrong before
    for number, _, name, question in _questions(code):
        if question.answer:
            chosen = first.get((name, Place(code, number)))
            is_right = chosen == question.answer.text
            sign = "✓" if is_right else "✗" if chosen else "–"
            lines.append(f"<li>{sign} {html(question.text)} <b>{html(question.answer.text)}</b></li>")
            right += [question] * is_right
            n_asked += chosen is not None
    left = len(lines) - n_asked
    skipped = f", {left} not answered (–)" if left else ""
    score = f"{len(right)} of {n_asked} right at the first try{skipped}. " if n_asked else ""
    title = f"You have finished “{html(lesson.title)}”" if n_asked else html(lesson.title)
    with st.container(border=True, key="lesson-finished"):
        st.html(
            f'<span data-lesson-finished="{escape(code)}" data-told="{told(code)}" hidden></span>'
            f"<h2>{title}</h2>"
            f"<p>{score}What it was about, in short:</p>"
            f"<ul>{''.join(lines)}</ul>"
        )
        st.download_button(
            "Keep it as a poster",
            poster(lesson, right, n_asked),
            f"{lesson.file_name}-poster.html",
            "text/html",
            key="lesson-poster",
            icon=":material/download:",
            on_click="ignore",
        )
