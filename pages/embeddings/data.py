"""The results that the page on embeddings computes once and shares.

torch is imported inside the functions: a page is on screen before it is loaded.
"""

from itertools import islice
from typing import Literal, NamedTuple

import numpy as np

import transformer
from lab.kit.models.references import BeforeTraining, untrained_model
from lab.kit.models.source import ModelRef
from lab.server.caching import cached
from pages.embeddings.lines import Lines, lines_of
from transformer import inspection, training
from transformer.core import workload
from transformer.core.config import TransformerConfig
from transformer.core.workload import Workload

TokeniserKind = Literal["character", "word", "pairs"]
MAX_VOCABULARY = 1000  # of a tokeniser of characters or words
MAX_ROWS = 4096  # of a table that are compared with each other; of a larger one, so many are drawn by lot


class RandomTable(NamedTuple):
    """A table W_e of these sizes with the rows that this seed draws."""

    vocab_size: int
    d_model: int
    seed: int


Table = RandomTable | ModelRef  # or that of a trained model


@cached()
def character_tokeniser(learned_from: str) -> "training.text.CharacterTokeniser":
    """A tokeniser of characters, learned from this text."""
    return training.text.CharacterTokeniser.learn(learned_from, limit=MAX_VOCABULARY)


@cached()
def word_tokeniser(learned_from: str) -> "training.text.WordTokeniser":
    """A tokeniser of words, learned from this text."""
    return training.text.WordTokeniser.learn(learned_from, limit=MAX_VOCABULARY)


@cached()
def pair_tokeniser(learned_from: str, n_merges: int) -> "training.byte_pairs.BytePairTokeniser":
    """A tokeniser of byte pairs, learned from this text with at most this many merges."""
    return training.byte_pairs.BytePairTokeniser.learn(learned_from, n_merges)


@cached()
def pair_counts(learned_from: str, n_merges: int, text: str) -> list[list[tuple[int, int, int]]]:
    """(left, right, count) of the pairs that are side by side in `text`, with their counts in what is learned from: an
    entry for each merge, as they are before it, with those only that have changed."""
    tokeniser = pair_tokeniser(learned_from, n_merges)
    joined = {join.id for join in tokeniser.joins(text)}
    adjacent = tokeniser.first(0).adjacent(text)
    known: dict[tuple[int, int], int] = {}
    entries = []
    for n, (merge, counts) in enumerate(islice(tokeniser.learning(learned_from), n_merges), 1):
        changed = {pair: counts[pair] for pair in sorted(adjacent) if known.get(pair) != counts[pair]}
        known |= changed
        entries.append([(*pair, count) for pair, count in changed.items()])
        if merge.id in joined:
            adjacent = tokeniser.first(n).adjacent(text)
    return entries


def tokeniser(
    kind: TokeniserKind, learned_from: str, n_merges: int
) -> "training.text.CharacterTokeniser | training.text.WordTokeniser | training.byte_pairs.BytePairTokeniser":
    """A tokeniser of this kind, learned from this text; n_merges concerns byte pairs only."""
    match kind:
        case "character":
            return character_tokeniser(learned_from)
        case "word":
            return word_tokeniser(learned_from)
        case _:
            return pair_tokeniser(learned_from, n_merges)


def _pairs(table: Table, *_: object) -> Workload:
    """The cosines of all pairs of rows, in float64, and their places."""
    if isinstance(table, RandomTable):
        V, D = table.vocab_size, table.d_model
    else:
        config = table.resolve().config
        V, D = config.vocab_size, config.d_model
    V = min(V, MAX_ROWS)
    return Workload(5 * 8 * V * V, V * V * D, V * V, "A tokeniser with fewer tokens needs less.")


def _pairs_of(
    table: Table, ids: tuple[int, ...], others: tuple[tuple[int, ...], ...] = (), more: tuple[int, ...] = ()
) -> Workload:
    """The cosines of the rows with these ids."""
    n, D = len(ids), table.d_model if isinstance(table, RandomTable) else table.resolve().config.d_model
    return Workload(3 * 8 * n * n, n * n * D + n * D * D, n * n)


@cached()
def embedding(table: Table) -> "transformer.TokenEmbedding":
    """The module that holds W_e (V, d_model)."""
    import torch

    if isinstance(table, RandomTable):
        generator = torch.Generator().manual_seed(table.seed)
        return transformer.TokenEmbedding(table.vocab_size, table.d_model, generator=generator)
    return table.resolve().single_stack.stack.embedding


def weight(table: Table) -> np.ndarray:
    """W_e (V, d_model)."""
    return embedding(table).weight.detach().numpy()


@cached(work=_pairs)
def cosine_spread(table: Table) -> "inspection.embeddings.CosineSpread":
    """The distribution of the cosines of all pairs of rows."""
    rows = weight(table)
    if len(rows) > MAX_ROWS:
        rows = rows[np.sort(np.random.default_rng(0).choice(len(rows), MAX_ROWS, replace=False))]
    return inspection.embeddings.cosine_spread(rows)


@cached()
def lookup(table: Table, ids: tuple[int, ...]) -> "inspection.embeddings.Lookup":
    """X W_e and the rows that have the ids."""
    return inspection.embeddings.lookup(embedding(table), ids)


@cached()
def lines(table: Table, ids: tuple[int, ...]) -> Lines:
    """The table as a browser draws it, and the rows with these ids."""
    return lines_of(weight(table), ids)


def _shuffled(table: Table, ids: tuple[int, ...]) -> Workload:
    """Two models on one text."""
    config = _config(table)
    n_layers = config.n_encoder_layers + config.n_decoder_layers
    once = workload.one_pass(config, len(ids), n_layers, keeps_maps=True)
    return once.keeping(once.n_bytes) * 2


def _config(table: Table) -> TransformerConfig:
    """The sizes of the model that the table belongs to; a random table belongs to a small one."""
    if not isinstance(table, RandomTable):
        return table.resolve().config
    return TransformerConfig(
        vocab_size=table.vocab_size, d_model=table.d_model, n_heads=1, n_encoder_layers=2, n_decoder_layers=0
    )


@cached(work=_shuffled)
def shuffled_ids(table: Table, ids: tuple[int, ...]) -> "inspection.embeddings.ShuffledIds":
    """A model with this table, after all ids were permuted; a random table belongs to an untrained encoder."""
    if not isinstance(table, RandomTable):
        return inspection.embeddings.shuffle_ids(table.resolve().single_stack, ids, seed=0)
    model = untrained_model("encoder", _config(table), table.seed)
    assert isinstance(model, transformer.EncoderModel)
    return inspection.embeddings.shuffle_ids(model, ids, table.seed)


class Similarity(NamedTuple):
    """Cosines (n, n) of n rows, and their places on a plane.

    places  (n, 2), the mean of these rows at 0
    shares  of the variance of these rows, along the two directions of the plane
    bounds  least and largest (2,) places, of this table and of the one that the plane belongs to
    """

    cosines: np.ndarray
    places: np.ndarray
    shares: np.ndarray
    bounds: tuple[float, float, float, float]


@cached(work=_pairs_of)
def similarity(table: Table, ids: tuple[int, ...], others: tuple[tuple[int, ...], ...] = ()) -> Similarity:
    """The similarity of the rows with these ids, on the plane that keeps most of their variance; or, where other words
    of several kinds are given, on the plane on which those kinds lie apart.

    A table before training is seen on the plane of the same table after training, so that the two maps can be compared.
    """
    rows = weight(table)[list(ids)].astype("f8")
    axes = _axes(table, ids, others)
    of_plane = _trained(table)[list(ids)]
    places = (rows - rows.mean(0)) @ axes
    total = float(np.square(rows - rows.mean(0)).sum())
    shares = np.square(places).sum(0) / total if total else np.zeros(2)
    both = np.concatenate([places, (of_plane - of_plane.mean(0)) @ axes])
    (x0, y0), (x1, y1) = both.min(0).tolist(), both.max(0).tolist()
    return Similarity(inspection.geometry.cosines(rows), places, shares, (x0, y0, x1, y1))


@cached(work=_pairs_of)
def placed(
    table: Table, ids: tuple[int, ...], others: tuple[tuple[int, ...], ...], more: tuple[int, ...]
) -> np.ndarray:
    """(len(more), 2): where rows with further ids lie on the plane of `similarity`."""
    rows = weight(table).astype("f8")
    return (rows[list(more)] - rows[list(ids)].mean(0)) @ _axes(table, ids, others)


def _trained(table: Table) -> np.ndarray:
    """The rows of the table after training."""
    return (weight(table.of) if isinstance(table, BeforeTraining) else weight(table)).astype("f8")


def _axes(table: Table, ids: tuple[int, ...], others: tuple[tuple[int, ...], ...]) -> np.ndarray:
    """The two directions of the plane of `similarity`."""
    trained = _trained(table)
    if others:
        return inspection.embeddings.parting_axes([trained[list(members)] for members in others])
    return inspection.embeddings.plane(trained[list(ids)]).axes


@cached()
def told_apart(
    table: Table, one: tuple[int, ...], other: tuple[int, ...], of_one: tuple[int, ...], of_other: tuple[int, ...]
) -> int:
    """How many of some words lie on the side of their kind, where two kinds are parted halfway between their others."""
    return inspection.embeddings.told_apart(*(weight(table)[list(ids)] for ids in (one, other, of_one, of_other)))


@cached()
def class_separation(table: Table, classes: tuple[tuple[int, ...], ...]) -> "inspection.embeddings.Separation":
    """Whether rows of one class, each given by its ids, lie closer to each other than to other rows."""
    ids = [id for members in classes for id in members]
    labels = [n for n, members in enumerate(classes) for _ in members]
    return inspection.embeddings.class_separation(weight(table)[ids], labels)


def _whole_table(table: Table, ids: tuple[int, ...], k: int) -> Workload:
    """The cosines of some rows with all others, in float64."""
    V, D = weight(table).shape
    return Workload(8 * V * (2 * D + 2), len(ids) * V * D, len(ids) * V)


@cached(work=_whole_table)
def neighbours(table: Table, ids: tuple[int, ...], k: int) -> list[list[tuple[int, float]]]:
    """For each of these ids the k rows of the whole table nearest to its own, as (id, cosine)."""
    rows = weight(table).astype("f8")  # once for all of them
    return [inspection.embeddings.neighbours(rows, id, k) for id in ids]


def _gradients(config: TransformerConfig, seed: int, ids: tuple[int, ...]) -> Workload:
    """An encoder-decoder, forward and back; a layer of its decoder is worth two of an encoder."""
    n_layers = config.n_encoder_layers + 2 * config.n_decoder_layers
    return workload.training_pass(config, len(ids) + 1, n_layers)


@cached(work=_gradients)
def gradient_by_row(config: TransformerConfig, seed: int, ids: tuple[int, ...]) -> "inspection.embeddings.Gradients":
    """The gradient of this text's loss in every table of an untrained encoder-decoder."""
    return inspection.embeddings.gradient_by_row(config, ids, seed)
