"""Why scores are divided by sqrt(d_k): variances, entropies, and the gradient against its closed form."""

import numpy as np
import pytest
import torch

from transformer.inspection.saturation import N_KEYS, WIDTHS, Saturation, saturation, sweep

Sweeps = dict[bool, list[Saturation]]


@pytest.fixture(scope="module")
def sweeps() -> Sweeps:
    return sweep(seed=0)


@pytest.mark.slow
def test_the_variance_of_q_k_is_the_width(sweeps: Sweeps) -> None:
    for at in sweeps[False]:
        # 768 x 16 products; sets of them share a query or a key, so the error is a little above sqrt(2 / N).
        assert at.variance == pytest.approx(at.d_k, rel=0.13), at.d_k
        assert at.scores.var() == pytest.approx(at.variance, rel=1e-3)


def test_divided_the_spread_stays_one(sweeps: Sweeps) -> None:
    for at, raw in zip(sweeps[True], sweeps[False], strict=True):
        assert at.scores.var() == pytest.approx(1, rel=0.13)
        np.testing.assert_allclose(at.scores * np.sqrt(at.d_k), raw.scores, rtol=1e-4, atol=1e-4)


def test_without_the_division_softmax_saturates(sweeps: Sweeps) -> None:
    raw = {at.d_k: at for at in sweeps[False]}
    entropies = [at.entropy for at in sweeps[False]]
    assert entropies == sorted(entropies, reverse=True)
    assert raw[1].entropy == pytest.approx(0.88, abs=0.02)
    assert raw[1024].entropy == pytest.approx(0.03, abs=0.01)
    assert raw[1024].largest > 0.95
    assert raw[1].gradient == pytest.approx(0.28, abs=0.02)
    assert raw[1024].gradient == pytest.approx(0.05, abs=0.01)


def test_with_it_nothing_of_the_kind(sweeps: Sweeps) -> None:
    for at in sweeps[True][4:]:
        assert at.entropy == pytest.approx(0.85, abs=0.01)
        assert at.largest == pytest.approx(0.245, abs=0.01)
        assert at.gradient == pytest.approx(0.30, abs=0.01)


@pytest.mark.parametrize("scaled", [True, False])
@pytest.mark.parametrize("d_k", [1, 8, 64])
def test_the_gradient_is_diag_w_minus_w_w(d_k: int, scaled: bool) -> None:
    at = saturation(d_k, scaled, seed=3)
    rows = at.scores.reshape(-1, N_KEYS).astype(float)
    powers = np.exp(rows - rows.max(1, keepdims=True))
    weights = powers / powers.sum(1, keepdims=True)
    jacobian = np.einsum("ni,ij->nij", weights, np.eye(N_KEYS)) - np.einsum("ni,nj->nij", weights, weights)
    assert at.gradient == pytest.approx(np.sqrt((jacobian**2).sum((1, 2))).mean(), rel=1e-4)
    np.testing.assert_allclose(at.weights, -np.sort(-weights, axis=1).mean(0), rtol=1e-4, atol=1e-7)
    positive = np.where(weights > 0, weights, 1)
    entropy = -(positive * np.log(positive)).sum(1).mean() / np.log(N_KEYS)
    assert at.entropy == pytest.approx(entropy, rel=1e-3)


def test_the_same_seed_draws_the_same_and_touches_no_shared_randomness() -> None:
    state = torch.random.get_rng_state()
    a, b, c = saturation(4, True, 1), saturation(4, True, 1), saturation(4, True, 2)
    assert np.array_equal(a.scores, b.scores)
    assert not np.array_equal(a.scores, c.scores)
    assert torch.equal(torch.random.get_rng_state(), state)


def test_widths_and_nonsense() -> None:
    assert WIDTHS[0] == 1
    assert WIDTHS[-1] == 1024
    with pytest.raises(ValueError, match="at least 1"):
        saturation(0, True)


def test_inside_inference_mode_of_a_caller_it_still_differentiates() -> None:
    with torch.no_grad():
        assert saturation(2, True).gradient > 0.2
