"""Challenges on the models that write: a wrong translation, and a story that could go either way."""

from itertools import product, zip_longest

import numpy as np

from lab.kit import story
from lab.kit.controls.text_input import quoted
from lab.kit.figures import display
from lab.kit.models.readings import Reading, next_token
from lab.kit.models.references import Mask
from pages.challenges import data
from pages.challenges.challenge import Challenge, Gauge, Verdict, beside
from pages.challenges.links import Link
from pages.challenges.page import PAGE
from transformer import inspection
from transformer.core.checks import InputError
from transformer.training.text import BOS, NAMES, clean

MAX_LETTERS = 400
UNDECIDED = 0.3
WHEELS = ("tjkmbpzd", "iaeo", "mngbd")  # letters that spell a name: tim at first, from which no notch opens the lock
AFTER = " was cold. then"


def _at_the_end(link: Link, name: str, last: int) -> None:
    """Raises InputError if the link shows the model on the way of its training."""
    if link.number(name) not in (None, last):
        raise InputError(f"this puzzle is about the model as it is after its training: drop “{name}” from the link")


# ---- a wrong translation -------------------------------------------------------------------------------------------


def check_french(link: Link) -> Verdict:
    """Whether the shipped translator gets a sentence of its own grammar wrong, one no longer than those it was trained
    on."""
    if link.page != "translation":
        raise InputError("this puzzle is solved on the page Translation")
    source = data.TRANSLATOR.resolve()
    task = source.task
    _at_the_end(link, "translator_step", source.checkpoint.step)
    if "translator" in link.settings or "translator_before" in link.settings:
        raise InputError("this puzzle is about the translator that comes with the page, as it is after its training")
    text = clean(link.settings.get("tr_english", story.SENTENCE))[:MAX_LETTERS]
    tokens = inspection.translation.tokenise_source(task, text)
    if tokens.unknown:
        raise InputError(f"the translator has never read {quoted(tokens.unknown[:3])}; use the words that it knows")
    if not tokens.words:
        raise InputError("there is no sentence in this link")
    if len(tokens.words) + tokens.left_out > task.longest:
        raise InputError(
            f"it was trained on sentences of at most {task.longest} words; to fail on a longer one is no wonder"
        )
    translated = data.translated(tokens.words)
    if translated is None:
        raise InputError("this sentence is outside of the grammar, so nobody can say what is right")
    written, right = (display.plain(" ".join(words)) for words in translated)
    if translated.written == translated.right:
        return Verdict(False, f"It writes *{written}*, and that is exactly right. Try something stranger.", 0)
    wrong = sum(one != other for one, other in zip_longest(translated.written, translated.right))
    n = len(tokens.words)
    return Verdict(True, f"It writes *{written}*, not *{right}*. It knows all {n} words.", wrong)


FRENCH = Challenge(
    PAGE.view("Wrong French"),
    words="On sentences like those of its training it hardly ever fails. Find one that breaks it: in its own words and"
    " grammar, and no longer than the sentences it learned from.",
    hint="It learned from sentences drawn at random, and some kinds are rare among them. *Who* is *how*, and *where*?"
    " Say all three at once.",
    gauge=Gauge("wrong words", 1, 5),
    check=check_french,
)


# ---- two minds -----------------------------------------------------------------------------------------------------


def undecided(tokens: tuple[str, ...]) -> tuple[float, float]:
    """How likely "he" and "she" are to come next."""
    probabilities = next_token(Reading(data.STORIES, Mask("causal"), tokens))
    he, she = (float(probabilities[id]) for id in data.STORIES.resolve().ids(["he", "she"]))
    return he, she


def names() -> tuple[str, ...]:
    """Every name that the wheels can spell, the last turning fastest."""
    return tuple(map("".join, product(*WHEELS)))


def known_names() -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The names of boys and of girls that the stories draw from, beside those that are made up."""
    kinds = data.STORIES.resolve().kinds
    return kinds["boys"], kinds["girls"]


def after_names() -> np.ndarray:
    """How likely "he" and "she" (n, 2) are to come next after each name."""
    source = data.STORIES.resolve()
    readings = tuple(Reading(data.STORIES, Mask("causal"), source.cut(name + AFTER)) for name in names())
    return data.next_tokens(readings)[:, source.ids(["he", "she"])]


def with_name(name: str) -> Link:
    """The state of the page Generation after the story of this name."""
    return UNDECIDED_STORY.start._replace(settings={**UNDECIDED_STORY.start.settings, "gen_text": name + AFTER})


def check_undecided(link: Link) -> Verdict:
    """Whether "he" and "she" are both likely after the text that is typed on the page Generation."""
    if link.page != "generation":
        raise InputError("this puzzle is solved on the page Generation")
    source = data.STORIES.resolve()
    if link.settings.get("gen_model", "Stories") != "Stories":
        raise InputError("this puzzle is about the model “Stories”")
    _at_the_end(link, "gen_step", source.checkpoint.step)
    text = clean(link.settings.get("gen_text", story.TEXT))[:MAX_LETTERS]
    tokens = source.cut(text) or (NAMES[BOS],)
    if len(tokens) > 65:
        raise InputError("this text has more than 64 tokens; take a shorter one")
    he, she = undecided(tokens)
    is_reached = min(he, she) >= UNDECIDED
    ending = display.plain(" ".join(tokens[-4:]))
    said = [beside(p, UNDECIDED) for p in (he, she)]
    sentence = f"After “… {ending}” it is *he* with {said[0]} and *she* with {said[1]}"
    why = ". It goes by the names that it knows, and here none decides."
    sentence += why if is_reached else f"; both need {UNDECIDED} or more."
    return Verdict(is_reached, sentence, min(he, she))


UNDECIDED_STORY = Challenge(
    PAGE.view("Two minds"),
    words="As a rule the model is sure whom a story is about. Write a beginning after which *he* and *she* each come"
    f" next with a probability of {UNDECIDED} or more. What counts is the text that you type, not the branches below"
    " it.",
    hint="It goes by names. Tell of somebody whose name it has never read, and then …",
    gauge=Gauge("the less likely word", UNDECIDED, 0.5),
    check=check_undecided,
)
