"""Questions as Moodle imports them: the GIFT format, https://docs.moodle.org/en/GIFT_format.

$CATEGORY: Attention Lab/Masks

::Masks 1:: What does the first word look at? {
=Itself#Nothing else is there yet.
~The second word#That one is masked.
}
"""

import re
from collections.abc import Iterable, Mapping

from lab.kit.texts.inline import plain
from lab.kit.texts.questions import Question

CATEGORY = "Attention Lab"
_SIGNS = re.compile(r"([\\~=#{}:])")  # what means something in GIFT


def gift(categories: Mapping[str, Iterable[Question]]) -> str:
    """The questions that have one right option, by the name of their category; their options in the house's order."""
    return "\n".join(
        "\n".join([f"$CATEGORY: {CATEGORY}/{_escaped(name.replace('/', ' '))}", "", *_questions(name, questions)])
        for name, questions in categories.items()
    )


def _questions(name: str, questions: Iterable[Question]) -> Iterable[str]:
    asked = [question for question in questions if question.answer]
    for number, question in enumerate(asked, 1):
        yield f"::{_escaped(f'{name} {number}')}:: {_escaped(plain(question.text))} {{"
        for option in question.shuffled:
            yield f"{'=' if option.right else '~'}{_escaped(plain(option.text))}#{_escaped(plain(option.reply))}"
        yield "}\n"


def _escaped(text: str) -> str:
    """A text in one line, whose signs have no meaning."""
    return _SIGNS.sub(r"\\\1", " ".join(text.split()))
