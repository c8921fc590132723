"""What a room can ask: a warm-up that the storyteller answers, a lesson, or the questions of a page.

In the address `class_of` is "warm-up", the name of a shipped lesson, "~" and a lesson's text, "page:" and its path, or
"question:", the key of a page's question and, after a question mark, the settings of the view that answers it.
"""

from urllib.parse import parse_qsl, urlencode

from lab.kit import catalogue, settings, story
from lab.kit.lessons import shelf
from lab.kit.lessons.lesson import MINUTES, Lesson, Link, Stop
from lab.kit.texts.inline import quoted
from lab.kit.texts.markdown import Fault, TextError
from lab.kit.texts.questions import Question, of_page
from lab.kit.words import counted
from lab.server.rooms.plan import MAX_STEPS, Plan, Step
from pages.classroom import data
from pages.classroom.asked import answered

WARM_UP, PAGE, QUESTION = "warm-up", "page:", "question:"
PARAMETER = "class_of"
MAX_SETTINGS = 40  # of the view that answers a single question


def plan(name: str) -> Plan:
    """The questions of this name. Raises TextError where there are none, with a sentence for its reader."""
    if name == WARM_UP:
        return warm_up(data.warmup())
    if name.startswith(PAGE):
        return of_the_page(name.removeprefix(PAGE))
    if name.startswith(QUESTION):
        return of_the_question(name.removeprefix(QUESTION))
    lesson = shelf.lesson(name)
    steps = [step for stop in lesson.stops for step in _of_stop(stop)]
    return _plan(lesson.title, steps)


def titles(n_more: int = 0, minutes_more: int = 0) -> dict[str, str]:
    """What a class can be asked here, by what `class_of` calls it: its title, how much it is, and how long a class
    takes for it; with so many questions and minutes more, of a test."""
    asked = {WARM_UP: ("Warm-up", 5)}
    for name, lesson in shelf.shipped().items():
        asked[name] = quoted(lesson.title), n_questions(lesson)
    for name, title in pages().items():
        asked[name] = f"{title}, the page", len(_asked(name.removeprefix(PAGE)))
    return {name: f"{title} · {length(n, n_more, minutes_more)}" for name, (title, n) in asked.items()}


def length(n: int, n_more: int = 0, minutes_more: int = 0) -> str:
    """So many questions, or as many as a room takes, and how long a class takes for them; with so many more, which take
    so many minutes."""
    n = min(n, MAX_STEPS - n_more)
    return f"{counted(n + n_more, 'question')} · about {minutes(n, minutes_more)} minutes"


def minutes(n: int, more: int = 0) -> int:
    """How long a class takes for so many questions."""
    return MINUTES * n + more


def pages() -> dict[str, str]:
    """The pages that have questions for a class: their names by what `class_of` calls them."""
    return {f"{PAGE}{page.url}": page.title for page in catalogue.PAGES if page.url and _asked(page.url)}


def questions() -> dict[str, list[Question]]:
    """All questions with a right answer that do not depend on what somebody has chosen: by page, and by lesson."""
    of_pages = {page.title: _asked(page.url) for page in catalogue.PAGES if page.url and _asked(page.url)}
    of_lessons = {quoted(lesson.title): list(lesson.questions) for lesson in shelf.shipped().values()}
    return of_pages | of_lessons


def n_questions(lesson: Lesson) -> int:
    """How many questions a room asks with this lesson."""
    return sum(question is not None for stop in lesson.stops for question in (stop.predict, stop.question))


def of_the_page(url: str) -> Plan:
    """The questions of a page, each with the page as its view."""
    try:
        page = catalogue.page(url)
    except LookupError:
        raise TextError([Fault(1, "There is no page of this name here.")]) from None
    asked = _asked(url)
    view = Link(url).address()
    return _plan(page.question, [_options(f"Question {n}", one, view) for n, one in enumerate(asked, 1)])


def of_the_question(name: str) -> Plan:
    """A single question of a page, with the page as it was when the class was asked."""
    key, _, link = name.partition("?")
    url = key.partition("-")[0]
    question = of_page(url).get(key)
    if question is None or question.places:
        raise TextError([Fault(1, "There is no question of this name here.")])
    page = catalogue.page(url)
    try:
        here = parse_qsl(link, max_num_fields=MAX_SETTINGS)
    except ValueError:
        here = []
    own = {name: value for name, value in here if name.startswith(page.prefix) or name in settings.shared()}
    return _plan(page.question, [_options(page.title, question, Link(url, tuple(own.items())).address())])


def _asked(url: str) -> list[Question]:
    """Those whose words do not depend on what somebody has chosen on the page."""
    return [question for question in of_page(url).values() if question.answer and not question.places]


def _plan(title: str, steps: list[Step]) -> Plan:
    if not steps:
        raise TextError([Fault(1, "Here is no question that a class could answer.")])
    return Plan(quoted(title), tuple(steps[:MAX_STEPS]))


def _of_stop(stop: Stop) -> list[Step]:
    """A prediction and a question, where the stop has them. What is to be written down, neighbours tell each other."""
    view, steps = stop.link.address(), []
    for asked in filter(None, (stop.predict, stop.question)):
        say = quoted(stop.opening) if asked is stop.predict else ""
        if asked is stop.predict and (step := answered(stop)):
            steps.append(step)
        elif asked.options:
            step = _options(stop.heading, asked, view, say)
            is_asked_otherwise = stop.asks and asked is stop.predict
            steps.append(step._replace(ask=quoted(stop.asks)) if is_asked_otherwise else step)
        else:
            steps.append(Step("talk", quoted(stop.heading), quoted(asked.text), view=view, say=say))
    return steps


def _options(heading: str, asked: Question, view: str, say: str = "") -> Step:
    options = asked.shuffled
    return Step(
        "options",
        quoted(heading),
        quoted(asked.text),
        tuple(quoted(option.text) for option in options),
        tuple(float(option.right) for option in options),
        tuple(quoted(option.reply) for option in options),
        view,
        say=say,
    )


def warm_up(numbers: data.Warmup) -> Plan:
    """Five kinds of questions, one after another, about one story."""
    next_word = "./generation?" + urlencode({"gen_text": story.TEXT})
    sure = max(numbers.probabilities)
    told = f"A model that has learned from stories reads: “{story.TEXT} …”."
    return Plan(
        "Warm-up",
        (
            *_looks(numbers),
            Step(
                "word",
                "Which word comes next?",
                "Choose the word that the model finds likeliest.",
                numbers.vocabulary,
                numbers.probabilities,
                ("It gives every word that it knows a probability.",),
                next_word,
                say=told,
            ),
            Step(
                "number",
                "How sure is it?",
                "What probability does it give to the word that it finds likeliest?",
                (),
                (round(100 * sure, 1),),
                low=0,
                high=100,
                unit="%",
                view=next_word,
                say=told,
            ),
            Step(
                "curve",
                "What did it expect?",
                "Before each word of the story, what probability had it given that word? Draw from the first word"
                " to the last.",
                numbers.tokens,
                numbers.read,
                ("Names can hardly be foreseen; how a sentence goes on can.",),
                low=0,
                high=1,
            ),
        ),
    )


def _looks(numbers: data.Warmup) -> tuple[Step, Step]:
    """Where the head that decides looks: from the last word, and from all others."""
    last, (layer, head) = numbers.tokens[-1], numbers.head
    heads = {"weights": story.MODEL, "text": story.TEXT, "layer": layer, "head": head, "query": len(numbers.tokens)}
    return (
        Step(
            "cells",
            f"Where does the last “{last}” look?",
            f"Press the word to which the last “{last}” pays most attention.",
            numbers.tokens,
            numbers.weights,
            (f"Layer {layer}, head {head}: without it, the answer changes most.",),
            "./heads?" + urlencode(heads),
            say="A model that has learned from stories reads this one, and has to go on.",
            asks=len(numbers.tokens) - 1,
        ),
        Step(
            "map",
            "Where else does it look?",
            "The same head in a shorter story: press a cell in which you expect much attention.",
            numbers.few,
            numbers.map,
            ("Compare the rows: whichever word asks, what have the words in common that it finds?",),
            "./heads?" + urlencode({n: v for n, v in heads.items() if n != "query"} | {"text": data.SHORT}),
            say="Each row is a word that asks, each column a word that it can look at.",
        ),
    )
