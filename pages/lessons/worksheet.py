"""The sheets of a lesson, each one HTML page that needs nothing else, to be printed: one for the class to write on, and
the teacher's, with answers, replies, notes and the minute at which each stop begins."""

from lab.kit.lessons.board import as_html
from lab.kit.lessons.lesson import Lesson, Stop
from lab.kit.lessons.poster import PAPER
from lab.kit.texts.inline import html
from lab.kit.texts.questions import Question
from lab.kit.words import counted

_STYLE = """
body { margin: 2rem auto; max-width: 44rem; padding: 0 1rem; }
h1 { font-size: 1.7rem; margin: 0; }
h2 { font-size: 1.15rem; margin: 0 0 .3rem; }
p, ul { margin: .3rem 0; }
ul { list-style: none; padding-left: .2rem; }
li::before { content: "☐"; margin-right: .5rem; }
li.right::before { content: "☒"; }
li.right { font-weight: 650; }
section { border-top: 1px solid #c9c4ce; margin-top: 1rem; padding-top: .8rem; break-inside: avoid; }
.name { display: flex; gap: 2rem; margin: 1.2rem 0; }
.name span { flex: 1; border-bottom: 1px solid #635e6d; padding-bottom: .2rem; color: #635e6d; }
.quiet, .reply { color: #635e6d; }
table { border-collapse: collapse; margin: .5rem 0; }
th, td { border: 1px solid #c9c4ce; padding: .15rem .6rem; text-align: left; }
img { max-height: 8cm; max-width: 100%; }
.note { border-left: 3px solid #1d1b22; padding-left: .6rem; }
.reply { font-weight: 400; display: block; padding-left: 1.5rem; }
.lines { height: 4.8rem; background: repeating-linear-gradient(#fff 0 1.55rem, #c9c4ce 1.55rem 1.6rem); }
@media print { body { margin: 0; max-width: none; font-size: 11pt; } @page { margin: 18mm; } }
"""


def worksheet(lesson: Lesson, *, is_teachers: bool) -> str:
    """The sheet as HTML; on the teacher's what is right is marked, and each option has its reply."""
    n = len(lesson.stops)
    stops = "\n".join(
        _stop(stop, number, lesson.begins[number - 1] if is_teachers else None)
        for number, stop in enumerate(lesson.stops, 1)
    )
    title = html(lesson.title)
    name = "" if is_teachers else '<div class="name"><span>Name</span><span>Date</span></div>'
    kind = "Teacher’s sheet" if is_teachers else "Worksheet"
    return f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>{kind}: {title}</title><style>{PAPER}{_STYLE}</style></head>
<body><h1>{title}</h1>
<p class="quiet">{kind} · {lesson.minutes} minutes · {counted(n, "stop")} · for {html(lesson.audience)}</p>
{name}<p>{html(lesson.about)}</p>
{stops}
</body></html>
"""


def _stop(stop: Stop, number: int, begins: int | None) -> str:
    """A stop; begins: its first minute, on the teacher's sheet."""
    answers = begins is not None
    parts = [f"<h2>{number}. {html(stop.heading)}</h2>", f"<p>{html(stop.opening)}</p>"]
    parts += map(as_html, stop.board)
    if answers:
        parts.insert(1, f'<p class="quiet">From minute {begins}</p>')
    if answers and stop.note:
        parts.append(f'<p class="note"><b>For you.</b> {html(stop.note)}</p>')
    if stop.predict:
        parts.append(_question("Before you look", stop.predict, answers))
    if stop.do:
        parts.append(f"<p><b>Do.</b> {html(stop.do)}</p>")
    if stop.question:
        parts.append(_question("Question", stop.question, answers))
    return f"<section>{''.join(parts)}</section>"


def _question(kind: str, question: Question, answers: bool) -> str:
    text = f"<p><b>{kind}.</b> {html(question.text)}</p>"
    if not question.options:
        return text + ("" if answers else '<div class="lines"></div>')
    items = []
    for option in question.shuffled:
        mark = ' class="right"' if answers and option.right else ""
        reply = f'<span class="reply">{html(option.reply)}</span>' if answers else ""
        items.append(f"<li{mark}>{html(option.text)}{reply}</li>")
    return f"{text}<ul>{''.join(items)}</ul>"
