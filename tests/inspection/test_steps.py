"""Attention stage by stage, against numpy in float64, torch's own function, and exact fractions."""

import math
from fractions import Fraction

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import ArrayLike

from transformer.core.attention import masked_softmax
from transformer.core.config import TransformerConfig
from transformer.core.masks import causal
from transformer.core.model import EncoderModel
from transformer.core.taps import Recorder
from transformer.inspection.steps import MAX_NUMBER, Matrix, head_steps, random_matrices, steps

CONFIG = TransformerConfig(d_model=24, n_heads=3, n_encoder_layers=2, vocab_size=50)
numbers = st.floats(-5, 5, allow_nan=False, width=32)
matrices = st.lists(st.lists(numbers, min_size=4, max_size=4), min_size=3, max_size=3)


def by_hand(q: ArrayLike, k: ArrayLike, v: ArrayLike, allowed: np.ndarray | None = None) -> dict[str, np.ndarray]:
    """The same in numpy, one stage from the one before it."""
    q, k, v = (np.asarray(x, float) for x in (q, k, v))
    stages = {"scores": np.einsum("td,sd->ts", q, k)}
    stages["scaled"] = last = stages["scores"] / np.sqrt(q.shape[1])
    if allowed is not None:
        stages["masked"] = last = np.where(allowed, last, -np.inf)
    powers = np.exp(last - last.max(1, keepdims=True))
    stages["weights"] = powers / powers.sum(1, keepdims=True)
    stages["output"] = stages["weights"] @ v
    return stages


@given(matrices, matrices, matrices, st.booleans())
def test_every_stage_equals_numpy_and_the_last_equals_torch(q: Matrix, k: Matrix, v: Matrix, masked: bool) -> None:
    allowed = causal(3).numpy() if masked else None
    result = steps(q, k, v, allowed)
    truth = by_hand(q, k, v, allowed)
    assert list(result.stages) == list(truth)
    for name, matrix in truth.items():
        np.testing.assert_allclose(result.stages[name], matrix, rtol=1e-12, atol=1e-12, err_msg=name)
    mask = None if allowed is None else torch.from_numpy(allowed)
    torchs = F.scaled_dot_product_attention(
        *(torch.tensor([x], dtype=torch.float64) for x in (q, k, v)), attn_mask=mask
    )
    np.testing.assert_allclose(result.stages["output"], torchs[0].numpy(), rtol=1e-9, atol=1e-9)


@given(matrices, matrices, matrices)
def test_the_output_is_as_long_as_the_input_and_in_the_hull_of_the_values(q: Matrix, k: Matrix, v: Matrix) -> None:
    result = steps(q, k, v)
    weights, output, values = result.stages["weights"], result.stages["output"], np.array(v)
    assert output.shape == (len(q), len(v[0]))
    assert np.all(weights >= 0)
    np.testing.assert_allclose(weights.sum(1), 1)
    # A point is in a hull exactly if it passes no side: no direction sees it farther out than every value.
    directions = np.random.default_rng(0).normal(size=(200, 4))
    assert np.all(output @ directions.T <= (values @ directions.T).max(0) + 1e-9)


def test_a_cell_is_the_sum_of_its_products() -> None:
    q, k = [[1, 2, 3, 4]], [[5, -6, 7, 0], [1, 1, 1, 1]]
    assert steps(q, k, k).stages["scores"].tolist() == [[1 * 5 - 2 * 6 + 3 * 7 + 4 * 0, 10]]


def test_blocked_cells_weigh_exactly_nothing() -> None:
    q, k, v = random_matrices(3)
    result = steps(q, k, v, causal(3).numpy())
    assert np.all(result.stages["masked"][~result.mask] == -np.inf)
    assert np.all(result.stages["weights"][~result.mask] == 0)
    np.testing.assert_array_equal(result.stages["output"][0], v[0])


@pytest.mark.parametrize("bad", [math.nan, math.inf, MAX_NUMBER * 1.01])
@pytest.mark.parametrize("which", [0, 1, 2])
def test_what_is_not_a_sane_number_is_refused(bad: float, which: int) -> None:
    q, k, v = ([list(row) for row in matrix] for matrix in random_matrices(0))
    (q, k, v)[which][1][2] = bad
    with pytest.raises(ValueError, match="may hold numbers from -100 to 100 only"):
        steps(q, k, v)


def test_matrices_that_do_not_fit_are_refused() -> None:
    with pytest.raises(ValueError, match="equally long"):
        steps([[1, 2]], [[1, 2, 3]], [[1]])
    with pytest.raises(ValueError, match="one value"):
        steps([[1, 2]], [[1, 2]], [[1], [2]])
    with pytest.raises(ValueError, match="rows and columns"):
        steps([], [[1]], [[1]])


@pytest.fixture(scope="module")
def model() -> EncoderModel:
    return EncoderModel(CONFIG, torch.Generator().manual_seed(1)).eval()


@pytest.mark.parametrize(("layer", "head"), [(0, 0), (1, 2)])
@pytest.mark.parametrize("masked", [False, True])
def test_a_head_of_a_model(model: EncoderModel, layer: int, head: int, masked: bool) -> None:
    """q is x W_q + b, cut to the head; each stage follows from the one before; `heads` is what comes out."""
    ids = [3, 1, 4, 1, 5]
    mask = causal(5) if masked else None
    result = head_steps(model, ids, head, layer, mask)
    recorder = Recorder()
    with torch.no_grad():
        model(torch.tensor([ids]), mask, tap=recorder)
        attention = model.encoder.layers[layer].self_attn
        x = model.encoder.layers[layer].norm1(recorder[f"encoder.{layer}.residual_in"][0]).double()
        columns = slice(head * 8, head * 8 + 8)
        for matrix, linear in zip(
            (result.q, result.k, result.v), (attention.w_q, attention.w_k, attention.w_v), strict=True
        ):
            mapped = x @ linear.weight.double().T + linear.bias.double()
            np.testing.assert_allclose(matrix, mapped[:, columns].numpy(), atol=1e-5)
    for name, matrix in by_hand(result.q, result.k, result.v, None if mask is None else mask.numpy()).items():
        np.testing.assert_allclose(result.stages[name], matrix, atol=1e-5, err_msg=name)
    np.testing.assert_array_equal(
        result.stages["output"], recorder[f"encoder.{layer}.self_attn.heads"][0, head].numpy()
    )


@pytest.mark.parametrize(("layer", "head"), [(2, 0), (0, 3), (0, -1)])
def test_there_is_no_such_head(model: EncoderModel, layer: int, head: int) -> None:
    with pytest.raises(IndexError, match="there is no head"):
        head_steps(model, [1, 2], head, layer)


def softmax(scores: ArrayLike) -> np.ndarray:
    return masked_softmax(torch.from_numpy(np.asarray(scores, dtype=float))).numpy()


def test_softmax_of_logarithms_is_exact_fractions() -> None:
    counts = [[1, 2, 5], [7, 7, 14]]
    weights = softmax(np.log(counts))
    for row, numbers in zip(weights, counts, strict=True):
        exact = [Fraction(n, sum(numbers)) for n in numbers]
        np.testing.assert_allclose(row, [float(f) for f in exact], rtol=1e-15)
    # Temperature 1/2 squares the counts, 2 takes their roots.
    np.testing.assert_allclose(softmax(np.log(counts) / 0.5)[0], np.array([1, 4, 25]) / 30)


@given(st.lists(st.lists(numbers, min_size=3, max_size=3), min_size=3, max_size=3), st.floats(-50, 50))
def test_what_is_added_to_all_scores_changes_nothing(scores: list[list[float]], add: float) -> None:
    np.testing.assert_allclose(softmax(np.array(scores) + add), softmax(scores), atol=1e-9)


def test_the_wrong_axis_gives_columns_that_sum_to_one_and_rows_that_do_not() -> None:
    scores = np.array([[1.5, 0, 1], [0, 2, 1], [1, 0.5, 1]])
    wrong = softmax(scores.T).T
    np.testing.assert_allclose(wrong.sum(0), 1)
    assert np.abs(wrong.sum(1) - 1).max() > 0.05
    np.testing.assert_allclose(wrong, np.exp(scores) / np.exp(scores).sum(0))


def test_temperature_goes_from_one_key_to_all_alike() -> None:
    row = np.array([[1.0, 2.0, 4.0]])
    np.testing.assert_allclose(softmax(row / 0.01), [[0, 0, 1]], atol=1e-12)
    np.testing.assert_allclose(softmax(row / 1e6), 1 / 3, atol=1e-5)


def test_random_matrices_are_the_same_every_time_and_short() -> None:
    assert random_matrices(5) == random_matrices(5) != random_matrices(6)
    assert all(round(x, 1) == x for matrix in random_matrices(5) for row in matrix for x in row)
