"""What a model writes next once one of its heads looks elsewhere: the weight that two tokens share is moved by hand."""

import torch
from torch import Tensor

from transformer.core.model import SingleStack
from transformer.inspection.run import Text, one_text


@torch.no_grad()
def steer(model: SingleStack, ids: Text, layer: int, head: int, pair: tuple[int, int], n: int) -> list[int]:
    """The likeliest next token, n times: of what the head gives this pair of tokens at the end of the text, the first
    gets from 0 to all. All other weights stay."""

    toward, away = pair

    def tap(name: str, tensor: Tensor) -> Tensor:
        if not name.endswith(f".{layer}.self_attn.weights"):
            return tensor
        tensor, shares = tensor.clone(), torch.linspace(0, 1, n)
        both = tensor[:, head, -1, toward] + tensor[:, head, -1, away]
        tensor[:, head, -1, toward], tensor[:, head, -1, away] = both * shares, both * (1 - shares)
        return tensor

    return model(one_text(ids, n), tap=tap).logits[:, -1].argmax(-1).tolist()


@torch.no_grad()
def likeliest(model: SingleStack, ids: Text, n: int) -> list[tuple[int, float]]:
    """The n tokens with the largest logits after a text, and these."""
    top = model(one_text(ids)).logits[0, -1].topk(n)
    return list(zip(top.indices.tolist(), top.values.tolist(), strict=True))
