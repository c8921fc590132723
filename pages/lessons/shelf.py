"""The lessons that ship with the app: what each is about, where to begin or go on, and its worksheet."""

import json
from html import escape
from urllib.parse import urlencode

import streamlit as st

from lab.kit.lessons import shelf
from lab.kit.lessons.lesson import Lesson
from lab.kit.lessons.shelf import Place
from lab.kit.texts.inline import html
from lab.kit.words import counted
from pages.lessons.worksheet import worksheet


def draw() -> None:
    with st.container(key="figure-lessons"):
        for name, lesson in shelf.shipped().items():
            card(name, lesson, name)


def card(code: str, lesson: Lesson, key: str) -> None:
    """One lesson: its title, its length, the way in, and the worksheet. `code` is what an address calls it."""
    n = len(lesson.stops)
    facts = f"{lesson.minutes} minutes · {counted(n, 'stop')} · for {html(lesson.audience)}"
    # For the script, which knows what stop the reader had come to.
    stops = escape(json.dumps([Place(code, number).address for number in range(1, n + 1)]))
    first = escape(Place(code, 1).address)
    in_class = f"./classroom?{urlencode({'class_of': code})}"
    with st.container(border=True, key=f"lesson-card-{key}"):
        st.html(f"<h2>{html(lesson.title)}</h2><p class='lesson-facts'>{facts}</p><p>{html(lesson.about)}</p>")
        with st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"lesson-doors-{key}"):
            st.html(
                f'<a class="lesson-move" data-continue="{escape(code)}" data-stops="{stops}" href="{first}"'
                ' target="_self" hidden></a> '
                f'<a class="lesson-move lesson-begin" href="{first}" target="_self">Begin</a> '
                f'<a class="lesson-move" href="{escape(in_class)}" target="_self">Class</a>',
                width="content",
            )
            if code in shelf.ORDER:
                st.html(
                    f'<p class="lesson-facts" data-solved-of="lessons-{code}" data-total="{lesson.n_questions}"></p>',
                    width="content",
                )
            st.space("stretch")
            for answers, label in ((False, "Worksheet"), (True, "With answers")):
                st.download_button(
                    label,
                    worksheet(lesson, answers=answers),
                    f"{_file_name(lesson)}{'-answers' * answers}.html",
                    "text/html",
                    key=f"lesson-{label.lower().replace(' ', '-')}-{key}",
                    type="tertiary",
                    icon=":material/print:",
                    on_click="ignore",
                )


def _file_name(lesson: Lesson) -> str:
    letters = "".join(letter if letter.isascii() and letter.isalnum() else "-" for letter in lesson.title.lower())
    return "-".join(filter(None, letters.split("-")))[:60] or "lesson"
