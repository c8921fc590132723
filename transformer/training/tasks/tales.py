"""Tales: two to four sentences from a small grammar, all in lower case, that a decoder learns to write.

A tale is consistent: whom it is about (and so he or she), what was found, of which colour, and where. A model that
writes them well has to look back, which can be measured; the alignment says where.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations
from math import comb, exp, inf, log
from random import Random
from typing import TYPE_CHECKING

from transformer.training.recipes import Recipe, small_model
from transformer.training.settings import Settings
from transformer.training.tasks.sentences import SentenceTokeniser
from transformer.training.tasks.task import Declaration, Example, Task, probes

if TYPE_CHECKING:
    from transformer.core.model import Model

BOYS = ("tom", "ben", "sam", "leo", "max", "jack")
GIRLS = ("anna", "mia", "eva", "lily", "rosa", "emma")
THINGS = ("ball", "book", "hat", "key", "cup", "kite", "bell")
COLOURS = ("red", "blue", "green", "yellow", "white", "black")
PLACES = ("garden", "park", "forest", "kitchen", "school", "barn")
FOUND_MOODS, LOST_MOODS = ("happy", "glad", "proud"), ("sad", "angry", "worried")

KINDS: dict[str, tuple[str, ...]] = {
    "boys": BOYS,
    "girls": GIRLS,
    "things": THINGS,
    "colours": COLOURS,
    "places": PLACES,
    "moods": (*FOUND_MOODS, *LOST_MOODS),
}  # words that can replace one another

PRONOUNS = (("he", "she"), ("him", "her"))  # each tells whom it stands for
FACTS = ((*BOYS, *GIRLS), THINGS, COLOURS, PLACES)  # a tale keeps to those that it has told
EXAMPLES = (
    "mia found a red ball in the park. in the evening mia took the red",
    "tom lost a green key in the forest. he told anna about the",
    "one day eva went to the school and saw a white kite there. she was very",
    "ben got a blue bell as a present. rosa liked the bell, so he gave her the",
)
OWNER, AGAIN = "finds the pronoun’s owner", "finds a fact told before"  # what a head can do for the next word
IN_GRAMMAR = "of these, tales that the grammar tells"

# {hero} and {friend} are names, of a boy and a girl; {he} and {him} stand for the hero, {they} and {them} for the
# friend. {mood} goes with the opening.
# (what happens first), (what may come between, in this order), (how it ends)
FOUND = (
    (
        "{hero} found a {colour} {thing} in the {place} .",
        "one day {hero} went to the {place} and saw a {colour} {thing} there .",
        "{hero} got a {colour} {thing} as a present .",
    ),
    (
        "{he} was very {mood} .",
        "{he} told {friend} about the {thing} .",
        "{friend} said that {they} wanted the {thing} too .",
    ),
    (
        "in the evening {hero} took the {colour} {thing} home .",
        "then {he} went to the {place} and played with the {thing} .",
        "so {he} put the {thing} in a box , and the box was {colour} too .",
        "{friend} liked the {thing} , so {he} gave {them} the {colour} {thing} .",
    ),
)
LOST = (
    (
        "{hero} lost a {colour} {thing} in the {place} .",
        "one day {hero} went to the {place} with a {colour} {thing} and forgot the {thing} there .",
    ),
    (
        "{he} was very {mood} .",
        "{he} looked for the {thing} until the evening .",
        "{he} told {friend} about the {thing} .",
    ),
    (
        "then {hero} went back to the {place} and found the {colour} {thing} .",
        "so {he} went home without the {colour} {thing} .",
        "but {friend} found the {colour} {thing} in the {place} and gave {him} the {thing} .",
    ),
)


def tales() -> Task:
    return Task(
        name="tales",
        title="Short tales",
        about="Write a tale word by word that keeps to its names, its things and its places.",
        kind="decoder",
        source=WORDS,
        target=WORDS,
        draw=draw,
        probes=probes(draw, 0),
        longest=max(longest_text(*FOUND), longest_text(*LOST)),
        example_texts=EXAMPLES,
        opening="mia found a red ball in the park.",
        misfit="he",
        kinds=KINDS,
        relations=relations,
        is_right=is_tale,
        scores=scores,
        score_notes={IN_GRAMMAR: "{:.0%} of the tales it writes are right"},
    )


def relations(words: Sequence[str]) -> dict[str, list[tuple[int, int]]]:
    """Which word of a text the next one comes from: pairs (i, j), where word i + 1 is made from word j.

    A pronoun comes from the name it stands for (a tale has one boy and one girl at most), and a fact that is told
    again from where it was told before.
    """
    return told_before(words, ((BOYS, ("he", "him")), (GIRLS, ("she", "her"))), FACTS)


def told_before(
    words: Sequence[str], pronouns: Sequence[tuple[Sequence[str], Sequence[str]]], facts: Sequence[Sequence[str]]
) -> dict[str, list[tuple[int, int]]]:
    """`relations` of words with these pronouns, each after the names that they stand for, and facts of these kinds."""
    earlier = [(i, j) for i in range(len(words) - 1) for j in range(i)]
    told = {fact for kind in facts for fact in kind}
    return {
        OWNER: [(i, j) for i, j in earlier if any(words[i + 1] in he and words[j] in names for names, he in pronouns)],
        AGAIN: [(i, j) for i, j in earlier if words[i + 1] in told and words[i + 1] == words[j]],
    }


def draw(rng: Random) -> Example:
    """A whole tale as the target, after an empty source.

    A word that repeats a fact is aligned to its first occurrence, a pronoun to the name that it stands for.
    """
    words, alignment, first = [], [], {}
    for word, fact in _words_and_facts(rng):
        if fact in first:
            alignment.append((len(words), first[fact]))
        elif fact:
            first[fact] = len(words)
        words.append(WORDS.vocabulary.id(word))
    return Example((), tuple(words), tuple(alignment))


def _words_and_facts(rng: Random) -> list[tuple[str, str]]:
    """The words of a tale, each with the fact it tells: hero, friend, thing, colour, place, or nothing."""
    is_girl = rng.random() < 0.5
    lost = rng.random() < 0.4
    sentences = _plot(rng, lost)
    heroes, friends = (GIRLS, BOYS) if is_girl else (BOYS, GIRLS)
    he, him, they, them = ("she", "her", "he", "him") if is_girl else ("he", "him", "she", "her")
    facts = {
        "{hero}": (rng.choice(heroes), "hero"),
        "{friend}": (rng.choice(friends), "friend"),
        "{he}": (he, "hero"),
        "{him}": (him, "hero"),
        "{they}": (they, "friend"),
        "{them}": (them, "friend"),
        "{thing}": (rng.choice(THINGS), "thing"),
        "{colour}": (rng.choice(COLOURS), "colour"),
        "{place}": (rng.choice(PLACES), "place"),
        "{mood}": (rng.choice(LOST_MOODS if lost else FOUND_MOODS), ""),
    }
    return [facts.get(word, (word, "")) for sentence in sentences for word in sentence.split()]


def _plot(rng: Random, lost: bool) -> list[str]:
    """Two to four sentences: an opening, up to two of those that may come between, an end."""
    openings, between, ends = LOST if lost else FOUND
    chosen = sorted(rng.sample(range(len(between)), rng.randint(0, 2)))
    return [rng.choice(openings), *(between[i] for i in chosen), rng.choice(ends)]


def log_probability(words: Sequence[str]) -> float:
    """The logarithm of the probability that the grammar tells exactly this tale; -inf for one that it never tells.

    The mean of its negative per word is the entropy: no model's loss can be lower in the long run.
    """
    for sentences, moods, log_p in _plots():
        frame = [word for sentence in sentences for word in sentence.split()]
        if len(frame) == len(words) and (filled := _filled(frame, words)) is not None:
            return log_p + _log_facts(filled, moods)
    return -inf


def is_tale(ids: Sequence[int]) -> bool:
    """Whether the grammar tells exactly this tale."""
    return log_probability(_words(ids)) > -inf


def scores(model: "Model", tests: Sequence[Example], n_written: int = 500) -> dict[str, float]:
    """Card entries: how the model does on held-out tales, and on those that it draws by itself with seed 0."""
    from torch import Generator

    from transformer.core.model import DecoderModel
    from transformer.training.grammar_scores import cross_entropy, grammar_entropy, ranked_first, sample_texts

    assert isinstance(model, DecoderModel)  # whatever learns tales is one
    n_grammatical = sum(map(is_tale, sample_texts(model, n_written, Generator().manual_seed(0))))
    entropy = grammar_entropy(tests, lambda ids: log_probability(_words(ids)))
    return {
        "held-out tales": len(tests),
        "perplexity, a word": round(exp(cross_entropy(model, tests)), 4),
        "perplexity of the grammar itself": round(exp(entropy), 4),
        "right pronouns": round(ranked_first(model, tests, _ids(PRONOUNS)), 4),
        "right names, things, colours, places when told again": round(
            ranked_first(model, tests, _ids(FACTS), repeated=True), 4
        ),
        "tales written by itself": n_written,
        IN_GRAMMAR: round(n_grammatical / n_written, 4),
    }


def _words(ids: Sequence[int]) -> list[str]:
    return [WORDS.vocabulary[id] for id in ids]


def _ids(kinds: Sequence[Sequence[str]]) -> list[list[int]]:
    return [[WORDS.vocabulary.id(word) for word in kind] for kind in kinds]


def _plots() -> Iterator[tuple[list[str], tuple[str, ...], float]]:
    """Every plot, with the moods that go with it, and the logarithm of its probability."""
    for (openings, between, ends), moods, share in ((FOUND, FOUND_MOODS, 0.6), (LOST, LOST_MOODS, 0.4)):
        for n in range(3):
            log_p = log(share / (3 * comb(len(between), n) * len(openings) * len(ends)))
            for chosen in combinations(between, n):
                yield from (([first, *chosen, last], moods, log_p) for first in openings for last in ends)


def _filled(frame: Sequence[str], words: Sequence[str]) -> dict[str, str] | None:
    """The word at each {fact} of the frame; None if other words differ, or if one fact is told in two ways."""
    filled: dict[str, str] = {}
    for wanted, word in zip(frame, words, strict=True):
        if wanted[0] == "{":
            if filled.setdefault(wanted, word) != word:
                return None
        elif wanted != word:
            return None
    return filled


def _log_facts(filled: dict[str, str], moods: tuple[str, ...]) -> float:
    """The logarithm of the probability of these facts together; -inf for those that do not go together."""
    is_girl = filled["{hero}"] in GIRLS
    he, him, they, them = ("she", "her", "he", "him") if is_girl else ("he", "him", "she", "her")
    choices = {
        "{hero}": GIRLS if is_girl else BOYS,
        "{friend}": BOYS if is_girl else GIRLS,
        "{he}": (he,),
        "{him}": (him,),
        "{they}": (they,),
        "{them}": (them,),
        "{thing}": THINGS,
        "{colour}": COLOURS,
        "{place}": PLACES,
        "{mood}": moods,
    }
    if any(word not in choices[fact] for fact, word in filled.items()):
        return -inf
    return -log(2) - sum(log(len(choices[fact])) for fact in filled)


def longest_text(openings: tuple[str, ...], between: tuple[str, ...], ends: tuple[str, ...]) -> int:
    """The largest number of tokens of such a tale; every fact is one token."""
    lengths = [sorted(len(sentence.split()) for sentence in part) for part in (openings, between, ends)]
    return lengths[0][-1] + sum(lengths[1][-2:]) + lengths[2][-1]


_FILLED = (*BOYS, *GIRLS, *THINGS, *COLOURS, *PLACES, *FOUND_MOODS, *LOST_MOODS, "he", "she", "him", "her")
_PLAIN = [word for part in (*FOUND, *LOST) for sentence in part for word in sentence.split() if word[0] != "{"]
WORDS = SentenceTokeniser((*_FILLED, *_PLAIN))


TALES = Declaration(
    name="tales",
    label="Short tales",
    sketch="tom … he",
    to_ask="mia found a",
    make=tales,
    recipe=Recipe(
        small_model(64, 4, 2, positions="rotary"), Settings(steps=2000, batch_size=32, lr=3e-3, n_examples=40_000), 70
    ),
)
