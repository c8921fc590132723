"""What a token is elsewhere: one sentence for each thing that Transformers read, and a way to what of it runs here."""

from collections.abc import Mapping
from typing import NamedTuple

import streamlit as st

from lab.kit import catalogue, teaching
from lab.kit.teaching import Answer

ASPIRIN = "CC(=O)Oc1ccccc1C(=O)O"


class Kind(NamedTuple):
    """One use of Transformers.

    tokens    a few of its tokens, as they are cut
    sentence  what a token is there, and what reads it, in one sentence
    page      where something of it runs in this app, with the words on the way there and its settings; "" for nowhere
    """

    title: str
    tokens: tuple[str, ...]
    sentence: str
    page: str = ""
    label: str = ""
    opens: Mapping[str, str] = {}


KINDS = (
    Kind(
        "Images", ("▦ 1,1", "▦ 1,2", "▦ 1,3"),
        "a square patch, which a matrix makes a vector; an encoder reads them, ViT (Dosovitskiy et al. 2020).",
        "vision", "See one look at a picture",
    ),
    Kind(
        "Speech", ("20 ms", "20 ms", "20 ms"),
        "a short slice of sound, as the strength of its pitches; an encoder-decoder reads slices and writes words, "
        "Whisper (Radford et al. 2022).",
        "translation", "See cross-attention at work",
    ),
    Kind(
        "Proteins", ("M", "K", "T", "A", "Y"),
        "an amino acid, one of 20; an encoder guesses hidden ones, ESM (Rives et al. 2021).",
    ),
    Kind(
        "Drug discovery", ("C", "C", "(", "=", "O", ")", "O"),
        "a sign of a molecule that is written as a line of text (SMILES); encoders guess hidden signs, such as "
        "ChemBERTa (Chithrananda et al. 2020).",
        "beyond", "Close the brackets of aspirin", {"code": ASPIRIN},
    ),
    Kind(
        "Pictures and words", ("▦ 1,1", "▦ 1,2", "a", "red", "kite"),
        "a patch or a part of a word, both vectors of one width; two encoders are compared, CLIP (Radford et al. "
        "2021), or a decoder reads patches before words, Flamingo (Alayrac et al. 2022).",
    ),
    Kind(
        "Code", ("f", "(", "x", "[", "0", "]", ")"),
        "a part of a word, as in prose; a decoder goes on with it, Codex (Chen et al. 2021).",
    ),
    Kind(
        "Translation", ("the", "cat", "→", "le", "chat"),
        "a part of a word, in both languages; an encoder-decoder, the first Transformer of all (Vaswani et al. 2017).",
        "translation", "Watch one translate",
    ),
    Kind(
        "Summaries", ("The", "storm", "reached", "→", "Storm"),
        "a part of a word; an encoder-decoder writes the short text, BART (Lewis et al. 2019) and T5 (Raffel et al. "
        "2019).",
    ),
    Kind(
        "Answering questions", ("Who", "?", "[SEP]", "Mia", "found"),
        "a part of a word, question and text read as a pair; an encoder marks where the answer begins and ends, BERT "
        "(Devlin et al. 2018).",
        "pretrained", "Read two texts together", {"pretrained_view": "Heads"},
    ),
    Kind(
        "Named entities", ("Mia", "lives", "in", "Paris"),
        "a part of a word; an encoder gives each a label, person, place or neither, BERT again.",
        "pretrained", "See the heads of an encoder", {"pretrained_view": "Heads"},
    ),
    Kind(
        "Sentiment", ("not", "good", "at", "all"),
        "a word, or a part of one; an encoder gives the whole text one label.",
        "heads", "See the heads of one that does", {"weights": "trained on reviews"},
    ),
    Kind(
        "Dialogue and stories", ("once", "upon", "a"),
        "a part of a word; a decoder goes on, GPT (Radford et al. 2018 and after), and a dialogue is a text in which "
        "two speak in turn.",
        "generation", "Choose the next word",
    ),
)  # fmt: skip


def draw() -> None:
    """The list, what all of it has in common, and a question."""
    st.markdown("## What is a token?")
    half = len(KINDS) // 2
    for column, kinds in zip(st.columns(2, gap="large"), (KINDS[:half], KINDS[half:]), strict=True):
        with column.container(gap="small"):
            for kind in kinds:
                _draw(kind)
    words, question = st.columns(2, gap="large")
    with words:
        st.markdown(
            "Attention never sees a word, a patch or a sound: only vectors, and their positions. So the layers stay as "
            "they are, and what changes is the two ends: how the thing is cut into tokens, and what the last vectors "
            "are turned into. That it works as well everywhere does not follow; these are measured uses, each by its "
            "own paper."
        )
    with question:
        _ask_back()


def _draw(kind: Kind) -> None:
    strip = " ".join(f"`{token}`" for token in kind.tokens)
    st.markdown(f"**{kind.title}** {strip}  \n{kind.sentence[:1].upper()}{kind.sentence[1:]}")
    if kind.page:
        st.page_link(
            catalogue.page(kind.page).script, label=kind.label, icon=":material/arrow_forward:",
            query_params=dict(kind.opens),
        )  # fmt: skip


def _ask_back() -> None:
    teaching.check(
        "A Transformer is to read amino acids instead of words. What has to change in its attention layers?",
        Answer(
            "Nothing",
            "Queries, keys and values are made from vectors, whatever these stand for. The table of embeddings has "
            "20 rows instead of thousands, and the parameters are trained anew.",
            right=True,
        ),
        Answer(
            "The softmax: there are only 20 tokens",
            "The softmax runs over positions of the text, not over the vocabulary.",
        ),
        Answer(
            "The heads: proteins have no grammar",
            "A head looks for whatever training finds useful. Nothing in it is made for grammar.",
        ),
        Answer(
            "The scale √d_k",
            "It depends on the width of a head alone.",
        ),
        key="beyond-same",
    )
