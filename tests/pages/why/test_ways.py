"""What is said of each way is true of the mask, the weights and the counts that the model computes for it."""

from itertools import product

import numpy as np
import pytest

from pages.why import data, variants, ways
from transformer.inspection.variants import FULL, NAMES, Sizes, mask_of

N = data.N_DRAWN


def test_the_story_has_every_way_once_and_ends_with_the_exact_one() -> None:
    assert tuple(ways.CODE) == (FULL, *NAMES) == tuple(ways.told(4, 1, N))
    assert NAMES[-1] == ways.IN_BLOCKS


def test_the_cards_are_ways_and_all_others_are_in_the_menu() -> None:
    assert ways.CARDS == (FULL, ways.WINDOW, ways.GLOBAL, ways.IN_BLOCKS)
    assert len(ways.CODE) == len(ways.CARDS) + 5, "the menu says five"


@pytest.mark.parametrize("name", NAMES)
def test_what_a_way_does_with_the_weight_is_named_truly(name: str) -> None:
    found = data.variants(True, 1, 4, 1)[name]
    is_blurred = bool(np.isfinite(found.weights).all()) and found.missed is not None and found.missed.min() > 0.01
    assert (ways.MISSES, ways.MISPLACES) == ("misses", "misplaces"), "the legend has a name for what each of them does"
    assert ways.told(4, 1, N)[name].loses == (ways.MISPLACES if is_blurred else ways.MISSES)


@pytest.mark.parametrize("size", data.SIZES)
def test_a_window_says_how_far_it_reaches(size: int) -> None:
    mask = mask_of(ways.WINDOW, N, Sizes(size, 1))
    assert mask is not None
    beside = int(mask[0].sum()) - 1
    told = ways.told(size, 1, N)[ways.WINDOW]
    assert told == ways.window(size)
    to_either_side = f"{beside} word{'s' if beside > 1 else ''} to either side"
    assert f"itself and {to_either_side}." in told.sentence
    assert told.subject == f"Looking {to_either_side}"


@pytest.mark.parametrize("size", data.SIZES)
def test_that_keys_are_averaged_is_said_where_any_are(size: int) -> None:
    told = ways.told(size, 1, N)[ways.LOW_RANK]
    is_exact = data.variants(True, 1, size, 1)[ways.LOW_RANK].error < 1e-5
    assert is_exact == (size == N) == told.sentence.endswith("every key is left alone.")
    assert is_exact == (told.subject == "Averaging no neighbours")
    assert is_exact or f"averaged into {size}," in told.sentence


@pytest.mark.parametrize("n_kept", variants.KEPT)
def test_gaps_and_hubs_are_as_many_as_are_said_and_without_any_it_is_the_window(n_kept: int) -> None:
    told = ways.told(4, n_kept, N)
    window, dilated, hubs = (mask_of(name, N, Sizes(4, n_kept)) for name in (ways.WINDOW, ways.DILATED, ways.GLOBAL))
    assert window is not None
    assert dilated is not None
    assert hubs is not None
    for name, mask in ((ways.DILATED, dilated), (ways.GLOBAL, hubs)):
        is_window = bool((mask == window).all())
        assert is_window == (told[name].gloss == told[ways.WINDOW].gloss) == (n_kept == 0)
    if n_kept:
        n_hubs = int((hubs.all(0) & hubs.all(1)).sum())
        assert variants.KEEPS[ways.GLOBAL].format(n_hubs, s="") == f"{n_hubs} hub", "one name for one thing"
        assert told[ways.GLOBAL].gloss.startswith(f"near words, {['no', 'one', 'two', 'three'][n_hubs]} hub")


@pytest.mark.parametrize(("size", "n_kept"), product(data.SIZES, variants.KEPT[1:]))
def test_a_window_with_gaps_says_how_far_it_reaches_and_is_near_where_it_does_not_reach_the_ends(
    size: int, n_kept: int
) -> None:
    mask = mask_of(ways.DILATED, N, Sizes(size, n_kept))
    assert mask is not None
    seen = np.flatnonzero(mask[0].numpy())  # by the first word, to one side
    each = ["", "", "every second", "every third", "every fourth"][int(seen[1])]
    beyond = mask_of(ways.DILATED, 5 * N, Sizes(size, n_kept))
    assert beyond is not None
    reach = int(np.flatnonzero(beyond[0].numpy()).max())
    told = ways.told(size, n_kept, N)[ways.DILATED]
    assert f"sees itself and {each} word" in told.sentence
    sees_all_over = bool((mask == mask_of(ways.DILATED, N, Sizes(N, n_kept))).all())
    if sees_all_over:
        assert (told.gloss, told.subject) == (f"{each} word", f"Looking at {each} word")
        assert told.sentence.endswith("up to both ends.")
    else:
        assert (told.gloss, told.subject) == (f"nearby, {each}", f"Looking nearby, at {each} word,")
        assert told.sentence.endswith(f" up to {reach} words away on either side.")
    assert (size, n_kept) != (4, 1) or not sees_all_over, "as the page opens, most of the words are out of its reach"


@pytest.mark.parametrize(("size", "n_kept"), product(data.SIZES, variants.KEPT))
def test_a_gloss_has_two_to_four_plain_words(size: int, n_kept: int) -> None:
    for told in ways.told(size, n_kept, N).values():
        assert 2 <= len(told.gloss.split()) <= 4
        assert len(told.gloss) <= 24, "it has room on its card"
