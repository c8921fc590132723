"""The test before and after a lesson: its questions, and the sheet of what a class has gained."""

from functools import cache
from pathlib import Path

import streamlit as st

from lab.kit.figures import display
from lab.kit.lessons.lesson import file_name
from lab.kit.texts.files import of_file
from lab.kit.texts.inline import quoted
from lab.kit.texts.questions import Question, read
from lab.kit.words import fixed
from lab.server.rooms import rooms
from lab.server.rooms.gains import Gain, as_csv, gains
from lab.server.rooms.plan import MAX_STEPS, PARTS, Plan, Step
from lab.server.rooms.rooms import Room

IDEAS = {
    "weights": "A row of weights",
    "mask": "What a word can see",
    "scale": "Larger and smaller scores",
    "order": "The order of words",
    "lookup": "Query, key and value",
    "heads": "Several heads",
    "learned": "Learned or memorised",
    "next": "The next word",
}
MINUTES = 5  # for each of the two tests
_HOW_TITLE = "How to measure what a class learns, and what the number means"
HOW = f"""Open a room **with a test before and after**. It begins with {len(IDEAS)} questions, one per idea, that each
student answers alone, and nobody is told what is right. Then comes the lesson, and then {len(IDEAS)} other questions on
the same ideas. Each question has two forms: chance gives half of the phones form a before the lesson and form b after
it, and the other half b before and a after. Five minutes are enough for each test. Nobody's name is asked or kept.

The sheet shows, per idea, how many of those who answered both were right before and after; **the gain** is the
difference. The two halves count equally, so that a form that happens to be easier cancels out. **The interval** is made
so that it holds the true gain in some 95 of 100 such classes (adjusted Wald interval for paired shares, Agresti and Min
2005). One that contains 0 shows neither that something was learned nor that nothing was: with 20 students, a gain of
less than some 25 points can hardly be told from chance.

What it does not say: whether another lesson would have taught as much, since no other class is compared; what is left
after a month; and whether the two forms are equally hard, which nobody has measured. Of eight intervals, one may miss
by chance."""


@cache
def questions() -> dict[str, Question]:
    """Two per idea, by its key and a form: "mask-a"."""
    return of_file(Path(__file__).with_name("before_and_after.md"), read)


def with_test(plan: Plan) -> Plan:
    """The plan between the two parts of the test; what does not fit in a room is left out at its end."""
    before, after = ([_step(key, part) for key in IDEAS] for part in PARTS)
    return Plan(plan.title, (*before, *plan.steps[: MAX_STEPS - 2 * len(IDEAS)], *after))


def _step(key: str, part: str) -> Step:
    (ask, labels, truth), twin = (_asked(questions()[f"{key}-{form}"]) for form in "ab")
    return Step("test", IDEAS[key], ask, labels, truth, part=part, twin=twin)


def _asked(question: Question) -> tuple[str, tuple[str, ...], tuple[float, ...]]:
    options = question.shuffled
    return quoted(question.text), tuple(quoted(o.text) for o in options), tuple(float(o.right) for o in options)


# ---- the sheet -----------------------------------------------------------------------------------------------------


def is_tested(room: Room) -> bool:
    return any(step.kind == "test" for step in room.plan.steps)


def draw_sheet(room: Room, today: str) -> None:
    """What the class of this room has gained, as a table and for a spreadsheet."""
    rows = gains(rooms().tested(room))
    st.header(f"Before and after: {display.plain(room.plan.title)}", anchor=False)
    if not rows:
        st.markdown("Nobody has answered both tests yet. This sheet fills as the class answers the second one.")
        return
    st.markdown(table(rows))
    st.markdown("Shares of those who answered both questions, in per cent; the gain in points, with its 95% interval.")
    sheet = as_csv(rows, {"lesson": room.plan.title, "date": today, "room": room.code})
    name = f"{file_name(room.plan.title)}-{today}-{room.code}-before-and-after.csv"
    st.download_button("CSV", sheet, name, "text/csv", icon=":material/download:", on_click="ignore")


def table(rows: list[Gain]) -> str:
    """The sheet in Markdown."""
    head = ["| idea | students | right before | right after | gain | 95% interval |", "|---|--:|--:|--:|--:|:-:|"]
    return "\n".join([*head, *map(_row, rows)])


def _row(row: Gain) -> str:
    gain, low, high = (fixed(100 * value, 0, signed=True) for value in (row.gain, row.low, row.high))
    return f"| {row.idea} | {row.n} | {row.before:.0%} | {row.after:.0%} | **{gain}** | {low} to {high} |"


def draw_how() -> None:
    """How to run it and what the number means, and the questions with their answers."""
    with st.container(key="class-how"), st.expander(_HOW_TITLE, icon=":material/help:"):
        st.markdown(HOW)
        for key, idea in IDEAS.items():
            for form in "ab":
                asked = questions()[f"{key}-{form}"]
                assert asked.answer is not None
                st.markdown(f"**{idea}, {form}.** {asked.text} *{asked.answer.text}.* {asked.answer.reply}")
