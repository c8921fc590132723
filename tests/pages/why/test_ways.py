"""What is said of each way is true of the mask that the model computes with."""

from itertools import product

import numpy as np
import pytest
import torch

from pages.why import data, variants, ways
from transformer.core.variants import neighbours
from transformer.inspection.variants import FULL, NAMES, Sizes, cost, mask_of

N = data.N_DRAWN


def test_the_story_has_every_way_once_and_ends_with_the_exact_one() -> None:
    assert tuple(ways.CODE) == (FULL, *NAMES) == tuple(ways.told(4, 1, N))
    assert NAMES[-1] == ways.IN_BLOCKS


@pytest.mark.parametrize("size", data.SIZES[1:])
def test_a_window_says_how_far_it_reaches_and_averages_how_many_there_are(size: int) -> None:
    mask = mask_of(ways.WINDOW, N, Sizes(size, 1))
    assert mask is not None
    beside = int(mask[0].sum()) - 1
    told = ways.told(size, 1, N)
    assert told[ways.WINDOW] == f"Every word sees itself and {beside} word{'s' if beside > 1 else ''} to either side."
    is_exact = torch.equal(neighbours(N, size).float(), torch.eye(N))
    assert is_exact == told[ways.LOW_RANK].endswith("every key is left alone.")
    assert is_exact or f"averaged into {size}," in told[ways.LOW_RANK]


@pytest.mark.parametrize("size", data.SIZES[1:])
def test_blocks_are_said_to_save_something_where_there_is_more_than_one(size: int) -> None:
    told, mask = ways.told(size, 1, N), mask_of(ways.BLOCKS, N, Sizes(size, 1))
    assert mask is not None
    assert bool(mask.all()) == told[ways.BLOCKS].endswith("every word sees every word.")
    is_whole = cost(ways.IN_BLOCKS, N, 8, 4, Sizes(size, 1)).share == 1
    assert (
        is_whole
        == told[ways.IN_BLOCKS].endswith("the whole map is stored.")
        != ("never stored" in told[ways.IN_BLOCKS])
    )


@pytest.mark.parametrize("n_kept", variants.KEPT)
def test_gaps_and_hubs_are_as_many_as_are_said_and_without_any_it_is_the_window(n_kept: int) -> None:
    told = ways.told(4, n_kept, N)
    window, dilated, hubs = (mask_of(name, N, Sizes(4, n_kept)) for name in (ways.WINDOW, ways.DILATED, ways.GLOBAL))
    assert window is not None
    assert dilated is not None
    assert hubs is not None
    for name, mask in ((ways.DILATED, dilated), (ways.GLOBAL, hubs)):
        assert bool((mask == window).all()) == told[name].endswith("this is the window.") == (n_kept == 0)
    if n_kept:
        n_hubs = int((hubs.all(0) & hubs.all(1)).sum())
        assert f", and {['no', 'one', 'two', 'three'][n_hubs]} hub" in told[ways.GLOBAL]


@pytest.mark.parametrize(("size", "n_kept"), product(data.SIZES[1:], variants.KEPT[1:]))
def test_a_window_with_gaps_says_how_far_it_reaches(size: int, n_kept: int) -> None:
    mask, beyond = (mask_of(ways.DILATED, n, Sizes(size, n_kept)) for n in (N, 5 * N))
    assert mask is not None
    assert beyond is not None
    seen = np.flatnonzero(mask[0].numpy())  # by the first word, to one side
    each = ["", "", "every second", "every third", "every fourth"][int(seen[1])]
    told = ways.told(size, n_kept, N)[ways.DILATED]
    assert f"sees itself and {each} word" in told
    whole = mask_of(ways.DILATED, N, Sizes(N, n_kept))
    assert whole is not None
    reach = int(np.flatnonzero(beyond[0].numpy()).max())
    end = "up to both ends." if bool((mask == whole).all()) else f" up to {reach} words away on either side."
    assert told.endswith(end)
