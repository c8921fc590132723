"""Embedding tables: the row that an id picks, cosines of rows, their size beside positions, and their gradients."""

import copy
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
import torch.nn.functional as F
from torch import Generator, Tensor

from transformer.core.checks import InputError
from transformer.core.config import TransformerConfig
from transformer.core.embeddings import TokenEmbedding
from transformer.core.model import SingleStack, Transformer
from transformer.core.positions import sinusoids
from transformer.inspection.geometry import Plane, cosines, principal_plane
from transformer.inspection.run import Text, ids_of, one_text

BEGIN, END = 1, 2  # <bos> and <eos> in every vocabulary of training.text


@dataclass(frozen=True, eq=False)
class Lookup:
    """E = X W_e for one text.

    table       W_e (V, d_model)
    rows        the rows that the ids pick, (T, d_model)
    difference  the largest between them and the product of the one-hot rows with W_e
    """

    table: np.ndarray
    rows: np.ndarray
    difference: float


def lookup(embedding: TokenEmbedding, ids: Text) -> Lookup:
    """Both ways from ids to vectors, before any scale: X W_e with one-hot X (T, V), and picking rows of W_e."""
    with torch.inference_mode():
        batch = one_text(ids)  # (1, T)
        product = embedding.one_hot(batch)[0] @ embedding.weight  # (T, D)
        rows = embedding.weight[batch[0]]
    return Lookup(_numpy(embedding.weight), _numpy(rows), float((product - rows).abs().max()) if len(rows) else 0.0)


@dataclass(frozen=True, eq=False)
class ShuffledIds:
    """A model after all ids were permuted and the rows of W_e moved with them.

    new      the new id of every old one, (V,)
    table    W_e with its rows in their new places: table[new] is the old one
    change   the largest change of any logit of the model
    largest  the largest logit of the model
    """

    new: np.ndarray
    table: np.ndarray
    change: float
    largest: float


def shuffle_ids(model: SingleStack, ids: Text, seed: int) -> ShuffledIds:
    """Permute all ids with this seed so that none stays what it is, move the rows of W_e along (and those of an output
    map of its own), and run the model on the text in its new ids.

    The model itself does not change.
    """
    old = model.stack.embedding.weight
    order = torch.randperm(len(old), generator=Generator().manual_seed(seed))  # (V,)
    new = order.scatter(0, order, order.roll(-1))  # one ring: each id takes that of the next
    shuffled = copy.deepcopy(model)
    with torch.inference_mode():
        shuffled.stack.embedding.weight[new] = old
        rows, bias = shuffled.output.rows(shuffled.stack.embedding)
        for parameter in (None if shuffled.output.linear is None else rows, bias):
            if parameter is not None:
                parameter[new] = parameter.clone()
        batch = one_text(ids)
        logits = model(batch).logits  # (1, T, V)
        moved = shuffled(new[batch]).logits[..., new]  # the column of an old id is now that of its new one
    change = (logits - moved).abs().max().item() if logits.numel() else 0.0
    largest = logits.abs().max().item() if logits.numel() else 0.0
    return ShuffledIds(new.numpy(), _numpy(shuffled.stack.embedding.weight), change, largest)


@dataclass(frozen=True)
class Separation:
    """Whether rows of one kind lie closer to each other than to rows of another kind.

    within, between   mean cosine of two different rows of one kind, and of two rows of different kinds
    nearest           share of rows whose nearest other row is of their own kind
    """

    within: float
    between: float
    nearest: float


def class_separation(rows: np.ndarray, kinds: Sequence[int]) -> Separation:
    """Compare rows (n, d) within and between their n kinds. Raises InputError for fewer than two kinds, and where no
    kind has two rows."""
    cosine, kind = cosines(rows), np.asarray(kinds)
    alike = kind[:, None] == kind[None, :]
    others = ~np.eye(len(kind), dtype=bool)
    if not (alike & others).any() or alike.all():
        raise InputError("it takes at least two kinds, and two rows of one of them")
    nearest = np.where(others, cosine, -np.inf).argmax(1)
    return Separation(
        float(cosine[alike & others].mean()), float(cosine[~alike].mean()), float((kind[nearest] == kind).mean())
    )


def neighbours(table: np.ndarray, id: int, k: int) -> list[tuple[int, float]]:
    """The k other rows with the largest cosines to this one, as (id, cosine), nearest first."""
    table = np.asarray(table, "f8")
    lengths = np.linalg.norm(table, axis=1) * np.linalg.norm(table[id])
    cosine = np.divide(table @ table[id], lengths, out=np.zeros(len(table)), where=lengths > 0)
    ranking = [int(other) for other in np.argsort(-cosine, kind="stable") if other != id]
    return [(other, float(cosine[other])) for other in ranking[:k]]


@dataclass(frozen=True, eq=False)
class CosineSpread:
    """Cosines of all pairs of different rows: their mean and standard deviation.

    expected   1 / sqrt(d_model): the standard deviation where all directions are equally likely
    """

    mean: float
    std: float
    expected: float


def cosine_spread(table: np.ndarray) -> CosineSpread:
    """How the cosines of all pairs of rows of a table (V, d) are spread."""
    cosine = cosines(table)
    pairs = cosine[np.triu_indices(len(cosine), 1)]
    mean, std = (float(pairs.mean()), float(pairs.std())) if len(pairs) else (0.0, 0.0)
    return CosineSpread(mean, std, table.shape[1] ** -0.5)


def plane(rows: np.ndarray) -> Plane:
    """Rows (n, d) on the plane that keeps most of their variance; rows all alike have a share of 0.

    Each direction's largest feature is positive, so that the same rows always give the same map.
    """
    rows = np.asarray(rows, "f8")
    if not len(rows) or not (rows != rows[0]).any():
        return Plane(np.zeros((len(rows), 2)), np.zeros((rows.shape[1], 2)), np.zeros(2))
    places, axes, shares = principal_plane(rows)
    signs = np.sign(np.take_along_axis(axes, np.abs(axes).argmax(0)[None], 0))
    return Plane(places * signs, axes * signs, shares)


N_PLANES, N_TURNS = 2_000, 1_500  # that parting_axes tries: at random, and around the best of them


def parting_axes(groups: Sequence[np.ndarray]) -> np.ndarray:
    """(D, 2) the directions of a plane on which the middles of three groups (n, D) or more lie far apart.

    Of many planes through the middles it is the one where the two that come nearest to each other are furthest apart;
    the same groups always give the same plane.
    """
    middles = np.stack([np.asarray(group, "f8").mean(0) for group in groups])
    centred = middles - middles.mean(0)
    _, sizes, directions = np.linalg.svd(centred, full_matrices=False)
    basis = directions[: max(2, int((sizes > 1e-9 * sizes[0]).sum()))]
    within, rng = centred @ basis.T, np.random.default_rng(0)
    pairs = np.triu_indices(len(groups), 1)

    def nearest(planes: np.ndarray) -> np.ndarray:
        """The least distance of two middles on each of the planes (n, d, 2)."""
        places = within @ planes
        return np.linalg.norm(places[:, pairs[0]] - places[:, pairs[1]], axis=-1).min(-1)

    planes = np.linalg.qr(rng.standard_normal((N_PLANES, len(basis), 2)))[0]
    best = planes[nearest(planes).argmax()]
    for size in np.geomspace(0.3, 0.003, 20):
        turned = np.linalg.qr(best + size * rng.standard_normal((N_TURNS // 20, *best.shape)))[0]
        planes = np.concatenate([best[None], turned])
        best = planes[nearest(planes).argmax()]
    # Turned in itself so that the middles lie across: a map is wider than tall.
    _, _, across = np.linalg.svd(within @ best)
    axes = basis.T @ best @ across.T
    return axes * np.sign(np.take_along_axis(axes, np.abs(axes).argmax(0)[None], 0))


def told_apart(one: np.ndarray, other: np.ndarray, of_one: np.ndarray, of_other: np.ndarray) -> int:
    """How many rows of two kinds lie on the side of their own, where the border is halfway between the middles of rows
    `one` and `other` (n, D), which are none of those that are told apart."""
    middles = np.asarray(one, "f8").mean(0), np.asarray(other, "f8").mean(0)
    direction, halfway = middles[1] - middles[0], (middles[0] + middles[1]) / 2
    return int(((of_one - halfway) @ direction < 0).sum() + ((of_other - halfway) @ direction > 0).sum())


@dataclass(frozen=True)
class SourceRms:
    """Root mean square over all features: of token vectors, of the positions added to them, and of the sum."""

    tokens: float
    positions: float
    total: float

    @property
    def ratio(self) -> float:
        """The rms of the tokens over that of the positions."""
        return self.tokens / self.positions


def rms_by_source(
    ids: Text, vocab_size: int, d_model: int, *, seed: int, narrow: bool = True, scaled: bool = True
) -> SourceRms:
    """The rms of the token vectors of a text and of its sinusoidal positions.

    narrow   rows of W_e drawn from N(0, 1 / d_model), as TokenEmbedding does; else from N(0, 1)
    scaled   token vectors times sqrt(d_model)

    Expected rms of the tokens: sqrt(d_model) ** (scaled - narrow); of the positions: 1 / sqrt(2), as sin² + cos² = 1.
    """
    embedding = TokenEmbedding(vocab_size, d_model, scaled=scaled, generator=Generator().manual_seed(seed))
    with torch.inference_mode():
        if not narrow:
            embedding.weight.mul_(math.sqrt(d_model))  # the same draws at a standard deviation of 1
        tokens = embedding(one_text(ids))[0].double()  # (T, D)
        positions = sinusoids(len(tokens), d_model)
        return SourceRms(_rms(tokens), _rms(positions), _rms(tokens + positions))


@dataclass(frozen=True, eq=False)
class TableGradient:
    """The gradient of one table, under all the names by which the model uses it.

    gradient   length of the gradient of every row (V,)
    """

    names: tuple[str, ...]
    gradient: np.ndarray
    n_parameters: int


@dataclass(frozen=True, eq=False)
class Gradients:
    """The gradient of one text's loss in every embedding table of an encoder-decoder."""

    tables: tuple[TableGradient, ...]
    loss: float
    n_parameters: int


def gradient_by_row(config: TransformerConfig, ids: Text, seed: int) -> Gradients:
    """The row gradients of an untrained model after one backward pass; its task is to repeat the text.

    The source is the text, the target <bos> and the text, and the labels are the text and <eos>. Tables that share
    their storage are one table with several names.
    """
    # Pages run where gradients may be off; here they are the point.
    with torch.inference_mode(False), torch.enable_grad():
        model = Transformer(config, Generator().manual_seed(seed))
        text = ids_of(ids)
        source = torch.tensor([text], dtype=torch.long)
        target = torch.tensor([[BEGIN, *text]], dtype=torch.long)
        labels = torch.tensor([*text, END], dtype=torch.long)
        loss = F.cross_entropy(model(source, target).logits[0], labels)
        loss.backward()
    output, _ = model.output.rows(model.decoder.embedding)
    named = {"source": model.encoder.embedding.weight, "target": model.decoder.embedding.weight, "output": output}
    by_storage: dict[int, list[str]] = {}
    for name, weight in named.items():
        by_storage.setdefault(weight.data_ptr(), []).append(name)
    tables = tuple(
        TableGradient(tuple(names), _row_gradients(named[names[0]]), named[names[0]].numel())
        for names in by_storage.values()
    )
    return Gradients(tables, loss.item(), sum(p.numel() for p in model.parameters()))


def _row_gradients(table: Tensor) -> np.ndarray:
    """The length of the gradient of every row of a table (V, D) after a backward pass, (V,)."""
    assert table.grad is not None
    return table.grad.norm(dim=1).numpy()


def _rms(x: Tensor) -> float:
    return x.square().mean().sqrt().item() if x.numel() else 0.0


def _numpy(tensor: Tensor) -> np.ndarray:
    return tensor.detach().float().contiguous().numpy()
