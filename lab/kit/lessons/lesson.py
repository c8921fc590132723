"""What a lesson is: stops, each a view of the app with something to say, to do, to predict and to answer."""

from typing import NamedTuple
from urllib.parse import urlencode

from lab.kit.lessons.board import Shown
from lab.kit.texts.questions import Question

MINUTES = 2  # of a class for a question: to think, to vote, and to look at the answer


def file_name(title: str) -> str:
    """What a file made of a lesson of this title is called, without an ending."""
    letters = "".join(letter if letter.isascii() and letter.isalnum() else "-" for letter in title.lower())
    return "-".join(filter(None, letters.split("-")))[:60] or "lesson"


class Link(NamedTuple):
    """A view of the app: the path of its page, and the settings in its address."""

    page: str
    settings: tuple[tuple[str, str], ...] = ()

    def address(self, **more: object) -> str:
        """The link as the browser reads it on any page of the app, with further settings."""
        query = urlencode([*self.settings, *more.items()])
        return f"./{self.page}" + (f"?{query}" if query else "")


class Asked(NamedTuple):
    """What a model is asked: where a word looks ("attention"), where all do ("map"), or what follows ("next word")."""

    what: str
    text: str = ""


class Stop(NamedTuple):
    """One stop: where it is, the sentence, what to do there, the controls for that, and its two questions.

    before     what is said above the prediction, where the sentence speaks of the picture; "" for the sentence
    note       what only the teacher's sheet says; "" for nothing
    asks       what a class is asked in place of the prediction, where a model answers; "" for the same
    has_words  whether the page's own words stand beside the picture
    without    names of pictures that are left out
    model      what a model is asked in a class, whose own answer is then that of the prediction; None for nothing
    board      what stands above the view: tables, formulas, pictures
    """

    heading: str
    link: Link
    say: str
    do: str = ""
    note: str = ""
    before: str = ""
    asks: str = ""
    controls: tuple[str, ...] = ()
    has_words: bool = False
    without: tuple[str, ...] = ()
    model: Asked | None = None
    predict: Question | None = None
    question: Question | None = None
    board: tuple[Shown, ...] = ()

    @property
    def opening(self) -> str:
        """What is said while nothing of the view is seen yet."""
        return self.before or self.say


class Lesson(NamedTuple):
    """A lesson as its file has it; `audience` is what the file calls "for"."""

    title: str
    minutes: int
    audience: str
    about: str
    stops: tuple[Stop, ...]

    @property
    def file_name(self) -> str:
        """What a file made of it is called, without an ending."""
        return file_name(self.title)

    @property
    def questions(self) -> tuple[Question, ...]:
        """What it asks that has a right answer, in its order: of each stop the prediction, then the question."""
        asked = [question for stop in self.stops for question in (stop.predict, stop.question)]
        return tuple(question for question in asked if question is not None and question.answer is not None)

    @property
    def begins(self) -> tuple[int, ...]:
        """At which minute of a class each stop begins, and then its end: each question takes MINUTES, and so does a
        stop without one."""
        takes = [MINUTES * max(1, (stop.predict is not None) + (stop.question is not None)) for stop in self.stops]
        return tuple(sum(takes[:n]) for n in range(len(takes) + 1))

    @property
    def n_questions(self) -> int:
        """How many questions of it have a right answer."""
        return len(self.questions)
