"""Defaults that work: for every task a model and a training that learn it, found by experiment."""

from dataclasses import dataclass
from typing import Any

from transformer.config import TransformerConfig
from transformer.training.trainer import Settings


@dataclass(frozen=True)
class Recipe:
    """A config and settings that learn a task, the task's own settings if they differ from the default, and the time.

    seconds  approximate duration on one core of a laptop
    """

    config: TransformerConfig
    settings: Settings
    task: dict
    seconds: int


def _small(d_model: int, n_heads: int, layers: int, **more: Any) -> TransformerConfig:
    """Embeddings are not scaled up here: in so few steps a model learns places faster if they are as loud as words."""
    return TransformerConfig(
        d_model=d_model,
        n_heads=n_heads,
        n_encoder_layers=layers,
        n_decoder_layers=layers,
        scale_embeddings=False,
        **more,
    )


RECIPES: dict[str, Recipe] = {
    "copy": Recipe(_small(32, 2, 1), Settings(steps=150, lr=1e-2), {}, 2),
    "reverse": Recipe(_small(32, 2, 1), Settings(steps=250, lr=1e-2), {}, 3),
    "sort": Recipe(_small(32, 2, 1), Settings(steps=250, lr=1e-2), {}, 3),
    "repeat": Recipe(_small(48, 4, 2), Settings(steps=800, lr=4e-3, n_examples=20_000), {}, 22),
    "brackets": Recipe(_small(48, 4, 2, positions="rotary"), Settings(steps=600, lr=5e-3, n_examples=20_000), {}, 12),
    "addition": Recipe(_small(48, 4, 2, positions="rotary"), Settings(steps=1200, lr=5e-3, n_examples=40_000), {}, 18),
    "sentiment": Recipe(_small(32, 4, 2), Settings(steps=800, lr=3e-3, n_examples=16_000), {}, 11),
    "stories": Recipe(
        _small(64, 4, 2, positions="rotary"),
        Settings(steps=2000, batch_size=32, lr=3e-3, n_examples=40_000),
        {},
        70,
    ),
    "text": Recipe(_small(64, 4, 2, positions="rotary"), Settings(steps=500, batch_size=32, lr=3e-3), {}, 25),
    "french": Recipe(_small(48, 4, 2), Settings(steps=800, lr=6e-3, n_examples=20_000), {}, 30),
}


def recipe(task: str) -> Recipe:
    """The recipe of a task; that of "reverse" where nothing else was tried."""
    return RECIPES.get(task, RECIPES["reverse"])
