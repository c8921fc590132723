"""Other things to read: what a token is there, which kind of model reads it, and what this app can and cannot show."""

from collections.abc import Mapping
from typing import NamedTuple

import streamlit as st

from pages.shared import catalogue, settings, teaching
from pages.shared.pretrained import there
from pages.shared.teaching import Answer
from pages.shared.view import View

SECTIONS = ("Not language", "Language, other jobs")
ASPIRIN = "CC(=O)Oc1ccccc1C(=O)O"


class Card(NamedTuple):
    """One use of Transformers.

    tokens  a few of its tokens, as they are cut
    token   what a token is;  family: the kind of model, and who did it;  here: what this app shows, and what not
    link    a page, the words on the way there, and its settings; "" for none
    """

    title: str
    tokens: tuple[str, ...]
    token: str
    family: str
    here: str
    page: str = ""
    label: str = ""
    opens: Mapping[str, str] = {}


CARDS: dict[str, tuple[Card, ...]] = {
    SECTIONS[0]: (
        Card(
            "Images", ("▦ 1,1", "▦ 1,2", "▦ 1,3", "…"),
            "a square patch, often 16 × 16 pixels; a matrix makes a vector of it.",
            "an encoder: ViT (Dosovitskiy et al. 2020). With labels for images, it is BERT for patches.",
            "A small one of this project’s own, on drawn shapes.", "vision", "See it look at a picture",
        ),
        Card(
            "Speech", ("20 ms", "20 ms", "20 ms", "…"),
            "a short slice of sound, as the strength of its pitches.",
            "an encoder-decoder: Whisper (Radford et al. 2022) reads slices and writes words.",
            "Nothing: there is no model of sound in this app. What happens between the slices and the words is what "
            "happens in the translator: cross-attention.", "translation", "See cross-attention at work",
        ),
        Card(
            "Proteins", ("M", "K", "T", "A", "Y", "…"),
            "an amino acid, one of 20, in the order of the chain.",
            "an encoder that guesses hidden tokens, as BERT does: ESM (Rives et al. 2021).",
            "Nothing: there is no model of proteins in this app. The brackets are the nearest thing: partners far "
            "apart in "
            "the chain, as two amino acids are that touch in the fold.",
        ),
        Card(
            "Drug discovery", ("C", "C", "(", "=", "O", ")", "O", "…"),
            "a sign of a molecule that is written as a line of text (SMILES).",
            "encoders that guess hidden tokens, such as ChemBERTa (Chithrananda et al. 2020); decoders that write new "
            "molecules.",
            "No chemistry. But SMILES has brackets, and the model of this page reads those of aspirin.",
            "beyond", "Close the brackets of aspirin", {"beyond_view": "Brackets in code", "code": ASPIRIN},
        ),
        Card(
            "Pictures and words", ("▦ 1,1", "▦ 1,2", "…", "a", "red", "kite"),
            "a patch or a part of a word: both end up as vectors of the same width.",
            "two encoders whose vectors are compared, CLIP (Radford et al. 2021); or a decoder that reads patches "
            "before "
            "words, Flamingo (Alayrac et al. 2022).",
            "Nothing: no model here reads both.",
        ),
        Card(
            "Code", ("f", "(", "x", "[", "0", "]", ")"),
            "a part of a word, as in prose; spaces at the start of a line count.",
            "a decoder, as for prose, trained on programs: Codex (Chen et al. 2021).",
            "Its brackets alone, on this page: a model that cannot tell one name from another.",
            "beyond", "Type code of your own", {"beyond_view": "Brackets in code"},
        ),
    ),
    SECTIONS[1]: (
        Card(
            "Translation", ("the", "cat", "→", "le", "chat"),
            "a part of a word, in both languages.",
            "an encoder-decoder: the first Transformer of all (Vaswani et al. 2017).",
            "Two small ones, English to French and back, for a grammar of a hundred words.",
            "translation", "Watch one translate",
        ),
        Card(
            "Summaries", ("The", "storm", "reached", "…", "→", "Storm", "…"),
            "a part of a word.",
            "an encoder-decoder: BART (Lewis et al. 2019), T5 (Raffel et al. 2019).",
            "{encoder-decoder}", "pretrained", "Give it “summarize: …”", {"pretrained_view": "Heads"},
        ),
        Card(
            "Answering questions", ("Who", "…", "?", "[SEP]", "Mia", "…"),
            "a part of a word; question and text are read as a pair.",
            "an encoder that marks where in the text the answer begins and ends: BERT (Devlin et al. 2018).",
            "The heads of an encoder on a question and a text. Not the answer: what marks it is not among the parts "
            "that "
            "are loaded here.", "pretrained", "Read two texts together", {"pretrained_view": "Heads"},
        ),
        Card(
            "Named entities", ("Mia", "lives", "in", "Paris"),
            "a part of a word; each gets a label: person, place or neither.",
            "an encoder with one label per token: BERT (Devlin et al. 2018).",
            "The heads of an encoder on your sentence. Not the labels: no model here gives one per token.",
            "pretrained", "See the heads of an encoder", {"pretrained_view": "Heads"},
        ),
        Card(
            "Sentiment", ("not", "good", "at", "all"),
            "a word, or a part of one.",
            "an encoder with one label for the whole text: BERT (Devlin et al. 2018).",
            "A small one of this project’s own, trained on made-up reviews, where “not” and “but” turn everything "
            "round.",
            "heads", "See its heads", {"weights": "trained on reviews"},
        ),
        Card(
            "Dialogue and stories", ("once", "upon", "a", "…"),
            "a part of a word.",
            "a decoder: GPT (Radford et al. 2018 and after). Dialogue is a text in which two speak in turn.",
            "A small one that tells stories, and published ones that go on with any text. None that was trained for "
            "dialogue.", "generation", "Choose its next word",
        ),
    ),
}  # fmt: skip


class Settings(NamedTuple):
    section: str


def ask() -> Settings:
    with settings.place_named("row"):
        return Settings(
            settings.choose(
                st.segmented_control, "Of", "beyond_cards", SECTIONS, SECTIONS[0], label_visibility="collapsed"
            )
        )


def draw(s: Settings, cards: tuple[Card, ...]) -> None:
    with st.container(key="figure-beyond-cards"):
        for start in range(0, len(cards), 3):
            for column, card in zip(st.columns(3, gap="small"), cards[start : start + 3], strict=True):
                with column.container(border=True, height="stretch", gap="small"):
                    _draw_card(card)
    words, question = st.columns(2, gap="large")
    with words:
        st.markdown(
            "Attention never sees a word, a patch or a sound: only vectors, and their positions. So the layers stay as "
            "they are, and what changes is the two ends: how the thing is cut into tokens, and what the last vectors "
            "are "
            "turned into. That it works as well everywhere does not follow; these are measured uses, each by its own "
            "paper."
        )
    with question:
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


def _draw_card(card: Card) -> None:
    strip = " ".join(f"`{token}`" for token in card.tokens)
    st.markdown(f"**{card.title}**  \n{strip}")
    st.markdown(f"*Token:* {card.token}  \n*Model:* {card.family}")
    st.markdown(f"*Here:* {_here(card)}")
    if card.page:
        st.page_link(
            catalogue.page(card.page).script, label=card.label, icon=":material/arrow_forward:",
            query_params=dict(card.opens),
        )  # fmt: skip


def _here(card: Card) -> str:
    """What this app shows; of what depends on the server, what it has."""
    if card.here != "{encoder-decoder}":
        return card.here
    models = [name.removesuffix(", pretrained") for name in there("encoder-decoder")]
    if not models:
        return (
            "T5 can do it, but it is not on this server. The view “Bring a model” of the page Pretrained downloads it."
        )
    return f"The heads of {models[0]} while it writes, and what it writes."


VIEW = View(
    "What is a token?",
    ask,
    lambda s: CARDS[s.section],
    draw,
    asks="What is a token in sound, in a protein, in a picture?",
    lede="A Transformer reads whatever can be cut into tokens. Each card says what a token is, and what of it runs"
    " here.",
)
