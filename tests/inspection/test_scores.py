"""Every score on a head that is built to have it, on one that has no preference, and on any weights at all."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.work import lines_run
from transformer.inspection.scores import (
    DENSE,
    DIAGONAL,
    DISTANCE,
    DUPLICATE,
    ENTROPY,
    FIRST,
    INDUCTION,
    NEXT,
    PREVIOUS,
    SCORES,
    chances,
    head_scores,
)

N = 8
TOKENS = ("the", "cat", "saw", "the", "dog", "and", "the", "cat")
CAUSAL = np.tri(N, dtype=bool)
BY_NAME = {score.name: score for score in SCORES}
SHARES = [score for score in SCORES if score.unit == "share"]


def looking_at(keys, S=N):
    """A head whose query i looks at keys[i] alone; None looks nowhere."""
    head = np.zeros((len(keys), S))
    for i, key in enumerate(keys):
        if key is not None:
            head[i, key] = 1
    return head


def uniform(allowed):
    n = allowed.sum(-1, keepdims=True)
    return np.divide(allowed, n, out=np.zeros(allowed.shape), where=n > 0)


# Query by query, where a head looks that does nothing else. Where there is no such key, it looks at the last one.
BUILT = {
    "diagonal": range(N),
    "previous": [7, 0, 1, 2, 3, 4, 5, 6],
    "next": [1, 2, 3, 4, 5, 6, 7, 0],
    "first": [0] * N,
    "duplicate": [7, 7, 7, 0, 7, 7, 3, 1],
    "induction": [7, 7, 7, 1, 7, 7, 4, 2],  # after "the" came "cat", then "dog"; after "cat" came "saw"
}


@pytest.mark.parametrize("name", BUILT)
def test_a_head_built_to_have_it_scores_1(name):
    assert BY_NAME[name](looking_at(BUILT[name]), TOKENS) == pytest.approx(1)


def test_a_head_built_for_one_score_has_little_of_the_others():
    stack = np.stack([looking_at(keys) for keys in BUILT.values()])
    table = np.stack([BY_NAME[name](stack, TOKENS) for name in BUILT])  # (scores, heads)
    assert np.diag(table) == pytest.approx(1)
    assert np.all(table.argmax(1) == np.arange(len(BUILT)))
    assert (table - np.eye(len(BUILT))).max() < 0.7


def test_extremes_of_entropy_and_distance():
    sharp, even = looking_at([0] * N), np.full((N, N), 1 / N)
    assert ENTROPY(np.stack([sharp, even])) == pytest.approx([0, math.log2(N)], abs=1e-12)
    ends = looking_at([7, 7, 7, 7, 0, 0, 0, 0])
    assert DISTANCE(ends) == pytest.approx((7 + 6 + 5 + 4) / 4)
    assert DISTANCE(looking_at(range(N))) == 0


def test_the_token_after_any_earlier_occurrence_counts_but_never_the_query_itself():
    third = np.zeros((N, N))
    third[6, [1, 4]] = 0.5  # the third "the": after the first came "cat", after the second "dog"
    assert INDUCTION(third, TOKENS) == 1
    again = ("a", "a", "b")
    assert not INDUCTION.applies(3, 3, again), "what came after the first a is the second, which asks"
    assert DUPLICATE(looking_at([0, 0, 0], 3), again) == 1


def test_where_no_token_occurs_twice_there_is_nothing_to_score():
    different = tuple("abcdefgh")
    assert not DUPLICATE.applies(N, N, different)
    assert not INDUCTION.applies(N, N, different)
    names = [score.name for score in SCORES[:-2]]
    weights = uniform(CAUSAL)
    assert list(head_scores(weights, different)) == names == list(chances(N, N, CAUSAL, different))
    assert list(head_scores(weights, TOKENS)) == list(BY_NAME) == list(chances(N, N, CAUSAL, TOKENS))
    assert (DUPLICATE(weights, different), INDUCTION.chance(N, N, CAUSAL, different)) == (0, 0)


def test_ids_serve_as_tokens():
    ids = [TOKENS.index(token) for token in TOKENS]
    weights = np.random.default_rng(0).dirichlet(np.ones(N), N)
    for score in (DUPLICATE, INDUCTION):
        assert score(weights, ids) == score(weights, TOKENS) == score(weights, np.array(ids).tolist())


# ---- chance --------------------------------------------------------------------------------------------------------


def test_chance_in_closed_form_without_a_mask():
    pairs = 4  # the, the, cat: 1 + 2 + 1 earlier occurrences in 3 rows
    assert chances(N, N, None, TOKENS) == pytest.approx(
        {
            "entropy": 3,
            "distance": (N * N - 1) / (3 * N),
            "diagonal": 1 / N,
            "previous": 1 / N,
            "next": 1 / N,
            "first": 1 / N,
            "duplicate": pairs / 3 / N,
            "induction": pairs / 3 / N,
        }
    )


def test_chance_in_closed_form_under_a_causal_mask():
    each = 1 / np.arange(1, N + 1)
    assert chances(N, N, CAUSAL, TOKENS) == pytest.approx(
        {
            "entropy": np.log2(1 / each).mean(),
            "distance": (N - 1) / 4,
            "diagonal": each.mean(),
            "previous": each[1:].mean(),
            "next": 0,
            "first": each.mean(),
            "duplicate": (1 / 4 + 2 / 7 + 1 / 8) / 3,
            "induction": (1 / 4 + 2 / 7 + 1 / 8) / 3,
        }
    )


SIZES = st.tuples(st.integers(1, 9), st.integers(1, 9))


@given(SIZES, st.data())
def test_a_head_without_preference_scores_what_chance_says(sizes, data):
    T, S = sizes
    allowed = np.array(data.draw(st.lists(st.booleans(), min_size=T * S, max_size=T * S))).reshape(T, S)
    tokens = data.draw(st.lists(st.sampled_from("abc"), min_size=S, max_size=S))
    for score in SCORES:
        assert score(uniform(allowed), tokens) == pytest.approx(score.chance(T, S, allowed, tokens), abs=1e-9)


# ---- any weights ---------------------------------------------------------------------------------------------------


@given(SIZES, st.lists(st.sampled_from("abc"), min_size=9, max_size=9), st.integers(0, 1000))
def test_scores_of_any_weights(sizes, letters, seed):
    T, S = sizes
    rng = np.random.default_rng(seed)
    weights = rng.dirichlet(np.full(S, 0.3), (2, 3, T))
    weights[rng.random((2, 3, T)) < 0.2] = 0  # some queries see nothing
    tokens = letters[:S]
    for score in SCORES:
        values = score(weights, tokens)
        assert values.shape == (2, 3)
        most = {"bits": math.log2(S), "tokens": max(T, S), "share": 1}[score.unit]
        assert np.all((values >= -1e-9) & (values <= most + 1e-6))
        assert values[1, 2] == pytest.approx(score(weights[1, 2], tokens)), "a head's score is its own"
        assert score(weights[:, ::-1], tokens) == pytest.approx(values[:, ::-1])
        assert score(weights.astype("f4"), tokens) == pytest.approx(values, abs=1e-5)
        assert score(weights.astype("f2"), tokens) == pytest.approx(values, abs=2e-2)


@given(st.lists(st.sampled_from("ab"), min_size=2, max_size=60), st.integers(0, 100))
def test_shares_are_the_sums_that_their_names_say(letters, seed):
    """Worked out cell by cell; few letters make patterns of many cells, which are added up another way."""
    T = len(letters)
    weights = np.random.default_rng(seed).dirichlet(np.ones(T), T)
    earlier = {i: [j for j in range(i) if letters[j] == letters[i]] for i in range(T)}
    cells = {
        "duplicate": earlier,
        "induction": {i: [j + 1 for j in js if j + 1 < i] for i, js in earlier.items()},
        "previous": {i: [i - 1] for i in range(1, T)},
        "next": {i: [i + 1] for i in range(T - 1)},
        "diagonal": {i: [i] for i in range(T)},
        "first": {i: [0] for i in range(T)},
    }
    for name, rows in cells.items():
        sums = [weights[i, js].sum() for i, js in rows.items() if js]
        assert BY_NAME[name](weights, letters) == pytest.approx(np.mean(sums) if sums else 0)


def test_both_ways_of_adding_up_are_taken():
    assert DUPLICATE.pattern(60, 60, "a" * 60).sum() > DENSE * 60
    assert DUPLICATE.pattern(60, 60, "ab" * 10 + "cdefghijklmnopqrstuvwxyz0123456789ABCDEF").sum() <= DENSE * 60


def test_queries_are_the_last_of_more_keys():
    weights = looking_at([2, 3], S=5)  # they stand at 3 and 4
    scores = {score.name: float(score(weights, "abcba")) for score in SCORES}
    assert scores["previous"] == 1
    assert scores["diagonal"] == scores["first"] == 0
    assert INDUCTION(looking_at([2, 1], S=5), "abcba") == 1  # after b came c, after a came b


def test_queries_of_another_text_have_no_token_among_the_keys():
    assert not any(score.applies(4, 2, "aa") for score in (DUPLICATE, INDUCTION))
    assert PREVIOUS(looking_at([0, 0, 1, 1], S=2)) == 1


def test_every_score_is_told_apart_in_plain_words():
    assert len({score.name for score in SCORES}) == len({score.label for score in SCORES}) == len(SCORES) == 8
    assert all(score.meaning.endswith(".") and len(score.meaning) < 110 for score in SCORES)
    assert [score.unit for score in SCORES[:2]] == ["bits", "tokens"]
    assert {FIRST, DIAGONAL, NEXT} <= {*SHARES}


def test_no_line_of_python_runs_per_token():
    """144 heads x 512 tokens took 0.4 s of one processor when written; a loop over tokens would take minutes."""

    def lines(T):
        weights = np.broadcast_to(uniform(np.tri(T, dtype=bool)), (4, 4, T, T)).copy()
        return lines_run(lambda: head_scores(weights, list(range(T // 2)) * 2))

    for T in (64, 16):
        lines(T)  # what is imported or set up on first use is no part of it
    assert lines(64) == lines(16) < 1500
