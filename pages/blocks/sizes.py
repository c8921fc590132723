"""From the model of this page to GPT-3: whole models, counted from their configurations, and words on them."""

from typing import NamedTuple

import transformer
from lab.kit.models.references import Shipped
from transformer import inspection

OURS = Shipped("stories")


class Model(NamedTuple):
    """A decoder by name, its configuration, and its parameters part by part."""

    name: str
    config: "transformer.TransformerConfig"
    size: "inspection.sizes.Size"


def models() -> list[Model]:
    """The model of this page, GPT-2 and GPT-3."""
    named = (
        ("the story model here", OURS.resolve().config),
        ("GPT-2, 2019", inspection.sizes.GPT2),
        ("GPT-3, 2020", inspection.sizes.GPT3),
    )
    return [Model(name, config, inspection.sizes.decoder_size(config)) for name, config in named]


def words(models: list[Model]) -> str:
    """How these models differ, in Markdown."""
    ours, middle, largest = models
    shares = ours.size.total / middle.size.total, middle.size.total / largest.size.total
    return (
        "**What is the difference between this model and ChatGPT?** Each bar is one whole model, in a scale of its own:"
        f" the line at its left end is all of the model above ({shares[0]:.2%}, then {shares[1]:.2%}). The kinds of"
        " parts are the same in all three: embeddings (a vector per token), attention, feed-forward layers, norms."
        f" GPT-3 has {largest.config.n_decoder_layers // ours.config.n_decoder_layers} times as many layers, each"
        f" {largest.config.d_model // ours.config.d_model} times as wide, and so"
        f" {largest.size.total / ours.size.total:,.0f} times the parameters. The first ChatGPT (2022) was built on a"
        " model of this family; the sizes of later ones have not been published."
    )


def table(models: list[Model]) -> str:
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
