"""English to French: a small grammar whose every English sentence has one right translation.

Why it needs attention: articles, adjectives and verbs agree with a noun somewhere else; most adjectives move behind
their noun; "not" becomes two words around the verb; and small words are shortened before a vowel, which depends on the
next French word.

    sentence   subject verb [object] [place]   |   subject be [not] (adjective [place] | place)
    subject    pronoun | phrase | phrase and phrase
    phrase     determiner [little, big, young] [colour or mood] noun
    verb       likes | does not like
    place      preposition phrase
"""

from collections.abc import Mapping, Sequence
from random import Random
from typing import TypeVar

from transformer.core.checks import InputError
from transformer.training.recipes import Recipe, small_model
from transformer.training.settings import Settings
from transformer.training.tasks.french_words import (
    ADJECTIVES,
    AM,
    ANY,
    BE,
    EXAMPLES,
    GRAMMAR,
    LIVING,
    NOUNS,
    PEOPLE,
    PLACE,
    PLURAL,
    PREPOSITIONS,
    PRONOUNS,
    SINGULAR,
    SPELLED_OUT,
    VERBS,
    WHERE,
    Noun,
    is_vowel,
)
from transformer.training.tasks.sentences import FrenchTokeniser, SentenceTokeniser
from transformer.training.tasks.task import Declaration, Example, Task, is_held_out, probes

Alignment = tuple[tuple[int, int], ...]
MAX_LENGTH = 13


_NOUNS = {word: (noun, n) for noun in NOUNS for n, word in enumerate((noun.one, noun.many))}
_BEFORE = {word: adjective for adjective in ADJECTIVES for word in adjective.english if adjective.before}
_BEHIND = {word: adjective for adjective in ADJECTIVES for word in adjective.english if not adjective.before}
_FINITE = {word: (verb, word == verb.third) for verb in VERBS for word in (verb.base, verb.third)}
_BASE = {verb.base: verb for verb in VERBS}
_DETERMINERS = {word: word for word in ("the", "a", "an", "this", "these", "my")}
_OF_KIND = {kind: tuple(noun for noun in NOUNS if noun.kind == kind) for kind in ANY}
_BY_NAME = {noun.one: noun for noun in NOUNS}

KINDS: dict[str, tuple[str, ...]] = {
    "nouns": tuple(_NOUNS),
    "adjectives": (*_BEFORE, *_BEHIND),
    "verbs": (*_FINITE, "am", "is", "are", "do", "does"),
    "pronouns": tuple(PRONOUNS),
    "articles": tuple(_DETERMINERS),
    "prepositions": tuple(PREPOSITIONS),
    "other words": ("and", "not"),
}  # all English words, by kind

ENGLISH = SentenceTokeniser((word for words in KINDS.values() for word in words), SPELLED_OUT)
FRENCH = FrenchTokeniser(
    (
        *["le", "la", "l'", "les", "un", "une", "de", "d'", "ce", "cet", "cette", "ces", "mon", "ma", "mes"],
        *(word for noun in NOUNS for word in noun.french),
        *(word for adjective in ADJECTIVES for word in adjective.french),
        *(word for verb in (*VERBS, BE) for word in verb.french),
        *(pronoun for pronoun, _, _ in PRONOUNS.values()),
        *PREPOSITIONS.values(),
        *["j'", "ne", "n'", "pas", "et"],
    )
)


def french() -> Task:
    return Task(
        name="french",
        title="English to French",
        languages=("English", "French"),
        about="Translate: words agree with others far away, adjectives change places, not becomes two words.",
        kind="encoder-decoder",
        source=ENGLISH,
        target=FRENCH,
        draw=draw,
        augment=augment,
        probes=probes(_draw_probe, 9),
        longest=MAX_LENGTH,
        answer=answer,
        example_texts=EXAMPLES,
        kinds=KINDS,
        grammar=GRAMMAR,
    )


def unknown(english: str) -> list[str]:
    """The words of a sentence that the task does not know, each once."""
    return ENGLISH.unknown(english)


def translate(english: str) -> str:
    """The one right translation. Raises InputError for a sentence outside of the grammar."""
    known = alignment_of(english)
    if known is None:
        raise InputError("this sentence is not one of the grammar; try: the little black cat does not like the bird")
    return known[0]


def alignment_of(english: str) -> tuple[str, Alignment] | None:
    """The translation, and pairs (i, j): French token i is made from English token j. None for a sentence outside of
    the grammar. Sentences need not make sense: `the house eats the school` has a translation.
    """
    pairs = _translated(ENGLISH.cut(english))
    if pairs is None:
        return None
    french = FRENCH.decode(FRENCH.vocabulary.id(word) for word, _ in pairs)
    return french, tuple((i, j) for i, (_, j) in enumerate(pairs))


def answer(words: Sequence[str]) -> Example | None:
    """A sentence, its translation, and the alignment; None for a sentence outside of the grammar."""
    known = alignment_of(" ".join(words))
    if known is None:
        return None
    ids = tuple(ENGLISH.vocabulary.id(word) for word in words)
    return Example(ids, tuple(FRENCH.encode(known[0])), known[1])


def noun_of_other_gender(word: str) -> str | None:
    """A noun of the other gender in the same number, so that the words around it change; None if `word` is no noun."""
    if word not in _NOUNS:
        return None
    noun, n = _NOUNS[word]
    other = _BY_NAME["house" if noun.gender == "m" else "garden"]
    return (other.one, other.many)[n]


# ---- from English to French --------------------------------------------------------------------------------------

T = TypeVar("T")
Words = list[tuple[str, int]]  # French words, each with the position of the English word it is made from


class _NoSentence(Exception):
    """The words cannot be read as a sentence of the grammar."""


def _translated(words: Sequence[str]) -> Words | None:
    try:
        return _Parser(words).sentence()
    except _NoSentence:
        return None


class _Parser:
    """Reads English words from left to right, and translates them."""

    def __init__(self, words: Sequence[str]) -> None:
        self.words, self.at = words, 0

    def take(self, *tables: Mapping[str, T]) -> T | None:
        """Read the next word if one of these tables knows it, and return its entry there; else read nothing."""
        if self.at < len(self.words):
            for table in tables:
                if self.words[self.at] in table:
                    self.at += 1
                    return table[self.words[self.at - 1]]
        return None

    def must_take(self, *tables: Mapping[str, T]) -> T:
        entry = self.take(*tables)
        if entry is None:
            raise _NoSentence
        return entry

    def skip(self, *words: str) -> bool:
        """Read the next word if it is one of these. Returns whether it was."""
        return self.take(dict.fromkeys(words, True)) is not None

    def sentence(self) -> Words:
        subject, person, form = self.subject()
        rest = self.being(person, form) if self.skip("am", "is", "are") else self.doing(person)
        if self.at < len(self.words) or not self.words:
            raise _NoSentence
        if subject[0][0] == "je" and is_vowel(rest[0][0]):
            subject = [("j'", subject[0][1])]
        return subject + rest

    def subject(self) -> tuple[Words, int, int]:
        """-> its French, the form of its verb, the form of an adjective that describes it"""
        if pronoun := self.take(PRONOUNS):
            word, person, form = pronoun
            return [(word, self.at - 1)], person, form
        french, form = self.phrase()
        if self.skip("and"):
            conjunction = ("et", self.at - 1)
            more, other = self.phrase()
            return [*french, conjunction, *more], 3, 3 if form % 2 and other % 2 else 2
        return french, 3 if form > 1 else 1, form

    def phrase(self, denied: bool = False) -> tuple[Words, int]:
        """-> its French, its form: le, la, les (m), les (f). A denied object changes its article: pas de chat."""
        start = self.at
        determiner = self.must_take(_DETERMINERS)
        adjectives = [(word, self.at - 1) for table in (_BEFORE, _BEHIND) if (word := self.take(table))]
        noun, many = self.must_take(_NOUNS)
        if not _agrees(determiner, many, self.words[start + 1]):
            raise _NoSentence
        form = 2 * many + (noun.gender == "f")
        french = [(noun.french[many], self.at - 1)]
        for adjective, place in adjectives:
            word = (adjective.french[form], place)
            french = [word, *french] if adjective.before else [*french, word]
        return [(_determiner(determiner, form, is_vowel(french[0][0]), denied), start), *french], form

    def being(self, person: int, form: int) -> Words:
        if self.words[self.at - 1] != AM[person]:
            raise _NoSentence
        verb = (BE.french[person], self.at - 1)
        french = _denied(verb, self.at - 1) if self.skip("not") else [verb]
        adjective = self.take(_BEFORE, _BEHIND)
        if adjective:
            french.append((adjective.french[form], self.at - 1))
            return french + self.place()
        place = self.place()
        if not place:
            raise _NoSentence
        return french + place

    def doing(self, person: int) -> Words:
        if self.skip("do", "does"):
            if (self.words[self.at - 1] == "does") != (person == 1) or not self.skip("not"):
                raise _NoSentence
            no, verb = self.at - 1, self.must_take(_BASE)
            french = _denied((verb.french[person], self.at - 1), no)
        else:
            no = None
            verb, third = self.must_take(_FINITE)
            if third != (person == 1):
                raise _NoSentence
            french = [(verb.french[person], self.at - 1)]
        if verb.of:
            french += self.phrase(denied=no is not None)[0]
        return french + self.place()

    def place(self) -> Words:
        """A preposition and its phrase; nothing if there is none."""
        preposition = self.take(PREPOSITIONS)
        return [(preposition, self.at - 1), *self.phrase()[0]] if preposition else []


def _denied(verb: tuple[str, int], no: int) -> Words:
    return [("n'" if is_vowel(verb[0]) else "ne", no), verb, ("pas", no)]


def _agrees(determiner: str, many: int, following: str) -> bool:
    """Whether an English determiner fits the number, and a or an the word that follows."""
    if determiner in ("a", "an"):
        return not many and determiner == _a(following)
    return determiner in (PLURAL if many else SINGULAR)


def _a(following: str) -> str:
    return "an" if following[0] in "aeiou" else "a"


def _determiner(english: str, form: int, vowel: bool, denied: bool) -> str:
    """The French determiner of a phrase of this form: le, la, les (m), les (f). `vowel`: what follows begins so."""
    match english:
        case "the":
            return "l'" if vowel and form < 2 else ("le", "la", "les", "les")[form]
        case "a" | "an":
            return ("d'" if vowel else "de") if denied else ("un", "une")[form]
        case "this" | "these":
            return "cet" if vowel and form == 0 else ("ce", "cette", "ces", "ces")[form]
        case _:
            return "mon" if vowel and form == 1 else ("mon", "ma", "mes", "mes")[form]


# ---- sentences at random -----------------------------------------------------------------------------------------


def draw(rng: Random) -> Example:
    """A sentence of at most MAX_LENGTH tokens on each side; it always makes sense, more or less."""
    while True:
        example = _example(_sentence(rng))
        if len(example.source) <= MAX_LENGTH and len(example.target) <= MAX_LENGTH:
            return example


def augment(example: Example, rng: Random) -> Example:
    """The sentence with one of its nouns replaced by another of the same kind, and the translation of that.

    Places stay: not every preposition goes with every place. A change that makes a held-out sentence is not made.
    """
    words = [ENGLISH.vocabulary[id] for id in example.source]
    nouns = [j for j, word in enumerate(words) if word in _NOUNS and _NOUNS[word][0].kind != PLACE]
    if not nouns or _translated(words) is None:
        return example
    j = rng.choice(nouns)
    noun, many = _NOUNS[words[j]]
    other = rng.choice(_OF_KIND[noun.kind])
    words[j] = (other.one, other.many)[many]
    if words[j - 1] in ("a", "an"):
        words[j - 1] = _a(words[j])
    changed = _example(words)
    fits = len(changed.target) <= MAX_LENGTH and is_held_out(changed) == is_held_out(example)
    return changed if fits else example


def _example(words: Sequence[str]) -> Example:
    pairs = _translated(words)
    assert pairs is not None  # the words were drawn by the grammar
    english, french = ENGLISH.vocabulary, FRENCH.vocabulary
    return Example(
        tuple(english.id(word) for word in words),
        tuple(french.id(word) for word, _ in pairs),
        tuple((i, j) for i, (_, j) in enumerate(pairs)),
    )


def _draw_probe(rng: Random) -> Example:
    """A sentence that shows much: a negated verb after an elision, and an adjective that changes places."""
    no, behind = FRENCH.vocabulary.id("n'"), {ENGLISH.vocabulary.id(word) for word in _BEHIND}
    while True:
        example = draw(rng)
        crossing = any(a[1] > b[1] for a, b in zip(example.alignment, example.alignment[1:], strict=False))
        if no in example.target and crossing and behind & set(example.source[:4]):
            return example


def _sentence(rng: Random) -> list[str]:
    subject, person, kind = _subject(rng)
    verb = rng.choice((*VERBS, BE, BE))
    no = rng.random() < 0.4
    if verb is BE:
        words = [*subject, AM[person], *["not"] * no]
        if rng.random() < 0.7:
            return [*words, rng.choice([w for a in ADJECTIVES if kind in a.of for w in a.english])]
        return words + _place(rng)
    if no:
        words = [*subject, "does" if person == 1 else "do", "not", verb.base]
    else:
        words = [*subject, verb.third if person == 1 else verb.base]
    if verb.of:
        words += _phrase(rng, rng.choice(_OF_KIND[rng.choice(verb.of)]), no_a=verb.base == "like")[0]
    return words + (_place(rng) if rng.random() < (0.2 if verb.of else 0.6) else [])


def _subject(rng: Random) -> tuple[list[str], int, str]:
    """-> its words, the form of its verb, its kind"""
    if rng.random() < 0.3:
        pronoun = rng.choice(tuple(PRONOUNS))
        return [pronoun], PRONOUNS[pronoun][1], PEOPLE
    kind = rng.choice(LIVING)
    words, many = _phrase(rng, rng.choice(_OF_KIND[kind]))
    if rng.random() < 0.15:
        return [*words, "and", *_phrase(rng, rng.choice(_OF_KIND[kind]), adjectives=0.15)[0]], 3, kind
    return words, 3 if many else 1, kind


def _place(rng: Random) -> list[str]:
    preposition = rng.choice(tuple(WHERE))
    return [preposition, *_phrase(rng, _BY_NAME[rng.choice(WHERE[preposition])], adjectives=0.15)[0]]


def _phrase(rng: Random, noun: Noun, adjectives: float = 0.4, no_a: bool = False) -> tuple[list[str], bool]:
    """-> its words, whether it is plural; `adjectives` is the probability of an adjective in each of the two places."""
    many = rng.random() < 0.35
    words = [rng.choice(_FITTING[noun.kind, before]) for before in (True, False) if rng.random() < adjectives]
    words.append(noun.many if many else noun.one)
    determiner = rng.choice(PLURAL if many else SINGULAR)
    if determiner == "a":
        determiner = "the" if no_a else _a(words[0])  # nobody says "il n'aime pas de chat"
    return [determiner, *words], many


_FITTING = {
    (kind, before): [w for a in ADJECTIVES if a.before == before and kind in a.of for w in a.english]
    for kind in ANY
    for before in (True, False)
}


FRENCH_TASK = Declaration(
    name="french",
    label="English to French",
    sketch="cat → chat",
    to_ask="the cat sleeps",
    make=french,
    recipe=Recipe(small_model(48, 4, 2), Settings(steps=800, lr=6e-3, n_examples=20_000), 30),
)
