"""The numbers of the studies of decoders, computed once and shared by all visitors."""

from collections.abc import Callable
from functools import wraps
from typing import NamedTuple, ParamSpec, TypeVar, cast

import numpy as np

import transformer
from lab.kit.models.published import PretrainedSource
from lab.kit.models.references import TrainedSource
from lab.kit.models.source import ModelRef, Source
from lab.server.caching import cached
from transformer import inspection, training
from transformer.core import workload
from transformer.core.checks import InputError
from transformer.core.workload import Workload
from transformer.training.tasks.syntax import dependencies

P = ParamSpec("P")
R = TypeVar("R")
N_CARRIED = 4  # likeliest tokens with a head patched
N_CHOICES = 6  # next tokens of a prompt that can be asked about
N_TEXTS = 4  # of random tokens
MAX_GRAMMAR_TOKENS = 48  # of a sentence or story of a known grammar
EXAMPLE = ("the", "little", "black", "cat", "does", "not", "like", "the", "white", "house")

HEADS_AT_LAST, HEADS, STREAM = PARTS = ("heads, last token", "heads, all tokens", "the stream")


class Prompts(NamedTuple):
    """Two texts of equal length for a decoder, and the next token that is asked about; other: against which, or None
    for against all."""

    ref: ModelRef
    clean: tuple[str, ...]
    corrupted: tuple[str, ...]
    answer: int
    other: int | None

    @property
    def question(self) -> "inspection.patching.Question":
        ids = self.ref.resolve().ids
        return inspection.patching.Question(tuple(ids(self.clean)), tuple(ids(self.corrupted)), self.answer, self.other)


def or_sentence(study: Callable[P, R]) -> Callable[P, R | str]:
    """The same study; what it refuses comes back as the sentence that says why, without its full stop."""

    @wraps(study)
    def asked(*args: P.args, **kwargs: P.kwargs) -> R | str:
        try:
            return study(*args, **kwargs)
        except InputError as refusal:
            if type(refusal) is not InputError:  # TooMuch: the view says so above its figures
                raise
            return str(refusal).rstrip(".")

    return asked


def _model(ref: ModelRef) -> "transformer.DecoderModel":
    """A decoder: the only models that these studies take."""
    return cast("transformer.DecoderModel", ref.resolve().model)


def _one_pass(ref: ModelRef, tokens: tuple[str, ...], *_: object) -> Workload:
    source = ref.resolve()
    return workload.one_pass(source.config, len(tokens), source.n_layers)


@cached(work=_one_pass)
def next_tokens(ref: ModelRef, tokens: tuple[str, ...]) -> tuple[tuple[int, float], ...]:
    """The likeliest tokens after this text, each with its probability."""
    chances = inspection.head_ablations.predictions(_model(ref), ref.resolve().ids(tokens), -1)
    best = np.argsort(-chances, kind="stable")[:N_CHOICES]
    return tuple((int(id), float(chances[id])) for id in best)


def _patching(prompts: Prompts, part: str = HEADS, *_: object) -> Workload:
    source, T = prompts.ref.resolve(), len(prompts.clean)
    L = source.n_layers
    return inspection.patching.patching_work(
        source.config, T, L, (L + 1) * T if part == STREAM else L * source.config.n_heads
    )


@or_sentence
@cached(work=_patching)
def patched(prompts: Prompts, part: str) -> "inspection.patching.Patching":
    """What each head carries of the difference between the prompts, (L, H), or the stream at each place, (L + 1, T)."""
    model, question = _model(prompts.ref), prompts.question
    if part == STREAM:
        return inspection.patching.patch_stream(model, question)
    return inspection.patching.patch_heads(model, question, last_only=part == HEADS_AT_LAST)


class Carried(NamedTuple):
    """What the model says after the corrupted prompt, with each head patched, of some tokens; and where heads look.

    ids      n tokens: the one that is asked about first, then those that are likeliest in one of these cases
    clean    (n,) their probabilities after the clean prompt;  before: after the corrupted one
    heads    (L, H, n) after the corrupted one, with each head patched
    maps     (L, H, T, T) attention weights of the clean prompt
    """

    ids: tuple[int, ...]
    clean: np.ndarray
    before: np.ndarray
    heads: np.ndarray
    maps: np.ndarray


def _carried(prompts: Prompts, part: str) -> Workload:
    source, T = prompts.ref.resolve(), len(prompts.clean)
    maps = source.n_layers * source.config.n_heads * T * T
    return (_patching(prompts, part) * 2 + _one_pass(prompts.ref, prompts.clean) * 3).keeping(maps * workload.FLOAT)


@or_sentence
@cached(work=_carried)
def carried(prompts: Prompts, part: str) -> Carried:
    """What every head brings from the clean into the corrupted prompt, in words."""
    model, question = _model(prompts.ref), prompts.question
    last_only = part == HEADS_AT_LAST
    ends = [inspection.head_ablations.predictions(model, ids, -1) for ids in question[:2]]
    wanted = [prompts.answer, *([] if prompts.other is None else [prompts.other])]
    wanted += [id for chances in ends for id in _best(chances)]
    for after in inspection.patching.each_patched(model, question, last_only=last_only):
        wanted += [id for chances in after for id in _best(chances)]
    few = [*dict.fromkeys(wanted)]
    each = inspection.patching.each_patched(model, question, last_only=last_only)
    heads = np.stack([after[:, few] for after in each])
    maps = np.stack([layer.weights for layer in inspection.run.maps_by_layer(model, question.clean)])
    return Carried(tuple(few), ends[0][few], ends[1][few], heads, maps)


def _best(chances: np.ndarray) -> list[int]:
    return [int(id) for id in np.argsort(-chances, kind="stable")[:N_CARRIED]]


class PatchedHead(NamedTuple):
    """What the model predicts with one head patched; and where that head looks from the last token, (T,), in the clean
    and in the corrupted prompt."""

    predictions: "inspection.patching.Predictions"
    clean: np.ndarray
    corrupted: np.ndarray


@or_sentence
@cached(work=lambda prompts, layer, head, part: _one_pass(prompts.ref, prompts.clean) * 7)
def patched_head(prompts: Prompts, layer: int, head: int, part: str) -> PatchedHead:
    """One head, looked at closely."""
    model, question = _model(prompts.ref), prompts.question
    predicted = inspection.patching.predictions(model, question, layer, head, last_only=part == HEADS_AT_LAST)
    rows = []
    for ids in (question.clean, question.corrupted):
        maps = next(maps for at, maps in enumerate(inspection.run.maps_by_layer(model, ids)) if at == layer)
        rows.append(maps.weights[head, -1].copy())
    return PatchedHead(predicted, *rows)


@or_sentence
@cached(work=_one_pass)
def attribution(
    ref: ModelRef, tokens: tuple[str, ...], answer: int, other: int | None
) -> "inspection.attribution.Attribution":
    """What every part of the model adds to the logit of the next token."""
    return inspection.attribution.attribute(_model(ref), ref.resolve().ids(tokens), answer, other)


def _maps(ref: ModelRef, tokens: tuple[str, ...]) -> Workload:
    source, T = ref.resolve(), len(tokens)
    return (_one_pass(ref, tokens) * 2).keeping(source.n_layers * source.config.n_heads * T * T * workload.FLOAT)


@cached(work=_maps)
def maps(ref: ModelRef, tokens: tuple[str, ...]) -> np.ndarray:
    """The attention weights of all heads, (L, H, T, T)."""
    layers = inspection.run.maps_by_layer(_model(ref), ref.resolve().ids(tokens))
    return np.stack([layer.weights for layer in layers])


def _lens(ref: ModelRef, tokens: tuple[str, ...]) -> Workload:
    """One pass, and a read-out of every token at every height."""
    config, T, n = ref.resolve().config, len(tokens), ref.resolve().n_layers + 1
    logits = Workload(4 * workload.FLOAT * T * config.vocab_size, n * T * config.d_model * config.vocab_size)
    return _one_pass(ref, tokens) + logits.keeping(n * T * config.d_model * workload.FLOAT)


@cached(work=_lens)
def lens(ref: ModelRef, tokens: tuple[str, ...]) -> "inspection.logit_lens.Lens":
    """What would be said at every token and every height."""
    return inspection.logit_lens.logit_lens(_model(ref), ref.resolve().ids(tokens))


# ---- induction -----------------------------------------------------------------------------------------------------


def ordinary_ids(source: Source) -> tuple[int, ...]:
    """The ids of a vocabulary without its special tokens."""
    if isinstance(source, TrainedSource):
        return tuple(range(len(training.text.SPECIALS), source.config.vocab_size))
    special: set[int | None] = set()
    if isinstance(source, PretrainedSource):
        tokenizer = source.loaded.tokenizer
        special = {tokenizer.bos, tokenizer.eos, tokenizer.pad, tokenizer.mask, tokenizer.unk}
    return tuple(id for id in range(source.config.vocab_size) if id not in special)


def beginning(source: Source) -> tuple[int, ...]:
    """What stands before a text: the id of <bos>, where the model has one."""
    if isinstance(source, TrainedSource):
        return (training.text.BOS,)
    bos = source.loaded.tokenizer.bos if isinstance(source, PretrainedSource) else None
    return () if bos is None else (bos,)


def _induction(ref: ModelRef, n: int, seed: int) -> Workload:
    source = ref.resolve()
    one = workload.one_pass(source.config, 2 * n + 1, source.n_layers)
    return (one * N_TEXTS).keeping(source.n_layers * source.config.n_heads * (2 * n + 1) ** 2 * workload.FLOAT)


@or_sentence
@cached(work=_induction)
def induction(ref: ModelRef, n: int, seed: int) -> "inspection.induction.Induction":
    """A decoder on random tokens that come twice."""
    source = ref.resolve()
    return inspection.induction.induction(
        _model(ref), ordinary_ids(source), n, begin=beginning(source), n_texts=N_TEXTS, seed=seed
    )


# ---- heads and grammar -------------------------------------------------------------------------------------------


class Grammar(NamedTuple):
    """Heads measured on sentences whose grammar is known.

    agreements  what connects two words -> how often each head finds the one from the other
    n_texts     sentences, half to choose a head and half to measure it
    tokens      of the example;  pairs: in it, by what connects them;  weights: all heads on it, (L, H, T, T)
    """

    agreements: "dict[str, inspection.agreement.Agreement]"
    n_texts: int
    tokens: tuple[str, ...]
    pairs: dict[str, list[tuple[int, int]]]
    weights: np.ndarray


def _grammar(ref: ModelRef) -> Workload:
    source = ref.resolve()
    one = workload.one_pass(source.config, MAX_GRAMMAR_TOKENS, source.n_layers, keeps_maps=True)
    maps = 4 * source.n_layers * source.config.n_heads * MAX_GRAMMAR_TOKENS**2
    return (one * inspection.syntax.N_TEXTS).keeping(maps * inspection.syntax.N_TEXTS)


@or_sentence
@cached(work=_grammar)
def grammar(ref: ModelRef) -> Grammar:
    """Raises InputError for a model of this project that reads no sentences of a known grammar."""
    source = ref.resolve()
    if isinstance(source, PretrainedSource):
        texts = [_as_read(source, words) for words in (EXAMPLE, *inspection.syntax.sentences())]
    elif isinstance(source, TrainedSource):
        texts = inspection.syntax.of_task(source.task)
        if source.task.languages[:1] == ("English",):
            texts = [
                inspection.syntax.Text(tuple(source.task.source.encode(" ".join(EXAMPLE))), dependencies(EXAMPLE)),
                *texts,
            ]
    else:
        raise InputError("an untrained model has learned no grammar")
    results = inspection.syntax.by_relation(source.model, texts[1:])
    if not results:
        raise InputError("nothing is known of the grammar of what this model reads")
    example = texts[0]
    return Grammar(
        results,
        len(texts) - 1,
        tuple(source.label(id) for id in example.ids),
        {name: list(cells) for name, cells in example.pairs.items()},
        inspection.syntax.self_attention(source.model, [example.ids])[0],
    )


def _as_read(source: PretrainedSource, words: tuple[str, ...]) -> "inspection.syntax.Text":
    encoding = source.encode(" ".join(words))
    return inspection.syntax.Text(tuple(encoding.ids), inspection.syntax.on_tokens(dependencies(words), encoding.words))
