"""What a task is: endless examples, each with its answer and its true alignment, and a way to write them.

A task is declared once, in a file of its own: a function that makes it, and a `Declaration` that tasks/__init__ lists.
"""

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice, repeat
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from transformer.core.checks import InputError
from transformer.core.config import Kind
from transformer.training.recipes import Recipe
from transformer.training.text import BOS, EOS, PAD, SPECIALS, Vocabulary, name_of

if TYPE_CHECKING:
    from torch import Tensor

    from transformer.core.model import Model

READS = ("class", "mean")  # token, of all patches
HELD_OUT = 10  # one example in this many is never trained on
FRUITLESS = 1000  # draws without a new example, and ten more per example there is: then there is hardly another
MAX_EXAMPLE_TEXTS = 4
MAX_OPENING = 16  # tokens of an example text that is made from a probe without a source


class Example(NamedTuple):
    """One question and its answer, in ids, without <bos> and <eos>.

    source     the input: of the encoder, or the beginning of the text of a decoder alone; may be empty. Of a picture
               its pixels, row by row, with three colours each, as bytes
    target     the right output: the translation, the continuation, or the one label of an encoder
    alignment  pairs (i, j): target token i is made from source token j; () where this is not known. In a decoder alone
               j counts through source and then target, so that it can also point into the answer.
    """

    source: tuple[int, ...] | bytes
    target: tuple[int, ...]
    alignment: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True)
class Sight:
    """How a model of a task reads a picture: an encoder, in patches, with several questions to answer at once.

    side, patch_size  in pixels
    reads             where the answers are read after the last layer: one of READS
    questions         their names, in the order of the target
    options           for each question, the ids of its answers; no other id is an answer to it
    """

    side: int
    patch_size: int
    reads: str
    questions: tuple[str, ...]
    options: tuple[tuple[int, ...], ...]

    @property
    def across(self) -> int:
        """Patches along one side."""
        return self.side // self.patch_size

    @property
    def rows(self) -> tuple[int, ...]:
        """The rows of an attention map whose tokens the answers are read from: 0 is the class token."""
        return (0,) if self.reads == "class" else tuple(range(1, 1 + self.across**2))


class Tokeniser(Protocol):
    """Cuts a text into ids and joins ids into a text again, as those of transformer.training.text do.

    One whose tokens are not spelled as the text is can say where they stand in it: `spans(text)`, as that of code does.
    """

    def __len__(self) -> int: ...
    def encode(self, text: str) -> list[int]: ...
    def decode(self, ids: Iterable[int]) -> str: ...
    def label(self, id: int) -> str: ...


class SpacedTokeniser:
    """Cuts at spaces: `a b c` is `a`, `b`, `c`. An unknown token is <unk>."""

    def __init__(self, tokens: Iterable[str]) -> None:
        self.vocabulary = Vocabulary(tokens)

    def __len__(self) -> int:
        return len(self.vocabulary)

    def cut(self, text: str) -> list[str]:
        """The tokens of a text, whether they have an id or not."""
        return text.split()

    def encode(self, text: str) -> list[int]:
        return [self.vocabulary.id(token) for token in self.cut(text)]

    def decode(self, ids: Iterable[int]) -> str:
        """The text of these ids without <pad>, <bos> and <eos>."""
        return " ".join(self.vocabulary[id] for id in ids if id not in (PAD, BOS, EOS))

    def label(self, id: int) -> str:
        return name_of(id, self.vocabulary[id])


def is_held_out(example: Example) -> bool:
    """Whether this example belongs to the test split: by a hash of its input, so that it is the same for every seed."""
    key = example.source or example.target
    text = key if isinstance(key, bytes) else b" ".join(b"%d" % id for id in key)
    digest = hashlib.blake2b(text, digest_size=4).digest()
    return int.from_bytes(digest, "big") % HELD_OUT == 0


def no_answer(words: Sequence[str]) -> Example | None:
    """None: the answer to a typed text is not known."""
    return None


def no_relations(words: Sequence[str]) -> dict[str, list[tuple[int, int]]]:
    """{}: nobody knows which words of a text belong together."""
    return {}


def of_known_words(
    tokeniser: SpacedTokeniser, example: Callable[[Sequence[str]], Example]
) -> Callable[[Sequence[str]], Example | None]:
    """The `answer` of a task that has one for any of its words: `example` of them, None where a word is unknown."""
    return lambda words: example(words) if all(word in tokeniser.vocabulary for word in words) else None


def as_written(target: Sequence[int]) -> tuple[int, ...]:
    """The target itself: only one answer is right."""
    return tuple(target)


def no_remark(example: Example) -> str:
    return ""


@dataclass(frozen=True, eq=False, kw_only=True)
class Task:
    """Something to learn, of which the answers are known.

    name, settings   make it again: tasks.make(name, **settings); settings are plain values
    title            a few words for a list; `about` is one sentence
    kind             "encoder-decoder": reads the source, writes the target.  "decoder": goes on where the source ends.
                     "encoder": reads <bos> and the source; the target is one token, asked for at <bos>.
    source, target   the tokenisers of both sides (one and the same where there is one text)
    draw             one example at random from a generator; the same generator state gives the same example
    augment          the example changed in a way that keeps the answer right, or None where there is no such way
    probes           fixed examples, none of them trained on, on which attention is watched
    longest          the most tokens of one side that `draw` gives, <bos> and <eos> not counted
    held_out         whether an example belongs to the test; the same for every seed
    ends             whether the target ends where it ends: <eos> is learned after it. Not so for a window of a text
    answer           the example that a visitor's source, as words, asks for, or None where its answer is not known.
                     A task with a source to read and a target to write needs one: see of_known_words
    canonical        a target in the one spelling that all right answers to its question have in common
    own_probe        the text of the last probe, where a visitor has typed it: tasks.asking.with_probe
    sight            how its models read pictures; None where they read texts
    typed            the example that a visitor's input stands for, where that is no text to be cut into tokens
    drill            one example at random of what is hardest in the task and little else, or None where there is none
    expected         how probable each token is at each place of the targets of such examples, their end included: as
                     (B, T, V), 0 beyond the end; None where nobody knows. For decoders alone, whose sources are empty
    draw_many        examples without end from a generator, where drawing many at once is quicker than `draw`
    languages        of the source and of the target of a translator, as they are called; () for other tasks
    remark           a few words on the answer to an example, "" as a rule
    too_few          what is said where all its examples are held out, or none

    On screen:
    example_texts    texts to read, as one would type them; by default, some probes
    opening          the text that a model of this task goes on with at first; by default, the first example text
    misfit           a word that is wrong after the opening, "" where nobody chose one
    separator        what stands between two tokens on screen; "" where tokens bring their own spaces
    kinds            words that serve the same purpose, by the name of the kind; {} where nobody sorted them
    relations        which words of a text a head may connect: what it then does -> pairs (query, key); {} if unknown
    grammar          which sentences it was made from, in Markdown; "" where nobody wrote that down
    is_right         whether a whole text, in ids, is one of the task's; None where nobody can tell
    right_beginning  what of a text, in ids, one of the task's begins with, as it is written; None where nobody can tell
    scores           measures a model on held-out examples, for its card; None: the share that is exactly right
    score_notes      names of such scores -> the words for one on screen, with its place in braces
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
    answer: Callable[[Sequence[str]], Example | None] = no_answer
    canonical: Callable[[Sequence[int]], tuple[int, ...]] = as_written
    own_probe: str = ""
    sight: Sight | None = None
    typed: Callable[[str], Example] | None = None
    drill: Callable[[Random], Example] | None = None
    expected: Callable[[Sequence[Example]], "Tensor"] | None = None
    draw_many: Callable[[Random], Iterable[Example]] | None = None
    languages: tuple[str, str] | tuple[()] = ()
    remark: Callable[[Example], str] = no_remark
    too_few: str = "the task has too few different examples to keep some for the test; make it larger"
    example_texts: tuple[str, ...] = ()
    opening: str = ""
    misfit: str = ""
    separator: str = " "
    kinds: dict[str, tuple[str, ...]] = field(default_factory=dict)
    relations: Callable[[Sequence[str]], dict[str, list[tuple[int, int]]]] = no_relations
    grammar: str = ""
    is_right: Callable[[Sequence[int]], bool] | None = None
    right_beginning: Callable[[Sequence[int]], str] | None = None
    scores: Callable[["Model", Sequence[Example]], Mapping[str, float | str]] | None = None
    score_notes: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not self.example_texts:
            texts = (self.source.decode(p.source or p.target[:MAX_OPENING]) for p in self.probes[:MAX_EXAMPLE_TEXTS])
            object.__setattr__(self, "example_texts", tuple(dict.fromkeys(texts)))
        if not self.opening and self.example_texts:
            object.__setattr__(self, "opening", self.example_texts[0])

    @property
    def sizes(self) -> dict[str, Any]:
        """The fields of a model's config that follow from its task."""
        sizes: dict[str, Any] = {"vocab_size": len(self.source), "tgt_vocab_size": len(self.target)}
        if self.sight:
            sizes |= {"image_size": self.sight.side, "patch_size": self.sight.patch_size, "n_channels": 3}
            sizes |= {"distilled": False, "tie_output": False}
        return sizes

    @property
    def n_choices(self) -> int:
        """How many tokens a model chooses from at a time."""
        return len(self.sight.options[0]) if self.sight else len(self.target)

    @property
    def reads_letters(self) -> bool:
        """Whether every token of the source is a single letter: a typed text then needs no spaces."""
        return all(len(self.source.label(id)) == 1 for id in range(len(SPECIALS), len(self.source)))

    def examples(self, n: int, rng: Random, *, held_out: bool) -> list[Example]:
        """n different examples, all held out or none of them: training and test never share a source.

        Fewer where the task has too few: it stops after 20 n draws, or when many in a row have brought nothing new.
        """
        examples: dict[Example, None] = {}
        fruitless = 0  # draws since the last new example
        drawn = self.draw_many(rng) if self.draw_many else (self.draw(rng) for _ in repeat(None))
        for example in islice(drawn, 20 * n):
            fruitless += 1
            if self.held_out(example) == held_out and example not in examples:
                examples[example] = None
                fruitless = 0
            if len(examples) == n or fruitless > FRUITLESS + 10 * len(examples):
                break
        return list(examples)


@dataclass(frozen=True, kw_only=True)
class Declaration:
    """A task before its settings are chosen: what has to be known of it to offer it.

    name        in files and in code: tasks.make(name)
    label       in lists on screen, and in links
    make        makes the task from its settings, all of which have a default
    recipe      a model and a training that learn it with these defaults
    max_length  the largest `longest` that `make` takes, where texts of any length up to it can be asked for; else None
    needs_text  whether it is made from a visitor's text: make(text=...)
    takes_long  whether its training is too long for a visitor to wait for: no page offers it
    reads_pictures  whether its models read pictures, as make().sight says
    sketch      an example in a few signs, such as "abc → cba"; "" for none
    to_ask      something that a visitor could ask it
    """

    name: str
    label: str
    make: Callable[..., Task]
    recipe: Recipe
    max_length: int | None = None
    needs_text: bool = False
    takes_long: bool = False
    reads_pictures: bool = False
    sketch: str = ""
    to_ask: str = ""


def probes(draw: Callable[[Random], Example], length: int, n: int = 2) -> tuple[Example, ...]:
    """n held-out examples, with sources of this length if there are enough of them; always the same."""
    rng = Random(0)
    fitting: list[Example] = []
    others: list[Example] = []
    for _ in range(5000):
        example = draw(rng)
        if is_held_out(example) and example not in fitting:
            (fitting if len(example.source) == length else others).append(example)
        if len(fitting) == n:
            break
    return tuple((fitting + others)[:n])


def whole(name: str, value: object, minimum: int, maximum: int) -> int:
    """The value, if it is a whole number within these bounds. Raises InputError otherwise: files hold anything."""
    if isinstance(value, bool) or not isinstance(value, int) or not minimum <= value <= maximum:
        raise InputError(f"{name}{_shown(value)} must be a whole number from {minimum} to {maximum}")
    return value


def _shown(value: object) -> str:
    """A refused value for a sentence; "" for one that is long or cannot be written."""
    plain = isinstance(value, float | bool | str) or (isinstance(value, int) and abs(value) < 10**18)
    text = repr(value) if plain else ""
    return f"={text}" if 0 < len(text) <= 30 else ""
