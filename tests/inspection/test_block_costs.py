"""What a block costs, against the block itself and torch's counter; and what the trainings of blocks are made of."""

import pytest
import torch
from torch.utils.flop_counter import FlopCounterMode

from transformer.core.cache import Cache
from transformer.core.layers import EncoderLayer
from transformer.core.model import DecoderModel
from transformer.inspection.block_costs import block_cost, time_blocks
from transformer.training import block_sweep
from transformer.training.block_sweep import OF_2017, OF_TODAY, SWITCHES, Trained, config_of, is_clear, one_switch
from transformer.training.settings import Settings

WIDTH, T = 24, 6


@pytest.mark.parametrize("block", block_sweep.blocks(), ids=" ".join)
def test_costs_are_those_of_the_block(block):
    config = config_of(block, WIDTH)
    cost = block_cost(config, T)
    layer = EncoderLayer(config)
    assert cost.parameters == sum(p.numel() for p in layer.parameters())
    with torch.inference_mode(), FlopCounterMode(display=False) as counter:
        layer(torch.randn(1, T, WIDTH))
    assert cost.multiplications * T == counter.get_total_flops() // 2
    cache, model = Cache(config.n_decoder_layers), DecoderModel(config)
    model(torch.zeros(1, 3, dtype=torch.long), cache=cache)
    around = (model.decoder.embedding_norm, model.output.transform)
    assert cost.outside == sum(p.numel() for part in around if part is not None for p in part.parameters())
    assert cost.cache * 3 * config.n_decoder_layers == cache.n_bytes


def test_each_switch_changes_one_thing_and_a_gate_costs_no_parameters():
    assert len(block_sweep.blocks()) == len(set(block_sweep.blocks())) == 15
    for block in block_sweep.blocks()[1:-1]:
        assert sum(way != first for way, first in zip(block, OF_2017, strict=True)) == 1
    old, gated = (config_of(block, 48) for block in (OF_2017, one_switch("feed_forward", "SwiGLU")))
    assert 2 * old.d_ff == 3 * gated.d_ff
    assert all(way == switch.today for way, switch in zip(OF_TODAY, SWITCHES.values(), strict=True))


def test_a_difference_within_the_spread_of_seeds_is_not_called_clear():
    base = Trained(OF_2017, 2, (0.7, 0.8, 0.9), (), "")
    assert base.spread == pytest.approx(0.1)
    assert not is_clear(Trained(OF_TODAY, 2, (0.75, 0.8, 0.85), (), ""), base)
    assert not is_clear(Trained(OF_TODAY, 2, (0.75, 0.68, 0.7), (), ""), base)
    assert is_clear(Trained(OF_TODAY, 2, (0.6, 0.61, 0.62), (), ""), base)


@pytest.mark.slow
def test_a_sweep_trains_with_every_seed_and_says_where_it_diverged():
    few = Settings(steps=2, batch_size=2, n_examples=20, n_tests=5, every=2)
    first, again = (next(block_sweep.sweep([OF_2017], (0, 1), few)) for _ in range(2))
    assert first == again
    assert len(first.losses) == len(set(first.losses)) == 2
    wild = Settings(steps=30, batch_size=2, n_examples=20, n_tests=5, every=30, lr=100, clip=0, schedule="constant")
    (lost,) = block_sweep.sweep([one_switch("norm", "none")], (0,), wild)
    assert (lost.losses, lost.written) == ((), "")
    assert first.written


def test_blocks_are_timed_in_turn():
    times = time_blocks(config_of(OF_2017, WIDTH), config_of(OF_TODAY, WIDTH), T, seconds=0.0)
    assert times.at == (T,)
    assert times.first[0] > 0 < times.second[0]
