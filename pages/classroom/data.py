"""What models answer to the questions of the warm-up and of lessons, computed once; read-only.

torch is imported inside the function: a page is on screen before it is loaded.
"""

from typing import NamedTuple

import numpy as np

import transformer
from lab.kit import story
from lab.kit.models.references import Mask, Shipped
from lab.kit.models.source import ModelRef, Source
from lab.kit.models.word_choices import known_words
from lab.server.caching import cached
from lab.server.rooms.plan import MASKED
from transformer import inspection
from transformer.core import workload
from transformer.core.workload import Workload

WRITER = Shipped(story.WRITER)
SHORT = "mia found a red hat. mia took the red"  # for a map whose cells a finger hits and the last row reads


class Warmup(NamedTuple):
    """What the writer makes of the story that it opens on.

    tokens         of the story, without the start of the text
    head           (layer, head): of all, the one without which the probabilities of the next word change most
    weights        where the last token looks in this head, one per token
    few            the tokens of a shorter story, without the start of the text
    map            where each of these looks in this head, row after row, with MASKED for tokens that it cannot see
    vocabulary     the words that it knows, in the order of the alphabet
    probabilities  of each of them as the next word
    read           of each token, before it was read: P(token | all before)
    """

    tokens: tuple[str, ...]
    head: tuple[int, int]
    weights: tuple[float, ...]
    few: tuple[str, ...]
    map: tuple[float, ...]
    vocabulary: tuple[str, ...]
    probabilities: tuple[float, ...]
    read: tuple[float, ...]


def _passes() -> Workload:
    source = WRITER.resolve()
    config = source.config
    n_tokens = len(source.cut(story.TEXT))
    one = workload.one_pass(config, n_tokens, config.n_decoder_layers, keeps_maps=True)
    return one * (3 + config.n_decoder_layers * config.n_heads)


@cached(work=_passes)
def warmup() -> Warmup:
    """The answers to the warm-up."""
    import torch

    source = WRITER.resolve()
    model = source.model
    assert isinstance(model, transformer.DecoderModel)  # whatever writes stories is one
    tokens = source.cut(story.TEXT)
    ids = source.ids(tokens)
    moved = inspection.head_ablations.each_head_ablated(model, ids, -1)  # (L, H)
    layer, head = map(int, np.unravel_index(moved.argmax(), moved.shape))
    with torch.inference_mode():
        recorder = transformer.Recorder()
        odds = model(torch.tensor([ids]), tap=recorder).logits[0].softmax(-1).numpy()  # (T, V)
    weights = recorder[f"decoder.{layer}.self_attn.weights"][0, head].numpy()  # (T, T)
    few = source.cut(SHORT)
    short, _ = _weights(WRITER, few, layer, head)  # (t, t)
    words = _vocabulary(source)
    return Warmup(
        tokens[1:],
        (layer, head),
        _plain(weights[-1, 1:]),
        few[1:],
        masked_map(short[1:, 1:]),
        tuple(word for word, _ in words),
        _plain(odds[-1, [id for _, id in words]]),
        _plain(odds[range(len(ids) - 1), ids[1:]]),
    )


def masked_map(weights: np.ndarray) -> tuple[float, ...]:
    """The rows of a causal map, one after another, with MASKED for what a token cannot see."""
    return _plain(np.where(np.tri(len(weights), dtype=bool), weights, MASKED).ravel())


class Answer(NamedTuple):
    """What a model says of each label: a weight or a probability."""

    labels: tuple[str, ...]
    weights: tuple[float, ...]


def _one_pass(ref: ModelRef, tokens: tuple[str, ...], *_: int | None) -> Workload:
    source = ref.resolve()
    return workload.one_pass(source.config, len(tokens), source.n_layers, keeps_maps=True)


@cached(work=_one_pass)
def looks(ref: ModelRef, tokens: tuple[str, ...], layer: int, head: int, query: int | None) -> Answer:
    """How much the query looks at each token that it can see; without one, how much all of them do on average.

    Raises IndexError where there is no such layer, head or query.
    """
    weights, is_causal = _weights(ref, tokens, layer, head)
    if query is not None:
        row = weights[query, : query + 1] if is_causal else weights[query]
    else:
        row = np.array([weights[n if is_causal else 0 :, n].mean() for n in range(len(tokens))])
    return Answer(tokens[: len(row)], _plain(row))


@cached(work=_one_pass)
def whole_map(ref: ModelRef, tokens: tuple[str, ...], layer: int, head: int) -> Answer:
    """How much each token looks at each, row after row. Raises IndexError where there is no such layer or head."""
    weights, is_causal = _weights(ref, tokens, layer, head)
    return Answer(tokens, masked_map(weights) if is_causal else _plain(weights.ravel()))


def _weights(ref: ModelRef, tokens: tuple[str, ...], layer: int, head: int) -> tuple[np.ndarray, bool]:
    """The head's attention weights, (T, T), and whether later tokens are hidden."""
    source = ref.resolve()
    is_causal = source.kind == "decoder"
    blocked = Mask("causal" if is_causal else "none").tensor(len(tokens))
    maps = inspection.run.maps_by_layer(source.single_stack, source.ids(tokens), blocked, is_causal=is_causal)
    return [one.weights for one in maps][layer][head], is_causal


@cached(work=_one_pass)
def next_words(ref: ModelRef, tokens: tuple[str, ...]) -> Answer:
    """The probability of each word that the model knows as one token to come next."""
    import torch

    source = ref.resolve()
    model, words = source.single_stack, _vocabulary(source)
    assert isinstance(model, transformer.DecoderModel)
    with torch.inference_mode():
        odds = model(torch.tensor([source.ids(tokens)])).logits[0, -1].softmax(-1).numpy()  # (V,)
    return Answer(tuple(word for word, _ in words), _plain(odds[[id for _, id in words]]))


def _vocabulary(source: Source) -> list[tuple[str, int]]:
    """Words that the model knows as one token, in the order of the alphabet, and their ids."""
    known = {word for _, words in known_words(source) for word in words}
    return sorted((word, id) for id, word in enumerate(source.labels) if word in known)


def _plain(values: np.ndarray) -> tuple[float, ...]:
    return tuple(values.astype(float).round(5).tolist())
