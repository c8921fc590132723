"""The weights of the models of a study in one file, in 16 bits: each tensor by the model's prefix and its own name."""

from collections.abc import Mapping
from pathlib import Path
from typing import TypeVar

from safetensors.torch import load_file, save_file
from torch import nn

M = TypeVar("M", bound=nn.Module)


def write(file: Path, models: Mapping[str, nn.Module]) -> None:
    """Write the weights of these models, by prefix."""
    weights = {
        f"{prefix}{name}": tensor.half().contiguous()
        for prefix, model in models.items()
        for name, tensor in model.state_dict().items()
    }
    save_file(weights, file)


def read(file: Path, prefix: str, model: M) -> M:
    """The model with the weights of this prefix, in evaluation mode. Raises KeyError where the file has none."""
    weights = load_file(file)
    model.load_state_dict({name: weights[prefix + name].float() for name in model.state_dict()})
    return model.eval()
