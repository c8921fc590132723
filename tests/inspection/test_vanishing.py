"""How strongly the last output depends on a token: against torch's own Jacobian, and against the product of factors."""

import numpy as np
import pytest
import torch

from transformer.core.recurrent import RecurrentModel
from transformer.inspection.vanishing import jacobian_norms, norms_at_distances
from transformer.training.studies.recall import Network, Setting
from transformer.training.studies.recall_runs import build

SMALL = Setting(n_tokens=5, n_names=2, n_colours=2, n_fillers=3, d_model=8, n_heads=2, d_ff=8)


@pytest.mark.parametrize("network", ["attention", "tanh", "LSTM", "GRU"])
def test_it_is_torchs_jacobian(network: Network) -> None:
    model = build(network, SMALL, 0)
    ids = torch.tensor([[1, 5, 3, 2], [4, 4, 0, 7]])
    embedding = model.get_parameter("decoder.embedding.weight" if network == "attention" else "embedding.weight")
    x = embedding.detach()[ids] * embedding.shape[1] ** 0.5

    def last(x: torch.Tensor) -> torch.Tensor:
        out = {}

        def tap(name: str, tensor: torch.Tensor) -> torch.Tensor:
            out[name] = tensor
            return x if name.endswith("embedded") else tensor

        model(torch.zeros(1, 4, dtype=torch.long), tap=tap)
        return out["decoder.out" if network == "attention" else "out"][0, -1]

    norms = jacobian_norms(model, ids)
    for row, text in zip(norms, x, strict=True):
        jacobian = torch.autograd.functional.jacobian(last, text[None])  # (D, 1, T, D)
        np.testing.assert_allclose(row, jacobian[:, 0].norm(dim=(0, 2)).numpy(), rtol=1e-4)


def test_in_a_plain_network_it_is_a_product_of_one_factor_per_token() -> None:
    model = RecurrentModel("tanh", 9, 6, torch.Generator().manual_seed(1))
    ids = torch.tensor([[3, 1, 4, 1, 5]])
    with torch.no_grad():
        states = model.layer(model.embedding(ids))[0][0].double()  # (T, D)
    w, u = (model.layer.get_parameter(f"weight_{kind}_l0").detach().double() for kind in ("ih", "hh"))
    product = torch.eye(6, dtype=torch.double)
    expected = []
    for h in states.flip(0):
        product = product @ torch.diag(1 - h**2)
        expected.append(float((product @ w).norm()))
        product = product @ u
    np.testing.assert_allclose(jacobian_norms(model, ids)[0], expected[::-1], rtol=1e-4)


def test_the_mean_is_that_of_the_token_at_the_distance() -> None:
    model = build("GRU", SMALL, 0)
    texts = torch.tensor([[[1, 2, 3, 4], [4, 3, 2, 1]], [[5, 6, 7, 8], [8, 7, 6, 5]]])
    found = norms_at_distances(model, texts, (1, 3))
    for i, distance in enumerate((1, 3)):
        norms = jacobian_norms(model, texts[i])[:, 3 - distance]
        assert found[i] == pytest.approx(np.sqrt(norms[0] * norms[1]))
    assert all(parameter.grad is None for parameter in model.parameters())
