import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from tests.transformer.oracles import quick
from transformer.core import masks

sides = st.integers(1, 9)


def test_causal_is_the_lower_triangle_with_its_diagonal():
    assert torch.equal(masks.causal(6), torch.ones(6, 6).tril().bool())


def test_queries_are_the_last_positions():
    # Two queries at the end of five positions stand at 3 and 4.
    assert masks.causal(2, 5).tolist() == [[True] * 4 + [False], [True] * 5]
    assert masks.sliding_window(2, 2, 5).tolist() == [
        [False, False, True, True, True],
        [False, False, False, True, True],
    ]
    assert masks.prefix(2, 5, 5).all()


@quick
@given(T=sides, more=st.integers(0, 9), window=st.integers(1, 12), n_prefix=st.integers(0, 12))
def test_closed_forms(T, more, window, n_prefix):
    S = T + more
    causal, local, prefix = masks.causal(T, S), masks.sliding_window(T, window, S), masks.prefix(T, n_prefix, S)
    assert causal.shape == local.shape == prefix.shape == (T, S)
    assert causal.dtype == local.dtype == prefix.dtype == torch.bool
    for t in range(T):
        for s in range(S):
            ahead = s - (S - T + t)
            assert causal[t, s] == (ahead <= 0)
            assert local[t, s] == (-window < ahead < window)
            assert prefix[t, s] == (ahead <= 0 or s < n_prefix)


@quick
@given(T=sides, more=st.integers(0, 9))
def test_the_last_queries_of_a_square_mask_are_the_mask_of_the_last_queries(T, more):
    S = T + more
    for square, last in (
        (masks.causal(S), masks.causal(T, S)),
        (masks.sliding_window(S, 3), masks.sliding_window(T, 3, S)),
        (masks.prefix(S, 2), masks.prefix(T, 2, S)),
    ):
        assert torch.equal(square[-T:], last)


@quick
@given(lengths=st.lists(st.integers(0, 8), min_size=1, max_size=5), more=st.integers(0, 3))
def test_padding_counts_the_real_tokens(lengths, more):
    S = max([*lengths, 1]) + more
    mask = masks.padding(torch.tensor(lengths), S)
    assert mask.shape == (len(lengths), 1, 1, S)
    assert mask.dtype == torch.bool
    assert mask[:, 0, 0].tolist() == [[s < n for s in range(S)] for n in lengths]


def test_padding_of_reads_the_tokens():
    tokens = torch.tensor([[5, 3, 0, 0], [7, 0, 2, 9]])
    assert masks.padding_of(tokens, 0)[:, 0, 0].tolist() == [[True, True, False, False], [True, False, True, True]]
    assert torch.equal(masks.padding_of(tokens[:1], 0), masks.padding(torch.tensor([2]), 4))


def test_all_of_is_and_and_none_allows_everything():
    causal, pads = masks.causal(4), masks.padding(torch.tensor([2, 4]), 4)
    assert masks.all_of() is None
    assert masks.all_of(None, None) is None
    assert masks.all_of(None, causal) is causal
    together = masks.all_of(causal, None, pads)
    swapped = masks.all_of(pads, causal)
    assert together is not None
    assert swapped is not None
    assert together.shape == (2, 1, 4, 4)
    assert torch.equal(together, swapped)
    for b, n in enumerate((2, 4)):
        assert together[b, 0].tolist() == [[s <= t and s < n for s in range(4)] for t in range(4)]


def test_a_window_as_long_as_the_text_hides_nothing_and_of_one_sees_only_itself():
    assert masks.sliding_window(5, 5).all()
    assert torch.equal(masks.sliding_window(5, 1), torch.eye(5).bool())
    assert torch.equal(masks.sliding_window(5, 5) & masks.causal(5), masks.causal(5))


def test_a_prefix_of_nothing_is_causal():
    assert torch.equal(masks.prefix(5, 0), masks.causal(5))
    assert masks.prefix(5, 5).all()


def test_errors_are_sentences():
    with pytest.raises(ValueError, match="window=0 must be at least 1"):
        masks.sliding_window(4, 0)
    with pytest.raises(ValueError, match="no negative sides"):
        masks.causal(-1)


def test_masks_are_made_where_they_are_asked_for():
    for mask in (
        masks.causal(3, device="meta"),
        masks.sliding_window(3, 1, device="meta"),
        masks.prefix(3, 1, device="meta"),
    ):
        assert mask.device.type == "meta"
    assert masks.padding(torch.ones(2, device="meta"), 3).device.type == "meta"
