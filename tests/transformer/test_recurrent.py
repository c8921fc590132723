"""Recurrent networks: torch's layers do what the formulas say, and begin as the docstring says."""

from typing import get_args

import pytest
import torch
from torch import Tensor

from transformer.core.recurrent import Cell, RecurrentModel, recurrent_layer
from transformer.core.taps import Recorder

D = 6


def step(cell: Cell, layer: torch.nn.RNNBase, x: Tensor, h: Tensor, c: Tensor) -> tuple[Tensor, Tensor]:
    """One token (D,) read by hand: the new state, and an LSTM's second one."""
    w, u, b, e = (layer.get_parameter(f"{name}_l0") for name in ("weight_ih", "weight_hh", "bias_ih", "bias_hh"))
    read, kept = w @ x + b, u @ h + e
    if cell == "tanh":
        return torch.tanh(read + kept), c
    if cell == "LSTM":
        into, forget, new, out = (read + kept).split(D)
        c = torch.sigmoid(forget) * c + torch.sigmoid(into) * torch.tanh(new)
        return torch.sigmoid(out) * torch.tanh(c), c
    reset, update = torch.sigmoid(read + kept)[: 2 * D].split(D)
    new = torch.tanh(read[2 * D :] + reset * kept[2 * D :])
    return (1 - update) * new + update * h, c


@pytest.mark.parametrize("cell", get_args(Cell))
def test_a_layer_is_its_formula_token_by_token(cell: Cell) -> None:
    generator = torch.Generator().manual_seed(3)
    layer = recurrent_layer(cell, D, generator)
    with torch.no_grad():
        for name, parameter in layer.named_parameters():
            if "bias" in name:  # they begin at 0, where a mistake could hide
                parameter.normal_(generator=generator)
        x = torch.randn(7, D, generator=generator)
        h = c = torch.zeros(D)
        for token, out in zip(x, layer(x[None])[0][0], strict=True):
            h, c = step(cell, layer, token, h, c)
            torch.testing.assert_close(out, h)


@pytest.mark.parametrize("cell", get_args(Cell))
def test_what_is_passed_on_is_neither_shrunk_nor_stretched_at_first(cell: Cell) -> None:
    state = torch.get_rng_state()
    layer = recurrent_layer(cell, D, torch.Generator().manual_seed(0))
    assert torch.equal(torch.get_rng_state(), state)  # the generator of all threads was left alone
    for gate in layer.get_parameter("weight_hh_l0").split(D):
        torch.testing.assert_close(gate @ gate.T, torch.eye(D), atol=1e-5, rtol=0)
    biases = layer.get_parameter("bias_ih_l0") + layer.get_parameter("bias_hh_l0")
    assert biases.tolist() == ([0] * D + [1] * D + [0] * 2 * D if cell == "LSTM" else [0] * len(biases))


def test_the_model_reads_no_token_ahead_and_shows_what_it_reads() -> None:
    model = RecurrentModel("GRU", 10, D, torch.Generator().manual_seed(0))
    recorder = Recorder()
    with torch.inference_mode():
        a = model(torch.tensor([[1, 2, 3, 4]]), tap=recorder).logits
        b = model(torch.tensor([[1, 2, 3, 9]])).logits
    assert a.shape == (1, 4, 10)
    assert torch.equal(a[:, :3], b[:, :3])
    assert not torch.equal(a[:, 3], b[:, 3])
    torch.testing.assert_close(recorder["out"] @ model.embedding.weight.detach().T, a)
    assert recorder["embedded"].shape == (1, 4, D)
