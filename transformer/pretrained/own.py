"""The project's own trained models, told as published ones are: `transformer.load("shipped:stories")`.

Their tokenisers say which ids a text has. Here is what a published tokenizer says beyond that: what stands around the
text, and which of its characters each token is made of.
"""

import re
import unicodedata
from collections.abc import Sequence
from itertools import groupby, pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from transformer.core.checks import InputError
from transformer.pretrained.labels import whole_characters, words_of
from transformer.pretrained.reading import parameters, quoted
from transformer.pretrained.tokenizer import MAX_TEXT, ClassNames, Encoding, Tokenizer
from transformer.training.text import BOS, EOS, PAD, UNKNOWN, clean

if TYPE_CHECKING:
    from transformer.core.model import Model
    from transformer.training.tasks.task import Task, Tokeniser
    from transformer.training.vision import Plan, Trained

Span = tuple[int, int]
_SPACES, _LETTERS = re.compile(rb"\s*"), re.compile(rb"\S*")


class Own(NamedTuple):
    """A shipped model, and what `loading.Pretrained` says of a model."""

    model: "Model"
    tokenizer: Tokenizer
    target_tokenizer: Tokenizer
    facts: tuple[str, ...]
    start: int | None = None


def names() -> tuple[str, ...]:
    """The models that come with the project, those of pictures last."""
    from transformer.training import shipped, vision

    return (*shipped.available(), *(name for name in vision.PLANS if vision.file_of(name).exists()))


def of_name(name: str) -> Own:
    """The shipped model of this name. Raises InputError for another name."""
    from transformer.training import shipped, vision

    if name not in names():
        raise InputError(f"No model called “{quoted(name)}” is shipped; there are {', '.join(names())}.")
    if name in vision.PLANS:
        return _of_pictures(vision.PLANS[name], vision.load(name))
    checkpoint = shipped.load(name)
    model, task = checkpoint.model(), checkpoint.task
    source, target = tokenizers(task)
    return Own(
        model,
        source,
        target,
        (
            f"{shipped.SHIPPED[name].title}, {parameters(_count(model))}.",
            task.about,
            *(
                text.format(checkpoint.card[key]) + "."
                for key, text in task.score_notes.items()
                if key in checkpoint.card
            ),
            f"It reads texts such as “{task.opening}”.",
        ),
        BOS if task.kind == "encoder-decoder" else None,
    )


def tokenizers(task: "Task") -> tuple[Tokenizer, Tokenizer]:
    """Of what a task's model reads and of what it answers, each with what stands around a text there."""
    if task.kind == "encoder-decoder":
        return TaskTokenizer(task.source), TaskTokenizer(task.target, ends=True)
    reads = TaskTokenizer(task.source, begins=True)
    return reads, reads if task.target is task.source else TaskTokenizer(task.target)


def _count(model: "Model") -> int:
    return sum(p.numel() for p in model.parameters())


def _of_pictures(plan: "Plan", trained: "Trained") -> Own:
    from transformer.training.tasks import shapes

    answers = [answer for options in shapes.QUESTIONS.values() for answer in options]
    classes = ClassNames({"id2label": {str(id): answer for id, answer in enumerate(answers)}}, len(answers))
    questions = "; ".join(f"{name}: {', '.join(options)}" for name, options in shapes.QUESTIONS.items())
    where = "at the class token" if trained.reads == "class" else "from the mean of all patches"
    facts = (
        f"{plan.title}, {parameters(_count(trained.model))}.",
        f"It answers {len(shapes.QUESTIONS)} questions about a picture {shapes.SIDE} pixels wide ({questions}).",
        f"Its answers are read {where}.",
    )
    return Own(trained.model, classes, classes, facts)


class TaskTokenizer(Tokenizer):
    """The tokeniser of a task, as a published one is: special tokens around a text, and its characters by token.

    begins, ends   whether ⟨start⟩ stands before a text, and ⟨end⟩ after it
    """

    def __init__(self, tokeniser: "Tokeniser", *, begins: bool = False, ends: bool = False) -> None:
        self._tokeniser = tokeniser
        self._before, self._after = [BOS] * begins, [EOS] * ends
        self.bos, self.eos, self.pad, self.unk = BOS, EOS, PAD, UNKNOWN
        self.mask = self.cls = self.sep = None

    @property
    def vocab_size(self) -> int:
        """How many tokens there are."""
        return len(self._tokeniser)

    def encode(self, text: str, pair: str | None = None, *, special: bool = True) -> Encoding:
        """The tokens of a text; special=False: without ⟨start⟩ and ⟨end⟩. What it never met is ⟨unknown⟩.

        Raises InputError for more than MAX_TEXT characters, and for a second text.
        """
        if pair is not None:
            raise InputError("This model reads one text at a time, not two together.")
        text = whole_characters(text)
        if len(text) > MAX_TEXT:
            raise InputError(f"The text has more than {MAX_TEXT:,} characters; shorten it.")
        inside = self._tokeniser.encode(text)
        spans = spans_of(self._tokeniser, text, inside)
        before, after = (self._before, self._after) if special else ([], [])

        def framed(outside: Any, inner: Sequence[Any]) -> list[Any]:
            return [*(outside for _ in before), *inner, *(outside for _ in after)]

        ids, parts = [*before, *inside, *after], framed(None, [0] * len(inside))
        return Encoding(
            ids=ids,
            tokens=tuple(map(self.label, ids)),
            segments=[0] * len(ids),
            special=[part is None for part in parts],
            words=words_of([text], parts, framed((0, 0), spans)),
            spans=framed(None, spans),
            texts=parts,
        )

    def decode(self, ids: Sequence[int], *, special: bool = False) -> str:
        """The text of some ids; special=True shows ⟨start⟩, ⟨end⟩ and ⟨pad⟩ as well."""
        known = [id for id in ids if 0 <= id < self.vocab_size]
        if not special:
            return self._tokeniser.decode(known)
        runs = groupby(known, lambda id: id in (PAD, BOS, EOS))
        return " ".join(
            " ".join(map(self.label, run)) if is_named else self._tokeniser.decode(run) for is_named, run in runs
        )

    def label(self, id: int) -> str:
        """One token as it is shown to people; "#7" for an id that stands for no token."""
        return self._tokeniser.label(id) if 0 <= id < self.vocab_size else f"#{id}"


# ---- which characters a token is made of -----------------------------------------------------------------------------


def spans_of(tokeniser: "Tokeniser", text: str, ids: Sequence[int]) -> list[Span]:
    """The characters [start, end) of a text that each of its tokens is made of.

    A tokeniser whose tokens are not spelled as the text is, such as that of code, says them itself: `spans(text)`.
    Those of others are found one after the other, whether in small or in large letters. What is spelled otherwise, as
    the "not" in "don't", has the rest of its word.
    """
    if hasattr(tokeniser, "spans"):
        return tokeniser.spans(text)
    folded, places = _folded(text)
    spans, at, is_missed = [], 0, False
    for piece in _pieces(tokeniser, text, ids):
        start, end, is_missed = _found(folded, piece, at, is_missed)
        spans.append((places[start][0], places[end - 1][1]) if end > start else (_after(places, start),) * 2)
        at = start if is_missed else end
    return spans


def _pieces(tokeniser: "Tokeniser", text: str, ids: Sequence[int]) -> list[bytes]:
    """How each token is spelled, in small letters."""
    cut = tokeniser.cut(text) if hasattr(tokeniser, "cut") else []
    if len(cut) == len(ids):
        return [piece.lower().encode() for piece in cut]
    if hasattr(tokeniser, "bytes"):
        return [tokeniser.bytes(id).lower() for id in ids]
    return [tokeniser.decode([id]).lower().encode() for id in ids]


def _folded(text: str) -> tuple[bytes, list[Span]]:
    """A text as tokenisers of small letters read it, in bytes, and for each byte the characters that it is made of."""
    starts = [n for n, c in enumerate(text) if n == 0 or not unicodedata.combining(c)]
    folded, places = bytearray(), []
    for start, end in pairwise([*starts, len(text)]):
        letter = text[start:end]
        letter = (letter if letter.isspace() else clean(letter)).lower().replace("’", "'")
        written = (letter if letter.isprintable() or letter.isascii() else " ").encode()
        folded += written
        places += [(start, end)] * len(written)
    return bytes(folded), places


def _found(text: bytes, piece: bytes, at: int, is_missed: bool) -> tuple[int, int, bool]:
    """Where a piece stands from here on, [start, end), and whether it does not: then what is left of this word.

    After a piece that does not stand there, the next may begin within the word, or after it.
    """
    if text.startswith(piece, at):
        return at, at + len(piece), False
    piece, start = piece.strip(), _end(_SPACES, text, at)
    stop = _end(_LETTERS, text, start)
    if piece and text.startswith(piece, start):
        return start, start + len(piece), False
    if piece and is_missed:
        inside = text.find(piece, start, stop)
        found = inside if inside >= 0 else _end(_SPACES, text, stop)
        if text.startswith(piece, found):
            return found, found + len(piece), False
    return start, stop, True


def _end(of: re.Pattern[bytes], text: bytes, at: int) -> int:
    """The end of the spaces, or of the letters, that begin here."""
    match = of.match(text, at)
    return match.end() if match else at


def _after(places: list[Span], at: int) -> int:
    """The character before which this byte stands."""
    return places[at][0] if at < len(places) else (places[-1][1] if places else 0)
