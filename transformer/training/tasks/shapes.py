"""Shapes: a small picture of one to four equal things, and four questions about it, of four answers each.

pictures = draw(1000, np.random.default_rng(0))
pictures.pixels     # (1000, 24, 24, 3), whole numbers from 0 to 255
pictures.answers    # (1000, 4), to the questions of QUESTIONS, as numbers of their answers

All four answers to a question come equally often and say nothing of the other questions, so guessing is right one time
in four. Only numpy is needed.
"""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from transformer.core.checks import InputError

SIDE = 24  # pixels
COLOURS = {"red": (205, 52, 48), "yellow": (232, 180, 24), "green": (40, 150, 82), "blue": (42, 96, 200)}
QUESTIONS: dict[str, tuple[str, ...]] = {
    "shape": ("circle", "square", "triangle", "cross"),
    "colour": tuple(COLOURS),
    "count": ("one", "two", "three", "four"),
    "place": ("upper left", "upper right", "lower left", "lower right"),
}
SIZES = ("small", "medium", "large")
SMALLEST = 3.0  # radius, in pixels
LARGEST = (5.5, 4.4, 3.8, 3.4)  # of one thing, of each of two, three, four: so there is room for them
MARGIN = 1.2  # pixels from the middle to the things' centre of mass, along both axes: the place is never in doubt
COLOURED = 60  # of 255: what a pixel's colours differ by if it is not grey
_CANDIDATES = 24  # places that are tried for a thing at a time
_AT_ONCE = 1000  # pictures that are painted at a time, which bounds the memory


class Pictures(NamedTuple):
    """n pictures: pixels (n, SIDE, SIDE, 3) uint8, and answers (n, 4), one column per question."""

    pixels: np.ndarray
    answers: np.ndarray


def draw(n: int, rng: np.random.Generator, given: Mapping[str, str] | None = None, size: str | None = None) -> Pictures:
    """n pictures at random; the same state of the generator gives the same ones.

    given  answers that all of them have in common, by question: {"shape": "circle", "count": "two"}
    size   one of SIZES; None: any in between

    "place" is where the centre of mass of all things lies. Raises InputError for an answer or a size that is not known.
    """
    given = given or {}
    answers = np.stack([_answers(n, rng, name, given.get(name)) for name in QUESTIONS], axis=1)
    if unknown := sorted(given.keys() - QUESTIONS.keys()):
        raise InputError(f"{unknown[0]!r} is not one of the questions {', '.join(QUESTIONS)}")
    if size is not None and size not in SIZES:
        raise InputError(f"size={size!r} is not known; try {', '.join(SIZES)}")
    share = rng.random(n) if size is None else np.full(n, SIZES.index(size) / (len(SIZES) - 1))
    shape, colour, count, place = answers.T
    radius = SMALLEST + share * (np.array(LARGEST)[count] - SMALLEST)
    centres = _mirrored(_centres(count + 1, radius, rng), count + 1, place)
    parts = [slice(start, start + _AT_ONCE) for start in range(0, n, _AT_ONCE)]
    painted = [_painted(shape[p], colour[p], count[p] + 1, centres[p], radius[p], rng) for p in parts]
    return Pictures(np.concatenate(painted) if painted else np.zeros((0, SIDE, SIDE, 3), np.uint8), answers)


def has_colour(pixels: np.ndarray, patch_size: int) -> np.ndarray:
    """Which patches hold a thing, in an eighth of them or more: (B, side, side, 3) uint8 -> (B, n) boolean.

    A thing is whatever has a colour; grey paper does not count. The side is a multiple of the patch.
    """
    B, side, p = len(pixels), pixels.shape[1], patch_size
    is_coloured = pixels.max(-1).astype(int) - pixels.min(-1) > COLOURED
    shares = is_coloured.reshape(B, side // p, p, side // p, p).mean((2, 4))
    return shares.reshape(B, -1) >= 1 / 8


def _answers(n: int, rng: np.random.Generator, question: str, given: str | None) -> np.ndarray:
    options = QUESTIONS[question]
    drawn = rng.integers(len(options), size=n)
    if given is None:
        return drawn
    if given not in options:
        raise InputError(f"{question}={given!r} is not known; try {', '.join(options)}")
    return np.full(n, options.index(given))


def _centres(count: np.ndarray, radius: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Centres (n, 4, 2), x and y, of things that do not touch; those beyond the count mean nothing."""
    centres = np.zeros((len(count), 4, 2))
    missing = np.arange(len(count))
    while len(missing):
        centres[missing], fits = _tried(count[missing], radius[missing], rng)
        missing = missing[~fits]
    return centres


def _tried(count: np.ndarray, radius: np.ndarray, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Centres as above, and of which pictures all fit, off the middle."""
    n, edge = len(count), radius[:, None, None] + 0.5
    centres, fits = np.zeros((n, 4, 2)), np.ones(n, bool)
    for k in range(4):
        candidates = edge + rng.random((n, _CANDIDATES, 2)) * (SIDE - 2 * edge)
        apart = np.abs(candidates[:, :, None] - centres[:, None, :k]).max(-1)  # (n, candidates, k)
        free = (apart > 2 * edge).all(-1)
        centres[:, k] = candidates[np.arange(n), free.argmax(1)]
        fits &= free.any(1) | (k >= count)
    off = np.abs(_middle(centres, count) - SIDE / 2).min(-1)
    return centres, fits & (off >= MARGIN)


def _middle(centres: np.ndarray, count: np.ndarray) -> np.ndarray:
    """The centre of mass of the first `count` things, (n, 2)."""
    counts = np.arange(4) < count[:, None]
    return (centres * counts[..., None]).sum(1) / count[:, None]


def _mirrored(centres: np.ndarray, count: np.ndarray, place: np.ndarray) -> np.ndarray:
    """The same, turned over so that the centre of mass lies in the quarter that is asked for."""
    wanted = np.stack([place % 2, place // 2], axis=1).astype(bool)  # right, low
    is_other = (_middle(centres, count) > SIDE / 2) != wanted
    return np.where(is_other[:, None], SIDE - centres, centres)


def _painted(
    shape: np.ndarray,
    colour: np.ndarray,
    count: np.ndarray,
    centres: np.ndarray,
    radius: np.ndarray,
    rng: np.random.Generator,
) -> np.ndarray:
    """Grey paper, the things on it with smooth edges, and a little noise."""
    n = len(shape)
    at = np.arange(SIDE) + 0.5
    x = at[None, None, None] - centres[:, :, 0, None, None]  # (n, 4, 1, SIDE)
    y = at[None, None, :, None] - centres[:, :, 1, None, None]  # (n, 4, SIDE, 1)
    r = radius[:, None, None, None]
    outside = np.empty((n, 4, SIDE, SIDE))
    for number, distance in enumerate((_circle, _square, _triangle, _cross)):
        chosen = shape == number
        outside[chosen] = distance(x[chosen], y[chosen], r[chosen])
    outside[np.arange(4) >= count[:, None]] = np.inf
    cover = np.clip(0.5 - outside, 0, 1).max(1)[..., None]  # (n, SIDE, SIDE, 1)
    paper = rng.uniform(205, 255, (n, 1, 1, 1))
    paint = np.array(list(COLOURS.values()), float)[colour] + rng.uniform(-18, 18, (n, 3))
    pixels = paper * (1 - cover) + paint[:, None, None] * cover + rng.normal(0, 5, (n, SIDE, SIDE, 3))
    return np.clip(np.rint(pixels), 0, 255).astype(np.uint8)


# How far a pixel is outside of a thing of radius r around (0, 0), in pixels; negative inside. y points down.


def _circle(x: np.ndarray, y: np.ndarray, r: np.ndarray) -> np.ndarray:
    return np.hypot(x, y) - r


def _square(x: np.ndarray, y: np.ndarray, r: np.ndarray) -> np.ndarray:
    return np.maximum(np.abs(x), np.abs(y)) - 0.88 * r


def _triangle(x: np.ndarray, y: np.ndarray, r: np.ndarray) -> np.ndarray:
    """Its point is up: two sides that fall by 2 for 1 to the right, and a floor."""
    return np.maximum((2 * np.abs(x) - y - r) / 5**0.5, y - 0.9 * r)


def _cross(x: np.ndarray, y: np.ndarray, r: np.ndarray) -> np.ndarray:
    near, far = np.minimum(np.abs(x), np.abs(y)), np.maximum(np.abs(x), np.abs(y))
    return np.maximum(near - 0.34 * r, far - r)
