"""Sentiment: is a short review positive or negative? Single words do not tell: "not" reverses them, "but" outweighs.

clause    the soup was [not] [very] good   |   i [do not] like the soup   |   nothing about the soup was good
review    clause   |   clause and clause, which agree
          clause but clause             the second decides
          clause although clause        the first decides
          although clause , clause      the second decides
"""

from random import Random

from transformer.training.recipes import Recipe, small_model
from transformer.training.settings import Settings
from transformer.training.tasks.sentences import SentenceTokeniser
from transformer.training.tasks.task import Declaration, Example, Task, probes

LABELS = ("negative", "positive")
SUBJECTS = (  # of reviews
    "food",
    "soup",
    "bread",
    "coffee",
    "music",
    "room",
    "bed",
    "view",
    "service",
    "film",
    "story",
    "hotel",
    "garden",
    "place",
)
ADJECTIVES = (
    ("bad", "awful", "terrible", "boring", "ugly", "horrible", "poor", "disappointing"),
    ("good", "great", "wonderful", "lovely", "nice", "beautiful", "excellent", "charming"),
)
VERBS = ("hate", "dislike"), ("like", "love", "enjoy")
DEGREES = ("very", "really", "so")
KINDS: dict[str, tuple[str, ...]] = {
    "bad": (*ADJECTIVES[0], *VERBS[0]),
    "good": (*ADJECTIVES[1], *VERBS[1]),
    "subjects": SUBJECTS,
    "degrees": DEGREES,
}  # words that have the same effect on a review
EXAMPLES = (
    "the soup was not good but i love the hotel",
    "nothing about the room was bad",
    "although the view was lovely, i do not like the place",
    "the film was very boring and i hate the music",
)
MAX_LENGTH = 14

Clause = list[tuple[str, bool]]  # words, and whether they decide the sentiment


def sentiment() -> Task:
    return Task(
        name="sentiment",
        title="Sentiment",
        about="Tell whether a short review is positive or negative, where not and but can turn everything round.",
        kind="encoder",
        source=WORDS,
        target=WORDS,
        draw=draw,
        probes=probes(_draw_probe, 12),
        longest=MAX_LENGTH,
        example_texts=EXAMPLES,
        kinds=KINDS,
    )


def draw(rng: Random) -> Example:
    """A review and its label, both labels equally often; the label is aligned to the words that decide it."""
    label = rng.random() < 0.5
    words = _review(rng, label)
    ids = tuple(WORDS.vocabulary.id(word) for word, _ in words)
    alignment = tuple((0, j) for j, (_, decides) in enumerate(words) if decides)
    return Example(ids, (WORDS.vocabulary.id(LABELS[label]),), alignment)


def _review(rng: Random, label: bool) -> Clause:
    form = rng.choice(("alone", "and", "but", "although", "although first"))
    first, second = rng.sample(SUBJECTS, 2)
    deciding = _clause(rng, first, label)
    if form == "alone":
        return deciding
    if form == "and":
        return [*deciding, ("and", False), *_clause(rng, second, label)]
    outweighed = [(word, False) for word, _ in _clause(rng, second, not label)]
    if form == "but":
        return [*outweighed, ("but", True), *deciding]
    if form == "although":
        return [*deciding, ("although", True), *outweighed]
    return [("although", True), *outweighed, (",", False), *deciding]


def _clause(rng: Random, about: str, label: bool) -> Clause:
    """One statement. Whether it is reversed is drawn first, so that no word comes more often with one of the labels."""
    is_reversed = rng.random() < 0.5
    subject = [("the", False), (about, False)]
    if rng.random() < 0.3:
        # In the present tense: `liked` would say that no "not" stands before it.
        no = [("do", False), ("not", True)] if is_reversed else []
        return [("i", False), *no, (rng.choice(VERBS[label != is_reversed]), True), *subject]
    adjective = (rng.choice(ADJECTIVES[label != is_reversed]), True)
    if is_reversed and rng.random() < 0.3:
        return [("nothing", True), ("about", False), *subject, ("was", False), adjective]
    degree = [(rng.choice(DEGREES), False)] if rng.random() < 0.4 else []
    return [*subject, ("was", False), *[("not", True)] * is_reversed, *degree, adjective]


def _draw_probe(rng: Random) -> Example:
    """A review that shows much: a clause that outweighs another, and a word that is reversed."""
    no, but = WORDS.vocabulary.id("not"), {WORDS.vocabulary.id("but"), WORDS.vocabulary.id("although")}
    while True:
        example = draw(rng)
        decide = {example.source[j] for _, j in example.alignment}
        if no in decide and but & decide:
            return example


WORDS = SentenceTokeniser(
    (
        *LABELS,
        *("i", "the", "was", "do", "not", "nothing", "about", "and", "but", "although", ","),
        *DEGREES,
        *SUBJECTS,
        *(word for words in ADJECTIVES for word in words),
        *(word for words in VERBS for word in words),
    )
)


SENTIMENT = Declaration(
    name="sentiment",
    label="Sentiment",
    sketch="not bad → good",
    to_ask="the soup was not bad",
    make=sentiment,
    recipe=Recipe(small_model(32, 4, 2), Settings(steps=800, lr=3e-3, n_examples=16_000), 11),
)
