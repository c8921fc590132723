"""The teacher's desk: what can be asked, and the room that is open."""

from html import escape
from urllib.parse import urljoin

import streamlit as st

from lab.kit import frames, qr
from lab.kit.figures import display
from lab.kit.lessons import shelf
from lab.kit.lessons.exports.gift import gift
from lab.kit.lessons.exports.qti import qti
from lab.kit.texts.inline import html
from lab.kit.texts.markdown import TextError
from lab.kit.words import counted
from lab.server import visitor
from lab.server.rooms import rooms
from lab.server.rooms.plan import PlanError
from lab.server.rooms.rooms import NoRoomError, Room
from lab.server.rooms.shelf import AwayError
from pages.classroom import plans, testing

_SAID = "_classroom_said"  # in st.session_state: why no room was opened
_TESTED = "class_tested"  # whether a room begins and ends with a test
OPEN = """<h2>Room <b class="class-code">{code}</b> is open</h2>
<p class="lesson-facts">{title} · {seats} · until you close it, or for a day</p>
<p><a class="class-door" href="./projector?room={code}" target='_blank'>Open the projector</a></p>"""
WAY = "<p>Students point a phone at the code, or open <b>{address}</b> and type <b>{code}</b>.</p>{local}"


def draw() -> None:
    with st.container(key="figure-classroom"):
        if sentence := st.session_state.pop(_SAID, ""):
            display.notice(sentence)
        try:
            room = rooms().owned(visitor.key())
            if room is not None:
                _open_room(room)
                if testing.is_tested(room):
                    testing.draw_sheet(room)
        except AwayError as away:
            display.notice(str(away))
        st.toggle("With a test before and after", key=_TESTED, help="Two times eight questions: see below.")
        named = st.query_params.get(plans.PARAMETER, "")
        others = [name for name in (plans.WARM_UP, *shelf.ORDER) if name != named]
        for name in [named, *others] if named else others:
            _card(name)
    testing.draw_how()
    st.header("The questions of a page", anchor=False)
    st.markdown("Each page of the app ends with questions. Ask them in class, with the page as the place to look.")
    with st.container(horizontal=True, gap="small", key="class-pages"):
        for name, title in plans.pages().items():
            st.button(title, key=f"class-ask-{name}", on_click=_open, args=(name,))
    st.markdown("All of these, and those of the lessons, as questions for Moodle and Canvas, each with its replies:")
    questions = plans.questions()
    every = [question for asked in questions.values() for question in asked]
    with st.container(horizontal=True, gap="small"):
        for label, data, file, media in (
            ("Moodle (GIFT)", gift(questions), "attention-lab.gift", "text/plain"),
            ("Canvas (QTI)", qti("Attention Lab", every), "attention-lab-qti.zip", "application/zip"),
        ):
            key = f"class-{file}"
            st.download_button(label, data, file, media, key=key, icon=":material/download:", on_click="ignore")


def _open_room(room: Room) -> None:
    seats = counted(rooms().shelf.n_seats(room.code), "phone")
    join = urljoin(st.context.url or "", f"join?room={room.code}")
    with st.container(border=True, key="class-room"):
        with st.container(key="class-room-door"):
            st.html(OPEN.format(code=room.code, title=html(room.plan.title), seats=seats))
            st.button("Close the room", key="class-end", type="tertiary", on_click=_close, args=(room.code,))
        with st.container(key="class-room-way"):
            st.image(qr.drawn(join), width=150, alt=f"QR code of {join}")
            local = f"<p>{escape(qr.LOCAL_ONLY)}</p>" if qr.is_local(join) else ""
            st.html(WAY.format(address=escape(join.partition("?")[0].partition("://")[2]), code=room.code, local=local))


def _close(code: str) -> None:
    try:
        rooms().shelf.end(code)
    except AwayError as away:
        st.session_state[_SAID] = str(away)


def _card(name: str) -> None:
    """What a room would ask, and the button that opens one."""
    try:
        title, facts, about = _about(name)
        seen = frames.picture(shelf.lesson(name).stops[0].link.address()) if name in shelf.ORDER else ""
    except TextError as error:
        display.notice(*(fault.sentence for fault in error.faults[:1]))
        return
    with st.container(border=True, key=f"class-card-{name if name in shelf.ORDER else 'other'}-{len(name)}"):
        st.html(f"{seen}<h2>{title}</h2><p class='lesson-facts'>{facts}</p><p>{about}</p>")
        st.button("Open a room", key=f"class-open-{name}", on_click=_open, args=(name,), type="primary")


def _about(name: str) -> tuple[str, str, str]:
    """The title of what is asked, its length, and what it is about, as HTML. Raises TextError for a name of nothing."""
    if name == plans.WARM_UP:
        about = "Touch a word, choose a word, set a number, draw a curve: then a model that reads stories answers."
        return "Warm-up", "4 questions · 10 minutes", about
    if name.startswith(plans.PAGE):
        plan = plans.plan(name)
        return html(plan.title), counted(len(plan.steps), "question"), "The questions of this page."
    lesson = shelf.lesson(name)
    facts = f"{counted(plans.n_questions(lesson), 'question')} · {lesson.minutes} minutes · for {html(lesson.audience)}"
    return html(lesson.title), facts, html(lesson.about)


def _open(name: str) -> None:
    try:
        plan = plans.plan(name)
        rooms().open(visitor.key(), testing.with_test(plan) if st.session_state.get(_TESTED) else plan)
    except TextError as error:
        st.session_state[_SAID] = error.faults[0].sentence
    except (PlanError, NoRoomError, AwayError) as error:
        st.session_state[_SAID] = str(error)
