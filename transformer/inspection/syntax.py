"""Which heads look along the grammar of a sentence: measured on sentences whose grammar is known, with a baseline.

A score here is a measurement on these sentences, not a job that the head has: see agreement.py for what is counted.
"""

from collections.abc import Mapping, Sequence
from random import Random
from typing import NamedTuple

import numpy as np
import torch

from transformer.core.model import DecoderModel, EncoderModel, Transformer
from transformer.inspection.agreement import Agreement, Pairs, agreements
from transformer.training import tasks
from transformer.training.tasks.syntax import dependencies
from transformer.training.tasks.task import Task
from transformer.training.text import BOS

N_TEXTS = 120


class Text(NamedTuple):
    """A text as a model reads it, and which of its tokens belong together: what connects them -> (query, key)."""

    ids: tuple[int, ...]
    pairs: Mapping[str, Pairs]


def sentences(n: int = N_TEXTS) -> list[tuple[str, ...]]:
    """Held-out English sentences of the grammar of the translator, always the same."""
    task = tasks.make("french")
    examples = task.examples(n, Random(2024), held_out=True)
    return [tuple(task.source.label(id) for id in example.source) for example in examples]


def on_tokens(pairs: Mapping[str, Pairs], words: Sequence[int | None]) -> dict[str, Pairs]:
    """Pairs of words as pairs of tokens: a word stands where its first token does.

    words  for each token the word that it is a part of, None for none
    """
    first: dict[int, int] = {}
    for place, word in enumerate(words):
        if word is not None:
            first.setdefault(word, place)
    return {
        name: [(first[a], first[b]) for a, b in cells if a in first and b in first] for name, cells in pairs.items()
    }


def of_task(task: Task, n: int = N_TEXTS) -> list[Text]:
    """Texts for a model of this project: sentences of its grammar for a translator from English, for others held-out
    texts with the relations of their task."""
    if task.languages[:1] == ("English",):
        return [Text(tuple(task.source.encode(" ".join(words))), dependencies(words)) for words in sentences(n)]
    texts = []
    for example in task.examples(n, Random(2024), held_out=True):
        ids = (*example.source, *example.target)
        known = task.relations([task.source.label(id) for id in ids])
        texts.append(Text((BOS, *ids), {name: [(a + 1, b + 1) for a, b in cells] for name, cells in known.items()}))
    return texts


@torch.inference_mode()
def self_attention(model: EncoderModel | DecoderModel | Transformer, texts: Sequence[Sequence[int]]) -> np.ndarray:
    """The weights of all heads on texts of one length, (B, L, H, T, T): of an encoder-decoder those of its encoder."""
    read = torch.tensor([list(ids) for ids in texts])
    if isinstance(model, Transformer):
        layers = model.encoder(read)[1]
    else:
        attention = model(read).attention
        layers = attention.decoder if isinstance(model, DecoderModel) else attention.encoder
    return torch.stack(layers, 1).float().numpy()


def all_heads(model: EncoderModel | DecoderModel | Transformer, texts: Sequence[Sequence[int]]) -> list[np.ndarray]:
    """The weights of all heads on each text, (L, H, T, T). Texts of one length are read together."""
    by_length: dict[int, list[int]] = {}
    for n, ids in enumerate(texts):
        by_length.setdefault(len(ids), []).append(n)
    found: dict[int, np.ndarray] = {}
    for members in by_length.values():
        found |= dict(zip(members, self_attention(model, [texts[n] for n in members]), strict=True))
    return [found[n] for n in range(len(texts))]


def by_relation(model: EncoderModel | DecoderModel | Transformer, texts: Sequence[Text]) -> dict[str, Agreement]:
    """How often each head finds the word that belongs to a word, by what connects the two.

    A decoder cannot look ahead: pairs whose key comes later are left out, and what is too rare then is left out, too.
    """
    is_causal = isinstance(model, DecoderModel)
    pairs = [
        {name: [(a, b) for a, b in cells if b <= a or not is_causal] for name, cells in text.pairs.items()}
        for text in texts
    ]
    lengths = [len(text.ids) for text in texts]
    allowed = [np.arange(1, T + 1) if is_causal else np.full(T, T) for T in lengths]
    return agreements(all_heads(model, [text.ids for text in texts]), pairs, allowed)
