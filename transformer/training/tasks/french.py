"""English to French: a small grammar whose every English sentence has one right translation.

Why it needs attention: articles, adjectives and verbs agree with a noun somewhere else; most adjectives move behind
their noun; "not" becomes two words around the verb; and small words are shortened before a vowel, which depends on the
next French word.

    sentence   subject verb [somebody] [place]   |   subject be [not] (adjective [place] | place)
    subject    pronoun | somebody | somebody and somebody
    somebody   name | determiner [little, big, young] [colour or mood] noun
    verb       likes | does not like | found | did not find
    place      preposition somebody

A name is the same in both languages. The past becomes two words, a form of `avoir` and what was done: `found` is
`a trouvé`. It was done once, so `like` has no past here: `liked` would be `a aimé` or `aimait`.
"""

from collections.abc import Sequence
from random import Random

from transformer.core.checks import InputError
from transformer.training.recipes import Recipe, small_model
from transformer.training.settings import Settings
from transformer.training.tasks.french_parser import (
    BEFORE,
    BEHIND,
    BY_WORD,
    DETERMINERS,
    FINITE,
    PAST,
    a_or_an,
    translated,
)
from transformer.training.tasks.french_words import (
    ADJECTIVES,
    AM,
    ANY,
    BE,
    EXAMPLES,
    GRAMMAR,
    HAVE,
    LIVING,
    NAMES,
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
)
from transformer.training.tasks.sentences import FrenchTokeniser, SentenceTokeniser
from transformer.training.tasks.task import Declaration, Example, Task, is_held_out, probes

Alignment = tuple[tuple[int, int], ...]
MAX_LENGTH = 13
NAMED = 0.5  # how often a person has a name


_OF_KIND = {kind: tuple(noun for noun in NOUNS if noun.kind == kind) for kind in ANY}
_BY_NAME = {noun.one: noun for noun in NOUNS}

KINDS: dict[str, tuple[str, ...]] = {
    "nouns": tuple(BY_WORD),
    "adjectives": (*BEFORE, *BEHIND),
    "verbs": (*FINITE, *PAST, "am", "is", "are", "do", "does", "did"),
    "names": tuple(NAMES),
    "pronouns": tuple(PRONOUNS),
    "articles": tuple(DETERMINERS),
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
        *(done for _, done in PAST.values()),
        *HAVE,
        *NAMES,
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
    pairs = translated(ENGLISH.cut(english))
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
    if word not in BY_WORD:
        return None
    noun, n = BY_WORD[word]
    other = _BY_NAME["house" if noun.gender == "m" else "garden"]
    return (other.one, other.many)[n]


# ---- sentences at random -----------------------------------------------------------------------------------------


def draw(rng: Random) -> Example:
    """A sentence of at most MAX_LENGTH tokens on each side; it always makes sense, more or less."""
    while True:
        example = _example(_sentence(rng))
        if len(example.source) <= MAX_LENGTH and len(example.target) <= MAX_LENGTH:
            return example


def augment(example: Example, rng: Random) -> Example:
    """The sentence with one of its nouns replaced by another of the same kind, or a name by another name; and the
    translation of that.

    Places stay: not every preposition goes with every place. A change that makes a held-out sentence is not made.
    """
    words = [ENGLISH.vocabulary[id] for id in example.source]
    places = [
        j for j, word in enumerate(words) if word in NAMES or (word in BY_WORD and BY_WORD[word][0].kind != PLACE)
    ]
    if not places or translated(words) is None:
        return example
    j = rng.choice(places)
    words[j] = rng.choice(tuple(NAMES)) if words[j] in NAMES else _other_noun(words[j], rng)
    if words[j - 1] in ("a", "an"):
        words[j - 1] = a_or_an(words[j])
    changed = _example(words)
    fits = len(changed.target) <= MAX_LENGTH and is_held_out(changed) == is_held_out(example)
    return changed if fits else example


def _other_noun(word: str, rng: Random) -> str:
    noun, many = BY_WORD[word]
    other = rng.choice(_OF_KIND[noun.kind])
    return (other.one, other.many)[many]


def _example(words: Sequence[str]) -> Example:
    pairs = translated(words)
    assert pairs is not None  # the words were drawn by the grammar
    english, french = ENGLISH.vocabulary, FRENCH.vocabulary
    return Example(
        tuple(english.id(word) for word in words),
        tuple(french.id(word) for word, _ in pairs),
        tuple((i, j) for i, (_, j) in enumerate(pairs)),
    )


def _draw_probe(rng: Random) -> Example:
    """A sentence that shows much: a negated verb after an elision, and an adjective that changes places."""
    no, behind = FRENCH.vocabulary.id("n'"), {ENGLISH.vocabulary.id(word) for word in BEHIND}
    while True:
        example = draw(rng)
        crossing = any(a[1] > b[1] for a, b in zip(example.alignment, example.alignment[1:], strict=False))
        if no in example.target and crossing and behind & set(example.source[:4]):
            return example


def _sentence(rng: Random) -> list[str]:
    verb = rng.choice((*VERBS, BE, BE, BE, BE))
    subject, person, kind = _subject(rng, (*LIVING, *ANY) if verb is BE else LIVING)
    no = rng.random() < 0.4
    if verb is BE:
        words = [*subject, AM[person], *["not"] * no]
        if rng.random() < 0.7:
            return [*words, rng.choice([w for a in ADJECTIVES if kind in a.of for w in a.english])]
        return words + _place(rng)
    is_past = verb.past is not None and rng.random() < 0.4
    if no:
        words = [*subject, "did" if is_past else "does" if person == 1 else "do", "not", verb.base]
    elif verb.past and is_past:
        words = [*subject, verb.past[0]]
    else:
        words = [*subject, verb.third if person == 1 else verb.base]
    if verb.of:
        words += _somebody(rng, rng.choice(_OF_KIND[rng.choice(verb.of)]), no_a=verb.base == "like")[0]
    return words + (_place(rng) if rng.random() < (0.2 if verb.of else 0.6) else [])


def _subject(rng: Random, kinds: Sequence[str]) -> tuple[list[str], int, str]:
    """-> its words, the form of its verb, its kind"""
    if rng.random() < 0.3:
        pronoun = rng.choice(tuple(PRONOUNS))
        return [pronoun], PRONOUNS[pronoun][1], PEOPLE
    kind = rng.choice(kinds)
    words, many = _somebody(rng, rng.choice(_OF_KIND[kind]))
    if rng.random() < (0.5 if words[0] in NAMES else 0.15):
        return [*words, "and", *_somebody(rng, rng.choice(_OF_KIND[kind]), adjectives=0.15)[0]], 3, kind
    return words, 3 if many else 1, kind


def _place(rng: Random) -> list[str]:
    preposition = rng.choice(tuple(WHERE))
    return [preposition, *_somebody(rng, _BY_NAME[rng.choice(WHERE[preposition])], adjectives=0.15)[0]]


def _somebody(rng: Random, noun: Noun, adjectives: float = 0.4, no_a: bool = False) -> tuple[list[str], bool]:
    """-> its words, whether it is plural; `adjectives` is the probability of an adjective in each of the two places.

    For a person a name may stand.
    """
    if noun.kind == PEOPLE and rng.random() < NAMED:
        return [rng.choice(tuple(NAMES))], False
    many = rng.random() < 0.35
    words = [rng.choice(_FITTING[noun.kind, before]) for before in (True, False) if rng.random() < adjectives]
    words.append(noun.many if many else noun.one)
    determiner = rng.choice(PLURAL if many else SINGULAR)
    if determiner == "a":
        determiner = "the" if no_a else a_or_an(words[0])  # nobody says "il n'aime pas de chat"
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
