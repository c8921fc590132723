"""Tokenisers: any text comes back, byte pairs merge as by hand, and as a plain, slow learner does."""

from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.training.test_text import ANY, ODD
from tests.work import lines_run
from transformer.training import byte_pairs
from transformer.training.byte_pairs import FIRST_BYTE, FIRST_MERGE, BytePairTokeniser, Merge, pieces
from transformer.training.text import (
    BOS,
    EOS,
    PAD,
    SPECIALS,
    UNKNOWN,
    CharacterTokeniser,
    Vocabulary,
    WordTokeniser,
    visible,
)

TEXT = ANY | ODD
FEW = st.text("ab c", max_size=60)  # much repeats, runs overlap
# Words that share pieces and come again, as in a language.
WORDS = ["abc", "bc", "abcd", "bcd", "ab", "cabc", "dab", "aab", "abab", "bca"]
ALIKE = st.lists(st.sampled_from(WORDS), max_size=40).map(" ".join)
LOW = "low lower lowest"
LONG = " ".join(f"w{n * n % 211} {'abc'[n % 3] * (n % 7)}" for n in range(4000))[:20_000]


# ---- vocabulary ------------------------------------------------------------------------------------------------


def test_a_vocabulary_numbers_its_tokens():
    vocabulary = Vocabulary(["b", "a", "b"])
    assert vocabulary.tokens == (*SPECIALS, "b", "a")
    assert len(vocabulary) == 6
    assert [vocabulary.id(token) for token in vocabulary.tokens] == list(range(6))
    assert [vocabulary[id] for id in range(6)] == list(vocabulary.tokens)
    assert vocabulary.id("z") == UNKNOWN
    assert "a" in vocabulary
    assert "z" not in vocabulary


@pytest.mark.parametrize("id", [-1, 6, 100])
def test_an_id_that_nobody_has(id):
    with pytest.raises(IndexError, match=f"ids run from 0 to 5; there is no {id}"):
        Vocabulary(["a", "b"])[id]


def test_the_most_frequent_come_first():
    assert Vocabulary.of("abracadabra").tokens[4:] == ("a", "b", "r", "c", "d")
    assert Vocabulary.of("abracadabra", limit=2).tokens[4:] == ("a", "b")


# ---- there and back --------------------------------------------------------------------------------------------


@given(TEXT)
def test_characters_come_back(text):
    tokeniser = CharacterTokeniser.learn(text)
    ids = tokeniser.encode(text)
    assert tokeniser.decode(ids) == text
    assert UNKNOWN not in ids
    assert len(ids) == len(text)
    assert len(tokeniser) == len(set(text)) + 4


@given(TEXT)
def test_words_come_back(text):
    tokeniser = WordTokeniser.learn(text)
    ids = tokeniser.encode(text)
    assert tokeniser.decode(ids) == text
    assert UNKNOWN not in ids


@given(TEXT, TEXT, st.integers(0, 40))
def test_byte_pairs_bring_any_text_back_whatever_they_learned_from(learned_from, text, n_merges):
    tokeniser = BytePairTokeniser.learn(learned_from, n_merges)
    ids = tokeniser.encode(text)
    assert tokeniser.decode(ids) == text
    assert all(FIRST_BYTE <= id < len(tokeniser) for id in ids)
    assert b"".join(tokeniser.bytes(id) for id in ids) == text.encode("utf-8", "surrogatepass")


@given(TEXT)
def test_pieces_are_the_whole_text(text):
    assert "".join(pieces(text)) == text


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("The cat sat", ["The", "cat", "sat"]),
        ("It's so!", ["It's", "so", "##!"]),
        ("a  b", ["a", "##  ", "##b"]),
        (" a", ["## ", "##a"]),
        ("a ", ["a", "## "]),
        ("a\nb", ["a", "##\n", "##b"]),
        ("##", ["#", "###"]),
        ("", []),
        ("  ", ["##  "]),
    ],
)
def test_words_with_what_stands_between(text, tokens):
    assert WordTokeniser.cut(text) == tokens


def test_what_was_not_learned_is_unknown():
    words = WordTokeniser.learn("the cat")
    assert words.encode("the dog the") == [words.vocabulary.id("the"), UNKNOWN, words.vocabulary.id("the")]
    assert words.decode(words.encode("the dog")) == "the <unk>"
    assert CharacterTokeniser.learn("ab").encode("abc")[-1] == UNKNOWN


@pytest.mark.parametrize(
    "tokeniser", [CharacterTokeniser.learn(LOW), WordTokeniser.learn(LOW), BytePairTokeniser.learn(LOW, 5)]
)
def test_marks_of_beginning_end_and_padding_are_left_out(tokeniser):
    assert tokeniser.decode([BOS, *tokeniser.encode(LOW), EOS, PAD, PAD]) == LOW
    assert [tokeniser.label(id) for id in range(4)] == ["⟨pad⟩", "⟨start⟩", "⟨end⟩", "⟨unknown⟩"]


def test_ids_that_make_no_text_are_no_error():
    assert BytePairTokeniser(()).decode([FIRST_BYTE + 0xC3, FIRST_BYTE + 65]) == "\ufffdA"
    with pytest.raises(IndexError, match="there is no 260"):
        BytePairTokeniser(()).decode([260])


def test_labels_can_be_seen():
    assert visible(" a\n\tb\x00") == "␣a⏎⇥bU+0000"
    pairs = BytePairTokeniser.learn("éé éé", 1)
    assert [pairs.label(id) for id in pairs.first(0).encode("é")] == ["C3", "A9"]
    assert pairs.label(FIRST_MERGE) == "é"


# ---- byte pairs by hand ----------------------------------------------------------------------------------------


def by_label(tokeniser):
    return [(tokeniser.label(m.left), tokeniser.label(m.right), m.count) for m in tokeniser.merges]


def test_low_lower_lowest_by_hand():
    # l+o and o+w three times: the smaller ids first. Then lo+w three times; then ␣+low and low+e twice each: ␣ is the
    # smaller id. ␣low+e twice; nothing else stands there twice.
    tokeniser = BytePairTokeniser.learn(LOW, 10)
    assert by_label(tokeniser) == [("l", "o", 3), ("lo", "w", 3), ("␣", "low", 2), ("␣low", "e", 2)]
    assert [m.id for m in tokeniser.merges] == [260, 261, 262, 263]
    assert [tokeniser.label(id) for id in tokeniser.encode(LOW)] == ["low", "␣lowe", "r", "␣lowe", "s", "t"]
    assert [tokeniser.label(id) for id in tokeniser.encode("slow")] == ["s", "low"]


def test_what_was_learned_first_is_merged_first():
    tokeniser = BytePairTokeniser.learn("bc\nbc\nbc\nab\nab", 10)
    assert by_label(tokeniser) == [("b", "c", 3), ("a", "b", 2)]
    assert [tokeniser.label(id) for id in tokeniser.encode("abc")] == ["a", "bc"]
    assert [tokeniser.label(id) for id in tokeniser.encode("abab")] == ["ab", "ab"]


def test_the_history_can_be_wound_back():
    tokeniser = BytePairTokeniser.learn(LOW, 10)
    cut = [[tokeniser.label(id) for id in tokeniser.first(n).encode("lower")] for n in range(3)]
    assert cut == [["l", "o", "w", "e", "r"], ["lo", "w", "e", "r"], ["low", "e", "r"]]
    assert tokeniser.first(2).merges == BytePairTokeniser.learn(LOW, 2).merges
    assert len(tokeniser.first(2)) == 4 + 256 + 2


def naive(text, n_merges):
    """The rule, and nothing else: count all neighbours, merge the most frequent from left to right, begin again."""
    words = Counter(tuple(FIRST_BYTE + b for b in piece.encode("utf-8", "surrogatepass")) for piece in pieces(text))
    merges = []
    for n in range(n_merges):
        counts = Counter()
        for word, times in words.items():
            for pair in pairwise(word):
                counts[pair] += times
        if not counts:
            break
        pair = min(counts, key=lambda pair: (-counts[pair], pair))
        if counts[pair] < 2:
            break
        merges.append(Merge(*pair, FIRST_MERGE + n, counts[pair]))
        words = Counter({replaced(word, pair, FIRST_MERGE + n): times for word, times in words.items()})
    return tuple(merges)


def replaced(word, pair, id):
    out, at = [], 0
    while at < len(word):
        both = word[at : at + 2] == pair
        out.append(id if both else word[at])
        at += 1 + both
    return tuple(out)


@given(ALIKE | FEW | TEXT, st.integers(0, 25))
def test_merges_are_those_of_the_plain_rule(text, n_merges):
    assert BytePairTokeniser.learn(text, n_merges).merges == naive(text, n_merges)


@pytest.mark.parametrize("text", [LOW, "the cat sat on the mat, the cat sat", "aaa aaaa b"])
def test_the_counts_of_all_pairs_before_each_merge_are_those_of_the_text_as_it_is_cut_then(text):
    tokeniser = BytePairTokeniser.learn(text, 20)
    for n, (merge, counts) in enumerate(BytePairTokeniser.learning(text)):
        assert merge == tokeniser.merges[n]
        before = tokeniser.first(n)
        cut = [before.encode(piece) for piece in pieces(text)]
        counted = Counter(pair for tokens in cut for pair in pairwise(tokens))
        assert +counts == counted
        assert merge.count == max(counted.values())
        assert before.adjacent(text) == set(counted)


@given(ALIKE | FEW, ALIKE | FEW)
def test_a_new_text_is_cut_by_the_same_merges_in_the_same_order(learned_from, text):
    tokeniser = BytePairTokeniser.learn(learned_from, 20)
    ids = []
    for piece in pieces(text):
        word = tuple(FIRST_BYTE + b for b in piece.encode())
        for merge in tokeniser.merges:
            word = replaced(word, (merge.left, merge.right), merge.id)
        ids += word
    assert tokeniser.encode(text) == ids


@given(ALIKE | FEW | TEXT, st.integers(0, 20))
def test_joins_tell_every_cut_on_the_way(text, n):
    tokeniser = BytePairTokeniser.learn(text, 20)
    n = min(n, len(tokeniser.merges))
    tokens = dict(enumerate(tokeniser.first(0).encode(text)))
    for join in tokeniser.joins(text):
        if join.id < FIRST_MERGE + n:
            assert join.start < join.middle < join.end
            merge = tokeniser.merges[join.id - FIRST_MERGE]
            assert (tokens[join.start], tokens.pop(join.middle)) == (merge.left, merge.right)
            tokens[join.start] = join.id
            assert not any(join.start < at < join.end for at in tokens)
    assert [tokens[at] for at in sorted(tokens)] == tokeniser.first(n).encode(text)


@given(TEXT, st.integers(0, 20))
def test_learning_twice_is_learning_the_same(text, n):
    assert BytePairTokeniser.learn(text, n).merges == BytePairTokeniser.learn(text, n).merges


@pytest.mark.parametrize("text", [LONG, LONG.replace(" ", ""), "a" * 20_000, "ab" * 10_000])
@pytest.mark.wide
def test_merging_twice_the_text_is_at_most_twice_the_work(text):
    whole, half = (
        lines_run(lambda: BytePairTokeniser.learn(text[:n], 200).encode(text[:n]))  # noqa: B023
        for n in (8000, 4000)
    )
    assert whole < 2.2 * half
    assert whole < 150 * 8000


@given(st.text(alphabet="aab b\n", max_size=400), st.text(alphabet="aab b\nc", max_size=400), st.integers(0, 40))
def test_long_texts_are_cut_as_short_ones(learned_from, text, n_merges):
    tokeniser = BytePairTokeniser.learn(learned_from, n_merges)
    short = tokeniser.encode(text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(byte_pairs, "LONG", 0)
        assert tokeniser.encode(text) == short


@pytest.mark.slow
def test_a_long_text_is_not_merged_pair_by_pair(monkeypatch):
    """200,000 signs in one piece, four bytes each, took 10 s."""
    chained = []

    class Counted(byte_pairs._Chain):
        def __init__(self, tokens):
            chained.append(len(tokens))
            super().__init__(tokens)

    text = "".join(chr(0x1F600 + n * n % 61) for n in range(200_000))
    tokeniser = BytePairTokeniser.learn(text[:2000], 50)
    monkeypatch.setattr(byte_pairs, "_Chain", Counted)
    ids = tokeniser.encode(text)
    assert sum(chained) == 0
    assert tokeniser.decode(ids) == text
