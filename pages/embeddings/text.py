"""The settings that all views of the page share: a text, how it is cut into tokens, and the table of vectors."""

from dataclasses import dataclass
from typing import Any

import streamlit as st

from lab.kit import settings
from lab.kit.controls.hyperparameters import D_MODEL, SEED
from lab.kit.controls.text_input import EXAMPLES, sentence
from lab.kit.models.source import MAX_TOKENS
from lab.kit.settings import MAX_TEXT
from pages.embeddings import data
from pages.embeddings.data import RandomTable, TokeniserKind
from transformer.training.text import clean

MAX_LETTERS_CUT = 1000  # of the sentence; as characters, that many chips
MERGES = (0, 20, 50, 100, 150, 200, 300, 500, 1000)
TOKENISERS: dict[str, TokeniserKind] = {"characters": "character", "words": "word", "byte pairs": "pairs"}
NO_TEXT = "There is nothing to cut yet. Type a sentence, or choose one of the examples."
# Of the story on every page some words are frequent here, and become one token; red and hat are not, and do not.
LEARN_FROM = (
    "tom found a ball. mia found a ball. then tom took the blue ball, and mia took the blue bag.\n"
    "The king sat at the table. The queen sat at the table too. The king was tired and the queen was tired, because "
    "the day was long. The king loved the queen, and the queen loved the king.\n"
    "An animal crossed the street to the river. The animal was too tired to cross the street again. The cat never "
    "saw the animal, because it sat on the mat.\n"
    "The river was low. The lower street was lower than the river, and the lowest house stood in the lowest street. "
    "The newest house was wider than the widest street."
)


@dataclass(frozen=True)
class Tokens:
    """A text, cut by a tokeniser that was learned from another text.

    ids     of the text
    labels  of every id of the vocabulary
    """

    text: str
    ids: tuple[int, ...]
    labels: tuple[str, ...]
    kind: TokeniserKind
    learned_from: str
    n_merges: int

    @property
    def vocab_size(self) -> int:
        """How many ids there are."""
        return len(self.labels)

    @property
    def distinct(self) -> tuple[int, ...]:
        """The different ids, in the order of the text."""
        return tuple(dict.fromkeys(self.ids))


def ask_sentence() -> None:
    """Draw the box for the sentence. `ask_tokens` reads it, as the last of its settings."""
    if settings.replaying():
        return
    with settings.collecting() as answers:
        typed = sentence()
    answers.notices.extend(typed.notices)
    settings.notify(*answers.notices)


def ask_tokens() -> Tokens | None:
    """How the text is cut, and from which text that is learned; None, with a notice, for no text."""
    kind = _ask_kind(label_visibility="collapsed")
    with settings.line(key="tokens"):
        n_merges = _ask_merges(kind)  # the table of all three ways needs it beside the others, too
        learned_from = _ask_learn_from(height=280)
    return _cut(kind, learned_from, n_merges)


def ask_table() -> tuple[Tokens, RandomTable] | None:
    """How the text is cut, and the untrained table with a row for every id; None, with a notice, for no text."""
    with settings.line("untrained table", key="table"):
        kind = _ask_kind()
        d_model = D_MODEL.ask(help="How many numbers stand for one token.")
        seed = SEED.ask(help="A different seed gives a different untrained table.")
        n_merges = _ask_merges(kind) if kind == "pairs" else 0
        learned_from = _ask_learn_from(height=180)
    tokens = _cut(kind, learned_from, n_merges)
    return None if tokens is None else (tokens, RandomTable(tokens.vocab_size, d_model, seed))


def first_ids(tokens: Tokens) -> tuple[int, ...]:
    """As many ids as are used where each of them costs; a notice says how many are left out."""
    n = len(tokens.ids) - MAX_TOKENS
    if n > 0:
        settings.notify(f"The first {MAX_TOKENS} tokens are used here; {n:,} more are left out.")
    return tokens.ids[:MAX_TOKENS]


def _ask_kind(**more: Any) -> TokeniserKind:
    name = settings.choose(
        st.segmented_control,
        "Tokens are",
        "emb_tokeniser",
        TOKENISERS,
        "byte pairs",
        chip="{}",
        **more,
        help="How a text is cut. Each way has its own vocabulary, learned from another text.",
    )
    return TOKENISERS[name]


def _ask_merges(kind: TokeniserKind) -> int:
    return settings.choose(
        st.select_slider,
        "Merges to learn",
        "emb_merges",
        MERGES,
        100,
        chip="up to {} merge{s}" if kind == "pairs" else None,
        help="Every merge adds one token to the vocabulary. Learning ends early where no pair occurs twice in the "
        "text any more.",
    )


def _ask_learn_from(height: int) -> str:
    """The text from which the vocabulary is learned, not longer than a link can carry."""
    pinned = settings.replaying()
    if pinned:
        text = pinned.take_text("emb_learn", "text to learn from", LEARN_FROM, str)
    else:
        _replace_surrogates("emb_learn")
        text = st.text_area(
            "The vocabulary is learned from this text",
            LEARN_FROM,
            key="emb_learn",
            bind="query-params",
            height=height,
            width=520,
            help="Change it and press Ctrl + Enter: the whole page follows.",
        )
        settings.note("emb_learn", "text to learn from", text or "", LEARN_FROM, long=True)
    text = _clean_lines(text or "")
    if len(text) > MAX_TEXT:
        settings.notify(f"It is learned from the first {MAX_TEXT:,} letters of the text; the others are left out.")
    return text[:MAX_TEXT]


def _cut(kind: TokeniserKind, learned_from: str, n_merges: int) -> Tokens | None:
    """The text of the sentence box, cut."""
    text = _clean_lines(_text())
    if len(text) > MAX_LETTERS_CUT:
        settings.notify(
            f"The first {MAX_LETTERS_CUT:,} letters are cut into tokens; {len(text) - MAX_LETTERS_CUT:,} are left out."
        )
        text = text[:MAX_LETTERS_CUT]
    tokeniser = data.tokeniser(kind, learned_from, n_merges)
    ids = tuple(tokeniser.encode(text))
    if not ids:
        settings.notify(NO_TEXT)
        return None
    labels = tuple(tokeniser.label(id) for id in range(len(tokeniser)))
    return Tokens(text, ids, labels, kind, learned_from, n_merges)


def _text() -> str:
    """The text of the sentence box, or the one that is pinned."""
    pinned = settings.replaying()
    if pinned:
        return pinned.take_text("text", "sentence", EXAMPLES[0], lambda text: text[:MAX_TEXT])
    text = st.session_state.get("text") or ""
    settings.note("text", "sentence", text, EXAMPLES[0], long=True)
    return text


def _clean_lines(text: str) -> str:
    """The text without what no font can draw, its lines as they are."""
    return "\n".join(clean(line) for line in text.replace("\r", "").split("\n"))


def _replace_surrogates(key: str) -> None:
    """Replace what a link may bring into a box and cannot be sent on to a browser."""
    text = st.session_state.get(key)
    if text is not None and text.encode("utf-8", "replace").decode() != text:
        st.session_state[key] = text.encode("utf-8", "replace").decode()
