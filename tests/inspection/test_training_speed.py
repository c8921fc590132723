"""Tokens per second in training: counted with a clock of our own, never with the machine's."""

from itertools import count

import torch
from torch import nn

from transformer.inspection.timing import BATCH, time_training
from transformer.training.studies.recall import NETWORKS, Setting
from transformer.training.studies.recall_runs import build

SMALL = Setting(n_tokens=4, n_names=2, n_colours=2, n_fillers=2, d_model=8, n_heads=2, d_ff=8)


def test_speed_is_tokens_by_the_time_of_the_fastest_step() -> None:
    ticks = count()  # each look at the clock takes half a second
    state = torch.get_rng_state()
    models: dict[str, nn.Module] = {name: build(name, SMALL, 0) for name in NETWORKS}
    found = time_training(models, SMALL.vocab_size, (3, 6), 4.0, lambda: 0.5 * next(ticks))
    assert torch.equal(torch.get_rng_state(), state)
    assert found == dict.fromkeys(NETWORKS, (BATCH * 3 / 0.5, BATCH * 6 / 0.5))
