"""The lessons that ship with the app: what each is about, where to begin or go on, and its worksheet."""

import json
from html import escape
from urllib.parse import urlencode, urljoin

import streamlit as st

from lab.kit.lessons import shelf
from lab.kit.lessons.exports.gift import gift
from lab.kit.lessons.exports.qti import qti
from lab.kit.lessons.lesson import Lesson
from lab.kit.lessons.shelf import Place
from lab.kit.texts.inline import html, plain
from lab.kit.words import counted
from pages.lessons import frames
from pages.lessons.scorm import scorm
from pages.lessons.worksheet import worksheet


def draw() -> None:
    with st.container(key="figure-lessons"):
        for n, (name, lesson) in enumerate(shelf.shipped().items()):
            card(name, lesson, name, has_film=n == 0)


def card(code: str, lesson: Lesson, key: str, *, has_film: bool = False) -> None:
    """One lesson: its title, its length, the way in, and the worksheet. `code` is what an address calls it.

    has_film  whether its first stop stands there as a poster, and all others below it, each of them a way in
    """
    n = len(lesson.stops)
    minutes = "" if has_film else f"{lesson.minutes} minutes · "  # the first says so in its title
    facts = f"{minutes}{counted(n, 'stop')} · for {html(lesson.audience)}"
    begin = _begin(code, lesson)
    facts = f'<p class="lesson-facts">{facts}</p>'
    title = f"<h2>{html(lesson.title)}</h2>"
    about = f'<p class="lesson-about">{html(lesson.about)}</p>'
    room = escape(f"./classroom?{urlencode({'class_of': code})}")
    in_class = f'<a class="lesson-move" href="{room}" target="_self">Use it in class</a>'
    with st.container(border=True, key=f"lesson-card-{key}"):
        if has_film:
            st.html(_poster(code, lesson, f"{title}{facts}", begin) + _film(code, lesson) + about)
        else:
            st.html(f'<div class="lesson-head">{title}{facts}</div>{about}')
        with st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"lesson-doors-{key}"):
            st.html(in_class if has_film else f"{begin} {in_class}", width="content")
            if code in shelf.ORDER:
                solved = (
                    f'<p class="lesson-facts" data-solved-of="lessons-{code}" data-total="{lesson.n_questions}"></p>'
                )
                st.html(solved, width="content")
            st.space("stretch")
            _downloads(lesson, key)


def _begin(code: str, lesson: Lesson) -> str:
    """The way to the first stop; and before it one to the stop that this browser had come to, which a script opens."""
    stops = [Place(code, number).address for number in range(1, len(lesson.stops) + 1)]
    return (
        f'<a class="lesson-move" data-continue="{escape(code)}" data-stops="{escape(json.dumps(stops))}"'
        f' href="{escape(stops[0])}" target="_self" hidden></a> '
        f'<a class="lesson-move lesson-begin" href="{escape(stops[0])}" target="_self">Start</a>'
    )


def _downloads(lesson: Lesson, key: str) -> None:
    """Both sheets, and what the systems of schools take."""
    for is_teachers, label in ((False, "Worksheet"), (True, "Teacher’s sheet")):
        st.download_button(
            label,
            worksheet(lesson, is_teachers=is_teachers),
            f"{lesson.file_name}{'-teacher' * is_teachers}.html",
            "text/html",
            key=f"lesson-{'teachers' if is_teachers else 'work'}sheet-{key}",
            type="tertiary",
            icon=":material/print:",
            on_click="ignore",
        )
    with st.popover("For your school", key=f"lesson-school-{key}", type="tertiary", icon=":material/download:"):
        _packages(lesson, key)


def _packages(lesson: Lesson, key: str) -> None:
    """The lesson and its questions for the systems that schools have."""
    title, host = plain(lesson.title), urljoin(st.context.url or "", "./")
    st.markdown("Its questions, and the whole lesson with its views from this address.")
    for label, data, file, media in (
        ("Questions for Moodle (GIFT)", gift({title: lesson.questions}), "gift.txt", "text/plain"),
        ("Questions for Canvas (QTI)", qti(title, lesson.questions), "qti.zip", "application/zip"),
        ("The lesson (SCORM 1.2)", scorm(lesson, host), "scorm.zip", "application/zip"),
    ):
        name = f"{lesson.file_name}-{file}"
        st.download_button(label, data, name, media, key=f"lesson-{file}-{key}", type="tertiary", on_click="ignore")


def _poster(code: str, lesson: Lesson, title: str, begin: str) -> str:
    """The first stop, large: what it asks, the way in, and what it looks like."""
    first = lesson.stops[0]
    asked = first.predict or first.question
    question = html(asked.text) if asked else ""
    picture = frames.picture(first.link.address())
    return (
        f'<div class="lesson-poster" data-figure><div class="lesson-first">{title}'
        f'<p class="lesson-asked">{question}</p><p>{begin}</p></div>'
        f'<a class="lesson-move lesson-frame" href="{escape(Place(code, 1).address)}" target="_self" tabindex="-1"'
        f' aria-hidden="true">{picture}</a></div>'
    )


def _film(code: str, lesson: Lesson) -> str:
    """All further stops: what each looks like, its number and its name. A script marks those that were seen."""
    strip = []
    for number, stop in enumerate(lesson.stops[1:], 2):
        strip.append(
            f'<li><a class="lesson-move lesson-frame" href="{escape(Place(code, number).address)}" target="_self">'
            f'{frames.picture(stop.link.address())}<span class="number">{number}</span>'
            f" <b>{html(stop.heading)}</b></a></li>"
        )
    film = "".join(strip)
    return f'<ol class="lesson-film" start="2" data-of="{escape(code)}" aria-label="Further stops">{film}</ol>'
