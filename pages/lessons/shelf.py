"""The lesson that a link brings, and those that ship with the app: where to begin or go on, and their worksheets."""

import json
from html import escape
from urllib.parse import urlencode, urljoin

import streamlit as st

from lab.kit import view as views
from lab.kit.figures import display
from lab.kit.lessons import shelf
from lab.kit.lessons.exports.gift import gift
from lab.kit.lessons.exports.qti import qti
from lab.kit.lessons.lesson import Lesson
from lab.kit.lessons.shelf import Place
from lab.kit.texts.inline import html, plain
from lab.kit.texts.markdown import TextError
from lab.kit.view import Heading, View
from lab.kit.words import counted
from pages.lessons import data, figures
from pages.lessons.components.two_pins import two_pins
from pages.lessons.scorm import scorm


def draw(head: Heading) -> None:
    """The shelf. A lesson that the address holds has the first screen to itself, and the page is its own; where the
    address names a stop of it, the browser goes on to that."""
    code, brought = _brought()
    if brought and (number := st.query_params.get("stop", "")) in map(str, range(1, len(brought.stops) + 1)):
        # On paper the address of a stop is short; lesson.js puts the whole one in its place.
        st.html(f'<span data-lesson-go="{escape(Place(code, int(number)).address)}" hidden></span>')
    with st.container(key="figure-lessons"):
        if brought:
            head.title.title(display.marked(brought.title), anchor=False)
            head.lede.markdown(display.marked(brought.about))
            card(code, brought, "linked", is_open=True)
            st.header("More lessons", anchor=False)
        for name, lesson in shelf.shipped().items():
            if name != code:
                card(name, lesson, name, is_open=name == shelf.ORDER[0] and not brought)


def _brought() -> tuple[str, Lesson | None]:
    """The lesson that the address of this page holds, and what the address calls it."""
    code = st.query_params.get("lesson", "")
    if code:
        try:
            return code, shelf.lesson(code)
        except TextError as error:
            display.notice(error.faults[0].sentence)
    return code, None


def card(code: str, lesson: Lesson, key: str, *, is_open: bool = False) -> None:
    """One lesson: its title, its length, the way in, and the worksheet. `code` is what an address calls it.

    is_open  whether it begins here: its first question with its answers, and the further stops
    """
    is_first = is_open and key == shelf.ORDER[0]
    minutes = "" if is_first else f"{lesson.minutes} minutes · "  # the first says so in its title
    facts = f"{minutes}{counted(len(lesson.stops), 'stop')} · for {html(lesson.audience)}"
    facts = f'<p class="lesson-facts">{facts}</p>'
    title = f"<h2>{html(lesson.title)}</h2>"
    about = f'<p class="lesson-about">{html(lesson.about)}</p>'
    room = escape(f"./classroom?{urlencode({'class_of': code})}")
    in_class = f'<a class="lesson-move" href="{room}" target="_self">Use it in class</a>'
    with st.container(border=True, key=f"lesson-card-{key}"):
        if is_first:
            views.show(FIRST, subject=code)
            st.html(
                f'<div class="lesson-head">{title}{facts}{_continue(code, lesson)}</div>{_film(code, lesson)}{about}'
            )
        elif is_open:  # the page bears its title
            told = f'<p class="lesson-told">{html(lesson.stops[0].opening)}</p>'
            st.html(_opened(code, lesson, facts + told, _further(code, lesson)))
        else:
            st.html(f'<div class="lesson-head">{title}{facts}</div>{about}')
        with st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"lesson-doors-{key}"):
            begin = f"{_continue(code, lesson)} {_start(code)} "
            st.html(in_class if is_open else f"{begin}{in_class}", width="content")
            if code in shelf.ORDER:
                solved = (
                    f'<p class="lesson-facts" data-solved-of="lessons-{code}" data-total="{lesson.n_questions}"></p>'
                )
                st.html(solved, width="content")
            st.space("stretch")
            _downloads(code, lesson, key)


def _continue(code: str, lesson: Lesson) -> str:
    """The way to the stop that this browser had come to, which a script opens."""
    stops = [Place(code, number).address for number in range(1, len(lesson.stops) + 1)]
    return (
        f'<a class="lesson-move" data-continue="{escape(code)}" data-stops="{escape(json.dumps(stops))}"'
        f' href="{escape(stops[0])}" target="_self" hidden></a>'
    )


def _start(code: str) -> str:
    return f'<a class="lesson-move lesson-begin" href="{escape(Place(code, 1).address)}" target="_self">Start</a>'


def _downloads(code: str, lesson: Lesson, key: str) -> None:
    """Both sheets, each in a tab of its own, and what the systems of schools take."""
    base = urljoin(st.context.url or "", "./")
    for label, whose in (("Worksheet", "class"), ("Teacher’s sheet", "teacher")):
        sheet = f"{base}sheet?{urlencode({'lesson': code, 'of': whose, 'from': base})}"
        icon = ":material/print:"
        st.link_button(label, sheet, type="tertiary", icon=icon, key=f"lesson-sheet-{whose}-{key}")
    with st.popover("For your school", key=f"lesson-school-{key}", type="tertiary", icon=":material/download:"):
        _packages(lesson, key)


def _packages(lesson: Lesson, key: str) -> None:
    """The lesson and its questions for the systems that schools have."""
    title, host = plain(lesson.title), urljoin(st.context.url or "", "./")
    st.markdown("Its questions, and the whole lesson with its views from this address.")
    for label, content, file, media in (
        ("Questions for Moodle (GIFT)", gift({title: lesson.questions}), "gift.txt", "text/plain"),
        ("Questions for Canvas (QTI)", qti(title, lesson.questions), "qti.zip", "application/zip"),
        ("The lesson (SCORM 1.2)", scorm(lesson, host), "scorm.zip", "application/zip"),
    ):
        name = f"{lesson.file_name}-{file}"
        st.download_button(label, content, name, media, key=f"lesson-{file}-{key}", type="tertiary", on_click="ignore")


def _opened(code: str, lesson: Lesson, title: str, beside: str) -> str:
    """The first question with its answers, each of which leads to the first stop, and what stands beside it. A lesson
    that does not begin with a choice begins by its button."""
    first = Place(code, 1)
    question = first.stop.predict
    asked = f'<p class="lesson-asked">{html(question.text)}</p>' if question else ""
    answers, ways_in = "", _continue(code, lesson) + _start(code)
    if question and question.options:
        ways = "".join(
            f'<li><a class="lesson-move" href="{escape(first.guessed(number))}" target="_self">{html(option.text)}</a>'
            "</li>"
            for number, option in enumerate(question.shuffled, 1)
        )
        answers = f'<ol class="lesson-answers" aria-label="Your guess">{ways}</ol>'
        none = escape(first.guessed(0))
        no_idea = f'<a class="lesson-move lesson-no-idea" href="{none}" target="_self">I have no idea: show me</a>'
        ways_in = no_idea + _continue(code, lesson)
    return (
        f'<div class="lesson-open" data-figure><div class="lesson-first">{title}{asked}{answers}'
        f'<p class="lesson-skip">{ways_in}</p></div>{beside}</div>'
    )


def _draw_first(code: str, words: list[tuple[str, float]]) -> None:
    """The first stop of the first lesson, whole: its guess goes with whoever goes on to the second."""
    first, second = Place(code, 1), Place(code, 2)
    assert first.stop.predict
    ways = [second.guessed(number, at=first) for number in range(len(first.stop.predict.options) + 1)]
    onward = f"Stop 2: {plain(second.stop.heading)}"
    two_pins(data.beginning(), words, first.stop.predict, ways, onward, key="lesson-first-stop")


FIRST = View(lambda code: code, lambda _: data.stored(), _draw_first)


def _film(code: str, lesson: Lesson) -> str:
    """All stops of the first lesson, each a picture with its name. A script marks those that were seen."""
    stops = "".join(
        f'<li><a class="lesson-move" href="{escape(Place(code, number).address)}" target="_self">{picture}'
        f'<span><span class="number">{number}</span> {html(stop.heading)}</span></a></li>'
        for number, (stop, picture) in enumerate(zip(lesson.stops, figures.frames(), strict=True), 1)
    )
    return (
        f'<ol class="lesson-stops lesson-film" start="1" data-of="{escape(code)}" aria-label="All stops">{stops}</ol>'
    )


def _further(code: str, lesson: Lesson) -> str:
    """All further stops by number and name, if there are any. A script marks those that were seen."""
    if len(lesson.stops) == 1:
        return ""
    stops = "".join(
        f'<li><a class="lesson-move" href="{escape(Place(code, number).address)}" target="_self">'
        f'<span class="number">{number}</span> {html(stop.heading)}</a></li>'
        for number, stop in enumerate(lesson.stops[1:], 2)
    )
    return f'<ol class="lesson-stops" start="2" data-of="{escape(code)}" aria-label="Further stops">{stops}</ol>'
