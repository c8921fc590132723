import math
from typing import Any

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from tests.transformer.oracles import angles, close, quick, rand, rng, sinusoid_table
from transformer.core.attention import MultiHeadAttention
from transformer.core.config import POSITION_SCHEMES, TransformerConfig
from transformer.core.positions import (
    AlibiPositions,
    LearnedPositions,
    Positions,
    RelativePositions,
    RotaryPositions,
    SinusoidalPositions,
    alibi_slopes,
    make_positions,
    relative_buckets,
    sinusoids,
    wavelengths,
)


def config(**changes: Any) -> TransformerConfig:
    settings: dict[str, Any] = {"d_model": 12, "n_heads": 2, "max_len": 40}
    return TransformerConfig(**settings | changes)


# Every scheme opens one door


@pytest.mark.parametrize(
    ("scheme", "kind", "door"),
    [
        ("none", Positions, None),
        ("sinusoidal", SinusoidalPositions, "add"),
        ("learned", LearnedPositions, "add"),
        ("rotary", RotaryPositions, "rotate"),
        ("relative", RelativePositions, "bias"),
        ("alibi", AlibiPositions, "bias"),
    ],
)
def test_each_scheme_opens_one_door(scheme, kind, door):
    positions = make_positions(config(positions=scheme), generator=rng())
    assert type(positions) is kind
    x, q, k = (rand(2, 5, 12), rand(2, 2, 5, 6), rand(2, 2, 5, 6, seed=1))
    turned = positions.rotate(q, k)
    assert torch.equal(positions.add(x), x) is (door != "add")
    assert torch.equal(turned[0], q) is (door != "rotate")
    assert torch.equal(turned[1], k) is (door != "rotate")
    assert (positions.bias(5, 5) is None) is (door != "bias")


def test_schemes_are_made_as_the_config_says():
    assert POSITION_SCHEMES == ("none", "sinusoidal", "learned", "rotary", "relative", "alibi")
    sinusoidal = make_positions(config(base=100.0))
    close(sinusoidal.double().rows(0, 9), sinusoid_table(9, 12, base=100.0))
    assert make_positions(config(positions="learned"), generator=rng()).weight.shape == (40, 12)
    rotary = make_positions(config(positions="rotary", base=100.0))
    assert (rotary.d_k, rotary.base, rotary.pairing) == (6, 100.0, "interleaved")
    settings = config(positions="relative", n_buckets=8, max_distance=20)
    for bidirectional in (True, False):
        relative = make_positions(settings, bidirectional=bidirectional, generator=rng())
        assert relative.weight.shape == (8, 2)
        assert (relative.n_buckets, relative.max_distance, relative.bidirectional) == (8, 20, bidirectional)
    assert make_positions(config(positions="alibi")).bias(3, 3).shape == (2, 3, 3)


# Sinusoids


@pytest.mark.parametrize("d_model", [1, 2, 5, 6, 15, 64])
@pytest.mark.parametrize("base", [10_000.0, 10.0])
def test_sinusoids_equal_the_formula_cell_by_cell(d_model, base):
    table = sinusoids(60, d_model, base)
    assert table.shape == (60, d_model)
    assert table.dtype == torch.float64
    close(table, sinusoid_table(60, d_model, base))


def test_six_columns_by_hand():
    # Three pairs, i = 0, 1, 2: columns 2i and 2i + 1 share a wavelength.
    angles = [5 / 10_000 ** (2 * i / 6) for i in range(3)]
    expected = [f(a) for a in angles for f in (math.sin, math.cos)]
    assert sinusoids(6, 6)[5].tolist() == pytest.approx(expected, abs=1e-13)


@quick
@given(d_model=st.integers(1, 40), pos=st.integers(0, 200), k=st.integers(0, 200))
def test_a_rotation_carries_one_position_to_another(d_model, pos, k):
    # M_k has a 2x2 block a pair; it does not know pos. An odd d_model ends on half a pair, which is left out.
    even = d_model // 2 * 2
    M = torch.zeros(even, even, dtype=torch.float64)
    for i in range(0, even, 2):
        angle = k / 10_000 ** (i / d_model)
        M[i, i] = M[i + 1, i + 1] = math.cos(angle)
        M[i, i + 1], M[i + 1, i] = math.sin(angle), -math.sin(angle)
    table = sinusoids(pos + k + 1, d_model)[:, :even]
    close(M @ table[pos], table[pos + k])
    close(M @ M.T, torch.eye(even, dtype=torch.float64))


def test_the_similarity_of_two_positions_depends_on_their_distance_only():
    table = sinusoids(100, 64)
    for distance in (1, 7, 50):
        similar = (table[: 100 - distance] * table[distance:]).sum(-1)
        expected = sum(math.cos(distance / 10_000 ** (2 * i / 64)) for i in range(32))
        close(similar, torch.full_like(similar, expected))


def test_wavelengths_are_full_turns():
    lengths = wavelengths(64)
    assert len(lengths) == 32
    assert lengths[0].item() == pytest.approx(2 * math.pi)
    assert lengths[-1].item() == pytest.approx(47_117, abs=1)  # 2 pi 10000^(62/64), not quite the limit 2 pi 10000
    assert (lengths[1:] / lengths[:-1]).tolist() == pytest.approx([10_000 ** (2 / 64)] * 31)
    assert len(wavelengths(5)) == 3
    # Base 16 and d_model 4 make the second wavelength four times the first: 8 pi.
    assert wavelengths(4, 16.0).tolist() == pytest.approx([2 * math.pi, 8 * math.pi])


@pytest.mark.parametrize("d_model", [7, 8])
def test_sinusoids_are_added_and_grow_with_the_text(d_model):
    positions = SinusoidalPositions(d_model).double()
    first = len(positions.table)
    x = rand(2, first + 37, d_model)
    close(positions.add(x) - x, sinusoid_table(first + 37, d_model).expand(2, -1, -1))
    close(
        positions.add(x[:, :3], start=first + 100) - x[:, :3],
        sinusoid_table(first + 103, d_model)[-3:].expand(2, -1, -1),
    )


@pytest.mark.parametrize("make", [lambda: SinusoidalPositions(8), lambda: RotaryPositions(8)])
def test_tables_are_not_saved_and_follow_the_model(make):
    positions = make()
    assert positions.state_dict() == {}
    positions.load_state_dict({})
    assert not list(positions.parameters())
    assert positions.table.dtype == torch.get_default_dtype()
    exact = make()._formula(300)
    positions.rows(0, 300)  # grown in float32, and still exact after .double()
    positions.double()
    assert positions.table.dtype == torch.float64
    assert torch.equal(positions.table[:300], exact)
    assert torch.equal(positions.half().rows(0, 900)[:300], exact.half())
    assert torch.equal(positions.to(torch.float64).rows(0, 300), exact)
    assert positions.to("meta").table.device.type == "meta"


def test_slopes_of_alibi_are_not_saved_and_follow_the_model():
    positions = AlibiPositions(6)
    assert positions.state_dict() == {}
    assert positions.slopes.dtype == torch.float32
    assert torch.equal(positions.half().double().slopes, alibi_slopes(6))
    assert positions.to("meta").slopes.device.type == "meta"


@pytest.mark.parametrize("make", [lambda: SinusoidalPositions(8), lambda: RotaryPositions(8)])
def test_a_table_grown_in_inference_mode_can_be_trained_through(make):
    positions = make()
    with torch.inference_mode():
        positions.rows(0, 500)
    x = rand(1, 1, 400, 8, dtype=torch.float32).requires_grad_()
    turned, _ = positions.rotate(x, x)
    (positions.add(turned[0]) ** 2).sum().backward()
    assert x.grad.isfinite().all()


# Learned


def test_learned_positions_are_rows_of_the_table():
    positions = LearnedPositions(10, 7, rng()).double()
    x = rand(2, 4, 7)
    close(positions.add(x, start=3), x + positions.weight[3:7])
    assert positions.add(rand(1, 10, 7)).shape == (1, 10, 7)
    assert list(positions.state_dict()) == ["weight"]


def test_learned_positions_end_with_a_sentence():
    positions = LearnedPositions(10, 7, rng())
    sentence = (
        "the learned table has 10 positions, but the text needs 11;"
        " shorten the text, or build the model with a larger max_len"
    )
    with pytest.raises(ValueError, match=f"^{sentence}$"):
        positions.add(rand(1, 11, 7))
    with pytest.raises(ValueError, match="has 10 positions, but the text needs 12"):
        positions.add(rand(1, 4, 7), start=8)


def test_only_the_rows_of_used_positions_are_trained():
    positions = LearnedPositions(10, 7, rng())
    positions.add(rand(2, 4, 7, dtype=torch.float32), start=2).sum().backward()
    assert positions.weight.grad.any(-1).tolist() == [False] * 2 + [True] * 4 + [False] * 4


def test_learned_positions_start_as_loud_as_sinusoids():
    rms = LearnedPositions(500, 64, rng()).weight.square().mean().sqrt().item()
    assert rms == pytest.approx(sinusoids(500, 64).square().mean().sqrt().item(), rel=0.02)


# Rotary


@pytest.mark.parametrize("d_k", [1, 2, 5, 8])
@pytest.mark.parametrize("base", [10_000.0, 10.0])
def test_rotary_equals_complex_multiplication(d_k, base):
    T, even = 100, d_k // 2 * 2
    q = rand(2, 3, T, d_k)
    numbers = torch.view_as_complex(q[..., :even].unflatten(-1, (-1, 2)).contiguous()) if even else None
    for pairing in ("interleaved", "half"):
        turned, _ = RotaryPositions(d_k, base, pairing).double().rotate(q, q)
        assert torch.equal(turned[..., even:], q[..., even:])
        assert turned.shape == q.shape
        if even == 0:
            continue
        turn = torch.polar(torch.ones(T, even // 2, dtype=torch.float64), angles(T, even, base))
        if pairing == "interleaved":
            close(turned[..., :even], torch.view_as_real(numbers * turn).flatten(-2))
        else:
            halves = torch.complex(q[..., : even // 2], q[..., even // 2 : even]) * turn
            close(turned[..., :even], torch.cat([halves.real, halves.imag], dim=-1))


@pytest.mark.parametrize("pairing", ["interleaved", "half"])
@pytest.mark.parametrize("d_k", [5, 8])
def test_rotated_products_depend_on_the_distance_only(pairing, d_k):
    # The same q at every place, the same k at every place: the scores are constant along diagonals.
    q, k = rand(1, 1, 1, d_k).expand(-1, -1, 80, -1), rand(1, 1, 1, d_k, seed=1).expand(-1, -1, 80, -1)
    a, b = RotaryPositions(d_k, pairing=pairing).double().rotate(q, k)
    scores = (a @ b.mT)[0, 0]
    close(scores[:-1, :-1], scores[1:, 1:])
    assert scores[0].std() > 0.1
    close(a.norm(dim=-1), q.norm(dim=-1))


def test_the_two_pairings_differ_by_a_reordering():
    q, order = rand(1, 2, 9, 8), [0, 2, 4, 6, 1, 3, 5, 7]
    interleaved, _ = RotaryPositions(8).double().rotate(q, q)
    half, _ = RotaryPositions(8, pairing="half").double().rotate(q[..., order], q[..., order])
    close(interleaved[..., order], half)


def test_rotated_queries_are_the_last_positions():
    positions = RotaryPositions(6).double()
    q, k = rand(1, 2, 10, 6), rand(1, 2, 10, 6, seed=1)
    all_q, all_k = positions.rotate(q, k)
    last_q, same_k = positions.rotate(q[:, :, -3:], k)
    assert torch.equal(last_q, all_q[:, :, -3:])
    assert torch.equal(same_k, all_k)


@pytest.mark.parametrize(("dtype", "tolerance"), [(torch.float32, 2e-6), (torch.float16, 1e-2), (torch.bfloat16, 5e-2)])
def test_rotary_stays_exact_far_into_a_text_in_every_precision(dtype, tolerance):
    # A table of angles would not: in bfloat16 an angle of 1000 is known to within 4 radians.
    q = rand(1, 1, 1500, 16)
    exact, _ = RotaryPositions(16).double().rotate(q, q)
    ours, _ = RotaryPositions(16).to(dtype).rotate(q.to(dtype), q.to(dtype))
    assert ours.dtype == dtype
    assert (ours.double() - exact).abs().max() < tolerance


def test_rotary_has_two_pairings_only():
    with pytest.raises(ValueError, match="pairing='quarter' is not known; try interleaved or half"):
        RotaryPositions(8, pairing="quarter")


# T5


def test_buckets_of_a_small_case_by_hand():
    # 8 buckets that look one way, to distance 16: 0 to 3 are exact, then steps of 4, 5.66, 8, 11.3.
    distances = torch.tensor([0, 1, 2, 3, 4, 5, 6, 7, 8, 11, 12, 16, 1000])
    assert relative_buckets(-distances, 8, 16, False).tolist() == [0, 1, 2, 3, 4, 4, 5, 5, 6, 6, 7, 7, 7]
    assert (relative_buckets(distances, 8, 16, False) == 0).all()


@pytest.mark.parametrize("bidirectional", [True, False])
def test_relative_bias_looks_its_buckets_up(bidirectional):
    positions = RelativePositions(3, 8, 16, bidirectional=bidirectional, generator=rng())
    bias = positions.bias(4, 9)
    assert bias.shape == (3, 4, 9)
    for t in range(4):
        for s in range(9):
            bucket = relative_buckets(torch.tensor(s - (9 - 4 + t)), 8, 16, bidirectional)
            assert torch.equal(bias[:, t, s], positions.weight[bucket])
    close(positions.bias(9, 9)[:, -4:], bias)
    close(bias[:, :-1, :-1], bias[:, 1:, 1:])


def test_relative_bias_is_trained():
    positions = RelativePositions(2, 8, 16, generator=rng())
    positions.bias(3, 3).sum().backward()
    # Offsets -2 to 2 of three tokens: one cell, two, three, two, one.
    counts = torch.zeros(8)
    for offset, n in ((-2, 1), (-1, 2), (0, 3), (1, 2), (2, 1)):
        counts[relative_buckets(torch.tensor(offset), 8, 16, True)] += n
    assert positions.weight.grad is not None
    assert torch.equal(positions.weight.grad, counts[:, None].expand(8, 2))


# ALiBi


@pytest.mark.parametrize("n_heads", [1, 2, 4, 8, 16])
def test_slopes_of_a_power_of_two(n_heads):
    assert alibi_slopes(n_heads).tolist() == [2 ** (-8 * i / n_heads) for i in range(1, n_heads + 1)]


def test_slopes_of_twelve_heads():
    # Those of 8 heads, then the 1st, 3rd, 5th and 7th of 16.
    expected = [2.0**-i for i in range(1, 9)] + [2**-0.5, 2**-1.5, 2**-2.5, 2**-3.5]
    assert alibi_slopes(12).tolist() == pytest.approx(expected, abs=1e-15)


def test_alibi_closed_form():
    bias = AlibiPositions(4).double().bias(3, 5)
    for h in range(4):
        for t in range(3):
            for s in range(5):
                assert bias[h, t, s].item() == -(2.0 ** (-2 * (h + 1))) * abs(s - (2 + t))


def test_alibi_makes_far_keys_fainter():
    attn = MultiHeadAttention(8, 2, bias=False, generator=rng())
    x = rand(1, 1, 8, dtype=torch.float32).expand(1, 6, 8)  # the same token everywhere: distance alone decides
    weights = attn(x, positions=AlibiPositions(2))[1]
    assert (weights[0, :, -1, 1:] > weights[0, :, -1, :-1]).all()
    assert (weights[0, :, 0, 1:] < weights[0, :, 0, :-1]).all()
