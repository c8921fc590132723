"""Schedules against the paper's formula and torch's own schedulers. torch counts from 0, these from 1."""

import math
import warnings

import pytest
import torch
from torch.optim.lr_scheduler import CosineAnnealingLR, OneCycleLR

from transformer.training.schedules import SCHEDULES, cosine, make_schedule, noam, one_cycle


def of_torch(make, steps: int, lr: float) -> list[float]:
    """The learning rates of one of torch's schedulers, at its steps 0 .. steps - 1."""
    optimiser = torch.optim.SGD([torch.nn.Parameter(torch.zeros(1))], lr=lr)
    scheduler = make(optimiser)
    rates = []
    for _ in range(steps):
        rates.append(optimiser.param_groups[0]["lr"])
        optimiser.step()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            scheduler.step()
    return rates


@pytest.mark.slow
@pytest.mark.parametrize(("d_model", "warmup"), [(512, 4000), (64, 7), (32, 1)])
def test_noam_is_the_papers_formula(d_model, warmup):
    steps = range(1, 3 * warmup + 5)
    rates = [noam(s, d_model, warmup) for s in steps]
    for s, rate in zip(steps, rates, strict=True):
        ramp = s / warmup**1.5 if s <= warmup else 1 / math.sqrt(s)
        assert rate == pytest.approx(ramp / math.sqrt(d_model), rel=1e-14)
    assert steps[max(range(len(rates)), key=rates.__getitem__)] == warmup
    assert rates[warmup - 1] == pytest.approx((d_model * warmup) ** -0.5, rel=1e-14)


def test_noam_base_model_peak():
    assert noam(4000, 512, 4000) == pytest.approx(6.9877e-4, rel=1e-4)  # the base model's peak


@pytest.mark.parametrize(("steps", "warmup"), [(100, 10), (50, 25), (7, 3), (300, 1)])
def test_one_cycle_equals_torch(steps, warmup):
    lr = 0.003
    theirs = of_torch(
        lambda o: OneCycleLR(
            o,
            max_lr=lr,
            total_steps=steps + 1,
            pct_start=(warmup + 1) / (steps + 1),  # their first part ends one step before this share of all
            div_factor=25,
            final_div_factor=400,  # of lr / 25: lr / 10,000
            cycle_momentum=False,
        ),
        steps + 1,
        lr,
    )
    ours = [one_cycle(s, lr, steps, warmup) for s in range(1, steps + 1)]
    assert ours == pytest.approx(theirs[1:], rel=1e-9)
    assert max(ours) == ours[warmup - 1] == pytest.approx(lr)
    assert ours[-1] == pytest.approx(lr / 1e4)


@pytest.mark.parametrize(("steps", "warmup"), [(100, 10), (50, 25), (7, 3)])
def test_cosine_equals_torch_after_a_straight_warm_up(steps, warmup):
    lr = 0.01
    theirs = of_torch(lambda o: CosineAnnealingLR(o, T_max=steps - warmup, eta_min=lr / 100), steps - warmup + 1, lr)
    assert [cosine(s, lr, steps, warmup) for s in range(warmup, steps + 1)] == pytest.approx(theirs, rel=1e-6)
    assert [cosine(s, lr, steps, warmup) for s in range(1, warmup + 1)] == pytest.approx(
        [lr * s / warmup for s in range(1, warmup + 1)]
    )


def test_constant_warms_up_in_a_line_and_stays():
    rate = make_schedule("constant", lr=0.4, steps=9, warmup=4, d_model=8)
    assert [rate(s) for s in range(1, 10)] == pytest.approx([0.1, 0.2, 0.3, 0.4, 0.4, 0.4, 0.4, 0.4, 0.4])


@pytest.mark.parametrize("name", SCHEDULES)
@pytest.mark.parametrize(("steps", "warmup"), [(1, 1), (5, 9), (10, 10), (3, 1)])
def test_any_length_gives_rates_above_nought(name, steps, warmup):
    rate = make_schedule(name, lr=0.1, steps=steps, warmup=warmup, d_model=16)
    rates = [rate(s) for s in range(1, steps + 5)]  # a training may be taken further than was planned
    assert all(0 < r <= 0.1 + 1e-12 for r in rates)


def test_make_schedule_hands_on_what_it_was_given():
    given = {"lr": 0.2, "steps": 40, "warmup": 8, "d_model": 64}
    assert make_schedule("Noam", **given)(5) == 0.2 * noam(5, 64, 8)
    assert make_schedule("cosine", **given)(20) == cosine(20, 0.2, 40, 8)
    assert make_schedule("one-cycle", **given)(20) == one_cycle(20, 0.2, 40, 8)
    with pytest.raises(ValueError, match="one-cycle, cosine, Noam, constant"):
        make_schedule("linear", **given)
