"""What is said of an embedding table, against numpy, closed forms and the model itself."""

import math
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from transformer.core.config import TransformerConfig
from transformer.core.embeddings import TokenEmbedding
from transformer.core.model import DecoderModel, EncoderModel
from transformer.inspection import embeddings
from transformer.inspection.embeddings import (
    class_separation,
    cosine_spread,
    gradient_by_row,
    lookup,
    neighbours,
    plane,
    rms_by_source,
    shuffle_ids,
)
from transformer.inspection.geometry import cosines

V, D = 40, 12
IDS = [5, 7, 9, 7, 20]


def rng(seed=0):
    return torch.Generator().manual_seed(seed)


def config(**changes: Any) -> TransformerConfig:
    sizes: dict[str, Any] = {"vocab_size": V, "d_model": D, "n_heads": 1, "n_encoder_layers": 1, "n_decoder_layers": 1}
    return TransformerConfig(**sizes | changes)


@given(st.lists(st.integers(0, V - 1), max_size=30), st.integers(1, 33))
def test_one_hot_times_the_table_is_the_picked_row(ids, d):
    embedding = TokenEmbedding(V, d, generator=rng())
    result = lookup(embedding, ids)
    W = embedding.weight.detach().numpy()
    assert result.difference < 1e-6
    assert np.array_equal(result.table, W)
    assert np.array_equal(result.rows, W[ids].reshape(-1, d))
    assert np.array_equal(np.eye(V, dtype="f4")[ids].reshape(-1, V) @ W, result.rows)


def test_a_product_that_differs_would_be_reported():
    class Wrong(TokenEmbedding):
        def one_hot(self, ids):
            return super().one_hot((ids + 1) % V)

    assert lookup(Wrong(V, D, generator=rng()), IDS).difference > 0.01


@pytest.mark.parametrize("seed", range(3))
def test_ids_are_only_names(seed):
    model = EncoderModel(config(n_encoder_layers=2), rng(seed)).eval()
    before = model.encoder.embedding.weight.detach().clone()
    result = shuffle_ids(model, IDS, seed)
    assert sorted(result.new) == list(range(V))
    assert np.all(result.new != np.arange(V)), "no id stays"
    assert np.array_equal(result.table[result.new], before.numpy())
    assert torch.equal(model.encoder.embedding.weight, before), "the model is left as it was"
    assert result.change <= 1e-5 * result.largest
    assert result.largest == pytest.approx(model(torch.tensor([IDS])).logits.abs().max().item())


@pytest.mark.parametrize("tie_output", [True, False])
def test_ids_are_only_names_to_a_decoder_too(tie_output):
    model = DecoderModel(config(n_decoder_layers=2, tie_output=tie_output), rng()).eval()
    result = shuffle_ids(model, IDS, 0)
    assert result.change <= 1e-5 * result.largest
    assert result.largest == pytest.approx(model(torch.tensor([IDS])).logits.abs().max().item())


def test_the_change_would_be_seen_if_the_rows_stayed_where_they_are(monkeypatch):
    model = EncoderModel(config(), rng()).eval()
    monkeypatch.setattr(torch.Tensor, "__setitem__", lambda self, at, value: None)
    assert shuffle_ids(model, IDS, 0).change > 0.1


@given(st.integers(1, 8), st.integers(1, 9), st.integers(0, 99))
def test_cosines_in_float64(n, d, seed):
    rows = np.random.default_rng(seed).normal(size=(n, d))
    expected = [[a @ b / math.sqrt((a @ a) * (b @ b)) for b in rows] for a in rows]
    assert np.allclose(cosines(rows), expected, atol=1e-12)


def test_cosines_of_known_angles():
    rows = np.array([[1, 0], [0, 2], [3, 3], [-1, 0], [0, 0]])
    half = math.sqrt(0.5)
    assert np.allclose(cosines(rows)[0], [1, 0, half, -1, 0])


def test_neighbours_are_in_order_and_leave_the_row_itself_out():
    table = np.array([[1, 0], [0, 1], [2, 0.1], [-1, 0], [1, 1]])
    result = neighbours(table, 0, 3)
    assert [id for id, _ in result] == [2, 4, 1]
    assert [value for _, value in result] == pytest.approx([2 / math.sqrt(4.01), math.sqrt(0.5), 0])
    assert len(neighbours(table, 0, 99)) == 4


@pytest.mark.slow
@pytest.mark.parametrize("d", [4, 16, 64, 256])
def test_random_rows_are_nearly_orthogonal(d):
    table = TokenEmbedding(1000, d, generator=rng()).weight.detach().numpy()
    result = cosine_spread(table)
    pairs = cosines(table)[np.triu_indices(1000, 1)]
    assert result.expected == 1 / math.sqrt(d)
    assert result.std == pytest.approx(result.expected, rel=0.02)
    assert result.std == pytest.approx(pairs.std())
    assert abs(result.mean) < 0.01


def test_an_untrained_table_has_no_order_of_meaning():
    """king-queen is above king-table for about half of the seeds."""
    above = 0
    for seed in range(200):
        cosine = cosines(TokenEmbedding(3, 64, generator=rng(seed)).weight.detach().numpy())
        above += cosine[0, 1] > cosine[0, 2]
    assert 70 < above < 130


def test_the_plane_is_that_of_principal_components():
    rows = np.random.default_rng(0).normal(size=(30, 6)) * [5, 1, 3, 1, 1, 1]
    places, _, shares = plane(rows)
    values = np.linalg.eigvalsh(np.cov(rows.T, bias=True))[::-1]
    assert np.allclose(shares, values[:2] / values.sum())
    assert np.allclose(places.var(0), values[:2])
    assert np.allclose(places.mean(0), 0)


@pytest.mark.parametrize("shape", [(0, 4), (1, 4), (2, 4), (3, 1), (5, 3)])
def test_few_rows_have_a_plane_as_well(shape):
    places, _, shares = plane(np.ones(shape))
    assert places.shape == (shape[0], 2)
    assert not shares.any()


def test_two_rows_are_as_far_apart_as_they_are():
    rows = np.random.default_rng(1).normal(size=(2, 9))
    places, _, shares = plane(rows)
    assert np.linalg.norm(places[0] - places[1]) == pytest.approx(np.linalg.norm(rows[0] - rows[1]))
    assert shares[0] == pytest.approx(1)


@pytest.mark.parametrize("d", [16, 64, 512])
@pytest.mark.parametrize(("narrow", "scaled"), [(True, True), (True, False), (False, True), (False, False)])
def test_rms_in_closed_form(d, narrow, scaled):
    ids = list(range(400))
    result = rms_by_source(ids, 400, d, seed=0, narrow=narrow, scaled=scaled)
    std = d**-0.5 if narrow else 1
    assert result.tokens == pytest.approx(std * (math.sqrt(d) if scaled else 1), rel=0.03)
    assert result.positions == pytest.approx(math.sqrt(0.5))
    assert result.total == pytest.approx(math.hypot(result.tokens, result.positions), rel=0.03)
    assert result.ratio == result.tokens / result.positions


def test_drowned_positions_at_512():
    ids = list(range(400))
    assert rms_by_source(ids, 400, 512, seed=0, narrow=False).ratio == pytest.approx(32, rel=0.02)
    assert rms_by_source(ids, 400, 512, seed=0).ratio == pytest.approx(1.41, rel=0.02)


def test_the_rms_is_that_of_the_text():
    result = rms_by_source(IDS, V, D, seed=3)
    rows = TokenEmbedding(V, D, generator=rng(3)).weight.detach().numpy()[IDS].astype("f8")
    assert result.tokens == pytest.approx(math.sqrt(D) * np.sqrt((rows**2).mean()))


# ---- what learns -----------------------------------------------------------------------------------------------

READ, WRITTEN = {5, 7, 9, 20}, {1, 5, 7, 9, 20}  # the target begins with <bos>, id 1
ALL = set(range(V))


@pytest.mark.parametrize(
    ("tie_output", "tie_source", "tables"),
    [
        (False, False, {("source",): READ, ("target",): WRITTEN, ("output",): ALL}),
        (False, True, {("source", "target"): WRITTEN, ("output",): ALL}),
        (True, False, {("source",): READ, ("target", "output"): ALL}),
        (True, True, {("source", "target", "output"): ALL}),
    ],
)
def test_only_rows_that_are_read_get_a_gradient(tie_output, tie_source, tables):
    result = gradient_by_row(config(tie_output=tie_output, tie_source=tie_source), IDS, 0)
    assert {table.names: set(np.flatnonzero(table.gradient)) for table in result.tables} == tables
    assert all(table.n_parameters == V * D for table in result.tables)


def test_parameters_are_counted_once():
    def count(**ties):
        return gradient_by_row(config(**ties), IDS, 0).n_parameters

    separate = count(tie_output=False, tie_source=False)
    assert separate - count(tie_output=True, tie_source=False) == V * D + V  # with the bias of the output map
    assert separate - count(tie_output=False, tie_source=True) == V * D
    assert separate - count(tie_output=True, tie_source=True) == 2 * V * D + V


def test_the_gradient_is_that_of_the_loss():
    """A small step along it lowers the loss as much as its length says."""
    import torch.nn.functional as F

    from transformer.core.model import Transformer

    result = gradient_by_row(config(tie_output=False), IDS, 0)
    model = Transformer(config(tie_output=False), rng()).double()

    def loss():
        logits = model(torch.tensor([IDS]), torch.tensor([[1, *IDS]])).logits[0]
        return F.cross_entropy(logits, torch.tensor([*IDS, 2]))

    before = loss()
    assert result.loss == pytest.approx(before.item(), rel=1e-5)
    before.backward()
    weight = model.encoder.embedding.weight
    row = weight.grad[7].clone()
    assert result.tables[0].gradient[7] == pytest.approx(row.norm().item(), rel=1e-4)
    with torch.no_grad():
        weight[7] -= 1e-4 * row / row.norm()
    assert (before - loss()).item() / 1e-4 == pytest.approx(row.norm().item(), rel=1e-2)


def test_it_works_where_gradients_are_off():
    with torch.inference_mode():
        assert gradient_by_row(config(), IDS, 0).tables[0].gradient.any()


def test_an_order_is_counted_by_hand():
    rows = np.array([[1.0, 0.0], [1.0, 0.1], [0.0, 1.0], [0.1, 1.0], [1.0, 0.8]])
    kinds = [0, 0, 1, 1, 1]
    result = class_separation(rows, kinds)
    units = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    pairs = [(i, j) for i in range(5) for j in range(5) if i != j]
    assert result.within == pytest.approx(np.mean([units[i] @ units[j] for i, j in pairs if kinds[i] == kinds[j]]))
    assert result.between == pytest.approx(np.mean([units[i] @ units[j] for i, j in pairs if kinds[i] != kinds[j]]))
    assert result.nearest == pytest.approx(0.8)  # the last lies nearest to one of the other kind
    for wrong in ([0] * 5, range(5)):
        with pytest.raises(ValueError, match="two kinds"):
            class_separation(rows, wrong)


def test_kinds_part_on_the_plane_where_the_nearest_two_are_furthest_apart() -> None:
    """Four middles at the corners of a square, far from the plane that keeps most variance; they are found again."""
    rng = np.random.default_rng(0)
    corners = np.zeros((4, 6))
    corners[:, 2:4] = [[1, 1], [1, -1], [-1, 1], [-1, -1]]
    corners[0, 5] = 9.0  # the largest difference of all says nothing of the other three
    groups = [corner + 0.01 * rng.standard_normal((20, 6)) for corner in corners]
    axes = embeddings.parting_axes(groups)
    assert axes.T @ axes == pytest.approx(np.eye(2), abs=1e-9)
    places = np.stack([group.mean(0) @ axes for group in groups])
    apart = np.linalg.norm(places[:, None] - places, axis=-1)[np.triu_indices(4, 1)].min()
    usual = np.stack([group.mean(0) for group in groups]) @ embeddings.plane(np.concatenate(groups)).axes
    assert apart > np.linalg.norm(usual[:, None] - usual, axis=-1)[np.triu_indices(4, 1)].min()
    assert apart > 1.95
    assert np.array_equal(axes, embeddings.parting_axes(groups)), "always the same"


def test_two_kinds_are_told_apart_by_the_middles_of_others() -> None:
    one, other = np.array([[0.0, 0], [0, 2]]), np.array([[4.0, 0], [4, 2]])
    assert embeddings.told_apart(one, other, np.array([[1.9, 50], [2.1, 0]]), np.array([[2.1, -9]])) == 2
