import dataclasses

import pytest
import torch

from tests.transformer.oracles import ids, rand, rng
from transformer.core.cache import Cache
from transformer.core.checks import InputError
from transformer.core.config import TransformerConfig
from transformer.core.context import PLAIN, Context, one_call
from transformer.core.model import DecoderModel, EncoderModel, Transformer
from transformer.core.taps import Recorder, ablate, compose, patch

V = 20
CONFIG = TransformerConfig(vocab_size=V, d_model=8, n_heads=2)


def test_a_context_is_frozen():
    with pytest.raises(dataclasses.FrozenInstanceError):
        PLAIN.path = "encoder"  # type: ignore[misc]


def test_at_goes_down_one_part_at_a_time():
    seen, cache = Recorder(), Cache(2)
    ctx = Context(seen, cache).at("decoder").at("1").at("cross_attn")
    assert ctx.path == "decoder.1.cross_attn"
    assert ctx.keys_values() is cache.layers[1].cross_attn
    ctx.tap("q", rand(1))
    assert list(seen) == ["decoder.1.cross_attn.q"]


def test_with_nothing_to_hand_down_nothing_is_made():
    assert PLAIN.at("decoder") is PLAIN
    assert PLAIN.keys_values().k is None
    assert PLAIN.keys_values() is not PLAIN.keys_values()


def test_dropout_only_in_training():
    x = torch.ones(50)
    ctx = Context(generator=rng())
    assert ctx.dropout(x, 0.5, training=False) is x
    assert set(ctx.dropout(x, 0.5, training=True).tolist()) == {0.0, 2.0}
    assert torch.equal(Context(generator=rng(3)).dropout(x, 0.5, True), Context(generator=rng(3)).dropout(x, 0.5, True))


def test_a_cache_takes_in_a_call_at_its_end():
    cache = Cache(1)
    with one_call(cache=cache) as ctx:
        assert ctx.cache is not None
        ctx.cache.length = 3
        assert cache.length == 0
    assert cache.length == 3


def _fail(name, tensor):
    if name == "decoder.1.self_attn.weights":
        raise RuntimeError("on purpose")
    return tensor


@torch.no_grad()
@pytest.mark.parametrize(
    "bad",
    [
        {"tap": _fail},
        {"tap": ablate("decoder.1.self_attn", 7)},
        {"tap": ablate("decoder.7.self_attn", 0)},
        {"tap": patch("logits", rand(1))},
        {"tgt_mask": torch.ones(1, 4, dtype=torch.bool)},
        {"ids": torch.tensor([[V]])},
    ],
)
@pytest.mark.parametrize("kind", [DecoderModel, Transformer])
def test_an_error_leaves_the_cache_as_it_was(kind, bad):
    model = kind(CONFIG, rng()).eval()
    text, new = ids(1, 5, vocab=V), ids(1, 1, vocab=V, seed=1)
    memory = model.encode(ids(1, 3, vocab=V))[0] if kind is Transformer else None

    def read(new, cache, tgt_mask=None, **more):
        if memory is not None:
            return model.decode(new, memory, tgt_mask, cache=cache, **more)[0]
        return model(new, tgt_mask, cache=cache, **more).logits

    cache = Cache(2)
    read(text, cache)
    before, length = list(cache.tensors()), cache.length
    with pytest.raises((InputError, IndexError, RuntimeError)):
        read(**{"new": bad.get("ids", new), "cache": cache} | {k: v for k, v in bad.items() if k != "ids"})
    assert cache.length == length
    assert all(a is b for a, b in zip(before, cache.tensors(), strict=True))
    # And the text goes on as if nothing had been.
    torch.testing.assert_close(read(new, cache)[:, -1], read(torch.cat([text, new], 1), None)[:, -1])


@torch.no_grad()
def test_an_error_in_the_first_call_leaves_an_empty_cache():
    model, cache = DecoderModel(CONFIG, rng()).eval(), Cache(2)
    with pytest.raises(RuntimeError, match="on purpose"):
        model(ids(1, 3, vocab=V), cache=cache, tap=compose(Recorder(), _fail))
    assert cache.length == 0
    assert list(cache.tensors()) == []


def test_a_model_knows_its_kind_and_its_stack():
    kinds = {EncoderModel: "encoder", DecoderModel: "decoder", Transformer: "encoder-decoder"}
    for kind, name in kinds.items():
        model = kind(CONFIG, rng())
        assert kind.kind == model.kind == name
        if kind is not Transformer:
            assert model.stack is getattr(model, name)
            assert not any(path.startswith("stack") for path, _ in model.named_parameters())
