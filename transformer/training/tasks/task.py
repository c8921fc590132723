"""What a task is: examples without end, each with its answer and its true alignment, and a way to write them."""

import hashlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from random import Random
from typing import NamedTuple, Protocol

from transformer.checks import InputError
from transformer.config import Kind
from transformer.training.text import BOS, EOS, PAD, Vocabulary, shown

HELD_OUT = 10  # one example in so many is never trained on


class Example(NamedTuple):
    """One question and its answer, in ids, without <bos> and <eos>.

    source     what is read: by the encoder, or at the beginning of the text of a decoder alone; may be empty
    target     what is asked for: the translation, the continuation, or the one label of an encoder
    alignment  (i, j): target token i is made from source token j; all that made it, and () where nothing says so.
               In a decoder alone j counts through source and then target, so that it can also point into the answer.
    """

    source: tuple[int, ...]
    target: tuple[int, ...]
    alignment: tuple[tuple[int, int], ...] = ()


class Tokeniser(Protocol):
    """Anything that cuts a text into ids and puts ids together again, as those of transformer.training.text."""

    def __len__(self) -> int: ...
    def encode(self, text: str) -> list[int]: ...
    def decode(self, ids: Iterable[int]) -> str: ...
    def label(self, id: int) -> str: ...


class SpacedTokeniser:
    """Tokens with a space between them, each a token of the vocabulary: `a b c`. What it does not know is <unk>."""

    def __init__(self, tokens: Iterable[str]) -> None:
        self.vocabulary = Vocabulary(tokens)

    def __len__(self) -> int:
        return len(self.vocabulary)

    def encode(self, text: str) -> list[int]:
        return [self.vocabulary.id(token) for token in text.split()]

    def decode(self, ids: Iterable[int]) -> str:
        """The text again; <pad>, <bos> and <eos> are left out."""
        return " ".join(self.vocabulary[id] for id in ids if id not in (PAD, BOS, EOS))

    def label(self, id: int) -> str:
        return shown(self.vocabulary[id])


def is_held_out(example: Example) -> bool:
    """Whether this example belongs to the test split: by a hash of what is read, so every seed agrees."""
    key = example.source or example.target
    digest = hashlib.blake2b(b" ".join(b"%d" % id for id in key), digest_size=4).digest()
    return int.from_bytes(digest, "big") % HELD_OUT == 0


@dataclass(frozen=True, eq=False, kw_only=True)
class Task:
    """Something to learn, of which the answers are known.

    name, settings   make it again: tasks.make(name, **settings); settings are plain values
    title            a few words for a list; `about` is one sentence
    kind             "encoder-decoder": reads the source, writes the target.  "decoder": goes on where the source ends.
                     "encoder": reads <bos> and the source; the target is one token, asked for at <bos>.
    source, target   the tokenisers of both sides (one and the same where there is one text)
    draw             one example at random from the generator that is handed in; the same generator, the same example
    augment          the example changed in a way that keeps the answer right, or None where there is no such way
    probes           fixed examples, none of them trained on, on which attention is watched
    longest          the most tokens of one side that `draw` gives, <bos> and <eos> not counted
    held_out         whether an example belongs to the test; the same for every seed
    ends             whether the target ends where it ends: <eos> is learned after it. Not so for a window of a text
    """

    name: str
    title: str
    about: str
    kind: Kind
    source: Tokeniser
    target: Tokeniser
    draw: Callable[[Random], Example]
    probes: tuple[Example, ...]
    longest: int
    augment: Callable[[Example, Random], Example] | None = None
    settings: dict = field(default_factory=dict)
    held_out: Callable[[Example], bool] = is_held_out
    ends: bool = True

    def examples(self, n: int, rng: Random, *, held_out: bool) -> list[Example]:
        """n different examples, all held out or none of them: training and test never share a source.

        Fewer where the task has no more (it is given up after 20 n draws).
        """
        found: dict[Example, None] = {}
        for _ in range(20 * n):
            example = self.draw(rng)
            if self.held_out(example) == held_out:
                found[example] = None
                if len(found) == n:
                    break
        return list(found)


def whole(name: str, value: object, least: int, most: int) -> int:
    """The value, if it is a whole number in these bounds; settings may come out of a file that anyone wrote."""
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise InputError(f"{name}{_given(value)} must be a whole number from {least} to {most}")
    return value


def _given(value: object) -> str:
    """How a sentence shows a value that it refuses: nothing long, nothing that cannot be written."""
    plain = isinstance(value, float | bool | str) or (isinstance(value, int) and abs(value) < 10**18)
    text = repr(value) if plain else ""
    return f"={text}" if 0 < len(text) <= 30 else ""
