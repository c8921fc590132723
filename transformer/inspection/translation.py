"""A translation from the inside: how it was written step by step, where every word looked, what it does without a part.

Any encoder-decoder with a task will do; sources and answers are ids, without <bos> and <eos>.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import reduce
from random import Random
from typing import Literal, NamedTuple, cast

import numpy as np
import torch

from transformer.checks import InputError
from transformer.config import TransformerConfig
from transformer.generation import begin, generate, greedy_batch
from transformer.inspection.ablations import twin
from transformer.inspection.masks import three_attentions
from transformer.inspection.run import AttentionMap
from transformer.masks import padding_of
from transformer.model import Transformer
from transformer.positions import make_positions
from transformer.taps import Recorder, Tap, ablate, compose, no_tap
from transformer.training.scores import answers
from transformer.training.tasks.task import Example, SpacedTokeniser, Task, Tokeniser
from transformer.training.text import BOS, EOS, PAD

MOST_READ = 24  # words of a sentence: every one can be pointed at on a phone


class Typed(NamedTuple):
    """What was typed, as the model reads it.

    ids       the source, at most as many tokens as were asked for; unknown ones are <unk>
    words     the same as they were typed
    unknown   those that the model has never seen, each once
    left_out  how many tokens were too many
    """

    ids: tuple[int, ...]
    words: tuple[str, ...]
    unknown: tuple[str, ...]
    left_out: int


def most_read(config: TransformerConfig) -> int:
    """How many tokens may be read: no more than MOST_READ, and than a learned table has positions."""
    return min(MOST_READ, config.max_len) if config.positions == "learned" else MOST_READ


def read_typed(task: Task, text: str, most: int = MOST_READ) -> Typed:
    """A sentence in the words of the task; for tasks of letters a space between them is not needed."""
    cut = getattr(task.source, "cut", lambda letters: list("".join(letters.lower().split())))
    words, vocabulary = cut(text), cast(SpacedTokeniser, task.source).vocabulary
    kept = tuple(words[:most])
    unknown = tuple(word for word in dict.fromkeys(kept) if word not in vocabulary)
    return Typed(tuple(vocabulary.id(word) for word in kept), kept, unknown, len(words) - len(kept))


def truth(task: Task, typed: Typed) -> Example | None:
    """The right answer and its alignment, where the task can say what they are."""
    return task.answer(typed.words)


class Counter:
    """A tap that counts how often encoder and decoder ran."""

    def __init__(self) -> None:
        self.encoder = self.decoder = 0

    def __call__(self, name: str, tensor: torch.Tensor) -> torch.Tensor:
        self.encoder += name == "encoder.out"
        self.decoder += name == "decoder.out"
        return tensor


class Frame(NamedTuple):
    """One word being written: `id`, out of `probs` (V,), while it looked at the source with `cross` (L, H, S).

    encoder, decoder  how often each had run by then, counted
    """

    id: int
    probs: np.ndarray
    cross: np.ndarray
    encoder: int
    decoder: int


@dataclass(frozen=True, eq=False)
class Translation:
    """What a model makes of a source by itself, greedily.

    written  ids, <eos> at the end if it came; `ended` says whether
    frames   a step a token;  memory (S, D) what the encoder made of the source
    """

    source: tuple[int, ...]
    written: tuple[int, ...]
    frames: tuple[Frame, ...]
    memory: np.ndarray

    @property
    def ended(self) -> bool:
        return self.written[-1] == EOS

    @property
    def answer(self) -> tuple[int, ...]:
        """Without <eos>."""
        return self.written[:-1] if self.ended else self.written


def most_written(model: Transformer, n_read: int) -> int:
    """How many tokens may be written: twice as many as read and some more, and no more than there are positions."""
    most = 2 * n_read + 8
    return min(most, model.config.max_len) if model.config.positions == "learned" else most


def write(model: Transformer, source: Sequence[int], tap: Tap = no_tap) -> Translation:
    """Translate one source, and keep what every step saw. The tap may change what is computed."""
    counter = Counter()
    start = begin(model, [BOS], source, tap=compose(tap, counter))
    frames = []
    for step in generate(start, max_new=most_written(model, len(source)), eos=EOS):
        cross = step.before.cross_attention
        assert cross is not None  # there is an encoder
        frames.append(Frame(step.id, step.distribution.probs, cross, counter.encoder, counter.decoder))
    written = tuple(frame.id for frame in frames)
    assert start.source is not None
    return Translation(tuple(source), written, tuple(frames), start.source.memory[0].numpy())


def attentions(
    model: Transformer, task: Task, typed: Typed, written: Sequence[int], n_pads: int = 0, *, masked: bool = True
) -> dict[str, AttentionMap]:
    """All heads of encoder, decoder and cross-attention over a source and what was written of it.

    Row i of the cross-attention is where the model looked to write token i; the decoder's own rows are what it had
    just read then. n_pads adds padding to the source; masked=False forgets to close it.
    """
    source = (*typed.words, *["⟨pad⟩"] * n_pads)
    read = (BOS, *written[:-1])
    maps = three_attentions(
        model, [*typed.ids, *[PAD] * n_pads], read, PAD, source, labels(task.target, read), masked=masked
    )
    return maps | {"cross": replace(maps["cross"], queries=labels(task.target, written))}


def labels(tokeniser: Tokeniser, ids: Sequence[int]) -> tuple[str, ...]:
    """How tokens are named on screen."""
    names = {BOS: "⟨start⟩", EOS: "⟨end⟩", PAD: "⟨pad⟩"}
    return tuple(names.get(id) or tokeniser.label(id) for id in ids)


def mass(weights: np.ndarray, alignment: Sequence[tuple[int, int]]) -> np.ndarray:
    """How much of the cross-attention (L, H, T, S) lies on the right words, averaged over those written. (L, H)"""
    T = weights.shape[-2]
    places = [(i, j) for i, j in alignment if i < T]
    rows = sorted({i for i, _ in places})
    if not rows:
        return np.full(weights.shape[:2], np.nan)
    return reduce(np.add, [weights[..., i, j] for i, j in places]) / len(rows)


# ---- plugs -----------------------------------------------------------------------------------------------------

Plug = Literal["memory", "focus", "positions", "head"]
HEADS = {"cross": "decoder.{}.cross_attn", "decoder": "decoder.{}.self_attn", "encoder": "encoder.{}.self_attn"}


def pull(model: Transformer, plug: Plug | None, head: tuple[str, int, int] | None = None) -> tuple[Transformer, Tap]:
    """The model and a tap with which it runs without a part; the model that is given stays as it is.

    memory     the decoder reads zeros instead of what the encoder made
    focus      cross-attention looks at every source word alike
    positions  neither encoder nor decoder is told where a word stands
    head       one head is silent: (one of HEADS, layer, head)
    """
    match plug:
        case None:
            return model, no_tap
        case "memory":
            return model, lambda name, x: torch.zeros_like(x) if name == "encoder.out" else x
        case "focus":
            return model, _even
        case "positions":
            model = twin(model)
            model.encoder.positions = model.decoder.positions = make_positions(
                replace(model.config, positions="none"), bidirectional=True, generator=None
            )
            return model, no_tap
        case "head" if head is not None:
            kind, layer, number = head
            return model, ablate(HEADS[kind].format(layer), number)
    raise InputError(f"there is no plug {plug!r}")


def _even(name: str, x: torch.Tensor) -> torch.Tensor:
    """Cross-attention shared alike among all that it may look at."""
    if not name.endswith("cross_attn.weights"):
        return x
    allowed = (x > 0).to(x.dtype)
    return allowed / allowed.sum(-1, keepdim=True).clamp(min=1)


def held_out(task: Task, n: int) -> list[Example]:
    """The same n sentences for everybody, none of which was trained on."""
    return task.examples(n, Random(2026), held_out=True)


def rights(model: Transformer, task: Task, examples: Sequence[Example], tap: Tap = no_tap) -> float:
    """Share of the examples that come out without a single wrong token, written by the model itself."""
    given = answers(model, task, examples, tap=tap)
    return sum(a == example.target for a, example in zip(given, examples, strict=True)) / len(examples)


# ---- padding and context ---------------------------------------------------------------------------------------


class Padded(NamedTuple):
    """A source with padding behind it, beside a longer one in a batch.

    maps     its attentions; columns of padding are the last ones
    answer   what the model writes of it in the batch, without <eos>
    on_pads  the largest weight that any word read or written lays on padding
    """

    maps: dict[str, AttentionMap]
    answer: tuple[int, ...]
    on_pads: float


def pad(model: Transformer, task: Task, typed: Typed, n_pads: int, *, masked: bool = True) -> Padded:
    """Translate a source in a batch with one that is n_pads tokens longer."""
    S = len(typed.ids)
    longer = [typed.ids[n % S] for n in range(S + n_pads)]
    src = torch.tensor([[*typed.ids, *[PAD] * n_pads], longer])
    mask = padding_of(src, PAD) if masked else None
    rows = greedy_batch(model, src, mask, most_written(model, S), BOS, EOS, PAD)[0].tolist()
    end = rows.index(EOS) + 1 if EOS in rows else len(rows)
    written = tuple(rows[:end])
    maps = attentions(model, task, typed, written, n_pads, masked=masked)
    seen = [maps["cross"].weights[..., S:], maps["encoder"].weights[..., :S, S:]]
    return Padded(maps, tuple(id for id in written if id != EOS), float(max(w.max(initial=0.0) for w in seen)))


def padded_rights(model: Transformer, examples: Sequence[Example], n_pads: int, *, masked: bool = True) -> float:
    """Share of examples exactly right when every source has n_pads tokens of padding behind it."""
    S = max(len(example.source) for example in examples) + n_pads
    src = torch.tensor([[*example.source, *[PAD] * (S - len(example.source))] for example in examples])
    most = max(len(example.target) for example in examples) + 1
    written = greedy_batch(model, src, padding_of(src, PAD) if masked else None, most, BOS, EOS, PAD)
    wanted = [[*example.target, EOS] for example in examples]
    return sum(row[: len(right)] == right for row, right in zip(written.tolist(), wanted, strict=True)) / len(wanted)


def heights(model: Transformer, source: Sequence[int]) -> tuple[tuple[str, ...], np.ndarray]:
    """A source's vectors on their way up: names of the heights, and (heights, S, D)."""
    seen = Recorder("embedded", "positioned", "residual_out", "out")
    with torch.inference_mode():
        model.encode(torch.tensor([list(source)]), tap=seen)
    names = ("word", "+ position", *(f"layer {n}" for n in range(len(model.encoder.layers))), "memory")
    start, end = [seen["encoder.embedded"], seen["encoder.positioned"]], [seen["encoder.out"]]
    layers = [seen.stack("residual_out")[:, 0]] if model.encoder.layers else []
    return names, torch.cat([*start, *layers, *end]).numpy()


def alike(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Cosines of vectors (..., D) and (..., D) -> (...); exactly 1 where the two are equal bit for bit."""
    a, b = a.astype(np.float64), b.astype(np.float64)
    sizes = np.linalg.norm(a, axis=-1) * np.linalg.norm(b, axis=-1)
    cosine = np.divide((a * b).sum(-1), sizes, out=np.zeros_like(sizes), where=sizes > 0)
    return np.where((a == b).all(-1), 1.0, cosine)


def graft(model: Transformer, a: Sequence[int], b: Sequence[int], place: int) -> Translation:
    """Translate a, with one vector of its memory replaced by that of b at the same place: what does this word carry?"""
    if len(a) != len(b):
        raise InputError(f"sources of {len(a)} and {len(b)} tokens have no places in common")
    with torch.inference_mode():
        other = model.encode(torch.tensor([list(b)]))[0][0, place]

    def tap(name: str, x: torch.Tensor) -> torch.Tensor:
        if name != "encoder.out":
            return x
        x = x.clone()
        x[0, place] = other
        return x

    return write(model, a, tap)
