"""What the page on positions shows, against closed forms, numpy and plain loops."""

import math
from collections.abc import Iterator

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from tests.transformer.oracles import quick, sinusoid_table
from transformer.core.config import POSITION_SCHEMES, TransformerConfig
from transformer.core.model import DecoderModel, EncoderModel
from transformer.core.taps import Recorder
from transformer.inspection import positions

IDS = [5, 17, 3, 9, 5, 30]  # the cat sat on the mat: one word comes twice
SWAPPED = (0, 5, 2, 3, 4, 1)


def model(scheme: str, kind: type = EncoderModel, seed: int = 0) -> EncoderModel | DecoderModel:
    config = TransformerConfig(vocab_size=40, d_model=32, positions=scheme)
    return kind(config, torch.Generator().manual_seed(seed)).eval()


# Waves (rows 13 to 16)


@pytest.mark.parametrize(("length", "d_model", "base"), [(50, 64, 10_000), (20, 9, 10), (8, 4, 2), (1, 1, 1e6)])
def test_waves_equal_a_plain_loop(length: int, d_model: int, base: float) -> None:
    result = positions.waves(length, d_model, base)
    assert np.abs(result.table - sinusoid_table(length, d_model, base).numpy()).max(initial=0) < 1e-10
    expected = [2 * math.pi * base ** (2 * i / d_model) for i in range(math.ceil(d_model / 2))]
    assert result.wavelengths == pytest.approx(expected)
    assert result.limit == pytest.approx(2 * math.pi * base)
    assert result.wavelengths[-1] < result.limit


def test_the_longest_wave_is_not_the_limit() -> None:
    assert positions.waves(1, 64, 10_000).wavelengths[-1] == pytest.approx(47_117, abs=1)


@quick
@given(d_model=st.integers(1, 300), base=st.sampled_from([2.0, 10.0, 1e4, 1e6]))
def test_two_ways_to_write_the_turns(d_model: int, base: float) -> None:
    expected = [base ** (-2 * i / d_model) for i in range(math.ceil(d_model / 2))]
    for form in (positions.div_term, positions.powers):
        assert form(d_model, base).tolist() == pytest.approx(expected, rel=3e-6)
    assert positions.rounding_difference(d_model, base) < 3e-6


# M_k (row 18)


@quick
@given(d_model=st.integers(2, 70), a=st.integers(-60, 60), b=st.integers(0, 60), base=st.sampled_from([2.0, 1e4]))
def test_one_matrix_moves_every_code(d_model: int, a: int, b: int, base: float) -> None:
    M_a, M_b = positions.rotation(a, d_model, base), positions.rotation(b, d_model, base)
    full = len(M_b)
    assert full == d_model // 2 * 2
    table = sinusoid_table(140, d_model, base).numpy()[:, :full]
    assert np.abs(table[: 140 - b] @ M_b.T - table[b:]).max() < 1e-11  # the same matrix for every position
    assert np.abs(M_a @ M_a.T - np.eye(full)).max() < 1e-12
    assert np.abs(M_a @ M_b - positions.rotation(a + b, d_model, base)).max() < 1e-11


# Likeness (row 17)


def test_likeness_is_not_monotone() -> None:
    result = positions.similarity(200, 64, 10_000)
    assert result.rises_at[0] == 6
    assert len(result.rises_at) == 82
    expected = [sum(math.cos(k / 10_000 ** (2 * i / 64)) for i in range(32)) for k in range(200)]
    assert result.by_offset == pytest.approx(expected)
    distance = np.abs(np.subtract.outer(np.arange(200), np.arange(200)))
    assert np.abs(result.matrix - np.array(expected)[distance]).max() < 1e-11


def test_likeness_of_an_odd_width_counts_full_pairs() -> None:
    result = positions.similarity(30, 5, 100.0)
    assert result.by_offset == pytest.approx(
        [sum(math.cos(k / 100 ** (2 * i / 5)) for i in range(2)) for k in range(30)]
    )
    assert result.matrix[3, 4] != pytest.approx(result.matrix[20, 21], abs=1e-3)


# Hands (rows 18 and 27)


@pytest.mark.parametrize("d_k", [2, 6, 16])
def test_rotated_hands_turn_by_the_angle_of_their_pair(d_k: int) -> None:
    result = positions.rotary_hands(90, d_k, 50.0, seed=3)
    for arrows in (result.first, result.second):
        numbers = arrows[..., 0] + 1j * arrows[..., 1]
        turns = np.exp(1j * np.arange(90)[:, None] / 50.0 ** (2 * np.arange(d_k // 2) / d_k))
        assert np.abs(numbers - numbers[0] * turns).max() < 1e-10
        assert np.abs(np.abs(numbers) - np.abs(numbers[0])).max() < 1e-12
    scores = np.einsum("ank,bnk->ab", result.first, result.second)
    assert np.abs(scores[1:, 1:] - scores[:-1, :-1]).max() < 1e-10
    assert scores[:, 0].std() > 0.1


# The permutation machine (rows 11 and 12)


@pytest.mark.parametrize("order", [SWAPPED, (5, 4, 3, 2, 1, 0), (2, 0, 4, 1, 5, 3)])
def test_without_positions_only_the_places_change(order: tuple[int, ...]) -> None:
    result = positions.shuffle(model("none"), IDS, order)
    assert result.moved.max() < 1e-5
    assert result.pooled < 1e-5
    assert np.abs(result.after - result.before[list(order)]).max() < 1e-5
    assert np.ptp(result.before, axis=0).max() > 0.1, "words have outputs of their own"


@pytest.mark.parametrize("scheme", ["sinusoidal", "learned", "rotary", "relative", "alibi"])
def test_with_positions_outputs_change(scheme: str) -> None:
    result = positions.shuffle(model(scheme), IDS, SWAPPED)
    assert result.moved.max() > 0.1
    assert result.pooled > 1e-3


def test_a_causal_mask_tells_order_too() -> None:
    assert positions.shuffle(model("none", DecoderModel), IDS, SWAPPED).moved.max() > 0.1


def test_alibi_cannot_tell_a_text_from_its_reversal_in_an_encoder() -> None:
    backwards = tuple(reversed(range(len(IDS))))
    assert positions.shuffle(model("alibi"), IDS, backwards).moved.max() < 1e-5
    assert positions.shuffle(model("alibi"), IDS, SWAPPED).moved.max() > 0.01
    assert positions.shuffle(model("alibi", DecoderModel), IDS, backwards).moved.max() > 0.01
    for scheme in ("sinusoidal", "learned", "rotary", "relative"):
        assert positions.shuffle(model(scheme), IDS, backwards).moved.max() > 0.01, scheme


def test_a_shuffle_is_what_the_model_says() -> None:
    encoder = model("rotary")
    result = positions.shuffle(encoder, IDS, SWAPPED)
    for ids, seen in ((IDS, result.before), ([IDS[i] for i in SWAPPED], result.after)):
        recorder = Recorder("out")
        encoder(torch.tensor([ids]), tap=recorder)
        assert np.array_equal(recorder["encoder.out"][0].numpy(), seen)
    for word in range(6):
        place = SWAPPED.index(word)
        assert result.moved[word] == np.abs(result.after[place] - result.before[word]).max()
    unmoved = positions.shuffle(encoder, IDS, (0, 1, 2, 3, 4, 5))
    assert unmoved.moved.max() == unmoved.pooled == 0


@pytest.mark.parametrize("order", [(0, 1), (0, 0, 1, 2, 3, 4), (1, 2, 3, 4, 5, 6)])
def test_what_is_no_order_is_refused(order: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="is not an order of 6 words"):
        positions.shuffle(model("none"), IDS, order)


# The sum (rows 21, 22 and 24)


@pytest.mark.parametrize("scheme", ["sinusoidal", "learned"])
def test_the_sum_is_exact_and_the_model_s_own(scheme: str) -> None:
    config = TransformerConfig(vocab_size=40, d_model=12, n_heads=1, positions=scheme, max_len=8)
    result = positions.summands(IDS, config, amount=1.5, batch=3)
    assert np.array_equal(result.added, np.float32(1.5) * result.positions)
    assert np.array_equal(result.sum, result.tokens + result.added)
    assert np.array_equal(result.tokens[0], result.tokens[4]), "one word, one vector"
    assert result.shapes == ((3, 6, 12), (1, 6, 12), (3, 6, 12))
    assert result.shared
    assert result.rms == pytest.approx([np.sqrt((x**2).mean()) for x in (result.tokens, result.positions)])


def test_the_sum_is_what_an_encoder_reads() -> None:
    config = TransformerConfig(vocab_size=40, d_model=12, n_heads=1)
    seen = Recorder("embedded", "positioned")
    EncoderModel(config, torch.Generator().manual_seed(4)).eval()(torch.tensor([IDS]), tap=seen)
    result = positions.summands(IDS, config, seed=4)
    assert np.array_equal(result.tokens, seen["encoder.embedded"][0].numpy())
    assert np.array_equal(result.sum, seen["encoder.positioned"][0].numpy())


def test_an_offset_leaves_rows_that_no_text_trains() -> None:
    plain, later = (positions.learned_table(8, 4, 3, 0, offset) for offset in (0, 2))
    assert later.table.shape == (10, 4)
    assert ((later.gradient > 0) == [False, False, True, True, True, *[False] * 5]).all()
    assert (plain.gradient[:3] > 0).all()
    assert "has 8 positions, but the text needs 9" in later.message


def test_codes_do_not_know_the_words() -> None:
    config = TransformerConfig(vocab_size=40, d_model=12, n_heads=1)
    one, other = (positions.summands(ids, config) for ids in (IDS, [7, 8, 9, 10, 11, 12]))
    assert np.array_equal(one.positions, other.positions)
    assert not np.array_equal(one.tokens, other.tokens)


# Schemes (rows 25 to 28)


def test_the_same_word_everywhere() -> None:
    seen = {s: positions.same_word(s, 12, d_model=32, n_heads=4, seed=1) for s in POSITION_SCHEMES}
    for weights in seen.values():
        assert weights.shape == (4, 12, 12)
        assert weights.sum(-1) == pytest.approx(np.ones((4, 12)), abs=1e-5)
    assert seen["none"] == pytest.approx(np.full((4, 12, 12), 1 / 12), abs=1e-6)
    # Score differences along a row depend on the distances only: log weights, shifted by a constant a row.
    for scheme in ("rotary", "relative", "alibi"):
        logs = np.log(seen[scheme].astype("f8"))
        steps = np.diff(logs, axis=-1)
        assert np.abs(steps[:, 1:, 1:] - steps[:, :-1, :-1]).max() < 1e-3, scheme
    slopes = 2.0 ** -(2.0 * np.arange(1, 5))
    far = np.abs(np.subtract.outer(np.arange(12), np.arange(12)))
    raw = np.exp(-slopes[:, None, None] * far)
    assert np.abs(seen["alibi"] - raw / raw.sum(-1, keepdims=True)).max() < 1e-5
    for scheme in ("sinusoidal", "learned"):
        steps = np.diff(np.log(seen[scheme].astype("f8")), axis=-1)
        assert np.abs(steps[:, 1:, 1:] - steps[:, :-1, :-1]).max() > 0.01, scheme


def test_planes_of_alibi() -> None:
    result = positions.score_bias("alibi", 10, 15, n_heads=8)
    slopes = 2.0 ** -np.arange(1.0, 9)
    assert result.slopes == pytest.approx(slopes)
    far = np.abs(np.subtract.outer(np.arange(10), np.arange(10)))
    assert result.maps == pytest.approx(-slopes[:, None, None] * far)
    assert result.by_offset == pytest.approx(-slopes[:, None] * np.abs(np.arange(-15, 16)))


def test_planes_of_t5() -> None:
    result = positions.score_bias("relative", 10, 60, n_heads=3, max_distance=40, seed=2)
    assert result.maps.shape == (3, 10, 10)
    assert np.array_equal(result.maps[:, 1:, 1:], result.maps[:, :-1, :-1])
    for i, j in [(0, 9), (9, 0), (4, 4), (3, 5)]:
        assert np.array_equal(result.maps[:, i, j], result.by_offset[:, 60 + j - i])
    assert result.by_offset[0, 60 - 8] != result.by_offset[0, 60 + 8], "behind and ahead have buckets of their own"
    # 16 buckets behind: the last holds every distance from 8 (40/8)^(7/8) = 32.7 on.
    assert result.n_shared == len(range(33, 61))
    last = result.by_offset[:, : 60 - 32]
    assert np.array_equal(last, np.repeat(last[:, :1], 28, axis=1))
    assert not np.array_equal(result.by_offset[:, 60 - 32], last[:, 0])


@pytest.mark.parametrize("used", [1, 5, 16])
def test_a_text_trains_its_own_rows_only(used: int) -> None:
    result = positions.learned_table(16, 8, used, seed=1)
    assert result.table.shape == (16, 8)
    assert (result.gradient[:used] > 0).all()
    assert (result.gradient[used:] == 0).all()
    assert result.message.startswith("the learned table has 16 positions, but the text needs 17")


# A head that looks back (row 19)


@pytest.mark.parametrize("scheme", ["sinusoidal", "rotary"])
@pytest.mark.parametrize("k", [0, 1, 5])
def test_a_built_head_looks_back_by_k(scheme: str, k: int) -> None:
    weights = positions.look_back(scheme, k, 24, 64, sharpness=32.0)
    assert (weights[k:].argmax(-1) == np.arange(24 - k)).all()
    on, chance = positions.diagonal_weight(weights, k)
    assert on > 0.95
    assert chance == 1 / 24
    code = sinusoid_table(24, 64).numpy()
    scores = np.array([[32 / 8 * sum(_likeness(i - k - j)) for j in range(24)] for i in range(24)])
    expected = np.exp(scores - scores.max(-1, keepdims=True))
    assert np.abs(weights - expected / expected.sum(-1, keepdims=True)).max() < 1e-9
    assert np.sum(code[0] ** 2) == pytest.approx(32)


def _likeness(offset: int) -> Iterator[float]:
    return (math.cos(offset / 10_000 ** (2 * i / 64)) for i in range(32))


def test_without_positions_a_head_looks_at_chance() -> None:
    on, chance = positions.diagonal_weight(positions.look_back("none", 3, 24, 64, sharpness=32.0), 3)
    assert on == pytest.approx(chance)
