"""The optimisers beside torch's own classes of the same names; and what it spares a process that trains."""

import subprocess
import sys
from pathlib import Path

import pytest
import torch
from torch import nn

from tests.training.toys import config
from transformer.training.batches import build
from transformer.training.optimiser import AdamW, Muon, orthogonal, suits_muon

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
def test_muon_is_torchs_but_for_the_rounding_and_the_adamw_beside_it_to_the_last_bit(decay: float):
    """Wide matrices and tall ones; a matrix and a vector are left to AdamW. Both get the same gradients."""
    shapes = ((7, 5), (3, 7), (2, 3), (7,))
    noise = torch.Generator().manual_seed(1)
    first = [torch.randn(shape, generator=noise) for shape in shapes]
    ours, theirs = ([nn.Parameter(p.clone()) for p in first] for _ in range(2))
    mine = Muon((ours[:2], decay), (ours[2:3], decay), (ours[3:], 0.0), eps=1e-9)
    muon = torch.optim.Muon(theirs[:2], weight_decay=decay, momentum=0.95, adjust_lr_fn="match_rms_adamw")
    groups = [{"params": theirs[2:3], "weight_decay": decay}, {"params": theirs[3:], "weight_decay": 0.0}]
    adamw = torch.optim.AdamW(groups, lr=1.0, betas=(0.9, 0.98), eps=1e-9, foreach=False)
    for step in range(1, 8):
        for one, other in zip(ours, theirs, strict=True):
            one.grad = torch.randn(one.shape, generator=noise)
            other.grad = one.grad.clone()
        before = [p.detach().clone() for p in theirs[:2]]
        for group in (*mine.param_groups, *muon.param_groups, *adamw.param_groups):
            group["lr"] = 0.01 * step
        for optimiser in (mine, muon, adamw):
            optimiser.step()
        for one, other, was in zip(ours[:2], theirs[:2], before, strict=True):
            assert mine.state[one].keys() == muon.state[other].keys()
            assert torch.equal(mine.state[one]["momentum_buffer"], muon.state[other]["momentum_buffer"])
            moved = (other - was).abs().max().item()
            torch.testing.assert_close(one, other, rtol=0, atol=0.1 * moved)  # its rounds have 16 bits
            one.data.copy_(other.data)  # and the next step begins at the same place
    for one, other in zip(ours[2:], theirs[2:], strict=True):
        assert torch.equal(one, other)
        assert all(torch.equal(mine.state[one][name], adamw.state[other][name]) for name in adamw.state[other])


@pytest.mark.parametrize("shape", [(16, 6), (6, 16), (5, 5), (1, 4)])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_five_rounds_bend_each_singular_value_and_turn_none(shape: tuple[int, int], dtype: torch.dtype):
    """The oracle is the closed form by SVD in float64: U p(p(p(p(p(S / |N|))))) V^T, p(s) = a s + b s^3 + c s^5."""
    n = torch.randn(shape, generator=torch.Generator().manual_seed(3), dtype=torch.float64)
    u, s, v = torch.linalg.svd(n, full_matrices=False)
    s = s / n.norm()
    for _ in range(5):
        s = 3.4445 * s - 4.7750 * s**3 + 2.0315 * s**5
    made = orthogonal(n.to(dtype))
    assert made.dtype == dtype
    torch.testing.assert_close(
        made.double(), u @ torch.diag(s) @ v, rtol=0, atol=1e-3 if dtype == torch.float32 else 1e-9
    )
    assert not orthogonal(torch.zeros(shape)).any()


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


@pytest.mark.wide
@pytest.mark.slow
def test_a_training_does_not_bring_in_torchs_compiler():
    assert subprocess.run([sys.executable, "-c", TRAINS], cwd=Path(__file__).parents[2], check=False).returncode == 0
