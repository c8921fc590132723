"""The optimisers beside torch's own classes of the same names; and what it spares a process that trains."""

import subprocess
import sys
from pathlib import Path

import pytest
import torch
from torch import nn

from tests.training.toys import config
from transformer.training.batches import build
from transformer.training.optimiser import AdamW, Muon, suits_muon

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


@pytest.mark.parametrize("decay", [0.0, 0.1])
def test_muon_and_the_adamw_beside_it_are_torchs_to_the_last_bit(decay: float):
    """Wide matrices and tall ones; a matrix and all vectors are left to AdamW."""
    ours, theirs = model(), model()
    (wide, tall, last), vectors = (
        ([p for p in theirs.parameters() if (p.dim() > 1) == is_matrix]) for is_matrix in (True, False)
    )
    first, second, third = (p for p in ours.parameters() if p.dim() > 1)
    mine = Muon(
        ([first, second], decay), ([third], decay), ([p for p in ours.parameters() if p.dim() == 1], 0.0), eps=1e-9
    )
    muon = torch.optim.Muon([wide, tall], weight_decay=decay, momentum=0.95, adjust_lr_fn="match_rms_adamw")
    groups = [{"params": [last], "weight_decay": decay}, {"params": vectors, "weight_decay": 0.0}]
    adamw = torch.optim.AdamW(groups, lr=1.0, betas=(0.9, 0.98), eps=1e-9, foreach=False)
    x = torch.randn(12, 5, generator=torch.Generator().manual_seed(1))
    for step in range(1, 8):
        for one, optimisers in ((ours, [mine]), (theirs, [muon, adamw])):
            one.zero_grad()
            part = one[:2] if step == 1 else one  # some parameters get their first gradient later
            part(x).square().mean().backward()
            for optimiser in optimisers:
                for group in optimiser.param_groups:
                    group["lr"] = 0.01 * step
                optimiser.step()
    for p, other in zip(ours.parameters(), theirs.parameters(), strict=True):
        assert torch.equal(p, other)
        reference = (muon if other is wide or other is tall else adamw).state[other]
        assert mine.state[p].keys() == reference.keys()
        assert all(torch.equal(mine.state[p][name], reference[name]) for name in reference)


def test_a_step_of_muon_has_singular_values_that_are_about_one():
    """Whatever the gradient is: the step, divided by 0.2 lr sqrt(max(A, B)), is nearly U V^T of its U S V^T."""
    for shape in ((16, 6), (6, 16)):
        p = nn.Parameter(torch.zeros(shape))
        u, _, v = torch.linalg.svd(torch.randn(shape, generator=torch.Generator().manual_seed(2)), full_matrices=False)
        p.grad = u @ torch.diag(torch.logspace(0, -1.5, 6)) @ v  # the first is 30 times the last
        Muon(([p], 0.0), lr=0.5).step()
        made = -p.detach() / (0.2 * 0.5 * 4)
        along = torch.diagonal(u.T @ made @ v.T)
        assert along.min() > 0.5
        assert along.max() < 1.4
        torch.testing.assert_close(u @ torch.diag(along) @ v, made, rtol=0, atol=0.05)


def test_muon_is_for_the_matrices_of_layers():
    model = build("encoder-decoder", config(positions="relative", tie_output=False), torch.Generator())
    chosen = {name for name, p in model.named_parameters() if suits_muon(name, p)}
    parts = {f"self_attn.w_{letter}" for letter in "qkvo"} | {"feed_forward.w_1", "feed_forward.w_2"}
    wanted = {f"{stack}.layers.0.{part}.weight" for stack in ("encoder", "decoder") for part in parts}
    assert chosen == wanted | {f"decoder.layers.0.cross_attn.w_{letter}.weight" for letter in "qkvo"}


@pytest.mark.slow
def test_a_training_does_not_bring_in_torchs_compiler():
    assert subprocess.run([sys.executable, "-c", TRAINS], cwd=Path(__file__).parents[2], check=False).returncode == 0
