"""From any text to tokens and ids."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from transformer.training.text import clean, hashed_ids, signs, words

FAMILY = "👨\u200d👩\u200d👧\u200d👦"
ENGLAND = "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f"
JOINERS = "\u200c\u200d" + "".join(map(chr, range(0xE0020, 0xE0080)))  # kept inside a token: they join or tag
ANY = st.text(st.characters())  # lone surrogates as well
# Long runs of odd characters are rare in ANY; here nearly everything has a meaning for its neighbours.
ODD = st.text(
    st.sampled_from("aZ1 \t\n'’\u0301\u200d\u200c\u200b🏽👍🇫🇷❤\ufe0f\u20e3שَ你$`<\U000e0067\ud83d\ude00\ufeff\xa0\xad")
)


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", []),
        (" \t\n\u3000\xa0", []),
        ("The cat sat", ["The", "cat", "sat"]),
        ("  two\n\nlines ", ["two", "lines"]),
        ("It didn't!", ["It", "didn't", "!"]),
        ("It didn’t", ["It", "didn’t"]),
        ("'quoted'", ["'", "quoted", "'"]),
        ("dogs' o'clock 'tis", ["dogs", "'", "o'clock", "'", "tis"]),
        ("rock''n", ["rock", "'", "'", "n"]),
        ("well-known, e.g.", ["well", "-", "known", ",", "e", ".", "g", "."]),
        ("3.14 x2", ["3", ".", "14", "x2"]),
        ("...", [".", ".", "."]),
        ("a\tb", ["a", "b"]),
        ("🙂🙃", ["🙂", "🙃"]),
        ("ok👍🏽done", ["ok", "👍🏽", "done"]),
        (FAMILY * 2, [FAMILY, FAMILY]),
        ("❤️1️⃣", ["❤️", "1️⃣"]),
        ("🇫🇷🇩🇪 🇫", ["🇫🇷", "🇩🇪", "🇫"]),
        (ENGLAND + "x", [ENGLAND, "x"]),
        ("\u200d \u200da\u200d \u200d\u200d", ["a\u200d"]),  # a joiner with nothing to join is not a word
        ("a \xad\u0301", ["a", "\u0301"]),
        ("e\u0301te\u0301", ["e\u0301te\u0301"]),
        ("zalgo\u0300\u0301\u0302\u0303 x", ["zalgo\u0300\u0301\u0302\u0303", "x"]),
        ("שָׁלוֹם עולם", ["שָׁלוֹם", "עולם"]),
        ("مرحبا، عالم", ["مرحبا", "،", "عالم"]),
        ("می\u200cخواهم", ["می\u200cخواهم"]),
        ("नमस्ते दुनिया", ["नमस्ते", "दुनिया"]),
        ("你好，世界", ["你好", "，", "世界"]),
        ("<b>x</b>", ["<", "b", ">", "x", "<", "/", "b", ">"]),
        ("$x$ `y`", ["$", "x", "$", "`", "y", "`"]),
        ("𝔘𝔫𝔦", ["𝔘𝔫𝔦"]),
        ("\ufffd", ["\ufffd"]),
    ],
)
def test_words(text, tokens):
    assert words(text) == tokens


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        ("plain", "plain"),
        ("a\ud800b", "a\ufffdb"),
        ("\udc00", "\ufffd"),
        ("\ud83d\ude00", "😀"),  # two halves that belong together
        ("\ude00\ud83d", "\ufffd\ufffd"),
        ("a\x00b\x1b\x7f\x9f", "a b   "),
        ("tab\tand\nline", "tab and line"),
        ("e\u0301", "é"),
    ],
)
def test_clean(text, cleaned):
    assert clean(text) == cleaned


def visible(text):
    """The text without what has no ink of its own: spaces, controls, formats."""
    return "".join(c for c in text if unicodedata.category(c)[0] not in "ZC")


@given(ANY | ODD)
def test_nothing_is_lost_or_invented(text):
    tokens = words(clean(text))
    assert visible("".join(tokens)) == visible(clean(text))
    assert all(visible(token[0]) for token in tokens), "none begins with what nobody can see"
    assert all(visible(c) or c in JOINERS for token in tokens for c in token)


@given(ANY | ODD)
def test_clean_text_can_be_sent_and_stays_clean(text):
    cleaned = clean(text)
    assert cleaned.encode().decode() == cleaned
    assert clean(cleaned) == cleaned
    assert not any(unicodedata.category(c) in ("Cc", "Cs") for c in cleaned)


@given(ANY | ODD)
def test_even_text_that_was_not_cleaned_is_cut(text):
    assert visible("".join(words(text))) == visible(text)


@given(ODD, ODD)
def test_a_space_always_cuts(left, right):
    assert words(f"{left} {right}") == words(left) + words(right)


def test_a_sign_has_what_changes_it_and_ink():
    assert [sign for _, sign in signs(f"é {FAMILY}{ENGLAND}❤️1️⃣ स्ते👍🏽🇫🇷🇩🇪")] == [
        *("é", FAMILY, ENGLAND, "❤️", "1️⃣", "स्", "ते", "👍🏽", "🇫🇷", "🇩🇪")
    ]
    assert signs("\ufe0f a\u200b\u0301 b") == [(2, "a"), (6, "b")]


@given(ODD)
def test_every_sign_stands_where_it_is_said_to_and_none_twice(text):
    end = 0
    for start, sign in signs(text):
        assert start >= end
        assert text.startswith(sign, start)
        end = start + len(sign)
        assert unicodedata.category(sign[0])[0] not in "MZ"


def test_ids_are_the_same_in_every_process():
    """Python's own hash() is not; and another hash would change the picture behind every shared link."""
    assert hashed_ids(["The", "cat", "The"], 4096) == [2638, 2095, 2638]


def test_editing_one_word_leaves_the_ids_of_the_others_alone():
    before = hashed_ids(["the", "cat", "sat", "on", "the", "mat"], 4096)
    after = hashed_ids(["the", "dog", "sat", "on", "the", "mat"], 4096)
    assert [a == b for a, b in zip(before, after, strict=True)] == [True, False, True, True, True, True]


@given(st.lists(st.text(max_size=3), max_size=30), st.integers(30, 5000))
def test_same_word_same_id_and_different_words_different_ids(tokens, vocab_size):
    ids = hashed_ids(tokens, vocab_size)
    assert len(ids) == len(tokens)
    assert all(0 <= id < vocab_size for id in ids)
    assert len(set(zip(tokens, ids, strict=True))) == len(set(tokens)) == len(set(ids))


def test_a_full_vocabulary_is_used_up_and_one_more_word_is_refused():
    tokens = [str(n) for n in range(8)]
    assert sorted(hashed_ids(tokens, 8)) == list(range(8))
    with pytest.raises(ValueError, match="9 different words do not fit a vocabulary of 8"):
        hashed_ids([*tokens, *tokens, "9"], 8)


def test_a_lone_surrogate_has_an_id():
    (id,) = hashed_ids(["\ud800"], 100)
    assert 0 <= id < 100
