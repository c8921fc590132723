"""Defaults that work: a model and a training that learn a task, found by experiment. Each task declares its own."""

from dataclasses import dataclass
from typing import Any

from transformer.core.config import TransformerConfig
from transformer.training.settings import Settings


@dataclass(frozen=True)
class Recipe:
    """The config and the settings that learn a task in its default form.

    seconds  approximate duration on one core of a laptop
    """

    config: TransformerConfig
    settings: Settings
    seconds: int


def small_model(d_model: int, n_heads: int, layers: int, **more: Any) -> TransformerConfig:
    """A config with this many layers in every stack; `more` is passed on to TransformerConfig.

    Embeddings are not scaled up: in so few steps a model learns positions faster if they are as loud as tokens.
    """
    return TransformerConfig(
        d_model=d_model,
        n_heads=n_heads,
        n_encoder_layers=layers,
        n_decoder_layers=layers,
        scale_embeddings=False,
        **more,
    )
