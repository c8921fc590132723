"""The optimiser beside torch's own class of the same name; and what it spares a process that trains."""

import subprocess
import sys
from pathlib import Path

import pytest
import torch
from torch import nn

from transformer.training.optimiser import AdamW

TRAINS = """
import sys
from transformer.inspection.bugs.trainings import train
from transformer.training import tasks
from transformer.training.plan import Plan, make_trainer
recipe = tasks.recipe("copy")
trainer = make_trainer(Plan("copy", {"longest": 6}, recipe.config, recipe.settings))
next(run := trainer.run())
next(run)
train(steps=2)
sys.exit("torch._dynamo" in sys.modules or "sympy" in sys.modules)
"""


def model() -> nn.Module:
    torch.manual_seed(0)  # of this process alone
    return nn.Sequential(nn.Linear(5, 7), nn.Tanh(), nn.Linear(7, 3), nn.Linear(3, 2))


@pytest.mark.parametrize("fused", [True, False])
@pytest.mark.parametrize("decay", [0.0, 0.1])
def test_it_is_torchs_to_the_last_bit(fused: bool, decay: float):
    ours, theirs = model(), model()
    matrices, vectors = (
        [[p for p in one.parameters() if (p.dim() > 1) == is_matrix] for one in (ours, theirs)]
        for is_matrix in (True, False)
    )
    mine = AdamW((matrices[0], decay), (vectors[0], 0.0), eps=1e-9, fused=fused)
    groups = [{"params": matrices[1], "weight_decay": decay}, {"params": vectors[1], "weight_decay": 0.0}]
    reference = torch.optim.AdamW(groups, lr=1.0, betas=(0.9, 0.98), eps=1e-9, fused=fused)
    x = torch.randn(12, 5, generator=torch.Generator().manual_seed(1))
    for step in range(1, 8):
        for one, optimiser in ((ours, mine), (theirs, reference)):
            optimiser.zero_grad()
            first = one[:2] if step == 1 else one  # some parameters get their first gradient later
            first(x).square().mean().backward()
            for group in optimiser.param_groups:
                group["lr"] = 0.01 * step
            optimiser.step()
    for p, other in zip(ours.parameters(), theirs.parameters(), strict=True):
        assert torch.equal(p, other)
        for name in ("step", "exp_avg", "exp_avg_sq"):
            assert torch.equal(mine.state[p][name], reference.state[other][name])


@pytest.mark.slow
def test_a_training_does_not_bring_in_torchs_compiler():
    assert subprocess.run([sys.executable, "-c", TRAINS], cwd=Path(__file__).parents[2], check=False).returncode == 0
