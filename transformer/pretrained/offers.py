"""The models that visitors are offered: a short list, and what the operator allows beside it."""

from collections.abc import Mapping
from typing import NamedTuple

from transformer.core.checks import InputError
from transformer.environment import HUB
from transformer.pretrained.reading import quoted


class Heads(NamedTuple):
    """The heads of one stack: so many layers of so many, each of which sees the whole text or only looks back."""

    layers: int
    heads: int
    looks_back: bool = False


class Listed(NamedTuple):
    """A small published model worth looking at: about how many bytes to download, its parameters, what one sees, and
    its stacks, the encoder's first."""

    id: str
    title: str
    family: str
    bytes: int
    parameters: int
    licence: str
    why: str
    stacks: tuple[Heads, ...]


LISTED = (
    Listed(
        "sentence-transformers/all-MiniLM-L6-v2",
        "MiniLM",
        "bert",
        91_335_715,
        22_713_216,
        "Apache-2.0",
        "Reads English in both directions, small enough for any laptop. See what “it” looks at.",
        (Heads(6, 12),),
    ),
    Listed(
        "distilbert/distilbert-base-uncased",
        "DistilBERT",
        "distilbert",
        268_421_000,
        66_985_530,
        "Apache-2.0",
        "BERT in half its layers. Mask a word, and it says what is missing.",
        (Heads(6, 12),),
    ),
    Listed(
        "distilbert/distilgpt2",
        "DistilGPT-2",
        "gpt2",
        354_182_000,
        81_912_576,
        "Apache-2.0",
        "Writes English from left to right: six layers, and every head looks back only.",
        (Heads(6, 12, looks_back=True),),
    ),
    Listed(
        "openai-community/gpt2",
        "GPT-2 small",
        "gpt2",
        549_460_000,
        124_439_808,
        "MIT",
        "The model that most studies of heads are about: induction, name movers, the first token as a resting place.",
        (Heads(12, 12, looks_back=True),),
    ),
    Listed(
        "HuggingFaceTB/SmolLM2-135M",
        "SmolLM2",
        "llama",
        271_165_000,
        134_515_008,
        "Apache-2.0",
        "Built as Llama is: rotary positions, gated feed-forward, three query heads to one key head.",
        (Heads(30, 9, looks_back=True),),
    ),
    Listed(
        "EleutherAI/pythia-70m",
        "Pythia 70M",
        "gpt_neox",
        168_142_000,
        70_426_624,
        "Apache-2.0",
        "Made for study: rotary positions on a quarter of each head, attention and feed-forward side by side.",
        (Heads(6, 8, looks_back=True),),
    ),
    Listed(
        "google-t5/t5-small",
        "T5 small",
        "t5",
        243_433_000,
        60_506_624,
        "Apache-2.0",
        "Encoder, decoder, and the attention between them; it translates and summarises.",
        (Heads(6, 8), Heads(6, 8, looks_back=True)),
    ),
    Listed(
        "facebook/deit-tiny-patch16-224",
        "DeiT tiny",
        "vit",
        22_884_000,
        5_717_416,
        "Apache-2.0",
        "Reads pictures: its words are squares of 16 × 16 pixels.",
        (Heads(12, 3),),
    ),
)


def check_offered(id: str, environment: Mapping[str, str] | None = None) -> None:
    """Raise InputError if a visitor may not have this model: what pages call before anything else."""
    mode = HUB.read(environment)
    if mode == "off":
        raise InputError("No models are downloaded here.")
    if mode != "any" and id not in [listed.id for listed in LISTED]:
        raise InputError(f"{quoted(id)} is not in the list of models, and only those are downloaded here.")
