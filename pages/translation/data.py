"""What the page on translation computes: cached per model reference and words, shared by all visitors."""

from typing import TYPE_CHECKING, NamedTuple

import transformer
from attention_view import Marks, Packed, Picture
from lab.kit.models.references import AtStep, BeforeTraining, Own, Shipped, own
from lab.server.caching import cached
from pages.translation import faults
from pages.translation.components.alignment_threads import payload
from transformer import generation, inspection, training
from transformer.core import workload
from transformer.core.workload import Workload

if TYPE_CHECKING:
    import numpy as np


Trained = Shipped | Own
Ref = Trained | BeforeTraining | AtStep
SHIPPED, TO_ENGLISH = Shipped("translator"), Shipped("translator-to-english")
N_TESTS = 100  # held-out sentences that an ablation is measured on
_N_CANDIDATES = 6  # words shown of a distribution
_ATTENTIONS = {"cross": "cross-attention", "encoder": "encoder self-attention", "decoder": "decoder self-attention"}


def own_translator() -> Own | None:
    """What this visitor trained, if it reads one text and writes another, with layers for both."""
    mine = own("encoder-decoder")
    config = mine.resolve().config if mine else None
    return mine if config and config.n_encoder_layers and config.n_decoder_layers else None


def model_of(ref: Ref) -> "transformer.Transformer":
    model = ref.resolve().model
    assert isinstance(model, transformer.Transformer)
    return model


def _sentence(ref: Ref, words: tuple[str, ...], *_: object, B: int = 1, n_pads: int = 0) -> Workload:
    """The translation of one sentence; B beams, or B copies, beside each other. No text is longer than it can write."""
    source = ref.resolve()
    return workload.writing(source.config, len(words) + 1 + n_pads, 2 * source.longest + len(words), B=B)


def _tests(ref: Ref, *_: object, n_pads: int = 0) -> Workload:
    """The translations of N_TESTS held-out sentences at once."""
    source = ref.resolve()
    return workload.writing(source.config, source.longest + n_pads, source.longest + 1, B=N_TESTS)


# ---- one sentence ----------------------------------------------------------------------------------------------


def tokenised(ref: Ref, text: str) -> "inspection.translation.SourceText":
    """The words of a text as the model reads them."""
    source = ref.resolve()
    limit = inspection.translation.max_source_tokens(source.config)
    return inspection.translation.tokenise_source(source.task, text, limit)


def _source(ref: Ref, words: tuple[str, ...]) -> "inspection.translation.SourceText":
    """Words that were read from a text before."""
    return inspection.translation.read_words(ref.resolve().task, words)


def _ids(ref: Ref, words: tuple[str, ...]) -> tuple[int, ...]:
    return _source(ref, words).ids


class Alternative(NamedTuple):
    """A word of the source that several words are right for, and how likely the model found each, as it wrote one."""

    source: str
    probabilities: tuple[tuple[str, float], ...]


class Translated(NamedTuple):
    """One sentence, its translation, and what the model did meanwhile.

    translation  of transformer.inspection.translation;  maps  all heads, by kind
    answer       the task's own answer, or None where it has none
    text         what the model wrote;  answer_text  what it should have written, or ""
    words        what it wrote, token by token, <eos> included
    threads      for the component of that name; `steps` can also be played
    pictures     all heads by kind, for the attention view
    alternatives  where it could have written another word and be as right
    mistake      where it leaves the right answer, or None;  fault  what has to be said first of it
    """

    translation: "inspection.translation.Translation"
    maps: "dict[str, inspection.run.AttentionMap]"
    answer: "training.tasks.task.Example | None"
    text: str
    answer_text: str
    words: tuple[str, ...]
    threads: dict
    steps: dict
    pictures: dict[str, Packed]
    alternatives: tuple[Alternative, ...]
    mistake: faults.Mistake | None
    fault: faults.Fault


def unit(ref: Ref) -> str:
    """What the model reads and writes one after the other, as a noun."""
    return "letter" if ref.resolve().task.reads_letters else "word"


@cached(work=_sentence)
def translated(ref: Ref, words: tuple[str, ...]) -> Translated:
    """Translates a sentence of at least one word."""
    task, model = ref.resolve().task, model_of(ref)
    source = _source(ref, words)
    translation = inspection.translation.translate(model, source.ids)
    maps = inspection.translation.attention_maps(model, task, source, translation.written)
    answer = task.answer(source.words)
    labels = inspection.translation.token_labels(task.target, translation.written)
    cross, alignment = maps["cross"].weights, answer.alignment if answer else ()
    unread = ref.resolve().unread(source.words)
    mistake = faults.first_mistake(task, translation, answer)
    fault = faults.fault(
        source.words,
        unread,
        cross[-1, :, : len(translation.answer)].mean(0),
        is_checked=answer is not None,
        mistake=mistake,
        has_ended=translation.ended,
        unit=unit(ref),
    )
    frames = [
        {
            "top": [
                [inspection.translation.token_labels(task.target, [id])[0], float(frame.probs[id])]
                for id in (-frame.probs).argsort(kind="stable")[:_N_CANDIDATES].tolist()
            ],
            "encoder": frame.encoder,
            "decoder": frame.decoder,
        }
        for frame in translation.frames
    ]
    return Translated(
        translation=translation,
        maps=maps,
        answer=answer,
        text=task.target.decode(translation.answer),
        answer_text=task.target.decode(answer.target) if answer else "",
        words=labels,
        threads=payload(source.words, labels, cross, alignment=alignment, unread=unread, fault=fault),
        steps=payload(
            source.words,
            labels,
            cross,
            alignment=alignment,
            frames=frames,
            back=maps["decoder"].weights,
            unread=unread,
            fault=fault,
            mistake=mistake,
        ),
        pictures={kind: _picture(ref, kind, attention) for kind, attention in maps.items()},
        alternatives=_alternatives(task, translation, answer),
        mistake=mistake,
        fault=fault,
    )


def _alternatives(
    task: "training.tasks.task.Task",
    translation: "inspection.translation.Translation",
    answer: "training.tasks.task.Example | None",
) -> tuple[Alternative, ...]:
    """Those of a right translation; () for one that is wrong, or where nobody knows."""
    written = translation.answer
    if answer is None or task.canonical(written) != task.canonical(answer.target):
        return ()
    found: dict[str, Alternative] = {}
    for i, j in answer.alignment:
        equal = [id for id in range(len(task.target)) if task.canonical((id,)) == task.canonical((written[i],))]
        if len(equal) > 1:
            probs, source = translation.frames[i].probs, task.source.label(answer.source[j])
            found[source] = Alternative(source, tuple((task.target.label(id), float(probs[id])) for id in equal))
    return tuple(found.values())


def _picture(ref: Ref, kind: str, attention: "inspection.run.AttentionMap") -> Packed:
    """All heads of one kind of attention, ready for the browser."""
    T, S = attention.weights.shape[-2:]
    mask, source = attention.mask, ref.resolve()
    read = source.marks(attention.keys) if kind != "decoder" else Marks()
    # A distance between two languages means little.
    scores = {} if kind == "cross" else inspection.heads.head_scores(attention.weights)
    return Packed(
        Picture(
            queries=attention.queries,
            keys=attention.keys,
            weights=attention.weights,
            mask=None if mask is None or mask.all() else mask,
            q=attention.q,
            k=attention.k,
            scale=attention.scale,
            bias=attention.bias,
            scores=scores,
            chance=inspection.heads.chance(T, S, mask) if scores else {},
            query_marks=read if kind == "encoder" else Marks(),
            key_marks=read,
            facts=(_ATTENTIONS[kind], "trained" if source.is_trained else "untrained"),
            label=_ATTENTIONS[kind],
        )
    )


@cached(work=lambda ref, words: _sentence(ref, words, B=len(words)))
def steered(ref: Ref, words: tuple[str, ...]) -> list[list[tuple[str, float]]]:
    """For each token of the translation and each word of the sentence: what would be written if the decoder looked at
    that word alone, and how likely it would be."""
    target, translation = ref.resolve().task.target, translated(ref, words).translation
    rows = inspection.translation.steered(model_of(ref), translation.source, translation.written)
    best = [inspection.translation.token_labels(target, probs.argmax(-1).tolist()) for probs in rows]
    return [list(zip(names, probs.max(-1).tolist(), strict=True)) for names, probs in zip(best, rows, strict=True)]


# ---- beams -----------------------------------------------------------------------------------------------------


class Ended(NamedTuple):
    """A text that a beam search ended: its summed log-probability, and the score that it is ranked by."""

    text: str
    score: float
    final: float


class Beams(NamedTuple):
    """A beam search: the nodes of every step for the component, the winner's place in every step, and the texts that
    ended, best first."""

    steps: list[list[dict]]
    best: list[int]
    texts: list[Ended]


@cached(work=lambda ref, words, width, alpha: _sentence(ref, words, B=width).advised("Fewer beams need less."))
def beams(ref: Ref, words: tuple[str, ...], width: int, alpha: float) -> Beams:
    """Beam search with `width` texts at every step and the length penalty alpha."""
    import math

    target, model, ids = ref.resolve().task.target, model_of(ref), _ids(ref, words)
    max_new = inspection.translation.max_target_tokens(model, len(ids))
    search = generation.beam_search(
        generation.begin(model, [training.text.BOS], ids),
        width,
        max_new=max_new,
        eos=training.text.EOS,
        length_penalty=alpha,
    )
    steps: list[list[dict]] = []
    texts: list[tuple[int, ...]] = [()]
    for nodes in search.steps:
        texts = [(*texts[node.parent], node.id) if node.parent >= 0 else (node.id,) for node in nodes]
        steps.append(
            [
                {
                    "parent": node.parent,
                    "word": inspection.translation.token_labels(target, [node.id])[0],
                    "p": math.exp(node.log_p),
                    "score": node.score,
                    "fate": node.fate,
                    "text": target.decode(text),
                }
                for node, text in zip(nodes, texts, strict=True)
            ]
        )
    ended = [Ended(target.decode(text.ids), text.score, text.final) for text in search.best]
    return Beams(steps, list(search.best[0].path), ended)


# ---- ablations and padding -------------------------------------------------------------------------------------


@cached()
def _held_out(ref: Ref) -> "list[training.tasks.task.Example]":
    return inspection.translation.held_out_examples(ref.resolve().task, N_TESTS)


class Ablated(NamedTuple):
    """A translation without one part of the model, whether it came to an end, and its cross-attention (L, H, T, S)
    meanwhile."""

    text: str
    words: tuple[str, ...]
    ended: bool
    weights: "np.ndarray"


@cached(work=_sentence)
def ablated(
    ref: Ref,
    words: tuple[str, ...],
    part: "inspection.translation.Part | None",
    head: "inspection.translation.Head | None" = None,
) -> Ablated:
    """The translation of a sentence without one part of the model: see inspection.translation.ablate_part."""
    import numpy as np

    model, tap = inspection.translation.ablate_part(model_of(ref), part, head)
    target, result = ref.resolve().task.target, inspection.translation.translate(model, _ids(ref, words), tap)
    weights = np.stack([frame.cross for frame in result.frames], axis=2)
    labels = inspection.translation.token_labels(target, result.written)
    return Ablated(target.decode(result.answer), labels, result.ended, weights)


@cached(work=lambda ref, words, sets: _sentence(ref, words, B=len(sets)))
def written_without(
    ref: Ref, words: tuple[str, ...], sets: "tuple[tuple[inspection.translation.Head, ...], ...]"
) -> list[tuple[str, ...]]:
    """What is written without each of these sets of heads, token by token: all in one batch."""
    written = inspection.translation.written_without(model_of(ref), _ids(ref, words), sets)
    return [inspection.translation.token_labels(ref.resolve().task.target, ids) for ids in written]


@cached(work=lambda ref, words, changes: _sentence(ref, words, B=max(1, len(changes))))
def written_after(ref: Ref, words: tuple[str, ...], changes: tuple[tuple[int, str], ...]) -> list[tuple[str, ...]]:
    """What is written, token by token, after each of these changes: the place of a word, and another word for it."""
    if not changes:
        return []
    sources = [_ids(ref, (*words[:place], word, *words[place + 1 :])) for place, word in changes]
    written, target = inspection.translation.written_for(model_of(ref), sources), ref.resolve().task.target
    return [inspection.translation.token_labels(target, ids) for ids in written]


@cached(work=_tests)
def ablated_share(
    ref: Ref, part: "inspection.translation.Part | None", head: "inspection.translation.Head | None" = None
) -> float:
    """Share of N_TESTS held-out sentences that come out exactly right without this part."""
    model, tap = inspection.translation.ablate_part(model_of(ref), part, head)
    return training.scores.exactly_right(model, ref.resolve().task, _held_out(ref), tap=tap)


class Padded(NamedTuple):
    """A sentence with padding behind it.

    text               its translation
    weight_on_padding  the largest weight that any word puts on padding
    share              of N_TESTS held-out sentences that are exactly right with as much padding
    picture            its cross-attention
    """

    text: str
    weight_on_padding: float
    share: float
    picture: Packed


def max_pads(ref: Ref, n_words: int) -> int:
    """How much padding the model can read behind n_words words, and behind the longest held-out sentence."""
    source = ref.resolve()
    config = source.config
    return config.max_len - max(n_words, source.longest) if config.positions == "learned" else config.max_len


@cached(work=lambda ref, words, n_pads, *, masked: _sentence(ref, words, n_pads=n_pads) + _tests(ref, n_pads=n_pads))
def padded(ref: Ref, words: tuple[str, ...], n_pads: int, *, masked: bool) -> Padded:
    """Translates a sentence beside one that is n_pads words longer, with its padding mask or without."""
    task, model = ref.resolve().task, model_of(ref)
    result = inspection.translation.translate_padded(model, task, _source(ref, words), n_pads, masked=masked)
    share = inspection.translation.exactly_right_padded(model, _held_out(ref), n_pads, masked=masked)
    picture = _picture(ref, "cross", result.maps["cross"])
    return Padded(task.target.decode(result.answer), result.weight_on_padding, share, picture)


# ---- words in context ------------------------------------------------------------------------------------------


class Similarity(NamedTuple):
    """Cosines (stages, words) between the vectors of two sentences of one length, from the embedding to the memory."""

    stages: tuple[str, ...]
    cosines: "np.ndarray"


@cached()
def similarity(ref: Ref, a: tuple[str, ...], b: tuple[str, ...]) -> Similarity:
    """How similar the vectors of two sentences of one length are at every stage of the encoder."""
    stages, vectors = inspection.translation.residual_stream(model_of(ref), _ids(ref, a))
    _, others = inspection.translation.residual_stream(model_of(ref), _ids(ref, b))
    return Similarity(stages, inspection.translation.cosine_similarity(vectors, others))


@cached(work=lambda ref, a, b, place: _sentence(ref, a) + _sentence(ref, b))
def memory_swapped(ref: Ref, a: tuple[str, ...], b: tuple[str, ...], place: int) -> tuple[str, ...]:
    """The translation of `a`, token by token, with one vector of its memory taken from `b`."""
    translation = inspection.translation.memory_swap(model_of(ref), _ids(ref, a), _ids(ref, b), place)
    return inspection.translation.token_labels(ref.resolve().task.target, translation.answer)
