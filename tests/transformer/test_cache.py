"""Reading a text token by token with a cache gives what reading it whole gives, to the last bits."""

from typing import Any, TypeVar

import pytest
import torch

from tests.transformer.oracles import ids, rng, shaken
from transformer.core import masks
from transformer.core.cache import Cache
from transformer.core.config import POSITION_SCHEMES, TransformerConfig
from transformer.core.model import DecoderModel, Transformer
from transformer.core.taps import Recorder, ablate

V, T, S = 23, 9, 6
LIMIT = {torch.float64: 1e-12, torch.float32: 1e-5}
Model = TypeVar("Model", DecoderModel, Transformer)
SHAPES = [{}, {"n_kv_heads": 2}, {"n_kv_heads": 1}, {"d_model": 20}]  # d_model 20: heads of odd width


def build(
    kind: type[Model], positions: str, norm: str = "pre", dtype: torch.dtype = torch.float64, **changes: Any
) -> Model:
    settings: dict[str, Any] = {"vocab_size": V, "d_model": 16, "n_heads": 4, "max_len": 40}
    config = TransformerConfig(**settings | {"norm": norm, "positions": positions} | changes)
    model = shaken(kind(config, rng()), dtype)
    with torch.no_grad():  # scores near 0 would hide a wrong position behind almost uniform weights
        for name, p in model.named_parameters():
            if ".w_q." in name or ".w_k." in name:
                p.mul_(3)
    return model


def near(ours, theirs):
    torch.testing.assert_close(ours, theirs, rtol=0, atol=LIMIT[theirs.dtype])


def chunks(text, sizes):
    assert sum(sizes) == text.shape[1]
    return text.split(sizes, dim=1)


def agree(step, whole, n):
    """Logits and weights of a step are the last rows of what the model makes of the n tokens at once."""
    logits, *attention = step
    near(logits, whole[0][:, n - logits.shape[1] : n])
    for ours, theirs in zip(attention, whole[1:], strict=True):
        near(ours, theirs[:, :, n - logits.shape[1] : n, : ours.shape[-1]])


@torch.no_grad()
@pytest.mark.parametrize("sizes", [[1] * T, [4, 1, 3, 1], [T]])
@pytest.mark.parametrize(("norm", "dtype"), [("pre", torch.float64), ("post", torch.float32)])
@pytest.mark.parametrize("positions", POSITION_SCHEMES)
@pytest.mark.parametrize("shape", SHAPES)
def test_a_decoder_alone(shape, positions, norm, dtype, sizes):
    model = build(DecoderModel, positions, norm, dtype, **shape)
    text = ids(3, T, vocab=V)
    output = model(text)
    whole = [output.logits, *output.attention.decoder]
    cache, n = Cache(2), 0
    for new in chunks(text, sizes):
        output = model(new, cache=cache)
        n += new.shape[1]
        assert cache.length == n
        agree([output.logits, *output.attention.decoder], whole, n)


@torch.no_grad()
@pytest.mark.parametrize("sizes", [[1] * T, [4, 1, 3, 1]])
@pytest.mark.parametrize(("norm", "dtype"), [("pre", torch.float64), ("post", torch.float32)])
@pytest.mark.parametrize("positions", POSITION_SCHEMES)
@pytest.mark.parametrize("shape", SHAPES)
def test_a_decoder_with_a_memory(shape, positions, norm, dtype, sizes):
    model = build(Transformer, positions, norm, dtype, **shape)
    text, src = ids(3, T, vocab=V), ids(3, S, vocab=V, seed=1)
    mask = masks.padding(torch.tensor([S, 2, 4]), S)
    memory, _ = model.encode(src, mask)
    logits, attention, cross = model.decode(text, memory, memory_mask=mask)
    whole = [logits, *attention, *cross]
    cache, n = Cache(2), 0
    for new in chunks(text, sizes):
        logits, attention, cross = model.decode(new, memory, memory_mask=mask, cache=cache)
        n += new.shape[1]
        agree([logits, *attention, *cross], whole, n)


@torch.no_grad()
@pytest.mark.parametrize("positions", POSITION_SCHEMES)
def test_a_mask_on_top_is_as_wide_as_what_was_read(positions):
    model = build(DecoderModel, positions)
    text = ids(2, T, vocab=V)
    hole = torch.ones(T, dtype=torch.bool)
    hole[2] = False
    whole, cache = model(text, hole).logits, Cache(2)
    for t in range(T):
        near(model(text[:, t : t + 1], hole[: t + 1], cache=cache).logits[:, 0], whole[:, t])


@torch.no_grad()
def test_taps_see_all_keys_and_change_them_as_without_a_cache():
    model = build(DecoderModel, "rotary")
    text = ids(1, T, vocab=V)
    whole, last = Recorder(), Recorder()
    model(text, tap=whole)
    cache = Cache(2)
    model(text[:, :-1], cache=cache)
    model(text[:, -1:], cache=cache, tap=last)
    assert whole.keys() == last.keys()
    for name in ("k", "v"):
        near(last[f"decoder.1.self_attn.{name}"], whole[f"decoder.1.self_attn.{name}"])
    near(last["decoder.1.self_attn.q"], whole["decoder.1.self_attn.q"][:, :, -1:])

    silent, cache = ablate("decoder.0.self_attn", 1), Cache(2)
    steps = [model(new, cache=cache, tap=silent).logits for new in text.split(1, dim=1)]
    near(torch.cat(steps, dim=1), model(text, tap=silent).logits)


@torch.no_grad()
def test_the_memory_is_read_once():
    model = build(Transformer, "sinusoidal")
    memory, _ = model.encode(ids(1, S, vocab=V))
    cache = Cache(2)
    model.decode(ids(1, 2, vocab=V), memory, cache=cache)
    kept = cache.layers[1].cross_attn.k
    model.decode(ids(1, 1, vocab=V), torch.full_like(memory, torch.nan), cache=cache)
    assert cache.layers[1].cross_attn.k is kept


@torch.no_grad()
@pytest.mark.parametrize("kind", [DecoderModel, Transformer])
def test_a_copy_goes_its_own_way(kind):
    model = build(kind, "rotary")
    memory, _ = model.encode(ids(1, S, vocab=V)) if kind is Transformer else (None, None)

    def read(text, cache=None):
        return model.decode(text, memory, cache=cache)[0] if kind is Transformer else model(text, cache=cache).logits

    text, cache = ids(1, T, vocab=V), Cache(2)
    read(text, cache)
    before = [tensor.clone() for tensor in cache.tensors()]
    for token in (3, 4):
        new = torch.tensor([[token]])
        near(read(new, cache.copy())[:, -1], read(torch.cat([text, new], dim=1))[:, -1])
    assert cache.length == T
    assert all(torch.equal(a, b) for a, b in zip(before, cache.tensors(), strict=True))


@torch.no_grad()
@pytest.mark.parametrize("shared", [False, True])
def test_rows_go_where_they_are_sent(shared):
    model = build(Transformer, "relative")
    text, new = ids(3, T, vocab=V), ids(4, 1, vocab=V, seed=2)
    memory, _ = model.encode(ids(1 if shared else 3, S, vocab=V))
    cache = Cache(2)
    model.decode(text, memory, cache=cache)
    rows = torch.tensor([2, 0, 0, 1])
    moved = cache.select(rows)
    cross = moved.layers[0].cross_attn.k
    assert cross is not None
    assert len(cross) == (1 if shared else 4)
    memory = memory if shared else memory[rows]
    whole = model.decode(torch.cat([text[rows], new], dim=1), memory)[0]
    near(model.decode(new, memory, cache=moved)[0][:, 0], whole[:, -1])
    assert cache.length == T
    assert [len(t) for t in (cache.layers[0].self_attn.k, cache.layers[1].self_attn.v) if t is not None] == [3, 3]


@torch.no_grad()
@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.bfloat16])
@pytest.mark.parametrize("n_kv_heads", [4, 2, 1])
def test_bytes_held(dtype, n_kv_heads):
    L, B, d_k, size = 2, 3, 4, dtype.itemsize
    assert Cache(L).n_bytes == 0
    cache = Cache(L)
    build(DecoderModel, "rotary", dtype=dtype, n_kv_heads=n_kv_heads)(ids(B, T, vocab=V), cache=cache)
    assert cache.n_bytes == 2 * L * n_kv_heads * T * d_k * size * B
    model, cache = build(Transformer, "rotary", dtype=dtype, n_kv_heads=n_kv_heads), Cache(L)
    model.decode(ids(B, T, vocab=V), model.encode(ids(B, S, vocab=V))[0], cache=cache)
    assert cache.n_bytes == 2 * L * n_kv_heads * (T + S) * d_k * size * B


def test_past_the_last_learned_position_it_says_so_and_the_cache_stays():
    model = build(DecoderModel, "learned", max_len=5)
    cache = Cache(2)
    with torch.no_grad():
        model(ids(1, 5, vocab=V), cache=cache)
        with pytest.raises(ValueError, match="the learned table has 5 positions, but the text needs 6"):
            model(ids(1, 1, vocab=V), cache=cache)
    assert cache.length == 5
    assert cache.layers[0].self_attn.k.shape[2] == 5


def test_nothing_is_left_on_the_model():
    model = build(Transformer, "rotary")
    before = {name: set(vars(module)) for name, module in model.named_modules()}
    with torch.no_grad():
        model.decode(ids(1, 3, vocab=V), model.encode(ids(1, S, vocab=V))[0], cache=Cache(2))
    assert before == {name: set(vars(module)) for name, module in model.named_modules()}
