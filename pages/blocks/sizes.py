"""From the model of this page to GPT-3: the same parts, more often and wider, counted from their configurations."""

from typing import TYPE_CHECKING, NamedTuple

import streamlit as st

from pages.blocks import figures
from pages.shared import display, teaching
from pages.shared.models import Shipped
from pages.shared.view import View

if TYPE_CHECKING:
    from transformer.config import TransformerConfig
    from transformer.inspection.sizes import Size

OURS = Shipped("stories")


class Settings(NamedTuple):
    """Nothing is chosen here."""


class Model(NamedTuple):
    """A decoder by name, its configuration, and its parameters part by part."""

    name: str
    config: "TransformerConfig"
    size: "Size"


def compute(_: Settings) -> list[Model]:
    from transformer.inspection.sizes import GPT2, GPT3, decoder_size

    models = (("the story model here", OURS.resolve().config), ("GPT-2, 2019", GPT2), ("GPT-3, 2020", GPT3))
    return [Model(name, config, decoder_size(config)) for name, config in models]


def draw(_: Settings, models: list[Model]) -> None:
    ours, middle, largest = models
    alt = "; ".join(f"{model.name}: {model.size.total:,} parameters" for model in models)
    display.figure(
        figures.sizes([(model.name, model.size) for model in models]),
        key="blocks-sizes",
        alt=f"{alt}. Each bar is drawn in a scale of its own.",
    )
    shares = ours.size.total / middle.size.total, middle.size.total / largest.size.total
    st.markdown(
        "Each bar is one whole model, **in a scale of its own**: the line at its left end is all of the model above"
        f" ({shares[0]:.2%}, then {shares[1]:.2%}). The kinds of parts are the same in all three: embeddings (a vector"
        " per token), attention, feed-forward layers, norms. GPT-3 has"
        f" {largest.config.n_decoder_layers // ours.config.n_decoder_layers} times as many layers, each"
        f" {largest.config.d_model // ours.config.d_model} times as wide, and so"
        f" {largest.size.total / ours.size.total:,.0f} times the parameters. The first ChatGPT (2022) was built on a"
        " model of this family; of later ones their makers have not published the sizes."
    )
    st.markdown(_table(models))
    teaching.code_expander("transformer/inspection/sizes.py", "decoder_size")


def _table(models: list[Model]) -> str:
    """A column per model, so that a phone has room for it."""
    rows = {
        "layers": [f"{config.n_decoder_layers}" for _, config, _ in models],
        "heads per layer": [f"{config.n_heads}" for _, config, _ in models],
        "numbers per token": [f"{config.d_model:,}" for _, config, _ in models],
        "tokens it knows": [f"{config.tgt_vocab_size:,}" for _, config, _ in models],
        "reads at once": [
            f"{config.max_len:,}" if config.positions == "learned" else "no limit" for _, config, _ in models
        ],
        "parameters": [f"**{size.total:,}**" for *_, size in models],
    }
    lines = [f"| size | {' | '.join(name for name, *_ in models)} |", f"|:--|{'--:|' * len(models)}"]
    return "\n".join([*lines, *(f"| {name} | {' | '.join(cells)} |" for name, cells in rows.items())])


VIEW = View("Sizes", Settings, compute, draw, question="What is the difference between this model and ChatGPT?")
