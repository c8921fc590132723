"""A linear classifier on vectors that stay as they are: logistic regression, step by step or all at once.

    descent = descend(x, y)            # gradient descent, every step of it kept
    descent.at(10).probabilities(new)
    best = optimum(x, y)               # where these steps lead, by Newton's method

Both make the mean of -log p of the right answers small, plus half of `decay` times the square of the weights' length.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from transformer.core.checks import InputError

if TYPE_CHECKING:
    from torch import Tensor

DECAY = 0.01
STEPS = 200
RATE = 2.0  # below 2 / the largest curvature, which is at most (1 + 1) / 4 + decay for vectors of mean square length 1
_TOLERANCE = 1e-9  # of the gradient, where Newton's method ends
_MAX_ROUNDS = 100


class Classifier(NamedTuple):
    """p(yes) = 1 / (1 + exp(-(w . (x - centre) / scale + b))).

    w, centre  (D,)
    scale      the root of the mean square distance of the learned vectors from their centre
    """

    w: np.ndarray
    b: float
    centre: np.ndarray
    scale: float

    def logits(self, x: np.ndarray) -> np.ndarray:
        """x (n, D) -> (n,): above 0 where yes is likelier."""
        return ((x - self.centre) / self.scale) @ self.w + self.b

    def probabilities(self, x: np.ndarray) -> np.ndarray:
        """x (n, D) -> p(yes) (n,)"""
        return sigmoid(self.logits(x))

    def accuracy(self, x: np.ndarray, y: np.ndarray) -> float:
        """The share of x (n, D) that it finds on the side of y (n,)."""
        return float(((self.logits(x) > 0) == y).mean())

    def loss(self, x: np.ndarray, y: np.ndarray) -> float:
        """The mean of -log p of the right answers y (n,), in nats, without the decay."""
        return log_loss(self.logits(x), y)


class Descent(NamedTuple):
    """A training by gradient descent: the weights (steps + 1, D) and b (steps + 1,) before and after every step."""

    w: np.ndarray
    b: np.ndarray
    centre: np.ndarray
    scale: float

    def at(self, step: int) -> Classifier:
        return Classifier(self.w[step], float(self.b[step]), self.centre, self.scale)

    def logits(self, x: np.ndarray) -> np.ndarray:
        """x (n, D) -> (steps + 1, n)"""
        return self.w @ ((x - self.centre) / self.scale).T + self.b[:, None]


def descend(x: np.ndarray, y: np.ndarray, decay: float = DECAY, steps: int = STEPS) -> Descent:
    """Gradient descent from w = 0, b = 0 on all of x (n, D) and y (n,) at every step."""
    centre, scale = _checked(x, y, decay)
    x = (x - centre) / scale
    w, b = np.zeros((steps + 1, x.shape[1])), np.zeros(steps + 1)
    for step in range(steps):
        error = (sigmoid(x @ w[step] + b[step]) - y) / len(y)  # (n,) the gradient with respect to the logits
        w[step + 1] = w[step] - RATE * (error @ x + decay * w[step])
        b[step + 1] = b[step] - RATE * error.sum()
    return Descent(w, b, centre, scale)


def optimum(x: np.ndarray, y: np.ndarray, decay: float = DECAY) -> Classifier:
    """The one classifier with the smallest loss, by Newton's method.

    At the optimum w is a mixture of the n vectors, w = x^T a, so n + 1 numbers are looked for however long a vector is:
    decay a = -(p - y) / n, and the errors p - y have the sum 0.
    """
    import torch  # which keeps to one thread here; numpy's many wait for each other where a machine is busy

    centre, scale = _checked(x, y, decay)
    vectors, wanted = torch.from_numpy((x - centre) / scale), torch.from_numpy(np.asarray(y, float))
    n = len(wanted)
    similarities = vectors @ vectors.T  # (n, n)

    def loss(at: "Tensor") -> float:
        mixed = similarities @ at[:n]
        z = mixed + at[n]
        return float((torch.logaddexp(z, torch.zeros_like(z)) - wanted * z).mean() + decay / 2 * at[:n] @ mixed)

    at = torch.zeros(n + 1, dtype=torch.float64)  # a, and b
    system = torch.zeros(n + 1, n + 1, dtype=torch.float64)
    system[n, :n] = 1.0
    for _ in range(_MAX_ROUNDS):
        z = similarities @ at[:n] + at[n]
        p = z.sigmoid()
        error = (p - wanted) / n
        if max(float((decay * at[:n] + error).abs().max()), abs(float(error.sum()))) < _TOLERANCE:
            break
        curvature = p * (1 - p) / n
        system[:n, :n] = curvature[:, None] * similarities
        system[:n, :n].diagonal().add_(decay)
        system[:n, n] = curvature
        newton = torch.linalg.solve(system, torch.cat([curvature * z - error, error.new_zeros(1)]))
        at = _shortened(loss, at, newton)
    return Classifier((vectors.T @ at[:n]).numpy(), float(at[n]), centre, scale)


def _shortened(loss: Callable[["Tensor"], float], old: "Tensor", new: "Tensor") -> "Tensor":
    """Newton's step from old to new, halved until the loss does not grow: far from the optimum it can be too long."""
    before = loss(old)
    for halvings in range(30):
        step = old + 0.5**halvings * (new - old)
        if loss(step) <= before + 1e-12:
            return step
    return old


def _checked(x: np.ndarray, y: np.ndarray, decay: float) -> tuple[np.ndarray, float]:
    """The centre of x (n, D), and how far from it the vectors are. Raises InputError where nothing can be learned."""
    if len(x) != len(y) or not 0 < float(np.mean(y)) < 1:
        raise InputError("a classifier needs one answer per vector, and both answers at least once")
    if decay <= 0:
        raise InputError(f"decay={decay} must be above 0: without it separable vectors have no optimum")
    centre = x.mean(0)
    return centre, float(np.sqrt(((x - centre) ** 2).sum(1).mean())) or 1.0


def sigmoid(z: np.ndarray) -> np.ndarray:
    """1 / (1 + exp(-z)), for any z."""
    return np.exp(-np.logaddexp(0.0, -z))


def log_losses(z: np.ndarray, y: np.ndarray) -> np.ndarray:
    """The mean of -log p of the answers y (n,) with logits z (..., n), in nats: (...)."""
    return np.logaddexp(0.0, np.where(y, -z, z)).mean(-1)


def log_loss(z: np.ndarray, y: np.ndarray) -> float:
    """The same of one classifier: z (n,)."""
    return float(log_losses(z, y))
