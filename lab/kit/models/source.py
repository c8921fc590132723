"""What every page needs of a model: a small value that names it, `ModelRef`, and what is behind it, its `Source`."""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Literal

import transformer
from attention_view import Marks
from transformer.core.config import TransformerConfig

Kind = Literal["encoder", "decoder", "encoder-decoder"]
MAX_TOKENS = 512
MAX_CELLS = 50_000_000  # of all maps together: what the largest untrained model has, 12 layers, 16 heads, 512 tokens


class ModelRef(ABC):
    """Names a model: small, hashable, and equal only to a reference to the same weights."""

    @abstractmethod
    def resolve(self) -> "Source":
        """The model behind the name. Raises LookupError where it is not to be had, as with another visitor's."""


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
    vocabulary     its words by kind, where it knows few enough to be shown; {} where it takes any word
    labels         every token by its id; () for an untrained model, whose ids have no names
    kinds          words that serve the same purpose, by the name of the kind; {} if nobody sorted them
    about          what it was trained to do, in a sentence; "" for an untrained model
    answers        whether its logits are an answer: False for an untrained model, and for one that only makes vectors
    film           the name of its stored film on the page Live, "" if it has none
    """

    ref: ModelRef
    kind: Kind
    config: TransformerConfig
    is_trained: bool

    @property
    @abstractmethod
    def model(self) -> "transformer.EncoderModel | transformer.DecoderModel | transformer.Transformer": ...

    @property
    def max_tokens(self) -> int:
        """What memory allows, and what the model itself can read."""
        config = self.config
        is_single = self.kind != "encoder-decoder"
        n_layers = self.n_layers if is_single else max(config.n_encoder_layers, config.n_decoder_layers)
        maps = max(1, n_layers * config.n_heads)
        limit = min(MAX_TOKENS, int((MAX_CELLS / maps) ** 0.5))
        return min(limit, self.config.max_len) if self.config.positions == "learned" else limit

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
    def labels(self) -> tuple[str, ...]:
        return ()

    @property
    def kinds(self) -> dict[str, tuple[str, ...]]:
        return {}

    @property
    def about(self) -> str:
        return ""

    @property
    def answers(self) -> bool:
        return self.is_trained

    @property
    def film(self) -> str:
        return ""

    @property
    def n_layers(self) -> int:
        """Layers of its stack, of the decoder where there are two."""
        return self.config.n_encoder_layers if self.kind == "encoder" else self.config.n_decoder_layers

    def answer_position(self, tokens: Sequence[str]) -> int:
        """The position whose output is the model's answer: the last token of a decoder, <bos> of an encoder."""
        return 0 if self.kind == "encoder" else len(tokens) - 1

    @property
    def single_stack(self) -> "transformer.EncoderModel | transformer.DecoderModel":
        """The model, an encoder or a decoder. Raises TypeError for an encoder-decoder."""
        model = self.model
        if isinstance(model, transformer.Transformer):
            raise TypeError("an encoder-decoder has two stacks")
        return model

    @abstractmethod
    def cut(self, text: str) -> tuple[str, ...]:
        """The tokens of a text, as this model reads them."""

    def first(self, tokens: tuple[str, ...], n: int) -> tuple[str, ...]:
        """The first n tokens of a text that is too long."""
        return tokens[:n]

    @abstractmethod
    def ids(self, tokens: Sequence[str]) -> list[int]:
        """The ids of such tokens."""

    def label(self, id: int) -> str:
        """The token with this id. Raises LookupError where ids have no names, as in an untrained model."""
        raise LookupError("an untrained model has no names for its ids")

    def unknown(self, text: str) -> list[str]:
        """The words of a text that it has never met, each once; [] for a tokeniser that cannot say."""
        return []

    def unread(self, tokens: Sequence[str]) -> tuple[bool, ...]:
        """Which of these tokens are letters of a word that the model has no token for: it sees ⟨unknown⟩ there."""
        return (False,) * len(tokens)

    def unmet(self, text: str) -> str:
        """Which signs of a text it has no tokens of their own for, in a sentence; "" where there are none."""
        return ""

    def of_text(self, tokens: Sequence[str]) -> tuple[str, ...]:
        """Those tokens that are a part of the text: not what a tokeniser puts around it."""
        return tuple(tokens)

    def as_token(self, word: str) -> str:
        """The token that stands for a word inside of a text."""
        return word

    def marks(self, tokens: Sequence[str], segments: Sequence[int] = (), words: Sequence[int | None] = ()) -> Marks:
        """What is known of these tokens beyond their labels: which are no part of the text, which make up a word, and
        which it cannot read."""
        unread = self.unread(tokens)
        return Marks(segments=segments, words=words, unknown=unread if any(unread) else ())

    def relations(self, tokens: Sequence[str]) -> dict[str, list[tuple[int, int]]]:
        """Which tokens its task connects: what a head then does -> pairs (query, key); {} for most models."""
        return {}


def distinct(labels: Iterable[str]) -> tuple[str, ...]:
    """The same labels; of those that look the same, each bears its place as well."""
    labels = tuple(labels)
    counts = Counter(labels)
    return tuple(label if counts[label] == 1 else f"{label} #{id}" for id, label in enumerate(labels))
