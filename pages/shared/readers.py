"""Trained models that read a text by themselves, for the pages whose models are random otherwise.

A reader's key stands for its weights wherever results are cached. A visitor's own model has a key that nobody can
guess, made when it is handed over, and is found in that visitor's session only: so nobody sees another's.
"""

import uuid
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

import streamlit as st

from attention_view import Packed, Picture
from pages.shared import checkpoints
from transformer.config import TransformerConfig
from transformer.training.text import BOS, SPECIALS, UNKNOWN, hashed_ids

if TYPE_CHECKING:
    from transformer.config import TransformerConfig
    from transformer.training.checkpoints import Checkpoint
    from transformer.training.tasks.task import Task

RANDOM = "random weights"
STORIES, REVIEWS = "trained on stories", "trained on reviews"
OWN = "your own"
# Looked for without loading torch: what can be chosen is on screen before.
_FOLDER = Path(__file__).parents[2] / "transformer" / "training" / "shipped"
_SHIPPED = {STORIES: "stories", REVIEWS: "sentiment"}
_EXAMPLES = {
    "stories": (
        "mia found a red ball in the park. in the evening mia took the red",
        "tom lost a green key in the forest. he told anna about the",
        "one day eva went to the school and saw a white kite there. she was very",
        "ben got a blue bell as a present. rosa liked the bell, so he gave her the",
    ),
    "sentiment": (
        "the soup was not good but i love the hotel",
        "nothing about the room was bad",
        "although the view was lovely, i do not like the place",
        "the film was very boring and i hate the music",
    ),
}
_MEASURED = {  # of a card: what is worth a line, and how it is said
    "of these, stories that the grammar tells": "{:.0%} of the stories it writes are right",
    "exactly right, written by itself": "{:.1%} right on held-out texts",
    "accuracy, token by token": "{:.0%} of held-out tokens right",
}
_MOST_CELLS = 50_000_000  # of all maps together: what the largest random model has, 12 layers, 16 heads, 512 tokens
_MOST_EXAMPLES = 4
_SHOWN = 400  # tokens of a vocabulary


@dataclass(frozen=True, eq=False)
class Reader:
    """A trained model that reads a text by itself: an encoder, or a decoder."""

    key: str
    title: str
    checkpoint: "Checkpoint"
    model: object

    @property
    def task(self) -> "Task":
        return self.checkpoint.task

    @property
    def kind(self) -> str:
        return self.task.kind

    @property
    def config(self) -> "TransformerConfig":
        return self.checkpoint.config

    @property
    def n_layers(self) -> int:
        return self.config.n_encoder_layers if self.kind == "encoder" else self.config.n_decoder_layers

    @property
    def labels(self) -> tuple[str, ...]:
        """Of every token of the vocabulary, by its id; each once."""
        return _labels(self.task)

    @property
    def examples(self) -> tuple[str, ...]:
        """Texts of the kind that it was trained on, none empty."""
        decode = self.task.source.decode
        probes = (decode(probe.source or probe.target[:16]) for probe in self.task.probes[:_MOST_EXAMPLES])
        return _EXAMPLES.get(self.key) or tuple(dict.fromkeys(probes))

    @property
    def most(self) -> int:
        """How many tokens it can be shown with."""
        maps = max(1, self.n_layers * self.config.n_heads)
        most = min(512, int((_MOST_CELLS / maps) ** 0.5))
        return min(most, self.config.max_len) if self.config.positions == "learned" else most

    def cut(self, text: str) -> tuple[str, ...]:
        """The tokens of a text as it was trained to read them, <bos> in front. What it does not know is <unk>."""
        ids = self.task.source.encode(text)
        return tuple(self.labels[id] for id in (BOS, *ids)) if ids else ()

    def ids(self, tokens: tuple[str, ...]) -> list[int]:
        """The ids of such tokens."""
        known = {label: id for id, label in enumerate(self.labels)}
        return [known.get(token, UNKNOWN) for token in tokens]

    def unknown(self, text: str) -> list[str]:
        """The words of a text that it has never met, each once; [] for a tokeniser that cannot say."""
        return getattr(self.task.source, "unknown", lambda text: [])(text)

    @property
    def kinds(self) -> dict[str, tuple[str, ...]]:
        """Words of its vocabulary that are alike in what they are for, by the name of the kind; {} if nobody sorted
        them."""
        from transformer.training.tasks import sentiment, stories

        return {"stories": stories.KINDS, "sentiment": sentiment.KINDS}.get(self.task.name, {})

    @property
    def known(self) -> dict[str, list[str]]:
        """Its vocabulary, by kind; "other words" are those of no kind."""
        sorted_out = {word for words in self.kinds.values() for word in words}
        others = [label for label in self.labels[len(SPECIALS) :][:_SHOWN] if label not in sorted_out]
        return {kind: list(words) for kind, words in self.kinds.items()} | {"other words": others}

    @property
    def facts(self) -> tuple[str, ...]:
        """What is to be known of it, in short remarks. A card may come out of a file that anyone wrote."""
        config, card = self.config, self.checkpoint.card
        n = sum(weight.numel() for weight in self.checkpoint.weights.values())
        measured = [said.format(card[name]) for name, said in _MEASURED.items() if _is_share(card.get(name))]
        return (
            self.kind, f"d_model {config.d_model}", _plural(config.n_heads, "head"), _plural(self.n_layers, "layer"),
            f"{config.positions} positions", f"{n:,} parameters", *measured[:1],
        )  # fmt: skip

    @property
    def film(self) -> str:
        """How the page Live calls its stored film; "" for a visitor's own."""
        titles = {name: title for title, name in checkpoints.films().items()}
        return f"{titles[self.key]}, recorded" if self.key in titles else ""


def offered() -> dict[str, str]:
    """Titles of the readers that this visitor can choose -> their keys."""
    mine = own()
    there = {title: name for title, name in _SHIPPED.items() if (_FOLDER / f"{name}.safetensors").exists()}
    return there | ({OWN: mine.key} if mine else {})


def of(key: str) -> Reader:
    """The reader of this key. Raises KeyError for one that is not there, or is another visitor's."""
    for title, name in _SHIPPED.items():
        if name == key:
            return Reader(key, title, checkpoints.shipped(name), checkpoints.shipped_model(name))
    mine = own()
    if mine is None or mine.key != key:
        raise KeyError("there is no such model in this session; train one on the page Live")
    return mine


def own() -> Reader | None:
    """What this visitor handed over on the page Live, if it reads a text by itself."""
    made = st.session_state.get(checkpoints.HAND_OVER)
    if made is None or made.task.kind not in ("encoder", "decoder"):
        return None
    kept = st.session_state.get("_own_reader")
    if kept is None or kept.checkpoint is not made:
        if len(set(_labels(made.task))) < len(made.task.source):
            return None  # two tokens that look the same: a picture could not tell them apart
        kept = Reader(f"own {uuid.uuid4().hex}", OWN, made, made.model())
        st.session_state["_own_reader"] = kept
    return kept


def _labels(task: "Task") -> tuple[str, ...]:
    return tuple(task.source.label(id) for id in range(len(task.source)))


def _is_share(value: object) -> bool:
    return isinstance(value, int | float) and 0 <= value <= 1


def _plural(n: int, what: str) -> str:
    return f"{n} {what}" if n == 1 else f"{n} {what}s"


Kind = Literal["encoder", "decoder"]
VOCABULARY = 4096  # rows of the embedding of an untrained model; words find theirs by hash


class Mask(NamedTuple):
    """A mask by name, and its one number: the window, the length of the prefix, or how many tokens are padding."""

    name: Literal["none", "causal", "window", "prefix", "padding"] = "none"
    span: int = 0


class Answers(NamedTuple):
    """What a trained model puts first, a decoder at the last word and an encoder at <bos>, and how sure it is; and for
    how many of n next words of the text it puts the right one first (n is 0 for an encoder)."""

    word: str
    probability: float
    right: int
    n: int


Seed = int | str  # of random weights; or the key of trained ones, which bring their own kind, sizes and vocabulary
CONFIGS = {TransformerConfig: repr}  # how a cache names a config: much quicker than field by field


def model(kind: Kind, config: TransformerConfig, seed: Seed):
    """A model with the random weights that this seed gives, or the trained one of this key, in evaluation mode."""
    return of(seed).model if isinstance(seed, str) else _random_model(kind, config, seed)


def net_of(kind: Kind, config: TransformerConfig, seed: Seed):
    """The same, for words of any text: random weights know words by their hash."""
    return model(kind, replace(config, vocab_size=VOCABULARY, tgt_vocab_size=VOCABULARY), seed)


def ids_of(seed: Seed, tokens: tuple[str, ...]) -> list[int]:
    """The ids by which a model with these weights knows these tokens."""
    return of(seed).ids(tokens) if isinstance(seed, str) else hashed_ids(list(tokens), VOCABULARY)


@st.cache_resource(max_entries=6, show_spinner=False, hash_funcs=CONFIGS)
def _random_model(kind: Kind, config: TransformerConfig, seed: int):
    import torch

    from transformer.model import DecoderModel, EncoderModel

    torch.set_num_threads(1)  # many sessions share few cores: one thread each is faster for all
    build = EncoderModel if kind == "encoder" else DecoderModel
    return build(config, torch.Generator().manual_seed(seed)).eval()


def trained_on(seed: Seed) -> tuple[str, ...]:
    return (f"trained: {of(seed).task.title.lower()}",) if isinstance(seed, str) else ()


def mask_of(mask: Mask, T: int):
    """The mask (T, T) that comes on top of what the model does by itself, or None."""
    import torch

    from transformer import masks

    match mask:
        case ("window", span):
            return masks.sliding_window(T, span)
        case ("prefix", span):
            return masks.prefix(T, span)
        case ("padding", span):
            return masks.padding(torch.tensor([max(T - span, 0)]), T)[0, 0].expand(T, T)
        case _:
            return None


def subject_of(kind: Kind, config: TransformerConfig, seed: Seed, mask: Mask, tokens: tuple[str, ...]):
    """What the studies of heads share: the model, the ids, and the keyword arguments of its mask."""
    return (
        net_of(kind, config, seed),
        ids_of(seed, tokens),
        {"mask": mask_of(mask, len(tokens)), "is_causal": kind == "decoder" and mask.name != "prefix"},
    )


def answers_of(seed: str, tokens: tuple[str, ...], logits) -> Answers:
    """What a trained model says with these logits (T, V)."""
    import numpy as np

    reader, logits = of(seed), logits.astype("f8")
    at = len(tokens) - 1 if reader.kind == "decoder" else 0
    odds = np.exp(logits[at] - logits[at].max())
    best = int(odds.argmax())
    n = len(tokens) - 1 if reader.kind == "decoder" else 0
    right = int((logits[:n].argmax(1) == reader.ids(tokens)[1 : n + 1]).sum()) if n else 0
    return Answers(reader.labels[best], float(odds[best] / odds.sum()), right, n)


@st.cache_resource(max_entries=32, show_spinner=False, hash_funcs=CONFIGS)
def heads(kind: Kind, config: TransformerConfig, seed: Seed, mask: Mask, tokens: tuple[str, ...]) -> Packed:
    """Every head of this model on these tokens, ready for the browser."""
    from transformer.inspection.heads import chance, head_scores
    from transformer.inspection.run import run_with_maps

    subject, ids, how = subject_of(kind, config, seed, mask, tokens)
    run = run_with_maps(subject, ids, tokens, **how)
    seen = run.attention[kind]
    shown = tuple(token if len(token) <= 40 else token[:39] + "…" for token in tokens)
    picture = Picture(
        queries=shown,
        keys=shown,
        weights=seen.weights,
        mask=seen.mask,
        q=seen.q,
        k=seen.k,
        scale=seen.scale,
        bias=seen.bias,
        scores=head_scores(seen.weights),
        chance=chance(len(tokens), len(tokens), seen.mask),
        facts=(*trained_on(seed), kind, f"{run.n_parameters:,} parameters"),
        untrained=not isinstance(seed, str),
    )
    return Packed(picture)
