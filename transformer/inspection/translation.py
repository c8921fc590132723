"""A translation from the inside: how it was written step by step, where every word looked, what ablations do to it.

Any encoder-decoder with a task will do; sources and answers are ids, without <bos> and <eos>.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Literal, NamedTuple, cast

import numpy as np
import torch

from transformer.core.checks import InputError
from transformer.core.config import TransformerConfig
from transformer.core.masks import padding_of
from transformer.core.model import Transformer
from transformer.core.positions import make_positions
from transformer.core.taps import Recorder, Tap, ablate, compose, no_tap
from transformer.generation import begin, generate, greedy_batch
from transformer.inspection.ablations import twin
from transformer.inspection.masks import three_attentions
from transformer.inspection.run import AttentionMap
from transformer.training.tasks.task import Example, SpacedTokeniser, Task, Tokeniser
from transformer.training.text import BOS, EOS, NAMES, PAD

MAX_SOURCE_TOKENS = 24  # every word of a sentence can be pointed at on a phone


class SourceText(NamedTuple):
    """A typed text as the model reads it.

    ids       its tokens, <unk> for unknown ones; no more of them than the limit
    words     the same tokens as they were typed
    unknown   the words that are not in the vocabulary, each once
    left_out  how many tokens were over the limit
    """

    ids: tuple[int, ...]
    words: tuple[str, ...]
    unknown: tuple[str, ...]
    left_out: int


def max_source_tokens(config: TransformerConfig) -> int:
    """How many tokens may be read: at most MAX_SOURCE_TOKENS, and no more than a learned table has positions."""
    return min(MAX_SOURCE_TOKENS, config.max_len) if config.positions == "learned" else MAX_SOURCE_TOKENS


def tokenise_source(task: Task, text: str, limit: int = MAX_SOURCE_TOKENS) -> SourceText:
    """The first `limit` tokens of a text. Letters need no space between them, in a task of letters."""
    words = _letters(text) if task.reads_letters else cast(SpacedTokeniser, task.source).cut(text)
    return read_words(task, words[:limit])._replace(left_out=len(words[limit:]))


def read_words(task: Task, words: Sequence[str]) -> SourceText:
    """Words that a text was cut into before, with their ids. Cutting them again could lose a sign at their end."""
    vocabulary = cast(SpacedTokeniser, task.source).vocabulary
    unknown = tuple(word for word in dict.fromkeys(words) if word not in vocabulary)
    return SourceText(tuple(vocabulary.id(word) for word in words), tuple(words), unknown, left_out=0)


def _letters(text: str) -> list[str]:
    return list("".join(text.lower().split()))


class RunCounter:
    """A tap that counts how often encoder and decoder ran."""

    def __init__(self) -> None:
        self.encoder = self.decoder = 0

    def __call__(self, name: str, tensor: torch.Tensor) -> torch.Tensor:
        self.encoder += name == "encoder.out"
        self.decoder += name == "decoder.out"
        return tensor


class Frame(NamedTuple):
    """One token being written: its `id`, chosen from `probs` (V,), and the cross-attention `cross` (L, H, S) then.

    encoder, decoder  how often each had run by then
    """

    id: int
    probs: np.ndarray
    cross: np.ndarray
    encoder: int
    decoder: int


@dataclass(frozen=True, eq=False)
class Translation:
    """A model's own greedy translation of a source.

    written  ids, with <eos> at the end if the model wrote it; `ended` says whether
    frames   one per token written
    memory   (S, D), the encoder's output
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


def max_target_tokens(model: Transformer, n_source: int) -> int:
    """How many tokens may be written: 8 more than twice those read, and no more than a learned table has positions."""
    limit = 2 * n_source + 8
    return min(limit, model.config.max_len) if model.config.positions == "learned" else limit


def translate(model: Transformer, source: Sequence[int], tap: Tap = no_tap) -> Translation:
    """Translate one source greedily, and record every step. The tap may change what is computed."""
    counter = RunCounter()
    start = begin(model, [BOS], source, tap=compose(tap, counter))
    frames = []
    for step in generate(start, max_new=max_target_tokens(model, len(source)), eos=EOS):
        cross = step.before.cross_attention
        assert cross is not None  # there is an encoder
        frames.append(Frame(step.id, step.distribution.probs, cross, counter.encoder, counter.decoder))
    written = tuple(frame.id for frame in frames)
    assert start.source is not None
    return Translation(tuple(source), written, tuple(frames), start.source.memory[0].numpy())


def attention_maps(
    model: Transformer, task: Task, source: SourceText, written: Sequence[int], n_pads: int = 0, *, masked: bool = True
) -> dict[str, AttentionMap]:
    """All heads of encoder, decoder and cross-attention over a source and its translation, by kind.

    Row i of the cross-attention is where the model looked to write token i; row i of the decoder's self-attention has
    just read the token before. n_pads adds padding to the source; masked=False leaves its mask out.
    """
    read = (BOS, *written[:-1])
    source_labels = (*source.words, *[NAMES[PAD]] * n_pads)
    maps = three_attentions(
        model, [*source.ids, *[PAD] * n_pads], read, PAD, source_labels, token_labels(task.target, read), masked=masked
    )
    return maps | {"cross": replace(maps["cross"], queries=token_labels(task.target, written))}


def token_labels(tokeniser: Tokeniser, ids: Sequence[int]) -> tuple[str, ...]:
    """The names of tokens on screen."""
    return tuple(tokeniser.label(id) for id in ids)


# ---- ablations -------------------------------------------------------------------------------------------------

Part = Literal["memory", "focus", "positions", "head"]
Head = tuple[str, int, int]  # (a key of ATTENTION_PATHS, layer, head)
ATTENTION_PATHS = {
    "cross": "decoder.{}.cross_attn",
    "decoder": "decoder.{}.self_attn",
    "encoder": "encoder.{}.self_attn",
}


def ablate_part(model: Transformer, part: Part | None, head: Head | None = None) -> tuple[Transformer, Tap]:
    """A model and a tap that together run without one part; the given model is left unchanged.

    memory     the decoder reads zeros instead of the encoder's output
    focus      cross-attention spreads its weight evenly over the source
    positions  neither encoder nor decoder has positions
    head       one head's output is zero
    None       nothing is ablated

    Raises InputError for any other part, and for "head" without a head.
    """
    match part:
        case None:
            return model, no_tap
        case "memory":
            return model, lambda name, x: torch.zeros_like(x) if name == "encoder.out" else x
        case "focus":
            return model, _uniform_cross_attention
        case "positions":
            model = twin(model)
            model.encoder.positions = model.decoder.positions = make_positions(
                replace(model.config, positions="none"), bidirectional=True, generator=None
            )
            return model, no_tap
        case "head" if head is not None:
            kind, layer, number = head
            return model, ablate(ATTENTION_PATHS[kind].format(layer), number)
    raise InputError(f"there is no part {part!r} to ablate")


def written_without(model: Transformer, source: Sequence[int], sets: Sequence[Sequence[Head]]) -> list[tuple[int, ...]]:
    """What the model writes for one source without each of these sets of heads, with <eos> if it came, in one batch.

    For a set of one head the same as `translate` with ablate_part(model, "head", head).
    """
    rows_without: dict[str, list[tuple[int, int]]] = {}
    for row, heads in enumerate(sets):
        for kind, layer, number in heads:
            rows_without.setdefault(f"{ATTENTION_PATHS[kind].format(layer)}.heads", []).append((row, number))

    def silence(name: str, x: torch.Tensor) -> torch.Tensor:
        if name not in rows_without:
            return x
        rows, numbers = zip(*rows_without[name], strict=True)
        x = x.clone()
        x[list(rows), list(numbers)] = 0  # (B, H, T, d_k)
        return x

    src = torch.tensor([list(source)] * len(sets))
    no_end = -1  # a text that has ended stays in the batch: the tap knows the others by their rows
    ids = greedy_batch(model, src, None, max_target_tokens(model, len(source)), BOS, no_end, PAD, tap=silence).tolist()
    return [_to_its_end(row) for row in ids]


def faded(
    model: Transformer, source: Sequence[int], shares: Sequence[float]
) -> list[tuple[tuple[int, ...], tuple[float, ...]]]:
    """What the model writes for one source if, of what its cross-attentions bring, these shares arrive, and how likely
    it thinks each token: 0 is nothing, and with 1 it is the same as `translate`."""
    by = torch.tensor(shares)[:, None, None]
    likely = torch.zeros(len(shares), 0)

    def fade(name: str, x: torch.Tensor) -> torch.Tensor:
        return by * x if name.endswith("cross_attn.out") else x

    with torch.inference_mode():
        memory = model.encode(torch.tensor([list(source)]))[0].expand(len(shares), -1, -1)
        text = torch.full((len(shares), 1), BOS)
        for _ in range(max_target_tokens(model, len(source))):
            most, token = model.decode(text, memory, tap=fade)[0][:, -1:].softmax(-1).max(-1)
            text, likely = torch.cat([text, token], 1), torch.cat([likely, most], 1)
            if (text == EOS).any(1).all():
                break
    rows = [_to_its_end(row) for row in text[:, 1:].tolist()]
    return [(row, tuple(of[: len(row)])) for row, of in zip(rows, likely.tolist(), strict=True)]


def _to_its_end(row: list[int]) -> tuple[int, ...]:
    """What was written, up to <eos> if it came: a batch goes on until its last row has ended."""
    return tuple(row[: row.index(EOS) + 1] if EOS in row else row)


def written_for(model: Transformer, sources: Sequence[Sequence[int]]) -> list[tuple[int, ...]]:
    """What the model writes for each of these sources of one length, with <eos> if it came: all in one batch.

    The same as `translate` for one source after the other.
    """
    src = torch.tensor([list(source) for source in sources])
    rows = greedy_batch(model, src, None, max_target_tokens(model, src.shape[1]), BOS, EOS, PAD).tolist()
    return [_to_its_end(row) for row in rows]


def steered(model: Transformer, source: Sequence[int], written: Sequence[int]) -> list[np.ndarray]:
    """For each token that was written, how likely every token is in its place if the decoder looks, in all heads, at a
    single token of the source meanwhile: (S, V), a row for each that it may look at. What it wrote before stays."""
    S = len(source)

    def look(name: str, x: torch.Tensor) -> torch.Tensor:
        if not name.endswith("cross_attn.weights"):
            return x
        x = x.clone()
        x[:, :, -1] = torch.eye(S)[:, None]  # (S, H, T, S), the last query only
        return x

    with torch.inference_mode():
        memory = model.encode(torch.tensor([list(source)]))[0].expand(S, -1, -1)
        texts = (torch.tensor([[BOS, *written[:i]]] * S) for i in range(len(written)))
        return [model.decode(text, memory, tap=look)[0][:, -1].softmax(-1).numpy() for text in texts]


def _uniform_cross_attention(name: str, x: torch.Tensor) -> torch.Tensor:
    """A tap: cross-attention spread evenly over all keys that it may attend to."""
    if not name.endswith("cross_attn.weights"):
        return x
    allowed = (x > 0).to(x.dtype)
    return allowed / allowed.sum(-1, keepdim=True).clamp(min=1)


def held_out_examples(task: Task, n: int) -> list[Example]:
    """n examples that no model was trained on, always the same ones."""
    return task.examples(n, Random(2026), held_out=True)


# ---- padding ---------------------------------------------------------------------------------------------------


class PaddedTranslation(NamedTuple):
    """A source that was padded because a longer one shares its batch.

    maps               its attentions; the last columns are padding
    answer             what the model writes for it in the batch, without <eos>
    weight_on_padding  the largest weight that any real token, read or written, puts on padding
    """

    maps: dict[str, AttentionMap]
    answer: tuple[int, ...]
    weight_on_padding: float


def translate_padded(
    model: Transformer, task: Task, source: SourceText, n_pads: int, *, masked: bool = True
) -> PaddedTranslation:
    """Translate a source in a batch with one that is n_pads tokens longer; masked=False leaves the padding mask out."""
    S = len(source.ids)
    longer = [source.ids[n % S] for n in range(S + n_pads)]
    src = torch.tensor([[*source.ids, *[PAD] * n_pads], longer])
    mask = padding_of(src, PAD) if masked else None
    ids = greedy_batch(model, src, mask, max_target_tokens(model, S), BOS, EOS, PAD)[0].tolist()
    end = ids.index(EOS) + 1 if EOS in ids else len(ids)
    written = tuple(ids[:end])
    maps = attention_maps(model, task, source, written, n_pads, masked=masked)
    on_padding = [maps["cross"].weights[..., S:], maps["encoder"].weights[..., :S, S:]]
    largest = float(max(weights.max(initial=0.0) for weights in on_padding))
    return PaddedTranslation(maps, tuple(id for id in written if id != EOS), largest)


def exactly_right_padded(model: Transformer, examples: Sequence[Example], n_pads: int, *, masked: bool = True) -> float:
    """Share of the examples translated without a wrong token when n_pads tokens of padding follow every source."""
    S = max(len(example.source) for example in examples) + n_pads
    src = torch.tensor([[*example.source, *[PAD] * (S - len(example.source))] for example in examples])
    max_new = max(len(example.target) for example in examples) + 1
    rows = greedy_batch(model, src, padding_of(src, PAD) if masked else None, max_new, BOS, EOS, PAD).tolist()
    answers = [[*example.target, EOS] for example in examples]
    return sum(row[: len(answer)] == answer for row, answer in zip(rows, answers, strict=True)) / len(answers)


# ---- words in context ------------------------------------------------------------------------------------------


def residual_stream(model: Transformer, source: Sequence[int]) -> tuple[tuple[str, ...], np.ndarray]:
    """A source's vectors from the embedding to the memory: the names of the n stages, and (n, S, D)."""
    recorder = Recorder("embedded", "positioned", "residual_out", "out")
    with torch.inference_mode():
        model.encode(torch.tensor([list(source)]), tap=recorder)
    names = ("word", "+ position", *(f"layer {n}" for n in range(len(model.encoder.layers))), "memory")
    layers = [recorder.stack("residual_out")[:, 0]] if model.encoder.layers else []
    stages = [recorder["encoder.embedded"], recorder["encoder.positioned"], *layers, recorder["encoder.out"]]
    return names, torch.cat(stages).numpy()


def cosine_similarity(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Cosines of vectors (..., D) and (..., D) -> (...); exactly 1 where the two are equal bit for bit."""
    a, b = a.astype(np.float64), b.astype(np.float64)
    sizes = np.linalg.norm(a, axis=-1) * np.linalg.norm(b, axis=-1)
    cosines = np.divide((a * b).sum(-1), sizes, out=np.zeros_like(sizes), where=sizes > 0)
    return np.where((a == b).all(-1), 1.0, cosines)


def memory_swap(model: Transformer, a: Sequence[int], b: Sequence[int], place: int) -> Translation:
    """Translate a with one vector of its memory, at `place`, replaced by b's: what does this vector carry?

    Raises InputError unless a and b have the same length.
    """
    if len(a) != len(b):
        raise InputError(f"sources of {len(a)} and {len(b)} tokens have no places in common")
    with torch.inference_mode():
        vector = model.encode(torch.tensor([list(b)]))[0][0, place]

    def swap(name: str, x: torch.Tensor) -> torch.Tensor:
        if name != "encoder.out":
            return x
        x = x.clone()
        x[0, place] = vector
        return x

    return translate(model, a, swap)
