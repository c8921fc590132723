"""What the museum says of one bug."""

from typing import NamedTuple

from lab.kit.teaching import Answer


class Case(NamedTuple):
    """One exhibit in words.

    exhibit  its name in transformer.inspection.bugs.collection
    title    what one notices, which must not give the cause away; it is in the address
    story    what happened, in a sentence or two of Markdown
    answers  to "What is wrong?": exactly one is right
    lesson   what to remember, shown with the cure
    """

    exhibit: str
    title: str
    story: str
    answers: tuple[Answer, ...]
    lesson: str
