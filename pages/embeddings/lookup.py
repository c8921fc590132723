"""A one-hot row times the table picks a row of it, and ids are only names."""

from typing import TYPE_CHECKING, NamedTuple

import streamlit as st

from pages.embeddings import data
from pages.embeddings.components.embedding_lookup import lookup
from pages.embeddings.data import RandomTable
from pages.embeddings.text import Tokens, ask_sentence, ask_table, first_ids
from pages.shared import settings, teaching
from pages.shared.compare_figures import Sheet
from pages.shared.view import Comparison, View

if TYPE_CHECKING:
    from transformer.inspection.embeddings import Lookup, ShuffledIds

MAX_ROWS = 48  # that A | B compares
SHUFFLED = "shuffled"


class Settings(NamedTuple):
    tokens: Tokens
    ids: tuple[int, ...]
    table: RandomTable
    is_shuffled: bool


class Result(NamedTuple):
    lookup: "Lookup"
    shuffled: "ShuffledIds"


def ask() -> Settings | None:
    with settings.place_named("sentence"):
        ask_sentence()
    with settings.place_named("row"):
        is_shuffled = _ask_shuffled()
        answer = ask_table()
    if answer is None:
        return None
    tokens, table = answer
    return Settings(tokens, first_ids(tokens), table, is_shuffled)


def _ask_shuffled() -> bool:
    """Whether the ids are permuted. That is no part of A | B, since the rows that a text picks stay the same."""
    if settings.replaying():
        return False
    with settings.collecting() as answers:
        name = settings.choose(
            st.segmented_control, "The ids", "emb_ids", ("as learned", SHUFFLED), "as learned",
            help="Shuffled: every token gets another id, and its row of the table moves along.",
        )  # fmt: skip
    settings.notify(*answers.notices)
    return name == SHUFFLED


def compute(s: Settings) -> Result:
    return Result(data.lookup(s.table, s.ids), data.shuffled_ids(s.table, s.ids))


def draw(s: Settings, result: Result) -> None:
    (V, d_model, _), n, is_exact, shuffled = s.table, len(s.ids), result.lookup.exact, result.shuffled
    picture, words = st.columns([7, 3], gap="large")
    with picture:
        if s.is_shuffled:
            labels = [""] * V
            for old, new in enumerate(shuffled.new.tolist()):
                labels[new] = s.tokens.labels[old]
            ids = [int(shuffled.new[id]) for id in s.ids]
            lookup(ids, labels, shuffled.table, key="emb_lookup", url="emb_token")
        else:
            lookup(s.ids, s.tokens.labels, result.lookup.table, key="emb_lookup", url="emb_token")
    with words:
        teaching.formula(r"E = X\, W_e")
        st.markdown(
            f"Every row of X is **one-hot**: a 1 in the token's column, 0 everywhere else. So the product is one row "
            f"of W_e, unchanged. {'Checked on all' if is_exact else '**Not the same** on all'} "
            f"{n:,} × {d_model} numbers: the product and the picked rows "
            f"{'are equal, bit for bit' if is_exact else 'differ'}."
        )
        st.markdown(
            "**An id is only a name.** Shuffle all ids and move the rows along: the answers of a small model to this "
            f"text (its *logits*, a score for every token that may come next, up to {shuffled.largest:.1f}) change by "
            f"at most **{_tiny(shuffled.change)}**. A row is all a model knows of a token; this table is random, so it "
            "knows nothing yet."
        )
        st.caption(
            f"Two names that are often mixed up: W_e, {V:,} × {d_model}, is the embedding matrix, one row for every "
            f"token of the vocabulary. E = X W_e, {n:,} × {d_model}, is the text, one row for every token in it."
        )
        teaching.check(
            "The same token occurs twice in the text. What about its two rows of E?",
            ["They are equal", "They depend on the neighbours", "They depend on the place"],
            0,
            "Both pick the same row of W_e. Places and neighbours come in later: by positions and by attention.",
            key="emb-twice",
        )
    teaching.code_expander("transformer/embeddings.py", "TokenEmbedding")


def _tiny(change: float) -> str:
    return f"{change:.0e}, the rounding" if change else "0"


def _rows(s: Settings, result: Result) -> Sheet:
    """The rows of the first tokens."""
    ids = s.ids[:MAX_ROWS]
    labels = tuple(s.tokens.labels[id] for id in ids)
    return Sheet(result.lookup.table[list(ids)], "value", ("token", "feature"), labels)


VIEW = View(
    "Look up", ask, compute, draw,
    comparison=Comparison(f"the rows of the first {MAX_ROWS} tokens", _rows),
    height=420,
    formerly={"One-hot × W_e": {}},
)  # fmt: skip
