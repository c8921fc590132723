"""What the page on fine-tuning computes once and shares; read-only."""

from collections.abc import Callable, Mapping
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import transformer
from lab.kit.words import as_said
from lab.server.caching import cached
from transformer import inspection, training
from transformer.core.workload import MULTIPLICATIONS_PER_SECOND, Workload
from transformer.training.ways import (
    LORA,
    MOST_WRITTEN,
    OUTPUT_MAP,
    STORED_RANKS,
    STORY_BEGUN,
    TABLE,
    TALKS_BEGUN,
    WAYS,
    Lesson,
)

if TYPE_CHECKING:
    import numpy as np


FEWEST_FACTS = 5  # in a text that is typical: a share of fewer is no share
SECONDS = 20  # about as long as one training takes, with what is measured on the way
TEXTS = {STORY_BEGUN: "stories", TALKS_BEGUN[0]: "talks"}  # to see the heads on, and of which kind each is
_STORED = {(way, Lesson()) for way in WAYS} | {(LORA, Lesson(rank=r, alpha=2.0 * r)) for r in STORED_RANKS}


class Moved(NamedTuple):
    """How far every matrix moved, relative to its size, by its name on screen; None where it was to stay as it is."""

    by_matrix: dict[str, float | None]


class Update(NamedTuple):
    """LoRA's update of one matrix: b (d_out, r), a (r, d_in), their product times alpha / r, and its singular values.

    difference  how far probabilities of the merged and of the unmerged model are apart at most
    """

    b: "np.ndarray"
    a: "np.ndarray"
    update: "np.ndarray"
    singular_values: "np.ndarray"
    difference: float

    @property
    def rank(self) -> int:
        """How many singular values are more than rounding."""
        return int((self.singular_values > 1e-6 * self.singular_values.max()).sum())


# What a model writes at every step: words that keep to what was told, break it, or neither (None).
Texts = tuple[tuple[tuple[str, bool | None], ...], ...]


class Continued(NamedTuple):
    """A beginning, continued in every way at these steps."""

    beginning: str
    steps: tuple[int, ...]
    ways: Mapping[str, Texts]


class Piece(NamedTuple):
    """A word of a held-out text; fact: whether it is one that the text has told before, as a number, None if not."""

    word: str
    fact: int | None


class Sample(NamedTuple):
    """A held-out text that is typical of all ways, and what each says in place of each of its facts, at every measured
    step; None where it ranks the right word first.

    Typical is a text of at least FEWEST_FACTS facts in which, where there is one, no way ends with more right than one
    that has kept more of all texts; of these, the one in which the number of right ones stays nearest, in every way and
    at every measured step, to what the share of all texts makes of so many.
    """

    text: tuple[Piece, ...]
    ways: Mapping[str, tuple[tuple[str | None, ...], ...]]


class Heads(NamedTuple):
    """The attention weights of all heads on one text, before and after, (L, H, T, T), and the share of them that each
    head puts elsewhere on held-out texts, (L, H)."""

    tokens: tuple[str, ...]
    before: "np.ndarray"
    after: "np.ndarray"
    moved: "np.ndarray"


def is_stored(way: str, lesson: Lesson) -> bool:
    """Whether this training comes with the project."""
    return (way, lesson.of(way)) in _STORED


def _training(way: str, lesson: Lesson) -> Workload | None:
    """What it takes to train; nothing where it comes with the project."""
    if is_stored(way, lesson):
        return None
    return Workload(
        120_000_000, multiplications=int(SECONDS * MULTIPLICATIONS_PER_SECOND), advice="Take fewer dialogues."
    )


@cached(work=lambda way, lesson, _report: _training(way, lesson) or Workload(1_000_000))
def tuned(way: str, lesson: Lesson, _report: Callable[[float], None]) -> "training.finetuning.Tuned":
    """A training in this way; `_report` takes the share of it that is done."""
    return training.finetuning.stored().get((way, lesson)) or training.finetuning.tune(way, lesson, _report)


@cached()
def _model(
    way: str, lesson: Lesson, is_before: bool, _tuned: "training.finetuning.Tuned"
) -> "transformer.DecoderModel":
    return training.finetuning.beginning(way, lesson.seed) if is_before else _tuned.model()


@cached()
def talk(beginning: str, lesson: Lesson, _tuned: "Mapping[str, training.finetuning.Tuned]") -> Continued:
    """A talk that begins so, continued in all ways: at every measured step where it is one of TALKS_BEGUN, else before
    the training and after it."""
    any_way = next(iter(_tuned.values()))
    if beginning in TALKS_BEGUN:
        steps, place = tuple(any_way.steps.tolist()), TALKS_BEGUN.index(beginning)
        texts = {way: [written[place] for written in one.written] for way, one in _tuned.items()}
    else:
        steps = (0, int(any_way.steps[-1]))
        texts = {way: [_goes_on(way, one, beginning, at == 0) for at in steps] for way, one in _tuned.items()}
    return Continued(
        beginning,
        steps,
        {
            way: tuple(tuple(training.continuing.in_talk(beginning, text)) for text in written)
            for way, written in texts.items()
        },
    )


def _goes_on(way: str, tuned: "training.finetuning.Tuned", beginning: str, is_before: bool) -> str:
    model = _model(way, tuned.lesson, is_before, tuned)
    return training.continuing.continued(model, [beginning], MOST_WRITTEN)[0]


@cached()
def story(lesson: Lesson, _tuned: "Mapping[str, training.finetuning.Tuned]") -> Sample:
    """The typical one of the held-out stories, and what each way says in it."""
    import numpy as np

    tests = _tests()
    facts = [np.array([one.fact for one in text if one.fact is not None]) for text in tests.texts]
    far = dict.fromkeys((n for n, some in enumerate(facts) if len(some) >= FEWEST_FACTS), 0.0)
    ends = dict[int, list[tuple[float, int]]]()  # of each text: what a way has kept of all stories, and right in this
    for one in _tuned.values():
        first = one.first["stories"]
        is_right = np.array([(first[:, places] == tests.wanted[places]).all(1) for places in tests.facts]).T
        for n in far:
            right = is_right[:, facts[n]].sum(1)
            far[n] = max(far[n], np.abs(right - one.old * len(facts[n])).max())
            ends.setdefault(n, []).append((float(one.old[-1]), int(right[-1])))
    told = [n for n, end in ends.items() if _is_in_order(end)]
    n = min(told or far, key=far.__getitem__)
    says = {
        way: tuple(tuple(_said(row, tests, fact) for fact in facts[n]) for row in one.first["stories"])
        for way, one in _tuned.items()
    }
    return Sample(tuple(one._replace(fact=None if one.fact is None else 0) for one in tests.texts[n]), says)


def _is_in_order(ends: list[tuple[float, int]]) -> bool:
    """Whether none has more right in one story that has kept less of all."""
    return all(a[1] >= b[1] for a in ends for b in ends if a[0] > b[0])


class _Tests(NamedTuple):
    """Held-out texts as words. A fact is a word that the text has told before; facts: the places of its tokens among
    all that are asked for; wanted: the tokens at these places."""

    texts: list[tuple[Piece, ...]]
    facts: list[list[int]]
    wanted: "np.ndarray"


@cache
def _tests() -> _Tests:
    """The stories. A text is judged word by word: all of the tokens of a word that are asked for have to be right."""
    batch = training.finetuning.told_again("stories")
    tokens = training.tasks.talks.talks().target
    wanted = batch.wanted.numpy()
    is_asked = wanted != training.text.PAD
    texts, facts, place = [], [], 0
    for row, ids in enumerate(batch.text.numpy()):
        pieces: list[list] = []  # the tokens of each word, and its fact
        for column, id in enumerate(ids[1:]):  # the token at column + 1 is wanted at column
            if id in (training.text.PAD, training.text.EOS):
                break
            label = tokens.label(int(id))
            if not label.startswith("##") or not pieces:
                pieces.append([[], None])
            pieces[-1][0].append(int(id))
            if is_asked[row, column]:
                if pieces[-1][1] is None:
                    pieces[-1][1] = len(facts)
                    facts.append([])
                facts[pieces[-1][1]].append(place)
                place += 1
        texts.append(tuple(Piece(tokens.decode(some), fact) for some, fact in pieces))
    return _Tests(texts, facts, wanted[is_asked])


@cache
def _words() -> frozenset[str]:
    """Whole words: facts, and all that held-out texts are made of."""
    tokens = training.tasks.talks.talks().target
    texts = [ids.tolist() for name in training.finetuning.TOLD for ids in training.finetuning.told_again(name).text]
    return training.tasks.talks.FACTS.union(word for ids in texts for word in tokens.decode(ids).split(" "))


def _said(first: "np.ndarray", tests: _Tests, fact: int) -> str | None:
    """What a model says in place of a fact, up to its first piece that is wrong, with an ellipsis where that is no word
    yet; None where all are right."""
    tokens, places = training.tasks.talks.talks().target, tests.facts[fact]
    said = []
    for place in places:
        said.append(int(first[place]))
        if first[place] != tests.wanted[place]:
            word = tokens.decode(said)
            if not word.isprintable() or "\ufffd" in word or not word:
                return tokens.label(said[-1])
            return word if word in _words() or not word.isalpha() else f"{word}…"
    return None


@cached()
def moved(way: str, lesson: Lesson, _tuned: "training.finetuning.Tuned") -> Moved:
    before, after = _model(way, lesson, True, _tuned), _model(way, lesson, False, _tuned)
    n_layers = before.config.n_decoder_layers

    def stays(name: str) -> bool:
        return name.removesuffix(".weight") not in _tuned.adapters and not training.ways.learns(way, name, n_layers)

    return Moved(
        {
            _name(key): None if stays(key) else far
            for key, far in inspection.tuning.matrices_moved(before, after).items()
        }
    )


@cached()
def update(matrix: str, lesson: Lesson, _tuned: "training.finetuning.Tuned") -> Update:
    """The update of the matrix of this name on screen."""
    adapter = next(one for path, one in _tuned.adapters.items() if _name(f"{path}.weight") == matrix)
    product = adapter.update()
    return Update(
        adapter.b.numpy(),
        adapter.a.numpy(),
        product.numpy(),
        inspection.tuning.singular_values(product),
        _difference(lesson, _tuned),
    )


@cached()
def _difference(lesson: Lesson, _tuned: "training.finetuning.Tuned") -> float:
    beside, merged = (_tuned.model(merged=False).double() for _ in range(2))  # 16 digits: rounding stays far below
    transformer.core.lora.merge(merged)
    return inspection.tuning.largest_difference(beside, merged, training.finetuning.told_again("talks"))


@cached()
def heads(way: str, lesson: Lesson, text: str, _tuned: "training.finetuning.Tuned") -> Heads:
    """Every head on this text, one of TEXTS, before this training and after it."""
    before, after = _model(way, lesson, True, _tuned), _model(way, lesson, False, _tuned)
    tokeniser = training.tasks.talks.talks().target
    ids = tuple(tokeniser.encode(text))
    batch = training.batches.collate("decoder", [training.tasks.task.Example((), ids)])
    tokens = tuple(as_said(tokeniser.label(id)) for id in (training.text.BOS, *ids))
    share = inspection.tuning.heads_moved(before, after, training.finetuning.told_again(TEXTS[text]))
    return Heads(tokens, inspection.tuning.maps(before, batch), inspection.tuning.maps(after, batch), share)


def _name(parameter: str) -> str:
    """A matrix as it is called on screen: "layer 0 W_q" for decoder.layers.0.self_attn.w_q.weight."""
    if parameter == TABLE:
        return "embedding"
    if parameter == OUTPUT_MAP:
        return "output map"
    _, _, layer, _, matrix, _ = parameter.split(".")
    return f"layer {layer} {matrix.replace('w_', 'W_')}"
