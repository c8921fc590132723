"""The model that somebody chose: a small value, `ModelRef`, and all that a page needs of it, its `Source`.

    ref = Untrained("encoder", TransformerConfig(d_model=64), seed=0)
    ref = Shipped("stories")     # or own("decoder"), or BeforeTraining(Shipped("stories"))
    source = ref.resolve()
    source.model, source.ids(tokens), source.cut(text), source.facts

A ModelRef is hashable and stands for the weights wherever results are cached: an untrained model by its sizes and its
seed, a shipped one by its name, a visitor's own by a key that nobody can guess. That key resolves in its own visitor's
session only, so nobody sees another's model. torch is imported inside the functions: a page is on screen before it.
"""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Literal, NamedTuple

import streamlit as st

import transformer
from lab.kit.models.source import MAX_TOKENS, Kind, ModelRef, Source, distinct
from lab.kit.words import as_said, counted, never_met
from lab.server.caching import cached
from transformer import core, training
from transformer.core.config import TransformerConfig
from transformer.training import shipped
from transformer.training.text import BOS, SPECIALS, UNKNOWN, hashed_ids, words

if TYPE_CHECKING:
    from torch import Tensor


VOCABULARY = 4096  # rows of the embedding of an untrained model; words find theirs by hash
HAND_OVER = "_kept_trained_model"  # in st.session_state: the Checkpoint that a visitor wants to use on all pages
MAX_VOCABULARY_SHOWN = 400
_MEASURED = {  # of a model's card: the scores that are worth a line, beside those that its task names
    "exactly right, written by itself": "{:.1%} right on held-out texts",
    "accuracy, token by token": "{:.0%} of held-out tokens right",
}


# ---- references ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Untrained(ModelRef):
    """A model of these sizes with the weights that this seed draws; its vocabulary always has VOCABULARY rows."""

    kind: Kind
    config: TransformerConfig
    seed: int

    def resolve(self) -> "UntrainedSource":
        return UntrainedSource(self)


@dataclass(frozen=True)
class Shipped(ModelRef):
    """A trained model that comes with the project, by the name of its file."""

    name: str

    def resolve(self) -> "TrainedSource":
        return _shipped_source(self.name)

    @property
    def exists(self) -> bool:
        """Whether its file is there."""
        return shipped.file_of(self.name).exists()


@dataclass(frozen=True)
class Own(ModelRef):
    """The model that a visitor handed over, by its key; made by `own`."""

    key: str

    def resolve(self) -> "TrainedSource":
        source = st.session_state.get("_kept_own_source")
        if source is None or source.ref != self or source.checkpoint is not st.session_state.get(HAND_OVER):
            raise LookupError("there is no such model in this session; train one on the page Live")
        return source


@dataclass(frozen=True)
class BeforeTraining(ModelRef):
    """A trained model as it was before its first step of training."""

    of: Shipped | Own

    def resolve(self) -> "SourceBefore":
        return SourceBefore(self, self.of.resolve().checkpoint)


@dataclass(frozen=True)
class AtStep(ModelRef):
    """A trained model as it was after a step of its training; made by `at_step`."""

    of: Shipped | Own
    step: int

    def resolve(self) -> "SourceAt":
        return SourceAt(self, self.of.resolve().checkpoint)


def at_step(trained: Shipped | Own, step: int) -> Shipped | Own | BeforeTraining | AtStep:
    """A trained model at one of its stops, by the one name that it has there."""
    if step == trained.resolve().checkpoint.step:
        return trained
    return AtStep(trained, step) if step else BeforeTraining(trained)


def own(*kinds: Kind, images: bool = False) -> Own | None:
    """The model that this visitor handed over, if it is of one of these kinds (any, if none is named), and made of the
    parts that pages take apart.

    images  True: if it reads pictures, instead of texts
    """
    checkpoint = st.session_state.get(HAND_OVER)
    if checkpoint is None or (kinds and checkpoint.task.kind not in kinds) or not checkpoint.config.has_usual_parts:
        return None
    if bool(checkpoint.task.sight) != images:
        return None
    source = st.session_state.get("_kept_own_source")
    if source is None or source.checkpoint is not checkpoint:
        source = TrainedSource(Own(uuid.uuid4().hex), checkpoint)
        st.session_state["_kept_own_source"] = source
    assert isinstance(source.ref, Own)
    return source.ref


# What a visitor's own model does, by its kind, and the page that shows it.
_DOES = {
    "encoder": ("reads texts", "Heads"),
    "decoder": ("writes", "Generation"),
    "encoder-decoder": ("translates", "Translation"),
}


def own_elsewhere(here: str) -> str:
    """Why a page that does something else ("reads texts") does not show the model that this visitor handed over, and
    which page does; "" for a visitor without one, or with one that no page takes apart."""
    checkpoint = st.session_state.get(HAND_OVER)
    if checkpoint is None or not checkpoint.config.has_usual_parts:
        return ""
    does, page = ("reads pictures", "Vision") if checkpoint.task.sight else _DOES[checkpoint.task.kind]
    return "" if does == here else f"your model {does}; this page {here}. See it on {page}"


# ---- sources -------------------------------------------------------------------------------------------------------


class UntrainedSource(Source):
    """An untrained model. It takes any word: ids are hashes."""

    is_trained = False

    def __init__(self, ref: Untrained):
        self.ref, self.kind, self._seed = ref, ref.kind, ref.seed
        self.config = replace(ref.config, vocab_size=VOCABULARY, tgt_vocab_size=VOCABULARY)

    @property
    def model(self) -> "transformer.EncoderModel | transformer.DecoderModel | transformer.Transformer":
        return untrained_model(self.kind, self.config, self._seed)

    @property
    def max_tokens(self) -> int:
        return MAX_TOKENS

    def cut(self, text: str) -> tuple[str, ...]:
        return tuple(words(text))

    def ids(self, tokens: Sequence[str]) -> list[int]:
        return hashed_ids(list(tokens), VOCABULARY)


class TrainedSource(Source):
    """A trained model with its task: shipped, or a visitor's own."""

    is_trained = True

    def __init__(self, ref: Shipped | Own | BeforeTraining | AtStep, checkpoint: "training.checkpoints.Checkpoint"):
        self.ref, self.checkpoint = ref, checkpoint
        self.config: TransformerConfig = checkpoint.config
        self.kind = checkpoint.task.kind

    @property
    def step(self) -> int:
        """How many steps of training it has behind it."""
        return self.checkpoint.step

    @property
    def task(self) -> "training.tasks.task.Task":
        return self.checkpoint.task

    @property
    def model(self) -> "transformer.EncoderModel | transformer.DecoderModel | transformer.Transformer":
        return _trained_model(self.ref, self.checkpoint)  # kept by the cache, where its bytes are counted

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """Every token of the source's vocabulary, by its id. Of two that look the same, each bears its id as well."""
        return distinct(as_said(self.task.source.label(id)) for id in range(len(self.task.source)))

    @property
    def about(self) -> str:
        return self.task.about

    @property
    def longest(self) -> int:
        return self.task.longest

    @property
    def examples(self) -> tuple[str, ...]:
        return self.task.example_texts

    def cut(self, text: str) -> tuple[str, ...]:
        """The tokens of a text, <bos> in front. An unknown word keeps its own letters, with the id of <unk>."""
        tokeniser = self.task.source
        ids = tokeniser.encode(text)
        labels = [self.labels[id] for id in ids]
        pieces = getattr(tokeniser, "cut", None)
        if pieces and UNKNOWN in ids and hasattr(tokeniser, "unknown"):
            own = zip(labels, ids, pieces(text), strict=True)
            labels = [word if id == UNKNOWN and word not in self._ids else label for label, id, word in own]
        return (self.labels[BOS], *labels) if ids else ()

    def of_text(self, tokens: Sequence[str]) -> tuple[str, ...]:
        return tuple(tokens[1:])  # without <bos>

    def ids(self, tokens: Sequence[str]) -> list[int]:
        return [self._ids.get(token, UNKNOWN) for token in tokens]

    @cached_property
    def _ids(self) -> dict[str, int]:
        return {label: id for id, label in enumerate(self.labels)}

    def unread(self, tokens: Sequence[str]) -> tuple[bool, ...]:
        return tuple(id == UNKNOWN for id in self.ids(tokens))

    def label(self, id: int) -> str:
        return self.labels[id]

    def unknown(self, text: str) -> list[str]:
        return getattr(self.task.source, "unknown", lambda text: [])(text)

    def unmet(self, text: str) -> str:
        return never_met(getattr(self.task.source, "unmet", lambda text: [])(text))

    def relations(self, tokens: Sequence[str]) -> dict[str, list[tuple[int, int]]]:
        return self.task.relations(tokens)

    @property
    def kinds(self) -> dict[str, tuple[str, ...]]:
        return self.task.kinds

    @property
    def vocabulary(self) -> dict[str, list[str]]:
        sorted_words = {word for kind in self.kinds.values() for word in kind}
        labels = self.labels[len(SPECIALS) :][:MAX_VOCABULARY_SHOWN]
        others = [label for label in labels if label not in sorted_words]
        kinds = {kind: list(words) for kind, words in self.kinds.items()}
        return kinds | ({"other words": [*kinds.get("other words", ()), *others]} if others else {})

    @property
    def origin(self) -> tuple[str, ...]:
        return (f"trained: {self.task.title.lower()}",)

    @property
    def facts(self) -> tuple[str, ...]:
        """Kind, sizes and the first score of its card, which may come out of a file that anyone wrote."""
        config, card = self.config, self.checkpoint.card
        n = sum(weight.numel() for weight in self.checkpoint.weights.values())
        notes = self.task.score_notes | _MEASURED
        scores = [text.format(card[name]) for name, text in notes.items() if _is_share(card.get(name))]
        return (
            self.kind,
            f"d_model {config.d_model}",
            counted(config.n_heads, "head"),
            counted(self.n_layers, "layer"),
            f"{config.positions} positions",
            f"{n:,} parameters",
            *scores[:1],
        )

    @property
    def film(self) -> str:
        if not isinstance(self.ref, Shipped):
            return ""
        return f"{shipped.SHIPPED[self.ref.name].title}, recorded"


class SourceBefore(TrainedSource):
    """A trained model before its first step: it reads the same words, and has learned nothing yet."""

    is_trained = False
    step = 0

    @property
    def model(self) -> "transformer.EncoderModel | transformer.DecoderModel | transformer.Transformer":
        return _model_at(self.ref, self.checkpoint, 0)

    @property
    def origin(self) -> tuple[str, ...]:
        return (f"before training: {self.task.title.lower()}",)

    @property
    def facts(self) -> tuple[str, ...]:
        return ("untrained", *super().facts[:6])  # the scores of its card are those of the trained model


class SourceAt(TrainedSource):
    """A trained model as it was on the way: it reads the same words, and has learned a part of what it will."""

    def __init__(self, ref: AtStep, checkpoint: "training.checkpoints.Checkpoint"):
        super().__init__(ref, checkpoint)
        if ref.step not in checkpoint.stops:
            raise LookupError(f"nothing is known of this model at step {ref.step}")
        self._step = ref.step

    @property
    def step(self) -> int:
        return self._step

    @property
    def model(self) -> "transformer.EncoderModel | transformer.DecoderModel | transformer.Transformer":
        return _model_at(self.ref, self.checkpoint, self.step)

    @property
    def facts(self) -> tuple[str, ...]:
        return (f"after {self.step:,} steps", *super().facts[:6])  # the scores of its card are those of the end


@cached()
def _shipped_source(name: str) -> TrainedSource:
    return TrainedSource(Shipped(name), shipped.load(name))


@cached()
def _trained_model(
    ref: ModelRef, _checkpoint: "training.checkpoints.Checkpoint"
) -> "transformer.EncoderModel | transformer.DecoderModel | transformer.Transformer":
    """The model with the weights of the checkpoint that this reference stands for."""
    return _checkpoint.model()


@cached()
def _model_at(
    ref: ModelRef, _checkpoint: "training.checkpoints.Checkpoint", step: int
) -> "transformer.EncoderModel | transformer.DecoderModel | transformer.Transformer":
    """The model at a step on the way."""
    return _checkpoint.model_at(step)


@cached()
def untrained_model(
    kind: Kind, config: TransformerConfig, seed: int
) -> "transformer.EncoderModel | transformer.DecoderModel | transformer.Transformer":
    """A model of exactly these sizes with the weights that this seed draws, in evaluation mode."""
    import torch

    build = {
        "encoder": transformer.EncoderModel,
        "decoder": transformer.DecoderModel,
        "encoder-decoder": transformer.Transformer,
    }[kind]
    return build(config, torch.Generator().manual_seed(seed)).eval()


def _is_share(value: object) -> bool:
    return isinstance(value, int | float) and 0 <= value <= 1


# ---- what comes on top of what a model does by itself ---------------------------------------------------------------


MaskName = Literal["none", "causal", "window", "prefix", "padding"]


class Mask(NamedTuple):
    """A mask by name, and its one number: the window, the length of the prefix, or how many tokens are padding."""

    name: MaskName = "none"
    span: int = 0

    def tensor(self, T: int) -> "Tensor | None":
        """The mask (T, T) that comes on top of what the model does by itself, or None."""
        import torch

        match self:
            case ("window", span):
                return core.masks.sliding_window(T, span)
            case ("prefix", span):
                return core.masks.prefix(T, span)
            case ("padding", span):
                return core.masks.padding(torch.tensor([max(T - span, 0)]), T)[0, 0].expand(T, T)
            case _:
                return None
