"""Small tasks and models for the tests of training."""

from random import Random
from typing import Any

from transformer.core.config import Kind, TransformerConfig
from transformer.training.tasks.task import Example, SpacedTokeniser, Task

LETTERS = SpacedTokeniser("abcdefghij")
FIRST = LETTERS.vocabulary.id("a")
V = len(LETTERS)


def config(**changes: Any) -> TransformerConfig:
    sizes: dict[str, Any] = {"d_model": 16, "n_heads": 2, "n_encoder_layers": 1, "n_decoder_layers": 1}
    return TransformerConfig(**sizes | {"vocab_size": V} | changes)


def toy(kind: Kind = "encoder-decoder", length: int = 4) -> Task:
    """Write the letters again; an encoder alone names the first one."""

    def draw(rng: Random) -> Example:
        source = tuple(rng.choices(range(FIRST, V), k=rng.randint(2, length)))
        target = source[:1] if kind == "encoder" else source
        return Example(source, target, tuple((i, i) for i in range(len(target))))

    probe = Example(tuple(range(FIRST, FIRST + length)), tuple(range(FIRST, FIRST + (length, 1)[kind == "encoder"])))
    return Task(
        name="toy",
        title="Toy",
        about="Write again.",
        kind=kind,
        source=LETTERS,
        target=LETTERS,
        draw=draw,
        probes=(probe._replace(alignment=tuple((i, i) for i in range(len(probe.target)))),),
        longest=length,
    )
