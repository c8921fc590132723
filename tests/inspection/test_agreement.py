"""Agreement with known pairs: counted by hand, an offset that is known, heads chosen on one half; brackets likewise."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from tests.further import examples
from transformer.core.model import DecoderModel, Transformer
from transformer.inspection import closing, syntax
from transformer.inspection.agreement import agreement, agreements, best_offset, by_query, found, offset_share
from transformer.training import shipped
from transformer.training.tasks import make
from transformer.training.tasks.code import PAIRS, partners, pieces
from transformer.training.tasks.syntax import ADJECTIVE, ARTICLE, OBJECT, PREPOSITION, SUBJECT, SUBJECT_OF, dependencies


def head_that_looks(at: dict[int, int], T: int) -> np.ndarray:
    """(1, 1, T, T): rows with a favourite look there with .6, all others nowhere in particular."""
    weights = np.full((T, T), 1 / T)
    for row, column in at.items():
        weights[row] = 0.4 / (T - 1)
        weights[row, column] = 0.6
    return weights[None, None]


def test_what_is_found_is_counted_by_hand() -> None:
    weights = head_that_looks({2: 0, 3: 3, 4: 1}, 5)
    pairs = [(2, 0), (3, 2), (4, 1), (4, 3)]
    assert by_query(pairs) == {2: {0}, 3: {2}, 4: {1, 3}}
    assert found(weights, pairs).tolist() == [[[True, False, True]]]
    assert best_offset([[(2, 0), (3, 1)], [(4, 3)]]) == -2
    assert best_offset([[(2, 1), (3, 1)]]) == -1, "of equally good ones, the shortest"
    assert offset_share([pairs], -1) == pytest.approx(2 / 3)  # 3 -> 2 and 4 -> 3
    with pytest.raises(ValueError, match="no pairs"):
        best_offset([[]])


def test_the_best_head_is_chosen_on_one_half_and_measured_on_the_other() -> None:
    """Head 0 is right on even texts only, head 1 on odd ones: who chooses on even texts gets 0 on odd ones."""
    T, n = 5, 40
    weights, pairs = [], []
    for text in range(n):
        right, wrong = head_that_looks({4: 1}, T), head_that_looks({4: 2}, T)
        weights.append(np.concatenate([right, wrong] if text % 2 == 0 else [wrong, right], 1))
        pairs.append([(4, 1)])
    result = agreement(weights, pairs, [np.full(T, T)] * n)
    assert result is not None
    assert result.best == (0, 0)
    assert result.share == 0
    assert result.shares.tolist() == [[0, 1]]
    assert (result.offset, result.baseline, result.n) == (-3, 1, n // 2)
    assert result.chance == pytest.approx(1 / T)
    assert agreement(weights[:10], pairs[:10], [np.full(T, T)] * 10) is None, "five are too few"
    assert agreements(weights, [{"a": cells, "b": []} for cells in pairs], [np.full(T, T)] * n).keys() == {"a"}


@pytest.mark.slow
def test_dependencies_worked_out_by_hand() -> None:
    words = ("the", "little", "black", "cat", "does", "not", "like", "the", "white", "house")
    known = dependencies(words)
    assert known[ARTICLE] == [(0, 3), (7, 9)]
    assert known[ADJECTIVE] == [(1, 3), (2, 3), (8, 9)]
    assert (known[SUBJECT], known[SUBJECT_OF], known[OBJECT]) == ([(6, 3)], [(3, 6)], [(6, 9)])
    known = dependencies(("the", "girl", "and", "i", "am", "happy", "in", "my", "house"))
    assert known[SUBJECT] == [(4, 1), (4, 3)]
    assert (known[PREPOSITION], known[OBJECT]) == ([(6, 8)], [])
    known = dependencies(("mia", "did", "not", "find", "tom", "with", "the", "green", "key"))
    assert (known[SUBJECT], known[OBJECT], known[PREPOSITION]) == ([(3, 0)], [(3, 4)], [(5, 8)])
    assert (known[ARTICLE], known[ADJECTIVE]) == ([(6, 8)], [(7, 8)])
    kinds = make("french").kinds
    for words in syntax.sentences(60):
        for name, cells in dependencies(words).items():
            for a, b in cells:
                assert words[b] in (*kinds["nouns"], *kinds["names"], *kinds["pronouns"]) or name.endswith("verb"), (
                    words,
                    name,
                )
                assert words[a] not in ("do", "does", "did", "not")


def test_words_in_pieces_stand_where_their_first_piece_does() -> None:
    assert syntax.on_tokens({"a": [(0, 1), (2, 0), (1, 5)]}, [None, 0, 1, 1, 2, None]) == {"a": [(1, 2), (4, 1)]}


@pytest.mark.slow
def test_the_translators_adjectives_find_their_noun_better_than_any_offset_and_its_verbs_no_subject() -> None:
    checkpoint = shipped.load("translator")
    model = checkpoint.model()
    assert isinstance(model, Transformer)
    results = syntax.by_relation(model, syntax.of_task(checkpoint.task, 80))
    assert results[ADJECTIVE].share > results[ADJECTIVE].baseline + 0.05
    assert results[SUBJECT].share < results[SUBJECT].baseline
    text = syntax.of_task(checkpoint.task, 1)[0]
    alone = model.encoder(torch.tensor([text.ids]))[1]
    np.testing.assert_allclose(
        syntax.all_heads(model, [text.ids])[0], np.stack([w[0].detach().numpy() for w in alone]), atol=1e-6
    )


# ---- brackets in code ------------------------------------------------------------------------------------------------


@examples(60)
@given(st.text(alphabet="()[]{} ab1\"'\n\\=", max_size=40))
def test_partners_are_those_that_a_stack_finds(text: str) -> None:
    tokens = [piece.token for piece in pieces(text)]
    assert all(0 <= piece.start < piece.end <= len(text) for piece in pieces(text))
    pairs, alone = partners(tokens)
    for close, start in pairs:
        assert PAIRS[tokens[start]] == tokens[close]
        between = [pair for pair in pairs if start < pair[1] < close]
        assert all(start < inner < close for inner, _ in between), "pairs never cross"
        assert not any(start < place < close and tokens[place] in PAIRS for place in alone), "none is left open inside"
    places = [place for pair in pairs for place in pair] + alone
    assert sorted(places) == [n for n, token in enumerate(tokens) if token in (*PAIRS, *PAIRS.values())]


@pytest.mark.slow
def test_the_model_of_code_looks_at_partners_and_closes_what_is_open() -> None:
    checkpoint = shipped.load("code")
    model, task = checkpoint.model(), checkpoint.task
    assert isinstance(model, DecoderModel)
    measured = closing.measure(model, task, closing.texts(60, 4, 48), 48)
    assert measured.right.mean() > 0.9
    assert measured.heads.share > measured.heads.baseline + 0.2
    assert len(measured.right) == len(measured.looked) == len(measured.depth) == len(measured.offset)
    assert measured.depth.min() == 1
    tokens = [piece.token for piece in pieces("f(a[1]) + {")]
    read = closing.read(model, task, tokens)
    assert [(one.at, one.partner, one.depth) for one in read.closings] == [(5, 3, 2), (6, 1, 1)]
    assert read.pairs == [(5, 4), (6, 2)]
    np.testing.assert_allclose(read.weights.sum(-1), 1, atol=1e-5)
    shorter = closing.read(model, task, tokens[:7])
    np.testing.assert_allclose(shorter.weights, read.weights[..., :8, :8], atol=1e-5)  # it cannot look ahead
