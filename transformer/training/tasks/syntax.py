"""Which word of an English sentence depends on which: known exactly, since a grammar made the sentence.

The sentences are those of french.py. They are plain English, so that a published model can read them as well as ours.
"""

from collections.abc import Sequence

from transformer.training.tasks.french import KINDS

Pairs = list[tuple[int, int]]  # (from, to): places of words

ARTICLE, ADJECTIVE, PREPOSITION = "article → its noun", "adjective → its noun", "preposition → its noun"
SUBJECT_OF, SUBJECT, OBJECT_OF, OBJECT = (
    "subject → its verb",
    "verb → its subject",
    "object → its verb",
    "verb → its object",
)
_KIND_OF = {word: kind for kind, words in KINDS.items() for word in words}
_HELPERS = ("do", "does", "did")
_BE = ("am", "is", "are")


def dependencies(words: Sequence[str]) -> dict[str, Pairs]:
    """Who belongs to whom in a sentence of the grammar: what connects them -> pairs (from, to) of places.

    Pairs of verb and noun are there in both directions, since a head may look either way. Of two subjects, `the girl
    and the boy`, both belong to the verb. A name is a noun here. A form of `be` is the verb of its sentence; `do`,
    `does` and `did` are not.
    """
    kinds = [_KIND_OF.get(word, "") for word in words]
    verb = next((n for n, word in enumerate(words) if kinds[n] == "verbs" and word not in _HELPERS), len(words))
    nouns = [n for n, kind in enumerate(kinds) if kind in ("nouns", "names")]

    def noun_after(place: int) -> int:
        return next(n for n in nouns if n > place)

    result: dict[str, Pairs] = {ARTICLE: [], ADJECTIVE: [], PREPOSITION: []}
    for n, kind in enumerate(kinds):
        if kind == "articles":
            head = noun_after(n)
            result[ARTICLE].append((n, head))
            result[ADJECTIVE] += [(m, head) for m in range(n + 1, head)]
        elif kind == "prepositions":
            result[PREPOSITION].append((n, noun_after(n)))
    subjects = [n for n in range(verb) if kinds[n] in ("nouns", "names", "pronouns")]
    has_object = verb + 1 < len(words) and kinds[verb + 1] in ("articles", "names") and words[verb] not in _BE
    objects = [noun_after(verb)] if has_object else []
    result[SUBJECT_OF] = [(n, verb) for n in subjects]
    result[SUBJECT] = [(verb, n) for n in subjects]
    result[OBJECT_OF] = [(n, verb) for n in objects]
    result[OBJECT] = [(verb, n) for n in objects]
    return result
