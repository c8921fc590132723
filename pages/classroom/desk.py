"""The teacher's desk: a rehearsal of what is to be asked and the way to ask it, or the room that is open."""

from collections.abc import Callable
from html import escape
from urllib.parse import urljoin
from zlib import crc32

import streamlit as st

from lab.kit import qr
from lab.kit.figures import display
from lab.kit.lessons.exports.gift import gift
from lab.kit.lessons.exports.qti import qti
from lab.kit.texts.inline import html
from lab.kit.texts.markdown import TextError
from lab.kit.view import Heading
from lab.kit.words import counted, shorten
from lab.server import visitor
from lab.server.rooms import rooms
from lab.server.rooms.plan import MAX_STEPS, Plan, PlanError
from lab.server.rooms.rooms import MOVED, NoRoomError, Room
from lab.server.rooms.shelf import AwayError
from lab.server.rooms.spreadsheet import date_of
from pages.classroom import example, moving, plans, testing
from pages.classroom.components.rehearsal import rehearsal

_SAID = "_classroom_said"  # in st.session_state: why no room was opened
_HERE = "_classroom_here"  # and the code of the room that stood here last
_FILES = "The questions for Moodle and Canvas"
_CHOSEN = "class_chosen"  # what the box shows; the address says what is asked
_WITHOUT = "class_without"  # in the address: the numbers of the questions that are left out, such as 2-5
_LEFT_OUT = "_classroom_left_out"  # in st.session_state: these of what was looked at before, by its name
_TESTED = "class_tested"  # in the address, and the key of its switch: whether a room begins and ends with a test
_OPEN_LEDE = "The class is open: students join with the code, and the projector asks the questions."
OPEN = """<p class="class-code"><span>join:</span> <b>{code}</b></p><h2>{title}</h2>
<p>Students point a phone at the picture, or open <b>{address}</b> and type <b>{code}</b>.</p>{local}"""
DOOR = """<p><a class="class-door" href="./projector?room={code}" target='_blank'>Open the projector</a></p>"""
SEATS = """<p class="lesson-facts" role="status">{seats} · open until you end the class, or for a day</p>"""
ANSWERS = """<p><a class="class-answers" href="./rooms/{code}/answers.csv?zone={zone}" download>
Download the answers</a></p>"""
TOO_LONG = "A class is asked at most {most} questions, and {tests} of them are the two tests. "
ONE_OUT = "Of the questions chosen here, the last one is left out. To keep it, leave out another."
MORE_OUT = "Of the questions chosen here, the last {out} are left out. To keep them, leave out others."
MAX_ASKED = 60  # letters of a question where it is chosen
NEWS = 2.5  # seconds between two looks at who is here


def draw(head: Heading) -> None:
    with st.container(key="figure-classroom"):
        if sentence := st.session_state.pop(_SAID, ""):
            display.notice(sentence)
        moving.tell()
        moving.ask()
        room = _own_room()
        if room is None:
            _rehearse()
        else:
            head.lede.markdown(_OPEN_LEDE)
            _open_room(room)
    if room is not None and testing.is_tested(room):
        with st.container(key="class-sheet"):
            _follow_sheet(room.code)
    testing.draw_how()
    with st.container(key="class-files"), st.expander(_FILES, icon=":material/download:"):
        _downloads()


def _own_room() -> Room | None:
    """The room of this browser; where another browser has taken it since it stood here, that is said."""
    try:
        room = rooms().owned(visitor.key())
        was = st.session_state.pop(_HERE, "")
        if was and room is None and (other := rooms().look(was)) and rooms().has_let_go(other, visitor.key()):
            display.notice(MOVED)
    except AwayError as away:
        display.notice(str(away))
        return None
    if room is not None:
        st.session_state[_HERE] = room.code
    return room


# ---- before ----------------------------------------------------------------------------------------------------------


def _rehearse() -> None:
    """The button that opens a room and what it asks, and the board of the room with an invented class."""
    name, more = st.query_params.get(plans.PARAMETER, plans.WARM_UP), _more()
    titles = plans.titles(*more)
    try:
        plan = plans.plan(name)
    except TextError as error:
        display.notice(error.faults[0].sentence)
        name, plan = plans.WARM_UP, plans.plan(plans.WARM_UP)
    titles.setdefault(name, f"{plan.title} · {plans.length(len(plan.steps), *more)}")
    n_chosen = sum(map(_is_asked, range(len(plan.steps))))
    n = min(n_chosen, MAX_STEPS - more[0])
    with st.container(horizontal=True, vertical_alignment="center", key="class-start-line"):
        st.button("Start the class", key="class-start", on_click=_open, args=(name,), disabled=not n)
        st.session_state[_CHOSEN] = name
        st.selectbox(
            "What the class is asked",
            titles,
            key=_CHOSEN,
            format_func=titles.__getitem__,
            on_change=_choose,
            label_visibility="collapsed",
        )
        all_asked = n == len(plan.steps)
        label = (
            "All questions" if all_asked else f"{n} of {len(plan.steps)} · about {plans.minutes(n, more[1])} minutes"
        )
        with st.popover(label, type="tertiary", key="class-choose"):
            st.session_state[_TESTED] = _is_tested()
            told = "Two times eight questions: see below."
            st.toggle("With a test before and after", key=_TESTED, help=told, on_change=_test)
            st.markdown("What the class is asked. Leave out what you have no time for.")
            for at, step in enumerate(plan.steps):
                told = f"{at + 1}. **{display.plain(step.heading)}** {display.plain(shorten(step.ask, MAX_ASKED))}"
                st.session_state[_asks(name, at)] = _is_asked(at)
                st.checkbox(told, key=_asks(name, at), on_change=_leave_out, args=(name, len(plan.steps)))
    if not n:
        display.notice("No question is left. Choose at least one.")
    if n < n_chosen:
        display.notice(too_long(more[0], n_chosen - n))
    whole = _whole(plan) if n else plan
    rehearsal(whole, example.of_plan(whole), key="class-rehearsal")


def too_long(n_tests: int, n_out: int) -> str:
    """What is said where so many questions are left out because of the tests."""
    told = TOO_LONG + (ONE_OUT if n_out == 1 else MORE_OUT)
    return told.format(most=MAX_STEPS, tests=n_tests, out=n_out)


def _whole(plan: Plan) -> Plan:
    """What is left of this plan, with a test before and after it if the teacher wants one."""
    left = Plan(plan.title, tuple(step for at, step in enumerate(plan.steps) if _is_asked(at)))
    return testing.with_test(left) if _is_tested() else left


def _asks(name: str, at: int) -> str:
    """The key of the box by which a question of the plan of this name is left out."""
    return f"class_asks_{crc32(name.encode())}_{at}"


def _is_asked(at: int) -> bool:
    return str(at + 1) not in st.query_params.get(_WITHOUT, "").split("-")


def _is_tested() -> bool:
    return st.query_params.get(_TESTED) == "yes"


def _more() -> tuple[int, int]:
    """How many questions and minutes the tests add."""
    return (2 * len(testing.IDEAS), 2 * testing.MINUTES) if _is_tested() else (0, 0)


# What is asked stands in the address: boxes and switches that are not drawn while a class is open forget what they say.


def _address(name: str, value: str) -> None:
    """The address says this from now on; "" for nothing."""
    if value:
        st.query_params[name] = value
    else:
        st.query_params.pop(name, None)


def _choose() -> None:
    left_out = st.session_state.setdefault(_LEFT_OUT, {})
    left_out[st.query_params.get(plans.PARAMETER, plans.WARM_UP)] = st.query_params.get(_WITHOUT, "")
    name = st.session_state[_CHOSEN]
    _address(plans.PARAMETER, name)
    _address(_WITHOUT, left_out.get(name, ""))


def _leave_out(name: str, n: int) -> None:
    _address(_WITHOUT, "-".join(str(at + 1) for at in range(n) if not st.session_state[_asks(name, at)]))


def _test() -> None:
    _address(_TESTED, "yes" if st.session_state[_TESTED] else "")


def _open(name: str) -> None:
    try:
        rooms().open(visitor.key(), _whole(plans.plan(name)))
    except TextError as error:
        st.session_state[_SAID] = error.faults[0].sentence
    except (PlanError, NoRoomError, AwayError) as error:
        st.session_state[_SAID] = str(error)


# ---- while it is open ------------------------------------------------------------------------------------------------


def _open_room(room: Room) -> None:
    join = urljoin(st.context.url or "", f"join?room={room.code}")
    address = escape(join.partition("?")[0].partition("://")[2])
    local = f"<p>{escape(qr.LOCAL_ONLY)}</p>" if qr.is_local(join) else ""
    with st.container(key="class-room"):
        st.html(qr.picture(join))
        with st.container(key="class-room-door"):
            st.html(OPEN.format(code=room.code, title=html(room.plan.title), address=address, local=local))
            _follow_seats(room.code, room.state.moves)
            st.html(DOOR.format(code=room.code))
            with st.container(horizontal=True, vertical_alignment="center", gap="medium", key="class-room-ways"):
                answers = ANSWERS.format(code=room.code, zone=_minutes_ahead())
                st.html(answers, width="content")
                moving.offer(room)
                # No button for "no": Escape and a press beside it close it at once, whatever the host is doing.
                with st.popover("End the class", type="tertiary"):
                    st.markdown("It ends on every phone and on the projector. Its answers are then gone for good.")
                    st.html(answers)
                    st.button("End it for everybody", key="class-end", on_click=_end, args=(room,))


@st.fragment(run_every=NEWS)
def _follow_seats(code: str, moves: str) -> None:
    """How many are here, for as long as the page is open; anew where another tab has made or withdrawn a link."""

    def draw(room: Room) -> None:
        if room.state.moves != moves:
            st.rerun()
        st.html(SEATS.format(seats=counted(rooms().shelf.n_seats(room.code), "phone")))

    _of_the_room(code, draw)


@st.fragment(run_every=NEWS)
def _follow_sheet(code: str) -> None:
    """What the class has gained by now."""
    _of_the_room(code, lambda room: testing.draw_sheet(room, date_of(_minutes_ahead())))


def _of_the_room(code: str, draw: Callable[[Room], object]) -> None:
    """Draw something of the room of this code; the page begins anew once that is not this browser's room any more: it
    is over, wherever it was ended, or another tab has started the next class."""
    try:
        room = rooms().owned(visitor.key())
        if room is None or room.code != code:
            st.rerun()
        else:
            draw(room)
    except AwayError as away:
        display.notice(str(away))


def _minutes_ahead() -> int:
    """The minutes by which the reader's clock is ahead of UTC."""
    return -(st.context.timezone_offset or 0)


def _end(room: Room) -> None:
    try:
        rooms().end(room)
    except AwayError as away:
        st.session_state[_SAID] = str(away)


# ---- for other systems -----------------------------------------------------------------------------------------------


def _downloads() -> None:
    st.markdown("All questions of the pages and of the lessons, each with its replies.")
    questions = plans.questions()
    every = [question for asked in questions.values() for question in asked]
    with st.container(horizontal=True, gap="small"):
        for label, data, file, media in (
            ("Moodle (GIFT)", gift(questions), "attention-lab.gift", "text/plain"),
            ("Canvas (QTI)", qti("Attention Lab", every), "attention-lab-qti.zip", "application/zip"),
        ):
            key = f"class-{file}"
            st.download_button(label, data, file, media, key=key, icon=":material/download:", on_click="ignore")
