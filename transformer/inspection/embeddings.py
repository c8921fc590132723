"""What an embedding table holds and does: the picked row, likeness of rows, loudness beside positions, what learns."""

import copy
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
import torch.nn.functional as F
from torch import Generator, Tensor

from transformer.checks import InputError
from transformer.config import TransformerConfig
from transformer.embeddings import TokenEmbedding
from transformer.model import EncoderModel, Transformer
from transformer.positions import sinusoids

BEGIN, END = 1, 2  # <bos> and <eos> in every vocabulary of training.text


@dataclass(frozen=True, eq=False)
class Lookup:
    """E = X W_e for one text.

    table    W_e (V, d_model)
    rows     the rows that the ids pick, (T, d_model)
    exact    whether the product of the one-hot rows with W_e is the same, bit for bit
    """

    table: np.ndarray
    rows: np.ndarray
    exact: bool


def lookup(embedding: TokenEmbedding, ids: Sequence[int]) -> Lookup:
    """Both ways from ids to vectors, before any scale: X W_e with one-hot X (T, V), and picking rows of W_e."""
    with torch.inference_mode():
        batch = torch.tensor([list(ids)], dtype=torch.long)  # (1, T)
        product = embedding.one_hot(batch)[0] @ embedding.weight  # (T, D)
        rows = embedding.weight[batch[0]]
    return Lookup(_numpy(embedding.weight), _numpy(rows), torch.equal(product, rows))


@dataclass(frozen=True, eq=False)
class Renaming:
    """All ids dealt anew, and the rows of W_e moved with them.

    new      the new id of every old one, (V,)
    table    W_e with its rows in their new places: table[new] is the old one
    change   the largest change of any logit of the model; of which the largest is `largest`
    """

    new: np.ndarray
    table: np.ndarray
    change: float
    largest: float


def rename(model: EncoderModel, ids: Sequence[int], seed: int) -> Renaming:
    """Give every token another id, take its row of W_e along, and run the model on the renamed text.

    The model is left as it was. The ids are shuffled with this seed.
    """
    old = model.encoder.embedding.weight
    new = torch.randperm(len(old), generator=Generator().manual_seed(seed))  # (V,)
    renamed = copy.deepcopy(model)
    with torch.inference_mode():
        renamed.encoder.embedding.weight[new] = old
        batch = torch.tensor([list(ids)], dtype=torch.long)
        logits = model(batch).logits  # (1, T, V)
        moved = renamed(new[batch]).logits[..., new]  # the column of an old id is now that of its new one
    change = (logits - moved).abs().max().item() if logits.numel() else 0.0
    largest = logits.abs().max().item() if logits.numel() else 0.0
    return Renaming(new.numpy(), _numpy(renamed.encoder.embedding.weight), change, largest)


def cosines(rows: np.ndarray) -> np.ndarray:
    """cos(a, b) = a.b / (|a| |b|) of every two rows (n, d) -> (n, n); 0 where a row is zero."""
    rows = np.asarray(rows, "f8")
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    units = np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0)
    return units @ units.T


@dataclass(frozen=True)
class Order:
    """Whether rows of one kind lie closer to each other than to rows of another kind.

    within, between   mean cosine of two different rows of one kind, and of two rows of different kinds
    nearest           share of rows whose nearest other row is of their own kind
    """

    within: float
    between: float
    nearest: float


def order(rows: np.ndarray, kinds: Sequence[int]) -> Order:
    """Measure rows (n, d) with a kind each. Raises InputError where no two rows are of a kind, or all of one."""
    cosine, kind = cosines(rows), np.asarray(kinds)
    alike = kind[:, None] == kind[None, :]
    others = ~np.eye(len(kind), dtype=bool)
    if not (alike & others).any() or alike.all():
        raise InputError("it takes at least two kinds, and two rows of one of them")
    nearest = np.where(others, cosine, -np.inf).argmax(1)
    return Order(
        float(cosine[alike & others].mean()), float(cosine[~alike].mean()), float((kind[nearest] == kind).mean())
    )


def neighbours(table: np.ndarray, id: int, k: int) -> list[tuple[int, float]]:
    """The k other rows of the table that point most in the direction of this one, as (id, cosine), nearest first."""
    table = np.asarray(table, "f8")
    lengths = np.linalg.norm(table, axis=1) * np.linalg.norm(table[id])
    cosine = np.divide(table @ table[id], lengths, out=np.zeros(len(table)), where=lengths > 0)
    order = [int(other) for other in np.argsort(-cosine, kind="stable") if other != id]
    return [(other, float(cosine[other])) for other in order[:k]]


@dataclass(frozen=True, eq=False)
class Spread:
    """Cosines of all pairs of different rows: their counts in bins, mean and standard deviation.

    expected   1 / sqrt(d_model): the standard deviation where all directions are equally likely
    """

    edges: np.ndarray
    counts: np.ndarray
    mean: float
    std: float
    expected: float


def spread(table: np.ndarray, n_bins: int = 61) -> Spread:
    """How the cosines of all pairs of rows of a table (V, d) are spread over [-1, 1]."""
    cosine = cosines(table)
    pairs = cosine[np.triu_indices(len(cosine), 1)]
    counts, edges = np.histogram(pairs, n_bins, (-1, 1))
    mean, std = (float(pairs.mean()), float(pairs.std())) if len(pairs) else (0.0, 0.0)
    return Spread(edges, counts, mean, std, table.shape[1] ** -0.5)


def plane(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Rows (n, d) on the plane that keeps most of their variance (principal components).

    -> places (n, 2), and the share of the variance along each of the two directions (2,). A direction's sign is such
    that its largest feature is positive, so that the same rows give the same map.
    """
    rows = np.asarray(rows, "f8")
    centred = rows - rows.mean(0) if len(rows) else rows
    directions, sizes = _directions(centred)
    total = (sizes**2).sum()
    places, shares = np.zeros((len(rows), 2)), np.zeros(2)
    places[:, : len(directions)] = centred @ directions.T
    if total > 0:
        shares[: len(directions)] = sizes[:2] ** 2 / total
    return places, shares


@dataclass(frozen=True)
class Loudness:
    """Root mean square over all features: of token vectors, of the positions added to them, and of the sum."""

    tokens: float
    positions: float
    total: float

    @property
    def ratio(self) -> float:
        """How many times louder the tokens are than the positions."""
        return self.tokens / self.positions


def loudness(
    ids: Sequence[int], vocab_size: int, d_model: int, *, seed: int, narrow: bool = True, scaled: bool = True
) -> Loudness:
    """How loud the vectors of a text are beside its sinusoidal positions.

    narrow   rows of W_e drawn from N(0, 1 / d_model), as TokenEmbedding does; else from N(0, 1)
    scaled   token vectors times sqrt(d_model)

    Expected rms of the tokens: sqrt(d_model) ** (scaled - narrow); of the positions: 1 / sqrt(2), as sin² + cos² = 1.
    """
    embedding = TokenEmbedding(vocab_size, d_model, scaled=scaled, generator=Generator().manual_seed(seed))
    with torch.inference_mode():
        if not narrow:
            embedding.weight.mul_(math.sqrt(d_model))  # the same draws at a standard deviation of 1
        tokens = embedding(torch.tensor([list(ids)], dtype=torch.long))[0].double()  # (T, D)
        positions = sinusoids(len(ids), d_model)
        return Loudness(_rms(tokens), _rms(positions), _rms(tokens + positions))


@dataclass(frozen=True, eq=False)
class Table:
    """One tensor that turns tokens into vectors or back, under all the names by which the model uses it.

    gradient   length of the gradient of every row (V,): 0 where this text teaches it nothing
    """

    names: tuple[str, ...]
    gradient: np.ndarray
    n_parameters: int


@dataclass(frozen=True, eq=False)
class Lesson:
    """What one text would teach an encoder-decoder: the gradient of its loss in every table."""

    tables: tuple[Table, ...]
    loss: float
    n_parameters: int


def lesson(config: TransformerConfig, ids: Sequence[int], seed: int) -> Lesson:
    """One backward pass of an untrained model that is to repeat a text, by torch's autograd.

    The source is the text; the target <bos> and the text, and what is to be predicted the text and <eos>. Tables that
    are the same tensor, by where it is stored, are one table with several names.
    """
    # Pages run where gradients may be off; here they are the point.
    with torch.inference_mode(False), torch.enable_grad():
        model = Transformer(config, Generator().manual_seed(seed))
        source = torch.tensor([list(ids)], dtype=torch.long)
        target = torch.tensor([[BEGIN, *ids]], dtype=torch.long)
        wanted = torch.tensor([*ids, END], dtype=torch.long)
        loss = F.cross_entropy(model(source, target).logits[0], wanted)
        loss.backward()
    output = model.decoder.embedding.weight if model.output.linear is None else model.output.linear.weight
    named = {
        "source": model.encoder.embedding.weight,
        "target": model.decoder.embedding.weight,
        "output": output,
    }
    by_storage: dict[int, list[str]] = {}
    for name, weight in named.items():
        by_storage.setdefault(weight.data_ptr(), []).append(name)
    tables = tuple(
        Table(tuple(names), _row_gradients(named[names[0]]), named[names[0]].numel()) for names in by_storage.values()
    )
    return Lesson(tables, loss.item(), sum(p.numel() for p in model.parameters()))


def _row_gradients(table: Tensor) -> np.ndarray:
    """The length of the gradient of every row of a table (V, D) after a backward pass, (V,)."""
    assert table.grad is not None
    return table.grad.norm(dim=1).numpy()


def _rms(x: Tensor) -> float:
    return x.square().mean().sqrt().item() if x.numel() else 0.0


def _numpy(tensor: Tensor) -> np.ndarray:
    return tensor.detach().float().contiguous().numpy()


def drift(tables: np.ndarray) -> np.ndarray:
    """Tables of the same V >= 2 rows at several times, (N, V, d >= 2), on the plane of the last. -> (N, V, 2)

    One plane for all times, so that what moves on the map has moved in the table.
    """
    tables = np.asarray(tables, "f8")
    middle = tables[-1].mean(0)
    directions, _ = _directions(tables[-1] - middle)
    return (tables - middle) @ directions.T


def _directions(centred: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The two directions of most variance (2, d), each with its largest feature positive; all singular values."""
    _, sizes, directions = np.linalg.svd(centred, full_matrices=False)
    directions = directions[:2]
    largest = np.abs(directions).argmax(1)
    return directions * np.sign(directions[np.arange(len(directions)), largest])[:, None], sizes
