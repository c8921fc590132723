"""LoRA: an update of low rank beside a frozen map, against the map that has it in its weights."""

from collections.abc import Callable

import pytest
import torch
from torch import Generator, nn

from transformer.core.checks import InputError
from transformer.core.config import TransformerConfig
from transformer.core.lora import ATTENTION, LoRA, lora, merge
from transformer.core.model import EncoderModel
from transformer.core.random import linear

CONFIG = TransformerConfig(vocab_size=11, d_model=12, n_heads=3, d_ff=20, n_encoder_layers=2)
IDS = torch.arange(10).view(2, 5)


def drawn(seed: int = 0) -> Generator:
    return Generator().manual_seed(seed)


@pytest.fixture
def model() -> EncoderModel:
    return EncoderModel(CONFIG, drawn()).double().eval()


@pytest.fixture
def moved() -> Callable[[nn.Module], None]:
    """Gives every B numbers, as a training would."""

    def move(module: nn.Module) -> None:
        for name, parameter in module.named_parameters():
            if name.endswith(".b") or name == "b":
                nn.init.normal_(parameter, std=0.3, generator=drawn(1))

    return move


def test_it_is_the_formula(moved):
    base = linear(6, 4, generator=drawn()).double()
    adapter = LoRA(base, rank=2, alpha=3.0, generator=drawn(2))
    moved(adapter)
    x = torch.randn(7, 6, generator=drawn(3), dtype=torch.float64)
    written_out = torch.stack([base(row) + 3.0 / 2 * (adapter.b @ (adapter.a @ row)) for row in x])
    assert torch.allclose(adapter(x), written_out, atol=1e-12)
    assert torch.allclose(adapter.update(), 1.5 * torch.einsum("or,ri->oi", adapter.b, adapter.a), atol=1e-12)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_at_the_start_no_bit_of_the_output_changes(dtype):
    model = EncoderModel(CONFIG, drawn()).to(dtype).eval()
    before = model(IDS).logits
    lora(model, 3, 6.0, generator=drawn(1))
    assert torch.equal(model(IDS).logits, before)


@pytest.mark.parametrize(("dtype", "tolerance"), [(torch.float32, 1e-5), (torch.float64, 1e-12)])
def test_merged_equals_unmerged(dtype, tolerance, moved):
    model = EncoderModel(CONFIG, drawn()).to(dtype).eval()
    names = [name for name, _ in model.named_parameters()]
    lora(model, 3, 6.0, generator=drawn(1))
    moved(model)
    unmerged = model(IDS).logits
    merge(model)
    assert [name for name, _ in model.named_parameters()] == names  # a plain model again
    assert (model(IDS).logits - unmerged).abs().max() < tolerance
    assert (unmerged - EncoderModel(CONFIG, drawn()).to(dtype)(IDS).logits).abs().max() > 0.01  # it was no idle update


def test_only_a_and_b_learn(model, moved):
    adapters = lora(model, 2, 4.0, ATTENTION, generator=drawn(1))
    assert len(adapters) == CONFIG.n_encoder_layers * len(ATTENTION)
    trained = {name for name, p in model.named_parameters() if p.requires_grad}
    assert trained == {f"{path}.{part}" for path in adapters for part in "ab"}
    assert sum(p.numel() for p in model.parameters() if p.requires_grad) == 8 * 2 * (12 + 12)  # r (d_in + d_out)
    before = {name: p.detach().clone() for name, p in model.named_parameters()}
    moved(model)
    model(IDS).logits.square().sum().backward()
    assert {name for name, p in model.named_parameters() if p.grad is not None} == trained
    torch.optim.AdamW(model.parameters(), lr=0.1, weight_decay=0.1).step()
    same = {name for name, p in model.named_parameters() if torch.equal(p, before[name])}
    assert same == before.keys() - trained


def test_the_rank_of_an_update_is_r(model, moved):
    adapters = lora(model, 3, 1.0, generator=drawn(1))
    moved(model)
    assert {int(torch.linalg.matrix_rank(adapter.update())) for adapter in adapters.values()} == {3}


def test_what_cannot_be_is_refused(model):
    with pytest.raises(InputError, match="try 12 or less"):
        lora(model, 13, 1.0)
    assert all(p.requires_grad for p in model.parameters())  # and nothing was changed
    with pytest.raises(InputError, match="no linear map named x"):
        lora(model, 1, 1.0, ["x"])
    with pytest.raises(InputError, match="alpha"):
        LoRA(linear(3, 3), 1, 0.0)
