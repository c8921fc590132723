"""A linear classifier: its gradient and its optimum are torch's, whatever the vectors."""

import numpy as np
import pytest
import torch
import torch.nn.functional as F

from transformer.core.checks import InputError
from transformer.training import classifier
from transformer.training.classifier import descend, optimum


def drawn(n: int, D: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Vectors of which some are alike, far from zero, and answers that depend on them and on chance."""
    rng = np.random.default_rng(seed)
    x = 3 + rng.normal(size=(n, D)) * rng.uniform(0.01, 5, D)
    x[-1] = x[0]
    y = x[:, 0] + rng.normal(size=n) > np.median(x[:, 0])
    y[:2] = (True, False)
    return x, y


def loss_in_torch(w: torch.Tensor, b: torch.Tensor, x: np.ndarray, y: np.ndarray, decay: float) -> torch.Tensor:
    centred = torch.tensor(x) - torch.tensor(x).mean(0)
    z = centred / centred.square().sum(1).mean().sqrt() @ w + b
    return F.binary_cross_entropy_with_logits(z, torch.tensor(y, dtype=torch.float64)) + decay / 2 * w @ w


def gradient_in_torch(w: np.ndarray, b: float, x: np.ndarray, y: np.ndarray, decay: float) -> tuple[np.ndarray, float]:
    leaf, bias = torch.tensor(w, requires_grad=True), torch.tensor(b, dtype=torch.float64, requires_grad=True)
    of_w, of_b = torch.autograd.grad(loss_in_torch(leaf, bias, x, y, decay), (leaf, bias))
    return of_w.numpy(), float(of_b)


@pytest.mark.parametrize(("n", "D", "decay", "seed"), [(8, 384, 0.01, 0), (64, 5, 0.1, 1), (40, 200, 0.001, 2)])
def test_every_step_goes_against_torchs_gradient_and_the_optimum_has_none(n: int, D: int, decay: float, seed: int):
    x, y = drawn(n, D, seed)
    path = descend(x, y, decay, steps=40)
    for step in (0, 1, 39):
        of_w, of_b = gradient_in_torch(path.w[step], path.b[step], x, y, decay)
        np.testing.assert_allclose(path.w[step + 1], path.w[step] - classifier.RATE * of_w, atol=1e-12)
        assert path.b[step + 1] == pytest.approx(path.b[step] - classifier.RATE * of_b, abs=1e-12)
    best = optimum(x, y, decay)
    of_w, of_b = gradient_in_torch(best.w, best.b, x, y, decay)
    assert np.abs(of_w).max() < 1e-8
    assert abs(of_b) < 1e-8


def test_it_is_where_torchs_own_search_ends_and_where_descent_leads():
    x, y = drawn(30, 12, 3)
    w = torch.zeros(12, dtype=torch.float64, requires_grad=True)
    b = torch.zeros((), dtype=torch.float64, requires_grad=True)
    search = torch.optim.LBFGS(
        [w, b],
        max_iter=500,
        tolerance_grad=1e-12,
        tolerance_change=1e-14,
        history_size=50,
        line_search_fn="strong_wolfe",
    )

    def closure():
        search.zero_grad()
        loss = loss_in_torch(w, b, x, y, 0.01)
        loss.backward()
        return loss

    search.step(closure)
    best = optimum(x, y, 0.01)
    np.testing.assert_allclose(best.w, w.detach().numpy(), atol=1e-5)
    assert best.b == pytest.approx(b.item(), abs=1e-5)
    path = descend(x, y, 0.01, steps=3000)
    np.testing.assert_allclose(path.w[-1], best.w, atol=1e-4)
    regularised = [path.at(step).loss(x, y) + 0.005 * path.w[step] @ path.w[step] for step in range(200)]
    assert np.diff(regularised).max() <= 1e-12  # no step is too long
    np.testing.assert_allclose(
        classifier.log_losses(path.logits(x), y)[:200], [path.at(n).loss(x, y) for n in range(200)]
    )


def test_probabilities_and_losses_of_any_logit_are_finite():
    x = np.array([[-1e6], [0.0], [1e6]])
    fit = optimum(np.array([[0.0], [0.0], [1.0], [1.0]]), np.array([False, False, True, True]))
    np.testing.assert_allclose(fit.probabilities(x), [0, fit.probabilities(x)[1], 1], atol=1e-12)
    assert np.isfinite(fit.loss(x, np.array([True, True, False])))
    assert fit.accuracy(x, np.array([False, True, True])) == pytest.approx(2 / 3)


def test_vectors_that_are_all_alike_give_the_share_of_yes():
    fit = optimum(np.ones((4, 3)), np.array([True, True, True, False]))
    np.testing.assert_allclose(fit.probabilities(np.ones((1, 3))), [0.75], atol=1e-6)


@pytest.mark.parametrize(
    ("y", "decay"), [([True, True, True], 0.01), ([True, False], 0.01), ([True, False, True], 0.0)]
)
def test_what_cannot_be_learned_is_refused(y: list[bool], decay: float):
    for train in (optimum, descend):
        with pytest.raises(InputError):
            train(np.eye(3), np.array(y), decay)
