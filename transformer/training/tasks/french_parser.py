"""Reads an English sentence of the grammar of french.py from left to right, and translates it."""

from collections.abc import Mapping, Sequence
from typing import TypeVar

from transformer.training.tasks.french_words import (
    ADJECTIVES,
    AM,
    BE,
    HAVE,
    NAMES,
    NOUNS,
    PLURAL,
    PREPOSITIONS,
    PRONOUNS,
    SINGULAR,
    VERBS,
    is_vowel,
)

BY_WORD = {word: (noun, n) for noun in NOUNS for n, word in enumerate((noun.one, noun.many))}
BEFORE = {word: adjective for adjective in ADJECTIVES for word in adjective.english if adjective.before}
BEHIND = {word: adjective for adjective in ADJECTIVES for word in adjective.english if not adjective.before}
FINITE = {word: (verb, word == verb.third) for verb in VERBS for word in (verb.base, verb.third)}
PAST = {verb.past[0]: (verb, verb.past[1]) for verb in VERBS if verb.past}
DETERMINERS = {word: word for word in ("the", "a", "an", "this", "these", "my")}
_BASE = {verb.base: verb for verb in VERBS}

T = TypeVar("T")
Words = list[tuple[str, int]]  # French words, each with the position of the English word it is made from


class _NoSentence(Exception):
    """The words cannot be read as a sentence of the grammar."""


def translated(words: Sequence[str]) -> Words | None:
    """The translation of a sentence, word by word; None for one outside of the grammar."""
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
        french, form = self.somebody()
        if self.skip("and"):
            conjunction = ("et", self.at - 1)
            more, other = self.somebody()
            return [*french, conjunction, *more], 3, 3 if form % 2 and other % 2 else 2
        return french, 3 if form > 1 else 1, form

    def somebody(self, denied: bool = False) -> tuple[Words, int]:
        """A name, which is the same in both languages, or a phrase."""
        if gender := self.take(NAMES):
            return [(self.words[self.at - 1], self.at - 1)], int(gender == "f")
        return self.phrase(denied)

    def phrase(self, denied: bool = False) -> tuple[Words, int]:
        """-> its French, its form: le, la, les (m), les (f). A denied object changes its article: pas de chat."""
        start = self.at
        determiner = self.must_take(DETERMINERS)
        adjectives = [(word, self.at - 1) for table in (BEFORE, BEHIND) if (word := self.take(table))]
        noun, many = self.must_take(BY_WORD)
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
        adjective = self.take(BEFORE, BEHIND)
        if adjective:
            french.append((adjective.french[form], self.at - 1))
            return french + self.place()
        place = self.place()
        if not place:
            raise _NoSentence
        return french + place

    def doing(self, person: int) -> Words:
        denied = self.skip("do", "does", "did")
        french, takes_object = self.denied_verb(person) if denied else self.verb(person)
        if takes_object:
            french += self.somebody(denied)[0]
        return french + self.place()

    def verb(self, person: int) -> tuple[Words, bool]:
        """-> its French, of which the past has two words; whether it takes an object"""
        if past := self.take(PAST):
            verb, done = past
            return [(HAVE[person], self.at - 1), (done, self.at - 1)], bool(verb.of)
        verb, third = self.must_take(FINITE)
        if third != (person == 1):
            raise _NoSentence
        return [(verb.french[person], self.at - 1)], bool(verb.of)

    def denied_verb(self, person: int) -> tuple[Words, bool]:
        """The same after do, does or did. The past is denied around avoir, which is made from did: n'a pas trouvé."""
        helper, no = self.words[self.at - 1], self.at
        if not self.skip("not"):
            raise _NoSentence
        verb = self.must_take(_BASE)
        if helper == "did" and verb.past:
            return [*_denied((HAVE[person], no - 1), no), (verb.past[1], self.at - 1)], bool(verb.of)
        if helper != ("does" if person == 1 else "do"):
            raise _NoSentence
        return _denied((verb.french[person], self.at - 1), no), bool(verb.of)

    def place(self) -> Words:
        """A preposition and what follows it; nothing if there is none."""
        preposition = self.take(PREPOSITIONS)
        return [(preposition, self.at - 1), *self.somebody()[0]] if preposition else []


def _denied(verb: tuple[str, int], no: int) -> Words:
    return [("n'" if is_vowel(verb[0]) else "ne", no), verb, ("pas", no)]


def _agrees(determiner: str, many: int, following: str) -> bool:
    """Whether an English determiner fits the number, and a or an the word that follows."""
    if determiner in ("a", "an"):
        return not many and determiner == a_or_an(following)
    return determiner in (PLURAL if many else SINGULAR)


def a_or_an(following: str) -> str:
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
