"""Drawings of a visitor's own, as short codes: what a link holds, and what a model of pictures can be asked.

A code is a stranger's input: it is checked letter by letter before a picture is made of it. Only numpy is needed.
"""

import numpy as np

from transformer.training.tasks.shapes import COLOURS, SIDE

PAPER = (244, 244, 244)
PAINTS = (PAPER, *COLOURS.values())
LETTERS = "abcdefghijklmnopqrstuvwxy"  # each stands for two neighbours, 5 x 5 colours


def drawing(code: object) -> np.ndarray | None:
    """The picture (SIDE, SIDE, 3) uint8 that this code stands for; None for anything that is no code of a drawing."""
    if not isinstance(code, str) or len(code) != SIDE * SIDE // 2 or not set(code) <= set(LETTERS):
        return None
    pairs = np.array([LETTERS.index(letter) for letter in code])
    cells = np.stack([pairs // len(PAINTS), pairs % len(PAINTS)], axis=1).reshape(SIDE, SIDE)
    return np.array(PAINTS, np.uint8)[cells]


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
