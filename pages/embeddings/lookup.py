"""A one-hot row times the table picks a row of it, and ids are only names."""

from typing import TYPE_CHECKING, NamedTuple

import streamlit as st

from pages.embeddings import data
from pages.embeddings.components.token_machine import Signs, token_machine
from pages.embeddings.data import Table
from pages.embeddings.text import NO_TEXT, ask_table, first_ids, labelled
from pages.shared import settings, teaching
from pages.shared.compare_figures import Sheet
from pages.shared.source import ModelRef, Source
from pages.shared.teaching import Answer, check
from pages.shared.text_input import STORIES, ReadBy, read_by, source_row
from pages.shared.view import Comparison, View
from transformer.training.text import GLUE, UNKNOWN

if TYPE_CHECKING:
    from transformer.inspection.embeddings import Lookup, ShuffledIds

MAX_ROWS = 48  # that A | B compares
MAX_TABLE = 4096  # rows that are drawn
SHUFFLED = "shuffled"


class Settings(NamedTuple):
    """labels: of every id of the table; ids: of the tokens of the text; glue: what a label without a space before it
    begins with; source: of a trained model, or as it was before training."""

    labels: tuple[str, ...]
    ids: tuple[int, ...]
    table: Table
    glue: str
    source: Source | None
    is_shuffled: bool


class Result(NamedTuple):
    lookup: "Lookup"
    shuffled: "ShuffledIds"


def ask() -> Settings | None:
    with settings.place_named("sentence"):
        reading = read_by(STORIES)
        if not reading.source:
            settings.notify(*reading.sentence.notices)
    with settings.place_named("row"):
        is_shuffled = _ask_shuffled()
        if reading.ref:
            return _of_trained(reading, reading.ref, is_shuffled)
        answer = ask_table()
    if answer is None:
        return None
    tokens, table = answer
    glue = GLUE if tokens.kind == "word" else ""
    return Settings(tokens.labels, first_ids(tokens), table, glue, None, is_shuffled)


def _of_trained(reading: ReadBy, ref: ModelRef, is_shuffled: bool) -> Settings | None:
    source = ref.resolve()
    if len(source.labels) > MAX_TABLE:
        settings.notify(
            f"The table of this model has {len(source.labels):,} rows, too many to be drawn. “Alike” compares rows of "
            "it; to see a whole table, choose another model."
        )
        return None
    ids = tuple(source.ids(source.of_text(reading.sentence.tokens)))
    settings.notify(*reading.sentence.notices)
    if not ids:
        settings.notify(NO_TEXT)
        return None
    return Settings(source.labels, ids, ref, "", source, is_shuffled)


def _ask_shuffled() -> bool:
    """Whether the ids are permuted. That is no part of A | B, since the rows that a text picks stay the same."""
    if settings.replaying():
        return False
    with labelled("ids"), settings.collecting() as answers:
        name = settings.choose(
            st.segmented_control, "The ids", "emb_ids", ("as learned", SHUFFLED), "as learned",
            label_visibility="collapsed",
        )  # fmt: skip
    settings.notify(*answers.notices)
    return name == SHUFFLED


def compute(s: Settings) -> Result:
    return Result(data.lookup(s.table, s.ids), data.shuffled_ids(s.table, s.ids))


def draw(s: Settings, result: Result) -> None:
    picture, words = st.columns([7, 3], gap="large")
    with picture:
        _draw_machine(s, result)
    with words:
        _describe(s, result)
        if s.source:
            source_row(s.source)
        check(
            "The same token occurs twice in the text. How do its two rows of E compare?",
            Answer(
                "They are equal",
                "Both copy the same row of W_e. Positions and attention will make the two differ, later on.",
                right=True,
            ),
            Answer(
                "They differ, as their neighbours do",
                "Neighbours come in with attention. Here an id picks its row, and nothing else is looked at.",
            ),
            Answer(
                "They differ, as their positions do",
                "Positions are added to these rows, but only afterwards. The table does not know where a token stands.",
            ),
            Answer(
                "They are similar, but not equal",
                "Looking up copies a row, number by number. Nothing is drawn anew, and nothing is rounded.",
            ),
            key="embeddings-twice",
        )
        check(
            "Two tokens have the ids 40 and 41. What does the model make of ids this close?",
            Answer(
                "Nothing: an id only picks a row",
                "Any other numbering does as well, as long as each row moves with its id.",
                right=True,
            ),
            Answer(
                "It takes the two for similar",
                "Similarity is in the rows, not in the ids. Rows 40 and 41 are as unrelated as any two.",
            ),
            Answer(
                "It takes the second for larger, by 1",
                "The model never calculates with an id. That is the point of one-hot: a 1 in its own column, not a "
                "number.",
            ),
            Answer(
                "It expects them to stand side by side",
                "Ids say nothing about order in a text. They were given out while the vocabulary was made.",
            ),
            key="embeddings-ids",
            try_it={"emb_ids": SHUFFLED},
        )
    teaching.code_expander("transformer/embeddings.py", "TokenEmbedding")


def _draw_machine(s: Settings, result: Result) -> None:
    ids, labels, table = list(s.ids), list(s.labels), result.lookup.table
    if s.is_shuffled:
        shuffled = result.shuffled
        table = shuffled.table
        for old, new in enumerate(shuffled.new.tolist()):
            labels[new] = s.labels[old]
        ids = [int(shuffled.new[id]) for id in ids]
    token_machine(
        ids,
        dict(enumerate(labels)),
        table,
        "trained" if s.source and s.source.is_trained else "untrained",
        zoom="look up",
        signs=Signs(None if s.is_shuffled else UNKNOWN, glue=s.glue),
        key="emb_machine",
        token_url="emb_token",
    )


def _describe(s: Settings, result: Result) -> None:
    (V, d_model), n, shuffled = result.lookup.table.shape, len(s.ids), result.shuffled
    teaching.formula(r"E = X\, W_e")
    verdict = "are equal, bit for bit" if result.lookup.exact else "differ"
    st.markdown(
        f"Every row of X is **one-hot**: a 1 in the token's column, 0 everywhere else. So the product copies one row "
        f"of W_e. Checked on all {n:,} × {d_model} numbers: the product and the picked rows **{verdict}**."
    )
    st.markdown(
        f"**Ids are only names.** Shuffle the {V:,} ids and move each row with its id: the model's scores for this "
        f"text (its *logits*, a score for every token that may come next, up to {shuffled.largest:.1f}) change by "
        f"at most **{_tiny(shuffled.change)}**. The row is everything the model knows about a token"
        + ("." if s.source and s.source.is_trained else "; this table is untrained, so it knows nothing yet.")
    )
    st.caption(
        f"Easily confused: W_e ({V:,} × {d_model}) is the embedding matrix, one row per token in the vocabulary; "
        f"E = X W_e ({n:,} × {d_model}) is your text, one row per token in it."
    )


def _tiny(change: float) -> str:
    if not change:
        return "0"
    mantissa, exponent = f"{change:.0e}".split("e")
    digits = str(int(exponent)).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))
    return f"{mantissa} × 10{digits}, the rounding"


def _rows(s: Settings, result: Result) -> Sheet:
    """The rows of the first tokens."""
    ids = s.ids[:MAX_ROWS]
    labels = tuple(s.labels[id] for id in ids)
    return Sheet(result.lookup.table[list(ids)], "value", ("token", "feature"), labels)


VIEW = View(
    "Look up", ask, compute, draw,
    comparison=Comparison(f"the rows of the first {MAX_ROWS} tokens", _rows),
    height=420,
    asks="How does an id become a vector?",
    lede="The **id** of a token picks a row of the table. That row is its **vector**: all that the model knows of the"
    " token.",
)  # fmt: skip
