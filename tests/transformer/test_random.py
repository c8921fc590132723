import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import torch

from tests.transformer.oracles import ids, rand, rng
from transformer.core.config import POSITION_SCHEMES, TransformerConfig
from transformer.core.model import DecoderModel, EncoderModel, Transformer
from transformer.core.random import dropout, linear, normal


def config(**changes: Any) -> TransformerConfig:
    settings: dict[str, Any] = {"vocab_size": 20, "d_model": 8, "n_heads": 2}
    return TransformerConfig(**settings | {"n_encoder_layers": 1, "n_decoder_layers": 1} | changes)


def test_linear_is_xavier_uniform_with_zero_bias():
    layer = linear(300, 500, generator=rng())
    bound = (6 / 800) ** 0.5
    assert layer.weight.shape == (500, 300)
    assert layer.weight.abs().max().item() == pytest.approx(bound, rel=1e-3)
    assert layer.weight.var().item() == pytest.approx(2 / 800, rel=0.02)
    assert layer.weight.mean().abs().item() < 1e-3
    assert not layer.bias.any()
    assert linear(3, 5, bias=False, generator=rng()).bias is None


def test_normal_has_the_deviation_asked_for():
    p = normal(200, 300, std=0.25, generator=rng())
    assert p.shape == (200, 300)
    assert p.requires_grad
    assert p.std().item() == pytest.approx(0.25, rel=0.02)


def test_dropout_keeps_the_expectation():
    x = rand(50, 40)
    dropped = torch.stack([dropout(x, 0.3, generator) for generator in map(rng, range(400))])
    zeros = dropped == 0
    torch.testing.assert_close(dropped[~zeros], x.expand_as(dropped)[~zeros] / 0.7)
    assert zeros.double().mean().item() == pytest.approx(0.3, abs=0.005)
    # The mean of 400 draws of x b / 0.7 has deviation |x| sqrt(0.3 / 0.7 / 400): within five of them everywhere.
    assert ((dropped.mean(0) - x).abs() <= 5 * x.abs() * (0.3 / 0.7 / 400) ** 0.5).all()


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32])
def test_dropout_keeps_the_dtype(dtype):
    assert dropout(rand(5, 5, dtype=dtype), 0.5, rng()).dtype == dtype


def test_no_dropout_draws_nothing():
    x, generator = rand(3, 3), rng()
    before = generator.get_state()
    assert dropout(x, 0.0, generator) is x
    assert torch.equal(generator.get_state(), before)


def test_dropout_passes_the_gradient_of_what_it_kept():
    x = rand(20, 20).requires_grad_()
    y = dropout(x, 0.5, rng())
    y.sum().backward()
    assert x.grad is not None
    assert torch.equal(x.grad, (y != 0).double() * 2)


@pytest.mark.parametrize("kind", [Transformer, EncoderModel, DecoderModel])
@pytest.mark.parametrize("positions", POSITION_SCHEMES)
def test_the_process_wide_generator_is_never_touched(kind, positions):
    state, dtype = torch.get_rng_state(), torch.get_default_dtype()
    model = kind(config(positions=positions, dropout=0.2, tie_output=False), rng())
    inputs = (ids(2, 4, vocab=20),) * (2 if kind is Transformer else 1)
    model(*inputs, generator=rng(1)).logits.sum().backward()
    model.eval()(*inputs)
    assert torch.equal(torch.get_rng_state(), state)
    assert torch.get_default_dtype() == dtype


@pytest.mark.parametrize("kind", [Transformer, EncoderModel, DecoderModel])
@pytest.mark.parametrize("positions", ["learned", "relative"])
def test_a_seed_is_a_model(kind, positions):
    settings = config(positions=positions, tie_output=False)
    a, b, c = (kind(settings, rng(seed)).state_dict() for seed in (1, 1, 2))
    assert all(torch.equal(a[name], b[name]) for name in a)
    # All but the biases and norms, which start at 0 and 1.
    drawn = [name for name in a if a[name].dim() > 1]
    assert not any(torch.equal(a[name], c[name]) for name in drawn)
    assert len({a[name].flatten()[0].item() for name in drawn}) == len(drawn)


def test_no_weight_is_left_unset():
    # Memory that was never written often holds NaN or huge numbers; fresh weights never do.
    for seed in range(5):
        model = Transformer(config(positions="learned", tie_output=False), rng(seed))
        for name, p in model.named_parameters():
            assert p.isfinite().all(), name
            assert p.abs().max() < 5, name
            if p.dim() == 1:
                assert (p == (1.0 if "norm" in name and "weight" in name else 0.0)).all(), name


@pytest.mark.parametrize("kind", [Transformer, EncoderModel, DecoderModel])
def test_dropout_with_a_generator_is_reproducible(kind):
    model = kind(config(dropout=0.3), rng())
    inputs = (ids(2, 6, vocab=20),) * (2 if kind is Transformer else 1)
    assert model.training
    a, b, c = (model(*inputs, generator=rng(seed)).logits for seed in (1, 1, 2))
    assert torch.equal(a, b)
    assert not torch.allclose(a, c)
    model.eval()
    assert torch.equal(model(*inputs, generator=rng(1)).logits, model(*inputs).logits)


SHAPES = """
import sys, torch
from transformer.core.config import POSITION_SCHEMES, TransformerConfig
from transformer.core.model import DecoderModel, EncoderModel, Transformer
with torch.device("meta"):
    for positions in POSITION_SCHEMES:
        for build in (EncoderModel, DecoderModel, Transformer):
            model = build(TransformerConfig(d_model=16, n_heads=2, positions=positions))
            assert all(p.is_meta for p in model.parameters())
sys.exit("torch._dynamo" in sys.modules or "sympy" in sys.modules)
"""


@pytest.mark.wide
@pytest.mark.slow
def test_a_model_of_shapes_alone_does_not_bring_in_torchs_compiler():
    """That would be 170 MB, for as long as the server runs, at the first look at a published model."""
    assert subprocess.run([sys.executable, "-c", SHAPES], cwd=Path(__file__).parents[2], check=False).returncode == 0
