"""The sheets of a lesson, each one HTML page to be printed: one for the class to write on, with the address of each
stop and its code for a phone, and the teacher's, with answers, replies, notes and the minute at which a stop begins."""

from base64 import b64encode
from hashlib import sha256
from html import escape
from urllib.parse import urlencode

from lab.kit import qr
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
.lines { border-bottom: 1px solid #635e6d; height: 1.7rem; }
.stop { display: grid; grid-template-columns: minmax(0, 1fr) 7.4rem; column-gap: 1.2rem; }
.way { break-inside: avoid; font-size: .72rem; line-height: 1.25; margin: 0; overflow-wrap: anywhere; }
.way svg { display: block; margin: -.45rem -.45rem 0; width: 7.4rem; }
button { background: #1d1b22; border: 0; border-radius: 8px; color: #fff; float: right; font: inherit; font-weight: 650;
  padding: .5rem 1.1rem; }
@media (width < 40rem) { .stop { grid-template-columns: minmax(0, 1fr); } }
@media print { button { display: none; } body { margin: 0; max-width: none; font-size: 11pt; } @page { margin: 18mm; } }
"""
# All that a sheet runs.
SCRIPT = 'document.querySelector("button").addEventListener("click", () => print());'
SCRIPT_HASH = f"sha256-{b64encode(sha256(SCRIPT.encode()).digest()).decode()}"
N_LINES = 2  # to write on, below each question
MAX_ADDRESS = 120  # letters that somebody types from paper


def worksheet(lesson: Lesson, *, is_teachers: bool, base: str = "", code: str = "") -> str:
    """The sheet as HTML; on the teacher's what is right is marked, and each option has its reply.

    base, code  the address of the app and what it calls the lesson, for the way to each stop; "" for none
    """
    n = len(lesson.stops)
    title = html(lesson.title)
    stops = "\n".join(
        _stop(stop, number, lesson.begins[number - 1] if is_teachers else None, _way(base, code, number))
        for number, stop in enumerate(lesson.stops, 1)
    )
    name = "" if is_teachers else '<div class="name"><span>Name</span><span>Date</span></div>'
    kind = "Teacher’s sheet" if is_teachers else "Worksheet"
    minutes = f"about {lesson.begins[-1]} minutes in class" if is_teachers else f"{lesson.minutes} minutes"
    return f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>{kind}: {title}</title><style>{PAPER}{_STYLE}</style></head>
<body><button>Print</button><h1>{title}</h1>
<p class="quiet">{kind} · {minutes} · {counted(n, "stop")} · for {html(lesson.audience)}</p>
{name}<p>{html(lesson.about)}</p>
{stops}
<script>{SCRIPT}</script></body></html>
"""


def way_to(base: str, code: str, number: int) -> str:
    """The short address of a stop, from which the page of lessons leads on to its view."""
    return f"{base}lessons?{urlencode({'lesson': code, 'stop': number})}"


def _way(base: str, code: str, number: int) -> str:
    """The address of a stop and its code for a phone; nothing where the lesson's own letters make it too long."""
    address = way_to(base, code, number)
    if not base or len(address) > MAX_ADDRESS:
        return ""
    said = escape(address.partition("://")[2]).replace("?", "?<wbr>").replace("&amp;", "<wbr>&amp;")
    return f'<p class="way">{qr.drawn(address)}{said}</p>'


def _stop(stop: Stop, number: int, begins: int | None, way: str) -> str:
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
    if answers and stop.say != stop.opening:
        parts.append(f"<p><b>Then they read.</b> {html(stop.say)}</p>")
    if stop.do:
        parts.append(f"<p><b>Do.</b> {html(stop.do)}</p>")
    if stop.question:
        parts.append(_question("Question", stop.question, answers))
    elif not answers:
        parts.append(f"<p><b>What I saw.</b></p>{_LINES}")
    return f'<section class="stop"><div>{"".join(parts)}</div>{way}</section>'


_LINES = '<div class="lines"></div>' * N_LINES
_WHY = f'<p class="quiet">Because</p>{_LINES}'


def _question(kind: str, question: Question, answers: bool) -> str:
    text = f"<p><b>{kind}.</b> {html(question.text)}</p>"
    if not question.options:
        return text + ("" if answers else _LINES)
    items = []
    for option in question.shuffled:
        mark = ' class="right"' if answers and option.right else ""
        reply = f'<span class="reply">{html(option.reply)}</span>' if answers else ""
        items.append(f"<li{mark}>{html(option.text)}{reply}</li>")
    return f"{text}<ul>{''.join(items)}</ul>{'' if answers else _WHY}"
