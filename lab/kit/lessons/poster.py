"""What a lesson was about, on one sheet to keep: an HTML page that needs nothing else, to be hung up or printed."""

from collections.abc import Collection

from lab.kit.lessons.lesson import Lesson, Stop
from lab.kit.texts.inline import html
from lab.kit.texts.questions import Question

# The letters and hues of everything that is printed of a lesson.
PAPER = """
:root { color-scheme: light; }
body { color: #1d1b22; background: #fff; font: 16px/1.45 "Source Sans 3", "Segoe UI", Helvetica, Arial, sans-serif; }
.lesson-blue { color: #0072b2; } .lesson-orange { color: #b34a00; }
.lesson-green { color: #007a5a; } .lesson-violet { color: #6b3fa0; }
"""
_STYLE = """
body { margin: 2.5rem auto; max-width: 64rem; padding: 0 1.5rem; }
h1 { font-size: 3rem; line-height: 1.1; letter-spacing: -0.02em; margin: 0 0 .6rem; }
.about { font-size: 1.25rem; max-width: 46rem; margin: 0 0 1.6rem; }
.frames { columns: 2; column-gap: 1.4rem; }
section { break-inside: avoid; border: 1.5px solid #1d1b22; border-radius: 10px;
  padding: .8rem 1rem; margin: 0 0 1rem; }
h2 { font-size: 1.05rem; margin: 0; color: #635e6d; font-weight: 600; }
p { margin: .35rem 0 0; }
.answer { font-size: 1.2rem; font-weight: 650; line-height: 1.25; }
footer { margin-top: 1.4rem; color: #635e6d; }
@page { size: A3; margin: 14mm; }
@media print { body { margin: 0; max-width: none; padding: 0; } }
"""


def poster(lesson: Lesson, right: Collection[Question], n_asked: int) -> str:
    """The sheet: every stop that asked something, with what is right.

    right  what was known at the first try, with a sign of its own; of n_asked that were answered
    """
    score = f"✓ right at the first try: {len(right)} of {n_asked} · " if n_asked else ""
    frames = [_frame(stop, number, right) for number, stop in enumerate(lesson.stops, 1)]
    title = html(lesson.title)
    return f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>{title}</title><style>{PAPER}{_STYLE}</style></head>
<body><h1>{title}</h1>
<p class="about">{html(lesson.about)}</p>
<div class="frames">
{"".join(frames)}
</div>
<footer>{score}Attention Lab</footer>
</body></html>
"""


def _frame(stop: Stop, number: int, right: Collection[Question]) -> str:
    lines = [
        f'<p>{html(question.text)}</p><p class="answer">{"✓ " * (question in right)}{html(question.answer.text)}</p>'
        for question in (stop.predict, stop.question)
        if question and question.answer
    ]
    return f"<section><h2>{number} · {html(stop.heading)}</h2>{''.join(lines)}</section>\n" if lines else ""
