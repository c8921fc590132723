"""A decision tree over tokens: each node asks whether one place of the text holds one token; its leaves answer.

Grown greedily by Gini impurity, as CART is (Breiman et al. 1984).
"""

from typing import NamedTuple

import numpy as np


class Tree(NamedTuple):
    """A leaf, which says `answer`; or a node, which asks whether token `place` is `token`."""

    answer: int
    place: int = -1
    token: int = -1
    yes: "Tree | None" = None
    no: "Tree | None" = None


def best_question(ids: np.ndarray, wanted: np.ndarray, n_answers: int, vocab_size: int) -> tuple[float, int, int]:
    """(gain, place, token) of the question that makes answers purest: ids (N, T), wanted (N,) below n_answers.

    The gain is N times the Gini impurity before, minus the same of both sides: 0 where no question helps.
    """
    T = ids.shape[1]
    cells = (np.arange(T) * vocab_size + ids) * n_answers + wanted[:, None]  # (N, T)
    yes = np.bincount(cells.ravel(), minlength=T * vocab_size * n_answers).reshape(T, vocab_size, n_answers)
    total = np.bincount(wanted, minlength=n_answers)
    gain = _purity(yes) + _purity(total - yes) - _purity(total)  # (T, V)
    place, token = np.unravel_index(int(gain.argmax()), gain.shape)
    return float(gain[place, token]), int(place), int(token)


def _purity(counts: np.ndarray) -> np.ndarray:
    """The sum of squares of counts (..., n_answers) over their sum; 0 for none: N minus N times the impurity."""
    return (counts.astype(float) ** 2).sum(-1) / np.maximum(counts.sum(-1), 1)


def grow(ids: np.ndarray, wanted: np.ndarray, n_answers: int, vocab_size: int, depth: int) -> Tree:
    """A tree that asks at most `depth` questions one after the other, about texts ids (N, T) with answers (N,)."""
    answer = int(np.bincount(wanted, minlength=n_answers).argmax())
    gain, place, token = best_question(ids, wanted, n_answers, vocab_size) if depth and len(ids) else (0.0, -1, -1)
    if gain <= 1e-9:
        return Tree(answer)
    is_yes = ids[:, place] == token
    sides = (grow(ids[side], wanted[side], n_answers, vocab_size, depth - 1) for side in (is_yes, ~is_yes))
    return Tree(answer, place, token, *sides)


def answers(tree: Tree, ids: np.ndarray) -> np.ndarray:
    """What the tree answers to each text: ids (N, T) -> (N,)."""
    if tree.yes is None or tree.no is None:
        return np.full(len(ids), tree.answer)
    is_yes = ids[:, tree.place] == tree.token
    found = np.empty(len(ids), int)
    found[is_yes], found[~is_yes] = answers(tree.yes, ids[is_yes]), answers(tree.no, ids[~is_yes])
    return found
