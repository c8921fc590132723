"""What else could stand at each word of a sentence, and what could come next: of the words that a model knows, those
that it finds likely come first. The unit is the word, whether it is one token or several."""

import math
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from lab.kit.models.source import ModelRef, Source
from lab.kit.words import PIECE, spelled
from lab.server.caching import cached
from transformer.core import workload
from transformer.core.workload import Workload
from transformer.training.text import clean, words

MAX_WORDS = 64  # of a sentence that is offered word by word
SHOWN = 12  # likely words of a place
LEAST, FEW = 0.001, 3  # so likely is each of them, but for a few
NEAR = 6  # words that are spelled like an unknown one
_PIECE = re.compile(rf"{PIECE}\w")  # a token that goes on within a word
Likely = tuple[str, float]


class Sentence(NamedTuple):
    """A text as words, and what stands between each and the next."""

    words: tuple[str, ...]
    gaps: tuple[str, ...]

    @classmethod
    def of(cls, text: str) -> "Sentence":
        """The words of a text; what stands before the first is left out."""
        text = clean(text)
        found = words(text)
        starts, end = [], 0
        for word in found:
            starts.append(text.index(word, end))  # only what cannot be seen lies between two words
            end = starts[-1] + len(word)
        ends = [*starts, len(text)][1:]
        gaps = (text[start + len(word) : end] for word, start, end in zip(found, starts, ends, strict=True))
        return cls(tuple(found), tuple(gaps))


class Choices(NamedTuple):
    """What can be chosen in a sentence of n words.

    sentence  its words
    tokens    how many tokens each word is for the model; () where the tokens of the text are not those of its words
    kinds     all words that the model knows, by kind
    kind      per word the number of its kind, None for one that is in none
    unread    per word, whether the model sees no more than ⟨unknown⟩ in a part of it
    near      per word, known words that are spelled like it; () for one that is known
    same      per word, words of its kind with P(word | text before), the likeliest first, and among them all that stand
              in the sentence; () where no model says it
    next      of n + 1 places, words that can stand there, as likely
    """

    sentence: Sentence
    tokens: tuple[int, ...]
    kinds: tuple[tuple[str, tuple[str, ...]], ...]
    kind: tuple[int | None, ...]
    unread: tuple[bool, ...]
    near: tuple[tuple[str, ...], ...]
    same: tuple[tuple[Likely, ...], ...]
    next: tuple[tuple[Likely, ...], ...]


def known_words(source: Source) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The words that a model knows, by kind, each once; () where it reads letters, or any word at all."""
    pieces = any(_PIECE.match(label) for label in source.labels)
    kinds = source.kinds if pieces else source.vocabulary  # of pieces, only whole words can be offered
    taken: set[str] = set()
    result = []
    for name, members in kinds.items():
        new = tuple(dict.fromkeys(word for word in members if word not in taken and not word.startswith("⟨")))
        taken.update(new)
        if new:
            result.append((name, new))
    return tuple(result) if any(len(word) > 1 and word.isalpha() for word in taken) else ()


def _work(ref: ModelRef, text: str) -> Workload:
    """One pass over the text, and one over a few more of them for words of several tokens."""
    source = ref.resolve()
    return workload.one_pass(source.config, 2 * len(text.split()) + 2, source.n_layers, B=4)


@cached(work=_work)
def choices(ref: ModelRef, text: str) -> Choices | None:
    """What can be chosen in a text; None where the model has no words to choose from, or the text is too long."""
    source, sentence = ref.resolve(), Sentence.of(text)
    kinds = known_words(source)
    if not kinds or len(sentence.words) > MAX_WORDS:
        return None
    kind_of = {word: n for n, (_, members) in enumerate(kinds) for word in members}
    known = [*kind_of]
    cuts = [source.of_text(source.cut(word)) for word in sentence.words]
    unread = tuple(any(source.unread(cut)) for cut in cuts)
    kind = tuple(kind_of.get(word.lower()) for word in sentence.words)
    places = _places(source, text, cuts)
    rows = _probabilities(source, places, known) if places and source.kind == "decoder" and source.answers else []
    own = {word.lower() for word in sentence.words}
    same = (_best(row, kinds[n][1] if n is not None else (), own) for row, n in zip(rows, kind, strict=False))
    return Choices(
        sentence,
        tuple(map(len, cuts)) if places else (),
        kinds,
        kind,
        unread,
        tuple(_near(source, sentence.words, n, kind_of) if unread[n] else () for n in range(len(unread))),
        tuple(same),
        tuple(_best(row, row) for row in rows),
    )


class _Places(NamedTuple):
    """The ids of a text with all that a tokeniser puts in front, and how many stand before each word and at its end."""

    ids: list[int]
    before: list[int]


def _places(source: Source, text: str, cuts: Sequence[Sequence[str]]) -> _Places | None:
    """Where the words of a text begin among its tokens; None where its tokens are not those of its words."""
    whole = source.cut(text) or source.cut(next(word for _, kind in known_words(source) for word in kind))
    own = source.of_text(whole) if cuts else ()
    start = whole[: len(whole) - len(source.of_text(whole))]
    if own != tuple(token for cut in cuts for token in cut) or (*start, *own) != whole[: len(start) + len(own)]:
        return None
    before = [len(start)]
    for cut in cuts:
        before.append(before[-1] + len(cut))
    return _Places(source.ids((*start, *own)), before) if start else None


def _probabilities(source: Source, places: _Places, known: Sequence[str]) -> list[dict[str, float]]:
    """P(word | text before) at each place, of the known words; at the end also of others that the model could write."""
    import numpy as np

    import transformer
    from transformer.inspection import next_words

    model = source.single_stack
    assert isinstance(model, transformer.DecoderModel)
    ids = {word: source.ids(source.of_text(source.cut(word))) for word in known}
    ids = {word: tokens for word, tokens in ids.items() if tokens}
    table = next_words.word_probabilities(model, places.ids, places.before, [*ids.values()])
    rows = [{word: float(p) for word, p in zip(ids, row, strict=True) if not math.isnan(p)} for row in table]
    goes_on = np.array([bool(_PIECE.match(label)) for label in source.labels])
    if goes_on.any():  # its tokens are pieces: it can write words that nobody listed
        begins = np.array([label[0].isalpha() for label in source.labels])
        for tokens, p in next_words.likely_words(model, places.ids, begins, goes_on, SHOWN):
            word = "".join(spelled(source.label(id)) for id in tokens)
            rows[-1].setdefault(word, p)
    return rows


def _best(row: Mapping[str, float], among: Iterable[str], own: Collection[str] = ()) -> tuple[Likely, ...]:
    """The likeliest of these words, and those that are among `own` however likely; the likeliest first."""
    likely = sorted(((word, row[word]) for word in among if word in row), key=lambda item: -item[1])
    best = [word for n, (word, p) in enumerate(likely[:SHOWN]) if n < FEW or p >= LEAST]
    offered = [(word, p) for word, p in likely if word in own or word in best]
    while len(offered) > SHOWN and (last := next((one for one in reversed(offered) if one[0] not in own), None)):
        offered.remove(last)
    return tuple((word, round(p, 4)) for word, p in offered)


def _near(source: Source, words: Sequence[str], n: int, kind_of: Mapping[str, int]) -> tuple[str, ...]:
    """The known words that are spelled most like the n-th.

    First come those of a kind that stands in such a place in the model's examples: between words of the same two kinds,
    or at least after such a one.
    """
    sorted_out = {word for members in source.kinds.values() for word in members}

    def around(words: Sequence[str], n: int) -> list[str | int]:
        """The kinds of the words on both sides; a word that nobody sorted is a kind of its own."""
        padded = ["", *map(str.lower, words), ""]
        return [kind_of[word] if word in sorted_out else word for word in (padded[n], padded[n + 2])]

    before, after = around(words, n)
    between, behind = set[int](), set[int]()
    for text in source.examples:
        example = Sentence.of(text).words
        for at, word in enumerate(example):
            start, end = around(example, at)
            if start == before and word.lower() in sorted_out:
                behind.add(kind_of[word.lower()])
                between.update({kind_of[word.lower()]} if end == after else ())
    fitting, own = between or behind, words[n].lower()

    def fit(word: str) -> tuple[bool, float]:
        return kind_of[word] in fitting, SequenceMatcher(None, own, word).ratio()

    return tuple(sorted((word for word in kind_of if word.isalpha()), key=fit, reverse=True)[:NEAR])
