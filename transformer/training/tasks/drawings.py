"""Drawings of a visitor's own, as short codes: what a link holds, and what a model of pictures can be asked.

A code is a stranger's input: it is checked letter by letter before a picture is made of it. Only numpy is needed.
"""

import numpy as np

from transformer.training.tasks.shapes import COLOURS, SIDE

PAPER = (244, 244, 244)
PAINTS = (PAPER, *COLOURS.values())
LETTERS = "abcdefghijklmnopqrstuvwxy"  # each stands for two neighbours, 5 x 5 colours

# Paint on a picture is a layer of the same cells: 0 is bare, 1 to 5 are these.
LAYER_PAINTS = (*COLOURS.values(), PAPER)
LAYER_LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789"  # two neighbours, 6 x 6
BARE = LAYER_LETTERS[0] * (SIDE * SIDE // 2)


def drawing(code: object) -> np.ndarray | None:
    """The picture (SIDE, SIDE, 3) uint8 that this code stands for; None for anything that is no code of a drawing."""
    cells = _cells(code, LETTERS, len(PAINTS))
    return None if cells is None else np.array(PAINTS, np.uint8)[cells]


def painted_over(pixels: np.ndarray, code: object) -> np.ndarray | None:
    """The picture (side, side, 3) uint8 under a layer of paint; None for anything that is no code of one."""
    cells = _cells(code, LAYER_LETTERS, 1 + len(LAYER_PAINTS))
    if cells is None:
        return None
    nearest = np.arange(len(pixels)) * SIDE // len(pixels)
    layer = cells[np.ix_(nearest, nearest)]
    paints = np.array((PAPER, *LAYER_PAINTS), np.uint8)  # the first is never taken
    return np.where(layer[..., None] > 0, paints[layer], pixels)


def _cells(code: object, letters: str, n: int) -> np.ndarray | None:
    """The (SIDE, SIDE) numbers below n of a code whose letters each stand for two; None for anything else."""
    if not isinstance(code, str) or len(code) != SIDE * SIDE // 2 or not set(code) <= set(letters):
        return None
    pairs = np.array([letters.index(letter) for letter in code])
    return np.stack([pairs // n, pairs % n], axis=1).reshape(SIDE, SIDE)


def code_of(cells: np.ndarray) -> str:
    """The code of a drawing, (SIDE, SIDE) numbers of PAINTS."""
    pairs = cells.reshape(-1, 2)
    return "".join(LETTERS[first * len(PAINTS) + second] for first, second in pairs.tolist())


def first_drawing() -> str:
    """What a canvas shows before anybody has drawn: a blue circle."""
    y, x = np.mgrid[:SIDE, :SIDE] + 0.5
    cells = np.zeros((SIDE, SIDE), int)
    cells[np.hypot(x - 16, y - 8) < 4.6] = 1 + list(COLOURS).index("blue")
    return code_of(cells)
