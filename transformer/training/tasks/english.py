"""French to English: the grammar of french.py, read in the other direction.

A French sentence is right if it is the translation of an English one: no rule is written down a second time here. To
find that English sentence, words are looked up from left to right, and french.py says whether it translates back.

One French word has two right answers: `petit` is `little` or `small`. Both are drawn, and both count as right. All
other words of this grammar have one, because it leaves out what has more (`vous`, `on`, `elles`, `son`).
"""

from collections.abc import Sequence
from random import Random

from transformer.training.recipes import Recipe, small_model
from transformer.training.settings import Settings
from transformer.training.tasks import french, french_words
from transformer.training.tasks.french import ENGLISH, FRENCH
from transformer.training.tasks.french_words import (
    ADJECTIVES,
    AM,
    BE,
    HAVE,
    NAMES,
    NOUNS,
    PREPOSITIONS,
    PRONOUNS,
    VERBS,
)
from transformer.training.tasks.task import Declaration, Example, Task, probes

_ARTICLES = {
    **dict.fromkeys(("le", "la", "l'", "les"), "the"),
    **dict.fromkeys(("un", "une", "de", "d'"), "a"),
    **dict.fromkeys(("ce", "cet", "cette"), "this"),
    "ces": "these",
    **dict.fromkeys(("mon", "ma", "mes"), "my"),
}
_MANY = ("les", "ces", "mes")
_NOUNS = {(form, n): (noun.one, noun.many)[n] for noun in NOUNS for n, form in enumerate(noun.french)}
_BEFORE = {form: adjective.english[0] for adjective in ADJECTIVES if adjective.before for form in adjective.french}
_BEHIND = {form: adjective.english[0] for adjective in ADJECTIVES if not adjective.before for form in adjective.french}
_PRONOUNS = {word: english for english, (word, _, _) in PRONOUNS.items()} | {"j'": "i"}
_PLACES = {word: english for english, word in PREPOSITIONS.items()}
_DOING = {form: verb for verb in VERBS for form in verb.french}
_DONE = {verb.past[1]: verb for verb in VERBS if verb.past}
_NO_WORDS = ("ne", "n'", "pas", *HAVE)  # the verb says what becomes of them
_FORMS = {word: form for word, form, _ in PRONOUNS.values()} | {"j'": 0}  # of the verb: je, il, nous, ils
_FIRST = {
    ENGLISH.vocabulary.id(word): ENGLISH.vocabulary.id(adjective.english[0])
    for adjective in ADJECTIVES
    for word in adjective.english[1:]
}  # small -> little

KINDS: dict[str, tuple[str, ...]] = {
    "nouns": tuple(dict.fromkeys(form for noun in NOUNS for form in noun.french)),
    "adjectives": (*_BEFORE, *_BEHIND),
    "verbs": (*_DOING, *BE.french, *_DONE, *HAVE),
    "names": tuple(NAMES),
    "pronouns": tuple(_PRONOUNS),
    "articles": tuple(_ARTICLES),
    "prepositions": tuple(_PLACES),
    "other words": ("et", "ne", "n'", "pas"),
}  # all French words, by kind
GRAMMAR = (
    "Its sentences: *somebody* (a name; or little, big or young, with a colour or a mood) *does*, *did*, *does not do*"
    " or *did not do* something; or *is* or *is not* something; perhaps *somewhere*. *Petit* has two right answers,"
    " *little* and *small*: it was shown both, and either counts as right."
)
EXAMPLES = (
    "Mia a trouvé un chapeau rouge",
    "Le petit chat noir n'aime pas la maison blanche",
    "Ma fille fatiguée aide les oiseaux tristes",
    "Cette grande abeille blanche ne regarde pas mes souris",
    "Elle n'est pas contente",
    "La fille et la femme mangent les pommes rouges",
    "Il ne mange pas d'orange",
    "Les souris dorment sous l'arbre",
    "Le petit dragon mange le gâteau",
)


def english() -> Task:
    return Task(
        name="english",
        title="French to English",
        languages=("French", "English"),
        about="Translate: two words become not, do and does come from nowhere, and one word has two right answers.",
        kind="encoder-decoder",
        source=FRENCH,
        target=ENGLISH,
        draw=draw,
        augment=augment,
        probes=probes(_draw_probe, 9),
        longest=french.MAX_LENGTH,
        answer=answer,
        canonical=canonical,
        example_texts=EXAMPLES,
        kinds=KINDS,
        grammar=GRAMMAR,
    )


def draw(rng: Random) -> Example:
    """A sentence of the grammar, from its French to its English: `little` or `small` as it comes."""
    return _reversed(french.draw(rng))


def augment(example: Example, rng: Random) -> Example:
    """The pair with one of its nouns replaced by another of the same kind. What is held out stays so, and no more."""
    known = french.answer([ENGLISH.vocabulary[id] for id in example.target])
    assert known is not None  # examples are sentences of the grammar
    changed = _reversed(french.augment(known, rng))
    is_kept = french.is_held_out(changed) == french.is_held_out(example)
    return changed if is_kept else example


def canonical(target: Sequence[int]) -> tuple[int, ...]:
    """One spelling for all right answers to a question: `small` as `little`."""
    return tuple(_FIRST.get(id, id) for id in target)


def similar_noun(word: str) -> str | None:
    """Another French noun of the same kind, gender and number, before which no word changes; None if there is none."""
    for noun, n in ((noun, n) for noun in NOUNS for n in (0, 1) if noun.french[n] == word):
        for other in NOUNS:
            is_similar = (other.kind, other.gender) == (noun.kind, noun.gender)
            if other != noun and is_similar and french_words.is_vowel(other.french[n]) == french_words.is_vowel(word):
                return other.french[n]
    return None


def answer(words: Sequence[str]) -> Example | None:
    """A French sentence, its English in the first spelling, and the alignment; None for what is none of the grammar."""
    text = _looked_up(words)
    if text is None:
        return None
    known = french.answer(text)
    if known is None or [FRENCH.vocabulary[id] for id in known.target] != list(words):
        return None
    return _reversed(known)


def _reversed(example: Example) -> Example:
    """The same pair of sentences in the other direction.

    `not` comes from `pas`, `found` from `trouvé`, `did` from the form of `avoir`; `do` or `does`, which nothing in
    English to French was made from, comes from `ne`.
    """
    words = [ENGLISH.vocabulary[id] for id in example.source]
    made: dict[int, list[int]] = {}
    for i, j in example.alignment:
        made.setdefault(j, []).append(i)
    pairs = []
    for j, word in enumerate(words):
        if word in ("do", "does"):
            pairs.append((j, made[j + 1][0]))  # "not" follows, which is "ne" and "pas"
        else:
            pairs.append((j, made[j][-1]))
    return Example(example.target, tuple(example.source), tuple(pairs))


def _looked_up(words: Sequence[str]) -> list[str] | None:
    """English words for these French ones, in English order; None where a word finds no place. It need not be right."""
    result: list[str] = []
    person: int | None = None  # the form of the verb; None until the verb
    n_phrases, is_many, at = 0, False, 0
    denied = "pas" in words
    while at < len(words):
        word = words[at]
        at += 1
        if word in _PRONOUNS and at == 1:
            result.append(_PRONOUNS[word])
        elif word in _ARTICLES:
            is_many, n_phrases = word in _MANY, n_phrases + 1
            before = _BEFORE.get(words[at]) if at < len(words) else None
            at += before is not None
            noun = _NOUNS.get((words[at], is_many)) if at < len(words) else None
            if noun is None:
                return None
            behind = _BEHIND.get(words[at + 1]) if at + 1 < len(words) else None
            at += 1 + (behind is not None)
            phrase = [*filter(None, (before, behind)), noun]
            article = _ARTICLES[word]
            result += ["an" if article == "a" and phrase[0][0] in "aeiou" else article, *phrase]
        elif word in _NO_WORDS:
            continue
        elif word in NAMES:
            result.append(word)
            is_many, n_phrases = False, n_phrases + 1
        elif word == "et":
            result.append("and")
        elif word in _PLACES:
            result.append(_PLACES[word])
        elif person is None and (word in _DOING or word in BE.french or word in _DONE):
            person = _FORMS.get(words[0], 3 if n_phrases > 1 or is_many else 1)
            result += _verb(word, person, denied)
        elif word in _BEFORE or word in _BEHIND:
            result.append(_BEFORE.get(word) or _BEHIND[word])
        else:
            return None
    return result


def _verb(word: str, person: int, denied: bool) -> list[str]:
    if word in BE.french:
        return [AM[person], *["not"] * denied]
    if done := _DONE.get(word):
        return ["did", "not", done.base] if denied or not done.past else [done.past[0]]
    verb = _DOING[word]
    if denied:
        return ["does" if person == 1 else "do", "not", verb.base]
    return [verb.third if person == 1 else verb.base]


def _draw_probe(rng: Random) -> Example:
    """A sentence that shows much: `does` or `do`, and an adjective that changes places."""
    doing = {ENGLISH.vocabulary.id(word) for word in ("do", "does")}
    behind = {FRENCH.vocabulary.id(word) for word in _BEHIND}
    while True:
        example = draw(rng)
        if doing & set(example.target) and behind & set(example.source[:4]):
            return example


ENGLISH_TASK = Declaration(
    name="english",
    label="French to English",
    sketch="chat → cat",
    to_ask="le chat dort",
    make=english,
    recipe=Recipe(small_model(48, 4, 2), Settings(steps=800, lr=6e-3, n_examples=20_000), 30),
)
