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
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Literal, NamedTuple

import streamlit as st

from pages.shared.caching import cached
from transformer.config import TransformerConfig
from transformer.training import shipped
from transformer.training.text import BOS, SPECIALS, UNKNOWN, hashed_ids, words

if TYPE_CHECKING:
    import numpy as np
    from torch import Tensor

    from transformer.model import DecoderModel, EncoderModel, Transformer
    from transformer.training.checkpoints import Checkpoint
    from transformer.training.tasks.task import Task

Kind = Literal["encoder", "decoder", "encoder-decoder"]
VOCABULARY = 4096  # rows of the embedding of an untrained model; words find theirs by hash
HAND_OVER = "trained_model"  # in st.session_state: the Checkpoint that a visitor wants to use on all pages
MAX_TOKENS = 512
MAX_CELLS = 50_000_000  # of all maps together: what the largest untrained model has, 12 layers, 16 heads, 512 tokens
MAX_VOCABULARY_SHOWN = 400
_MEASURED = {  # of a model's card: the scores that are worth a line, beside those that its task names
    "exactly right, written by itself": "{:.1%} right on held-out texts",
    "accuracy, token by token": "{:.0%} of held-out tokens right",
}


# ---- references ----------------------------------------------------------------------------------------------------


class ModelRef(ABC):
    """Names a model: small, hashable, and equal only to a reference to the same weights."""

    @abstractmethod
    def resolve(self) -> "Source":
        """The model behind the name. Raises LookupError where it is not to be had, as with another visitor's."""


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
        source = st.session_state.get("_own_source")
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


def own(*kinds: Kind) -> Own | None:
    """The model that this visitor handed over, if it is of one of these kinds (any, if none is named)."""
    checkpoint = st.session_state.get(HAND_OVER)
    if checkpoint is None or (kinds and checkpoint.task.kind not in kinds):
        return None
    source = st.session_state.get("_own_source")
    if source is None or source.checkpoint is not checkpoint:
        source = TrainedSource(Own(uuid.uuid4().hex), checkpoint)
        st.session_state["_own_source"] = source
    assert isinstance(source.ref, Own)
    return source.ref


# ---- sources -------------------------------------------------------------------------------------------------------


class Source(ABC):
    """A model that can run, its tokeniser, its limits, and what is worth knowing of it.

    ref            the reference that resolves to it
    kind           "encoder", "decoder" or "encoder-decoder"
    config         its sizes
    model          ready to run, in evaluation mode
    is_trained     False: its weights are drawn at random
    max_tokens     how many tokens it can be shown with
    longest        tokens of the longest text that it was trained on, None for an untrained model
    facts          short remarks: kind, sizes, scores
    origin         what it was trained on, in one remark; () for an untrained model
    examples       texts of the kind that it was made for
    vocabulary     its words by kind, as far as they fit on screen; {} for an untrained model, which takes any word
    film           the name of its stored film on the page Live, "" if it has none
    """

    ref: ModelRef
    kind: Kind
    config: TransformerConfig
    is_trained: bool

    @property
    @abstractmethod
    def model(self) -> "EncoderModel | DecoderModel | Transformer": ...

    @property
    def max_tokens(self) -> int:
        return MAX_TOKENS

    @property
    def longest(self) -> int | None:
        return None

    @property
    def facts(self) -> tuple[str, ...]:
        return (self.kind,)

    @property
    def origin(self) -> tuple[str, ...]:
        return ()

    @property
    def examples(self) -> tuple[str, ...]:
        return ()

    @property
    def vocabulary(self) -> dict[str, list[str]]:
        return {}

    @property
    def film(self) -> str:
        return ""

    @property
    def n_layers(self) -> int:
        """Layers of its stack, of the decoder where there are two."""
        return self.config.n_encoder_layers if self.kind == "encoder" else self.config.n_decoder_layers

    @property
    def answer_position(self) -> int:
        """The position whose output is the model's answer: the last token of a decoder, <bos> of an encoder."""
        return 0 if self.kind == "encoder" else -1

    @property
    def single_stack(self) -> "EncoderModel | DecoderModel":
        """The model, an encoder or a decoder. Raises TypeError for an encoder-decoder."""
        from transformer.model import Transformer

        model = self.model
        if isinstance(model, Transformer):
            raise TypeError("an encoder-decoder has two stacks")
        return model

    @abstractmethod
    def cut(self, text: str) -> tuple[str, ...]:
        """The tokens of a text, as this model reads them."""

    @abstractmethod
    def ids(self, tokens: Sequence[str]) -> list[int]:
        """The ids of such tokens."""

    def label(self, id: int) -> str:
        """The token with this id. Raises LookupError where ids have no names, as in an untrained model."""
        raise LookupError("an untrained model has no names for its ids")

    def unknown(self, text: str) -> list[str]:
        """The words of a text that it has never met, each once; [] for a tokeniser that cannot say."""
        return []

    def relations(self, tokens: Sequence[str]) -> dict[str, list[tuple[int, int]]]:
        """Which tokens its task connects: what a head then does -> pairs (query, key); {} for most models."""
        return {}


class UntrainedSource(Source):
    """An untrained model. It takes any word: ids are hashes."""

    is_trained = False

    def __init__(self, ref: Untrained):
        self.ref, self.kind, self._seed = ref, ref.kind, ref.seed
        self.config = replace(ref.config, vocab_size=VOCABULARY, tgt_vocab_size=VOCABULARY)

    @property
    def model(self) -> "EncoderModel | DecoderModel | Transformer":
        return untrained_model(self.kind, self.config, self._seed)

    def cut(self, text: str) -> tuple[str, ...]:
        return tuple(words(text))

    def ids(self, tokens: Sequence[str]) -> list[int]:
        return hashed_ids(list(tokens), VOCABULARY)


class TrainedSource(Source):
    """A trained model with its task: shipped, or a visitor's own."""

    is_trained = True

    def __init__(self, ref: Shipped | Own | BeforeTraining | AtStep, checkpoint: "Checkpoint"):
        self.ref, self.checkpoint = ref, checkpoint
        self.config: TransformerConfig = checkpoint.config
        self.kind = checkpoint.task.kind

    @property
    def step(self) -> int:
        """How many steps of training it has behind it."""
        return self.checkpoint.step

    @property
    def task(self) -> "Task":
        return self.checkpoint.task

    @property
    def model(self) -> "EncoderModel | DecoderModel | Transformer":
        return _trained_model(self.ref, self.checkpoint)  # kept by the cache, where its bytes are counted

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """Every token of the source's vocabulary, by its id. Of two that look the same, each bears its id as well."""
        labels = [self.task.source.label(id) for id in range(len(self.task.source))]
        counts = Counter(labels)
        return tuple(label if counts[label] == 1 else f"{label} #{id}" for id, label in enumerate(labels))

    @property
    def longest(self) -> int:
        return self.task.longest

    @property
    def examples(self) -> tuple[str, ...]:
        return self.task.example_texts

    @property
    def max_tokens(self) -> int:
        maps = max(1, self.n_layers * self.config.n_heads)
        limit = min(MAX_TOKENS, int((MAX_CELLS / maps) ** 0.5))
        return min(limit, self.config.max_len) if self.config.positions == "learned" else limit

    def cut(self, text: str) -> tuple[str, ...]:
        """The tokens of a text as it was trained to read them, <bos> in front. What it does not know is <unk>."""
        ids = self.task.source.encode(text)
        return tuple(self.labels[id] for id in (BOS, *ids)) if ids else ()

    def ids(self, tokens: Sequence[str]) -> list[int]:
        known = {label: id for id, label in enumerate(self.labels)}
        return [known.get(token, UNKNOWN) for token in tokens]

    def label(self, id: int) -> str:
        return self.labels[id]

    def unknown(self, text: str) -> list[str]:
        return getattr(self.task.source, "unknown", lambda text: [])(text)

    def relations(self, tokens: Sequence[str]) -> dict[str, list[tuple[int, int]]]:
        return self.task.relations(tokens)

    @property
    def kinds(self) -> dict[str, tuple[str, ...]]:
        """Words of its vocabulary that serve the same purpose, by the name of the kind; {} if nobody sorted them."""
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
        scores = [
            text.format(card[name])
            for name, text in (self.task.score_notes | _MEASURED).items()
            if _is_share(card.get(name))
        ]
        return (
            self.kind, f"d_model {config.d_model}", _plural(config.n_heads, "head"), _plural(self.n_layers, "layer"),
            f"{config.positions} positions", f"{n:,} parameters", *scores[:1],
        )  # fmt: skip

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
    def model(self) -> "EncoderModel | DecoderModel | Transformer":
        return _model_at(self.ref, self.checkpoint, 0)

    @property
    def origin(self) -> tuple[str, ...]:
        return (f"before training: {self.task.title.lower()}",)

    @property
    def facts(self) -> tuple[str, ...]:
        return ("untrained", *super().facts[:6])  # the scores of its card are those of the trained model


class SourceAt(TrainedSource):
    """A trained model as it was on the way: it reads the same words, and has learned a part of what it will."""

    def __init__(self, ref: AtStep, checkpoint: "Checkpoint"):
        super().__init__(ref, checkpoint)
        if ref.step not in checkpoint.stops:
            raise LookupError(f"nothing is known of this model at step {ref.step}")
        self._step = ref.step

    @property
    def step(self) -> int:
        return self._step

    @property
    def model(self) -> "EncoderModel | DecoderModel | Transformer":
        return _model_at(self.ref, self.checkpoint, self.step)

    @property
    def facts(self) -> tuple[str, ...]:
        return (f"after {self.step:,} steps", *super().facts[:6])  # the scores of its card are those of the end


@cached()
def _shipped_source(name: str) -> TrainedSource:
    return TrainedSource(Shipped(name), shipped.load(name))


@cached()
def _trained_model(ref: ModelRef, _checkpoint: "Checkpoint") -> "EncoderModel | DecoderModel | Transformer":
    """The model with the weights of the checkpoint that this reference stands for."""
    return _checkpoint.model()


@cached()
def _model_at(ref: ModelRef, _checkpoint: "Checkpoint", step: int) -> "EncoderModel | DecoderModel | Transformer":
    """The model at a step on the way."""
    return _checkpoint.model_at(step)


@cached()
def untrained_model(kind: Kind, config: TransformerConfig, seed: int) -> "EncoderModel | DecoderModel | Transformer":
    """A model of exactly these sizes with the weights that this seed draws, in evaluation mode."""
    import torch

    from transformer.model import DecoderModel, EncoderModel, Transformer

    build = {"encoder": EncoderModel, "decoder": DecoderModel, "encoder-decoder": Transformer}[kind]
    return build(config, torch.Generator().manual_seed(seed)).eval()


def _is_share(value: object) -> bool:
    return isinstance(value, int | float) and 0 <= value <= 1


def _plural(n: int, what: str) -> str:
    return f"{n} {what}" if n == 1 else f"{n} {what}s"


# ---- what a model reads, and what it answers -----------------------------------------------------------------------


MaskName = Literal["none", "causal", "window", "prefix", "padding"]


class Mask(NamedTuple):
    """A mask by name, and its one number: the window, the length of the prefix, or how many tokens are padding."""

    name: MaskName = "none"
    span: int = 0

    def tensor(self, T: int) -> "Tensor | None":
        """The mask (T, T) that comes on top of what the model does by itself, or None."""
        import torch

        from transformer import masks

        match self:
            case ("window", span):
                return masks.sliding_window(T, span)
            case ("prefix", span):
                return masks.prefix(T, span)
            case ("padding", span):
                return masks.padding(torch.tensor([max(T - span, 0)]), T)[0, 0].expand(T, T)
            case _:
                return None


class Answer(NamedTuple):
    """What a trained model ranks first at its answer position, and with which probability; and for how many of n next
    words of the text it ranks the right one first (n is 0 for an encoder)."""

    word: str
    probability: float
    right: int
    n: int


def answer(source: Source, tokens: Sequence[str], logits: "np.ndarray") -> Answer:
    """What these logits (T, V) of a trained model say."""
    import numpy as np

    logits = logits.astype("f8")
    at = source.answer_position
    odds = np.exp(logits[at] - logits[at].max())
    best = int(odds.argmax())
    n = len(tokens) - 1 if source.kind == "decoder" else 0
    right = int((logits[:n].argmax(1) == source.ids(tokens)[1 : n + 1]).sum()) if n else 0
    return Answer(source.label(best), float(odds[best] / odds.sum()), right, n)
