"""What is said of each way is true of the mask, the weights and the counts that the model computes for it."""

from itertools import product

import numpy as np
import pytest

from pages.why import data, variants, ways
from transformer.inspection.variants import FULL, NAMES, Sizes, mask_of, multiplications

N = 24


def test_the_story_has_every_way_once_and_ends_with_the_exact_one() -> None:
    assert tuple(ways.CODE) == (FULL, *NAMES) == tuple(ways.told(4, 1))
    assert NAMES[-1] == ways.IN_BLOCKS


@pytest.mark.parametrize("name", NAMES)
def test_a_heading_is_true_of_every_way_below_it(name: str) -> None:
    group = ways.told(4, 1)[name].group
    shuts = mask_of(name, N, Sizes(4, 1)) is not None
    assert shuts == (group == ways.FEWER), "only those that look at fewer words leave cells out"
    same_work = multiplications(name, N, 8, Sizes(4, 1)) == multiplications(FULL, N, 8, Sizes(4, 1))
    assert same_work == (group == ways.STORES)
    assert (data.costs_compared(4, 4, 1)[name].of == "work") != same_work
    found = data.variants(True, 1, 4, 1)[name]
    is_blurred = bool(np.isfinite(found.weights).all()) and found.missed is not None and found.missed.min() > 0.01
    assert is_blurred == (group == ways.BLURRED)
    assert ways.told(4, 1)[name].loses == (ways.MISPLACES if is_blurred else ways.MISSES)


@pytest.mark.parametrize("size", variants.SIZES)
def test_a_window_says_how_far_it_reaches(size: int) -> None:
    mask = mask_of(ways.WINDOW, N, Sizes(size, 1))
    assert mask is not None
    beside = int(mask[0].sum()) - 1
    assert f"itself and {beside} word{'s' if beside > 1 else ''} to" in ways.told(size, 1)[ways.WINDOW].sentence


@pytest.mark.parametrize("n_kept", variants.KEPT)
def test_gaps_and_hubs_are_as_many_as_are_said_and_without_any_it_is_the_window(n_kept: int) -> None:
    told = ways.told(4, n_kept)
    window, dilated, hubs = (mask_of(name, N, Sizes(4, n_kept)) for name in (ways.WINDOW, ways.DILATED, ways.GLOBAL))
    assert window is not None
    assert dilated is not None
    assert hubs is not None
    step = int(np.diff(np.flatnonzero(dilated[0].numpy()))[0])
    for name, mask in ((ways.DILATED, dilated), (ways.GLOBAL, hubs)):
        is_window = bool((mask == window).all())
        assert is_window == (told[name].gloss == told[ways.WINDOW].gloss) == (n_kept == 0)
    if n_kept:
        assert told[ways.DILATED].gloss == ["", "", "every second word", "every third word", "every fourth word"][step]
        n_hubs = int((hubs.all(0) & hubs.all(1)).sum())
        assert told[ways.GLOBAL].gloss.startswith(f"near words, {['no', 'one', 'two', 'three'][n_hubs]} hub")


@pytest.mark.parametrize(("size", "n_kept"), product(variants.SIZES, variants.KEPT))
def test_a_gloss_has_two_to_four_plain_words(size: int, n_kept: int) -> None:
    for told in ways.told(size, n_kept).values():
        assert 2 <= len(told.gloss.split()) <= 4
