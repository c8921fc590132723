"""What the browser is sent, decoded by the documented format: the very weights, or as near as the tier promises."""

import dataclasses
import json
import math
import weakref
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from attention_view import payload
from attention_view.payload import Marks, Packed, Picture, Sent, by_distance, in_steps, pooled, tier
from tests.payloads import bias_of, explained, unpack

TIERS = ("exact", "bytes", "thumbnail")
ROUNDING = 255 / 0.5 * 2**-20  # a float32 product may fall on the other side of a half


def softmax_weights(L, H, T, S, seed=0, mask=None):
    q = np.random.default_rng(seed).normal(size=(L, H, T, 4))
    k = np.random.default_rng(seed + 1).normal(size=(L, H, S, 4))
    return explained(q, k, mask=mask).astype("f4")


def picture(L=2, H=3, T=5, S=5, n_kv=None, **more):
    random = np.random.default_rng(7)
    d_k = 4
    q = random.normal(size=(L, H, T, d_k)).astype("f4")
    k = random.normal(size=(L, n_kv or H, S, d_k)).astype("f4")
    weights = explained(q, k, math.sqrt(d_k), more.get("bias"), more.get("mask")).astype("f4")
    given: dict[str, Any] = {"weights": weights, "q": q, "k": k, "scale": math.sqrt(d_k)}
    given |= more
    return Picture(queries=tuple(f"q{i}" for i in range(T)), keys=tuple(f"k{j}" for j in range(S)), **given)


@pytest.fixture
def as_tier(monkeypatch):
    """Let pictures of any size be sent as the named tier."""

    def choose(name):
        exact, small = {"exact": (1 << 40, 1 << 40), "bytes": (0, 1 << 40), "thumbnail": (0, 0)}[name]
        monkeypatch.setattr(payload, "EXACT_CELLS", exact)
        monkeypatch.setattr(payload, "BYTE_CELLS", small)

    return choose


def test_the_header_says_what_is_on_the_picture():
    scores = {"entropy": np.arange(6.0).reshape(2, 3)}
    tag = {"name": "previous word", "layer": 1, "head": 2, "score": 0.8, "query": None}
    more = {"facts": ("decoder", "9 parameters"), "untrained": True, "tags": (tag,), "opens": (1, 2)}
    seen = picture(scores=scores, chance={"entropy": 1.5}, **more)
    header, arrays = unpack(Packed(seen)(url="a_", compact=True))
    assert header.pop("arrays")
    assert header.pop("id")
    assert header == {
        "tier": "exact",
        "layers": 2,
        "heads": 3,
        "queries": ["q0", "q1", "q2", "q3", "q4"],
        "keys": ["k0", "k1", "k2", "k3", "k4"],
        "scale": 2.0,
        "chance": {"entropy": 1.5},
        "facts": ["decoder", "9 parameters"],
        "untrained": True,
        "tags": [tag],
        "open": [1, 2],
        "label": "self-attention",
        "url": "a_",
        "compact": True,
    }
    assert np.array_equal(arrays["score:entropy"], scores["entropy"])
    assert np.array_equal(arrays["largest"], seen.weights.max((2, 3)))


def test_any_token_survives_the_journey():
    odd = ('"', "\\", "é", "👩‍🚀", "</script>", "\u2028", "`$", "שלום")
    weights = softmax_weights(1, 1, 8, 8)
    header, _ = unpack(Packed(Picture(queries=odd, keys=odd, weights=weights))())
    assert tuple(header["queries"]) == tuple(header["keys"]) == odd


@pytest.mark.parametrize("n_kv", [3, 1])
def test_exact_sends_every_number_as_it_is(n_kv):
    seen = picture(n_kv=n_kv, mask=np.tri(5, dtype=bool))
    header, arrays = unpack(Packed(seen)())
    assert header["tier"] == "exact"
    assert "view" not in header
    for name in ("weights", "q", "k", "mask"):
        assert np.array_equal(arrays[name], getattr(seen, name))
    assert arrays["k"].shape == (2, n_kv, 5, 4)
    assert Packed(seen)(1, 2) == Packed(seen)(), "any head can be opened without asking again"


@pytest.mark.parametrize("n_kv", [6, 2, 1])
@pytest.mark.parametrize("name", ["bytes", "thumbnail"])
def test_beyond_exact_the_head_in_view_comes_with_its_q_and_k(as_tier, name, n_kv):
    as_tier(name)
    seen = picture(L=2, H=6, T=7, S=7, n_kv=n_kv)
    packed = Packed(seen)
    for layer, head in np.ndindex(2, 6):
        header, arrays = unpack(packed(layer, head))
        assert (header["tier"], header["view"]) == (name, [layer, head])
        assert not {"q", "k"} & set(arrays)
        assert np.array_equal(arrays["view:q"], seen.q[layer, head])
        assert np.array_equal(arrays["view:k"], seen.k[layer, head // (6 // n_kv)])
        own = explained(arrays["view:q"][None], arrays["view:k"][None], header["scale"])[0]
        assert np.abs(own - seen.weights[layer, head]).max() < 1e-6


@pytest.mark.parametrize("name", ["bytes", "thumbnail"])
def test_without_q_and_k_the_head_in_view_comes_with_its_weights(as_tier, name):
    as_tier(name)
    seen = picture(q=None, k=None)
    _, arrays = unpack(Packed(seen)(1, 2))
    assert np.array_equal(arrays["view:weights"], seen.weights[1, 2])
    assert not {"view:q", "view:k"} & set(arrays)


@pytest.mark.parametrize(
    ("asked", "shown"), [((99, 99), [1, 2]), ((-1, -5), [0, 0]), ((0, 3), [0, 2]), ((2, 0), [1, 0])]
)
def test_a_head_that_does_not_exist_becomes_the_nearest(as_tier, asked, shown):
    as_tier("bytes")
    assert unpack(Packed(picture())(*asked)).header["view"] == shown


@given(
    hnp.arrays("f4", st.tuples(*[st.integers(1, 5)] * 4), elements=st.floats(2**-30, 1, width=32)),
    st.integers(0, 2**32 - 1),
)
@settings(deadline=None)
def test_steps_are_within_half_a_step_and_never_hide_a_weight(weights, seed):
    weights = np.where(np.random.default_rng(seed).random(weights.shape) < 0.3, 0, weights)
    largest = weights.max((2, 3))
    steps = in_steps(weights, largest)
    assert np.array_equal(steps > 0, weights > 0)
    unit = largest.astype("f8")[..., None, None] / 255
    within_half = np.abs(steps * unit - weights) <= 0.5 * unit * (1 + ROUNDING)
    assert np.all(within_half | (steps == 1)), "only a weight too small for half a step is drawn larger"
    assert np.all((steps == 255) | (weights < largest[..., None, None]) | (weights == 0))


@given(st.integers(1, 3), st.integers(1, 4), st.integers(1, 40), st.integers(1, 40))
def test_every_tier_of_every_shape(L, H, T, S):
    seen = picture(L, H, T, S, mask=np.random.default_rng(T * S).random((T, S)) < 0.8)
    for name in TIERS:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(payload, "tier", lambda n, name=name: name)
            patch.setattr(payload, "THUMBNAIL_SIDE", 8)
            header, arrays = unpack(Packed(seen)(L - 1, H - 1))
        assert header["tier"] == name
        assert arrays["weights"].dtype == ("f4" if name == "exact" else "u1")
        side = math.ceil(max(T, S) / 8) if name == "thumbnail" else 1
        assert arrays["weights"].shape == (L, H, math.ceil(T / side), math.ceil(S / side))
        assert seen.mask is not None
        assert np.array_equal(arrays["mask"], seen.mask)
        assert np.array_equal(arrays["largest"], seen.weights.max((2, 3)))


@given(st.integers(1, 30), st.integers(1, 30), st.integers(1, 9))
def test_a_thumbnail_shows_the_largest_of_every_square(T, S, side):
    weights = np.random.default_rng(T * S).random((2, 1, T, S), dtype="f4")
    small = pooled(weights, side)
    for i in range(small.shape[-2]):
        for j in range(small.shape[-1]):
            square = weights[..., i * side : (i + 1) * side, j * side : (j + 1) * side]
            assert np.array_equal(small[..., i, j], square.max((-2, -1)))
    assert small.shape[-2:] == (math.ceil(T / side), math.ceil(S / side))


def test_thumbnails_are_pooled_before_they_are_cut_into_steps(as_tier):
    """One dark cell among 512 x 512 must be seen."""
    as_tier("thumbnail")
    weights = np.zeros((1, 1, 512, 512), "f4")
    weights[0, 0, 301, 77] = 1
    tokens = tuple(map(str, range(512)))
    _, arrays = unpack(Packed(Picture(queries=tokens, keys=tokens, weights=weights))())
    assert arrays["weights"].shape == (1, 1, 64, 64)
    assert np.argwhere(arrays["weights"][0, 0]).tolist() == [[301 // 8, 77 // 8]]
    assert arrays["weights"].max() == 255


@pytest.mark.parametrize("T", [1, 2, 7])
@pytest.mark.parametrize("S", [1, 2, 7])
@pytest.mark.parametrize("scheme", ["alibi", "relative"])
def test_a_bias_goes_by_distance_and_comes_back(scheme, T, S):
    from transformer.core.config import TransformerConfig
    from transformer.core.positions import make_positions

    bias = make_positions(TransformerConfig(positions=scheme, n_heads=4)).bias(T, S).detach().numpy()
    line = by_distance(bias)
    assert line.shape == (4, T + S - 1)
    for i in range(T):
        for j in range(S):
            assert np.array_equal(line[:, T - 1 + j - i], bias[:, i, j])
    sent = unpack(Packed(picture(1, 4, T, S, bias=bias))())
    np.testing.assert_array_equal(bias_of(sent), bias)


def test_a_bias_that_is_more_than_a_distance_is_refused():
    bias = np.zeros((2, 4, 5))
    bias[1, 2, 3] = 0.5
    with pytest.raises(ValueError, match="does not depend on the distance alone"):
        by_distance(bias)
    with pytest.raises(ValueError, match="does not depend on the distance alone"):
        Packed(picture(1, 2, 4, 5, bias=bias))


@pytest.mark.parametrize("name", TIERS)
def test_cross_attention_between_texts_of_two_lengths(as_tier, name):
    as_tier(name)
    seen = picture(L=2, H=2, T=3, S=9, mask=np.arange(9) < 7)  # a mask over the keys alone
    header, arrays = unpack(Packed(seen)(1, 1))
    assert (len(header["queries"]), len(header["keys"])) == (3, 9)
    assert arrays["mask"].shape == (3, 9)
    if name == "exact":
        assert np.array_equal(arrays["weights"], np.asarray(seen.weights))
    assert not arrays["weights"][..., 7:].any()


@pytest.mark.parametrize("name", TIERS)
def test_weights_that_come_layer_by_layer_are_sent_the_same(as_tier, name):
    as_tier(name)
    whole = picture(L=3, H=2, T=5)
    alive = []

    def layers():
        for weights in np.array(whole.weights):
            layer = weights.copy()
            alive.append(weakref.ref(layer))
            yield layer
            del layer
            assert [ref() for ref in alive] == [None] * len(alive), "each has gone before the next is made"

    sent = Sent.of(layers(), 3)
    assert Packed(dataclasses.replace(whole, weights=sent))(1, 1) == Packed(whole)(1, 1)
    assert len(alive) == 3


def test_the_head_in_view_needs_q_and_k_or_all_weights(as_tier):
    as_tier("thumbnail")
    seen = picture()
    sent = Sent.of(np.asarray(seen.weights), 2)
    with pytest.raises(ValueError, match="from q and k"):
        Packed(dataclasses.replace(seen, weights=sent, q=None, k=None))


def test_what_cannot_be_drawn_is_refused():
    with pytest.raises(ValueError, match="nothing to draw"):
        Picture(queries=(), keys=(), weights=np.zeros((1, 1, 0, 0), "f4"))
    with pytest.raises(ValueError, match="2 x 2 weights cannot be labelled with 2 x 3 tokens"):
        Picture(queries=("a", "b"), keys=("a", "b", "c"), weights=np.ones((1, 1, 2, 2), "f4"))


def test_packing_leaves_the_arrays_alone():
    seen = picture()
    before = {name: getattr(seen, name).copy() for name in ("weights", "q", "k")}
    Packed(seen)(1, 1)
    assert all(np.array_equal(getattr(seen, name), array) for name, array in before.items())


def test_the_same_picture_gives_the_same_bytes():
    """Streamlit sends nothing where nothing changed."""
    assert Packed(picture())(0, 1) == Packed(picture())(0, 1)


def test_tiers_change_where_the_docstring_of_their_limits_says():
    assert [tier(n) for n in (12 * 158**2, 144 * 45**2)] == ["exact"] * 2
    assert [tier(n) for n in (12 * 159**2, 12 * 500**2, 144 * 144**2)] == ["bytes"] * 3
    assert [tier(n) for n in (12 * 501**2, 144 * 145**2, 144 * 512**2)] == ["thumbnail"] * 3


@pytest.mark.slow
@pytest.mark.parametrize(
    ("L", "H", "T", "d_k", "most"),
    [(3, 4, 24, 16, 100_000), (12, 12, 128, 16, 3_000_000), (12, 12, 512, 16, 2_000_000)],
)
def test_a_picture_stays_within_its_budget(L, H, T, d_k, most):
    random = np.random.default_rng(0)
    weights = random.random((L, H, T, T), dtype="f4")
    tokens = tuple(f"token{n}" for n in range(T))
    q, k = random.random((2, L, H, T, d_k), dtype="f4")
    seen = Picture(queries=tokens, keys=tokens, weights=weights, q=q, k=k, mask=np.tri(T, dtype=bool))
    data = Packed(seen)(L - 1, H - 1)
    assert len(data) < most
    assert json.loads(data[4 : 4 + int.from_bytes(data[:4], "little")])["tier"] == tier(weights.size)


def test_what_is_known_of_tokens_goes_along_and_nothing_else():
    special: Any = np.array([True, False, False, False, True])
    one: Any = np.int64(1)
    marks = Marks(special, words=(None, 0, 0, one, None))
    header, _ = unpack(Packed(picture(query_marks=marks, key_marks=Marks(segments=[0, 0, 0, 1, 1])))())
    assert header["marks"] == {
        "query": {"special": [True, False, False, False, True], "words": [None, 0, 0, 1, None]},
        "key": {"segments": [0, 0, 0, 1, 1]},
    }
    assert "marks" not in unpack(Packed(picture())()).header


@pytest.mark.parametrize("marks", [Marks(special=(True,)), Marks(words=(1, 2, 3)), Marks(segments=(0,) * 6)])
def test_marks_that_do_not_fit_the_tokens_are_refused(marks):
    with pytest.raises(ValueError, match="do not fit 5 tokens"):
        picture(key_marks=marks)


def test_scores_are_one_number_per_head_and_may_say_what_they_measure():
    header, arrays = unpack(Packed(picture(scores={"copy": np.ones((2, 3))}, about={"copy": "how much it copies"}))())
    assert header["about"] == {"copy": "how much it copies"}
    assert arrays["score:copy"].shape == (2, 3)
    with pytest.raises(ValueError, match=r"the score 'copy' of shape \(3, 2\) is not one number per head, 2 x 3"):
        picture(scores={"copy": np.ones((3, 2))})
