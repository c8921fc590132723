"""Sentiment: is a short review positive or negative? Single words do not tell: "not" turns them round, "but" outweighs.

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
SUBJECTS = (  # what a review speaks of
    "food", "soup", "bread", "coffee", "music", "room", "bed", "view", "service", "film", "story", "hotel", "garden",
    "place",
)  # fmt: skip
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
}  # words that do the same to a review
EXAMPLES = (
    "the soup was not good but i love the hotel",
    "nothing about the room was bad",
    "although the view was lovely, i do not like the place",
    "the film was very boring and i hate the music",
)
LONGEST = 14

Clause = list[tuple[str, bool]]  # words, and whether they decide what the clause says


def sentiment() -> Task:
    return Task(
        name="sentiment",
        title="Sentiment",
        about="Tell whether a short review is positive or negative, where not and but can turn everything round.",
        kind="encoder",
        source=WORDS,
        target=WORDS,
        draw=draw,
        probes=probes(_draw_telling, 12),
        longest=LONGEST,
        example_texts=EXAMPLES,
        kinds=KINDS,
    )


def draw(rng: Random) -> Example:
    """A review and its label, each as often; the label is aligned to the words that decide."""
    label = rng.random() < 0.5
    words = _review(rng, label)
    ids = tuple(WORDS.vocabulary.id(word) for word, _ in words)
    decided = tuple((0, j) for j, (_, decides) in enumerate(words) if decides)
    return Example(ids, (WORDS.vocabulary.id(LABELS[label]),), decided)


def _review(rng: Random, label: bool) -> Clause:
    form = rng.choice(("alone", "and", "but", "although", "although first"))
    first, second = rng.sample(SUBJECTS, 2)
    said = _clause(rng, first, label)
    if form == "alone":
        return said
    if form == "and":
        return [*said, ("and", False), *_clause(rng, second, label)]
    outweighed = [(word, False) for word, _ in _clause(rng, second, not label)]
    if form == "but":
        return [*outweighed, ("but", True), *said]
    if form == "although":
        return [*said, ("although", True), *outweighed]
    return [("although", True), *outweighed, (",", False), *said]


def _clause(rng: Random, about: str, label: bool) -> Clause:
    """One statement. Whether it is turned round is drawn first, so that no word goes with one label more often."""
    turned = rng.random() < 0.5
    subject = [("the", False), (about, False)]
    if rng.random() < 0.3:
        # In the present tense: `liked` would say that no "not" stands before it.
        no = [("do", False), ("not", True)] if turned else []
        return [("i", False), *no, (rng.choice(VERBS[label != turned]), True), *subject]
    adjective = (rng.choice(ADJECTIVES[label != turned]), True)
    if turned and rng.random() < 0.3:
        return [("nothing", True), ("about", False), *subject, ("was", False), adjective]
    degree = [(rng.choice(DEGREES), False)] if rng.random() < 0.4 else []
    return [*subject, ("was", False), *[("not", True)] * turned, *degree, adjective]


def _draw_telling(rng: Random) -> Example:
    """A review that shows the most: a clause that outweighs another, and a word that is turned round."""
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
    make=sentiment,
    recipe=Recipe(small_model(32, 4, 2), Settings(steps=800, lr=3e-3, n_examples=16_000), 11),
)
