"""The pictures are what their answers say, by measurements that know nothing of how they were made."""

import numpy as np
import pytest

from transformer.core.checks import InputError
from transformer.training.tasks import shapes
from transformer.training.tasks.shapes import COLOURS, QUESTIONS, SIDE

PICTURES = shapes.draw(200, np.random.default_rng(5))


def painted(pixels: np.ndarray) -> np.ndarray:
    """Where a picture is coloured, not grey: inside of things, not on their smooth edges."""
    spread = pixels.max(-1).astype(int) - pixels.min(-1)
    return spread > 0.6 * np.quantile(spread, 0.98)


def pieces(mask: np.ndarray) -> list[set[tuple[int, int]]]:
    """The connected parts of a mask, neighbours by their sides."""
    left, found = set(zip(*np.nonzero(mask), strict=True)), []
    while left:
        edge = [left.pop()]
        piece = set(edge)
        while edge:
            y, x = edge.pop()
            for cell in ((y + 1, x), (y - 1, x), (y, x + 1), (y, x - 1)):
                if cell in left:
                    left.remove(cell)
                    piece.add(cell)
                    edge.append(cell)
        found.append(piece)
    return found


@pytest.mark.slow
def test_things_can_be_counted_and_found_and_have_their_colour():
    for pixels, (_, colour, count, place) in zip(PICTURES.pixels, PICTURES.answers, strict=True):
        mask = painted(pixels)
        found = [piece for piece in pieces(mask) if len(piece) > 4]
        assert len(found) == 1 + count
        low, right = (np.mean([np.mean([cell[axis] for cell in piece]) for piece in found]) + 0.5 for axis in (0, 1))
        assert (2 * (low > SIDE / 2) + (right > SIDE / 2)) == place
        inside = np.median(pixels[mask], axis=0)
        distances = [np.abs(inside - paint).sum() for paint in COLOURS.values()]
        assert np.argmin(distances) == colour


@pytest.mark.parametrize(
    ("shape", "least", "most"),
    [("square", 0.9, 1.0), ("circle", 0.7, 0.9), ("triangle", 0.4, 0.65), ("cross", 0.4, 0.7)],
)
def test_a_shape_fills_its_box_as_it_should(shape: str, least: float, most: float):
    one = shapes.draw(20, np.random.default_rng(0), {"shape": shape, "count": "one"}, "large")
    for pixels in one.pixels:
        y, x = np.nonzero(painted(pixels))
        assert least <= len(y) / ((np.ptp(y) + 1) * (np.ptp(x) + 1)) <= most
        if shape == "triangle":  # its point is up
            assert np.ptp(x[y == y.max()]) > np.ptp(x[y == y.min()])


@pytest.mark.slow
def test_answers_are_as_frequent_as_each_other_and_pictures_differ():
    answers = shapes.draw(2000, np.random.default_rng(1)).answers
    for column in answers.T:
        assert np.all(np.abs(np.bincount(column, minlength=4) / 2000 - 0.25) < 0.05)
    assert len({pixels.tobytes() for pixels in PICTURES.pixels}) == len(PICTURES.pixels)


def test_a_seed_gives_the_same_pictures_and_what_is_given_holds():
    given = {"shape": "cross", "colour": "blue", "count": "four", "place": "lower right"}
    a, b = (shapes.draw(5, np.random.default_rng(3), given, "large") for _ in range(2))
    np.testing.assert_array_equal(a.pixels, b.pixels)
    assert a.pixels.shape == (5, SIDE, SIDE, 3)
    for question, column in zip(QUESTIONS, a.answers.T, strict=True):
        assert {QUESTIONS[question][n] for n in column} == {given[question]}
    assert len(shapes.draw(0, np.random.default_rng(0)).pixels) == 0


@pytest.mark.parametrize(
    ("given", "size", "said"),
    [
        ({"shape": "star"}, None, "shape='star'"),
        ({"hue": "red"}, None, "'hue' is not one"),
        ({}, "huge", "size='huge'"),
    ],
)
def test_what_is_not_known_is_refused(given: dict, size: str | None, said: str):
    with pytest.raises(InputError, match=said):
        shapes.draw(1, np.random.default_rng(0), given, size)
