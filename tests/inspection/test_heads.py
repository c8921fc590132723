"""Head scores against patterns whose scores are known in closed form."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from transformer.inspection.heads import SCORES, chance, head_scores, head_tags, leading, relation_scores, relations

N = 7


def looking_at(keys, S=N):
    """A head whose query i looks at keys[i] alone."""
    return np.eye(S)[list(keys)]


# pattern: weights, entropy, distance, previous, first
PATTERNS = {
    "itself": (looking_at(range(N)), 0, 0, 0, 1 / N),
    "the previous": (looking_at([0, *range(N - 1)]), 0, (N - 1) / N, 1, 2 / N),
    "the first": (looking_at([0] * N), 0, (N - 1) / 2, 1 / (N - 1), 1),
    "all alike": (np.full((N, N), 1 / N), math.log2(N), (N * N - 1) / (3 * N), 1 / N, 1 / N),
}


@pytest.mark.parametrize("name", PATTERNS)
@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_patterns_in_closed_form(name, dtype):
    weights, *expected = PATTERNS[name]
    scores = head_scores(weights.astype(dtype))
    assert tuple(scores) == SCORES
    assert [float(score) for score in scores.values()] == pytest.approx(expected, abs=1e-6)


def test_every_head_has_its_own_score():
    stack = np.stack([weights for weights, *_ in PATTERNS.values()]).reshape(2, 2, N, N)
    scores = head_scores(stack)
    for n, (_, *expected) in enumerate(PATTERNS.values()):
        assert [score.reshape(-1)[n] for score in scores.values()] == pytest.approx(expected)


@pytest.mark.parametrize("name", SCORES)
def test_a_row_that_sees_nothing_is_left_out(name):
    weights = np.random.default_rng(1).dirichlet(np.ones(N), N)
    weights[3] = 0
    kept = {
        "entropy": [-(row * np.log2(row)).sum() for row in weights if row.any()],
        "distance": [(row * abs(np.arange(N) - i)).sum() for i, row in enumerate(weights) if row.any()],
        "previous": [weights[i, i - 1] for i in range(1, N) if weights[i].any()],
        "first": [row[0] for row in weights if row.any()],
    }[name]
    assert head_scores(weights)[name] == pytest.approx(np.mean(kept))


def test_where_nothing_is_seen_at_all_scores_are_zero():
    assert set(head_scores(np.zeros((2, 3, 4, 4)))) == set(SCORES)
    assert not any(score.any() for score in head_scores(np.zeros((2, 3, 4, 4))).values())
    assert set(chance(4, 4, np.zeros((4, 4), bool)).values()) == {0.0}


def test_one_token():
    assert {name: float(s) for name, s in head_scores(np.ones((1, 1))).items()} == {
        "entropy": 0,
        "distance": 0,
        "previous": 0,
        "first": 1,
    }


def test_queries_are_the_last_of_more_keys():
    """T = 2 of S = 5: they stand at 3 and 4, as in a decoder that keeps what it has read."""
    scores = head_scores(looking_at([2, 3], S=5))
    assert (scores["distance"], scores["previous"], scores["first"]) == (1, 1, 0)
    assert head_scores(looking_at([3, 4], S=5))["distance"] == 0


def test_more_queries_than_keys():
    """T = 4 of S = 2, as in cross-attention: counted from the first, and only where there is a previous key."""
    scores = head_scores(looking_at([0, 0, 1, 1], S=2))
    assert scores["distance"] == pytest.approx((0 + 1 + 1 + 2) / 4)
    assert scores["previous"] == 1  # queries 1 and 2; query 3 has no key 2
    assert scores["first"] == 0.5


def test_chance_without_a_mask_is_looking_at_all_alike():
    expected = dict(zip(SCORES, PATTERNS["all alike"][1:], strict=True))
    assert chance(N, N) == pytest.approx(expected)


def test_chance_under_a_causal_mask():
    """Query i looks at i + 1 keys alike: log2(i + 1) bits, i / 2 tokens away, 1 / (i + 1) on each."""
    each = 1 / np.arange(1, N + 1)
    assert chance(N, N, np.tri(N, dtype=bool)) == pytest.approx(
        {
            "entropy": np.log2(1 / each).mean(),
            "distance": (N - 1) / 4,
            "previous": each[1:].mean(),
            "first": each.mean(),
        }
    )


@given(hnp.arrays("f8", st.tuples(*[st.integers(1, 6)] * 4), elements=st.floats(0, 1)))
def test_scores_keep_to_their_range(weights):
    total = weights.sum(-1, keepdims=True)
    weights = np.divide(weights, total, out=np.zeros_like(weights), where=total > 1e-9)
    S = weights.shape[-1]
    scores = head_scores(weights)
    assert all(score.shape == weights.shape[:2] for score in scores.values())
    assert np.all((scores["entropy"] >= 0) & (scores["entropy"] <= math.log2(S) + 1e-9))
    assert np.all((scores["distance"] >= 0) & (scores["distance"] <= max(weights.shape[-2:])))
    for name in ("previous", "first"):
        assert np.all((scores[name] >= 0) & (scores[name] <= 1 + 1e-9))


# ---- names ---------------------------------------------------------------------------------------------------------

TOKENS = ("<bos>", "a", "b", "c", "d", "e", "f")


def tags_of(*heads, tokens=TOKENS, mask=None, more=None):
    """The names of hand-made heads of one layer, the second of all."""
    pairs = relations(tokens) | (more or {})
    return head_tags(np.stack(heads), pairs, tokens, mask, layer=1)


NAMED = {
    "previous word": looking_at([0, *range(N - 1)]),
    "next word": looking_at([*range(1, N), 0]),
    "looks at itself": looking_at(range(N)),
    "rests on the first token": looking_at([0] * N),
    "everyone looks at “c”": looking_at([3] * N),
    "spreads evenly": np.full((N, N), 1 / N),
}


@pytest.mark.parametrize("name", NAMED)
def test_a_hand_made_head_earns_its_name(name):
    (tag,) = tags_of(NAMED[name])
    assert (tag.name, tag.layer, tag.head) == (name, 1, 0)
    assert tag.score == pytest.approx(1)


def test_a_name_says_how_many_words_show_it():
    """Four of the six that have a previous word look at it most, one of them with less than half of its weight."""
    half = looking_at([0, 0, 1, 2, 0, 0, 0])
    half[4, 3], half[4, 0] = 0.45, 0.35
    half[4, 1] = 0.2
    (tag,) = tags_of(half, more={"rests on the first token": []})
    assert (tag.name, tag.times) == ("previous word", (4, 6))
    assert tags_of(NAMED["spreads evenly"])[0].times is None


def test_a_head_that_does_nothing_in_particular_has_no_name():
    random = np.random.default_rng(0).dirichlet(np.full(N, 0.6), N)
    assert tags_of(random) == []


def test_every_head_has_at_most_one_name_its_best():
    half = 0.7 * NAMED["previous word"] + 0.3 * NAMED["rests on the first token"]
    assert [tag.name for tag in tags_of(half, NAMED["looks at itself"])] == ["previous word", "looks at itself"]


def test_the_score_is_the_share_on_the_keys_that_the_name_means():
    half = 0.7 * NAMED["previous word"] + 0.3 * NAMED["next word"]
    (tag,) = tags_of(half)
    assert tag.score == pytest.approx(0.7)
    assert tag.gain == pytest.approx(0.7 - 1 / N)


def test_repeated_words_have_names_of_their_own():
    tokens = ("<bos>", "one", "two", "three", "one", "two", "three")
    earlier = looking_at([0, 0, 0, 0, 1, 2, 3])
    after = looking_at([0, 0, 0, 0, 2, 3, 4])
    assert [tag.name for tag in tags_of(earlier, after, tokens=tokens)] == [
        "same word, earlier",
        "what followed it last time",
    ]
    assert relation_scores(after, [(4, 2), (5, 3)]) == 1
    assert not {"same word, earlier", "what followed it last time"} & relations(TOKENS).keys()


def test_a_task_can_name_what_it_knows():
    head = NAMED["spreads evenly"].copy()
    head[5] = np.eye(N)[2]
    (tag,) = tags_of(head, more={"finds its owner": [(5, 2)]})
    assert (tag.name, tag.score, tag.query) == ("finds its owner", 1, 5)


def test_one_cell_is_no_name_where_every_token_looks_at_that_key():
    """That "it" looks at "animal" says something only where the other words do not."""
    more = {"“f” looks at “c”": [(6, 3)]}
    (tag,) = tags_of(NAMED["everyone looks at “c”"], more=more)
    assert tag.name == "everyone looks at “c”"
    few = 0.9 * NAMED["spreads evenly"] + 0.1 * NAMED["everyone looks at “c”"]
    few[6] = np.eye(N)[3]
    (tag,) = tags_of(few, more=more)
    assert (tag.name, tag.score) == ("“f” looks at “c”", 1)
    assert tag.gain == pytest.approx(1 - (0.9 / N + 0.1)), "above what the others give it"


def test_under_a_causal_mask_only_what_can_be_seen_counts():
    mask = np.tri(N, dtype=bool)
    uniform = mask / mask.sum(-1, keepdims=True)
    assert [tag.name for tag in tags_of(uniform, mask=mask)] == ["spreads evenly"]
    column = np.where(np.arange(N)[:, None] > 2, np.eye(N)[2], uniform)
    assert [tag.name for tag in tags_of(column, mask=mask)] == ["everyone looks at “b”"]
    last = np.where(np.arange(N)[:, None] == N - 1, np.eye(N)[N - 2], uniform)
    assert "everyone" not in str(tags_of(last, mask=mask)), "two queries are not everyone"


def test_the_row_that_shows_it_best_has_a_choice():
    mask = np.tri(N, dtype=bool)
    head = 0.6 * looking_at([0, *range(N - 1)]) + 0.4 * np.eye(N)
    head[1], head[5] = np.eye(N)[0], np.eye(N)[4]
    (tag,) = tags_of(head, mask=mask)
    assert tag.query == 5


def test_the_strongest_name_leads_and_trivial_ones_come_last():
    weak = 0.6 * NAMED["previous word"] + 0.4 / N
    tags = tags_of(NAMED["rests on the first token"], weak, NAMED["previous word"], NAMED["spreads evenly"])
    assert [(tag.name, tag.head) for tag in leading(tags)] == [
        ("previous word", 2),
        ("rests on the first token", 0),
        ("spreads evenly", 3),
    ]


@pytest.mark.parametrize("T", [1, 2, 3])
def test_texts_of_a_few_tokens(T):
    heads = np.stack([np.eye(T), np.full((T, T), 1 / T), np.zeros((T, T))])
    for mask in (None, np.tri(T, dtype=bool), np.zeros((T, T), bool)):
        for tag in head_tags(heads, relations(TOKENS[:T]), TOKENS[:T], mask):
            assert 0 <= tag.score <= 1


@given(st.integers(1, 9), st.data())
def test_a_relation_is_the_weight_on_all_keys_of_its_queries(T, data):
    cell = st.tuples(st.integers(0, T - 1), st.integers(0, T - 1))
    pairs = data.draw(st.lists(cell, min_size=1, max_size=12, unique=True))  # in any order, several keys to a query
    weights = np.random.default_rng(T).dirichlet(np.ones(T), (2, T)) * (np.arange(T) % 3 > 0)[:, None]  # and empty rows
    for head, score in zip(weights, relation_scores(weights, pairs), strict=True):
        rows = {i for i, _ in pairs if head[i].any()}
        assert score * len(rows) == pytest.approx(sum(head[i, j] for i, j in pairs))


def test_names_do_not_depend_on_whether_the_entropy_is_known():
    heads = np.stack([*NAMED.values()])
    pairs = relations(TOKENS)
    assert head_tags(heads, pairs, TOKENS, entropy=head_scores(heads)["entropy"]) == head_tags(heads, pairs, TOKENS)
