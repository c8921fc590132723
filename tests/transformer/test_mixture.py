"""A mixture of experts against a plain loop and the dense layer; and what else a block can have or do without."""

from typing import Any, cast

import pytest
import torch

from tests.transformer.oracles import close, ids, rand, rng, shaken
from transformer.core.checks import InputError
from transformer.core.config import TransformerConfig
from transformer.core.context import Context
from transformer.core.layers import EncoderLayer, FeedForward, Norm
from transformer.core.masks import causal
from transformer.core.mixture import MixtureOfExperts, balance_loss, choose
from transformer.core.model import DecoderModel, EncoderModel, Transformer
from transformer.core.taps import Recorder
from transformer.core.variants import pattern
from transformer.inspection.run import mask_of_all_layers, run_with_maps
from transformer.training import tasks
from transformer.training.batches import collate
from transformer.training.losses import Routed, cross_entropy
from transformer.training.settings import Settings
from transformer.training.trainer import Trainer

D, F, E = 6, 10, 4
V = 20


def mixture(top_k: int, *, equal: bool = False) -> MixtureOfExperts:
    ours = shaken(MixtureOfExperts(D, [FeedForward(D, F, generator=rng()) for _ in range(E)], top_k, rng()))
    if equal:
        for expert in ours.experts:
            expert.load_state_dict(ours.experts[0].state_dict())
    return ours


def config(**more: Any) -> TransformerConfig:
    settings: dict[str, Any] = {"vocab_size": V, "d_model": 8, "n_heads": 2, "d_ff": 12}
    return TransformerConfig(**settings | more)


@pytest.mark.parametrize("top_k", [1, 2, E])
def test_every_token_gets_the_weighted_sum_of_its_experts(top_k):
    ours, x, recorder = mixture(top_k), rand(2, 5, D), Recorder()
    out = ours(x, Context(recorder))
    for b in range(2):
        for t in range(5):
            shares = (x[b, t] @ ours.router.weight.T).softmax(0)
            best = sorted(range(E), key=lambda e, shares=shares: -shares[e].item())[:top_k]
            total = sum(shares[e] for e in best) if top_k > 1 else 1.0
            by_hand = torch.stack([shares[e] / total * ours.experts[e](x[b, t]) for e in best]).sum(0)
            close(out[b, t], by_hand)
            close(recorder["router"][b, t], shares)
    close(recorder["out"], out)


def test_equal_experts_are_one_dense_layer():
    x = rand(2, 5, D)
    for top_k in (2, E):  # their weights sum to 1
        ours = mixture(top_k, equal=True)
        close(ours(x), ours.experts[0](x))
    ours = mixture(1, equal=True)  # a single one counts what the router gives it
    largest = (x @ ours.router.weight.T).softmax(-1).amax(-1, keepdim=True)
    close(ours(x), largest * ours.experts[0](x))


def test_the_balance_loss_is_1_where_all_get_equally_much_and_e_where_one_gets_all():
    uniform = torch.full((8, E), 1 / E).double()
    close(balance_loss(uniform, 2), torch.tensor(1.0).double())
    turns = torch.eye(E).double().repeat(2, 1)
    close(balance_loss(turns, 1), torch.tensor(1.0).double())
    close(balance_loss(torch.eye(E).double()[[0] * 8], 1), torch.tensor(float(E)).double())
    shares = rand(7, E).softmax(-1)
    _, experts = choose(shares, 2)
    f = [float((experts == e).sum()) / 14 for e in range(E)]
    close(balance_loss(shares, 2), E * torch.stack([f[e] * shares[:, e].mean() for e in range(E)]).sum())


@pytest.mark.parametrize("top_k", [1, 2])
def test_gradients_reach_the_router_and_only_the_experts_that_worked(top_k):
    ours, x = mixture(top_k), rand(1, 1, D)
    ours(x).square().sum().backward()
    assert ours.router.weight.grad.abs().max() > 0
    _, experts = choose((x @ ours.router.weight.T).softmax(-1), top_k)
    worked = {e for e in range(E) if float(ours.experts[e].w_2.bias.grad.abs().max()) > 0}
    assert worked == set(experts.flatten().tolist())


def test_a_training_balances_over_real_tokens_only():
    task = tasks.make("copy")
    trainer = Trainer(task, config(n_experts=E, balance=0.5), Settings(steps=1, n_examples=50, n_tests=20))
    batch, routed = collate(task.kind, [task.probes[0], task.probes[1]]), Routed()
    logits = trainer.model(batch.source, batch.text, tap=routed).logits
    assert sorted(routed) == [f"{side}.{n}.feed_forward.router" for side in ("decoder", "encoder") for n in (0, 1)]
    losses = [
        balance_loss(shares[(batch.source if side.startswith("enc") else batch.text) != 0], 1)
        for side, shares in routed.items()
    ]
    close(routed.balance_loss(batch, 1), torch.stack(losses).mean())
    assert torch.isfinite(cross_entropy(logits, batch.wanted))
    snapshots = list(trainer.run())
    assert snapshots[-1].loss > snapshots[0].val_loss  # half of a balance of 1 or more comes on top


def test_a_model_without_a_norm_or_a_feed_forward_layer_is_what_its_formula_says():
    x = rand(1, 4, 8)
    plain = shaken(EncoderLayer(config(norm_kind="none"), rng()))
    attended = x + plain.self_attn(x)[0]
    close(plain(x)[0], attended + plain.feed_forward(attended))
    assert not list(Norm(8, "none").parameters())
    for norm in ("pre", "post"):
        layer = shaken(EncoderLayer(config(has_feed_forward=False, norm=norm), rng()))
        inner = layer.norm1.before(x)
        close(layer(x)[0], layer.norm1.after(x, layer.self_attn(inner)[0]))
        assert {name.split(".")[0] for name, _ in layer.named_parameters()} == {"self_attn", "norm1"}
    assert isinstance(DecoderModel(config(norm_kind="none")).decoder.final_norm, torch.nn.Identity)


@pytest.mark.parametrize("name", ["near", "dilated", "global", "blocks"])
def test_a_pattern_in_a_model_is_full_attention_under_its_mask(name):
    """And the cache of a decoder that writes token by token sees the same cells."""
    text = ids(1, 9, vocab=V)
    few, full = (shaken(DecoderModel(config(**more), rng())) for more in ({"window": 3, "pattern": name}, {}))
    mask = pattern(name, 9, 3)
    expected = full(text, mask[None, None])
    close(few(text).logits, expected.logits)
    for ours, theirs in zip(few(text).attention.decoder, expected.attention.decoder, strict=True):
        close(ours, theirs)
        assert not ours[..., ~mask].any()

    assert torch.equal(pattern(name, 2, 3, 9), mask[7:])
    assert torch.equal(cast("torch.Tensor", mask_of_all_layers(few.decoder, 9, causal(9))), mask & causal(9))
    encoder = shaken(EncoderModel(config(window=3, pattern=name), rng()))
    assert not encoder(text).attention.encoder[0][..., ~mask].any()


def test_linear_attention_in_a_model_sees_what_its_mask_allows():
    model = shaken(DecoderModel(config(attention="linear"), rng()))
    text = ids(1, 7, vocab=V)
    weights = model(text).attention.decoder[0]
    close(weights.sum(-1), torch.ones_like(weights[..., 0]))
    assert not weights[..., ~causal(7)].any()
    close(model(text[:, :4]).logits, model(text).logits[:, :4])
    both = Transformer(config(attention="linear"), rng())
    assert all(w.isfinite().all() for part in both(text, text).attention for w in part)


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        ({"top_k": 2}, "a token cannot go to 2 of 1 experts"),
        ({"n_experts": 2, "has_feed_forward": False}, "experts are feed-forward layers"),
        ({"attention": "linear", "positions": "alibi"}, "no scores that alibi positions could act on"),
        ({"pattern": "random"}, "pattern='random' is not known"),
        ({"balance": -1}, "balance=-1 must be at least 0"),
        ({"n_experts": 0}, "n_experts=0 must be a whole number of at least 1"),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(more, sentence):
    with pytest.raises(InputError, match=sentence):
        config(**more)


def test_maps_of_a_model_with_experts_are_read_like_any_others():
    model = shaken(DecoderModel(config(n_experts=E, top_k=2), rng()))
    text = ids(1, 5, vocab=V)
    run = run_with_maps(model.float(), text[0].tolist(), tuple("abcde"))
    assert run.attention["decoder"].weights.shape == (2, 2, 5, 5)
